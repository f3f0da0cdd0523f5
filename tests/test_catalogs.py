"""Real catalogues, whole: every label found, nothing lost, headers back."""

from __future__ import annotations

import csv
import gzip
import json
from collections import Counter
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rdflib import RDF, BNode, Dataset, URIRef
from rdflib.namespace import DCAT, DCTERMS

from cturi_rdf.io import CatalogError, read_catalog, write_catalog
from cturi_rdf.io.formats import FORMATS, format_named, format_of_file
from cturi_rdf.io.jsonld_contexts import Contexts
from cturi_rdf.io.read import document
from cturi_rdf.io.relative_iri import DOCUMENT
from cturi_rdf.io.source import open_source
from cturi_rdf.rdf import CTV, annotate, headers, mint
from cturi_rdf.rdf.files.annotate import annotate_file

if TYPE_CHECKING:
    from conftest import Write
    from rdflib.term import Node

    from cturi_rdf import ContentType

EXAMPLE = Path(__file__).parents[1] / "examples" / "catalogue.ttl"

# The real catalogues beside the project, by the name of their file.
CATALOGUES = [
    "bennokr-catalog.jsonld", "casework-kb-all.ttl", "comunedialessandria-catalog.rdf",
    "comunefoggia-catalog.rdf", "datosgobes-E_DCAT-AP-ES_Catalog_HVD_full.ttl",
    "datosgobes-E_DCAT-AP-ES_Catalog_NSIP.rdf", "datosgobes-E_DCAT-AP-ES_full_optional.ttl",
    "emo-bon-ro-crate-metadata.json", "fedict-dataset-example.xml", "fedict-dcat.rdf",
    "fedict-fpsecocbe.xml", "gsa-dcatus_with_none.json", "gsa-usda.gov.data.json",
    "informasjonsforvaltning-difi-dataset-2017-10-19.jsonld",
    "informasjonsforvaltning-gdoc-data-2017-10-19.ttl",
    "informasjonsforvaltning-geonorge-data-2017-10-19.xml", "linkedpipes-test.trig",
    "maregraph-eu-catalog.ttl", "mlcommons-huggingface.ttl", "mlcommons-metadata.json",
    "project-open-data-catalog-sample-extended.json", "researchobject-ro-crate-metadata.json",
    "smartdataanalytics-linkedgeodata-2018-04-04.dcat.ttl", "w3c-csiro-dap-examples.ttl",
    "w3c-csiro-stratchart.ttl",
]  # fmt: skip


def _counted(dataset: Dataset) -> Counter[tuple[Node | None, ...]]:
    """Return the quads of a dataset: blank nodes without their names, IRIs legal."""
    return Counter(tuple(map(_comparable, quad)) for quad in dataset.quads())


def _comparable(term: Node | None) -> Node | None:
    if isinstance(term, BNode):
        return None
    return URIRef(term.replace(" ", "%20")) if isinstance(term, URIRef) else term


def _known_labels(shared: Path) -> dict[str, int]:
    """Return how many labels on known properties each catalogue has."""
    with (shared / "catalogs/LABELS.tsv").open(encoding="utf-8") as file:
        return {
            row["file"]: sum(
                int(each.rpartition("=")[2])
                for each in row["labels_by_property"].split()
                if not each.startswith("?")
            )
            for row in csv.DictReader(file, delimiter="\t")
        }


def test_the_catalogues_are_all_there_are(shared: Path) -> None:
    assert set(_known_labels(shared)) == set(CATALOGUES)


