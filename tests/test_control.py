"""Text from outside may name an IRI, and never says anything of it (the draft, section 6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib import DCTERMS, Graph, Literal, URIRef
from servers import client_of
from strategies import content_types, uri_tree

from cturi_rdf import ContentType, MappingError, from_uri, node
from cturi_rdf.catalogue import Adding, annotate_file
from cturi_rdf.mime import Message
from cturi_rdf.rdf import annotate, describe, mint
from cturi_rdf.rdf.message import describe_message
from cturi_rdf.rdf.vocab import CTV
from cturi_rdf.uri.mapping import check_uri

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Cturi, Write

    from cturi_rdf.uri.mapping import Control

CONTROLS: tuple[Control, ...] = ("honour", "ignore")
THEIRS = URIRef("http://example.org/dataset/1")
TYPE = "application/uri.http%3A%2F%2Fexample.org%2Fdataset%2F1"
OURS = URIRef("ContentType:application/uri.http%253A%252F%252Fexample.org%252Fdataset%252F1")
# How a text names somebody else's IRI.
NAMES = [
    TYPE,
    "text/csv; URI-body=http%3A%2F%2Fexample.org%2Fdataset%2F1",
    "application/uri.javascript%3Aalert%281%29",
    "application/uri.http%3A%2F%2Fpurl.org%2Fdc%2Fterms%2Fformat",
]
CATALOGUE = """@prefix dct: <http://purl.org/dc/terms/> .
<http://evil.example/d> dct:format "{}" .
<http://example.org/dataset/1> dct:title "Air quality" .
"""


def _in_graph(text: str, control: Control, _: Path) -> Graph:
    graph = Graph()
    graph.add((URIRef("http://evil.example/d"), DCTERMS.format, Literal(text)))
    annotate(graph, control=control)
    return graph


def _in_file(ending: str) -> Callable[[str, Control, Path], Graph]:
    def annotated(text: str, control: Control, folder: Path) -> Graph:
        source, target = folder / f"in.{ending}", folder / f"out.{ending}"
        graph = Graph().parse(data=CATALOGUE.format(text), format="turtle")
        graph.serialize(source, format="nt" if ending == "nt" else "turtle", encoding="utf-8")
        annotate_file(source, target, adding=Adding.ALL, control=control)
        return Graph().parse(target)

    return annotated


def _in_message(text: str, control: Control, _: Path) -> Graph:
    message = Message.read(f"Message-ID: <m@a>\nContent-Type: {text}\n\nx".encode())
    return describe_message(message, control=control)


DOORS: dict[str, Callable[[str, Control, Path], Graph]] = {
    "annotate": _in_graph,
    "annotate_file, Turtle": _in_file("ttl"),
    "annotate_file, lines": _in_file("nt"),
    "describe_message": _in_message,
}


@pytest.mark.parametrize("text", NAMES)
@pytest.mark.parametrize("door", DOORS)
def test_a_text_says_nothing_of_an_iri_that_it_names(door: str, text: str, tmp_path: Path) -> None:
    named = mint(text)
    honoured = DOORS[door](text, "honour", tmp_path)
    assert (None, CTV.contentType, named) in honoured
    about = [(p, o) for p, o in honoured.predicate_objects(named) if p != DCTERMS.title]
    assert about == []
    ignored = DOORS[door](text, "ignore", tmp_path)
    ours = mint(text, control="ignore")
    assert ours.startswith("ContentType:")
    assert (None, CTV.contentType, ours) in ignored
    assert (ours, None, None) in ignored
    assert (None, None, named) not in ignored


@given(content_types | uri_tree, content_types | uri_tree, st.sampled_from(CONTROLS))
def test_nodes_are_equal_where_types_are_with_either_control(
    one: ContentType, other: ContentType, control: Control
) -> None:
    assert from_uri(node(one, control=control)) == one
    assert (node(one, control=control) == node(other, control=control)) is (one == other)
    assert node(one, control="ignore").startswith("ContentType:")


@given(content_types | uri_tree)
def test_a_description_has_the_node_that_control_makes(content_type: ContentType) -> None:
    try:
        check_uri(content_type)
    except MappingError:
        return
    for control in CONTROLS:
        graph = describe(content_type, control=control)
        assert (mint(content_type, control=control), CTV.contentTypeHeader, None) in graph


def test_every_door_of_the_command_line_can_be_told_to_ignore(cturi: Cturi, write: Write) -> None:
    catalogue = write("c.ttl", CATALOGUE.format(TYPE))
    mail = write("m.eml", f"Message-ID: <m@a>\nContent-Type: {TYPE}\n\nx")
    for command in (
        ["annotate", catalogue],
        ["message", mail],
        ["describe", TYPE],
        ["uri", TYPE],
    ):
        run = cturi(*command, "--control", "ignore")
        assert str(OURS) in run.out
        ours = {line for line in run.out.splitlines() if f"<{THEIRS}>" in line}
        assert all("Air quality" in line for line in ours)


def test_the_server_can_be_told_to_ignore_as_well() -> None:
    client = client_of()
    asked = {"header": TYPE, "control": "ignore"}
    answer = client.get("/api/uri", params=asked).json()
    assert answer["uri"] == answer["node"] == str(OURS)
    assert client.get("/api/uri", params={"header": TYPE}).json()["node"] == str(THEIRS)
    uri = "http://a.example/?MIME-type=text/csv"
    answer = client.get("/api/header", params={"uri": uri, "control": "ignore"}).json()
    assert answer["header"].startswith("application/uri.")
    assert client.get("/api/uri", params={"header": TYPE, "control": "x"}).status_code == 400
