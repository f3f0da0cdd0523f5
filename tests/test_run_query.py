"""The one way to run a query: the same answers everywhere, by SPARQL's rules, without a network."""

from __future__ import annotations

import http.server
import runpy
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph as ox
import pytest
from conftest import examples, small_folder
from drawn_documents import DOCUMENTS
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from rdflib import DCTERMS, Dataset, Graph, Literal, URIRef, Variable

from cturi_rdf import CturiError
from cturi_rdf._util.display import Table
from cturi_rdf._util.limits import LimitError, limited
from cturi_rdf.catalogue.lines import AnnotatedBeforeError
from cturi_rdf.labels import resolve
from cturi_rdf.notebook import query as notebook_query
from cturi_rdf.notebook.tables import run_cell
from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.reading.read import QuadDocument
from cturi_rdf.reading.source import open_source
from cturi_rdf.sparql.annotations import added_to_lines, annotations_of, lines_of
from cturi_rdf.sparql.dataset import QueryData, query_data
from cturi_rdf.sparql.evaluation import in_thread
from cturi_rdf.sparql.query import MissingStatements, run
from cturi_rdf.sparql.registry_store import with_registry
from cturi_rdf.sparql.registry_triples import REGISTRY_FILE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from conftest import Cturi, Write

EXAMPLE = Path(__file__).parents[1] / "examples" / "catalogue.ttl"

# --- SPARQL's rules for errors ---------------------------------------------------------------

TWO = """@prefix dct: <http://purl.org/dc/terms/> .
<http://a/1> dct:format "CSV" . <http://a/2> dct:format "WMS" ."""
HEADERS = "{ ?d dct:format ?f }"


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        # SPARQL 1.1 section 18.5.1: COUNT and SAMPLE leave errors out.  MIN and MAX are by the
        # order of section 15.1, in which no value is the lowest.  Others have no value.
        ("COUNT(ctf:header(?f))", Literal(1)),
        ("COUNT(DISTINCT ctf:header(?f))", Literal(1)),
        ("COUNT(STRLEN(?f)) + COUNT(ctf:header(?f))", Literal(3)),
        ("COUNT(DISTINCT STRLEN(?f))", Literal(1)),
        ("COUNT(DISTINCT STR(?f))", Literal(2)),
        ("COUNT(1 / 0)", Literal(0)),
        ("COUNT(DISTINCT (1 / 0))", Literal(0)),
        ("MAX(ctf:header(?f))", Literal("text/csv")),
        ("max(DISTINCT ctf:header(?f))", Literal("text/csv")),
        ("STRLEN(MAX(ctf:header(?f)))", Literal(8)),
        ("MAX(1 + STRLEN(ctf:header(?f))) + COUNT(ctf:header(?f))", Literal(10)),
        ("MAX(?unbound)", None),
        ("MAX(1 / 0)", None),
        ("MAX(IF(?f = 'CSV', ?d, 1 / 0))", URIRef("http://a/1")),
        ("ISBLANK(MAX(IF(?f = 'CSV', BNODE(), 1 / 0)))", Literal(True)),  # noqa: FBT003
        ("MIN(ctf:header(?f))", None),
        ("AVG(STRLEN(ctf:header(?f)))", None),
        ("SUM(ctf:header(?f))", None),
        ("GROUP_CONCAT(ctf:header(?f))", None),
        ("SAMPLE(ctf:header(?f))", Literal("text/csv")),
    ],
)
def test_an_error_in_an_aggregate_is_never_a_value(expression: str, value: Literal | None) -> None:
    graph = Graph().parse(data=TWO, format="turtle")
    (row,) = run(f"SELECT ({expression} AS ?n) {HEADERS}", graph).bindings
    assert row.get(Variable("n")) == value


@pytest.mark.parametrize("expression", ["COUNT(STR(?f))", "COUNT(DISTINCT STR(?f))", "COUNT(?f)"])
def test_of_no_rows_nothing_is_counted(expression: str) -> None:
    (row,) = run(f"SELECT ({expression} AS ?n) {HEADERS}", Graph()).bindings
    assert row[Variable("n")] == Literal(0)


