"""The labels in a graph, with their places and meanings."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rdflib import Dataset, Graph, Literal, URIRef

from cturi_rdf.labels import Resolution, resolve
from cturi_rdf.rdf import label_statements
from cturi_rdf.rdf.label_statements import Understood, name_as_written, understand_texts
from cturi_rdf.rdf.properties import PROPERTIES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import pyoxigraph as ox
    from rdflib.term import Node

    from cturi_rdf.content_type import ContentType
    from cturi_rdf.rdf.label_statements import Resolver

__all__ = ["Occurrence", "occurrences", "understand"]

_DESCRIBED_BY = tuple(URIRef(path.value) for path in label_statements.DESCRIBED_BY)


class Occurrence(NamedTuple):
    """One occurrence of a label: a triple of a graph, the text and its meaning."""

    resource: Node
    predicate: URIRef
    value: Node
    text: str
    resolution: Resolution
    graph: Graph

    @property
    def content_types(self) -> tuple[ContentType, ...]:
        """The types that the label names; for a package with unknown content, the package."""
        return self.resolution.named


def occurrences(
    graph: Graph, properties: Iterable[ox.NamedNode] = PROPERTIES, resolver: Resolver = resolve
) -> Iterator[Occurrence]:
    """Yield all labels on label properties in a graph or dataset, understood or not.

    In a dataset each comes with the named graph that it stands in.
    """
    for name in properties:
        predicate = URIRef(name.value)
        for resource, value, where in _statements(graph, predicate):
            text, resolution = understand(graph, value, resolver)
            yield Occurrence(resource, predicate, value, text, resolution, where)


def understand(graph: Graph, value: Node, resolver: Resolver = resolve) -> Understood:
    """Return the text of a label and what it means, see `label_statements.understand`.

    >>> understand(Graph(), Literal("text/csv", lang="en")).resolution.types
    (ContentType.parse('text/csv'),)
    """
    return understand_texts(_texts(graph, value), resolver)


def _texts(graph: Graph, value: Node) -> Iterator[str]:
    if isinstance(value, Literal):
        yield str(value)
        return
    if isinstance(value, URIRef):
        yield name_as_written(str(value))
    for predicate in _DESCRIBED_BY:
        for text in sorted(graph.objects(value, predicate), key=str):
            if isinstance(text, URIRef):
                yield name_as_written(str(text))
            elif isinstance(text, Literal):
                yield str(text)


def _statements(graph: Graph, predicate: URIRef) -> Iterator[tuple[Node, Node, Graph]]:
    # Lists, because what is found may be annotated at once.
    if isinstance(graph, Dataset):
        for subject, _, value, name in list(graph.quads((None, predicate, None, None))):
            yield subject, value, graph.graph(name)
    else:
        for subject, value in list(graph.subject_objects(predicate)):
            yield subject, value, graph
