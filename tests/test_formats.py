"""rdflib's formats by what a header names, and by what a client accepts."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from rdflib import Dataset, Graph, plugin
from rdflib.parser import Parser
from rdflib.serializer import Serializer

from cturi_rdf import ContentType, ContentTypeError
from cturi_rdf.rdf import best_format, rdflib_format, register_formats, representations
from cturi_rdf.registry.hierarchy import is_a

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))
ALIASES = [
    name
    for name, target in PROJECT["project"]["entry-points"]["rdf.plugins.parser"].items()
    if target.startswith("rdflib.")
]


@pytest.mark.parametrize(
    ("content_type", "expected"),
    [
        ("text/turtle", "turtle"),
        ("text/turtle; charset=utf-8", "turtle"),
        ("TEXT/Turtle;CHARSET=UTF-8", "turtle"),
        ("application/rdf+xml; charset=utf-8", "xml"),
        ('application/ld+json;profile="http://www.w3.org/ns/json-ld#compacted"', "json-ld"),
        ("application/n-triples", "nt"),
        ("application/n-quads", "nquads"),
        ("application/trig", "trig"),
        ("text/n3", "n3"),
        # By another name, and by one that says less.
        ("application/x-turtle", "turtle"),
        ("text/rdf+n3", "n3"),
        ("application/xml", "xml"),
        ("text/xml; charset=utf-8", "xml"),
        ("application/json", "json-ld"),
        # Formats whose only name in rdflib is their type.
        ("message/rfc822", "message/rfc822"),
    ],
)
def test_a_parser_is_found_by_any_header(content_type: str, expected: str) -> None:
    assert rdflib_format(content_type) == expected
    assert rdflib_format(ContentType.parse(content_type)) == expected
    assert plugin.get(expected, Parser)


@pytest.mark.parametrize(
    "content_type", ["text/csv", "image/svg+xml", "application/octet-stream", "text/plain", "x"]
)
def test_a_type_that_is_no_rdf_is_refused(content_type: str) -> None:
    with pytest.raises(ContentTypeError):
        rdflib_format(content_type)


def test_what_can_be_parsed_cannot_always_be_serialised() -> None:
    with pytest.raises(ContentTypeError, match="serialize"):
        rdflib_format("message/rfc822", task="serialize")
    assert rdflib_format("text/turtle", task="serialize") == "turtle"


@pytest.mark.parametrize(
    ("accept", "expected"),
    [
        (None, "turtle"),
        ("", "turtle"),
        ("*/*", "turtle"),
        ("text/html, application/xhtml+xml, */*;q=0.1", "turtle"),
        ("text/turtle;q=0.8, application/ld+json", "json-ld"),
        ("application/json", "json-ld"),
        ("text/xml;q=0.5, text/csv", "xml"),
        ("application/n-quads;q=0.9, application/trig", "trig"),
        ("text/turtle;charset=UTF-8", "turtle"),
        ("text/turtle;charset=utf-16", None),
        ('text/turtle;title="a,b";q=0, application/n-triples', "nt"),
        ("text/csv, image/*", None),
        ("text/turtle;version=1.2", "turtle"),
        ("text/turtle;version=1.2-basic", "turtle"),
        ("text/turtle;version=1.2;q=0.5, application/ld+json;q=0.4", "turtle"),
        ("application/activity+json", "json-ld"),
        ("text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8", "turtle"),
    ],
)
def test_the_best_format_is_what_the_client_wants_most(
    accept: str | None, expected: str | None
) -> None:
    assert best_format(accept) == expected
    assert expected is None or plugin.get(expected, Serializer)


@pytest.mark.parametrize(
    "name",
    ["activity+json", "vc", "vp", "did", "td+json", "csvm+json", "vc+ld+json", "did+ld+json"],
)
def test_types_that_are_json_ld_are_read_as_it(name: str) -> None:
    assert rdflib_format(f"application/{name}") == "json-ld"
    assert is_a(ContentType("application", name), ContentType("application", "ld+json"))


def test_the_formats_to_choose_from_can_be_given() -> None:
    assert best_format("*/*", ["xml", "turtle"]) == "xml"
    assert best_format("application/trig", ["turtle"]) is None
    assert best_format("text/turtle, application/ld+json", ["xml", "json-ld"]) == "json-ld"
    assert best_format("text/turtle", ["xml", "no such format"]) is None
    # By any name that rdflib has for it.
    assert best_format("text/turtle", ["xml", "ttl", "turtle"]) == "ttl"
    assert best_format("*/*", ["application/n-triples"]) == "application/n-triples"


@pytest.mark.parametrize("kind", [Graph, Dataset])
@pytest.mark.parametrize(
    "header", sorted(one.name for one in plugin.plugins(kind=Serializer) if "/" in one.name)
)
def test_a_graph_is_sent_in_every_format_of_rdflib(kind: type[Graph], header: str) -> None:
    graph = kind().parse(data="<http://a.example/s> <http://a.example/p> <http://a.example/o> .")
    for formats in (None, [header]):
        response = representations(graph, formats).respond(header)
        assert response.status == 200
        read = Dataset(default_union=True).parse(data=response.body, format=rdflib_format(header))
        every = (None, None, None)
        assert set(graph.triples(every)) <= set(read.triples(every))


@pytest.mark.parametrize("name", ALIASES)
def test_rdflib_itself_finds_a_parser_by_the_other_names(name: str) -> None:
    assert plugin.get(name, Parser) is plugin.get(rdflib_format(name), Parser)


GENERIC = ["application/json", "application/xml", "text/xml"]


def test_installing_the_package_registers_no_parser_for_types_that_are_seldom_rdf() -> None:
    parsers = PROJECT["project"]["entry-points"]["rdf.plugins.parser"]
    assert set(parsers).isdisjoint(GENERIC)


def test_rdflib_reads_what_is_sent_as_json_or_xml_when_asked_to() -> None:
    register_formats()
    text = '{"@id": "http://a.example/", "http://a.example/p": "x"}'
    assert len(Graph().parse(data=text, format="application/json")) == 1
    for name in GENERIC:
        assert plugin.get(name, Parser) is plugin.get(rdflib_format(name), Parser)
    # The names of rdflib's formats are the same before and after.
    assert best_format("text/csv;q=0.1, text/xml") == "xml"
