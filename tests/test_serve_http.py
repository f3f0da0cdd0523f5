"""HTTP as servers do it: conditional requests, caches, codings, methods and descriptions."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from rdflib import RDF, VOID, Graph, URIRef
from servers import client_of

from cturi_rdf.repair import profile_names
from cturi_rdf.serve.api import description

if TYPE_CHECKING:
    from starlette.testclient import TestClient

CATALOGUE = Path(__file__).parents[1] / "examples" / "catalogue.ttl"
# Addresses of the files of pages, which no program asks for, and other names for one address.
_NOT_DESCRIBED = {"/index.html", "/style.css", "/terms.json", "/favicon.ico", "/api"}
_FILES = (".ttl", ".nt", ".rdf", ".jsonld", ".html", ".js", ".css", ".txt")
PAGES = ["/", "/vocab.ttl", "/vocab", "/type/text/csv", "/label/CSV.html", "/registry.nt"]
DATA = ["/sparql", "/sparql?query=ASK%7B%7D", "/.well-known/void", "/api/resolve?label=CSV"]


@pytest.fixture(scope="module")
def client() -> TestClient:
    return client_of(CATALOGUE)


@pytest.mark.parametrize("path", [*PAGES, *DATA])
def test_what_a_client_has_is_not_sent_again(client: TestClient, path: str) -> None:
    # RFC 9110 sections 13.1.2 and 15.4.5
    first = client.get(path)
    tag = first.headers["etag"]
    for value in (tag, tag.removeprefix("W/"), f'"other", {tag}', "*"):
        again = client.get(path, headers={"if-none-match": value})
        assert again.status_code == 304
        assert again.content == b""
        for name in ("etag", "cache-control", "vary"):
            assert again.headers.get(name) == first.headers.get(name)
    other = client.get(path, headers={"if-none-match": '"another"'})
    assert (other.status_code, other.headers["etag"]) == (200, tag)


def test_a_condition_that_no_weak_tag_meets_fails(client: TestClient) -> None:
    # RFC 9110 sections 13.1.1 and 13.2.2: before `If-None-Match`, and by strong comparison
    first = client.get("/type/text/csv")
    for value in (first.headers["etag"], '"other"', '"*"'):
        asked = {"if-match": value, "if-none-match": first.headers["etag"]}
        refused = client.get("/type/text/csv", headers=asked)
        assert (refused.status_code, refused.json()["status"]) == (412, 412)
    assert client.get("/type/text/csv", headers={"if-match": "*"}).content == first.content
    assert client.get("/none", headers={"if-match": '"other"'}).status_code == 404


def test_what_cannot_change_is_kept_and_what_may_is_asked_for_again(client: TestClient) -> None:
    assert client.get("/vocab.ttl").headers["cache-control"] == "public, max-age=3600"
    assert client.get("/sparql?query=ASK%7B%7D").headers["cache-control"] == "no-cache"
    assert client.get("/health").headers["cache-control"] == "no-store"
    assert "etag" not in client.get("/none").headers
    answer = client.post("/sparql", data={"query": "ASK {}"})
    assert "etag" not in answer.headers


@pytest.mark.parametrize(
    ("accepted", "is_packed"),
    [
        ("gzip", True),
        ("br, *;q=0.1", True),
        ("gzip;q=0, *", False),
        ("identity", False),
        ("", False),
    ],
)
def test_a_long_answer_is_compressed_for_who_takes_it(
    client: TestClient, accepted: str, is_packed: bool
) -> None:
    with client.stream("GET", "/vocab.ttl", headers={"accept-encoding": accepted}) as response:
        content = b"".join(response.iter_raw())
    assert (response.headers.get("content-encoding") == "gzip") is is_packed
    assert int(response.headers["content-length"]) == len(content)
    assert "Accept-Encoding" in response.headers["vary"]
    plain = gzip.decompress(content) if is_packed else content
    assert plain.startswith(b"@prefix")
    short = client.get("/health", headers={"accept-encoding": "gzip"})
    assert "content-encoding" not in short.headers


def test_every_address_has_head_and_options_and_says_so(client: TestClient) -> None:
    for path, operations in description()["paths"].items():
        address = path.replace("{name}", "csv").replace("{what}", "entity")
        allowed = client.options(address).headers["allow"].split(", ")
        assert client.options(address).status_code == 204
        expected = {name.upper() for name in operations} | {"OPTIONS"}
        assert set(allowed) == expected | ({"HEAD"} if "GET" in expected else set())
        if "get" in operations:
            parameters = {
                "label": "CSV",
                "uri": "ContentType:text/csv",
                "header": "text/csv",
                "id": "a/b",
            }
            whole = client.get(address, params=parameters)
            head = client.head(address, params=parameters)
            assert head.status_code == whole.status_code
            assert head.headers.get("content-type") == whole.headers.get("content-type")
        refused = client.request("DELETE", address)
        assert refused.status_code == 405
        assert refused.headers["allow"].split(", ") == allowed


def test_every_address_is_described(client: TestClient) -> None:
    app: object = client.app
    addresses = {
        route.path.replace(":path", "")
        for route in app.routes  # type: ignore[attr-defined]
        if not route.path.endswith(_FILES) or route.path.startswith("/data.")
    }
    paths = description()["paths"]
    assert addresses - _NOT_DESCRIBED == set(paths) | {"/api/openapi.json"}
    names = [one["operationId"] for path in paths.values() for one in path.values()]
    assert len(names) == len(set(names))
    profile = description()["components"]["parameters"]["Profile"]
    assert profile["schema"]["enum"] == list(profile_names())


def test_a_page_links_to_its_other_formats(client: TestClient) -> None:
    response = client.get("/type/text/csv", headers={"accept": "text/html"})
    link = response.headers["link"]
    assert '<csv.ttl>; rel="alternate"; type="text/turtle"' in link
    assert client.get("/type/text/csv.ttl").headers["content-type"].startswith("text/turtle")
    assert "Accept" in response.headers["vary"].split(", ")
    assert "Accept" not in client.get("/type/text/csv.ttl").headers.get("vary", "").split(", ")


def test_the_data_are_described_at_their_well_known_address(client: TestClient) -> None:
    text = client.get("/.well-known/void", headers={"accept": "application/n-triples"}).text
    graph = Graph().parse(data=text, format="nt")
    whole = URIRef("http://localhost/.well-known/void#data")
    assert (whole, RDF.type, VOID.Dataset) in graph
    assert graph.value(whole, VOID.sparqlEndpoint) == URIRef("http://localhost/sparql")
    count = "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"
    answer = client.get("/sparql", params={"query": count}).json()
    [row] = answer["results"]["bindings"]
    assert int(row["n"]["value"]) == int(graph.value(whole, VOID.triples))


def test_the_registry_has_a_page(client: TestClient) -> None:
    response = client.get("/registry", headers={"accept": "text/turtle"})
    assert "ConceptScheme" in response.text
    assert client.get("/registry.html").text.startswith("<!DOCTYPE html>")
