"""The virtual registry: everything described, nothing stored."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rdflib import DCAT, RDF, RDFS, SKOS, BNode, Dataset, Graph, Literal, URIRef
from strategies import content_types

from cturi_rdf import ContentType, CturiError
from cturi_rdf.rdf import CTV, annotate, describe, mint
from cturi_rdf.rdf.nodes import parameter_node, suffix_node, top_level_node
from cturi_rdf.registry import registry
from cturi_rdf.sparql.registry_store import with_registry

CATALOGUE = Path(__file__).parents[1] / "examples" / "catalogue.ttl"
PREFIX = f"PREFIX ctv: <{CTV}> PREFIX dcat: <{DCAT}>"
DATA = URIRef("http://a.example/data")


@given(content_types)
@settings(max_examples=50)
def test_every_node_of_a_description_is_described(content_type: ContentType) -> None:
    virtual, described = Graph(store="cturi"), describe(content_type)
    for subject in set(described.subjects()):
        assert set(described.triples((subject, None, None))) <= set(
            virtual.triples((subject, None, None))
        )
    for triple in described:
        assert triple in virtual


@given(
    st.text(max_size=40).map("https://w3id.org/cturi/".__add__)
    | st.text(max_size=40).map("ContentType:".__add__)
)
def test_no_node_whatever_raises(iri: str) -> None:
    list(Graph(store="cturi").triples((URIRef(iri), None, None)))


@pytest.mark.parametrize(
    "node",
    [DATA, BNode("b"), Literal("text/csv"), CTV.contentTypeHeader, URIRef("ContentType:nothing"),
     URIRef("https://w3id.org/cturi/parameter/a%FF/b"), suffix_node("none-such"),
     URIRef("https://w3id.org/cturi/suffix/xml/more"), top_level_node("a b")],
)  # fmt: skip
def test_nothing_is_said_about_what_is_not_ours(node: URIRef) -> None:
    assert list(Graph(store="cturi").triples((node, None, None))) == []


def test_parameters_suffixes_and_top_level_types_are_described_too() -> None:
    virtual = Graph(store="cturi")
    assert virtual.value(parameter_node("charset", "utf-8"), CTV.parameterValue) == Literal("utf-8")
    assert virtual.value(suffix_node("xml"), CTV.baseType) == mint("application/xml")
    assert virtual.value(top_level_node("image"), RDFS.label) == Literal("image")


def test_a_node_in_another_spelling_is_described_under_its_own_name() -> None:
    draft = URIRef('ContentType:TEXT/csv?header="present"')
    assert Graph(store="cturi").value(draft, CTV.bareMediaType) == mint("text/csv")


def test_a_walk_finds_what_the_registry_names() -> None:
    virtual = Graph(store="cturi")
    media_types = set(virtual.subjects(RDF.type, CTV.MediaType))
    assert {mint(each.essence) for each in registry().media_types()} <= media_types
    assert mint("application/x-gzip") in media_types
    assert mint("image/svg+xml") in set(
        virtual.subjects(CTV.structuredSyntaxSuffix, suffix_node("xml"))
    )
    assert len(virtual) == len(set(virtual)) > 15 * len(media_types)


def test_a_pattern_whose_subject_is_known_finds_what_a_walk_finds() -> None:
    virtual, node = Graph(store="cturi"), mint("application/geo+json")
    by_walk = {triple for triple in virtual if triple[0] == node}
    assert by_walk == set(virtual.triples((node, None, None)))
    for triple in by_walk:
        assert list(virtual.triples(triple)) == [triple]
        assert triple in set(virtual.triples((None, triple[1], triple[2])))


@pytest.fixture
def annotated() -> Graph:
    graph = Graph().parse(CATALOGUE)
    annotate(graph)
    return graph


JOIN = ["?d ctv:contentType ?t .", "?t ctv:structuredSyntaxSuffix ?s ."]


@pytest.mark.parametrize("patterns", [JOIN, JOIN[::-1]])
def test_a_join_with_a_catalogue_has_the_same_answer_in_any_order(
    annotated: Graph, patterns: list[str]
) -> None:
    query = f"{PREFIX} SELECT ?d ?s {{ {' '.join(patterns)} }}"
    bare = Graph()
    for triple in annotated.triples((None, CTV.contentType, None)):
        bare.add(triple)
    expected = sorted(annotated.query(query))
    assert len(expected) == 5
    # What is stored already is not found twice, and what is not stored is found.
    assert sorted(with_registry(annotated).query(query)) == expected
    assert sorted(with_registry(bare).query(query)) == expected


@pytest.mark.parametrize("store", ["default", "SimpleMemory", "Oxigraph"])
def test_a_walk_finds_the_types_of_the_graph_as_they_come(store: str) -> None:
    graph = Graph(store=store)
    view = with_registry(graph)
    charset = parameter_node("charset", "x-unheard-of")
    assert list(view.subjects(CTV.parameter, charset)) == []
    graph.add((DATA, DCAT.mediaType, mint("text/x-mine; charset=x-unheard-of")))
    for patterns in (
        f"?t ctv:parameter {charset.n3()} . ?d dcat:mediaType ?t",
        "?d dcat:mediaType ?t . ?t ctv:bareMediaType <ContentType:text/x-mine>",
        "?t ctv:subtypeName 'x-mine'",
    ):
        found = view.query(f"{PREFIX} SELECT ?t {{ {patterns} }}")
        assert len(found) == 1
    assert len(view) == len(set(view))


def test_in_a_dataset_the_registry_is_in_the_default_graph() -> None:
    dataset, name = Dataset(default_union=True), URIRef("http://a.example/graph")
    dataset.graph(name).add((DATA, DCAT.mediaType, mint("text/csv")))
    view = with_registry(dataset)
    assert isinstance(view, Dataset)
    joined = f"""{PREFIX} SELECT ?g ?l {{
        GRAPH ?g {{ ?d dcat:mediaType ?t }} ?t ctv:contentTypeHeader ?l }}"""
    assert [tuple(each) for each in view.query(joined)] == [(name, Literal("text/csv"))]
    inside = f"{PREFIX} SELECT ?l {{ GRAPH ?g {{ ?t ctv:contentTypeHeader ?l }} }}"
    assert list(view.query(inside)) == []
    assert len(view.get_context(name)) == 1


def test_the_view_cannot_be_changed_and_has_the_prefixes_of_the_graph() -> None:
    graph = Graph()
    graph.bind("mine", "http://a.example/")
    view, triple = with_registry(graph), (DATA, DCAT.mediaType, mint("text/csv"))
    for change in (
        lambda: view.add(triple),
        lambda: view.addN([(*triple, view)]),
        lambda: view.remove(triple),
        lambda: Dataset(store=view.store).remove_graph(view),
        lambda: view.update(f"INSERT DATA {{ {DATA.n3()} a {DATA.n3()} }}"),
    ):
        with pytest.raises(CturiError):
            change()
    assert len(graph) == 0
    assert dict(view.namespaces())["mine"] == URIRef("http://a.example/")
    view.bind("other", "http://other.example/")
    assert view.store.namespace("other") == URIRef("http://other.example/")


def test_a_type_can_be_described_by_a_query() -> None:
    found = Graph(store="cturi").query("DESCRIBE <ContentType:text/csv>").graph
    assert found is not None
    assert found.value(mint("text/csv"), SKOS.exactMatch) is not None
