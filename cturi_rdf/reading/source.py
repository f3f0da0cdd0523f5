"""A file to read, as often as needed: its name, its format, its bytes without compression."""

# pathlib takes longer to import than most files to read.
# ruff: noqa: PTH116, PTH123

from __future__ import annotations

import codecs
import io
import os
import stat
import sys
from contextlib import contextmanager, suppress
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Any, cast

from cturi_rdf._util.limits import LimitError, limit
from cturi_rdf._util.system import REPLACES_OPEN_FILES, read_at
from cturi_rdf.reading.errors import CatalogError, unreadable
from cturi_rdf.reading.formats import (
    ReadOptions,
    compression_of,
    format_named,
    format_of_content,
    format_of_file,
    refuse_others,
    without_ending,
)
from cturi_rdf.reading.terms import RDF_NS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike

    from cturi_rdf.reading.formats import Compression, Format


# How many bytes of a file are looked at to tell its compression and its format.
_MAGIC, _FIRST = 16, 1 << 16
_BLOCK = 1 << 20


class Source:
    """A file that can be read more than once; `open_source` makes one.

    `name` is what the user calls it, ``-`` for standard input; `format` is its RDF format,
    `compression` is its compression, or None; `first` is the beginning of its content; `reading` is
    how to read it.
    `size` and `position` tell how many bytes are stored, and how many of them have been read.
    """

    def __init__(
        self, name: str, file: IO[bytes], reading: ReadOptions, original: os.stat_result | None
    ) -> None:
        """Take an open file that can seek, and how to read it.

        `original` is the status of the regular file that the name was of when it was opened, which
        `file` may be a copy of; None where it was none.
        """
        self.name = name
        self.reading = reading
        self._file = file
        self._original = original
        self._state = _state(self._status())
        self.position = 0
        self.compression: Compression | None = None
        with self.open() as content:
            magic = content.read(_MAGIC)
        refuse_others(magic, name)
        self.compression = compression_of(magic)
        with self.open() as content:
            self.first = content.read(_FIRST)
        if not self.first.strip() and len(self.first) < _FIRST:
            raise CatalogError("an empty file", name, "RDF")
        self.format = _format(name, reading.form, self.first)

    @property
    def size(self) -> int:
        """The size of the file in bytes, as it is stored."""
        return self._status().st_size

    def _status(self) -> os.stat_result:
        return os.fstat(self._file.fileno())

    def open(self) -> IO[bytes]:
        """Return a stream of the bytes of the file, without compression, from the beginning.

        Raises `CatalogError` where the file has changed since it was opened; reading raises it
        where the file is broken.
        """
        if _state(self._status()) != self._state:
            raise self._unsteady("changed")
        stream = io.BufferedReader(_Window(self, self._file.fileno()), _BLOCK)
        if self.compression:
            return self.compression.reader(cast("IO[bytes]", stream), self.name, self.size)
        return cast("IO[bytes]", stream)

    def read(self) -> bytes:
        """Return all bytes of the file, without compression.

        Raises `LimitError` where they are more than the limit `document`.
        """
        with self.open() as file:
            return read_whole(file, self.name, 0 if self.compression else self.size)

    def check(self) -> None:
        """Raise `CatalogError` where the file has changed since it was opened, or is another one.

        Many editors save a file by putting a new one in its place.
        """
        self.open().close()
        if self._original is None:
            return
        with suppress(OSError):
            named = os.stat(self.name)
            if os.path.samestat(named, self._original):
                if _state(named) != _state(self._original):
                    raise self._unsteady("changed")
                return
        raise self._unsteady("was replaced")

    def _unsteady(self, what: str) -> CatalogError:
        return CatalogError(
            f"it {what} while it was read", self.name, "a file that does not change"
        )


class _Window(io.RawIOBase):
    """A file read from its beginning, whoever else reads it at the same time."""

    def __init__(self, source: Source, descriptor: int) -> None:
        self._source = source
        self._descriptor = descriptor
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        start = {
            os.SEEK_SET: 0,
            os.SEEK_CUR: self._at,
            os.SEEK_END: os.fstat(self._descriptor).st_size,
        }[whence]
        self._at = max(0, start + offset)
        return self._at

    def tell(self) -> int:
        return self._at

    def readinto(self, buffer, /):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN202
        try:
            length = read_at(self._descriptor, buffer, self._at)
        except OSError as error:
            raise unreadable(self._source.name, error) from error
        self._at += length
        self._source.position = self._at
        return length


# The files that are open, for `share_read`.
_open: list[Source] = []


@contextmanager
def open_source(
    name: str | PathLike[str], reading: ReadOptions = ReadOptions()
) -> Iterator[Source]:
    """Open a file, or standard input for ``-``.

    A file that cannot seek, such as standard input or a pipe, is first copied to a temporary file.
    Raises `CatalogError` where it cannot be read, is empty, or its format is not known.

    >>> with open_source("examples/catalogue.ttl") as source:
    ...     source.format.name, source.compression
    ('turtle', None)
    """
    name = os.fspath(name)
    # A path may be of bytes, whatever it is annotated as.
    if not isinstance(cast("object", name), str):
        raise TypeError("the name of a file is str or os.PathLike of str, not bytes")
    with _opened(name) as (file, original):
        source = Source(name, file, reading, original)
        _open.append(source)
        try:
            yield source
        finally:
            _open.remove(source)