def test_rows_whose_key_is_an_error_come_first() -> None:
    # SPARQL 1.1 section 15.1: no value is the lowest.
    graph = Graph().parse(data=TWO, format="turtle")
    rows = list(run(f"SELECT ?d {HEADERS} ORDER BY ctf:header(?f)", graph))
    assert [str(row.d) for row in rows] == ["http://a/2", "http://a/1"]


GREATEST = "MAX(IF(ctf:isXML(?f) = false, ?f, 1 / 0))"
COUNT = "COUNT(ctf:header(?f))"
INNER = "SELECT (COUNT(*) AS ?n) {} HAVING (MAX(1) = 1)"


@pytest.mark.parametrize(
    "query",
    [
        f"SELECT ?d {HEADERS} GROUP BY ?d HAVING ({GREATEST} = 'CSV')",
        f"SELECT ?d {HEADERS} GROUP BY ?d ORDER BY DESC({GREATEST}) LIMIT 1",
        f"SELECT ?d {{ {{ SELECT ({GREATEST} AS ?n) {HEADERS} }} ?d dct:format ?n }}",
        # An aggregate within the expression of another belongs to another query.
        f"SELECT (MIN(?d) AS ?d) {HEADERS} HAVING (MAX(EXISTS {{ {{ {INNER} }} }}))",
        f"SELECT ?d {HEADERS} GROUP BY ?d HAVING ({COUNT} = 1)",
        f"SELECT ?d {HEADERS} GROUP BY ?d ORDER BY DESC({COUNT}) LIMIT 1",
        f"SELECT ?d {{ {{ SELECT ?d ({COUNT} AS ?n) {HEADERS} GROUP BY ?d }} FILTER(?n = 1) }}",
        f"SELECT ?d {{ {{ SELECT ?d {HEADERS} GROUP BY ?d HAVING({COUNT} = 1) }} ?d ?p ?o }}",
        # The expression of an aggregate may use the names of GROUP BY.
        f"SELECT ?d {HEADERS} GROUP BY (ctf:header(?f) AS ?h) ?d HAVING (COUNT(STR(?h)) = 1)",
        f"SELECT ?d {HEADERS} GROUP BY ?d (?f AS ?x) (?x AS ?y) HAVING (COUNT(ctf:header(?y)) = 1)",
        f"SELECT ?d {HEADERS} GROUP BY ?d (?f AS ?x) HAVING (MAX(?x) = 'CSV' && COUNT(?x) = 1)",
    ],
)
def test_an_error_counts_for_nothing_in_having_order_by_and_inner_queries(query: str) -> None:
    graph = Graph().parse(data=TWO, format="turtle")
    assert [str(row.d) for row in run(query, graph)] == ["http://a/1"]


# --- Threads ---------------------------------------------------------------------------------


