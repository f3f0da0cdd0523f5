"""Columns of Arrow, Polars, pandas and Python, converted: each distinct value once.

A function takes a text, and returns a text or None.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from math import isnan
from typing import TYPE_CHECKING, Any

from cturi_rdf._util.display import whole_characters
from cturi_rdf._util.lazy import import_extra

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    Convert = Callable[[str], str | None]


_EXPECTED = (
    "expected an Arrow array, a Polars series or expression, a pandas series, index or array,"
    " a NumPy array, or a list"
)
# Arrow makes a table of the texts for each search, so it does not pay to keep more.
MOST_MET = 1_024


def converted(column: Any, convert: Convert, *, categorical: bool | None = None) -> Any:
    """Return a column of the same kind with the result of a function for each value.

    `categorical` asks for categories or for strings; if it is None, the library decides.  Raises
    `TypeError` for a value that is not a column, and for a column that does not hold text.

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
    """Return an Arrow column, converted, without dictionary encoding.

    This is for short arrays, such as the batches of Spark: Arrow is asked for no more than to
    encode them and to take the results.
    """
    pa = import_extra("pyarrow", "arrow")
    if isinstance(column, pa.ChunkedArray):
        _expect_text(column.type)
        return pa.chunked_array([plain(chunk, convert) for chunk in column.chunks], pa.string())
    column = _encoded(column)
    results = _results(column.dictionary.to_pylist(), convert)
    return pa.array(results, pa.string()).take(column.indices)


class BatchFunction:
    """A function for the batches of DuckDB, most of which have the texts of the batches before.

    It keeps the texts that it met, and their results, as arrays.  So Arrow finds the result of
    each row, and Python sees the new texts only.

    >>> import pyarrow as pa
    >>> upper = BatchFunction(str.upper)
    >>> upper(pa.chunked_array([["a", "b", None]])).to_pylist()
    ['A', 'B', None]
    """

    def __init__(self, convert: Convert) -> None:
        pa = import_extra("pyarrow", "arrow")
        self._convert = convert
        # They are replaced together, because DuckDB calls from several threads.
        self._met = (pa.array([], pa.string()), pa.array([], pa.string()))

    def __call__(self, column: Any) -> Any:
        """Return a chunked array, converted, as one array whose dictionary has all results met."""
        pa = import_extra("pyarrow", "arrow")
        pc = import_extra("pyarrow.compute", "arrow")
        # A setting of the connection asks for long strings or for views.
        if column.type != pa.string():
            return plain(column, self._convert)
        column = column.combine_chunks()
        texts, results = self._met
        places = pc.index_in(column, texts)
        if places.null_count:
            missed = places.is_null()
            new = column.filter(missed).dictionary_encode("encode")
            answers = pa.array(_results(new.dictionary.to_pylist(), self._convert), pa.string())
            after = pc.add(new.indices, pa.scalar(len(texts), pa.int32()))
            places = pc.replace_with_mask(places, missed, after)
            results = pa.concat_arrays([results, answers])
            # Where hardly any text occurs twice, few will come again.
            if len(new) >= 1.25 * len(answers):
                if len(results) <= MOST_MET:
                    self._met = (pa.concat_arrays([texts, new.dictionary]), results)
                else:
                    self._met = (new.dictionary, answers)
        return pa.DictionaryArray.from_arrays(places, results)


def _arrow(column: Any, convert: Convert, *, categorical: bool | None = None) -> Any:
    if categorical is False:
        return plain(column, convert)
    pa = import_extra("pyarrow", "arrow")
    if not isinstance(column, pa.ChunkedArray):
        [array] = _with_values([_encoded(column)], convert)
        return array
    _expect_text(column.type)
    # Arrow does its work outside the interpreter's lock.
    with ThreadPoolExecutor() as threads:
        chunks = list(_with_values(threads.map(_encoded, column.chunks), convert))
    return pa.chunked_array(
        chunks, chunks[0].type if chunks else pa.dictionary(pa.int32(), pa.string())
    )


def _with_values(arrays: Iterable[Any], convert: Convert) -> Iterator[Any]:
    """Yield encoded arrays with dictionaries of distinct converted values.

    Arrays that share a dictionary are converted once.
    """
    pa = import_extra("pyarrow", "arrow")
    last: Any = None
    for array in arrays:
        indices = array.indices
        if last is None or not array.dictionary.equals(last):
            last = array.dictionary
            distinct, places = _distinct(last.to_pylist(), convert)
            values = pa.array(distinct, pa.string())
            moved = pa.array(places, indices.type) if len(distinct) < len(places) else None
        yield pa.DictionaryArray.from_arrays(
            indices if moved is None else moved.take(indices), values
        )


def _distinct(texts: Iterable[str | None], convert: Convert) -> tuple[list[str], list[int | None]]:
    """Return the distinct results of a function, and the index of the result of each text.

    >>> _distinct(["a", "A", None, "b"], str.upper)
    (['A', 'B'], [0, 0, None, 1])
    """
    results = _results(texts, convert)
    distinct = [result for result in dict.fromkeys(results) if result is not None]
    where: dict[str | None, int] = {result: place for place, result in enumerate(distinct)}
    return distinct, [where.get(result) for result in results]


def _results(texts: Iterable[str | None], convert: Convert) -> list[str | None]:
    return [None if text is None else convert(text) for text in texts]


