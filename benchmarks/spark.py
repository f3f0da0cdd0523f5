"""`make bench-spark`: a crawl to N-Quads on one core and on two, and Spark's parts of it.

Every run is a process of its own with the cores that it is to use, so that two workers are
compared with one and not with one and a half; the Java virtual machine collects its rubbish on
the same cores.  What two cores can do at all is measured too, by two jobs at the same time that
share nothing but the machine: its caches and its memory, and on many machines a core.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import SparkSession
from pyspark.sql import functions as F  # noqa: N812

from benchmarks.core import corpus
from cturi_rdf.columns import spark as on_spark

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["main"]

_ROUNDS = 3
_PARTS = 8
# Our function for each row, for each distinct value (`converted`), and one of Spark's own.
_NODES, _ONCE, _LOWER = "nodes", "nodes, converted once", "lower()"
# Who does the work: how many jobs at the same time, of how many workers, each on a core.
_ONE, _TWO, _APART = (1, 1), (1, 2), (2, 1)


def _crawl(folder: Path, rows: int) -> None:
    """Write Parquet like Common Crawl's: URLs that differ, few types."""
    chance = random.Random(1)  # noqa: S311 - a sample, not a secret
    counts = corpus()
    types, weights = list(counts), list(counts.values())
    detected = sorted({each.partition(";")[0] for each in types})
    for part in range(_PARTS):
        count = rows // _PARTS
        urls = [
            f"https://www.site{chance.randrange(100_000)}.example/{chance.getrandbits(60):x}/"
            f"page-{number}.html?id={chance.getrandbits(30)}"
            for number in range(count)
        ]
        columns = {
            "url": urls,
            "content_mime_type": chance.choices(types, weights, k=count),
            "content_mime_detected": chance.choices(detected, k=count),
        }
        pq.write_table(pa.table(columns), folder / f"{part}.parquet")


def _run(source: str, target: str, workers: int) -> dict[str, list[tuple[float, float]]]:
    """Return the seconds of each part of the work, those of a clock and of processors.

    A round of all is run before, to warm up.
    """
    spark = (
        SparkSession.builder.master(f"local[{workers}]")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.log.level", "OFF")
        .config("spark.driver.memory", "3g")
        # As many parts for one worker as for two.
        .config("spark.sql.files.maxPartitionBytes", Path(source, "0.parquet").stat().st_size)
        .config("spark.sql.files.openCostInBytes", 0)
        .getOrCreate()
    )
    crawl = spark.read.parquet(source)
    headers = crawl.select(F.col("content_mime_type").alias("header"))
    converted = on_spark.converted(headers, "header", result=on_spark.nodes)
    by_row = {_NODES: on_spark.nodes("header"), _LOWER: F.lower("header")}
    frames = {name: headers.select(use.alias("result")) for name, use in by_row.items()}
    frames[_ONCE] = converted.select("result")
    tasks: dict[str, Callable[[], object]] = {
        "crawl to N-Quads": lambda: on_spark.crawl_to_nquads(crawl, target, overwrite=True),
        "reading the crawl": lambda: _drain(crawl),
        **{f"{name} of a column": partial(_drain, frame) for name, frame in frames.items()},
        **{
            f"groups by {name}": partial(_drain, frame.groupBy("result").count())
            for name, frame in frames.items()
        },
    }
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in tasks}
    for number in range(_ROUNDS + 1):
        for name, task in tasks.items():
            start, used = time.perf_counter(), _processor_seconds()
            task()
            if number:
                times[name].append((time.perf_counter() - start, _processor_seconds() - used))
    spark.stop()
    return times


def _processor_seconds() -> float:
    """Return the processor time of this process and those below it: Java and Python workers."""
    used: dict[int, int] = {}
    below: dict[int, list[int]] = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        pid = int(status.parent.name)
        below.setdefault(int(fields[1]), []).append(pid)
        used[pid] = sum(map(int, fields[11:15]))
    pids, total = [os.getpid()], 0
    while pids:
        pid = pids.pop()
        total += used.get(pid, 0)
        pids += below.get(pid, [])
    return total / os.sysconf("SC_CLK_TCK")


def _drain(frame: object) -> None:
    frame.write.format("noop").mode("overwrite").save()  # type: ignore[attr-defined]


def main(rows: int) -> None:
    """Print rows a second and core of each part, and what the second worker adds."""
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2:  # noqa: PLR2004
        raise SystemExit("two cores are needed to compare two workers with one")
    os.environ |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    times: dict[tuple[int, int], dict[str, list[tuple[float, float]]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "in"
        source.mkdir()
        _crawl(source, rows)
        for who in (_ONE, _TWO, _APART):
            times[who] = {}
            jobs, workers = who
            running = []
            for job in range(jobs):
                # What a process starts has its cores.
                os.sched_setaffinity(0, cores[job * workers : (job + 1) * workers])
                command = [sys.executable, "-m", "benchmarks.spark", str(source),
                           f"{folder}/out-{job}", str(workers)]  # fmt: skip
                running.append(subprocess.Popen(command, stdout=subprocess.PIPE))
            for each in running:
                out, _ = each.communicate()
                for name, seconds in json.loads(out.splitlines()[-1]).items():
                    times[who].setdefault(name, []).extend(seconds)
        os.sched_setaffinity(0, cores)
        size = sum(each.stat().st_size for each in Path(folder, "out-0").glob("part-*"))
    print(f"{rows:,} rows; medians of {_ROUNDS} runs")
    for name, runs in times[_ONE].items():
        alone, used = map(statistics.median, zip(*runs, strict=True))
        together, apart = (
            statistics.median(seconds for seconds, _ in times[who][name]) for who in (_TWO, _APART)
        )
        print(
            f"  {name:38} {rows / used:10,.0f} rows a processor second,"
            f" {rows / alone:10,.0f} a second on one core;"
            f" two workers {alone / together:.2f} times one, two jobs {2 * alone / apart:.2f} times"
        )
    for what in ("{} of a column", "groups by {}"):
        used = {
            name: statistics.median(seconds for _, seconds in times[_ONE][what.format(name)])
            for name in (_NODES, _ONCE, _LOWER)
        }
        for name in (_NODES, _ONCE):
            ratio = used[name] / used[_LOWER]
            print(f"  {what.format(name)}: {ratio:.2f} times the processor time of {_LOWER}")
    print(f"  bytes written a row, gzipped: {size / rows:.0f}")


if __name__ == "__main__":
    if len(sys.argv) > 2:  # noqa: PLR2004 - called by itself: a folder, another, how many workers
        print(json.dumps(_run(sys.argv[1], sys.argv[2], int(sys.argv[3]))))
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 4_000_000)
