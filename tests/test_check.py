"""Catalogues by our shapes: each rule by an example, and real catalogues."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox
import pytest
from checks import (
    CATALOGUE,
    CTVS,
    EU,
    EXAMPLES,
    IANA,
    LANGUAGES,
    LINKS,
    OTHERS,
    PREFIXES,
    RULES,
    by_our_shapes,
    catalogue_shapes,
    check_turtle,
    places_of,
    properties_checked,
    rules_of,
    shape_turtle,
)
from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from rdflib import BNode, Dataset, Graph, Literal, URIRef
from rdflib.namespace import DCAT, DCTERMS

from cturi_rdf.catalogue.rendering import as_sarif
from cturi_rdf.catalogue.shacl import SH as OX_SH
from cturi_rdf.catalogue.shacl.foreign_shapes import SH
from cturi_rdf.catalogue.shacl.rules import declared, rules
from cturi_rdf.catalogue.value_forms import exists_nowhere
from cturi_rdf.check import check, check_file
from cturi_rdf.labels import resolve
from cturi_rdf.rdf import CTV, annotate
from cturi_rdf.rdf.export import of_label
from cturi_rdf.rdf.terms import PROPERTIES, intended
from cturi_rdf.reading import read_catalog
from cturi_rdf.registry import registry
from cturi_rdf.repair import repair

if TYPE_CHECKING:
    from conftest import Cturi, Write


def test_there_are_rules_and_an_example_of_each() -> None:
    assert len(RULES) > 15
    for kind in ("valid", "broken"):
        assert {path.stem for path in (EXAMPLES / kind).glob("*.ttl")} == set(RULES)


@pytest.mark.parametrize("rule", RULES)
def test_a_valid_example_passes(rule: str) -> None:
    report = by_our_shapes(read_catalog(str(EXAMPLES / "valid" / f"{rule}.ttl")))
    assert report.focus_nodes
    assert report.findings == []
    assert report.conforms


@pytest.mark.parametrize("rule", RULES)
def test_a_broken_example_fails_by_its_rule_alone(rule: str) -> None:
    report = by_our_shapes(read_catalog(str(EXAMPLES / "broken" / f"{rule}.ttl")))
    assert rules_of(report) == {rule}
    (finding,) = report.findings
    assert set(finding.messages) == LANGUAGES
    assert not any("{" in message for message in finding.messages.values())
    assert report.conforms is (finding.level != "Violation")


def test_the_shapes_name_all_properties_whose_values_are_labels() -> None:
    targets = set(catalogue_shapes().objects(CTVS.TypeExists, SH.targetSubjectsOf))
    assert targets == properties_checked() | LINKS


def test_every_shape_has_messages_in_four_languages_and_a_severity() -> None:
    graph = catalogue_shapes()
    for rule in RULES:
        assert graph.value(CTVS[rule], SH.severity) in {SH.Violation, SH.Warning, SH.Info}
        said = [CTVS[rule], *graph.objects(CTVS[rule], SH.sparql)]
        spoken = [
            {message.language for message in graph.objects(each, SH.message)}
            for each in said
            if (each, SH.message, None) in graph
        ]
        assert spoken
        assert all(each == LANGUAGES for each in spoken)


BREAKING = [
    ('ex:a schema:encodingFormat "text/csv", "TEXT/CSV; header=present", "CSV" .', set()),
    ('ex:a schema:encodingFormat "img/jpeg" .', {"TypeIsSpeltRight"}),
    # The name of a format may have a slash.
    *(
        (f'ex:a schema:encodingFormat "{name}" .', set())
        for name in ("PDF/A-2b", "METS/MODS", "KML/KMZ")
    ),
    ("ex:a dcat:mediaType <http://www.iana.org/assignments/media-types/text/csv> .", set()),
    ("ex:a dcat:mediaType <https://w3id.org/spar/mediatype/text/csv> .", set()),
    (
        "ex:a dcat:mediaType <https://www.iana.org/assignments/media-types/Text/CSV> .",
        {"TypeIsSpeltRight"},
    ),
    (
        "ex:a dcat:mediaType <https://www.iana.org/assignments/media-types/text/csv/> .",
        {"TypeIsSpeltRight"},
    ),
    ("ex:a dcat:mediaType <CSV> .", {"TypeIsSpeltRight"}),
    ("ex:a dcat:mediaType <ContentType:text/csv> .", set()),
    ("ex:a dct:format [ dct:title 'whatever' ] .", set()),
    ("ex:a dcat:mediaType [ dct:title 'whatever' ] .", {"MediaTypeIsIri"}),
    # An IRI in IANA's space for a type that IANA does not list is wrong, whatever its class.
    ("ex:a dcat:mediaType iana:nonsense . iana:nonsense a dct:MediaType .", {"TypeExists"}),
    # SHP in a zip is packed, not another format; GeoJSON is JSON.
    (f"ex:a dct:format <{EU}SHP> ; dcat:mediaType <{IANA}application/zip> .", set()),
    (f"ex:a dct:format <{EU}GEOJSON> ; dcat:mediaType <{IANA}application/json> .", set()),
    ("ex:a schema:encodingFormat 'image/png; charset=utf-8' .", {"CharsetIsMeaningful"}),
    ("ex:a schema:encodingFormat 'image/svg+xml; charset=utf-8' .", set()),
    ("ex:a schema:encodingFormat 'text/csv; Charset=\"UTF-8\"; header=absent' .", set()),
    ("ex:a dcat:mediaType <ContentType:text/csv?charset=%22latin1%22> .", set()),
    ("ex:a dcat:mediaType <ContentType:text/csv?charset=%22latin-1%22> .", {"CharsetIsRegistered"}),
    (
        "ex:a schema:encodingFormat 'text/csv; charset=ütf-8' .",
        {"CharsetIsKnown", "HeaderIsWellFormed"},
    ),
    ("ex:a dct:format 'OGC WMS'@en .", {"TypeIsNoService"}),
    # A code of the EU's table is right where DCAT-AP prescribes the table.
    (f"ex:a dct:format <{EU}WMS_SRVC> .", set()),
    (f"ex:a schema:encodingFormat <{EU}WMS_SRVC> .", {"TypeIsNoService"}),
    (f"ex:a dct:format <{EU}csv> .", {"EuFileTypeIsSpeltRight"}),
    (f"ex:a dct:format <{EU.replace('http:', 'https:')}CSV> .", {"EuFileTypeIsSpeltRight"}),
    (f"ex:a dct:format <{EU}LEG>, <{EU}FMX2> .", {"EuFileTypeIsCurrent"}),
    # A publisher's own media type is none, whatever its class.
    ("ex:a dcat:mediaType ex:ours . ex:ours a dct:MediaType .", {"TypeExists"}),
    # PRONOM has XZ without a media type, and the type of its name is in use.
    *(
        (f"ex:a schema:encodingFormat <https://www.nationalarchives.gov.uk/PRONOM/{n}> .", rules)
        for n, rules in (("fmt/1098", set()), ("fmt/7", set()), ("fmt/99998", {"TypeExists"}))
    ),
    ("ex:a dct:format [] .", {"FormatIsDescribed"}),
    # Any IRI may stand for a format, except those of a registry that has no such format.
    *(
        (f"ex:a {path} <{value}> .", rules)
        for path in (
            "dct:format",
            "<http://www.w3.org/ns/csvw#targetFormat>",
            "<http://www.w3.org/ns/sparql-service-description#resultFormat>",
            "<https://w3id.org/cwl/cwl#format>",
        )
        for value, rules in (
            ("http://edamontology.org/format_2572", set()),
            ("https://own.example/format", set()),
            (f"{IANA}text/nonsense", {"TypeExists"}),
            (f"{EU}NONE_SUCH", {"TypeExists"}),
            ("http://www.w3.org/ns/formats/NoneSuch", {"TypeExists"}),
        )
    ),
    ('ex:a <https://w3id.org/cwl/cwl#format> "text/nonsense" .', {"TypeExists"}),
    # A text has to be a header, or the name of a format.
    (
        'ex:a <https://www.w3.org/ns/activitystreams#mediaType> "lorem ipsum dolor" .',
        {"HeaderIsWellFormed"},
    ),
    (
        'ex:a <https://www.w3.org/2019/wot/hypermedia#forContentType> "CSV" .',
        {"HeaderIsWellFormed"},
    ),
    (
        'ex:a <http://www.ebu.ch/metadata/ontologies/ebucore/ebucore#hasMimeType> "a b" .',
        {"HeaderIsWellFormed"},
    ),
    ('ex:a <http://purl.org/dc/elements/1.1/format> "lorem ipsum" .', {"TextIsUnderstood"}),
    ('ex:a <http://purl.org/dc/elements/1.1/format> "CSV" .', set()),
    ('ex:a schema:encodingFormat "text/html charset=utf-8" .', {"HeaderIsWellFormed"}),
    ('ex:a schema:encodingFormat "text/csv " .', {"TextIsTrimmed"}),
    (f"ex:a dcat:mediaType <{IANA}text/csv>, <{IANA}application/json> .", {"TypesAgree"}),
    (f"ex:a dcat:mediaType <{IANA}text/csv>, <{IANA}application/zip> .", set()),
    # Links to content types are looked at as labels are.
    ("ex:a ctv:contentType <ContentType:text/csv> .", set()),
    ("ex:a ctv:contentType <ContentType:text/foo> .", {"TypeExists"}),
    # A placeholder names no type, and a range names one that cannot exist.
    ('ex:a schema:encodingFormat "n/a" .', set()),
    ('ex:a schema:encodingFormat "image/*" .', {"TypeExists"}),
    ("ex:a ctv:contentType <ContentType:text/csv;header=present> .", {"LinkIsNode"}),
    (f"ex:a ctv:contentType <{IANA}text/csv> .", {"LinkIsNode"}),
    (f"ex:a ctv:bareMediaType <{IANA}text/csv> .", {"LinkIsNode"}),
    ('ex:a ctv:packaging "text/csv" .', {"LinkIsNode"}),
    (
        f"ex:a dcat:mediaType <{IANA}text/csv> ; ctv:contentType <ContentType:image/png> .",
        {"LinkAgreesWithLabel"},
    ),
    # A link counts beside the label as a special case, where the label names nothing, and as what
    # is inside of the package that the label names.
    *(
        (
            f'ex:a <http://purl.org/dc/elements/1.1/format> "{label}" ; ctv:contentType {links} .',
            rules,
        )
        for label, links, rules in (
            ("CSV", "<ContentType:text/csv?header=%22absent%22>", set()),
            ("JSON", "<ContentType:application/geo+json>", set()),
            ("GeoJSON", "<ContentType:application/json>", {"LinkAgreesWithLabel"}),
            ("n/a", "<ContentType:text/csv>", set()),
            ("ZIP", "<ContentType:text/csv>", {"LinkAgreesWithLabel"}),
            ("ZIP", "<ContentType:text/csv> ; ctv:packaging <ContentType:application/zip>", set()),
        )
    ),
]


@pytest.mark.parametrize(("turtle", "rules"), BREAKING)
def test_a_statement_breaks_the_rules_that_it_breaks(turtle: str, rules: set[str]) -> None:
    assert rules_of(shape_turtle(turtle)) == rules


@pytest.mark.parametrize("path", [DCTERMS["format"], DCAT.mediaType])
def test_the_query_for_types_in_no_registry_selects_what_a_repair_leaves(path: URIRef) -> None:
    """Every type of a format, registered or not, in each way of writing it."""
    of_formats = {one for row in registry().eu_file_types() for one in row.types}
    essences = sorted(
        {*of_formats, "foo/bar", "n/a", "image/*", "none/none", "text/csv", "img/png"}
    )
    codes = [*(row.code for row in registry().eu_file_types()), "NONE_SUCH", "csv"]
    iris = [f"{base}{one}" for base in (IANA, "ContentType:") for one in essences if "*" not in one]
    iris += [*(f"{EU}{code}" for code in codes), "http://a.example/own"]
    values = [*map(ox.NamedNode, iris), *map(ox.Literal, essences)]
    [rule] = [rule for rule in rules() if rule.shape == ox.NamedNode(CTVS.TypeExists)]
    [query] = rule.queries
    property_ = ox.NamedNode(path)
    store = ox.Store()
    for value in values:
        meaning = of_label(value.value, resolve(value.value))
        store.extend(ox.Quad(*triple) for triple in meaning)
        store.add(ox.Quad(ox.NamedNode("urn:x:this"), property_, value))
    names = "".join(f"PREFIX {name}: <{iri}> " for name, iri in declared().items())
    solutions: Any = store.query(names + query.text)
    selected = {row["value"] for row in solutions}
    assert selected == {
        value
        for value in values
        if exists_nowhere(value, resolve(value.value), any_format=path == DCTERMS["format"])
    }


def test_an_obsolete_type_comes_with_its_replacement() -> None:
    report = shape_turtle("ex:a dcat:mediaType <ContentType:application/vnd.geo+json> .")
    (finding,) = [each for each in report.findings if each.rule == "TypeIsCurrent"]
    assert "application/geo+json" in finding.message()
    assert finding.message("de").startswith("ContentType:application/vnd.geo+json ist veraltet")


def test_a_charset_that_is_none_comes_with_the_one_that_is_spelt_alike() -> None:
    for charset, said in (
        ("UTF8", "IANA lists this character set as UTF-8, not as utf8."),
        ("iso88591", "IANA lists this character set as ISO-8859-1, not as iso88591."),
        ("klingon", "klingon is not the name of a character set that IANA lists."),
    ):
        (finding,) = shape_turtle(
            f"ex:a schema:encodingFormat 'text/html; charset={charset}' ."
        ).findings
        assert finding.message() == said
        assert finding.level == "Warning"


def test_resources_that_say_the_same_share_a_finding() -> None:
    turtle = " ".join(f'ex:d{number} dcat:mediaType "text/csv"@en .' for number in range(50))
    report = check_turtle(turtle + ' ex:other dcat:mediaType "text/csv" .')
    (finding,) = report.findings
    assert len(finding.places) == report.count(OX_SH.Violation) == report.focus_nodes == 51
    assert {value for _, value in places_of(finding)} == {
        Literal("text/csv"),
        Literal("text/csv", lang="en"),
    }


def test_a_catalogue_without_a_label_is_not_a_pass(write: Write, cturi: Cturi) -> None:
    report = check_turtle("ex:a dct:title 'nothing here' .")
    assert report.focus_nodes == 0
    assert not report.conforms
    assert report.idle == ("our shapes",)
    source = write("empty.ttl", "<http://a.example/> <http://purl.org/dc/terms/title> 'a' .")
    for options in ((), ("--json",)):
        run = cturi("check", source, *options)
        assert run.code == 1
        where = run.err if options else run.out
        assert "nothing to check for our shapes, which does not count as a pass" in where
        assert not run.err or options
    sarif = json.loads(as_sarif({"-": report}))["runs"][0]
    assert sarif["invocations"][0]["executionSuccessful"] is False


def test_a_draft_spelling_and_a_backslash_come_back_as_they_were_written() -> None:
    graph = Graph()
    node = URIRef('ContentType:text/csv?header="present"')
    graph.add((node, CTV.contentTypeHeader, Literal(r'text/html; a="\"')))
    graph.add((node, DCAT.mediaType, Literal("a\\b/c")))
    said = {each.rule: each for each in by_our_shapes(graph).findings}
    assert places_of(said["HeaderAgreesWithNode"]) == [(node, Literal(r'text/html; a="\"'))]
    assert r'text/html; a="\"' in said["HeaderAgreesWithNode"].message()
    assert said["TypeExists"].message().startswith("a\\b/c is in no registry")


def test_an_annotated_catalogue_has_the_report_of_its_own_labels() -> None:
    graph = Graph().parse(CATALOGUE)
    before = check(graph)
    annotate(graph)
    after = check(graph)
    assert (after.focus_nodes, after.summary) == (before.focus_nodes, before.summary)
    assert [finding[:5] for finding in after.findings] == [f[:5] for f in before.findings]


def test_checking_does_not_change_the_catalogue() -> None:
    graph = Graph().parse(data=PREFIXES + "ex:a dct:format 'CSV' .", format="turtle")
    before = set(graph)
    check(graph, shapes=Graph().parse(data=OTHERS, format="turtle"))
    assert set(graph) == before


def test_what_stands_in_two_named_graphs_has_a_place_in_each() -> None:
    dataset = Dataset(default_union=True)
    for name in ("https://example.org/1", "https://example.org/2"):
        dataset.graph(URIRef(name)).add((URIRef(name[:-1]), DCAT.mediaType, Literal("text/csv")))
    (finding,) = check(dataset).findings
    assert len(finding.places) == len(repair(dataset).steps) == 2


@given(
    st.one_of(st.text(max_size=20).map(URIRef), st.just(URIRef("ContentType:a/b"))),
    st.text(max_size=20).map(Literal),
)
@settings(max_examples=examples(15))
def test_any_header_of_any_node_is_checked(node: URIRef, header: Literal) -> None:
    graph = Graph()
    graph.add((node, CTV.contentTypeHeader, header))
    report = check(graph)
    assert report.focus_nodes == 1
    for finding in report.findings:
        assert places_of(finding) == [(node, header)]
        assert str(header) in finding.message()


@given(
    st.sampled_from([DCAT.mediaType, DCTERMS.format, DCAT.compressFormat]),
    st.one_of(
        st.text(max_size=30).map(Literal),
        st.text(max_size=30).map(URIRef),
        st.text("aZ%[]:/?#@ <>é\\", max_size=30).map(lambda text: URIRef(f"http://x/{text}")),
        st.builds(BNode),
    ),
)
@settings(max_examples=examples(25))
def test_any_value_is_checked(path: URIRef, value: URIRef | Literal | BNode) -> None:
    graph = Graph()
    graph.add((URIRef("http://a.example/"), path, value))
    report = check(graph)
    assert report.focus_nodes == 1
    for finding in report.findings:
        assert places_of(finding) == [(URIRef("http://a.example/"), value)]


NEAR_MISSES = """
    @prefix dcat: <http://www.w3.org/ns/dcat#> . @prefix dct: <http://purl.org/dc/terms/> .
    <http://a.example/1> dct:mediaType "text/csv" ; dcat:compressedFormat "gzip" ;
        dct:hasFormat <http://a.example/2> .
    <http://a.example/2> dct:mediaType "text/csv" ; dcat:mediatype "text/csv" .
