"""The three standard streams of the command line: open, in UTF-8, and harmless on a terminal."""

from __future__ import annotations

import codecs
import errno
import io
import os
import re
import sys

from cturi_rdf.errors import visible

__all__ = ["open_streams", "silence_rdflib"]

_STANDARD_ERROR = 2
# Characters that move the cursor, start a command of the terminal or turn the direction of text: C0
# except tabs and line ends, DEL, C1 (also as a lone byte), and Unicode's Bidi_Control.
_COMMAND = (
    "(?!\r\n)[\x00-\x08\x0b-\x1f\x7f-\x9f\udc80-\udc9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"
)


def open_streams() -> None:
    """Give the process three streams, and let text be read and printed as UTF-8 in a pipe.

    A terminal shows what it can, and printed text cannot contain commands for it.  A stream that is
    closed gets the null device, so that no file takes its number; what is printed to a closed
    standard output is refused.
    """
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= _STANDARD_ERROR:
        pass
    try:
        os.write(_STANDARD_ERROR, b"")
    except OSError:
        # A shell that runs a script with it closed leaves the script there, open to be read.
        os.dup2(descriptor, _STANDARD_ERROR)
    os.close(descriptor)
    sys.stdin = sys.stdin or io.TextIOWrapper(io.BufferedReader(_Closed("standard input")), "utf-8")
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    sys.stdout = sys.stdout or io.TextIOWrapper(
        io.BufferedWriter(_Closed("standard output")), "utf-8"
    )
    if isinstance(sys.stdin, io.TextIOWrapper):
        # A byte outside the encoding is explained by the code that reads the line.
        sys.stdin.reconfigure(errors="surrogateescape")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            encoding = None if stream.isatty() else "utf-8"
            stream.reconfigure(encoding=encoding, errors="backslashreplace")
    # Standard error has only our own messages, which are escaped, and moves the cursor to show the
    # progress.
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.isatty():
        sys.stdout = _for_terminal(sys.stdout)


def silence_rdflib() -> None:
    """Keep rdflib from printing a traceback for each ill-typed literal, such as a 30 February."""
    import logging

    logging.getLogger("rdflib").setLevel(logging.CRITICAL)


def _for_terminal(stream: io.TextIOWrapper) -> io.TextIOWrapper:
    """Return a stream whose text, or bytes, reach a terminal without commands in them."""
    raw = _Visible(stream)
    return io.TextIOWrapper(
        io.BufferedWriter(raw), stream.encoding, "backslashreplace", line_buffering=True
    )


class _Visible(io.RawIOBase):
    """A terminal that shows the control characters in its input as escapes."""

    def __init__(self, stream: io.TextIOWrapper) -> None:
        self._stream = stream.buffer
        # As the terminal decodes it; bytes that it cannot decode go through as they are.
        self._encoding = stream.encoding
        self._decoder = codecs.getincrementaldecoder(stream.encoding)("surrogateescape")

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._stream.fileno()

    def write(self, content, /):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN202
        text = re.sub(_COMMAND, _escaped, self._decoder.decode(bytes(content)))
        self._stream.write(text.encode(self._encoding, "surrogateescape"))
        self._stream.flush()
        return len(content)


def _escaped(match: re.Match[str]) -> str:
    return visible(match[0])


class _Closed(io.RawIOBase):
    """A standard stream that was closed before the process began: its first use is refused."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._refused = False

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return True

    def readinto(self, buffer: object, /) -> int:  # noqa: ARG002 - the signature of a stream
        self._refuse()
        return 0

    def write(self, content, /):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN202
        self._refuse()
        return len(content)

    def _refuse(self) -> None:
        if not self._refused:
            self._refused = True
            raise OSError(errno.EBADF, "it is closed", self._name)
