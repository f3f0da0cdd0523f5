"""Shared by the tests of checks: catalogues in Turtle, and reports as graphs."""

from __future__ import annotations

import logging
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph as ox
from rdflib import RDF, Graph, Namespace, URIRef

from cturi_rdf.catalogue.check import all_findings
from cturi_rdf.catalogue.checked import judged_quads
from cturi_rdf.catalogue.findings import CheckReport
from cturi_rdf.catalogue.profiles import choose_profile
from cturi_rdf.catalogue.rendering import validation_report
from cturi_rdf.catalogue.shacl import SHAPES_FILE
from cturi_rdf.catalogue.shacl.foreign_shapes import SH, union_of
from cturi_rdf.catalogue.shacl.rules import FocusNodes
from cturi_rdf.check import check
from cturi_rdf.rdf.terms import PROPERTIES
from cturi_rdf.reading.terms import from_ox, lenient_ox

if TYPE_CHECKING:
    from cturi_rdf.catalogue.findings import Finding

# rdflib logs every invalid IRI; the tests make many.
logging.getLogger("rdflib.term").setLevel(logging.ERROR)
# The official shapes of DCAT-AP beside the project.
_PARTS = ("2.1.1-range", "2.1.1-shapes", "3.0.0", "3.0.1", "3.0.1-vocabularies")
DCAT_AP = [f"dcat-ap-{part}.ttl" for part in _PARTS]
CTVS = Namespace("https://w3id.org/cturi/shapes#")
LANGUAGES = {"en", "de", "fr", "es"}
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

_ROOT = Path(__file__).parents[1]
CATALOGUE = _ROOT / "examples" / "catalogue.ttl"
# A valid and a broken catalogue for each rule.
EXAMPLES = _ROOT / "ontology" / "examples"
LINKS = {URIRef(each.value) for each in PROPERTIES.values()}

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


@cache
def catalogue_shapes() -> Graph:
    """Return all our shapes for catalogues; not to be changed."""
    return Graph().parse(SHAPES_FILE, format="nt")


RULES = sorted(
    str(shape).removeprefix(CTVS)
    for kind in (SH.NodeShape, SH.PropertyShape)
    for shape in catalogue_shapes().subjects(RDF.type, kind)
)


def check_turtle(turtle: str) -> CheckReport:
    return check(Graph().parse(data=PREFIXES + turtle, format="turtle"))


def shape_turtle(turtle: str) -> CheckReport:
    return by_our_shapes(Graph().parse(data=PREFIXES + turtle, format="turtle"))


def by_our_shapes(graph: Graph) -> CheckReport:
    """Return the report of our shapes alone, without a profile."""
    quads = [ox.Quad(*map(lenient_ox, triple)) for triple in union_of(graph)]
    catalogue, *_ = judged_quads(quads, choose_profile(quads), by_url=False)
    nodes = FocusNodes(catalogue)
    findings = all_findings(catalogue, nodes, by_url=False)
    idle = () if nodes.focus_nodes else ("our shapes",)
    return CheckReport(findings, nodes.focus_nodes, idle, name=catalogue.name)


def rules_of(report: CheckReport) -> set[str]:
    return {each.rule for each in report.findings}


def as_graph(report: CheckReport) -> Graph:
    graph = Graph()
    for triple in validation_report(report):
        graph.add(tuple(map(from_ox, triple)))
    return graph


def places_of(finding: Finding) -> list[tuple[object, object]]:
    """Return the resource and the value of each place, in terms of rdflib."""
    return [
        (from_ox(place.resource), None if place.value is None else from_ox(place.value))
        for place in finding.places
    ]


def properties_checked() -> set[URIRef]:
    """Return the properties whose values are labels, and nothing else (ontology/properties.ttl)."""
    table = Graph().parse(_ROOT / "ontology" / "properties.ttl")
    others = set(table.subjects(CTVS["values"], CTVS.Anything))
    labelled = {URIRef(path.value) for path in PROPERTIES}
    assert others < labelled
    return labelled - others
