"""A check by a metadata profile: it judges the values that it has rules for, and no others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyoxigraph as ox
import pytest

from cturi_rdf.catalogue.rendering import as_turtle
from cturi_rdf.check import check_file
from cturi_rdf.repair import profile_named, profile_names

if TYPE_CHECKING:
    from conftest import Write

PREFIXES = """
@prefix dcat: <http://www.w3.org/ns/dcat#> .
@prefix dct: <http://purl.org/dc/terms/> .
"""
OF_A_DATASET = '<http://a.example/ds> a dcat:Dataset ; dct:format "flurbel" .'
OF_A_DISTRIBUTION = '<http://a.example/d> a dcat:Distribution ; dct:format "flurbel" .'


def test_what_a_profile_has_no_rule_for_is_judged_by_the_shapes(write: Write) -> None:
    path = write("catalogue.ttl", PREFIXES + OF_A_DATASET)
    without, by_profile = check_file(path), check_file(path, profile="dcat-ap")
    assert not by_profile.conforms
    assert by_profile.findings == without.findings


def test_what_a_profile_has_a_rule_for_is_judged_by_the_profile_alone(write: Write) -> None:
    path = write("catalogue.ttl", PREFIXES + OF_A_DATASET + OF_A_DISTRIBUTION)
    report = check_file(path, profile="dcat-ap")
    judged = {place.resource.value: f.rule for f in report.findings for place in f.places}
    assert judged == {"http://a.example/ds": "FormatIsNode", "http://a.example/d": "format"}


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
