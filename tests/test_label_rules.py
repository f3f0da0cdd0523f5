"""The rules of labels as tables, most of them with labels that the rules were not written with."""

from __future__ import annotations

import re

import pytest

from cturi_rdf.labels import resolve
from cturi_rdf.labels.names import languages, words_of
from cturi_rdf.registry import registry

KML, KMZ = "application/vnd.google-earth.kml+xml", "application/vnd.google-earth.kmz"
ODT = "application/vnd.oasis.opendocument.text"
PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
SHP = "application/vnd.shp"

# label, types, services
LISTS = [
    ("GeoJSON; WFS", ["application/geo+json"], 1),
    ("WFS; GeoJSON", ["application/geo+json"], 1),
    ("WMS, WMTS, PNG", ["image/png"], 2),
    ("PNG, WMTS, WMS", ["image/png"], 2),
    ("CSW, XML", ["application/xml"], 1),
    ("PDF, Web App", ["application/pdf"], 1),
    ("SHP, DXF, WFS", [SHP, "image/vnd.dxf"], 1),
    ("WFS, DXF, SHP", ["image/vnd.dxf", SHP], 1),
    ("CSV, OData", ["text/csv"], 1),
    ("Kartendienst, GML", ["application/gml+xml"], 1),
    ("REST und CSV", ["text/csv"], 1),
]

# What stands before a list in brackets, and lists of which it is the family.
HEADS = [
    ("RDF", "Turtle, N-Triples"),
    ("RDF", "ttl, nt, TriG"),
    ("Excel", "xls, xlsx"),
    ("Text", "txt, csv"),
    ("JSON", "JSON, GeoJSON"),
    ("XML", "GML, KML"),
    ("data", "XML, GML"),
]

# label, types, package
PACKAGES = [
    ("text/xml+gzip", ["text/xml"], "application/gzip"),
    ("application/geo+json+gzip", ["application/geo+json"], "application/gzip"),
    ("application/trig+gzip", ["application/trig"], "application/gzip"),
    ("text/tab-separated-values+zip", ["text/tab-separated-values"], "application/zip"),
    ("application/gml+xml+zip", ["application/gml+xml"], "application/zip"),
    ("application/x-ndjson+zstd", ["application/x-ndjson"], "application/zstd"),
    ("application/gpx+xml+zip", ["application/gpx+xml"], "application/zip"),
    ("application/zip+text/turtle", ["text/turtle"], "application/zip"),
    ("winzipped dxf", ["image/vnd.dxf"], "application/zip"),
    ("rar+kml", [KML], "application/vnd.rar"),
    ("7z: csv, xml", ["text/csv", "application/xml"], "application/x-7z-compressed"),
    # A comment on a header.
    ("text/csv (gzip)", ["text/csv"], "application/gzip"),
    ("application/json (compressed with gzip)", ["application/json"], "application/gzip"),
    ("application/zip (CSV)", ["text/csv"], "application/zip"),
]

# Words such as "tableau", in any language.
KINDS_OF_THINGS = sorted(
    {
        row.word
        for row in words_of(*languages())
        if "kind" in row.kinds and {"noise", "aside"}.intersection(row.kinds)
    }
)

BZIP2, TAR, XZ = (f"application/x-{name}" for name in ("bzip2", "tar", "xz"))
GZIP, ZSTD = "application/gzip", "application/zstd"
# label, types, wrappers from the outside
LAYERS = [
    ("ALTO XML, tar.gz", ["application/xml"], [GZIP, TAR]),
    ("tar.gz: csv, json", ["text/csv", "application/json"], [GZIP, TAR]),
    ("TIFF (tgz)", ["image/tiff"], [GZIP, TAR]),
    ("GML tar bz2", ["application/gml+xml"], [BZIP2, TAR]),
    ("loans.csv.tar.zst", ["text/csv"], [ZSTD, TAR]),
    ("TAR.XZ of N-Triples", ["application/n-triples"], [XZ, TAR]),
    ("tar (CSV)", ["text/csv"], [TAR]),
    ("JPEG 2000, .tar.gz", ["image/jp2"], [GZIP, TAR]),
    ("NetCDF.tar.gz", ["application/netcdf"], [GZIP, TAR]),
    ("ttl.gz", ["text/turtle"], [GZIP]),
    ("tar.gz", [TAR], [GZIP]),
]

