r"""What is said of resources in many places, brought together in constant memory.

A merge sort.  A resource is a line: its name, a tab, the number of what is said of it.  Lines
that fit in memory are put in order there; where there are more, they are written in sorted
runs, which are merged in the end.

`gather` is the reference.  Where the package was built with a C compiler, `_gather.c` does the
same ten times as fast, and its `gather` takes the place of this one.
"""

from __future__ import annotations

import marshal
import os
import tempfile
from collections import defaultdict
from functools import lru_cache
from io import BytesIO
from itertools import repeat
from typing import IO, TYPE_CHECKING, Self, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["Gathered", "Said", "gather"]

# What is said of a type: property, text and header; each statement once, in order.
Said = tuple[tuple[str, str, str], ...]

# So many bytes of lines are put in order at a time, and so many are in memory together; so many
# runs of them are on disk at most.
_SORTED, _TOGETHER, _RUNS = 1 << 20, 1 << 24, 64
# Of different things that are said, so many are in memory.
_FEW = 1 << 13


def gather(
    texts: tuple[tuple[bytes, int], ...],
    join: Callable[[tuple[int, ...]], int],
    ends: list[bytes],
    end: Callable[[int], bytes],
) -> tuple[bytes, int]:
    r"""Return the names of all texts, each once and in order, and how many they are.

    A text has whole lines, each a name, and comes with the number of all of them; where that is
    negative, each line has a number of its own behind a tab, else an IRI loses its brackets.
    `join` makes one number of those of a name that has several.  In the result a name is
    followed by what `ends` has at its number, or what `end` returns of it if it is larger.

    >>> gather(((b"<b:>\n", 1), (b"a:\t0\nb:\t0\n", -1)), max, [b" nil\n"], b" %d\n".__mod__)
    (b'a: nil\nb: 1\n', 2)
    """
    numbers: dict[bytes, list[int]] = defaultdict(list)
    for text, number in texts:
        if text and not text.endswith(b"\n"):
            raise ValueError("a text of whole lines ends in a line feed")
        for line in text.split(b"\n")[:-1]:
            name, own = line, number
            if number < 0:
                name, _, digits = line.rpartition(b"\t")
                own = int(digits)
            elif line.startswith(b"<") and line.endswith(b">"):
                name = line[1:-1]
            numbers[name].append(own)
    lines = []
    for name, found in sorted(numbers.items()):
        number = found[0] if len(found) == 1 else join(tuple(found))
        lines.append(name + (ends[number] if number < len(ends) else end(number)))
    return b"".join(lines), len(lines)


try:
    from cturi_rdf.bulk._gather import gather as _gather
except ImportError:
    _gather = gather


