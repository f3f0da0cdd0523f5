"""The ontology checked by the rules of ROBOT report, OOPS! and FOOPS!, and by a reasoner."""

from __future__ import annotations

import re
import runpy
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph as ox
import pytest
from rdflib import (
    DCAT,
    DCTERMS,
    OWL,
    PROV,
    RDF,
    RDFS,
    SDO,
    SKOS,
    VANN,
    XSD,
    BNode,
    Graph,
    Literal,
    URIRef,
)

from cturi_rdf.catalogue.shacl.foreign_shapes import SH
from cturi_rdf.rdf import CTV, annotate, describe
from cturi_rdf.rdf.export import export
from cturi_rdf.rdf.vocab import MIME
from cturi_rdf.reading.terms import to_ox

if TYPE_CHECKING:
    from rdflib.namespace import DefinedNamespace

ONTOLOGY = Path(__file__).parents[1] / "ontology"
CATALOGUE = ONTOLOGY.parent / "examples" / "catalogue.ttl"
IRI = URIRef("https://w3id.org/cturi/vocab")
EU_FILE_TYPES = "http://publications.europa.eu/resource/authority/file-type"
DOCUMENTED = sorted((ONTOLOGY / "examples" / "documentation").glob("*.ttl"))
CHECKS = sorted((ONTOLOGY / "checks").glob("*.rq"))
ALIGNMENTS = sorted((ONTOLOGY / "alignments").glob("*.ttl"))
TURTLE = sorted(ONTOLOGY.rglob("*.ttl"))
NAMESPACES = {
    "ctv": CTV, "mime": MIME, "dcat": DCAT, "dct": DCTERMS, "ex": "https://example.org/",
    "owl": OWL, "rdfs": RDFS, "sh": SH, "skos": SKOS, "vann": VANN, "xsd": XSD,
}  # fmt: skip
VOCABULARIES = ("cturi.ttl", "mime.ttl")
PREFIXES = "\n".join(f"@prefix {prefix}: <{iri}> ." for prefix, iri in NAMESPACES.items())


@cache
def _ontology() -> Graph:
    """Return the published terms, axioms, alignments and shapes as one graph."""
    script = runpy.run_path(str(ONTOLOGY.parent / "scripts" / "build_vocabulary.py"))
    graph: Graph = script["published"]()
    for path in ("axioms.ttl", "shapes/vocabulary.ttl"):
        graph.parse(ONTOLOGY / path)
    for path in ALIGNMENTS:
        graph.parse(path)
    return graph


@cache
def _terms() -> Graph:
    """Return the terms in use."""
    return Graph().parse(ONTOLOGY / "cturi.ttl").parse(ONTOLOGY / "mime.ttl")


def _store() -> ox.Store:
    """Return the published terms for queries, which Oxigraph answers five times as fast."""
    store = ox.Store()
    store.load(_ontology().serialize(format="nt").encode(), ox.RdfFormat.N_TRIPLES)
    return store


def _id(path: Path) -> str:
    return path.stem


# --- The checks of others --------------------------------------------------------------------


def test_a_check_finds_nothing_in_the_ontology() -> None:
    store = _store()
    found = {check.stem: list(store.query(check.read_text("utf-8"))) for check in CHECKS}
    assert found == {check.stem: [] for check in CHECKS}


@pytest.mark.parametrize("check", CHECKS, ids=_id)
def test_a_check_finds_what_it_is_for(check: Path) -> None:
    query = check.read_text("utf-8")
    broken = "\n".join(re.findall(r"^# broken: (.*)$", query, re.MULTILINE))
    assert broken
    store = _store()
    without = re.fullmatch(r"without (\S+)", broken)
    if without:
        prefix, _, name = without[1].partition(":")
        missing = ox.NamedNode(f"{NAMESPACES[prefix]}{name}")
        for quad in list(store.quads_for_pattern(to_ox(IRI), missing, None)):
            store.remove(quad)
    else:
        store.load(f"{PREFIXES}\n{broken}".encode(), ox.RdfFormat.TURTLE)
    assert list(store.query(query))


