"""What labels mean: a row a label, the layers in their order, the laws, the measure."""

from __future__ import annotations

import copy
import json
import pickle
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from rdflib import BNode, Dataset, Graph, Literal

import cturi_rdf
from cturi_rdf.cli.resolve import resolve as command
from cturi_rdf.content_type import ContentType
from cturi_rdf.errors import CturiError
from cturi_rdf.labels import Resolver, read_labels, resolve, resolve_all
from cturi_rdf.labels.lexicon import FormatNameRecord, ServiceKindRecord
from cturi_rdf.labels.phrases import PATTERNS, composed, signature
from cturi_rdf.labels.pieces import pieces
from cturi_rdf.labels.schemes import EdamRecord
from cturi_rdf.labels.spelling import Speller
from cturi_rdf.labels.words import WordRecord, languages, name_key, words_of
from cturi_rdf.registry import registry
from cturi_rdf.registry.tables import load

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Run

    from cturi_rdf.labels.phrases import Pattern
    from cturi_rdf.registry.tables import Record

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
KMZ = "application/vnd.google-earth.kmz"
EU = "http://publications.europa.eu/resource/authority/file-type/"
IANA = "https://www.iana.org/assignments/media-types/"
FORMAT_NAMES, SERVICE_KINDS = "labels/formats.tsv", "labels/services.tsv"
DATA = Path(cturi_rdf.__file__).parent / "data" / "labels"
KINDS = {
    "format", "service", "package", "packed", "noise", "aside", "ending", "service-ending", "and",
    "from", "transport", "kind", "placeholder", "ordinary",
}  # fmt: skip

# label, rule, the type
ONE_TYPE = [
    ("text/csv", "syntax", "text/csv"),
    ("Text/CSV; charset=UTF-8", "syntax", "text/csv; charset=UTF-8"),
    ("text/html;;charset", "syntax", "text/html"),
    ("application / pdf", "syntax", "application/pdf"),
    ("text/xml", "syntax", "text/xml"),
    ("application/x-no-such-thing", "syntax", "application/x-no-such-thing"),
    ("vnd.apache.parquet", "syntax", "application/vnd.apache.parquet"),
    ("text turtle", "syntax", "text/turtle"),
    ("text javascript", "syntax", "text/javascript"),
    ("application/vnd.geo+json", "alias", "application/geo+json"),
    ("application/x-gzip; level=9", "alias", "application/gzip; level=9"),
    ("application/vnd.google-earth.kmz+xml", "spelling", "application/vnd.google-earth.kmz"),
    ("application/geojsonl", "alias", "application/geo+json-seq"),
    ("application/octetstream", "alias", "application/octet-stream"),
    ("text/htlm", "spelling", "text/html"),
    ("aplication/pdf", "spelling", "application/pdf"),
    ("img/jpeg", "spelling", "image/jpeg"),
    ("type/csv", "code", "text/csv"),
    (IANA + "text/csv", "scheme", "text/csv"),
    (IANA + "text/csv;header=present", "scheme", "text/csv; header=present"),
    (IANA + "text/x-csv", "alias", "text/csv"),
    (f" {EU}CSV ", "scheme", "text/csv"),
    (f"{EU}XSD", "extension", "application/xml"),
    ("http://www.w3.org/ns/formats/Turtle", "scheme", "text/turtle"),
    ("info:pronom/fmt/18", "scheme", "application/pdf"),
    ("fmt/18", "scheme", "application/pdf"),
    ("fdd000030", "scheme", "application/pdf"),
    ("edam:format_3752", "scheme", "text/csv"),
    ("http://base.invalid/doc/CSV", "code", "text/csv"),
    ("file:///home/someone/CSV", "code", "text/csv"),
    ("http://example.org/formats/gml", "code", "application/gml+xml"),
    (IANA + "csv", "code", "text/csv"),
    ("http://example.org/mime/text/csv", "syntax", "text/csv"),
    ("http://example.org/files/table.csv", "extension", "text/csv"),
    ("JSON_LD", "code", "application/ld+json"),
    ("Excel XLSX", "code", XLSX),
    ("N-Triples", "code", "application/n-triples"),
    ("SPARQL Results JSON", "code", "application/sparql-results+json"),
    (".xlsx", "extension", XLSX),
    ("*.csv", "extension", "text/csv"),
    ("mp4a", "extension", "audio/mp4"),
    ("Excel", "alias", "application/vnd.ms-excel"),
    ("kommagetrennte Werte", "alias", "text/csv"),
    ("valeurs séparées par des virgules", "alias", "text/csv"),
    ("TEKSTFIL", "alias", "text/plain"),
    ("webová stránka", "alias", "text/html"),
    ("Portable Network Graphics 1.2", "alias", "image/png"),
    ("HT ML", "code", "text/html"),
    ("XSLX", "spelling", XLSX),
    ("cvs", "spelling", "text/csv"),
    ("shapefiile", "spelling", "application/vnd.shp"),
    ("csv-Datei", "code", "text/csv"),
    ("Exceldatei", "alias", "application/vnd.ms-excel"),
    ("GML 3.2.1", "alias", "application/gml+xml"),
    ("Excel (.xlsx)", "code", XLSX),
    ("website pdf", "prose", "application/pdf"),
    ("XML (GML)", "prose", "application/gml+xml"),
    ("RDF/Turtle", "code", "text/turtle"),
    ("GML (WFS)", "code", "application/gml+xml"),
    ("CSV via API", "code", "text/csv"),
    ("CSV (Semikolon, ISO-8859-1)", "code", "text/csv"),
    ("ISO/IEC 8859-15 XML", "code", "application/xml"),
    ("ISO 9660", "alias", "application/vnd.efi.iso"),
    ("Product Map (jpg)", "prose", "image/jpeg"),
    ("CSV (text/csv)", "prose", "text/csv"),
    ("PDF (PL)", "code", "application/pdf"),
    ("zipped files", "alias", "application/zip"),
    ("tarball file", "alias", "application/x-tar"),
]  # fmt: skip

