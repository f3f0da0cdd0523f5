"""Is this RDF, and who reads it: by type, by name, by first bytes."""

from __future__ import annotations

import gzip

import pyoxigraph
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib import Graph, plugin
from rdflib.parser import Parser

from cturi_rdf.rdf import rdf_format, rdflib_format
from cturi_rdf.reading.formats import zstd_module
from cturi_rdf.registry.hierarchy import rdf_types

TURTLE = b"@prefix a: <http://a.example/> .\na:b a a:C ."
NQUADS = b"<http://a/s> <http://a/p> <http://a/o> <http://a/g> .\n"
JSON_LD = b'{"@context": {}, "@id": "http://a.example/"}'
RDF_XML = b'<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/>'
HTML = b'<!doctype html><script type="application/ld+json">{"@id": "http://a/"}</script>'
JSON = "application/ld+json"
ROWS: list[tuple[str | None, str | None, bytes, str | None, str | None]] = [
    # By type: base, then compression.
    ("text/turtle", None, b"", "text/turtle", None),
    ("TEXT/TURTLE; charset=utf-8", None, b"", "text/turtle", None),
    ("application/x-turtle", None, b"", "text/turtle", None),
    ("application/activity+json", None, b"", JSON, None),
    ("application/did", None, b"", JSON, None),
    ("application/vc", None, b"", JSON, None),
    ("application/vc+ld+json", None, b"", JSON, None),
    ("application/td+json", None, b"", JSON, None),
    ("application/csvm+json", None, b"", JSON, None),
    ("application/unheard-of+ld+json", None, b"", JSON, None),
    (f'{JSON};profile="http://a.example/"', None, b"", JSON, None),
    ("application/trix", None, b"", "application/trix", None),
    ("application/ld+yaml", None, b"", "application/ld+yaml", None),
    ("text/html", None, b"", JSON, None),
    ("text/csv", "data.ttl", TURTLE, None, None),
    ("text/gzip", "data.ttl", TURTLE, "text/turtle", None),
    ("application/sparql-results+json", None, b"", None, None),
    ("application/geo+json", None, b"", None, None),
    # Compressed: by type, by name, by first bytes.
    ("text/turtle+gzip", None, b"", "text/turtle", "gzip"),
    ("application/ld+json+gzip", None, b"", JSON, "gzip"),
    ("application/n-quads+zstd", None, b"", "application/n-quads", "zstd"),
    ("application/gzip", "dump.nt.gz", b"", "application/n-triples", "gzip"),
    ("application/x-gzip", "dump.nq.gz?x=1#y", b"", "application/n-quads", "gzip"),
    ("application/gzip", None, gzip.compress(TURTLE, mtime=0), "text/turtle", "gzip"),
    (None, None, zstd_module().compress(NQUADS), "application/n-quads", "zstd"),
    ("text/turtle", None, gzip.compress(TURTLE, mtime=0), "text/turtle", "gzip"),
    ("application/gzip", None, b"\x1f\x8b broken", None, "gzip"),
    ("application/gzip", "photo.png.gz", b"", None, "gzip"),
    (None, "DUMP.NT.GZ", b"", "application/n-triples", "gzip"),
    # A type that says little: by name, then by first bytes.
    ("application/octet-stream", "https://a.example/x/data.TTL", b"", "text/turtle", None),
    ("text/plain", "data.nt", b"", "application/n-triples", None),
    ("application/json", "data.jsonld", b"", JSON, None),
    ("application/json", "data.json", JSON_LD, JSON, None),
    ("application/json", "data.json", b'{"a": 1}', None, None),
    ("application/xml", "data.xml", RDF_XML, "application/rdf+xml", None),
    ("text/xml", None, b"<?xml version='1.0'?><a/>", None, None),
    ("text/plain", None, b"Once upon a time.", None, None),
    (None, "a.trix", b"", "application/trix", None),
    (None, "a.hdt", b"", "application/vnd.hdt", None),
    (None, None, TURTLE, "text/turtle", None),
    (None, None, HTML, JSON, None),
    (None, None, b"", None, None),
    ("garbage", "a.ttl", b"", "text/turtle", None),
    # What is seen of a compression goes before what a type says.
    ("application/gzip", None, b"", None, "gzip"),
    ("application/zstd", "a.ttl", b"", "text/turtle", "zstd"),
    ("application/zstd", None, gzip.compress(TURTLE, mtime=0), "text/turtle", "gzip"),
    ("text/turtle+zstd", None, gzip.compress(TURTLE, mtime=0), "text/turtle", "gzip"),
    ("text/turtle+gzip", "a.zst", b"", "text/turtle", "zstd"),
    (None, None, b"\x28\xb5\x2f\xfd broken", None, "zstd"),
    # The name of a format is no ending.
    ("text/plain", "ttl", b"", None, None),
    (None, "https://a.example/ttl", b"", None, None),
    (None, "a.json", JSON_LD, JSON, None),
    (None, "a.xml", b"<a/>", None, None),
]
NONE = "neither type, name nor first bytes say that it is RDF"
TRIX = b"<TriX xmlns='http://www.w3.org/2004/03/trix/trix-1/'/>"
IN_HTML = "text/html can hold RDF: W3C, JSON-LD 1.1, section 7: script elements"
REASONS = [
    ("text/turtle", None, b"", "text/turtle carries RDF: W3C, RDF 1.2 Turtle, media type"),
    ("text/html", None, b"", IN_HTML),
    ("text/html", None, HTML, IN_HTML),
    ("text/html", None, b"<p>", f"{IN_HTML}; its first bytes show none yet"),
    ("text/csv", "a.ttl", b"", "text/csv carries no RDF, as far as is known"),
    (None, "a.TTL.gz", b"", "the name ends in .ttl"),
    (None, "a.owl", b"", "the name ends in .owl"),
    (None, "a.owl", TURTLE, "its first bytes are those of turtle"),
    (
        None,
        "a.json",
        b'{"a": 1}',
        "its first bytes could be json-ld, but do not show that it is RDF",
    ),
    (None, None, TRIX, "its first bytes are those of TriX"),
    (None, None, HTML, "its first bytes hold a script of JSON-LD"),
    (None, None, b" \n", NONE),
    ("application/x-unheard-of", None, b"", NONE),
]


