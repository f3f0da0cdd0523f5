"""The code lists as files for any validator: every right IRI passes, and every other fails."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from rdflib import DCAT, DCTERMS, Graph, URIRef

from cturi_rdf.catalogue.shacl.foreign_shapes import SH
from cturi_rdf.rdf.description import in_rdflib
from cturi_rdf.rdf.export import eu_file_types, iana_media_types

pyshacl = pytest.importorskip("pyshacl")
SHAPES = Path(__file__).parents[1] / "ontology" / "shapes" / "code-lists.ttl"
LISTS = {DCAT.mediaType: iana_media_types, DCTERMS["format"]: eu_file_types}
PROPERTIES = list(LISTS)


@cache
def _listed(path: URIRef) -> frozenset[URIRef]:
    return frozenset(URIRef(iri.value) for iri, _, _ in LISTS[path]())


def _mutations(iri: URIRef) -> set[URIRef]:
    """Return an IRI with a letter left out, added, doubled, in the other case, and more."""
    start, _, last = iri.rpartition("/")
    changed = (last[:-1], last + "x", last[0] + last, last.swapcase(), last + "/", last + "#a")
    return (
        {URIRef(f"{start}/{text}") for text in changed}
        - _listed(PROPERTIES[0])
        - _listed(PROPERTIES[1])
    )


def _failing(path: URIRef, values: set[URIRef], shapes: Graph) -> set[URIRef]:
    """Return the values of a property that do not conform, with the list loaded beside them."""
    data = Graph()
    for triple in LISTS[path]():
        data.add(in_rdflib(triple))
    for number, value in enumerate(sorted(values)):
        data.add((URIRef(f"https://example.org/{number}"), path, value))
    _, report, _ = pyshacl.validate(data, shacl_graph=shapes)
    return {URIRef(str(each)) for each in report.objects(None, SH.focusNode)}


@pytest.mark.parametrize("path", PROPERTIES, ids=lambda path: path.rpartition("/")[2])
def test_every_iri_of_a_list_passes(path: URIRef) -> None:
    assert len(_listed(path)) > 200
    assert _failing(path, set(_listed(path)), Graph().parse(SHAPES)) == set()


@pytest.mark.slow
@pytest.mark.parametrize("path", PROPERTIES, ids=lambda path: path.rpartition("/")[2])
def test_every_mutated_iri_fails(path: URIRef) -> None:
    mutated = {each for iri in sorted(_listed(path))[::7] for each in _mutations(iri)}
    assert len(mutated) > 100
    assert _failing(path, mutated, Graph().parse(SHAPES)) == mutated


def test_every_file_type_passes_the_vocabularies_of_dcat_ap_3_0_1(shared: Path) -> None:
    shapes = Graph().parse(shared / "suites" / "dcat-shapes" / "dcat-ap-3.0.1-vocabularies.ttl")
    path, data = DCTERMS["format"], Graph()
    for triple in eu_file_types():
        data.add(in_rdflib(triple))
    for number, value in enumerate(sorted(_listed(path))):
        resource = URIRef(f"https://example.org/{number}")
        data.add((resource, path, value))
        data.add(
            (resource, URIRef("http://www.w3.org/1999/02/22-rdf-syntax-ns#type"), DCAT.Distribution)
        )
    _, report, _ = pyshacl.validate(data, shacl_graph=shapes)
    assert not list(report.subjects(SH.resultPath, path))
