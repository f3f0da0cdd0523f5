"""A graph that a program made may hold terms that no file can: every function takes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib import DCAT, DCTERMS, RDF, RDFS, XSD, BNode, Dataset, Graph, Literal, URIRef
from rdflib.graph import ConjunctiveGraph, ReadOnlyGraphAggregate
from rdflib.plugins.stores.memory import Memory
from rdflib.plugins.stores.sparqlstore import SPARQLStore
from servers import running

from cturi_rdf.check import check
from cturi_rdf.errors import CturiError
from cturi_rdf.notebook import coverage, over_time, picture, table
from cturi_rdf.rdf import annotate, describe, headers, with_registry
from cturi_rdf.rdf.message import describe_message
from cturi_rdf.repair import profile_named, repair
from cturi_rdf.sparql.query import run

if TYPE_CHECKING:
    from collections.abc import Callable

    from rdflib.term import Node

HALF = "\ud83d"
TASKS: dict[str, Callable[[Graph], object]] = {
    "annotate": annotate,
    "headers": lambda graph: list(headers(graph)),
    "check": check,
    "repair": lambda graph: repair(graph, profile="dcat-ap"),
    "query": lambda graph: list(run("SELECT (ctf:header(?o) AS ?h) { ?s ?p ?o }", graph)),
    "construct": lambda graph: run("CONSTRUCT WHERE { ?s ?p ?o }", graph).graph,
    "table": lambda graph: table(graph).to_html(),
    "data frame": lambda graph: table(graph).to_pandas(),
    "picture": picture,
    "coverage": lambda graph: coverage(annotate(graph)).to_html(),
    "over time": lambda graph: over_time(annotate(graph)).to_html(),
}
texts = st.text(st.characters(), max_size=5) | st.sampled_from(["CSV", HALF, f"zip{HALF}", "a b"])
iris = texts.map(URIRef) | texts.map(lambda text: URIRef(f"http://a.example/{text}"))
literals = texts.map(Literal) | st.builds(
    lambda text, kind: Literal(text, datatype=kind), texts, st.sampled_from([XSD.date, XSD.integer])
)
subjects: st.SearchStrategy[Node] = iris | texts.filter(bool).map(BNode)
predicates = st.sampled_from(
    [DCAT.mediaType, DCTERMS["format"], DCAT.packageFormat, DCTERMS.issued, DCTERMS.publisher]
)
triples = st.tuples(subjects, predicates, subjects | literals)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("task", TASKS)
@given(triples=st.lists(triples, max_size=6))
def test_a_graph_with_any_terms_is_taken_or_refused_with_an_error_of_ours(
    task: str, triples: list[tuple[Node, URIRef, Node]]
) -> None:
    graph = Graph()
    for triple in triples:
        graph.add(triple)
    for subject in set(graph.subjects()):
        graph.add((subject, RDF.type, DCAT.Distribution))
    try:
        TASKS[task](graph)
    except CturiError as error:
        assert task == "picture", error


def test_half_of_a_character_is_a_replacement_character() -> None:
    graph = Graph()
    graph.add((URIRef("http://a.example/1"), DCAT.mediaType, Literal(f"CSV{HALF}")))
    [row] = run("SELECT ?o { ?s ?p ?o }", graph)
    assert str(row[0]) == "CSV\ufffd"
    assert {occurrence.text for occurrence in annotate(graph).occurrences} == {"CSV\ufffd"}


CHANGES: dict[str, Callable[[Graph], object]] = {
    "annotate": annotate,
    "repair": lambda graph: repair(graph, "dcat-ap"),
}
GROUPED = "SELECT ?g ?s { GRAPH ?g { ?s dct:format ?o } }"
ANSWERS: dict[str, Callable[[Graph], object]] = {
    "all": lambda graph: list(run("SELECT ?s { ?s dct:format ?o } ORDER BY ?s", graph)),
    "by graph": lambda graph: list(run(GROUPED, graph)),
    "with the registry": lambda graph: list(with_registry(graph).query(GROUPED)),
    "header": lambda graph: [str(header.content_type) for header in headers(graph)],
}


@pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated")
@pytest.mark.parametrize("change", CHANGES)
def test_a_conjunctive_graph_is_a_dataset_whose_default_graph_has_a_name(change: str) -> None:
    conjunctive, dataset = ConjunctiveGraph(), Dataset(default_union=True)
    name = URIRef("http://a.example/graph")
    for graph in (conjunctive, dataset):
        graph.get_context(name).add((URIRef("http://a.example/1"), DCTERMS.format, Literal("CSV")))
    for answer in ANSWERS.values():
        assert answer(conjunctive) == answer(dataset) != []
    for graph in (conjunctive, dataset):
        graph.add((URIRef("http://a.example/2"), DCTERMS.format, Literal("XML")))
        CHANGES[change](graph)
    assert set(conjunctive.get_context(name)) == set(dataset.get_context(name))
    assert set(conjunctive.default_context) == set(dataset.default_graph)
    assert ANSWERS["by graph"](conjunctive) == ANSWERS["by graph"](dataset)


class _Counting(Memory):
    """A store that counts its requests to add, as a remote one takes them."""

    requests = 0

    def add(self, *arguments: Any, **options: Any) -> None:
        self.requests += 1
        super().add(*arguments, **options)

    def addN(self, quads: Any) -> None:  # noqa: N802 - rdflib's name
        self.requests += 1
        for subject, predicate, value, context in quads:
            super().add((subject, predicate, value), context)


def test_a_remote_store_gets_one_request_for_all_that_is_added() -> None:
    store = _Counting()
    graph = Graph(store=store)
    graph.add((URIRef("http://a/d"), DCTERMS["format"], Literal("CSV, JSON")))
    for change in (annotate, lambda graph: describe("text/csv; charset=utf-8", graph)):
        before, size = store.requests, len(graph)
        change(graph)
        assert store.requests == before + 1
        assert len(graph) > size


@pytest.mark.parametrize("reading", [headers, annotate])
def test_a_blank_node_of_a_remote_store_is_told_and_a_copy_is_read(
    reading: Callable[[Graph], Any],
) -> None:
    local = Graph()
    blank = BNode()
    local.add((URIRef("http://a/d"), DCTERMS["format"], blank))
    local.add((blank, RDFS.label, Literal("CSV")))
    with running(local, registry="none", annotated=False) as address:
        remote = Graph(store=SPARQLStore(f"{address}/sparql"))
        with pytest.raises(CturiError, match=r"a blank node in a remote store") as told:
            reading(remote)
        assert told.value.span == (0, len(told.value.text))
        copy = Graph() + remote
    reading(copy)
    [header] = headers(copy)
    assert str(header.content_type) == "text/csv"


@pytest.mark.parametrize("task", ["annotate", "headers", "check", "repair", "coverage", "picture"])
@pytest.mark.parametrize("value", ["examples/catalogue.ttl", None, b"", 1])
def test_what_is_no_graph_is_refused_by_its_type(task: str, value: Any) -> None:
    with pytest.raises(TypeError, match=f"a graph is one of rdflib, not {type(value).__name__}"):
        TASKS[task](value)


def test_an_aggregate_of_graphs_is_checked_as_one_graph() -> None:
    graph = Graph().parse("examples/street-trees.ttl")
    assert check(ReadOnlyGraphAggregate([graph])).findings == check(graph).findings
    assert repr(check(ReadOnlyGraphAggregate([graph, graph + Graph()]))) == repr(check(graph))


def test_only_a_message_that_was_read_is_described() -> None:
    with pytest.raises(TypeError, match=r"Message[.]read returns, not bytes"):
        describe_message(b"Subject: a")  # type: ignore[arg-type]


def test_only_a_content_type_is_described() -> None:
    with pytest.raises(TypeError, match="a value, a node or a header, not NoneType"):
        describe(None)  # type: ignore[arg-type]


def test_the_name_of_a_profile_is_text() -> None:
    with pytest.raises(TypeError, match="the name of a profile is text, not Profile"):
        repair(Graph(), profile_named("dcat"))  # type: ignore[arg-type]
