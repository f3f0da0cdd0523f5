"""Names that are one typing error away from a known name.

An error is two neighbouring characters swapped, one missing, one too many or one wrong.  Most
short words are near another one, so a shorter name may have fewer kinds of errors: three letters
only a swap; more a letter doubled or not doubled; then any letter too many or missing; and only a
long name a wrong letter.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from cturi_rdf.registry.tables import inverted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_SWAP_ONLY = 3
_ANY_LETTER = 6
_WRONG_LETTER = 7
# Names of this length are compared with all others of the same length, not by their parts.
_LONG = 30


class Speller:
    """Finds the known names near a given one.

    >>> Speller({"xlsx", "csv", "shapefile"}).near("xslx")
    ('xlsx',)
    >>> Speller({"wmf"}).near("wms")
    ()
    """

    def __init__(self, names: Iterable[str]) -> None:
        """Take the known names, each in one spelling."""
        self._known = frozenset(names)
        self._parts: dict[int, dict[str, list[str]]] = {}

    def near(self, name: str) -> tuple[str, ...]:
        """Return the known names that are one likely error away: only swaps, if there are any."""
        if len(name) < _SWAP_ONLY or name.isdigit():
            return ()
        near = self._near_long(name) if len(name) >= _LONG else self._near_short(name)
        near.discard(name)
        errors = {candidate: _error(name, candidate) for candidate in near}
        swapped = sorted(word for word, error in errors.items() if error == "swap")
        return tuple(swapped or sorted(word for word, error in errors.items() if error))

    def _near_short(self, name: str) -> set[str]:
        as_long, longer = self._by_part(len(name)), self._by_part(len(name) + 1)
        near = {candidate for part in _shorter(name) for candidate in as_long.get(part, ())}
        near |= {part for part in _shorter(name) if part in self._known}
        return near | set(longer.get(name, ()))

    def _near_long(self, name: str) -> set[str]:
        # One error leaves one half of a name as it is.
        half = len(name) // 2 - 1
        start, end = name[:half], name[-half:]
        sizes = range(len(name) - 1, len(name) + 2)
        as_long = (candidate for size in sizes for candidate in self._by_length.get(size, ()))
        return {word for word in as_long if word.startswith(start) or word.endswith(end)}

    @cached_property
    def _by_length(self) -> dict[int, list[str]]:
        """Return the long names by their length."""
        return inverted((name, (len(name),)) for name in self._known if len(name) >= _LONG - 1)

    def _by_part(self, length: int) -> dict[str, list[str]]:
        """Return the known names of a length, by each form of them that lacks one character."""
        if length not in self._parts:
            of_length = (name for name in self._known if len(name) == length)
            self._parts[length] = inverted((name, _shorter(name)) for name in of_length)
        return self._parts[length]


def _shorter(name: str) -> Iterator[str]:
    for index in range(len(name)):
        yield name[:index] + name[index + 1 :]


def _error(written: str, meant: str) -> str | None:
    """Return the error that turns `meant` into `written`, or None where it is not likely."""
    start = 0
    while start < min(len(written), len(meant)) and written[start] == meant[start]:
        start += 1
    if len(written) == len(meant):
        rest, other = written[start:], meant[start:]
        if len(rest) > 1 and rest[:2] == other[1::-1] and rest[2:] == other[2:]:
            return "swap"
        wrong = start and rest[1:] == other[1:] and len(meant) >= _WRONG_LETTER
        return "wrong" if wrong else None
    long, short = (written, meant) if len(written) > len(meant) else (meant, written)
    # Another first letter makes another word, another digit another version.
    if not start or long[start].isdigit() or long[:start] + long[start + 1 :] != short:
        return None
    least = _ANY_LETTER
    if long[start] == long[start - 1]:
        least = _SWAP_ONLY if long is written else _SWAP_ONLY + 1
    if len(short) < least:
        return None
    return "extra" if long is written else "missing"
