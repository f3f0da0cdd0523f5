"""Our rules, as pySHACL applies them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pyoxigraph
import pytest
from checks import (
    CATALOGUE,
    CTVS,
    EXAMPLES,
    LINKS,
    RULES,
    as_graph,
    by_our_shapes,
    catalogue_shapes,
)
from conftest import examples
from hypothesis import example, given, settings
from rdflib import RDF, Graph
from repairs import HEAD, catalogues

from cturi_rdf.catalogue.graphs import occurrences
from cturi_rdf.catalogue.shacl.foreign_shapes import SH
from cturi_rdf.catalogue.shacl.rules import rules
from cturi_rdf.catalogue.verdict import in_languages
from cturi_rdf.rdf import CTV, annotate, headers, mint
from cturi_rdf.rdf.description import in_rdflib
from cturi_rdf.rdf.export import of_label
from cturi_rdf.reading import read_catalog
from cturi_rdf.reading.terms import relative, to_ox

if TYPE_CHECKING:
    from pathlib import Path

# Real catalogues of some hundred labels, whose IRIs Oxigraph takes.
REAL = ["comunefoggia-catalog.rdf", "gsa-usda.gov.data.json", "w3c-csiro-dap-examples.ttl"]


# The shapes that ask for a kind of term.
KINDS = {rule.shape.value for rule in rules() if rule.kinds}


# The part of our messages that the shapes do not have: the value to write.
ADVICE = re.compile(
    "|".join(
        " " + re.escape(sentence).replace(r"\{\}", r"\w+:\w+ .*")
        for sentence in in_languages("write").values()
    )
)


def _examples() -> Graph:
    graph = Graph()
    for path in (CATALOGUE, *EXAMPLES.glob("*/*.ttl")):
        graph.parse(path)
    return graph


def _format_for(report: Graph) -> set[tuple[str, ...]]:
    """Return the contents of each result of a validation report, in words that engines share."""
    paths = (SH.focusNode, SH.resultPath, SH.value, SH.sourceShape, SH.resultSeverity)
    told = set()
    for each in report.subjects(RDF.type, SH.ValidationResult):
        said = [str(report.value(each, path)) for path in paths]
        messages = [str(message) for message in report.objects(each, SH.resultMessage)]
        messages = [ADVICE.sub("", message) for message in messages]
        # Ours shows a relative IRI as its author wrote it.
        told.add((*said, *sorted(text.replace(said[2], relative(said[2])) for text in messages)))
    return told


def _by_pyshacl(graph: Graph) -> Graph:
    """Return the report of pySHACL on a whole catalogue, with the facts that shapes need."""
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


def _without_repetition(results: set[tuple[str, ...]], graph: Graph) -> set[tuple[str, ...]]:
    """Return results without repetitions, which a report of ours does not have.

    A service need not be another kind of term, and what annotating adds to a label goes by it.
    """
    services = {result[:3] for result in results if result[3] == str(CTVS.TypeIsNoService)}
    bare = Graph()
    for triple in graph:
        if triple[1] not in LINKS:
            bare.add(triple)
    annotate(bare)
    added = {tuple(map(str, triple)) for triple in bare if triple[1] in LINKS}
    return {
        result
        for result in results
        if result[:3] not in (services if result[3] in KINDS else added)
    }


@pytest.mark.slow
def test_the_results_are_those_of_pyshacl_on_all_examples() -> None:
    graph = _examples()
    expected = _format_for(_by_pyshacl(graph))
    assert {each[3].removeprefix(CTVS) for each in expected} == set(RULES)
    assert _format_for(as_graph(by_our_shapes(graph))) == _without_repetition(expected, graph)


@pytest.mark.daily(1)
@pytest.mark.parametrize("name", REAL)
def test_the_results_are_those_of_pyshacl_on_a_real_catalogue(shared: Path, name: str) -> None:
    graph = Graph()
    for *triple, _ in read_catalog(str(shared / "catalogs" / name)).quads():
        graph.add(tuple(triple))
    expected = _format_for(_by_pyshacl(graph))
    assert expected
    assert _format_for(as_graph(by_our_shapes(graph))) == _without_repetition(expected, graph)


# Two blank nodes are not one, and a language does not make another text.
@example("<a:b> dcat:mediaType [ ] ; dcat:packageFormat [ ] .")
@example('<a:b> dcat:mediaType "ZIP"@en ; dcat:packageFormat "ZIP" .')
@given(catalogues)
@settings(max_examples=examples(12))
def test_the_results_are_those_of_pyshacl_on_any_catalogue(text: str) -> None:
    graph = Graph().parse(data=HEAD + text, format="turtle", publicID="http://a.example/")
    expected = _format_for(_by_pyshacl(graph))
    assert _format_for(as_graph(by_our_shapes(graph))) == _without_repetition(expected, graph)


def test_every_shape_has_one_constraint_so_that_engines_agree() -> None:
    graph = catalogue_shapes()
    assert all(len(list(graph.objects(CTVS[rule], SH.sparql))) <= 1 for rule in RULES)