def test_queries_in_threads_lose_no_function_and_no_row() -> None:
    graph = Graph()
    for number in range(300):
        graph.add((URIRef(f"http://a/{number}"), DCTERMS.format, Literal(f"text/x-{number}")))
    slow = f"SELECT ?d (ctf:subtype(?f) AS ?y) {HEADERS}"
    counts: list[tuple[int, int]] = []

    def ask() -> None:
        for _ in range(3):
            run('SELECT (ctf:header("CSV") AS ?h) {}')
            rows = run(slow, graph).bindings
            counts.append((len(rows), sum(Variable("y") in row for row in rows)))

    threads = [threading.Thread(target=ask) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts == [(300, 300)] * 48


# --- The network -----------------------------------------------------------------------------


@pytest.fixture
def server() -> Iterator[tuple[str, list[str]]]:
    """Return a server on the loopback, and the list of what it was asked for."""
    asked: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def answer(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.send_header("Content-Type", "text/turtle")
            self.end_headers()
            self.wfile.write(b"<http://x/a> <http://x/b> <http://x/c> .")

        do_GET = do_POST = answer  # noqa: N815 - the names that the server looks for

        def log_message(self, *_: object) -> None:
            pass

    httpd = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=httpd.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{httpd.server_port}", asked
    httpd.shutdown()
    httpd.server_close()


REACHING = [
    "SELECT * FROM <{0}/data.ttl> {{ ?s ?p ?o }}",
    "SELECT * {{ SERVICE <{0}/sparql> {{ ?s ?p ?o }} }}",
    "SELECT * {{ service silent <{0}/sparql> {{ ?s ?p ?o }} }}",
    # An engine may read a comparison and a comment where the specification has an IRI.
    "ASK {{ BIND(<{0}/sparql> AS ?s) FILTER(1<2)SERVICE?s#>\n{{ ?x ?p ?o }} }}",
    "ASK {{ BIND(<{0}/sparql> AS ?s) FILTER(1<2#>'''\n) SERVICE ?s {{ ?x ?p ?o }} #'''\n}}",
    # Functions as properties are for rdflib, which undoes escapes before it reads.
    'ASK {{ "CSV" ctf:mint ?t . \\u0053ERVICE <{0}/sparql> {{ ?x ?p ?o }} }}',
    'ASK \\u0046ROM <{0}/data.ttl> {{ "CSV" ctf:mint ?t . ?x ?p ?o }}',
    'ASK {{ "CSV" ctf:mint ?t #\\u000a SERVICE <{0}/sparql> {{ ?x ?p ?o }}\n}}',
    'ASK {{ "a" ctf:mint ?t BIND(<{0}/a> AS ?s) FILTER(1<2)SERVICE?s#>\n{{ ?x ?p ?o }} }}',
]


@pytest.mark.parametrize("ask", [run, lambda text, graph: notebook_query(graph, text)])
@pytest.mark.parametrize("text", REACHING)
def test_nothing_is_fetched_unasked(
    text: str, ask: Callable[[str, Graph], object], server: tuple[str, list[str]]
) -> None:
    address, asked = server
    for graph in (Graph(), Dataset(), with_registry(Graph())):
        with pytest.raises(CturiError):
            ask(text.format(address), graph)
    with pytest.raises(CturiError):
        with_registry(Graph()).query(text.format(address))
    assert asked == []


def test_a_function_as_a_property_takes_further_arguments_from_a_list() -> None:
    query = "SELECT (STRAFTER(STR(?i), 'type/') AS ?x) { 'image/tiff' ctf:as ('eu-file-type' ?i) }"
    assert [str(row.x) for row in run(query)] == ["TIFF"]


def test_the_graphs_of_from_are_loaded_where_that_is_allowed(server: tuple[str, list[str]]) -> None:
    address, asked = server
    result = run(REACHING[0].format(address), Graph(), allow_network=True)
    assert [str(row.s) for row in result] == ["http://x/a"]
    table = notebook_query(Graph(), REACHING[0].format(address), allow_network=True)
    assert isinstance(table, Table)
    assert table.rows == [("http://x/a", "http://x/b", "http://x/c")]
    cell = run_cell("graph --allow-network", REACHING[0].format(address), {"graph": Graph()})
    assert cell[1].rows == table.rows
    assert asked == ["/data.ttl"] * 3


def test_the_word_service_in_an_iri_or_a_text_is_no_request() -> None:
    text = "ASK { VALUES ?x { <http://a.example/service?x> 'service' ctv:Service } }"
    assert run(text, Graph()).askAnswer


# --- The same answers everywhere -------------------------------------------------------------


@pytest.mark.daily(1)
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SELECT ?d { ?d schema:encodingFormat ?f }", "http://a.example/1"),
        (
            "SELECT ?d { <ContentType:image/svg+xml> ctv:structuredSyntaxSuffix ?d }",
            "https://w3id.org/cturi/suffix/xml",
        ),
    ],
)
def test_the_command_line_the_notebook_and_python_answer_alike(
    text: str, expected: str, tmp_path: Path, cturi: Cturi
) -> None:
    file = tmp_path / "c.ttl"
    prefix = "@prefix s: <https://schema.org/> ."
    file.write_text(f"{prefix} <http://a.example/1> s:encodingFormat 'CSV' .")
    graph = Graph().parse(file)
    assert cturi("query", text, file, "--to", "csv").out.split() == ["d", expected]
    view = with_registry(graph)
    assert notebook_query(view, text).rows == [(expected,)]
    assert [str(row.d) for row in run(text, view)] == [expected]
    assert [str(row.d) for row in run(text, query_data(file, registry="default"))] == [expected]
    data = query_data(query_data(file).store, registry="default")
    assert [str(row.d) for row in run(text, data)] == [expected]