@pytest.mark.parametrize("name", CATALOGUES)
def test_a_real_catalogue_is_annotated_whole(shared: Path, tmp_path: Path, name: str) -> None:
    source = str(shared / "catalogs" / name)
    given, dataset = read_catalog(source), read_catalog(source)
    report = annotate(dataset)
    # Every label on the known properties is found, and gets its node or is listed.
    assert report.labels == _known_labels(shared)[name]
    assert report.resolved + report.services + report.not_understood == report.labels
    listed = [*report.groups(), *report.groups("service")]
    assert sum(len(each.occurrences) for each in listed) == report.labels - report.resolved
    assert all(each.reason and list(each.places()) for each in listed)
    for each in report.occurrences:
        for content_type in each.content_types:
            assert (each.resource, None, mint(content_type)) in dataset
            assert (mint(content_type), RDF.type, CTV.ContentType) in dataset
    # The input's own triples are all still there, in the file that is written too.
    target = tmp_path / "out.trig"
    write_catalog(dataset, str(target), format_named("trig"))
    again = read_catalog(str(target))
    assert not _counted(given) - _counted(dataset)
    assert not _counted(given) - _counted(again)
    # From the annotations come the same headers as from the labels: one a resource.
    assert sorted(map(repr, _agreed(again))) == sorted(map(repr, _agreed(given)))


def _agreed(dataset: Dataset) -> list[tuple[str, ContentType]]:
    """Return the named resources that have a header."""
    found = [each for each in headers(dataset) if each.content_type]
    assert len({each.resource for each in found}) == len(found)
    return [
        (str(_comparable(each.name)), each.content_type)
        for each in found
        if each.content_type and not isinstance(each.name, BNode)
    ]


# Relative IRIs as Turtle has them, whatever the depth.
RELATIVE = """
    @prefix dct: <http://purl.org/dc/terms/> .
    <> dct:format <CSV> . <#a> dct:format <text/csv> . <../b> dct:format <./> .
    <../../c?d#e> dct:format </f> . <g%20h> dct:format <//i.example/> .
"""


@pytest.mark.parametrize("name", ["out.ttl", "out.trig", "out.rdf", "out.jsonld", "out.ttl.gz"])
def test_relative_iris_are_relative_again(tmp_path: Path, name: str) -> None:
    source, target = tmp_path / "in.ttl", tmp_path / name
    source.write_text(RELATIVE)
    write_catalog(read_catalog(str(source)), str(target), format_of_file(name))
    content = target.read_bytes()
    text = gzip.decompress(content) if name.endswith(".gz") else content
    assert b"base.invalid" not in text
    assert _counted(read_catalog(str(target))) == _counted(read_catalog(str(source)))


def test_in_a_format_without_relative_iris_they_are_those_of_the_base(tmp_path: Path) -> None:
    source, target = tmp_path / "in.ttl", tmp_path / "out.nt"
    source.write_text(RELATIVE)
    dataset = read_catalog(str(source))
    write_catalog(dataset, str(target), format_named("nt"), base="http://a.example/x/y/z")
    text = target.read_text()
    assert "<http://a.example/x/y/CSV>" in text
    assert "<http://a.example/x/b>" in text


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_every_format_is_written_and_read(tmp_path: Path, form: Any) -> None:
    dataset = read_catalog(str(EXAMPLE))
    annotate(dataset)
    target = tmp_path / f"out.{form.endings[0]}.gz"
    assert write_catalog(dataset, str(target), form, base=DOCUMENT) == set()
    assert _counted(read_catalog(str(target))) == _counted(dataset)


def test_what_no_iri_can_hold_is_kept_where_the_format_can_and_encoded_elsewhere(
    tmp_path: Path, write: Write
) -> None:
    source = write(
        "in.rdf",
        """
        <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
          <rdf:Description rdf:about="http://a.example/b c" rdf:value="CSV"/>
        </rdf:RDF>""",
    )
    dataset = read_catalog(str(source))
    assert write_catalog(dataset, str(tmp_path / "out.rdf"), format_named("xml")) == set()
    assert URIRef("http://a.example/b c") in set(read_catalog(str(tmp_path / "out.rdf")).subjects())
    encoded = write_catalog(dataset, str(tmp_path / "out.ttl"), format_named("turtle"))
    assert encoded == {"http://a.example/b c"}
    assert "<http://a.example/b%20c>" in (tmp_path / "out.ttl").read_text()


