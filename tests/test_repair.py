"""Repair: a catalogue as its profile asks, by the smallest change, and nothing guessed."""

# ruff: noqa: E501 - the tables have a row a line

from __future__ import annotations

import json
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox
import pytest
from rdflib import Dataset, Graph
from rdflib.compare import isomorphic

from cturi_rdf.check import check_file
from cturi_rdf.io.errors import CatalogError
from cturi_rdf.repair import plan_file, profile_named, profile_names, repair, repair_file
from cturi_rdf.repair.effect import effect, score
from cturi_rdf.repair.forms import is_right
from cturi_rdf.repair.guess import guess_profile
from cturi_rdf.repair.patch import as_diff, as_json_lines, as_sarif, undone
from cturi_rdf.repair.profiles import iri_of
from cturi_rdf.repair.rules import Options
from cturi_rdf.repair.statements import as_provenance, as_rdf_patch, as_sparql_update

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from conftest import Run

    from cturi_rdf.repair import FilePlan

HEAD = """\
@prefix dcat: <http://www.w3.org/ns/dcat#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix eu: <http://publications.europa.eu/resource/authority/file-type/> .
@prefix schema: <http://schema.org/> .
"""
IANA = "https://www.iana.org/assignments/media-types/"
EU = "http://publications.europa.eu/resource/authority/file-type/"
LIKELY = Options("likely")


def planned(
    tmp_path: Path,
    text: str,
    profile: str = "dcat-ap",
    options: Options = Options(),  # noqa: B008
) -> FilePlan:
    file = tmp_path / "catalogue.ttl"
    file.write_text(HEAD + text, "utf-8", newline="")
    return plan_file(str(file), profile=profile, options=options)


def statements(plan: FilePlan) -> set[str]:
    """Return what is stated of <http://a.example/d> afterwards, without its URLs."""
    quads = ox.parse(plan.edited, ox.RdfFormat.TURTLE, base_iri="http://a.example/")
    return {
        f"{quad.predicate.value.rpartition('#')[2].rpartition('/')[2]}"
        f" {getattr(quad.object, 'value', '').replace(IANA, 'iana:').replace(EU, 'eu:')}"
        for quad in quads
        if quad.subject == ox.NamedNode("http://a.example/d") and "URL" not in quad.predicate.value
    }


D = "<http://a.example/d> "

