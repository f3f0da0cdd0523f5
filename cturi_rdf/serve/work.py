"""Long tasks: each in a thread, within limits, a few at once."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, TypeVar

from anyio import CapacityLimiter, to_thread
from starlette.exceptions import HTTPException

from cturi_rdf._util.limits import limited
from cturi_rdf.sparql.evaluation import in_thread

if TYPE_CHECKING:
    from collections.abc import Callable

    from cturi_rdf.serve.settings import Settings

__all__ = ["Work"]

_Result = TypeVar("_Result")
# How many seconds a task waits for a place.
_PATIENCE = 5


class Work:
    """The place where queries, checks and repairs run.

    A thread whose time is over is abandoned, but it keeps its place as long as it lives, so a
    client that asks for too much takes one place, and never the whole machine.
    """

    def __init__(self, settings: Settings) -> None:
        self._free = threading.BoundedSemaphore(settings.at_once)
        self._places = settings.at_once
        # An event for each thread, set when the thread is abandoned.
        self._running: set[threading.Event] = set()
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
        """Whether tasks whose time is over hold every place."""
        return sum(left.is_set() for left in self._running.copy()) >= self._places

    async def do(self, task: Callable[[], _Result], name: str) -> _Result:
        """Run a task and return its result; `name` is the name of the input in an error.

        Raises `HTTPException` with 503 where no place is free, `LimitError` where the time is over,
        and any error of the task.
        """
        # In a pool a task would wait for a thread before it waits for a place.
        return await to_thread.run_sync(self._do, task, name, limiter=CapacityLimiter(1))

    def _do(self, task: Callable[[], _Result], name: str) -> _Result:
        if not self._free.acquire(timeout=_PATIENCE):
            raise HTTPException(503, "The server is busy with other queries.", {"Retry-After": "5"})

        def work(left: threading.Event) -> _Result:
            self._running.add(left)
            try:
                return task()
            finally:
                self._running.discard(left)
                self._free.release()

        with limited(self._limits):
            result: _Result = in_thread(work, name)
        return result
