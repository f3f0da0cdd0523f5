"""The judgement of a resource in each command: one evidence, one answer."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pyoxigraph as ox
import pytest
from rdflib import Graph
from repairs import EU, HEAD, IANA, D, planned, statements

from cturi_rdf import ContentType
from cturi_rdf.catalogue import Adding, annotate_file, headers_of_file
from cturi_rdf.catalogue.verdict import Options
from cturi_rdf.check import check_file
from cturi_rdf.rdf import annotate, headers
from cturi_rdf.reading import read_catalog
from cturi_rdf.repair import plan_file, profile_names, repair

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Cturi, Write

    from cturi_rdf.labels.resolution import Confidence

SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
LIKELY = Options("likely")
MOVE = Options(services="move")


def _header(path: Path, *, by_url: bool = False) -> str:
    [header] = headers_of_file(str(path), by_url=by_url)
    return str(header.content_type or header.verdict)


# --- All evidence together -----------------------------------------------------------------------

# What is said of a resource, the file that it is, its header without and with the name of the file.
JUDGED = [
    (f'dct:format "Excel" ; dcat:mediaType "{SHEET}"', "", SHEET, SHEET),
    ('dct:format "Excel"', "a.xlsx", "application/vnd.ms-excel", SHEET),
    ('dct:format "Excel"', "a.xlsx.gz", "application/vnd.ms-excel", "application/gzip"),
    (f'dct:format "Excel" ; dcat:mediaType "{SHEET}"', "a.xlsx.gz", SHEET, "application/gzip"),
    ('dct:format "xlsx" ; dcat:mediaType "application/vnd.ms-excel"', "a.xlsx", "conflict", SHEET),
    ('dct:format "xml" ; dcat:mediaType "text/csv"', "a.csv", "conflict", "text/csv"),
    ('dct:format "CSV, JSON"', "a.csv", "several", "text/csv"),
    ('dct:format "KML/KMZ"', "a.kmz", "several", "application/vnd.google-earth.kmz"),
    ('dct:format "flurbel"', "a.vcf.gz", "", "application/gzip"),
    # A certain statement does not give way to the name of a file.
    ('dct:format "CSV"', "a.json", "text/csv", "text/csv"),
    ('dct:format "Zipped Shapefile"', "a.xlsx", "application/zip", "application/zip"),
    # The outermost wrapper of a file is its last extension.
    ('dct:format "Parquet, CSV"', "a.gz.parquet", "several", "application/vnd.apache.parquet"),
    # RDF is a family: it agrees with each of its syntaxes, and alone it is RDF/XML.
    ('dct:format "RDF"', "a.ttl", "application/rdf+xml", "text/turtle"),
    ('dct:format "RDF" ; dcat:mediaType "text/turtle"', "", "text/turtle", "text/turtle"),
    (f'dct:format <{EU}RDF> ; dcat:mediaType "text/turtle"', "", "text/turtle", "text/turtle"),
    ('dct:format "RDF" ; dcat:mediaType "text/csv"', "", "conflict", "conflict"),
    # MIF may be a plain text, which does not make it each kind of text.
    ('dct:format "MIF" ; dcat:mediaType "text/plain"', "a.csv", "text/plain", "text/plain"),
    ('dct:format "MIF" ; dcat:mediaType "text/csv"', "", "conflict", "conflict"),
    ('dct:format "aplication/json" ; dcat:mediaType "text/csv"', "", "conflict", "conflict"),
    ('dct:format "aplication/json" ; dcat:mediaType "text/csv"', "a.csv", "conflict", "text/csv"),
]


@pytest.mark.parametrize("value", ['"CSV"', f"<{IANA}text/csv>", '"CSV, JSON"'])
@pytest.mark.parametrize("path", ["compressFormat", "packageFormat"])
def test_what_is_no_wrapper_says_nothing_where_a_wrapper_is_asked_for(
    tmp_path: Path, write: Write, path: str, value: str
) -> None:
    alone = write("alone.ttl", f"{HEAD}{D}dcat:{path} {value} .\n")
    assert list(headers_of_file(str(alone))) == []
    stated = f'{D}dct:format "JSON" ; dcat:{path} {value} .\n'
    beside = write("beside.ttl", HEAD + stated)
    assert _header(beside) == "application/json"
    annotate_file(beside, beside, adding=Adding.LINKS)
    assert "ContentType:text/csv" not in beside.read_text()
    left = planned(tmp_path, stated).plan.left
    assert [one.rule for one in left] == ["no wrapper"]


def test_the_name_of_a_family_keeps_its_own_code_beside_a_member(tmp_path: Path) -> None:
    plan = planned(tmp_path, f'{D}dct:format "RDF" ; dcat:mediaType "text/turtle" .\n')
    assert statements(plan) == {"format eu:RDF", "mediaType iana:text/turtle"}
    plan = planned(tmp_path, f'{D}dct:format "ODF" ; dcat:mediaType "ODS" .\n')
    assert "format eu:ODS" in statements(plan)
    # Where there is no code of the name it takes the value of the member.
    plan = planned(tmp_path, f'{D}dct:format "Turtle" ; dcat:mediaType "RDF" .\n')
    assert statements(plan) == {"format eu:RDF_TURTLE", "mediaType iana:text/turtle"}


@pytest.mark.parametrize("beside", ["", ' ; dcat:packageFormat "zip"'])
def test_a_name_of_which_no_reading_is_likelier_is_left_with_its_readings(
    tmp_path: Path, beside: str
) -> None:
    plan = planned(tmp_path, f'{D}dct:format "MIF"{beside} .\n', options=LIKELY)
    [left] = plan.plan.left
    assert left.reason.endswith("application/vnd.mif or text/plain.")


@pytest.mark.parametrize("ending", ["ttl", "nt"])
def test_annotating_sends_no_header_that_the_labels_contradict(write: Write, ending: str) -> None:
    stated = f'{HEAD}{D}dct:format "MIF", "CSV" .\n'
    text = "".join(f"{quad} .\n" for quad in ox.parse(stated, ox.RdfFormat.TURTLE))
    path = write(f"c.{ending}", text)
    before = _header(path)
    annotate_file(path, path, adding=Adding.LINKS)
    assert _header(path) == before == "conflict"


CSV_IRI = f"<{IANA}text/csv>"


@pytest.mark.parametrize(
    ("stated", "by_url", "changed", "left"),
    [
        # The name decides between certain statements, and between the meanings of a value.
        ('dct:format "XLSX" ; dcat:mediaType "text/csv"', SHEET, {"format", "mediaType"}, set()),
        # A value that is right in form stays.
        (f'dct:format "XLSX" ; dcat:mediaType {CSV_IRI}', SHEET, {"format"}, set()),
        ('dct:format "Excel" ; dcat:mediaType "n/a"', SHEET, {"format", "mediaType"}, set()),
        # It does not where a guess contradicts a certain statement, or nothing but the name does.
        (
            'dct:format "Excel" ; dcat:mediaType "text/csv"',
            "conflict",
            set(),
            {"format", "mediaType"},
        ),
        ('dct:format "CSV"', "text/csv", set(), {"format"}),
        (f"dcat:mediaType {CSV_IRI}", "text/csv", set(), set()),
    ],
)
def test_the_name_of_the_file_decides_nothing_against_a_certain_statement(
    write: Write, stated: str, by_url: str, changed: set[str], left: set[str]
) -> None:
    url = "dcat:downloadURL <http://a.example/d.xlsx>"
    path = write("c.ttl", f"{HEAD}{D}a dcat:Distribution ; {stated} ; {url} .\n")
    assert _header(path, by_url=True) == by_url
    plan = plan_file(path, profile="dcat-ap", options=Options(by_url=True)).plan
    steps = [step.statement for step in plan.steps if step.statement]
    names = [{one.predicate.value.rpartition("/")[2].rpartition("#")[2] for one in ones}
             for ones in (steps, [one.statement for one in plan.left])]  # fmt: skip
    assert names == [changed, left]
    report = check_file(path, profile="dcat-ap", by_url=True)
    rules = {one.rule for one in report.findings}
    assert ("TypeFitsFileName" in rules) == (by_url == "text/csv")
    assert ("TypesAgree" in rules) == ("XLSX" in stated)


@pytest.mark.parametrize(("stated", "file", "alone", "by_url"), JUDGED)
def test_the_name_of_the_file_decides_only_what_statements_leave_open(
    write: Write, stated: str, file: str, alone: str, by_url: str
) -> None:
    url = f" ; dcat:downloadURL <http://a.example/{file}>" if file else ""
    path = write("c.ttl", f"{HEAD}{D}{stated}{url} .\n")
    if alone:
        assert _header(path) == alone
    else:
        assert list(headers_of_file(str(path))) == []
    assert _header(path, by_url=True) == by_url


@pytest.mark.parametrize(
    ("label", "file", "sent"),
    [
        ("gzip", "a.csv.gz", "text/csv in application/gzip"),
        ("ZIP", "a.geojson.zip", "application/geo+json in application/zip"),
        # A zip by its structure is not what is inside a zip.
        ("ZIP", "a.kmz", "application/zip"),
        ("gzip", "a.gz", "application/gzip"),
        ("ZIP", "a.csv.gz", "application/zip in application/gzip"),
    ],
)
def test_the_name_of_the_file_says_what_is_inside_a_wrapper(
    write: Write, label: str, file: str, sent: str
) -> None:
    url = f"dcat:downloadURL <http://a.example/{file}>"
    path = write("c.ttl", f'{HEAD}{D}dct:format "{label}" ; {url} .\n')
    [header] = headers_of_file(str(path), by_url=True)
    assert " in ".join(map(str, (*header.contains, header.content_type))) == sent
    [header] = headers_of_file(str(path))
    assert not header.contains


def test_a_file_without_a_statement_has_a_likely_header_by_its_name(write: Write) -> None:
    path = write("c.ttl", f"{HEAD}{D}dcat:downloadURL <http://a.example/a.csv> .\n")
    assert list(headers_of_file(str(path))) == []
    [header] = headers_of_file(str(path), by_url=True)
    assert (str(header.content_type), header.confidence) == ("text/csv", "likely")


def test_a_header_is_not_certain_while_a_statement_is_not_understood(write: Write) -> None:
    path = write("c.ttl", f'{HEAD}{D}dct:format "CSV" , "flurbel" .\n')
    [header] = headers_of_file(str(path))
    assert (str(header.content_type), header.confidence) == ("text/csv", "likely")
    assert header.unread == ["flurbel"]


@pytest.mark.parametrize("syntax", ["ttl", "nt"])
def test_the_charset_beside_a_type_is_part_of_the_header_and_of_the_annotation(
    tmp_path: Path, syntax: str
) -> None:
    text = (
        f'{D}<http://purl.org/dc/terms/format> "CSV" .\n'
        f'{D}<http://www.w3.org/2011/content#characterEncoding> "windows-1252" .\n'
    )
    path = tmp_path / f"c.{syntax}"
    path.write_text(text)
    assert _header(path) == "text/csv; charset=windows-1252"
    graph = read_catalog(str(path))
    assert str(headers(graph)[0].content_type) == "text/csv; charset=windows-1252"
    annotate(graph)
    assert "servedAs> <ContentType:text/csv?charset=" in graph.serialize(format="nt")


ENCODING = "<http://www.w3.org/2011/content#characterEncoding>"
UTF_8, LATIN = '"text/csv; charset=utf-8"', '"text/csv; charset=latin1"'


@pytest.mark.parametrize("profile", ["dcat", "dcat-ap", "dcat-us"])
@pytest.mark.parametrize(
    "stated",
    [f"dct:format {UTF_8} ; dcat:mediaType {LATIN}", f'dct:format {UTF_8} ; {ENCODING} "latin1"'],
)
def test_charsets_that_contradict_each_other_are_a_conflict_and_are_left(
    write: Write, cturi: Cturi, profile: str, stated: str
) -> None:
    path = write("c.ttl", f"{HEAD}{D}a dcat:Distribution ; {stated} .\n")
    [header] = headers_of_file(str(path))
    assert (header.verdict, len(header.conflicts)) == ("conflict", 2)
    run = cturi("check", path, "--profile", profile)
    assert {"latin1", "utf-8"} <= set(re.findall(r"text/csv; charset=([\w-]+)", run.out))
    plan = plan_file(str(path), profile=profile)
    assert plan.edited == path.read_bytes()
    assert {verdict.rule for verdict in plan.plan.left} <= {"conflict", "several"}


@pytest.mark.parametrize(
    "stated",
    [
        f'dct:format {LATIN} ; {ENCODING} "ISO-8859-1"',
        f'dct:format {UTF_8} ; {ENCODING} "utf8"',
        f'dct:format {UTF_8} ; {ENCODING} "utf-8", "latin1"',
    ],
)
def test_a_charset_by_another_name_or_among_several_is_no_conflict(
    write: Write, stated: str
) -> None:
    path = write("c.ttl", f"{HEAD}{D}a dcat:Distribution ; {stated} .\n")
    assert _header(path).startswith("text/csv; charset=")


@pytest.mark.parametrize(
    "stated",
    [
        'dct:format "Zipped CSV" ; dcat:packageFormat "tar"',
        'dct:format "csv.gz" ; dcat:compressFormat "bzip2"',
    ],
)
def test_a_wrapper_is_not_moved_beside_one_that_contradicts_it(write: Write, stated: str) -> None:
    path = write("c.ttl", f"{HEAD}{D}a dcat:Distribution ; {stated} .\n")
    assert plan_file(str(path), profile="dcat").edited == path.read_bytes()


def test_a_contradiction_names_what_others_say_and_not_the_value_itself(write: Write) -> None:
    path = write("c.ttl", f'{HEAD}{D}dct:format "Excel" ; dcat:mediaType "text/csv" .\n')
    [left] = plan_file(str(path), profile="dcat").plan.left
    assert left.reason.endswith(f"or {SHEET}, and other evidence says text/csv.")


def test_the_charset_says_nothing_of_bytes_that_are_no_characters(write: Write) -> None:
    encoding = '<http://www.w3.org/2011/content#characterEncoding> "utf-8"'
    path = write("c.ttl", f'{HEAD}{D}dct:format "PNG" ; {encoding} .\n')
    assert _header(path) == "image/png"


@pytest.mark.parametrize("kind", ["dcat:DataService", "dcat:Dataset"])
def test_what_is_no_single_file_may_have_many_formats(write: Write, kind: str) -> None:
    path = write("c.ttl", f'{HEAD}{D}a {kind} ; dct:format "GML", "GeoJSON" .\n')
    assert _header(path) == "several"
    assert not [one for one in check_file(str(path)).findings if "Agree" in one.rule]
    graph = read_catalog(str(path))
    annotate(graph)
    assert "conflictingType" not in graph.serialize(format="nt")


def test_a_link_of_activity_streams_is_named_by_what_it_leads_to(write: Write) -> None:
    text = (
        "@prefix as: <https://www.w3.org/ns/activitystreams#> .\n"
        '[] a as:Link ; as:href <http://a.example/doc.pdf> ; as:mediaType "application/pdf" .\n'
    )
    [header] = headers_of_file(str(write("c.ttl", text)))
    assert str(header.name) == "http://a.example/doc.pdf"


def test_a_choice_of_a_package_or_a_compression_is_the_one_named_beside_it(write: Write) -> None:
    # A Darwin Core Archive is a zip, or rarely a tar.gz.
    for beside, sent in (("zip", "application/zip"), ("gzip", "application/gzip")):
        text = f'{HEAD}{D}dct:format "{beside}" ; dcat:compressFormat "DWCA" .\n'
        assert _header(write("c.ttl", text)) == sent


def test_a_choice_of_a_package_or_a_compression_is_not_both(write: Write) -> None:
    text = f'{HEAD}{D}dct:format "DwC-A" ; dcat:mediaType "text/csv" .\n'
    assert _header(write("c.ttl", text)) == "application/zip"
    text = f'{HEAD}{D}dct:format "CSV" ; dcat:packageFormat "zip, gzip" .\n'
    assert _header(write("c.ttl", text)) == "several"


# --- What is written, and what is left -----------------------------------------------------------


def test_an_ambiguous_name_takes_the_value_of_the_certain_type_beside_it(tmp_path: Path) -> None:
    plan = planned(tmp_path, f'{D}dct:format "Excel" ; dcat:mediaType "{SHEET}" .\n')
    assert statements(plan) == {"format eu:XLSX", f"mediaType iana:{SHEET}"}


@pytest.mark.parametrize(
    "stated",
    [
        'dct:format "aplication/json" ; dcat:mediaType "text/csv"',
        'dct:format "CSV" ; dcat:mediaType "application/json"',
    ],
)
def test_values_that_contradict_each_other_are_left_with_both_sides(
    tmp_path: Path, stated: str
) -> None:
    plan = planned(tmp_path, f"{D}{stated} .\n", options=LIKELY)
    reasons = [one.reason for one in plan.plan.left if one.rule == "conflict"]
    assert reasons
    assert all("text/csv" in reason and "application/json" in reason for reason in reasons)
    assert not any("Write it yourself" in one.reason for one in plan.plan.left)


@pytest.mark.parametrize("profile", profile_names())
@pytest.mark.parametrize("path", ["dct:format", "dcat:mediaType", "schema:encodingFormat"])
def test_what_contradicts_is_written_in_no_profile_in_another_form(
    tmp_path: Path, profile: str, path: str
) -> None:
    plan = planned(tmp_path, f'{D}{path} "CSV", "application/json" .\n', profile)
    assert plan.edited == plan.original


def test_a_value_that_the_name_of_the_file_decides_against_is_no_duplicate(tmp_path: Path) -> None:
    text = f'{D}dct:format "CSV", "JSON" ; dcat:downloadURL <http://a.example/a.json> .\n'
    plan = planned(tmp_path, text, options=Options(by_url=True))
    assert statements(plan) == {"format eu:JSON"}
    [removed] = [one for one in plan.plan.verdicts if one.action == "remove"]
    assert removed.rule == "by URL"
    assert "the same" not in removed.reason


@pytest.mark.parametrize("confidence", ["certain", "likely"])
@pytest.mark.parametrize("label", ["Excel", "CSV"])
def test_what_is_missing_is_not_added_against_the_name_of_the_file(
    tmp_path: Path, label: str, confidence: Confidence
) -> None:
    for name, is_added in (("a.xlsx", False), ("a", label == "CSV" or confidence == "likely")):
        url = f"dcat:downloadURL <http://a.example/{name}>"
        text = f'{D}a dcat:Distribution ; dct:format "{label}" ; {url} .\n'
        plan = planned(tmp_path, text, "pod", Options(confidence))
        assert (plan.edited != plan.original) is is_added
        assert any("download URL says" in one.reason for one in plan.plan.left) is (name != "a")


@pytest.mark.parametrize(
    ("stated", "rule"),
    [
        ('dct:format "n/a"', "placeholder"),
        ('dcat:compressFormat "flurbel"', "nothing"),
        ("dcat:mediaType <http://www.iana.org/assignments/media-types/text/csv>", "duplicate"),
    ],
)
def test_a_conflict_is_told_beside_what_is_said_of_other_values(
    tmp_path: Path, stated: str, rule: str
) -> None:
    right = f"dct:format <{EU}PDF> ; dcat:mediaType <{IANA}text/csv>"
    for text, others in ((right, []), (f"{right} ; {stated}", [rule])):
        plan = planned(tmp_path, f"{D}{text} .\n", profile="dcat-ap-2.1.1").plan
        assert sorted(one.rule for one in plan.verdicts) == sorted(["", "conflict", *others])


def test_a_guess_that_the_download_url_contradicts_is_left_and_not_offered(tmp_path: Path) -> None:
    stated = f'{D}dct:format "Excel" ; dcat:downloadURL <http://a.example/b.xlsx> .\n'
    plan = planned(tmp_path, stated, options=LIKELY)
    assert plan.edited == plan.original
    (left,) = plan.plan.left
    assert f"But the download URL says {SHEET}. --by-url lets the URL decide." in left.reason
    assert "Write it yourself" not in left.reason
    plan = planned(tmp_path, stated, options=LIKELY._replace(by_url=True))
    assert statements(plan) == {"format eu:XLSX"}


def test_a_guess_that_answers_a_placeholder_is_not_written_unasked(tmp_path: Path) -> None:
    plan = planned(tmp_path, f'{D}dct:format "n/a" ; dcat:mediaType "Excel" .\n')
    assert plan.edited == plan.original


def test_a_placeholder_is_not_called_a_duplicate(tmp_path: Path) -> None:
    plan = planned(tmp_path, f'{D}dct:format "CSV" , "n/a" .\n')
    assert [step.rule for step in plan.plan.steps if step.rule != "typing"] == [
        "form",
        "placeholder",
    ]


@pytest.mark.parametrize(
    "label", ["CSV (semicolon)", "CSV (semicolon, UTF-8)", "Zipped CSV (semicolon)"]
)
def test_a_label_that_says_more_than_another_value_is_no_duplicate(
    tmp_path: Path, label: str
) -> None:
    plan = planned(tmp_path, f'{D}dct:format "CSV" , "{label}" .\n')
    assert statements(plan) == {"format eu:CSV", f"format {label}"}
    [left] = plan.plan.left
    assert "The label says more: semicolon." in left.reason


@pytest.mark.parametrize(("label", "is_kept"), [("GeoTIFF", True), ("TIFF", False)])
def test_a_media_type_takes_no_place_of_a_narrower_name(
    tmp_path: Path, label: str, is_kept: bool
) -> None:
    text = (
        f'@prefix s: <http://schema.org/> .\n[] a s:DataDownload ; s:encodingFormat "{label}" .\n'
    )
    plan = planned(tmp_path, text, profile="schema")
    assert [f"The label says more: {label}." in one.reason for one in plan.plan.left] == (
        [True] if is_kept else []
    )
    assert bool(plan.plan.steps) is not is_kept
    european = planned(tmp_path, f'{D}dct:format "{label}" .\n')
    assert statements(european) == {f"format eu:{label.upper()}"}


@pytest.mark.parametrize(
    ("label", "said"),
    [
        ("CSV (semicolon)", "semicolon"),
        ("PDF (scanned, OCR)", "scanned, OCR"),
        ("CSV, Trennzeichen: Semikolon", "Trennzeichen: Semikolon"),
        ("GML 3.2", "3.2"),
        ("CSV 2016", "2016"),
        ("Shapefile (UTF-8)", "UTF-8"),
        ("CSV (UTF-8)", ""),
        ("CSV, UTF-8", ""),
        ("Shape (zip)", ""),
        ("PDF/A-1b", ""),
        ("MARC 21", ""),
        ("CSV-Datei zum Herunterladen", ""),
    ],
)
def test_what_a_label_says_beyond_its_format_is_no_part_of_a_certain_change(
    tmp_path: Path, label: str, said: str
) -> None:
    text = f'{D}dct:format "{label}" .\n'
    plan = planned(tmp_path, text)
    assert [f"The label says more: {said}." in one.reason for one in plan.plan.left] == [
        True
    ] * bool(said)
    assert (f"format {label}" in statements(plan)) is bool(said)
    assert f"format {label}" not in statements(planned(tmp_path, text, options=LIKELY))


CSV_OF_IANA = "://www.iana.org/assignments/media-types/text/csv>"


@pytest.mark.parametrize("other", [f"<http{CSV_OF_IANA}", '"text/csv"'])
@pytest.mark.parametrize("order", [1, -1])
def test_of_two_values_for_one_type_the_one_stays_that_the_profile_writes(
    tmp_path: Path, other: str, order: int
) -> None:
    stated = " , ".join([f"<https{CSV_OF_IANA}", other][::order])
    plan = planned(tmp_path, f"{D}dcat:mediaType {stated} .\n")
    assert statements(plan) == {"mediaType iana:text/csv"}
    assert not plan.plan.left
    # DCAT 3 allows any number of values.
    assert (
        "http:" not in other
        or planned(tmp_path, f"{D}dcat:mediaType {stated} .\n", "schema").edited == plan.original
    )


def test_of_two_values_for_one_type_one_stays_also_where_neither_is_written(
    tmp_path: Path,
) -> None:
    plan = planned(tmp_path, f'{D}dcat:mediaType <http{CSV_OF_IANA} , "text/csv" .\n')
    assert f"<http{CSV_OF_IANA}" in plan.edited.decode()
    assert '"text/csv"' not in plan.edited.decode()
    assert not plan.plan.left


@pytest.mark.parametrize("label", ["CSV (UTF-8)", "CSV (utf8)", "UTF-8 CSV"])
def test_the_charset_in_a_label_goes_to_its_own_property(tmp_path: Path, label: str) -> None:
    for beside in ("", ', "CSV"'):
        plan = planned(tmp_path, f'{D}dct:format "{label}"{beside} .\n')
        assert statements(plan) == {"format eu:CSV", "characterEncoding UTF-8"}


def test_a_value_that_moves_keeps_its_parameters_or_is_left(tmp_path: Path) -> None:
    text = f'{D}dct:format "application/vnd.api+json; ext=x" .\n'
    plan = planned(tmp_path, text)
    assert plan.edited == plan.original
    assert "parameter ext" in plan.plan.left[0].reason


def test_a_zip_beside_the_document_that_it_is_becomes_no_package(tmp_path: Path) -> None:
    plan = planned(tmp_path, f'{D}dct:format "ZIP" ; dcat:mediaType "{SHEET}" .\n')
    assert "packageFormat" not in " ".join(statements(plan))


@pytest.mark.parametrize("inside", ['"CSV"', "eu:CSV"])
@pytest.mark.parametrize("around", ['"ZIP"', "eu:ZIP"])
def test_a_wrapper_leaves_the_only_place_to_the_content_however_both_are_written(
    tmp_path: Path, inside: str, around: str
) -> None:
    plan = planned(tmp_path, f"{D}dct:format {inside}, {around} .\n", "dcat-ap")
    assert statements(plan) == {"format eu:CSV", "packageFormat iana:application/zip"}
    assert plan.plan.left == ()
    reason = next(one.reason for one in plan.plan.verdicts if one.action == "move")
    assert ("allows 1 value of dct:format." in reason) == (around == "eu:ZIP")


@pytest.mark.parametrize(
    ("stated", "profile"),
    [
        # A tar has no IRI of IANA, so that no property takes it.
        ("eu:CSV, eu:TAR", "dcat-ap"),
        ("eu:ZIP, eu:GZIP", "dcat-ap"),
        ("eu:ZIP ; dcat:mediaType iana:text\\/csv", "dcat-ap"),
        # DCAT allows several values.
        ("eu:CSV, eu:ZIP", "dcat"),
    ],
)
def test_a_wrapper_that_is_right_stays_if_it_has_no_other_place_or_takes_none_away(
    tmp_path: Path, stated: str, profile: str
) -> None:
    plan = planned(tmp_path, f"@prefix iana: <{IANA}> .\n{D}dct:format {stated} .\n", profile)
    kept = [one for one in plan.plan.verdicts if one.changes and one.rule != "typing"]
    assert kept == []


@pytest.mark.parametrize(
    ("inside", "url", "expected"),
    [
        # IANA lists no type for a geodatabase that could take the place.
        ("File Geodatabase", True, {"format eu:GDB", "mediaType iana:application/zip"}),
        ("File Geodatabase", False, {"format eu:GDB", "packageFormat iana:application/zip"}),
        (
            "Shapefile", True,
            {"format eu:SHP", "packageFormat iana:application/zip",
             "mediaType iana:application/vnd.shp"},
        ),
    ],
)  # fmt: skip
def test_a_wrapper_stays_where_a_value_is_required_and_no_other_comes(
    tmp_path: Path, inside: str, expected: set[str], *, url: bool
) -> None:
    """DCAT-AP CH requires a media type of what has a download URL."""
    file = "; dcat:downloadURL <http://a.example/x>" if url else ""
    text = f'{D}dct:format "{inside}" ; dcat:mediaType "ZIP" {file} .\n'
    plan = planned(tmp_path, text, "dcat-ap-ch")
    assert statements(plan) == expected
    assert plan.plan.left == ()


def test_the_same_archive_is_repaired_alike_however_often_it_says_zip(tmp_path: Path) -> None:
    once = planned(tmp_path, f'{D}dct:format "Zipped Shapefile" .\n')
    twice = planned(
        tmp_path, f'{D}dct:format "Zipped Shapefile" ; dcat:mediaType "application/zip" .\n'
    )
    assert statements(once) == statements(twice)
    assert "mediaType iana:application/vnd.shp" in statements(once)


def test_a_node_that_is_only_a_label_goes_with_what_is_said_of_it(tmp_path: Path) -> None:
    rdfs = "<http://www.w3.org/2000/01/rdf-schema#label>"
    node = f'[ a dct:MediaTypeOrExtent ; {rdfs} "PDF/A-2b" ]'
    plan = planned(tmp_path, f"{D}dct:format {node} .\n")
    assert statements(plan) == {"format eu:PDFA2B"}
    assert '"PDF/A-2b"' not in plan.edited.decode()
    more = planned(
        tmp_path, f'{D}dct:format [ {rdfs} "CSV" ; dct:source <http://a.example/s> ] .\n'
    )
    assert more.edited == more.original
    [left] = more.plan.left
    assert "file-type/CSV" in left.reason


NODES = {
    "rdf": """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#" xmlns:dct="http://purl.org/dc/terms/"
  xmlns:dcat="http://www.w3.org/ns/dcat#">
 <dcat:Distribution rdf:about="http://a.example/d">
  <dct:format>
   <dct:IMT><rdf:value>text/html</rdf:value><rdfs:label>HTML</rdfs:label></dct:IMT>
  </dct:format>
  <dcat:mediaType rdf:parseType="Resource"><rdfs:label>HTML</rdfs:label></dcat:mediaType>
  <dcat:packageFormat><dct:IMT rdf:nodeID="zip" rdfs:label="ZIP"/></dcat:packageFormat>
 </dcat:Distribution>
