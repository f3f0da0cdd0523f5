"""Whether something is RDF, and which parser reads it: by type, name and first bytes.

The table of `cturi_rdf.registry.hierarchy` lists the types that carry RDF.  For a type that says
little, such as ``application/json`` or ``text/plain``, the name of the file and its first bytes
decide.
"""

from __future__ import annotations

import re
import zlib
from typing import NamedTuple, cast

from rdflib import plugin
from rdflib.parser import Parser

from cturi_rdf.content_type import ContentType
from cturi_rdf.reading.compression import (
    compression_named,
    compression_of,
    without_ending,
    zstd_module,
)
from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.reading.formats import format_of_content, format_of_file
from cturi_rdf.registry import registry
from cturi_rdf.registry.hierarchy import DEFAULT_VERSION, RdfTypeRecord, rdf_type, rdf_types

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
        if shown.name == "gzip":
            return zlib.decompressobj(31).decompress(head, _ENOUGH)
    except zlib.error:
        return b""
    try:
        zstd = zstd_module()
    except ImportError:
        return b""
    try:
        return cast("bytes", zstd.ZstdDecompressor().decompress(head, _ENOUGH))
    except zstd.ZstdError:
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
        return None, f"its first bytes could be {form.name}, and show nothing of RDF"
    return rdf_type(form.media_types[0]), f"its first bytes are those of {form.name}"