def test_the_checks_are_those_of_the_three_tools() -> None:
    said = {
        path: re.findall(r"^# as: (.*)$", path.read_text("utf-8"), re.MULTILINE) for path in CHECKS
    }
    assert len(said) >= 30
    assert all(len(tools) == 1 for tools in said.values())
    for tool in ("ROBOT", "OOPS!", "FOOPS!"):
        assert sum(tool in tools[0] for tools in said.values()) >= 5


# --- Shapes ------------------------------------------------------------------------------------


@pytest.mark.daily(1)
@pytest.mark.parametrize("name", ["ontology", "vocabulary", "catalogue"])
def test_the_shapes_are_shapes_by_shacl_itself(name: str) -> None:
    pyshacl = pytest.importorskip("pyshacl.entrypoints")
    conforms, _, text = pyshacl.meta_validate(Graph().parse(ONTOLOGY / "shapes" / f"{name}.ttl"))
    assert conforms, text


def test_the_ontology_holds_by_its_own_shapes() -> None:
    pyshacl = pytest.importorskip("pyshacl")
    shapes = Graph().parse(ONTOLOGY / "shapes" / "ontology.ttl")
    terms = Graph().parse(ONTOLOGY / "cturi.ttl")
    conforms, _, text = pyshacl.validate(terms, shacl_graph=shapes)
    assert conforms, text
    terms.remove((IRI, DCTERMS.license, None))
    terms.remove((CTV.TypeLabel, SKOS.definition, None))
    _, report, _ = pyshacl.validate(terms, shacl_graph=shapes)
    assert {str(each) for each in report.objects(None, SH.focusNode)} == {
        str(IRI),
        str(CTV.TypeLabel),
    }


def _described() -> Graph:
    """Return the example catalogue annotated, with the individuals of the vocabulary."""
    graph = Graph().parse(CATALOGUE)
    # Labels of each verdict, and one with two packages around what it names.
    for label in ("csv.tar.gz", "csv.gz", "CSV, JSON", "FlatGeobuf", "WMS", "XSLX", "other"):
        graph.add((BNode(), DCTERMS.format, Literal(label)))
    # What the links lead to is in the full descriptions, as in the registry.
    for each in (
        *map(str, annotate(graph).content_types),
        "text/xml",
        "application/vnd.geo+json",
        "application/xml-dtd",
        'a/b;profile="x:1 x:2"',
    ):
        describe(each, graph)
    return _with_kinds(graph)


def _with_kinds(graph: Graph) -> Graph:
    """Return a graph with the classes of the vocabulary's individuals, and their hierarchy."""
    terms = _terms()
    for individual in terms.subjects(RDF.type, OWL.NamedIndividual):
        for kind in terms.objects(individual, RDF.type):
            graph.add((individual, RDF.type, kind))
    for narrower, broader in terms.subject_objects(RDFS.subClassOf):
        graph.add((narrower, RDFS.subClassOf, broader))
    return graph


def test_what_we_describe_has_the_domains_and_ranges_that_the_shapes_say() -> None:
    pyshacl = pytest.importorskip("pyshacl")
    shapes = Graph().parse(ONTOLOGY / "shapes" / "vocabulary.ttl")
    graph = _described()
    conforms, _, text = pyshacl.validate(graph, shacl_graph=shapes)
    assert conforms, text
    graph.add((CTV.TypeLabel, CTV.namesContentType, Literal("text/csv")))
    conforms, report, _ = pyshacl.validate(graph, shacl_graph=shapes)
    assert not conforms
    assert set(report.objects(None, SH.focusNode)) == {CTV.TypeLabel}


@pytest.mark.daily(3)
@pytest.mark.parametrize("path", DOCUMENTED, ids=lambda path: path.stem)
def test_the_examples_of_a_page_have_them_too(path: Path) -> None:
    pyshacl = pytest.importorskip("pyshacl")
    graph = Graph().parse(path)
    # A page may show a link alone, and leave what it leads to to the registry.
    for each in {term for triple in graph for term in triple if term.startswith("ContentType:")}:
        describe(each, graph)
    for label in set(graph.objects(None, CTV.typeLabel)):
        graph.add((label, RDF.type, CTV.TypeLabel))
    shapes = Graph().parse(ONTOLOGY / "shapes" / "vocabulary.ttl")
    conforms, _, text = pyshacl.validate(_with_kinds(graph), shacl_graph=shapes)
    assert conforms, text


