"""The functions of SPARQL: every one, the same on every engine."""

from __future__ import annotations

import logging
import re
import runpy
import tracemalloc
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import pyoxigraph
import pyshacl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from processes import python
from rdflib import RDF, SH, XSD, Dataset, Graph, Literal, Namespace, URIRef, plugin
from rdflib.plugins.sparql import CUSTOM_EVALS, prepareQuery, prepareUpdate
from rdflib.plugins.sparql.operators import _CUSTOM_FUNCTIONS
from rdflib.plugins.sparql.processor import SPARQLUpdateProcessor
from rdflib.query import UpdateProcessor
from rdflib.util import from_n3

from cturi_rdf import CturiError
from cturi_rdf.rdf import annotate
from cturi_rdf.sparql.functions import (
    CTF,
    FUNCTIONS,
    check_query,
    function_table,
    oxigraph_functions,
    register_functions,
    registered_functions,
    unregister_functions,
)
from cturi_rdf.sparql.functions.terms import Term

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rdflib.term import Node

    Row = tuple[Node | None, ...]
    Engine = Callable[[str, Graph], list[Row]]

ROOT = Path(__file__).parents[1]
CATALOGUE = ROOT / "examples" / "catalogue.ttl"
PREFIXES = f"""PREFIX ctf: <{CTF}> PREFIX xsd: <{XSD}> PREFIX dcat: <http://www.w3.org/ns/dcat#>
PREFIX dct: <http://purl.org/dc/terms/> PREFIX ctv: <https://w3id.org/cturi/vocab#>
"""
EX = Namespace("http://shapes.example/")


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    register_functions()
    yield
    unregister_functions()


def _plain(node: Node | None) -> Node | None:
    """Return a term as RDF 1.1 has it: a string has a datatype, whether it is said or not."""
    if isinstance(node, Literal) and node.datatype is None and node.language is None:
        return Literal(str(node), datatype=XSD.string)
    return node


def _rows(graph: Graph, query: str) -> list[Row]:
    result = graph.query(query)
    variables = result.vars or []
    return [tuple(_plain(each.get(name)) for name in variables) for each in result.bindings]


def in_rdflib(query: str, data: Graph) -> list[Row]:
    return _rows(data, query)


def in_oxrdflib(query: str, data: Graph) -> list[Row]:
    graph = Graph(store="Oxigraph")
    graph += data
    return _rows(graph, query)


def in_oxigraph(query: str, data: Graph) -> list[Row]:
    store = pyoxigraph.Store()
    store.load(data.serialize(format="nt").encode(), format=pyoxigraph.RdfFormat.N_TRIPLES)
    found = store.query(query, custom_functions=oxigraph_functions())
    assert isinstance(found, pyoxigraph.QuerySolutions)
    names = found.variables
    return [
        tuple(None if row[name] is None else _plain(from_n3(str(row[name]))) for name in names)
        for row in found
    ]


def in_pyshacl(query: str, data: Graph) -> list[Row]:
    """Ask for the first value of each row, as that of a violation."""
    shapes = Graph()
    shapes.add((EX.shape, RDF.type, SH.NodeShape))
    shapes.add((EX.shape, SH.targetNode, EX.node))
    shapes.add((EX.shape, SH.sparql, EX.constraint))
    shapes.add((EX.constraint, RDF.type, SH.SPARQLConstraint))
    select, _, rest = query.partition("SELECT ?x")
    shapes.add((EX.constraint, SH.select, Literal(f"{select}SELECT $this (?x AS ?value) {rest}")))
    _, report, _ = pyshacl.validate(data, shacl_graph=shapes, advanced=True)
    assert isinstance(report, Graph)
    return [
        (None if (found := report.value(each, SH.value)) == EX.node else _plain(found),)
        for each in report.subjects(RDF.type, SH.ValidationResult)
    ]


