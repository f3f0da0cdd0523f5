"""Writing a file: whole or not at all, and no slower than it has to be."""

from __future__ import annotations

import gzip
import io
import os
import sys
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING

from cturi_rdf.catalog.errors import CatalogError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["replacing", "write_whole"]

reserve: Callable[[int, int, int], bool] | None = None
with suppress(ImportError):
    from cturi_rdf.catalog._reserve import reserve as _compiled

    reserve = _compiled

# A file that grows larger than the first asks for as much room as the second at a time.
_LARGE, _ROOM = 1 << 20, 1 << 24


def write_whole(target: str, content: bytes) -> None:
    """Write `content` to a file beside the target and rename it; ``-`` is standard output."""
    with replacing(target) as file:
        file.write(gzip.compress(content, mtime=0) if Path(target).suffix == ".gz" else content)


@contextmanager
def replacing(target: str) -> Iterator[IO[bytes]]:
    """Give a file that takes the place of `target` when it is left; ``-`` is standard output.

    Raises `CatalogError` where it cannot be written; whatever is raised, the target is what it
    was before.
    """
    if target == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    path = Path(target)
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise CatalogError(
            f"it cannot be written ({error.strerror})", target, "a writable folder"
        ) from error
    temporary = Path(name)
    try:
        with io.BufferedWriter(_Growing(handle, "wb")) as file:
            yield file
        # As a file that was made here would be, not as a temporary one.
        mask = os.umask(0)
        os.umask(mask)
        temporary.chmod(path.stat().st_mode & 0o7777 if path.exists() else 0o666 & ~mask)
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise CatalogError(
            f"it cannot be written ({error.strerror})", target, "a writable file"
        ) from error
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


class _Growing(io.FileIO):
    """A new file that asks for room before it is written: that takes half the time together."""

    _written = _reserved = 0

    def write(self, content, /):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN202
        self._written += len(content)
        while reserve and self._written > max(_LARGE, self._reserved):
            if not reserve(self.fileno(), self._reserved, _ROOM):
                break
            self._reserved += _ROOM
        return super().write(content)

    def close(self) -> None:
        if not self.closed and self._reserved:
            # What was not needed is given back.
            self.truncate(self.tell())
        super().close()
