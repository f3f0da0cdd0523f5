"""Evidence: what one statement about a resource, or one URL of it, says of the resource's type."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from functools import lru_cache, partial
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

import pyoxigraph as ox

from cturi_rdf.content_type import ContentType
from cturi_rdf.errors import MappingError
from cturi_rdf.labels import resolve
from cturi_rdf.labels.names import names
from cturi_rdf.rdf.terms import (
    CHARSET,
    CTV,
    EU_FILE_TYPES,
    FILES,
    MANY_FORMATS,
    PROPERTIES,
    RDF,
    URLS,
    WRAPPED_BY,
)
from cturi_rdf.registry import registry
from cturi_rdf.registry.hierarchy import ancestry
from cturi_rdf.registry.schemes import type_of_iri
from cturi_rdf.uri.mapping import as_read, from_uri

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cturi_rdf.labels import Resolution
    from cturi_rdf.labels.resolution import Confidence
    from cturi_rdf.rdf.label_statements import Understood


# Solid and others: a class of the resources of a type, see the registry's schemes.
_CLASS_SCHEME = "w3c-ns-iana"
# The format of a page; another ending, such as .php, is that of the program that answers.
PAGES = frozenset({"text/html", "application/xhtml+xml", "application/x-httpd-php"})
_WRITTEN = frozenset({"html", "htm", "xhtml", "xht"})
# The path of a URL (RFC 3986, appendix B), which reads whatever a catalogue gives as a URL.
_PATH = re.compile(r"(?:[^:/?#]+:)?(?://[^/?#]*)?([^?#]*)")

_RDF_ITSELF = frozenset({"rdf", f"{EU_FILE_TYPES.value}/RDF".casefold()})
# The EU's file type for data that is not final.
_PLACEHOLDERS = frozenset({f"{EU_FILE_TYPES.value}/OP_DATPRO"})
_FILES = frozenset(one.value for one in FILES)
_CLASSES = MANY_FORMATS | _FILES
# The properties that name what wraps a resource, with the kind of wrapper.
WRAPS = {link.value: kind for kind, link in WRAPPED_BY.items()}
WRAPS |= {path.value: WRAPS[link.value] for path, link in PROPERTIES.items() if link.value in WRAPS}
_LINKS = (CTV.contentType, CTV.compression, CTV.packaging, CTV.servedAs)
# The links that annotating adds; their values are nodes of content types.
LINKS = frozenset(link.value for link in _LINKS)
# Statements about a resource that tell how its labels are to be read.
BESIDE = (RDF.type, CHARSET)
WRAPPED = frozenset(link.value for link in WRAPPED_BY.values())


class Reading(NamedTuple):
    """One thing that a statement may mean.

    `contents` are the types that it names, several where it names several formats; `wrappers` are
    the packages and compressions around them, the outermost first.  A statement that is understood
    and names neither, such as the name of a service, has an empty reading.  `confidence` is
    ``certain`` or ``likely``, and `reason` says why in a sentence.  `is_packed` says that the
    contents are in something that the statement does not name, as in "compressed CSV".
    """

    contents: tuple[ContentType, ...]
    wrappers: tuple[ContentType, ...] = ()
    confidence: Confidence = "certain"
    reason: str = ""
    is_packed: bool = False


class Evidence(NamedTuple):
    """The evidence of one statement, or of one URL: its property, text and readings.

    `path` is the IRI of the property.  The preferred reading is first; a text that is not
    understood has none.
    """

    path: str
    text: str
    readings: tuple[Reading, ...] = ()

    @property
    def content_types(self) -> tuple[ContentType, ...]:
        """The types that the preferred reading names."""
        return self.readings[0].contents if self.readings else ()

    @property
    def wrappers(self) -> tuple[ContentType, ...]:
        """The wrappers that the preferred reading names, the outermost first."""
        return self.readings[0].wrappers if self.readings else ()

    @property
    def confidence(self) -> Confidence:
        """How sure the preferred reading is: it is not the only one where there are several."""
        certain = len(self.readings) == 1 and self.readings[0].confidence == "certain"
        return "certain" if certain else "likely"

    @property
    def all_types(self) -> set[ContentType]:
        """The types that any of its readings names, contents and wrappers."""
        return {one for reading in self.readings for one in reading.contents + reading.wrappers}

    @property
    def names_types(self) -> bool:
        """Whether any reading names a type."""
        return any(reading.contents or reading.wrappers for reading in self.readings)

    @property
    def is_unread(self) -> bool:
        """Whether it is a label that is not understood."""
        is_label = not self.readings and bool(self.text.strip())
        return is_label and ox.NamedNode(self.path) in PROPERTIES


def header_properties() -> tuple[ox.NamedNode, ...]:
    """Return the properties whose values are evidence of the bytes of a resource.

    They have labels, or nodes of content types, or tell how these are to be read together.
    """
    labels = (path for path, link in PROPERTIES.items() if link != CTV.relatedContentType)
    return (*labels, *_LINKS, *BESIDE)


def readings_of(resolution: Resolution) -> tuple[Reading, ...]:
    """Return all readings of a label, the preferred one first.

    A placeholder and the name of a service are understood to name nothing.

    >>> [reading.confidence for reading in readings_of(resolve("Excel"))]
    ['likely', 'likely']
    >>> readings_of(resolve("flurbel")), len(readings_of(resolve("n/a")))
    ((), 1)
    """
    reason = resolution.reason
    is_packed = resolution.verdict == "compound" and not resolution.wrappers
    readings = []
    for types, wrappers, confidence in resolution.readings:
        # A package with unknown content is itself what the label names.
        named, around = (types, wrappers) if types else (wrappers[:1], ())
        readings.append(Reading(named, around, confidence, reason, is_packed))
    if readings and not resolution.named:
        # None of several readings is likelier than the others: alone they say nothing.
        return (Reading((), (), "likely", reason), *readings)
    if not readings and (resolution.services or is_placeholder(resolution.label)):
        return (Reading((), (), resolution.confidence, reason),)
    return tuple(readings)


def is_placeholder(text: str) -> bool:
    """Return whether a label stands for no format, such as ``n/a``, or an IRI of the EU does."""
    return text in _PLACEHOLDERS or "placeholder" in names().kinds(text)


def is_known(resolution: Resolution) -> bool:
    """Return whether what a label names is in a registry, or at least has a name that is in use.

    >>> [is_known(resolve(text)) for text in ("text/csv", "application/x-tar", "foo/bar")]
    [True, True, False]
    """
    if resolution.verdict == "nothing":
        # A range of types, such as image/*, is no placeholder.
        return resolution.confidence == "certain" and "*" not in resolution.label
    types = resolution.types
    return resolution.verdict != "media_type" or any(is_in_use(one.essence) for one in types)


def is_in_use(essence: str) -> bool:
    """Return whether a media type is registered, another name of one, or the type of a format.

    >>> is_in_use("application/x-oracledump"), is_in_use("application/x-unheard-of")
    (True, False)
    """
    snapshot = registry()
    return bool(
        snapshot.media_type(essence)
        or snapshot.canonical(essence) != essence
        or snapshot.extensions_of(essence)
        or snapshot.related_codes(essence)
    )


def wraps_nothing(resolution: Resolution) -> bool:
    """Return whether a label names a type that is known, and by no reading a wrapper.

    JAR and EPUB are special cases of zip.

    >>> [wraps_nothing(resolve(text)) for text in ("CSV", "JAR", "application/x-unheard-of")]
    [True, False, False]
    """
    readings = resolution.readings
    types = {one for named, wrapping, _ in readings for one in (*named, *wrapping)}
    broader = {essence for one in types for essence in ancestry(one.essence)}
    is_wrapper = any(map(registry().packaging, broader))
    return bool(resolution.types) and is_known(resolution) and not is_wrapper


def evidence_of_label(path: str, understood: Understood) -> Evidence:
    """Return a label on a property as evidence.

    What is no wrapper says nothing where a wrapper is asked for.
    """
    text, resolution = understood
    is_misplaced = path in WRAPS and wraps_nothing(resolution)
    return Evidence(path, text, () if is_misplaced else readings_of(resolution))


def evidence_of_term(path: str, value: object) -> Evidence:
    """Return the value of a property that is not for labels as evidence.

    That is the node of a content type, or a class of the files of a type as the value of
    `rdf:type`.  A URL, a charset and a class of resources are kept as texts, as all literals are.
    """
    text = value.value if isinstance(value, ox.NamedNode | ox.Literal) else ""
    types: tuple[ContentType, ...] = ()
    if isinstance(value, ox.NamedNode) and path == RDF.type.value:
        scheme, essences = type_of_iri(text) or ("", ())
        if scheme == _CLASS_SCHEME:
            types = tuple(map(ContentType.parse, essences))
    elif isinstance(value, ox.NamedNode) and path in LINKS:
        with suppress(MappingError):
            types = (as_read(from_uri(text)),)
    return Evidence(path, text, (Reading(types),) if types else ())


def tells_more(path: ox.NamedNode, value: object) -> bool:
    """Return whether a statement tells how the labels of its resource are to be read.

    >>> service = ox.NamedNode("http://www.w3.org/ns/dcat#DataService")
    >>> tells_more(RDF.type, service), tells_more(RDF.type, ox.NamedNode("http://a.example/Book"))
    (True, False)
    """
    return path in BESIDE and is_of_use(evidence_of_term(path.value, value))


# Of what stands beside labels only what tells how to read them.
TELLING = {path: lru_cache(4_096)(partial(tells_more, path)) for path in BESIDE}


def is_of_use(evidence: Evidence) -> bool:
    """Return whether evidence bears on the header or the links of a resource.

    It names a type or is not understood, is a URL, a charset, or the class of a resource that has
    many formats, or is a link to something that is no type, or to the node of a label.
    """
    path = evidence.path
    if path == RDF.type.value:
        return bool(evidence.readings) or evidence.text in _CLASSES
    return (
        evidence.names_types
        or evidence.is_unread
        or path in LINKS
        or path in URLS
        or path in {CHARSET.value, CTV.typeLabel.value}
    )


def names_rdf(evidence: Evidence) -> bool:
    """Return whether a label is the name of RDF itself, which has many syntaxes.

    Alone it is RDF/XML, as the EU has it.

    >>> names_rdf(Evidence("http://purl.org/dc/terms/format", "rdf"))
    True
    """
    return evidence.text.casefold() in _RDF_ITSELF


def is_file(evidence: Evidence) -> bool:
    """Return whether evidence says that the IRI of its resource is its URL."""
    return evidence.text in _FILES


def texts_of_evidence(evidence: Evidence) -> tuple[tuple[str, ...], ...]:
    """Return evidence as texts, which `evidence_of_texts` reads; none if it is of no use."""
    if not is_of_use(evidence):
        return ()
    readings = (
        json.dumps((*(tuple(map(str, types)) for types in one[:2]), one.confidence, one.is_packed))
        for one in evidence.readings
    )
    return ((evidence.path, evidence.text, *readings),)


def evidence_of_texts(texts: Iterable[tuple[str, ...]]) -> list[Evidence]:
    """Return the evidence that `texts_of_evidence` turned into texts."""
    return [_of_texts(row) for row in texts]


@lru_cache(maxsize=4_096)
def _of_texts(texts: tuple[str, ...]) -> Evidence:
    path, text, *rest = texts
    readings = []
    for contents, wrappers, confidence, is_packed in map(json.loads, rest):
        named, around = (tuple(map(ContentType.parse, types)) for types in (contents, wrappers))
        readings.append(Reading(named, around, confidence, is_packed=is_packed))
    return Evidence(path, text, tuple(readings))


def name_in_url(url: str) -> str:
    """Return a URL with as much of the file name as `url_reading` reads, and nothing else.

    >>> name_in_url("https://data.example/loans.2025.csv.gz?version=2"), name_in_url("/a%2Ecsv")
    ('/.csv.gz', '/a%2Ecsv')
    """
    path = _PATH.match(url)
    name = path[1].rpartition("/")[2] if path else ""
    return f"/{name if '%' in name else '.'.join(['', *name.split('.')[1:][-2:]])}"


def url_reading(url: str) -> Reading | None:
    """Return what the file name in a URL says of its bytes, or None.

    The name of a program, as in ``rss.php``, says nothing of what it sends.

    >>> reading = url_reading("https://data.example/loans.csv.gz?version=2")
    >>> print(*reading.contents, "in", *reading.wrappers)
    text/csv in application/gzip
    """
    path = _PATH.match(url)
    return _reading_of_name(path[1].rpartition("/")[2] if path else "")


@lru_cache(maxsize=4_096)
def _reading_of_name(name: str) -> Reading | None:
    parts = unquote(name).split(".")[1:]
    for ending in (parts[-2:], parts[-1:]) if len(parts) > 1 else (parts,):
        resolution = resolve("." + ".".join(ending)) if ending else None
        if resolution and resolution.verdict == "compound" and not _is_wrapper(ending[-1]):
            # The outermost wrapper is the last extension: x.gz.parquet is a Parquet file.
            continue
        if resolution and resolution.verdict in {"media_type", "compound"}:
            is_page = any(content_type.essence in PAGES for content_type in resolution.types)
            if is_page and ending[-1].lower() not in _WRITTEN:
                return None
            reason = f"The name of the file ends in .{'.'.join(ending)}."
            return Reading(resolution.named, resolution.wrapping, "likely", reason)
    return None


def _is_wrapper(extension: str) -> bool:
    return any(registry().packaging(one.essence) for one in resolve(f".{extension}").named)
