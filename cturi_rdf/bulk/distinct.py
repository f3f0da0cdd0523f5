"""Counting distinct lines, however many, in constant memory."""

from __future__ import annotations

import tempfile
from array import array
from contextlib import ExitStack, suppress
from itertools import chain
from typing import IO, TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["Distinct"]

# So many hashes are in memory together, and so many files at most take the others.
_TOGETHER, _FILES = 400_000, 200
# A table is never more than half full.
_SLOTS = 1 << 20


add_lines: Callable[[bytearray, bytes], int] | None = None
with suppress(ImportError):
    from cturi_rdf.bulk._statements import add_lines as _compiled

    add_lines = _compiled


class Distinct:
    r"""Counts distinct lines by their hashes, a part of which is in memory at a time.

    >>> with Distinct() as distinct:
    ...     distinct.add(b"a\nb\na\n")
    ...     distinct.count()
    2
    """

    def __enter__(self) -> Self:
        self._hashes: set[int] = set()
        self._table = bytearray(8 * _SLOTS if add_lines else 0)
        self._new = 0
        self._file = tempfile.TemporaryFile()
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, lines: bytes) -> None:
        """Take lines, each with a line feed; those of one block are at most a few thousand."""
        if add_lines:
            self._new += add_lines(self._table, lines)
        else:
            self._hashes.update(map(hash, lines.splitlines()))
            self._new = len(self._hashes)
        if self._new > _TOGETHER:
            self._put_by()

    def count(self) -> int:
        """Return how many of them are distinct."""
        if not self._file.tell():
            return self._new
        self._put_by()
        parts = min(self._file.tell() // (8 * _TOGETHER) + 1, _FILES)
        with ExitStack() as stack:
            # Equal hashes come into one file, so that each is counted by itself.
            files = [stack.enter_context(tempfile.TemporaryFile()) for _ in range(parts)]
            for hashes in _arrays(self._file):
                spread: list[array[int]] = [array("q") for _ in files]
                for each in hashes:
                    spread[hash(each) % parts].append(each)
                for file, part in zip(files, spread, strict=True):
                    part.tofile(file)
            return sum(len(set(chain.from_iterable(_arrays(file)))) for file in files)

    def _put_by(self) -> None:
        hashes = filter(None, memoryview(self._table).cast("q"))
        array("q", chain(hashes, self._hashes)).tofile(self._file)
        self._hashes.clear()
        self._table[:] = bytes(len(self._table))
        self._new = 0


def _arrays(file: IO[bytes]) -> Iterator[array[int]]:
    file.seek(0)
    while content := file.read(8 * 65_536):
        yield array("q", content)