class Gathered:
    r"""What is said of each resource, in the order of their names; a context manager.

    No name has a control character in it.

    >>> with Gathered() as gathered:
    ...     gathered.add(b"<b:>\n<a:>\n", (("p", "CSV", "text/csv"),))
    ...     gathered.add(b"<b:>\n", (("p", "text/plain", "text/plain"),))
    ...     [(name, len(said)) for name, said in gathered]
    [(b'a:', 1), (b'b:', 2)]
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        # As they come, in order, and on disk.
        self._new: list[tuple[bytes, int]] = []
        self._sorted: list[IO[bytes]] = []
        self._runs: list[IO[bytes]] = []
        self._new_size = 0
        self._said = _Numbered()
        self._join = lru_cache(_FEW)(self._joined)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._said.close()
        for run in self._runs:
            run.close()

    def add(self, names: bytes, said: Said) -> None:
        """Take what is said of some resources: a line of each, an IRI in its brackets."""
        self._new.append((names, self._said.number(said)))
        self._new_size += len(names)
        if self._new_size > _SORTED:
            self._sort()

    def __iter__(self) -> Iterator[tuple[bytes, Said]]:
        """Yield the resources in the order of their names."""
        for text, _ in self._all(_ENDS, _end):
            for line in text.split(b"\n")[:-1]:
                name, _, number = line.rpartition(b"\t")
                yield name, self._said[int(number)]

    def lines(self, end: Callable[[int], bytes]) -> Iterator[tuple[bytes, int]]:
        """Yield names in their order, many at a time, and how many they are.

        Each is followed by what `end` returns of the number of what is said of it.
        """
        return self._all([*map(end, range(self._said.few))], lru_cache(_FEW)(end))

    def said(self, number: int) -> Said:
        """Return what has a number."""
        return self._said[number]

    def _joined(self, numbers: tuple[int, ...]) -> int:
        said = {one for each in numbers for one in self._said[each]}
        return self._said.number(tuple(sorted(said)))

    def _sort(self) -> None:
        """Put what is new in order, and by where there is much of it."""
        text, _ = _gather(tuple(self._new), self._join, _ENDS, _end)
        self._new.clear()
        self._new_size = 0
        self._sorted.append(BytesIO(text))
        if len(self._sorted) * _SORTED >= _TOGETHER:
            if len(self._runs) == _RUNS:
                self._runs = [self._written(self._runs)]
            self._runs.append(self._written(self._sorted))
            self._sorted = []

    def _written(self, runs: list[IO[bytes]]) -> IO[bytes]:
        """Return one run on disk of many, which are closed."""
        file = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the others
        file.writelines(text for text, _ in self._merged(runs, _ENDS, _end))
        for run in runs:
            run.close()
        return file

    def _all(self, ends: list[bytes], end: Callable[[int], bytes]) -> Iterator[tuple[bytes, int]]:
        if self._new:
            self._sort()
        return self._merged([*self._runs, *self._sorted], ends, end)

    def _merged(
        self, runs: list[IO[bytes]], ends: list[bytes], end: Callable[[int], bytes]
    ) -> Iterator[tuple[bytes, int]]:
        """Yield the lines of runs, as far at a time as a piece of each of them goes."""
        size = _TOGETHER // max(1, len(runs))
        pieces = []
        for run in runs:
            run.seek(0)
            pieces.append(_piece(run, size))
        starts = [0 for _ in runs]
        while left := [piece for piece in pieces if piece]:
            last = min(_name(piece, len(piece)) for piece in left)
            cuts = [*map(_after, pieces, starts, repeat(last))]
            parts = zip(pieces, starts, cuts, strict=True)
            texts = tuple((piece[start:cut], -1) for piece, start, cut in parts)
            yield _gather(texts, self._join, ends, end)
            starts = cuts
            for each, run in enumerate(runs):
                if starts[each] == len(pieces[each]):
                    pieces[each], starts[each] = _piece(run, size), 0


class _Numbered:
    """What is said of resources, each with a number: the first in memory, the others on disk.

    What is on disk may have more than one number.
    """

    def __init__(self) -> None:
        self._numbers: dict[Said, int] = {}
        self._first: list[Said] = []
        self._count = 0
        self._rest: tuple[IO[bytes], IO[bytes]] | None = None

    @property
    def few(self) -> int:
        """How many are in memory."""
        return len(self._first)

    def close(self) -> None:
        for file in self._rest or ():
            file.close()

    def number(self, said: Said) -> int:
        number = self._numbers.get(said)
        if number is None:
            number = self._numbers[said] = self._count
            self._count += 1
            if number < _FEW:
                self._first.append(said)
            else:
                self._put_by(said)
        return number

    def __getitem__(self, number: int) -> Said:
        if self._rest is None or number < _FEW:
            return self._first[number]
        content, places = self._rest
        places.seek(8 * (number - _FEW))
        content.seek(int.from_bytes(places.read(8)))
        return cast("Said", marshal.load(content))  # noqa: S302 - written below, in no folder

    def _put_by(self, said: Said) -> None:
        if len(self._numbers) > 2 * _FEW:
            self._numbers = {each: number for number, each in enumerate(self._first)}
        if self._rest is None:
            self._rest = tempfile.TemporaryFile(), tempfile.TemporaryFile()  # noqa: SIM115 - closed above
        content, places = self._rest
        places.seek(0, os.SEEK_END)
        places.write(content.seek(0, os.SEEK_END).to_bytes(8))
        marshal.dump(said, content)


def _end(number: int) -> bytes:
    return b"\t%d\n" % number


# Of numbers that are common.
_ENDS = [*map(_end, range(1_000))]


def _piece(run: IO[bytes], size: int) -> bytes:
    """Return about so many bytes of a run, in whole lines."""
    return run.read(size) + run.readline()


def _name(text: bytes, end: int) -> bytes:
    """Return the name, with its tab, on the line that ends before a place."""
    return text[text.rfind(b"\n", 0, end - 1) + 1 : text.rindex(b"\t", 0, end) + 1]


def _after(text: bytes, low: int, name: bytes) -> int:
    """Return where the lines end, in order from `low`, whose names are up to a name."""
    high = len(text)
    while low < high:
        end = text.index(b"\n", (low + high) // 2) + 1
        if _name(text, end) <= name:
            low = end
        else:
            high = max(text.rfind(b"\n", low, end - 1) + 1, low)
    return low