def test_the_prefixes_of_a_file_come_before_the_common_ones(write: Write) -> None:
    file = write(
        "c.ttl", "@prefix schema: <http://schema.org/> . <a:b> schema:encodingFormat 'CSV' ."
    )
    assert len(run("SELECT ?d { ?d schema:encodingFormat ?f }", file)) == 1


def test_triples_in_two_graphs_are_one_triple_of_their_union(write: Write) -> None:
    file = write(
        "c.trig", "<a:s> <a:p> 1 . <a:g> { <a:s> <a:p> 1 } <a:h> { <a:s> <a:p> 1 . <a:t> <a:p> 2 }"
    )
    count = "SELECT (COUNT(*) AS ?n) {} {{ ?s <a:p> ?o }}"
    counts = {"": 2, "FROM <a:g>": 1, "FROM <a:g> FROM <a:h>": 2, "FROM NAMED <a:g>": 0}
    for clause, expected in counts.items():
        assert [row.n.toPython() for row in run(count.format(clause), file)] == [expected]
    assert len(run("SELECT * { GRAPH ?g { ?s <a:p> ?o } }", file)) == 3


@pytest.mark.parametrize("call", ["BIND(ctf:type('CSV') AS ?x)", "'CSV' ctf:type ?x"])
def test_no_query_sees_a_graph_of_another_one(call: str) -> None:
    data = query_data("examples/catalogue.ttl", registry="none")
    internal = ox.NamedNode("urn:x-cturi:query:another")
    data.store.add(ox.Quad(internal, internal, internal, internal))
    assert len(run(f"SELECT * {{ {call} . GRAPH ?g {{ ?s ?p ?o }} }}", data)) == 0
    assert len(run(f"SELECT * {{ {call} . ?s <{internal.value}> ?o }}", data)) == 0
    with pytest.raises(CturiError, match="is not a graph of the data"):
        run("SELECT * { ?s ?p ?o }", data, default_graphs=[internal.value])


def test_blank_nodes_of_two_files_are_two_nodes(tmp_path: Path) -> None:
    files = [tmp_path / "a.nt", tmp_path / "b.nt"]
    for number, file in enumerate(files):
        triple = f'_:x <http://a.example/p> "{number}"'
        file.write_text(f"{triple} .\n<a:s> <a:q> <<( {triple} )>> .\n")
    assert len(run("SELECT DISTINCT ?s { ?s <http://a.example/p> ?o }", *files)) == 2
    said = run("SELECT ?s { ?s <http://a.example/p> ?o . <a:s> <a:q> <<( ?s ?p ?o )>> }", *files)
    assert len(said) == 2


def test_iris_that_rfc_3987_does_not_allow_are_asked_about_as_they_are() -> None:
    graph = Graph()
    graph.add((URIRef("a b"), DCTERMS.format, URIRef("CSV")))
    rows = run("SELECT ?s ?o { ?s dct:format ?o }", graph)
    assert [tuple(map(str, row)) for row in rows] == [("a b", "CSV")]


# --- One dataset, whatever a query says --------------------------------------------------------