</rdf:RDF>
""",
    "jsonld": """{
 "@context": {"dcat": "http://www.w3.org/ns/dcat#", "dct": "http://purl.org/dc/terms/",
   "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
   "rdfs": "http://www.w3.org/2000/01/rdf-schema#"},
 "@id": "http://a.example/d", "@type": "dcat:Distribution",
 "dct:format": [{"@type": "dct:IMT", "rdf:value": "text/html", "rdfs:label": "HTML"}],
 "dcat:mediaType": {"rdf:value": "text/html", "rdfs:label": "HTML"},
 "dcat:packageFormat": {"@id": "_:zip", "rdfs:label": "ZIP"}
}
""",
}


@pytest.mark.parametrize("ending", NODES)
def test_a_node_in_a_tree_is_replaced_as_in_a_list_of_statements(write: Write, ending: str) -> None:
    path = write(f"c.{ending}", NODES[ending])
    plan = plan_file(str(path), profile="dcat-ap")
    assert statements(plan) == {
        "type http://www.w3.org/ns/dcat#Distribution", "format eu:HTML",
        "mediaType iana:text/html", "packageFormat iana:application/zip",
    }  # fmt: skip
    assert plan.plan.left == ()
    assert b"HTML</" not in plan.edited
    graph = read_catalog(path)
    repair(graph, "dcat-ap")
    form = {"rdf": "xml", "jsonld": "json-ld"}[ending]
    edited = Graph().parse(data=plan.edited, format=form)
    assert set(edited) == set(graph.triples((None, None, None)))


@pytest.mark.parametrize("ending", NODES)
def test_a_node_that_something_else_uses_stays(write: Write, ending: str) -> None:
    uses = '<dcat:compressFormat rdf:nodeID="zip"/></dcat:Distribution>'
    text = NODES[ending].replace("</dcat:Distribution>", uses)
    text = text.replace(' "dct:format"', ' "dcat:compressFormat": {"@id": "_:zip"}, "dct:format"')
    plan = plan_file(str(write(f"c.{ending}", text)), profile="dcat-ap")
    assert b"ZIP" in plan.edited
    assert {left.rule for left in plan.plan.left} == {"node"}


@pytest.mark.parametrize(
    "use",
    ["<a:b> <a:c> _:n .", "<a:b> <a:c> ( _:n ) .", "<a:b> <a:c> ( 1 ( 2 _:n ) ) .",
     "<a:b> <a:c> <<( <a:d> <a:e> _:n )>> .", "_:n { <a:b> <a:c> 1 }"],
)  # fmt: skip
def test_a_node_that_anything_else_uses_keeps_what_is_said_of_it(write: Write, use: str) -> None:
    node = '_:n <http://www.w3.org/2000/01/rdf-schema#label> "CSV" .'
    text = f"{HEAD}{D}dct:format _:n .\n{node}\n"
    assert node.encode() not in plan_file(str(write("a.trig", text)), profile="dcat-ap").edited
    plan = plan_file(str(write("b.trig", f"{text}{use}\n")), profile="dcat-ap")
    assert plan.edited == plan.original
    assert [left.rule for left in plan.plan.left] == ["no place" if "<<" in use else "node"]


@pytest.mark.parametrize("profile", profile_names())
def test_no_statement_leads_to_a_node_whose_label_went(write: Write, profile: str) -> None:
    node = '_:n <http://www.w3.org/2000/01/rdf-schema#label> "CSV" .'
    text = f"{HEAD}{D}dct:format _:n .\n{node}\n"
    edited = plan_file(str(write("a.ttl", text)), profile=profile, options=LIKELY).edited
    quads = list(ox.parse(edited, ox.RdfFormat.TURTLE))
    subjects = {quad.subject for quad in quads}
    assert all(q.object in subjects for q in quads if isinstance(q.object, ox.BlankNode))


def test_which_of_two_nodes_is_replaced_first_does_not_depend_on_their_names(
    write: Write,
) -> None:
    label, steps = "<http://www.w3.org/2000/01/rdf-schema#label>", []
    for one, other in (("_:x", "_:y"), ("_:y", "_:x")):
        text = f'{one} {label} "csv.gz" . {other} {label} "CSV" . {D}dct:format {one} , {other} .'
        plan = plan_file(str(write("a.ttl", HEAD + text)), profile="dcat-ap-ch").plan
        steps.append([step.text() for verdict in plan.verdicts for step in verdict.steps])
    assert len(steps[0]) > 1
    assert steps[0] == steps[1]


CROISSANT = """{"@context": {"@language": "en", "@vocab": "https://schema.org/"},
 "@type": "Dataset", "distribution": [
  {"@id": "a", "encodingFormat": "text/csv"}, {"@id": "b", "encodingFormat": "CSV"}]}
