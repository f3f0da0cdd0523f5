"""The site of https://w3id.org/cturi/: its files, and redirects to them by a real Apache."""

from __future__ import annotations

import errno
import http.client
import json
import os
import re
import runpy
import shutil
import socket
import subprocess
import tempfile
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urljoin, urlsplit

import pyoxigraph as ox
import pytest
from click.testing import CliRunner
from processes import PATIENCE, answers, wait_until
from rdflib import DCTERMS, OWL, RDFS, VOID, Graph, URIRef
from rdflib.compare import isomorphic

from cturi_rdf.cli.edit import annotate
from cturi_rdf.cli.serve import site as command
from cturi_rdf.rdf import CTV
from cturi_rdf.rdf import annotate as rdf_annotate
from cturi_rdf.rdf.export import source_node, source_of
from cturi_rdf.rdf.terms import label_node, own_node
from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.site.pages import (
    GATHERED,
    KINDS,
    VERSIONS,
    htaccess,
    index_page,
    label_of,
    path_of,
    resources,
)
from cturi_rdf.site.tables import open_tables

if TYPE_CHECKING:
    from collections.abc import Iterator

APACHE = shutil.which("apache2") or ""
MODULES = Path("/usr/lib/apache2/modules")
BASE = "https://w3id.org/cturi/"


# The pages of the daily site, beside those of the vocabulary.
FEW = {
    *(f"ContentType:{name}" for name in ("text/csv", "image/svg+xml", "application/vnd.ms-excel")),
    *(f"{BASE}{path}" for path in ("suffix/xml", "top-level/image", "parameter/charset/utf-8")),
    *(f"{BASE}label/{name}" for name in ("CSV", "SHP", "WMS", "GeoJSON", "API%20REST")),
}


@pytest.fixture(scope="module", params=["few", pytest.param("all", marks=pytest.mark.slow)])
def folder(request: pytest.FixtureRequest) -> Iterator[Path]:
    """Return the folder of a site with few pages or all, which has a file of somebody's in it.

    It is no folder of pytest, which only its owner may read: Apache has another user.
    """
    with tempfile.TemporaryDirectory() as home, pytest.MonkeyPatch.context() as patch:
        if request.param == "few":
            few = {
                iri: about
                for iri, about in resources().items()
                if iri in FEW or "vocab#" in iri or "mime#" in iri
            }
            patch.setattr("cturi_rdf.site.pages.resources", lambda: few)
        Path(home).chmod(0o755)
        folder = Path(home) / "public"
        folder.mkdir()
        (folder / "CNAME").write_text("a.example")
        result = CliRunner().invoke(
            command, ["-o", str(folder), "--base", "https://a.example", "--without-try"]
        )
        assert result.exit_code == 0, result.output
        files = sum(path.is_file() for path in folder.rglob("*")) - 1
        assert result.stderr == f"{folder}: {files} files\n"
        yield folder


every_page = pytest.mark.parametrize(
    "folder", [pytest.param("all", marks=pytest.mark.slow)], indirect=True
)


def test_a_disk_that_is_full_is_named_by_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        # As the system says it of a file that is open: without its name.
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", full)
    error = CliRunner().invoke(command, ["-o", str(tmp_path), "--without-try"]).exception
    assert isinstance(error, CatalogError)
    assert error.text.startswith(str(tmp_path))
    assert "No space left" in error.problem


def test_there_is_a_page_of_each_kind_in_three_formats(folder: Path) -> None:
    for path in (
        "term/contentType",
        "class/ContentType",
        "message-term/messageId",
        "message-class/Message",
        "media-type/image/svg+xml",
        "suffix/xml",
        "top-level/image",
        "parameter",
        "label",
    ):
        for ending in ("html", "ttl", "jsonld"):
            assert (folder / f"{path}.{ending}").is_file(), (path, ending)
    for kind in KINDS:
        assert (folder / f"{kind}.html").is_file()
    assert (folder / "CNAME").read_text() == "a.example"


