"""Random choices for documents: a number makes the same choices each time."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["LABELS", "Drawing"]

LABELS = ["CSV", "text/csv", "Excel", "flurbel", "csv.gz", "ZIP", "CSV & co", "WMS"]

_Option = TypeVar("_Option")


class Drawing:
    """The choices that a number stands for."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)  # noqa: S311 - nothing secret

    def _chance(self, probability: float) -> bool:
        return self._random.random() < probability

    def _one(self, options: Sequence[_Option]) -> _Option:
        return self._random.choice(options)

    def _number(self, least: int, most: int) -> int:
        return self._random.randint(least, most)
