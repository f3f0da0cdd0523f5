"""Profiles: which values are right, and which profile a file follows."""

# ruff: noqa: E501 - the tables have a row a line

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyoxigraph as ox
import pytest
from repairs import EU, HEAD, IANA

from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.registry.tables import load
from cturi_rdf.repair import plan_file, profile_named, profile_names
from cturi_rdf.repair.forms import is_right
from cturi_rdf.repair.guess import guess_profile
from cturi_rdf.repair.profiles import RuleRecord, iri_of

if TYPE_CHECKING:
    from conftest import Write


# What a file says, and the profile that it follows by that, None where it is open.
GUESSED = [
    ("dct:conformsTo <http://data.europa.eu/r5r/>", "dcat-ap"),
    (
        "dct:conformsTo <http://dcat-ap.de/def/dcatde/2.0/> , <http://data.europa.eu/r5r>",
        "dcat-ap-de",
    ),
    ("dct:conformsTo <https://w3id.org/ro/crate/1.2>", "ro-crate-1.2"),
    ('dct:conformsTo "http://mlcommons.org/croissant/1.0"', "croissant-1.0"),
    ("dct:conformsTo <https://project-open-data.cio.gov/v1.1/schema>", "pod"),
    ("<http://dcat-ap.de/def/dcatde/contributorID> <a:b>", "dcat-ap-de"),
    ('schema:encodingFormat "text/csv"', "schema"),
    ('dct:format "CSV"', None),
    ("dct:conformsTo <http://data.europa.eu/r5r/> , <https://w3id.org/ro/crate/1.2>", None),
]


@pytest.mark.parametrize(("text", "name"), GUESSED)
def test_a_profile_is_guessed_only_from_what_the_file_says(text: str, name: str | None) -> None:
    guessed, _ = guess_profile(ox.parse(f"{HEAD}<a:c> {text} .", ox.RdfFormat.TURTLE))
    assert (guessed.name if guessed else None) == name


def test_a_file_that_does_not_say_its_profile_needs_one(write: Write) -> None:
    file = write("a.ttl", HEAD + '<a:c> dct:format "CSV" .')
    with pytest.raises(CatalogError, match=r"one of croissant-1\.0, ") as caught:
        plan_file(str(file))
    assert "--profile NAME" in caught.value.option


@pytest.mark.parametrize("name", profile_names())
def test_every_line_of_a_profile_has_its_source(name: str) -> None:
    facts = load(f"profiles/{name}.tsv", RuleRecord).facts
    assert list(facts)[:5] == ["source", "date", "licence", "title", "document"]
    assert facts.keys() <= {*list(facts)[:5], "extends", "conforms to", "uses"}
    assert all(facts.values())
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


