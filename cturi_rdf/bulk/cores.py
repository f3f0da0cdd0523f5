"""Work on all cores, its results in order.

By threads within a file: what takes the time there (reading, unpacking, finding statements,
packing) lets go of Python's lock.  By processes for several files, which share nothing.
"""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

__all__ = ["ahead", "in_order", "in_processes"]

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")
# So much is ready before it is asked for.
_AHEAD = 4
# More threads than that wait for the one that uses the results, and hold memory.
_MOST = 16


def in_order(
    work: Callable[[_Item], _Result], items: Iterable[_Item], threads: int | None = None
) -> Iterator[_Result]:
    """Yield what `work` returns of each item, in their order; it is called on all cores.

    >>> list(in_order(abs, [-1, 2, -3]))
    [1, 2, 3]
    """
    count = threads or min(os.cpu_count() or 1, _MOST)
    pool = ThreadPoolExecutor(count)
    try:
        waiting: deque[Future[_Result]] = deque()
        for item in items:
            waiting.append(pool.submit(work, item))
            if len(waiting) > count:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


def ahead(items: Iterable[_Item]) -> Iterator[_Item]:
    """Yield the items, got by a thread of their own before they are asked for.

    >>> list(ahead(range(3)))
    [0, 1, 2]
    """
    iterator, end = iter(items), object()
    pool = ThreadPoolExecutor(1)
    try:
        waiting = deque(pool.submit(next, iterator, end) for _ in range(_AHEAD))
        while (item := waiting.popleft().result()) is not end:
            waiting.append(pool.submit(next, iterator, end))
            yield item  # type: ignore[misc]
    finally:
        pool.shutdown(cancel_futures=True)


def in_processes(work: Callable[[_Item], _Result], items: Iterable[_Item]) -> Iterator[_Result]:
    """Yield what `work` returns of each item, in their order, from as many processes as cores.

    It may be any function, for they are forked; where they cannot be, threads do the work.
    """
    if "fork" not in multiprocessing.get_all_start_methods():
        yield from in_order(work, items)
        return
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(os.cpu_count(), context, _begin, (work,)) as pool:
        yield from pool.map(_do, items)


_work: Callable[[Any], Any]


def _begin(work: Callable[[Any], Any]) -> None:
    global _work  # noqa: PLW0603 - what a forked process is there for
    _work = work


def _do(item: Any) -> Any:
    return _work(item)