# label, types, outer
PACKED = [
    ("Zipped CSV", ["text/csv"], "application/zip"),
    ("zip:csv", ["text/csv"], "application/zip"),
    ("CSV (zip)", ["text/csv"], "application/zip"),
    ("csv.gz", ["text/csv"], "application/gzip"),
    ("zip (csv, json)", ["text/csv", "application/json"], "application/zip"),
    ("zip:MKZ", ["application/vnd.google-earth.kmz"], "application/zip"),
    ("fichier CSV compressé", ["text/csv"], None),
    ("tar.gz", ["application/x-tar"], "application/gzip"),
    ("zip rar", ["application/zip"], "application/vnd.rar"),
    ("shape-zip", ["application/vnd.shp"], "application/zip"),
    ("shapefile zip (Oslo)", ["application/vnd.shp"], "application/zip"),
    ("tar.gz (CSV)", ["text/csv"], "application/gzip"),
    ("zip:QQXX", [], "application/zip"),
    ("fgb.gz", [], "application/gzip"),
    (f"{EU}FMX4_ZIP", ["application/xml"], "application/zip"),
]

SEVERAL = [
    ("XML, CSV and HTML", ["application/xml", "text/csv", "text/html"]),
    ("txt/xlsx", ["text/plain", XLSX]),
    ("las/laz", ["application/vnd.las", "application/vnd.laszip"]),
    ("text/csv, application/json", ["text/csv", "application/json"]),
    ("text/html; text/csv", ["text/html", "text/csv"]),
    ("csv; zip; json", ["text/csv", "application/zip", "application/json"]),
    ("PDF & ZIP", ["application/pdf", "application/zip"]),
    ("http, csv, xls", ["text/csv", "application/vnd.ms-excel"]),
    ("API, JSON, XML", ["application/json", "application/xml"]),
    ("Rapport Bjarne HTML, Excel", ["text/html", "application/vnd.ms-excel"]),
]

SERVICES = [
    "WMS", "API", "wms1.3.0", "OGC:WMS-1.3.0-http-get-map", "WFS (GML, SHP)", "JSON API",
    "Soap/XML", "REST", "SPARQL endpoint", "GraphQL", "ArcGIS Hub dataset", "Kartendienst",
    "WMTS-tjeneste", "APPLICATION", "Wetterdienst", "PostGIS", "FTP Oslo", "git+https",
    "OAI-PMH (XML repons)", "application/x-arcgishub", f"{EU}WMS_SRVC", "geoportall",
    "http://www.opengis.net/def/serviceType/ogc/anything", "http://example.org/ows?service=WFS",
    "servicio de mapas",
]  # fmt: skip

NO_TYPE = ["IFC", "FlatGeobuf", f"{EU}ARCINFO_COV"]

