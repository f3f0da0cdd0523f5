"""Names that are one typing error away from a known name.

An error is two neighbouring characters swapped, one missing, one too many or one wrong.  Most
short words are near another one, so a shorter name may have fewer kinds of errors: three letters
only a swap; more a letter doubled or not doubled; then any letter too many or missing; and only a
long name a wrong letter.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from cturi_rdf.labels.names import names
from cturi_rdf.labels.resolution import nothing
from cturi_rdf.labels.words import name_key
from cturi_rdf.registry.tables import inverted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cturi_rdf.labels.resolution import Resolution

# Names of vocabularies and databases grow on to these.
_SYNTAXES = ("xml", "csv", "json")
_SWAP_ONLY = 3
_ANY_LETTER = 6
_WRONG_LETTER = 7


def misspelt(text: str) -> Resolution | None:
    """Return the meaning of a name with one typing error, or None."""
    key, own = name_key(text), names().find(text)
    is_word = (own and own.is_word) or any(
        key.endswith(syntax) and names().trusted(key.removesuffix(syntax)) for syntax in _SYNTAXES
    )
    near = () if is_word else _speller().near(key)
    meanings: dict[object, tuple[str, Resolution]] = {}
    for word in near:
        name = names().find(word)
        # A short name is near many others by chance: only common ones count.
        if len(key) <= _SWAP_ONLY and (name is None or name.source != "eu-file-type"):
            continue
        meant = names().trusted(word)
        if meant is not None and meant.verdict in {"media_type", "compound", "service"}:
            meanings.setdefault((meant.verdict, meant.types, meant.wrappers), (word, meant))
    if not meanings:
        return _grown(key)
    if len(meanings) > 1:
        readings = " or ".join(sorted(word for word, _ in meanings.values()))
        reason = f"It is a misspelling, and could be {readings}."
        types = [one for _, meant in meanings.values() for one in meant.types]
        return nothing("spelling", reason).or_else(types)
    ((word, meant),) = meanings.values()
    rule = "service" if meant.verdict == "service" else "spelling"
    return meant.inferred(f"It is a misspelling of {word}.", rule)


def _grown(key: str) -> Resolution | None:
    """Return the meaning of the syntax at the end of another name, as in "onixxml", or None."""
    for syntax in _SYNTAXES:
        if len(key) >= len(syntax) + _SWAP_ONLY and key.endswith(syntax):
            meaning = names().trusted(syntax)
            return meaning and meaning.inferred(f"{key} ends in {syntax}.", "prose")
    return None


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
        as_long, longer = self._by_part(len(name)), self._by_part(len(name) + 1)
        near = {candidate for part in _shorter(name) for candidate in as_long.get(part, ())}
        near |= {part for part in _shorter(name) if part in self._known}
        near = (near | set(longer.get(name, ()))) - {name}
        errors = {candidate: _error(name, candidate) for candidate in near}
        swapped = sorted(word for word, error in errors.items() if error == "swap")
        return tuple(swapped or sorted(word for word, error in errors.items() if error))

    def _by_part(self, length: int) -> dict[str, list[str]]:
        """Return the known names of a length, by each form of them that lacks one character."""
        if length not in self._parts:
            of_length = (name for name in self._known if len(name) == length)
            self._parts[length] = inverted((name, _shorter(name)) for name in of_length)
        return self._parts[length]


@cache
def _speller() -> Speller:
    return Speller(names().common)


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