D, S, MT, MTE = "dcat:Distribution", "dcat:DataService", "dct:MediaType", "dct:MediaTypeOrExtent"
SDO = "https://schema.org/encodingFormat"
# What a profile asks of a property of a class: the forms to write, those that are right too, how
# many values, their class in the data, whether they are in the EU's scheme there, how strongly.
ASKED = [
    ("dcat", "dcat:mediaType", D, "iana-https", "node", None, None, False, "should"),
    ("dcat", "dct:format", D, "eu-file-type iana-https", "node", None, None, False, "may"),
    ("dcat", "dct:format", S, "eu-file-type iana-https", "node", None, None, False, "may"),
    ("dcat", "dcat:compressFormat", D, "iana-https", "node", None, None, False, "should"),
    ("dcat", "dcat:packageFormat", D, "iana-https", "node", None, None, False, "should"),
    ("dcat-ap-2.1.1", "dcat:mediaType", D, "iana-https", "node", 1, MT, False, "must"),
    ("dcat-ap-2.1.1", "dcat:compressFormat", D, "iana-https", "node", 1, MT, False, "must"),
    ("dcat-ap-2.1.1", "dcat:packageFormat", D, "iana-https", "node", 1, MT, False, "must"),
    ("dcat-ap-2.1.1", "dct:format", D, "eu-file-type", "", 1, MTE, True, "must"),
    ("dcat-ap", "dcat:mediaType", D, "iana-https", "iana-http", 1, MT, False, "must"),
    ("dcat-ap", "dcat:compressFormat", D, "iana-https", "iana-http", 1, MT, False, "must"),
    ("dcat-ap", "dcat:packageFormat", D, "iana-https", "iana-http", 1, MT, False, "must"),
    ("dcat-ap", "dct:format", D, "eu-file-type", "", 1, MTE, True, "must"),
    ("dcat-ap", "dct:format", S, "eu-file-type", "", None, MTE, True, "must"),
    ("dcat-ap-de", "dcat:mediaType", D, "iana-https", "iana-http", 1, MT, False, "must"),
    ("dcat-ap-de", "dcat:compressFormat", D, "iana-https", "iana-http", 1, MT, False, "must"),
    ("dcat-ap-de", "dcat:packageFormat", D, "iana-https", "iana-http", 1, MT, False, "must"),
    ("dcat-ap-de", "dct:format", D, "eu-file-type", "", 1, MTE, True, "must"),
    ("dcat-ap-ch", "dct:format", D, "eu-file-type iana-https", "iana-http", 1, None, False, "must"),
    ("dcat-ap-ch", "dcat:mediaType", D, "iana-https", "iana-http", 1, None, False, "must"),
    ("dcat-ap-ch", "dcat:packageFormat", D, "iana-https", "iana-http", 1, None, False, "should"),
    ("dcat-ap-no", "dct:format", D, "eu-file-type", "", 1, None, True, "must"),
    ("dcat-ap-no", "dct:format", S, "eu-file-type", "", None, None, True, "must"),
    ("dcat-ap-no", "dcat:mediaType", D, "iana-https", "iana-http w3c-ns-iana", 1, None, False, "must"),
    ("dcat-ap-no", "dcat:compressFormat", D, "eu-file-type", "", 1, None, False, "should"),
    ("dcat-ap-no", "dcat:packageFormat", D, "eu-file-type", "", 1, None, False, "should"),
    ("dcat-ap-se", "dct:format", D, "media-type", "", 1, None, False, "must"),
    ("dcat-ap-it", "dct:format", D, "eu-file-type", "", 1, None, True, "must"),
    ("dcat-us", "dcat:mediaType", D, "iana-https", "node", 1, None, False, "must"),
    ("dcat-us", "dcat:compressFormat", D, "iana-https", "node", 1, None, False, "must"),
    ("dcat-us", "dcat:packageFormat", D, "iana-https", "node", 1, None, False, "must"),
    ("dcat-us", "dct:format", D, "eu-file-type iana-https", "node", 1, None, False, "must"),
    ("dcat-us", "dcat:mediaType", "foaf:Document", "iana-https", "node", None, None, False, "must"),
    ("pod", "dcat:mediaType", D, "media-type", "", 1, None, False, "must"),
    ("pod", "dct:format", D, "name", "", 1, None, False, "may"),
    ("schema", SDO, D, "media-type", "node", None, None, False, "should"),
    ("ro-crate-1.1", SDO, D, "media-type", "node", 2, None, False, "should"),
    ("ro-crate-1.2", SDO, D, "media-type", "node", 2, None, False, "should"),
    ("croissant-1.0", SDO, D, "media-type", "", 1, None, False, "must"),
    ("croissant-1.1", SDO, D, "media-type", "node", None, None, False, "must"),
]  # fmt: skip


@pytest.mark.parametrize("row", ASKED, ids=lambda row: " ".join(row[:3]))
def test_a_profile_asks_what_its_document_says(row: tuple[Any, ...]) -> None:
    name, path, of, write, accept, at_most, class_, in_scheme, level = row
    rule = profile_named(name).rule_for(iri_of(path), {iri_of(of)})
    assert rule is not None
    assert (rule.write, rule.accept) == (tuple(write.split()), tuple(accept.split()))
    assert (rule.at_most, rule.in_scheme, rule.level) == (at_most, in_scheme, level)
    assert rule.type == (class_ and iri_of(class_))


def test_dcat_ap_2_asks_nothing_of_the_formats_of_services() -> None:
    assert profile_named("dcat-ap-2.1.1").rule_for(iri_of("dct:format"), {iri_of(S)}) is None


# A profile, a property, and texts that its pattern takes, and does not.
PATTERNS = [
    ("dcat-ap-se", "dct:format", "text/csv text/csv+zip application/x-shapefile", "CSV text/csv;a=b;c=d"),
    ("pod", "dcat:mediaType", "text/csv application/ld+json", "application/vc+ld+json audio/amr-wb+ CSV"),
    ("ro-crate-1.1", SDO, "text/csv;charset=utf-8 application/ld+json", "application/vc+ld+json audio/amr-wb+"),
    ("ro-crate-1.2", SDO, "text/csv application/pdf", "CSV"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "path", "taken", "refused"), PATTERNS)
def test_the_pattern_of_a_text_is_that_of_its_document(
    name: str, path: str, taken: str, refused: str
) -> None:
    rule = profile_named(name).rule_for(iri_of(path))
    assert rule is not None
    assert rule.pattern is not None
    assert all(rule.pattern.search(text) for text in taken.split())
    assert not any(rule.pattern.search(text) for text in refused.split())