@pytest.mark.slow
def test_the_export_has_them_too() -> None:
    # pySHACL takes long for all of it: each property by a query, as the shape says.
    terms, shapes = _terms(), Graph()
    shapes.parse(ONTOLOGY / "shapes" / "vocabulary.ttl")
    graph, checked = export(), 0
    for individual, kind in terms.subject_objects(RDF.type):
        graph.add((individual, RDF.type, kind))
    for shape, path in shapes.subject_objects(SH.targetSubjectsOf):
        rule = shapes.value(shape, SH.property)
        domain, kind = shapes.value(shape, SH["class"]), shapes.value(rule, SH["class"])
        datatype = shapes.value(rule, SH.datatype)
        for subject, value in graph.subject_objects(path):
            checked += 1
            assert domain is None or (subject, RDF.type, domain) in graph
            assert kind is None or (value, RDF.type, kind) in graph
            if datatype:
                assert (value.datatype or XSD.string) == datatype
    assert checked > 10_000


# --- Other vocabularies ------------------------------------------------------------------------

PUBLISHED: dict[str, type[DefinedNamespace]] = {
    **{str(each): each for each in (DCAT, DCTERMS, OWL, PROV, RDF, RDFS, SDO, SKOS, VANN, XSD)},
    # Its terms have two spellings, and rdflib lists one.
    "http://schema.org/": SDO,
}
# The terms of vocabularies that rdflib has no list of, as they were published in 2026-11.
OTHERS = {
    "http://www.w3.org/ns/shacl#": None,
    "http://www.w3.org/2011/http#": {
        "MessageHeader",
        "Parameter",
        "fieldName",
        "fieldValue",
        "paramName",
        "paramValue",
    },
    "http://www.loc.gov/premis/rdf/v1#": {"Format", "hasFormat", "hasFormatName"},
    "http://www.semanticdesktop.org/ontologies/2007/03/22/nmo#": {
        "Email",
        "MessageHeader",
        "MimeEntity",
        "headerName",
        "headerValue",
        "inReplyTo",
        "messageHeader",
        "messageId",
        "references",
    },
    "https://w3id.org/sssom/": {
        "Mapping",
        "confidence",
        "mapping_justification",
        "object_id",
        "subject_label",
    },
    "http://www.w3.org/ns/formats/": {"Format", "media_type", "preferred_suffix"},
    "https://www.w3.org/2019/wot/hypermedia#": {"forContentCoding", "forContentType"},
    "http://www.ebu.ch/metadata/ontologies/ebucore/ebucore#": {"hasMimeType"},
}


@pytest.mark.parametrize("path", TURTLE, ids=lambda path: str(path.relative_to(ONTOLOGY)))
def test_every_term_of_others_is_one_that_they_published(path: Path) -> None:
    graph, found = Graph().parse(path), 0
    assert len(graph)
    for term in {term for triple in graph for term in triple if isinstance(term, URIRef)}:
        for base, namespace in PUBLISHED.items():
            if term.startswith(base):
                assert term.removeprefix(base) in namespace, term
                found += 1
        for base, names in OTHERS.items():
            if names and term.startswith(base) and "examples" not in path.parts:
                assert term.removeprefix(base) in names, term
    assert found


@pytest.mark.parametrize("path", ALIGNMENTS, ids=_id)
def test_an_alignment_relates_terms_without_mapping_relations_of_concepts(path: Path) -> None:
    # SKOS section 10: mapping relations are between concepts; terms are classes and properties.
    relations = {RDFS.subClassOf, RDFS.subPropertyOf, RDFS.seeAlso}
    graph, aligned = Graph().parse(path), 0
    for ours, relation, _ in graph:
        if str(ours).startswith((str(CTV), str(MIME))):
            aligned += 1
            assert relation in relations
            assert (ours, RDFS.isDefinedBy, URIRef(ours.partition("#")[0])) in _ontology()
    assert aligned > 2


