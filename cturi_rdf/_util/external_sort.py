r"""The evidence of each resource, which is scattered over a file, brought together by name.

SQLite sorts the names on disk where there are too many for memory.
"""

from __future__ import annotations

import marshal
from collections import defaultdict
from functools import lru_cache
from itertools import groupby, islice
from operator import itemgetter
from typing import TYPE_CHECKING, cast

from cturi_rdf._util.temporary import TemporaryDatabase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


# The evidence of a resource as texts: every statement once, in order.
EvidenceTexts = tuple[tuple[str, ...], ...]

# How many distinct pieces of evidence are in memory, and how many lines are made at a time.
_REMEMBERED, _LINES = 1 << 13, 1 << 13
# How many names are in memory, where they are compared and sorted much faster.
_IN_MEMORY = 1 << 18
# A resource with so much evidence gets no more at once: all of it is united at the end.
_UNITED = 64
_TABLES = """
    CREATE TABLE label (name BLOB, number INTEGER);
    CREATE TABLE evidence (number INTEGER PRIMARY KEY, content BLOB UNIQUE);
"""
_CACHE = 16_000


class EvidenceByName(TemporaryDatabase):
    r"""The evidence of every resource, in the order of their names; a context manager.

    >>> with EvidenceByName() as gathered:
    ...     gathered.add([b"b:", b"a:"], (("p", "CSV", "text/csv"),))
    ...     gathered.add([b"b:"], (("p", "text/plain", "text/plain"),))
    ...     [(name, len(texts)) for name, texts in gathered]
    [(b'a:', 1), (b'b:', 2)]
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        super().__init__(_TABLES, _CACHE)
        self._number = lru_cache(_REMEMBERED)(self._numbered)
        self._number_of_all = lru_cache(_REMEMBERED)(self._united)
        self.evidence = lru_cache(_REMEMBERED)(self._of_number)
        # The number of all evidence of each of the latest names; earlier names are in the table.
        self._recent: dict[bytes, int] = {}
        self._is_stored = False

    def add(self, names: Iterable[bytes], statements: EvidenceTexts) -> None:
        """Add evidence to the resources with some names."""
        number = self._number(statements)
        rows = dict.fromkeys(names, number)
        recent = self._recent
        if not recent.keys().isdisjoint(rows):
            for name in rows.keys() & recent.keys():
                before = recent[name]
                if len(self.evidence(before)) < _UNITED:
                    rows[name] = self._number_of_all(before, number)
                else:
                    self._store([(name, before)])
        recent.update(rows)
        if len(recent) >= _IN_MEMORY:
            self._store_recent()

    def _store_recent(self) -> None:
        self._store(self._recent.items())
        self._recent.clear()

    def _store(self, rows: Iterable[tuple[bytes, int]]) -> None:
        self._database.executemany("INSERT INTO label VALUES (?, ?)", rows)
        self._is_stored = True

    def __iter__(self) -> Iterator[tuple[bytes, EvidenceTexts]]:
        """Yield the resources with their evidence, in the order of their names."""
        for name, number in self._joined():
            yield name, self.evidence(number)

    def lines(self, end: Callable[[int], bytes]) -> Iterator[bytes]:
        """Yield lines of the names in order, many at a time.

        `end` returns the text after a name, given the number of its evidence.
        """
        ending = lru_cache(_REMEMBERED)(end)
        joined = self._joined()
        while part := list(islice(joined, _LINES)):
            yield b"".join([name + ending(number) for name, number in part])

    def groups(self) -> Iterator[tuple[list[bytes], int]]:
        """Yield names with the same evidence and its number, in any order; each name once."""
        rows = self._joined() if self._is_stored else iter(self._recent.items())
        while part := list(islice(rows, _LINES)):
            names = defaultdict(list)
            for name, number in part:
                names[number].append(name)
            for number, group in names.items():
                yield group, number

    def _joined(self) -> Iterator[tuple[bytes, int]]:
        """Return every name once, with the number of all its evidence."""
        if not self._is_stored:
            # With a key, names are compared, not pairs.
            return iter(sorted(self._recent.items(), key=itemgetter(0)))
        self._store_recent()
        return self._merged()

    def _merged(self) -> Iterator[tuple[bytes, int]]:
        rows = self._database.execute("SELECT DISTINCT name, number FROM label ORDER BY name, 2")
        for name, group in groupby(rows, key=itemgetter(0)):
            numbers = [number for _, number in group]
            yield name, numbers[0] if len(numbers) == 1 else self._number_of_all(*numbers)

    def _united(self, *numbers: int) -> int:
        statements = {statement for number in numbers for statement in self.evidence(number)}
        return self._number(tuple(sorted(statements)))

    def _numbered(self, statements: EvidenceTexts) -> int:
        content = marshal.dumps(statements)
        self._database.execute("INSERT OR IGNORE INTO evidence (content) VALUES (?)", (content,))
        query = "SELECT number FROM evidence WHERE content = ?"
        return cast("int", self._database.execute(query, (content,)).fetchone()[0])

    def _of_number(self, number: int) -> EvidenceTexts:
        query = "SELECT content FROM evidence WHERE number = ?"
        [content] = self._database.execute(query, (number,)).fetchone()
        return cast("EvidenceTexts", marshal.loads(content))  # noqa: S302 - written above, by us
