r"""What labels say of resources in many places, brought together by name.

SQLite sorts the names, on disk where there are too many for memory.
"""

from __future__ import annotations

import marshal
import sqlite3
from functools import lru_cache
from itertools import groupby, islice
from operator import itemgetter
from typing import TYPE_CHECKING, Self, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["Gathered", "Said"]

# What statements say of a resource, as texts; each statement once, in order.
Said = tuple[tuple[str, ...], ...]

# Of different things that are said, so many are in memory; so many lines are made at a time.
_REMEMBERED, _LINES = 1 << 13, 1 << 13
_TABLES = """
    PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -16000;
    CREATE TABLE label (name BLOB, number INTEGER);
    CREATE TABLE said (number INTEGER PRIMARY KEY, content BLOB UNIQUE);
    BEGIN;
"""


class Gathered:
    r"""What labels say of each resource, in the order of their names; a context manager.

    >>> with Gathered() as gathered:
    ...     gathered.add(b"<b:>\n<a:>\n", (("p", "CSV", "text/csv"),))
    ...     gathered.add(b"<b:>\n", (("p", "text/plain", "text/plain"),))
    ...     [(name, len(said)) for name, said in gathered]
    [(b'a:', 1), (b'b:', 2)]
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        # A database without a name is a temporary file that nobody else can see.
        self._database = sqlite3.connect("", isolation_level=None)
        self._database.executescript(_TABLES)
        self._number = lru_cache(_REMEMBERED)(self._numbered)
        self.said = lru_cache(_REMEMBERED)(self._of_number)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def add(self, names: bytes, statements: Said) -> None:
        """Take what is said of some resources: a line of each, an IRI in its brackets."""
        number = self._number(statements)
        rows = (
            (name[1:-1] if name.startswith(b"<") else name, number) for name in names.splitlines()
        )
        self._database.executemany("INSERT INTO label VALUES (?, ?)", rows)

    def __iter__(self) -> Iterator[tuple[bytes, Said]]:
        """Yield the resources in the order of their names."""
        for name, number in self._joined():
            yield name, self.said(number)

    def lines(self, end: Callable[[int], bytes]) -> Iterator[tuple[bytes, int]]:
        """Yield names in their order, many at a time, and how many they are.

        Each is followed by what `end` returns of the number of what is said of it.
        """
        ending = lru_cache(_REMEMBERED)(end)
        joined = self._joined()
        while part := list(islice(joined, _LINES)):
            yield b"".join([name + ending(number) for name, number in part]), len(part)

    def _joined(self) -> Iterator[tuple[bytes, int]]:
        """Yield each name once, with the number of all that is said of it."""
        rows = self._database.execute("SELECT DISTINCT name, number FROM label ORDER BY name, 2")
        for name, group in groupby(rows, key=itemgetter(0)):
            numbers = [number for _, number in group]
            yield name, numbers[0] if len(numbers) == 1 else self._number_of_all(tuple(numbers))

    def _number_of_all(self, numbers: tuple[int, ...]) -> int:
        statements = {statement for number in numbers for statement in self.said(number)}
        return self._number(tuple(sorted(statements)))

    def _numbered(self, statements: Said) -> int:
        content = marshal.dumps(statements)
        self._database.execute("INSERT OR IGNORE INTO said (content) VALUES (?)", (content,))
        query = "SELECT number FROM said WHERE content = ?"
        return cast("int", self._database.execute(query, (content,)).fetchone()[0])

    def _of_number(self, number: int) -> Said:
        query = "SELECT content FROM said WHERE number = ?"
        [content] = self._database.execute(query, (number,)).fetchone()
        return cast("Said", marshal.loads(content))  # noqa: S302 - written above, by us
