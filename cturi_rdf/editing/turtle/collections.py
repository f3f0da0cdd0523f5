"""The statements of Turtle that have no verb: the cells of collections, and what is reified.

A collection `( a b )` stands for two blank nodes with `rdf:first` and `rdf:rest` (Turtle 1.1
section 2.8).  An annotated statement is reified by the name behind its tilde, or by a blank node
(Turtle 1.2 section 2.12).
"""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any, NamedTuple

import pyoxigraph as ox

from cturi_rdf.editing.document import Span, Statement
from cturi_rdf.editing.located_graph import FIRST, NIL, REST
from cturi_rdf.editing.turtle.scan import Scanner
from cturi_rdf.editing.turtle.style import Spelling
from cturi_rdf.editing.turtle.terms import Verbs
from cturi_rdf.editing.turtle.tokens import term_end
from cturi_rdf.reading.terms import RDF_NS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cturi_rdf.editing.edit import Piece
    from cturi_rdf.editing.located_graph import GraphAfter, LocatedGraph
    from cturi_rdf.editing.turtle import TurtleDocument


REIFIES = ox.NamedNode(f"{RDF_NS}reifies")
_ITEM = 4


class Collection(NamedTuple):
    """A collection in a text: its span, its cells and the spans of its items."""

    start: int
    end: int
    cells: tuple[ox.BlankNode, ...]
    items: tuple[Span, ...]


class _Walk(Scanner):
    """A walk that keeps the collections and the reifiers."""

    def __init__(self, document: TurtleDocument) -> None:
        super().__init__(document.data, document.terms, Verbs(document.terms, None), {})
        # Where the graph of a collection is named, where it begins and ends, and its items.
        self.collections: list[tuple[int, int, int, tuple[Span, ...]]] = []
        # Where each reifier is named, and the number of the statement that it reifies.
        self.reifiers: dict[tuple[int, int], None] = {}
        self._items: list[list[list[int]]] = []

    def _term(self, position: int, following: int) -> tuple[int, int]:
        if following == _ITEM:
            # The end of what is in brackets is known where they close.
            self._items[-1].append([position, term_end(self._data, position)])
        return super()._term(position, following)

    def _enter(self, opens: bytes, position: int, following: int) -> tuple[int, int]:
        if opens == b"{|" and self._open:
            named = self._reifier if self._reifier >= 0 else position
            self.reifiers[named, self._open[-1]] = None
        result = super()._enter(opens, position, following)
        if opens == b"(":
            self._items.append([])
        return result

    def _close(self, position: int, opens: bytes, end: int) -> tuple[int, int]:
        start = self._around[-1][2] if self._around else -1
        result = super()._close(position, opens, end)
        if opens == b"(":
            spans = tuple(Span(*item) for item in self._items.pop())
            self.collections.append((self._graph, start, end, spans))
        if result[1] == _ITEM and self._items and self._items[-1]:
            self._items[-1][-1][1] = end
        return result

    def _read_reifier(self, position: int) -> tuple[int, int]:
        result = super()._read_reifier(position)
        if self._open:
            self.reifiers[self._reifier, self._open[-1]] = None
        return result


class Collections:
    """The collections of a document by the label of their first cell, and the statements left out.

    `statements` are those of the cells, whose `object_span` is that of the item, and those of the
    reifiers, which have no place.
    """

    def __init__(self, document: TurtleDocument) -> None:
        self.by_head: dict[ox.BlankNode, Collection] = {}
        self.statements: list[Statement] = []
        self._document = document
        if b"(" not in document.data and b"~" not in document.data and b"{|" not in document.data:
            return
        walk = _Walk(document)
        walk.scan()
        for place in walk.collections:
            self.statements += self._cells(*place)
        for offset, number in walk.reifiers:
            statement = document.statements[number]
            reified = ox.Triple(statement.subject, statement.predicate, statement.object)
            node = document.terms.node(offset)
            self.statements.append(Statement(statement.graph, node, REIFIES, reified))

    def _cells(
        self, named: int, start: int, end: int, items: tuple[Span, ...]
    ) -> Iterator[Statement]:
        """Yield the statements of the cells of one collection."""
        terms = self._document.terms
        graph: Any = terms.node(named) if named >= 0 else ox.DefaultGraph()
        if not items:
            return
        cells = terms.node(start), *(terms.cell(item.start) for item in items[1:])
        self.by_head[cells[0]] = Collection(start, end, cells, items)
        for cell, item, rest in zip(cells, items, (*cells[1:], NIL), strict=True):
            yield Statement(graph, cell, FIRST, terms.value(*item), item)
            yield Statement(graph, cell, REST, rest)


def edit_items(
    document: TurtleDocument, located: LocatedGraph, after: GraphAfter
) -> Iterator[Piece]:
    """Yield the edits of the items of collections: of those that differ in a new graph."""
    spelling = Spelling(
        document.terms,
        document.name,
        declares=False,
        size=len(document.data),
        nested=document.nested,
    )
    for head, collection in document.collections.by_head.items():
        news = located.items(head, after)
        olds = [document.terms.value(*item) for item in collection.items]
        if news is None or news == olds:
            continue
        spans, write = collection.items, spelling.at(collection.start).term
        matcher = SequenceMatcher(None, olds, news, autojunk=False)
        for _, one, two, three, four in matcher.get_opcodes():
            texts = b" ".join(map(write, news[three:four]))
            if one == two:
                place = spans[one - 1].end if one else spans[0].start
                yield place, place, b" " + texts if one else texts + b" ", 0
            elif three == four:
                yield from (_removed(document.data, spans, number) for number in range(one, two))
            elif olds[one:two] != news[three:four]:
                yield *spans[one], texts, 0
                yield from (_removed(document.data, spans, n) for n in range(one + 1, two))


def _removed(data: bytes, spans: tuple[Span, ...], number: int) -> Piece:
    """Return the edit that removes an item with the space on one side, but no comment."""
    start, end = spans[number]
    if number and not data[spans[number - 1].end : start].strip():
        start = spans[number - 1].end
    elif number + 1 < len(spans) and not data[end : spans[number + 1].start].strip():
        end = spans[number + 1].start
    return start, end, b"", 0
