"""A database on disk for what does not fit into memory, gone with the process."""

from __future__ import annotations

import marshal
import sqlite3
from array import array
from bisect import bisect_right
from collections import defaultdict
from functools import lru_cache
from itertools import islice, repeat
from operator import itemgetter
from typing import TYPE_CHECKING, Self, cast

from cturi_rdf.errors import CturiError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from types import TracebackType


def no_room(error: Exception) -> CturiError:
    """Return the error for a temporary file that cannot be written."""
    problem = "a temporary file cannot be written"
    expected = "room for it, or another folder in TMPDIR"
    rule = "what does not fit into memory is kept on disk"
    return CturiError(problem, str(error), expected=expected, rule=rule)


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
            raise no_room(error) from error


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
# A name, and the number of its evidence.
Row = tuple[bytes, int]

# How many distinct pieces of evidence are in memory, and how many unions of two.
_REMEMBERED, _UNIONS = 1 << 13, 1 << 16
# How many names are in memory, where they are compared and sorted, and how many are read at once.
_IN_MEMORY, _NAMES = 1 << 17, 1 << 9
# A resource with so much evidence gets no more at once: all of it is united when it is stored.
_UNITED = 64
_RUNS_AND_EVIDENCE = """
    CREATE TABLE run (names BLOB, numbers BLOB);
    CREATE TABLE evidence (number INTEGER PRIMARY KEY, content BLOB UNIQUE);
"""
_LARGE_CACHE = 16_000
_name = itemgetter(0)


class EvidenceByName(TemporaryDatabase):
    r"""The evidence of every resource, in the order of their names; a context manager.

    Names beyond those in memory are stored in sorted runs, which are merged at the end.

    >>> with EvidenceByName() as gathered:
    ...     gathered.add([b"b:", b"a:"], (("p", "CSV", "text/csv"),))
    ...     gathered.add([b"b:"], (("p", "text/plain", "text/plain"),))
    ...     [(name, len(texts)) for name, texts in gathered]
    [(b'a:', 1), (b'b:', 2)]
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        super().__init__(_RUNS_AND_EVIDENCE, _LARGE_CACHE)
        self._number = lru_cache(_REMEMBERED)(self._numbered)
        self._united = lru_cache(_UNIONS)(self._with)
        self.evidence = lru_cache(_REMEMBERED)(self._of_number)
        # The number of the evidence of each of the latest names, and what else there is of these.
        self._recent: dict[bytes, int] = {}
        self._more: list[Row] = []
        # The numbers of evidence that gets no more.
        self._full: set[int] = set()
        # The first and the last part of each stored run.
        self._runs: list[tuple[int, int]] = []

    def add(self, names: Sequence[bytes], statements: EvidenceTexts) -> None:
        """Add evidence to the resources with some names."""
        number, recent = self._number(statements), self._recent
        before = list(map(recent.get, names))
        recent.update(zip(names, map(self._united, before, repeat(number)), strict=True))
        if self._full:
            rows = zip(names, before, strict=True)
            self._more += [(name, one) for name, one in rows if one in self._full]
        if len(recent) + len(self._more) >= _IN_MEMORY:
            parts = [self._store(rows) for rows in self._recent_parts()]
            self._runs.append((parts[0], parts[-1]))
            recent.clear()
            self._more.clear()

    def _with(self, earlier: int | None, number: int) -> int:
        """Return the number of two pieces of evidence together; of full evidence, the new one's."""
        if earlier is None:
            return number
        if len(self.evidence(earlier)) < _UNITED:
            return self._of_all((earlier, number))
        self._full.add(earlier)
        return number

    def __iter__(self) -> Iterator[tuple[bytes, EvidenceTexts]]:
        """Yield the resources with their evidence, in the order of their names."""
        for rows in self.parts():
            for name, number in rows:
                yield name, self.evidence(number)

    def parts(self) -> Iterator[list[Row]]:
        """Yield every name once, in order, with the number of all its evidence; many at a time."""
        runs = [self._recent_parts(), *(self._stored(*run) for run in self._runs)]
        waiting = [(rows, run) for run in runs for rows in islice(run, 1)]
        while waiting:
            # No other part of a run has a name before this one.
            last = min(rows[-1][0] for rows, _ in waiting)
            ready: list[Row] = []
            left = []
            for rows, run in waiting:
                end = bisect_right(rows, last, key=_name)
                ready += rows[:end]
                if rest := rows[end:] or next(run, []):
                    left.append((rest, run))
            waiting = left
            yield self._each_once(ready)

    def _recent_parts(self) -> Iterator[list[Row]]:
        recent = self._recent
        if self._more:
            rows = [(name, recent[name]) for name, _ in self._more]
            recent |= self._each_once(self._more + rows)
            self._more.clear()
        names = sorted(recent)
        for start in range(0, len(names), _NAMES):
            part = names[start : start + _NAMES]
            yield list(zip(part, map(recent.__getitem__, part), strict=True))

    def _each_once(self, rows: list[Row]) -> list[Row]:
        """Return rows in the order of their names, those with the same name as one."""
        if len(dict(rows)) < len(rows):
            numbers = defaultdict(set)
            for name, number in rows:
                numbers[name].add(number)
            rows = [(name, self._of_all(tuple(of_name))) for name, of_name in numbers.items()]
        return sorted(rows, key=_name)

    def _store(self, rows: list[Row]) -> int:
        names, numbers = zip(*rows, strict=True)
        values = b"\n".join(names), array("q", numbers).tobytes()
        added = self._database.execute("INSERT INTO run VALUES (?, ?)", values)
        return cast("int", added.lastrowid)

    def _stored(self, first: int, last: int) -> Iterator[list[Row]]:
        query = "SELECT names, numbers FROM run WHERE rowid BETWEEN ? AND ? ORDER BY rowid"
        for names, numbers in self._database.execute(query, (first, last)):
            yield list(zip(names.split(b"\n"), array("q", numbers), strict=True))

    def _of_all(self, numbers: tuple[int, ...]) -> int:
        statements = {statement for number in numbers for statement in self.evidence(number)}
        return self._number(tuple(sorted(statements)))

    def _numbered(self, statements: EvidenceTexts) -> int:
        # This version writes the same texts in the same way.
        content = marshal.dumps(statements, 2)
        self._database.execute("INSERT OR IGNORE INTO evidence (content) VALUES (?)", (content,))
        query = "SELECT number FROM evidence WHERE content = ?"
        return cast("int", self._database.execute(query, (content,)).fetchone()[0])

    def _of_number(self, number: int) -> EvidenceTexts:
        query = "SELECT content FROM evidence WHERE number = ?"
        [content] = self._database.execute(query, (number,)).fetchone()
        return cast("EvidenceTexts", marshal.loads(content))  # noqa: S302 - written above, by us
