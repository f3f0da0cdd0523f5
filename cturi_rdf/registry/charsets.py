"""Character sets: their names in IANA's registry and in texts, and the types that have one."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from cturi_rdf.content_type import ContentType
from cturi_rdf.registry import registry
from cturi_rdf.registry.hierarchy import ancestry

if TYPE_CHECKING:
    from cturi_rdf.registry import CharsetRecord

_OF_CHARACTERS = frozenset(
    map(ContentType.parse, ("application/json", "application/xml", "application/yaml"))
)
_WORD = re.compile(r"[a-z0-9][a-z0-9_.:-]*[a-z0-9]|[a-z0-9]", re.ASCII | re.IGNORECASE)
# Among the aliases of IANA are "de", "greek" and "850".
_DISTINCT = re.compile(r"(?=.*[a-z])(?=.*[0-9_-]).{4,}", re.ASCII | re.IGNORECASE)
_MOST_WORDS = 3


def known_charset(name: str) -> str:
    """Return a name of a character set that IANA has, or the only one that is spelt alike.

    >>> known_charset("latin1"), known_charset("utf8"), known_charset("mine")
    ('latin1', 'UTF-8', 'mine')
    """
    record = charset_record(name)
    return record.name if record and registry().charset(name) is None else name


def same_charset(one: str, other: str) -> bool:
    """Return whether two names are of one character set.

    >>> same_charset("latin1", "ISO-8859-1"), same_charset("utf8", "UTF-16")
    (True, False)
    >>> same_charset("mine", "Mine"), same_charset("mine", "yours")
    (True, False)
    """
    first, second = charset_record(one), charset_record(other)
    return first == second if first or second else one.casefold() == other.casefold()


@lru_cache(4_096)
def has_charset(content_type: ContentType) -> bool:
    """Return whether the bytes of a type are characters, in some character set.

    >>> [has_charset(ContentType.parse(text)) for text in ("text/csv", "image/png")]
    [True, False]
    """
    if content_type.type == "text":
        return True
    ancestors = {ContentType.parse(one) for one in ancestry(content_type.essence)}
    return not ancestors.isdisjoint(_OF_CHARACTERS) or any(one.type == "text" for one in ancestors)


def charset_in(text: str) -> str | None:
    """Return the name of the one character set that a text names, or None.

    >>> charset_in("CSV (utf8)"), charset_in("CSV, ISO 8859-1"), charset_in("CSV (UTF-8, UTF-16)")
    ('UTF-8', 'ISO-8859-1', None)
    """
    words = _WORD.findall(text)
    spans = (
        " ".join(words[start : start + size])
        for size in range(1, _MOST_WORDS + 1)
        for start in range(len(words) - size + 1)
    )
    named = {name for span in spans if (name := charset_of(span))}
    return named.pop() if len(named) == 1 else None


def charset_of(name: str) -> str | None:
    """Return the preferred name of a character set, by a name that is no word of a language.

    >>> charset_of("cp1252"), charset_of("greek")
    ('windows-1252', None)
    """
    record = charset_record(name) if _DISTINCT.fullmatch(name) else None
    return record.name if record else None


def charset_record(name: str) -> CharsetRecord | None:
    """Return the character set of a name that IANA has, or the only one that is spelt alike.

    >>> charset_record("cp1252").name, charset_record("mine")
    ('windows-1252', None)
    """
    exact = registry().charset(name)
    if exact:
        return exact
    alike = {registry().charset(other) for other in registry().charset_names(like=name)}
    return alike.pop() if len(alike) == 1 else None