def test_the_first_page_leads_to_the_one_that_checks_catalogues_where_it_is_there(
    folder: Path,
) -> None:
    assert 'href="try/"' not in (folder / "index.html").read_text("utf-8")
    assert 'href="try/"' in index_page({}, has_try=True)


@every_page
def test_every_file_system_can_hold_the_files(folder: Path) -> None:
    # Windows and macOS take names that differ in case for one; Windows has signs of its own.
    names = [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]
    assert len(names) > 10_000
    assert len({name.casefold() for name in names}) == len(names)
    assert [name for name in names if re.search(r'[<>:"|?*\\\x00-\x1f]|[. ](/|$)', name)] == []
    devices = re.compile(r"(^|/)(con|prn|aux|nul|com\d|lpt\d)(\.|/|$)", re.IGNORECASE)
    assert [name for name in names if devices.search(name)] == []
    assert max(map(len, names)) < 150


def test_each_code_list_says_its_source_and_licence(folder: Path) -> None:
    for name in ("eu-file-types", "iana-media-types"):
        graph = Graph().parse(folder / f"code-lists/{name}.ttl")
        node = URIRef(f"{BASE}code-lists/{name}")
        assert graph.value(node, DCTERMS.source)
        assert str(graph.value(node, DCTERMS.license)).startswith("https://creativecommons.org/")


def test_known_labels_and_all_parameters_have_one_page_each(folder: Path) -> None:
    labels = (folder / "label.html").read_text("utf-8")
    for name in ("CSV", "SHP", "WMS", "GeoJSON", "API%20REST"):
        assert f'<section id="{name}">' in labels
    graph = Graph().parse(folder / "label.ttl")
    label = URIRef(label_node("CSV").value)
    assert graph.value(label, CTV.namesContentType) == URIRef("ContentType:text/csv")
    for kind in ("label", "parameter"):
        said = Graph().parse(folder / f"{kind}.jsonld")
        space = said.value(URIRef(f"{BASE}{kind}"), VOID.uriSpace)
        assert str(space) == f"{BASE}{kind}/"


def test_the_formats_of_a_page_say_the_same(folder: Path) -> None:
    turtle = Graph().parse(folder / "media-type/text/csv.ttl")
    assert len(turtle) > 20
    assert isomorphic(turtle, Graph().parse(folder / "media-type/text/csv.jsonld"))
    for module in ("vocab", "mime"):
        whole = Graph().parse(folder / f"{module}.ttl")
        for ending in ("jsonld", "rdf", "nt"):
            assert isomorphic(whole, Graph().parse(folder / f"{module}.{ending}")), ending


def test_every_version_that_the_vocabulary_names_is_there(folder: Path) -> None:
    named = set()
    for module in ("vocab", "mime"):
        graph = Graph().parse(folder / f"{module}.ttl")
        for path in (OWL.versionIRI, OWL.priorVersion):
            named |= set(graph.objects(URIRef(BASE + module), path))
    assert len(named) == 3
    for version in named:
        module, _, date = str(version).removeprefix(BASE).partition("/")
        old = Graph().parse(folder / f"versions/{module}-{date}.ttl")
        assert (URIRef(BASE + module), OWL.versionIRI, version) in old
        assert isomorphic(old, Graph().parse(folder / f"versions/{module}-{date}.rdf"))


def test_each_vocabulary_has_a_page_with_its_terms_alone(folder: Path) -> None:
    for module, other, term in (("vocab", "mime", "contentType"), ("mime", "vocab", "messageId")):
        text = (folder / f"{module}.html").read_text("utf-8")
        address = f"{'message-' if module == 'mime' else ''}term/{term}.html"
        assert f'<dt id="{term}"><a href="{address}">' in text
        said = (folder / f"{module}.nt").read_text("utf-8")
        assert f"<{BASE}{module}#{term}> " in said
        assert f"\n<{BASE}{other}#" not in said
        assert f"@prefix ctv: <{BASE}vocab#>" in (folder / f"{module}.ttl").read_text("utf-8")


