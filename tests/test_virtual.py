"""The virtual registry: everything described, nothing stored."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyoxigraph
import pytest
from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from rdflib import DCAT, RDF, RDFS, SKOS, BNode, Dataset, Graph, Literal, Namespace, URIRef
from rdflib.graph import ReadOnlyGraphAggregate
from rdflib.plugins.sparql import prepareQuery
from strategies import content_types

from cturi_rdf import ContentType, CturiError
from cturi_rdf._util.display import PREFIXES
from cturi_rdf.rdf import CTV, annotate, describe, mint
from cturi_rdf.rdf.export import serialise
from cturi_rdf.reading.formats import format_named
from cturi_rdf.reading.terms import from_ox
from cturi_rdf.registry import registry
from cturi_rdf.sparql import dataset, registry_triples
from cturi_rdf.sparql.query import run
from cturi_rdf.sparql.registry_store import with_registry

CATALOGUE = Path(__file__).parents[1] / "examples" / "catalogue.ttl"
OURS = Namespace("https://w3id.org/cturi/")
PREFIX = f"PREFIX ctv: <{CTV}> PREFIX dcat: <{DCAT}>"
DATA = URIRef("http://a.example/data")
REGISTRY = "https://w3id.org/cturi/registry"


@pytest.fixture(autouse=True, scope="module")
def fresh_registry() -> None:
    """Load the registry anew: the process shares one, and other tests have used it."""
    dataset._registry_alone.cache_clear()
    registry_triples.registry_store.cache_clear()


@given(content_types)
@settings(max_examples=examples(50))
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
def test_no_node_raises(iri: str) -> None:
    list(Graph(store="cturi").triples((URIRef(iri), None, None)))


@pytest.mark.parametrize(
    "node",
    [DATA, BNode("b"), Literal("text/csv"), CTV.contentTypeHeader, URIRef("ContentType:nothing"),
     URIRef("https://w3id.org/cturi/parameter/a%FF/b"), OURS["suffix/none-such"],
     URIRef("https://w3id.org/cturi/suffix/xml/more"), OURS["top-level/a%20b"]],
)  # fmt: skip
def test_nothing_is_said_about_what_is_not_ours(node: URIRef) -> None:
    assert list(Graph(store="cturi").triples((node, None, None))) == []


@pytest.mark.parametrize("predicate", [Literal("CSV"), BNode("b")])
def test_what_no_triple_has_as_its_predicate_finds_nothing(predicate: Literal | BNode) -> None:
    graph = Graph().add((DATA, RDF.value, predicate))
    view = with_registry(graph)
    assert list(view.triples((None, predicate, None))) == []
    query = prepareQuery(f"SELECT ?o {{ <{DATA}> <{RDF.value}> ?p . ?s ?p ?o }}")
    assert list(view.query(query)) == []


def test_a_query_is_answered_with_the_options_of_rdflib() -> None:
    view = with_registry(Graph().add((DATA, RDF.value, Literal("CSV"))))
    query = f"SELECT ?o {{ <data> <{RDF.value}> ?o }}"
    assert list(view.query(query, base="http://a.example/")) == [(Literal("CSV"),)]
    with pytest.raises(CturiError, match="relative IRI"):
        view.query(query)


def test_parameters_suffixes_and_top_level_types_are_described_too() -> None:
    virtual = Graph(store="cturi")
    assert virtual.value(OURS["parameter/charset/utf-8"], CTV.parameterValue) == Literal("utf-8")
    assert virtual.value(OURS["suffix/xml"], CTV.baseType) == mint("application/xml")
    assert virtual.value(OURS["top-level/image"], RDFS.label) == Literal("image")
    # No registered type is of this one.
    assert virtual.value(OURS["top-level/example"], RDFS.label) == Literal("example")
    assert len(registry_triples.described(f"{OURS}parameter/header/x~2Fy")) == 3
    for name in ("parameter/a", "parameter/a/b/c", "top-level", "suffix/none-such", "label/CSV"):
        assert registry_triples.described(OURS[name]) == ()


def test_a_node_in_another_spelling_is_described_under_its_own_name() -> None:
    draft = URIRef('ContentType:TEXT/csv?header="present"')
    assert Graph(store="cturi").value(draft, CTV.bareMediaType) == mint("text/csv")


@pytest.mark.slow
def test_a_walk_finds_what_the_registry_names() -> None:
    virtual = Graph(store="cturi")
    media_types = set(virtual.subjects(RDF.type, CTV.MediaType))
    assert {mint(each.essence) for each in registry().media_types()} <= media_types
    assert mint("application/x-gzip") in media_types
    assert mint("image/svg+xml") in set(
        virtual.subjects(CTV.structuredSyntaxSuffix, OURS["suffix/xml"])
    )
    assert len(virtual) == len(set(virtual)) > 15 * len(media_types)


@pytest.mark.slow
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
    # A stored triple is not found twice, and one that is not stored is found.
    assert sorted(with_registry(annotated).query(query)) == expected
    assert sorted(with_registry(bare).query(query)) == expected


@pytest.mark.parametrize("store", ["default", "SimpleMemory", "Oxigraph"])
def test_a_walk_finds_the_types_of_the_graph_as_they_come(store: str) -> None:
    graph = Graph(store=store)
    view = with_registry(graph)
    charset = OURS["parameter/charset/x-unheard-of"]
    assert list(view.subjects(CTV.parameter, charset)) == []
    graph.add((DATA, DCAT.mediaType, mint("text/x-mine; charset=x-unheard-of")))
    for patterns in (
        f"?t ctv:parameter {charset.n3()} . ?d dcat:mediaType ?t",
        "?d dcat:mediaType ?t . ?t ctv:bareMediaType <ContentType:text/x-mine>",
        "?t ctv:subtypeName 'x-mine'",
    ):
        found = view.query(f"{PREFIX} SELECT ?t {{ {patterns} }}")
        assert len(found) == 1


@pytest.mark.slow
@pytest.mark.parametrize("store", ["default", "SimpleMemory", "Oxigraph"])
def test_a_walk_finds_each_triple_once(store: str) -> None:
    graph = Graph(store=store)
    graph.add((DATA, DCAT.mediaType, mint("text/x-mine; charset=x-unheard-of")))
    triples = list(with_registry(graph))
    assert len(triples) == len(set(triples))


def test_in_a_dataset_the_registry_is_in_the_default_graph() -> None:
    dataset, name = Dataset(default_union=True), URIRef("http://a.example/graph")
    dataset.graph(name).add((DATA, DCAT.mediaType, mint("text/csv")))
    view = with_registry(dataset)
    assert isinstance(view, Dataset)
    joined = f"""{PREFIX} SELECT ?g ?l {{
        GRAPH ?g {{ ?d dcat:mediaType ?t }} ?t ctv:contentTypeHeader ?l }}"""
    assert [tuple(each) for each in view.query(joined)] == [(name, Literal("text/csv"))]
    inside = f"{PREFIX} SELECT ?l {{ GRAPH ?g {{ ?t ctv:contentTypeHeader ?l }} }}"
    assert list(view.query(inside)) == list(view.query(inside.replace("?g", f"<{REGISTRY}>")))
    assert len(view.get_context(name)) == 1


@pytest.mark.parametrize("default_union", [True, False])
def test_a_dataset_with_the_registry_has_its_named_graphs(*, default_union: bool) -> None:
    dataset = Dataset(default_union=default_union)
    dataset.graph(URIRef("urn:g")).add((URIRef("urn:s"), RDF.value, Literal(1)))
    view = with_registry(dataset)
    named = "SELECT ?s { GRAPH <urn:g> { ?s rdf:value 1 } }"
    assert [str(row.s) for row in view.query(named)] == ["urn:s"]
    in_default = view.query("ASK { ?s rdf:value 1 }")
    assert in_default.askAnswer is default_union
    assert (URIRef("urn:s"), RDF.value, Literal(1)) in view.graph(URIRef("urn:g"))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated")
def test_several_graphs_that_rdflib_reads_as_one_are_one_graph() -> None:
    one, other = Graph(), Graph()
    view = with_registry(ReadOnlyGraphAggregate([one, other]))
    for graph in (one, other):
        graph.add((DATA, DCAT.mediaType, mint("image/svg+xml")))
    other.add((DATA, DCAT.packageFormat, mint("application/x-mine")))
    query = f"{PREFIX} SELECT ?h {{ ?d ?p ?t . ?t ctv:contentTypeHeader ?h }}"
    for engine in (query, prepareQuery(query)):
        headers = sorted(str(row[0]) for row in view.query(engine, initBindings={"d": DATA}))
        assert headers == ["application/x-mine", "image/svg+xml"]
    assert len(list(view.triples((DATA, None, None)))) == 2


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


# --- The virtual registry is the exported one -------------------------------------------------

SVG, IANA = "<ContentType:image/svg+xml>", "https://www.iana.org/assignments/media-types/"
QUESTIONS = [
    f"SELECT ?p ?o {{ {SVG} ?p ?o }}",
    "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }",
    "SELECT (COUNT(*) AS ?n) { ?s a skos:Concept }",
    "SELECT (COUNT(*) AS ?n) { ?s a dct:MediaType }",
    "SELECT ?p ?o { <https://w3id.org/cturi/registry> ?p ?o } ORDER BY ?o LIMIT 100",
    "SELECT ?p ?n { ?p ctv:charsetName ?n }",
    "SELECT ?l { ?l a ctv:TypeLabel }",
    f"SELECT ?o {{ <{IANA}text/csv> a ?o }}",
    f"SELECT ?b {{ {SVG} ctv:structuredSyntaxSuffix/ctv:baseType ?b }}",
    f"SELECT ?b {{ {SVG} skos:broader* ?b }}",
    "SELECT ?t { ?t ctv:structuredSyntaxSuffix <https://w3id.org/cturi/suffix/json> }",
    "SELECT ?t { ?t ctv:fileExtension 'csv' }",
    "SELECT ?t ?r { ?t ctv:replacedBy ?r }",
    "SELECT ?t ?a { ?t ctv:aliasOf ?a }",
    "SELECT ?status (COUNT(?t) AS ?n) { ?t ctv:registrationStatus ?status } GROUP BY ?status",
    "SELECT DISTINCT ?p { ?s ?p ?o }",
    "SELECT DISTINCT ?class { ?s a ?class }",
    "SELECT (COUNT(*) AS ?n) { ?t a skos:Concept FILTER NOT EXISTS { ?t ctv:fileExtension ?e } }",
    "SELECT (MAX(STRLEN(?n)) AS ?n) { ?t skos:notation ?n }",
    "SELECT ?top (COUNT(*) AS ?n) { ?t ctv:topLevelType ?top } GROUP BY ?top",
    "ASK { ?t skos:topConceptOf ?s ; a ctv:XMLMediaType }",
]


@pytest.fixture(scope="module")
def exported() -> pyoxigraph.Store:
    store = pyoxigraph.Store()
    content = serialise(format_named("turtle"))
    store.load(content, pyoxigraph.RdfFormat.TURTLE)
    return store


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_virtual_registry_answers_as_the_exported_one(
    question: str, exported: pyoxigraph.Store
) -> None:
    answer: Any = exported.query(question, prefixes=PREFIXES)
    virtual = Graph(store="cturi").query(question)
    if isinstance(answer, pyoxigraph.QueryBoolean):
        assert virtual.askAnswer == bool(answer)
        return
    expected = [tuple(str(from_ox(term)) for term in row) for row in answer]
    assert expected
    assert sorted(tuple(map(str, row)) for row in virtual) == sorted(expected)


@pytest.mark.slow
def test_a_pattern_finds_what_is_exported(exported: pyoxigraph.Store) -> None:
    virtual = Graph(store="cturi")
    assert len(virtual) == len(exported)
    for name in (f"{IANA}text/csv", "https://w3id.org/cturi/registry", SVG[1:-1]):
        quads = exported.quads_for_pattern(pyoxigraph.NamedNode(name), None, None, None)
        expected = {tuple(map(from_ox, quad.triple)) for quad in quads}
        assert expected == set(virtual.triples((URIRef(name), None, None)))


FOO = "<ContentType:application/foo+json>"


@pytest.mark.parametrize(
    "pattern",
    [
        f"VALUES ?t {{ {FOO} }} ?t ctv:structuredSyntaxSuffix ?s",
        f"?t ctv:structuredSyntaxSuffix ?s VALUES ?t {{ {FOO} }}",
        f"?t ctv:structuredSyntaxSuffix ?s FILTER(?t = {FOO})",
        f"BIND({FOO} AS ?t) ?t ctv:structuredSyntaxSuffix ?s",
    ],
)
def test_a_type_that_is_not_registered_is_known_in_any_order_of_patterns(pattern: str) -> None:
    for graph in (Graph(store="cturi"), with_registry(Graph())):
        rows = graph.query(f"SELECT ?s {{ {pattern} }}")
        assert [str(row.s) for row in rows] == ["https://w3id.org/cturi/suffix/json"]


def test_a_query_leaves_nothing_behind_for_the_next() -> None:
    graph, count = Graph(store="cturi"), "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"
    before = [row.n for row in graph.query(count)]
    graph.query(f"ASK {{ {FOO} ?p ?o }}")
    assert [row.n for row in graph.query(count)] == before
    [graph_of_all] = graph.query("SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } }")
    assert str(graph_of_all.g) == REGISTRY


def test_a_view_knows_the_types_of_the_graph_as_it_is_now() -> None:
    one, other = mint("application/a1+json"), mint("application/b1+json")
    graph = Graph()
    graph.add((DATA, DCAT.mediaType, one))
    view = with_registry(graph)
    pattern = (None, CTV.subtypeName, None)
    query = "SELECT ?t { ?t ctv:subtypeName ?n FILTER(?n IN ('a1+json', 'b1+json')) }"
    for node in (one, other):
        graph.set((DATA, DCAT.mediaType, node))
        assert [row.t for row in view.query(query)] == [node]
        assert {one, other} & {subject for subject, _, _ in view.triples(pattern)} == {node}


@pytest.mark.daily(1)
@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("SELECT ?t { ?t ctv:contentTypeHeader ?h }", "ContentType:text/csv"),
        ("SELECT ?h { ?t ctv:contentTypeHeader ?h }", "text/csv"),
        ("SELECT ?h { BIND(ctf:header(?t) AS ?h) }", "text/csv"),
        ("SELECT (COUNT(?h) AS ?n) { ?t ctv:contentTypeHeader ?h }", "1"),
    ],
)
def test_a_variable_may_be_given_a_value_whether_it_is_returned_or_not(
    query: str, answer: str
) -> None:
    view, values = with_registry(Graph()), {"t": mint("text/csv")}
    prefixes = {"ctv": PREFIXES["ctv"], "ctf": PREFIXES["ctf"]}
    for result in (
        view.query(query, initBindings=values, initNs=prefixes),
        run(query, bindings=values),
    ):
        assert [str(row[0]) for row in result] == [answer]
