"""Columns of a Spark data frame: the functions of `cturi_rdf.columns` by the same names.

Each takes a column, or its name, and returns an expression: null where there was null and
where a value is not what the function is for.  Every process that evaluates it remembers the
values that it has converted.  `converted` goes further: each distinct value is converted once in
the whole cluster and joined to the rows, which then never leave the Java virtual machine.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F  # noqa: N812 - the usual name

from cturi_rdf import columns

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import Column, DataFrame, SparkSession


# The name of the key of a table to join; no column of the user's own is called that.
_KEY = "cturi_rdf key"
# The names in SQL, which are those of values, and the functions of columns.
_BY_NAME_IN_SQL = {
    "type": "types",
    "served_header": "served_headers",
    "verdict": "verdicts",
    "outer": "outers",
    "confidence": "confidences",
    "reason": "reasons",
    "node": "nodes",
    "essence": "essences",
    "suffix": "suffixes",
    "header": "headers",
}


def _by_spark(function: Callable[..., Any]) -> Callable[[Column | str], Column]:
    """Return a function of `cturi_rdf.columns` as one of Spark's columns, by the same name.

    >>> frame = spark.createDataFrame([("Zipped CSV",), ("WMS",)], "label string")
    >>> [row.type for row in frame.select(types("label").alias("type")).collect()]
    ['text/csv', None]
    """
    name = function.__name__

    def of_column(column: Column | str) -> Column:
        result: Column = _udf(name)(column)
        return result

    of_column.__name__ = of_column.__qualname__ = name
    # The first sentence; the examples are on Arrow.
    of_column.__doc__ = (function.__doc__ or "").partition("\n")[0]
    return of_column


@cache
def _udf(name: str) -> Any:
    """Return a function of columns as a user-defined function of Spark, made when it is used."""
    convert = getattr(columns, name)
    # Spark takes no encoded array.  It reads annotations, so that this is a lambda without any.
    return F.arrow_udf(lambda array: convert(array).cast("string"), "string")


types = _by_spark(columns.types)
served_headers = _by_spark(columns.served_headers)
verdicts = _by_spark(columns.verdicts)
outers = _by_spark(columns.outers)
confidences = _by_spark(columns.confidences)
reasons = _by_spark(columns.reasons)
nodes = _by_spark(columns.nodes)
essences = _by_spark(columns.essences)
suffixes = _by_spark(columns.suffixes)
headers = _by_spark(columns.headers)


def converted(frame: DataFrame, column: str, **functions: Callable[[Column], Column]) -> DataFrame:
    """Return a frame with one more column for each function, under the name of its argument.

    The distinct values of `column` are found first, each is converted once, and the table of them
    is broadcast.  This suits a long column of few values.

    >>> frame = spark.createDataFrame([(1, "CSV"), (2, None), (3, "CSV")], "id int, label string")
    >>> sorted(converted(frame, "label", type=types).collect())[0]
    Row(id=1, label='CSV', type='text/csv')
    """
    distinct = frame.select(F.col(column).alias(_KEY)).distinct()
    converted = [convert(F.col(_KEY)).alias(name) for name, convert in functions.items()]
    # Spark moves no filter through a generator.  Without one, it would convert every row before
    # the join to filter by the result.
    row = F.explode(F.array(F.struct(_KEY, *converted))).alias("row")
    return joined(frame, column, distinct.select(row).select("row.*"), _KEY)


def register(spark: SparkSession) -> None:
    """Add the functions to the SQL of a session, under the names that they have in DuckDB.

    >>> register(spark)
    >>> spark.sql("SELECT cturi_type('Zipped CSV') AS type").collect()
    [Row(type='text/csv')]
    """
    for name, function in _BY_NAME_IN_SQL.items():
        spark.udf.register(f"cturi_{name}", _udf(function))


def joined(frame: DataFrame, column: str, table: DataFrame, key: str) -> DataFrame:
    """Return a frame with the columns of a small table, joined by the values of a column.

    Its rows stay where they are and in their order; `key` is the column of the table that has
    the values, which is not among those of the result.

    >>> rows = spark.createDataFrame([("a",), ("b",)], "letter string")
    >>> numbers = spark.createDataFrame([("a", 1)], "key string, number int")
    >>> joined(rows, "letter", numbers, "key").collect()
    [Row(letter='a', number=1), Row(letter='b', number=None)]
    """
    table = table.withColumnRenamed(key, _KEY)
    same = F.col(column) == F.col(_KEY)
    return frame.join(F.broadcast(table), same, "left").drop(_KEY)