NOTHING = [
    "", " ", "-", "???", "N/A", "unknown", "Daten", "Vorläufige Daten", "Interactive on-line",
    "Bob's holiday", "list", "resource", "tag", "words", "URI", "logical",
    "GeoRSS", "svc", "compressed", "x" * 1_000, "csv " + "qqx " * 70,
    "access to the archive of the city", "application/unknown", "audio/video", "http://example.org/term/447",
    "http://example.org/", f"{EU}NONE_SUCH", "example.org/*/*",
    "http://example.org/about/nothing.html", "http://purl.org/dc/dcmitype/Text",
]  # fmt: skip


@pytest.mark.parametrize(("label", "rule", "expected"), ONE_TYPE)
def test_a_label_of_one_format_gives_its_type(label: str, rule: str, expected: str) -> None:
    found = resolve(label)
    assert (found.verdict, [str(each) for each in found.types]) == ("media_type", [expected])
    assert found.rule == rule
    assert found.outer is None


@pytest.mark.parametrize(("label", "types", "outer"), PACKED)
def test_what_is_packed_gives_what_is_inside_and_the_package(
    label: str, types: list[str], outer: str | None
) -> None:
    found = resolve(label)
    assert found.verdict == "compound"
    assert [str(each) for each in found.types] == types
    assert (found.outer and str(found.outer)) == outer


# What a type means that IANA does not list: label, verdict, types, outer.
UNLISTED = [
    # A compression or a package at either end of the name.
    ("application/n-triples+gzip", "compound", ["application/n-triples"], "application/gzip"),
    ("text/csv+zip", "compound", ["text/csv"], "application/zip"),
    ("application/csv+zip", "compound", ["text/csv"], "application/zip"),
    ("application/sql+gzip", "compound", ["application/sql"], "application/gzip"),
    ("application/rdf+xml+gzip", "compound", ["application/rdf+xml"], "application/gzip"),
    ("application/ld+json+zstd", "compound", ["application/ld+json"], "application/zstd"),
    ("application/ttl+gzip", "compound", ["text/turtle"], "application/gzip"),
    ("application/zip+csv", "compound", ["text/csv"], "application/zip"),
    ("application/zip+text/csv", "compound", ["text/csv"], "application/zip"),
    ("application/gzip+application/json", "compound", ["application/json"], "application/gzip"),
    ("application/zip+vnd.ms-excel", "compound", ["application/vnd.ms-excel"], "application/zip"),
    ("application/x-tgz", "compound", ["application/x-tar"], "application/gzip"),
    (
        "application/vnd.google-earth.kmz+zip",
        "media_type",
        ["application/vnd.google-earth.kmz"],
        None,
    ),
    # The suffix before the name.
    ("application/xml+atom", "media_type", ["application/atom+xml"], None),
    ("application/json+fhir", "media_type", ["application/fhir+json"], None),
    ("application/xml+fhir", "media_type", ["application/fhir+xml"], None),
    ("application/xml+kml", "media_type", ["application/vnd.google-earth.kml+xml"], None),
    ("image/xml+svg", "media_type", ["image/svg+xml"], None),
    ("application/json+linkset", "media_type", ["application/linkset+json"], None),
    # One slip in a long name.
    (XLSX[:-2] + "t", "media_type", [XLSX], None),
    (XLSX + "s", "media_type", [XLSX], None),
    (XLSX.replace("formats", "format"), "media_type", [XLSX], None),
    (XLSX.replace("office", "offcie"), "media_type", [XLSX], None),
    (XLSX.replace("spreadsheetml", "spreadsheedml"), "media_type", [XLSX], None),
    # A slip in a short name is not believed.
    ("application/x-cda", "media_type", ["application/x-cda"], None),
    ("application/x-zim", "media_type", ["application/x-zim"], None),
    # No format at all.
    ("application/force-download", "nothing", [], None),
    ("application/x-unknown", "nothing", [], None),
    ("application/unknown-content-type", "nothing", [], None),
    ("application/save-as", "nothing", [], None),
    ("example/anything", "nothing", [], None),
    # A name of something known.
    ("example/turtle", "media_type", ["text/turtle"], None),
    ("application/byte-stream", "media_type", ["application/octet-stream"], None),
    ("text/comma-values", "media_type", ["text/csv"], None),
    ("text/tabs", "media_type", ["text/tab-separated-values"], None),
    ("text/event-stream", "media_type", ["text/event-stream"], None),
    ("application;json", "media_type", ["application/json"], None),
    ("text;html", "media_type", ["text/html"], None),
]


