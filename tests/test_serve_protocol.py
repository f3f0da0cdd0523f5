"""The SPARQL 1.1 Protocol, by the requests of W3C's tests, and a query by SERVICE."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest
from rdflib import RDFS, VOID, Dataset, Graph, Literal, URIRef
from servers import client_of, running

from cturi_rdf.serve.sparql import SD

if TYPE_CHECKING:
    from starlette.testclient import TestClient

_FORM = "application/x-www-form-urlencoded"
_QUERY = "application/sparql-query"
_UPDATE = "application/sparql-update"
_JSON = "application/sparql-results+json"
SEVERAL = """
@prefix dct: <http://purl.org/dc/terms/> .
<http://e/one> { <http://e/a> dct:format "CSV" }
<http://e/two> { <http://e/b> dct:format "XML" }
<http://e/three> { <http://e/c> dct:format "PDF" }
"""


@pytest.fixture(scope="module")
def client() -> TestClient:
    dataset = Dataset()
    dataset.parse(data=SEVERAL, format="trig")
    return client_of(dataset)


# The name in W3C's list, the method, the query string, the type of the content, the content.
_A = "http%3A%2F%2Fe%2F"
_BOTH = "ASK%7B<http://e/a>%3Fp%3Fo.<http://e/b>%3Fq%3Fr%7D"
_NAMES = "ASK%7BGRAPH%3Fg%7B<http://e/a>%3Fp%3Fo%7DGRAPH%3Fh%7B<http://e/b>%3Fp%3Fq%7D%7D"
GOOD = [
    ("query_get", "GET", "query=ASK%20%7B%7D", None, None),
    ("query_post_form", "POST", "", _FORM, "query=ASK%20%7B%7D"),
    ("query_post_direct", "POST", "", _QUERY, "ASK {}"),
    ("query_dataset_default_graph", "POST", f"default-graph-uri={_A}one", _QUERY,
     "ASK { <http://e/a> ?p ?o }"),
    ("query_dataset_default_graphs_get", "GET",
     f"query={_BOTH}&default-graph-uri={_A}one&default-graph-uri={_A}two", None, None),
    ("query_dataset_default_graphs_post", "POST",
     f"default-graph-uri={_A}one&default-graph-uri={_A}two", _QUERY,
     "ASK { <http://e/a> ?p ?o . <http://e/b> ?p ?q }"),
    ("query_dataset_named_graphs_get", "GET",
     f"query={_NAMES}&named-graph-uri={_A}one&named-graph-uri={_A}two", None, None),
    ("query_dataset_named_graphs_post", "POST",
     f"named-graph-uri={_A}one&named-graph-uri={_A}two", _QUERY, "ASK { GRAPH ?g { ?s ?p ?o } }"),
    ("query_dataset_full", "POST",
     f"default-graph-uri={_A}three&named-graph-uri={_A}one&named-graph-uri={_A}two", _QUERY,
     "ASK { <http://e/c> ?y ?z GRAPH ?g { <http://e/b> ?p ?o } }"),
    ("query_multiple_dataset", "POST", f"default-graph-uri={_A}two", _QUERY,
     "ASK FROM <http://e/one> { <http://e/b> ?p ?o FILTER NOT EXISTS { <http://e/a> ?q ?r } }"),
]  # fmt: skip
BAD = [
    ("bad_query_method", "PUT", "query=ASK%20%7B%7D", None, None),
    ("bad_multiple_queries", "GET", "query=ASK%20%7B%7D&query=SELECT%20%2A%20%7B%7D", None, None),
    ("bad_query_wrong_media_type", "POST", "", "text/plain", "ASK {}"),
    ("bad_query_missing_form_type", "POST", "", None, "query=ASK%20%7B%7D"),
    ("bad_query_missing_direct_type", "POST", "", None, "ASK {}"),
    ("bad_query_non_utf8", "POST", "", f"{_QUERY}; charset=UTF-16", "ASK {}".encode("utf-16")),
    ("bad_query_syntax", "GET", "query=ASK%20%7B", None, None),
    # Nothing can be changed: the tests of updates are refused, the good ones too.
    ("bad_update_get", "GET", "update=CLEAR%20ALL", None, None),
    ("bad_multiple_updates", "POST", "", _FORM, "update=CLEAR%20NAMED&update=CLEAR%20DEFAULT"),
    ("bad_update_wrong_media_type", "POST", "", "text/plain", "CLEAR NAMED"),
    ("bad_update_missing_form_type", "POST", "", None, "update=CLEAR%20NAMED"),
    ("bad_update_non_utf8", "POST", "", f"{_UPDATE}; charset=UTF-16", "CLEAR NAMED"),
    ("bad_update_syntax", "POST", "", _FORM, "update=CLEAR%20XYZ"),
    ("bad_update_dataset_conflict", "POST", "", _FORM,
     f"using-named-graph-uri={_A}one&update=CLEAR%20ALL"),
    ("update_post_form", "POST", "", _FORM, "update=CLEAR%20ALL"),
    ("update_post_direct", "POST", "", _UPDATE, "CLEAR ALL"),
    ("update_dataset_default_graph", "POST", f"using-graph-uri={_A}one", _UPDATE,
     "INSERT { <http://e/a> <http://e/p> 1 } WHERE {}"),
    ("an update as a query", "GET", "query=CLEAR%20ALL", None, None),
]  # fmt: skip
_Row = tuple[str, str, str, str | None, str | bytes | None]


@pytest.mark.parametrize("row", [*GOOD, *BAD], ids=lambda row: row[0])
@pytest.mark.parametrize("path", ["/sparql", "/sparql/"])
def test_a_query_is_sent_as_the_protocol_says(client: TestClient, path: str, row: _Row) -> None:
    _, method, query, content_type, content = row
    fields = {} if content_type is None else {"content-type": content_type}
    response = client.request(
        method, f"{path}?{query}".rstrip("?"), headers=fields, content=content
    )
    if row in GOOD:
        assert response.status_code == 200, response.text
        assert response.headers["content-type"].startswith(_JSON)
        assert response.json()["boolean"] is True
    else:
        assert 400 <= response.status_code < 500
        assert response.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize(
    "query",
    [
        # No other server is asked, and no graph is loaded.
        "SELECT * { SERVICE <http://e/> { ?s ?p ?o } }",
        "SELECT * { SERVICE SILENT ?where { ?s ?p ?o } }",
        "SELECT * FROM <http://e/none> { ?s ?p ?o }",
    ],
)
def test_a_query_reaches_nothing_but_what_is_served(client: TestClient, query: str) -> None:
    assert client.get("/sparql", params={"query": query}).status_code == 400


_DEEP = 20_000


@pytest.mark.daily(2)
@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("SELECT * " + "{" * _DEEP + "}" * _DEEP, 413),
        ("ASK { FILTER(" + "(" * _DEEP + "1" + ")" * _DEEP + ") }", 413),
        ("ASK { ?s <e:p> " + "[ <e:p> " * _DEEP + "]" * _DEEP + " }", 413),
        ("SELECT (" + "STR(" * _DEEP + "1" + ")" * _DEEP + " AS ?x) {}", 413),
        # As deep, for who reads it, without a bracket.
        ("ASK { FILTER(" + "!" * _DEEP + "true) }", 200),
        ("ASK { FILTER(true" + " || true" * _DEEP + ") }", 200),
        ("ASK { FILTER(" + "!" * 100_000 + "true) }", 413),
    ],
    ids=lambda value: str(value)[:20],
)
def test_a_query_is_no_deeper_than_a_stack_can_take(
    client: TestClient, query: str, status: int
) -> None:
    fields = {"content-type": _QUERY}
    assert client.post("/sparql", content=query, headers=fields).status_code == status
    assert client.get("/health").status_code == 200


@pytest.mark.parametrize(
    ("query", "accept", "content_type", "part"),
    [
        # query_content_type_select, _ask, _describe, _construct
        ("SELECT (1 AS ?x) {}", "*/*", _JSON, '"value": "1"'),
        ("SELECT (1 AS ?x) {}", "application/sparql-results+xml", "", "<literal"),
        ("SELECT (1 AS ?x) {}", "text/csv", "text/csv; charset=utf-8", "x\r\n1"),
        (
            "SELECT ('a\\tb' AS ?x) (<http://e/> AS ?y) {}",
            "text/tab-separated-values",
            "text/tab-separated-values; charset=utf-8",
            '?x\t?y\n"a\\tb"\t<http://e/>\n',
        ),
        ("ASK {}", "application/sparql-results+xml", "", "<boolean>true</boolean>"),
        ("DESCRIBE <ContentType:text/csv>", "text/turtle", "", "ContentType:text/csv"),
        ("CONSTRUCT { <http://e/> a <http://e/T> } {}", "application/n-triples", "", "<http://e/>"),
        ("CONSTRUCT { <http://e/> a <http://e/T> } {}", "application/ld+json", "", "@id"),
        ("SELECT (ctf:isXML('image/svg+xml') AS ?x) {}", "text/csv", "", "true"),
    ],
)
def test_an_answer_comes_in_the_format_asked_for(
    client: TestClient, query: str, accept: str, content_type: str, part: str
) -> None:
    response = client.get("/sparql", params={"query": query}, headers={"accept": accept})
    assert response.status_code == 200
    assert response.headers["content-type"].startswith(content_type or accept)
    assert part in response.text


_RELATIVE = "@prefix dct: <http://purl.org/dc/terms/> . <http://e/a> dct:format <CSV>, <#b> ."
_ROWS = "SELECT ?f { <http://e/a> dct:format ?f }"
_TRIPLES = "CONSTRUCT { <http://e/a> dct:format ?f } { <http://e/a> dct:format ?f }"


_BASES = [None, "https://b.example/c/d"]


@pytest.fixture(scope="module")
def relative(tmp_path_factory: pytest.TempPathFactory) -> dict[str | None, TestClient]:
    """Return a client for each base of a file with relative IRIs."""
    file = tmp_path_factory.mktemp("relative") / "a.ttl"
    file.write_text(_RELATIVE)
    return {base: client_of(file, base=base) for base in _BASES}


@pytest.mark.parametrize("base", _BASES)
@pytest.mark.parametrize(
    ("query", "accept"),
    [
        (_ROWS, _JSON),
        (_ROWS, "application/sparql-results+xml"),
        (_ROWS, "text/csv"),
        (_ROWS, "text/tab-separated-values"),
        (_TRIPLES, "text/turtle"),
        (_TRIPLES, "application/ld+json"),
        (_TRIPLES, "application/rdf+xml"),
        (_TRIPLES, "application/n-triples"),
    ],
)
def test_every_iri_of_an_answer_is_absolute(
    relative: dict[str | None, TestClient], base: str | None, query: str, accept: str
) -> None:
    response = relative[base].get("/sparql", params={"query": query}, headers={"accept": accept})
    assert response.status_code == 200
    assert "base.invalid" not in response.text
    address = base or "http://localhost/a.ttl"
    for iri in (f"{address}#b", f"{address.rpartition('/')[0]}/CSV"):
        assert iri in response.text


def test_the_description_of_the_service_never_changes_and_names_every_graph(
    client: TestClient,
) -> None:
    def graphs() -> dict[str, int]:
        text = client.get("/sparql", headers={"accept": "application/n-triples"}).text
        graph = Graph().parse(data=text, format="nt")
        return {
            str(name): graph.value(graph.value(named, SD.graph), VOID.triples).toPython()
            for named, name in graph.subject_objects(SD.name)
        }

    before = graphs()
    names = "SELECT ?g (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } } GROUP BY ?g"
    rows = client.get("/sparql", params={"query": names}).json()["results"]["bindings"]
    assert {row["g"]["value"]: int(row["n"]["value"]) for row in rows} == before
    assert graphs() == before
    ours = "https://w3id.org/cturi/"
    assert set(before) == {
        "http://e/one", "http://e/two", "http://e/three", f"{ours}annotations", f"{ours}registry",
    }  # fmt: skip
    for name in before:
        query = f"ASK FROM <{name}> {{ ?s ?p ?o }}"
        assert client.get("/sparql", params={"query": query}).json()["boolean"]


def test_a_join_over_two_sources_has_the_rows_of_one(client: TestClient) -> None:
    """A client that joins the answers to the parts of a query gets the answer to the whole."""
    parts = ("?d ctv:contentType ?t", "?t rdfs:label ?l")

    def rows(group: str) -> list[dict[str, str]]:
        query = f"SELECT * {{ {group} }}"
        answer = client.get("/sparql", params={"query": query}).json()
        return [
            {name: term["value"] for name, term in row.items()}
            for row in answer["results"]["bindings"]
        ]

    whole = rows(" . ".join(parts))
    first, second = map(rows, parts)
    joined = [one | other for one in first for other in second if one["t"] == other["t"]]
    assert all(row in whole for row in joined)
    assert len(joined) == len(whole) == 3


@pytest.mark.parametrize(
    ("path", "accept", "problem"),
    [
        ("/sparql?query=SELECT('a%01'AS%20?x){}", "application/sparql-results+xml", "U+0001"),
        ("/sparql?query=CONSTRUCT{<e:a><http://e/p>'a%01'}{}", "application/rdf+xml", "U+0001"),
        ("/sparql?query=CONSTRUCT{<e:a><http://e/1>'a'}{}", "application/rdf+xml", "<http://e/1>"),
        ("/label/a%01", "application/rdf+xml", "U+0001"),
    ],
)
def test_a_format_that_cannot_hold_an_answer_is_not_acceptable(
    client: TestClient, path: str, accept: str, problem: str
) -> None:
    response = client.get(path, headers={"accept": accept})
    assert response.status_code == 406
    assert "cannot hold" in response.json()["detail"]
    assert problem in response.json()["detail"]
    assert client.get(path).status_code == 200


@pytest.mark.parametrize("accept", ["application/sparql-results+xml", "application/rdf+xml"])
def test_xml_keeps_every_line_break(client: TestClient, accept: str) -> None:
    value = "'a\\rb\\r\\nc\\td'"
    is_rows = "sparql" in accept
    query = f"SELECT ({value} AS ?x) {{}}" if is_rows else f"CONSTRUCT {{<e:a> <e:b> {value}}} {{}}"
    text = client.get("/sparql", params={"query": query}, headers={"accept": accept}).text
    root = ET.fromstring(text)  # noqa: S314 - our own
    values = {element.text for element in root.iter()}
    assert "a\rb\r\nc\td" in values


def test_a_row_of_tsv_is_one_line_of_terms_that_are_read_back() -> None:
    texts = ['a\n"b"', '"\n', '\\\n"""', "\t", '"\t"\\', "\r\n", "\r", "", "\\n", "\u2028\x85\x0b"]
    literals = {Literal(text) for text in texts} | {
        Literal("a\nb", lang="de"), Literal("1\n2", datatype="http://e/type"), Literal(1),
    }  # fmt: skip
    graph = Graph()
    for literal in literals:
        graph.add((URIRef("http://e/a"), RDFS.label, literal))
    response = client_of(graph, registry="none").get(
        "/sparql",
        params={"query": "SELECT ?s ?o { ?s <http://www.w3.org/2000/01/rdf-schema#label> ?o }"},
        headers={"accept": "text/tab-separated-values"},
    )
    head, *rows = response.text.removesuffix("\n").split("\n")
    assert head == "?s\t?o"
    cells = [row.split("\t") for row in rows]
    again = Graph()
    for subject, value in cells:
        again.parse(data=f"{subject} <{RDFS.label}> {value} .", format="turtle")
    assert set(again) == set(graph)


