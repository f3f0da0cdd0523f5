"""What a label says beyond its meaning: a version, a separator, a language, a source."""

from __future__ import annotations

import pytest

from cturi_rdf.labels import resolve
from cturi_rdf.labels.details import details
from cturi_rdf.labels.names import formats, languages, name_key, names, words_of


def _details(label: str) -> tuple[str, ...]:
    return details(label, resolve(label))


@pytest.mark.parametrize(
    ("label", "said"),
    [
        ("CSV", []),
        ("CSV-Datei (UTF-8)", []),
        ("CSV (UTF-8, semicolon)", ["semicolon"]),
        ("CSV (Windows-1252)", []),
        ("CSV, Encoding Latin-1", []),
        ("CSV (UTF-8 with BOM)", ["with BOM"]),
        ("CSV &gt; ZIP", []),
        ("CSV, JSON, etc.", ["etc"]),
        ("METS/ALTO", ["METS/ALTO"]),
        ("MP4 (H.264)", ["H.264"]),
        ("CSV; charset: Shift_JIS", []),
        ("CSV windows-1252 semicolon", ["semicolon"]),
        ("CSV Latin-1 2019", ["2019"]),
        ("Shapefile (UTF-8)", ["UTF-8"]),
        ("CSV, Trennzeichen: Semikolon", ["Trennzeichen: Semikolon"]),
        ("semicolon separated values", ["semicolon separated values"]),
        ("comma separated values", []),
        ("CSV qqx, 2019", ["qqx", "2019"]),
        ("SHP (EPSG:25832)", ["EPSG:25832"]),
        ("GML 3.2", ["3.2"]),
        ("HTML5", ["5"]),
        ("SQLite 3", []),
        ("Arc/Info export E00", []),
        ("tab-gescheiden", []),
        ("SQLite 2", ["2"]),
        ("Portable Document Format 1.4", ["1.4"]),
        ("PDF/A-1b", ["A-1b"]),
        # The version is part of what chooses the type.
        ("Excel 2007", []),
        ("Excel 97-2003", []),
        ("JPEG 2000", []),
        ("MP3", []),
        ("bzip2", []),
        # A packer has a version as a content has.
        ("gzip 1.2", ["1.2"]),
        ("Zip64", ["64"]),
        ("7z (LZMA2)", ["LZMA2"]),
        ("CSV (gzip 1.2)", ["1.2"]),
        ("SQL Lite3", []),
        ("MARC 21", []),
        ("CSV (en)", ["en"]),
        ("Datos en formato CSV", []),
        ("CSV from Excel", ["from Excel"]),
        ("zip with CSV", []),
        ("CSV compressed with gzip", []),
        ("GML, WFS", ["WFS"]),
        ("WMS, WFS", []),
        ("WFS 2.0.0", ["2.0.0"]),
        ("WMS-Dienst", []),
        ("ODF drawing", []),
        # The name of a standard says more than the syntax or the package of its files.
        ("XML", []),
        ("eXtensible Markup Language", []),
        ("DATEX II", ["DATEX II"]),
        ("JSON object", []),
        ("GBFS", ["GBFS"]),
        ("geography markup language", []),
        ("CityGML", ["CityGML"]),
        ("ZIP archive", []),
        ("SIARD", ["SIARD"]),
        ("TIFF image", []),
        ("OME-TIFF", ["OME-TIFF"]),
        ("ODF spreadsheet template", []),
        # Identifiers and headers say what they mean.
        ("http://publications.europa.eu/resource/authority/file-type/CSV", []),
        ("text/csv; header=absent", []),
        ("ContentType:text/csv", []),
        ("", []),
    ],
)
def test_a_detail_is_what_the_meaning_of_a_label_does_not_say(label: str, said: list[str]) -> None:
    assert [*_details(label)] == said


def test_a_name_that_is_said_anyhow_has_no_version_of_its_own() -> None:
    label = "PDF/A-1b"
    assert details(label, resolve(label), frozenset({name_key(label)})) == ()


def test_a_name_of_another_standard_says_more_than_the_syntax_that_is_written() -> None:
    assert details("DATEX II", resolve("DATEX II"), frozenset({name_key("XML")})) == ("DATEX II",)


NAMES = sorted(
    name
    for name in [row.name for row in formats()]
    if resolve(name).confidence == "certain" and resolve(name).types and len(name.split()) == 1
)
MORE = (
    "{} 1999-12",
    "{} 9.7",
    "{}, Trennzeichen: Semikolon",
    "{} (semicolon)",
    "{} via FTP",
    "{} with header",
)
NO_MORE = ("{} file", "Format: {}", "{}-Datei", "fichier {}", "{} (zip)", "download {}, CSV")


@pytest.mark.parametrize(
    "known",
    [
        pytest.param(NAMES[::9], id="some"),
        pytest.param(NAMES, id="all", marks=pytest.mark.slow),
    ],
)
def test_words_that_say_nothing_are_no_details_of_any_name_and_the_others_are(
    known: list[str],
) -> None:
    assert [
        label
        for label in (more.format(name) for name in known for more in MORE)
        if resolve(label).named and not _details(label)
    ] == []
    wrong = {
        label: _details(label)
        for name in known
        for label in (dressed.format(name) for dressed in NO_MORE)
        # "SAS file" and "zipped KML" are names of their own.
        if names().find(label) is None and _details(label) != _details(name)
    }
    assert wrong == {}


def test_a_word_for_a_detail_is_one_beside_any_format() -> None:
    words = [row.word for row in words_of(*languages()) if row.kinds == ("noise", "detail")]
    assert len(words) > 100
    assert [word for word in words if not _details(f"Shapefile ({word})")] == []
