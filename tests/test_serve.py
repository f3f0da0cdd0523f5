"""The server: the SPARQL 1.1 Protocol, the JSON API, and what it refuses."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from rdflib import RDF, Dataset, Graph, URIRef
from starlette.testclient import TestClient

from cturi_rdf.serve import Settings, application
from cturi_rdf.serve.description import SD

EXAMPLES = Path(__file__).parents[1] / "examples"
CATALOGUE = EXAMPLES / "catalogue.ttl"
_FORM = "application/x-www-form-urlencoded"
_QUERY = "application/sparql-query"
_JSON = "application/sparql-results+json"
# It ends by itself after some seconds, for nothing can stop Oxigraph.
SLOW = """
SELECT (COUNT(*) AS ?n) {
  ?a a ctv:MediaType . ?b a ctv:MediaType FILTER(STRLEN(CONCAT(STR(?a), STR(?b))) = 3)
}
"""
SEVERAL = """
@prefix dct: <http://purl.org/dc/terms/> .
<http://e/one> { <http://e/a> dct:format "CSV" }
<http://e/two> { <http://e/b> dct:format "XML" }
"""


def _client(*sources: str | Path | Graph, **settings: object) -> TestClient:
    app = application(*sources, settings=Settings(**settings))  # type: ignore[arg-type]
    return TestClient(app, "http://localhost", raise_server_exceptions=False)


@pytest.fixture(scope="module")
def client() -> TestClient:
    return _client(CATALOGUE)


@pytest.fixture(scope="module")
def graphs() -> TestClient:
    dataset = Dataset()
    dataset.parse(data=SEVERAL, format="trig")
    return _client(dataset)


def test_health_is_ok(client: TestClient) -> None:
    assert client.get("/health").json()["status"] == "ok"


# --- The SPARQL 1.1 Protocol, by the requests of W3C's tests -----------------------------------


@pytest.mark.parametrize(
    ("method", "parameters", "fields", "content", "status"),
    [
        # query_get, query_post_form, query_post_direct
        ("GET", {"query": "ASK {}"}, {}, None, 200),
        ("POST", {}, {"content-type": _FORM}, "query=ASK%20%7B%7D", 200),
        ("POST", {}, {"content-type": _QUERY}, "ASK {}", 200),
        ("POST", {}, {"content-type": f"{_QUERY};charset=UTF-8"}, "ASK {}", 200),
        # bad_query_method
        ("PUT", {"query": "ASK {}"}, {}, None, 405),
        # bad_multiple_queries
        ("GET", {"query": ["ASK {}", "SELECT * {}"]}, {}, None, 400),
        # bad_query_wrong_media_type, bad_query_missing_form_type, bad_query_missing_direct_type
        ("POST", {}, {"content-type": "text/plain"}, "ASK {}", 415),
        ("POST", {}, {}, "query=ASK%20%7B%7D", 415),
        ("POST", {}, {}, "ASK {}", 415),
        # bad_query_non_utf8
        ("POST", {}, {"content-type": f"{_QUERY}; charset=UTF-16"}, "ASK {}", 415),
        ("POST", {}, {"content-type": _QUERY}, b"ASK {} # \xff", 400),
        # bad_query_syntax
        ("GET", {"query": "ASK { SPARQL }"}, {}, None, 400),
        # Nothing can be changed.
        ("POST", {}, {"content-type": _FORM}, "update=CLEAR%20ALL", 403),
        ("POST", {}, {"content-type": "application/sparql-update"}, "CLEAR ALL", 403),
        ("GET", {"query": "CLEAR ALL"}, {}, None, 400),
        # No other server is asked.
        ("GET", {"query": "SELECT * { SERVICE <http://e/> { ?s ?p ?o } }"}, {}, None, 400),
        ("GET", {"query": "SELECT * FROM <http://e/none> { ?s ?p ?o }"}, {}, None, 400),
        ("GET", {"query": "ASK {}", "default-graph-uri": "http://e/none"}, {}, None, 400),
    ],
)
def test_a_query_is_sent_as_the_protocol_says(  # noqa: PLR0913, PLR0917 - a row
    client: TestClient, method: str, parameters: dict[str, str | list[str]],
    fields: dict[str, str], content: str | bytes | None, status: int,
) -> None:  # fmt: skip
    response = client.request(method, "/sparql", params=parameters, headers=fields, content=content)
    assert response.status_code == status
    if status == 200:
        assert response.json()["boolean"] is True
    else:
        assert response.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize(
    ("query", "accept", "content_type", "part"),
    [
        # query_content_type_select, _ask, _describe, _construct
        ("SELECT (1 AS ?x) {}", "*/*", _JSON, '"value": "1"'),
        ("SELECT (1 AS ?x) {}", "application/sparql-results+xml", "", "<literal"),
        ("SELECT (1 AS ?x) {}", "text/csv", "text/csv; charset=utf-8", "x\r\n1"),
        ("SELECT ('a\\tb' AS ?x) (<http://e/> AS ?y) {}", "text/tab-separated-values",
         "text/tab-separated-values; charset=utf-8", '?x\t?y\n"a\\tb"\t<http://e/>\n'),
        ("ASK {}", "application/sparql-results+xml", "", "<boolean>true</boolean>"),
        ("DESCRIBE <ContentType:text/csv>", "text/turtle", "", "ContentType:text/csv"),
        ("CONSTRUCT { <http://e/> a <http://e/T> } {}", "application/n-triples", "", "<http://e/>"),
        ("CONSTRUCT { <http://e/> a <http://e/T> } {}", "application/ld+json", "", "@id"),
        ("SELECT (ctf:isXML('image/svg+xml') AS ?x) {}", "text/csv", "", "true"),
    ],
)  # fmt: skip
def test_an_answer_comes_in_the_format_asked_for(
    client: TestClient, query: str, accept: str, content_type: str, part: str
) -> None:
    response = client.get("/sparql", params={"query": query}, headers={"accept": accept})
    assert response.status_code == 200
    assert response.headers["content-type"].startswith(content_type or accept)
    assert part in response.text


_ALL = "SELECT ?s { ?s ?p ?o }"
_NAMED = "SELECT ?s { GRAPH ?g { ?s ?p ?o } }"


@pytest.mark.parametrize(
    ("query", "default", "named", "resources"),
    [
        # query_dataset_default_graph, _default_graphs, _named_graphs, _full, query_multiple_dataset
        (_ALL, ["one"], [], {"a"}),
        (_ALL, ["one", "two"], [], {"a", "b"}),
        (_NAMED, [], ["two"], {"b"}),
        (_ALL, [], ["two"], set()),
        ("SELECT ?s { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } }", ["one"], ["two"],
         {"a", "b"}),
        ("SELECT ?s FROM <http://e/two> { ?s ?p ?o }", ["one"], [], {"a"}),
        ("SELECT ?s FROM <http://e/two> { ?s ?p ?o }", [], [], {"b"}),
    ],
)  # fmt: skip
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_the_dataset_of_the_request_goes_before_that_of_the_query(  # noqa: PLR0913, PLR0917 - a row
    graphs: TestClient, method: str, query: str, default: list[str], named: list[str],
    resources: set[str],
) -> None:  # fmt: skip
    parameters = {
        "query": query,
        "default-graph-uri": [f"http://e/{each}" for each in default],
        "named-graph-uri": [f"http://e/{each}" for each in named],
    }
    if method == "GET":
        response = graphs.get("/sparql", params=parameters)
    else:
        response = graphs.post("/sparql", data=parameters)
    rows = response.json()["results"]["bindings"]
    assert {row["s"]["value"].removeprefix("http://e/") for row in rows} == resources


def test_the_service_description_lists_the_functions(client: TestClient) -> None:
    text = client.get("/sparql", headers={"accept": "text/turtle"}).text
    graph = Graph().parse(data=text, format="turtle")
    service = URIRef("http://localhost/sparql")
    assert (service, RDF.type, SD.Service) in graph
    header = URIRef("https://w3id.org/cturi/function#header")
    assert (service, SD.extensionFunction, header) in graph


@pytest.mark.parametrize(
    ("limits", "query", "part"),
    [
        ({"rows": 10}, "SELECT * { ?s a ctv:MediaType }", "more than 10 rows"),
        ({"seconds": 1}, SLOW, "more than 1 seconds"),
    ],
)  # fmt: skip
def test_a_query_has_so_many_rows_and_so_much_time(
    limits: dict[str, int], query: str, part: str
) -> None:
    response = _client(**limits).get("/sparql", params={"query": query})
    assert response.status_code == 500
    assert part in response.json()["detail"]


# --- The JSON API ------------------------------------------------------------------------------


def test_labels_are_resolved_one_or_many(client: TestClient) -> None:
    one = client.get("/api/resolve", params={"label": "CSV"}).json()
    many = client.post("/api/resolve", json={"labels": ["CSV", "flurbel"]}).json()
    assert one["resolutions"] == many["resolutions"][:1]
    assert one["resolutions"][0]["types"] == ["text/csv"]
    assert many["resolutions"][1]["verdict"] == "nothing"


@pytest.mark.parametrize(
    ("path", "parameters"),
    [
        ("/api/uri", {"header": "text/csv; header=present"}),
        ("/api/header", {"uri": "ContentType:text/csv?header=present"}),
    ],
)
def test_headers_and_uris_are_mapped(
    client: TestClient, path: str, parameters: dict[str, str]
) -> None:
    answer = client.get(path, params=parameters).json()
    assert answer["header"] == "text/csv; header=present"
    assert answer["uri"] == "ContentType:text/csv?header=%22present%22"


def test_a_catalogue_is_checked_and_repaired_and_named_as_its_sender_names_it(
    client: TestClient,
) -> None:
    content, name = CATALOGUE.read_bytes(), {"name": "mine.ttl"}
    report = client.post("/api/check", params=name, content=content).json()
    assert report["source"] == "mine.ttl"
    assert report["findings"][0]["places"][0]["line"] > 1
    repair = client.post("/api/repair", params=name | {"profile": "dcat-ap"}, content=content)
    assert repair.json()["changes"]
    assert repair.json()["patch"].startswith("--- a/mine.ttl")
    broken = client.post("/api/check", params=name, content="<a> <b>").json()
    assert "mine.ttl" in broken["detail"]
    assert "cturi-" not in str(broken)


def test_the_description_names_every_address_of_the_api(client: TestClient) -> None:
    paths = client.get("/api/openapi.json").json()["paths"]
    assert set(paths) == {
        "/api/resolve", "/api/header", "/api/uri", "/api/check", "/api/repair"
    }  # fmt: skip


# --- What is refused ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "path", "fields", "content", "status"),
    [
        ("GET", "/none", {}, None, 404),
        ("GET", "/health", {"host": "evil.example"}, None, 421),
        ("GET", "/health", {"host": "localhost:8000"}, None, 200),
        ("GET", "/health", {"host": "[::1]:8000"}, None, 200),
        ("GET", "/../../etc/passwd", {}, None, 404),
        ("GET", "/api/uri?header=nothing", {}, None, 400),
        ("GET", "/api/uri?header=text/csv%0D%0ASet-Cookie:%20a", {}, None, 400),
        ("GET", "/api/uri", {}, None, 400),
        ("GET", "/api/header?uri=ContentType:", {}, None, 400),
        ("GET", "/api/resolve", {}, None, 400),
        ("POST", "/api/resolve", {}, "[" * 100_000, 400),
        ("POST", "/api/resolve", {}, '{"labels": [1]}', 400),
        ("POST", "/api/check?name=a.ttl", {}, b"a" * 2_000_000, 413),
        ("POST", "/api/check?name=a.ttl.gz", {}, b"\x1f\x8b\x08" + bytes(20), 400),
        ("POST", "/api/check?name=..%2F..%2Fa.exe", {}, b"a", 400),
        ("POST", "/api/check?format=json-ld", {}, b'{"a":' * 50_000, 400),
        ("POST", "/api/check?format=xml", {},
         b'<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><a>&e;</a>', 400),
    ],
)  # fmt: skip
def test_what_cannot_be_answered_is_a_problem_that_says_why(
    method: str, path: str, fields: dict[str, str], content: str | bytes | None, status: int
) -> None:
    client = _client(size=1_000_000)
    response = client.request(method, path, headers=fields, content=content)
    assert response.status_code == status, response.text
    if status != 200:
        assert response.json()["detail"]
    assert "root:" not in response.text


def test_every_response_has_the_fields_that_protect_its_reader(client: TestClient) -> None:
    for path in ("/health", "/none", "/sparql?query=ASK"):
        headers = client.get(path).headers
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["access-control-allow-origin"] == "*"


def test_the_command_serves_and_ends_in_order() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "cturi_rdf", "serve", str(CATALOGUE), "--port", "0"],
        stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    assert process.stderr is not None
    address = re.search(r"http://127\.0\.0\.1:\d+/", process.stderr.readline())
    assert address is not None
    with urllib.request.urlopen(f"{address[0]}health") as response:  # noqa: S310 - our own
        assert response.status == 200
    time.sleep(0.1)
    process.send_signal(signal.SIGTERM)
    log = process.communicate(timeout=10)[1]
    assert "GET /health 200" in log
    assert process.returncode == 128 + signal.SIGTERM
