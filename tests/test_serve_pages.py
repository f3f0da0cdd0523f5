"""The pages of the server."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from repairs import LATIN_1
from servers import client_of
from starlette.testclient import TestClient

from cturi_rdf.catalogue.patches import as_diff
from cturi_rdf.repair import plan_file
from cturi_rdf.serve import application

if TYPE_CHECKING:
    from httpx import Response

_HTML = "text/html,application/xhtml+xml,*/*;q=0.8"


@pytest.fixture(scope="module")
def client() -> TestClient:
    return TestClient(application(), "http://localhost", raise_server_exceptions=False)


@pytest.mark.daily(12)
@pytest.mark.parametrize(
    ("path", "part"),
    [
        ("/type/image/svg+xml", "ContentType:image/svg+xml"),
        ("/media-type/text/csv", "text/csv"),
        ("/type/application/x-mine+json", "suffix/json"),
        ("/label/CSV", "text/csv"),
        ("/label/<b>none</b>", "NotUnderstood"),
        ("/suffix/xml", "xml"),
        ("/parameter/charset/utf-8", "charset"),
        ("/term/contentType", "contentType"),
        ("/vocab", "contentType"),
    ],
)
@pytest.mark.parametrize(
    ("accept", "content_type"),
    [
        (_HTML, "text/html"),
        ("text/turtle", "text/turtle"),
        ("application/ld+json", "application/ld+json"),
        ("application/n-triples", "application/n-triples"),
    ],
)
def test_a_resource_has_a_page_in_the_format_asked_for(
    client: TestClient, path: str, part: str, accept: str, content_type: str
) -> None:
    response = client.get(path, headers={"accept": accept})
    assert response.status_code == 200, response.text
    assert response.headers["content-type"].startswith(content_type)
    assert "Accept" in response.headers["vary"]
    assert part in response.text
    assert "<b>none" not in response.text or "text/html" not in content_type


@pytest.mark.daily(8)
@pytest.mark.parametrize("path", ["/vocab", "/type/text/csv", "/label/CSV", "/suffix/xml"])
@pytest.mark.parametrize(
    ("ending", "content_type"),
    [
        ("html", "text/html; charset=utf-8"),
        ("ttl", "text/turtle; charset=utf-8"),
        ("jsonld", "application/ld+json"),
        ("nt", "application/n-triples"),
        ("rdf", "application/rdf+xml"),
    ],
)
def test_an_ending_takes_precedence(
    client: TestClient, path: str, ending: str, content_type: str
) -> None:
    response = client.get(f"{path}.{ending}", headers={"accept": "image/png"})
    assert response.status_code == 200
    assert response.headers["content-type"] == content_type


@pytest.mark.parametrize("path", ["/type/none", "/term/none", "/suffix/", "/label/", "/type/a b/c"])
def test_what_nothing_is_known_of_has_no_page(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_each_term_of_the_vocabulary_is_at_its_anchor(client: TestClient) -> None:
    text = client.get("/vocab", headers={"accept": _HTML}).text
    terms = client.get("/vocab", headers={"accept": "application/n-triples"}).text
    names = set(re.findall(r"^<https://w3id.org/cturi/vocab#([^>]+)>", terms, re.MULTILINE))
    assert set(re.findall(r'<dt id="([^"]+)">', text)) == names
    assert "<dd></dd>" not in text


@pytest.mark.parametrize(
    ("path", "status"),
    [("/none", 404), ("/type/text/none/none", 404), ("/api/uri?header=<b>", 400)],
)
def test_an_error_is_a_page_for_a_browser(client: TestClient, path: str, status: int) -> None:
    response = client.get(path, headers={"accept": _HTML})
    assert response.status_code == status
    assert response.headers["content-type"].startswith("text/html")
    assert "<b>" not in response.text
    for link in re.findall(r'href="([^"]+)"', response.text):
        assert client.get(str(response.url.join(link))).status_code == 200, link


@pytest.mark.daily(3)
@pytest.mark.parametrize(
    "path", ["/", "/look?q=SVG", "/type/text/csv", "/label/CSV", "/vocab", "/curate"]
)
def test_every_link_of_a_page_leads_somewhere(client: TestClient, path: str) -> None:
    page = client.get(path, headers={"accept": _HTML})
    links = re.findall(r'(?:href|src)="([^"]+)"', page.text)
    own = [link for link in links if "://" not in link]
    assert own
    for link in own:
        assert client.get(str(page.url.join(link))).status_code == 200, link


@pytest.mark.parametrize("path", ["/type/image/svg+xml", "/suffix/xml", "/label/CSV"])
def test_a_page_says_everything_once(client: TestClient, path: str) -> None:
    text = client.get(path, headers={"accept": _HTML}).text
    for values in re.findall(r"<td>(.*?)</td>", text):
        assert len(set(values.split("<br>"))) == len(values.split("<br>"))


def test_no_page_has_a_script_or_a_style_in_it(client: TestClient) -> None:
    text = client.get("/look", params={"q": '"><script>alert(1)</script>'}).text
    assert not re.search(r"<script(?! src)|<style| style=| on\w+=", text)


# --- The page for curators ---------------------------------------------------------------------

CATALOGUE = Path(__file__).parents[1] / "examples" / "catalogue.ttl"


def _sent(client: TestClient, name: str, **fields: str) -> Response:
    return client.post("/curate", files={"file": (name, CATALOGUE.read_bytes())}, data=fields)


def test_a_catalogue_is_shown_as_its_encoding_says(client: TestClient) -> None:
    page = client.post("/curate", files={"file": ("a.rdf", LATIN_1)}, data={"profile": "dcat"})
    assert page.text.count("&lt;!-- é --&gt;") == len(("before", "after", "removed", "added"))


def test_a_catalogue_is_shown_with_its_findings_and_repaired(client: TestClient) -> None:
    assert 'name="profile"' in client.get("/curate").text
    response = _sent(client, "mine.ttl", profile="dcat-ap")
    assert response.status_code == 200, response.text
    assert re.search(r"mine\.ttl: \d+ violation", response.text)
    assert "--- a/mine.ttl" in response.text
    assert "Repaired for" in response.text
    assert not re.search(r"<script(?! src)|<style| style=| on\w+=", response.text)


@pytest.mark.parametrize("what", ["file", "patch"])
def test_what_is_taken_away_is_what_the_command_writes(client: TestClient, what: str) -> None:
    text = _sent(client, "mine.ttl", profile="dcat-ap").text
    fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', text))
    # The browser sends the form in parts.
    taken = client.post("/curate", data=fields | {"take": what}, files={"none": b""})
    planned = plan_file(str(CATALOGUE), profile="dcat-ap")
    if what == "file":
        assert taken.content == planned.edited
    else:
        assert taken.content.splitlines()[2:] == as_diff(planned).splitlines()[2:]
    assert "attachment; filename=mine.ttl" in taken.headers["content-disposition"]


@pytest.mark.parametrize(
    ("name", "fields", "status", "part"),
    [
        ("a.exe", {}, 400, "the name does not show the format"),
        ("a.ttl", {"profile": "none"}, 200, "not repaired"),
        ("a.rdf", {}, 400, "a.rdf"),
        ("<img src=x>.ttl", {"profile": "dcat-ap"}, 200, "&lt;img"),
        ("a.ttl\r\nSet-Cookie: a", {"format": "turtle"}, 200, ""),
    ],
)
def test_what_cannot_be_repaired_is_explained(
    client: TestClient, name: str, fields: dict[str, str], status: int, part: str
) -> None:
    response = _sent(client, name, **fields)
    assert response.status_code == status, response.text
    assert part in response.text
    assert "<img" not in response.text
    assert "set-cookie" not in response.headers


@pytest.mark.parametrize(
    ("path", "fields"), [("/api/repair", {}), ("/curate", {}), ("/curate", {"take": "patch"})]
)
def test_a_patch_is_made_in_another_process(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, path: str, fields: dict[str, str]
) -> None:
    """Where it takes long, the limits hold and other requests are answered."""

    def fail(*_: Any) -> None:
        raise AssertionError("a patch is made in the process of the server")

    monkeypatch.setattr("cturi_rdf.catalogue.patches.unified_diff", fail)
    if path == "/curate":
        response = _sent(client, "mine.ttl", profile="dcat-ap", **fields)
    else:
        parameters = {"name": "mine.ttl", "profile": "dcat-ap"}
        response = client.post(path, params=parameters, content=CATALOGUE.read_bytes())
    assert response.status_code == 200


def test_a_text_is_as_good_as_a_file(client: TestClient) -> None:
    text = '<http://e/d> <http://purl.org/dc/terms/format> "CSV" .'
    response = client.post("/curate", data={"text": text, "profile": "dcat-ap"})
    assert "file-type/CSV" in response.text


def test_what_was_pasted_stays_in_the_form_where_it_cannot_be_read(client: TestClient) -> None:
    fields = {"text": "<http://e/d> <none", "format": "turtle", "profile": "dcat-ap"}
    response = client.post("/curate", data=fields)
    assert response.status_code == 400
    assert "&lt;http://e/d&gt; &lt;none</textarea>" in response.text
    assert '<option value="dcat-ap" selected>' in response.text


def test_the_effect_of_a_repair_is_given_in_numbers(client: TestClient) -> None:
    text = _sent(client, "mine.ttl", profile="dcat-ap").text
    row = re.search(r"Violations</th><td>(\d+)</td><td>(\d+)</td>", text)
    assert row is not None
    assert int(row[2]) < int(row[1])
    assert "of 80 (MQA)" in text
    for line in re.findall(r'href="#(line-\d+)"', text):
        assert text.count(f'id="{line}"') == 1


def test_findings_without_a_repair_stand_beside_the_text(client: TestClient) -> None:
    text = """<http://e/d> a <http://www.w3.org/ns/dcat#Distribution> ;
