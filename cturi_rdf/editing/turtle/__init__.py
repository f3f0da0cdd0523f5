"""Turtle and TriG: statements found by their tokens, and changes written in their own style.

Some nodes have no name.  A collection `( a b )` stands for two blank nodes with
`rdf:first` and `rdf:rest` (Turtle 1.1 section 2.8).  An annotated statement is reified by the name
behind its tilde, or by a blank node (Turtle 1.2 section 2.12).  An anonymous node that moves gets
a label: `s p [ q r ] .` becomes `s p _:b1 .` and, behind that statement, `_:b1 q r .`; the text in
the brackets moves as it is, with its comments.  A collection becomes its cells.
"""

from __future__ import annotations

import re
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple

import pyoxigraph as ox

from cturi_rdf.editing.document import Document, Ordered, Span, Statement
from cturi_rdf.editing.edit import Edit
from cturi_rdf.editing.located_graph import FIRST, NIL, REST, free_labels
from cturi_rdf.editing.turtle.scan import Scanner, UnexpectedToken
from cturi_rdf.editing.turtle.terms import Terms, Verbs, space_end, tokens, verb_match
from cturi_rdf.editing.turtle.write import Spelling, Style, write_turtle
from cturi_rdf.reading.errors import not_valid
from cturi_rdf.reading.terms import RDF_NS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from cturi_rdf.editing.located_graph import Node
    from cturi_rdf.editing.turtle.scan import Places

    Broken = Callable[[Exception], Exception]

_REIFIES = ox.NamedNode(f"{RDF_NS}reifies")
# From a dot to the end of its line; only a comment may be in between.
_REST = re.compile(rb"[ \t]*(?:#[^\r\n]*)?(?:\r\n?|\n)")
_DEFAULT = ox.DefaultGraph()
_BLANK = (b"[", b"(", b"{", b"~", b"<<", b"_:")


class _Collection(NamedTuple):
    """A collection in a text: where it begins, its cells and the spans of its items."""

    start: int
    cells: tuple[ox.BlankNode, ...]
    items: list[Span]


class Collections:
    """The collections of a document by the label of their first cell, and the statements left out.

    `statements` are those of the cells, whose `object_span` is that of the item, and those of the
    reifiers, which have no place.
    """

    def __init__(self, document: TurtleDocument) -> None:
        self.by_head: dict[ox.BlankNode, _Collection] = {}
        self.statements: list[Statement] = []
        self._document = document
        for place in document.places.collections:
            self.statements += self._cells(*place)
        for offset, number in document.places.reifiers:
            statement = document.statements[number]
            reified = ox.Triple(statement.subject, statement.predicate, statement.object)
            node = document.terms.node(offset)
            self.statements.append(Statement(statement.graph, node, _REIFIES, reified))

    def _cells(self, named: int, span: Span, items: list[Span]) -> Iterator[Statement]:
        """Yield the statements of the cells of one collection."""
        terms = self._document.terms
        graph: Any = terms.node(named) if named != -1 else ox.DefaultGraph()
        if not items:
            return
        cells = terms.node(span.start), *(terms.cell(item.start) for item in items[1:])
        self.by_head[cells[0]] = _Collection(span.start, cells, items)
        for cell, item, rest in zip(cells, items, (*cells[1:], NIL), strict=True):
            yield Statement(graph, cell, FIRST, terms.value(*item), *item)
            yield Statement(graph, cell, REST, rest)


