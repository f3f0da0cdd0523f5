"""The law of edits: the edited text says what the original said, but for the changes.

Both texts are read side by side, statement by statement, so the memory does not grow with the
file.  The labels of anonymous blank nodes differ from reading to reading; such nodes are told
by where they stand.
"""

from __future__ import annotations

import re
from collections import deque
from io import BytesIO
from typing import TYPE_CHECKING, cast

import pyoxigraph as ox

from cturi_rdf.edits.edit import Edit, Edited, EditError, Edits, apply

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import IO

    from cturi_rdf.edits.changes import Change
    from cturi_rdf.edits.document import Document, Statement

__all__ = ["check"]

# How a parser labels an anonymous blank node: by random digits.
_RANDOM = re.compile("[A-Za-z]?[0-9a-f]{28,32}")
# So many pairs of anonymous blank nodes are remembered since one of them was last met.
_REMEMBERED = 50_000
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


class _Recent:
    """A mapping that forgets what has not been met for long."""

    def __init__(self) -> None:
        self._new: dict[str, str] = {}
        self._old: dict[str, str] = {}

    def get(self, key: str) -> str | None:
        value = self._new.get(key)
        if value is None and (value := self._old.get(key)) is not None:
            self[key] = value
        return value

    def __setitem__(self, key: str, value: str) -> None:
        if len(self._new) >= _REMEMBERED:
            self._old, self._new = self._new, {}
        self._new[key] = value


class _Pairs:
    """Which blank node of one reading is which of another one, as far as both were met."""

    def __init__(self) -> None:
        self.there = _Recent()
        self.back = _Recent()

    def match(self, one: ox.Quad, other: ox.Quad) -> bool:
        """Return whether two quads are the same; if so, remember the pairs of blank nodes."""
        fresh: dict[str, str] = {}
        if (
            one.predicate == other.predicate
            and self._match(one.subject, other.subject, fresh)
            and self._match(one.object, other.object, fresh)
            and self._match(one.graph_name, other.graph_name, fresh)
        ):
            for here, there in fresh.items():
                self.there[here] = there
                self.back[there] = here
            return True
        return False

    def _match(self, one: object, other: object, fresh: dict[str, str]) -> bool:
        if isinstance(one, ox.BlankNode) and isinstance(other, ox.BlankNode):
            partner = fresh.get(one.value) or self.there.get(one.value)
            if partner is not None:
                return partner == other.value
            if other.value in fresh.values() or self.back.get(other.value) is not None:
                return False
            fresh[one.value] = other.value
            return one == other or _RANDOM.fullmatch(other.value) is not None
        if isinstance(one, ox.Triple) and isinstance(other, ox.Triple):
            return all(
                self._match(here, there, fresh) for here, there in zip(one, other, strict=True)
            )
        return one == other


def _relabelled(term: object, labels: _Recent) -> object:
    """Return a term with the labels of another reading."""
    if isinstance(term, ox.BlankNode):
        return ox.BlankNode(labels.get(term.value) or term.value)
    if isinstance(term, ox.Triple):
        subject, predicate, value = (_relabelled(each, labels) for each in term)
        return ox.Triple(subject, predicate, value)  # type: ignore[arg-type]
    return term


def _relabel(quad: ox.Quad, labels: _Recent) -> ox.Quad:
    if _is_plain(quad):
        return quad
    return ox.Quad(*(_relabelled(term, labels) for term in quad))  # type: ignore[arg-type]


def _is_plain(quad: ox.Quad) -> bool:
    blank = (ox.BlankNode, ox.Triple)
    return not (
        isinstance(quad.subject, blank)
        or isinstance(quad.object, blank)
        or isinstance(quad.graph_name, ox.BlankNode)
    )


