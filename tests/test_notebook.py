"""The extension of IPython: tables of rdflib's values, and SPARQL in a cell."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell
from rdflib import Graph

from cturi_rdf import CturiError
from cturi_rdf._util.display import Table
from cturi_rdf.labels import resolve_all
from cturi_rdf.notebook import query, table
from cturi_rdf.rdf import annotate, headers
from cturi_rdf.sparql.functions import unregister_functions

if TYPE_CHECKING:
    from collections.abc import Iterator

DATA = """@prefix dcat: <http://www.w3.org/ns/dcat#> . @prefix a: <https://a.example/> .
    a:x dcat:mediaType "text/csv" . a:y dcat:mediaType "application/geo+json" ."""
VALIDATION = """@prefix sh: <http://www.w3.org/ns/shacl#> .
    [] a sh:ValidationReport ; sh:result [ a sh:ValidationResult ; sh:focusNode <urn:x> ;
        sh:resultSeverity sh:Violation ; sh:resultMessage "No <type>." ] ."""


@pytest.fixture
def graph() -> Iterator[Graph]:
    graph = Graph().parse(data=DATA, format="turtle")
    annotate(graph)
    yield graph
    unregister_functions()


@pytest.fixture(params=["notebook", "terminal"])
def shell(request: pytest.FixtureRequest, graph: Graph) -> Iterator[InteractiveShell]:
    shell = InteractiveShell()
    if request.param == "terminal":
        shell.pt_app = None
    shell.extension_manager.load_extension("cturi_rdf.notebook")
    shell.user_ns["catalogue"] = graph
    yield shell
    shell.extension_manager.unload_extension("cturi_rdf.notebook")
    InteractiveShell.clear_instance()


def _run(shell: InteractiveShell, line: str, cell: str) -> Any:
    return shell.run_cell_magic("sparql", line, cell)


def test_a_line_of_sparql_is_the_name_of_a_graph_and_a_query(shell: InteractiveShell) -> None:
    shell.push({"empty": Graph()})
    answer = shell.run_line_magic("sparql", 'empty SELECT (ctf:header("CSV") AS ?header) {}')
    assert answer.rows == [("text/csv",)]
    shell.run_line_magic("sparql", "empty --allow-network  --into kept ASK {}")
    assert shell.user_ns["kept"].rows == [(True,)]
    with pytest.raises(UsageError):
        shell.run_line_magic("sparql", "none ASK {}")
    with pytest.raises(UsageError, match=r"%sparql\n.*see %%sparql\?"):
        shell.run_line_magic("sparql", "")


def test_a_cell_of_sparql_gives_a_table(shell: InteractiveShell) -> None:
    found = _run(shell, "catalogue", "SELECT ?x { ?x ctv:contentType ?t FILTER(ctf:isJSON(?t)) }")
    assert found.rows == [("https://a.example/y",)]
    assert found.to_pandas()["x"].to_list() == ["https://a.example/y"]


def test_the_answer_is_kept_by_a_name(shell: InteractiveShell) -> None:
    _run(shell, "catalogue --into kept", "ASK { ?x dcat:mediaType 'text/csv' }")
    assert shell.user_ns["kept"].rows == [(True,)]


@pytest.mark.parametrize(
    ("line", "cell", "problem"),
    [
        ("nothing", "ASK {}", "'nothing' is not a variable with a graph"),
        ("", "ASK {}", "required: graph"),
        ("catalogue more", "ASK {}", "unrecognized"),
        ("catalogue --into a-b", "ASK {}", "'a-b' is not a name of a variable"),
        ("catalogue --into class", "ASK {}", "'class' is not a name of a variable"),
        ("catalogue", "SELEC ?x {}", "expected SELECT"),
        ("catalogue", "SELECT ?x { ?x ?y ?z", "expected '}'"),
        ("catalogue", "SELECT ?x { ?x ?y ?z FILTER(?z > 1", r"expected '\)'"),
        ("catalogue", "SELECT ?x { ?x no:prefix ?y }", "no:"),
        ("catalogue", "SELECT (ctf:nosuch(1) AS ?x) {}", "nosuch"),
    ],
)
def test_a_query_that_cannot_run_is_one_message(
    shell: InteractiveShell, line: str, cell: str, problem: str
) -> None:
    with pytest.raises(UsageError, match=problem):
        _run(shell, line, cell)


def test_lists_results_and_graphs_are_tables(shell: InteractiveShell, graph: Graph) -> None:
    text = "SELECT (1.5 AS ?a) (COUNT(*) AS ?b) (?no AS ?c) { ?s ?p ?o }"
    for value in (resolve_all(["<b>", "WMS"]), headers(graph), graph.query(text), graph):
        data, _ = shell.display_formatter.format(value)
        assert "<table>" in data["text/html"]
        assert ("──" in data["text/plain"]) is hasattr(shell, "pt_app")
    assert table(graph.query(text)).rows == [(1.5, len(graph), None)]


def test_other_lists_are_shown_as_before(shell: InteractiveShell) -> None:
    for value in ([], [1, 2], [resolve_all(["a"])[0], 1]):
        data, _ = shell.display_formatter.format(value)
        assert "text/html" not in data
        assert data["text/plain"] == shell.display_formatter.formatters["text/plain"](value)
        assert data["text/plain"].startswith("[")


def test_unloading_takes_all_of_it_away(graph: Graph) -> None:
    shell = InteractiveShell()
    shell.extension_manager.load_extension("cturi_rdf.notebook")
    shell.extension_manager.unload_extension("cturi_rdf.notebook")
    assert "sparql" not in shell.magics_manager.magics["cell"]
    assert "text/html" not in shell.display_formatter.format(graph)[0]


def test_a_construct_gives_a_graph_with_the_usual_prefixes(graph: Graph) -> None:
    found = query(graph, "CONSTRUCT { ?x a ?t } { ?x ctv:contentType ?t }")
    assert isinstance(found, Graph)
    assert len(found) == 2
    assert "ctv" in dict(found.namespaces())
    assert table(graph.query("CONSTRUCT { ?x a ?t } { ?x a ?t }")).columns[0] == "subject"


@pytest.mark.parametrize(("literal", "cell"), [
    ("2.50", 2.5), ("true", True), ("'2020-05-01'^^xsd:date", date(2020, 5, 1)),
    ("'no number'^^xsd:integer", "no number"), ("'0AFF'^^xsd:hexBinary", "0AFF"),
    ("'AAA='^^xsd:base64Binary", "AAA="), ("'P1D'^^xsd:duration", "P1D"),
    ("'<b>a</b>'^^rdf:HTML", "<b>a</b>"), ("'<b>a</b>'^^rdf:XMLLiteral", "<b>a</b>"),
])  # fmt: skip
def test_a_literal_is_a_number_a_boolean_or_a_date_or_else_its_text(
    literal: str, cell: object
) -> None:
    answer = query(Graph(), f"SELECT ({literal} AS ?x) {{}}")
    assert isinstance(answer, Table)
    assert answer.rows == [(cell,)]


def test_a_query_that_fails_raises_our_error(graph: Graph) -> None:
    with pytest.raises(CturiError, match="a query, which only reads"):
        query(graph, "INSERT DATA {}")


def test_results_of_a_validation_are_rows() -> None:
    report = Graph().parse(data=VALIDATION, format="turtle")
    for value in (report, (False, report, "text")):
        made = table(value)
        assert isinstance(made, Table)
        assert made.rows == [("Violation", "urn:x", None, None, "No <type>.")]
        assert "No &lt;type&gt;." in made.to_html()


def test_the_results_of_a_validation_are_in_the_order_of_their_severity_and_node() -> None:
    results = [("Warning", "b"), ("Violation", "c"), ("Violation", "a")]
    report = Graph().parse(
        data="@prefix sh: <http://www.w3.org/ns/shacl#> ."
        + "".join(
            f"[] a sh:ValidationResult ; sh:resultSeverity sh:{level} ; sh:focusNode <urn:{node}> ;"
            ' sh:resultMessage "Wrong"@en, "Falsch"@de .'
            for level, node in results
        )
    )
    made = table(report)
    assert [row[:2] for row in made.rows] == [(one, f"urn:{node}") for one, node in sorted(results)]
    assert {row[4] for row in made.rows} <= {"Wrong", "Falsch"}
    assert made.caption == "3 validation results"


@pytest.mark.parametrize("value", [[], [1, 2], [resolve_all(["a"])[0], 1], (True, Graph()), 5, "x"])
def test_only_values_of_one_kind_of_this_package_are_a_table(value: object) -> None:
    with pytest.raises(TypeError, match="table"):
        table(value)


def test_one_value_is_its_own_table_and_several_have_a_row_each() -> None:
    csv, wms = resolve_all(["CSV", "WMS"])
    assert table([csv]).rows == csv.as_table().rows
    both = table([csv, wms])
    assert [row[:2] for row in both.rows] == [("CSV", "media_type"), ("WMS", "service")]
    assert both.caption == "2 values"


def test_two_prefixes_of_one_namespace_are_both_known(graph: Graph) -> None:
    graph.bind("dcterms", "http://purl.org/dc/terms/")
    for prefix in ("dct", "dcterms"):
        found = query(graph, f"ASK {{ ?x {prefix}:nothing ?y }}")
        assert found.rows == [(False,)]


def test_the_table_of_headers_has_a_text_once_as_evidence() -> None:
    graph = Graph().parse(
        format="turtle",
        data="""
        @prefix dct: <http://purl.org/dc/terms/> .
        <https://a.example/b.zip> dct:format "Zipped CSV" .""",
    )
    annotate(graph)
    ((evidence,),) = [row[-1:] for row in headers(graph).as_table().rows]
    assert evidence == "Zipped CSV, ContentType:application/zip"


def test_the_table_of_headers_marks_a_blank_node_without_a_name() -> None:
    graph = Graph().parse(format="turtle", data='[ <http://purl.org/dc/terms/format> "CSV" ] .')
    (header,) = headers(graph)
    assert header.as_table().rows[0][0] == f"_:{header.resource}"


def test_an_error_in_a_cell_is_shown_in_three_lines(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str]
) -> None:
    shell.push({"query": query})
    shell.run_cell('query(catalogue, "SELECT ?x {")')
    shown = capsys.readouterr().out.strip().splitlines()
    assert len(shown) == 3
    assert shown[0] == "CturiError: not valid SPARQL"
    # Jupyter ends a cell with a line end, which is not part of the query.
    with pytest.raises(UsageError) as error:
        _run(shell, "catalogue", "SELECT ?x {\n")
    assert str(error.value).splitlines()[1:] == [
        "    SELECT ?x {",
        "               ^ expected '}' (SPARQL 1.1)",
    ]