LOADED = [
    ("?d dct:format ?f", 0),
    ("?d dct:format ?f FILTER(ctf:isXML(?f) && ?f != 'a')", 0),
    ("?t ctv:suffixName ?n", 21),
    ("?t a ctv:StructuredSyntaxSuffix ; ctv:suffixName ?n", 42),
    ("?d dct:format/ctv:contentTypeHeader ?h", 3_394),
    ("?t rdfs:label 'x' FILTER NOT EXISTS { ?t a skos:Concept }", 17_000),
    ("?s ?p ?o", 100_000),
    ("?s dct:format|!a ?o", 100_000),
    ("?s dct:format* ?o", 100_000),
    ("?s a ?class", 40_000),
    ("?x ^a ctv:MediaType", 40_000),
]


@pytest.mark.parametrize(("pattern", "least"), LOADED)
def test_a_query_loads_what_its_patterns_may_match(pattern: str, least: int) -> None:
    data = query_data(EXAMPLE, registry="default")
    before = len(data.store)
    run(f"SELECT * {{ {pattern} }} LIMIT 1", data)
    loaded = len(data.store) - before
    assert least <= loaded <= max(least * 1.5, least + 30)


# Patterns in many positions, and where a variable or a set may be a property.
ASKED = [
    "{ ?t ctv:subtypeName 'csv' ; ?p ?o }",
    "{ ?t ctv:subtypeName 'csv' . ?t ?p 'csv' }",
    "{ ?t ctv:subtypeName 'csv' . [] ?p ?t }",
    "{ <ContentType:text/csv> (ctv:bareMediaType|!ctv:subtypeName) ?o }",
    "{ <ContentType:text/csv> !(a|ctv:subtypeName|^a) ?o }",
    "{ <ContentType:text/csv> ^!ctv:subtypeName ?o }",
    "{ <ContentType:image/svg+xml> ctv:structuredSyntaxSuffix/ctv:baseType* ?o }",
    "{ <ContentType:image/svg+xml> skos:broader? ?o }",
    "{ ?x ^a <ContentType:text/csv> }",
    "{ ?x ^(a) <ContentType:text/csv> }",
    "{ <ContentType:text/csv> a/^a ?x . ?x ctv:subtypeName 'csv' }",
    "{ <ContentType:text/csv> a ctv:MediaType, ?class }",
    "{ <ContentType:text/csv> rdf:type ?class ; ctv:subtypeName ?n }",
    "{ SELECT ?t { ?t a ctv:MediaType } GROUP BY ?t ORDER BY ?t LIMIT 3 }",
    "{ ?t ctv:subtypeName 'csv' FILTER(!EXISTS { ?t ?p 5 }) }",
    "{ ?t ctv:subtypeName 'csv' OPTIONAL { ?t ctv:machineReadable ?m } MINUS { ?t ?p 5 } }",
    "{ GRAPH <https://w3id.org/cturi/registry> { ?t ctv:suffixName 'xml' } }",
    "{ GRAPH ?g { ?t ctv:suffixName 'xml' ; ctv:baseType ?b } }",
    "{ ?d dct:format 'SHP' . ?d ctv:contentType ?t . ?t rdfs:label ?l }",
    "{ VALUES ?p { ctv:suffixName } ?t ?p 'xml' }",
]


@pytest.fixture(scope="module")
def whole() -> QueryData:
    """Return the example with all of the registry."""
    data = query_data(EXAMPLE, annotated=True, registry="default")
    data.load()
    return data


@pytest.mark.daily(6)
@pytest.mark.parametrize("group", ASKED)
def test_what_is_loaded_for_a_query_is_all_that_matters(group: str, whole: QueryData) -> None:
    """The answer over some of the registry is that over all of it, and never changes."""
    lazy = query_data(EXAMPLE, annotated=True, registry="default")
    text = f"SELECT * {group}"
    rows = [sorted(map(str, run(text, data).bindings)) for data in (lazy, whole)]
    assert rows[0] == rows[1]
    assert rows[0]


def test_a_part_of_a_query_has_no_fewer_rows_than_the_whole() -> None:
    data = query_data(EXAMPLE, annotated=True, registry="default")
    whole = "?d ctv:contentType ?t . ?t rdfs:label ?l . ?t ctv:contentTypeHeader ?h"
    assert len(run(f"SELECT DISTINCT ?t ?l {{ {whole} }}", data)) > 5
    assert len(run("SELECT ?t ?l { ?t rdfs:label ?l }", data)) > 10_000


