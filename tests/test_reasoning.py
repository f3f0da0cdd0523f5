"""Annotating with a reasoner at work: beside DCAT, what is annotated entails nothing of DCAT.

No catalogue gets a new class, a new statement in words of others, or a new violation of the
official shapes of DCAT-AP 2.1.1, 3.0.0 and 3.0.1 and of DCAT-US 3.0.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from rdflib import DCAT, DCTERMS, OWL, RDF, RDFS, SDO, SH, Graph, Literal, URIRef

from cturi_rdf.check.shapes import dangling_references
from cturi_rdf.io import read_catalog
from cturi_rdf.rdf import CTV, annotate
from cturi_rdf.rdf.properties import PROPERTIES

if TYPE_CHECKING:
    from rdflib.term import Node

owlrl = pytest.importorskip("owlrl")
pyshacl = pytest.importorskip("pyshacl")
ONTOLOGY = Path(__file__).parents[1] / "ontology"
SHARED = Path(__file__).parents[2] / "shared" / "catalogs"
CATALOGUES = sorted(
    path.name for path in SHARED.glob("*.*") if path.suffix not in {".tsv", ".md"}
) or ["absent"]
# What DCAT 3 and DCMI Metadata Terms state of the properties that carry labels: facts of
# https://www.w3.org/TR/vocab-dcat-3/ section 6.8 and the DCMI schema of 2020.
DCAT_3 = Graph().parse(
    format="turtle",
    data="""
    @prefix dcat: <http://www.w3.org/ns/dcat#> .
    @prefix dct: <http://purl.org/dc/terms/> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    dct:format rdfs:range dct:MediaTypeOrExtent .
    dct:MediaType rdfs:subClassOf dct:MediaTypeOrExtent .
    dcat:mediaType rdfs:domain dcat:Distribution ; rdfs:range dct:MediaType ;
        rdfs:subPropertyOf dct:format .
    dcat:compressFormat rdfs:domain dcat:Distribution ; rdfs:range dct:MediaType ;
        rdfs:subPropertyOf dct:format .
    dcat:packageFormat rdfs:domain dcat:Distribution ; rdfs:range dct:MediaType ;
        rdfs:subPropertyOf dct:format .
    """,
)
SEMANTICS = {"RDFS": owlrl.RDFS_Semantics, "OWL RL": owlrl.OWLRL_Semantics}


@cache
def _vocabularies() -> Graph:
    """Return DCAT and our vocabulary, without what annotates terms only."""
    graph = Graph() + DCAT_3
    for path in (
        "cturi.ttl",
        "axioms.ttl",
        *(f"alignments/{each.name}" for each in (ONTOLOGY / "alignments").glob("*.ttl")),
    ):
        graph.parse(ONTOLOGY / path)
    entailing = {RDF.type, RDFS.subClassOf, RDFS.subPropertyOf, RDFS.domain, RDFS.range}
    kept = Graph()
    for triple in graph:
        if triple[1] in entailing or triple in DCAT_3 or "owl#" in triple[1]:
            kept.add(triple)
    return kept


LABELLED = {URIRef(path.value) for path in PROPERTIES}


def _closed(graph: Graph, semantics: str) -> Graph:
    stated = graph + _vocabularies()
    closed = Graph() + stated
    owlrl.DeductiveClosure(SEMANTICS[semantics]).expand(closed)
    texts = {(*triple[:2], str(triple[2])) for triple in stated}
    for triple in closed - stated:
        # The reasoner takes literals of one text for the same, whatever their languages.
        if isinstance(triple[2], Literal) and (*triple[:2], str(triple[2])) in texts:
            closed.remove(triple)
    return closed


def _statements(resources: set[Node], graph: Graph) -> set[tuple[Node, Node, Node]]:
    """Return all statements about resources in words of others."""
    return {
        triple for triple in graph if triple[0] in resources and not triple[1].startswith(str(CTV))
    }


@cache
def _official_shapes() -> Graph:
    """Return all official shapes as one graph: what is new by any of them is new by this."""
    shapes = Graph()
    for path in (SHARED.parent / "suites" / "dcat-shapes").glob("*.ttl"):
        shapes.parse(path)
    for shape, name in dangling_references(shapes):
        shapes.remove((shape, SH.property, name))
    return shapes.remove((None, OWL.imports, None))


def _violations(graph: Graph) -> set[tuple[Node | None, ...]]:
    """Return what the official shapes find in a graph."""
    _, report, _ = pyshacl.validate(graph, shacl_graph=_official_shapes(), inplace=True)
    facts = SH.focusNode, SH.resultPath, SH.value, SH.sourceConstraintComponent
    results = report.subjects(RDF.type, SH.ValidationResult)
    return {tuple(report.value(result, fact) for fact in facts) for result in results}


@cache
def _sample(catalogue: str) -> Graph:
    """Return all statements of one resource for each combination of classes and labels."""
    graph = read_catalog(catalogue)
    alike: dict[frozenset[tuple[Node, str]], Node] = {}
    for path in LABELLED:
        for resource in graph.subjects(path):
            key = frozenset(
                (predicate, str(value))
                for predicate, value in graph.predicate_objects(resource)
                if predicate in LABELLED or predicate == RDF.type
            )
            alike.setdefault(key, resource)
    sample = Graph()
    for resource in alike.values():
        for predicate, value in graph.predicate_objects(resource):
            if predicate in LABELLED or predicate == RDF.type:
                sample.add((resource, predicate, value))
    return sample


@pytest.mark.parametrize("semantics", SEMANTICS)
@pytest.mark.parametrize("name", CATALOGUES)
def test_annotating_a_catalogue_entails_nothing_new_of_its_resources(
    shared: Path, name: str, semantics: str
) -> None:
    catalogue = Graph() + _sample(str(shared / "catalogs" / name))
    resources = set(catalogue.subjects())
    assert resources
    before = _closed(catalogue, semantics)
    annotate(catalogue)
    after = _closed(catalogue, semantics)
    assert len(after) > len(before)
    # A class is such a statement too.
    assert _statements(resources, after) == _statements(resources, before)
    assert _violations(after) <= _violations(before)


@pytest.mark.parametrize("semantics", SEMANTICS)
def test_a_compressed_media_object_does_not_become_a_distribution(semantics: str) -> None:
    resource = URIRef("https://example.org/x")
    graph = Graph()
    graph.add((resource, RDF.type, SDO.MediaObject))
    graph.add((resource, SDO.encodingFormat, Literal("csv.gz")))
    annotate(graph)
    assert graph.value(resource, CTV.compression)
    closed = _closed(graph, semantics)
    assert (resource, RDF.type, DCAT.Distribution) not in closed
    assert not list(closed.objects(resource, DCTERMS["format"]))


def test_the_test_would_see_a_property_that_entails_one_of_dcat() -> None:
    resource, csv = URIRef("https://example.org/x"), URIRef("ContentType:text/csv")
    graph = Graph()
    graph.add((resource, CTV.compression, csv))
    graph.add((CTV.compression, RDFS.subPropertyOf, DCAT.compressFormat))
    assert (resource, RDF.type, DCAT.Distribution) in _closed(graph, "RDFS")


def test_the_test_would_see_a_second_format(shared: Path) -> None:
    # DCAT-AP allows one format: this is what a sub-property of dct:format would entail.
    assert shared.is_dir()
    resource = URIRef("https://example.org/x")
    graph = Graph().add((resource, RDF.type, DCAT.Distribution))
    for name in ("CSV", "JSON"):
        graph.add((resource, DCTERMS["format"], URIRef(f"https://example.org/{name}")))
    components = {component for *_, component in _violations(graph)}
    assert SH.MaxCountConstraintComponent in components