@pytest.mark.slow
def test_media_types_are_mapped_by_the_registry_alone_and_by_meaning() -> None:
    for path in ALIGNMENTS:
        assert "<ContentType:" not in path.read_text("utf-8")
    graph = export()
    eu, pronom = EU_FILE_TYPES, "https://www.nationalarchives.gov.uk/PRONOM/"
    csv_type, pdf, package = (
        URIRef(f"ContentType:{name}") for name in ("text/csv", "application/pdf", "application/zip")
    )
    assert (csv_type, SKOS.closeMatch, URIRef(f"{eu}/CSV")) in graph
    assert (pdf, SKOS.closeMatch, URIRef(f"{eu}/PDF")) in graph
    assert (pdf, SKOS.narrowMatch, URIRef(f"{eu}/PDFA1A")) in graph
    assert (pdf, SKOS.narrowMatch, URIRef(f"{pronom}fmt/95")) in graph
    assert (package, SKOS.relatedMatch, URIRef(f"{eu}/DWCA")) in graph
    documents = URIRef("http://www.w3.org/ns/iana/media-types/text/csv#Resource")
    assert list(graph.predicates(csv_type, documents)) == [RDFS.seeAlso]
    # A container is broader than each of its types, and narrower than none.
    container = URIRef("http://www.wikidata.org/entity/Q336316")
    for name in ("audio/mp4", "video/mp4"):
        assert (URIRef(f"ContentType:{name}"), SKOS.broadMatch, container) in graph
    narrower = set(graph.objects(None, SKOS.narrowMatch))
    assert narrower.isdisjoint(graph.objects(None, SKOS.broadMatch))
    formats = (eu, pronom, "http://www.w3.org/ns/formats/", "http://www.wikidata.org/")
    assert not [each for each in graph.objects(None, SKOS.exactMatch) if each.startswith(formats)]


# --- A reasoner --------------------------------------------------------------------------------


def _closed(graph: Graph) -> Graph:
    """Return the conclusions of OWL 2 RL; annotations of terms play no part in them."""
    owlrl = pytest.importorskip("owlrl")
    for annotation in (RDFS.label, RDFS.isDefinedBy, SKOS.definition, SKOS.example):
        graph.remove((None, annotation, None))
    owlrl.DeductiveClosure(owlrl.OWLRL_Semantics).expand(graph)
    return graph


def _errors(graph: Graph) -> list[str]:
    message = URIRef("http://www.daml.org/2002/03/agents/agent-ont#error")
    return [str(each) for each in graph.objects(None, message)]


def _axioms() -> Graph:
    graph = Graph()
    for path in (*map(ONTOLOGY.joinpath, (*VOCABULARIES, "axioms.ttl")), *ALIGNMENTS):
        graph.parse(path)
    return graph


@pytest.mark.slow
def test_the_ontology_is_consistent_with_all_examples() -> None:
    graph = _axioms()
    for path in (*sorted((ONTOLOGY / "examples" / "valid").glob("*.ttl")), *DOCUMENTED):
        graph.parse(path)
    terms = Graph().parse(ONTOLOGY / "cturi.ttl")
    for example in terms.objects(None, SKOS.example):
        graph.parse(data=f"{PREFIXES} {example}", format="turtle")
    for triple in Graph().parse(CATALOGUE):
        graph.add(triple)
    describe("image/svg+xml; charset=utf-8", graph)
    describe("text/csv; header=present", graph)
    said = _types(graph)
    above = {
        (narrower, broader)
        for narrower in terms.subjects(RDFS.subClassOf)
        for broader in terms.transitive_objects(narrower, RDFS.subClassOf)
    }
    closed = _closed(graph)
    assert _errors(closed) == []
    assert set(closed.subjects(RDF.type, OWL.Nothing)) == set()
    expected = said | {(each, up) for each, kind in said for low, up in above if low == kind}
    assert _types(closed) == {pair for pair in expected if pair[1].startswith(str(CTV))}


def _types(graph: Graph) -> set[tuple[URIRef, URIRef]]:
    """Return which resources have which of our classes."""
    return {
        (each, kind)
        for each, kind in graph.subject_objects(RDF.type)
        if isinstance(each, URIRef) and kind.startswith(str(CTV))
    }


@pytest.mark.slow
def test_the_reasoner_finds_what_is_inconsistent() -> None:
    graph = _axioms()
    graph.add((URIRef("https://example.org/both"), RDF.type, CTV.TypeLabel))
    graph.add((URIRef("https://example.org/both"), RDF.type, CTV.MediaType))
    assert _errors(_closed(graph))
