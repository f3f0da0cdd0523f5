"""Annotating with a reasoner at work: beside DCAT, what is annotated entails nothing of DCAT.

No catalogue gets a new class, a new statement in words of others, or a new violation of the
official shapes of DCAT-AP 2.1.1, 3.0.0 and 3.0.1 and of DCAT-US 3.0.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pyoxigraph as ox
import pytest
from rdflib import DCAT, DCTERMS, OWL, RDF, RDFS, SDO, SH, XSD, Graph, Literal, URIRef

from cturi_rdf.catalogue.shacl.foreign_shapes import dangling_references
from cturi_rdf.rdf import CTV, annotate
from cturi_rdf.reading import read_catalog
from cturi_rdf.reading.terms import from_ox, to_ox
from cturi_rdf.sparql.dataset import query_data

if TYPE_CHECKING:
    from catalogues import Annotated
    from rdflib import Dataset
    from rdflib.term import Node

owlrl = pytest.importorskip("owlrl")
pyshacl = pytest.importorskip("pyshacl")
ONTOLOGY = Path(__file__).parents[1] / "ontology"
ALIGNMENTS = sorted((ONTOLOGY / "alignments").glob("*.ttl"))
SHARED = Path(__file__).parents[2] / "shared" / "catalogs"
# The statements of DCAT 3 and DCMI Metadata Terms about the properties that carry labels: facts of
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
# What owlrl knows as RDFS and as OWL RL.
SEMANTICS = {"RDFS": owlrl.RDFS_Semantics, "OWL RL": owlrl.OWLRL_Semantics}
# The rules rdfs2, rdfs3, rdfs7 and rdfs9 of RDF 1.1 Semantics, with those for hierarchies in their
# paths.  Each looks at one statement, so that four steps are all that there is to infer.
RDFS_RULES = """PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
INSERT { ?s ?q ?o } WHERE { GRAPH <urn:vocabularies> { ?p rdfs:subPropertyOf+ ?q } ?s ?p ?o } ;
INSERT { ?s a ?c } WHERE {
    GRAPH <urn:vocabularies> { ?p rdfs:domain/rdfs:subClassOf* ?c } ?s ?p ?o } ;
INSERT { ?o a ?c } WHERE {
    GRAPH <urn:vocabularies> { ?p rdfs:range/rdfs:subClassOf* ?c } ?s ?p ?o
    FILTER(!isLiteral(?o)) } ;