class _Comparison:
    """Reads the original and the edited text side by side.

    `_due` counts the quads that the changes add and that the edited text did not say yet; what
    is to be taken away counts below zero.  With each count is the place of its change.
    """

    def __init__(self, document: Document, changes: Iterable[Change]) -> None:
        self._document = document
        self._changes = iter(changes)
        self._statements: Iterator[Statement] = iter(document.statements)
        self._waiting: deque[Statement] = deque()
        self._located = _Pairs()
        self._due: dict[ox.Quad, list[int]] = {}
        self._unknown: list[tuple[ox.Quad, int, int]] = []
        self._unexplained: dict[ox.Quad, None] = {}
        self._place = 0

    def run(self, original: Iterator[ox.Quad], edited: Iterator[ox.Quad]) -> None:
        """Raise `EditError` unless the second says what the changes make of the first."""
        pairs = _Pairs()
        one, other = self._next(original), next(edited, None)
        while one is not None or other is not None:
            if one is not None and other is not None and (one == other or pairs.match(one, other)):
                one, other = self._next(original), next(edited, None)
                continue
            said = None if other is None else _relabel(other, pairs.back)
            self._read_changes(one, said)
            if said is not None and self._count(said) > 0:
                self._add(said, -1)
                other = next(edited, None)
            elif one is not None and self._count(one) < 0:
                self._add(one, 1)
                one = self._next(original)
            else:
                # Perhaps in another order.
                for quad, number in ((said, -1), (one, 1)):
                    if quad is not None:
                        self._add(quad, number)
                        self._unexplained[quad] = None
                if len(self._unexplained) > _UNEXPLAINED:
                    break
                one, other = one and self._next(original), other and next(edited, None)
        self._read_changes(None, None)
        for due in self._unknown:
            self._add(*due)
        self._match_rest(pairs)
        for quad, (number, place) in self._due.items():
            raise self._broken(quad, number, place)

    def _match_rest(self, pairs: _Pairs) -> None:
        """Tell blank nodes that nothing told where they were first met, by what is left."""
        missing: dict[object, deque[ox.Quad]] = {}
        for quad, (number, _) in self._due.items():
            if number > 0 and not _is_plain(quad):
                missing.setdefault(quad.predicate, deque()).append(quad)
        for quad, (number, place) in list(self._due.items()):
            if number < 0 and not _is_plain(quad):
                candidates = missing.get(quad.predicate, deque())
                same = next((other for other in candidates if pairs.match(other, quad)), None)
                if same is not None:
                    candidates.remove(same)
                known = _relabel(quad, pairs.back)
                if known != quad:
                    self._add(quad, -number)
                    self._add(known, number, place)

    def _next(self, original: Iterator[ox.Quad]) -> ox.Quad | None:
        """Return the next quad of the original; a blank subject is looked up in the document."""
        quad = next(original, None)
        if quad is not None and isinstance(quad.subject, ox.BlankNode):
            wanted = self._document.predicates
            if wanted is None or quad.predicate.value in wanted:
                self._find(quad)
        return quad

    def _find(self, quad: ox.Quad) -> None:
        """Learn how the document labels the subject of a quad."""
        for index, statement in enumerate(self._waiting):
            if self._located.match(statement.quad, quad):
                del self._waiting[index]
                return
        while len(self._waiting) < _WINDOW:
            found = next(self._statements, None)
            if found is None:
                return
            if isinstance(found.subject, ox.BlankNode):
                if self._located.match(found.quad, quad):
                    return
                self._waiting.append(found)

    def _read_changes(self, one: ox.Quad | None, other: ox.Quad | None) -> None:
        """Read changes up to one that explains a difference."""
        if self._unknown:
            unknown, self._unknown = self._unknown, []
            for due in unknown:
                self._expect(*due)
        while not (
            (other is not None and self._count(other) > 0)
            or (one is not None and self._count(one) < 0)
        ):
            change = next(self._changes, None)
            if change is None:
                return
            statement = getattr(change, "beside", None) or getattr(change, "statement", None)
            place = statement.start if statement else len(self._document.data)
            for quad in change.added:
                self._expect(quad, 1, place)
            for quad in change.removed:
                self._expect(quad, -1, place)

    def _expect(self, quad: ox.Quad, number: int, place: int) -> None:
        known = _relabel(quad, self._located.there)
        subject = quad.subject
        if isinstance(subject, ox.BlankNode) and self._located.there.get(subject.value) is None:
            # Perhaps anonymous, and not met yet.
            self._unknown.append((quad, number, place))
        else:
            self._add(known, number, place)

    def _count(self, quad: ox.Quad) -> int:
        due = self._due.get(quad)
        return due[0] if due else 0

    def _add(self, quad: ox.Quad, number: int, place: int | None = None) -> None:
        if place is not None:
            self._place = place
        due = self._due.setdefault(quad, [0, self._place])
        due[0] += number
        self._place = due[1]
        if not due[0]:
            del self._due[quad]
            self._unexplained.pop(quad, None)

    def _broken(self, quad: ox.Quad, number: int, place: int) -> EditError:
        text = f"{quad.subject} {quad.predicate} {quad.object}"
        if quad in self._unexplained:
            problem = "take away" if number > 0 else "add"
            return self._error(
                f"the edits would {problem} {text}", "only the changes asked for", place
            )
        verb = "add" if number > 0 else "take away"
        return self._error(f"the edit does not {verb} {text}", "the change asked for", place)

    def _error(self, problem: str, expected: str, place: int) -> EditError:
        document = self._document
        return EditError(problem, document.name, expected, *document.position(place))


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
