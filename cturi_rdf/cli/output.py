"""What the command line reads and prints: standard streams, remarks, progress, rows of CSV."""

from __future__ import annotations

import codecs
import csv
import errno
import io
import logging
import os
import re
import sys
import threading
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, BinaryIO, cast

import click

from cturi_rdf.errors import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rich.text import Text

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


_QUIET = "cturi_rdf.quiet"
# How many seconds pass before the progress is shown.
_DELAY = 1.0


def _set(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    ctx.meta[_QUIET] = value


quiet_option = click.option(
    "-q",
    "--quiet",
    is_flag=True,
    expose_value=False,
    callback=_set,
    help="Print no summary and no progress, only errors.",
)


def _is_quiet() -> bool:
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(_QUIET))


def remark(text: str, *, nl: bool = True) -> None:
    """Print lines of a summary on standard error, unless the user asked for quiet."""
    if not _is_quiet():
        click.echo("\n".join(map(visible, text.split("\n"))), nl=nl, err=True)


@contextmanager
def progress(what: str) -> Iterator[None]:
    """Show on a terminal what is being done, and how much of the file is read, after a delay."""
    if not sys.stderr.isatty() or _is_quiet():
        yield
        return
    from rich.console import Console

    status = Console(stderr=True).status(_Line(what))
    timer = threading.Timer(_DELAY, status.start)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        # The timer may have just begun to start the status.
        timer.join()
        status.stop()


class _Line:
    """The current work, with the share of the file that is read; rich asks for it repeatedly."""

    def __init__(self, what: str) -> None:
        self._what = what

    def __str__(self) -> str:
        from cturi_rdf.reading.source import share_read

        share = share_read()
        return self._what if share is None else f"{self._what}: {share:.0%} read"

    def __rich__(self) -> Text:
        from rich.text import Text

        # Not a string, because the name of a file may look like markup.
        return Text(visible(str(self)))


# Beginnings of cells that a spreadsheet takes for formulas (OWASP, CSV Injection).
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_NUMBER = r"[+-]?(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][+-]?[0-9]++)?"


def csv_row(cells: Iterable[str]) -> str:
    r"""Return a line of CSV (RFC 4180) without its end.

    A cell that a spreadsheet would run as a formula begins with an apostrophe; a number stays
    a number.

    >>> csv_row(["a,b", "=1+1", "-5", "@SUM(1)"])
    '"a,b",\'=1+1,-5,\'@SUM(1)'
    """
    file = io.StringIO()
    csv.writer(file).writerow([_as_text(cell) for cell in cells])
    return file.getvalue().removesuffix("\r\n")


def _as_text(cell: str) -> str:
    return "'" + cell if cell.startswith(_FORMULA) and not re.fullmatch(_NUMBER, cell) else cell


@contextmanager
def text_to(output: str) -> Iterator[IO[str]]:
    """Give standard output, or a file that is written whole or not at all."""
    if output == "-":
        yield sys.stdout
        return
    from cturi_rdf.reading.atomic import packing

    with packing(output) as file:
        text = io.TextIOWrapper(cast("BinaryIO", file), encoding="utf-8")
        yield text
        text.flush()
        text.detach()
