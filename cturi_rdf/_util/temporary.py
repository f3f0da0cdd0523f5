"""A database on disk for what does not fit into memory, gone with the process."""

from __future__ import annotations

import marshal
import sqlite3
from collections import defaultdict
from functools import lru_cache
from itertools import islice
from operator import itemgetter
from typing import TYPE_CHECKING, Self, cast

from cturi_rdf.errors import CturiError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from types import TracebackType


class TemporaryDatabase:
    """An SQLite database in a temporary file; a context manager, which removes it.

    The `with` block raises `CturiError` where the file cannot be written, as on a full disk.
    """

    def __init__(self, tables: str, cache: int) -> None:
        """Make the tables of some statements of SQL; `cache` kilobytes stay in memory."""
        # A database without a name is a file that nobody else can see.
        self._database = sqlite3.connect("", isolation_level=None)
        # The database need not outlive this process.
        self._database.executescript(
            f"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -{cache};"
            f"{tables} BEGIN;"
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _: type[BaseException] | None, error: BaseException | None, __: TracebackType | None
    ) -> None:
        self._database.close()
        if isinstance(error, sqlite3.OperationalError):
            problem = "a temporary file cannot be written"
            expected = "room for it, or another folder in TMPDIR"
            rule = "what does not fit into memory is kept on disk"
            raise CturiError(problem, str(error), expected=expected, rule=rule) from error


# So many nodes are remembered by their hashes; beyond that, all descriptions are stored.
FEW_NODES = 200_000
_STATEMENTS_AND_FACTS = """
    CREATE TABLE statement (value BLOB, predicate BLOB, graph BLOB, subject BLOB);
    CREATE TABLE fact (node BLOB, predicate BLOB, object BLOB);
"""
_SMALL_CACHE = 8_000


class SideTable(TemporaryDatabase):
    """Statements whose value may be described elsewhere, and the descriptions of nodes.

    A context manager; its temporary file is removed on exit.
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        super().__init__(_STATEMENTS_AND_FACTS, _SMALL_CACHE)

    def put_statements(self, rows: Iterable[tuple[bytes, bytes, bytes, bytes]]) -> None:
        """Store statements: value, predicate, graph and subject."""
        self._database.executemany("INSERT INTO statement VALUES (?, ?, ?, ?)", rows)

    def put_facts(self, rows: Iterable[tuple[bytes, bytes, bytes]]) -> None:
        """Store descriptions of nodes: node, predicate, object."""
        self._database.executemany("INSERT INTO fact VALUES (?, ?, ?)", rows)

    def values(self) -> frozenset[int] | None:
        """Return the hashes of the values of the statements, or None for too many."""
        values_ = set()
        for (value,) in self._database.execute("SELECT DISTINCT value FROM statement"):
            values_.add(hash(value))
            if len(values_) > FEW_NODES:
                return None
        return frozenset(values_)

    def index(self) -> None:
        """Index the descriptions by their node."""
        self._database.executescript("CREATE INDEX facts_of ON fact (node);")

    def facts_of(self, node: bytes) -> list[tuple[bytes, bytes]]:
        """Return predicate and object of each statement about a node, once, in a fixed order."""
        query = "SELECT DISTINCT predicate, object FROM fact WHERE node = ? ORDER BY 1, 2"
        return list(self._database.execute(query, (node,)))

    def statements(self) -> Iterator[tuple[bytes, bytes, bytes, bytes]]:
        """Yield the statements, sorted by value."""
        yield from self._database.execute("SELECT * FROM statement ORDER BY value, predicate")


# The evidence of a resource as texts: every statement once, in order.
EvidenceTexts = tuple[tuple[str, ...], ...]

# How many distinct pieces of evidence are in memory, and how many lines are made at a time.
_REMEMBERED, _LINES = 1 << 13, 1 << 13
# How many names are in memory, where they are compared and sorted much faster.
_IN_MEMORY = 1 << 18
# A resource with so much evidence gets no more at once: all of it is united at the end.
_UNITED = 64
_LABELS_AND_EVIDENCE = """
    CREATE TABLE label (name BLOB, number INTEGER);
    CREATE TABLE evidence (number INTEGER PRIMARY KEY, content BLOB UNIQUE);
"""
_LARGE_CACHE = 16_000


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
        super().__init__(_LABELS_AND_EVIDENCE, _LARGE_CACHE)
        self._number = lru_cache(_REMEMBERED)(self._numbered)
        self._united = lru_cache(_REMEMBERED)(self._number_of_all)
        self.evidence = lru_cache(_REMEMBERED)(self._of_number)
        # The number of all evidence of each of the latest names; earlier names are in the table.
        self._recent: dict[bytes, int] = {}
        self._is_stored = False

    def add(self, names: Iterable[bytes], statements: EvidenceTexts) -> None:
        """Add evidence to the resources with some names."""
        number, recent = self._number(statements), self._recent
        names = list(names)
        before = list(map(recent.get, names))
        together: dict[int | None, int] = {None: number}
        for earlier in set(filter(None, before)):
            if len(self.evidence(earlier)) < _UNITED:
                together[earlier] = self._united(earlier, number)
            else:
                together[earlier] = number
                full = [name for name, one in zip(names, before, strict=True) if one == earlier]
                self._store([(name, earlier) for name in full])
        recent.update(zip(names, map(together.__getitem__, before), strict=True))
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
        rows = self._database.execute(
            "SELECT name, group_concat(number) FROM label GROUP BY name ORDER BY name"
        )
        united = lru_cache(_REMEMBERED)(
            lambda numbers: self._number_of_all(*map(int, numbers.split(",")))
        )
        for name, numbers in rows:
            yield name, united(numbers)

    def _number_of_all(self, *numbers: int) -> int:
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
