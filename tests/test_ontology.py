"""The ontology: every term in use is defined, every example holds."""

from __future__ import annotations

import runpy
from pathlib import Path
from urllib.parse import unquote

import pytest
from checks import CTVS
from rdflib import DCTERMS, OWL, RDF, RDFS, SH, SKOS, Graph, Literal, URIRef

from cturi_rdf.rdf import CTV, annotate, describe
from cturi_rdf.rdf.terms import PROPERTIES
from cturi_rdf.rdf.vocab import MIME

ROOT = Path(__file__).parents[1]
NAMESPACES = (str(CTV), str(MIME))
GRAPH = Graph().parse(ROOT / "ontology" / "cturi.ttl").parse(ROOT / "ontology" / "mime.ttl")
TERMS = sorted({term for term in GRAPH.subjects() if str(term).startswith(NAMESPACES)})
KINDS = {OWL.Class, OWL.ObjectProperty, OWL.DatatypeProperty, OWL.NamedIndividual}
PREFIXES = f"""
    @prefix ctv: <{CTV}> .
    @prefix mime: <{MIME}> .
    @prefix dcat: <http://www.w3.org/ns/dcat#> .
    @prefix ex: <https://example.org/> .
    @prefix rdf: <{RDF}> .
"""


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term.rpartition("/")[2])
def test_a_term_has_label_definition_source_example_and_kind(term: URIRef) -> None:
    assert isinstance(GRAPH.value(term, RDFS.label), Literal)
    definition = GRAPH.value(term, SKOS.definition, any=False)
    assert definition is not None
    assert definition.endswith(".")
    assert definition.count(". ") == 0
    assert GRAPH.value(term, RDFS.isDefinedBy) == URIRef(term.partition("#")[0])
    assert KINDS & set(GRAPH.objects(term, RDF.type))


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term.rpartition("/")[2])
def test_an_example_of_a_term_is_turtle_that_uses_it(term: URIRef) -> None:
    example = Graph().parse(data=PREFIXES + str(GRAPH.value(term, SKOS.example)), format="turtle")
    assert any(term in triple for triple in example)


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term.rpartition("/")[2])
def test_an_example_about_a_node_of_ours_is_what_its_description_says(term: URIRef) -> None:
    example = Graph().parse(data=PREFIXES + str(GRAPH.value(term, SKOS.example)), format="turtle")
    described = describe("text/plain; charset=latin1")
    for node in map(str, example.subjects()):
        if node.startswith("ContentType:"):
            describe(URIRef(node), described)
        elif node.startswith("https://w3id.org/cturi/label/"):
            label = unquote(node.rpartition("/")[2])
            described.add((URIRef("https://example.org/data"), DCTERMS.format, Literal(label)))
        else:
            describe("image/svg+xml; charset=utf-8", described)
    annotate(described)
    for triple in example:
        if str(triple[0]).startswith(("ContentType:", "https://w3id.org/cturi/")):
            assert triple in described or triple in GRAPH


def test_the_namespace_class_is_what_the_ontology_makes() -> None:
    script = runpy.run_path(str(ROOT / "scripts" / "build_vocabulary.py"))
    assert script["build"]() == script["TARGET"].read_text("utf-8")


def test_a_misspelt_term_is_an_error() -> None:
    with pytest.raises(AttributeError):
        CTV.contenttype  # noqa: B018 - the access is what fails


def test_nothing_in_the_ontology_is_used_and_not_defined() -> None:
    used = {
        term
        for triple in GRAPH
        for term in triple
        if isinstance(term, URIRef) and str(term).startswith(NAMESPACES)
    }
    assert used == set(TERMS)
    assert len(TERMS) > 40


@pytest.mark.parametrize("name", ["catalogue.ttl", "catalogue-shapes.nt", "properties.tsv"])
def test_shapes_and_table_are_what_the_list_of_properties_makes(name: str) -> None:
    built = runpy.run_path(str(ROOT / "scripts" / "build_shapes.py"))["BUILT"]
    (target,) = (path for path in built if path.name == name)
    assert built[target]() == target.read_text("utf-8")


def test_the_list_of_properties_is_what_annotate_reads() -> None:
    listed = Graph().parse(ROOT / "ontology" / "properties.ttl")
    read = {URIRef(path.value): URIRef(link.value) for path, link in PROPERTIES.items()}
    assert dict(listed.subject_objects(CTVS.annotatedBy)) == read
    assert set(read.values()) <= set(TERMS)


def test_a_property_that_is_added_to_the_list_is_in_the_table_and_in_every_shape(
    tmp_path: Path,
) -> None:
    script = runpy.run_path(str(ROOT / "scripts" / "build_shapes.py"))
    longer = tmp_path / "properties.ttl"
    prefix = "@prefix cr: <http://mlcommons.org/croissant/> ."
    text = script["PROPERTIES"].read_text("utf-8")
    longer.write_text(f"{prefix}\n{text}\ncr:format ctvs:annotatedBy ctv:contentType .\n", "utf-8")
    script["build_shapes"].__globals__["PROPERTIES"] = longer
    assert "http://mlcommons.org/croissant/format\t" in script["build_table"]()
    shapes = Graph().parse(data=script["build_shapes"](), format="turtle")
    new = URIRef("http://mlcommons.org/croissant/format")
    general = set(shapes.subjects(SH.targetSubjectsOf, DCTERMS.format)) - {CTVS.FormatIsNode}
    assert len(general) >= 8
    for shape in general:
        assert (shape, SH.targetSubjectsOf, new) in shapes
        for constraint in shapes.objects(shape, SH.sparql):
            assert "cr:format" in str(shapes.value(constraint, SH.select))


def test_the_packaged_vocabulary_is_what_the_ontology_makes() -> None:
    script = runpy.run_path(str(ROOT / "scripts" / "build_vocabulary.py"))
    assert script["build_packaged"]() == script["PACKAGED_TARGET"].read_text("utf-8")


@pytest.mark.parametrize("language", ["de", "es", "fr"])
def test_every_term_has_a_label_of_its_own_and_a_definition_in_each_language(language: str) -> None:
    graph = Graph().parse(ROOT / "ontology" / "translations" / f"{language}.ttl")
    labels = {term: graph.value(term, RDFS.label) for term in TERMS}
    missing = [term for term, label in labels.items() if label is None]
    assert missing == [], f"translate these in ontology/translations/{language}.ttl"
    assert {label.language for label in labels.values()} == {language}
    assert len(set(labels.values())) == len(TERMS)
    for term in TERMS:
        definition = graph.value(term, SKOS.definition, any=False)
        assert definition.language == language
        assert definition.endswith(".")
    assert {term for term in graph.subjects(RDFS.label) if term not in TERMS} == set()


def test_the_context_is_what_the_ontology_makes() -> None:
    script = runpy.run_path(str(ROOT / "scripts" / "build_vocabulary.py"))
    assert script["build_context"]() == script["CONTEXT_TARGET"].read_text("utf-8")
