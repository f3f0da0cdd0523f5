"""A check by a metadata profile: it judges the values that it has rules for, and no others."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pyoxigraph as ox
import pytest
from repairs import EU, HEAD, IANA

from cturi_rdf.catalogue.quality_score import Effect, Score, effect
from cturi_rdf.catalogue.rendering import as_json, as_text, as_turtle
from cturi_rdf.catalogue.shacl import SH
from cturi_rdf.check import check_file
from cturi_rdf.repair import plan_file, profile_named, profile_names

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Write

PREFIXES = """
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix dcat: <http://www.w3.org/ns/dcat#> .
@prefix dct: <http://purl.org/dc/terms/> .
"""
OF_A_DATASET = '<http://a.example/ds> a dcat:Dataset ; dct:format "flurbel" .'
OF_A_DISTRIBUTION = '<http://a.example/d> a dcat:Distribution ; dct:format "flurbel" .'


def test_of_what_a_profile_says_nothing_a_check_says_so(write: Write) -> None:
    path = write("catalogue.ttl", PREFIXES + OF_A_DATASET + OF_A_DISTRIBUTION)
    report = check_file(path, profile="dcat-ap")
    judged = {
        place.resource.value: (f.rule, f.level) for f in report.findings for place in f.places
    }
    assert judged == {
        "http://a.example/ds": ("FormatIsNode", "Info"),
        "http://a.example/d": ("format", "Violation"),
    }
    assert "DCAT-AP 3.0.1 says nothing about dct:format" in report.findings[0].message()


@pytest.mark.parametrize("profile", ["schema", "ro-crate-1.1", "croissant-1.1"])
def test_a_profile_does_not_hide_that_a_type_exists_nowhere(write: Write, profile: str) -> None:
    text = '<a:d> <http://schema.org/encodingFormat> "foo/bar" .'
    report = check_file(write("c.ttl", text), profile=profile)
    assert [finding.message() for finding in report.findings] == [
        '"foo/bar" is in no registry of media types or formats.'
    ]
    assert not report.conforms


@pytest.mark.parametrize(
    ("profile", "path"),
    [
        ("schema", "http://schema.org/encodingFormat"),
        ("ro-crate-1.2", "http://schema.org/encodingFormat"),
        ("pod", "http://www.w3.org/ns/dcat#mediaType"),
    ],
)
def test_a_type_that_only_resembles_a_name_in_use_is_not_right(
    write: Write, profile: str, path: str
) -> None:
    """The first is from exports of Dataverse; IANA lists none of the types."""
    text = f'<a:d> a <http://www.w3.org/ns/dcat#Distribution> ; <{path}> "%s" .'
    [finding] = check_file(write("a.ttl", text % "type/x-r-syntax"), profile=profile).findings
    assert finding.message().startswith('It is likely "text/x-r".')
    assert check_file(write("b.ttl", text % "text/x-r"), profile=profile).findings == []


def test_a_check_is_under_the_profile_that_the_file_declares(write: Write) -> None:
    declares = "<a:c> dct:conformsTo <http://data.europa.eu/r5r/> . " + OF_A_DISTRIBUTION
    report = check_file(write("c.ttl", PREFIXES + declares))
    assert report.profile is not None
    assert report.profile.profile.name == "dcat-ap"
    assert {finding.rule for finding in report.findings} == {"format"}
    assert '"profile": "dcat-ap"' in as_json({"c.ttl": report})
    assert "; DCAT-AP 3.0.1 (dcat-ap), because the file conforms to" in as_text({"c.ttl": report})


@pytest.mark.parametrize("name", ["cases/newcomer/stadt.ttl", "findings/library.ttl"])
def test_a_check_and_a_repair_count_the_same_violations(
    write: Write, shared: Path, name: str
) -> None:
    path = write("c.ttl", (shared / name).read_text("utf-8"))
    planned = plan_file(path, profile="dcat-ap")
    before, after, _ = effect(planned)
    files = path, write("r.ttl", planned.edited)
    counts = [check_file(file, profile="dcat-ap").count(SH.Violation) for file in files]
    assert counts == [before.violations, after.violations]


@pytest.mark.parametrize(
    ("profile", "severity"), [("dcat", SH.Violation), ("schema", SH.Warning), ("pod", SH.Warning)]
)
def test_a_value_that_the_profile_does_not_ask_for_breaks_no_must_of_it(
    write: Write, profile: str, severity: object
) -> None:
    path = write("c.ttl", PREFIXES + '<a:d> a dcat:Distribution ; dcat:compressFormat "gzip" .')
    [finding] = check_file(path, profile=profile).findings
    assert finding.severity == severity
    before, _, _ = effect(plan_file(path, profile=profile))
    assert before.violations == (severity == SH.Violation)


def test_the_same_complaint_about_a_blank_node_is_one_finding(write: Write) -> None:
    text = "<http://a.example/d> a dcat:Distribution ; dcat:mediaType [] . "
    path = write("catalogue.ttl", PREFIXES + text + text.replace("/d>", "/e>"))
    [finding] = check_file(path, profile="dcat-ap").findings
    assert [place.resource.value[-1] for place in finding.places] == ["d", "e"]


@pytest.mark.parametrize("profile", profile_names())
def test_the_rule_of_every_property_has_an_iri(write: Write, profile: str) -> None:
    for number, rule in enumerate(profile_named(profile).rules):
        types = "".join(f"<http://a.example/d> a <{type_.value}> . " for type_ in rule.of)
        text = f'{types}<http://a.example/d> <{rule.property.value}> " " .'
        path = write(f"{number}.ttl", text)
        report = as_turtle({path: check_file(path, profile=profile)})
        shapes = {
            quad.object.value
            for quad in ox.parse(report, ox.RdfFormat.TURTLE)
            if quad.predicate.value.endswith("#sourceShape")
        }
        name = rule.property.value.rpartition("#")[2].rpartition("/")[2]
        assert f"https://w3id.org/cturi/profile/{profile}#{name}" in shapes


MESSY = """
    @prefix dcat: <http://www.w3.org/ns/dcat#> . @prefix dct: <http://purl.org/dc/terms/> .
    <a> a dcat:Distribution ; dct:format "CSV", "diverse", "n/a", "CSV (semicolon)", "csv" .
    <b> a dcat:Distribution ; dct:format "Excel" ; dcat:mediaType "flurbel" .
    <c> a dcat:Distribution ; dct:format "WMS" ; dcat:mediaType "text/csv; header=absent" .
    <d> a dcat:Distribution ; dct:format "CSV, JSON" ; dcat:packageFormat "application/x-tar" .
    <e> a dcat:Distribution ; dct:format "XML", [ ] ; dcat:mediaType "application/json" .
    <f> a dcat:Dataset ; dct:format "CSV" .
