"""Apache Spark: the functions of `cturi_rdf.columns` by the same names, and a crawl to N-Quads.

Each function takes a column, or its name, and returns an expression: null where there was null and
where a value is not what the function is for.  Every process that evaluates it remembers the
values that it has converted.  `converted` goes further: each distinct value is converted once in
the whole cluster and joined to the rows, which then never leave the Java virtual machine.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from cturi_rdf import columns
from cturi_rdf._util.lazy import import_extra
from cturi_rdf.columns.functions import FUNCTIONS, strings

import_extra("pyspark", "spark")

from pyspark.sql import functions as F  # noqa: E402, N812 - the usual name

from cturi_rdf.columns.spark.crawl import (  # noqa: E402
    DETECTED,
    HEADER,
    KEY,
    CrawlReport,
    crawl_to_nquads,
    joined,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import Column, DataFrame, SparkSession

__all__ = [
    "DETECTED",
    "HEADER",
    "CrawlReport",
    "confidences",
    "converted",
    "crawl_to_nquads",
    "essences",
    "headers",
    "nodes",
    "outers",
    "reasons",
    "register",
    "served_headers",
    "suffixes",
    "types",
    "verdicts",
]


@cache
def _udf(name: str) -> Any:
    """Return a function as a user-defined function of Spark, made when it is used."""
    # Spark reads annotations, so that this is a lambda without any.
    return F.arrow_udf(lambda array: strings(array, name), "string")


def _on_spark(name: str, function: Callable[..., Any]) -> Callable[[Column | str], Column]:
    """Return a function of `cturi_rdf.columns` as one of Spark's columns.

    >>> frame = spark.createDataFrame([("Zipped CSV",), ("WMS",)], "label string")
    >>> [row.type for row in frame.select(types("label").alias("type")).collect()]
    ['text/csv', None]
    """

    def of_column(column: Column | str) -> Column:
        result: Column = _udf(name)(column)
        return result

    of_column.__name__ = of_column.__qualname__ = function.__name__
    # The first sentence; the examples are on Arrow.
    of_column.__doc__ = (function.__doc__ or "").partition("\n")[0]
    return of_column


types = _on_spark("type", columns.types)
served_headers = _on_spark("served_header", columns.served_headers)
verdicts = _on_spark("verdict", columns.verdicts)
outers = _on_spark("outer", columns.outers)
confidences = _on_spark("confidence", columns.confidences)
reasons = _on_spark("reason", columns.reasons)
nodes = _on_spark("node", columns.nodes)
essences = _on_spark("essence", columns.essences)
suffixes = _on_spark("suffix", columns.suffixes)
headers = _on_spark("header", columns.headers)


def converted(frame: DataFrame, column: str, **functions: Callable[[Column], Column]) -> DataFrame:
    """Return a frame with one more column for each function, under the name of its argument.

    The distinct values of `column` are found first, each is converted once, and the table of them
    is broadcast.  This suits a long column of few values.  Raises `ValueError` for the name of a
    column that the frame has already, in any case, as Spark compares names.

    >>> frame = spark.createDataFrame([(1, "CSV"), (2, None), (3, "CSV")], "id int, label string")
    >>> sorted(converted(frame, "label", type=types).collect())[0]
    Row(id=1, label='CSV', type='text/csv')
    """
    present = {name.lower() for name in frame.columns}
    for name in functions:
        if name.lower() in present:
            raise ValueError(f"the frame has a column {name!r} already; expected another name")
    distinct = frame.select(F.col(column).alias(KEY)).distinct()
    converted = [convert(F.col(KEY)).alias(name) for name, convert in functions.items()]
    # Spark moves no filter through a generator.  Without one, it would convert every row before
    # the join to filter by the result.
    row = F.explode(F.array(F.struct(KEY, *converted))).alias("row")
    return joined(frame, column, distinct.select(row).select("row.*"), KEY)


def register(spark: SparkSession) -> None:
    """Add the functions to the SQL of a session, under the names that they have in DuckDB.

    >>> register(spark)
    >>> spark.sql("SELECT cturi_type('Zipped CSV') AS type").collect()
    [Row(type='text/csv')]
    """
    for name in FUNCTIONS:
        spark.udf.register(f"cturi_{name}", _udf(name))
