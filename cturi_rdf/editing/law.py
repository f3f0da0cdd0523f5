"""The law of edits: apart from the changes, the edited text says what the original said.

Both texts are read side by side, statement by statement, so the memory does not grow with the file.
The labels of anonymous blank nodes differ from reading to reading, so such nodes are recognised by
where they stand.  In case of doubt both texts are compared as a whole.
"""

from __future__ import annotations

from collections import Counter, deque
from typing import TYPE_CHECKING

import pyoxigraph as ox

from cturi_rdf.editing.blank_nodes import (
    Pairs,
    is_plain,
    nodes_of,
    relabel,
    same_graph,
)
from cturi_rdf.editing.document import LINE_END
from cturi_rdf.editing.edit import Add, Edit, Edited, EditError, Replace, apply
from cturi_rdf.reading.read import reason_of
from cturi_rdf.reading.source import buffered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from cturi_rdf.editing.document import Document, Statement, Term
    from cturi_rdf.editing.edit import Change


def check(
    document: Document,
    edits: Sequence[Edit],
    changes: Iterable[Change],
    watch: Callable[[Iterator[ox.Quad]], Iterator[ox.Quad]] = iter,
) -> None:
    """Raise `EditError` unless the edited text says what the original says with the changes.

    It has to say all that the original says, without the statements that the changes remove, and
    with those that they add.  Where each statement is on a line of its own, only the lines with
    edits are read.  The edits are applied on the way, and nothing as large as the file is built in
    memory.  The error names the place of the edit in the file.  The changes, and the quads of the
    original, may be read more than once; `watch` sees those quads on their way, each time from the
    beginning.
    """
    data, touching = document.data, edits
    if document.format.by_lines:
        data, touching = _touched(document, edits)

    def readings() -> tuple[Iterator[ox.Quad], Iterator[ox.Quad]]:
        edited = document.parse(buffered(Edited(data, touching)))
        return watch(document.parse(data)), edited

    def compare() -> None:
        comparison = Comparison(document, changes)
        try:
            comparison.run(*readings())
        except EditError:
            # Blank nodes may have been paired too early.
            if not comparison.is_uncertain() or not is_isomorphic(document, changes, *readings()):
                raise

    try:
        compare()
    except SyntaxError as error:
        reason, expected = reason_of(error), f"valid {document.format.name}"
        broken = _broken_edit(document, data, touching, error)
        if broken is None:
            problem, place = f"it cannot be read ({reason})", (error.lineno, error.offset)
            raise EditError(problem, document.name, expected, *place) from error
        start = edits[broken].start
        problem = f"the edited text cannot be read there ({reason})"
        raise document.refusal(problem, start, expected) from error


def _touched(document: Document, edits: Iterable[Edit]) -> tuple[bytes, list[Edit]]:
    """Return the lines with edits, one after the other, and the edits of that text."""
    data = document.data
    lines: list[bytes] = []
    moved: list[Edit] = []
    until = size = 0
    for edit in edits:
        start = max(until, document.line_start(edit.start))
        end = max(start, _line_end(data, edit.end))
        # An edit may begin in the lines of the one before it.
        shift = size - start
        lines.append(data[start:end])
        size += end - start
        moved.append(Edit(edit.start + shift, edit.end + shift, edit.text, edit.number))
        until = end
    return b"".join(lines), moved


def _line_end(data: bytes, offset: int) -> int:
    """Return the end of the line that an offset is in; at the start of a line, the offset."""
    if data[max(offset - 1, 0) : offset] in {b"", b"\n", b"\r"}:
        return offset
    following = LINE_END.search(data, offset)
    return following.end() if following else len(data)


def _broken_edit(
    document: Document, data: bytes, edits: Sequence[Edit], error: SyntaxError
) -> int | None:
    """Return the number of the edit behind a syntax error; None if the original has it too."""
    try:
        deque(document.parse(data), maxlen=0)
    except SyntaxError:
        return None
    *lines, line = apply(data, edits).split(b"\n")[: error.lineno or 1]
    # The column of an error counts characters.
    characters = line.decode("utf-8", "surrogateescape")[: (error.offset or 1) - 1]
    before = characters.encode("utf-8", "surrogateescape")
    place = sum(map(len, lines)) + len(lines) + len(before)
    number, grown = 0, 0
    for index, (start, end, text, _) in enumerate(edits):
        if start + grown > place:
            break
        number, grown = index, grown + len(text) - (end - start)
    return number


