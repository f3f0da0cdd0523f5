"""The pages of the server."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from rdflib import RDF, BNode, Graph, URIRef
from rdflib.compare import isomorphic
from servers import client_of
from starlette.testclient import TestClient

import cturi_rdf
from cturi_rdf._util.display import PREFIXES
from cturi_rdf.rdf.vocab import CTV
from cturi_rdf.serve import application
from cturi_rdf.serve.pages import _first_rows, answer_page, meaning
from cturi_rdf.sparql.dataset import query_data
from cturi_rdf.sparql.functions import FUNCTIONS
from cturi_rdf.sparql.query import ask

if TYPE_CHECKING:
    from conftest import Cturi

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
    "path", ["/", "/look?q=SVG", "/type/text/csv", "/label/CSV", "/vocab", "/try/"]
)
def test_every_link_of_a_page_leads_somewhere(client: TestClient, path: str) -> None:
    page = client.get(path, headers={"accept": _HTML})
    links = re.findall(r'(?:href|src)="([^"]+)"', page.text)
    own = [link for link in links if not re.match(r"\w+:", link)]
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


# --- The page that checks a catalogue -----------------------------------------------------------

CATALOGUE = Path(__file__).parents[1] / "examples" / "catalogue.ttl"


def test_the_page_is_that_of_the_site_with_a_worker_that_asks_the_server(
    client: TestClient,
) -> None:
    static = Path(cturi_rdf.__file__).parent / "browser" / "static"
    for path, name in (("/try/", "index.html"), ("/try/page.js", "page.js")):
        assert client.get(path).text == (static / name).read_text("utf-8")
    worker = client.get("/try/worker.js")
    assert worker.headers["content-type"].startswith("text/javascript")
    assert "pyodide" not in worker.text
    assert str(client.get("/try").url).endswith("/try/")


@pytest.mark.parametrize("confidence", ["certain", "likely"])
def test_what_the_page_is_told_is_what_the_command_prints(
    client: TestClient, cturi: Cturi, tmp_path: Path, confidence: str
) -> None:
    content, name = CATALOGUE.read_bytes(), {"name": "catalogue.ttl"}
    (tmp_path / "catalogue.ttl").write_bytes(content)
    source = str(tmp_path / "catalogue.ttl")
    headers = client.post("/api/headers", params=name, content=content).json()["headers"]
    printed = cturi("headers", source, "--json").out.splitlines()
    assert headers == [json.loads(line) for line in printed]
    asked = name | {"profile": "dcat-ap", "min-confidence": confidence}
    repair = client.post("/api/repair", params=asked, content=content).json()
    options = ("--profile", "dcat-ap", "--min-confidence", confidence)
    run = cturi("repair", source, *options)
    assert repair["text"] == run.out
    summary = run.err.replace(source, "catalogue.ttl").splitlines()
    assert repair["summary"][: len(summary) - 1] == summary[:-1]
    assert (
        repair["patch"].splitlines()[2:]
        == cturi("repair", source, *options, "--diff").out.splitlines()[2:]
    )


@pytest.mark.parametrize("confidence", ["", "sure", "CERTAIN"])
def test_an_unknown_confidence_is_refused(client: TestClient, confidence: str) -> None:
    asked = {"name": "a.ttl", "profile": "dcat-ap", "min-confidence": confidence}
    answer = client.post("/api/repair", params=asked, content=CATALOGUE.read_bytes())
    assert answer.status_code == 400
    assert "'certain' or 'likely'" in answer.json()["detail"]


def test_a_patch_is_made_in_another_process(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where it takes long, the limits hold and other requests are answered."""

    def fail(*_: Any) -> None:
        raise AssertionError("a patch is made in the process of the server")

    monkeypatch.setattr("cturi_rdf.editing.files.unified_diff", fail)
    parameters = {"name": "mine.ttl", "profile": "dcat-ap"}
    response = client.post("/api/repair", params=parameters, content=CATALOGUE.read_bytes())
    assert response.status_code == 200


# --- The first page, and queries ----------------------------------------------------------------


def test_the_first_page_shows_what_is_served_and_what_may_be_asked(client: TestClient) -> None:
    text = client_of(CATALOGUE).get("/").text
    served, wrong, sent = re.findall(
        r"<h2>(What is .*?|How .*?)</h2>(.*?)(?=<h2>)", text, re.DOTALL
    )
    assert "application/geo+json" in served[1]
    assert "whatever you like" in wrong[1]
    assert "https://catalogue.example/ghcn-csv</td><td>text/csv</td>" in sent[1]
    assert "3 more" in sent[1]
    links = [unescape(link) for link in re.findall(r'href="(sparql[^"]*query[^"]*)"', text)]
    assert len(links) >= 10
    for link in links:
        if "format=" in link:
            answer = client.get(f"/{link}", headers={"accept": "text/html"})
            assert answer.status_code == 200
            assert not answer.headers["content-type"].startswith("text/html")
            continue
        answer = client.get(f"/{link}", headers={"accept": "text/html,*/*;q=0.8"})
        assert answer.status_code == 200
        assert "</table>" in answer.text
    # Without a file there is nothing to show, but the registry to ask.
    text = client_of().get("/").text
    assert "<h2>What is served" not in text
    assert "<h2>Downloads" not in text
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


