"""Work on all cores, its results in order."""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

__all__ = ["in_order"]

# Below so many pieces of work it takes longer to begin than to do it.
_FEW = 4
_work: Callable[[Any], Any]


def in_order(
    work: Callable[[Any], Any], items: Iterable[Any], processes: int | None = None
) -> Iterator[Any]:
    """Yield what `work` returns of each item, in their order.

    It is called in as many processes as there are cores, each with a copy of its state, and
    in this one if there are few items or where processes cannot be forked.

    >>> list(in_order(abs, [-1, 2, -3]))
    [1, 2, 3]
    """
    items = iter(items)
    first = list(islice(items, _FEW))
    count = processes or len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
    if len(first) < _FEW or count < 2 or "fork" not in multiprocessing.get_all_start_methods():  # noqa: PLR2004
        yield from map(work, chain(first, items))
        return
    pool = ProcessPoolExecutor(
        count, multiprocessing.get_context("fork"), initializer=_begin, initargs=(work,)
    )
    try:
        waiting: deque[Future[Any]] = deque()
        for item in chain(first, items):
            waiting.append(pool.submit(_do, item))
            if len(waiting) > count + 1:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


def _begin(work: Callable[[Any], Any]) -> None:
    global _work  # noqa: PLW0603 - what a forked process is there for
    _work = work


def _do(item: Any) -> Any:
    return _work(item)
