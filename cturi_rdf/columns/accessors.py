"""The functions of columns as methods, which data frame libraries offer as ``.cturi``."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any

from cturi_rdf.columns import functions

if TYPE_CHECKING:
    from collections.abc import Callable


class ColumnMethods:
    """The functions of `cturi_rdf.columns`, on one column.

    >>> import polars
    >>> ColumnMethods(polars.Series(["CSV"])).types().to_list()
    ['text/csv']
    """

    def __init__(self, column: Any) -> None:
        self._column = column


class LazyFrameMethods:
    """The functions of `cturi_rdf.columns`, on the column of a lazy frame of Polars with a name.

    Each returns a lazy frame of that one column.

    >>> import polars
    >>> LazyFrameMethods(polars.LazyFrame({"label": ["CSV"]})).types("label").collect().rows()
    [('text/csv',)]
    """

    def __init__(self, frame: Any) -> None:
        self._frame = frame


class FrameMethods:
    """The functions of `cturi_rdf.columns`, on the column of a data frame with a name.

    >>> import polars
    >>> FrameMethods(polars.DataFrame({"label": ["CSV"]})).types("label").to_list()
    ['text/csv']
    """

    def __init__(self, frame: Any) -> None:
        self._frame = frame


def _of_column(function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def method(self: Any, *, categorical: bool | None = None) -> Any:
        return function(self._column, categorical=categorical)

    del method.__wrapped__  # it has other arguments
    return method


def _of_frame(function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def method(self: Any, column: str, *, categorical: bool | None = None) -> Any:
        return function(self._frame[column], categorical=categorical)

    del method.__wrapped__  # it has other arguments
    return method


def _of_lazy_frame(function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def method(self: Any, column: str, *, categorical: bool | None = None) -> Any:
        return self._frame.select(function(column, categorical=categorical))

    del method.__wrapped__  # it has other arguments
    return method


for _name in functions.__all__:
    setattr(ColumnMethods, _name, _of_column(getattr(functions, _name)))
    setattr(FrameMethods, _name, _of_frame(getattr(functions, _name)))
    setattr(LazyFrameMethods, _name, _of_lazy_frame(getattr(functions, _name)))
