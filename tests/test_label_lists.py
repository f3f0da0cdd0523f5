"""Lists and packages in labels: the words between the names, in many languages."""

from __future__ import annotations

import re
from itertools import permutations, product

import pytest

from cturi_rdf import ContentType
from cturi_rdf.labels import resolve
from cturi_rdf.labels.names import languages, words_of

ZIP, PDF, CSV = "application/zip", "application/pdf", "text/csv"
KML, SHP = "application/vnd.google-earth.kml+xml", "application/vnd.shp"

# A format that is a zip file, beside others.
ARCHIVES = [
    ("GTFS / PDF", "several", [ZIP, PDF]),
    ("KML, GTFS, SHP", "several", [KML, ZIP, SHP]),
    ("Darwin Core Archive; KML", "several", [ZIP, KML]),
    ("GTFS and KML", "several", [ZIP, KML]),
    # What stands beside it without a mark, in brackets or behind a colon is inside.
    ("GTFS (CSV)", "compound", [CSV]),
    ("GTFS csv files", "compound", [CSV]),
    ("GTFS: csv", "compound", [CSV]),
    # Beside its own package it is one format.
    ("GTFS zip", "media_type", [ZIP]),
    ("zip (GTFS)", "media_type", [ZIP]),
    ("GTFS / ZIP", "media_type", [ZIP]),
    ("GTFS, CSV (zip)", "compound", [CSV]),
    ("GTFS of Oslo", "media_type", [ZIP]),
    ("GTFS, WMS", "media_type", [ZIP]),
]
JOINED = ["PDF and ZIP", "PDF et ZIP", "PDF y ZIP", "PDF ou ZIP", "PDF oraz ZIP", "PDF または ZIP"]
# In one language these words mean "and" or "or", in another "of" or "in".
NOT_JOINED = ["ZIP of PDFs", "PDF i ZIP", "PDF en ZIP", "PDF i et zip-arkiv"]
# Ways to say that a format is in a package.
PACKED = [
    "{p} of {f} files", "{f} inside a {p}", "{p} archive containing several {f} files",
    "{p} archive with one {f} per year", "{p} (contains: {f})", "{f} as {p}", "{f} bundled in {p}",
    "{f} im {p}-Archiv", "{p} enthält mehrere {f}-Dateien", "archive {p} contenant des {f}",
    "{f} dans un {p}", "{p} que contiene {f}", "{p} contenente {f}", "{p} contendo {f}",
    "{f} w {p}", "{p} met meerdere {f}", "{p} som innehåller {f}", "{f} v {p}", "{f}_{p}",
]  # fmt: skip
# Words that say nothing in a language, and are written as the names of formats and services are.
FUNCTION_WORDS = ["por", "do", "das", "nas", "for", "pro", "las", "des", "den", "per", "som", "na"]
RDF_SYNTAXES = ["Turtle", "N-Triples", "N-Quads", "TriG", "JSON-LD", "RDF/XML", "N3", "TriX"]
PACKAGES = {"zip": ZIP, "ZIP": ZIP, "tar": "application/x-tar", "gzip": "application/gzip"}
FORMATS = {"CSV": CSV, "Excel": "application/vnd.ms-excel", "XML": "application/xml", "PDF": PDF}


# Some of them are names of one format with a slash: "KML/XML", "SHP/DBF", "MARC/XML", "RDF/HDT".
MEMBERS = ["CSV", "KML", "XML", "RDF", "HDT", "SHP", "DBF", "netCDF", "HDF", "HTML", "JSON-LD"]
AND = sorted(
    {row.word for row in words_of(*languages()) if "and" in row.kinds}
    - {row.word for row in words_of(*languages()) if "noise" in row.kinds}
)
SEPARATORS = [", ", ",", "; ", " | ", " · ", " • ", " and ", " or ", " sowie ", " as well as "]


@pytest.mark.parametrize("separator", SEPARATORS)
def test_all_members_count_whatever_separates_them(separator: str) -> None:
    for one, other in permutations(MEMBERS, 2):
        types = resolve(f"{one}{separator}{other}").types
        assert set(types) == {*resolve(one).types, *resolve(other).types}, (one, other)


@pytest.mark.parametrize(("label", "verdict", "types"), ARCHIVES)
def test_a_format_that_is_a_package_is_one_more_member_of_a_list(
    label: str, verdict: str, types: list[str]
) -> None:
    meaning = resolve(label)
    assert (meaning.verdict, list(map(str, meaning.types))) == (verdict, types)


