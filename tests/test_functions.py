"""The functions of SPARQL: every one, the same on every engine."""

from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox
import pytest
from conftest import examples
from engines import ENGINES, EX, PREFIXES, in_oxrdflib, in_rdflib, plain
from hypothesis import given, settings
from hypothesis import strategies as st
from rdflib import RDF, XSD, BNode, Dataset, Graph, Literal, URIRef
from rdflib.util import from_n3

from cturi_rdf import CturiError
from cturi_rdf.rdf import annotate
from cturi_rdf.reading.terms import lenient_ox
from cturi_rdf.sparql.functions import (
    CTF,
    FUNCTIONS,
    check_query,
    function_table,
    oxigraph_functions,
    register_functions,
    unregister_functions,
)
from cturi_rdf.sparql.query import run

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Write
    from rdflib.term import Node

    Row = tuple[Node | None, ...]
    Engine = Callable[[str, Graph], list[Row]]

pytestmark = pytest.mark.usefixtures("registered")

ROOT = Path(__file__).parents[1]
CATALOGUE = ROOT / "examples" / "catalogue.ttl"
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
    assert ENGINES[engine](query, Graph()) == [(plain(_read(expected)),)]


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
    number = ox.Literal("9" * 5_000, datatype=ox.NamedNode(str(XSD.integer)))
    assert FUNCTIONS["resolve"].value(ox.Literal("CSV"), number) is None


WRONG = {
    "ctf:isXML()": "a call with 0 arguments",
    "ctf:isXML('text/xml', 'text/xml')": "a call with 2 arguments",
    "ctf:isXML(1)": "an argument that is not a label",
    "ctf:isXML(BNODE())": "an argument that is not a label",
    "ctf:parameter('text/csv', 1)": "an argument that is not a string",
    "ctf:encoding('text/xml', 'FEFF')": "an argument that does not contain octets",
    "ctf:as('text/csv', 1)": "an argument that is not an IRI",
    "ctf:as('text/csv', 'no scheme')": "a scheme that is unknown",
    "ctf:resolve('CSV', 'x')": "a last argument that is not a number",
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
    [
        "ctf:encoding('text/xml', 'x'^^xsd:hexBinary)",
        "ctf:resolve('CSV', '٣'^^xsd:integer)",
        "ctf:resolve('CSV', 0)",
        "ctf:header(<ContentType:nothing>)",
        "ctf:isXML(ctf:mint('WMS'))",
        "ctf:isXML(?unbound)",
    ],
)
@pytest.mark.parametrize("engine", ["rdflib", "oxrdflib", "oxigraph"])
def test_an_argument_that_means_nothing_is_an_error_and_not_logged(
    engine: str, expression: str, caplog: pytest.LogCaptureFixture
) -> None:
    query = f"{PREFIXES}SELECT ?x {{ BIND({expression} AS ?x) }}"
    assert ENGINES[engine](query, Graph()) == [(None,)]
    assert [each for each in caplog.records if each.name.startswith("cturi")] == []


_TEXTS = st.text(max_size=30) | st.sampled_from(
    ["text/csv", "CSV, JSON", "ContentType:text/csv?a=%22b%22", "*/*"]
)
_DATATYPES = st.sampled_from([None, XSD.string, XSD.integer, XSD.hexBinary, XSD.base64Binary])
_TERMS = st.one_of(
    st.builds(URIRef, _TEXTS),
    st.builds(BNode, _TEXTS),
    st.builds(Literal, _TEXTS, datatype=_DATATYPES, normalize=st.just(value=False)),
).map(lenient_ox)


@given(st.sampled_from(sorted(FUNCTIONS)), st.lists(_TERMS, max_size=4))
@settings(max_examples=examples(150))
def test_no_argument_raises(name: str, terms: list[Any]) -> None:
    values = FUNCTIONS[name].values(*terms)
    assert FUNCTIONS[name].value(*terms) in {*values, None} or len(terms) > 1


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


@pytest.mark.parametrize(
    ("header", "name", "value"),
    [
        ("text/csv; Header=present", "HEADER", "present"),
        # There a name is a key of a query, whose case is data.
        ("application/uri.http%3A%2F%2Fa; Key=1; key=2", "Key", "1"),
        ("application/uri.http%3A%2F%2Fa; Key=1; key=2", "KEY", None),
        ("application/uri.http%3A%2F%2Fa; URI-Fragment=b", "uri-fragment", "b"),
    ],
)
def test_the_name_of_a_parameter_has_the_case_that_counts(
    header: str, name: str, value: str | None
) -> None:
    parameter = FUNCTIONS["parameter"].value(ox.Literal(header), ox.Literal(name))
    assert parameter == (None if value is None else ox.Literal(value))