# What a distribution states, the profile, and what it states after the repair.
REPAIRED = [
    ('dct:format "CSV"', "dcat-ap", {"format eu:CSV"}),
    ('dcat:mediaType "text/csv"', "dcat-ap", {"mediaType iana:text/csv"}),
    ('dct:format "PDF/A-2b"', "dcat-ap", {"format eu:PDFA2B"}),
    ('dcat:mediaType "image/tif"', "dcat-ap", {"mediaType iana:image/tiff"}),
    (f"dcat:mediaType <{IANA}application/javascript>", "dcat-ap", {"mediaType iana:text/javascript"}),
    (f"dcat:mediaType <{IANA}text/csv>", "dcat-ap", {"mediaType iana:text/csv"}),
    ("dct:format eu:CSV", "dcat-ap", {"format eu:CSV"}),
    ("dct:format <CSV>", "dcat-ap", {"format eu:CSV"}),
    # A compound label is split.
    (
        'dct:format "Zipped Shapefile"', "dcat-ap",
        {"format eu:SHP", "packageFormat iana:application/zip", "mediaType iana:application/vnd.shp"},
    ),
    (
        'dct:format "CSV.gz"', "dcat-ap",
        {"format eu:CSV", "compressFormat iana:application/gzip", "mediaType iana:text/csv"},
    ),
    (
        'dct:format "CSV", "ZIP"', "dcat-ap",
        {"format eu:CSV", "packageFormat iana:application/zip"},
    ),
    # A value on the wrong property goes to the right one.
    (
        'dct:format "Shapefile"; dcat:mediaType "application/zip"', "dcat-ap",
        {"format eu:SHP", "packageFormat iana:application/zip"},
    ),
    ('dct:format "MARC 21"', "dcat-ap", {"mediaType iana:application/marc"}),
    ("dcat:mediaType eu:CSV", "dcat-ap", {"mediaType iana:text/csv", "format eu:CSV"}),
    # One value a property, and nothing that the label says is lost.
    ('dct:format "CSV", "csv"@en, eu:CSV', "dcat-ap", {"format eu:CSV"}),
    (
        'dcat:mediaType "text/csv; charset=latin1"', "dcat-ap",
        {"mediaType iana:text/csv", "characterEncoding ISO-8859-1"},
    ),
    # A placeholder is what another statement says.
    (
        f"dct:format eu:OP_DATPRO; dcat:mediaType <{IANA}text/csv>", "dcat-ap",
        {"format eu:CSV", "mediaType iana:text/csv"},
    ),
    # Profiles contradict each other.
    ('dcat:packageFormat "zip"', "dcat-ap", {"packageFormat iana:application/zip"}),
    ('dcat:packageFormat "zip"', "dcat-ap-no", {"packageFormat eu:ZIP"}),
    ('dct:format "CSV"', "dcat-ap-se", {"format text/csv"}),
    ("dct:format eu:CSV", "dcat-ap-se", {"format text/csv"}),
    ('dct:format "MARC 21"', "dcat-ap-ch", {"format iana:application/marc"}),
    ('dct:format "TIF"; dcat:mediaType "image/tif"', "pod", {"format TIF", "mediaType image/tiff"}),
    (f"dcat:mediaType <{IANA}text/csv>", "pod", {"mediaType text/csv"}),
    ('schema:encodingFormat "CSV"', "ro-crate-1.2", {"encodingFormat text/csv"}),
    ("schema:encodingFormat <http://a.example/format>", "schema", {"encodingFormat http://a.example/format"}),
    ('schema:encodingFormat "image/tif"', "croissant-1.0", {"encodingFormat image/tiff"}),
]  # fmt: skip


@pytest.mark.parametrize(("stated", "profile", "expected"), REPAIRED)
def test_each_value_becomes_what_the_profile_asks(
    tmp_path: Path, stated: str, profile: str, expected: set[str]
) -> None:
    plan = planned(tmp_path, f"{D}{stated} .\n", profile)
    assert (statements(plan), plan.plan.left) == (expected, ())


# What is left to a human, and a word of the reason.
LEFT = [
    ('dct:format "WMS"', "accessService"),
    ("dct:format eu:WMS_SRVC", "accessService"),
    ('dct:format "CSV, JSON"', "a distribution for each"),
    ('dct:format "n/a"', "placeholder"),
    ('dct:format "flurbel"', "Nothing"),
    ('dct:format "XML"; dcat:mediaType "text/csv"', "text/csv"),
    ('dct:format "CSV", "JSON"', "allows 1 value"),
    ('dcat:packageFormat "application/x-tar"', "IRI of IANA"),
    ("dct:format [ ]", "blank node"),
    ('dcat:mediaType "application/ld+json; profile=x"', "profile"),
    ('dct:format "Excel-Tabelle"', "--min-confidence likely"),
    ('dct:format "CSV"; dcat:downloadURL <http://a.example/a.xlsx>', "But the download URL"),
]


@pytest.mark.parametrize(("stated", "why"), LEFT)
def test_what_only_a_human_can_decide_is_left_with_the_reason(
    tmp_path: Path, stated: str, why: str
) -> None:
    left = planned(tmp_path, f"{D}{stated} .\n").plan.left
    assert any(why in each.reason for each in left), left


def test_a_likely_change_is_made_where_it_is_asked_for(tmp_path: Path) -> None:
    text = D + 'dct:format "Excel-Tabelle" .\n'
    assert statements(planned(tmp_path, text, options=LIKELY)) == {"format eu:XLS"}


def test_the_download_url_decides_where_it_is_asked_to(tmp_path: Path) -> None:
    text = D + "dct:format eu:OP_DATPRO; dcat:downloadURL <http://a.example/a.xlsx> .\n"
    assert statements(planned(tmp_path, text, options=Options(by_url=True))) == {"format eu:XLSX"}


