"""The contexts of JSON-LD: from the package, a file, beside the document, or as allowed."""

from __future__ import annotations

import gzip
import json
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest
from rdflib import URIRef
from rdflib.namespace import DCAT, DCTERMS

from cturi_rdf._util.limits import LimitError, limited
from cturi_rdf.catalogue import annotate_file
from cturi_rdf.rdf import annotate, headers
from cturi_rdf.reading import CatalogError, read_catalog
from cturi_rdf.reading.formats import ReadOptions
from cturi_rdf.reading.jsonld import whole
from cturi_rdf.reading.read import QuadDocument
from cturi_rdf.reading.source import open_source

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Write


def _json(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value), "utf-8")
    return path


FORMAT = {"@context": {"f": "http://purl.org/dc/terms/format"}}


def _quads(path: Path, reading: ReadOptions = ReadOptions()) -> list[str]:
    with open_source(str(path), reading) as source:
        return [f"{quad.predicate.value} {quad.object.value}" for quad in QuadDocument(source)]


def test_a_context_is_read_from_the_folder_of_the_document_only(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    folder.mkdir(parents=True)
    _json(folder / "beside.json", FORMAT)
    outside = _json(tmp_path / "outside.json", FORMAT)
    (folder / "link.json").symlink_to(outside)
    for name in ("../../outside.json", str(outside), "link.json", "/etc/passwd"):
        path = _json(folder / "doc.jsonld", {"@context": name, "@id": "a:b", "f": "CSV"})
        with pytest.raises(CatalogError, match="outside the folder of the document"):
            _quads(path)
        if name != "/etc/passwd":
            allowed = ReadOptions(allow_files=True)
            assert _quads(path, allowed) == ["http://purl.org/dc/terms/format CSV"]
    path = _json(folder / "doc.jsonld", {"@context": "beside.json", "@id": "a:b", "f": "CSV"})
    assert _quads(path) == ["http://purl.org/dc/terms/format CSV"]


def test_a_context_can_be_left_out(tmp_path: Path) -> None:
    name = "http://other.example/context"
    path = _json(
        tmp_path / "a.jsonld", {**FORMAT, "@context": [name, FORMAT["@context"]], "f": "x"}
    )
    assert _quads(path, ReadOptions(contexts={name: None})) == ["http://purl.org/dc/terms/format x"]


@pytest.mark.slow
def test_contexts_that_name_one_another_many_times_are_limited(tmp_path: Path) -> None:
    for number in range(30):
        names = [f"c{number + 1}.json", {}, f"c{number + 1}.json"]
        _json(tmp_path / f"c{number}.json", {"@context": names})
    _json(tmp_path / "c30.json", FORMAT)
    path = _json(tmp_path / "a.jsonld", {"@context": "c0.json", "f": "CSV"})
    with pytest.raises(LimitError, match="JSON-LD contexts"):
        _quads(path)
    assert _quads(_json(path, {"@context": ["c30.json"] * 500, "f": "CSV"}))


THING = {
    "id": "urn:ex:1",
    "title": "T",
    "securityDefinitions": {"n": {"scheme": "nosec"}},
    "security": "n",
    "properties": {"s": {"forms": [{"href": "http://a/s", "contentType": "application/json"}]}},
}


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ({"@context": "https://www.w3.org/2022/wot/td/v1.1", **THING},
         "https://www.w3.org/2019/wot/hypermedia#forContentType application/json"),
        ({"@context": "https://www.w3.org/2019/wot/td/v1", **THING},
         "https://www.w3.org/2019/wot/hypermedia#forContentType application/json"),
        ({"@context": ["https://w3id.org/ro/crate/1.1/context",
                       "https://w3id.org/ro/terms/workflow-run/context"],
          "@id": "a", "encodingFormat": "text/csv"}, "http://schema.org/encodingFormat text/csv"),
        # No context, but fields that say whose they are.
        ({"@type": "Dataset", "distribution": [
            {"@type": "Distribution", "mediaType": "text/csv", "downloadURL": "http://a/b"}]},
         "http://www.w3.org/ns/dcat#mediaType text/csv"),
        ([{"@type": "MediaObject", "encodingFormat": "text/csv"}],
         "http://schema.org/encodingFormat text/csv"),
    ],
    ids=["thing 1.1", "thing 1.0", "workflow run", "DCAT-US", "schema.org"],
)  # fmt: skip
def test_a_context_that_is_well_known_is_at_hand(
    tmp_path: Path, content: Any, expected: str
) -> None:
    assert expected in _quads(_json(tmp_path / "a.json", content))