@pytest.mark.parametrize(("label", "verdict", "types", "outer"), UNLISTED)
def test_a_type_that_iana_does_not_list_is_read_by_its_parts(
    label: str, verdict: str, types: list[str], outer: str | None
) -> None:
    found = resolve(label)
    assert (found.verdict, [str(each) for each in found.types]) == (verdict, types)
    assert (found.outer and str(found.outer)) == outer


@pytest.mark.parametrize(
    ("label", "types"),
    [
        ("arc ascii", ["application/x-ascii-grid"]),
        ("arc geotiff", ["image/tiff"]),
        ("arc shapefile", ["application/vnd.shp"]),
        ("png world file", ["application/x-worldfile"]),
        ("csv sparql+xml", ["text/csv", "application/sparql-results+xml"]),
        ("winzipped csv", ["text/csv"]),
        ("onixxml", ["application/xml"]),
        ("pgsqlcsv", ["text/csv"]),
        ("hl7cda", ["application/vnd.hl7cda+xml"]),
        ("troff", ["text/troff"]),
        ("YAML-LD", ["application/ld+yaml"]),
        ("Jelly", ["application/x-jelly-rdf"]),
        ("Croissant", ["application/ld+json"]),
        ("RDF Patch", ["application/rdf-patch"]),
        ("STAC item", ["application/geo+json"]),
        ("vc+ld+json", ["application/vc+ld+json"]),
    ],
)
def test_names_beside_and_grown_on_to_names(label: str, types: list[str]) -> None:
    assert [str(each) for each in resolve(label).types] == types


@pytest.mark.parametrize("label", ["arc", ".arc", "CDF", ".cdf", "STAC", "application/x-no-such"])
def test_two_readings_are_never_certain(label: str) -> None:
    found = resolve(label)
    assert found.confidence == "likely" or str(found.types[0]) == label


@pytest.mark.parametrize(
    "label",
    [
        "SPARQL-Endpunkt", "point d'accès SPARQL", "punto de acceso SPARQL",
        "punto di accesso SPARQL",
        "SPARQL-eindpunt", "ponto de acesso SPARQL", "SPARQL-endepunkt", "SPARQL-slutpunkt",
        "koncový bod SPARQL", "punkt końcowy SPARQL", "SPARQL-päätepiste", "SPARQL access point",
        "SPARQL Endpunkt der Stadt", "point d'accès SPARQL public", "esri/sos", "inspire/wfs",
    ],
)  # fmt: skip
def test_an_endpoint_is_a_service_in_every_language(label: str) -> None:
    assert resolve(label).verdict == "service"


@pytest.mark.parametrize(
    ("iri", "types"),
    [
        ("http://publications.europa.eu/mdr/authority/file-type/CSV", ["text/csv"]),
        ("https://bioregistry.io/iana.mediatype:text/csv", ["text/csv"]),
        ("https://bioregistry.io/pronom:fmt/18", ["application/pdf"]),
        ("https://bioregistry.io/edam.format:3752", ["text/csv"]),
        ("https://identifiers.org/edam:format_3752", ["text/csv"]),
        ("https://w3id.org/idsa/code/TEXT_CSV", ["text/csv"]),
        ("urn:x-mime:text/csv", ["text/csv"]),
        (IANA + "text/csv.xhtml", ["text/csv"]),
    ],
)
def test_iris_in_use_are_of_a_scheme(iri: str, types: list[str]) -> None:
    found = resolve(iri)
    assert (found.rule, [str(each) for each in found.types]) == ("scheme", types)


@pytest.mark.parametrize(
    "label",
    ["http://www.wikidata.org/entity/Q5", "info:pronom/fmt/99999", "fmt/99999", f"{EU}NONE_SUCH"],
)
def test_a_code_that_the_snapshot_lacks_is_nothing_and_the_reason_has_the_date(label: str) -> None:
    found = resolve(label)
    assert (found.verdict, found.confidence) == ("nothing", "likely")
    assert any(each.isdigit() for each in found.reason.rpartition(" ")[2])


@pytest.mark.parametrize(("label", "types"), SEVERAL)
def test_several_formats_are_all_given(label: str, types: list[str]) -> None:
    found = resolve(label)
    assert (found.verdict, [str(each) for each in found.types]) == ("several", types)