def test_what_is_served_can_be_downloaded() -> None:
    own = client_of(CATALOGUE)
    graphs = {}
    for ending in re.findall(r'href="data\.(\w+)"', own.get("/").text):
        answer = own.get(f"/data.{ending}")
        kind = answer.headers["content-type"].partition(";")[0]
        graphs[kind] = Graph().parse(data=answer.text, format=kind)
    assert len(graphs) == 4
    [first, *others] = graphs.values()
    assert all(isomorphic(first, other) for other in others)
    catalogue = Graph().parse(CATALOGUE, publicID="http://localhost/catalogue.ttl")
    named = {triple for triple in catalogue if BNode not in map(type, triple)}
    assert named <= set(first)
    # What the labels mean is there, and the registry is not.
    assert next(first.objects(None, URIRef(PREFIXES["ctv"] + "servedAs")), None) is not None
    assert len(first) < 1_000
    assert "data.ttl" not in client_of().get("/").text


@pytest.mark.parametrize(
    ("names", "addresses"),
    [
        (["c d.ttl"], {"c%20d.ttl#set", "data.csv"}),
        (["a/c.ttl", "b/c.ttl"], {"a/c.ttl#set", "a/data.csv", "b/c.ttl#set", "b/data.csv"}),
    ],
)
def test_a_relative_iri_is_below_the_address_of_the_server(
    tmp_path: Path, names: list[str], addresses: set[str]
) -> None:
    """It says nothing of the disk but what tells two files apart."""
    for name in names:
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(
            "@prefix dct: <http://purl.org/dc/terms/> . <#set> dct:hasPart <data.csv> ."
            '<data.csv> dct:format "CSV" .'
        )
    files = [tmp_path / name for name in names]
    for settings, base in (
        ({}, "http://localhost/"),
        ({"url": "https://formats.example/x/"}, "https://formats.example/x/"),
    ):
        own = client_of(*files, **settings)
        graph = Graph().parse(data=own.get("/data.nt").text, format="nt")
        parts = graph.subject_objects(URIRef("http://purl.org/dc/terms/hasPart"))
        assert {str(node) for pair in parts for node in pair} == {base + end for end in addresses}
        assert "file:" not in own.get("/").text
        # In a query too.
        query = "SELECT ?f { <data.csv> dct:format ?f }"
        rows = own.get("/sparql", params={"query": query, "format": "csv"}).text.split()
        assert rows == (["f", "CSV"])


@pytest.mark.parametrize(
    ("form", "content_type"),
    [
        ("csv", "text/csv; charset=utf-8"),
        ("tsv", "text/tab-separated-values; charset=utf-8"),
        ("json", "application/sparql-results+json"),
        ("xml", "application/sparql-results+xml"),
    ],
)
def test_a_link_may_ask_for_a_format(client: TestClient, form: str, content_type: str) -> None:
    asked = {"query": "SELECT ?x { VALUES ?x { 1 2 } }", "format": form}
    answer = client.get("/sparql", params=asked, headers={"accept": "text/html"})
    assert answer.headers["content-type"] == content_type
    assert client.get("/sparql", params=asked | {"format": "doc"}).status_code == 400


def test_the_editor_completes_terms_and_functions(client: TestClient) -> None:
    terms = {term["name"]: term for term in client.get("/terms.json").json()}
    assert {name for name in terms if name.startswith("ctv:")} == {
        f"ctv:{name}" for name in CTV.__annotations__ if not name.startswith("_")
    }
    assert {name for name in terms if name.startswith("ctf:")} == {
        f"ctf:{name}(" for name in FUNCTIONS
    }
    assert all(term["meaning"] for term in terms.values())


@pytest.mark.parametrize(
    ("number", "rows", "more"),
    [(0, 0, ""), (10, 11, ""), (11, 11, "1 more"), (1_011, 11, "1,001 more")],
)
def test_an_overview_shows_the_first_ten_rows_and_how_many_more_there_are(
    number: int, rows: int, more: str
) -> None:
    graph = Graph()
    for value in range(number):
        graph.add((URIRef(f"http://a.example/{value}"), RDF.value, URIRef("http://a.example/")))
    shown = _first_rows("A & B", "SELECT ?s { ?s rdf:value ?o }", query_data(graph))
    assert shown.count("<tr>") == rows
    assert re.findall(">([0-9,]+ more)<", shown) == [more] * bool(more)
    assert shown.startswith("<h3>A &amp; B</h3>") == (number > 0)


@pytest.mark.parametrize(
    ("number", "rows", "said"),
    [
        (0, 1, "0 rows. "),
        (1, 2, "1 row. "),
        (1_000, 1_001, "1,000 rows. "),
        (1_001, 1_001, "1,001 rows, the first 1,000 of which are here. "),
    ],
)
def test_a_page_shows_the_first_thousand_rows_of_an_answer(
    number: int, rows: int, said: str
) -> None:
    text = f"SELECT ?s {{ VALUES ?s {{ {' '.join(map(str, range(number)))} }} }}"
    shown = answer_page(ask(text, query_data(Graph())), text)
    assert shown.count("<tr>") == rows
    assert f"<p>{said}Download as " in shown
    assert 'name="query"' in shown


def test_the_meaning_of_a_label_names_its_wrappers_and_the_fault_of_a_header() -> None:
    assert "<p>Packed or compressed as " in meaning("CSV.gz")
    assert "Packed" not in meaning("CSV")
    assert "<pre>the subtype is missing\n" in meaning("no/")
    assert "<pre>" not in meaning("no/no")