def test_json_that_says_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match="nothing says what its fields mean"):
        _quads(_json(tmp_path / "a.json", {"name": "x", "format": "CSV"}))


@pytest.mark.parametrize("levels", [500])
def test_many_levels_of_json_and_of_blank_nodes_are_read(
    tmp_path: Path, write: Write, levels: int
) -> None:
    nested: Any = {"http://a/p": "x"}
    for _ in range(levels):
        nested = {"http://a/q": nested}
    assert len(_quads(_json(tmp_path / "a.jsonld", nested))) == levels + 1
    path = write("a.ttl", "<a:b> <a:c> " + "[ <a:c> " * levels + "1" + " ]" * levels + " .")
    assert len(_quads(path)) == levels + 1


POD = {
    "dataset": [
        {
            "identifier": "a",
            "distribution": [
                {"mediaType": "text/csv", "format": "CSV", "downloadURL": "http://a.example/b"}
            ],
            "describedByType": "text/html",
        }
    ]
}


@pytest.mark.parametrize(
    "context",
    [
        {},
        {"@context": "https://project-open-data.cio.gov/v1.1/schema/catalog.jsonld"},
        {"@context": "http://project-open-data.cio.gov/v1.1/schema/catalog.jsonld"},
    ],
    ids=["none", "https", "http"],
)
def test_project_open_data_is_read_with_and_without_its_context(
    tmp_path: Path, context: dict[str, str]
) -> None:
    dataset = read_catalog(_json(tmp_path / "data.json", context | POD))
    properties = {each.predicate for each in annotate(dataset).occurrences}
    assert properties == {
        DCAT.mediaType,
        DCTERMS["format"],
        URIRef("https://project-open-data.cio.gov/v1.1/schema#describedByType"),
    }
    [header] = headers(dataset)
    assert str(header.name) == "http://a.example/b"


CONTEXTS = [
    "https://schema.org",
    "http://schema.org/",
    "https://schema.org/docs/jsonldcontext.jsonld",
    "https://w3id.org/ro/crate/1.1/context",
    ["https://w3id.org/ro/crate/1.2/context", {"@vocab": "http://other.example/"}],
]


@pytest.mark.parametrize("context", CONTEXTS, ids=str)
def test_the_contexts_of_schema_org_and_ro_crate_are_at_hand(tmp_path: Path, context: Any) -> None:
    document = {"@context": context, "@id": "a.csv", "encodingFormat": "text/csv"}
    dataset = read_catalog(_json(tmp_path / "crate.json", document))
    [occurrence] = annotate(dataset).occurrences
    assert occurrence.predicate == URIRef("http://schema.org/encodingFormat")


def test_the_terms_of_our_ro_crate_context_are_those_of_the_official_one(shared: Path) -> None:
    from cturi_rdf.reading.jsonld_contexts import context_of_file

    path = shared / "catalogs/contexts/rocrate-1.1.jsonld"
    official = json.loads(path.read_text("utf-8"))["@context"]
    official = official if isinstance(official, dict) else official[-1]
    ours = context_of_file("ro-crate")
    wrong = {
        name for name in official.keys() & ours.keys() if _iri(official, name) != _iri(ours, name)
    }
    assert wrong == set()
    # A few words are newer than one of the two lists.
    assert len(official.keys() - ours.keys()) < 150


def _iri(context: dict[str, Any], name: str) -> str:
    """Return the IRI of a term, its prefix resolved."""
    value = context[name]
    iri: str = value["@id"] if isinstance(value, dict) else value
    prefix, colon, rest = iri.partition(":")
    return context[prefix] + rest if colon and prefix in context else iri


