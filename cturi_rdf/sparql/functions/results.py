"""Results of functions that are kept, because catalogues repeat their labels."""

from __future__ import annotations

from typing import Any

from cturi_rdf.sparql.functions.terms import LONGEST

__all__ = ["BYTES", "NOT_KEPT", "KeptResults"]

# How much memory the results of all functions may take in each engine, about.
BYTES = 32_000_000
# What an entry takes beside its text: the tuple, the terms, the place in the dictionary.
_ENTRY = 600
NOT_KEPT: Any = object()


class KeptResults:
    """The results of calls, all of them dropped when they have grown to a number of bytes.

    Threads may share it: at worst a result is computed twice.

    >>> kept = KeptResults(1_000)
    >>> kept.put(("isXML", "a/b"), False, 3)
    >>> kept.get(("isXML", "a/b"), NOT_KEPT), len(kept)
    (False, 1)
    >>> kept.put(("isXML", "a/c"), False, 3)
    >>> len(kept)
    1
    """

    def __init__(self, limit: int = BYTES) -> None:
        self._limit = limit
        self._size = 0
        self._results: dict[Any, Any] = {}
        self.get = self._results.get

    def put(self, call: Any, result: Any, characters: int) -> None:
        """Keep the result of a call whose arguments have this many characters together."""
        if characters > LONGEST:
            return
        # A character takes up to four bytes, in the argument and again in the result.
        size = _ENTRY + 8 * characters
        if self._size + size > self._limit:
            self._results.clear()
            self._size = 0
        self._results[call] = result
        self._size += size

    def __len__(self) -> int:
        """Return the number of results."""
        return len(self._results)
