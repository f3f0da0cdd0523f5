"""Pausing Python's garbage collector while many lasting objects are made."""

from __future__ import annotations

import gc
from contextlib import contextmanager

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["paused"]


@contextmanager
def paused() -> Iterator[None]:
    """Pause the collector; going through all objects in use takes a tenth of the time and more.

    >>> with paused():
    ...     gc.isenabled()
    False
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
