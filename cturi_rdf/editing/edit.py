"""Changes of the statements of a file, and the edits of its text that make them.

A change consists of terms, never of text; the syntax of the document writes it.  An edit is a span
and its new content; every other byte is kept.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from array import array
from bisect import bisect_left, bisect_right, insort
from collections.abc import Sequence
from heapq import merge
from itertools import chain, pairwise
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, NamedTuple, TypeVar, overload

import pyoxigraph as ox

from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.reading.formats import Pieces

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from cturi_rdf.editing.document import Document, Statement, Term


_Row = TypeVar("_Row")


class Rows(Sequence[_Row]):
    """A sequence that makes its items with `row`."""

    @abstractmethod
    def row(self, index: int) -> _Row:
        """Return one item."""

    @overload
    def __getitem__(self, index: int) -> _Row: ...
    @overload
    def __getitem__(self, index: slice) -> list[_Row]: ...
    def __getitem__(self, index: int | slice) -> _Row | list[_Row]:
        if isinstance(index, slice):
            return [self.row(number) for number in range(*index.indices(len(self)))]
        return self.row(index)

    def __iter__(self) -> Iterator[_Row]:
        return map(self.row, range(len(self)))


class Ordered(Rows[_Row]):
    """The items that a function makes of some numbers, in their order."""

    def __init__(self, make: Callable[[int], _Row], numbers: Sequence[int]) -> None:
        self._make = make
        self._numbers = numbers

    def __len__(self) -> int:
        return len(self._numbers)

    def row(self, index: int) -> _Row:
        """Return one item."""
        return self._make(self._numbers[index])


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


# An edit in a long stream: a plain tuple of the values.
Piece = tuple[int, int, bytes, int]


class Edits(Rows[Edit]):
    """Edits in the order of the text, in little memory."""

    def __init__(self) -> None:
        self._starts, self._ends, self._numbers = array("q"), array("q"), array("q")
        self._texts: list[bytes] = []
        self._interned: dict[bytes, bytes] = {}

    def append(self, start: int, end: int, text: bytes, number: int) -> None:
        """Put an edit at the end."""
        self._starts.append(start)
        self._ends.append(end)
        self._numbers.append(number)
        self._texts.append(self._interned.setdefault(text, text))

    def sorted(self) -> Edits:
        """Return the edits in the order of their places; edits at one place keep their order."""
        # Nearly all are in order: only the others are sorted.
        ordered, late = array("q"), []
        last = (0, 0)
        for index, place in enumerate(zip(self._starts, self._ends, strict=True)):
            if place < last:
                late.append((*place, index))
            else:
                ordered.append(index)
                last = place
        if not late:
            return self
        edits = Edits()
        places = ((self._starts[index], self._ends[index], index) for index in ordered)
        for start, end, index in merge(places, sorted(late)):
            edits.append(start, end, self._texts[index], self._numbers[index])
        return edits

    def __len__(self) -> int:
        return len(self._starts)

    def row(self, index: int) -> Edit:
        """Return one edit."""
        return Edit(
            self._starts[index], self._ends[index], self._texts[index], self._numbers[index]
        )

    def move(self, document: Document) -> None:
        """Put what is to move into the texts, if the edits are in order; see `moved`."""
        for index, text in enumerate(self._texts):
            if b"\0" in text:
                self._texts[index] = self._with_moved(document, text)

    def _with_moved(self, document: Document, text: bytes) -> bytes:
        return _MOVED.sub(lambda one: self._inside(document, int(one[1]), int(one[2])), text)

    def _inside(self, document: Document, start: int, end: int) -> bytes:
        """Return some bytes of the file with the edits inside of them."""
        inner = Edits()
        for index in range(bisect_left(self._starts, start), bisect_left(self._starts, end)):
            first, last, text, number = self.row(index)
            is_before = first == last == start
            if last <= end and (first, last) != (start, end) and not is_before:
                inner.append(first, last, self._with_moved(document, text), number)
        kept = _apart(document, inner)
        edits = (Edit(one.start - start, one.end - start, one.text) for one in kept)
        return apply(document.data[start:end], edits)

    def pieces(self) -> Iterator[Piece]:
        """Yield the values of each edit."""
        return zip(self._starts, self._ends, self._texts, self._numbers, strict=True)


def pieces(data: bytes, edits: Iterable[Edit]) -> Iterator[bytes | memoryview]:
    """Yield the edited text in pieces; what stays is not copied.

    Edits are in the order of the text.  Raises `EditError` where two overlap.
    """
    whole, position = memoryview(data), 0
    for start, end, text, _ in edits.pieces() if isinstance(edits, Edits) else edits:
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
    return b"".join(pieces(data, edits))


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
        self._nodes: set[Term] = set()

    def add(self, start: int, end: int, statement: Statement) -> None:
        """Note where the node of a statement is written: from `start` to before `end`."""
        insort(self._ranges, (start, end))
        self._untouched[start] = statement
        self._nodes.add(statement.object)

    def describes(self, statement: Statement) -> bool:
        """Return whether a statement, which may have no place, is about one of the nodes."""
        return statement.subject in self._nodes

    def hold(self, place: int) -> bool:
        """Return whether a statement that goes is in one of the nodes, by its place."""
        before = bisect_right(self._ranges, place, key=itemgetter(0)) - 1
        is_inside = before >= 0 and place < self._ranges[before][1]
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


def plan(document: Document, changes: Iterable[Change], others: Iterable[Piece] = ()) -> Edits:
    """Return the edits that make the changes, together with `others`, in the order of the text.

    Indentation and line ends are those of the file.  An edit inside a span that another one
    replaces is left out.  Changes are read once and not kept.  Raises `EditError` where two changes
    do not go together, and where the file takes no edits.
    """
    if document.unwritable:
        raise document.unwritable
    return settled(document, chain(document.edits(enumerate(changes)), others))


def settled(document: Document, pieces: Iterable[Piece]) -> Edits:
    """Return edits in the order of the text, with what is to move in its new place."""
    edits = Edits()
    for piece in pieces:
        edits.append(*piece)
    edits = edits.sorted()
    if document.keeps_nodes:
        edits.move(document)
    return _apart(document, edits)


def moved(start: int, end: int) -> bytes:
    """Return what stands in the text of an edit for some bytes of the file, with their own edits.

    No text in XML or JSON has a NUL.
    """
    return b"\0%d-%d\0" % (start, end)


_MOVED = re.compile(rb"\0(\d+)-(\d+)\0")


def _apart(document: Document, edits: Edits) -> Edits:
    """Return edits that do not overlap: without those inside of another one's span."""
    if all(one[1] <= other[0] for one, other in pairwise(edits.pieces())):
        return edits
    kept, last = Edits(), 0
    for start, end, text, number in edits.pieces():
        if start >= last:
            kept.append(start, end, text, number)
            last = end
        elif end > last:
            raise document.refusal("two changes overlap", start, "changes of different statements")
    return kept
