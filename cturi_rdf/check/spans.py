"""The places in a file of the statements that other people's shapes find fault with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rdflib import Graph

from cturi_rdf.catalogue.labels import EDITABLE
from cturi_rdf.editing import locate
from cturi_rdf.reading.relative_iri import DOCUMENT
from cturi_rdf.reading.terms import from_ox

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rdflib.term import Node

    from cturi_rdf.editing import Statement
    from cturi_rdf.reading.jsonld_contexts import Contexts
    from cturi_rdf.reading.source import Source

__all__ = ["Spans", "graph_with_spans"]

_Span = tuple[int | None, int | None]


class Spans:
    """The spans of the objects of statements, by terms of rdflib."""

    def __init__(self, statements: Iterable[Statement]) -> None:
        """Take the statements of a file, in their order."""
        self.graph = Graph()
        self._spans: dict[tuple[Node | None, ...], _Span] = {}
        for statement in statements:
            subject, path, value = map(from_ox, statement[1:4])
            self.graph.add((subject, path, value))
            span = statement.start, statement.end
            for key in ((subject, path, value), (subject, path), (subject,), (None, value)):
                self._spans.setdefault(key, span)

    def of(self, node: Node | None, path: Node | None, value: Node | None) -> _Span:
        """Return the span of the statement that a validation result is about.

        Where it is about none, as of a value that is missing, that is the first statement of the
        property, else of the resource, else the first that leads to the resource.
        """
        keys = ((node, path, value), (node, path), (node,), (None, node))
        return next((self._spans[key] for key in keys if key in self._spans), (None, None))


def graph_with_spans(whole: Graph, source: Source, contexts: Contexts) -> tuple[Graph, Spans]:
    """Return the graph of a file, and the places of its statements.

    The parser and the locator label anonymous blank nodes differently; the graph has the labels of
    the locator.
    """
    if source.format.name not in EDITABLE:
        return whole, Spans(())
    document = locate(
        source.read(), source.format, base=DOCUMENT, name=source.name, contexts=contexts
    )
    spans = Spans(document.statements)
    # The locator may miss a statement: the graph of the parser has them all.
    return (spans.graph if len(spans.graph) == len(whole) else whole), spans
