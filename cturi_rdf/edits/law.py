"""The law of edits: the edited text says what the original said, but for the changes.

Both texts are read side by side, statement by statement, so the memory does not grow with the
file.  The labels of anonymous blank nodes differ from reading to reading; such nodes are told
by where they stand.
"""

from __future__ import annotations

from collections import deque
from io import BytesIO
from typing import TYPE_CHECKING, cast

import pyoxigraph as ox

from cturi_rdf.edits.blank_nodes import (
    Pairs,
    is_plain,
    is_random,
    labels_of,
    labels_of_term,
    relabel,
)
from cturi_rdf.edits.changes import Add
from cturi_rdf.edits.edit import Edit, Edited, EditError, Edits, apply

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import IO

    from cturi_rdf.edits.changes import Change
    from cturi_rdf.edits.document import Document, Statement

__all__ = ["check"]

# So many statements may differ that no change explains, before the reading ends.
_UNEXPLAINED = 10_000
# So many statements may be read before those that stand in front of them.
_WINDOW = 10_000


def check(
    document: Document,
    edits: Iterable[Edit],
    changes: Iterable[Change],
    edited: bytes | None = None,
) -> None:
    """Raise `EditError` unless the edited text says what the changes make of the original.

    It has to say all that the original says, without the statements that the changes remove,
    with those that they add.  Where each statement is on a line of its own, only the lines
    with edits are read.  Without `edited`, the edits are applied on the way, and nothing of
    the size of the file is built.  The error names the place of the edit in the file.
    """
    # What is read more than once must not be used up.
    edits = edits if isinstance(edits, Edits | list | tuple) else list(edits)
    data, made = document.data, edits
    if document.format.by_lines:
        data, made = _touched(document, edits)
        edited = None
    after = Edited(data, made) if edited is None else BytesIO(edited)
    comparison = _Comparison(document, changes)
    try:
        comparison.run(document.parse(BytesIO(data)), document.parse(cast("IO[bytes]", after)))
    except SyntaxError as error:
        broken = _broken_edit(document, data, made, error)
        if broken is None:
            raise EditError(
                f"it cannot be read ({error.msg})", document.name,
                f"valid {document.format.name}", error.lineno, error.offset,
            ) from error  # fmt: skip
        place = edits[broken].start if edits else 0
        raise EditError(
            f"the edited text cannot be read there ({error.msg})", document.name,
            f"valid {document.format.name}", *document.position(place),
        ) from error  # fmt: skip


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
        moved.append(Edit(edit.start + shift, edit.end + shift, edit.text, edit.change))
        until = end
    return b"".join(lines), moved


def _line_end(data: bytes, offset: int) -> int:
    """Return the end of the line that a byte is in; that of the line before at its beginning."""
    if data[max(offset - 1, 0) : offset] in {b"", b"\n", b"\r"}:
        return offset
    end = data.find(b"\n", offset) + 1 or len(data)
    carriage = data.find(b"\r", offset, end) + 1
    return end if not carriage or data[carriage : carriage + 1] == b"\n" else carriage


