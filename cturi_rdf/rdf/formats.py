"""RDF by media type: whether something is RDF, and the formats in which rdflib reads and writes it.

The table of `cturi_rdf.registry.hierarchy` lists the types that carry RDF.  For a type that says
little, such as ``application/json`` or ``text/plain``, the name of the file and its first bytes
decide.

rdflib finds its parsers and serialisers by exact strings: it knows neither ``TEXT/TURTLE`` nor
``text/turtle; charset=utf-8``, and a plug-in cannot add the latter, because the name of an entry
point cannot contain ``=``.  A plug-in can add whole names: this package adds further media types
under which RDF is sent.  Types whose content is mostly not RDF, such as ``application/json``, are
added only by `register_formats`.
"""

from __future__ import annotations

import re
import zlib
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast

from rdflib import Dataset, Graph, plugin
from rdflib.parser import Parser
from rdflib.serializer import Serializer
from rdflib.util import SUFFIX_FORMAT_MAP

from cturi_rdf.content_type import ContentType
from cturi_rdf.errors import ContentTypeError
from cturi_rdf.negotiation import Representations, best
from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.reading.formats import (
    compression_named,
    compression_of,
    format_of_content,
    format_of_file,
    without_ending,
    zstd_module,
)
from cturi_rdf.registry import registry
from cturi_rdf.registry.hierarchy import DEFAULT_VERSION, RdfTypeRecord, is_a, rdf_type, rdf_types

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cturi_rdf.negotiation.choice import Body


# Types that name only a syntax, or nothing.
_GENERAL = {
    "application/json",
    "application/octet-stream",
    "application/xml",
    "text/plain",
    "binary/octet-stream",
}
# Ontologies have this extension in whichever syntax they are written.
_OF_ANY_SYNTAX = {"owl"}
# The names of content codings, by those of `cturi_rdf.reading`.
_CODINGS = {"gzip": "gzip", "Zstandard": "zstd"}
# The marks of RDF in JSON and in XML; then those of TriX, and of JSON-LD in HTML.
_SIGNS = {
    "json-ld": re.compile(rb'"@(?:context|id|graph|type)"'),
    "xml": re.compile(rb"http://www\.w3\.org/1999/02/22-rdf-syntax-ns#"),
}
_TRIX = b"http://www.w3.org/2004/03/trix/trix-1/"
_SCRIPT = re.compile(rb"<script[^<>]+application/ld\+json", re.IGNORECASE)
# How many bytes of a compressed file are looked at.
_ENOUGH = 1 << 16
# RDF 1.2 Turtle section 2.4: the version that a document announces.
_VERSION = re.compile(
    rb"^[ \t]*@?version[ \t]+[\"']([^\"'\r\n]+)[\"']", re.IGNORECASE | re.MULTILINE
)
_KINDS: dict[str, Any] = {"parse": Parser, "serialize": Serializer}
# Offered to clients that accept anything, best first; others come after these.
_PREFERRED = ("turtle", "json-ld", "xml", "nt", "trig", "nquads")
# What rdflib writes of datasets alone.
_OF_DATASETS = {"application/n-quads", "application/trix"}
# The parsers for types whose content is mostly not RDF.
_RDF_XML = ("rdflib.plugins.parsers.rdfxml", "RDFXMLParser")
_GENERIC = {
    "application/json": ("rdflib.plugins.parsers.jsonld", "JsonLDParser"),
    "application/xml": _RDF_XML,
    "text/xml": _RDF_XML,
}


class RdfFormat(NamedTuple):
    """How to read something as RDF.

    `base` is the type whose parser reads it, None where it is not RDF, as far as can be told;
    `rdflib` and `oxigraph` are the names of the parsers in these libraries, None where none is
    installed.  `version` is that of RDF, None for a syntax without versions; `compression` is
    ``gzip``, ``zstd`` or None; `embedded` says that the RDF is in scripts of a document.  `reason`
    says why.
    """

    base: str | None
    rdflib: str | None
    oxigraph: str | None
    version: str | None
    compression: str | None
    embedded: bool
    reason: str

    @property
    def is_rdf(self) -> bool:
        """Whether it is RDF, as far as can be told.

        >>> rdf_format("text/csv").is_rdf
        False
        """
        return self.base is not None