_ALL = "SELECT ?s { ?s dct:format ?o }"
_NAMED = "SELECT ?s { GRAPH ?g { ?s dct:format ?o } }"


DATASETS = [
    # query_dataset_default_graph, _default_graphs, _named_graphs, _full, query_multiple_dataset
    (_ALL, ["one"], [], {"a"}),
    (_ALL, ["one", "two"], [], {"a", "b"}),
    (_NAMED, [], ["two"], {"b"}),
    (_ALL, [], ["two"], set()),
    (
        "SELECT ?s { { ?s dct:format ?o } UNION { GRAPH ?g { ?s dct:format ?o } } }",
        ["one"],
        ["two"],
        {"a", "b"},
    ),
    ("SELECT ?s FROM <http://e/two> { ?s ?p ?o }", ["one"], [], {"a"}),
    ("SELECT ?s FROM <http://e/two> { ?s ?p ?o }", [], [], {"b"}),
]


@pytest.mark.parametrize(("query", "default", "named", "resources"), DATASETS)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_the_dataset_of_the_request_goes_before_that_of_the_query(
    client: TestClient,
    method: str,
    query: str,
    default: list[str],
    named: list[str],
    resources: set[str],
) -> None:
    parameters = {
        "query": query,
        "default-graph-uri": [f"http://e/{each}" for each in default],
        "named-graph-uri": [f"http://e/{each}" for each in named],
    }
    if method == "GET":
        response = client.get("/sparql", params=parameters)
    else:
        response = client.post("/sparql", data=parameters)
    rows = response.json()["results"]["bindings"]
    assert {row["s"]["value"].removeprefix("http://e/") for row in rows} == resources


def test_a_query_of_rdflib_asks_the_server_by_service() -> None:
    query = """
    PREFIX ctf: <https://w3id.org/cturi/function#>
    SELECT ?label ?header {
      SERVICE <%s/sparql> {
        VALUES ?label { "CSV" "SVG" }
        BIND(ctf:header(?label) AS ?header)
      }
    }
    """
    with running() as address:
        rows = {str(row.label): str(row.header) for row in Graph().query(query % address)}
    assert rows == {"CSV": "text/csv", "SVG": "image/svg+xml"}


@pytest.mark.parametrize(
    ("content_type", "problem"),
    [(_QUERY, "The query is not UTF-8"), (_FORM, "The parameters cannot be read")],
)
def test_what_is_not_utf_8_is_a_bad_request(
    client: TestClient, content_type: str, problem: str
) -> None:
    fields = {"content-type": content_type}
    response = client.post("/sparql", headers=fields, content=b"query=\xff")
    assert response.status_code == 400
    assert problem in response.json()["detail"]