INSERT { ?s a ?c } WHERE { GRAPH <urn:vocabularies> { ?b rdfs:subClassOf+ ?c } ?s a ?b }"""
# What OWL RL adds for the vocabularies: the rules cax-dw, cax-adc and prp-fp find contradictions.
CONTRADICTIONS = """PREFIX owl: <http://www.w3.org/2002/07/owl#>
PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>
ASK {
    { GRAPH <urn:vocabularies> { ?a owl:disjointWith ?b } ?s a ?a, ?b }
    UNION {
        GRAPH <urn:vocabularies> { ?group owl:members/rdf:rest*/rdf:first ?a, ?b }
        ?s a ?a, ?b FILTER(?a != ?b) }
    UNION {
        GRAPH <urn:vocabularies> { ?p a owl:FunctionalProperty }
        ?s ?p ?one, ?other FILTER(?one != ?other) }
}"""
SOURCES = ("cturi.ttl", "mime.ttl", "axioms.ttl")
_Statement: TypeAlias = "tuple[ox.NamedNode | ox.BlankNode | ox.Triple, ox.NamedNode, ox.Term]"


@cache
def _vocabularies() -> Graph:
    """Return DCAT 3 and our vocabulary, without the annotations of terms."""
    graph = Graph() + DCAT_3
    for path in (*(ONTOLOGY / name for name in SOURCES), *ALIGNMENTS):
        graph.parse(path)
    entailing = {RDF.type, RDF.first, RDF.rest}
    entailing |= {RDFS.subClassOf, RDFS.subPropertyOf, RDFS.domain, RDFS.range}
    kept = Graph()
    for triple in graph:
        if triple[1] in entailing or "owl#" in triple[1]:
            kept.add(triple)
    return kept


def _in_one(dataset: Dataset) -> Graph:
    """Return all statements of a catalogue in one graph."""
    catalogue = Graph()
    for subject, predicate, value, _ in dataset.quads():
        catalogue.add((subject, predicate, value))
    return catalogue


def _reasoned(graph: Graph, vocabularies: Graph | None = None) -> ox.Store:
    """Return a graph with all that RDFS and the vocabularies entail of it."""
    store = query_data(graph).store
    lines = (vocabularies or _vocabularies()).serialize(format="nt").encode()
    store.load(lines, ox.RdfFormat.N_TRIPLES, to_graph=ox.NamedNode("urn:vocabularies"))
    store.update(RDFS_RULES)
    return store


def _statements(store: ox.Store) -> set[_Statement]:
    quads = store.quads_for_pattern(None, None, None, ox.DefaultGraph())
    return {(quad.subject, quad.predicate, quad.object) for quad in quads}


def _of_others(statements: set[_Statement]) -> set[_Statement]:
    """Return the statements in words of others."""
    words = ("<" + str(CTV), "<" + str(RDFS), "<" + str(OWL), "<" + str(XSD))
    return {
        triple
        for triple in statements
        if not str(triple[2 if triple[1].value == str(RDF.type) else 1]).startswith(words)
    }


@cache
def _official_shapes() -> Graph:
    """Return all official shapes as one graph: a result new for one is new for this."""
    shapes = Graph()
    for path in (SHARED.parent / "suites" / "dcat-shapes").glob("*.ttl"):
        shapes.parse(path)
    for shape, name in dangling_references(shapes):
        shapes.remove((shape, SH.property, name))
    return shapes.remove((None, OWL.imports, None))


def _violations(graph: Graph) -> set[tuple[Node | None, ...]]:
    """Return the violations of the official shapes in a graph."""
    _, report, _ = pyshacl.validate(graph, shacl_graph=_official_shapes(), inplace=True)
    facts = SH.focusNode, SH.resultPath, SH.value, SH.sourceConstraintComponent
    results = report.subjects(RDF.type, SH.ValidationResult)
    return {tuple(report.value(result, fact) for fact in facts) for result in results}


def test_no_rule_of_the_vocabularies_joins_the_statements_of_two_resources() -> None:
    # A chain, a transitive property or a restriction would: RDFS_RULES would not be enough then.
    ours = _vocabularies()
    words = {word for triple in ours for word in triple[1:] if isinstance(word, URIRef)}
    assert {word.fragment for word in words if "owl#" in word} <= {
        "AllDifferent", "AllDisjointClasses", "AnnotationProperty", "Class", "DatatypeProperty",
        "FunctionalProperty", "NamedIndividual", "ObjectProperty", "Ontology", "differentFrom",
        "disjointWith", "distinctMembers", "imports", "members", "priorVersion", "versionIRI",
        "versionInfo",
    }  # fmt: skip
    for functional in ours.subjects(RDF.type, OWL.FunctionalProperty):
        # Two values of it are a contradiction, and never two names of one resource.
        assert (functional, RDF.type, OWL.DatatypeProperty) in ours


@pytest.mark.slow
@pytest.mark.parametrize("semantics", SEMANTICS)
def test_a_reasoner_infers_what_the_rules_infer(shared: Path, semantics: str) -> None:
    graph = _in_one(read_catalog(str(shared / "catalogs" / "w3c-csiro-stratchart.ttl")))
    annotate(graph)
    by_rules = _of_others(_statements(_reasoned(graph)))
    closed = Graph() + graph + _vocabularies()
    owlrl.DeductiveClosure(SEMANTICS[semantics]).expand(closed)
    # The reasoner has literals as subjects, and takes those of one text in two languages as one.
    resources = {from_ox(triple[0]) for triple in by_rules}
    inferred = {
        tuple(map(to_ox, triple))
        for triple in closed
        if triple[0] in resources and not isinstance(triple[2], Literal)
    }
    assert _of_others(inferred) == {
        triple for triple in by_rules if not isinstance(triple[2], ox.Literal)
    }


def test_annotating_a_catalogue_entails_nothing_new_of_its_resources(annotated: Annotated) -> None:
    before = _statements(_reasoned(_in_one(annotated.given)))
    store = _reasoned(_in_one(annotated.dataset))
    after = _statements(store)
    assert before < after
    assert not store.query(CONTRADICTIONS)
    nodes = {term for triple in before for term in triple if not isinstance(term, ox.Literal)}
    new = _of_others(after - before)
    # No new type either: a type is a statement in words of others.
    assert [triple for triple in new if triple[0] in nodes] == []
    # So the official shapes can find something new in the new nodes only.
    added = Graph()
    added.parse(data="".join(f"{s} {p} {o} .\n" for s, p, o in new), format="nt")
    assert _violations(added) == set()


def test_the_official_shapes_look_at_words_of_others_only(shared: Path) -> None:
    assert shared.is_dir()
    shapes, yes = _official_shapes(), Literal("true", datatype=XSD.boolean)
    assert not [word for triple in shapes for word in triple if str(CTV) in word]
    assert (None, SH.closed, yes) not in shapes
    assert (None, SH.sparql, None) not in shapes


def test_a_compressed_media_object_does_not_become_a_distribution() -> None:
    resource = URIRef("https://example.org/x")
    graph = Graph()
    graph.add((resource, RDF.type, SDO.MediaObject))
    graph.add((resource, SDO.encodingFormat, Literal("csv.gz")))
    annotate(graph)
    assert graph.value(resource, CTV.compression)
    types = {triple[2] for triple in _statements(_reasoned(graph)) if triple[0] == to_ox(resource)}
    assert to_ox(SDO.MediaObject) in types
    assert to_ox(DCAT.Distribution) not in types


def test_the_test_would_see_a_property_that_entails_one_of_dcat() -> None:
    resource, csv = URIRef("https://example.org/x"), URIRef("ContentType:text/csv")
    graph = Graph().add((resource, CTV.compression, csv))
    vocabularies = Graph().add((CTV.compression, RDFS.subPropertyOf, DCAT.compressFormat))
    inferred = _statements(_reasoned(graph, DCAT_3 + vocabularies))
    assert (to_ox(resource), to_ox(RDF.type), to_ox(DCAT.Distribution)) in inferred


def test_the_test_would_see_a_contradiction() -> None:
    resource = URIRef("https://example.org/x")
    both = Graph().add((resource, RDF.type, CTV.Parameter)).add((resource, RDF.type, CTV.MediaType))
    two = Graph()
    for name in ("csv", "CSV"):
        two.add((resource, CTV.labelText, Literal(name)))
    assert _reasoned(both).query(CONTRADICTIONS)
    assert _reasoned(two).query(CONTRADICTIONS)


def test_the_test_would_see_a_second_format(shared: Path) -> None:
    # DCAT-AP allows one format: this is what a sub-property of dct:format would entail.
    assert shared.is_dir()
    resource = URIRef("https://example.org/x")
    graph = Graph().add((resource, RDF.type, DCAT.Distribution))
    for name in ("CSV", "JSON"):
        graph.add((resource, DCTERMS["format"], URIRef(f"https://example.org/{name}")))
    components = {component for *_, component in _violations(graph)}
    assert SH.MaxCountConstraintComponent in components