def test_a_context_is_taken_from_a_file(tmp_path: Path) -> None:
    context = tmp_path / "context.jsonld"
    _json(context, {"@context": {"type": "http://purl.org/dc/terms/format"}})
    name = "https://a.example/context"
    source = _json(tmp_path / "in.jsonld", {"@context": name, "@id": "b", "type": "CSV"})
    with pytest.raises(CatalogError, match=f"{name} is not available") as caught:
        read_catalog(source)
    assert f"--context {name}=FILE" in caught.value.option
    for iri in (name, name + "/", name.replace("https", "http")):
        assert annotate(read_catalog(source, ReadOptions(contexts={iri: context}))).resolved == 1
    # One that is named relatively lies beside the document.
    beside = {"@context": ["context.jsonld", {"x": "y:z"}], "@id": "b", "type": "CSV"}
    assert annotate(read_catalog(_json(tmp_path / "beside.jsonld", beside))).resolved == 1
    imported = {"@context": {"@import": "context.jsonld", "x": "y:z"}, "@id": "b", "type": "CSV"}
    assert annotate(read_catalog(_json(tmp_path / "import.jsonld", imported))).resolved == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, r"context\.jsonld: it cannot be read \(No such file"),
        (b"", r"context\.jsonld: not a JSON-LD context; expected a JSON object"),
        (b"[]", r"context\.jsonld: not a JSON-LD context; expected a JSON object"),
        (b'{"a": 1}', r"context\.jsonld: not a JSON-LD context; expected a JSON object"),
        (gzip.compress(b'{"@context": {}}', mtime=0)[:-9], r"context\.jsonld: .*gzip"),
    ],
)
def test_a_file_that_holds_no_context_is_refused(
    content: bytes | None, message: str, tmp_path: Path
) -> None:
    name, path = "https://a.example/context", tmp_path / "context.jsonld"
    if content is not None:
        path.write_bytes(content)
    source = _json(tmp_path / "in.jsonld", {"@context": name, "a:b": "c"})
    with pytest.raises(CatalogError, match=message):
        read_catalog(source, ReadOptions(contexts={name: path}))
    with pytest.raises(CatalogError, match=message):
        annotate_file(source, tmp_path / "out.jsonld", reading=ReadOptions(contexts={name: path}))


@pytest.mark.parametrize(
    ("context", "is_one"),
    [
        (5, False), ([5], False), (True, False), ({"@import": 5}, False),
        (None, True), ([None, {"c": "a:d"}], True), ({}, True),
    ],
)  # fmt: skip
def test_a_context_is_null_a_name_or_an_object(context: Any, is_one: bool, tmp_path: Path) -> None:
    path = _json(tmp_path / "in.jsonld", {"@context": context, "a:b": "c"})
    # It stays as it is, also where Oxigraph refuses it.
    text = whole(path.read_bytes(), "in.jsonld", ReadOptions()).text
    assert json.loads(text) == {"@context": context, "a:b": "c"}
    if is_one:
        assert _quads(path) == ["a:b c"]
    else:
        with pytest.raises(CatalogError):
            _quads(path)


@pytest.mark.parametrize("rest", [":x/", "[/", " b/", "\u00e9\u2028/", "\x00/"])
def test_a_context_with_a_malformed_address_cannot_be_fetched(rest: str, tmp_path: Path) -> None:
    source = _json(tmp_path / "in.jsonld", {"@context": f"http://{rest}", "a:b": "c"})
    with pytest.raises(CatalogError, match="cannot be fetched"):
        read_catalog(source, ReadOptions(allow_network=True))


def test_a_context_that_leads_to_itself_is_refused(tmp_path: Path) -> None:
    context = tmp_path / "context.jsonld"
    _json(context, {"@context": "context.jsonld"})
    source = _json(tmp_path / "in.jsonld", {"@context": "context.jsonld", "a:b": "c"})
    with pytest.raises(CatalogError, match="names itself"):
        read_catalog(source)