def share_read() -> float | None:
    """Return how much of the file that was opened last has been read, from 0 to 1.

    None if no file is open.  It begins again when the file is read once more.
    """
    return min(1.0, _open[-1].position / max(1, _open[-1].size)) if _open else None


@contextmanager
def open_unpacked(name: str) -> Iterator[IO[bytes]]:
    """Open a file of any kind, or standard input for ``-``, unpacked where it is compressed.

    Raises `CatalogError` where it cannot be read.

    >>> with open_unpacked("examples/catalogue.ttl") as file:
    ...     file.read(7)
    b'@prefix'
    """
    file = _file(name)
    try:
        plain = (
            file if isinstance(file, io.BufferedReader) else io.BufferedReader(cast("Any", file))
        )
        stored = cast("IO[bytes]", plain)
        compression = compression_of(plain.peek(_MAGIC))
        size = 0 if name == "-" else os.stat(name).st_size
        yield compression.reader(stored, name, size) if compression else stored
    finally:
        if name != "-":
            file.close()


def is_rdf(name: str) -> bool:
    """Return whether a file is meant as RDF: XML and JSON by what is in it, all others by the name.

    Raises `CatalogError` where it cannot be read.

    >>> is_rdf("pyproject.toml"), is_rdf("examples/catalogue.ttl")
    (True, True)
    """
    ending = without_ending(name).lower().rpartition(".")[2]
    if ending not in {"json", "xml"}:
        return True
    from cturi_rdf.reading.jsonld import shows_rdf

    with open_unpacked(name) as file:
        content = read_whole(file, name)
    return shows_rdf(content) if ending == "json" else RDF_NS.encode() in content


def read_whole(file: IO[bytes], name: str, size: int = 0) -> bytes:
    """Return the rest of a stream; `name` is for the error.

    Content of about the given `size` is read in one piece, because joining pieces takes twice the
    memory.  Raises `LimitError` where it is more than the limit `document`.

    >>> read_whole(io.BytesIO(b"<a/>"), "a.xml")
    b'<a/>'
    """
    allowed = limit("document")
    pieces: list[bytes] = []
    length = 0
    while piece := file.read(_BLOCK if pieces else max(_BLOCK, min(size, allowed) + 1)):
        pieces.append(piece)
        length += len(piece)
        if length > allowed:
            raise LimitError("document", name)
    return b"".join(pieces)


def _file(name: str) -> IO[bytes]:
    try:
        return cast("IO[bytes]", sys.stdin.buffer if name == "-" else open(name, "rb"))
    except (OSError, ValueError) as error:
        raise unreadable(name, error) from error
    except AttributeError as error:
        raise CatalogError("standard input is closed", name, "an open one") from error


@contextmanager
def _opened(name: str) -> Iterator[tuple[IO[bytes], os.stat_result | None]]:
    """Give a file that can seek, and the status of the regular file that has the name."""
    file = _file(name)
    try:
        status = None if name == "-" else os.fstat(file.fileno())
        original = status if status and stat.S_ISREG(status.st_mode) else None
        # A copy is made of what cannot seek, and of what could not be replaced while it is open.
        if name != "-" and file.seekable() and REPLACES_OPEN_FILES:
            yield file, original
        else:
            with TemporaryFile() as copy:
                try:
                    # One system call at a time, so that a signal is noticed between two.
                    while block := cast("io.BufferedReader", file).read1(_BLOCK):
                        copy.write(block)
                    copy.flush()
                    if name != "-":
                        file.close()
                except OSError as error:
                    problem = f"it cannot be copied to a temporary file ({error.strerror})"
                    expected = "room in the folder for temporary files"
                    raise CatalogError(problem, name, expected) from error
                yield cast("IO[bytes]", copy), original
    finally:
        if name != "-":
            file.close()


def buffered(content: IO[bytes] | io.RawIOBase | bytes) -> IO[bytes]:
    """Return bytes, or a stream of them, as a stream whose beginning can be looked at.

    >>> buffered(b"<a/>").peek(1)[:1]
    b'<'
    """
    stream: Any = io.BytesIO(content) if isinstance(content, bytes) else content
    return cast("IO[bytes]", io.BufferedReader(stream, _BLOCK))


def without_mark(file: IO[bytes]) -> IO[bytes]:
    r"""Return a stream without the byte order mark of UTF-8 that it may begin with.

    >>> without_mark(buffered(b"\xef\xbb\xbfa")).read()
    b'a'
    """
    mark = codecs.BOM_UTF8
    if file.peek(len(mark))[: len(mark)] == mark:  # type: ignore[attr-defined] # buffered
        file.read(len(mark))
    return file


def _state(status: os.stat_result) -> tuple[int, int]:
    return status.st_size, status.st_mtime_ns


def _format(name: str, form: str | None, first: bytes) -> Format:
    """Return the format: the given one, or the one that the name tells or the content shows."""
    if form:
        return format_named(form)
    if name != "-":
        try:
            return format_of_file(name)
        except CatalogError as error:
            problem = error
    else:
        problem = CatalogError("unknown format", name, "an RDF format")
    guessed = format_of_content(first)
    if guessed is None:
        raise CatalogError(
            problem.problem, name, f"{problem.expected}, or the option --from FORMAT"
        )
    return guessed