# How many differences without a change are collected before the reading stops.
_UNEXPLAINED = 10_000
# How many quads of each reading may wait for their partner in the other one.
_WAITING = 20


class Comparison:
    """Reads the original and the edited text side by side.

    `_due` counts the quads that the changes add and that have not been read yet in the edited text;
    quads to be removed count below zero.  The place of the change is beside each count.  Blank
    nodes have the labels of the original reading.
    """

    def __init__(self, document: Document, changes: Iterable[Change]) -> None:
        self._document = document
        self._changes = iter(changes)
        # A change that has been read but not counted yet.
        self._ahead: Change | None = None
        self._alignment = Alignment(document)
        self._pairs = Pairs(document.is_anonymous)
        self._due: dict[ox.Quad, list[int]] = {}
        self._unexplained: dict[ox.Quad, None] = {}
        # The last few quads of each reading that had no partner when they were read.
        self._waiting: tuple[deque[ox.Quad], deque[ox.Quad]] = deque(), deque()
        self._place = 0

    def run(self, original: Iterator[ox.Quad], edited: Iterator[ox.Quad]) -> None:
        """Raise `EditError` unless the second says what the changes make of the first.

        After an error, `is_uncertain` tells whether blank nodes may have been paired wrongly.
        """
        match, meet = self._pairs.match, self._alignment.meet
        one, other, met = next(original, None), next(edited, None), None
        while one is not None or other is not None:
            if one == other:
                one, other = next(original, None), next(edited, None)
                continue
            if one is not None and one is not met:
                met = one
                meet(one)
            if one is not None and other is not None and match(one, other):
                one, other = next(original, None), next(edited, None)
                continue
            change = self._following()
            if other is not None and _adds(change, other):
                other = next(edited, None)
                continue
            if one is not None and other is not None and _replaces(change, one, other):
                one, other = next(original, None), next(edited, None)
                continue
            self._ahead = change
            if other is not None and self._is_added(one, other):
                other = next(edited, None)
            elif one is not None and self._is_removed(one):
                one = next(original, None)
            else:
                # The order may differ.
                self._wait(one, other)
                if len(self._unexplained) > _UNEXPLAINED:
                    break
                one, other = one and next(original, None), other and next(edited, None)
        self._finish()
        for quad, (number, place) in self._due.items():
            raise self._broken(quad, number, place)

    def _finish(self) -> None:
        """Count the quads without a partner, and the changes that are still unread."""
        self._explain_waiting(0)
        while change := self._following():
            self._expect(change)

    def is_uncertain(self) -> bool:
        """Return whether a difference has anonymous blank nodes."""
        return any(
            self._document.is_anonymous(node.value) for quad in self._due for node in nodes_of(quad)
        )

    def _is_added(self, one: ox.Quad | None, other: ox.Quad) -> bool:
        """Return whether changes add a quad; read up to the change that explains a difference."""
        due, quad, is_new = self._due, other, False
        if not is_plain(other):
            back = self._pairs.back
            quad = relabel(other, back)
            # A node that is met for the first time has no partner yet.
            is_new = any(
                self._document.is_anonymous(node.value) and node.value not in back
                for node in nodes_of(other)
            )
        while True:
            if is_new:
                quad = next((q for q in due if due[q][0] > 0 and self._pairs.match(q, other)), quad)
            if due and quad in due and due[quad][0] > 0:
                self._count(quad, -1)
                return True
            if due and one in due and due[one][0] < 0:
                return False
            change = self._following()
            if change is None:
                return False
            if self._alignment.is_unmet(change):
                self._ahead = change
                return False
            self._expect(change)

    def _following(self) -> Change | None:
        change, self._ahead = self._ahead, None
        return change if change is not None else next(self._changes, None)

    def _is_removed(self, one: ox.Quad) -> bool:
        """Return whether changes remove a quad."""
        due = self._due.get(one)
        if due is None or due[0] >= 0:
            return False
        self._count(one, 1)
        return True

    def _wait(self, one: ox.Quad | None, other: ox.Quad | None) -> None:
        """Look for partners among the waiting quads; keep the quads that have none yet."""
        ones, others = self._waiting
        if one is not None and not self._met(one, others, is_original=True):
            ones.append(one)
        if other is not None and not self._met(other, ones, is_original=False):
            others.append(other)
        self._explain_waiting(_WAITING)

    def _met(self, quad: ox.Quad, waiting: deque[ox.Quad], *, is_original: bool) -> bool:
        """Return whether a quad waits in the other reading, and take it from there."""
        match = self._pairs.match
        for index, partner in enumerate(waiting):
            if match(quad, partner) if is_original else match(partner, quad):
                del waiting[index]
                return True
        return False

    def _explain_waiting(self, most: int) -> None:
        """Count the waiting quads of both readings, but for the last few."""
        for waiting, number in zip(self._waiting, (1, -1), strict=True):
            while len(waiting) > most:
                self._explain_later(waiting.popleft(), number)

    def _explain_later(self, quad: ox.Quad, number: int) -> None:
        """Count a quad without a partner: 1 if the original says it, -1 if the edited text does."""
        quad = quad if number > 0 else relabel(quad, self._pairs.back)
        self._count(quad, number)
        if quad in self._due:
            self._unexplained[quad] = None

    def _expect(self, change: Change) -> None:
        """Count what a change adds and removes as due."""
        statement = change.statement
        place = statement.start if statement else len(self._document.data)
        for quads, number in ((change.added, 1), (change.removed, -1)):
            for quad in quads:
                self._count(relabel(quad, self._alignment.labels), number, place)

    def _count(self, quad: ox.Quad, number: int, place: int | None = None) -> None:
        due = self._due.setdefault(quad, [0, self._place if place is None else place])
        due[0] += number
        self._place = due[1]
        if not due[0]:
            del self._due[quad]
            self._unexplained.pop(quad, None)

    def _broken(self, quad: ox.Quad, number: int, place: int) -> EditError:
        text = f"{quad.subject} {quad.predicate} {quad.object}"
        if quad in self._unexplained:
            problem = f"the edits would {'remove' if number > 0 else 'add'} {text}"
            expected = "only the changes asked for"
        else:
            problem = f"the edit does not {'add' if number > 0 else 'remove'} {text}"
            expected = "the change asked for"
        return self._document.refusal(problem, place, expected)