BACKWARDS = [
    ("application/xml+xhtml", "application/xhtml+xml"),
    ("application/xml+soap", "application/soap+xml"),
    ("application/json+problem", "application/problem+json"),
    ("application/json+hal", "application/hal+json"),
    ("application/xml+gpx", "application/gpx+xml"),
    ("application/xml+mathml", "application/mathml+xml"),
    ("application/json+schema", "application/schema+json"),
    ("model/xml+x3d", "model/x3d+xml"),
    ("application/json+geo", "application/geo+json"),
    ("application/xml+wsdl", "application/wsdl+xml"),
]

SLIPS = [
    ("application/vnd.oasis.opendocument.texx", ODT),
    ("application/vnd.oasis.opendocumnet.text", ODT),
    ("application/vnd.oasis.opendocument.tex", ODT),
    ("application/vnd.oasis.opendocument.textt", ODT),
    (PPTX.replace("presentationml", "presentatonml"), PPTX),
    (PPTX.replace("open", "opne"), PPTX),
    ("application/vnd.google-earth.kml+xlm", KML),
    ("application/vnd.gogle-earth.kmz", KMZ),
    ("application/sparql-resluts+json", "application/sparql-results+json"),
    ("application/vnd.apache.parqet", "application/vnd.apache.parquet"),
]

NO_FORMAT = [
    "application/x-force-download", "application/x-unknown-content-type", "application/unspecified",
    "application/none", "application/x-undefined", "example/foo", "example/data",
    "application/x-download", "application/attachment", "unknown-content-type",
]  # fmt: skip

ENDPOINTS = [
    "SPARQL-Endpunkt von Wikidata", "Öffentlicher SPARQL-Endpunkt", "SPARQL-Abfragedienst",
    "interface SPARQL", "interfaz SPARQL", "interfaccia SPARQL", "SPARQL-toegangspunt",
    "SPARQL-tjeneste", "SPARQL rozhraní", "SPARQL-rajapinta", "Virtuoso SPARQL endpoint",
    "SPARQL-Endpunkt", "point d'accès SPARQL", "punto de acceso SPARQL", "punto di accesso SPARQL",
    "SPARQL-eindpunt", "ponto de acesso SPARQL", "SPARQL-endepunkt", "SPARQL-slutpunkt",
    "koncový bod SPARQL", "punkt końcowy SPARQL", "SPARQL-päätepiste", "SPARQL access point",
    "SPARQL Endpunkt der Stadt", "point d'accès SPARQL public", "esri/sos", "inspire/wfs",
]  # fmt: skip

LINKED_DATA = [
    ("YAML LD", "application/ld+yaml"),
    ("Jelly RDF", "application/x-jelly-rdf"),
    ("ML Croissant", "application/ld+json"),
    ("STAC item", "application/geo+json"),
    ("STAC collection", "application/json"),
    ("SHACLC", "text/shaclc"),
    ("TriX", "application/trix"),
    ("HDT", "application/vnd.hdt"),
    ("RO-Crate", "application/ld+json"),
    ("IIIF manifest", "application/ld+json"),
    ("did+ld+json", "application/did+ld+json"),
]

EU = "http://publications.europa.eu/resource/authority/file-type/"
NOT_IN_THE_SNAPSHOT = [
    f"{EU}QQX", "http://www.wikidata.org/entity/Q999999999", "info:pronom/fmt/98765",
    "x-fmt/9999", "https://www.loc.gov/preservation/digital/formats/fdd/fdd009999.shtml",
    "http://edamontology.org/format_9999", "wd:Q77777777777", "pronom:fmt/55555",
    "edam:format_0000", "https://bioregistry.io/edam.format:9998", f"{EU}NONE_SUCH",
    "http://www.wikidata.org/entity/Q5", "info:pronom/fmt/99999", "fmt/99999",
]  # fmt: skip