def test_a_literal_and_a_blank_node_are_written_as_they_were_read(tmp_path: Path) -> None:
    source = tmp_path / "in.jsonld"
    typed = [{"@value": v, "@type": f"http://www.w3.org/2001/XMLSchema#{t}"} for v, t in (
        ("1", "decimal"), ("1.10", "decimal"), ("01", "integer"), ("1e3", "double"),
        ("TRUE", "boolean"), ("2024-1-1", "date"), ("x", "integer"),
    )]  # fmt: skip
    _written(source, {"@id": "_:not-a@label", "http://a.example/b": typed})
    for form in FORMATS:
        target = tmp_path / f"out.{form.endings[0]}"
        write_catalog(read_catalog(str(source)), str(target), form)
        again = read_catalog(str(target))
        assert {str(each) for each in again.objects(None, URIRef("http://a.example/b"))} == {
            each["@value"] for each in typed
        }, form
        assert len(set(again.subjects())) == 1


def test_named_graphs_stay_named(tmp_path: Path) -> None:
    source, target = tmp_path / "in.nq", tmp_path / "out.nq"
    source.write_text(
        '<http://a.example/2> <http://purl.org/dc/terms/format> "CSV" .\n'
        '<http://a.example/1> <http://purl.org/dc/terms/format> "CSV" <http://a.example/g> .\n'
    )
    dataset = read_catalog(str(source))
    write_catalog(dataset, str(target), format_named("nquads"))
    assert _counted(read_catalog(str(target))) == _counted(read_catalog(str(source)))
    assert sorted(target.read_text().split()) == sorted(source.read_text().split())


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


def _written(path: Path, document: Any) -> str:
    path.write_text(json.dumps(document), encoding="utf-8")
    return str(path)


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
    dataset = read_catalog(_written(tmp_path / "data.json", context | POD))
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
    dataset = read_catalog(_written(tmp_path / "crate.json", document))
    [occurrence] = annotate(dataset).occurrences
    assert occurrence.predicate == URIRef("http://schema.org/encodingFormat")


def test_the_terms_of_our_ro_crate_context_are_those_of_the_official_one(shared: Path) -> None:
    from cturi_rdf.io.packaged_contexts import ro_crate  # noqa: PLC0415 - under the hood

    path = shared / "catalogs/contexts/rocrate-1.1.jsonld"
    official = json.loads(path.read_text("utf-8"))["@context"]
    official = official if isinstance(official, dict) else official[-1]
    ours = ro_crate()
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
    _written(context, {"@context": {"type": "http://purl.org/dc/terms/format"}})
    name = "https://a.example/context"
    source = _written(tmp_path / "in.jsonld", {"@context": name, "@id": "b", "type": "CSV"})
    with pytest.raises(CatalogError, match=f"{name} is not at hand.*--context {name}=FILE"):
        read_catalog(source)
    for iri in (name, name + "/", name.replace("https", "http")):
        assert annotate(read_catalog(source, contexts={iri: context})).resolved == 1
    # One that is named relatively lies beside the document.
    beside = {"@context": ["context.jsonld", {"x": "y:z"}], "@id": "b", "type": "CSV"}
    assert annotate(read_catalog(_written(tmp_path / "beside.jsonld", beside))).resolved == 1
    imported = {"@context": {"@import": "context.jsonld", "x": "y:z"}, "@id": "b", "type": "CSV"}
    assert annotate(read_catalog(_written(tmp_path / "import.jsonld", imported))).resolved == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, r"context\.jsonld: it cannot be read \(No such file"),
        (b"", r"context\.jsonld: no JSON-LD context; expected a JSON object"),
        (b"[]", r"context\.jsonld: no JSON-LD context; expected a JSON object"),
        (b'{"a": 1}', r"context\.jsonld: no JSON-LD context; expected a JSON object"),
        (gzip.compress(b'{"@context": {}}', mtime=0)[:-9], r"context\.jsonld: .*gzip"),
    ],
)
def test_a_file_that_holds_no_context_is_refused(
    content: bytes | None, message: str, tmp_path: Path
) -> None:
    name, path = "https://a.example/context", tmp_path / "context.jsonld"
    if content is not None:
        path.write_bytes(content)
    source = _written(tmp_path / "in.jsonld", {"@context": name, "a:b": "c"})
    with pytest.raises(CatalogError, match=message):
        read_catalog(source, contexts={name: path})
    with pytest.raises(CatalogError, match=message):
        annotate_file(source, tmp_path / "out.jsonld", contexts=Contexts({name: path}))


