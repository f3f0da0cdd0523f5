"""Profiles: which values are right, and which profile a file follows."""

# ruff: noqa: E501 - the tables have a row a line

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox
import pytest
from repairs import EU, HEAD, IANA

from cturi_rdf import ContentType
from cturi_rdf.catalogue.parts import Parts
from cturi_rdf.catalogue.profiles import (
    RuleRecord,
    choose_profile,
    iri_of,
    profile_named,
    profile_names,
)
from cturi_rdf.catalogue.value_forms import is_right, value_for
from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.reading.source import open_source
from cturi_rdf.registry.tables import load
from cturi_rdf.repair import plan_file

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Write

# What a file says, and the profile that it follows by that.
DECLARED = [
    ("dct:conformsTo <http://data.europa.eu/r5r/>", "dcat-ap"),
    (
        "dct:conformsTo <http://dcat-ap.de/def/dcatde/2.0/> , <http://data.europa.eu/r5r>",
        "dcat-ap-de",
    ),
    ("dct:conformsTo <https://w3id.org/ro/crate/1.2>", "ro-crate-1.2"),
    ('dct:conformsTo "http://mlcommons.org/croissant/1.0"', "croissant-1.0"),
    ("dct:conformsTo <https://project-open-data.cio.gov/v1.1/schema>", "pod"),
    ("dct:conformsTo <https://resources.data.gov/resources/dcat-us/>", "pod"),
    ("dct:conformsTo <https://resources.data.gov/dcat-us/3.0.0>", "dcat-us"),
    ('dct:conformsTo [ dct:title "DCAT-US 3.0" ]', "dcat-us"),
    ("<http://dcat-ap.de/def/dcatde/contributorID> <a:b>", "dcat-ap-de"),
    # Extensions of DCAT-AP that have no table of their own: GeoDCAT-AP, StatDCAT-AP, MLDCAT-AP and
    # HealthDCAT-AP by their vocabularies, and every one whose name is there.
    ("dct:conformsTo <http://data.europa.eu/930/>", "dcat-ap"),
    ("<http://data.europa.eu/930/referencePeriod> <a:b>", "dcat-ap"),
    ("<http://data.europa.eu/s1n/numSeries> 1", "dcat-ap"),
    ("<http://data.europa.eu/it6/hasEvaluationMeasure> <a:b>", "dcat-ap"),
    ("<http://healthdataportal.eu/ns/health#numberOfRecords> 1", "dcat-ap"),
    ("<https://w3id.org/mobilitydcat-ap#mobilityTheme> <a:b>", "dcat-ap"),
    *(
        (f"dct:conformsTo {text}", "dcat-ap")
        for text in (
            "<https://semiceu.github.io/GeoDCAT-AP/releases/3.0.0/>",
            "<https://w3id.org/mobilitydcat-ap/releases/1.0.1>",
            "<http://datos.gob.es/es/documentacion/DCAT-AP-ES>",
            '[ dct:title "napDCAT-AP 2.0" ]',
            "<http://www.opengis.net/def/crs/EPSG/0/3035> , <https://healthdcat-ap.github.io/>",
        )
    ),
    # A profile that has a table counts before the one that it extends.
    ('dct:conformsTo [ dct:title "DCAT-AP_IT" ]', "dcat-ap-it"),
    ("dct:conformsTo <https://semiceu.github.io/DCAT-AP/releases/2.1.1/>", "dcat-ap-2.1.1"),
    (
        "dct:conformsTo <https://w3id.org/mobilitydcat-ap> , <https://dcat-ap.de/def/dcatde/3.0/>",
        "dcat-ap-de",
    ),
]


@pytest.mark.parametrize(("text", "name"), DECLARED)
def test_a_file_is_under_the_profile_that_it_declares_or_uses(text: str, name: str) -> None:
    chosen = choose_profile(ox.parse(f"{HEAD}<a:c> {text} .", ox.RdfFormat.TURTLE))
    assert chosen.profile.name == name


