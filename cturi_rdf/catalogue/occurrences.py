"""The labels in a graph, with their places and meanings."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rdflib import Dataset, Graph, URIRef

from cturi_rdf.labels import Resolution, resolve
from cturi_rdf.rdf.label_statements import DESCRIBED_BY, Understood, understand
from cturi_rdf.rdf.properties import PROPERTIES
from cturi_rdf.reading.rdflib_graphs import as_dataset
from cturi_rdf.reading.terms import lenient_ox

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rdflib.term import Node

    from cturi_rdf.content_type import ContentType
    from cturi_rdf.rdf.label_statements import Resolver

__all__ = ["Occurrence", "occurrences", "union_of"]


class Occurrence(NamedTuple):
    """One occurrence of a label: a triple of a graph, the text and its meaning."""

    resource: Node
    predicate: URIRef
    value: Node
    text: str
    resolution: Resolution
    graph: Graph

    @property
    def understood(self) -> Understood:
        """The text and its meaning."""
        return Understood(self.text, self.resolution)

    @property
    def content_types(self) -> tuple[ContentType, ...]:
        """The types that the label names; for a package with unknown content, the package."""
        return self.resolution.named


def occurrences(graph: Graph, resolver: Resolver = resolve) -> Iterator[Occurrence]:
    """Yield all labels on label properties in a graph or dataset, understood or not.

    In a dataset each comes with the named graph that it stands in.

    >>> from rdflib import DCTERMS, BNode, Literal
    >>> graph = Graph().add((BNode(), DCTERMS["format"], Literal("text/csv", lang="en")))
    >>> [label.resolution.types for label in occurrences(graph)]
    [(ContentType.parse('text/csv'),)]
    """
    for name in PROPERTIES:
        predicate = URIRef(name.value)
        for resource, value, where in _statements(graph, predicate):
            text, resolution = _understood(graph, value, resolver)
            yield Occurrence(resource, predicate, value, text, resolution, where)


def union_of(graph: Graph) -> Graph:
    """Return a graph, or for a dataset a view of all its graphs together.

    >>> dataset = Dataset()
    >>> triple = URIRef("urn:s:1"), URIRef("urn:p:1"), URIRef("urn:o:1")
    >>> graph = dataset.graph(URIRef("urn:g:1")).add(triple)
    >>> triple in dataset, triple in union_of(dataset)
    (False, True)
    """
    graph = as_dataset(graph)
    if not isinstance(graph, Dataset) or graph.default_union:
        return graph
    union = Dataset(graph.store, default_union=True)
    union.namespace_manager = graph.namespace_manager
    return union


def _understood(graph: Graph, value: Node, resolver: Resolver) -> Understood:
    described = (
        (name, lenient_ox(term))
        for name in DESCRIBED_BY
        for term in graph.objects(value, URIRef(name.value))
    )
    return understand(lenient_ox(value), described, resolver)


def _statements(graph: Graph, predicate: URIRef) -> Iterator[tuple[Node, Node, Graph]]:
    # Lists, because the caller may add to the graph at once.
    if isinstance(graph, Dataset):
        for subject, _, value, name in list(graph.quads((None, predicate, None, None))):
            yield subject, value, graph.graph(name)
    else:
        for subject, value in list(graph.subject_objects(predicate)):
            yield subject, value, graph
