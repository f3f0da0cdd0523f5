"""Columns of a Spark data frame: the functions of `cturi_rdf.columns` by the same names.

Each takes a column, or its name, and returns an expression: null where there was null and
where a value is not what the function is for.  Every process that evaluates it remembers what it
has converted.  `converted` goes further: each distinct value is converted once in the whole
cluster and joined to the rows, which then never leave the Java virtual machine.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F  # noqa: N812 - as everybody who uses Spark calls it

from cturi_rdf import columns

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import Column, DataFrame

__all__ = [
    "confidences", "converted", "essences", "headers", "joined", "nodes", "outers", "reasons",
    "served_headers", "suffixes", "types", "verdicts",
]  # fmt: skip

# The name of the key of a table to join; no column of the user's own is called that.
_KEY = "cturi_rdf key"


def nodes(column: Column | str) -> Column:
    """Return the node of each header.

    >>> frame = spark.createDataFrame([("Text/CSV",), ("no header",)], "header string")
    >>> [row.node for row in frame.select(nodes("header").alias("node")).collect()]
    ['ContentType:text/csv', None]
    """
    return _function("nodes")(column)


def types(column: Column | str) -> Column:
    """Return the content type that each label names, null where it names none or several.

    >>> frame = spark.createDataFrame([("Zipped CSV",), ("WMS",)], "label string")
    >>> [row.type for row in frame.select(types("label").alias("type")).collect()]
    ['text/csv', None]
    """
    return _function("types")(column)


def served_headers(column: Column | str) -> Column:
    """Return the Content-Type that a file with each label is sent with, where there is one.

    >>> frame = spark.createDataFrame([("Zipped CSV",)], "label string")
    >>> frame.select(served_headers("label").alias("header")).first().header
    'application/zip'
    """
    return _function("served_headers")(column)


def verdicts(column: Column | str) -> Column:
    """Return what kind of answer there is for each label.

    >>> frame = spark.createDataFrame([("WMS",)], "label string")
    >>> frame.select(verdicts("label").alias("verdict")).first().verdict
    'service'
    """
    return _function("verdicts")(column)


def outers(column: Column | str) -> Column:
    """Return the type of the package or compression that each label names, or null.

    >>> frame = spark.createDataFrame([("csv.gz",)], "label string")
    >>> frame.select(outers("label").alias("outer")).first().outer
    'application/gzip'
    """
    return _function("outers")(column)


def confidences(column: Column | str) -> Column:
    """Return ``certain`` or ``likely`` for each label: how sure its reading is.

    >>> frame = spark.createDataFrame([("XSLX",)], "label string")
    >>> frame.select(confidences("label").alias("confidence")).first().confidence
    'likely'
    """
    return _function("confidences")(column)


def reasons(column: Column | str) -> Column:
    """Return a sentence or two for each label: why it was read as it was.

    >>> frame = spark.createDataFrame([("misc",)], "label string")
    >>> frame.select(reasons("label").alias("reason")).first().reason
    'It is a placeholder, not a format.'
    """
    return _function("reasons")(column)


def headers(column: Column | str) -> Column:
    """Return the header of each URI.

    >>> frame = spark.createDataFrame([("ContentType:text/csv",)], "uri string")
    >>> frame.select(headers("uri").alias("header")).first().header
    'text/csv'
    """
    return _function("headers")(column)


def essences(column: Column | str) -> Column:
    """Return type and subtype of each header.

    >>> frame = spark.createDataFrame([("Text/HTML; charset=utf-8",)], "header string")
    >>> frame.select(essences("header").alias("essence")).first().essence
    'text/html'
    """
    return _function("essences")(column)


def suffixes(column: Column | str) -> Column:
    """Return the structured syntax suffix of each header, null where it has none.

    >>> frame = spark.createDataFrame([("image/svg+xml",)], "header string")
    >>> frame.select(suffixes("header").alias("suffix")).first().suffix
    'xml'
    """
    return _function("suffixes")(column)


def converted(frame: DataFrame, column: str, **functions: Callable[[Column], Column]) -> DataFrame:
    """Return a frame with one column more for each function, named as its argument is.

    The distinct values of `column` are found first, each is converted once, and the table of
    them is broadcast: for a long column of few values.

    >>> frame = spark.createDataFrame([(1, "CSV"), (2, None), (3, "CSV")], "id int, label string")
    >>> sorted(converted(frame, "label", type=types).collect())[0]
    Row(id=1, label='CSV', type='text/csv')
    """
    distinct = frame.select(F.col(column).alias(_KEY)).distinct()
    converted = [convert(F.col(_KEY)).alias(name) for name, convert in functions.items()]
    # Through a generator Spark infers nothing: else a filter on what is converted would be made of
    # every row before the join.
    row = F.explode(F.array(F.struct(_KEY, *converted))).alias("row")
    return joined(frame, column, distinct.select(row).select("row.*"), _KEY)


def joined(frame: DataFrame, column: str, table: DataFrame, key: str) -> DataFrame:
    """Return a frame with what a small table says of the values of a column.

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


@cache
def _function(name: str) -> Any:
    """Return a function of columns as one of Spark's."""
    convert = getattr(columns, name)
    # Spark takes no array that is encoded; and it reads annotations, which a lambda has not.
    return F.arrow_udf(lambda array: convert(array).cast("string"), "string")