# What a file says that names no profile, or several, and the profile that asks for the least.
UNDECLARED = [
    ('schema:encodingFormat "text/csv"', "schema", "because the file names no profile"),
    ('dct:format "CSV"', "dcat", "because the file names no profile"),
    # The core vocabularies of the EU, which are about services, are no profile of DCAT.
    ("<http://data.europa.eu/m8g/sector> <a:b>", "dcat", "because the file names no profile"),
    ("dct:conformsTo <https://a.example/dcat/ap>", "dcat", "because the file names no profile"),
    (
        'dcat:mediaType "CSV" ; schema:encodingFormat "CSV"',
        "dcat",
        "because the file names no profile",
    ),
    (
        "dct:conformsTo <http://data.europa.eu/r5r/> , <https://w3id.org/ro/crate/1.2>",
        "dcat",
        "because the file may follow dcat-ap, ro-crate-1.2",
    ),
]


@pytest.mark.parametrize(("text", "name", "why"), UNDECLARED)
def test_a_file_that_declares_no_profile_is_under_the_one_that_asks_for_the_least(
    text: str, name: str, why: str
) -> None:
    chosen = choose_profile(ox.parse(f"{HEAD}<a:c> {text} .", ox.RdfFormat.TURTLE))
    assert (chosen.profile.name, chosen.why) == (name, why)


@pytest.mark.parametrize("text", [row[0] for row in (*DECLARED, *UNDECLARED)])
def test_a_large_file_is_under_the_same_profile(text: str, write: Write) -> None:
    quads = list(ox.parse(f"{HEAD}<a:c> {text} .", ox.RdfFormat.TURTLE))
    path = write("a.nq", ox.serialize(quads, format=ox.RdfFormat.N_QUADS) or b"")
    with open_source(str(path)) as source, Parts(source, 1) as parts:
        assert choose_profile(parts.profile_quads) == choose_profile(quads)


def test_json_without_a_context_has_profiles_of_its_own() -> None:
    declared = f"{HEAD}<a:c> dct:conformsTo <https://resources.data.gov/dcat-us/3.0.0> ."
    for text, name in (("", None), (declared, None), ("", "dcat-us")):
        quads = ox.parse(text, ox.RdfFormat.TURTLE)
        chosen = choose_profile(quads, name, json_without_context=True)
        assert chosen.profile.name == "dcat-us-json"
    assert choose_profile([], "dcat-us").profile.name == "dcat-us"


# What a user may call a profile, and its name.
CALLED = [
    ("DCAT-AP", "dcat-ap"), ("dcatap", "dcat-ap"), ("dcat-ap-3.0.1", "dcat-ap"),
    ("DCAT-AP 2.1.1", "dcat-ap-2.1.1"), ("Project Open Data", "pod"), ("dcat_us", "dcat-us"),
    ("RO-Crate 1.2", "ro-crate-1.2"), ("http://data.europa.eu/r5r/", "dcat-ap"),
    ("https://w3id.org/ro/crate/1.1", "ro-crate-1.1"), ("DCAT-AP.de", "dcat-ap-de"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "name"), CALLED)
def test_a_profile_is_called_by_its_name_its_title_or_its_iri(text: str, name: str) -> None:
    assert profile_named(text).name == name


@pytest.mark.parametrize(
    ("text", "near"), [("dcat-app", "dcat-ap, "), ("ro-crate", "ro-crate-1."), ("x", "one of ")]
)
def test_an_unknown_profile_is_refused_with_the_nearest_name(text: str, near: str) -> None:
    with pytest.raises(CatalogError) as caught:
        profile_named(text)
    assert caught.value.expected.startswith(near)
    assert "ro-crate-1.2" in caught.value.expected