def _encoded(column: Any) -> Any:
    """Return a column of text, dictionary-encoded unless it is."""
    pa = import_extra("pyarrow", "arrow")
    kind = _expect_text(column.type)
    if pa.types.is_dictionary(column.type):
        return column
    if pa.types.is_run_end_encoded(column.type):
        column = import_extra("pyarrow.compute", "arrow").run_end_decode(column)
    if pa.types.is_null(kind) or pa.types.is_string_view(kind):
        column = column.cast(pa.string())
    return column.dictionary_encode()


def _expect_text(kind: Any) -> Any:
    """Return the type of the values of an Arrow array.  Raises `TypeError` unless it is text."""
    pa = import_extra("pyarrow", "arrow")
    if pa.types.is_dictionary(kind) or pa.types.is_run_end_encoded(kind):
        kind = kind.value_type
    if not (
        pa.types.is_null(kind)
        or pa.types.is_string(kind)
        or pa.types.is_large_string(kind)
        or pa.types.is_string_view(kind)
    ):
        raise _not_text("the array", kind)
    return kind


def _expect_some_text(name: str, values: Sequence[Any]) -> None:
    """Raise `TypeError` for values of which none is text and none is missing."""
    # NaN, which pandas has for a missing value, is a float.
    if values and not any(
        isinstance(value, str | None) or (isinstance(value, float) and isnan(value))
        for value in values
    ):
        raise _not_text(name, type(values[0]).__name__)


def _not_text(name: object, kind: object) -> TypeError:
    return TypeError(f"{name} holds {kind}; expected text")


def _polars(column: Any, convert: Convert, *, categorical: bool | None = None) -> Any:
    import polars as pl

    dtype = pl.Categorical if categorical else pl.String
    if isinstance(column, pl.Expr):
        # One text gives one text: so Polars may convert any part of the column by itself, in
        # groups, windows and lists at once, and move filters before the conversion.
        return column.map_batches(
            lambda series: _polars(series, convert, categorical=categorical),
            return_dtype=dtype,
            is_elementwise=True,
        )
    if not isinstance(column.dtype, pl.String | pl.Categorical | pl.Enum | pl.Null):
        raise _not_text(f"column {column.name!r}", column.dtype)
    # Categories of their own number the distinct texts from 0, in one pass.  They live as long as
    # the series that has them.
    distinct = pl.Categories.random()
    encoded = column.cast(pl.String).cast(pl.Categorical(distinct))
    codes = encoded.to_physical()
    last = codes.max()
    results = [convert(str(distinct[code])) for code in range(0 if last is None else last + 1)]
    return pl.Series(column.name, results, pl.String).gather(codes).cast(dtype)


def _pandas(column: Any, convert: Convert, *, categorical: bool | None = None) -> Any:
    """Convert a series, an index or an array; a value that is not text is null."""
    import pandas as pd

    if isinstance(column, pd.MultiIndex):
        raise TypeError("a MultiIndex has several columns; expected one, as of get_level_values()")

    if not isinstance(column, pd.Series | pd.Index):
        series = pd.Series(column, name="array")
        return _pandas(series, convert, categorical=categorical).array
    if isinstance(column.dtype, pd.ArrowDtype):
        pa = import_extra("pyarrow", "arrow")
        held = column.dtype.pyarrow_dtype
        if pa.types.is_dictionary(held):
            # pandas makes no categories of the dictionaries of Arrow.
            column = column.astype(pd.ArrowDtype(held.value_type))
    dtype = column.dtype
    kind = dtype.categories.dtype if isinstance(dtype, pd.CategoricalDtype) else dtype
    if not pd.api.types.is_string_dtype(kind) and not column.isna().all():
        raise _not_text(f"column {column.name!r}", kind)
    if pd.api.types.is_object_dtype(kind):
        if not column.isna().any():
            _expect_some_text(f"column {column.name!r}", list(column))
        # Values other than text need not be hashable, and 1 and True would be one category.
        texts = [whole_characters(text) if isinstance(text, str) else None for text in column]
        values = pd.Categorical(texts)
    else:
        values = pd.Categorical(column)
    distinct, places = _distinct(values.categories, convert)
    # The code of a missing value is -1, and so is the last place.
    moved = pd.array([*(-1 if place is None else place for place in places), -1], dtype="int32")
    codes = moved.to_numpy()[values.codes]
    made_values: Any = pd.Categorical.from_codes(codes, distinct)
    if categorical is False:
        made_values = pd.array(made_values, dtype="str")
    if isinstance(column, pd.Index):
        return pd.Index(made_values, name=column.name)
    return pd.Series(made_values, index=column.index, name=column.name)


def _numpy(column: Any, convert: Convert, **_: bool | None) -> Any:
    import numpy as np

    if column.ndim != 1:
        raise TypeError(f"the array has {column.ndim} dimensions; expected one")
    if column.dtype.kind not in "OUT":
        raise _not_text("the array", column.dtype)
    return np.array(_list(column.tolist(), convert), dtype=object)


def _list(column: Any, convert: Convert, **_: bool | None) -> Any:
    """Convert a list or a tuple; a value that is not text is None."""
    _expect_some_text(f"the {type(column).__name__}", column)
    results = (convert(str(item)) if isinstance(item, str) else None for item in column)
    return list(results) if isinstance(column, list) else tuple(results)


_LIBRARIES = (
    ("pyarrow", ("Array", "ChunkedArray"), _arrow),
    ("polars", ("Series", "Expr"), _polars),
    ("pandas", ("Series", "Index", "ExtensionArray"), _pandas),
    ("numpy", ("ndarray",), _numpy),
    ("builtins", ("list", "tuple"), _list),
)
