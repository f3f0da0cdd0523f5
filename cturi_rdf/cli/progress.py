"""Output to standard error other than errors: progress on a terminal, and summaries."""

from __future__ import annotations

import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from cturi_rdf._util.reading import share_read
from cturi_rdf.errors import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.text import Text

__all__ = ["progress", "quiet_option", "remark"]

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
        share = share_read()
        return self._what if share is None else f"{self._what}: {share:.0%} read"

    def __rich__(self) -> Text:
        from rich.text import Text

        # Not a string, because the name of a file may look like markup.
        return Text(visible(str(self)))
