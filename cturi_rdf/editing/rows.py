"""Sequences whose items are made on demand, so that they take little memory."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar, overload

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


_Row = TypeVar("_Row")


class Rows(Sequence[_Row]):
    """A sequence that makes its items with `row`."""

    @abstractmethod
    def row(self, index: int) -> _Row:
        """Return one item."""

    @overload
    def __getitem__(self, index: int) -> _Row: ...
    @overload
    def __getitem__(self, index: slice) -> list[_Row]: ...
    def __getitem__(self, index: int | slice) -> _Row | list[_Row]:
        if isinstance(index, slice):
            return [self.row(number) for number in range(*index.indices(len(self)))]
        return self.row(index)

    def __iter__(self) -> Iterator[_Row]:
        return map(self.row, range(len(self)))


class Ordered(Rows[_Row]):
    """The items that a function makes of some numbers, in their order."""

    def __init__(self, make: Callable[[int], _Row], numbers: Sequence[int]) -> None:
        self._make = make
        self._numbers = numbers

    def __len__(self) -> int:
        return len(self._numbers)

    def row(self, index: int) -> _Row:
        """Return one item."""
        return self._make(self._numbers[index])
