"""How much of a file has been read, for the command line to show."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Protocol

    class File(Protocol):
        """A file that counts its bytes."""

        position: int

        @property
        def size(self) -> int:
            """How many bytes there are."""


_files: list[File] = []


@contextmanager
def watched(file: File) -> Iterator[None]:
    """Let `share_read` look at a file while it is open."""
    _files.append(file)
    try:
        yield
    finally:
        _files.remove(file)


def share_read() -> float | None:
    """Return how much of the file that was opened last has been read, from 0 to 1.

    None if no file is open.  It begins again when the file is read once more.
    """
    return min(1.0, _files[-1].position / max(1, _files[-1].size)) if _files else None