"""


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("https://www.w3.org/ns/dcat#mediaType", "http://www.w3.org/ns/dcat#mediaType"),
        ("https://purl.org/dc/terms/format", "http://purl.org/dc/terms/format"),
        (
            "http://www.w3.org/ns/activitystreams#mediaType",
            "https://www.w3.org/ns/activitystreams#mediaType",
        ),
        # These exist, or are no name of a format by any scheme.
        ("http://schema.org/encodingFormat", None),
        ("https://schema.org/encodingFormat", None),
        ("https://purl.org/dc/terms/hasFormat", None),
        ("urn:x:mediaType", None),
    ],
)
def test_a_namespace_with_the_other_scheme_is_another_one_and_is_told(
    written: str, meant: str | None
) -> None:
    found = intended(ox.NamedNode(written))
    assert (found and found.value) == meant


def test_a_property_that_no_vocabulary_has_is_told_with_the_one_that_is_meant(
    write: Write, cturi: Cturi
) -> None:
    path = write("c.ttl", NEAR_MISSES)
    found = {
        finding.message(): len(finding.places)
        for finding in check_file(str(path)).findings
        if finding.rule == "PropertyExists"
    }
    assert found == {
        "No vocabulary has dct:mediaType; dcat:mediaType is meant.": 2,
        "No vocabulary has dcat:compressedFormat; dcat:compressFormat is meant.": 1,
        "No vocabulary has dcat:mediatype; dcat:mediaType is meant.": 1,
    }
    for command in ("headers", "annotate"):
        told = cturi(command, str(path)).err
        assert "2 values of dct:mediaType" in told
        assert "hasFormat" not in told


EARLIER = """
    @prefix ctv: <https://w3id.org/cturi/vocab#> .
    <ContentType:text/csv> ctv:header "text/csv" .
    <http://a.example/1> a ctv:Label ; ctv:entityKind <http://a.example/kind> .
    <http://a.example/2> a ctv:Label ; ctv:field <http://a.example/field> .