def test_a_version_keeps_its_turtle_and_its_page_leads_to_each_format(folder: Path) -> None:
    version = VERSIONS / "vocab-2026-11-22.ttl"
    assert (folder / "versions" / version.name).read_bytes() == version.read_bytes()
    page = (folder / "versions" / "vocab-2026-11-22.html").read_text("utf-8")
    assert "<title>The cturi vocabulary, version of vocab-2026-11-22</title>" in page
    assert '<a href="vocab-2026-11-22.ttl">ttl</a>, <a href="vocab-2026-11-22.jsonld">' in page
    assert 'href="../style.css"' in page


def test_the_registry_has_a_graph_for_each_source_of_a_statement(folder: Path) -> None:
    turtle = ox.parse(path=str(folder / "registry.ttl"), format=ox.RdfFormat.TURTLE)
    quads = list(ox.parse(path=str(folder / "registry.trig"), format=ox.RdfFormat.TRIG))
    assert {quad.triple for quad in quads} == {quad.triple for quad in turtle}
    assert all(quad.graph_name == source_node(source_of(quad.triple)) for quad in quads)
    graphs = list(dict.fromkeys(quad.graph_name.value for quad in quads))
    assert graphs == sorted(graphs)


def test_the_redirects_lead_to_the_address_that_was_given(folder: Path) -> None:
    redirects = (folder / "w3id" / ".htaccess").read_text("utf-8")
    assert redirects == htaccess("https://a.example/")
    assert "https://a.example/" in (folder / "w3id" / "README.md").read_text("utf-8")


def test_the_first_page_leads_to_the_list_of_each_kind_and_counts_it(folder: Path) -> None:
    page = (folder / "index.html").read_text("utf-8")
    entries = json.loads((folder / "search.json").read_text("utf-8"))
    for kind, title in KINDS.items():
        count = [of_kind for _, of_kind, _ in entries].count(kind)
        assert f'<a href="{kind}.html">{title}</a> ({count})' in page
        listed = (folder / f"{kind}.html").read_text("utf-8")
        assert f"<h1>{title}</h1>" in listed
        if kind not in GATHERED:
            own = sorted((label, address) for label, of_kind, address in entries if of_kind == kind)
            links = re.findall(r'<li><a href="([^"]+)">([^<]+)</a></li>', listed)
            assert [(unescape(label), address) for address, label in links] == own


@every_page
def test_every_link_of_the_site_leads_to_a_file(folder: Path) -> None:
    folders = ("", "term/", "class/", "media-type/image/")
    pages = [page for name in folders for page in folder.glob(f"{name}*.html")]
    links = {
        (path.parent / unquote(link.partition("#")[0])).resolve()
        for path in pages
        for link in re.findall(r'href="([^":#][^":]*)"', path.read_text("utf-8"))
    }
    assert len(links) > 1000
    assert [link for link in links if not link.is_file()] == []


def test_the_search_knows_every_page(folder: Path) -> None:
    entries = json.loads((folder / "search.json").read_text("utf-8"))
    assert {kind for _, kind, _ in entries} == set(KINDS)
    assert all((folder / unquote(path).partition("#")[0]).is_file() for _, _, path in entries)
    assert ["text/csv", "media-type", "media-type/text/csv.html"] in entries


def test_a_page_has_labels_in_four_languages_and_no_inline_script(folder: Path) -> None:
    text = (folder / "term/contentType.html").read_text("utf-8")
    for language in ("en", "de", "fr", "es"):
        assert f'<span lang="{language}">' in text
    index = (folder / "index.html").read_text("utf-8")
    assert "<script>" not in index


def test_a_page_begins_with_what_readers_look_for_and_says_it_once(folder: Path) -> None:
    text = (folder / "term/contentType.html").read_text("utf-8")
    rows = re.findall(r'<th scope="row"><a [^>]*>([^<]+)</a></th>', text)
    assert rows[:3] == ["rdfs:label", "skos:definition", "skos:scopeNote"]
    assert rows[3:] == sorted(rows[3:])
    # For programs the definition is a comment too.
    assert not {"rdfs:comment", "obo:IAO_0000115"} & set(rows)
    assert "rdfs:comment" in (folder / "term/contentType.ttl").read_text("utf-8")
    assert not [row for row in rows if row.startswith("http")]


