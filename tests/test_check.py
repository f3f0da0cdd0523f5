"""Catalogues by shapes: each rule by an example, real catalogues, and shapes of others."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from rdflib import RDF, BNode, Dataset, Graph, Literal, URIRef
from rdflib.namespace import DCAT, DCTERMS

from cturi_rdf.check import check
from cturi_rdf.check.documents import document_of
from cturi_rdf.check.report import (
    REPORTS,
    as_json,
    as_sarif,
    as_text,
    as_turtle,
    validation_report,
)
from cturi_rdf.check.shapes import CTVS, SH, catalogue_shapes
from cturi_rdf.check.terms import SH as OX_SH
from cturi_rdf.cli.check import check as command
from cturi_rdf.io import CatalogError, read_catalog
from cturi_rdf.io.relative_iri import relative
from cturi_rdf.io.terms import from_ox, to_ox
from cturi_rdf.rdf import CTV, headers, mint
from cturi_rdf.rdf.background import of_label, of_type
from cturi_rdf.rdf.description import in_rdflib
from cturi_rdf.rdf.occurrences import occurrences
from cturi_rdf.rdf.properties import PROPERTIES

if TYPE_CHECKING:
    from cturi_rdf.check.findings import CheckReport, Finding

# rdflib logs every IRI that is none; the tests make many.
logging.getLogger("rdflib.term").setLevel(logging.ERROR)
ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "ontology" / "examples"
CATALOGUE = ROOT / "examples" / "catalogue.ttl"
# Real catalogues of some hundred labels, whose IRIs Oxigraph takes.
REAL = [
    "comunefoggia-catalog.rdf", "gsa-usda.gov.data.json", "w3c-csiro-dap-examples.ttl",
]  # fmt: skip
LABELLED = {URIRef(each.value) for each in PROPERTIES}
LINKS = {URIRef(each.value) for each in PROPERTIES.values()}
LANGUAGES = {"en", "de", "fr", "es"}
RULES = sorted(
    str(shape).removeprefix(CTVS)
    for kind in (SH.NodeShape, SH.PropertyShape)
    for shape in catalogue_shapes().subjects(RDF.type, kind)
)
EU = "http://publications.europa.eu/resource/authority/file-type/"
IANA = "https://www.iana.org/assignments/media-types/"
PREFIXES = """
    @prefix ctv: <https://w3id.org/cturi/vocab#> .
    @prefix dcat: <http://www.w3.org/ns/dcat#> .
    @prefix dct: <http://purl.org/dc/terms/> .
    @prefix ex: <https://example.org/> .
    @prefix iana: <https://www.iana.org/assignments/media-types/> .
    @prefix schema: <https://schema.org/> .