ENGINES: dict[str, Engine] = {
    function.__name__.removeprefix("in_"): function
    for function in (in_rdflib, in_oxrdflib, in_oxigraph, in_pyshacl)
}
EXAMPLES = [
    pytest.param(example.expression, example.value, id=example.expression)
    for function in FUNCTIONS.values()
    for example in function.examples
]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("expression", "expected"), EXAMPLES)
def test_every_example_is_so_on_every_engine(
    engine: str, expression: str, expected: str | None
) -> None:
    query = f"{PREFIXES}SELECT ?x {{ BIND({expression} AS ?x) }}"
    assert ENGINES[engine](query, Graph()) == [(_plain(_read(expected)),)]


def _read(value: str | None) -> Node | None:
    node = None if value is None else from_n3(value)
    # The canonical form of a decimal; SPARQL writes 0.0, for a plain 0 would be an integer.
    return (
        Literal("0", datatype=XSD.decimal) if node == Literal("0.0", datatype=XSD.decimal) else node
    )


LABELS = "?d dcat:mediaType|dct:format ?label"
QUERIES = {
    "nodes of labels": f"SELECT ?d ?x {{ {LABELS} BIND(ctf:mint(?label) AS ?x) }}",
    "what is XML": f"SELECT DISTINCT ?d {{ {LABELS} FILTER(ctf:isXML(?label)) }}",
    "verdicts": (
        f"SELECT ?v (COUNT(*) AS ?n) {{ {LABELS} BIND(ctf:verdict(?label) AS ?v) }} GROUP BY ?v"
    ),
    "all that a label means, by number": (
        f"SELECT ?d ?x {{ {LABELS} VALUES ?n {{ 1 2 3 }}"
        " BIND(ctf:resolve(?label, ?n) AS ?x) FILTER(BOUND(?x)) }"
    ),
    "labels that disagree": (
        "SELECT ?d ?a ?b { ?d dcat:mediaType ?a ; dct:format ?b"
        " FILTER(!ctf:isA(?a, ?b) && !ctf:isA(?b, ?a)) }"
    ),
    "in the EU's scheme": (
        f"SELECT ?d ?x {{ {LABELS}"
        " BIND(ctf:as(ctf:resolve(?label), 'eu-file-type') AS ?x) FILTER(BOUND(?x)) }"
    ),
    "by wish": (
        f"SELECT ?d (ctf:quality(?label, 'application/json, text/*;q=0.5') AS ?q) {{ {LABELS} }}"
    ),
    # rdflib cannot put errors in order, hence COALESCE.
    "in order": (
        f"SELECT DISTINCT ?h {{ {LABELS} }} GROUP BY (ctf:header(?label) AS ?h)"
        " ORDER BY COALESCE(ctf:type(?h), '') ?h"
    ),
}


@pytest.fixture(scope="module")
def catalogue() -> Graph:
    graph = Graph().parse(CATALOGUE)
    for triple in list(graph):
        if triple[2].startswith("file:"):
            graph.remove(triple)  # Each engine would resolve what is relative by its own base.
    return graph.skolemize()


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_every_query_has_the_same_answer_on_every_engine(query: str, catalogue: Graph) -> None:
    answers = [
        sorted(map(str, ENGINES[each](PREFIXES + query, catalogue)))
        for each in ("rdflib", "oxrdflib", "oxigraph")
    ]
    assert answers[0]
    assert answers[0] == answers[1] == answers[2]


# --- The rules for arguments ----------------------------------------------------------------


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("number", "is_first"),
    [
        ("1", True), ('"01"^^xsd:integer', True), ('"+1"^^xsd:integer', True),
        ('"1"^^xsd:int', True), ('"1"^^xsd:nonNegativeInteger', True),
        ('"1"^^xsd:unsignedByte', True), ('"-1"^^xsd:integer', False), ("1.0", False),
        ("0", False), ('"1"', False), ("9" * 18, False),
    ],
)  # fmt: skip
def test_the_number_of_a_value_is_any_integer(engine: str, number: str, is_first: bool) -> None:
    query = f'{PREFIXES} SELECT ?x {{ BIND(ctf:resolve("CSV", {number}) AS ?x) }}'
    expected = URIRef("ContentType:text/csv") if is_first else None
    assert ENGINES[engine](query, Graph()) == [(expected,)]


