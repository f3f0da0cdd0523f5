"""Counting distinct lines, however many, in constant memory."""

from __future__ import annotations

import tempfile
from array import array
from collections import defaultdict
from contextlib import suppress
from itertools import accumulate
from typing import TYPE_CHECKING, Protocol, Self

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["Distinct"]

# So many hashes are in memory together; the others are on disk, equal ones in the same of so many
# parts, which are counted one after the other.
_TOGETHER, _PARTS = 400_000, 256


class Table(Protocol):
    """The hashes of lines."""

    def add_lines(self, lines: bytes) -> int:
        """Take lines, each with a line feed; return how many are new."""

    def add_spread(self, hashes: bytes) -> int:
        """Take hashes of a table that was spread; return how many are new."""

    def spread(self) -> tuple[bytes, list[int]]:
        """Give all hashes away, part by part; return them and where each part ends."""


class SetTable:
    """A set of hashes."""

    def __init__(self, most: int) -> None:  # noqa: ARG002 - as the other
        self._hashes: set[int] = set()

    def add_lines(self, lines: bytes) -> int:
        return self._add(map(hash, lines.splitlines()))

    def add_spread(self, hashes: bytes) -> int:
        return self._add(memoryview(hashes).cast("q"))

    def spread(self) -> tuple[bytes, list[int]]:
        parts: dict[int, array[int]] = defaultdict(lambda: array("q"))
        for each in self._hashes:
            parts[each % _PARTS].append(each)
        self._hashes.clear()
        contents = [parts[part].tobytes() for part in range(_PARTS)]
        return b"".join(contents), [*accumulate(map(len, contents))]

    def _add(self, hashes: Iterable[int]) -> int:
        before = len(self._hashes)
        self._hashes.update(hashes)
        return len(self._hashes) - before


new_table: Callable[[int], Table] = SetTable
with suppress(ImportError):
    from cturi_rdf.bulk import _statements

    class SlotsTable:
        """An array of hashes that is never more than half full, where C finds them."""

        def __init__(self, most: int) -> None:
            self._slots = bytearray(8 << (2 * most).bit_length())

        def add_lines(self, lines: bytes) -> int:
            return _statements.add_lines(self._slots, lines)

        def add_spread(self, hashes: bytes) -> int:
            return _statements.add_spread(self._slots, hashes)

        def spread(self) -> tuple[bytes, list[int]]:
            return _statements.spread(self._slots, _PARTS)

    new_table = SlotsTable


class Distinct:
    r"""Counts distinct lines by their hashes, a part of which is in memory at a time.

    >>> with Distinct() as distinct:
    ...     distinct.add(b"a\nb\na\n")
    ...     distinct.count()
    2
    """

    def __enter__(self) -> Self:
        self._table = new_table(_TOGETHER)
        self._new = 0
        self._file = tempfile.TemporaryFile()
        # Where in the file each part begins that was put by, and the last ends.
        self._places: list[array[int]] = []
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, lines: bytes) -> None:
        """Take the lines of a block, each with a line feed."""
        self._new += self._table.add_lines(lines)
        if self._new > _TOGETHER:
            self._put_by()

    def count(self) -> int:
        """Return how many of them are distinct."""
        if not self._places:
            return self._new
        self._put_by()
        return sum(map(self._count, range(_PARTS)))

    def _put_by(self) -> None:
        start = self._file.tell()
        hashes, ends = self._table.spread()
        self._file.write(hashes)
        self._places.append(array("q", [start, *(start + end for end in ends)]))
        self._new = 0

    def _count(self, part: int) -> int:
        places = [each[part : part + 2] for each in self._places]
        table = new_table(sum(end - start for start, end in places) // 8)
        number = 0
        for start, end in places:
            self._file.seek(start)
            number += table.add_spread(self._file.read(end - start))
        return number