@pytest.mark.parametrize("engine", ENGINES)
def test_a_profile_that_is_no_iri_is_passed_over(engine: str) -> None:
    call = 'ctf:profile("a/b; profile=\\"x http://a.example/1\\"")'
    query = f"{PREFIXES}SELECT ?x {{ BIND({call} AS ?x) }}"
    assert ENGINES[engine](query, Graph()) == [(URIRef("http://a.example/1"),)]


def test_an_iri_with_its_type_in_the_query_is_a_node_of_it() -> None:
    iri = "http://a.example/?MIME-type=%22text/csv%22"
    assert FUNCTIONS["essence"].value(ox.NamedNode(iri)) == ox.Literal("text/csv")


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
            ["TIFF"],
        ),
        ("'CSV' ctf:resolve <ContentType:text/csv> ; ctf:verdict ?x", ["media_type"]),
        ("'CSV' ctf:resolve <ContentType:text/html> ; ctf:verdict ?x", []),
        # A string is one whether its datatype is written or not, and not one of a language.
        ("VALUES ?x { 'text' 'text'^^xsd:string 'text'@en } 'CSV' ctf:type ?x", ["text", "text"]),
        ("<https://catalogue.example/iris-csv> dcat:mediaType ?l . ?l ctf:subtype ?x", ["csv"]),
    ],
)
def test_a_function_as_a_property_gives_all_its_values(
    pattern: str, expected: list[str], catalogue: Graph
) -> None:
    found = in_rdflib(f"{PREFIXES}SELECT ?x {{ {pattern} }}", catalogue)
    assert sorted(str(x) for (x,) in found) == sorted(expected)


@pytest.mark.parametrize(
    ("call", "value"),
    [
        ("ctf:type('text/csv'@en)", "text"),
        ("ctf:encoding('text/csv; charset=x-own')", "x-own"),
        ("ctf:encoding('text/csv')", None),
    ],
)
def test_an_argument_may_have_a_language_and_a_character_set_any_name(
    call: str, value: str | None
) -> None:
    query = f"{PREFIXES}SELECT ?x {{ BIND({call} AS ?x) }}"
    assert [str(x) for (x,) in in_rdflib(query, Graph()) if x] == ([value] if value else [])


def test_a_function_as_a_property_works_in_a_named_graph() -> None:
    dataset = Dataset()
    dataset.graph(EX.graph).add((EX.data, EX.label, Literal("CSV, JSON")))
    query = f"{PREFIXES}SELECT ?x {{ GRAPH ?g {{ ?d ?p ?l . ?l ctf:resolve ?x }} }}"
    assert len(in_rdflib(query, dataset)) == 2


@pytest.mark.parametrize("rest", ["", "; rdf:rest _:list", "; rdf:rest [ rdf:rest _:list ]"])
def test_a_list_of_arguments_may_be_broken(rest: str) -> None:
    # It has no value, for want of an argument.
    pattern = f"'text/csv' ctf:as _:list . _:list rdf:first ?x {rest}"
    assert in_rdflib(f"PREFIX rdf: <{RDF}> {PREFIXES} SELECT ?x {{ {pattern} }}", Graph()) == []


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


def test_what_resolve_gives_is_what_annotating_links_to() -> None:
    graph = Graph().parse(CATALOGUE)
    annotate(graph)
    resolved = (
        f"{PREFIXES}SELECT ?d ?t {{ {LABELS} FILTER(ISLITERAL(?label))"
        " { ?label ctf:resolve ?t } }"
    )
    found = in_rdflib(resolved, graph)
    assert len(found) == 10
    linked = set(in_rdflib(f"{PREFIXES}SELECT ?d ?t {{ ?d ctv:contentType ?t }}", graph))
    # Another label of the resource says GeoJSON, which is JSON.
    assert [str(content_type) for _, content_type in set(found) - linked] == [
        "ContentType:application/json"
    ]


def test_the_page_has_the_table_of_the_definitions() -> None:
    assert function_table() in (ROOT / "docs" / "sparql.md").read_text("utf-8")


def test_every_function_has_a_summary_and_an_example_that_has_a_value() -> None:
    for each in FUNCTIONS.values():
        assert each.summary.endswith("."), each
        assert each.examples[0].value is not None, each
        assert re.fullmatch(r"[a-z][A-Za-z]*", each.name)
        assert each.iri == CTF + each.name