def test_a_format_of_something_else_than_a_distribution_is_none_of_the_profile(
    tmp_path: Path,
) -> None:
    plan = planned(tmp_path, D + 'a <http://a.example/Book>; dct:format "CSV" .\n')
    assert (plan.plan.steps, plan.plan.left) == ((), ())


def test_a_data_service_may_have_several_formats(tmp_path: Path) -> None:
    plan = planned(tmp_path, D + 'a dcat:DataService; dct:format "CSV", "JSON" .\n')
    assert {"format eu:CSV", "format eu:JSON"} < statements(plan)


def test_the_data_say_what_the_values_are_where_the_shapes_ask_for_it(tmp_path: Path) -> None:
    text = planned(tmp_path, D + "dct:format eu:CSV .\n").edited.decode()
    assert "eu:CSV a dct:MediaTypeOrExtent" in text
    assert "inScheme <http://publications.europa.eu/resource/authority/file-type>" in text


def test_a_repaired_file_is_not_changed_again(tmp_path: Path) -> None:
    text = "".join(
        f"<http://a.example/{n}> {stated} .\n" for n, (stated, *_) in enumerate(REPAIRED)
    )
    once = planned(tmp_path, text)
    again = planned(tmp_path, once.edited.decode().removeprefix(HEAD))
    assert again.edited == once.edited
    assert not again.plan.steps


def test_a_librarians_file_has_left_only_what_needs_a_human(shared: Path, tmp_path: Path) -> None:
    file = shared / "findings/library.ttl"
    plan = plan_file(str(file), profile="dcat-ap")
    old, new = (text.splitlines() for text in (plan.original, plan.edited))
    edited = {plan.plan.document.position(edit.start).line for edit in plan.plan.edits}
    changed = {number for number, line in enumerate(old, 1) if line not in new}
    assert changed <= edited
    assert {each.rule for each in plan.plan.left} <= {
        "service", "placeholder", "likely", "no value", "no place",
    }  # fmt: skip
    target = tmp_path / "library.ttl"
    repair_file(plan, str(target))
    again = plan_file(str(target), profile="dcat-ap")
    assert again.original == plan.edited == again.edited


# What a file says, and the profile that it follows by that, None where it is open.
GUESSED = [
    ("<a:c> dct:conformsTo <http://data.europa.eu/r5r/> .", "dcat-ap"),
    ("<a:c> dct:conformsTo <http://dcat-ap.de/def/dcatde/2.0/> , <http://data.europa.eu/r5r> .", "dcat-ap-de"),
    ("<a:c> dct:conformsTo <https://w3id.org/ro/crate/1.2> .", "ro-crate-1.2"),
    ('<a:c> dct:conformsTo "http://mlcommons.org/croissant/1.0" .', "croissant-1.0"),
    ("<a:c> dct:conformsTo <https://project-open-data.cio.gov/v1.1/schema> .", "pod"),
    ("<a:c> <http://dcat-ap.de/def/dcatde/contributorID> <a:b> .", "dcat-ap-de"),
    ('<a:c> schema:encodingFormat "text/csv" .', "schema"),
    ('<a:c> dct:format "CSV" .', None),
    ("<a:c> dct:conformsTo <http://data.europa.eu/r5r/> , <https://w3id.org/ro/crate/1.2> .", None),
]  # fmt: skip


CATALOGUES = [
    "bennokr-catalog.jsonld",
    "comunedialessandria-catalog.rdf",
    "fedict-fpsecocbe.xml",
    "informasjonsforvaltning-difi-dataset-2017-10-19.jsonld",
    "informasjonsforvaltning-gdoc-data-2017-10-19.ttl",
    "informasjonsforvaltning-geonorge-data-2017-10-19.xml",
    "linkedpipes-test.trig",
    "maregraph-eu-catalog.ttl",
    "w3c-csiro-dap-examples.ttl",
]


@pytest.mark.parametrize("name", CATALOGUES)
def test_a_real_catalogue_is_repaired_once(shared: Path, tmp_path: Path, name: str) -> None:
    plan = plan_file(str(shared / "catalogs" / name), profile="dcat-ap")
    target = tmp_path / name
    repair_file(plan, str(target))
    again = plan_file(str(target), profile="dcat-ap")
    assert again.edited == plan.edited
    assert len(again.plan.left) == len(plan.plan.left)