@pytest.mark.parametrize("label", SERVICES)
def test_a_service_has_no_media_type(label: str) -> None:
    found = resolve(label)
    assert (found.verdict, found.types, found.outer) == ("service", (), None)


@pytest.mark.parametrize("label", NO_TYPE)
def test_a_format_may_have_no_type(label: str) -> None:
    assert (resolve(label).verdict, resolve(label).types) == ("no_type", ())


@pytest.mark.parametrize("label", NOTHING)
def test_what_names_no_format_gives_nothing(label: str) -> None:
    assert (resolve(label).verdict, resolve(label).types) == ("nothing", ())


@pytest.mark.parametrize(
    ("label", "readings"),
    [
        ("MIF", ["application/vnd.mif", "text/plain"]),
        ("TAB", ["text/tab-separated-values", "application/x-tab"]),
        ("XYZ", ["chemical/x-xyz", "text/plain"]),
    ],
)
def test_two_readings_that_are_as_good_are_both_in_the_reason(
    label: str, readings: list[str]
) -> None:
    found = resolve(label)
    assert (found.verdict, found.types) == ("nothing", ())
    assert all(each in found.reason for each in readings)


def test_a_slip_near_two_names_gives_both_and_no_type() -> None:
    assert Speller({"netcdf3", "netcdf4"}).near("netcdfx") == ("netcdf3", "netcdf4")
    unclear = resolve("Texadata")
    assert (unclear.verdict, unclear.rule, unclear.types) == ("nothing", "spelling", ())
    assert "teradata or textdata" in unclear.reason


@pytest.mark.parametrize(
    ("written", "known", "near"),
    [
        ("cvs", "csv", True),  # swapped
        ("wms", "wmf", False),  # one of three letters wrong
        ("excell", "excel", True),  # doubled
        ("csvv", "csv", True),
        ("cs", "csv", False),  # too short
        ("jsn", "json", False),
        ("jpgg", "jpg", True),
        ("shapfile", "shapefile", True),  # one missing
        ("parquat", "parquet", True),  # one wrong
        ("xparquet", "parquet", False),  # the first letter
        ("2010", "2001", False),  # a number
    ],
)
def test_the_shorter_a_name_the_fewer_slips_are_believed(
    written: str,
    known: str,
    near: bool,  # noqa: FBT001 - a column of the table
) -> None:
    assert Speller({known}).near(written) == ((known,) if near else ())


def test_confidence_says_what_was_inferred() -> None:
    assert resolve("CSV").confidence == "certain"
    assert resolve("XSLX").confidence == "likely"
    assert resolve("http://example.org/formats/gml").confidence == "likely"
    assert resolve("text/html;;charset").confidence == "likely"


def test_registered_says_what_iana_lists() -> None:
    assert resolve("text/csv").registered
    assert not resolve("application/x-no-such-thing").registered
    assert not resolve("zip:QQXX").registered
    assert not resolve("API").registered


def test_a_resolution_is_a_value() -> None:
    found = resolve("Zipped CSV")
    kept = pickle.loads(pickle.dumps(found))  # noqa: S301 - our own bytes
    assert kept == found == copy.copy(found)
    assert hash(found) == hash(copy.deepcopy(found))
    assert found != resolve("CSV")
    assert found != "Zipped CSV"
    assert "compound" in repr(found)
    with pytest.raises(AttributeError):
        found.label = "CSV"
    with pytest.raises(AttributeError):
        del found.label


VERDICTS = {"media_type", "compound", "several", "service", "no_type", "nothing"}
RULES = {
    "own", "service", "syntax", "scheme", "code", "extension", "alias", "spelling", "prose", "none",
}  # fmt: skip
HIDING = [
    "http://a.example/%00CSV", "http://a.example/x/WMS%0d%0a", "http://a.example/html%C2%9B",
    "http://base.invalid/CSV%0A(zip)", "ftp://a.example/%1bWFS;text/html%0d%0a",
]  # fmt: skip


@pytest.mark.parametrize("label", HIDING)
def test_what_percent_signs_hide_is_escaped_in_the_reason_too(label: str) -> None:
    resolution = resolve(label)
    assert all(text.isprintable() for text in (resolution.reason, *resolution.services))