def test_a_number_of_thousands_of_digits_has_no_value() -> None:
    number = Term("literal", "9" * 5_000, f"{XSD}integer")
    assert FUNCTIONS["resolve"].value([Term("literal", "CSV"), number]) is None


WRONG = {
    "ctf:isXML()": "a call with 0 arguments",
    "ctf:isXML('text/xml', 'text/xml')": "a call with 2 arguments",
    "ctf:isXML(1)": "an argument that is no label",
    "ctf:isXML(BNODE())": "an argument that is no label",
    "ctf:parameter('text/csv', 1)": "an argument that is no string",
    "ctf:encoding('text/xml', 'FEFF')": "an argument that is no octets",
    "ctf:as('text/csv', 1)": "an argument that is no IRI",
    "ctf:as('text/csv', 'no scheme')": "a scheme that is unknown",
    "ctf:resolve('CSV', 'x')": "a last argument that is no number",
    "ctf:best()": "a call with 0 arguments",
}


@pytest.mark.parametrize("engine", ["rdflib", "oxrdflib", "oxigraph"])
@pytest.mark.parametrize(("expression", "problem"), WRONG.items(), ids=WRONG)
def test_a_wrong_call_is_an_error_and_logged_once(
    engine: str, expression: str, problem: str, caplog: pytest.LogCaptureFixture
) -> None:
    unregister_functions()
    register_functions()
    oxigraph_functions.cache_clear()
    query = f"{PREFIXES}SELECT ?x {{ VALUES ?y {{ 1 2 3 }} BIND({expression} AS ?x) }}"
    with caplog.at_level(logging.WARNING, "cturi_rdf"):
        assert ENGINES[engine](query, Graph()) == [(None,)] * 3
        assert ENGINES[engine](query, Graph()) == [(None,)] * 3
    assert [problem in each.getMessage() for each in caplog.records] == [True]


@pytest.mark.parametrize(
    "expression",
    ["ctf:encoding('text/xml', 'x'^^xsd:hexBinary)", "ctf:resolve('CSV', '٣'^^xsd:integer)",
     "ctf:resolve('CSV', 0)", "ctf:header(<ContentType:nothing>)", "ctf:isXML(ctf:mint('WMS'))",
     "ctf:isXML(?unbound)"],
)  # fmt: skip
@pytest.mark.parametrize("engine", ["rdflib", "oxrdflib", "oxigraph"])
def test_an_argument_that_means_nothing_is_an_error_and_not_logged(
    engine: str, expression: str, caplog: pytest.LogCaptureFixture
) -> None:
    query = f"{PREFIXES}SELECT ?x {{ BIND({expression} AS ?x) }}"
    assert ENGINES[engine](query, Graph()) == [(None,)]
    assert [each for each in caplog.records if each.name.startswith("cturi")] == []


_TERMS = st.builds(
    Term,
    st.sampled_from(["iri", "literal", "blank"]),
    st.text(max_size=30)
    | st.sampled_from(["text/csv", "CSV, JSON", "ContentType:text/csv?a=%22b%22", "*/*"]),
    st.sampled_from(
        ["", str(XSD.string), str(XSD.integer), str(XSD.hexBinary), str(XSD.base64Binary)]
    ),
)


@given(st.sampled_from(sorted(FUNCTIONS)), st.lists(_TERMS, max_size=4))
@settings(max_examples=150)
def test_no_argument_whatever_raises(name: str, terms: list[Term]) -> None:
    values = FUNCTIONS[name].values(terms)
    assert FUNCTIONS[name].value(terms) in {*values, None} or len(terms) > 1


