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
# Among the aliases of IANA are "de", "greek" and "850".
_NO_LETTER = re.compile(r"[0-9_-]", re.ASCII)
_SHORTEST = 4


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


def charset_of(name: str) -> str | None:
    """Return the preferred name of a character set, by a name that is no word of a language.

    >>> charset_of("cp1252"), charset_of("greek")
    ('windows-1252', None)
    """
    if len(name) < _SHORTEST or not _NO_LETTER.search(name) or name.lower() == name.upper():
        return None
    record = charset_record(name)
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
