"""The JSON API of the server."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from repairs import LATIN_1
from servers import client_of

from cturi_rdf.catalogue.shacl import SH
from cturi_rdf.catalogue.verdict import Options
from cturi_rdf.check import check_file
from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.reading.formats import ReadOptions
from cturi_rdf.repair import plan_file
from cturi_rdf.serve.api import Upload

if TYPE_CHECKING:
    from starlette.testclient import TestClient

CATALOGUE = Path(__file__).parents[1] / "examples" / "catalogue.ttl"
# The draft, section 2.3: a type that stands for a URI.
TAG = "application/uri.http%3A%2F%2Fexample.com%2Ftag42"
ESCAPED = TAG.replace("%", "%25")


@pytest.fixture(scope="module")
def client() -> TestClient:
    return client_of(CATALOGUE)


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


@pytest.mark.parametrize(("asked", "header", "uri", "node"), [
    ({"uri": "https://www.iana.org/assignments/media-types/text/csv"}, "text/csv",
     "ContentType:text/csv", "ContentType:text/csv"),
    ({"header": TAG}, TAG, "http://example.com/tag42", "http://example.com/tag42"),
    ({"header": TAG, "control": "ignore"}, TAG, f"ContentType:{ESCAPED}", f"ContentType:{ESCAPED}"),
])  # fmt: skip
def test_a_header_stands_for_a_uri_unless_control_is_ignored(
    client: TestClient, asked: dict[str, str], header: str, uri: str, node: str
) -> None:
    answer = client.get(f"/api/{'uri' if 'header' in asked else 'header'}", params=asked).json()
    assert answer == {"header": header, "uri": uri, "node": node}


def test_what_is_done_with_a_catalogue_says_the_name_that_its_sender_knows(
    tmp_path: Path,
) -> None:
    path = tmp_path / "catalogue"
    path.write_bytes(CATALOGUE.read_bytes())
    upload = Upload(str(path), "mine.ttl", ReadOptions(form="turtle"))
    assert upload.report("dcat-ap")["source"] == "mine.ttl"
    assert upload.report("")["profile"] == upload.report()["profile"]
    repair = upload.repair("dcat-ap")
    assert repair["summary"][0].startswith("mine.ttl")
    assert repair["patch"].startswith("--- a/mine.ttl")
    assert repair["text"] != CATALOGUE.read_text("utf-8")
    assert len(upload.headers()) > 5
    path.write_text("<a> <b")
    for task in (upload.report, upload.headers):
        with pytest.raises(CatalogError) as error:
            task()
        assert error.value.text == "mine.ttl"
        assert error.value.span == (0, 8)
        assert str(path) not in str(error.value)


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


def test_a_text_in_an_answer_is_that_of_the_file_whatever_its_encoding(client: TestClient) -> None:
    name = {"name": "mine.rdf", "profile": "dcat"}
    repair = client.post("/api/repair", params=name, content=LATIN_1).json()
    assert "<!-- é -->" in repair["text"]
    assert "\n-  <dcat:Distribution><!-- é -->" in repair["patch"]


def test_a_byte_that_is_not_utf_8_hinders_no_answer(client: TestClient) -> None:
    content = b'# \xe9\n<http://e/d> <http://purl.org/dc/terms/format> "CSV" .'
    query = {"name": "mine.ttl", "profile": "dcat-ap"}
    repair = client.post("/api/repair", params=query, content=content)
    assert " # \N{REPLACEMENT CHARACTER}\n" in repair.json()["patch"]


def test_an_error_names_the_file_of_the_sender_and_the_place_in_it(client: TestClient) -> None:
    content = "<http://e/a> <http://e/b> 1 .\n<http://e/a> oops ."
    answer = client.post("/api/check", params={"name": "mine.ttl"}, content=content).json()
    assert answer["detail"].startswith("mine.ttl:2:14: not valid Turtle")
    assert answer["error"].keys() == {"problem", "expected", "file", "line", "column"}
    assert (answer["error"]["file"], answer["error"]["line"]) == ("mine.ttl", 2)
    empty = client.post("/api/repair", params={"name": "mine.ttl"}, content="").json()
    assert empty["detail"] == "mine.ttl: an empty file; expected RDF"


@pytest.mark.parametrize(
    ("path", "name", "content"),
    [
        ("/api/check", "a.jsonld", '{"@context": "http://a.example/c", "@id": "a:b"}'),
        ("/api/check", "a.jsonld", '{"@context": "../../c.json", "@id": "a:b"}'),
        ("/sparql", "", "SELECT * { SERVICE <http://a.example/> { ?s ?p ?o } }"),
        ("/sparql", "", "SELECT * FROM <http://a.example/> { ?s ?p ?o }"),
    ],
)
def test_an_error_names_no_option_of_the_command_line(
    client: TestClient, path: str, name: str, content: str
) -> None:
    sent = {"content-type": "application/sparql-query"} if path == "/sparql" else {}
    answer = client.post(path, params={"name": name}, content=content, headers=sent)
    assert answer.status_code == 400
    assert "--" not in answer.text


@pytest.mark.parametrize("name", ["", "catalogue", "notes.txt"])
def test_the_content_type_tells_the_format_where_the_name_does_not(
    client: TestClient, name: str
) -> None:
    sent = {"content-type": "text/turtle; charset=utf-8"}
    answer = client.post(
        "/api/check", params={"name": name}, content="<http://e/a> a 1 .", headers=sent
    )
    assert answer.status_code == 200


# Two labels between which the name of the file decides.
BETWEEN = """<a:d> a <http://www.w3.org/ns/dcat#Distribution> ;
  <http://purl.org/dc/terms/format> "CSV", "JSON" ;
  <http://www.w3.org/ns/dcat#downloadURL> <http://a.example/d.json> .
