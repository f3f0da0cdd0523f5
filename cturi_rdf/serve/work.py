"""Work that takes time: in a thread, with limits, and so much of it at once."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, TypeVar

from starlette.concurrency import run_in_threadpool

from cturi_rdf._util.limits import LimitError, limited
from cturi_rdf.sparql.evaluation import in_thread

if TYPE_CHECKING:
    from collections.abc import Callable

    from cturi_rdf.serve.settings import Settings

__all__ = ["BusyError", "Work"]

_Result = TypeVar("_Result")
# So many seconds work waits for a place.
_PATIENCE = 5


class BusyError(Exception):
    """As many pieces of work run as the server does at once."""


class Work:
    """The place where queries, checks and repairs run.

    A thread whose time is over is left, but it counts for as long as it lives: whoever asks for
    too much keeps one place busy, and never the whole machine.
    """

    def __init__(self, settings: Settings) -> None:
        self._free = threading.BoundedSemaphore(settings.at_once)
        self._places = settings.at_once
        self._overdue: set[object] = set()
        self._limits = {
            "rows": settings.rows,
            "seconds": settings.seconds,
            "document": 10 * settings.size,
            "line": settings.size,
            "unpacked": 10 * settings.size,
            "nesting": 200,
            "entities": settings.size,
        }

    @property
    def is_stuck(self) -> bool:
        """Whether every place is kept by work whose time is over."""
        return len(self._overdue) >= self._places

    async def do(self, task: Callable[[], _Result], name: str) -> _Result:
        """Return what a task returns; `name` is what an error calls the input.

        Raises `BusyError`, `LimitError` where the time is over, and what the task raises.
        """
        return await run_in_threadpool(self._do, task, name)

    def _do(self, task: Callable[[], _Result], name: str) -> _Result:
        if not self._free.acquire(timeout=_PATIENCE):
            raise BusyError

        piece, ended = object(), threading.Event()

        def work(_: threading.Event) -> _Result:
            try:
                return task()
            finally:
                ended.set()
                self._overdue.discard(piece)
                self._free.release()

        with limited(self._limits):
            try:
                result: _Result = in_thread(work, name)
            except LimitError:
                self._overdue.add(piece)
                if ended.is_set():
                    self._overdue.discard(piece)
                raise
        return result