class _Labelling:
    """The edits that give the outermost of some anonymous nodes a label.

    `_behind` are new statements, by where the one before them ends and the place of its dot or
    brace.
    """

    def __init__(self, document: TurtleDocument, homes: Mapping[Node, Statement]) -> None:
        self._document = document
        self._data = document.data
        self._homes = homes
        self._labels = (label.encode() for label in free_labels(document))
        self._edits: list[Edit] = []
        self._behind: dict[tuple[int, int], list[bytes]] = {}
        self._spelling = Spelling(document, {})

    def edits(self, nodes: Iterable[Node]) -> list[Edit]:
        """Return the edits in the order of the text.

        Raises `EditError` for the node of an annotation.
        """
        reached = -1
        anonymous = (node for node in nodes if isinstance(node, ox.BlankNode))
        for start in sorted(map(self._document.terms.offset, anonymous)):
            if start < reached:
                continue
            if self._data[start : start + 1] not in {b"[", b"("}:
                raise self._document.refusal("a blank node cannot be given a label there", start)
            reached = _skip_brackets(self._data, start)
            is_subject = all(home.start != start for home in self._homes.values())
            if self._data.startswith(b"(", start):
                self._collection(start, reached)
            elif is_subject:
                self._subject(start, reached)
            else:
                self._object(start, reached)
        for (last, place), texts in self._behind.items():
            self._edits += self._statements(last, place, texts)
        return sorted(self._edits, key=lambda edit: (edit.start, edit.end))

    def _subject(self, start: int, end: int) -> None:
        """Put a label before what a subject in brackets says."""
        label, data = next(self._labels), self._data
        self._edits.append(Edit(start, start + 1, label + b" "))
        inside = space_end(data, start + 1) < end - 1
        following = data[space_end(data, end) :][:1]
        self._edits.append(Edit(end - 1, end, b";" if inside and following != b"." else b""))

    def _object(self, start: int, end: int) -> None:
        """Put a label in the place of brackets, and what they hold behind the statement."""
        label, inner = next(self._labels), self._data[start + 1 : end - 1]
        if space_end(self._data, start + 1) == end - 1:
            self._edits += [Edit(start, start + 1, label), Edit(end - 1, end, b"")]
            return
        self._edits.append(Edit(start, end, label))
        self._put(end, b"%b %b" % (label, inner.strip()))

    def _collection(self, start: int, end: int) -> None:
        """Put a label in the place of round brackets, and the cells behind the statement."""
        spelling = self._spelling.at(start)
        items = self._document.collections.by_head[self._document.terms.node(start)].items
        labels = [next(self._labels) for _ in items]
        rests = [*labels[1:], spelling.term(NIL)]
        ends = [item.start for item in items[1:]] + [end - 1]
        self._edits.append(Edit(start, end, labels[0]))
        for label, item, stop, rest in zip(labels, items, ends, rests, strict=True):
            first, second = spelling.verb(FIRST), spelling.verb(REST)
            texts = label, second, rest, first, self._data[item.start : stop].strip()
            self._put(end, b"%b %b %b ; %b %b" % texts)

    def _put(self, end: int, text: bytes) -> None:
        self._behind.setdefault(_statement_end(self._data, end), []).append(text)

    def _statements(self, last: int, place: int, texts: list[bytes]) -> Iterator[Edit]:
        """Yield the edits that write statements behind another one."""
        data, line_end = self._data, self._document.line_end
        is_inside = any(
            0 <= name < place <= brace for name, brace, _ in self._document.places.blocks
        )
        indent = Style(self._document).indentation if is_inside else b""
        # A text may end in a comment.
        ends = (line_end if b"#" in text[_last_end(text) :] else b" " for text in texts)
        whole = [text + end + b"." for text, end in zip(texts, ends, strict=True)]
        if data[place : place + 1] != b".":
            # The last statement of a graph needs no dot.
            whole[-1] = whole[-1].removesuffix(b".")
            yield Edit(last, last, b" ." + b"".join(b" " + text for text in whole))
        elif rest := _REST.match(data, place + 1):
            lines = b"".join(indent + text + line_end for text in whole)
            yield Edit(rest.end(), rest.end(), lines)
        else:
            lines = b"".join(line_end + indent + text for text in whole)
            yield Edit(place + 1, place + 1, lines)


