"""Real catalogues: repaired, scored, and checked before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from repairs import EU, HEAD, IANA, D

from cturi_rdf.catalogue.quality_score import effect
from cturi_rdf.check import check_file
from cturi_rdf.reading import CatalogError
from cturi_rdf.repair import plan_file, repair_file

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Write


def test_a_librarians_file_has_left_only_what_needs_a_human(shared: Path, tmp_path: Path) -> None:
    file = shared / "findings/library.ttl"
    plan = plan_file(str(file), profile="dcat-ap")
    old, new = (text.splitlines() for text in (plan.original, plan.edited))
    edited = {plan.plan.document.position(edit.start).line for edit in plan.plan.edits}
    changed = {number for number, line in enumerate(old, 1) if line not in new}
    assert changed <= edited
    for_humans = {"service", "placeholder", "likely", "no value", "no place", "typing"}
    assert {each.rule for each in plan.plan.left} <= for_humans
    target = tmp_path / "library.ttl"
    repair_file(plan, str(target))
    again = plan_file(str(target), profile="dcat-ap")
    assert again.original == plan.edited == again.edited


RDF_XML = """\
<?xml version="1.0" encoding="utf-16"?>
<dcat:Distribution xmlns:dcat="http://www.w3.org/ns/dcat#" dcat:mediaType="CSV"/>
"""
POD = '{"dataset": [{"distribution": [{"mediaType": "CSV"}]}]}'


@pytest.mark.parametrize(("name", "text"), [("a.rdf", RDF_XML), ("a.json", POD)])
def test_a_file_whose_encoding_takes_no_edits_stays_as_it_is(
    tmp_path: Path, name: str, text: str
) -> None:
    source, target = tmp_path / name, tmp_path / f"repaired-{name}"
    source.write_bytes(text.encode("utf-16"))
    planned = plan_file(source)
    assert "cannot be edited" in planned.plan.left[0].reason
    assert repair_file(planned, target)
    assert target.read_bytes() == source.read_bytes() == planned.original
    assert not repair_file(planned, source)


@pytest.mark.parametrize("replace", [False, True])
def test_a_file_that_changed_since_it_was_read_is_not_written_over(
    tmp_path: Path, replace: bool
) -> None:
    file, other = tmp_path / "a.ttl", tmp_path / "other"
    file.write_text(f'{HEAD}<a:b> a dcat:Distribution ; dcat:mediaType "CSV" .')
    plan = plan_file(str(file), profile="dcat-ap")
    assert plan.edited != plan.original
    (other if replace else file).write_text("new")
    if replace:
        other.replace(file)
    with pytest.raises(CatalogError, match="it has changed since it was read"):
        repair_file(plan, file)
    assert file.read_text() == "new"


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
def test_the_quality_assessment_counts_both_lists(write: Write, stated: str, points: int) -> None:
    file = write("catalogue.ttl", f"{HEAD}{D}a dcat:Distribution ; {stated} .")
    assert effect(plan_file(str(file), profile="dcat-ap")).before.points == points


def test_a_repair_gains_points(shared: Path) -> None:
    before, after, _ = effect(plan_file(str(shared / "findings/library.ttl"), profile="dcat-ap"))
    assert (before.points, after.points) == (28.0, 42.5)
    assert (before.violations, after.violations) == (25, 8)


@pytest.mark.slow
def test_a_repair_gains_points_for_each_publisher(shared: Path) -> None:
    name = "informasjonsforvaltning-geonorge-data-2017-10-19.xml"
    change = effect(plan_file(str(shared / "catalogs" / name), profile="dcat-ap"))
    assert len(change.publishers) > 5
    assert sum(before.distributions for before, _ in change.publishers.values()) == (
        change.before.distributions
    )
    assert change.before.points < change.after.points
    assert sum(after.violations for _, after in change.publishers.values()) == (
        change.after.violations
    )
    assert change.before.violations > change.after.violations
    assert change.as_dict()["publishers"].keys() == change.publishers.keys()
    table = change.as_table()
    assert len(table.rows) == len(change.publishers)


def test_check_says_what_to_write_for_a_profile(shared: Path) -> None:
    report = check_file(str(shared / "findings/library.ttl"), profile="dcat-ap")
    told = {each.value: each.write for each in report.findings}
    assert told["PDF/A-2b"] == f"dct:format <{EU}PDFA2B>"
    assert told["METS/MODS"] is None  # METS alone would lose that MODS is in it
    assert told["SPARQL-Endpunkt"] is None
    assert all("such as" not in each.message() for each in report.findings)


def test_check_says_what_to_write_without_a_profile_too(shared: Path) -> None:
    report = check_file(str(shared / "findings/library.ttl"))
    write = {finding.value: finding.write for finding in report.findings}
    assert write["PDF/A-2b"] == f"dct:format <{EU}PDFA2B>"
    assert write["application/pdf"] == f"dcat:mediaType <{IANA}application/pdf>"
    assert write["SPARQL-Endpunkt"] is write["Excel-Tabelle"] is None
    for finding in report.findings:
        assert not finding.write or f"Write {finding.write}." in finding.message()
        assert "such as" not in finding.message()
    (excel,) = (finding for finding in report.findings if finding.value == "Excel-Tabelle")
    # Its file is called otherwise, so the guess is not offered.
    assert "--by-url lets the URL decide" in excel.message()


def test_a_right_file_of_project_open_data_has_no_violation(shared: Path) -> None:
    file = str(shared / "catalogs/project-open-data-catalog-sample-extended.json")
    assert check_file(file, profile="pod").conforms


def test_after_the_repair_check_has_only_what_is_left(shared: Path, tmp_path: Path) -> None:
    plan = plan_file(str(shared / "findings/library.ttl"), profile="dcat-ap")
    target = tmp_path / "library.ttl"
    repair_file(plan, str(target))
    findings = check_file(str(target), profile="dcat-ap").findings
    assert sum(len(each.places) for each in findings) == len(plan.plan.left)
