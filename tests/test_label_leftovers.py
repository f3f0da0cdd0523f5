"""Certain means that nothing of a label is left over but words that are noise by list."""

from __future__ import annotations

import re

import pytest

from cturi_rdf.labels import resolve
from cturi_rdf.labels.names import languages, names, words_of

XLS = "application/vnd.ms-excel"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
VSDM = "application/vnd.ms-visio.drawing.macroenabled.12"
CSV, SHP, ZIP = "text/csv", "application/vnd.shp", "application/zip"


def _words(kind: str) -> list[str]:
    rows = [row for row in words_of(*languages()) if kind in row.kinds]
    # In another language the word may name a format.
    return sorted({row.word for row in rows if not any(":" in each for each in row.kinds)})


@pytest.mark.parametrize("word", _words("thing"))
def test_a_noun_that_makes_another_thing_leaves_no_format(word: str) -> None:
    another = resolve(f"Shapefile {word}")
    assert another.types == ()
    # What can be written in any way is written so, and that is a guess.
    document = resolve(f"{word} (PDF)")
    assert (str(*document.types), document.confidence) == ("application/pdf", "likely")


@pytest.mark.parametrize("word", _words("qualifier"))
def test_a_qualifier_leaves_a_format_at_most_likely(word: str) -> None:
    qualified = resolve(f"{word} FlatGeobuf-KMZ")
    assert qualified.confidence == "likely"


@pytest.mark.parametrize("word", ["qqx", "Wien", "2nd-hand", "éclairé"])
def test_an_unknown_word_leaves_a_format_at_most_likely(word: str) -> None:
    for label in (f"CSV {word}", f"{word} CSV", f"zipped CSV {word}", f"CSV, JSON {word}"):
        assert resolve(label).confidence == "likely"
        assert CSV in map(str, resolve(label).types)


@pytest.mark.parametrize(
    "label",
    ["CSV file", "CSV files (UTF-8)", "data in CSV format", "CSV version 2", "the CSV file, 2016",
     "fichier CSV", "CSV-Datei", "ESRI Shapefile", "файл CSV", "ملف CSV", "CSV dosyası",
     "CSV fájl", "CSV datoteka", "קובץ CSV", "tệp CSV", "αρχείο CSV"],
)  # fmt: skip
def test_noise_leaves_a_format_certain(label: str) -> None:
    assert resolve(label).confidence == "certain"
    assert len(resolve(label).types) == 1


@pytest.mark.parametrize("label", ["Calc602", "Excel602", "XCSVX", "ATCO-CIF", "AccessData image"])
def test_no_name_is_found_inside_a_token(label: str) -> None:
    assert resolve(label).types == ()


@pytest.mark.parametrize("label", ["text/csv\x01x", "C\x01SV", "CSV\x7f", "CSV\x9b"])
def test_a_control_character_is_never_certain(label: str) -> None:
    assert resolve(label).confidence == "likely"


@pytest.mark.parametrize("label", ["CSV\n", "\tCSV", "text/csv\r\n"])
def test_white_space_around_a_label_changes_nothing(label: str) -> None:
    assert resolve(label).confidence == "certain"


@pytest.mark.parametrize(
    ("label", "essence"),
    [
        ("OGC:GPKG", "application/geopackage+sqlite3"),
        ("WWW:DOWNLOAD:application/json", "application/json"),
        ("OGC NetCDF", "application/netcdf"),
        ("HTTP:CSV", CSV),
        ("ftp: csv", CSV),
        ("Socrata CSV", CSV),
        ("CKAN CSV", CSV),
        ("PostGIS SHP", SHP),
        ("ArcGIS files (ZIP)", ZIP),
    ],
)
def test_what_surrounds_a_format_is_no_service(label: str, essence: str) -> None:
    assert list(map(str, resolve(label).types)) == [essence]


@pytest.mark.parametrize("label", ["OGC:WMS", "ArcGIS REST", "ArcGIS Server", "CKAN API", "ArcGIS"])
def test_a_service_is_named_by_its_name_or_by_a_program_with_a_word_for_services(
    label: str,
) -> None:
    assert resolve(label).verdict == "service"


@pytest.mark.parametrize(
    ("label", "types"),
    [
        ("Файл Excel/CSV", [XLS, CSV]),
        ("ملف Excel أو CSV", [XLS, CSV]),
        ("Excel-tiedosto ja CSV", [XLS, CSV]),
        ("Excel 文件 (*.xls *.xlsx)", [XLS, XLSX]),
        ("Excel foobar", [XLS]),
        ("text (.csv), comma separated", [CSV]),
        ("text, semicolon separated (csv)", [CSV]),
        ("text, CSV", ["text/plain", CSV]),
    ],
)
def test_a_list_keeps_every_member(label: str, types: list[str]) -> None:
    assert list(map(str, resolve(label).types)) == types