def test_a_header_is_taken_at_its_word_and_a_label_is_resolved() -> None:
    for text, minted, resolved in (
        ("application/javascript", "application/javascript", "text/javascript"),
        ("x-unheard-of/b; c=d", "x-unheard-of/b; c=d", "x-unheard-of/b; c=d"),
        ("CSV/ZIP", "text/csv", "text/csv"),
    ):
        query = (
            f"SELECT ?x ?y {{ BIND(ctf:header(ctf:mint('{text}')) AS ?x)"
            f" BIND(ctf:header(ctf:resolve('{text}')) AS ?y) }}"
        )
        ((x, y),) = in_rdflib(PREFIXES + query, Graph())
        assert (str(x), str(y)) == (minted, resolved)


def test_an_iri_with_its_type_in_the_query_is_a_node_of_it() -> None:
    iri = "http://a.example/?MIME-type=%22text/csv%22"
    assert FUNCTIONS["essence"].value([Term("iri", iri)]) == "text/csv"


# --- Functions as properties ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("'CSV, JSON' ctf:resolve ?x", ["ContentType:text/csv", "ContentType:application/json"]),
        ("'CSV, JSON' ctf:resolve ?t . ?t ctf:type ?x", ["application", "text"]),
        ("?t ctf:type ?x . 'CSV, JSON' ctf:resolve ?t", ["application", "text"]),
        ("VALUES ?l { 'CSV' 'WMS' } ?l ctf:resolve ?x", ["ContentType:text/csv"]),
        (
            "'image/tiff' ctf:as ('eu-file-type' ?i) BIND(STRAFTER(STR(?i), 'file-type/') AS ?x)",
            ["GEOTIFF", "TIFF"],
        ),
        ("'CSV' ctf:resolve <ContentType:text/csv> ; ctf:verdict ?x", ["media_type"]),
        ("'CSV' ctf:resolve <ContentType:text/html> ; ctf:verdict ?x", []),
        ("<https://catalogue.example/iris-csv> dcat:mediaType ?l . ?l ctf:subtype ?x", ["csv"]),
    ],
)
def test_a_function_as_a_property_gives_all_its_values(
    pattern: str, expected: list[str], catalogue: Graph
) -> None:
    found = in_rdflib(f"{PREFIXES}SELECT ?x {{ {pattern} }}", catalogue)
    assert sorted(str(x) for (x,) in found) == sorted(expected)


def test_a_function_as_a_property_works_in_a_named_graph() -> None:
    dataset = Dataset()
    dataset.graph(EX.graph).add((EX.data, EX.label, Literal("CSV, JSON")))
    query = f"{PREFIXES}SELECT ?x {{ GRAPH ?g {{ ?d ?p ?l . ?l ctf:resolve ?x }} }}"
    assert len(in_rdflib(query, dataset)) == 2


def test_a_property_whose_argument_is_unknown_is_refused() -> None:
    with pytest.raises(CturiError, match="no value"):
        in_rdflib(f"{PREFIXES}SELECT ?x {{ ?x ctf:resolve ?y }}", Graph())


@pytest.mark.parametrize(
    "pattern",
    [
        "'CSV' ctf:resolve ?x",
        "'CSV' ctf:as ('eu-file-type' ?x)",
        "?d dct:title 'x' ; ctf:as (?s ?x)",
        "?d ctf:resolve/ctf:type ?x",
    ],
)
def test_oxigraph_says_that_it_has_no_functions_as_properties(pattern: str) -> None:
    with pytest.raises(CturiError, match="a function as a property"):
        in_oxrdflib(f"{PREFIXES}SELECT ?x {{ {pattern} }}", Graph())
    with pytest.raises(CturiError, match="a function as a property"):
        check_query(f"{PREFIXES}SELECT ?x {{ {pattern} }}", properties=False)