@pytest.mark.parametrize(("call", "shown", "expected"), [
    ("ctf:as(?x, <http://a.example/>)", "<http://a.example/>", "one of iana-https, iana-http, w3c"),
    ("ctf:as(?x, 'wikdata')", "'wikdata'", "wikidata"),
    ('ctf:as(?x, """wikdata""")', '"""wikdata"""', "wikidata"),
    ("ctf:encoding(?x, 'abc')", "ctf:encoding", "an xsd:base64Binary or xsd:hexBinary"),
    ("ctf:mint()", "ctf:mint", "1"),
    ("ctf:mint('a', 'b')", "ctf:mint", "1"),
    ("ctf:best('a')", "ctf:best", "2 and more"),
    ("ctf:encoding(1, 2, 3)", "ctf:encoding", "1 to 2"),
    ("ctf:resolve('a', 'b', 'c')", "ctf:resolve", "1, and perhaps the number of a value"),
])  # fmt: skip
def test_a_call_that_cannot_be_right_is_refused_before_the_query_runs(
    call: str, shown: str, expected: str
) -> None:
    with pytest.raises(CturiError) as refused:
        run(f"SELECT ({call} AS ?y) {{ BIND('CSV' AS ?x) }}")
    assert refused.value.text == shown
    assert refused.value.expected.startswith(expected)
    if expected == "1":
        assert refused.value.expected == expected


@pytest.mark.parametrize(
    "call", ["ctf:as(?x, 'eu-file-type', 2)", "ctf:best('a/b', ?x, ?x, ?x)", "ctf:mint('no type')"]
)
def test_a_call_whose_values_only_the_query_knows_is_run(call: str) -> None:
    assert len(run(f"SELECT ({call} AS ?y) {{ BIND('CSV' AS ?x) }}")) == 1


def test_a_function_is_shown_as_it_is_called() -> None:
    assert repr(FUNCTIONS["as"]) == "<Function ctf:as(x, scheme, [n])>"


def test_a_header_of_an_unknown_top_level_type_is_a_type_where_it_is_no_label() -> None:
    for text, named in (("x-a/b", "ContentType:x-a/b"), ("csv/zip", "ContentType:text/csv")):
        assert [str(row.t) for row in run(f"SELECT (ctf:mint('{text}') AS ?t) {{}}")] == [named]


DATA = """@prefix dct: <http://purl.org/dc/terms/> . <urn:d> dct:format "CSV" .
    <urn:g> { <urn:e> dct:format "JSON" . }"""


@pytest.mark.parametrize(("query", "answer"), [
    ("ASK { ?d dct:format ?f . ?f ctf:mint ?t }", True),
    ("ASK { ?d dct:format ?f . ?f ctf:suffix 'none' }", False),
    ("CONSTRUCT { ?d <urn:t> ?t } { ?d dct:format ?f . ?f ctf:mint ?t }",
     {("urn:d", "ContentType:text/csv"), ("urn:e", "ContentType:application/json")}),
    ("SELECT ?d ?t { GRAPH <urn:g> { ?d dct:format ?f . ?f ctf:mint ?t } }",
     {("urn:e", "ContentType:application/json")}),
    ("SELECT ?d (COUNT(?t) AS ?n) { ?d dct:format ?f . ?f ctf:mint ?t } GROUP BY ?d",
     {("urn:d", "1"), ("urn:e", "1")}),
    ("SELECT ?d (COUNT(?t) AS ?n) { ?d dct:title ?f . ?f ctf:mint ?t } GROUP BY ?d", set()),
])  # fmt: skip
def test_a_query_of_any_form_may_use_a_function_as_a_property(
    write: Write, query: str, answer: Any
) -> None:
    result = run(query, write("a.trig", DATA))
    if isinstance(answer, bool):
        assert result.askAnswer is answer
    elif result.graph is not None:
        assert {(str(s), str(o)) for s, _, o in result.graph} == answer
    else:
        assert {tuple(map(str, row)) for row in result} == answer


def test_what_rdflib_cannot_read_is_shown_at_its_place() -> None:
    text = "SELECT ?t { 'CSV' ctf:mint ?t } ORDER"
    with pytest.raises(CturiError, match="not valid SPARQL") as refused:
        run(text)
    assert refused.value.span == (text.index("ORDER"), text.index("ORDER") + 1)
    with pytest.raises(CturiError, match="FROM beside a function as a property"):
        run("SELECT ?t FROM <https://w3id.org/cturi/registry> { 'CSV' ctf:mint ?t }")
