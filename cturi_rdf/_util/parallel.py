"""Work on all cores, its results in order.

By threads within a file: packing, the slow work there, releases Python's lock.  By processes for
several files, which share nothing.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from contextlib import contextmanager
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar

from cturi_rdf._util.system import ENDING_SIGNALS, can_fork, handle_signals, signals_waiting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Future


_Item = TypeVar("_Item")
_Result = TypeVar("_Result")
# More threads would only wait for the one that uses the results, and hold memory.
_MOST = 16


@contextmanager
def in_order(
    work: Callable[[_Item], _Result], items: Iterable[_Item]
) -> Iterator[Iterator[_Result]]:
    """Give the result of `work` on each item, in their order, from as many threads as cores.

    They have ended when the block ends, whatever ends it: an iterator that waits for threads when
    it is collected may be collected by one of them, in the middle of its start, and then nothing
    goes on.

    >>> with in_order(abs, [-1, 2, -3]) as results:
    ...     list(results)
    [1, 2, 3]
    """
    from concurrent.futures import ThreadPoolExecutor

    count = min(os.cpu_count() or 1, _MOST)
    pool = ThreadPoolExecutor(count)

    def results() -> Iterator[_Result]:
        waiting: deque[Future[_Result]] = deque()
        for item in items:
            waiting.append(pool.submit(work, item))
            if len(waiting) > count:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()

    try:
        yield results()
    finally:
        pool.shutdown(cancel_futures=True)


def in_processes(work: Callable[[_Item], _Result], items: Iterable[_Item]) -> Iterator[_Result]:
    """Yield the result of `work` on each item, in their order, from as many processes as cores.

    It may be any function, for they are forked; where they cannot be, threads do the work.
    """
    if not can_fork():
        with in_order(work, items) as results:
            yield from results
        return
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(os.cpu_count(), context, _begin, (work,)) as pool:
        # All workers are forked by the time that `map` returns.  Python calls hooks at a fork, and
        # only prints what a handler raises in one; a worker would run the handlers of its parent
        # until it has its own.
        with signals_waiting():
            done = pool.map(_do, items)
        yield from done


_work: Callable[[Any], Any]


def _begin(work: Callable[[Any], Any]) -> None:
    global _work  # noqa: PLW0603 - what a forked process is there for
    _work = work
    # A signal ends a worker at once: what it writes has no name yet.
    handlers = dict.fromkeys(ENDING_SIGNALS, signal.SIG_DFL)
    handle_signals(handlers | {signal.SIGINT: signal.SIG_IGN})
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this process when its parent has ended, whatever ended that."""
    from multiprocessing import parent_process

    if parent := parent_process():
        parent.join()
    signal.raise_signal(signal.SIGTERM)


def _do(item: Any) -> Any:
    return _work(item)
