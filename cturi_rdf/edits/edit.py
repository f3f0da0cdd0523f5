"""Edits of a text: spans and what stands there afterwards; every other byte is kept."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf.edits.rows import Rows
from cturi_rdf.io.compression import Pieces
from cturi_rdf.io.errors import CatalogError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cturi_rdf.edits.changes import Change

__all__ = ["Edit", "EditError", "Edited", "Edits", "apply", "pieces"]


class EditError(CatalogError):
    """An edit cannot be made, or would change more than was planned; nothing is written."""


class Edit(NamedTuple):
    """One edit: the bytes from `start` to `end` become `text`; an insertion has no bytes there.

    `change` is what asked for it, or None where the changes were not kept.
    """

    start: int
    end: int
    text: bytes
    change: Change | None = None


class Edits(Rows[Edit]):
    """Edits in the order of the text, in little memory."""

    def __init__(self, changes: Sequence[Change] | None = None) -> None:
        self._starts, self._ends, self._numbers = array("q"), array("q"), array("q")
        self._texts: list[bytes] = []
        self.changes = changes
        self._interned: dict[bytes, bytes] = {}

    def append(self, start: int, end: int, text: bytes, number: int) -> None:
        """Put an edit at the end; `number` is that of its change."""
        self._starts.append(start)
        self._ends.append(end)
        self._numbers.append(number)
        if len(self._interned) > 4096:  # noqa: PLR2004 - most files repeat fewer
            self._interned.clear()
        self._texts.append(self._interned.setdefault(text, text))

    def sorted(self) -> Edits:
        """Return the edits by their places; those at one place keep their order."""
        late: list[tuple[int, int, int]] = []
        last = (0, 0)
        for index, place in enumerate(zip(self._starts, self._ends, strict=True)):
            if place < last:
                late.append((*place, index))
            else:
                last = place
        if not late:
            return self
        # Nearly all are in order: the others are put between them.
        missing = {index for *_, index in late}
        late.sort(reverse=True)
        edits = Edits(self.changes)
        for index, (start, end, text) in enumerate(self.spans()):
            if index not in missing:
                while late and late[-1] < (start, end, index):
                    edits.append(*self._values(late.pop()[2]))
                edits.append(start, end, text, self._numbers[index])
        while late:
            edits.append(*self._values(late.pop()[2]))
        return edits

    def _values(self, index: int) -> tuple[int, int, bytes, int]:
        return self._starts[index], self._ends[index], self._texts[index], self._numbers[index]

    def number(self, index: int) -> int:
        """Return the number of the change of an edit."""
        return self._numbers[index]

    def __len__(self) -> int:
        return len(self._starts)

    def row(self, index: int) -> Edit:
        """Return one edit."""
        change = self.changes[self._numbers[index]] if self.changes is not None else None
        return Edit(self._starts[index], self._ends[index], self._texts[index], change)

    def spans(self) -> Iterator[tuple[int, int, bytes]]:
        """Yield the start, the end and the text of each edit."""
        return zip(self._starts, self._ends, self._texts, strict=True)


def pieces(data: bytes, edits: Iterable[Edit]) -> Iterator[bytes | memoryview]:
    """Yield the edited text in pieces; what stays is not copied.

    Edits are in the order of the text.  Raises `EditError` where two overlap.
    """
    whole, position = memoryview(data), 0
    # The spans of many edits are read without making a value of each.
    spans = edits.spans() if isinstance(edits, Edits) else (edit[:3] for edit in edits)
    for start, end, text in spans:
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