def test_a_context_is_fetched_only_when_allowed(tmp_path: Path) -> None:
    fetched: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            fetched.append(self.path)
            found = self.path == "/context"
            self.send_response(200 if found else 404)
            self.end_headers()
            self.wfile.write(b'{"@context": {"type": "http://purl.org/dc/terms/format"}}')

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        base = f"http://127.0.0.1:{server.server_port}"
        source = _json(
            tmp_path / "in.jsonld", {"@context": f"{base}/context", "@id": "b", "type": "CSV"}
        )
        with pytest.raises(CatalogError, match="not available"):
            read_catalog(source)
        assert fetched == []
        assert annotate(read_catalog(source, ReadOptions(allow_network=True))).resolved == 1
        assert fetched == ["/context"]
        # A context that several objects name is fetched once.
        node = {"@context": f"{base}/context", "type": "CSV"}
        source = _json(tmp_path / "in.jsonld", [{**node, "@id": "b"}, {**node, "@id": "c"}])
        fetched.clear()
        assert annotate(read_catalog(source, ReadOptions(allow_network=True))).resolved == 2
        assert fetched == ["/context"]
        source = _json(tmp_path / "in.jsonld", {"@context": f"{base}/none", "a:b": "c"})
        with pytest.raises(CatalogError, match="cannot be fetched"):
            read_catalog(source, ReadOptions(allow_network=True))
        server.shutdown()


def test_the_context_of_a_term_is_for_the_values_of_the_term_alone(tmp_path: Path) -> None:
    # Inside of `a`, `b` is a term of the context of `a`; between two of `a` it is an IRI.
    inner = {"b": {"@id": "urn:x:b", "@context": "missing.json"}}
    context = {"a": {"@id": "urn:x:a", "@context": inner}, "b": "urn:x:other"}
    _json(tmp_path / "context.json", {"@context": context})
    apart: dict[str, Any] = {
        "@context": "context.json",
        "@graph": [
            {"@id": "urn:x:1", "a": {"@id": "urn:x:2"}},
            {"@id": "urn:x:3", "b": "CSV"},
            {"@id": "urn:x:4", "a": {"@id": "urn:x:5"}},
        ],
    }
    path = _json(tmp_path / "a.jsonld", apart)
    assert "urn:x:other CSV" in _quads(path)
    for node in (apart["@graph"][0], apart["@graph"][2]):
        node["a"]["b"] = "CSV"
        with pytest.raises(CatalogError, match=r"missing\.json is not available"):
            _quads(_json(tmp_path / "b.jsonld", apart))
        del node["a"]["b"]


def test_characters_that_stand_for_others_are_read_as_they_are(tmp_path: Path) -> None:
    # A space of an IRI is read by way of U+E2020, unless the document has such a character.
    text = "a\U000e2020b"
    value = {"@context": "https://schema.org/", "@id": "a:b", "name": text}
    assert _quads(_json(tmp_path / "a.jsonld", value)) == [f"http://schema.org/name {text}"]


def test_the_name_of_a_term_may_have_a_character_that_no_iri_has(tmp_path: Path) -> None:
    value = {
        "@context": {"my format": {"@id": "urn:x:f", "@type": "@vocab"}, "a b": "urn:x:ab"},
        "@id": "urn:x:s",
        "my format": "a b",
        "urn:x:p q": "text",
    }
    assert sorted(_quads(_json(tmp_path / "a.jsonld", value))) == [
        "urn:x:f urn:x:ab",
        "urn:x:p q text",
    ]


@pytest.mark.parametrize("allowed", [2, 3])
def test_a_context_and_its_terms_are_counted_up_to_the_limit(tmp_path: Path, allowed: int) -> None:
    _json(tmp_path / "context.json", {"@context": {"a": "urn:x:a", "b": "urn:x:b"}})
    path = _json(tmp_path / "a.jsonld", {"@context": "context.json", "@id": "a:b", "a": "CSV"})
    # The name, the object, and its two terms.
    with limited({"contexts": allowed + 1}):
        if allowed == 3:
            assert _quads(path) == ["urn:x:a CSV"]
        else:
            with pytest.raises(LimitError):
                _quads(path)
