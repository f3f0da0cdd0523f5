"""Shared by the tests on Spark: two cores, four attempts of a task, a small crawl."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pyspark.sql import SparkSession

if TYPE_CHECKING:
    from collections.abc import Iterator

os.environ |= {
    "PYSPARK_PYTHON": sys.executable,
    "SPARK_LOCAL_IP": "127.0.0.1",
    # Workers import the objects that the tests pass to them.
    "PYTHONPATH": str(Path(__file__).parent),
}


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    session = (
        SparkSession.builder.master("local[2,4]")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.log.level", "OFF")
        .config("spark.sql.shuffle.partitions", "4")
        .getOrCreate()
    )
    yield session
    session.stop()


ROWS = [
    ("http://a.example/1", "text/html; charset=UTF-8", "text/html"),
    ("http://a.example/2", "TEXT/HTML;charset=utf-8", "application/xhtml+xml"),
    ("http://a.example/3?q=\u00e9", None, "text/csv"),
    ('http://a.example/a b"<c>{d}|^`\\e\tf', "text/html charset", None),
    ("http://a.example/5", "no such type", "image/svg+xml"),
    ("http://a.example/6", "", "WMS"),
    ("http://a.example/7", 'a "b" \\ \u00e9\U0001f600\n', "CSV in zip"),
    ("http://a.example/8", "text/html", "text/html"),
    ("http://a.example/9", None, None),
    ("relative/url", "text/css", None),
    (None, "text/javascript", "text/plain"),
    *((f"http://a.example/many/{number}", "image/png", "image/png") for number in range(200)),
]


@pytest.fixture
def crawl(spark: SparkSession) -> Any:
    """Return a crawl of eight parts."""
    schema = "url string, content_mime_type string, content_mime_detected string"
    return spark.createDataFrame(ROWS, schema).repartitionByRange(8, "url")


@pytest.fixture
def target(tmp_path: Path) -> str:
    return str(tmp_path / "out")
