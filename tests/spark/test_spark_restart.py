"""A task that fails, a worker or an executor that is killed, a driver that dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyspark
import pytest
from conftest import ROWS
from pyspark import TaskContext
from test_spark_crawl import lines_of

from cturi_rdf.columns.spark import crawl_to_nquads
from cturi_rdf.reading import CatalogError

# Runs a crawl whose task on part 5 kills something while parts are being written.
SCRIPT = """
import os, signal, sys
from pathlib import Path
from pyspark.sql import SparkSession
from conftest import ROWS
from cturi_rdf.columns.spark import crawl_to_nquads

def process_above(levels):
    pid = os.getpid()
    for _ in range(levels):
        pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    return pid

def killing(number, rows):
    victim, done = Path(VICTIM), Path(TARGET, "_temporary/0")
    if number == 5 and done.exists() and any(done.glob("task_*")) and not victim.exists():
        # A worker is forked by a daemon, which the Java virtual machine began.
        pid = process_above(2)
        victim.write_bytes(Path(f"/proc/{pid}/cmdline").read_bytes())
        os.kill(pid, signal.SIGKILL)
    return rows

if __name__ == "__main__":
    TARGET, VICTIM, master = sys.argv[1:]
    spark = (SparkSession.builder.master(master).config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "4").config("spark.log.level", "OFF")
        .config("spark.executor.memory", "512m").getOrCreate())
    schema = "url string, content_mime_type string, content_mime_detected string"
    killing.__globals__.update(TARGET=TARGET, VICTIM=VICTIM)
    rows = spark.sparkContext.parallelize(ROWS, 8).mapPartitionsWithIndex(killing)
    crawl_to_nquads(spark.createDataFrame(rows, schema), TARGET)
"""


@pytest.fixture(scope="module")
def undisturbed(spark: Any, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return the lines of a run in which nothing happened."""
    target = str(tmp_path_factory.mktemp("undisturbed") / "out")
    schema = "url string, content_mime_type string, content_mime_detected string"
    crawl_to_nquads(spark.createDataFrame(ROWS, schema), target)
    return sorted(lines_of(target))


def _disturbed(spark: Any, disturb: Any) -> Any:
    schema = "url string, content_mime_type string, content_mime_detected string"
    rows = spark.sparkContext.parallelize(ROWS, 8).mapPartitions(disturb)
    return spark.createDataFrame(rows, schema)


def _failing(rows: Any) -> Any:
    # Rows are written before that; their output must not be seen.
    yield from rows
    if TaskContext.get().attemptNumber() < 2:
        raise OSError("no more disk")


def _killed(rows: Any) -> Any:
    yield from rows
    if TaskContext.get().attemptNumber() == 0 and TaskContext.get().partitionId() % 3 == 0:
        os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.parametrize("disturb", [_failing, _killed])
def test_tasks_that_fail_or_are_killed_lose_and_double_nothing(
    disturb: Any, spark: Any, target: str, undisturbed: list[str]
) -> None:
    report = crawl_to_nquads(_disturbed(spark, disturb), target)
    assert sorted(lines_of(target)) == undisturbed
    assert report.rows == len(ROWS)


def test_a_task_that_fails_every_time_leaves_a_folder_that_may_be_overwritten(
    spark: Any, target: str, undisturbed: list[str]
) -> None:
    def lost(rows: Any) -> Any:
        # Only once there is something to lose.
        if TaskContext.get().partitionId() == 7 and Path(target).exists():
            raise OSError("no more disk")
        yield from rows

    with pytest.raises(CatalogError, match=r"it was not written .*no more disk"):
        crawl_to_nquads(_disturbed(spark, lost), target)
    assert not Path(target, "_SUCCESS").exists()
    crawl_to_nquads(_disturbed(spark, iter), target)
    assert sorted(lines_of(target)) == undisturbed


def _run_killing(tmp_path: Path, target: str, master: str) -> tuple[int, str]:
    """Return the exit code of the script, and the command line of the process that it killed."""
    script, victim = tmp_path / "killing.py", tmp_path / "victim"
    script.write_text(SCRIPT)
    environment = os.environ | {"SPARK_HOME": str(Path(pyspark.__file__).parent)}
    command = [sys.executable, str(script), target, str(victim), master]
    run = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert victim.exists(), run.stderr
    return run.returncode, victim.read_text()


def test_an_executor_that_is_killed_loses_and_doubles_nothing(
    tmp_path: Path, target: str, undisturbed: list[str]
) -> None:
    code, victim = _run_killing(tmp_path, target, "local-cluster[2,1,1024]")
    assert "CoarseGrainedExecutorBackend" in victim
    assert code == 0
    assert sorted(lines_of(target)) == undisturbed


def test_after_a_driver_that_is_killed_the_job_is_run_again(
    spark: Any, tmp_path: Path, target: str, undisturbed: list[str]
) -> None:
    code, victim = _run_killing(tmp_path, target, "local[1]")
    assert "SparkSubmit" in victim
    assert code != 0
    assert not Path(target, "_SUCCESS").exists()
    assert Path(target, "_temporary").exists()
    crawl_to_nquads(_disturbed(spark, iter), target)
    assert sorted(lines_of(target)) == undisturbed