def rdf_format(
    content_type: ContentType | str | None, name: str | None = None, head: bytes = b""
) -> RdfFormat:
    """Return whether a document is RDF, and which parsers read it.

    `content_type` is a header, which is read leniently, or None; `name` is that of the file, or its
    URL; `head` is the beginning of its bytes, a kilobyte or more, compressed or not.  A type that
    tells the format counts before the name, and the name before the bytes.  An unknown type does
    not count.  A name in .owl, which RDF in any syntax may have, does not count where the bytes are
    clear.

    >>> form = rdf_format("application/activity+json; charset=utf-8")
    >>> form.base, form.rdflib, form.oxigraph
    ('application/ld+json', 'json-ld', 'JSON_LD')
    >>> rdf_format("application/n-triples+gzip").compression
    'gzip'
    >>> rdf_format("application/octet-stream", "data.ttl.zst").reason
    'the name ends in .ttl'
    """
    if isinstance(content_type, str):
        content_type = ContentType.recover(content_type, rules="any").content_type
    name = name.partition("#")[0].partition("?")[0].rpartition("/")[2] if name else ""
    bare, compression = _unwrapped(content_type, name, head)
    text = _unpacked(head)
    row, reason = _by_type(bare)
    if row is None and not reason:
        row, reason = _by_name(name)
        seen, shown = _by_content(text)
        if row is None or (seen and _ending(name) in _OF_ANY_SYNTAX):
            row, reason = seen, shown
    if row is None or row.syntax is None:
        return RdfFormat(None, None, None, None, compression, embedded=False, reason=reason)
    if row.embedded and text and not _SCRIPT.search(text):
        reason += "; its first bytes show none yet"
    syntax = rdf_type(row.syntax) or row
    parsers = {entry.name for entry in plugin.plugins(kind=Parser)}
    version = None
    if row.latest:
        announced = _VERSION.search(text)
        version = (bare.parameters.get("version") if bare else None) or (
            announced[1].decode("utf-8", "replace") if announced else DEFAULT_VERSION
        )
    return RdfFormat(
        row.syntax,
        syntax.rdflib if syntax.rdflib in parsers else None,
        # Oxigraph reads no documents with scripts.
        None if row.embedded else syntax.oxigraph,
        version,
        compression,
        row.embedded,
        reason,
    )


def _unwrapped(
    content_type: ContentType | None, name: str, head: bytes
) -> tuple[ContentType | None, str | None]:
    """Return the type of the content, if the header says one, and the compression around it."""
    shown = compression_of(head) or compression_named(name)
    compression = _CODINGS[shown.name] if shown else None
    if content_type is None:
        return None, compression
    coding = registry().content_coding(content_type.essence)
    if coding in _CODINGS.values():
        return None, compression or coding
    stem, _, suffix = content_type.subtype.rpartition("+")
    if stem and suffix in _CODINGS.values():
        return content_type.replace(subtype=stem), compression or suffix
    return content_type, compression


def _unpacked(head: bytes) -> bytes:
    """Return the first bytes of a file, decompressed if they are compressed."""
    shown = compression_of(head)
    if shown is None:
        return head
    try:
        is_gzip = shown.name == "gzip"
        unpacking = zlib.decompressobj(31) if is_gzip else zstd_module().ZstdDecompressor()
        return cast("bytes", unpacking.decompress(head, _ENOUGH))
    except Exception:  # noqa: BLE001 - broken; or no module, and then no name for its errors
        return b""


def _by_type(content_type: ContentType | None) -> tuple[RdfTypeRecord | None, str]:
    """Return the row of a type and the reason; neither for a type that says little."""
    if content_type is None or registry().canonical(content_type.essence) in _GENERAL:
        return None, ""
    row = rdf_type(content_type.essence)
    if row is None and content_type.subtype.endswith("+ld+json"):
        row = rdf_type("application/ld+json")
    # A type that is neither registered nor in use with an extension of its own says little, too.
    is_listed = registry().media_type(registry().canonical(content_type.essence)) is not None
    if row is None and not is_listed and not registry().extensions_of(content_type.essence):
        return None, ""
    if row is None or row.syntax is None:
        return None, f"{content_type.essence} carries no RDF, as far as is known"
    how = "can hold RDF" if row.embedded else "carries RDF"
    return row, f"{content_type.essence} {how}: {row.source}"