def test_a_triple_of_the_data_and_the_registry_is_one_triple(write: Write) -> None:
    svg = "<ContentType:image/svg+xml> <https://w3id.org/cturi/vocab#subtypeName>"
    file = write("c.ttl", f'{svg} "svg+xml", "mine" .')
    data = query_data(file, registry="default")
    text = "SELECT ?n { <ContentType:image/svg+xml> ctv:subtypeName ?n } ORDER BY ?n"
    assert [str(row.n) for row in run(text, data)] == ["mine", "svg+xml"]
    graph = text.replace("{", "{ GRAPH <https://w3id.org/cturi/registry> {", 1)
    assert [str(row.n) for row in run(graph.replace("} ORDER", "} } ORDER"), data)] == ["svg+xml"]


def test_types_that_only_the_data_name_are_described_in_the_registry(write: Write) -> None:
    dct = "http://purl.org/dc/terms/format"
    file = write("c.ttl", f"<e:a> <{dct}> <ContentType:text/x-mine?a=%22b%22> .")
    data = query_data(file, registry="default")
    text = "SELECT ?h { ?d dct:format/ctv:contentTypeHeader ?h }"
    assert [str(row.h) for row in run(text, data)] == ["text/x-mine; a=b"]


# --- No silent emptiness -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("group", "warning"),
    [
        ("{ ?d ctv:contentType ?t }", "no ctv:contentType, which only annotating adds"),
        ("{ ?d dct:format ?t . ?t ctv:suffixName ?n }", "no ctv:suffixName, which the registry"),
    ],
)
def test_a_query_for_what_the_data_cannot_have_warns(group: str, warning: str) -> None:
    graph = Graph().parse(EXAMPLE)
    with pytest.warns(MissingStatements, match=warning):
        assert len(run(f"SELECT * {group}", graph)) == 0
    data = query_data(graph, annotated=True, registry="default")
    run(f"SELECT * {group}", data)


@pytest.mark.slow
def test_the_file_of_the_registry_is_up_to_date() -> None:
    root = Path(__file__).parents[1]
    build = runpy.run_path(str(root / "scripts" / "build_tables.py"))
    packed = root.joinpath("cturi_rdf", "data", REGISTRY_FILE).read_bytes()
    assert packed == build["packed_registry"](), "run scripts/build_tables.py"


# --- Limits ----------------------------------------------------------------------------------


def test_more_rows_than_the_limit_are_an_error() -> None:
    text = "SELECT * { VALUES ?x { 1 2 3 } }"
    with limited({"rows": 3}):
        assert len(run(text)) == 3
    with limited({"rows": 2}), pytest.raises(LimitError, match="more than 2 rows"):
        run(text)


def test_a_query_that_takes_too_long_is_left() -> None:
    values = "{ " + " ".join(map(str, range(150))) + " }"
    variables = "".join(f"VALUES ?{name} {values} " for name in "abc")
    with limited({"seconds": 1}), pytest.raises(LimitError, match="more than 1 seconds"):
        run(f"SELECT (COUNT(ctf:isXML(?a)) AS ?n) {{ {variables} }}")


def test_a_task_in_the_thread_of_another_runs_there() -> None:
    def inner(stopped: threading.Event) -> tuple[threading.Event, threading.Thread]:
        return stopped, threading.current_thread()

    def outer(stopped: threading.Event) -> bool:
        return in_thread(inner, "inner") == (stopped, threading.current_thread())

    assert in_thread(outer, "outer") is True
    assert in_thread(inner, "alone")[1] is not threading.current_thread()


def test_stores_and_graphs_are_asked_together() -> None:
    one, two, graph = ox.Store(), ox.Store(), Graph()
    for number, store in enumerate((one, two)):
        store.add(ox.Quad(ox.NamedNode("e:s"), ox.NamedNode("e:p"), ox.Literal(number)))
    graph.add((URIRef("e:s"), URIRef("e:p"), Literal(2)))
    assert {row.o.toPython() for row in run("SELECT ?o { ?s ?p ?o }", one, two, graph)} == {0, 1, 2}
    assert (len(one), len(two), len(graph)) == (1, 1, 1)


