"""Random access to the octets of a message, wherever they are, in windows.

A message may be larger than memory.  Nothing here holds more than one window of it, and
a search runs through it window by window.
"""

from __future__ import annotations

import weakref
from contextlib import suppress
from email.message import Message as EmailMessage
from io import BytesIO
from os import PathLike, fspath
from tempfile import SpooledTemporaryFile
from typing import TYPE_CHECKING

from cturi_rdf.errors import MessageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO, TypeAlias

    Readable: TypeAlias = (
        "Source | bytes | bytearray | memoryview | str | PathLike[str] | BinaryIO | EmailMessage"
    )

_WINDOW = 1 << 20


class Source:
    """The octets of a file, with one window at a time in memory."""

    __slots__ = ("__weakref__", "_end", "_file", "_start", "_window", "size")

    def __init__(self, file: BinaryIO) -> None:
        """Take a seekable binary file."""
        self._file = file
        self._window = b""
        self._start = self._end = 0
        self.size = file.seek(0, 2)

    @classmethod
    def open(cls, source: Readable) -> Source:
        """Return the octets of bytes, a path, a binary file, an `email` message, or a source.

        A file that cannot seek, such as a pipe, is copied to a temporary one.  Raises
        `MessageError` where it cannot be opened or read.

        >>> Source.open(b"Subject: x").read(0, 7)
        b'Subject'
        """
        if isinstance(source, Source):
            return source
        if isinstance(source, (bytes, bytearray, memoryview)):
            return cls(BytesIO(source))
        if isinstance(source, EmailMessage):
            return cls(BytesIO(_flatten(source)))
        name = str(fspath(source)) if isinstance(source, (str, PathLike)) else ""
        if not name and not hasattr(source, "read"):
            what = type(source).__name__
            raise TypeError(f"a message is bytes, a path, a binary file or an email, not {what}")
        try:
            if isinstance(source, (str, PathLike)):
                return _owner(open(source, "rb"))  # noqa: PTH123 - closed with the source
            if source.seekable():
                # Some files claim to be seekable, but can only seek from their start.
                with suppress(NotImplementedError):
                    return cls(source)
            return cls.of_chunks(iter(lambda: source.read(_WINDOW), b""))
        except (OSError, ValueError) as error:
            problem = f"it cannot be read ({getattr(error, 'strerror', None) or error})"
            expected, rule = "a file with a message", "RFC 5322 section 2.1"
            raise MessageError(problem, name, expected=expected, rule=rule) from error

    @classmethod
    def of_chunks(cls, chunks: Iterator[bytes]) -> Source:
        """Return the octets of `chunks`, kept in a temporary file where they are many."""
        file: BinaryIO = SpooledTemporaryFile(max_size=_WINDOW)  # type: ignore[assignment]  # noqa: SIM115
        try:
            for chunk in chunks:  # noqa: FURB122 - `writelines` would hold all of them first
                file.write(chunk)
        except BaseException:
            file.close()
            raise
        return _owner(file)

    def read(self, start: int, end: int) -> bytes:
        """Return the octets from `start` up to `end`; fewer where the file is shorter."""
        if not self._start <= start <= end <= self._end:
            if end - start > _WINDOW:
                self._file.seek(start)
                return self._file.read(end - start)
            self._load(start)
        return self._window[start - self._start : end - self._start]

    def find(self, octets: bytes, start: int, end: int) -> int:
        """Return the first place of `octets` between `start` and `end`, or -1.

        >>> Source.open(b"a--b--").find(b"--", 2, 6)
        4
        """
        while start + len(octets) <= end:
            if not self._start <= start <= start + len(octets) <= self._end:
                self._load(start)
                if self._end < start + len(octets):
                    return -1
            offset = self._window.find(octets, start - self._start, end - self._start)
            if offset >= 0:
                return offset + self._start
            start = self._end - len(octets) + 1
        return -1

    def chunks(self, start: int, end: int) -> Iterator[bytes]:
        """Yield the octets from `start` up to `end`, a window at a time."""
        while start < end:
            chunk = self.read(start, min(start + _WINDOW, end))
            if not chunk:
                return
            yield chunk
            start += len(chunk)

    def _load(self, start: int) -> None:
        self._file.seek(start)
        self._window = self._file.read(_WINDOW)
        self._start, self._end = start, start + len(self._window)


def _owner(file: BinaryIO) -> Source:
    """Return the source of a file that is closed with the source."""
    source = Source(file)
    weakref.finalize(source, file.close)
    return source


def _flatten(message: EmailMessage) -> bytes:
    """Return the octets of a message of the standard library, with its headers as they are."""
    try:
        return message.as_bytes(policy=message.policy.clone(max_line_length=None))
    except Exception as error:  # its generator may raise anything for a broken message
        problem = f"a message that the `email` package cannot write ({error})"
        if isinstance(error, RecursionError):
            problem = "a message nested too deep for the `email` package"
        raise MessageError(
            problem, "", (0, 0), expected="its octets instead", rule="RFC 5322 section 2.1"
        ) from error
