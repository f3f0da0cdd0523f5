"""The shell blocks of the page on clusters, in a shell that has nothing but its path."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKING, SUBMITTING = re.findall(
    r"^```sh\n(.*?)^```$",
    (ROOT / "docs" / "clusters.md").read_text("utf-8"),
    re.MULTILINE | re.DOTALL,
)


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a clone of the repository in which the first block has run."""
    folder = tmp_path_factory.mktemp("clone") / "cturi"
    left_out = shutil.ignore_patterns(".venv", ".git", "build", "dist", "*.so", "__pycache__")
    shutil.copytree(ROOT, folder, ignore=left_out)
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    kept |= {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    run = subprocess.run(
        ["/bin/sh", "-e", "-c", PACKING],
        cwd=folder,
        env=kept,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return folder


def test_the_packing_makes_an_archive_with_the_package(packed: Path) -> None:
    import tarfile

    with tarfile.open(packed / "env.tar.gz") as archive:
        names = archive.getnames()
    assert any(name.endswith("cturi_rdf/columns/spark/crawl.py") for name in names)


def test_the_second_block_runs_on_executors_of_their_own(packed: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq
    import pyspark

    rows = {
        "url": ["https://a.example/data"],
        "content_mime_type": ["TEXT/CSV"],
        "content_mime_detected": ["text/plain"],
    }
    pq.write_table(pa.table(rows), packed / "crawl.parquet")
    command = (
        SUBMITTING.replace(
            "--master yarn --deploy-mode cluster", "--master 'local-cluster[1,1,1024]'"
        )
        .replace("--conf spark.executor.cores=4 --conf spark.executor.memory=8g", "")
        .replace(
            "s3a://commoncrawl/cc-index/table/cc-main/warc/crawl=CC-MAIN-2024-18/subset=warc/",
            "crawl.parquet",
        )
        .replace("hdfs:///crawls/CC-MAIN-2024-18", "out")
    )
    home = Path(pyspark.__file__).parent
    environment = os.environ | {
        "SPARK_HOME": str(home),
        "PATH": f"{home / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "PYSPARK_DRIVER_PYTHON": str(packed / "env" / "bin" / "python"),
    }
    run = subprocess.run(
        ["/bin/sh", "-e", "-c", command],
        cwd=packed,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-3000:]
    assert (packed / "out" / "_SUCCESS").exists()