# A type, the property of a profile, and the value for it.
VALUES = [
    # A name that is registered stays, except where a list has one code for both names.
    ("text/xml", "pod", "dcat:mediaType", "text/xml"),
    ("text/xml", "dcat-ap", "dcat:mediaType", f"{IANA}text/xml"),
    ("text/xml", "dcat-ap", "dct:format", f"{EU}XML"),
    # An obsolete name does not.
    ("application/javascript", "pod", "dcat:mediaType", "text/javascript"),
    ("application/javascript", "dcat-ap", "dcat:mediaType", f"{IANA}text/javascript"),
    ("application/javascript", "dcat-ap", "dct:format", f"{EU}JS"),
]


@pytest.mark.parametrize(("essence", "profile", "path", "value"), VALUES)
def test_another_name_of_a_type_is_written_where_iana_has_it_and_nothing_replaced_it(
    essence: str, profile: str, path: str, value: str
) -> None:
    rule = profile_named(profile).rule_for(iri_of(path))
    assert rule
    asked = value_for(rule, ContentType.parse(essence))
    assert asked
    assert asked.value == value


@pytest.mark.parametrize("name", profile_names())
def test_every_line_of_a_profile_has_its_source(name: str) -> None:
    facts = load(f"profiles/{name}.tsv", RuleRecord).facts
    assert list(facts)[:5] == ["source", "date", "licence", "title", "document"]
    assert facts.keys() <= {*list(facts)[:5], "extends", "conforms to", "uses", "named in"}
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
    ("dcat", "dcat:mediaType", D, "iana-https", "node", None, None, False, "must"),
    ("dcat", "dct:format", D, "eu-file-type iana-https", "node", None, None, False, "must"),
    ("dcat", "dct:format", S, "eu-file-type iana-https", "node", None, None, False, "must"),
    ("dcat", "dcat:compressFormat", D, "iana-https", "node", None, None, False, "must"),
    ("dcat", "dcat:packageFormat", D, "iana-https", "node", None, None, False, "must"),
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
    ("dcat-us-json", "dcat:mediaType", D, "media-type", "", 1, None, False, "should"),
    ("dcat-us-json", "dct:format", D, "name", "", 1, None, False, "may"),
    ("dcat-us-json", "dcat:compressFormat", D, "media-type", "", 1, None, False, "should"),
    ("dcat-us-json", "dcat:packageFormat", D, "media-type", "", 1, None, False, "should"),
    ("schema", SDO, D, "media-type", "node url", None, None, False, "should"),
    ("ro-crate-1.1", SDO, D, "media-type", "node", None, None, False, "should"),
    ("ro-crate-1.2", SDO, D, "media-type", "node", None, None, False, "should"),
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


# A profile, a property, and texts that the documents of the profile or its reference reader list,
# though the registry does not have them, and texts that they do not list.
ALSO = [
    ("dcat-ap-se", "dct:format", "text/csv+zip application/x-shapefile application/x-las", "foo/bar x"),
    ("croissant-1.0", SDO, "application/jsonlines application/x-parquet git+https", "git application/x-gzip"),
    ("pod", "dcat:mediaType", "[[REDACTED-EX_B3]] [[REDACTED]]", "[[secret]]"),
    ("pod", "dct:format", "[[REDACTED-EX_B3]]", ""),
]  # fmt: skip


@pytest.mark.parametrize(("name", "path", "taken", "refused"), ALSO)
def test_what_a_profile_lists_is_right_whatever_the_registry_says(
    name: str, path: str, taken: str, refused: str
) -> None:
    rule = profile_named(name).rule_for(iri_of(path))
    assert rule is not None
    for text in taken.split():
        assert rule.also_accepts(text), text
        assert is_right(rule, ox.Literal(text)), text
    assert not any(map(rule.also_accepts, refused.split()))


# A text that RO-Crate takes, and whether the pattern of a certain validator takes it too.
CRATE = [
    ("text/csv;charset=utf-8", True), ("text/csv; charset=utf-8", False),
    ("application/vc+ld+json", False), ("image/tiff; application=geotiff", False),
]  # fmt: skip


