"""Columns of a Spark data frame: the results of the functions on Arrow, each value once."""

from __future__ import annotations

import doctest
import importlib
import sys
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import functions as F  # noqa: N812

from cturi_rdf import columns
from cturi_rdf.columns import functions
from cturi_rdf.columns import spark as on_spark

if TYPE_CHECKING:
    from pathlib import Path

NAMES = functions.__all__
TEXTS = ["text/csv", "TEXT/csv", None, "image/svg+xml; a=b", "no header", "", "CSV", "WMS",
         "Zipped CSV", "ContentType:text/csv", "text/csv"]  # fmt: skip


@pytest.fixture
def frame(spark: Any) -> Any:
    rows = list(enumerate(TEXTS))
    return spark.createDataFrame(rows, "id int, text string").repartition(3)


@pytest.mark.parametrize("name", NAMES)
def test_a_function_says_what_it_says_of_arrow(name: str, frame: Any) -> None:
    wanted = getattr(columns, name)(pa.array(TEXTS)).to_pylist()
    function = getattr(on_spark, name)
    expression = frame.select("id", function("text").alias("made"))
    joined = on_spark.converted(frame, "text", made=function)
    for made in (expression, joined):
        assert [row.made for row in made.sort("id").collect()] == wanted
    assert joined.columns == ["id", "text", "made"]


def test_each_distinct_value_is_converted_once(spark: Any) -> None:
    converted = spark.sparkContext.accumulator(0)

    counted = F.arrow_udf(lambda array: converted.add(len(array)) or array, "string")
    text = F.concat(F.lit("a"), F.expr("id % 7")).alias("text")
    made = on_spark.converted(spark.range(10_000).repartition(4).select(text), "text", made=counted)
    assert made.where("made = text").count() == 10_000
    assert converted.value == 7


@pytest.mark.parametrize("name", ["id", "ID"])
def test_a_column_that_is_there_is_no_name_for_another(name: str, frame: Any) -> None:
    with pytest.raises(ValueError, match=f"the frame has a column '{name}' already"):
        on_spark.converted(frame, "text", **{name: on_spark.types})


def test_a_function_has_its_place_in_sql(frame: Any, spark: Any) -> None:
    frame.createOrReplaceTempView("responses")
    essence = on_spark.essences(F.col("text")).alias("essence")
    counts = spark.table("responses").groupBy(essence).count().where("essence = 'text/csv'")
    assert counts.first()["count"] == 3


def test_a_filter_of_other_columns_comes_before_a_function(spark: Any) -> None:
    converted = spark.range(9).selectExpr("id", "'CSV' AS label").withColumn("id", F.col("id") + 1)
    query = converted.withColumn("type", on_spark.types("label")).where("id < 5")
    plan = query._jdf.queryExecution().optimizedPlan().toString()
    assert plan.index("ArrowEvalPython") < plan.index("Filter")


def test_three_lines_of_sql_join_the_table_of_the_labels(spark: Any, tmp_path: Path) -> None:
    labels = ["CSV", "Zipped CSV", None, "WMS", "CSV"]
    rows, table = str(tmp_path / "rows.parquet"), str(tmp_path / "labels.parquet")
    pq.write_table(pa.table({"n": range(5), "format": labels}), rows)
    assert columns.write_label_table([rows], "format", table) == 3
    for name, path in (("files", rows), ("labels", table)):
        spark.read.parquet(path).createOrReplaceTempView(name)
    joined = spark.sql("""
        SELECT n, type FROM files
        LEFT JOIN labels ON format = label
        ORDER BY n""")
    assert [tuple(row) for row in joined.collect()] == list(enumerate(columns.types(labels)))


@pytest.mark.parametrize("name", ["cturi_rdf.columns.spark", "cturi_rdf.columns.spark.crawl"])
def test_the_examples_run(name: str, spark: Any) -> None:
    module = importlib.import_module(name)
    result = doctest.testmod(
        module, optionflags=doctest.NORMALIZE_WHITESPACE, extraglobs={"spark": spark}
    )
    assert result.failed == 0
    assert result.attempted > 3


def test_without_spark_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspark", None)
    monkeypatch.delitem(sys.modules, "cturi_rdf.columns.spark")
    with pytest.raises(ImportError, match=r"pip install .*\[spark\]"):
        importlib.import_module("cturi_rdf.columns.spark")
