"""Writing a file whole or not at all, to the place that the user means."""

# pathlib takes longer to import than most files to write.
# ruff: noqa: PTH112

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from tempfile import TemporaryFile, mkstemp
from typing import IO, TYPE_CHECKING, BinaryIO, cast

from cturi_rdf._util import system
from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.reading.formats import compression_named

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Check = Callable[[IO[bytes]], None]


_BLOCK = 1 << 20
_PREFIX = ".cturi-"
# Names of standard output, which may be a file; opening that by its name would overwrite it.
_STANDARD_OUTPUT = ("-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")


def same_file(one: str, other: str) -> bool:
    """Return whether two names are of one file; ``-`` is the name of none."""
    return "-" not in {one, other} and system.identity(one) == system.identity(other)


def expect_apart(target: str, *others: str) -> None:
    """Raise `CatalogError` where writing `target` would overwrite one of the other files."""
    if any(same_file(target, other) for other in others):
        raise CatalogError("this command uses it for something else", target, "another file")


def write_whole(target: str, content: bytes, check: Check | None = None) -> None:
    """Write a file that replaces `target`, compressed if its name says so.

    `check` takes a stream of the new content and raises what is wrong with it; then the target
    stays as it was.  ``-`` is standard output.  Raises `CatalogError`.
    """
    with packing(target, check) as file:
        file.write(content)


@contextmanager
def packing(target: str, check: Check | None = None) -> Iterator[IO[bytes]]:
    """Give a file that replaces `target`, as `replacing` does, compressed if its name says so.

    `check` takes a stream of what was written, without compression.
    """
    compression = compression_named(target)
    if compression is None:
        with replacing(target, check) as file:
            yield file
        return
    with replacing(target) as file, _temporary() as plain:
        yield plain
        for block in _checked(plain, check):
            file.write(compression.pack(block))


@contextmanager
def packing_text(target: str) -> Iterator[IO[str]]:
    """Give a file for text in UTF-8 that replaces `target`, as `packing` does."""
    with packing(target) as file:
        text = TextIOWrapper(cast("BinaryIO", file), "utf-8", newline="")
        yield text
        text.detach()


def write_text(target: str, text: str) -> None:
    r"""Write text to a file that replaces `target`, in UTF-8; see `write_whole`.

    A byte of a file's name that is not UTF-8 (Python holds it as a lone surrogate) is
    written as an escape such as ``\udce9``, which is valid in JSON.
    """
    write_whole(target, text.encode("utf-8", "backslashreplace"))


@contextmanager
def replacing(
    target: str, check: Check | None = None, *, at_once: bool = True
) -> Iterator[IO[bytes]]:
    """Give a file whose content takes the place of `target` when the block ends.

    A symbolic link is followed, and the file that it names is replaced.  The new file has the
    rights and attributes of the old one, see `cturi_rdf._util.system.keep_rights`, and is on disk
    before it takes its place.  Other hard links to the old file keep the old content.
    An existing target that is not a regular file, such as a device or a FIFO, is written to, and so
    is standard output for ``-``: `at_once`, or when the block ends.  `check` takes a stream of the
    new bytes and raises what is wrong with them.  Raises `CatalogError` where the target cannot be
    written; whatever is raised, a regular file stays as it was.
    """
    path = Path(target)
    if target in _STANDARD_OUTPUT or (path.exists() and not path.is_file()):
        with _stream(target, check, at_once=at_once) as file:
            yield file
        return
    with refusals(target, "a writable folder"):
        new = _NewFile(target)
    try:
        # The block writes to the file, so the disk is the most likely cause of an error in it.
        with refusals(target, "a writable file"):
            yield new.file
            new.file.flush()
        if check:
            new.file.seek(0)
            check(new.file)
        with refusals(target, "a writable file"):
            new.put()
    finally:
        new.close()


class _NewFile:
    """A file beside the one that it will replace; it is gone with this process unless it is put."""

    def __init__(self, target: str) -> None:
        # A file may be missing; a loop of links, which has no end to replace, is refused here.
        with suppress(FileNotFoundError):
            os.stat(target)  # noqa: PTH116 - the text is at hand
        path = self._path = Path(target).resolve()
        self._name: Path | None = None
        # A file without a name leaves nothing behind, however this process ends.
        descriptor = system.file_without_name(path.parent)
        if descriptor is None:
            descriptor, name = mkstemp(prefix=_PREFIX, dir=path.parent)
            self._name = Path(name)
        self.file = cast("IO[bytes]", open(descriptor, "w+b", _BLOCK))  # noqa: PTH123, SIM115

    def put(self) -> None:
        """Put this file in the place of the other one."""
        descriptor = self.file.fileno()
        if self._path.exists():
            system.keep_rights(descriptor, self._path)
        else:
            # With the mode of an ordinary new file, not of a temporary one.
            system.set_mode(descriptor, system.mode_of_new_files())
        os.fsync(descriptor)
        if self._name is None:
            self._name = _named(descriptor, self._path.parent)
        # Some systems do not move an open file.
        self.file.close()
        system.replace(self._name, self._path)
        self._name = None
        system.sync_folder(self._path.parent)

    def close(self) -> None:
        with suppress(OSError):
            self.file.close()
        if self._name:
            self._name.unlink(missing_ok=True)


def _named(descriptor: int, folder: Path) -> Path:
    """Give a file without a name one that no other file has."""
    while True:
        name = folder / f"{_PREFIX}{os.urandom(8).hex()}"
        with suppress(FileExistsError):
            system.name_file(descriptor, name)
            return name


@contextmanager
def _stream(target: str, check: Check | None, *, at_once: bool) -> Iterator[IO[bytes]]:
    """Give a file whose content goes to standard output, a device or a FIFO."""
    if os.path.isdir(target or os.curdir):
        raise CatalogError("it cannot be written (a folder)", target, "a file")
    with refusals(target, "a writable output"):
        if check is None and at_once:
            with _output(target) as out:
                yield out
                out.flush()
            return
        # What has gone to a stream cannot be taken back.
        with _temporary() as file:
            yield file
            blocks = _checked(file, check)
            with _output(target) as out:
                for block in blocks:  # not `writelines`, which bypasses a replaced `write`
                    out.write(block)
                out.flush()


def _temporary() -> IO[bytes]:
    return cast("IO[bytes]", TemporaryFile())


def _checked(file: IO[bytes], check: Check | None) -> Iterator[bytes]:
    """Check what a file holds, and return it in blocks."""
    if check:
        file.seek(0)
        check(file)
    file.seek(0)
    return iter(lambda: file.read(_BLOCK), b"")


@contextmanager
def _output(target: str) -> Iterator[IO[bytes]]:
    if target not in _STANDARD_OUTPUT:
        # The file is neither created nor truncated: it exists, and is not a regular file.
        with open(system.open_device(target), "wb") as file:  # noqa: PTH123 - a descriptor
            yield file
    elif sys.stdout is None:
        raise CatalogError("standard output is closed", target, "an open one")
    else:
        yield sys.stdout.buffer


@contextmanager
def refusals(target: str, expected: str) -> Iterator[None]:
    """Raise `CatalogError` for errors of the system, except for a reader that has left."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        name = "standard output" if target in _STANDARD_OUTPUT else target
        reason = error.strerror or str(error)
        raise CatalogError(f"it cannot be written ({reason})", name, expected) from error