def test_the_name_of_a_resource_is_its_english_label_or_the_end_of_its_iri() -> None:
    node, path = ox.NamedNode(f"{BASE}suffix/xml"), ox.NamedNode(RDFS.label)
    german, english, plain = (
        (node, path, ox.Literal(text, language=language))
        for text, language in (("deutsch", "de"), ("English", "en"), ("plain", None))
    )
    other = (node, ox.NamedNode(DCTERMS.title), ox.Literal("title"))
    assert label_of(node.value, [german, other, english]) == "English"
    assert label_of(node.value, [german, other, plain]) == "plain"
    assert label_of(node.value, [german, other]) == "xml"


@pytest.mark.parametrize(("iri", "path"), [
    ("ContentType:image/svg+xml", "media-type/image/svg+xml"),
    ("ContentType:text/csv?header=%22absent%22", None), ("ContentType:text/csv#a", None),
    ("ContentType:a/b%20c", None), (f"{BASE}vocab#ContentType", "class/ContentType"),
    (f"{BASE}vocab#contentType", "term/contentType"),
    (f"{BASE}mime#Message", "message-class/Message"), (f"{BASE}label/CSV", "label/CSV"),
    (f"{BASE}label", None), (f"{BASE}none/CSV", None), ("label/CSV", None),
    ("https://a.example/label/CSV", None),
])  # fmt: skip
def test_a_resource_of_ours_has_the_path_of_its_kind(iri: str, path: str | None) -> None:
    assert path_of(iri) == path


@pytest.mark.parametrize(
    "text", ["text/csv", "a~b", ".", "..", "a\\b", "http://a.example/b?c#d", "é"]
)
def test_a_node_is_one_segment_that_servers_pass_on(text: str) -> None:
    for node in (label_node(text).value, own_node("parameter", "profile", text).value):
        segment = node.rpartition("/")[2]
        assert "%2F" not in segment
        assert "%5C" not in segment
        assert segment not in {"", ".", ".."}
    assert label_node("a/b") != label_node("a~2Fb")


# --- Redirects ---------------------------------------------------------------------------------

