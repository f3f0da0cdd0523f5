"""The statements of a Turtle file, made from their places on demand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from cturi_rdf.editing.document import Span, Statement
from cturi_rdf.editing.rows import Rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cturi_rdf.editing.turtle.scan import Places
    from cturi_rdf.editing.turtle.terms import Terms

    Broken = Callable[[Exception], Exception]


_DEFAULT = ox.DefaultGraph()
_BLANK = (b"[", b"(", b"{", b"~", b"<<", b"_:")


class TurtleStatements(Rows[Statement]):
    """The statements at some places."""

    def __init__(self, places: Places, terms: Terms, data: bytes, broken: Broken) -> None:
        """Take the places; `broken` makes the error of an invalid token."""
        self._broken = broken
        self._places = places
        self._terms = terms
        self._data = data
        # The subject and the graph that were last read, by their offsets.
        self._subject: tuple[int, Any] = (-1, None)
        self._graph: tuple[int, Any] = (-1, _DEFAULT)

    def __len__(self) -> int:
        return len(self._places.starts)

    def row(self, index: int) -> Statement:
        """Return one statement.  Raises the error that `broken` makes for an invalid token."""
        places, terms = self._places, self._terms
        subject, graph = places.subjects[index], places.graphs[index]
        start, end = places.starts[index], places.ends[index]
        try:
            if subject != self._subject[0]:
                self._subject = subject, terms.node(subject)
            if graph != self._graph[0]:
                self._graph = graph, terms.node(graph) if graph >= 0 else _DEFAULT
            value = terms.value(start, end)
        except (SyntaxError, ValueError) as error:
            raise self._broken(error) from error
        predicate = places.predicates[index]
        return Statement(
            self._graph[1], self._subject[1], predicate, value, Span(start, end), index
        )

    def about_blank_nodes(self) -> Iterator[Statement]:
        """Yield the statements whose subject or graph is a token that may be a blank node."""
        data = self._data
        pairs = zip(self._places.subjects, self._places.graphs, strict=True)
        for index, (subject, graph) in enumerate(pairs):
            if data.startswith(_BLANK, subject) or (graph >= 0 and data.startswith(_BLANK, graph)):
                yield self[index]
