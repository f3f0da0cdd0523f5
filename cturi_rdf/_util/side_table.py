"""Statements that wait on disk until the description of their value has been read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cturi_rdf._util.temporary import TemporaryDatabase

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


# So many nodes are remembered by their hashes; beyond that, all descriptions are stored.
FEW_NODES = 200_000
_TABLES = """
    CREATE TABLE statement (value BLOB, predicate BLOB, graph BLOB, subject BLOB);
    CREATE TABLE fact (node BLOB, predicate BLOB, object BLOB);
"""
_CACHE = 8_000


class SideTable(TemporaryDatabase):
    """Statements whose value may be described elsewhere, and the descriptions of nodes.

    A context manager; its temporary file is removed on exit.
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        super().__init__(_TABLES, _CACHE)

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