def test_a_function_in_a_path_is_refused() -> None:
    with pytest.raises(CturiError, match="property path"):
        in_rdflib(f"{PREFIXES}SELECT ?x {{ 'CSV' ctf:resolve/ctf:type ?x }}", Graph())


# --- Names that do not exist ----------------------------------------------------------------

UNKNOWN = [
    "SELECT ?x { BIND(ctf:isXLM('a') AS ?x) }",
    "SELECT ?x { ?s ?p ?o FILTER(!ctf:isXLM(?o)) }",
    "SELECT ?x { ?s ?p ?o FILTER NOT EXISTS { ?s ?q ?r FILTER(ctf:isXLM(?r)) } }",
    "SELECT ?x { { SELECT (ctf:isXLM(?o) AS ?x) { ?s ?p ?o } } }",
    "SELECT ?x { 'text/xml' ctf:isXLM ?x }",
    "SELECT ?x { ?x ?p ?o } GROUP BY ?x HAVING (ctf:isXLM(MIN(?o)))",
    "SELECT ?x { ?x ?p ?o } ORDER BY ctf:isXLM(?o)",
]


@pytest.mark.parametrize("query", UNKNOWN)
def test_a_function_that_does_not_exist_is_named_before_the_query_runs(query: str) -> None:
    for engine in (in_rdflib, in_oxrdflib):
        with pytest.raises(CturiError, match="ctf:isXLM") as caught:
            engine(PREFIXES + query, Graph())
        assert caught.value.expected == "ctf:isXML"
    with pytest.raises(CturiError, match="ctf:isXLM"):
        Graph().query(prepareQuery(PREFIXES + query))
    with pytest.raises(CturiError, match="ctf:isXLM"):
        check_query(PREFIXES + query)


UPDATES = [
    "INSERT { ?s ?p ?x } WHERE { ?s ?p ?o BIND(ctf:isXLM(?o) AS ?x) }",
    "DELETE { ?s ?p ?o } WHERE { ?s ?p ?o FILTER NOT EXISTS { ?s ?q ?r FILTER(ctf:isXLM(?r)) } }",
    "CLEAR ALL; INSERT { ?s ?p ?x } WHERE { { SELECT (ctf:isXLM(?o) AS ?x) { ?s ?p ?o } } }",
    "DELETE WHERE { ?s ?p ?o }; INSERT { ?s ?p 1 } WHERE { 'text/xml' ctf:isXLM ?x }",
]


@pytest.mark.parametrize("store", ["default", "Oxigraph"])
@pytest.mark.parametrize("update", UPDATES)
def test_an_update_that_names_a_function_that_does_not_exist_does_nothing(
    update: str, store: str
) -> None:
    graph = Graph(store=store)
    before = (EX.node, RDF.value, Literal("text/xml", datatype=XSD.string))
    graph.add(before)
    with pytest.raises(CturiError, match="ctf:isXLM") as caught:
        graph.update(PREFIXES + update)
    assert caught.value.expected == "ctf:isXML"
    assert list(graph) == [before]


def test_a_prepared_update_is_looked_at_too() -> None:
    graph = Graph()
    with pytest.raises(CturiError, match="ctf:isXLM"):
        graph.update(prepareUpdate(PREFIXES + UPDATES[0]))


@pytest.mark.parametrize("store", ["default", "Oxigraph"])
def test_an_update_calls_the_functions(store: str) -> None:
    graph = Graph(store=store)
    graph.add((EX.node, RDF.value, Literal("CSV")))
    graph.update(f"{PREFIXES}INSERT {{ ?s ?p ?x }} WHERE {{ ?s ?p ?o BIND(ctf:mint(?o) AS ?x) }}")
    assert URIRef("ContentType:text/csv") in set(graph.objects())


