"""Random changes of the graphs of real catalogues: the new graph, and every other token as it was.

There are forty for each of the catalogues, a few of them every day.
"""

from __future__ import annotations

import random
import re
from functools import partial
from typing import TYPE_CHECKING

import pyoxigraph as ox
import pytest
from catalogues import CATALOGUES
from conftest import examples, partly_slow

from cturi_rdf.editing import EditError
from cturi_rdf.editing.blank_nodes import same_graph
from cturi_rdf.editing.document import unlocated
from cturi_rdf.editing.engines import ByUpdate
from cturi_rdf.editing.rewrite import rewrite
from cturi_rdf.reading.formats import format_of_file
from cturi_rdf.reading.terms import DOCUMENT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cturi_rdf.editing import Document

    Quads = set[ox.Quad]
    Kind = Callable[[Quads, list[ox.Quad]], Quads]

TYPE = ox.NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
# Files that take less: those of Project Open Data have no new members, and the first element of
# one is no rdf:RDF, so that no node can move out of it.
CLOSED = {
    "fedict-dataset-example.xml",
    "gsa-dcatus_with_none.json", "gsa-usda.gov.data.json",
    "project-open-data-catalog-sample-extended.json",
}  # fmt: skip


# IRIs that SPARQL refuses.
UNWRITABLE = re.compile(r'<[^>]*[ {}|^`\\\\"]|<(?![A-Za-z][A-Za-z0-9+.-]*:)')

# The small ones, for every day.
DAILY = {
    "fedict-dcat.rdf", "comunefoggia-catalog.rdf", "mlcommons-metadata.json",
    "w3c-csiro-stratchart.ttl", "datosgobes-E_DCAT-AP-ES_full_optional.ttl",
    "maregraph-eu-catalog.ttl",
}  # fmt: skip


def new(name: str) -> ox.NamedNode:
    return ox.NamedNode(f"http://new.example/{name}")


def removed(graph: Quads, some: list[ox.Quad]) -> Quads:
    return graph - set(some)


def with_other_texts(graph: Quads, some: list[ox.Quad]) -> Quads:
    texts = (ox.Literal(f'new {number} "é\n') for number in range(len(some)))
    return removed(graph, some) | _with(some, texts)


def with_other_links(graph: Quads, some: list[ox.Quad]) -> Quads:
    return removed(graph, some) | _with(some, (new(f"o{number}") for number in range(len(some))))


def _with(some: list[ox.Quad], values: object) -> Quads:
    pairs = zip(some, values, strict=True)  # type: ignore[call-overload]
    return {ox.Quad(q.subject, q.predicate, value, q.graph_name) for q, value in pairs}


def with_more(graph: Quads, some: list[ox.Quad]) -> Quads:
    value = ox.Literal("x", language="en")
    return graph | {ox.Quad(q.subject, new("p"), value, q.graph_name) for q in some}


def renamed(graph: Quads, some: list[ox.Quad]) -> Quads:
    paths = {quad.predicate for quad in some} - {TYPE}
    return {
        ox.Quad(q.subject, new("renamed"), q.object, q.graph_name) if q.predicate in paths else q
        for q in graph
    }


def without_a_property(graph: Quads, some: list[ox.Quad]) -> Quads:
    return {quad for quad in graph if quad.predicate != some[0].predicate}


def without_a_subject(graph: Quads, some: list[ox.Quad]) -> Quads:
    return {quad for quad in graph if quad.subject != some[0].subject}


def without_a_node(graph: Quads, some: list[ox.Quad]) -> Quads:
    """Return a graph without a subject, what leads to it, and the blank nodes that it leads to."""
    gone, open_ = set(), [some[0].subject]
    while open_:
        node = open_.pop()
        about = {quad for quad in graph if quad.subject == node} - gone
        gone |= about
        open_ += [quad.object for quad in about if isinstance(quad.object, ox.BlankNode)]
    return {quad for quad in graph - gone if quad.object != some[0].subject}


def with_new_nodes(graph: Quads, some: list[ox.Quad]) -> Quads:
    inner, first = ox.BlankNode(), some[0]
    return graph | {
        ox.Quad(new("s"), TYPE, new("T")),
        ox.Quad(new("s"), new("p"), ox.Literal("1")),
        ox.Quad(first.subject, new("q"), inner, first.graph_name),
        ox.Quad(inner, new("r"), new("t"), first.graph_name),
    }


