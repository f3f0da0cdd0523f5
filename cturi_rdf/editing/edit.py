"""Changes of the statements of a file, and the edits of its text that make them.

A change consists of terms, never of text; the syntax of the document writes it.  An edit is a span
and its new content; every other byte is kept.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right, insort
from io import BytesIO
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, NamedTuple

import pyoxigraph as ox

from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.reading.formats import Pieces

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cturi_rdf.editing.document import Document, Statement, Term
    from cturi_rdf.editing.located_graph import GraphAfter


class EditError(CatalogError):
    """An edit cannot be made, or would change more than was planned; nothing is written."""


class Edit(NamedTuple):
    """One edit: the bytes from `start` to `end` become `text`; an insertion has no bytes there.

    `number` is the number of the change that asked for the edit.
    """

    start: int
    end: int
    text: bytes
    number: int = 0


# An edit in a long stream: a plain tuple of the values; and one without the number.
Piece = tuple[int, int, bytes, int]
SpanText = tuple[int, int, bytes]


def pieces(data: bytes, edits: Iterable[Edit]) -> Iterator[bytes | memoryview]:
    """Yield the edited text in pieces; what stays is not copied.

    Edits are in the order of the text.  Raises `EditError` where two overlap.
    """
    whole, position = memoryview(data), 0
    for start, end, text, _ in edits:
        if start < position or end < start:
            raise EditError(
                f"the edits at byte {start} overlap",
                "the file",
                "edits in order, of different bytes",
            )
        if start > position:
            yield whole[position:start]
        if text:
            yield text
        position = end
    if position < len(data):
        yield whole[position:]


def apply(data: bytes, edits: Iterable[Edit]) -> bytes:
    """Return the edited text; every byte outside the edits is as it was.

    Edits are in the order of the text.  Raises `EditError` where two overlap.

    >>> apply(b"<a> <b> <c> .", [Edit(4, 7, b"<d>"), Edit(11, 11, b" , <e>")])
    b'<a> <d> <c> , <e> .'
    """
    # Not by `bytes.join`, which would keep all pieces in a list first.
    edited = BytesIO()
    edited.writelines(pieces(data, edits))
    return edited.getvalue()


class Edited(Pieces):
    """The edited text as a stream of bytes."""

    def __init__(self, data: bytes, edits: Iterable[Edit]) -> None:
        self._pieces = pieces(data, edits)
        self._left: bytes | memoryview = b""

    def _piece(self, size: int) -> bytes:
        taken, missing = [], size
        while missing and (left := self._left or next(self._pieces, b"")):
            taken.append(left[:missing])
            self._left = left[missing:]
            missing -= len(taken[-1])
        return b"".join(taken)


class NodesThatGo:
    """Nodes written inside a statement, which go with it and with all that is said in there."""

    def __init__(self) -> None:
        self._ranges: list[tuple[int, int]] = []
        self._untouched: dict[int, Statement] = {}

    def add(self, start: int, end: int, statement: Statement) -> None:
        """Note where the node of a statement is written: from `start` to before `end`."""
        insort(self._ranges, (start, end))
        self._untouched[start] = statement

    def hold(self, place: int) -> bool:
        """Return whether a statement that goes is in one of the nodes, by its place."""
        before = bisect_right(self._ranges, place, key=itemgetter(0)) - 1
        is_inside = before != -1 and place < self._ranges[before][1]
        if is_inside:
            self._untouched.pop(self._ranges[before][0], None)
        return is_inside

    @property
    def untouched(self) -> Statement | None:
        """The first statement with a node in which nothing else goes, if any.

        Whether all goes that is said in a node is for the law, which compares the graphs.
        """
        return min(self._untouched.values(), key=attrgetter("start"), default=None)


# A change has the `statement` that it changes or stands beside, and the quads that the file says
# afterwards, `added`, and no longer says, `removed`.

_Quads = tuple[ox.Quad, ...]


class Add(NamedTuple):
    """A new statement about the subject of another one, written beside it."""

    statement: Statement
    predicate: ox.NamedNode
    object: Term

    @property
    def added(self) -> _Quads:
        """The quads that the file says afterwards."""
        beside = self.statement
        return (ox.Quad(beside.subject, self.predicate, self.object, beside.graph),)

    @property
    def removed(self) -> _Quads:
        """The quads that the file does not say afterwards."""
        return ()


class Replace(NamedTuple):
    """A new object for a statement, and a new predicate if one is given."""

    statement: Statement
    object: Term
    predicate: ox.NamedNode | None = None

    @property
    def added(self) -> _Quads:
        """The quads that the file says afterwards."""
        old = self.statement
        return (ox.Quad(old.subject, self.predicate or old.predicate, self.object, old.graph),)

    @property
    def removed(self) -> _Quads:
        """The quads that the file does not say afterwards."""
        return (self.statement.quad,)


class Remove(NamedTuple):
    """The removal of a statement."""

    statement: Statement

    @property
    def added(self) -> _Quads:
        """The quads that the file says afterwards."""
        return ()

    @property
    def removed(self) -> _Quads:
        """The quads that the file does not say afterwards."""
        return (self.statement.quad,)


class Append(NamedTuple):
    """Quads about subjects of their own, written at the end of the file or of their graph."""

    quads: _Quads

    @property
    def statement(self) -> None:
        """None: the quads stand beside no statement."""

    @property
    def added(self) -> _Quads:
        """The quads that the file says afterwards."""
        return self.quads

    @property
    def removed(self) -> _Quads:
        """The quads that the file does not say afterwards."""
        return ()


Change = Add | Replace | Remove | Append


def plan(
    document: Document, changes: Iterable[Change], after: GraphAfter | None = None
) -> list[Edit]:
    """Return the edits that make the changes, in the order of the text.

    `after` is what the whole text is to say, if these are all changes that lead to it.  Indentation
    and line ends are those of the file.  An edit inside a span that another one replaces is left
    out.  Changes are read once and not kept.  Raises `EditError` where two changes do not go
    together, and where the file takes no edits.
    """
    if document.unwritable:
        raise document.unwritable
    return settled(document, document.edits(enumerate(changes), after))


def settled(document: Document, pieces: Iterable[Piece]) -> list[Edit]:
    """Return edits in the order of the text, with what is to move in its new place."""
    # Files repeat the same texts, and each is kept once.
    texts: dict[bytes, bytes] = {}
    edits = [
        Edit(start, end, texts.setdefault(text, text), number)
        for start, end, text, number in pieces
    ]
    # Edits at one place keep their order.
    edits.sort(key=itemgetter(0, 1))
    for index, edit in enumerate(edits if document.keeps_nodes else ()):
        if b"\0" in edit.text:
            edits[index] = edit._replace(text=_with_moved(document, edits, edit.text))
    return _apart(document, edits)


def moved(start: int, end: int) -> bytes:
    """Return what stands in the text of an edit for some bytes of the file, with their own edits.

    No text in XML or JSON has a NUL.
    """
    return b"\0%d-%d\0" % (start, end)


_MOVED = re.compile(rb"\0(\d+)-(\d+)\0")


def _with_moved(document: Document, edits: list[Edit], text: bytes) -> bytes:
    """Return the text of an edit with what moves into it, which `moved` has noted."""
    return _MOVED.sub(lambda one: _edited(document, edits, int(one[1]), int(one[2])), text)


def _edited(document: Document, edits: list[Edit], start: int, end: int) -> bytes:
    """Return some bytes of the file with the edits inside of them."""
    first, last = (bisect_left(edits, place, key=itemgetter(0)) for place in (start, end))
    inside = [
        Edit(one.start - start, one.end - start, _with_moved(document, edits, one.text))
        for one in edits[first:last]
        if start < one.end <= end and moved(start, end) not in one.text
    ]
    return apply(document.data[start:end], _apart(document, inside))


def _apart(document: Document, edits: list[Edit]) -> list[Edit]:
    """Return edits that do not overlap: without those inside of another one's span."""
    kept, last = [], 0
    for edit in edits:
        if edit.start >= last:
            kept.append(edit)
            last = edit.end
        elif edit.end > last:
            problem, expected = "two changes overlap", "changes of different statements"
            raise document.refusal(problem, edit.start, expected)
    return kept
