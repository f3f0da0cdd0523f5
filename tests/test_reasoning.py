"""Annotating with a reasoner at work: beside DCAT, what is annotated entails nothing of DCAT."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from rdflib import DCAT, DCTERMS, RDF, RDFS, SDO, Graph, Literal, URIRef

from cturi_rdf.io import read_catalog
from cturi_rdf.rdf import CTV, annotate
from cturi_rdf.rdf.properties import PROPERTIES

if TYPE_CHECKING:
    from rdflib.term import Node

owlrl = pytest.importorskip("owlrl")
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
    closed = graph + _vocabularies()
    owlrl.DeductiveClosure(SEMANTICS[semantics]).expand(closed)
    return closed


def _statements(resources: set[Node], graph: Graph) -> set[tuple[Node, Node, Node | str]]:
    """Return all statements about resources in words of others.

    The reasoner makes plain literals typed ones where it meets both: their texts count.
    """
    return {
        (subject, predicate, str(value) if isinstance(value, Literal) else value)
        for subject, predicate, value in graph
        if subject in resources and not predicate.startswith(str(CTV))
    }


def _sample(graph: Graph) -> Graph:
    """Return all statements of one resource for each combination of classes and labels."""
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
    # New violations of DCAT-AP and new classes are both new statements in words of others.
    catalogue = _sample(read_catalog(str(shared / "catalogs" / name)))
    resources = set(catalogue.subjects())
    assert resources
    before = _statements(resources, _closed(catalogue, semantics))
    annotate(catalogue)
    assert _statements(resources, _closed(catalogue, semantics)) == before


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