def test_project_open_data_stays_what_it_is(shared: Path) -> None:
    """Its format is a text for people, and its media type is text by a pattern."""
    plan = plan_file(str(shared / "catalogs/project-open-data-catalog-sample-extended.json"))
    assert plan.plan.profile.name == "pod"
    assert plan.edited == plan.original
    assert plan.plan.total


@pytest.mark.parametrize(("text", "name"), GUESSED)
def test_a_profile_is_guessed_only_from_what_the_file_says(text: str, name: str | None) -> None:
    guessed, _ = guess_profile(ox.parse(HEAD + text, ox.RdfFormat.TURTLE))
    assert (guessed.name if guessed else None) == name


def test_a_file_that_does_not_say_its_profile_needs_one(tmp_path: Path) -> None:
    file = tmp_path / "a.ttl"
    file.write_text(HEAD + '<a:c> dct:format "CSV" .')
    with pytest.raises(CatalogError, match="--profile"):
        plan_file(str(file))


@pytest.mark.parametrize("name", profile_names())
def test_every_line_of_a_profile_has_its_source(name: str) -> None:
    for rule in profile_named(name).rules:
        assert rule.source
        assert rule.section
        assert rule.level in {"must", "should", "may"}


def iri(text: str) -> ox.NamedNode:
    return ox.NamedNode(text)


# A value on a property, the profiles for which it is right, and those for which it is not.
RIGHT = [
    ("dcat:mediaType", iri(f"{IANA}text/csv"), "dcat dcat-ap dcat-ap-de dcat-ap-no dcat-us", "pod"),
    ("dcat:mediaType", iri(f"{IANA}no/such"), "", "dcat dcat-ap dcat-us"),
    ("dcat:mediaType", iri("https://www.w3.org/ns/iana/media-types/text/csv#Resource"), "dcat dcat-us", "dcat-ap"),
    ("dcat:mediaType", ox.Literal("text/csv"), "pod", "dcat dcat-ap dcat-ap-de dcat-ap-no dcat-us"),
    ("dcat:mediaType", ox.Literal("text/csv; charset=utf-8"), "", "pod"),
    ("dct:format", iri(f"{EU}CSV"), "dcat dcat-ap dcat-ap-de dcat-ap-ch dcat-ap-no dcat-ap-it dcat-us", "dcat-ap-se pod"),
    ("dct:format", iri(f"{IANA}text/csv"), "dcat dcat-ap-ch dcat-us", "dcat-ap dcat-ap-de dcat-ap-no"),
    ("dct:format", ox.Literal("CSV"), "pod", "dcat dcat-ap dcat-ap-se dcat-us"),
    ("dct:format", ox.Literal("text/csv"), "pod dcat-ap-se", "dcat-ap"),
    ("dct:format", ox.BlankNode(), "dcat dcat-us", "dcat-ap dcat-ap-no"),
    ("dct:format", iri(f"{EU}OP_DATPRO"), "", "dcat-ap dcat-ap-it"),
    ("dcat:packageFormat", iri(f"{IANA}application/zip"), "dcat dcat-ap dcat-ap-ch", "dcat-ap-no"),
    ("dcat:packageFormat", iri(f"{EU}ZIP"), "dcat-ap-no", "dcat-ap dcat-ap-de dcat-ap-ch"),
    ("http://schema.org/encodingFormat", ox.Literal("text/csv"), "schema ro-crate-1.1 ro-crate-1.2 croissant-1.0", ""),
    ("http://schema.org/encodingFormat", ox.Literal("image/tif"), "", "schema ro-crate-1.1 croissant-1.0"),
    ("http://schema.org/encodingFormat", iri("http://a.example/f"), "schema ro-crate-1.1 croissant-1.1", "croissant-1.0"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "value", "right", "wrong"), RIGHT)
