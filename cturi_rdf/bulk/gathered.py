"""What is said of resources in many places, brought together in constant memory.

A merge sort: what fits in memory is gathered there; where there is more, it is written in
sorted runs, which are merged in the end.
"""

from __future__ import annotations

import marshal
import tempfile
from functools import lru_cache, reduce
from heapq import merge
from itertools import groupby, islice
from operator import itemgetter
from typing import IO, TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    _Item = tuple[bytes, "Said"]

__all__ = ["Gathered", "Said"]

# What is said of a type: property, text and header; each statement once, in order.
Said = tuple[tuple[str, str, str], ...]

# So many resources are in memory together, and so many runs at most on disk.
_TOGETHER, _RUNS = 200_000, 64
# So many resources of a run are read at a time.
_CHUNK = 1_000


class Gathered:
    """What is said of each resource, in the order of their names; a context manager.

    >>> with Gathered() as gathered:
    ...     gathered.add([b"<b:>", b"<a:>"], (("p", "CSV", "text/csv"),))
    ...     gathered.add([b"<b:>"], (("p", "text/plain", "text/plain"),))
    ...     [(name, len(said)) for name, said in gathered]
    [(b'<a:>', 1), (b'<b:>', 2)]
    """

    def __enter__(self) -> Self:
        self._said: dict[bytes, Said] = {}
        self._runs: list[IO[bytes]] = []
        return self

    def __exit__(self, *_: object) -> None:
        for run in self._runs:
            run.close()

    def add(self, resources: Sequence[bytes], said: Said) -> None:
        """Take what is said of some resources."""
        new = dict.fromkeys(resources, said)
        if not self._said.keys().isdisjoint(new):
            for each in self._said.keys() & new.keys():
                new[each] = _joined(self._said[each], said)
        self._said.update(new)
        if len(self._said) > _TOGETHER:
            if len(self._runs) == _RUNS:
                old, self._runs = self._runs, [_written(_merged(self._runs))]
                for run in old:
                    run.close()
            self._runs.append(_written(self._in_memory()))
            self._said.clear()

    def __iter__(self) -> Iterator[_Item]:
        """Yield the resources in the order of their names."""
        for names, said in self.chunks():
            yield from zip(names, said, strict=True)

    def chunks(self) -> Iterator[tuple[list[bytes], list[Said]]]:
        """Yield the same many at a time: names, and what is said of each."""
        if self._runs:
            items = _merged(self._runs, self._in_memory())
            while chunk := list(islice(items, _CHUNK)):
                yield [name for name, _ in chunk], [said for _, said in chunk]
            return
        every = sorted(self._said)
        for start in range(0, len(every), _CHUNK):
            names = every[start : start + _CHUNK]
            yield names, [*map(self._said.__getitem__, names)]

    def _in_memory(self) -> Iterator[_Item]:
        return ((each, self._said[each]) for each in sorted(self._said))


def _merged(runs: list[IO[bytes]], *others: Iterator[_Item]) -> Iterator[_Item]:
    items = merge(*map(_read, runs), *others)
    for name, found in groupby(items, itemgetter(0)):
        yield name, reduce(_joined, (said for _, said in found))


def _written(items: Iterator[_Item]) -> IO[bytes]:
    file = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the others
    while chunk := list(islice(items, _CHUNK)):
        marshal.dump(chunk, file)
    return file


def _read(run: IO[bytes]) -> Iterator[_Item]:
    end = run.seek(0, 2)
    run.seek(0)
    while run.tell() < end:
        yield from marshal.load(run)  # noqa: S302 - written by this process, in no folder


@lru_cache(16_384)
def _joined(one: Said, other: Said) -> Said:
    return tuple(sorted({*one, *other}))