"""


@pytest.mark.parametrize("profile", profile_names())
def test_what_a_profile_says_has_the_languages_of_the_other_messages(
    write: Write, profile: str
) -> None:
    findings = check_file(str(write("c.ttl", MESSY)), profile=profile).findings
    assert findings
    for finding in findings:
        assert set(finding.messages) == {"en", "de", "fr", "es"}
        assert len(set(finding.messages.values())) == 4
        assert "{" not in "".join(finding.messages.values())
        if finding.write:
            assert all(finding.write in message for message in finding.messages.values())


def test_a_message_names_what_is_asked_for_and_the_json_also_where_it_is_asked_for(
    write: Write,
) -> None:
    path = write("catalogue.ttl", PREFIXES + OF_A_DISTRIBUTION.replace("flurbel", "CSV"))
    report = check_file(path, profile="dcat-ap")
    (found,) = [
        found
        for found in json.loads(as_json({str(path): report}, "en"))["findings"]
        if found["rule"] == "format"
    ]
    assert found["message"].endswith("DCAT-AP 3.0.1 asks for an EU file type.")
    assert "FileTypeRestriction" in found["asked_by"]
    assert "FileTypeRestriction" not in as_text({str(path): report}, "en")


def test_resources_that_contradict_themselves_alike_are_one_finding(write: Write) -> None:
    # The second has one label more than the first, so they are looked at apart.
    both = f"dct:format <{EU}JSON> , <{EU}XML>"
    labels = both, f"{both} , <{IANA}application/json>"
    resources = (f"<http://a.example/{n}> a dcat:Distribution ; {label} ." for n, label in
                 enumerate(labels))  # fmt: skip
    report = check_file(write("catalogue.ttl", PREFIXES + "\n".join(resources)))
    (finding,) = [finding for finding in report.findings if finding.rule == "TypesAgree"]
    assert [place.resource.value for place in finding.places] == [
        "http://a.example/0",
        "http://a.example/1",
    ]


def test_a_contradiction_is_headed_by_a_statement_of_the_file(write: Write) -> None:
    labels = f"dct:format <{EU}JSON> ; dcat:mediaType <{IANA}text/csv>"
    path = write(
        "catalogue.ttl", f"{PREFIXES}<http://a.example/1> a dcat:Distribution ; {labels} ."
    )
    for profile in (None, "dcat"):
        report = check_file(path, profile=profile)
        text = as_text({str(path): report}, everything=True)
        said = "application/json and text/csv contradict each other."
        assert f"Warning: dct:format <{EU}JSON>\n    {said}\n" in text
        assert "conflictingType" not in text
        rows = [row for row in report.as_table().rows if row[1] == "TypesAgree"]
        assert [row[2:4] for row in rows] == [("http://purl.org/dc/terms/format", f"{EU}JSON")]


@pytest.mark.parametrize("form", ["JSON", f"<{EU}JSON>", "aplication/json", "JSON, XML"])
@pytest.mark.parametrize("profile", ["dcat", "dcat-ap"])
def test_a_contradiction_is_told_by_the_profile_or_by_our_shapes_and_not_by_both(
    write: Write, form: str, profile: str
) -> None:
    value = form if form.startswith("<") else f'"{form}"'
    labels = f"dct:format {value} ; dcat:mediaType <{IANA}text/csv>"
    path = write("catalogue.ttl", f"{HEAD}<http://a.example/1> a dcat:Distribution ; {labels} .")
    told = [one for one in plan_file(path, profile=profile).plan.verdicts if one.tells_conflict]
    report = check_file(path, profile=profile)
    assert bool(told) != any(one.rule == "TypesAgree" for one in report.findings)


def test_a_heading_tells_that_a_contradiction_is_between_other_statements_elsewhere(
    write: Write,
) -> None:
    first, other = f"<{EU}JSON>", f"<{IANA}application/json>"
    text = f"<http://a.example/1> dct:format <{EU}CSV>, {first} . <http://a.example/2> dct:format"
    for label, more in ((first, ""), (other, ", and others")):
        path = write("catalogue.ttl", f"{PREFIXES}{text} <{EU}CSV>, {label} .")
        lines = as_text({str(path): check_file(path)}).splitlines()
        assert f"Warning × 2: dct:format {first}{more}" in lines


def test_a_blank_node_is_headed_by_its_label(write: Write) -> None:
    node = '<http://a.example/{}> dcat:mediaType [ rdfs:label "{}" ] .\n'
    text = node.format(1, "PDF/A-2b") + node.format(2, "CSV") + node.format(3, "CSV")
    path = write("catalogue.ttl", PREFIXES + text)
    lines = as_text({str(path): check_file(path, profile="dcat-ap")}).splitlines()
    headings = [line for line in lines if "a node with" in line]
    assert headings == [
        'Violation: dcat:mediaType, a node with the label "PDF/A-2b"',
        'Violation × 2: dcat:mediaType, a node with the label "CSV"',
    ]


def test_a_contradiction_between_nodes_is_not_headed_by_the_type_of_one(write: Write) -> None:
    node = 'dct:format [ rdfs:label "CSV" ], [ rdfs:label "PDF" ]'
    path = write("c.ttl", f"{PREFIXES}<http://a.example/d> a dcat:Distribution ; {node} .")
    lines = as_text({str(path): check_file(path, profile="dcat")}).splitlines()
    assert "Warning: dct:format" in lines


def test_a_guess_is_no_advice_on_a_resource_of_which_more_is_said(write: Write) -> None:
    excel = 'a dcat:Distribution ; dct:format "Excel"'
    other = "dcat:mediaType <https://www.iana.org/assignments/media-types/text/csv>"
    text = f"<http://a.example/1> {excel} . <http://a.example/2> {excel} ; {other} ."
    report = check_file(write("catalogue.ttl", PREFIXES + text))
    alone, beside = (finding for finding in report.findings if finding.rule == "format")
    assert "file-type/XLS>" in alone.message()
    assert "file-type" not in beside.message()


def test_points_are_a_mean_with_one_decimal() -> None:
    assert Score().points == 0.0
    assert [Score(3, given).points for given in range(4)] == [0.0, 6.7, 13.3, 20.0]
    assert Score(3, 3, 3, 3, 3, 3).points == 80.0
    gains = Effect(Score(3, 1), Score(3, 2), {"": (Score(3, 1), Score(3, 2, violations=4))})
    assert list(gains.as_table().rows) == [("", 3, 0, 4, 6.7, 6.6)]
