"""Repairing a graph of rdflib, with the same rules as a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from rdflib import Dataset, Graph

from cturi_rdf.catalogue.detect_profile import choose_profile
from cturi_rdf.catalogue.graphs import GraphDocument
from cturi_rdf.catalogue.labels import Meanings
from cturi_rdf.catalogue.plan import leave_described, steps_of, typing_steps
from cturi_rdf.catalogue.resources import Contents
from cturi_rdf.catalogue.verdict import Options
from cturi_rdf.catalogue.verdicts import verdicts_on_all
from cturi_rdf.labels import resolve
from cturi_rdf.reading.rdflib_graphs import as_dataset

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
    document = GraphDocument(graph)
    for quad in _quads(graph):
        document.take(*quad)
    statements = document.statements
    chosen = choose_profile((statement.quad for statement in statements), profile).profile
    meanings = Meanings(resolver)
    contents = Contents(statements, chosen)
    meanings.describe(meanings.unclear(contents.values), statements)
    verdicts = verdicts_on_all(
        contents, chosen, lambda statement: meanings.of(statement.object), options
    )
    verdicts = leave_described(verdicts, (statement.quad for statement in statements))
    steps = (*steps_of(verdicts), *typing_steps(contents, chosen, verdicts))
    document.make(step.change for step in steps)
    return GraphPlan(chosen, steps, tuple(filter(None, (verdict.left for verdict in verdicts))))


def _quads(graph: Graph) -> list[tuple[Any, Any, Any, Graph]]:
    if not isinstance(graph, Dataset):
        return [(*triple, graph) for triple in graph]
    return [
        (subject, predicate, value, graph.default_graph if name is None else graph.graph(name))
        for subject, predicate, value, name in graph.quads()
    ]