def test_a_graph_that_is_not_rdf_is_refused() -> None:
    graph = Graph()
    graph.add((Literal("text"), URIRef("e:p"), URIRef("e:o")))
    with pytest.raises(CturiError, match="a graph that is not RDF") as refused:
        run("ASK { ?s ?p ?o }", graph)
    assert refused.value.span == (0, len(refused.value.text))


# --- Errors have a place ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("SELECT *\n{ ?s nope:p ?o }", "nope:p"),
        ("SELECT *\n{ ?s ?p ?o . FILTER(<http://a.example/f>(?o)) }", "<http://a.example/f>"),
        ("SELECT *\n{ ?s ?p ?o } }", "}"),
        ("SELECT *\n{ <http://a/service> ?p ?o } }", "}"),
        ("SELECT\n(COUNT(STR(?s)) ASS ?n) { <http://a/service> ?p ?o }", "S ?n"),
    ],
)
def test_an_error_points_to_its_place(text: str, place: str) -> None:
    with pytest.raises(CturiError) as caught:
        run(text)
    start, end = caught.value.span
    # The parser names the last character that it has looked at, or the one behind it.
    assert 0 <= start - text.rindex(place) <= 1
    assert text.count("\n", 0, end) == text.count("\n", 0, text.rindex(place))


# --- Data that are kept on disk --------------------------------------------------------------

MANY = "".join(
    f'<http://a/{n}> dct:format "{label}" ; dct:title "{n}" . '
    for n, label in enumerate(["CSV", "Excel", "xlsx", "Zipped CSV", "n/a"] * 5)
)
IN_PARTS = f"""@prefix dct: <http://purl.org/dc/terms/> .
@prefix dcat: <http://www.w3.org/ns/dcat#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . {MANY}
<http://b/1> dct:format "Excel" . <http://b/2> dct:format _:f . <http://c/2> dct:format _:f .
<http://g> {{ <http://b/1> dct:format "xlsx" . _:f rdfs:label "JSON" . <http://c/1> a dcat:File . }}
"""


def _triples(data: QueryData) -> set[str]:
    """Return all quads of a dataset, with canonical names of blank nodes."""
    dataset = ox.Dataset(data.store)
    dataset.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
    return set(map(str, dataset))


@pytest.mark.parametrize("annotated", [True, False])
@pytest.mark.parametrize(
    "more",
    [
        # What the lines of a large file cannot be annotated with: an earlier link, and such an IRI.
        "<b:> <http://purl.org/dc/terms/format> 'WMS' .",
        "<b:> <https://w3id.org/cturi/vocab#contentType> <ContentType:text/plain> .",
        '{"@id": "http://a/%s b", "http://purl.org/dc/terms/format": "WMS"}',
    ],
)
def test_a_store_on_disk_has_the_same_triples_as_one_in_memory(
    write: Write, monkeypatch: pytest.MonkeyPatch, more: str, *, annotated: bool
) -> None:
    monkeypatch.setattr("cturi_rdf.sparql.annotations.RESOURCES", 3)
    monkeypatch.setattr("cturi_rdf.sparql.dataset._AT_ONCE", 7)
    files = [
        write("c.trig", IN_PARTS),
        write("d.ttl", '[] <http://purl.org/dc/terms/format> "PDF" .'),
        write("e.jsonld" if more.startswith("{") else "e.nt", more.replace("'", '"')),
    ]
    on_disk = query_data(*files, annotated=annotated, on_disk=True)
    assert _triples(on_disk) == _triples(query_data(*files, annotated=annotated))
    on_disk.close()


