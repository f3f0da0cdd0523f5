"""`make bench`: all benchmarks, or those that are named, and whether the target ratios are met."""

from __future__ import annotations

import platform
import sys

from benchmarks import bulk, check, core, export, files, graph, labels, sparql, start

PARTS = (start, core, graph, labels, sparql, check, export, files, bulk)

if __name__ == "__main__":
    names = sys.argv[1:]
    print(f"Python {platform.python_version()}, medians, all sides in one run")
    chosen = [part for part in PARTS if not names or part.__name__.rpartition(".")[2] in names]
    limits = [limit for part in chosen for limit in part.main()]
    print("\nWanted:")
    for limit in limits:
        verdict = "holds" if limit.ratio <= limit.wanted else "MISSED"
        print(f"  {limit.what:52} {limit.ratio:7.3f}  at most {limit.wanted:6.3f}  {verdict}")