@pytest.mark.parametrize(
    ("label", "types", "wrappers"),
    [
        ("x.gz.parquet", ["application/vnd.apache.parquet"], []),
        ("x.zip.csv", [CSV], []),
        ("part-0.c000.gz.parquet", ["application/vnd.apache.parquet"], []),
        ("x.csv.gz", [CSV], ["application/gzip"]),
        ("x.csv.tar.gz", [CSV], ["application/gzip", "application/x-tar"]),
        (".3fr.gz", ["image/x-raw-hasselblad"], ["application/gzip"]),
    ],
)
def test_in_a_file_name_the_last_extension_is_the_outermost(
    label: str, types: list[str], wrappers: list[str]
) -> None:
    assert list(map(str, resolve(label).types)) == types
    assert list(map(str, resolve(label).wrappers)) == wrappers


@pytest.mark.parametrize(
    "label",
    [
        "WordPerfect blueprint",
        "SPSS qqx",
        "Matroska qqx",
        "qqx/MATLAB",
        "patch Excel",
    ],
)
def test_the_name_of_a_program_beside_another_word_may_be_another_of_its_formats(
    label: str,
) -> None:
    found = resolve(label)
    assert (found.verdict, found.types) == ("nothing", ())
    assert found.readings


@pytest.mark.parametrize(
    ("label", "essence"),
    [
        ("MKV qqx", "video/matroska"),  # an extension of its files
        ("WordPerfect (qqx)", "application/vnd.wordperfect"),
        ("WordPerfect, qqx", "application/vnd.wordperfect"),
        ("documentation PDF", "application/pdf"),  # no program
    ],
)
def test_a_name_that_says_more_than_the_program_stays_likely(label: str, essence: str) -> None:
    found = resolve(label)
    assert (str(*found.types), found.confidence) == (essence, "likely")


ODF, OOXML = "application/vnd.oasis.opendocument.", "application/vnd.openxmlformats-officedocument."


@pytest.mark.parametrize(
    ("label", "essence"),
    [
        ("ODF-laskentataulukko", f"{ODF}spreadsheet"),
        ("Текстовий документ ODF", f"{ODF}text"),
        ("texto ODF", f"{ODF}text"),
        ("ODF - Диаграмма", f"{ODF}chart"),
        ("Πρότυπο παρουσίασης Office Open XML", f"{OOXML}presentationml.template"),
        ("OpenOffice.org 1.0 Drawing Template", "application/vnd.sun.xml.draw.template"),
        ("Szablon arkusza kalkulacyjnego ODF", f"{ODF}spreadsheet-template"),
        ("Word 2007 template", f"{OOXML}wordprocessingml.template"),
    ],
)
def test_a_noun_chooses_among_the_types_of_a_family_and_a_template_has_its_own(
    label: str, essence: str
) -> None:
    assert list(map(str, resolve(label).types)) == [essence]


def test_the_template_of_a_format_without_a_type_of_its_own_is_not_in_that_format() -> None:
    assert resolve("Shapefile template").types == resolve("Excel template").types == ()


def test_a_program_in_brackets_is_what_opens_the_file() -> None:
    assert str(*resolve("HTML (Calc)").types) == "text/html"
    assert str(*resolve("XML (KML)").types) == "application/vnd.google-earth.kml+xml"


@pytest.mark.parametrize("label", ["rsync CSV", "HTTPS: CSV", "WebDAV CSV", "IETF CSV", "ISO CSV"])
def test_a_protocol_or_a_body_of_standards_before_a_format_leaves_the_format(label: str) -> None:
    assert CSV in map(str, resolve(label).types)
    assert resolve("SSH access").verdict == resolve("FTP access").verdict == "service"


@pytest.mark.parametrize("label", ["NC camera feed", "NT music", "PS crash report", "db of towns"])
def test_two_letters_among_unknown_words_name_no_format(label: str) -> None:
    assert resolve(label).types == ()
    assert resolve(label.split(maxsplit=1)[0] + ", PDF").types


def test_the_extension_of_a_file_of_any_name_may_have_two_letters() -> None:
    assert str(*resolve("our_format.md").types) == "text/markdown"
    assert str(*resolve("flurbel.md").types) == "text/markdown"


@pytest.mark.parametrize(
    "label", ["GIF 89a", "GIF v89a", "GIF, version 89a", "GIF ver. 89a", "GIF, V.89a", "GIF v 89a"]
)
def test_a_version_is_that_of_the_name_before_it_however_it_is_written(label: str) -> None:
    assert (str(*resolve(label).types), resolve(label).rule) == ("image/gif", "alias")


