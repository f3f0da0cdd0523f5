"""Exporting the registry, against the time that rdflib takes to serialise the same graph."""

from __future__ import annotations

import subprocess
import sys
from functools import partial

from benchmarks.ratio import Limit, in_turns, print_table
from cturi_rdf.rdf.export import export

__all__ = ["main"]

_FORMATS = ("turtle", "nt", "xml", "json-ld")
# In a process of its own, because caches of one export would make the next one cheap.
_EXPORT = """
import sys, time
from cturi_rdf.reading.formats import format_named
from cturi_rdf.rdf.export import serialise
form = format_named(sys.argv[1])
start = time.perf_counter()
serialise(form)
print(time.perf_counter() - start)
"""


def main() -> list[Limit]:
    """Print a table per format; return the target ratios."""
    graph, limits = export(), []
    for form in _FORMATS:
        ours: list[float] = []

        def serialise(form: str = form, ours: list[float] = ours) -> None:
            ours.append(_export(form))

        times = in_turns(
            {
                "rdflib serialize": partial(graph.serialize, format=form),
                "cturi_rdf serialise": serialise,
            },
            rounds=5,
        )
        times["cturi_rdf serialise"] = sorted(ours)[len(ours) // 2]
        print_table(f"Exporting the registry, {form}", times, len(graph), "rdflib serialize")
        ratio = times["cturi_rdf serialise"] / times["rdflib serialize"]
        limits.append(Limit(f"exporting as {form}, against serialising it", ratio, 1.5))
    return limits


def _export(form: str) -> float:
    """Return the seconds that the first export of a process takes."""
    words = [sys.executable, "-c", _EXPORT, form]
    return float(subprocess.run(words, check=True, capture_output=True).stdout)
