"""Columns of labels, headers and URIs: each distinct value is converted once.

Every function takes an Arrow array or chunked array, a Polars series or expression, the name of a
column as an expression of Polars, a pandas series, index or array, a NumPy array, a list or a
tuple.  It returns the same kind, with null for null and for a value that the function cannot
convert.  With ``categorical=True`` or ``False`` the result has categories (a dictionary in Arrow)
or strings; if not given, arrays of Arrow are dictionary-encoded, columns of pandas are categories,
and those of Polars are strings.  An array of NumPy has objects.  A column of numbers, dates or
anything else that is not text raises a `TypeError` with the name of the column.
"""

from __future__ import annotations

from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from cturi_rdf._util.lazy import import_extra
from cturi_rdf.catalogue.header import sent_as
from cturi_rdf.columns.arrow import BatchFunction, converted, plain
from cturi_rdf.content_type import ContentType
from cturi_rdf.errors import CturiError
from cturi_rdf.labels import resolve
from cturi_rdf.uri.mapping import from_uri, node

if TYPE_CHECKING:
    from collections.abc import Callable

    from cturi_rdf.columns.arrow import Convert

__all__ = [
    "confidences",
    "essences",
    "headers",
    "nodes",
    "outers",
    "reasons",
    "served_headers",
    "suffixes",
    "types",
    "verdicts",
]

_REMEMBERED = 65_536


def _type(label: str) -> str | None:
    named = resolve(label).named
    return str(named[0]) if len(named) == 1 else None


def _served_header(label: str) -> str | None:
    header = sent_as(resolve(label)).content_type
    return str(header) if header else None


def _outer(label: str) -> str | None:
    outer = resolve(label).outer
    return str(outer) if outer else None


def _remembered(convert: Convert) -> Convert:
    """Return a function that remembers its results, with None for a text that is not valid."""

    @lru_cache(maxsize=_REMEMBERED)
    def result(text: str) -> str | None:
        try:
            return convert(text)
        except CturiError:
            return None

    return result


# The functions for one text, by their names in SQL.
FUNCTIONS = {
    name: _remembered(convert)
    for name, convert in {
        "type": _type,
        "served_header": _served_header,
        "verdict": lambda label: resolve(label).verdict,
        "outer": _outer,
        "confidence": lambda label: resolve(label).confidence,
        "reason": lambda label: resolve(label).reason,
        "node": node,
        "essence": lambda header: ContentType.parse(header).essence,
        "suffix": lambda header: ContentType.parse(header).suffix,
        "header": lambda uri: str(from_uri(uri)),
    }.items()
}
# Those for labels.
OF_LABELS = ("type", "served_header", "verdict", "outer", "confidence", "reason")


def types(labels: Any, *, categorical: bool | None = None) -> Any:
    """Return the content type that each label names, null where it names none or several.

    Of a packed or compressed file it is the type of what is inside; `served_headers` has the
    type of the file as it is sent.

    >>> import pyarrow as pa
    >>> types(pa.array(["CSV", "Zipped CSV", "WMS", None])).to_pylist()
    ['text/csv', 'text/csv', None, None]
    """
    return converted(labels, FUNCTIONS["type"], categorical=categorical)


def served_headers(labels: Any, *, categorical: bool | None = None) -> Any:
    """Return the Content-Type that a file with each label is sent with, where there is one.

    A packed or compressed file is sent with the type of the package or of the compression.
    The rule is that of `cturi_rdf.rdf.headers`.

    >>> served_headers(["CSV", "Zipped CSV", "CSV, JSON"])
    ['text/csv', 'application/zip', None]
    """
    return converted(labels, FUNCTIONS["served_header"], categorical=categorical)


def verdicts(labels: Any, *, categorical: bool | None = None) -> Any:
    """Return the verdict on each label; see `cturi_rdf.labels.Resolution`.

    >>> verdicts(["CSV", "Zipped CSV", "CSV, JSON", "WMS", "misc"])
    ['media_type', 'compound', 'several', 'service', 'nothing']
    """
    return converted(labels, FUNCTIONS["verdict"], categorical=categorical)


def outers(labels: Any, *, categorical: bool | None = None) -> Any:
    """Return the type of the package or compression that each label names, or null.

    >>> outers(["Zipped CSV", "csv.gz", "CSV"])
    ['application/zip', 'application/gzip', None]
    """
    return converted(labels, FUNCTIONS["outer"], categorical=categorical)


def confidences(labels: Any, *, categorical: bool | None = None) -> Any:
    """Return ``certain`` or ``likely`` for each label: the confidence of its reading.

    >>> confidences(["CSV", "XSLX"])
    ['certain', 'likely']
    """
    return converted(labels, FUNCTIONS["confidence"], categorical=categorical)


