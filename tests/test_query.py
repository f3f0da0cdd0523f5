"""`cturi query`: its answers, their formats, and its refusals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph
import pytest
from queries import EX, EXAMPLE, ONE, cturi_query
from rdflib import DCAT, DCTERMS, RDF, BNode, Dataset, Graph, URIRef
from rdflib.plugins.sparql import CUSTOM_EVALS
from rdflib.plugins.sparql.operators import _CUSTOM_FUNCTIONS
from repairs import HEAD

from cturi_rdf import CturiError
from cturi_rdf.catalogue.value_forms import is_right
from cturi_rdf.facts import is_archive
from cturi_rdf.labels import resolve
from cturi_rdf.labels.names import name_key
from cturi_rdf.rdf import CTV, annotate, register_functions, unregister_functions
from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.reading.terms import from_ox, to_ox
from cturi_rdf.repair import plan_file, profile_named
from cturi_rdf.sparql import query_data
from cturi_rdf.sparql.functions import CTF
from cturi_rdf.sparql.functions.function import _content_type
from cturi_rdf.sparql.query import ready_made, run

if TYPE_CHECKING:
    from conftest import Cturi, Write


ROOT = Path(__file__).parents[1]


def _error(*arguments: object) -> CturiError:
    result = cturi_query(*arguments)
    assert isinstance(result.exception, CturiError), result.output
    assert result.output == ""
    return result.exception


# --- The queries of the package --------------------------------------------------------------

ANSWERS = {
    "conflicts": [f"{EX}world-bank-xlsx,application/vnd.ms-excel,application/vnd.openxmlformats-"],
    "guesses": [],
    "headers": [f"{EX}ghcn-csv,text/csv", f"{EX}osm-xml,application/x-bzip2"],
    "not-understood": [f"whatever you like,1,{EX}bathymetry-netcdf,Nothing in it names a format."],
    "outdated": [
        "application/vnd.geo+json,application/geo+json",
        "text/tsv,text/tab-separated-values",
    ],
    "publishers": ["https://www.gebco.net/,3,1,1,1", "https://www.uniprot.org/,3,2,1,0"],
    "services": ["API,1", "SPARQL endpoint,1", "WMS,1"],
    "suffixes": ["xml,application/xml,", "zip,application/zip,"],
    "types": ["application/json,1", "text/csv; charset=us-ascii; header=absent,1"],
    "unregistered": ["application/vnd.openstreetmap.data+pbf,1"],
    "xml": [
        f"{EX}osm-xml,application/vnd.openstreetmap.data+xml",
        f"{EX}uniprot-rdf,application/rdf+xml",
    ],
}
# Of these the answers above are a part.
LONG = {"headers": 13, "publishers": 12, "suffixes": None, "types": 15}


def test_every_query_of_the_package_has_an_answer_here_and_is_listed() -> None:
    listed = dict(line.split(maxsplit=1) for line in cturi_query("--list").output.splitlines())
    assert listed == {each.name: each.title for each in ready_made().values()}
    # The answer of one is a graph.
    assert set(listed) == {*ANSWERS, "repaired"}


def test_guesses_come_with_the_reason_and_the_place(write: Write) -> None:
    file = write(
        "c.ttl",
        "@prefix dct: <http://purl.org/dc/terms/> . @prefix dcat: <http://www.w3.org/ns/dcat#> ."
        "<http://a.example/x> dct:format 'Excel-Tabelle', 'CSV', 'whatever you like' ."
        "[] dct:format 'Excel-Tabelle' ; dcat:downloadURL <http://a.example/y> .",
    )
    rows = cturi_query("guesses", str(file), "--to", "csv").output.splitlines()
    why = "Excel-Tabelle is a name for application/vnd.ms-excel."
    assert rows[0] == "label,header,reason,resources,first"
    assert rows[1:] == [f"Excel-Tabelle,application/vnd.ms-excel,{why},2,http://a.example/x"]


def test_the_repaired_statements_are_those_that_a_repair_writes() -> None:
    constructed = Graph().parse(data=cturi_query("repaired", EXAMPLE).output, format="turtle")
    profile = profile_named("dcat-ap")
    for path in profile.properties:
        rule = profile.rule_for(path)
        values = list(constructed.objects(None, URIRef(path.value)))
        assert rule is not None
        assert rule.type is not None
        assert values
        assert all(is_right(rule, to_ox(value)) for value in values)
        assert all((value, RDF.type, URIRef(rule.type.value)) in constructed for value in values)
    plan = plan_file(str(EXAMPLE), profile="dcat-ap")
    original, repaired = (
        Graph().parse(data=text, format="turtle") for text in (plan.original, plan.edited)
    )
    agreeing = 0
    for resource, path, value in constructed:
        written = {*repaired.objects(resource, path)} - {*original.objects(resource, path)}
        # A blank node has another name in each graph.
        written = {term for term in written if not isinstance(term, BNode)}
        if written and path != RDF.type:
            # The query gives the most special media type, the repair keeps the one that is stated.
            broader = {URIRef(str(value).replace("geo+json", "json"))}
            assert written & {value, *broader}
            agreeing += 1
    assert agreeing > 5


# A code of the EU that is narrower than its media type, a content beside its package, the more
# special of two types that agree, a plain name; a service, which has no media type, and what
# DCAT-AP says nothing of.
TOGETHER = """
@prefix dcat: <http://www.w3.org/ns/dcat#> .
@prefix dct: <http://purl.org/dc/terms/> .
<a:1> a dcat:Distribution ; dct:format "GeoTIFF" .
<a:2> a dcat:Distribution ; dct:format "PDF/A-2b" .
<a:3> a dcat:Distribution ; dct:format "Zipped Shapefile" ; dcat:mediaType "application/zip" .
<a:4> a dcat:Distribution ; dct:format "GeoJSON" ; dcat:mediaType "application/json" .
<a:5> a dcat:Distribution ; dct:format "TIFF" , "image/tiff" .
<a:6> a dcat:DataService ; dct:format "JSON" .
<a:7> a dcat:Dataset ; dct:format "CSV" .
<a:8> a <http://schema.org/DataDownload> ; <http://schema.org/encodingFormat> "CSV" .
<a:9> dct:format "CSV" .
"""


def test_the_query_and_the_repair_give_each_distribution_the_same_formats(write: Write) -> None:
    file = write("c.ttl", TOGETHER)
    asked = Graph().parse(data=cturi_query("repaired", str(file)).output, format="turtle")
    repaired = Graph().parse(
        data=plan_file(str(file), profile="dcat-ap").edited.decode(), format="turtle"
    )
    for name in ("http://purl.org/dc/terms/format", "http://www.w3.org/ns/dcat#packageFormat"):
        pairs = [
            {pair for pair in graph.subject_objects(URIRef(name)) if isinstance(pair[1], URIRef)}
            for graph in (asked, repaired)
        ]
        assert pairs[0] == pairs[1] != set()
    typed = {str(one) for one in asked.subjects(URIRef("http://www.w3.org/ns/dcat#mediaType"))}
    assert typed == {"a:1", "a:2", "a:3", "a:4", "a:5", "a:9"}


def test_the_repaired_statements_are_asked_for_in_any_store() -> None:
    annotated = Graph().parse(EXAMPLE)
    annotate(annotated)
    store = pyoxigraph.Store()
    store.extend(pyoxigraph.Quad(*map(to_ox, triple)) for triple in annotated)
    triples = {tuple(map(from_ox, triple)) for triple in store.query(ready_made()["repaired"].text)}
    output = cturi_query("repaired", EXAMPLE).output
    assert triples == set(Graph().parse(data=output, format="turtle"))


@pytest.mark.daily(3)
@pytest.mark.parametrize("name", ANSWERS)
def test_a_query_of_the_package_answers_on_the_example(name: str) -> None:
    result = cturi_query(name, EXAMPLE, "--to", "csv")
    assert result.exit_code == 0, result.exception
    _, *rows = result.output.splitlines()
    for expected in ANSWERS[name]:
        assert any(row.startswith(expected) for row in rows), rows
    length = LONG.get(name, len(ANSWERS[name]))
    assert length is None or len(rows) == length


NAMELESS = """
@prefix dcat: <http://www.w3.org/ns/dcat#> .  @prefix dct: <http://purl.org/dc/terms/> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> .
<http://a.example/1> dct:publisher [ foaf:name "Agency A", "Amt A" ] ; dcat:distribution
    [ dct:format "PDF", "CSV" ; dcat:downloadURL <http://a.example/x> ],
    [ dct:format "blubb-7" ; dct:title "Loans" ].
<http://a.example/2> dct:publisher [ foaf:name "Agency A" ] ; dcat:distribution
    [ dct:format "GML", "WFS" ].
<http://a.example/3> dct:publisher [] ; dcat:distribution [ dct:format "JSON" ] .
"""


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("conflicts", ["http://a.example/x,application/pdf,text/csv"]),
        ("not-understood", ["blubb-7,1,Loans,Nothing in it names a format."]),
        ("xml", ["http://a.example/2,application/gml+xml"]),
        ("publishers", ["Agency A,5,3,1,1", "without a name,1,1,0,0"]),
    ],
)
def test_a_query_of_the_package_calls_blank_nodes_by_name(
    name: str, rows: list[str], tmp_path: Path
) -> None:
    (tmp_path / "in.ttl").write_text(NAMELESS)
    _, *found = cturi_query(name, str(tmp_path / "in.ttl"), "--to", "csv").output.splitlines()
    assert found == rows


def test_a_query_of_the_package_works_on_many_files_and_on_none() -> None:
    twice = cturi_query("services", EXAMPLE, EXAMPLE, "--to", "csv")
    assert twice.output == cturi_query("services", EXAMPLE, "--to", "csv").output
    nothing, head = cturi_query("services", "--to", "csv").output.splitlines()
    assert nothing == (
        "cturi: the data have no ctv:typeLabel, which only annotating adds; no FILE is given"
    )
    assert head == "text,resources"


@pytest.mark.slow
def test_the_query_for_repaired_formats_gives_those_of_a_repair_but_where_the_page_says_so(
    shared: Path, write: Write
) -> None:
    gold = (shared / "labels" / "gold.jsonl").read_text("utf-8").splitlines()
    labels = [json.loads(line)["label"] for line in gold[::8]]
    rows = (
        f"<http://a.example/{number}> a dcat:Distribution ; dct:format {text} .\n"
        for number, text in enumerate(map(pyoxigraph.Literal, labels))
    )
    path = write("c.ttl", HEAD + "".join(rows))
    asked = ready_made()["repaired"].text
    answer = run(asked, query_data(str(path), annotated=True, registry="default")).graph
    assert answer is not None
    edited = Graph().parse(data=plan_file(str(path), profile="dcat-ap").edited, format="turtle")
    different = 0
    for number, label in enumerate(labels):
        of_repair, of_query = (
            {
                (path, value)
                for path in (DCTERMS.format, DCAT.packageFormat, DCAT.compressFormat)
                for value in graph.objects(URIRef(f"http://a.example/{number}"), path)
                if isinstance(value, URIRef)
            }
            for graph in (edited, answer)
        )
        meaning = resolve(label)
        is_packed = meaning.wrappers or any(map(is_archive, map(str, meaning.types)))
        codes = [name_key(value.rpartition("/")[2]) for _, value in of_repair]
        is_other_name = bool(codes) and name_key(label) not in codes
        if of_repair != of_query:
            different += 1
            is_parametrized = ";" in label
            assert not of_repair or is_parametrized or is_packed or is_other_name, label
    assert different < len(labels) / 5


def test_a_query_for_conflicts_says_nothing_of_annotating_where_there_are_none(
    write: Write,
) -> None:
    file = write("a.ttl", '<a:s> <http://purl.org/dc/terms/format> "CSV" .')
    assert cturi_query("conflicts", file, "--to", "csv").output == "resource,one,other\n"


# --- Where the query is from -----------------------------------------------------------------


def test_a_query_is_a_text_a_file_or_a_pipe(write: Write) -> None:
    file = write("a b.rq", b"\xef\xbb\xbf" + ONE.encode() + b"\r\n")
    expected = "x\ntext/csv\n"
    for arguments, stdin in ((ONE, ""), (file, ""), ("-", ONE)):
        found = cturi_query(arguments, "--to", "csv", stdin=stdin)
        assert found.output.replace("\r", "") == expected


def test_all_variables_are_columns_in_the_order_of_the_query(write: Write) -> None:
    file = write("a.nt", "<a:s> <a:p> <a:o> .\n")
    run = cturi_query("SELECT * { ?zeta <a:p> ?alpha }", file, "--to", "csv")
    assert run.output.splitlines() == ["zeta,alpha", "a:s,a:o"]


@pytest.mark.parametrize("options", [[], ["--as-is"]])
def test_a_catalogue_in_a_pipe_shows_its_format(options: list[str]) -> None:
    text = '<a:s> <http://purl.org/dc/terms/format> "CSV" .'
    asked = "SELECT ?d { ?d dct:format 'CSV' }"
    assert cturi_query(asked, "-", "--to", "csv", *options, stdin=text).output == "d\na:s\n"


def test_a_query_that_is_missing_is_asked_for() -> None:
    assert cturi_query().exit_code == 2
    assert "--list" in _error("no-such-query").expected


def test_files_are_joined_with_the_registry_and_keep_their_prefixes(write: Write) -> None:
    data = write(
        "data.ttl",
        "@prefix mine: <http://a.example/> . mine:a mine:t <ContentType:image/svg+xml> .",
    )
    query = "SELECT ?b { mine:a mine:t ?t . ?t ctv:structuredSyntaxSuffix/ctv:baseType ?b }"
    found = cturi_query(query, data, "--to", "csv")
    assert found.output.split() == ["b", "ContentType:application/xml"]


def test_the_labels_of_a_file_are_read_unless_it_is_left_as_it_is() -> None:
    asked = "ASK { ?d ctv:contentType <ContentType:text/csv> }"
    assert cturi_query(asked, EXAMPLE).output == "true\n"
    result = cturi_query(asked, EXAMPLE, "--as-is")
    assert result.output.splitlines() == [
        "cturi: the data have no ctv:contentType, which only annotating adds",
        "false",
    ]


def test_what_annotating_adds_is_a_graph_of_its_own() -> None:
    text = "SELECT DISTINCT ?p { GRAPH <https://w3id.org/cturi/annotations> { ?d ?p ?o } }"
    properties = cturi_query(text, EXAMPLE, "--to", "csv").output.split()
    assert f"{CTV}contentType" in properties
    assert str(DCTERMS["format"]) not in properties
    assert cturi_query(text, EXAMPLE, "--as-is", "--to", "csv").output.split() == ["p"]


@pytest.mark.parametrize(
    ("options", "default", "named"), [([], True, True), (["--no-registry"], False, False)]
)
def test_the_registry_is_a_named_graph_and_in_the_default_graph(
    options: list[str], default: bool, named: bool
) -> None:
    pattern = "<ContentType:image/svg+xml> ctv:structuredSyntaxSuffix ?s"
    graph = f"GRAPH <https://w3id.org/cturi/registry> {{ {pattern} }}"
    for group, expected in ((pattern, default), (graph, named)):
        output = cturi_query(f"ASK {{ {group} }}", EXAMPLE, *options).output
        assert output.splitlines()[-1] == str(expected).lower()


def test_labels_of_ones_own_are_read_by_annotations(write: Write) -> None:
    mine = write("mine.tsv", "whatever you like\tapplication/netcdf\n")
    assert "whatever you like" in cturi_query("not-understood", EXAMPLE).output
    found = cturi_query("not-understood", EXAMPLE, "--labels", mine)
    assert "whatever you like" not in found.output
    assert found.exit_code == 0


# --- What is refused -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("INSERT DATA { <a:b> <a:c> <a:d> }", "an update"),
        ("LOAD <http://a.invalid/>", "an update"),
        ("DELETE WHERE { ?s ?p ?o }", "an update"),
        ("CLEAR ALL", "an update"),
        ("SELECT * { SERVICE <http://a.invalid/> { ?s ?p ?o } }", "SERVICE"),
        ("SELECT * { ?s ?p ?o FILTER EXISTS { SERVICE ?s { ?s ?p ?o } } }", "SERVICE"),
        ("SELECT * FROM <http://a.invalid/> { ?s ?p ?o }", "FROM"),
        ("SELECT * FROM NAMED <file:///etc/passwd> { GRAPH ?g { ?s ?p ?o } }", "FROM"),
        ("SELECT * { ?s ?p", "not valid SPARQL"),
        ("SELECT * { ?s mine:p ?o }", "unknown prefix mine:"),
        ("SELECT * { ?s ?p ?o FILTER(<http://a.example/f>(?o)) }", "unknown function"),
        ("SELECT (ctf:isxml('a') AS ?x) {}", "no function of this name"),
        ("SELECT (ctf:zzz('a') AS ?x) {}", "no function of this name"),
        ("ASK { ?d ctv:contenttype ?t }", "expected ctv:contentType"),
        ("ASK { ?d ctv:servdAs ?t }", "expected ctv:servedAs"),
        ("ASK { ?d a ctv:TypeLable }", "expected ctv:typeLabel"),
        ("ASK { ?d <https://w3id.org/cturi/vocab#zzz> ?t }", "no term of this name"),
        ("SELECT (ctf:resolve() AS ?x) {}", "a call with 0 arguments"),
        ("SELECT (ctf:as(?x) AS ?y) {}", "a call with 1 argument"),
        ("SELECT (ctf:as(?x, 'wikidta') AS ?y) {}", "expected wikidata"),
        ("SELECT COUNT(*) { ?s ?p ?o }", r"as in \(COUNT\(\*\) AS \?n\)"),
        ("SELECT (COUNT(*)) { ?s ?p ?o }", "expected a name"),
        ("SELECT ?s ctf:header(?o) { ?s ?p ?o }", "an expression without a name"),
        ("SELECT ?s, ?o { ?s ?p ?o }", "a comma between variables"),
        ("SELECT * { ?s ?p 'CSV }", "a string that does not end"),
        ("SELECT * { ?s ?p ?o FILTER(?o == 'CSV') }", "not an operator of SPARQL"),
        ("SELECT * { ?s ?p ?o FILTER(?o = 1 AND ?s = 2) }", "expected &&"),
        ("SELECT * { <a> ?p ?o }", "a relative IRI without a base"),
        ("SELECT ?x { ?x ctf:resolve ?y }", "no value"),
        ("\ud800 {", "not valid SPARQL"),
        ("ASK { ?s ?p '\ud800' }", "surrogates not allowed"),
    ],
)
def test_what_is_no_query_or_does_more_than_read_is_refused(text: str, problem: str) -> None:
    with pytest.raises(CturiError, match=problem):
        run(text, Graph())


def test_the_network_is_asked_only_by_permission() -> None:
    for text in (
        "SELECT * { SERVICE <http://a.invalid/> { ?s ?p ?o } }",
        "SELECT * FROM <http://a.invalid/> { ?s ?p ?o }",
    ):
        assert _error(text).option == ", or --allow-network"
        # It is tried now: nobody has that name (RFC 2606).
        assert "fails" in _error(text, "--allow-network").problem


def test_from_names_a_graph_that_is_at_hand(write: Write) -> None:
    data = write("data.trig", "<http://a.example/g> { <a:b> <a:c> <a:d> }")
    text = "SELECT ?s FROM <http://a.example/g> { ?s ?p ?o }"
    assert cturi_query(text, data, "--to", "csv").output.split() == ["s", "a:b"]


@pytest.mark.parametrize(
    "text",
    [
        "SELECT ?s FROM <g> { ?s ?p ?o }",
        "SELECT ?s FROM NAMED <g> { GRAPH ?g { ?s ?p ?o } }",
        "BASE <x> SELECT ?s FROM <./g> { ?s ?p ?o }",
    ],
)
def test_a_relative_iri_of_from_is_the_one_of_the_data(write: Write, text: str) -> None:
    data = write("data.trig", "<g> { <a:b> <a:c> <a:d> }")
    assert cturi_query(text, data, "--to", "csv").output.split() == ["s", "a:b"]


@pytest.mark.parametrize("name", ["file://{}", "urn:a:b", "data:text/turtle,"])
def test_no_graph_of_from_is_a_file_of_this_machine(write: Write, name: str) -> None:
    graph = write("graph.ttl", "<a:b> <a:c> <a:d> .")
    text = f"SELECT * FROM <{name.format(graph)}> {{ ?s ?p ?o }}"  # noqa: S608 - SPARQL
    for options in ([], ["--allow-network"]):
        assert "is not a graph of the data" in _error(text, *options).problem


def test_a_query_leaves_rdflib_as_it_is() -> None:
    before = dict(CUSTOM_EVALS)
    run(ONE, Dataset(default_union=True))
    run(f"SELECT ?x {{ 'CSV' <{CTF}resolve> ?x }}", Graph())
    assert not any(each.startswith(CTF) for each in _CUSTOM_FUNCTIONS)
    assert before == CUSTOM_EVALS
    register_functions()
    run(ONE, Graph())
    assert any(each.startswith(CTF) for each in _CUSTOM_FUNCTIONS)
    unregister_functions()


def test_a_query_says_first_what_it_will_take(
    cturi: Cturi, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "a.nt"
    file.write_text("<a:b> <a:c> <a:d> .\n", newline="\n")
    words = "SELECT ?o { ?s ?p ?o }", str(file), "--no-registry"
    assert cturi("query", *words).err == ""
    monkeypatch.setattr("cturi_rdf.cli.query._LARGE", 0)
    said = cturi("query", *words).err
    assert "are loaded into a temporary folder, which takes up to about" in said
    assert "ask a part of them" in said
    assert "--as-is" in said
    assert "--as-is" not in cturi("query", *words, "--as-is").err


@pytest.mark.parametrize("end", ["", "\n}"], ids=["of the text", "of the line"])
def test_a_string_without_an_end_is_shown_up_to_the_end(end: str) -> None:
    text = "SELECT * { ?s ?p 'CSV"
    error = _error(text + end)
    assert (error.problem, error.expected) == ("a string that does not end", "'")
    assert error.span == (text.index("'"), len(text))


@pytest.mark.parametrize(("octets", "line"), [(b"\xff", 1), (b"\nb \xff\n\xff", 2)])
def test_a_query_is_utf_8_and_the_line_that_is_not_is_said(
    write: Write, octets: bytes, line: int
) -> None:
    source = write("a.rq", octets)
    error = _error(source)
    assert isinstance(error, CatalogError)
    assert (error.problem, error.text) == ("a byte that is not UTF-8", str(source))
    assert error.line == line


def test_an_unknown_function_is_shown_where_it_stands_and_not_the_iri_before_it() -> None:
    text = "SELECT * { ?s <http://a.example/p> ?o FILTER(<http://a.example/f>(?o)) }"
    with pytest.raises(CturiError, match="an unknown function") as error:
        run(text, Graph())
    start, end = error.value.span
    assert text[start:end] == "<http://a.example/f>"


@pytest.mark.parametrize(
    ("term", "meant"),
    [
        # A header is used as it is given, a label as what it names.
        (pyoxigraph.Literal("text/nope; a=b"), "text/nope; a=b"),
        (pyoxigraph.Literal("nope/nope; a=b"), "nope/nope; a=b"),
        (pyoxigraph.Literal("n/a"), "n/a"),
        (pyoxigraph.Literal("CSV"), "text/csv"),
        (pyoxigraph.NamedNode("ContentType:text/nope"), "text/nope"),
        (pyoxigraph.NamedNode("http://a.example/a.csv"), "text/csv"),
        (pyoxigraph.Literal("CSV, JSON"), None),
        (pyoxigraph.NamedNode("http://a.example/no"), None),
    ],
)
def test_a_term_stands_for_the_type_that_it_is_or_names(
    term: pyoxigraph.Literal | pyoxigraph.NamedNode, meant: str | None
) -> None:
    if meant is None:
        with pytest.raises(CturiError, match="not a content type"):
            _content_type(term)
    else:
        assert str(_content_type(term)) == meant


def test_the_size_of_several_graphs_is_that_of_each_added_up() -> None:
    graphs = Dataset()
    names = [pyoxigraph.NamedNode(f"http://a.example/{name}") for name in "gh"]
    for number, name in enumerate(names, 1):
        for part in range(number):
            graphs.graph(URIRef(name.value)).add((BNode(), RDF.value, URIRef(f"a:{part}")))
    data = query_data(graphs, registry=False)
    # The same again, from what is remembered.
    for _ in range(2):
        assert [data.size([name]) for name in names] == [1, 2]
        assert data.size(names) == 3
        assert data.size([]) == 0