class _Comparison:
    """Reads the original and the edited text side by side.

    `_due` counts the quads that the changes add and that the edited text did not say yet; what
    is to be taken away counts below zero.  With each count is the place of its change.
    """

    def __init__(self, document: Document, changes: Iterable[Change]) -> None:
        self._document = document
        self._changes = iter(changes)
        self._statements = _about_blank_nodes(document.statements)
        self._waiting: deque[Statement] = deque()
        self._located = Pairs()
        self._pairs = Pairs()
        self._due: dict[ox.Quad, list[int]] = {}
        self._unmet: list[tuple[ox.Quad, int, int]] = []
        self._unexplained: dict[ox.Quad, None] = {}
        self._at_hand: tuple[ox.Quad | None, ox.Quad | None] = (None, None)
        self._place = 0

    def run(self, original: Iterator[ox.Quad], edited: Iterator[ox.Quad]) -> None:
        """Raise `EditError` unless the second says what the changes make of the first."""
        match = self._pairs.match
        one, other, met = next(original, None), next(edited, None), None
        while one is not None or other is not None:
            if one == other:
                one, other = next(original, None), next(edited, None)
                continue
            if one is not None and one is not met:
                met = one
                self._meet(one)
            if one is not None and other is not None and match(one, other):
                one, other = next(original, None), next(edited, None)
            elif other is not None and self._is_added(one, other):
                other = next(edited, None)
            elif one is not None and self._is_removed(one):
                one = next(original, None)
            else:
                # Perhaps the order is another one.
                self._explain_later(one, other)
                if len(self._unexplained) > _UNEXPLAINED:
                    break
                one, other = one and next(original, None), other and next(edited, None)
        self._settle()

    def _settle(self) -> None:
        """Raise `EditError` over what no change explains, and what changes miss."""
        for change in self._changes:
            self._expect(change)
        for due in self._unmet:
            self._count(*due)
        self._match_rest()
        for quad, (number, place) in self._due.items():
            raise self._broken(quad, number, place)

    def _match_rest(self) -> None:
        """Tell blank nodes that nothing told where they were first met, by what is left."""
        missing: dict[object, deque[ox.Quad]] = {}
        for quad, (number, _) in self._due.items():
            if number > 0 and any(labels_of(quad)):
                missing.setdefault(quad.predicate, deque()).append(quad)
        for quad, (number, place) in list(self._due.items()):
            if number < 0 and any(labels_of(quad)):
                candidates = missing.get(quad.predicate, deque())
                match = self._pairs.match
                same = next((other for other in candidates if match(other, quad)), None)
                if same is not None:
                    candidates.remove(same)
                relabelled = relabel(quad, self._pairs.back)
                if relabelled != quad:
                    self._count(quad, -number)
                    self._count(relabelled, number, place)

    def _is_added(self, one: ox.Quad | None, other: ox.Quad) -> bool:
        """Return whether changes add a quad; read them up to the one that explains a difference."""
        due = self._due
        if not due and not self._unmet and self._is_next(other):
            return True
        if is_plain(other):
            return self._is_plain_added(one, other)
        quad = relabel(other, self._pairs.back)
        # A node that is met for the first time has no partner yet.
        fresh = any(
            is_random(label) and not self._pairs.back.get(label) for label in labels_of(other)
        )
        self._at_hand = (None if fresh else quad, one)
        unmet, self._unmet = self._unmet, []
        for each in unmet:
            self._add_due(*each)
        while True:
            if fresh:
                quad = next((q for q in due if due[q][0] > 0 and self._pairs.match(q, other)), quad)
            if quad in due and due[quad][0] > 0:
                self._count(quad, -1)
                return True
            if one in due and due[one][0] < 0:
                return False
            change = next(self._changes, None)
            if change is None:
                return False
            self._expect(change)

    def _is_next(self, other: ox.Quad) -> bool:
        """Return whether the next change is to add a quad and nothing else, as most are."""
        change = next(self._changes, None)
        if change is None:
            return False
        if isinstance(change, Add):
            beside, there = change.beside, other.subject
            subject: object = beside.subject
            if isinstance(subject, ox.BlankNode) and isinstance(there, ox.BlankNode):
                here = self._located.there.get(subject.value)
                is_paired = here is not None and self._pairs.back.get(there.value) == here
                subject = there if is_paired else subject
            if (
                subject == there
                and change.predicate == other.predicate
                and change.object == other.object
                and beside.graph == other.graph_name
            ):
                return True
        self._expect(change)
        return False

    def _is_plain_added(self, one: ox.Quad | None, other: ox.Quad) -> bool:
        """Return the same of a quad without blank nodes, of which most files have most."""
        due = self._due
        self._at_hand = (None, None)
        while True:
            if other in due and due[other][0] > 0:
                self._count(other, -1)
                return True
            if one in due and due[one][0] < 0:
                return False
            change = next(self._changes, None)
            if change is None:
                return False
            self._expect(change)

    def _is_removed(self, one: ox.Quad) -> bool:
        """Return whether changes take a quad away."""
        due = self._due.get(one)
        if due is None or due[0] >= 0:
            return False
        self._count(one, 1)
        return True

    def _explain_later(self, one: ox.Quad | None, other: ox.Quad | None) -> None:
        relabelled = other and relabel(other, self._pairs.back)
        for quad, number in ((relabelled, -1), (one, 1)):
            if quad is not None:
                self._count(quad, number)
                if quad in self._due:
                    self._unexplained[quad] = None

    def _meet(self, quad: ox.Quad) -> None:
        """Learn how the document labels the anonymous subject of a quad of the original."""
        subject, wanted = quad.subject, self._document.predicates
        if not isinstance(subject, ox.BlankNode) or self._located.back.get(subject.value):
            return
        if wanted is not None and quad.predicate.value not in wanted:
            return
        # Where both ends are blank, a quad does not tell which nodes they are.
        if isinstance(quad.object, ox.BlankNode) or not is_random(subject.value):
            return
        for index, statement in enumerate(self._waiting):
            if self._located.match(statement.quad, quad):
                del self._waiting[index]
                return
        while len(self._waiting) < _WINDOW:
            following = next(self._statements, None)
            if following is None or self._located.match(following.quad, quad):
                return
            located = any(map(self._located.there.get, labels_of_term(following.subject)))
            if not located and not isinstance(following.object, ox.BlankNode):
                self._waiting.append(following)

    def _expect(self, change: Change) -> None:
        """Count what a change adds and removes as due."""
        statement = getattr(change, "worker_count", None) or getattr(change, "statement", None)
        place = statement.start if statement else len(self._document.data)
        for quad in change.added:
            self._add_due(quad, 1, place)
        for quad in change.removed:
            self._add_due(quad, -1, place)

    def _add_due(self, quad: ox.Quad, number: int, place: int) -> None:
        labels = self._located.there
        label = quad.subject.value if isinstance(quad.subject, ox.BlankNode) else None
        if label is not None and is_random(label) and labels.get(label) is None:
            # Not met yet, or told by nothing but other blank nodes: then by what is at hand.
            at_hand = self._at_hand[number < 0]
            if at_hand is None or not self._located.match(quad, at_hand):
                self._unmet.append((quad, number, place))
                return
        self._count(relabel(quad, labels), number, place)

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
            problem = f"the edits would {'take away' if number > 0 else 'add'} {text}"
            expected = "only the changes asked for"
        else:
            problem = f"the edit does not {'add' if number > 0 else 'take away'} {text}"
            expected = "the change asked for"
        return EditError(problem, self._document.name, expected, *self._document.position(place))


def _about_blank_nodes(statements: Iterable[Statement]) -> Iterator[Statement]:
    """Yield the statements about blank nodes; quickly where the locator knows which they are."""
    quick = getattr(statements, "about_blank_nodes", None)
    if quick is not None:
        yield from quick()
        return
    for statement in statements:
        if isinstance(statement.subject, ox.BlankNode):
            yield statement


def _broken_edit(
    document: Document, data: bytes, edits: Sequence[Edit], error: SyntaxError
) -> int | None:
    """Return the number of the edit behind a syntax error; None if the original has it too."""
    try:
        deque(document.parse(data), maxlen=0)
    except SyntaxError:
        return None
    lines = apply(data, edits).split(b"\n")[: (error.lineno or 1) - 1]
    place = sum(map(len, lines)) + len(lines) + (error.offset or 1) - 1
    number, grown = 0, 0
    for index, (start, end, text, _) in enumerate(edits):
        if start + grown > place:
            break
        number, grown = index, grown + len(text) - (end - start)
    return number
