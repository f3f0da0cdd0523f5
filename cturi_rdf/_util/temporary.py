"""A database on disk for what does not fit into memory, gone with the process."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Self

from cturi_rdf.errors import CturiError

if TYPE_CHECKING:
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
            raise CturiError(
                "a temporary file cannot be written",
                str(error),
                expected="room for it, or another folder in TMPDIR",
                rule="what does not fit into memory is kept on disk",
            ) from error