PARTS = st.sampled_from([
    "csv", "zip", "WMS", "/", "(", ")", ", ", " and ", "text/", "application/", "http://", "x",
    "Excel", ".gz", "file", ":", "json-ld", "%2F", ";", "\t", "é", "データ", "API", EU, IANA,
    "%0d%0a", "%00", "%9b",
])  # fmt: skip


@given(st.one_of(st.text(), st.lists(PARTS, max_size=8).map("".join)))
def test_any_text_whatever_has_an_answer(label: str) -> None:
    found = resolve(label)
    assert found.label == label
    assert found.verdict in VERDICTS
    assert found.rule in RULES
    assert found.confidence in {"certain", "likely"}
    assert found.reason.endswith(".")
    assert found.reason.isprintable()
    assert all(isinstance(each, ContentType) for each in found.types)
    if found.verdict == "media_type":
        assert len(found.types) == 1
    if found.verdict == "several":
        assert len(found.types) > 1
    if found.verdict in {"service", "no_type", "nothing"}:
        assert found.types == ()
    if found.verdict != "compound":
        assert found.outer is None


def test_every_registered_type_means_itself_or_what_replaced_it() -> None:
    current = [each.essence for each in registry().media_types() if each.status == "registered"]
    wrong = [each for each in current if [str(t) for t in resolve(each).types] != [each]]
    # A few are listed as registered and replaced at once.
    assert [each for each in wrong if not registry().media_type(each).replaced_by] == []  # type: ignore[union-attr]


def test_every_code_of_the_eu_means_the_same_as_its_iri() -> None:
    for record in registry().eu_file_types():
        by_iri, by_code = resolve(EU + record.code), resolve(record.code)
        assert by_code.types in {by_iri.types, ()}, record.code


def test_the_types_of_a_named_format_are_types() -> None:
    for record in load("labels/formats.tsv", FormatNameRecord):
        for essence in (*record.types, *filter(None, [record.outer])):
            assert registry().canonical(essence) == essence == ContentType.parse(essence).essence
        assert record.use in {"", "first", "either", "usual", "family"}
        assert record.types or record.note


def test_a_name_means_one_format_in_all_languages() -> None:
    formats = {
        name_key(each.name): {f"format:{each.name}"}
        for each in load(FORMAT_NAMES, FormatNameRecord)
    }
    for record in words_of(*languages()):
        named = {each for each in record.kinds if each.startswith("format:")}
        formats.setdefault(name_key(record.word), set()).update(named)
    assert {key: named for key, named in formats.items() if len(named) > 1} == {}


@pytest.mark.parametrize("tag", languages())
def test_a_table_of_words_has_each_word_once_and_kinds_that_exist(tag: str) -> None:
    lines = (DATA / "words" / f"{tag}.tsv").read_text("utf-8").splitlines()
    rows = [line for line in lines if not line.startswith("# ")][1:]
    words = [row.partition("\t")[0] for row in rows]
    assert [word for word, count in Counter(words).items() if count > 1] == []
    formats, services = load(FORMAT_NAMES, FormatNameRecord), load(SERVICE_KINDS, ServiceKindRecord)
    for record in words_of(tag):
        for each in record.kinds:
            kind, _, target = each.partition(":")
            assert kind in KINDS, record
            assert kind != "format" or target in formats, record
            assert kind != "service" or target in services, record


@pytest.mark.parametrize("row", PATTERNS, ids=lambda row: row.example)
def test_a_pattern_of_phrases_decides_about_its_example(row: Pattern) -> None:
    assert composed(row.example) is not None or resolve(row.example).verdict == "nothing"
    outline = signature(pieces(row.example))
    first = next(each for each in PATTERNS if each.pattern.fullmatch(outline))
    assert first is row


@pytest.mark.parametrize(
    ("label", "types", "services"),
    [
        ("KML, WMS", ["application/vnd.google-earth.kml+xml"], ("WMS",)),
        ("WMS, KML", ["application/vnd.google-earth.kml+xml"], ("WMS",)),
        ("WMS; WFS; CSV", ["text/csv"], ("WMS", "WFS")),
        ("CSV | WFS | WMS", ["text/csv"], ("WFS", "WMS")),
        ("JSON API, CSV", ["text/csv"], ("JSON API",)),
        ("WFS (GML), PDF", ["application/pdf"], ("WFS",)),
        ("GML (WFS)", ["application/gml+xml"], ("WFS",)),
        ("HTML + WMS", ["text/html"], ("WMS",)),
        ("API, JSON, XML", ["application/json", "application/xml"], ("API",)),
        ("JSON and REST", ["application/json"], ("REST",)),
    ],
)
def test_a_list_names_its_formats_and_its_services_in_any_order(
    label: str, types: list[str], services: tuple[str, ...]
) -> None:
    found = resolve(label)
    assert [str(each) for each in found.types] == types
    assert found.services == services
    assert all(name in found.reason for name in services)