def test_profiles_contradict_each_other_on_values(
    path: str, value: ox.NamedNode, right: str, wrong: str
) -> None:
    for names, expected in ((right, True), (wrong, False)):
        for name in names.split():
            rule = profile_named(name).rule_for(iri_of(path))
            assert rule is not None, name
            assert is_right(rule, value) is expected, name


PATCHED = """\
@base <http://a.example/> .
<d> dct:format "TIF" ; dcat:mediaType "image/tif" .
<e> dcat:distribution [ dct:format "Zipped Shapefile" ] .
"""


def test_a_patch_is_applied_by_sparql(tmp_path: Path) -> None:
    plan = planned(tmp_path, PATCHED)
    store = ox.Store()
    store.load(plan.original, ox.RdfFormat.TURTLE)
    store.update(as_sparql_update(plan))
    wanted = ox.Dataset(ox.parse(plan.edited, ox.RdfFormat.TURTLE))
    made = ox.Dataset(store)
    for each in (wanted, made):
        each.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
    assert made == wanted


def test_a_patch_is_read_by_the_rdf_patch_parser_of_rdflib(tmp_path: Path) -> None:
    plan = planned(
        tmp_path, PATCHED.replace("[ dct:format", "<f> . <f> dct:format").replace(" ] .", " .")
    )
    dataset = Dataset()
    dataset.parse(data=plan.original.decode(), format="turtle")
    dataset.parse(data=as_rdf_patch(plan), format="patch")
    wanted = Graph().parse(data=plan.edited.decode(), format="turtle")
    assert {quad[:3] for quad in dataset.quads()} == set(wanted)


def test_the_diff_is_applied_by_patch(tmp_path: Path) -> None:
    text = PATCHED.rstrip("\n")
    plan = planned(tmp_path, text)
    patch = shutil.which("patch")
    if patch is None:
        pytest.skip("no patch on this system")
    file = tmp_path / "catalogue.ttl"
    subprocess.run(
        [patch, str(file)], input=as_diff(plan).encode(), check=True, capture_output=True
    )
    assert file.read_bytes() == plan.edited


@pytest.mark.parametrize("end", ["\n", "\r\n", ""])
def test_undoing_gives_the_bytes_back(cturi: Callable[..., Run], tmp_path: Path, end: str) -> None:
    file, patch = tmp_path / "catalogue.ttl", tmp_path / "patch.jsonl"
    text = (HEAD + PATCHED).replace("\n", end or "\n").removesuffix("" if end else "\n")
    file.write_bytes(text.encode())
    run = cturi("repair", file, "--profile", "dcat-ap", "--in-place", "--patch", patch)
    assert run.code == 0
    assert file.read_bytes() != text.encode()
    assert cturi("repair", file, "--undo", patch, "--in-place").code == 0
    assert file.read_bytes() == text.encode()
    assert cturi("repair", file, "--undo", patch, "--in-place").code == 2


def test_a_librarians_file_comes_back(shared: Path) -> None:
    plan = plan_file(str(shared / "findings/library.ttl"), profile="dcat-ap")
    assert undone(plan.edited, as_json_lines(plan)) == plan.original


def test_the_fixes_of_sarif_make_the_repaired_text(tmp_path: Path) -> None:
    plan = planned(tmp_path, PATCHED)
    lines = plan.original.decode().splitlines(keepends=True)
    spans = []
    for result in json.loads(as_sarif(plan))["runs"][0]["results"]:
        for change in result["fixes"][0]["artifactChanges"][0]["replacements"]:
            region = change["deletedRegion"]
            spans.append((
                sum(map(len, lines[: region["startLine"] - 1])) + region["startColumn"] - 1,
                sum(map(len, lines[: region["endLine"] - 1])) + region["endColumn"] - 1,
                change["insertedContent"]["text"],
            ))  # fmt: skip
    text = plan.original.decode()
    for start, end, new in sorted(spans, key=lambda span: span[:2], reverse=True):
        text = text[:start] + new + text[end:]
    assert text == plan.edited.decode()


def test_the_provenance_is_turtle(tmp_path: Path) -> None:
    quads = list(ox.parse(as_provenance(planned(tmp_path, PATCHED)), ox.RdfFormat.TURTLE))
    assert any("wasDerivedFrom" in quad.predicate.value for quad in quads)