def _adds(change: Change | None, other: ox.Quad) -> bool:
    """Return whether a change adds just this quad, as most differences need."""
    return isinstance(change, Add) and _is(other, change.statement, change.predicate, change.object)


def _replaces(change: Change | None, one: ox.Quad, other: ox.Quad) -> bool:
    """Return whether a change turns one quad into just the other."""
    if not isinstance(change, Replace):
        return False
    old, value, path = change
    return _is(other, old, path or old.predicate, value) and _is(
        one, old, old.predicate, old.object
    )


def _is(quad: ox.Quad, statement: Statement, path: ox.NamedNode, value: Term) -> bool:
    """Return whether a quad has a path and a value, and the subject and graph of a statement."""
    return (
        quad.object == value
        and quad.predicate == path
        and quad.subject == statement.subject
        and quad.graph_name == statement.graph
    )


def is_isomorphic(
    document: Document,
    changes: Iterable[Change],
    original: Iterable[ox.Quad],
    edited: Iterable[ox.Quad],
) -> bool:
    """Return whether the second reading says the same as the first with the changes, in any order.

    The answer is exact even where blank nodes look alike.  Both readings are kept in memory.
    """
    alignment, counts = Alignment(document), Counter[ox.Quad]()
    for quad in original:
        alignment.meet(quad)
        counts[quad] += 1
    for change in changes:
        counts.update(relabel(quad, alignment.labels) for quad in change.added)
        counts.subtract(relabel(quad, alignment.labels) for quad in change.removed)
    if min(counts.values(), default=0) < 0:
        return False
    return same_graph(+counts, edited)


# The locator and the parser of a file both make up labels for anonymous blank nodes.  They read the
# same text, so the statements about the nodes come in nearly the same order.  Two equal statements
# pair the nodes in them.

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
    def labels(self) -> Mapping[str, str]:
        """The parser's labels by the document's labels."""
        return self._pairs.there

    def meet(self, quad: ox.Quad) -> None:
        """Pair nodes by the next quad of the parser, if it is about an anonymous blank node."""
        if not self._is_wanted(quad.predicate, quad.object):
            return
        if not self._is_anonymous(quad.subject, quad.graph_name):
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
            self._label_is_anonymous(node.value) and node.value not in self.labels
            for node in nodes_of((statement.subject, statement.graph))
        )

    def _is_anonymous(self, *terms: object) -> bool:
        return any(self._label_is_anonymous(node.value) for node in nodes_of(terms))