"""


def _check(turtle: str) -> CheckReport:
    return check(Graph().parse(data=PREFIXES + turtle, format="turtle"))


def _rules(report: CheckReport) -> set[str]:
    return {each.rule for each in report.findings}


def test_there_are_rules_and_an_example_of_each() -> None:
    assert len(RULES) > 15
    for kind in ("valid", "broken"):
        assert {path.stem for path in (EXAMPLES / kind).glob("*.ttl")} == set(RULES)


@pytest.mark.parametrize("rule", RULES)
def test_a_valid_example_passes(rule: str) -> None:
    report = check(read_catalog(str(EXAMPLES / "valid" / f"{rule}.ttl")))
    assert report.focus_nodes
    assert report.findings == []
    assert report.conforms


@pytest.mark.parametrize("rule", RULES)
def test_a_broken_example_fails_by_its_rule_alone(rule: str) -> None:
    report = check(read_catalog(str(EXAMPLES / "broken" / f"{rule}.ttl")))
    assert _rules(report) == {rule}
    (finding,) = report.findings
    assert set(finding.messages) == LANGUAGES
    assert not any("{" in message for message in finding.messages.values())
    assert report.conforms is (finding.level != "Violation")


def test_the_shapes_name_all_properties_that_labels_stand_on() -> None:
    graph = catalogue_shapes()
    assert set(graph.objects(CTVS.TypeExists, SH.targetSubjectsOf)) == LABELLED | LINKS


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


def _examples() -> Graph:
    graph = Graph()
    for path in (CATALOGUE, *EXAMPLES.glob("*/*.ttl")):
        graph.parse(path)
    return graph


def as_graph(report: CheckReport) -> Graph:
    graph = Graph()
    for triple in validation_report(report):
        graph.add(tuple(map(from_ox, triple)))
    return graph


def _places(finding: Finding) -> list[tuple[object, object]]:
    """Return the resource and the value of each place, in terms of rdflib."""
    return [
        (from_ox(place.resource), None if place.value is None else from_ox(place.value))
        for place in finding.places
    ]


def _told(report: Graph) -> set[tuple[str, ...]]:
    """Return what each result of a validation report says, in words that engines share."""
    paths = (SH.focusNode, SH.resultPath, SH.value, SH.sourceShape, SH.resultSeverity)
    told = set()
    for each in report.subjects(RDF.type, SH.ValidationResult):
        said = [str(report.value(each, path)) for path in paths]
        messages = [str(message) for message in report.objects(each, SH.resultMessage)]
        # Ours shows a relative IRI as its author wrote it.
        told.add((*said, *sorted(text.replace(said[2], relative(said[2])) for text in messages)))
    return told


def _by_pyshacl(graph: Graph) -> Graph:
    """Return the report of pySHACL on a whole catalogue, with what shapes need beside it."""
    pyshacl = pytest.importorskip("pyshacl")
    known = Graph()
    for each in occurrences(graph):
        for triple in of_label(str(each.value), each.resolution):
            known.add(in_rdflib(triple))
    known.remove((None, CTV.contentTypeHeader, None))
    for header in headers(graph):
        for content_type in header.conflicts:
            known.add((header.resource, CTV.conflictingType, mint(content_type)))
    store = pyoxigraph.Store()
    store.extend(pyoxigraph.Quad(*map(to_ox, triple)) for triple in graph + known)
    _, report, _ = pyshacl.validate(store, shacl_graph=catalogue_shapes())
    return report


def test_the_results_are_those_of_pyshacl_on_all_examples() -> None:
    graph = _examples()
    expected = _told(_by_pyshacl(graph))
    assert {each[3].removeprefix(CTVS) for each in expected} == set(RULES)
    assert _told(as_graph(check(graph))) == expected


@pytest.mark.parametrize("name", REAL)
def test_the_results_are_those_of_pyshacl_on_a_real_catalogue(shared: Path, name: str) -> None:
    graph = Graph()
    for *triple, _ in read_catalog(str(shared / "catalogs" / name)).quads():
        graph.add(tuple(triple))
    expected = _told(_by_pyshacl(graph))
    assert expected
    assert _told(as_graph(check(graph))) == expected


def test_the_shapes_hold_by_the_shapes_of_shacl_itself() -> None:
    pyshacl = pytest.importorskip("pyshacl.entrypoints")
    conforms, _, text = pyshacl.meta_validate(catalogue_shapes())
    assert conforms, text


@pytest.mark.parametrize(
    ("turtle", "rules"),
    [
        ('ex:a schema:encodingFormat "text/csv", "TEXT/CSV; header=present", "CSV" .', set()),
        ('ex:a schema:encodingFormat "img/jpeg" .', {"TypeIsSpeltRight"}),
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
        # A name in IANA's space that IANA does not list is none, whatever class it is given.
        ("ex:a dcat:mediaType iana:nonsense . iana:nonsense a dct:MediaType .", {"TypeExists"}),
        # SHP in a zip is packed, not another format; GeoJSON is JSON.
        (
            f"ex:a dct:format <{EU}SHP> ; dcat:mediaType <{IANA}application/zip> .",
            set(),
        ),
        (
            f"ex:a dct:format <{EU}GEOJSON> ; dcat:mediaType <{IANA}application/json> .",
            set(),
        ),
        (
            "ex:a schema:encodingFormat 'image/png; charset=utf-8' .",
            {"CharsetIsMeaningful"},
        ),
        ("ex:a schema:encodingFormat 'image/svg+xml; charset=utf-8' .", set()),
        ("ex:a schema:encodingFormat 'text/csv; Charset=\"UTF-8\"; header=absent' .", set()),
        ("ex:a dcat:mediaType <ContentType:text/csv?charset=%22latin1%22> .", set()),
        (
            "ex:a dcat:mediaType <ContentType:text/csv?charset=%22latin-1%22> .",
            {"CharsetIsRegistered"},
        ),
        ("ex:a schema:encodingFormat 'text/csv; charset=ütf-8' .", {"CharsetIsKnown"}),
        ("ex:a dct:format 'OGC WMS'@en .", {"FormatIsNode", "TypeIsNoService"}),
        # A code of the EU's table is right where DCAT-AP prescribes the table.
        (f"ex:a dct:format <{EU}WMS_SRVC> .", set()),
        (f"ex:a schema:encodingFormat <{EU}WMS_SRVC> .", {"TypeIsNoService"}),
        (f"ex:a dct:format <{EU}csv> .", {"EuFileTypeIsSpeltRight"}),
        (f"ex:a dct:format <{EU.replace('http:', 'https:')}CSV> .", {"EuFileTypeIsSpeltRight"}),
        (f"ex:a dct:format <{EU}LEG>, <{EU}FMX2> .", {"EuFileTypeIsCurrent"}),
        (f"ex:a dct:format <{EU}NONE_SUCH> .", {"TypeExists"}),
        # DCAT 3 takes a format of the publisher's own, which says that it is one.
        ("ex:a dct:format ex:ours . ex:ours a dct:MediaTypeOrExtent .", set()),
        ("ex:a dct:format ex:ours .", {"TypeExists"}),
        ("ex:a dct:format [] .", {"FormatIsDescribed"}),
        # What is a text has to be a header, or the name of a format.
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
        ("ex:a ctv:contentType <ContentType:text/csv;header=present> .", {"LinkIsNode"}),
        (f"ex:a ctv:contentType <{IANA}text/csv> .", {"LinkIsNode"}),
        (f"ex:a ctv:bareMediaType <{IANA}text/csv> .", {"LinkIsNode"}),
        ('ex:a ctv:packaging "text/csv" .', {"LinkIsNode"}),
        (
            f"ex:a dcat:mediaType <{IANA}text/csv> ; ctv:contentType <ContentType:image/png> .",
            {"LinkAgreesWithLabel"},
        ),
    ],
)
def test_a_statement_breaks_the_rules_that_it_breaks(turtle: str, rules: set[str]) -> None:
    assert _rules(_check(turtle)) == rules


def test_an_obsolete_type_comes_with_its_replacement() -> None:
    report = _check("ex:a dcat:mediaType <ContentType:application/vnd.geo+json> .")
    (finding,) = [each for each in report.findings if each.rule == "TypeIsCurrent"]
    assert "application/geo+json" in finding.message()
    assert finding.message("de").startswith("ContentType:application/vnd.geo+json ist veraltet")


def test_a_charset_that_is_none_comes_with_the_one_that_is_spelt_alike() -> None:
    for charset, said in (
        ("UTF8", "utf8 is no name of a character set that IANA lists: that is UTF-8."),
        ("iso88591", "iso88591 is no name of a character set that IANA lists: that is ISO-8859-1."),
        ("klingon", "klingon is no name of a character set that IANA lists."),
    ):
        (finding,) = _check(f"ex:a schema:encodingFormat 'text/html; charset={charset}' .").findings
        assert finding.message() == said
        assert finding.level == "Warning"


def test_resources_that_say_the_same_share_a_finding() -> None:
    turtle = " ".join(f'ex:d{number} dcat:mediaType "text/csv"@en .' for number in range(50))
    report = _check(turtle + ' ex:other dcat:mediaType "text/csv" .')
    (finding,) = report.findings
    assert len(finding.places) == report.count(OX_SH.Violation) == report.focus_nodes == 51
    assert {value for _, value in _places(finding)} == {
        Literal("text/csv"),
        Literal("text/csv", lang="en"),
    }


def test_a_catalogue_without_a_label_is_not_a_pass(tmp_path: Path) -> None:
    report = _check("ex:a dct:title 'nothing here' .")
    assert report.focus_nodes == 0
    assert not report.conforms
    assert report.idle == ("our shapes",)
    source = tmp_path / "empty.ttl"
    source.write_text("<http://a.example/> <http://purl.org/dc/terms/title> 'a' .")
    result = CliRunner().invoke(command, [str(source)])
    assert result.exit_code == 1
    assert "nothing to check for our shapes, which is not a pass" in result.stderr
    sarif = json.loads(as_sarif(report, "-"))["runs"][0]
    assert sarif["invocations"][0]["executionSuccessful"] is False


def test_a_draft_spelling_and_a_backslash_come_back_as_they_were_written() -> None:
    graph = Graph()
    node = URIRef('ContentType:text/csv?header="present"')
    graph.add((node, CTV.contentTypeHeader, Literal(r'text/html; a="\"')))
    graph.add((node, DCAT.mediaType, Literal("a\\b/c")))
    said = {each.rule: each for each in check(graph).findings}
    assert _places(said["HeaderAgreesWithNode"]) == [(node, Literal(r'text/html; a="\"'))]
    assert r'text/html; a="\"' in said["HeaderAgreesWithNode"].message()
    assert said["TypeExists"].message().startswith("a\\b/c is in no registry")


def test_checking_does_not_change_the_catalogue() -> None:
    graph = Graph().parse(data=PREFIXES + "ex:a dct:format 'CSV' .", format="turtle")
    before = set(graph)
    check(graph, shapes=Graph().parse(data=OTHERS, format="turtle"))
    assert set(graph) == before


def test_what_stands_in_two_named_graphs_is_said_once() -> None:
    dataset = Dataset(default_union=True)
    for name in ("https://example.org/1", "https://example.org/2"):
        dataset.graph(URIRef(name)).add((URIRef(name[:-1]), DCAT.mediaType, Literal("text/csv")))
    (finding,) = check(dataset).findings
    assert len(finding.places) == 1


@given(
    st.one_of(st.text(max_size=20).map(URIRef), st.just(URIRef("ContentType:a/b"))),
    st.text(max_size=20).map(Literal),
)
@settings(max_examples=15)
def test_any_header_of_any_node_is_checked(node: URIRef, header: Literal) -> None:
    graph = Graph()
    graph.add((node, CTV.contentTypeHeader, header))
    report = check(graph)
    assert report.focus_nodes == 1
    for finding in report.findings:
        assert _places(finding) == [(node, header)]
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
@settings(max_examples=25)
def test_any_value_is_checked(path: URIRef, value: URIRef | Literal | BNode) -> None:
    graph = Graph()
    graph.add((URIRef("http://a.example/"), path, value))
    report = check(graph)
    assert report.focus_nodes == 1
    for finding in report.findings:
        assert _places(finding) == [(URIRef("http://a.example/"), value)]


# --- Shapes of others, and the background ----------------------------------------------------

OTHERS = """
    @prefix ctv: <https://w3id.org/cturi/vocab#> .
    @prefix dcat: <http://www.w3.org/ns/dcat#> .
    @prefix dct: <http://purl.org/dc/terms/> .
    @prefix sh: <http://www.w3.org/ns/shacl#> .
    <http://shapes.example/Titled> a sh:NodeShape ; sh:targetClass dcat:Distribution ;
        sh:property [ sh:path dct:title ; sh:minCount 1 ] .