IRIS = [
    ("http://publications.europa.eu/mdr/authority/file-type/PPTX", PPTX),
    ("http://publications.europa.eu/mdr/authority/file-type/JSON_LD", "application/ld+json"),
    ("https://bioregistry.io/iana.mediatype:application/json", "application/json"),
    ("https://identifiers.org/edam.format:3464", "application/json"),
    ("https://n2t.net/iana.mediatype:text/html", "text/html"),
    ("https://w3id.org/idsa/code/APPLICATION_PDF", "application/pdf"),
    ("urn:x-mime:image/png", "image/png"),
    ("urn:x-mime:application/pdf", "application/pdf"),
    ("https://www.iana.org/assignments/media-types/image/png.xhtml", "image/png"),
    ("mime:text/turtle", "text/turtle"),
    ("http://purl.org/NET/mediatypes/application/rdf+xml", "application/rdf+xml"),
    ("http://publications.europa.eu/mdr/authority/file-type/CSV", "text/csv"),
    ("https://bioregistry.io/iana.mediatype:text/csv", "text/csv"),
    ("https://bioregistry.io/pronom:fmt/18", "application/pdf"),
    ("https://bioregistry.io/edam.format:3752", "text/csv"),
    ("https://identifiers.org/edam:format_3752", "text/csv"),
    ("https://w3id.org/idsa/code/TEXT_CSV", "text/csv"),
    ("urn:x-mime:text/csv", "text/csv"),
    ("https://www.iana.org/assignments/media-types/text/csv.xhtml", "text/csv"),
]

TWO_READINGS = [
    ".cdf", "CDF", "arc", ".arc", "IMG", "AI", "mif", "sas", ".ts", "Excel", "application/x-cdf",
    "STAC",
]  # fmt: skip


# Words of Chinese, Japanese and Korean follow a name without a blank.
EASTERN = [
    ("Excelファイル", "media_type", ["application/vnd.ms-excel"]),
    ("PDF形式", "media_type", ["application/pdf"]),
    ("KMLデータ", "media_type", [KML]),
    ("GeoTIFF画像", "media_type", ["image/tiff"]),
    ("シェープファイル（圧縮）", "compound", [SHP]),
    ("KMZ、KML", "several", [KMZ, KML]),
    ("XML文件", "media_type", ["application/xml"]),
    ("TXT格式", "media_type", ["text/plain"]),
    ("HTML網頁", "media_type", ["text/html"]),
    ("WFS服务", "service", []),
    ("API接口", "service", []),
    ("JSON형식", "media_type", ["application/json"]),
    ("PDF 파일", "media_type", ["application/pdf"]),
    ("WMS 서비스", "service", []),
]
# PRONOM has no type for these, but a name that others have with a type.
NAMED_CODES = [
    ("fmt/150", "image/jls"),
    ("fmt/371", "application/x-ecw"),
    ("fmt/413", "image/svg+xml"),
    ("fmt/414", "audio/x-aiff"),
    ("fmt/638", "application/x-spss-sav"),
    ("fmt/818", "application/yaml"),
    ("fmt/880", "application/ld+json"),
    ("fmt/990", "application/x-filegdb"),
    ("fmt/1565", "text/x-rst"),
    ("x-fmt/315", "application/xml-dtd"),
]


@pytest.mark.parametrize(("label", "verdict", "types"), EASTERN)
def test_words_without_blanks_are_distinguished_from_names(
    label: str, verdict: str, types: list[str]
) -> None:
    meaning = resolve(label)
    assert (meaning.verdict, list(map(str, meaning.types))) == (verdict, types)


@pytest.mark.parametrize(("code", "essence"), NAMED_CODES)
def test_a_code_without_a_type_is_likely_what_its_name_says(code: str, essence: str) -> None:
    meaning = resolve(f"https://www.nationalarchives.gov.uk/PRONOM/{code}")
    assert (str(meaning.types[0]), meaning.rule, meaning.confidence) == (
        essence,
        "scheme",
        "likely",
    )