def test_a_shape_that_calls_a_function_that_does_not_exist_does_not_pass() -> None:
    query = f"{PREFIXES}SELECT ?x {{ BIND('garbage' AS ?x) FILTER(!ctf:isXLM(?x)) }}"
    with pytest.raises(CturiError, match="ctf:isXLM"):
        in_pyshacl(query, Graph())
    unregister_functions()
    # What pySHACL does by itself: the garbage conforms.
    assert in_pyshacl(query, Graph()) == []


@pytest.mark.parametrize(
    "text",
    [
        "ASK { FILTER('ctf:isXLM(1)' = \"ctf:nothing\") } # ctf:isXLM(1)",
        "ASK { FILTER(\"\"\"a \" ctf:isXLM(1)\"\"\" = '''it's ctf:isXLM''') }",
        "ASK { ?s other:isXLM ?o . ?s <https://w3id.org/cturi/function#isXML> 1 }",
        "PREFIX ctf: <http://other.example/> ASK { FILTER(ctf:isXLM(1)) }",
        "BASE <https://w3id.org/cturi/> ASK { FILTER(<function#isXML>(1)) }",
        "PREFIX : <https://w3id.org/cturi/function#> DELETE { ?s ?p 1 } WHERE { FILTER(:isXML(1))}",
        "PREFIX : <https://w3id.org/cturi/function#> ASK { _:isXLM ?p ?o }",
        "PREFIX",
        "\"unterminated ctf:isXML <ctf:isXLM> 'ctf",
    ],
)
def test_only_what_is_a_name_of_ours_is_looked_at(text: str) -> None:
    check_query(text, {"ctf": CTF})


@pytest.mark.parametrize(
    "text",
    [
        "BASE <https://w3id.org/cturi/> ASK { FILTER(<function#isXLM>(1)) }",
        "PREFIX : <https://w3id.org/cturi/function#> ASK { FILTER(:isXLM(1)) }",
        "PREFIX ctf:<https://w3id.org/cturi/function#>ASK{FILTER(ctf:isXLM(1))}",
        "# PREFIX ctf: <http://other.example/>\nASK { FILTER(ctf:isX\\-LM(1)) }",
    ],
)
def test_a_name_is_found_however_it_is_written(text: str) -> None:
    with pytest.raises(CturiError, match="no function of this name"):
        check_query(text, {"ctf": CTF})


@pytest.mark.parametrize(
    "piece", ["a.", "a-", "'", '"', '"\n', "<", "<a", ":", "ctf:", "\\", "#", "(", "1e"]
)
def test_a_long_query_is_looked_at_in_linear_time(piece: str) -> None:
    # Quadratic time would be minutes.
    check_query(piece * 200_000)


# --- Registering ----------------------------------------------------------------------------


def test_registering_is_repeatable_and_undone() -> None:
    query = f"{PREFIXES}SELECT ?x {{ BIND(ctf:header('CSV') AS ?x) }}"
    register_functions()
    assert in_rdflib(query, Graph()) == in_oxrdflib(query, Graph()) != [(None,)]
    unregister_functions()
    unregister_functions()
    assert in_rdflib(query, Graph()) == [(None,)]
    assert "cturi" not in CUSTOM_EVALS
    # rdflib has its own silence again, over a part that fails.
    Graph().update(PREFIXES + UPDATES[0])
    with pytest.raises(RuntimeError, match="not supported"):
        in_oxrdflib(query, Graph())
    register_functions()
    assert in_oxrdflib(query, Graph()) != [(None,)]


def test_what_resolve_gives_is_what_annotating_links_to() -> None:
    graph = Graph().parse(CATALOGUE)
    annotate(graph)
    resolved = (
        f"{PREFIXES}SELECT ?d ?t {{ {LABELS} FILTER(ISLITERAL(?label))"
        " { ?label ctf:resolve ?t } }"
    )
    found = in_rdflib(resolved, graph)
    assert len(found) == 10
    assert set(found) <= set(
        in_rdflib(f"{PREFIXES}SELECT ?d ?t {{ ?d ctv:contentType ?t }}", graph)
    )


