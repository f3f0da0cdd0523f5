"""What goes to standard error beside errors: progress on a terminal, and summaries."""

from __future__ import annotations

import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from cturi_rdf.errors import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["progress", "quiet_option", "remark"]

_QUIET = "cturi_rdf.quiet"
# After so many seconds there is a sign of life.
_DELAY = 1.0


def _set(ctx: click.Context, _: click.Parameter, value: bool) -> None:  # noqa: FBT001 - click's signature
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
    """Print a line of a summary on standard error, unless the user asked for quiet."""
    if not _is_quiet():
        click.echo(text, nl=nl, err=True)


@contextmanager
def progress(what: str) -> Iterator[None]:
    """Show on a terminal that there is work, once it takes longer than `_DELAY`."""
    if not sys.stderr.isatty() or _is_quiet():
        yield
        return
    from rich.console import Console  # noqa: PLC0415 - only where it is used
    from rich.text import Text  # noqa: PLC0415

    # Text, because the name of a file may look like markup.
    status = Console(stderr=True).status(Text(visible(what)))
    timer = threading.Timer(_DELAY, status.start)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        status.stop()
