"""Names that are one typing error away from a known name.

An error is two neighbouring characters swapped, one missing, one too many or one wrong.  Most
short words are near another one, so a shorter name may have fewer kinds of errors: three letters
only a swap; more a letter doubled or not doubled; then any letter too many or missing; and only a
long name a wrong letter.
"""

from __future__ import annotations

from functools import cache
from string import ascii_lowercase, digits
from typing import TYPE_CHECKING

from cturi_rdf.labels.names import names
from cturi_rdf.labels.resolution import nothing
from cturi_rdf.labels.words import name_key

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from cturi_rdf.labels.resolution import Resolution

_SWAP_ONLY = 3
_ANY_LETTER = 6
_WRONG_LETTER = 7


def misspelt(text: str) -> Resolution | None:
    """Return the meaning of a name with one typing error, or None."""
    key, own = name_key(text), names().find(text)
    words = () if own and own.is_word else near(key, _common())
    meanings: dict[object, tuple[str, Resolution]] = {}
    for word in words:
        name = names().find(word)
        # A short name is near many others by chance: only common ones count.
        if len(key) <= _SWAP_ONLY and (name is None or name.source != "eu-file-type"):
            continue
        meant = names().trusted(word)
        if meant is not None and meant.verdict in {"media_type", "compound", "service"}:
            meanings.setdefault((meant.verdict, meant.types, meant.wrappers), (word, meant))
    if not meanings:
        return None
    if len(meanings) > 1:
        readings = " or ".join(sorted(word for word, _ in meanings.values()))
        reason = f"It is a misspelling, and could be {readings}."
        types = [one for _, meant in meanings.values() for one in meant.types]
        return nothing("spelling", reason).or_else(types)
    ((word, meant),) = meanings.values()
    rule = "service" if meant.verdict == "service" else "spelling"
    return meant.inferred(f"It is a misspelling of {word}.", rule)


def near(name: str, table: AbstractSet[str]) -> tuple[str, ...]:
    """Return the known names that are one likely error away: only swaps, if there are any.

    >>> near("xslx", {"xlsx", "csv", "shapefile"}), near("wms", {"wmf"})
    (('xlsx',), ())
    """
    if len(name) < _SWAP_ONLY or name.isdigit():
        return ()
    halves = [(name[:at], name[at:]) for at in range(len(name))]
    swapped = table & {start + end[1::-1] + end[2:] for start, end in halves[:-1]} - {name}
    if swapped or len(name) == _SWAP_ONLY:
        return tuple(sorted(swapped))
    # Another first letter makes another word, another digit another version.
    errors = {
        start + end[1:]
        for start, end in halves[1:]
        if not end[0].isdigit() and (end[0] == start[-1] or len(name) > _ANY_LETTER)
    }
    errors |= {
        start + letter + end
        for start, end in [*halves[1:], (name, "")]
        for letter in ascii_lowercase
        if letter == start[-1] or len(name) >= _ANY_LETTER
    }
    if len(name) >= _WRONG_LETTER:
        letters = ascii_lowercase + digits
        errors |= {start + letter + end[1:] for start, end in halves[1:] for letter in letters}
    return tuple(sorted(table & errors - {name}))


@cache
def _common() -> frozenset[str]:
    return frozenset(names().common)