@pytest.mark.parametrize("iri", NOT_IN_THE_SNAPSHOT)
def test_a_code_that_the_snapshot_lacks_is_nothing_and_the_reason_has_the_date(iri: str) -> None:
    found = resolve(iri)
    assert (found.verdict, found.confidence) == ("nothing", "likely")
    assert re.search("in the snapshot of|The EU had no file type", found.reason)
    # The reason ends with the date of the snapshot; that of EDAM has none.
    assert re.search(r"\d|EDAM", found.reason.rpartition(" ")[2])


@pytest.mark.parametrize(("iri", "essence"), IRIS)
def test_an_iri_of_a_scheme_is_certain(iri: str, essence: str) -> None:
    found = resolve(iri)
    assert [str(each) for each in found.types] == [essence]
    assert (found.rule, found.confidence) == ("scheme", "certain")


@pytest.mark.parametrize(
    "label", ["geography markup language", "NeTEx", "Excel", "zipped shapefile"]
)
def test_the_reason_of_another_name_of_a_format_has_that_name(label: str) -> None:
    found = resolve(label.upper())
    assert found.reason.startswith(f"{label} is a name for {found.types[0]}")


@pytest.mark.parametrize(
    ("label", "named"),
    [
        ("Excel-Tabelle", "Excel-Tabelle"),
        ("exceltabelle", "Exceltabelle"),
        ("Excel-Tabelle (Windows)", "Excel-Tabelle"),
    ],
)
def test_a_reason_spells_a_name_as_the_label_does(label: str, named: str) -> None:
    assert resolve(label).reason == f"{named} is a name for application/vnd.ms-excel."


def test_only_a_label_with_a_slash_is_told_that_there_is_no_such_top_level_type() -> None:
    # Only "katalog/json" looks like a media type.
    because = "There is no top-level type katalog. "
    reason = "The EU's file type JSON is application/json."
    assert resolve("katalog/json").reason == because + reason
    unknown = "The IRI is of no known scheme, but ends in json. "
    assert resolve("http://katalog.example/katalog/json").reason == unknown + reason


@pytest.mark.parametrize("label", TWO_READINGS)
def test_a_name_of_two_formats_is_not_certain(label: str) -> None:
    assert resolve(label).confidence == "likely"


@pytest.mark.parametrize(("label", "types", "services"), LISTS)
def test_the_order_of_a_list_decides_nothing(label: str, types: list[str], services: int) -> None:
    found = resolve(label)
    assert [str(each) for each in found.types] == types
    assert len(found.services) == services


@pytest.mark.parametrize(("head", "members"), HEADS)
def test_all_members_of_a_list_in_brackets_count(head: str, members: str) -> None:
    assert resolve(f"{head} ({members})").types == resolve(members).types


@pytest.mark.parametrize(("label", "types", "package"), PACKAGES)
def test_a_package_in_a_name_is_kept(label: str, types: list[str], package: str) -> None:
    found = resolve(label)
    assert (found.verdict, [str(each) for each in found.types]) == ("compound", types)
    assert str(found.outer) == package


@pytest.mark.parametrize("comment", ["comma separated", "CSV", "no comment"])
def test_a_comment_that_names_no_package_leaves_a_header_as_it_is(comment: str) -> None:
    commented = resolve(f"text/csv ({comment})")
    assert commented == resolve("text/csv")._replace(label=commented.label)


@pytest.mark.parametrize("word", KINDS_OF_THINGS)
def test_a_word_for_a_kind_of_thing_says_nothing_beside_a_format(word: str) -> None:
    assert resolve(f"{word} (XLSX)").types == resolve("XLSX").types
    assert not resolve(word).types


@pytest.mark.parametrize("name", ["E00", "ER Mapper", "7-Zip archive", "Excel 2016", "TBZ2"])
@pytest.mark.parametrize("word", ["Format:", "the", "fichier", "archivo", "Download"])
def test_a_word_that_says_nothing_takes_nothing_from_the_name_behind_it(
    word: str, name: str
) -> None:
    alone, phrase = resolve(name), resolve(f"{word} {name}")
    assert (phrase.types, phrase.wrappers) == (alone.types, alone.wrappers)


