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

from typing import Any

from cturi_rdf.columns.arrow import converted
from cturi_rdf.columns.values import FUNCTIONS

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

    >>> import pyarrow as pa
    >>> served_headers(pa.array(["CSV", "Zipped CSV", "CSV, JSON"])).to_pylist()
    ['text/csv', 'application/zip', None]
    """
    return converted(labels, FUNCTIONS["served_header"], categorical=categorical)


def verdicts(labels: Any, *, categorical: bool | None = None) -> Any:
    """Return the verdict on each label; see `cturi_rdf.labels.Resolution`.

    >>> import pyarrow as pa
    >>> verdicts(pa.array(["CSV", "Zipped CSV", "CSV, JSON", "WMS", "misc"])).to_pylist()
    ['media_type', 'compound', 'several', 'service', 'nothing']
    """
    return converted(labels, FUNCTIONS["verdict"], categorical=categorical)


def outers(labels: Any, *, categorical: bool | None = None) -> Any:
    """Return the type of the package or compression that each label names, or null.

    >>> import pyarrow as pa
    >>> outers(pa.array(["Zipped CSV", "csv.gz", "CSV"])).to_pylist()
    ['application/zip', 'application/gzip', None]
    """
    return converted(labels, FUNCTIONS["outer"], categorical=categorical)


def confidences(labels: Any, *, categorical: bool | None = None) -> Any:
    """Return ``certain`` or ``likely`` for each label: the confidence of its reading.

    >>> import pyarrow as pa
    >>> confidences(pa.array(["CSV", "XSLX"])).to_pylist()
    ['certain', 'likely']
    """
    return converted(labels, FUNCTIONS["confidence"], categorical=categorical)


def reasons(labels: Any, *, categorical: bool | None = None) -> Any:
    """Return a sentence or two for each label: why it was read as it was.

    >>> import pyarrow as pa
    >>> reasons(pa.array(["misc"])).to_pylist()
    ['It is a placeholder, not a format.']
    """
    return converted(labels, FUNCTIONS["reason"], categorical=categorical)


def nodes(headers: Any, *, categorical: bool | None = None) -> Any:
    """Return the node of each header.

    >>> import pyarrow as pa
    >>> nodes(pa.array(["text/csv", "text/csv", "no header"])).to_pylist()
    ['ContentType:text/csv', 'ContentType:text/csv', None]
    """
    return converted(headers, FUNCTIONS["node"], categorical=categorical)


def essences(headers: Any, *, categorical: bool | None = None) -> Any:
    """Return the type and subtype of each header.

    >>> import pyarrow as pa
    >>> essences(pa.array(["Text/HTML; charset=utf-8"])).to_pylist()
    ['text/html']
    """
    return converted(headers, FUNCTIONS["essence"], categorical=categorical)


def suffixes(headers: Any, *, categorical: bool | None = None) -> Any:
    """Return the structured syntax suffix of each header, null where it has none.

    >>> import pyarrow as pa
    >>> suffixes(pa.array(["image/svg+xml", "text/html"])).to_pylist()
    ['xml', None]
    """
    return converted(headers, FUNCTIONS["suffix"], categorical=categorical)


def headers(uris: Any, *, categorical: bool | None = None) -> Any:
    """Return the header of each `ContentType:` URI.

    >>> import pyarrow as pa
    >>> headers(pa.array(["ContentType:text/csv?header=%22present%22"])).to_pylist()
    ['text/csv; header=present']
    """
    return converted(uris, FUNCTIONS["header"], categorical=categorical)
