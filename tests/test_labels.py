"""The meanings of labels: one row per label, the layers in their order, the laws."""

from __future__ import annotations

import pytest

from cturi_rdf.labels import resolve
from cturi_rdf.labels.media_types import near

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
KMZ = "application/vnd.google-earth.kmz"
EU = "http://publications.europa.eu/resource/authority/file-type/"
IANA = "https://www.iana.org/assignments/media-types/"

# label, rule, the type
ONE_TYPE = [
    ("text/csv", "syntax", "text/csv"),
    ("Text/CSV; charset=UTF-8", "syntax", "text/csv; charset=UTF-8"),
    ("text/html;;charset", "syntax", "text/html"),
    ("application / pdf", "syntax", "application/pdf"),
    ("text/xml", "syntax", "text/xml"),
    ("application/x-no-such-thing", "syntax", "application/x-no-such-thing"),
    ("application/rdf+protobuf", "syntax", "application/rdf+protobuf"),
    ("RDF Protobuf", "alias", "application/rdf+protobuf"),
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
    ("RDF/Turtle", "alias", "text/turtle"),
    ("GML (WFS)", "code", "application/gml+xml"),
    ("CSV via API", "code", "text/csv"),
    ("CSV (Semikolon, ISO-8859-1)", "code", "text/csv; charset=ISO-8859-1"),
    ("ISO/IEC 8859-15 XML", "code", "application/xml"),
    ("ISO 9660", "alias", "application/vnd.efi.iso"),
    ("Product Map (jpg)", "prose", "image/jpeg"),
    ("CSV (text/csv)", "prose", "text/csv"),
    ("PDF (PL)", "code", "application/pdf"),
    ("zipped files", "alias", "application/zip"),
    ("tarball file", "alias", "application/x-tar"),
]

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
    # Of a package in a package the outer one is sent.
    ("zip rar", [], "application/vnd.rar"),
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
    "http://example.org/", "http://example.org/d;p", f"{EU}NONE_SUCH", "example.org/*/*",
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


# The meanings of types that IANA does not list: label, verdict, types, outer.
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
    ("xml+atom", "media_type", ["application/atom+xml"], None),
    ("json+fhir", "media_type", ["application/fhir+json"], None),
    ("xml+svg", "media_type", ["image/svg+xml"], None),
    ("xml+gpx", "media_type", ["application/gpx+xml"], None),
    ("xml+zip", "compound", ["application/xml"], "application/zip"),
    ("xml+html", "several", ["application/xml", "text/html"], None),
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
        ("vc+ld+json", ["application/vc+ld+json"]),
    ],
)
def test_names_beside_and_grown_on_to_names(label: str, types: list[str]) -> None:
    assert [str(each) for each in resolve(label).types] == types


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
    assert near("netcdfx", {"netcdf3", "netcdf4"}) == ("netcdf3", "netcdf4")
    unclear = resolve("arcgris")
    assert (unclear.verdict, unclear.rule, unclear.types) == ("nothing", "spelling", ())
    assert "arcgis or arcgrid" in unclear.reason


@pytest.mark.parametrize(
    ("written", "known", "is_near"),
    [
        ("cvs", "csv", True),  # swapped
        ("xslx", "xlsx", True),
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
    written: str, known: str, is_near: bool
) -> None:
    assert near(written, {known}) == ((known,) if is_near else ())


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
    ("name", "meant"), [("ccsv", ("csv",)), ("scsv", ()), ("csvv", ("csv",)), ("csvx", ())]
)
def test_a_letter_too_many_in_a_short_name_is_one_that_is_doubled(
    name: str, meant: tuple[str, ...]
) -> None:
    assert near(name, {"csv"}) == meant
