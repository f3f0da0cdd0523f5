"""Turtle and TriG: statements found by their tokens, and changes written in their own style."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from cturi_rdf.editing.document import Document, Span, Statement
from cturi_rdf.editing.edit import Rows
from cturi_rdf.editing.turtle.brackets import Collections, edit_items, label_nodes
from cturi_rdf.editing.turtle.scan import Scanner, UnexpectedToken
from cturi_rdf.editing.turtle.terms import Terms, Verbs, verb_match
from cturi_rdf.editing.turtle.write import write_turtle
from cturi_rdf.reading.errors import CatalogError, not_valid

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from cturi_rdf.editing.edit import Change, Piece
    from cturi_rdf.editing.located_graph import GraphAfter, LocatedGraph
    from cturi_rdf.editing.turtle.scan import Places

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
        return Statement(self._graph[1], self._subject[1], predicate, value, start, end, index)

    def about_blank_nodes(self) -> Iterator[Statement]:
        """Yield the statements whose subject or graph is a token that may be a blank node."""
        data = self._data
        pairs = zip(self._places.subjects, self._places.graphs, strict=True)
        for index, (subject, graph) in enumerate(pairs):
            if data.startswith(_BLANK, subject) or (graph >= 0 and data.startswith(_BLANK, graph)):
                yield self[index]


class TurtleDocument(Document):
    """A file of Turtle or TriG.

    The statements that a collection stands for have no place of their own; the collection is an
    object with a place.  Where the text is not Turtle, locating raises `CatalogError`, and so
    does reading a statement.
    """

    statements: TurtleStatements
    brackets = True
    edits, labelling = write_turtle, label_nodes

    def _find(self) -> None:
        data, broken = self.data, partial(_broken, self.format.name, self.name)
        self.terms = Terms(data, self.base)
        scanner = Scanner(data, self.terms, Verbs(self.terms, self.predicates), self.tests)
        self.places = scanner.places
        try:
            scanner.scan()
        except UnexpectedToken as error:
            character = data[error.offset : error.offset + 1].decode("latin-1") or "the end"
            reason = f"an unexpected {character!r}"
            raise broken(reason, *self.position(error.offset)) from error
        except (SyntaxError, ValueError) as error:
            raise broken(error) from error
        self.statements = TurtleStatements(self.places, self.terms, data, broken)

    @cached_property
    def collections(self) -> Collections:
        """The collections of the text, and the statements that it makes without a verb."""
        return Collections(self)

    def implied(self) -> Iterable[Statement]:
        """Return the statements of the cells of collections, and those that reify others."""
        return self.collections.statements

    def lists(self) -> dict[ox.BlankNode, tuple[ox.BlankNode, ...]]:
        """Return the cells of the collections in round brackets."""
        return {head: one.cells for head, one in self.collections.by_head.items()}

    @cached_property
    def _handles(self) -> dict[int, list[int]]:
        """The numbers of the statements of each verb."""
        handles: dict[int, list[int]] = {}
        for number, verb in enumerate(self.places.verbs):
            handles.setdefault(verb, []).append(number)
        return handles

    def of_one_verb(self, statement: Statement) -> list[Statement]:
        """Return the statements of the verb of one."""
        verb = -1 if statement.handle is None else self.places.verbs[statement.handle]
        return [self.statements[number] for number in self._handles.get(verb, ())]

    def is_alone(self, statement: Statement) -> bool:
        """Return whether a statement is the only one of its verb."""
        match = verb_match(self.data, self.places.verbs[statement.handle])
        is_last = statement.end == self.places.stops[statement.handle]
        return is_last and match is not None and match.end() == statement.start

    def grouped(
        self, changes: list[Change], located: LocatedGraph, after: GraphAfter
    ) -> tuple[list[Change], Iterable[Piece]]:
        """Return the changes, and the edits of items of collections."""
        return changes, edit_items(self, located, after)

    def subject_span(self, statement: Statement) -> Span | None:
        """Return the place of a subject's token, or of the bracket that begins it."""
        return self._span(self.places.subjects[statement.handle])

    def predicate_span(self, statement: Statement) -> Span | None:
        """Return the place of a verb."""
        return self._span(self.places.verbs[statement.handle])

    def _span(self, start: int) -> Span | None:
        match = verb_match(self.data, start)
        if match:
            return Span(*match.span(1))
        return Span(start, start + 1) if self.data[start : start + 1] in {b"[", b"("} else None

    def in_reading_order(self) -> Iterator[Statement]:
        """Yield the statements about blank nodes as Oxigraph gives them.

        The statements inside square brackets come before the statement with the node in brackets.
        """
        around: list[Statement] = []
        for statement in self.statements.about_blank_nodes():
            while around and around[-1].end <= statement.start:
                yield around.pop()
            if self.is_list(statement.start):
                yield statement
            else:
                around.append(statement)
        yield from reversed(around)

    def is_list(self, start: int | None) -> bool:
        """Return whether the object at an offset is a collection, in round brackets."""
        return self.data.startswith(b"(", start)


def _broken(
    form: str, name: str, reason: object, line: int | None = None, column: int | None = None
) -> CatalogError:
    """Return the error for a file; it does not hold the document, so that this is freed at once."""
    return not_valid(form, reason, name, line, column)