@pytest.mark.parametrize("rest", [":x/", "[/", " b/", "\u00e9\u2028/", "\x00/"])
def test_a_context_with_a_malformed_address_cannot_be_fetched(rest: str, tmp_path: Path) -> None:
    source = _written(tmp_path / "in.jsonld", {"@context": f"http://{rest}", "a:b": "c"})
    with pytest.raises(CatalogError, match="cannot be fetched"):
        read_catalog(source, allow_network=True)


def test_a_context_that_leads_to_itself_is_refused(tmp_path: Path) -> None:
    context = tmp_path / "context.jsonld"
    _written(context, {"@context": "context.jsonld"})
    source = _written(tmp_path / "in.jsonld", {"@context": "context.jsonld", "a:b": "c"})
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
        source = _written(
            tmp_path / "in.jsonld", {"@context": f"{base}/context", "@id": "b", "type": "CSV"}
        )
        with pytest.raises(CatalogError, match="not at hand"):
            read_catalog(source)
        assert fetched == []
        assert annotate(read_catalog(source, allow_network=True)).resolved == 1
        assert fetched == ["/context"]
        source = _written(tmp_path / "in.jsonld", {"@context": f"{base}/none", "a:b": "c"})
        with pytest.raises(CatalogError, match="cannot be fetched"):
            read_catalog(source, allow_network=True)
        server.shutdown()


RDF_START = b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
# What is no catalogue: the name of the file, its bytes, and what is wrong with it.
BAD = [
    ("empty.ttl", b"", "an empty file"),
    ("blank.ttl", b" \n ", "an empty file"),
    ("empty.ttl.gz", gzip.compress(b""), "an empty file"),
    ("prose.ttl", b"This is no RDF.", "not turtle"),
    ("prose.rdf", b"This is no RDF.", "not xml"),
    ("prose.json", b"This is no RDF.", "not json-ld"),
    ("prose.nt", b"This is no RDF.", "not nt"),
    ("prose.nq", b"This is no RDF.", "not nquads"),
    ("prose.trig", b"This is no RDF.", "not trig"),
    ("page.xml", b"<html><body>Hello</body></html>", "not RDF/XML but an element html"),
    (
        "page of CSW.xml",
        b'<c:Records xmlns:c="c:">\n <c:Results>'
        + RDF_START
        + b"</rdf:RDF></c:Results></c:Records>",
        r":2:13: not RDF/XML but an element Records with rdf:RDF inside",
    ),
    (
        "fault.rdf",
        RDF_START + b'<rdf:Description rdf:about="a:b" rdf:ID="c"/></rdf:RDF>',
        r"fault.rdf: not RDF/XML \(",
    ),
    ("plain.json", b'{"a": 1}', "nothing says what its fields mean"),
    ("number.json", b"1", "no triples in it"),
    ("octets.ttl", bytes(range(128, 256)), ":1:1: .*UTF-8"),
    ("latin1.nt", b'<a:b> <a:c> <a:d> .\n<a:b> <a:c> "B\xe4ume" .', ":2:.*UTF-8"),
    ("prefix.ttl", b"@prefix a: <http://a.example/> .", "no triples in it"),
    ("cut.ttl.gz", gzip.compress(b"<a:b> <a:c> <a:d> . " * 99)[:40], "a broken gzip file"),
    ("broken.ttl.gz", b"\x1f\x8b" + b"x" * 40, "a broken gzip file"),
    ("data.docx", b"PK\x03\x04", "it is packed by ZIP"),
    ("data.odt", b"no format", "does not show the format"),
    ("data", b"This is no RDF.", "does not show the format"),
]


