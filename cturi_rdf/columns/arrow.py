"""Columns of Arrow, Polars, pandas and Python, converted: each distinct value once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import TYPE_CHECKING, Any

from cturi_rdf._util.characters import whole_characters
from cturi_rdf._util.extras import import_extra
from cturi_rdf.columns.values import value

if TYPE_CHECKING:
    from cturi_rdf.columns.values import Convert

__all__ = ["converted", "plain"]

_EXPECTED = (
    "expected an Arrow array, a Polars series or expression, a pandas series, index or array,"
    " a NumPy array, or a list"
)


def converted(column: Any, convert: Convert, *, categorical: bool = False) -> Any:
    """Return a column of the same kind with what a function says of each value.

    `categorical` asks for the categories of Polars instead of strings.  Raises `TypeError` for
    what is not a column, and for a column that does not hold text.

    >>> import polars
    >>> converted(polars.Series(["a", None]), str.upper).to_list()
    ['A', None]
    """
    if isinstance(column, str):
        column = import_extra("polars", "polars").col(column)
    for library, kinds, convert_column in _LIBRARIES:
        if any(
            base.__module__.partition(".")[0] == library and base.__name__ in kinds
            for base in type(column).__mro__
        ):
            return convert_column(column, convert, categorical=categorical)
    raise TypeError(f"{type(column).__name__} is not a column; {_EXPECTED}")


def plain(column: Any, convert: Convert) -> Any:
    """Return an Arrow column, converted and not encoded."""
    return _arrow(column, convert).cast(import_extra("pyarrow", "arrow").string())


def _arrow(column: Any, convert: Convert, **_: bool) -> Any:
    pa = import_extra("pyarrow", "arrow")
    dictionaries = _Dictionaries(convert)
    if not isinstance(column, pa.ChunkedArray):
        return dictionaries.converted(column)
    # Arrow does its part of the work outside the interpreter's lock.
    with ThreadPoolExecutor() as threads:
        chunks = list(threads.map(dictionaries.converted, column.chunks))
    return pa.chunked_array(chunks, chunks[0].type if chunks else _encoded_type())


def _encoded(column: Any) -> Any:
    """Return a column of text, dictionary-encoded unless it is."""
    pa = import_extra("pyarrow", "arrow")
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if not (
        pa.types.is_null(kind)
        or pa.types.is_string(kind)
        or pa.types.is_large_string(kind)
        or pa.types.is_string_view(kind)
    ):
        raise _not_text("the array", kind)
    if pa.types.is_dictionary(column.type):
        return column
    if pa.types.is_null(kind) or pa.types.is_string_view(kind):
        column = column.cast(pa.string())
    return column.dictionary_encode()


def _not_text(name: object, kind: object) -> TypeError:
    return TypeError(f"{name} holds {kind}; expected text")


def _encoded_type() -> Any:
    pa = import_extra("pyarrow", "arrow")
    return pa.dictionary(pa.int32(), pa.string())


class _Dictionaries:
    """Converts encoded arrays; those that share a dictionary, with one conversion."""

    def __init__(self, convert: Convert) -> None:
        self._convert = convert
        self._lock = Lock()
        self._last: Any = None
        self._results: tuple[Any, Any] = (None, None)

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
            results = [None if text is None else value(self._convert, text) for text in texts]
            distinct = [result for result in dict.fromkeys(results) if result is not None]
            places = None
            if len(distinct) < len(results):
                where = {result: place for place, result in enumerate(distinct)}
                places = pa.array([where.get(result or "") for result in results], kind)
            self._last = dictionary
            self._results = (pa.array(distinct, pa.string()), places)
        return self._results


def _polars(column: Any, convert: Convert, *, categorical: bool) -> Any:
    import polars as pl  # noqa: PLC0415 - who has a column of it has it

    import_extra("pyarrow", "polars")
    dtype = pl.Categorical if categorical else pl.String
    if isinstance(column, pl.Expr):
        return column.map_batches(
            lambda series: _polars(series, convert, categorical=categorical), return_dtype=dtype
        )
    if column.dtype not in (pl.String, pl.Categorical, pl.Enum, pl.Null):
        raise _not_text(f"column {column.name!r}", column.dtype)
    converted = _arrow(column.to_arrow(), convert)
    return pl.Series(column.name, converted, pl.Categorical).cast(dtype)


def _pandas(column: Any, convert: Convert, **_: bool) -> Any:
    """Convert a series, an index or an array; a value that is not text is null."""
    import pandas as pd  # noqa: PLC0415 - who has a column of it has it

    if not isinstance(column, pd.Series | pd.Index):
        return _pandas(pd.Series(column, name="array"), convert).array
    dtype = column.dtype
    kind = dtype.categories.dtype if isinstance(dtype, pd.CategoricalDtype) else dtype
    if not pd.api.types.is_string_dtype(kind) and not column.isna().all():
        raise _not_text(f"column {column.name!r}", kind)
    if pd.api.types.is_object_dtype(kind):
        # What is not text need not be hashable, and 1 and True would be one category.
        texts = [whole_characters(text) if isinstance(text, str) else None for text in column]
        values = pd.Categorical(texts)
    else:
        values = pd.Categorical(column)
    results = [value(convert, category) for category in values.categories]
    distinct = [result for result in dict.fromkeys(results) if result is not None]
    where = {result: place for place, result in enumerate(distinct)}
    # The code of a missing value is -1, and so is the last place.
    places = pd.array([*(where.get(result or "", -1) for result in results), -1], dtype="int32")
    codes = places.to_numpy()[values.codes]
    made_values = pd.Categorical.from_codes(codes, distinct)
    if isinstance(column, pd.Index):
        return pd.Index(made_values, name=column.name)
    return pd.Series(made_values, index=column.index, name=column.name)


def _numpy(column: Any, convert: Convert, **_: bool) -> Any:
    import numpy as np  # noqa: PLC0415 - who has an array of it has it

    if column.ndim != 1:
        raise TypeError(f"the array has {column.ndim} dimensions; expected one")
    if column.dtype.kind not in "OUT":
        raise _not_text("the array", column.dtype)
    return np.array(_list(column.tolist(), convert), dtype=object)


def _list(column: Any, convert: Convert, **_: bool) -> Any:
    """Convert a list or a tuple; a value that is not text is None."""
    # NaN, which pandas has for what is missing, is a float.
    if column and not any(isinstance(item, str | float | None) for item in column):
        raise _not_text(f"the {type(column).__name__}", type(column[0]).__name__)
    results = (value(convert, str(item)) if isinstance(item, str) else None for item in column)
    return list(results) if isinstance(column, list) else tuple(results)


_LIBRARIES = (
    ("pyarrow", ("Array", "ChunkedArray"), _arrow),
    ("polars", ("Series", "Expr"), _polars),
    ("pandas", ("Series", "Index", "ExtensionArray"), _pandas),
    ("numpy", ("ndarray",), _numpy),
    ("builtins", ("list", "tuple"), _list),
)