def test_a_file_of_something_unknown_that_has_the_name_of_a_service_is_no_service() -> None:
    assert resolve("Caddie tool").verdict == "service"
    assert resolve("Caddie tool file").verdict == "nothing"
    assert resolve("tool file").verdict == "service"
    assert resolve("WMS Oslo file").verdict == "nothing"
    assert resolve("WMS Oslo online").verdict == "service"


def test_two_formats_side_by_side_are_at_most_likely() -> None:
    assert resolve("XML CSV").confidence == "likely"
    assert resolve("XML, CSV").confidence == "certain"
    assert resolve("SHP Shapefile").confidence == "certain"


def test_the_readings_of_a_label_are_those_of_its_parts() -> None:
    readings = resolve("zipped Excel").readings
    assert [str(*reading.types) for reading in readings] == [XLS, XLSX]
    assert {str(*reading.wrappers) for reading in readings} == {ZIP}
    assert len(resolve("Excel, CSV").readings) == 2


@pytest.mark.parametrize(
    ("label", "essence"),
    [
        ("Visio XML (*.vdx)", "application/vnd.ms-visio.viewer"),
        ("Microsoft Visio 2013 drawing (*. vsdm)", VSDM),
        ("GeoJSON (*.json)", "application/geo+json"),
        ("CSV (*.csv;*.txt)", CSV),
        ("Text, comma separated (*.csv)", CSV),
    ],
)
def test_the_extension_of_a_filter_of_files_is_the_format(label: str, essence: str) -> None:
    assert [str(each) for each in resolve(label).types] == [essence]


@pytest.mark.parametrize("label", ["geodatabase (....", "CSV …", "Shapefile...", "CSV?"])
def test_a_label_that_is_cut_off_or_in_doubt_is_not_certain(label: str) -> None:
    assert resolve(label).types
    assert resolve(label).confidence == "likely"


@pytest.mark.parametrize("label", ["Application Log", "Flatpak application bundle", "CKAN Oslo"])
def test_a_program_or_a_portal_beside_other_words_is_no_service(label: str) -> None:
    assert resolve(label).verdict == "nothing"
    assert resolve(label.split(maxsplit=1)[0] + " API").verdict == "service"


def test_a_picture_of_a_program_for_texts_is_no_text() -> None:
    assert resolve("Word Perfect Image").types == ()
    assert str(*resolve("DDS image").types) == "image/vnd.ms-dds"
    assert resolve("DDS").verdict == "service"


def test_a_capital_letter_beside_a_name_may_belong_to_another_name() -> None:
    assert resolve("GIF Q").confidence == "likely"
    assert resolve("Image bitmap X").types == resolve("XBM").types


@pytest.mark.parametrize(
    ("label", "essence"),
    [
        ("LAS flurbel", "application/vnd.las"),
        ("Las flurbel", None),
        ("LAS FLURBEL", None),
        ("foo DOC bar", "application/msword"),
        ("FOO DOC BAR", None),
    ],
)
def test_an_ordinary_word_in_capitals_is_a_name_unless_all_the_label_is_in_capitals(
    label: str, essence: str | None
) -> None:
    assert [one.essence for one in resolve(label).types] == ([essence] if essence else [])


def test_a_noun_in_brackets_is_about_what_stands_before_them_only_if_it_is_alone() -> None:
    assert resolve("CSV (metadata)").verdict == "nothing"
    together = resolve("CSV (metadata, XML)")
    assert {str(one) for reading in together.readings for one in reading.types} == {
        CSV, "application/xml",
    }  # fmt: skip


def test_an_extension_of_two_names_of_one_type_is_certain() -> None:
    assert (resolve(".xml").confidence, resolve(".xml").alternatives) == ("certain", ())
    assert resolve(".mif").confidence == "likely"


def test_a_placeholder_beside_a_format_is_doubt() -> None:
    words = _words("placeholder")
    placeholders = [word for word in words if re.fullmatch("[a-z]{2,}", word)]
    assert len(placeholders) > 20
    for word in placeholders:
        if names().kinds(word) <= {"placeholder", "kind"}:
            assert resolve(f"CSV {word}").confidence == "likely", word


@pytest.mark.parametrize(("label", "essence", "package"), [
    ("zipcsv", CSV, ZIP), ("csvzip", CSV, ZIP), ("csvrar", CSV, "application/vnd.rar"),
    ("tarxml", "application/xml", "application/x-tar"), ("onixxml", "application/xml", None),
])  # fmt: skip
def test_a_package_that_is_grown_together_with_a_format_is_kept(
    label: str, essence: str, package: str | None
) -> None:
    meaning = resolve(label)
    assert ([*map(str, meaning.types)], meaning.confidence) == ([essence], "likely")
    assert [*map(str, meaning.wrappers)] == ([package] if package else [])