@pytest.mark.parametrize("kind", [Graph, Dataset])
def test_a_graph_of_rdflib_becomes_what_the_file_becomes(shared: Path, kind: type[Graph]) -> None:
    file = str(shared / "findings/library.ttl")
    plan = plan_file(file, profile="dcat-ap", options=LIKELY)
    graph = kind()
    graph.parse(data=plan.original, format="turtle")
    left = repair(graph, "dcat-ap", options=LIKELY).left
    assert sorted(each.rule for each in left) == sorted(each.rule for each in plan.plan.left)
    wanted = Graph().parse(data=plan.edited, format="turtle")
    made = (
        {quad[:3] for quad in graph.quads((None, None, None, None))} if kind is Dataset else graph
    )
    assert isomorphic(wanted, _graph_of(made))


def _graph_of(triples: Iterable[tuple[Any, ...]]) -> Graph:
    graph = Graph()
    for triple in triples:
        graph.add(triple)
    return graph


# What a distribution states, and its points of 80.
POINTS = [
    ("", 0),
    ('dct:format "CSV"', 20),
    ("dct:format eu:CSV", 60),
    (f"dct:format eu:CSV ; dcat:mediaType <{IANA}text/csv>", 80),
    (f"dct:format eu:PDF ; dcat:mediaType <{IANA}application/pdf>", 40),
    ("dct:format eu:XLS", 40),
    ("dct:format eu:PNG", 40),
]


@pytest.mark.parametrize(("stated", "points"), POINTS)
def test_the_quality_assessment_counts_both_lists(stated: str, points: int) -> None:
    text = f"{HEAD}{D}a dcat:Distribution ; {stated} ."
    assert score(ox.parse(text, ox.RdfFormat.TURTLE)).points == points


def test_a_repair_gains_points(shared: Path) -> None:
    before, after = effect(plan_file(str(shared / "findings/library.ttl"), profile="dcat-ap"))
    assert (before.points, after.points) == (28.0, 46.5)


def test_check_says_what_to_write_for_a_profile(shared: Path) -> None:
    report = check_file(str(shared / "findings/library.ttl"), profile="dcat-ap")
    told = {each.value: each.write for each in report.findings}
    assert told["PDF/A-2b"] == f"dct:format <{EU}PDFA2B>"
    assert told["METS/MODS"] == f"dct:format <{EU}METS>"
    assert told["SPARQL-Endpunkt"] is None
    assert all("such as" not in each.message() for each in report.findings)


def test_a_right_file_of_project_open_data_has_no_violation(shared: Path) -> None:
    file = str(shared / "catalogs/project-open-data-catalog-sample-extended.json")
    assert check_file(file, profile="pod").conforms


def test_after_the_repair_check_has_only_what_is_left(shared: Path, tmp_path: Path) -> None:
    plan = plan_file(str(shared / "findings/library.ttl"), profile="dcat-ap")
    target = tmp_path / "library.ttl"
    repair_file(plan, str(target))
    findings = check_file(str(target), profile="dcat-ap").findings
    assert sum(len(each.places) for each in findings) == len(plan.plan.left)


def test_the_command_line_writes_in_place_and_says_what_is_left(
    cturi: Callable[..., Run], tmp_path: Path
) -> None:
    file = tmp_path / "a.ttl"
    file.write_text(HEAD + D + 'dct:format "CSV" ; dcat:mediaType "flurbel" .\n')
    dry = cturi("repair", file, "--profile", "dcat-ap", "--dry-run")
    assert 'dct:format "CSV" -> <http://publications.europa.eu' in dry.out
    diff = cturi("repair", file, "--profile", "dcat-ap", "--diff")
    assert '+<http://a.example/d> dct:format eu:CSV ; dcat:mediaType "flurbel" .' in diff.out
    assert '"CSV"' in file.read_text()
    run = cturi("repair", file, "--profile", "dcat-ap", "--in-place")
    assert (run.code, run.out) == (1, "")
    assert '1 × dcat:mediaType "flurbel": Nothing' in run.err
    assert "eu:CSV" in file.read_text()