@pytest.mark.parametrize(("content_type", "name", "head", "reason"), REASONS)
def test_the_reason_is_the_first_thing_that_tells(
    content_type: str | None, name: str | None, head: bytes, reason: str
) -> None:
    found = rdf_format(content_type, name, head)
    assert found.reason.startswith(reason)
    assert ("none yet" in found.reason) == ("none yet" in reason)
    assert found.embedded == (IN_HTML in reason or "script" in reason)
    assert found.base == ("application/trix" if head == TRIX else found.base)


def test_no_more_of_a_compressed_file_is_unpacked_than_tells_its_format() -> None:
    for pack in (gzip.compress, zstd_module().compress):
        assert rdf_format(None, None, pack(b" " * 60_000 + TURTLE)).base == "text/turtle"
        assert rdf_format(None, None, pack(b" " * 70_000 + TURTLE)).base is None


@pytest.mark.parametrize(("content_type", "name", "head", "base", "compression"), ROWS)
def test_the_syntax_is_named(
    content_type: str | None,
    name: str | None,
    head: bytes,
    base: str | None,
    compression: str | None,
) -> None:
    found = rdf_format(content_type, name, head)
    assert (found.base, found.compression) == (base, compression)
    assert found.is_rdf is (base is not None)
    assert found.reason


@pytest.mark.parametrize(
    ("content_type", "head", "version"),
    [
        ("text/turtle", b"", "1.1"),
        ("text/turtle; version=1.2", b"", "1.2"),
        # RDF 1.2 Turtle section 2.4: the type goes before what the document announces.
        ("text/turtle; version=1.2-basic", b'VERSION "1.2"\n', "1.2-basic"),
        ("text/turtle", b'VERSION "1.2"\n', "1.2"),
        ("application/trig", b"# a comment\n@version '1.2-basic' .", "1.2-basic"),
        ("application/ld+json", b"", None),
    ],
)
def test_the_version_is_reported(content_type: str, head: bytes, version: str | None) -> None:
    assert rdf_format(content_type, None, head).version == version


def test_the_table_names_parsers_that_there_are() -> None:
    for record in rdf_types():
        found = rdf_format(record.essence)
        if record.syntax:
            assert found.base == record.syntax
            assert found.embedded is record.embedded
        if record.rdflib and found.rdflib:
            assert plugin.get(record.rdflib, Parser)
        if record.oxigraph:
            form = getattr(pyoxigraph.RdfFormat, record.oxigraph)
            assert pyoxigraph.RdfFormat.from_media_type(record.essence) == form
    named = {record.rdflib for record in rdf_types() if record.rdflib}
    assert {name for name in named if rdf_format(None, None, b"") and name != "jelly"} <= {
        "turtle", "trig", "nt", "nquads", "xml", "json-ld", "n3", "trix", "hext", "patch",
    }  # fmt: skip


@pytest.mark.parametrize("head", [TURTLE, JSON_LD, RDF_XML])
def test_rdflib_reads_it_by_the_name(head: bytes) -> None:
    found = rdf_format(None, None, head)
    assert found.rdflib
    Graph().parse(data=head, format=found.rdflib)


@given(st.none() | st.text(), st.none() | st.text(), st.binary())
def test_any_input_gets_an_answer(content_type: str | None, name: str | None, head: bytes) -> None:
    assert rdf_format(content_type, name, head).reason


_RDF_XML = (
    b'<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/>'
)
_TURTLE = b"@prefix owl: <http://www.w3.org/2002/07/owl#> .\n<> a owl:Ontology ."
# A type that says nothing, a name, first bytes, and the syntax.
UNSAID = [
    ("application/dcat+xml", None, _RDF_XML, "application/rdf+xml"),
    ("application/octet-binary", "https://a.example/PaNET.owl", _RDF_XML, "application/rdf+xml"),
    ("application/octet-binary", "a.ttl", b"", "text/turtle"),
    ("text/plain", "x.owl", _TURTLE, "text/turtle"),
    ("text/plain", "x.owl", b"", "application/rdf+xml"),
    ("application/x-unheard-of", "x.bin", b"\x00\x01", None),
    ("text/csv", "x.ttl", _TURTLE, None),
    ("text/turtle (x)", None, b"", "text/turtle"),
    ("text/turtle; charset = utf-8; x", None, b"", "text/turtle"),
]


@pytest.mark.parametrize(("header", "name", "head", "base"), UNSAID)
def test_a_type_that_nothing_is_known_of_says_nothing(
    header: str, name: str | None, head: bytes, base: str | None
) -> None:
    assert rdf_format(header, name, head).base == base


@pytest.mark.parametrize("header", ["text/turtle (x)", "text/turtle; charset=utf-8; x"])
def test_both_questions_about_a_format_read_a_header_alike(header: str) -> None:
    assert rdflib_format(header) == rdf_format(header).rdflib == "turtle"