def _skip_brackets(data: bytes, start: int) -> int:
    """Return the end of the brackets that begin at an offset.

    >>> _skip_brackets(b"[ a [] ; b ( <c> ']' ) ] .", 0)
    24
    """
    return next((end for _, end, depth in tokens(data, start) if not depth), len(data))


def _statement_end(data: bytes, start: int) -> tuple[int, int]:
    r"""Return where a statement ends, and the place of the dot or the brace after it.

    >>> _statement_end(b"<a> <b> 1.5 , <c> # d\n .", 3)
    (17, 23)
    """
    last = start
    for begin, end, _ in tokens(data, start):
        if data[begin:end] in {b".", b"}"}:
            return last, begin
        last = end
    return last, len(data)


def _last_end(text: bytes) -> int:
    """Return where the last token of some statements ends."""
    return max(end for _, end, _ in tokens(text, 0))


class _Statements:
    """Makes the statements at some places."""

    def __init__(self, places: Places, terms: Terms, broken: Broken) -> None:
        """Take the places; `broken` makes the error of an invalid token."""
        self._broken, self._places, self._terms = broken, places, terms
        # The subject and the graph that were last read, by their offsets.
        self._subject: tuple[int, Any] = (-1, None)
        self._graph: tuple[int, Any] = (-1, _DEFAULT)

    def one(self, index: int) -> Statement:
        """Return one statement.  Raises the error that `broken` makes for an invalid token."""
        places, terms = self._places, self._terms
        subject, graph = places.subjects[index], places.graphs[index]
        start, end = places.starts[index], places.ends[index]
        try:
            if subject != self._subject[0]:
                self._subject = subject, terms.node(subject)
            if graph != self._graph[0]:
                self._graph = graph, terms.node(graph) if graph != -1 else _DEFAULT
            value = terms.value(start, end)
        except (SyntaxError, ValueError) as error:
            raise self._broken(error) from error
        predicate = places.predicates[index]
        return Statement(self._graph[1], self._subject[1], predicate, value, start, end, index)


class TurtleDocument(Document):
    """A file of Turtle or TriG.

    The statements that a collection stands for have no place of their own; the collection is an
    object with a place.  Where the text is not Turtle, locating raises `CatalogError`, and so
    does reading a statement.
    """

    brackets = True
    edits = write_turtle

    def _find(self) -> None:
        # It does not hold the document, so that this is freed at once.
        data, broken = self.data, partial(not_valid, self.format.name, source=self.name)
        self.terms = Terms(data, self.base)
        scanner = Scanner(data, self.terms, Verbs(self.terms, self.predicates), self.tests)
        self.places = scanner.places
        try:
            scanner.scan()
        except UnexpectedToken as error:
            character = data[error.offset : error.offset + 1].decode("latin-1") or "the end"
            reason = f"an unexpected {character!r}"
            line, column = self.position(error.offset)
            raise broken(reason, line=line, column=column) from error
        except (SyntaxError, ValueError) as error:
            raise broken(error) from error
        make = _Statements(self.places, self.terms, broken).one
        self.statements = Ordered(make, range(len(self.places.starts)))

    @cached_property
    def collections(self) -> Collections:
        """The collections of the text, and the statements that it makes without a verb."""
        try:
            return Collections(self)
        except (SyntaxError, ValueError) as error:
            raise not_valid(self.format.name, error, source=self.name) from error

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

    def labelling(self, homes: Mapping[Node, Statement], nodes: set[Node]) -> list[Edit]:
        """Return the edits that give the outermost of some anonymous nodes a label."""
        return _Labelling(self, homes).edits(nodes)

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
        subjects = zip(self.places.subjects, self.places.graphs, strict=True)
        for index, (subject, graph) in enumerate(subjects):
            if not self.data.startswith(_BLANK, subject) and (
                graph == -1 or not self.data.startswith(_BLANK, graph)
            ):
                continue
            statement = self.statements[index]
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
