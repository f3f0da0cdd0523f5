"""Edits of a text: spans and their new contents; every other byte is kept."""

from __future__ import annotations

from array import array
from bisect import bisect_right, insort
from heapq import merge
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf.editing.rows import Rows
from cturi_rdf.reading.compression import Pieces
from cturi_rdf.reading.errors import CatalogError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cturi_rdf.editing.document import Statement


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
        if len(self._interned) > 4096:  # noqa: PLR2004 - most files repeat fewer
            self._interned.clear()
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

    def add(self, start: int, end: int, statement: Statement) -> None:
        """Note where the node of a statement is written: from `start` to before `end`."""
        insort(self._ranges, (start, end))
        self._untouched[start] = statement

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