@pytest.mark.parametrize(
    ("label", "types", "confidence"),
    [
        ("bitmap, CSV", ["image/bmp", CSV], "likely"),
        ("PL/CSV", ["text/x-perl", CSV], "likely"),
        ("CSV, bitmap", [CSV], "likely"),
        ("STL, binary", ["model/stl"], "likely"),
        ("STL (binary)", ["model/stl"], "certain"),
        ("en, CSV", [CSV], "certain"),
        ("Arc, CSV", [CSV], "likely"),
    ],
)
def test_a_word_of_noise_that_is_a_whole_member_of_a_list_may_be_its_name(
    label: str, types: list[str], confidence: str
) -> None:
    found = resolve(label)
    assert (list(map(str, found.types)), found.confidence) == (types, confidence)


@pytest.mark.parametrize(
    ("program", "exact"),
    [
        ("MPEG", "MPEG video"),
        ("MATLAB", "MATLAB data"),
        ("Geodatabase", "File Geodatabase"),
        ("Google Earth", "KML"),
        ("Arrow IPC", "Arrow"),
        ("EML", "RFC 822"),
        ("SPSS", "SPSS data"),
        ("OSM", "OSM XML"),
        ("Visio", "Visio (VSD)"),
        ("ASP.NET", "HTML"),
    ],
)
def test_a_name_for_several_formats_is_likely_the_usual_one(program: str, exact: str) -> None:
    assert resolve(program).types == resolve(exact).types
    assert (resolve(program).confidence, resolve(exact).confidence) == ("likely", "certain")


@pytest.mark.parametrize("word", ["for", "from", "without", "ohne", "sans", "no", "sin"])
def test_a_format_after_nothing_but_a_word_for_a_source_or_for_none_is_likely(word: str) -> None:
    assert resolve(f"{word} CSV").confidence == "likely"


def test_what_a_label_is_without_is_not_in_it() -> None:
    assert resolve("XML without CSV").types == resolve("XML").types
    assert resolve("CSV without header").confidence == "certain"
    assert resolve("zip with CSV").confidence == "certain"


@pytest.mark.parametrize(
    ("label", "confidence"),
    [
        ("WMS 1.3.0", "certain"),
        ("WMS, WFS", "certain"),
        ("OGC:WFS-2.0.0", "certain"),
        ("WMS (GML)", "likely"),
        ("WMS image", "likely"),
        ("API data", "likely"),
        ("Shapefile (SHP) API", "likely"),
        ("WMS Oslo", "likely"),
        ("IM Tools", "likely"),
    ],
)
def test_a_service_is_certain_unless_a_format_a_thing_or_another_word_is_beside_it(
    label: str, confidence: str
) -> None:
    found = resolve(label)
    assert (found.verdict, found.confidence) == ("service", confidence)


@pytest.mark.parametrize(
    ("label", "types"),
    [
        ("csv/json; charset=utf-8", [CSV, "application/json"]),
        ("PDF/A-2u; version=1.0", ["application/pdf"]),
        ("qqx/json; charset=utf-8", ["qqx/json; charset=utf-8"]),
    ],
)
def test_names_with_a_slash_are_no_header_even_before_parameters(
    label: str, types: list[str]
) -> None:
    assert list(map(str, resolve(label).types)) == types


def test_a_compressed_package_in_a_longer_list_may_be_one_more_member() -> None:
    assert resolve("CSV, tar.gz, PDF").confidence == "likely"
    for label in ("CSV, tar.gz", "tar.gz: CSV, PDF", "tar.gz (CSV, PDF)"):
        assert resolve(label).confidence == "certain"


def test_a_noun_behind_brackets_makes_another_thing_of_what_stands_before_them() -> None:
    assert resolve("Shapefile (SHP) metadata").types == ()
    assert CSV in [str(one.types[0]) for one in resolve("CSV (PDF metadata)").readings]


def test_a_word_that_is_or_in_one_language_is_doubt_between_two_formats() -> None:
    for label in ("texto o CSV", "XML i GML", "PDF en XML"):
        assert resolve(label).confidence == "likely"
    for label in ("dados no formato CSV", "data i CSV", "a CSV"):
        assert resolve(label).confidence == "certain"


def test_json_with_padding_is_a_script() -> None:
    assert resolve("JSONP").types == resolve("JavaScript").types


def test_no_name_goes_on_over_the_mark_of_a_list_in_japanese() -> None:
    assert resolve("Excel・CSV").types == resolve("Excel、CSV").types