@pytest.mark.parametrize("syntax", DOCUMENTS)
@given(seed=st.integers(0, 1 << 32))
@settings(max_examples=examples(30))
def test_the_lines_of_data_are_annotated_as_their_graph_is(syntax: str, seed: int) -> None:
    with small_folder() as folder:
        file, lines = Path(folder, f"document.{syntax}"), Path(folder, "labels.nt")
        file.write_bytes(DOCUMENTS[syntax](seed).encode())
        with open_source(file) as source:
            store = ox.Store()
            store.extend(QuadDocument(source))
        # A store may spell numbers in another way than the file.
        lines.write_bytes(b"".join(lines_of(store)))
        try:
            added = set(added_to_lines(lines, resolve))
        except (AnnotatedBeforeError, CatalogError):
            # A store is read instead.
            reject()
        assert added == set(annotations_of(store, resolve))


@pytest.mark.parametrize("on_disk", [True, False])
def test_what_data_and_the_registry_both_state_is_found_once(
    write: Write, *, on_disk: bool
) -> None:
    csv, mine = "<ContentType:text/csv>", "<ContentType:text/x-mine>"
    node = f"<http://a/> dct:format {csv}, {mine} . {csv} a ctv:ContentType ; a <http://a/Class> ."
    file = write("e.ttl", f"{TWO} @prefix ctv: <https://w3id.org/cturi/vocab#> . {node}")
    types = f"SELECT ?class {{ {csv} a ?class FILTER(!STRSTARTS(STR(?class), 'http://a')) }}"
    data = query_data(file, registry="default", on_disk=on_disk)
    # All triples, so that all of the registry is there.
    counts = "SELECT (COUNT(*) AS ?all) (COUNT(DISTINCT *) AS ?distinct) { ?s ?p ?o }"
    [row] = run(counts, data)
    assert row.all == row.distinct
    assert {row["class"] for row in run(types, data)} == {row["class"] for row in run(types)}
    # A type that the registry does not list is described where the data name it.
    assert len(run(f"SELECT * {{ {mine} ctv:contentTypeHeader ?header }}", data)) == 1
    data.close()


def test_the_registry_is_there_for_the_next_query_when_the_first_is_closed() -> None:
    for _ in range(2):
        data = query_data()
        assert len(run("SELECT ?class { <ContentType:text/csv> a ?class }", data)) > 1
        data.close()


def test_the_folder_of_a_store_on_disk_is_removed_when_it_is_closed(
    write: Write, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("temporary")
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    data = query_data(write("c.trig", IN_PARTS), on_disk=True)
    assert [path.name.startswith("cturi-") for path in folder.iterdir()] == [True]
    assert len(run("SELECT ?d { ?d dct:title '3' }", data)) == 1
    data.close()
    assert not [*folder.iterdir()]
    assert not data.store
    # A file that cannot be read leaves no folder either.
    with pytest.raises(CturiError):
        query_data(write("e.ttl", "no Turtle"), on_disk=True)
    assert not [*folder.iterdir()]


def test_a_query_of_large_files_leaves_nothing_on_disk(
    cturi: Cturi, write: Write, monkeypatch: pytest.MonkeyPatch,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:  # fmt: skip
    folder = tmp_path_factory.mktemp("temporary")
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    words = (
        "query",
        "SELECT ?d ?f { ?d ctv:contentType ?f } ORDER BY ?d ?f",
        str(write("c.trig", IN_PARTS)),
    )
    expected = cturi(*words).out
    monkeypatch.setattr("cturi_rdf.cli.query._LARGE", 0)
    assert cturi(*words).out == expected
    assert "http://a/24" not in expected
    assert "ContentType:application/json" in expected
    assert not [*folder.iterdir()]


def test_a_full_disk_is_an_error_that_says_what_to_do() -> None:
    class Full:
        def bulk_extend(self, _: object) -> None:
            raise OSError("No space left on device")

    data = QueryData(Full())  # type: ignore[arg-type]
    name = ox.NamedNode("e:a")
    with pytest.raises(CturiError, match="a temporary file cannot be written") as full:
        data.extend([ox.Quad(name, name, name)])
    assert full.value.expected == "room for it, or another folder in TMPDIR"