def _ending(name: str) -> str:
    return without_ending(name).lower().rpartition(".")[2] if "." in name else ""


def _by_name(name: str) -> tuple[RdfTypeRecord | None, str]:
    ending = _ending(name)
    # Any JSON and XML may have these endings.
    if ending in {"", "json", "xml"}:
        return None, ""
    why = f"the name ends in .{ending}"
    row = next((row for row in rdf_types() if ending in row.endings), None)
    if row:
        return row, why
    try:
        form = format_of_file(name)
    except CatalogError:
        return None, ""
    return rdf_type(form.media_types[0]), why


def _by_content(text: bytes) -> tuple[RdfTypeRecord | None, str]:
    if _TRIX in text:
        return rdf_type("application/trix"), "its first bytes are those of TriX"
    if _SCRIPT.search(text):
        return rdf_type("text/html"), "its first bytes hold a script of JSON-LD"
    form = format_of_content(text) if text.strip() else None
    if form is None:
        return None, "neither type, name nor first bytes say that it is RDF"
    sign = _SIGNS.get(form.name)
    if sign and not sign.search(text):
        return None, f"its first bytes could be {form.name}, but do not show that it is RDF"
    return rdf_type(form.media_types[0]), f"its first bytes are those of {form.name}"


def rdflib_format(
    content_type: ContentType | str, *, task: Literal["parse", "serialize"] = "parse"
) -> str:
    """Return rdflib's name of the format of a content type, given as such or as a header.

    A header is read leniently.  Parameters and case do not count.  The next best is a format of the
    same type under another name, then one that the type is a special case of, then the one that is
    a special case of the type: ``application/json`` is read as JSON-LD.  Raises `ContentTypeError`
    where there is none.

    >>> rdflib_format("Text/Turtle; charset=utf-8"), rdflib_format("application/json")
    ('turtle', 'json-ld')
    """
    if isinstance(content_type, str):
        recovered = ContentType.recover(content_type, rules="any")
        if recovered.content_type is None:
            raise recovered.defects[-1]
        content_type = recovered.content_type
    formats = {essence: names[0] for essence, names in _formats(task).items()}
    wanted = ContentType(content_type.type, content_type.subtype)
    if wanted.essence in formats:
        return formats[wanted.essence]
    canonical = registry().canonical(wanted.essence)
    types = {essence: ContentType.parse(essence) for essence in formats}
    for close in (
        {formats[essence] for essence in formats if registry().canonical(essence) == canonical},
        {formats[essence] for essence in formats if is_a(wanted, types[essence])},
        {formats[essence] for essence in formats if is_a(types[essence], wanted)},
    ):
        if len(close) == 1:
            return close.pop()
    text = str(content_type)
    raise ContentTypeError(
        f"no format that rdflib can {task}",
        text,
        expected=f"such as {', '.join(sorted(formats))}",
        rule="rdflib's plug-ins",
    )


def best_format(accept: str | None, formats: Iterable[str] | None = None) -> str | None:
    """Return rdflib's name of the format that an ``Accept`` header wants most, or None.

    `formats` are rdflib's names of those to choose from, best first; by default they are all that
    rdflib can serialise.  rdflib writes UTF-8, so each format counts as having that charset.  The
    choice follows RFC 9110 section 12.5.1, then the rules of `cturi_rdf.negotiation.choose`.

    >>> best_format("text/html, application/ld+json;q=0.9, */*;q=0.1")
    'json-ld'
    >>> best_format("application/json"), best_format("text/turtle;version=1.2")
    ('json-ld', 'turtle')
    >>> best_format("image/png") is None
    True
    """
    offers = _offers_of(formats)
    index = best(accept, offers)
    return None if index is None else offers[index]


