"""Repairing a graph of rdflib, with the same rules as a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import pyoxigraph as ox
from rdflib import Dataset, Graph
from rdflib.graph import DATASET_DEFAULT_GRAPH_ID

from cturi_rdf.catalogue.detect_profile import choose_profile
from cturi_rdf.catalogue.labels import Meanings
from cturi_rdf.catalogue.plan import leave_described, steps_of, typing_steps
from cturi_rdf.catalogue.resources import Contents
from cturi_rdf.catalogue.verdict import Options
from cturi_rdf.catalogue.verdicts import verdicts_on_all
from cturi_rdf.editing import Span, Statement
from cturi_rdf.labels import resolve
from cturi_rdf.reading.rdflib_graphs import as_dataset
from cturi_rdf.reading.terms import from_ox, lenient_ox

if TYPE_CHECKING:
    from cturi_rdf.catalogue.profiles import Profile
    from cturi_rdf.catalogue.steps import Left, Step
    from cturi_rdf.rdf.label_statements import Resolver


class GraphPlan(NamedTuple):
    """The changes made in a graph, and the values that are left to a human."""

    profile: Profile
    steps: tuple[Step, ...]
    left: tuple[Left, ...]


def repair(
    graph: Graph,
    profile: str | None = None,
    *,
    options: Options = Options(),
    resolver: Resolver = resolve,
) -> GraphPlan:
    """Give the resources of a graph the types that a profile asks for; the graph is changed.

    `profile` is the name of one, such as ``dcat-ap``; without it the graph has to say which one
    it follows.  Raises `CatalogError` where it does not say so, or there is no such profile.

    >>> graph = Graph().parse(format="turtle", data='''
    ...     @prefix dcat: <http://www.w3.org/ns/dcat#> .
    ...     <http://a.example/data> dcat:mediaType "text/csv" .''')
    >>> for step in repair(graph, "dcat").steps:
    ...     print(step.text())
    dcat:mediaType "text/csv" -> <https://www.iana.org/assignments/media-types/text/csv>
    """
    graph = as_dataset(graph)
    originals: list[tuple[Any, ...]] = []
    statements = []
    for place, (subject, predicate, value, name) in enumerate(_quads(graph)):
        originals.append((subject, predicate, value, name))
        node = ox.DefaultGraph() if _is_default(graph, name) else lenient_ox(name)
        terms = lenient_ox(subject), lenient_ox(predicate), lenient_ox(value)
        statements.append(Statement(node, *terms, Span(place, place)))
    chosen = choose_profile((statement.quad for statement in statements), profile).profile
    meanings = Meanings(resolver)
    contents = Contents(statements, chosen)
    meanings.describe(meanings.unclear(contents.values), statements)
    verdicts = verdicts_on_all(
        contents, chosen, lambda statement: meanings.of(statement.object), options
    )
    verdicts = leave_described(verdicts, (statement.quad for statement in statements))
    steps = (*steps_of(verdicts), *typing_steps(contents, chosen, verdicts))
    for step in steps:
        _make(graph, step, originals)
    return GraphPlan(chosen, steps, tuple(filter(None, (verdict.left for verdict in verdicts))))


def _quads(graph: Graph) -> Any:
    if isinstance(graph, Dataset):
        return list(graph.quads())
    return [(*triple, None) for triple in graph]


def _is_default(graph: Graph, name: Any) -> bool:
    names = {None, DATASET_DEFAULT_GRAPH_ID}
    return name in names or (isinstance(graph, Dataset) and name == graph.default_graph.identifier)


def _make(graph: Graph, step: Step, originals: list[tuple[Any, ...]]) -> None:
    """Make the change of a step in a graph."""
    if step.statement is None:
        for quad in step.change.added:
            terms = from_ox(quad.subject), from_ox(quad.predicate), from_ox(quad.object)
            _graph(graph, from_ox(quad.graph_name)).add(terms)
        return
    subject, predicate, value, name = originals[step.statement.start]
    part = _graph(graph, name)
    if step.change.removed:
        part.remove((subject, predicate, value))
    for quad in step.change.added:
        part.add((subject, from_ox(quad.predicate), from_ox(quad.object)))


def _graph(graph: Graph, name: Any) -> Graph:
    if not isinstance(graph, Dataset):
        return graph
    return graph.default_graph if _is_default(graph, name) else graph.graph(name)