"""


def test_a_repaired_text_is_written_as_the_texts_around_it(write: Write) -> None:
    plan = plan_file(str(write("c.json", CROISSANT)), profile="croissant-1.1")
    assert plan.edited.decode() == CROISSANT.replace('"CSV"', '"text/csv"')
    again = plan_file(str(write("again.json", plan.edited.decode())), profile="croissant-1.1")
    assert again.edited == plan.edited


def test_a_text_in_two_languages_is_one_value(tmp_path: Path) -> None:
    plan = planned(tmp_path, f'{D}dct:format "CSV"@en , "csv"@de .\n', "dcat-ap-se")
    assert statements(plan) == {"format text/csv"}
    assert plan.edited.decode().count("text/csv") == 1


@pytest.mark.parametrize(
    ("stated", "profile"),
    [
        # A parameter, a wrapper, and a statement that counts more.
        ('dcat:mediaType "text/csv; header=present"', "dcat-ap"),
        ('dct:format "csv.gz"', "dcat-ap-it"),
        ('dct:format "flurbel" ; dcat:mediaType "application/octet-stream"', "dcat-ap-it"),
    ],
)
def test_the_name_of_a_file_replaces_nothing_that_says_more(
    tmp_path: Path, write: Write, stated: str, profile: str
) -> None:
    text = f"{D}{stated} ; dcat:downloadURL <http://a.example/a.csv> .\n"
    plan = planned(tmp_path, text, profile, Options(by_url=True))
    before, after = write("before.ttl", HEAD + text), write("after.ttl", plan.edited.decode())
    assert _header(after, by_url=True) == _header(before, by_url=True)
    assert stated.split(" ;", 1)[0] in plan.edited.decode()


# --- Services ------------------------------------------------------------------------------------

AT = "dcat:accessURL <http://a.example/s>"
SERVICE = "<http://a.example/service> a dcat:DataService ; dcat:endpointURL <http://a.example/s>"


@pytest.mark.parametrize(
    "label", ["WFS (GML, flurbel)", "my WFS", "WWW:DOWNLOAD-1.0-http--download", "FTP"]
)
def test_a_service_that_is_only_likely_and_a_download_stay_where_they_are(
    tmp_path: Path, label: str
) -> None:
    plan = planned(tmp_path, f'{D}dct:format "{label}" ; {AT} .\n', options=MOVE)
    assert plan.edited == plan.original


def test_the_formats_of_a_service_are_kept_as_its_formats(tmp_path: Path) -> None:
    plan = planned(tmp_path, f'{D}dct:format "WFS (GML, SHP)" ; {AT} .\n', options=MOVE)
    text = plan.edited.decode()
    for statement in ('title "WFS (GML, SHP)"', "endpointURL <http://a.example/s>"):
        assert statement in text
    values = [
        quad.object
        for quad in ox.parse(text, ox.RdfFormat.TURTLE)
        if quad.predicate.value.endswith("format")
    ]
    assert values == [ox.NamedNode(f"{EU}GML"), ox.NamedNode(f"{EU}SHP")]
    again = planned(tmp_path, text.removeprefix(HEAD), options=MOVE)
    assert again.edited == again.original
    joined = planned(
        tmp_path,
        f"""{SERVICE} ; dct:title "WFS" ; dct:format eu:GML .
        {D}dcat:accessService <http://a.example/service> ; {AT} ;
            dct:format "WFS (GML, SHP)" .\n""",
        options=MOVE,
    )
    quads = list(ox.parse(joined.edited, ox.RdfFormat.TURTLE))
    formats = {
        (str(one.subject), one.object.value)
        for one in quads
        if one.predicate.value.endswith("format")
    }
    assert formats == {("<http://a.example/service>", f"{EU}{code}") for code in ("GML", "SHP")}


def test_the_whole_label_is_the_title_of_the_service(tmp_path: Path) -> None:
    plan = planned(tmp_path, f'{D}dct:format "Esri REST" ; {AT} .\n', options=MOVE)
    titles = [
        quad.object.value
        for quad in ox.parse(plan.edited, ox.RdfFormat.TURTLE)
        if quad.predicate.value.endswith("title")
    ]
    assert titles == ["Esri REST"]


def test_a_service_moves_to_the_one_that_is_described_at_its_endpoint(tmp_path: Path) -> None:
    plan = planned(tmp_path, f'{SERVICE} .\n{D}dct:format "WMS" ; {AT} .\n', options=MOVE)
    assert statements(plan) == {"accessService http://a.example/service"}
    linked = f"{D}dcat:accessService <http://a.example/service> ; {AT} ; dct:format"
    plan = planned(tmp_path, f'{SERVICE} ; dct:title "WMS" .\n{linked} "WMS" .\n', options=MOVE)
    assert statements(plan) == {"accessService http://a.example/service"}


@pytest.mark.parametrize(
    ("title", "after"),
    [
        ("WMS of the town", {"WMS of the town"}),
        ("The map of the town", None),
        ("wms2", None),
        ("", {"WMS"}),
    ],
)
def test_the_name_of_a_service_is_kept_in_its_description(
    tmp_path: Path, title: str, after: set[str] | None
) -> None:
    described = SERVICE + (f' ; dct:title "{title}"' if title else "")
    text = f'{described} .\n{D}dct:format "WMS" ; {AT} .\n'
    plan = planned(tmp_path, text, options=MOVE)
    titles = {
        quad.object.value
        for quad in ox.parse(plan.edited, ox.RdfFormat.TURTLE)
        if quad.predicate.value.endswith("title")
    }
    assert (titles == after) if after else (plan.edited == plan.original)


@pytest.mark.parametrize(
    ("label", "titles"),
    [
        ('"WMS"@en', {'"WMS"@en'}),
        ('[ dct:title "WMS"@en ]', {'"WMS"@en'}),
        ('[ a dct:MediaTypeOrExtent ; dct:title "WMS", "wms"@de ]', {'"WMS"', '"wms"@de'}),
        # Nothing takes what else is said of the node.
        ('[ dct:title "WMS" ; dct:description "new" ]', {'"WMS"'}),
    ],
)
def test_each_text_that_names_a_service_is_a_title_in_its_language(
    tmp_path: Path, label: str, titles: set[str]
) -> None:
    plan = planned(tmp_path, f"{D}dct:format {label} ; {AT} .\n", options=MOVE)
    assert _titles(plan.edited) == titles
    assert (plan.edited == plan.original) == ("description" in label)
    again = planned(tmp_path, plan.edited.decode().removeprefix(HEAD), options=MOVE)
    assert again.edited == again.original


def _titles(text: bytes) -> set[str]:
    quads = ox.parse(text, ox.RdfFormat.TURTLE)
    return {str(one.object) for one in quads if one.predicate.value.endswith("title")}


def test_labels_of_one_service_are_one_link(tmp_path: Path) -> None:
    text = f'{D}dct:format "WMS"@de , "WMS"@en ; {AT} .\n'
    plan = planned(tmp_path, text, options=MOVE)
    assert statements(plan) == {"accessService http://a.example/d#wms-service"}
    assert plan.edited.decode().count("a dcat:DataService") == 1
    assert _titles(plan.edited) == {'"WMS"@de', '"WMS"@en'}


def test_a_service_has_the_code_of_its_kind(tmp_path: Path) -> None:
    plan = planned(tmp_path, f'{D}a dcat:DataService ; dct:format "WMS" .\n')
    assert "format eu:WMS_SRVC" in statements(plan)
    again = planned(tmp_path, f"{D}a dcat:DataService ; dct:format eu:WMS_SRVC .\n")
    assert again.plan.left == ()


def test_the_version_of_a_service_is_not_lost_for_its_code(tmp_path: Path) -> None:
    text = f'{D}a dcat:DataService ; dct:format "WMS 1.3.0" .\n'
    plan = planned(tmp_path, text)
    assert plan.edited == plan.original
    [left] = plan.plan.left
    assert (left.rule, "1.3.0" in left.reason) == ("likely", True)
    likely = planned(tmp_path, text, options=LIKELY)
    assert "format eu:WMS_SRVC" in statements(likely)
    assert {step.confidence for step in likely.plan.steps} >= {"likely"}
    beside = planned(tmp_path, f'{D}a dcat:DataService ; dct:format "WMS", "WMS 1.3.0" .\n')
    assert statements(beside) >= {"format eu:WMS_SRVC", "format WMS 1.3.0"}


@pytest.mark.parametrize(("label", "is_moved"), [("WMS", True), ("WMS 1.3.0", False)])
def test_a_service_with_another_title_takes_no_version(
    label: str, is_moved: bool, tmp_path: Path
) -> None:
    described = f'{SERVICE} ; dct:title "WMS of the town" .'
    text = f'{described}\n{D}dct:format "{label}" ; {AT} .\n'
    plan = planned(tmp_path, text, options=MOVE)
    assert (plan.edited != plan.original) == is_moved


# --- What is missing, and what the profile says nothing of ---------------------------------------

POD = {
    "@context": "https://project-open-data.cio.gov/v1.1/schema/catalog.jsonld",
    "@type": "dcat:Catalog",
    "conformsTo": "https://project-open-data.cio.gov/v1.1/schema",
    "dataset": [
        {
            "@type": "dcat:Dataset",
            "distribution": [
                {
                    "@type": "dcat:Distribution",
                    "downloadURL": "https://a.example/a.csv",
                    "format": "CSV",
                }
            ],
        }
    ],
}


def test_a_required_media_type_that_is_missing_is_added(write: Write, cturi: Cturi) -> None:
    path = str(write("data.json", json.dumps(POD)))
    run = cturi("check", path, "--profile", "pod")
    assert (run.code, 'Write dcat:mediaType "text/csv".' in run.out) == (1, True)
    repaired = json.loads(cturi("repair", path, "-q").out)
    [distribution] = repaired["dataset"][0]["distribution"]
    assert distribution["mediaType"] == "text/csv"


@pytest.mark.parametrize(
    ("label", "media_type"),
    [
        ("CSV", "text/csv"),
        ("Zipped CSV", "application/zip"),
        ("ZIP", "application/zip"),
        ("CSV.gz", "application/gzip"),
        ("EPUB", "application/epub+zip"),
    ],
)
def test_a_missing_media_type_is_that_of_the_bytes_if_a_wrapper_has_no_place(
    write: Write, label: str, media_type: str
) -> None:
    file = {"@type": "dcat:Distribution", "downloadURL": "https://a.example/a", "format": label}
    catalogue = {**POD, "dataset": [{"@type": "dcat:Dataset", "distribution": [file]}]}
    path = write("data.json", json.dumps(catalogue))
    before = _header(path)
    path.write_bytes(plan_file(str(path)).edited)
    [distribution] = json.loads(path.read_text())["dataset"][0]["distribution"]
    assert distribution == file | {"mediaType": media_type}
    assert _header(path) == before == media_type


@pytest.mark.parametrize(
    ("label", "file", "media_type", "by_url"),
    [
        ("CSV", "a.csv.gz", None, "application/gzip"),
        ("CSV", "a.zip", None, "application/zip"),
        ("Zipped CSV", "a.zip", "application/zip", "application/zip"),
        # Every XLSX is a zip.
        ("XLSX", "a.zip", SHEET, SHEET),
    ],
)
def test_a_missing_media_type_is_not_added_where_the_file_is_packed_and_no_label_says_so(
    write: Write, label: str, file: str, media_type: str | None, by_url: str
) -> None:
    stated = {"@type": "dcat:Distribution", "downloadURL": f"https://a.example/{file}"}
    stated["format"] = label
    catalogue = {**POD, "dataset": [{"@type": "dcat:Dataset", "distribution": [stated]}]}
    path = str(write("data.json", json.dumps(catalogue)))
    for options, expected in ((Options(), media_type), (Options(by_url=True), by_url)):
        plan = plan_file(path, options=options)
        [after] = json.loads(plan.edited)["dataset"][0]["distribution"]
        assert after.get("mediaType") == expected
        assert [one.rule for one in plan.plan.left] == ["missing"] * (expected is None)


@pytest.mark.parametrize(
    ("stated", "after"),
    [
        ('dct:format "ZIP"', {"format eu:ZIP", "mediaType iana:application/zip"}),
        # A wrapper on its own property is no content.
        ('dcat:compressFormat "gzip"', {"compressFormat iana:application/gzip"}),
        ('dcat:packageFormat "zip"', {"packageFormat iana:application/zip"}),
    ],
)
def test_a_wrapper_alone_is_the_missing_media_type_unless_it_has_its_own_property(
    tmp_path: Path, stated: str, after: set[str]
) -> None:
    url = "dcat:downloadURL <http://a.example/a>"
    plan = planned(tmp_path, f"{D}{stated} ; {url} .\n", "dcat-ap-ch")
    assert statements(plan) == after


@pytest.mark.parametrize(
    ("stated", "after"),
    [
        # The type of the file in which the data is described says nothing of the data.
        ({"mediaType": "text/csv", "describedByType": "unknown"}, None),
        ({"mediaType": "n/a", "describedByType": "application/json"}, None),
        ({"describedByType": "application/json"}, None),
        # Nor does the URL of the data say anything of that file.
        ({"mediaType": "text/csv", "describedByType": "PDF"}, "application/pdf"),
    ],
)
def test_the_type_of_the_data_is_not_that_of_its_description(
    write: Write, stated: dict[str, str], after: str | None
) -> None:
    file = {"@type": "dcat:Distribution", "downloadURL": "https://a.example/a.csv", **stated}
    catalogue = {**POD, "dataset": [{"@type": "dcat:Dataset", "distribution": [file]}]}
    plan = plan_file(write("data.json", json.dumps(catalogue)))
    [distribution] = json.loads(plan.edited)["dataset"][0]["distribution"]
    assert distribution == (file | {"describedByType": after} if after else file)


def test_a_placeholder_is_no_media_type_though_it_has_the_form_of_one(write: Write) -> None:
    file = {"@type": "dcat:Distribution", "mediaType": "n/a"}
    catalogue = {**POD, "dataset": [{"@type": "dcat:Dataset", "distribution": [file]}]}
    [left] = plan_file(write("data.json", json.dumps(catalogue))).plan.left
    assert left.rule == "placeholder"


@pytest.mark.parametrize("value", ['"n/a"', '"ohne Angabe"@de', f"<{EU}OP_DATPRO>"])
def test_a_placeholder_is_understood_to_say_nothing(write: Write, value: str) -> None:
    path = write("c.ttl", f'{HEAD}{D}dct:format {value} ; dcat:mediaType "text/csv" .\n')
    [header] = headers_of_file(str(path))
    assert (str(header.content_type), header.confidence) == ("text/csv", "certain")


@pytest.mark.parametrize("charset", ["unknown", "n/a", "-"])
def test_a_placeholder_is_no_charset(write: Write, charset: str) -> None:
    stated = f'dcat:mediaType "text/csv" ; cnt:characterEncoding "{charset}"'
    path = write(
        "c.ttl", f"@prefix cnt: <http://www.w3.org/2011/content#> .\n{HEAD}{D}{stated} .\n"
    )
    assert _header(path) == "text/csv"


RDF_VALUE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#value>"
RDFS_LABEL = "<http://www.w3.org/2000/01/rdf-schema#label>"


def test_a_finding_shows_the_text_by_which_a_node_was_understood(write: Write) -> None:
    texts = [f'{RDF_VALUE} "text/csv"', f'{RDFS_LABEL} "Table"']
    for first, second in (texts, texts[::-1]):
        path = write("c.ttl", f"{HEAD}{D}dct:format [ {first} ; {second} ] .\n")
        values = {one.value for one in check_file(str(path), profile="dcat-ap").findings}
        assert "text/csv" in values
        assert "Table" not in values


@pytest.mark.parametrize(
    ("value", "label", "header", "after"),
    [
        ("application/octet-stream", "CSV", "text/csv", "CSV"),
        ("application/xml", "GML", "application/gml+xml", "GML"),
        ("text/csv", "Zipped CSV", "application/zip", "CSV"),
        ("text/csv; charset=latin1", "CSV", "text/csv; charset=latin1", "CSV"),
        ("n/a", "CSV", "text/csv", "CSV"),
        ("text/csv", "JSON", "several", None),
        # What one text says more would be lost with the node.
        ("text/csv", "Excel", "text/csv", None),
        ("text/csv", "Bevölkerung 2020", "text/csv", None),
        ("text/csv", "CSV (semicolon)", "text/csv", None),
        ("application/pdf", "PDF/A-2b", "application/pdf", None),
        ("application/pdf", "PDF file", "application/pdf", "PDF"),
        ("image/png", "WMS", "image/png", None),
    ],
)
def test_the_texts_of_a_node_count_together(
    write: Write, tmp_path: Path, value: str, label: str, header: str, after: str | None
) -> None:
    node = f'[ {RDF_VALUE} "{value}" ; {RDFS_LABEL} "{label}" ]'
    text = f"{D}dct:format {node} .\n"
    assert _header(write("c.ttl", HEAD + text)) == header
    plan = planned(tmp_path, text)
    if after is None:
        assert plan.edited == plan.original
    else:
        assert f"format eu:{after}" in statements(plan)
        assert _header(write("after.ttl", plan.edited.decode())) == header


@pytest.mark.parametrize("label", ["WMS", "n/a", "foo/bar", "flurbel"])
@pytest.mark.parametrize("option", ["--by-url", "--json"])
def test_headers_denies_no_label_that_names_no_type(
    write: Write, cturi: Cturi, label: str, option: str
) -> None:
    run = cturi("headers", write("c.ttl", f'{HEAD}{D}dct:format "{label}" .\n'), option)
    assert run.err.endswith("schema:encodingFormat or the like names a type\n")
    assert "nothing has" not in run.err


def test_a_repair_says_of_which_values_the_profile_says_nothing(write: Write, cturi: Cturi) -> None:
    path = write("c.ttl", f'{HEAD}{D}a dcat:Dataset ; dct:format "CSV" .\n')
    run = cturi("repair", path, "--profile", "dcat-ap", "--dry-run")
    assert "1 dct:format of a dcat:Dataset, of which DCAT-AP 3.0.1 says nothing" in run.err
    assert "nothing has a dct:format" not in run.err


def test_a_repair_names_the_labels_on_properties_that_the_profile_does_not_know(
    write: Write, cturi: Cturi
) -> None:
    path = write("c.ttl", f'{HEAD}{D}a dcat:Distribution ; dcat:compressFormat "gzip" .\n')
    run = cturi("repair", str(path), "--profile", "dcat-ap-it")
    stated = "1 dcat:compressFormat of a dcat:Distribution"
    assert f"{stated}, of which DCAT-AP_IT says nothing" in run.err
    assert "nothing has a dct:format" not in run.err


def test_a_repair_names_the_labels_of_a_resource_without_a_class(
    write: Write, cturi: Cturi
) -> None:
    path = write("c.ttl", f'{HEAD}{D}schema:encodingFormat "text/csv" .\n')
    run = cturi("repair", path, "--profile", "dcat-ap", "--dry-run")
    assert "1 schema:encodingFormat, of which DCAT-AP 3.0.1 says nothing" in run.err
    assert "nothing has a dct:format" not in run.err


@pytest.mark.parametrize("command", ["annotate", "headers", "repair"])
def test_every_command_that_finds_no_label_names_the_property_that_is_meant(
    write: Write, cturi: Cturi, command: str
) -> None:
    for name, is_meant in (("dct:mediaType", True), ("dct:title", False)):
        run = cturi(command, write("c.ttl", f'{HEAD}{D}{name} "text/csv" .\n'))
        assert ("dcat:mediaType is meant" in run.err) is is_meant
        assert "or the like" in run.err


def test_the_types_of_a_judgement_are_spelt_as_the_evidence_has_them(write: Write) -> None:
    for charset in ("utf-8", "UTF-8"):
        path = write(
            "c.ttl", f'{HEAD}{D}dct:format "CSV" ; dcat:mediaType "text/csv; charset={charset}" .\n'
        )
        [header] = headers_of_file(str(path))
        assert str(header.content_type) == str(ContentType.parse(f"text/csv; charset={charset}"))


def test_the_name_of_the_file_supplies_what_is_missing_only_where_it_is_asked(
    tmp_path: Path,
) -> None:
    text = f"{D}a dcat:Distribution ; dcat:downloadURL <http://a.example/a.csv> .\n"
    plan = planned(tmp_path, text, "pod")
    assert plan.edited == plan.original
    assert [left.rule for left in plan.plan.left] == ["missing"]
    asked = planned(tmp_path, text, "pod", Options(by_url=True))
    assert "mediaType text/csv" in statements(asked)
    assert [verdict.confidence for verdict in asked.plan.verdicts] == ["likely"]


@pytest.mark.parametrize(
    ("name", "more", "meant"),
    [
        ("d.xlsx", "", SHEET),
        ("d.xls", "", "application/vnd.ms-excel"),
        ("d", "", None),
        ("d.xlsx", " ; schema:contentUrl <http://a.example/d.xls>", "application/vnd.ms-excel"),
    ],
)
def test_the_iri_of_a_file_is_its_url_where_no_other_is_stated(
    write: Write, name: str, more: str, meant: str | None
) -> None:
    stated = 'a schema:MediaObject ; schema:encodingFormat "Excel"'
    path = write("crate.ttl", f"{HEAD}<http://a.example/{name}> {stated}{more} .")
    plan = plan_file(path, profile="ro-crate-1.1", options=Options(by_url=True)).plan
    values = [verdict.value for verdict in plan.verdicts if verdict.changes]
    assert [value and value[1].value for value in values] == ([meant] if meant else [])
    assert _header(path, by_url=True) == (meant or "application/vnd.ms-excel")
    # Without the name of the file a guess that it contradicts is not offered.
    [left] = plan_file(path, profile="ro-crate-1.1").plan.left
    assert left.reason.startswith("It is likely") is (meant != SHEET)


def test_json_without_a_context_has_the_character_encoding_of_dcat_us(write: Write) -> None:
    path = write(
        "data.json",
        '{"@type": "Catalog", "conformsTo": "https://resources.data.gov/dcat-us/3.0", "dataset": ['
        '{"@type": "Dataset", "distribution": [{"@type": "Distribution", "mediaType": "text/csv",'
        ' "characterEncoding": ["UTF-8"], "downloadURL": "https://a.example/a.csv"}]}]}',
    )
    assert _header(path) == "text/csv; charset=UTF-8"