def _offers_of(formats: Iterable[str] | None = None) -> dict[ContentType, str]:
    """Return the types that a server offers for formats of rdflib, best first, with their names.

    >>> [str(offer) for offer in _offers_of(["turtle", "no such format"])]
    ['text/turtle; charset=utf-8']
    """
    types = {
        name: ContentType.parse(f"{essence}; charset=utf-8")
        for essence, names in reversed(_formats("serialize").items())
        for name in names
    }
    offers: dict[ContentType, str] = {}
    for name in (*_PREFERRED, *types) if formats is None else formats:
        if name in types:
            offers.setdefault(types[name], name)
    return offers


def representations(
    graph: Graph,
    formats: Iterable[str] | None = None,
    *,
    others: Mapping[str, Body] | None = None,
) -> Representations:
    """Return a graph as a resource that serves each of its formats by negotiation.

    `formats` are rdflib's names of them, best first; by default they are all that rdflib can
    serialise.  `others` are further representations, such as an HTML page; they come before the
    graph where a client accepts anything.  The graph is serialised for each request that wants it.
    Raises `ContentTypeError` for a key of `others` that is not a Content-Type.

    >>> from rdflib import Graph
    >>> graph = Graph().parse(data="<http://a.example/> a <http://a.example/T> .")
    >>> response = representations(graph).respond("application/n-triples")
    >>> response.headers[0]
    ('Content-Type', 'application/n-triples')
    >>> response.body.count(b"example")
    2
    """
    bodies: dict[str, Body] = dict(others or {})
    for offer, name in _offers_of(formats).items():
        # Only types under "text" have the charset in their registration, as a rule.
        header = str(offer) if offer.type == "text" else offer.essence
        needs_dataset = offer.essence in _OF_DATASETS and not graph.context_aware
        serialise = partial(_of_dataset, graph) if needs_dataset else graph.serialize
        bodies.setdefault(header, partial(serialise, format=name, encoding="utf-8"))
    return Representations(bodies)


def _of_dataset(graph: Graph, **options: Any) -> bytes:
    """Return the serialisation of a dataset that has the graph as its default graph."""
    dataset = Dataset()
    for triple in graph:
        dataset.add(triple)
    content: bytes = dataset.serialize(**options)
    return content


def register_formats() -> None:
    """Let rdflib parse ``application/json``, ``application/xml`` and ``text/xml`` as RDF.

    Servers that send JSON-LD and RDF/XML under these types become readable by their URL; so does
    all other JSON and XML, in which rdflib finds few triples, or nonsense.  A parser that is
    already registered stays.

    >>> from rdflib import Graph
    >>> register_formats()
    >>> text = '{"@id": "http://a.example/", "http://a.example/p": "x"}'
    >>> len(Graph().parse(data=text, format="application/json"))
    1
    """
    taken = {entry.name for entry in plugin.plugins(kind=Parser)}
    for name, (module, class_name) in _GENERIC.items():
        if name not in taken:
            plugin.register(name, Parser, module, class_name)


@cache
def _formats(task: str) -> dict[str, list[str]]:
    """Return rdflib's names of its formats by media type, its usual one first.

    These are the plug-ins that have a media type.
    """
    plugins = list(plugin.plugins(kind=_KINDS[task]))
    names: dict[object, list[str]] = {}
    for entry in plugins:
        names.setdefault(_target(entry), []).append(entry.name)
    return {
        entry.name.lower(): sorted(names[_target(entry)], key=partial(_rank, entry.name))
        for entry in plugins
        if "/" in entry.name and entry.name not in _GENERIC
    }


def _target(entry: plugin.Plugin[Any]) -> tuple[str, str]:
    if isinstance(entry, plugin.PKGPlugin):
        module, _, name = entry.ep.value.partition(":")
        return module, name
    return entry.module_path, entry.class_name


def _rank(media_type: str, name: str) -> tuple[bool, bool, bool]:
    """Return the place of a name of a plug-in: first that which rdflib itself uses."""
    return "/" in name, name not in SUFFIX_FORMAT_MAP.values(), name != media_type