def test_the_page_has_the_table_of_the_definitions() -> None:
    build = runpy.run_path(str(ROOT / "scripts" / "build_functions.py"))
    page = (ROOT / "docs" / "sparql.md").read_text("utf-8")
    assert build["built"](page) == page
    assert function_table() in page


def test_every_function_has_a_summary_and_an_example_that_has_a_value() -> None:
    for each in FUNCTIONS.values():
        assert each.summary.endswith("."), each
        assert each.examples[0].value is not None, each
        assert re.fullmatch(r"[a-z][A-Za-z]*", each.name)
        assert each.iri == CTF + each.name


# --- What others have registered -------------------------------------------------------------


class TheirProcessor(SPARQLUpdateProcessor):
    """A processor of updates that somebody else has registered."""

    seen: ClassVar[list[object]] = []

    def update(self, strOrQuery: Any, initBindings: Any = None, initNs: Any = None) -> None:  # noqa: N803
        """Run an update as rdflib does, and note it."""
        self.seen.append(strOrQuery)
        super().update(strOrQuery, initBindings or {}, initNs or {})


def test_the_processor_of_somebody_else_runs_the_updates_and_is_given_back() -> None:
    before = plugin._plugins["sparql", UpdateProcessor]
    plugin.register("sparql", UpdateProcessor, __name__, TheirProcessor.__name__)
    try:
        with registered_functions():
            graph = Graph()
            graph.update("INSERT DATA { <a:b> <a:c> 1 }")
            assert len(graph) == len(TheirProcessor.seen) == 1
        assert plugin.get("sparql", UpdateProcessor) is TheirProcessor
        register_functions()
        # Registered in the meantime: it stays.
        plugin.register("sparql", UpdateProcessor, __name__, TheirProcessor.__name__)
        unregister_functions()
        assert plugin.get("sparql", UpdateProcessor) is TheirProcessor
    finally:
        plugin._plugins["sparql", UpdateProcessor] = before


def test_functions_stay_until_the_last_context_ends() -> None:
    def known() -> bool:
        return any(each.startswith(CTF) for each in _CUSTOM_FUNCTIONS)

    first, second = registered_functions(), registered_functions()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert known()
    unregister_functions()
    assert known()
    second.__exit__(None, None, None)
    assert not known()


def test_the_first_queries_of_a_process_may_come_from_many_threads() -> None:
    script = """
import threading
from rdflib import Graph
from cturi_rdf.rdf import register_functions
from cturi_rdf.sparql.functions import CTF
register_functions()
gate, answers = threading.Barrier(16), []
def work():
    gate.wait()
    for _ in range(3):
        result = Graph().query('SELECT (ctf:header("CSV") AS ?h) {}', initNs={"ctf": CTF})
        answers.extend(str(row.h) for row in result)
threads = [threading.Thread(target=work) for _ in range(16)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(len(answers), set(answers))
"""
    run = python("-c", script)
    assert run.stdout == "48 {'text/csv'}\n", run.stderr


def test_the_results_of_functions_are_kept_in_bounded_memory() -> None:
    function = oxigraph_functions()[pyoxigraph.NamedNode(f"{CTF}isXML")]
    tracemalloc.start()
    for number in range(3_000):
        function(pyoxigraph.Literal(f"{number} " + "description " * 800))
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < 3_000_000


def test_an_update_is_run_by_a_processor_whose_functions_are_gone() -> None:
    graph = Graph()
    with registered_functions():
        from cturi_rdf.sparql.functions.in_rdflib import (  # noqa: PLC0415 - what is tested
            CheckedUpdateProcessor,
        )
    CheckedUpdateProcessor(graph).update(
        "INSERT DATA { <http://a.example/> a <http://b.example/> }"
    )
    assert len(graph) == 1
