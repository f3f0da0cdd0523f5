"""A sign of life on a terminal, and none in a pipe."""

from __future__ import annotations

import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cturi_rdf.errors import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["progress"]


@contextmanager
def progress(what: str) -> Iterator[None]:
    """Show on a terminal that there is work, once it takes longer than a second."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console  # noqa: PLC0415 - only where it is used
    from rich.text import Text  # noqa: PLC0415

    # Text, because the name of a file may look like markup.
    status = Console(stderr=True).status(Text(visible(what)))
    timer = threading.Timer(1.0, status.start)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        status.stop()
