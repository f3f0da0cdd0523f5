"""Labels with several packages, and with words for where a file is from or what it is for."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cturi_rdf.catalogue.header import sent_as
from cturi_rdf.labels import read_labels, resolve
from cturi_rdf.labels.names import languages, words_of

CSV, JSON, TAR, ZIP = "text/csv", "application/json", "application/x-tar", "application/zip"
GZIP, XZ = "application/gzip", "application/x-xz"
COMPRESSIONS = {"gz": GZIP, "gzip": GZIP, "bz2": "application/x-bzip2", "xz": XZ}
TARS = ["{c} tar", "tar {c}", "tar ({c})", "{c}, TAR", "tar, {c}", "{c}/tar", "{c}-compressed tar"]
TARS_OF_CSV = [
    "CSV (tar, {c})",
    "CSV ({c}, tar)",
    "CSV in tar compressed with {c}",
    "{c}-compressed tar of CSV",
    "csv.tar.{c}",
    "CSV {c} tar",
]
# What is packed twice: the wrappers, the outermost first.  A compression inside a package is left
# out.
PACKED_TWICE = [
    ("csv.gz.zip", [ZIP]),
    ("csv.gz in ZIP", [ZIP]),
    ("ZIP of csv.gz", [ZIP]),
    ("zip: csv.gz", [ZIP]),
    ("csv.zip.gz", [GZIP, ZIP]),
]
CHOICES = ["CSV (ZIP or 7z)", "CSV (ZIP, 7z)", "CSV in ZIP or RAR", "zipped or gzipped CSV"]
AFTER = sorted({row.word for row in words_of(*languages()) if "from" in row.kinds})
# Words for where a file is from or what it is for, in lists.
SOURCES = [
    ("CSV via FTP, JSON via HTTP", [CSV, JSON]),
    ("CSV via FTP, JSON", [CSV, JSON]),
    ("CSV (via API), JSON", [CSV, JSON]),
    ("CSV for data; JSON for maps", [CSV, JSON]),
    ("CSV from Excel, JSON from Access", [CSV, JSON]),
    ("CSV from Excel, Access", [CSV]),
    ("CSV (from Excel, Access), JSON", [CSV, JSON]),
    ("CSV for Excel and JSON for programs", [CSV, JSON]),
    ("CSV for Excel and Access", [CSV]),
    ("CSV for Excel and for Access", [CSV]),
    # Nothing stands before it.
    ("data for CSV", [CSV]),
    ("CSV", [CSV]),
]
DATA = {
    "SPSS": "x-spss-sav",
    "Stata": "x-stata-dta",
    "SAS": "x-sas-data",
    "MATLAB": "x-matlab-data",
}
WORDS = [
    *COMPRESSIONS,
    "CSV",
    "GTFS",
    "KMZ",
    "tar",
    "tgz",
    "ZIP",
    "7z",
    "packed",
    "in",
    "and",
    ",",
    "(",
]
PROGRAMS = ["code", "script", "syntax", "program"]


@pytest.mark.parametrize(("label", "name"), [*product(TARS, COMPRESSIONS)])
def test_a_compression_is_around_a_tar_wherever_it_is_named(label: str, name: str) -> None:
    meaning = resolve(label.format(c=name))
    assert list(map(str, (*meaning.types, *meaning.wrappers))) == [TAR, COMPRESSIONS[name]]


@pytest.mark.parametrize(("label", "name"), [*product(TARS_OF_CSV, COMPRESSIONS)])
def test_a_compression_is_around_a_tar_with_something_in_it(label: str, name: str) -> None:
    meaning = resolve(label.format(c=name))
    assert list(map(str, meaning.types)) == [CSV]
    assert list(map(str, meaning.wrappers)) == [COMPRESSIONS[name], TAR]


@pytest.mark.parametrize(("label", "wrappers"), PACKED_TWICE)
def test_what_is_packed_twice_is_sent_as_the_outer_package(label: str, wrappers: list[str]) -> None:
    meaning = resolve(label)
    assert list(map(str, meaning.types)) == [CSV]
    assert list(map(str, meaning.wrappers)) == wrappers
    assert str(sent_as(meaning).content_type) == wrappers[0]


@given(st.lists(st.sampled_from(WORDS), max_size=6))
def test_a_packed_label_alone_is_sent_as_its_outer_package(words: list[str]) -> None:
    meaning = resolve(" ".join(words))
    if meaning.outer:
        assert sent_as(meaning).content_type == meaning.outer


def test_the_wrappers_of_labels_of_ones_own_are_those_that_are_sent() -> None:
    own = read_labels(f"x\t{CSV} > {GZIP} > {ZIP}\ny\t{CSV} > {ZIP} > {GZIP}\n")
    assert [str(sent_as(own[name]).content_type) for name in "xy"] == [ZIP, GZIP]


@pytest.mark.parametrize(
    "name", ["x.csv.gz", "x.shp.zip", "x.tar.xz", "x.json.bz2", "x.zip", "x.csv"]
)
def test_an_iri_of_a_file_means_what_its_name_means(name: str) -> None:
    meaning, of_iri = resolve(name), resolve(f"http://a.example/files/{name}?version=2")
    assert (of_iri.types, of_iri.wrappers) == (meaning.types, meaning.wrappers)
    assert of_iri.confidence == "likely"


@pytest.mark.parametrize("label", CHOICES)
def test_of_packages_to_choose_from_the_first_is_likely(label: str) -> None:
    meaning = resolve(label)
    assert (meaning.verdict, meaning.confidence) == ("compound", "likely")
    assert list(map(str, (*meaning.types, *meaning.wrappers))) == [CSV, ZIP]


@pytest.mark.parametrize("label", [
    "CSV (zip), JSON", "CSV zip; JSON", "csv.gz, json", "CSV (packed) and JSON",
    "JSON, CSV (zip), PDF",
])  # fmt: skip
def test_a_package_behind_one_member_of_a_list_holds_that_member_alone(label: str) -> None:
    meaning = resolve(label)
    assert (meaning.verdict, meaning.wrappers) == ("several", ())
    assert {CSV, JSON} <= {content_type.essence for content_type in meaning.types}


@pytest.mark.parametrize("label", ["CSV, JSON (zip)", "CSV (zip), JSON (zip)", "zip: CSV, JSON"])
def test_a_package_behind_the_last_member_or_before_the_first_holds_all(label: str) -> None:
    meaning = resolve(label)
    assert [content_type.essence for content_type in meaning.types] == [CSV, JSON]
    assert str(meaning.outer) == ZIP


@pytest.mark.parametrize("label", ["ZIP or gzip", "ZIP, 7z", "zip/rar", "ZIP, RAR, 7z"])
def test_packages_with_marks_between_them_are_a_list(label: str) -> None:
    assert resolve(label).verdict == "several"


@pytest.mark.parametrize("word", AFTER)
def test_a_source_or_a_purpose_is_no_format_in_any_language(word: str) -> None:
    for other in ("Shapefile", "DWG", "OpenLayers"):
        assert resolve(f"CSV {word} {other}").types == resolve("CSV").types


@pytest.mark.parametrize(("label", "types"), SOURCES)
def test_a_source_or_a_purpose_ends_with_its_member_of_a_list(label: str, types: list[str]) -> None:
    assert list(map(str, resolve(label).types)) == types


@pytest.mark.parametrize(("software", "word"), [*product(DATA, PROGRAMS)])
def test_a_program_for_a_statistics_package_is_not_its_data(software: str, word: str) -> None:
    meaning = resolve(f"{software} {word}")
    assert meaning.types != resolve(f"{software} data").types
    assert DATA[software] not in meaning.reason or meaning.verdict == "nothing"


@pytest.mark.parametrize("label", ["gz (tar zip)", "TAR ZIP, gz"])
def test_the_reason_lists_only_what_the_label_names(label: str) -> None:
    resolution = resolve(label)
    assert (resolution.types, str(resolution.outer)) == ((), ZIP)
    assert ": ," not in resolution.reason