@pytest.mark.parametrize(("label", "types", "wrappers"), LAYERS)
def test_a_package_in_a_compression_is_kept(
    label: str, types: list[str], wrappers: list[str]
) -> None:
    found = resolve(label)
    assert [content_type.essence for content_type in found.types] == types
    assert [content_type.essence for content_type in found.wrappers] == wrappers
    assert found.outer == found.wrappers[0]


@pytest.mark.parametrize(("label", "essence"), BACKWARDS)
def test_a_suffix_before_the_name_is_turned_round(label: str, essence: str) -> None:
    assert [str(each) for each in resolve(label).types] == [essence]


@pytest.mark.parametrize(("label", "essence"), SLIPS)
def test_a_slip_in_a_long_name_is_likely(label: str, essence: str) -> None:
    found = resolve(label)
    assert ([str(each) for each in found.types], found.confidence) == ([essence], "likely")


@pytest.mark.parametrize("label", NO_FORMAT)
def test_an_invented_type_is_nothing(label: str) -> None:
    assert (resolve(label).verdict, resolve(label).types) == ("nothing", ())


@pytest.mark.parametrize("label", ENDPOINTS)
def test_words_for_an_endpoint_are_a_service(label: str) -> None:
    assert resolve(label).verdict == "service"


@pytest.mark.parametrize(("label", "essence"), LINKED_DATA)
def test_the_formats_of_linked_data_are_known(label: str, essence: str) -> None:
    assert [str(each) for each in resolve(label).types] == [essence]


@pytest.mark.parametrize(
    ("label", "confidence"),
    [
        # Of the sources of extensions, some are lists that say how a format is labelled.
        ("geoparquet", "certain"),
        ("akn", "certain"),
        ("ac3", "likely"),
        ("1km", "likely"),
        ("123", "certain"),
    ],
)
def test_a_bare_extension_is_certain_if_a_list_of_labels_or_two_lists_have_it(
    label: str, confidence: str
) -> None:
    [record] = (record for record in registry().extensions() if record.extension == label)
    is_listed = not {"judged", "eu", "w3c"}.isdisjoint(record.sources)
    assert (is_listed or len(record.sources) > 1) == (confidence == "certain")
    assert resolve(label).confidence == confidence


@pytest.mark.parametrize(
    ("label", "confidence"), [("CSV formats", "certain"), ("CSV for mats", "likely")]
)
def test_two_words_are_not_one_word_that_names_nothing(label: str, confidence: str) -> None:
    found = resolve(label)
    assert ([str(each) for each in found.types], found.confidence) == (["text/csv"], confidence)


@pytest.mark.parametrize(
    ("label", "essence"),
    [
        ("application/x-foo json", "application/x-foo+json"),
        ("application/geo json", "application/geo+json"),
        ("text/csv json", "text/csv"),
        ("application/x-foo bar", "application/x-foo"),
    ],
)
def test_a_blank_is_a_plus_sign_before_a_suffix_of_what_is_no_type_itself(
    label: str, essence: str
) -> None:
    assert str(resolve(label).types[0]) == essence


@pytest.mark.parametrize("word", ["ملف", "文件", "αρχείο"])
def test_a_word_for_a_file_joins_the_name_of_a_format_in_any_script(word: str) -> None:
    assert [str(each) for each in resolve(f"json{word}").types] == ["application/json"]


@pytest.mark.parametrize(("label", "verdict"), [("GoeJSON", "media_type"), ("jibg2", "nothing")])
def test_an_extension_that_one_list_has_is_not_what_is_misspelt(label: str, verdict: str) -> None:
    assert resolve(label).verdict == verdict


