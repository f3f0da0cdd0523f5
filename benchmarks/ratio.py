"""Measuring side by side: rounds in turns, medians, and a table of ratios."""

from __future__ import annotations

import gc
import resource
import statistics
import subprocess
import sys
import time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["Limit", "beside", "children", "in_turns", "peak", "print_table"]


class Limit(NamedTuple):
    """A target ratio, and the measured one."""

    what: str
    ratio: float
    wanted: float


def children() -> float:
    """Return the processor time of all processes that were started and have ended."""
    times = resource.getrusage(resource.RUSAGE_CHILDREN)
    return times.ru_utime + times.ru_stime


_PEAK = """
import re, sys
from pathlib import Path
from cturi_rdf.catalogue import annotate_file
annotate_file(*sys.argv[1:])
print(re.search(r'VmHWM:\\s+(\\d+)', Path('/proc/self/status').read_text())[1])
"""


def peak(source: Path, target: Path) -> float:
    """Return the most memory that a process takes to annotate a file, in megabytes."""
    command = [sys.executable, "-c", _PEAK, str(source), str(target)]
    return int(subprocess.run(command, check=True, capture_output=True).stdout) / 1024


def in_turns(
    tasks: dict[str, Callable[[], object]],
    rounds: int = 15,
    before: Callable[[], object] = lambda: None,
) -> dict[str, float]:
    """Return the median seconds of each task; all run once per round.

    So a disturbance of the machine affects them all.  The time of `before` is not counted.
    """
    times: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(rounds):
        for name, task in tasks.items():
            before()
            gc.collect()
            start = time.perf_counter()
            task()
            times[name].append(time.perf_counter() - start)
    return {name: statistics.median(each) for name, each in times.items()}


def beside(
    task: Callable[[], object],
    base: Callable[[], object],
    rounds: int,
    clock: Callable[[], float] = time.process_time,
) -> tuple[float, float, float]:
    """Return the median seconds of a task and of another one, and the median of their ratios.

    The other task runs before and after it in each round: the speed of a machine changes within
    seconds.
    """
    times: list[tuple[float, float]] = []
    for _ in range(rounds):
        marks = [clock()]
        for run in (base, task, base):
            run()
            marks.append(clock())
        times.append((marks[2] - marks[1], (marks[1] - marks[0] + marks[3] - marks[2]) / 2))
    ones, others = zip(*times, strict=True)
    ratio = statistics.median(one / other for one, other in times)
    return statistics.median(ones), statistics.median(others), ratio


def print_table(title: str, times: dict[str, float], count: int, base: str) -> None:
    """Print the time for each of `count` items, and how it compares with `base`."""
    print(f"\n{title} ({count:,} items; 1.00 is {base})")
    for name, seconds in sorted(times.items(), key=lambda item: item[1]):
        each = seconds / count * 1e9
        print(f"  {name:42} {each:12,.0f} ns  {seconds / times[base]:8.2f}")