@pytest.mark.parametrize(
    ("name", "record"),
    [
        ("formats", FormatNameRecord),
        ("services", ServiceKindRecord),
        ("words/de", WordRecord),
        ("edam", EdamRecord),
    ],
)
def test_every_table_says_where_it_is_from(name: str, record: type[Record]) -> None:
    table = load(f"labels/{name}.tsv", record)
    assert {"source", "date", "licence"} <= set(table.facts)
    assert len(table) > 0


# -- labels of one's own ------------------------------------------------------------------

OWN = """# what our own people write

Bericht\tapplication/pdf
Paket 7\ttext/csv > application/zip\tas the office packs it
beides\ttext/csv|application/json
CSV\tservice
"""


def test_labels_of_ones_own_come_first() -> None:
    mine = Resolver(read_labels(OWN))
    assert mine.resolve("BERICHT").types == (ContentType("application", "pdf"),)
    assert mine.resolve("Paket-7").outer == ContentType("application", "zip")
    assert mine.resolve("Paket-7").reason == "as the office packs it"
    assert mine.resolve("beides").verdict == "several"
    assert (mine.resolve("csv").verdict, mine.resolve("csv").rule) == ("service", "own")
    assert mine.resolve("JSON") == resolve("JSON")


@pytest.mark.parametrize("line", ["Bericht", "Bericht\t", "\ttext/csv", "Bericht\tPDF"])
def test_a_line_without_a_meaning_is_refused_with_the_line(line: str) -> None:
    with pytest.raises(CturiError, match=r"Bericht|text/csv|PDF"):
        read_labels(line)


# -- the command --------------------------------------------------------------------------


def test_the_command_prints_a_line_a_label() -> None:
    ran = CliRunner().invoke(command, ["Zipped CSV", "WMS"])
    assert ran.exit_code == 0
    first, second = ran.stdout.splitlines()
    assert first.startswith("Zipped CSV\tcompound\ttext/csv in application/zip\tprose, certain\t")
    assert second.startswith("WMS\tservice\t-\t")


def test_the_command_reads_lines_and_prints_json() -> None:
    ran = CliRunner().invoke(command, ["--json", "-"], input="csv\r\n\nWéird\tlabel\nZip")
    answers = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [answer["label"] for answer in answers] == ["csv", "", "Wéird\tlabel", "Zip"]
    assert answers[0] == {
        "label": "csv", "verdict": "media_type", "types": ["text/csv"], "outer": None,
        "wrappers": [], "services": [], "rule": "code", "confidence": "certain", "registered": True,
        "reason": "The EU's file type CSV is text/csv.",
        "qualities": [{
            "type": "text/csv", "machine_readable": True, "open": True, "archive": False,
            "coap": None,
        }],
    }  # fmt: skip


def test_the_command_takes_labels_of_ones_own(tmp_path: Path) -> None:
    table = tmp_path / "labels.tsv"
    table.write_text(OWN, "utf-8")
    ran = CliRunner().invoke(command, ["--labels", str(table), "--json", "Bericht"])
    assert json.loads(ran.stdout)["types"] == ["application/pdf"]


def test_the_command_refuses_a_table_of_something_else(
    tmp_path: Path, cturi: Callable[..., Run]
) -> None:
    table = tmp_path / "labels.tsv"
    table.write_text("Bericht PDF", "utf-8")
    code, out, err = cturi("resolve", "--labels", table, "Bericht")
    assert (code, out) == (2, "")
    assert f"{table}: no meaning of a label" in err


def test_a_meaning_that_is_no_type_is_refused_with_its_line() -> None:
    with pytest.raises(CturiError, match="the subtype is missing") as caught:
        read_labels("Karte\timage/png\nBericht\tpdf\n")
    assert caught.value.text == "Bericht\tpdf"


def test_a_table_may_come_from_a_spreadsheet(tmp_path: Path) -> None:
    table = tmp_path / "labels.tsv"
    table.write_bytes("\ufeffBericht\tapplication/pdf\r\nKarte\timage/png\r\n".encode())
    mine = Resolver(read_labels(table.read_text("utf-8")))
    assert [mine.resolve(each).rule for each in ("Bericht", "Karte")] == ["own", "own"]