"""


def test_a_term_of_an_earlier_version_is_told_with_the_one_that_replaces_it(
    write: Write, cturi: Cturi
) -> None:
    path = write("c.ttl", EARLIER)
    report = check_file(str(path))
    assert {finding.message(): finding.times for finding in report.findings} == {
        "ctv:header is replaced by ctv:contentTypeHeader.": 1,
        "ctv:Label is replaced by ctv:TypeLabel.": 2,
        "ctv:entityKind is not used any more, and nothing replaces it.": 1,
        "ctv:field is replaced by mime:headerField.": 1,
    }
    # These are findings, and not "nothing to check".
    assert (report.focus_nodes, report.idle, report.conforms) == (3, (), True)
    told = cturi("check", str(path)).out
    assert "Warning: ctv:header\n    ctv:header is replaced by ctv:contentTypeHeader." in told
    assert "Warning × 2: rdf:type <https://w3id.org/cturi/vocab#Label>" in told
    graph = Graph().parse(data=EARLIER, format="turtle")
    assert {one.message() for one in check(graph).findings} == {
        one.message() for one in report.findings
    }


@pytest.mark.parametrize("name", ["dct:mediaType", "http://purl.org/dc/terms/mediaType"])
def test_any_other_property_is_read_where_it_is_asked_for(
    write: Write, cturi: Cturi, name: str
) -> None:
    path = str(write("c.ttl", NEAR_MISSES))
    try:
        headers = cturi("headers", path, "--property", name).out
        annotated = cturi("annotate", path, "--property", name).out
    finally:
        del PROPERTIES[ox.NamedNode(f"{DCTERMS}mediaType")]
    assert headers.startswith("http://a.example/1\ttext/csv\nhttp://a.example/2\ttext/csv\n")
    assert annotated.count("ctv:contentType <ContentType:text/csv>") == 2


def test_a_property_that_is_asked_for_is_checked(write: Write, cturi: Cturi) -> None:
    name = "http://a.example/ns#type"
    path = str(write("c.ttl", f'<http://a.example/b> <{name}> "CSV" , "JSON" .'))
    try:
        told = cturi("check", path, "--property", name).out
    finally:
        del PROPERTIES[ox.NamedNode(name)]
    assert "1 resource checked" in told
    assert "application/json and text/csv contradict each other." in told


def test_a_property_that_is_no_iri_is_refused(write: Write, cturi: Cturi) -> None:
    code, _, told = cturi("headers", str(write("c.ttl", NEAR_MISSES)), "--property", "bogus")
    assert (code, "'bogus' is not an IRI" in told) == (2, True)