@pytest.mark.parametrize(("text", "taken"), CRATE)
def test_what_a_validator_refuses_is_right_all_the_same(text: str, taken: bool) -> None:
    for name in ("ro-crate-1.1", "ro-crate-1.2"):
        rule = profile_named(name).rule_for(iri_of(SDO))
        assert rule is not None
        assert is_right(rule, ox.Literal(text))
        assert rule.refused_by is not None
        validator, pattern = rule.refused_by
        assert validator == "rocrate-validator 0.13"
        assert bool(pattern.search(text)) is taken


# A profile, a property, the properties of a resource, and whether it needs a value.
REQUIRED = [
    ("pod", "dcat:mediaType", "dcat:downloadURL", True), ("pod", "dcat:mediaType", "", False),
    ("pod", "dct:format", "dcat:downloadURL", False),
    ("dcat-ap-ch", "dct:format", "dcat:downloadURL dct:title", True),
    ("dcat-ap-ch", "dcat:mediaType", "dcat:accessURL", False),
    ("dcat-ap-se", "dct:format", "", True), ("dcat-ap", "dct:format", "dcat:downloadURL", False),
]  # fmt: skip


@pytest.mark.parametrize(("name", "path", "there", "needed"), REQUIRED)
def test_a_value_is_required_where_the_document_says_so(
    name: str, path: str, there: str, needed: bool
) -> None:
    rule = profile_named(name).rule_for(iri_of(path))
    assert rule is not None
    assert rule.is_required(list(map(iri_of, there.split()))) is needed


def test_a_name_is_replaced_only_by_a_registered_one() -> None:
    rule = profile_named("schema").rule_for(iri_of(SDO))
    assert rule is not None
    for text in ("application/jsonl", "application/x-ndjson", "text/x-r-source"):
        assert is_right(rule, ox.Literal(text)), text
    for text in ("application/x-gzip", "aplication/json", "image/tif"):
        assert not is_right(rule, ox.Literal(text)), text


@pytest.mark.parametrize(
    ("text", "is_url"),
    [
        ("https://www.nationalarchives.gov.uk/PRONOM/fmt/354", True),
        ("https://en.wikipedia.org/wiki/PDF/A", True),
        # What is said of a node is said of a text as well.
        (f"{IANA}text/nope", False),
        ("https://a.example/a b", False),
        ("urn:a:b", False),
    ],
)
def test_a_text_that_is_a_url_is_right_where_schema_org_takes_it_for_the_node(
    tmp_path: Path, text: str, is_url: bool
) -> None:
    rules = {
        name: profile_named(name).rule_for(iri_of(SDO)) for name in ("schema", "croissant-1.1")
    }
    right = {name: is_right(rule, ox.Literal(text)) for name, rule in rules.items() if rule}
    assert right == {"schema": is_url, "croissant-1.1": False}
    path = tmp_path / "c.ttl"
    path.write_text(f'<http://a.example/d> <{iri_of(SDO).value}> "application/pdf", "{text}" .\n')
    plan = plan_file(str(path), profile="schema")
    assert is_url == (text in plan.edited.decode() and not plan.plan.left)


@pytest.mark.parametrize(
    ("text", "is_one", "is_one_without_a_pattern"),
    [
        ("text/csv", True, True),
        ("TEXT/CSV", True, True),
        ("application/x-tar", True, True),
        # The pattern has no parameters.
        ("text/csv; header=absent", False, True),
        # The replacement of these is registered.
        ("image/tif", False, False),
        ("application/x-zip-compressed", False, False),
        # Nothing is known of it that would be better.
        ("text/nope", True, True),
        ("n/a", False, False),
        ("text", False, False),
        ("text/ csv", False, False),
        (" text/csv", False, False),
    ],
)
def test_a_media_type_as_text_is_right_in_the_form_of_the_profile_and_of_rfc_9110(
    text: str, *, is_one: bool, is_one_without_a_pattern: bool
) -> None:
    rule = profile_named("pod").rule_for(iri_of("dcat:mediaType"))
    assert rule is not None
    assert is_right(rule, ox.Literal(text)) == is_one
    assert is_right(replace(rule, pattern=None), ox.Literal(text)) == is_one_without_a_pattern