CONFIGURATION = """\
ServerRoot {folder}
PidFile {folder}/pid
Listen 127.0.0.1:{port}
ServerName 127.0.0.1
ErrorLog {folder}/error.log
{modules}
User {user}
Group {group}
DocumentRoot {folder}/root
<Directory {folder}/root>
  AllowOverride All
  Require all granted
</Directory>
"""
TURTLE, JSONLD, RDFXML = "text/turtle", "application/ld+json", "application/rdf+xml"
NT, HTML = "application/n-triples", "text/html"
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"
# What is asked for, and the format that answers it.
ACCEPT = [
    ("", "html"), ("*/*", "html"), (HTML, "html"), (BROWSER, "html"),
    ("application/xhtml+xml", "html"), ("text/*", "html"), ("image/png", "html"),
    (TURTLE, "ttl"), ("TEXT/TURTLE", "ttl"), ("Text/Turtle; charset=utf-8", "ttl"),
    ("application/x-turtle", "ttl"), (JSONLD, "jsonld"), (RDFXML, "rdf"), (NT, "nt"),
    (f"{HTML}, {TURTLE};q=0.1", "html"), (f"{TURTLE};q=0, {HTML}", "html"),
    (f"{TURTLE};q=0.0, {JSONLD};q=0.2", "jsonld"), (f"{TURTLE};q=0", "html"),
    (f"{RDFXML}, {TURTLE};q=0.5", "rdf"), (f"{TURTLE};q=0.5, {RDFXML}", "rdf"),
    (f"{HTML};q=0.5, {TURTLE}", "ttl"), (f"{HTML};q=0.8,{TURTLE};q=0.9", "ttl"),
    (f"{TURTLE};Q=0.9, {HTML};q=0.8", "ttl"), (f"{TURTLE} ; q=1.0, {HTML};q=0.99", "ttl"),
    (f'{JSONLD};profile="http://www.w3.org/ns/json-ld#compacted"', "jsonld"),
    (f"{JSONLD}, {TURTLE}", "ttl"), (f"{HTML};q=0.01, {TURTLE};q=0.001", "html"),
    (f"{NT}, {HTML};q=0.2", "nt"), (f"{TURTLE};q=.4, {NT};q=0.3", "ttl"),
    ("text/turtlex", "html"), ("x-text/turtle", "html"), (f"*/*;q=0.1, {TURTLE}", "ttl"),
    ("text/html;level=1;q=0.2, text/turtle;q=0.3", "ttl"),
    (f"{RDFXML};q=0.95, {TURTLE};q=0.9", "rdf"), (f"{RDFXML};q=0.9, {TURTLE};q=0.95", "ttl"),
]  # fmt: skip
REQUESTS = [
    *(("vocab", accept, f"vocab.{ending}") for accept, ending in ACCEPT),
    ("", HTML, "index.html"), ("vocab/", TURTLE, "vocab.ttl"),
    ("vocab/2026-11-22", HTML, "versions/vocab-2026-11-22.html"),
    ("vocab/2026-11-22", TURTLE, "versions/vocab-2026-11-22.ttl"),
    ("vocab/2026-11-21", JSONLD, "versions/vocab-2026-11-21.jsonld"),
    ("mime", RDFXML, "mime.rdf"), ("mime/2026-11-25", NT, "versions/mime-2026-11-25.nt"),
    ("label/WMS", HTML, "label.html#WMS"), ("label/WMS", TURTLE, "label.ttl"),
    ("label/API%20REST", HTML, "label.html#API%20REST"),
    ("parameter/header/absent", HTML, "parameter.html#header/absent"),
    ("parameter/header/absent", JSONLD, "parameter.jsonld"),
    ("registry", HTML, "media-type.html"), ("registry", TURTLE, "registry.ttl"),
    *(
        (path, accept, f"{file}.{ending}")
        for path, file in (
            ("media-type/image/svg+xml", "media-type/image/svg+xml"),
            ("media-type/application/vnd.ms-excel", "media-type/application/vnd.ms-excel"),
            ("suffix/xml", "suffix/xml"), ("top-level/image", "top-level/image"),
        )
        for accept, ending in (
            (HTML, "html"), (TURTLE, "ttl"), (JSONLD, "jsonld"), (RDFXML, "ttl"), (BROWSER, "html"),
        )
    ),
]  # fmt: skip


@pytest.fixture(scope="module")
def port(folder: Path) -> Iterator[int]:
    """Run Apache with the redirects below /cturi and the site below /site."""
    if not APACHE or not (MODULES / "mod_rewrite.so").exists():
        pytest.skip("Apache with mod_rewrite is not installed")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    home = folder.parent
    root = home / "root"
    (root / "cturi").mkdir(parents=True)
    (root / "site").symlink_to(folder)
    (root / "cturi" / ".htaccess").write_text(htaccess(f"http://127.0.0.1:{port}/site/"))
    modules = "\n".join(
        f"LoadModule {name}_module {MODULES}/mod_{name}.so"
        for name in ("mpm_event", "authz_core", "mime", "dir", "rewrite")
    )
    user = ("nobody", "nogroup") if os.getuid() == 0 else ("#-1", "#-1")
    (home / "conf").write_text(
        CONFIGURATION.format(
            folder=home, port=port, modules=modules, user=user[0], group=user[1]
        ).replace(f"{MODULES}/mod_mime.so", f"{MODULES}/mod_mime.so\nTypesConfig /dev/null")
    )
    server = subprocess.Popen([APACHE, "-D", "FOREGROUND", "-f", str(home / "conf")])
    try:
        wait_until(lambda: server.poll() is not None or answers(port))
        yield port
    finally:
        server.terminate()
        server.wait(PATIENCE)


def _get(port: int, path: str, accept: str) -> tuple[int, str | None]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request("GET", path, headers={"Accept": accept} if accept else {})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status, answer.getheader("Location")