def reasons(labels: Any, *, categorical: bool | None = None) -> Any:
    """Return a sentence or two for each label: why it was read as it was.

    >>> reasons(["misc"])
    ['It is a placeholder, not a format.']
    """
    return converted(labels, FUNCTIONS["reason"], categorical=categorical)


def nodes(headers: Any, *, categorical: bool | None = None) -> Any:
    """Return the node of each header.

    >>> nodes(["text/csv", "text/csv", "no header"])
    ['ContentType:text/csv', 'ContentType:text/csv', None]
    """
    return converted(headers, FUNCTIONS["node"], categorical=categorical)


def essences(headers: Any, *, categorical: bool | None = None) -> Any:
    """Return the type and subtype of each header.

    >>> essences(["Text/HTML; charset=utf-8"])
    ['text/html']
    """
    return converted(headers, FUNCTIONS["essence"], categorical=categorical)


def suffixes(headers: Any, *, categorical: bool | None = None) -> Any:
    """Return the structured syntax suffix of each header, null where it has none.

    >>> suffixes(["image/svg+xml", "text/html"])
    ['xml', None]
    """
    return converted(headers, FUNCTIONS["suffix"], categorical=categorical)


def headers(uris: Any, *, categorical: bool | None = None) -> Any:
    """Return the header of each `ContentType:` URI.

    >>> headers(["ContentType:text/csv?header=%22present%22"])
    ['text/csv; header=present']
    """
    return converted(uris, FUNCTIONS["header"], categorical=categorical)


# In the SQL of DuckDB, and as methods of data frame libraries.


_DEFINED = (
    "SELECT function_name FROM duckdb_functions() WHERE function_name LIKE 'cturi\\_%' ESCAPE '\\'"
)


def register(connection: Any) -> None:
    """Add the functions to a DuckDB connection, under names that begin with ``cturi_``.

    ``cturi_type``, ``cturi_served_header``, ``cturi_verdict``, ``cturi_outer``,
    ``cturi_confidence`` and ``cturi_reason`` take a label; ``cturi_node``, ``cturi_essence`` and
    ``cturi_suffix`` a header; ``cturi_header`` a URI.  Functions that the connection already has
    stay as they are.  In SQL, group by the value first where the column is long.

    >>> import duckdb
    >>> connection = duckdb.connect()
    >>> register(connection)
    >>> connection.sql("SELECT cturi_node('text/csv')").fetchall()
    [('ContentType:text/csv',)]
    """
    import_extra("pyarrow", "duckdb")
    # The module of DuckDB is a connection too.
    if not hasattr(connection, "create_function"):
        kind = type(connection).__name__
        raise TypeError(f"register() takes a connection of DuckDB as 'connection', not {kind}")
    # DuckDB cannot replace a Python function, and a cursor has the functions of its connection.
    defined = {name for (name,) in connection.execute(_DEFINED).fetchall()}
    for name, convert in FUNCTIONS.items():
        if f"cturi_{name}" not in defined:
            connection.create_function(
                f"cturi_{name}",
                BatchFunction(convert),
                ["VARCHAR"],
                "VARCHAR",
                type="arrow",
                null_handling="special",
            )


def strings(column: Any, name: str) -> Any:
    """Return an Arrow column, converted by the function with a name in SQL, as strings."""
    return plain(column, FUNCTIONS[name])


class ColumnMethods:
    """The functions on one column: what a series of pandas or Polars has as ``.cturi``."""

    def __init__(self, column: Any) -> None:
        self._column = column


class FrameMethods:
    """The functions on the column of a data frame with a name.

    >>> import polars
    >>> FrameMethods(polars.DataFrame({"label": ["CSV"]})).types("label").to_list()
    ['text/csv']
    """

    def __init__(self, frame: Any) -> None:
        self._frame = frame

    def _converted(self, column: str, function: Callable[[Any], Any]) -> Any:
        return function(self._frame[column])


class LazyFrameMethods(FrameMethods):
    """The same on a lazy frame of Polars: each gives a lazy frame of one column."""

    def _converted(self, column: str, function: Callable[[Any], Any]) -> Any:
        return self._frame.select(function(column))


def _add_methods(function: Callable[..., Any]) -> None:
    """Add a function to the classes above, as a method with its name and docstring."""

    def of_column(self: Any, *, categorical: bool | None = None) -> Any:
        return function(self._column, categorical=categorical)

    def of_frame(self: Any, column: str, *, categorical: bool | None = None) -> Any:
        return self._converted(column, partial(function, categorical=categorical))

    for kind, method in ((ColumnMethods, of_column), (FrameMethods, of_frame)):
        method.__name__ = method.__qualname__ = function.__name__
        method.__doc__ = function.__doc__
        setattr(kind, function.__name__, method)


for _name in __all__:
    _add_methods(globals()[_name])