"""


@pytest.mark.parametrize("by_url", [False, True])
def test_the_name_of_the_file_counts_over_http_if_it_is_asked_for(
    client: TestClient, tmp_path: Path, by_url: bool
) -> None:
    file = tmp_path / "a.ttl"
    file.write_text(BETWEEN)
    asked = {"name": "a.ttl", "profile": "dcat-ap", "by-url": str(by_url).lower()}
    answers = {
        command: client.post(f"/api/{command}", params=asked, content=BETWEEN).json()
        for command in ("check", "repair", "headers")
    }
    report = check_file(file, profile="dcat-ap", by_url=by_url)
    assert answers["check"]["violations"] == report.count(SH.Violation)
    planned = plan_file(file, profile="dcat-ap", options=Options(by_url=by_url))
    assert answers["repair"]["text"] == planned.edited.decode()
    [header] = answers["headers"]["headers"]
    assert header["content_type"] == ("application/json" if by_url else None)
    refused = client.post("/api/headers", params=asked | {"by-url": "1"}, content=BETWEEN)
    assert refused.status_code == 400


def test_a_check_over_http_is_under_the_profile_that_is_asked_for(client: TestClient) -> None:
    text = '<a:d> <http://purl.org/dc/terms/format> "CSV" .'
    asked = {"name": "a.ttl", "profile": "DCAT-AP"}
    answer = client.post("/api/check", params=asked, content=text).json()
    assert (answer["profile"], answer["profile_because"]) == ("dcat-ap", "as requested")
    assert answer["violations"] == 1
    unknown = client.post("/api/check", params=asked | {"profile": "x"}, content=text)
    assert unknown.status_code == 400


@pytest.mark.parametrize(
    ("method", "path", "wrong"),
    [
        ("POST", "/api/check", "profil"),
        ("POST", "/api/repair", "min_confidence"),
        ("POST", "/api/headers", "byurl"),
        ("POST", "/api/resolve", "labels"),
        ("GET", "/api/resolve", "Label"),
        ("GET", "/api/uri", "query"),
    ],
)
def test_a_parameter_that_no_address_of_the_api_has_is_refused(
    client: TestClient, method: str, path: str, wrong: str
) -> None:
    answer = client.request(method, path, params={wrong: "dcat-ap"}, content="<a:a> <a:b> <a:c> .")
    assert answer.status_code == 400
    assert answer.json()["detail"] == (
        f"There is no parameter {wrong!r}: expected by-url, control, format, header, label,"
        " min-confidence, name, profile, uri."
    )


def test_a_catalogue_whose_format_nothing_says_is_refused_with_the_ways_to_say_it(
    client: TestClient,
) -> None:
    answer = client.post("/api/check", content=b"<a:a> <a:b> <a:c> .")
    assert answer.status_code == 400
    assert "expected a Content-Type, or the parameter 'format' or 'name'" in answer.json()["detail"]


def test_a_name_that_tells_no_format_is_named(client: TestClient) -> None:
    answer = client.post("/api/check", params={"name": "a.txt"}, content=b"<a:a> <a:b> <a:c> .")
    assert answer.status_code == 400
    assert answer.json()["detail"].startswith("a.txt: ")
