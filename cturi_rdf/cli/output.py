"""What the command line reads and prints: standard streams, remarks, progress, rows of CSV."""

from __future__ import annotations

import codecs
import errno
import io
import json
import logging
import os
import re
import sys
import threading
from collections import Counter
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import IO, TYPE_CHECKING, TypeVar

import click

from cturi_rdf._util.system import identity, ignores_case
from cturi_rdf.cli.options import use_files
from cturi_rdf.errors import CturiError, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

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
        sys.stdout = io.TextIOWrapper(
            io.BufferedWriter(_Visible(sys.stdout)),
            sys.stdout.encoding,
            "backslashreplace",
            line_buffering=True,
        )


def silence_rdflib() -> None:
    """Keep rdflib from printing a traceback for each ill-typed literal, such as a 30 February."""
    logging.getLogger("rdflib").setLevel(logging.CRITICAL)


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
        text = self._decoder.decode(bytes(content))
        text = re.sub(_COMMAND, lambda match: visible(match[0]), text)
        self._stream.write(text.encode(self._encoding, "surrogateescape"))
        self._stream.flush()
        return len(content)


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
    help="Print no summary and no progress.",
)


def is_quiet() -> bool:
    """Return whether the user asked for no summary."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(_QUIET))


def remark(text: str, *, nl: bool = True) -> None:
    """Print lines of a summary on standard error, unless the user asked for quiet."""
    if not is_quiet():
        click.echo("\n".join(map(visible, text.split("\n"))), nl=nl, err=True)


def json_line(value: object) -> str:
    """Return a value as JSON on one line, with the letters of all languages as they are."""
    return json.dumps(value, ensure_ascii=False)


@contextmanager
def progress(what: str) -> Iterator[None]:
    """Show on a terminal what is being done, and how much of the file is read, after a delay."""
    if not sys.stderr.isatty() or is_quiet():
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

    def __rich__(self) -> Text:
        from rich.text import Text

        from cturi_rdf.reading.source import share_read

        share = share_read()
        shown = self._what if share is None else f"{self._what}: {share:.0%} read"
        # Not a string, because the name of a file may look like markup.
        return Text(visible(shown))


def aligned(rows: Sequence[Sequence[str]], between: str) -> list[str]:
    """Return rows as lines with aligned columns, counted in the cells of a terminal."""
    from rich.cells import cell_len, set_cell_size

    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    return [between.join(map(set_cell_size, row, widths)).rstrip() for row in rows]


# Several files in one call: the target and the outcome of each; one may fail alone.


_File = TypeVar("_File")
_Result = TypeVar("_Result")


def outcomes_of(
    work: Callable[[_File], _Result], files: Sequence[_File], *, at_once: bool
) -> Iterator[_Result | CturiError]:
    """Return the results or errors of `work` on each file; if `at_once`, from many processes."""

    def attempt(file: _File) -> _Result | CturiError:
        try:
            return work(file)
        except CturiError as error:
            return error

    if not at_once or len(files) == 1:
        return map(attempt, files)
    from cturi_rdf._util.parallel import in_processes

    return in_processes(attempt, files)


@contextmanager
def results_of(
    files: Sequence[str], outcomes: Iterator[_Result | CturiError], doing: str | None = None
) -> Iterator[Iterator[tuple[str, _Result]]]:
    """Give each file with its result; print the errors of the others, and end with 2 for them.

    The block ends first.  Progress is shown where `doing` says what is done with a file.
    """
    failed = False

    def results() -> Iterator[tuple[str, _Result]]:
        nonlocal failed
        for file in files:
            with progress(f"{doing} {file}") if doing else nullcontext():
                outcome = next(outcomes)
            if isinstance(outcome, CturiError):
                failed = True
                click.echo(f"cturi: {outcome.summary}{outcome.option}", err=True)
            else:
                yield file, outcome

    yield results()
    if failed:
        raise SystemExit(2)


@contextmanager
def text_to(output: str) -> Iterator[IO[str]]:
    """Give standard output, or a file that is written whole or not at all."""
    if output == "-":
        yield sys.stdout
        return
    from cturi_rdf.reading.atomic import packing_text

    with packing_text(output) as file:
        yield file


def meant(sources: tuple[str, ...]) -> tuple[str, ...]:
    """Return the files that are meant as RDF, with a remark about the others."""
    from cturi_rdf.reading.source import is_rdf

    left = tuple(source for source in sources if source != "-" and not is_rdf(source))
    for source in left:
        remark(f"cturi: {source}: no RDF in it, left out")
    return tuple(source for source in sources if source not in left)


def targets_of(
    sources: Sequence[str],
    output: str,
    *,
    in_place: bool,
    dry_run: bool = False,
    diff: bool = False,
    as_json: bool = False,
) -> dict[str, str]:
    """Return the target of the output of each source; several targets are in a folder.

    A file to edit in place that is named twice is there once.  There is no target where the changes
    are printed, and no output is named.

    Raises `click.UsageError` where two sources have one target, or none.
    """
    if diff and as_json:
        raise click.UsageError("--json and --diff both print on standard output")
    if output == "-" and not in_place and (dry_run or diff or as_json):
        return {}
    if in_place:
        if output != "-" or "-" in sources:
            raise click.UsageError("--in-place needs named files and no -o")
        files: dict[tuple[object, ...], str] = {}
        for source in sources:
            files.setdefault(identity(source), source)
        targets = {source: source for source in files.values()}
    elif Path(output or os.curdir).is_dir():
        targets = in_folder("-o", output, sources)
    elif len(sources) > 1:
        raise click.UsageError("several files need --in-place, or -o with a folder that exists")
    else:
        targets = {sources[0]: output}
    use_files(targets.values(), "OUT")
    return targets


def in_folder(option: str, folder: str, sources: Sequence[str], ending: str = "") -> dict[str, str]:
    """Return the file in a folder that an option writes or reads for each source.

    Raises `click.UsageError` where two sources have one file.
    """
    if "-" in {folder, *sources}:
        raise click.UsageError(f"{option} with a folder takes files, not standard input")
    files = [str(Path(folder, Path(source).name + ending)) for source in sources]
    names = [file.casefold() for file in files]
    if len({*names}) == len(names) or not ignores_case(Path(folder)):
        names = files
    name, count = Counter(names).most_common(1)[0]
    if count > 1:
        raise click.UsageError(f"two files would be written to {files[names.index(name)]!r}")
    return dict(zip(sources, files, strict=True))
