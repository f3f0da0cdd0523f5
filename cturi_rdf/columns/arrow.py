"""Columns of headers, labels and URIs: each distinct value is converted once.

Every function takes an Arrow array or chunked array, a Polars series or expression, or a
pandas series, and returns the same kind, dictionary-encoded: null where there was null and
where a value is none of what it should be.  `register` makes the same functions for DuckDB.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Any

from cturi_rdf._util.extras import import_extra
from cturi_rdf.content_type import ContentType
from cturi_rdf.errors import CturiError
from cturi_rdf.labels import resolve
from cturi_rdf.uri.mapping import from_uri
from cturi_rdf.uri.node import node

if TYPE_CHECKING:
    from collections.abc import Callable

    Convert = Callable[[str], str | None]

__all__ = ["essences", "headers", "nodes", "register", "suffixes", "types"]

_REMEMBERED = 65_536


def nodes(headers: Any) -> Any:
    """Return the node of each header.

    >>> import pyarrow as pa
    >>> nodes(pa.array(["text/csv", "text/csv", "no header"])).to_pylist()
    ['ContentType:text/csv', 'ContentType:text/csv', None]
    """
    return _converted(headers, _node)


def types(labels: Any) -> Any:
    """Return the content type that each label names, where it names one and no more.

    >>> import pyarrow as pa
    >>> types(pa.array(["CSV", "WMS", None])).to_pylist()
    ['text/csv', None, None]
    """
    return _converted(labels, _type)


def headers(uris: Any) -> Any:
    """Return the header of each URI.

    >>> import pyarrow as pa
    >>> headers(pa.array(["ContentType:text/csv?header=%22present%22"])).to_pylist()
    ['text/csv; header=present']
    """
    return _converted(uris, _header)


def essences(headers: Any) -> Any:
    """Return type and subtype of each header.

    >>> import pyarrow as pa
    >>> essences(pa.array(["Text/HTML; charset=utf-8"])).to_pylist()
    ['text/html']
    """
    return _converted(headers, _essence)


def suffixes(headers: Any) -> Any:
    """Return the structured syntax suffix of each header, null where it has none.

    >>> import pyarrow as pa
    >>> suffixes(pa.array(["image/svg+xml", "text/html"])).to_pylist()
    ['xml', None]
    """
    return _converted(headers, _suffix)


def register(connection: Any) -> None:
    """Make the functions known to a DuckDB connection, with ``cturi_`` before their names.

    They are ``cturi_node``, ``cturi_type``, ``cturi_header``, ``cturi_essence`` and
    ``cturi_suffix``.  In SQL, group by the value first where the column is long.

    >>> import duckdb
    >>> connection = duckdb.connect()
    >>> register(connection)
    >>> connection.sql("SELECT cturi_node('text/csv')").fetchall()
    [('ContentType:text/csv',)]
    """
    from duckdb.sqltypes import VARCHAR  # noqa: PLC0415 - who has a connection has it

    import_extra("pyarrow", "duckdb")
    for name, convert in _FUNCTIONS.items():
        connection.create_function(
            f"cturi_{name}", _plain(convert), [VARCHAR], VARCHAR,
            type="arrow", null_handling="special",
        )  # fmt: skip


def _node(header: str) -> str | None:
    return node(header)


def _type(label: str) -> str | None:
    named = resolve(label).named
    return str(named[0]) if len(named) == 1 else None


def _header(uri: str) -> str | None:
    return str(from_uri(uri))


def _essence(header: str) -> str | None:
    return ContentType.parse(header).essence


def _suffix(header: str) -> str | None:
    return ContentType.parse(header).suffix


_FUNCTIONS: dict[str, Convert] = {
    "node": _node,
    "type": _type,
    "header": _header,
    "essence": _essence,
    "suffix": _suffix,
}


@lru_cache(maxsize=_REMEMBERED)
def _value(convert: Convert, text: str) -> str | None:
    try:
        return convert(text)
    except CturiError:
        return None


def _converted(column: Any, convert: Convert) -> Any:
    """Return a column of the kind that it is of, converted."""
    library = type(column).__module__.partition(".")[0]
    kinds = {"pyarrow": _arrow, "polars": _polars, "pandas": _pandas}
    if library not in kinds:
        raise TypeError(f"{type(column).__name__} is no column of Arrow, Polars or pandas")
    return kinds[library](column, convert)


def _arrow(column: Any, convert: Convert) -> Any:
    pa = import_extra("pyarrow", "arrow")
    dictionaries = _Dictionaries(convert)
    if not isinstance(column, pa.ChunkedArray):
        return dictionaries.converted(column)
    # Arrow does its part of the work outside the interpreter's lock.
    with ThreadPoolExecutor() as threads:
        chunks = list(threads.map(dictionaries.converted, column.chunks))
    return pa.chunked_array(chunks, chunks[0].type if chunks else _encoded_type())


def _plain(convert: Convert) -> Callable[[Any], Any]:
    """Return what converts an Arrow column to one that is not encoded."""
    return lambda column: _arrow(column, convert).cast(import_extra("pyarrow", "arrow").string())


def _encoded(column: Any) -> Any:
    """Return a column, dictionary-encoded unless it is."""
    pa = import_extra("pyarrow", "arrow")
    if pa.types.is_dictionary(column.type):
        return column
    if pa.types.is_null(column.type) or pa.types.is_string_view(column.type):
        column = column.cast(pa.string())
    return column.dictionary_encode()


def _encoded_type() -> Any:
    pa = import_extra("pyarrow", "arrow")
    return pa.dictionary(pa.int32(), pa.string())


class _Dictionaries:
    """Converts encoded arrays; those that share a dictionary, with one conversion."""

    def __init__(self, convert: Convert) -> None:
        self._convert = convert
        self._lock = Lock()
        self._last: Any = None
        self._made: tuple[Any, Any] = (None, None)

    def converted(self, array: Any) -> Any:
        """Return an array, encoded or not, with a dictionary of distinct converted values."""
        pa = import_extra("pyarrow", "arrow")
        array = _encoded(array)
        with self._lock:
            values, places = self._dictionary(array.dictionary, array.indices.type)
        indices = array.indices
        if places is not None:
            indices = places.take(indices)
        return pa.DictionaryArray.from_arrays(indices, values)

    def _dictionary(self, dictionary: Any, kind: Any) -> tuple[Any, Any]:
        """Return the new dictionary, and where each old value stands in it if elsewhere."""
        pa = import_extra("pyarrow", "arrow")
        if self._last is None or not dictionary.equals(self._last):
            texts = dictionary.to_pylist()
            made = [None if text is None else _value(self._convert, text) for text in texts]
            distinct = [each for each in dict.fromkeys(made) if each is not None]
            places = None
            if len(distinct) < len(made):
                where = {each: place for place, each in enumerate(distinct)}
                places = pa.array([where.get(each or "") for each in made], kind)
            self._last = dictionary
            self._made = (pa.array(distinct, pa.string()), places)
        return self._made


def _polars(column: Any, convert: Convert) -> Any:
    import polars as pl  # noqa: PLC0415 - who has a column of it has it

    import_extra("pyarrow", "polars")
    if isinstance(column, pl.Expr):
        return column.map_batches(
            lambda series: _polars(series, convert), return_dtype=pl.Categorical
        )
    made = _arrow(column.to_arrow(), convert)
    return pl.Series(column.name, made, pl.Categorical)


def _pandas(column: Any, convert: Convert) -> Any:
    import pandas as pd  # noqa: PLC0415 - who has a column of it has it

    encoded = column.astype("category")
    made = [_value(convert, each) for each in encoded.cat.categories]
    distinct = [each for each in dict.fromkeys(made) if each is not None]
    where = {each: place for place, each in enumerate(distinct)}
    # The code of a missing value is -1, and so is the last place.
    places = pd.array([*(where.get(each or "", -1) for each in made), -1], dtype="int32")
    codes = places.to_numpy()[encoded.cat.codes.to_numpy()]
    values = pd.Categorical.from_codes(codes, distinct)
    return pd.Series(values, index=column.index, name=column.name)