@every_page
def test_apache_redirects_to_the_format_that_is_preferred_and_it_is_there(port: int) -> None:
    assert len(REQUESTS) >= 60
    wrong = []
    for path, accept, file in REQUESTS:
        status, location = _get(port, f"/cturi/{path}", accept)
        target, fragment = urlsplit(location or "").path, urlsplit(location or "").fragment
        if (status, unquote(target) + (fragment and f"#{fragment}")) != (303, f"/site/{file}"):
            wrong.append((path, accept, file, status, location))
        elif _get(port, target, accept)[0] != 200:
            wrong.append((path, accept, file, "not there", location))
    assert wrong == []


# --- Every IRI of ours can be fetched ------------------------------------------------------------

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def whole(folder: Path) -> Path:
    """Return the folder with all that `make site` adds, but the page that pyLODE makes."""
    runpy.run_path(str(ROOT / "scripts" / "build_vocabulary.py"))["build_site"](folder / "ontology")
    for name, text in open_tables().items():
        path = folder / "data" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8", newline="\n")
    return folder


def documents_in(*texts: str) -> set[str]:
    """Return the IRIs of ours in some Turtle, without fragments, relative to the base."""
    found = re.findall(r"<https://w3id\.org/cturi/([^>#\s]+)", "\n".join(texts))
    return set(found)


def fetched(port: int, path: str, accept: str) -> tuple[int, str]:
    """Return the status of a document after all redirects, and the address where they end."""
    for _ in range(5):
        status, location = _get(port, path, accept)
        if location is None:
            break
        path = urlsplit(location).path
    return status, path


def annotated() -> Iterator[str]:
    """Yield catalogues as `cturi annotate` writes them by default."""
    for path in (ROOT / "examples" / "catalogue.ttl", *SHARED_CATALOGUES):
        result = CliRunner().invoke(annotate, ["-q", str(path), "--to", "turtle"])
        assert result.exit_code == 0, result.output
        yield result.stdout


SHARED_CATALOGUES = [
    path
    for name in (
        "w3c-csiro-dap-examples.ttl", "maregraph-eu-catalog.ttl",
        "datosgobes-E_DCAT-AP-ES_full_optional.ttl",
    )
    if (path := ROOT.parent / "shared" / "catalogs" / name).is_file()
]  # fmt: skip


@every_page
def test_each_iri_that_is_written_by_default_can_be_fetched(port: int) -> None:
    label = '[] <http://purl.org/dc/terms/format> "text/csv; header=absent", "XSLX", "Zipped CSV" .'
    graph = Graph().parse(data=label, format="turtle")
    rdf_annotate(graph, add="links")
    documents = documents_in(*annotated(), graph.serialize(format="nt"))
    assert {"vocab", "parameter/header/absent"} <= documents
    assert not [each for each in documents if each.startswith("label/")]
    for accept in (HTML, TURTLE, JSONLD):
        for path in documents:
            assert fetched(port, f"/cturi/{path}", accept)[0] == 200, (path, accept)


@every_page
def test_each_iri_in_what_is_published_can_be_fetched(port: int, whole: Path) -> None:
    published = [path.read_text("utf-8") for path in whole.rglob("*.ttl")]
    documents = documents_in(*published)
    assert len(documents) > 2_500
    for accept in (HTML, TURTLE):
        dead = [path for path in documents if fetched(port, f"/cturi/{path}", accept)[0] != 200]
        assert dead == [], accept


@every_page
def test_a_crawl_finds_no_dead_end(port: int, whole: Path) -> None:
    del whole
    seen, waiting = {"/site/index.html"}, ["/site/index.html"]
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    while waiting:
        path = waiting.pop()
        connection.request("GET", path)
        answer = connection.getresponse()
        text = answer.read()
        assert answer.status == 200, path
        if not path.endswith(".html"):
            continue
        for link in re.findall(r'(?:href|src)="([^"]+)"', text.decode()):
            target = urlsplit(urljoin(path, unescape(link)))
            if not target.netloc and target.path not in seen:
                seen.add(target.path)
                waiting.append(target.path)
    connection.close()
    assert len(seen) > 10_000