def with_second_links(graph: Quads, some: list[ox.Quad]) -> Quads:
    nodes = [quad for quad in in_order(graph) if isinstance(quad.object, ox.BlankNode)]
    values = [q.object for q in nodes if q.graph_name == some[0].graph_name][:1]
    return graph | {
        ox.Quad(q.subject, new("second"), value, q.graph_name) for q in some[:1] for value in values
    }


def in_order(graph: Quads) -> list[ox.Quad]:
    """Return quads in an order that does not depend on the labels of blank nodes."""
    return sorted(graph, key=lambda quad: re.sub(r"_:\w+", "_", str(quad)))


KINDS: list[Kind] = [
    removed, with_other_texts, with_other_links, with_more, renamed, without_a_property,
    without_a_subject, without_a_node, with_new_nodes, with_second_links,
]  # fmt: skip


def _changed(graph: Quads, kind: Kind, seed: str, results: list[Quads]) -> Quads:
    """Return the graph that a kind of change makes, and note it."""
    chosen = random.Random(seed)  # noqa: S311 - the same in every run
    some = chosen.sample(in_order(graph), min(len(graph), chosen.choice([1, 1, 2, 5])))
    results.append(kind(graph, some))
    return results[-1]


def _document_as(name: str) -> Callable[[bytes], Document]:
    """Return what makes a document of a text in the format of a file name."""
    return partial(unlocated, format=format_of_file(name), base=DOCUMENT, name=name)


@pytest.mark.parametrize("name", partly_slow(CATALOGUES, daily=DAILY))
def test_a_random_change_of_a_catalogue_changes_its_text_no_more_than_it_has_to(
    name: str, shared: Path
) -> None:
    data, document_of = (shared / "catalogs" / name).read_bytes(), _document_as(name)
    # A thousand in all; those of the largest files take a minute each.
    runs = examples(4 if len(data) > 1_000_000 else 48)
    refused = []
    for number in range(runs):
        wanted: list[Quads] = []
        kind = KINDS[number % len(KINDS)]
        engine = partial(_changed, kind=kind, seed=f"{name}{number}", results=wanted)
        try:
            result = rewrite(data, document_of, engine)
        except EditError as error:
            refused.append(f"{kind.__name__}: {error}")
            continue
        read = set(document_of(result.text).parse(result.text))
        assert same_graph(read, wanted[-1]), number
    allowed = 0.8 if name in CLOSED else 0.25
    assert len(refused) <= allowed * runs, refused


def in_sparql(removed: Quads, added: Quads) -> str:
    """Return the SPARQL Update of quads that go and come."""
    return " ;\n".join(
        f"{words} DATA {{ {' '.join(map(in_graph, in_order(quads)))} }}"
        for words, quads in (("DELETE", removed), ("INSERT", added))
    )


def in_graph(quad: ox.Quad) -> str:
    named = isinstance(quad.graph_name, ox.NamedNode)
    return f"GRAPH {quad.graph_name} {{ {quad.triple} }}" if named else f"{quad.triple} ."


@pytest.mark.parametrize("name", partly_slow(CATALOGUES, daily=DAILY))
def test_a_random_sparql_update_of_values_makes_the_graph_that_it_should(
    name: str, shared: Path
) -> None:
    data, document_of = (shared / "catalogs" / name).read_bytes(), _document_as(name)
    document = document_of(data)
    before = set(document.parse(data))
    plain = [
        quad
        for quad in in_order(before)
        if not isinstance(quad.subject, ox.BlankNode)
        and isinstance(quad.object, ox.NamedNode | ox.Literal)
        and not UNWRITABLE.search(str(quad))
    ]
    chosen = random.Random(name)  # noqa: S311 - the same in every run
    made = 0
    runs = 2 if len(data) > 1_000_000 else 6
    for number in range(runs):
        some = chosen.sample(plain, min(len(plain), chosen.choice([1, 2, 5])))
        after = (with_other_texts if number % 2 else removed)(before, some)
        update = ByUpdate(in_sparql(before - after, after - before), DOCUMENT)
        try:
            result = rewrite(data, document_of, update)
        except EditError:
            continue
        made += 1
        assert same_graph(set(document.parse(result.text)), after), number
    assert made or name in CLOSED or not plain