@pytest.mark.parametrize(
    ("label", "confidence", "reason"),
    [
        ("text/csv", "certain", "IANA lists text/csv."),
        ("application/1ob", "certain", "IANA lists application/1ob as provisional."),
        (
            "text\\csv",
            "likely",
            "It is a header with a defect: another sign for its slash. IANA lists text/csv.",
        ),
        (
            "application/pdf+xml",
            "likely",
            "IANA does not list application/pdf+xml. application/pdf has no such suffix.",
        ),
    ],
)
def test_the_reason_says_how_iana_lists_a_type(label: str, confidence: str, reason: str) -> None:
    resolution = resolve(label)
    assert (resolution.confidence, resolution.reason) == (confidence, reason)


@pytest.mark.parametrize("length", [400, 401])
def test_a_text_of_more_than_400_characters_is_no_label(length: int) -> None:
    reason = resolve(f"CSV {'x' * (length - 4)}").reason
    assert (reason == "It is too long for a label.") is (length == 401)


@pytest.mark.parametrize("label", ["text/*", "image/*", "text/*; charset=utf-8", "chemical/*"])
def test_a_range_of_types_is_called_one_and_names_no_type(label: str) -> None:
    resolution = resolve(label)
    assert (resolution.verdict, resolution.confidence) == ("nothing", "certain")
    assert "is a range of types" in resolution.reason


@pytest.mark.parametrize("label", ["WFS1", "WFS-1", "WFS-1.1.0", "OGC:WFS-1.1.0-http-get-feature"])
def test_the_version_of_a_service_is_no_part_of_its_name(label: str) -> None:
    assert resolve(label).services == ("WFS",)


@pytest.mark.parametrize(
    ("label", "verdict", "types", "confidence", "reason"),
    [
        (
            "netCDF-3", "media_type", ["application/netcdf"], "likely",
            "It is an identifier of DataONE's formats, of the type application/netcdf.",
        ),
        (
            "-//W3C//DTD XHTML 1.0//EN", "nothing", [], "likely",
            "It is the formal public identifier of a document type.",
        ),
        (
            "urn:ogc:def:dataFormat:OGC:CSV", "media_type", ["text/csv"], "likely",
            "It is OGC's name of a format. The EU's file type CSV is text/csv.",
        ),
        (
            "http://a.example/serviceTypes/ogc/wms", "service", [], "certain",
            "It is a code of a list of service types.",
        ),
    ],
)  # fmt: skip
def test_an_identifier_of_a_format_is_read_by_its_scheme(
    label: str, verdict: str, types: list[str], confidence: str, reason: str
) -> None:
    found = resolve(label)
    assert (found.verdict, list(map(str, found.types))) == (verdict, types)
    assert (found.rule, found.confidence, found.reason) == ("scheme", confidence, reason)
    assert found.services == (("wms",) if verdict == "service" else ())


@pytest.mark.parametrize(
    ("label", "essence"),
    [
        ("Excel 97-2003", "application/vnd.ms-excel"),
        ("Microsoft Excel 97–2003 Worksheet", "application/vnd.ms-excel"),
        ("Word 97", "application/msword"),
        ("PowerPoint 97-2003", "application/vnd.ms-powerpoint"),
    ],
)
def test_a_version_from_before_the_newer_format_is_the_older_one(label: str, essence: str) -> None:
    meaning = resolve(label)
    assert [one.essence for one in meaning.types] == [essence]
    assert (meaning.confidence, len(meaning.readings)) == ("certain", 1)


def test_a_codec_that_two_formats_have_is_a_name_with_two_readings() -> None:
    readings = resolve("MPEG-4 AAC").readings
    assert [str(one.types[0]) for one in readings] == ["audio/mp4", "audio/aac"]


@pytest.mark.parametrize(
    ("label", "is_mark"),
    [("[[REDACTED-EX B6]]", True), (" [[REDACTED]] ", True), ("[[REDACTED]] CSV", False),
     ("[REDACTED]", False), ("redacted", False)],
)  # fmt: skip
def test_a_redaction_mark_is_called_one(label: str, *, is_mark: bool) -> None:
    assert ("redaction mark" in resolve(label).reason) is is_mark