<http://purl.org/dc/terms/format> "CSV" ."""
    page = client.post("/curate", data={"text": text, "profile": "none"}).text
    assert "not repaired" in page
    assert 'id="as-it-was"' in page


def test_the_first_page_shows_what_is_served_and_what_may_be_asked(client: TestClient) -> None:
    text = client_of(CATALOGUE).get("/").text
    for part in ("What is served", "application/geo+json", "whatever you like", "5 more"):
        assert part in text
    links = [unescape(link) for link in re.findall(r'href="(sparql[^"]*query[^"]*)"', text)]
    assert len(links) >= 10
    for link in links:
        answer = client.get(f"/{link}", headers={"accept": "text/html,*/*;q=0.8"})
        assert answer.status_code == 200
        assert "</table>" in answer.text
    # Without a file there is nothing to show, but the registry to ask.
    text = client_of().get("/").text
    assert "What is served" not in text
    assert "Structured syntax suffixes" in text


def test_an_answer_is_a_page_for_who_prefers_one(client: TestClient) -> None:
    query = "SELECT ('<b>&' AS ?x) ?y {}"
    answer = client.get("/sparql", params={"query": query}, headers={"accept": "text/html"})
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "<td>&lt;b&gt;&amp;</td>" in answer.text
    assert "<b>&" not in answer.text
    for accept in ("*/*", "application/json, text/html;q=0.5"):
        plain = client.get("/sparql", params={"query": query}, headers={"accept": accept})
        assert "json" in plain.headers["content-type"]
    no = client.get("/sparql?query=ASK%7B%3Ca:a%3E%3Fp%3Fo%7D", headers={"accept": "text/html"})
    assert "<p>No.</p>" in no.text