"""
GOOD = """
    ex:a a dcat:Distribution ;
        dcat:accessURL <https://example.org/a> ;
        dct:format <http://publications.europa.eu/resource/authority/file-type/CSV> ;
        dcat:mediaType <https://www.iana.org/assignments/media-types/text/csv> .
"""
OFFICIAL = {
    "dcat-ap-2.1.1-range.ttl", "dcat-ap-2.1.1-shapes.ttl", "dcat-ap-3.0.0.ttl",
    "dcat-ap-3.0.1.ttl", "dcat-us-3.0.ttl",
}  # fmt: skip


def _official(shared: Path, name: str) -> Graph:
    return Graph().parse(shared / "suites" / "dcat-shapes" / name)


def _about_types(report: CheckReport) -> list[str]:
    return [f"{each.rule}: {each.message()}" for each in report.findings if each.path in PROPERTIES]


@pytest.mark.parametrize("name", sorted(OFFICIAL))
def test_a_correct_type_passes_the_official_shapes(shared: Path, name: str) -> None:
    graph = Graph().parse(data=PREFIXES + GOOD, format="turtle")
    report = check(graph, shapes=_official(shared, name))
    assert report.idle == ()
    assert _about_types(report) == []


@pytest.mark.parametrize("name", ["dcat-ap-2.1.1-range.ttl", "dcat-ap-3.0.0.ttl"])
def test_without_the_background_the_official_shapes_reject_it(shared: Path, name: str) -> None:
    pyshacl = pytest.importorskip("pyshacl")
    graph = Graph().parse(data=PREFIXES + GOOD, format="turtle")
    conforms, _, text = pyshacl.validate(graph, shacl_graph=_official(shared, name))
    assert not conforms
    assert "text/csv" in text


@pytest.mark.parametrize("name", ["dcat-ap-2.1.1-range.ttl", "dcat-ap-3.0.0.ttl"])
def test_nonsense_that_passes_the_official_shapes_is_caught(shared: Path, name: str) -> None:
    turtle = """
        ex:a a dcat:Distribution ; dcat:accessURL <https://example.org/a> ;
            dcat:mediaType <http://x/nonsense> .
        <http://x/nonsense> a dct:MediaType .
        <https://example.org/a> a <http://www.w3.org/2000/01/rdf-schema#Resource> .
    """
    graph = Graph().parse(data=PREFIXES + turtle, format="turtle")
    shapes = _official(shared, name)
    pyshacl = pytest.importorskip("pyshacl")
    conforms, _, text = pyshacl.validate(graph, shacl_graph=shapes)
    assert conforms, text
    assert _rules(check(graph, shapes=shapes)) == {"TypeExists"}


def test_shapes_of_others_see_the_whole_catalogue() -> None:
    graph = Graph().parse(data=PREFIXES + GOOD, format="turtle")
    report = check(graph, shapes=Graph().parse(data=OTHERS, format="turtle"))
    (finding,) = report.findings
    assert _places(finding) == [(URIRef("https://example.org/a"), None)]
    assert finding.rule == "MinCountConstraintComponent"
    assert not report.conforms


def test_shapes_of_others_without_a_focus_node_are_not_a_pass() -> None:
    graph = Graph().parse(data=PREFIXES + "ex:a dcat:mediaType iana:text\\/csv .", format="turtle")
    report = check(graph, shapes=Graph().parse(data=OTHERS, format="turtle"))
    assert report.findings == []
    assert report.idle == ("the shapes that were added",)
    assert not report.conforms


def test_a_reference_to_a_shape_that_is_not_there_is_left_out_with_a_warning() -> None:
    shapes = Graph().parse(
        format="turtle",
        data=PREFIXES
        + """
        @prefix sh: <http://www.w3.org/ns/shacl#> .
        ex:Shape a sh:NodeShape ; sh:targetSubjectsOf dct:format ;
            sh:property ex:none, [ sh:path dct:format ; sh:maxCount 1 ] .
        """,
    )
    before = len(shapes)
    graph = Graph().parse(
        format="turtle", data=f"{PREFIXES} ex:a dct:format <{EU}CSV>, <{EU}TSV> ."
    )
    report = check(graph, shapes=shapes)
    (warning,) = report.warnings
    assert "https://example.org/Shape" in warning
    assert "https://example.org/none" in warning
    assert len(shapes) == before
    components = [finding.component for finding in report.findings]
    assert OX_SH.MaxCountConstraintComponent in components


def test_dcat_ap_3_0_1_as_published_checks_a_catalogue_with_a_service(shared: Path) -> None:
    shapes = Graph().parse(shared / "suites" / "dcat-shapes" / "dcat-ap-3.0.1.ttl")
    catalogue = read_catalog(str(shared / "catalogs" / "maregraph-eu-catalog.ttl"))
    report = check(catalogue, shapes=shapes)
    assert len(report.warnings) == 2
    assert not report.idle


def test_every_shape_has_one_constraint_so_that_engines_agree() -> None:
    graph = catalogue_shapes()
    assert all(len(list(graph.objects(CTVS[rule], SH.sparql))) <= 1 for rule in RULES)


def test_what_is_no_shapes_graph_is_refused() -> None:
    graph = Graph().parse(data=PREFIXES + GOOD, format="turtle")
    broken = """
        @prefix sh: <http://www.w3.org/ns/shacl#> .
        @prefix dcat: <http://www.w3.org/ns/dcat#> .
        <http://s.example/> a sh:NodeShape ; sh:targetClass dcat:Distribution ;
            sh:property "no shape" .
    """
    with pytest.raises(CatalogError, match="pySHACL"):
        check(graph, shapes=Graph().parse(data=broken, format="turtle"))


def test_an_identifier_is_of_the_class_that_it_is_of() -> None:
    graph = Graph()
    for triple in of_type("text/csv"):
        graph.add(in_rdflib(triple))
    eu = URIRef("http://publications.europa.eu/resource/authority/file-type/CSV")
    assert (eu, RDF.type, DCTERMS.MediaTypeOrExtent) in graph
    assert (eu, RDF.type, DCTERMS.MediaType) not in graph
    for base in ("https", "http"):
        iana = URIRef(f"{base}://www.iana.org/assignments/media-types/text/csv")
        assert (iana, RDF.type, DCTERMS.MediaType) in graph


# --- Reports ---------------------------------------------------------------------------------

BAD = """
    ex:a dcat:mediaType "text/csv" ; dct:format 'WMS' .
    ex:b dcat:distribution [ dcat:mediaType <http://x/nonsense> ] .
"""


def test_the_text_has_the_counts_and_the_worst_first() -> None:
    text = as_text(_check(BAD), "bad.ttl")
    lines = text.splitlines()
    assert lines[0] == "bad.ttl: 2 resources checked, 4 violations, 0 warnings, 0 infos"
    assert "      1 × Violation: TypeExists, the media type exists" in lines
    assert 'Violation × 1: dct:format "WMS"' in lines
    # A blank node goes by what leads to it.
    assert "    on https://example.org/b" in lines


def test_the_text_says_of_a_shape_of_others_what_it_is_about() -> None:
    graph = Graph().parse(data=PREFIXES + GOOD, format="turtle")
    shapes = Graph().parse(data=OTHERS, format="turtle")
    lines = as_text(check(graph, shapes=shapes), "-").splitlines()
    assert "      1 × Violation: MinCountConstraintComponent, MinCount of dct:title" in lines


def test_the_text_shows_ten_findings_and_says_how_many_there_are() -> None:
    turtle = " ".join(f"ex:a dct:format 'format {number}' ." for number in range(13))
    lines = as_text(_check(turtle), "-").splitlines()
    assert sum(line.startswith("Violation × ") for line in lines) == 10
    assert lines[-1] == "and 3 more, all of them with --all"
    everything = as_text(_check(turtle), "-", everything=True)
    assert everything.count("\nViolation × ") == 13
    assert " more, " not in everything


def test_the_text_shows_the_first_of_each_rule_before_the_second_of_any() -> None:
    turtle = " ".join(f"ex:a dct:format 'format {number}' ." for number in range(13))
    text = as_text(_check(turtle + " ex:a dcat:mediaType 'text/csv' ."), "-")
    assert 'dcat:mediaType "text/csv"' in text


@pytest.mark.parametrize("kind", sorted(REPORTS))
def test_several_files_are_one_document(kind: str) -> None:
    report = _check(BAD)
    one, both = (document_of(kind, dict.fromkeys(names, report)) for names in (["a"], ["a", "b"]))
    if kind in {"text", "github"}:
        assert both.startswith(one)
        assert len(both.splitlines()) in {2 * len(one.splitlines()) + extra for extra in (0, 1)}
    elif kind == "turtle":
        graphs = [Graph().parse(data=text, format="turtle") for text in (one, both)]
        assert len(graphs[1]) == 2 * len(graphs[0])
    else:
        found = json.loads(both)
        assert len(found["runs"] if kind == "sarif" else found) == 2


def test_the_graph_is_a_validation_report() -> None:
    report = _check(BAD)
    graph = Graph().parse(data=as_turtle(report, "bad.ttl"), format="turtle")
    assert len(graph) == len(as_graph(report))
    results = list(graph.subjects(RDF.type, SH.ValidationResult))
    assert len(results) == 4
    for each in results:
        for path in (SH.focusNode, SH.resultSeverity, SH.sourceShape, SH.sourceConstraintComponent):
            assert graph.value(each, path)
        assert {message.language for message in graph.objects(each, SH.resultMessage)} == LANGUAGES


def test_the_json_has_every_finding() -> None:
    document = json.loads(as_json(_check(BAD), "bad.ttl", "fr"))
    assert (document["conforms"], document["violations"], document["focus_nodes"]) == (False, 4, 2)
    (service,) = [each for each in document["findings"] if each["rule"] == "TypeIsNoService"]
    assert service["resources"] == ["https://example.org/a"]
    assert service["message"].startswith("WMS est un service")


def test_the_sarif_has_a_rule_for_every_result() -> None:
    document = json.loads(as_sarif(_check(BAD), "a folder/bad.ttl"))
    assert document["version"] == "2.1.0"
    (run,) = document["runs"]
    rules = {each["id"] for each in run["tool"]["driver"]["rules"]}
    assert {each["ruleId"] for each in run["results"]} == rules
    assert len(run["results"]) == 4
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "a%20folder/bad.ttl"


# --- The command -----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["text", "turtle", "json", "sarif"])
def test_the_command_writes_each_report_and_exits_1(tmp_path: Path, kind: str) -> None:
    source, target = tmp_path / "bad.ttl", tmp_path / "report"
    source.write_text(PREFIXES + BAD)
    result = CliRunner().invoke(
        command, [str(source), "--format", kind, "-o", str(target), "--language", "es"]
    )
    assert result.exit_code == 1
    assert "nonsense" in target.read_text("utf-8")


def test_the_command_takes_shapes_and_passes(tmp_path: Path) -> None:
    source, shapes = tmp_path / "good.ttl", tmp_path / "shapes.ttl"
    source.write_text(PREFIXES + GOOD + "ex:a dct:title 'A' .")
    shapes.write_text(OTHERS)
    result = CliRunner().invoke(command, [str(source), "--shapes", str(shapes), "--json"])
    assert result.exit_code == 0
    assert json.loads(result.stdout)["conforms"] is True


def test_the_text_cannot_write_to_the_terminal(tmp_path: Path) -> None:
    source = tmp_path / "bad.ttl"
    source.write_text(PREFIXES + r'ex:a dcat:mediaType "\u001b[31mred" .')
    result = CliRunner().invoke(command, [str(source)])
    assert "\x1b" not in result.stdout


def test_a_catalogue_of_thousands_is_checked_by_what_is_different(shared: Path) -> None:
    dataset = read_catalog(str(shared / "catalogs" / "gsa-dcatus_with_none.json"))
    report = check(dataset)
    assert report.focus_nodes == 2841
    said = {each.rule: 0 for each in report.findings}
    for each in report.findings:
        said[each.rule] += len(each.places)
    assert said["MediaTypeIsIri"] == said["FormatIsNode"] == 2841
    assert len(report.findings) < 100
    assert (None, CTV.contentType, None) not in dataset