@pytest.mark.parametrize(("name", "content", "problem"), BAD, ids=[row[0] for row in BAD])
def test_what_is_no_catalogue_is_refused_in_one_line(
    write: Write, name: str, content: bytes, problem: str
) -> None:
    source = write(name, content)
    with pytest.raises(CatalogError, match=problem) as caught:
        read_catalog(str(source))
    assert str(source) in caught.value.summary or name.startswith("data")
    assert "\n" not in caught.value.summary


@pytest.mark.parametrize("name", ["data.ttl", "data.trig", "data.nt", "data.nq"])
def test_a_byte_order_mark_is_passed_over(write: Write, name: str) -> None:
    source = write(name, b"\xef\xbb\xbf<a:b> <a:c> <a:d> .\r\n")
    assert len(read_catalog(str(source))) == 1


@pytest.mark.parametrize("name", ["missing.ttl", "folder.ttl", "nul\x00.ttl"])
def test_what_cannot_be_read_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder.ttl").mkdir()
    with pytest.raises(CatalogError, match="cannot be read"):
        read_catalog(str(tmp_path / name))


@pytest.mark.parametrize("name", ["missing/out.ttl", "folder"])
def test_an_unwritable_target_is_refused_and_nothing_is_left(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    dataset = read_catalog(str(EXAMPLE))
    with pytest.raises(CatalogError, match="cannot be written"):
        write_catalog(dataset, str(tmp_path / name), format_named("turtle"))
    assert [path.name for path in tmp_path.rglob("*")] == ["folder"]


def test_a_target_keeps_its_rights(tmp_path: Path) -> None:
    target = tmp_path / "out.ttl"
    target.touch(mode=0o640)
    write_catalog(read_catalog(str(EXAMPLE)), str(target), format_named("turtle"))
    assert target.stat().st_mode & 0o777 == 0o640


@given(st.binary(max_size=200), st.sampled_from(FORMATS))
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_are_read_or_refused(tmp_path: Path, content: bytes, form: Any) -> None:
    source = tmp_path / "in"
    source.write_bytes(content)
    try:
        dataset = read_catalog(str(source), form=form.name)
    except CatalogError as error:
        assert "\n" not in error.summary
    else:
        annotate(dataset)


@pytest.mark.parametrize(
    ("name", "start", "end"),
    [
        ("a.ttl", '<http://a.example/> <http://purl.org/dc/terms/format> "', '" .'),
        ("a.nt", '<http://a.example/> <http://purl.org/dc/terms/format> "', '" .'),
    ],
)
def test_half_a_character_is_refused(write: Write, name: str, start: str, end: str) -> None:
    source = write(name, f"{start}\\uD800{end}")
    with pytest.raises(CatalogError, match=r":1:.*D800"):
        read_catalog(str(source))
    source.write_text(f"{start}\\uD7FF{end}")
    assert len(read_catalog(str(source))) == 1


def test_half_a_character_of_json_is_replaced_and_its_place_kept(write: Write) -> None:
    path = write(
        "a.jsonld",
        r"""{"http://a.example/p":
 ["ü \udc92", "\ud83d", "\ud83d\ude00", "\\ud83d", "\uD83D\n"]}""",
    )
    with open_source(str(path)) as source:
        read = document(source)
        values = [quad.object.value for quad in read]
    assert values == ["ü \ufffd", "\ufffd", "\U0001f600", "\\ud83d", "\ufffd\n"]
    assert read.replaced == [(2, 6), (2, 16), (2, 53)]


def test_a_whole_pair_of_json_is_a_character(write: Write) -> None:
    source = write("a.jsonld", r'{"http://purl.org/dc/terms/format": "\ud83d\ude00"}')
    assert [str(value) for value in read_catalog(str(source)).objects()] == ["\U0001f600"]
