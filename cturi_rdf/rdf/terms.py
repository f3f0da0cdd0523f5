"""The terms of our RDF as Oxigraph has them: vocabularies, and the nodes of content types.

`cturi_rdf.rdf.public` and `cturi_rdf.rdf.vocab` have the same for rdflib, which takes long to
load.  Reading and writing files needs only these.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pyoxigraph as ox

from cturi_rdf._util.display import PREFIXES
from cturi_rdf.content_type.grammar import percent_decode, percent_encode
from cturi_rdf.registry.tables import DATA, load
from cturi_rdf.uri.mapping import node

if TYPE_CHECKING:
    from cturi_rdf.content_type import ContentType
    from cturi_rdf.uri.mapping import Control


# A statement of this package: subject, predicate and object, none of them a blank node.
Triple = tuple[ox.NamedNode, ox.NamedNode, ox.NamedNode | ox.Literal]

_BASE = "https://w3id.org/cturi"
_TILDE = str.maketrans({"~": "~7E"})
_TILDE_ENCODED = re.compile(r"~(2E|2F|5C|7E)")
# RFC 3986 section 2.3: all but unreserved characters are encoded, so that a name is one segment.
_RESERVED = re.compile(r"[^A-Za-z0-9\-._~]")


class Vocabulary:
    """The terms of a namespace, as attributes.

    >>> Vocabulary("http://a.example/#").b
    <NamedNode value=http://a.example/#b>
    """

    def __init__(self, namespace: str) -> None:
        """Take the IRI that the terms begin with."""
        self._namespace = namespace

    def __getattr__(self, name: str) -> ox.NamedNode:
        if name.startswith("_"):
            raise AttributeError(name)
        term = ox.NamedNode(self._namespace + name)
        setattr(self, name, term)
        return term

    def __str__(self) -> str:
        return self._namespace


# A test compares the terms that the code uses with those of the ontology.
CTV = Vocabulary(PREFIXES["ctv"])
DCAT = Vocabulary(PREFIXES["dcat"])
DCTERMS = Vocabulary(PREFIXES["dct"])
OWL = Vocabulary(PREFIXES["owl"])
RDF = Vocabulary(PREFIXES["rdf"])
RDFS = Vocabulary(PREFIXES["rdfs"])
SKOS = Vocabulary(PREFIXES["skos"])
XSD = Vocabulary(PREFIXES["xsd"])
EU_FILE_TYPES = ox.NamedNode("http://publications.europa.eu/resource/authority/file-type")


@lru_cache(maxsize=8_192)
def mint(content_type: ContentType | str, *, control: Control = "honour") -> ox.NamedNode:
    """Return the node of a content type, given as a value or a header, as `cturi_rdf.node` does.

    Raises `MappingError` for an invalid header.

    >>> mint("text/csv; header=present").value
    'ContentType:text/csv?header=%22present%22'
    """
    return ox.NamedNode(node(content_type, control=control))


def own_node(kind: str, *names: str) -> ox.NamedNode:
    """Return a node of ours by its kind and its names, a suffix without its plus.

    The same names always give the same node.

    >>> own_node("parameter", "charset", "utf-8").value
    'https://w3id.org/cturi/parameter/charset/utf-8'
    >>> own_node("top-level", "image").value, own_node("suffix", "xml").value
    ('https://w3id.org/cturi/top-level/image', 'https://w3id.org/cturi/suffix/xml')
    """
    return ox.NamedNode("/".join((_BASE, kind, *map(_segment, names))))


def label_node(text: str) -> ox.NamedNode:
    """Return the node of a label.

    >>> label_node("Zipped CSV").value, label_node("text/csv").value
    ('https://w3id.org/cturi/label/Zipped%20CSV', 'https://w3id.org/cturi/label/text~2Fcsv')
    """
    return own_node("label", text)


@lru_cache(maxsize=8_192)
def literal(value: str) -> ox.Literal:
    """Return a text as a literal.

    >>> literal("text/csv")
    <Literal value=text/csv datatype=<NamedNode value=http://www.w3.org/2001/XMLSchema#string>>
    """
    return ox.Literal(value)


def name_of_segment(segment: str) -> str:
    """Return the name in a segment of the IRI of one of our nodes.

    Segments with `%2F`, which earlier versions wrote, are read as well.  Raises
    `UnicodeDecodeError` where the octets are not UTF-8.

    >>> name_of_segment("text~2Fcsv"), name_of_segment("text%2Fcsv"), name_of_segment("~7E")
    ('text/csv', 'text/csv', '~')
    """
    return percent_decode(_TILDE_ENCODED.sub(r"%\1", segment))


def _segment(text: str) -> str:
    """Return a name as one segment of a path that servers accept.

    Apache refuses `%2F` unless it is told not to, and every client removes segments of dots: a
    slash, a backslash, a tilde and such dots are a tilde and two hex digits.
    """
    if text in {".", ".."}:
        return text.replace(".", "~2E")
    return (
        percent_encode(text, _RESERVED)
        .translate(_TILDE)
        .replace("%2F", "~2F")
        .replace("%5C", "~5C")
    )


# The properties that lead to the bytes of a resource, give its name, or tell how it is read.


# The best first.  What an ActivityStreams Link says is about what its `href` leads to
# (Activity Vocabulary, section 4, "href").
DOWNLOAD_URLS = (
    "http://www.w3.org/ns/dcat#downloadURL",
    "http://schema.org/contentUrl",
    "https://schema.org/contentUrl",
    "https://www.w3.org/ns/activitystreams#href",
)
# An access URL may lead to a page about the file.
URLS = (*DOWNLOAD_URLS, "http://www.w3.org/ns/dcat#accessURL")
# A file of an RO-Crate is a MediaObject (RO-Crate 1.1, "File Data Entity"); its IRI is its URL.
FILES = frozenset(
    ox.NamedNode(f"{scheme}://schema.org/MediaObject") for scheme in ("http", "https")
)
# Properties that identify a blank node for a reader; its label may change with each reading.
NAMES = (
    *URLS,
    "https://www.w3.org/ns/activitystreams#url",
    "http://www.w3.org/ns/csvw#url",
    "http://purl.org/dc/terms/title",
    "http://schema.org/name",
    "https://schema.org/name",
)
NAMELESS = "without a name"
# The character set of a distribution, which no IRI of a media type has: GeoDCAT-AP 2.0.0,
# "character encoding".
CHARSET = ox.NamedNode("http://www.w3.org/2011/content#characterEncoding")
# The classes of resources that may have many formats, which is then no conflict.
MANY_FORMATS = frozenset(
    {
        "http://www.w3.org/ns/dcat#DataService",
        "http://www.w3.org/ns/dcat#Dataset",
        "http://www.w3.org/ns/dcat#DatasetSeries",
        "http://www.w3.org/ns/dcat#Catalog",
        "http://schema.org/Dataset",
        "https://schema.org/Dataset",
        "http://schema.org/DataCatalog",
        "https://schema.org/DataCatalog",
        "http://rdfs.org/ns/void#Dataset",
        "http://www.w3.org/ns/sparql-service-description#Service",
    }
)


# The properties whose values are labels of types, and the properties that annotate them.


class PropertyRecord(NamedTuple):
    """A property that carries labels, the property of ours that annotates it, and its values.

    `values` are ``any format`` where any IRI may stand for a format, and ``anything`` where a value
    need not be a format.
    """

    property: str
    annotated_by: str
    values: str


# Property -> the property that links the resource to the content type of the label.
PROPERTIES: dict[ox.NamedNode, ox.NamedNode] = {
    ox.NamedNode(record.property): ox.NamedNode(record.annotated_by)
    for record in load("properties.tsv", PropertyRecord)
}
# What each property takes as its values.
VALUES = {
    ox.NamedNode(record.property): record.values
    for record in load("properties.tsv", PropertyRecord)
}
# The properties that link a resource to the wrapper of its content: a compression, or a package.
WRAPPED_BY = {"compression": CTV.compression, "package": CTV.packaging}
# Vocabularies whose terms are taken for each other's, as dct:mediaType for dcat:mediaType.
_ALIKE = (
    "http://www.w3.org/ns/dcat#",
    "http://purl.org/dc/terms/",
    "http://purl.org/dc/elements/1.1/",
)
_OTHER_SCHEME = {"http": "https", "https": "http"}
_NEAR = 0.85


def register_property(iri: str) -> None:
    """Read the values of one more property as labels of the content, as those of `dct:format`.

    That holds for the whole process.
    """
    PROPERTIES.setdefault(ox.NamedNode(iri), CTV.contentType)


def checked_properties() -> tuple[ox.NamedNode, ...]:
    """Return the properties that shapes look at: of labels, and of links that annotating adds."""
    return (*PROPERTIES, *sorted(set(PROPERTIES.values()), key=str), CTV.bareMediaType)


@lru_cache(maxsize=4_096)
def intended(path: ox.NamedNode) -> ox.NamedNode | None:
    """Return the property that was probably meant by one that its vocabulary does not have.

    >>> intended(ox.NamedNode("http://purl.org/dc/terms/mediaType")).value
    'http://www.w3.org/ns/dcat#mediaType'
    >>> intended(ox.NamedNode("http://purl.org/dc/terms/hasFormat"))
    """
    space, local = _split(path)
    scheme, colon, rest = space.partition(":")
    spaces = [space, _OTHER_SCHEME.get(scheme, scheme) + colon + rest]
    spaces += _ALIKE if set(_ALIKE).intersection(spaces) else ()
    for other in () if path in PROPERTIES else dict.fromkeys(spaces):
        listed = {
            name.casefold(): one for one in PROPERTIES for at, name in [_split(one)] if at == other
        }
        near = get_close_matches(local.casefold(), listed, n=1, cutoff=_NEAR)
        if near:
            return listed[near[0]]
    return None


@lru_cache(maxsize=4_096)
def is_earlier(term: ox.NamedNode) -> bool:
    """Return whether a term is one of our vocabulary that is not used any more.

    >>> is_earlier(CTV.header), is_earlier(CTV.contentTypeHeader)
    (True, False)
    """
    return term.value.startswith(str(CTV)) and term.value in _earlier()


def successor(term: ox.NamedNode) -> ox.NamedNode | None:
    """Return the term that is used in place of an earlier one, or None where there is none.

    >>> successor(CTV.header) == CTV.contentTypeHeader, successor(CTV.XMLBase)
    (True, None)
    """
    iri = _earlier().get(term.value)
    return ox.NamedNode(iri) if iri else None


@cache
def terms_of_ours() -> dict[str, bool]:
    """Return the names of the terms of our vocabulary, and whether each is in use today.

    >>> terms = terms_of_ours()
    >>> terms["contentType"], terms["means"], "meaning" in terms
    (True, False, False)
    """
    iris = re.findall(rf"^<({re.escape(str(CTV))}\w+)> ", _vocabulary(), re.MULTILINE)
    return {iri.removeprefix(str(CTV)): iri not in _earlier() for iri in iris}


@cache
def _earlier() -> dict[str, str]:
    """Return the deprecated terms of our vocabulary, each with its successor or an empty text."""
    line = rf"^<([^>]+)> {re.escape(str(OWL.deprecated))} "
    earlier = dict.fromkeys(re.findall(line, _vocabulary(), re.MULTILINE), "")
    line = rf"^<([^>]+)> {re.escape(str(DCTERMS.isReplacedBy))} <([^>]+)>"
    return earlier | dict(re.findall(line, _vocabulary(), re.MULTILINE))


@cache
def _vocabulary() -> str:
    return Path(DATA, "vocabulary.nt").read_text("utf-8")


def _split(path: ox.NamedNode) -> tuple[str, str]:
    """Return the namespace and the local name of a property."""
    cut = max(path.value.rfind("#"), path.value.rfind("/")) + 1
    return path.value[:cut], path.value[cut:]