def test_a_service_is_left_out_of_a_list_with_all_that_it_serves() -> None:
    types = [ContentType.parse(essence) for essence in (KML, "application/json")]
    assert list(resolve("JSON API, KML, JSON").types) == types


@pytest.mark.parametrize("label", JOINED)
def test_a_package_behind_and_is_one_more_member_in_every_language(label: str) -> None:
    meaning = resolve(label)
    assert (meaning.verdict, list(map(str, meaning.types))) == ("several", [PDF, ZIP])


@pytest.mark.parametrize("label", NOT_JOINED)
def test_a_word_that_joins_in_one_language_alone_joins_nothing(label: str) -> None:
    meaning = resolve(label)
    assert (meaning.verdict, str(meaning.outer)) == ("compound", ZIP)
    assert list(map(str, meaning.types)) == [PDF]


@pytest.mark.parametrize("word", AND)
def test_each_word_for_and_joins_two_formats(word: str) -> None:
    assert list(map(str, resolve(f"CSV {word} KML").types)) == [CSV, KML]
    assert resolve(f"CSV {word}").verdict == "media_type"


@pytest.mark.parametrize("way", PACKED)
def test_a_package_holds_the_format_beside_it_however_it_is_said(way: str) -> None:
    for (package, outer), (name, essence) in product(PACKAGES.items(), FORMATS.items()):
        meaning = resolve(way.format(f=name, p=package))
        assert (meaning.verdict, str(meaning.outer)) == ("compound", outer), meaning
        assert list(map(str, meaning.types)) == [essence]


@pytest.mark.parametrize("syntax", RDF_SYNTAXES)
def test_rdf_in_a_syntax_is_that_syntax(syntax: str) -> None:
    for way in ("RDF as {}", "RDF in {} syntax", "RDF ({})", "RDF {}", "RDF som {}"):
        assert resolve(way.format(syntax)).types == resolve(syntax).types


def test_another_syntax_in_a_list_with_rdf_xml_is_one_more() -> None:
    assert len(resolve("RDF/XML, Turtle").types) == 2


@pytest.mark.parametrize("name", ["STL", "DXF", "E00", "CSV", "TSV"])
def test_plain_text_beside_a_format_says_how_it_is_written(name: str) -> None:
    for way in ("{} (ASCII)", "{} ASCII", "TXT ({})"):
        assert resolve(way.format(name)).types == resolve(name).types
    # In a list it is one more format.
    assert len(resolve(f"{name}, TXT").types) == 2


@pytest.mark.parametrize("word", FUNCTION_WORDS)
def test_a_word_of_a_language_is_no_format_in_a_sentence(word: str) -> None:
    assert resolve(f"aqqe {word} xxyyq zzkkq").verdict == "nothing"
    assert resolve(f"CSV {word} xxyyq").types == resolve("CSV").types


@pytest.mark.parametrize(("label", "number"), [("SAV, POR", 2), ("NAS, DXF", 2), ("las/laz", 2)])
def test_it_is_one_in_capitals_and_in_a_list(label: str, number: int) -> None:
    assert len(resolve(label).types) == number


@pytest.mark.parametrize("label", ["CSV separado por comas", "CSV separado por ponto e vírgula"])
def test_what_separates_values_is_no_format(label: str) -> None:
    assert resolve(label).types == resolve("CSV").types


@pytest.mark.parametrize("label", ["Excel Excel", "Word (Word)", "CSV CSV", "Excel, Excel"])
def test_a_name_that_stands_twice_says_what_it_says_once(label: str) -> None:
    once = re.split(r"\W+", label)[0]
    assert resolve(label).types == resolve(once).types
    assert resolve(label).confidence == resolve(once).confidence


@pytest.mark.parametrize("label", ["SPSS, Stata, SAS", "SAS, Stata, SPSS", "Stata/SPSS"])
def test_names_that_may_be_words_are_formats_among_themselves(label: str) -> None:
    found = {str(one) for one in resolve(label).types}
    assert found == {"application/x-spss-sav", "application/x-stata-dta"}


@pytest.mark.parametrize(("one", "other"), [("RSS/Atom", "Atom/RSS"), ("RDF/TTL", "TTL/RDF")])
def test_a_pair_means_the_same_the_other_way_round(one: str, other: str) -> None:
    first, second = resolve(one), resolve(other)
    assert set(first.types) == set(second.types) != set()
    assert first.confidence == second.confidence
