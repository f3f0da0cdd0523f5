"""Shapes of others over a whole catalogue, with the facts about its types beside it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from checks import DCAT_AP, EU, GOOD, OTHERS, PREFIXES, places_of
from rdflib import RDF, Graph, URIRef
from rdflib.namespace import DCTERMS

from cturi_rdf.catalogue.shacl import SH as OX_SH
from cturi_rdf.check import check, check_file
from cturi_rdf.rdf.description import in_rdflib
from cturi_rdf.rdf.export import of_type
from cturi_rdf.rdf.terms import PROPERTIES
from cturi_rdf.reading import CatalogError, read_catalog
from cturi_rdf.repair import plan_file, repair_file

if TYPE_CHECKING:
    from conftest import Cturi, Write

    from cturi_rdf.catalogue.findings import CheckReport

EXAMPLES = Path(__file__).parents[1] / "examples"
OFFICIAL = [*DCAT_AP[:-1], "dcat-us-3.0.ttl"]


def _official(shared: Path, name: str) -> Graph:
    return Graph().parse(shared / "suites" / "dcat-shapes" / name)


def _about_types(report: CheckReport) -> list[str]:
    return [f"{each.rule}: {each.message()}" for each in report.findings if each.path in PROPERTIES]


@pytest.mark.parametrize("name", OFFICIAL)
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
    [finding] = check(graph, shapes=shapes).findings
    assert finding.message() == "<http://x/nonsense> is in no registry of media types or formats."


def test_shapes_of_others_see_the_whole_catalogue() -> None:
    graph = Graph().parse(data=PREFIXES + GOOD, format="turtle")
    report = check(graph, shapes=Graph().parse(data=OTHERS, format="turtle"))
    (finding,) = report.findings
    assert places_of(finding) == [(URIRef("https://example.org/a"), None)]
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


CONFORMS = "@prefix ex: <http://a.example/> . ex:p a ex:Person ; ex:name 'Ada' ."
NAMED = """@prefix ex: <http://a.example/> . @prefix sh: <http://www.w3.org/ns/shacl#> .
    ex:Shape a sh:NodeShape ; sh:targetClass ex:Person ;
        sh:property [ sh:path ex:name ; sh:minCount 1 ] ."""


def test_a_file_that_conforms_to_the_shapes_of_others_passes(cturi: Cturi, write: Write) -> None:
    source, shapes = write("person.ttl", CONFORMS), write("shapes.ttl", NAMED)
    assert cturi("check", source, "--shapes", shapes).code == 0
    broken = write("broken.ttl", CONFORMS.replace("ex:name", "ex:nick"))
    assert cturi("check", broken, "--shapes", shapes).code == 1


def test_a_file_that_is_no_catalogue_passes_among_others_and_where_it_may(
    cturi: Cturi, write: Write
) -> None:
    ontology = write("ontology.ttl", CONFORMS)
    catalogue = write("c.ttl", "<http://a.example/d> <http://purl.org/dc/terms/format> 'CSV' .")
    assert cturi("check", ontology).code == 1
    assert cturi("check", ontology, "--allow-nothing").code == 0
    assert cturi("check", ontology, catalogue).code == cturi("check", catalogue).code


@pytest.mark.parametrize("name", ["ckan-dataset.rdf", "street-trees.ttl"])
def test_the_examples_of_exports_pass_the_official_shapes_once_they_are_repaired(
    shared: Path, tmp_path: Path, name: str
) -> None:
    source, target = str(EXAMPLES / name), str(tmp_path / name)
    official = _official(shared, "dcat-ap-3.0.1.ttl")
    assert check_file(source, shapes=official).violated
    repair_file(plan_file(source, profile="dcat-ap"), target)
    assert not check_file(target, shapes=official).violated
