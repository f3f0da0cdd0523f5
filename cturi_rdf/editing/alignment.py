"""Pairs the anonymous blank nodes of a file's locator with those of its parser.

Both make up labels for such nodes.  They read the same text, so the statements about the nodes come
in nearly the same order.  Two equal statements pair the nodes in them.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from cturi_rdf.editing.blank_nodes import Pairs, labels_of_term

if TYPE_CHECKING:
    import pyoxigraph as ox

    from cturi_rdf.editing.blank_nodes import Recent
    from cturi_rdf.editing.changes import Change
    from cturi_rdf.editing.document import Document, Statement


# How many statements may wait for a quad that comes later from the parser.
_WINDOW = 10_000


class Alignment:
    """Pairs the anonymous blank nodes of a document with those of a parser's quads."""

    def __init__(self, document: Document) -> None:
        self._is_wanted = document.is_wanted
        self._label_is_anonymous = document.is_anonymous
        # A node with a label has it in both readings.
        self._statements = (
            statement
            for statement in document.in_reading_order()
            if self._is_anonymous(statement.subject, statement.graph)
        )
        self._waiting: deque[Statement] = deque()
        self._pairs = Pairs(document.is_anonymous)

    @property
    def labels(self) -> Recent:
        """The parser's labels by the document's labels."""
        return self._pairs.there

    def meet(self, quad: ox.Quad) -> None:
        """Pair nodes by the next quad of the parser, if it is about an anonymous blank node."""
        if not self._is_anonymous(quad.subject, quad.graph_name):
            return
        if not self._is_wanted(quad.predicate, quad.object):
            return
        match = self._pairs.match
        for index, statement in enumerate(self._waiting):
            if match(statement.quad, quad):
                del self._waiting[index]
                return
        while len(self._waiting) < _WINDOW:
            following = next(self._statements, None)
            if following is None or match(following.quad, quad):
                return
            self._waiting.append(following)

    def is_unmet(self, change: Change) -> bool:
        """Return whether a change is about a node that has no partner yet."""
        statement = change.statement
        return statement is not None and any(
            self._label_is_anonymous(label) and self.labels.get(label) is None
            for term in (statement.subject, statement.graph)
            for label in labels_of_term(term)
        )

    def _is_anonymous(self, *terms: object) -> bool:
        return any(
            self._label_is_anonymous(label) for term in terms for label in labels_of_term(term)
        )