# -- the measure --------------------------------------------------------------------------


def test_the_gold_labels_are_understood(gold_labels: tuple[Any, list[Any]]) -> None:
    score, gold = gold_labels
    marks = [(row["verdict"], score.judge(row, resolve(row["label"]).as_dict())) for row in gold]
    counts = Counter(mark for _, mark in marks)
    assert len(gold) > 500
    assert counts["wrong"] <= 0.01 * len(gold)
    assert counts["right"] + counts["partly"] / 2 >= 0.95 * len(gold)
    assert [mark for verdict, mark in marks if verdict == "service" and mark != "right"] == []


# Where catalogues say a format; terms of three vocabularies, and a misspelling in use.
FORMAT_TERMS = {"mediaType", "format", "encodingFormat", "fileFormat", "mimeType",
                "compressFormat", "packageFormat", "describedByType"}  # fmt: skip


def _labels(path: Path) -> Counter[str]:
    """Return the labels of a catalogue: read as RDF, or as JSON where it is not quite JSON-LD."""
    if path.suffix in {".json", ".jsonld"}:
        return Counter(_json_labels(json.loads(path.read_text("utf-8"))))
    formats = {".rdf": "xml", ".xml": "xml", ".ttl": "turtle", ".trig": "trig"}
    graph = Dataset() if path.suffix == ".trig" else Graph()
    graph.parse(path, format=formats[path.suffix], publicID="http://base.invalid/doc/")
    statements = graph.quads() if isinstance(graph, Dataset) else iter(graph)
    found: Counter[str] = Counter()
    for _, term, value, *_ in statements:
        if str(term).replace("#", "/").rpartition("/")[2] in FORMAT_TERMS:
            values = graph.objects(value) if isinstance(value, BNode) else [value]
            labelled = (each for each in values if value is each or isinstance(each, Literal))
            found.update(str(each) for each in labelled)
    return found


def _json_labels(value: object) -> list[str]:
    if isinstance(value, list):
        return [label for each in value for label in _json_labels(each)]
    if not isinstance(value, dict):
        return []
    found = []
    for key, each in value.items():
        # A context maps terms to terms; it labels nothing.
        if key == "@context":
            continue
        if key.rpartition(":")[2] in FORMAT_TERMS:
            members = each if isinstance(each, list) else [each]
            for member in members:
                named = (
                    member.get("@value") or member.get("@id")
                    if isinstance(member, dict)
                    else member
                )
                found += [named] if isinstance(named, str) else []
        found += _json_labels(each)
    return found


# That is rdflib's parser of TriG.
@pytest.mark.filterwarnings("ignore:.* is deprecated:DeprecationWarning")
def test_the_labels_of_real_catalogues_resolve(shared: Path) -> None:
    paths = [each for each in (shared / "catalogs").iterdir() if each.is_file()]
    labels: Counter[str] = Counter()
    for path in paths:
        if path.suffix != ".tsv":
            labels += _labels(path)
    found = {label: resolve(label) for label in labels}
    formats = {each: n for each, n in labels.items() if found[each].verdict != "service"}
    resolved = sum(n for each, n in formats.items() if found[each].types)
    assert sum(labels.values()) > 6_000
    assert resolved >= 0.97 * sum(formats.values())


@pytest.mark.parametrize(
    ("label", "types"),
    [
        ("caf\udce9", ["audio/x-caf"]),
        ("Donn\ufffdes CSV", ["text/csv"]),
        ('text/csv; a="\ufffd"', ["text/csv; a*=utf-8''%EF%BF%BD"]),
        ("fa\udce9", []),
    ],
)
def test_a_label_with_a_broken_character_is_never_certain(label: str, types: list[str]) -> None:
    resolution = resolve(label)
    assert [str(each) for each in resolution.types] == types
    assert resolution.confidence == "likely"
    broken = "U+DCE9" if "\udce9" in label else "U+FFFD"
    assert resolution.reason.startswith(f"It has a broken character, {broken}. ")


def test_many_labels_are_read_once_each() -> None:
    labels = ["CSV", "API", "csv", "CSV"] * 1_000
    found = resolve_all(iter(labels))
    assert [each.label for each in found] == labels
    assert found[0] is found[3]
