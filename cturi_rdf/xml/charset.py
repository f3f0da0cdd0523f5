"""Character sets by name: the meaning of a label, and the width of its code units.

Names are matched to IANA's registry (RFC 7303 section 2.2, XML 1.0 section 4.3.3) and are
in lower case wherever this package says which encoding something has.
"""

from __future__ import annotations

import codecs
import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf.registry import registry

if TYPE_CHECKING:
    from typing import Literal

    Family = Literal["ascii", "utf-16", "utf-32", "ebcdic"]

# The names of Unicode's encodings in 16 and 32 bits; where no order of bytes is named, the
# document has to show it (RFC 2781 section 3.2).
_UNICODE: dict[str, Family] = {
    "utf-16": "utf-16",
    "utf-16be": "utf-16",
    "utf-16le": "utf-16",
    "iso-10646-ucs-2": "utf-16",
    "utf-32": "utf-32",
    "utf-32be": "utf-32",
    "utf-32le": "utf-32",
    "iso-10646-ucs-4": "utf-32",
}
# How a document in each of the other families begins (XML 1.0 appendix F.1).
_OPENING: dict[bytes, Family] = {b"<?xml": "ascii", b"\x4c\x6f\xa7\x94\x93": "ebcdic"}
# Where people leave out the hyphen of a registered name, or write another character.
_LETTER_DIGIT = re.compile(r"(?<=[a-z])(?=[0-9])")


class Charset(NamedTuple):
    """A label and the character set that it means.

    `name` is the registry's preferred MIME name in lower case, or the label itself in lower
    case where nothing like it is registered; `registered` says whether the label, as it
    stands, is one of the registry's names or aliases.
    """

    label: str
    name: str
    registered: bool


@lru_cache(maxsize=1024)
def charset(label: str) -> Charset:
    """Return the character set that a charset parameter or an encoding declaration means.

    The registry compares names without regard to case (RFC 2978 section 2.3).  Quotes and white
    space around a name, and hyphens that are left out or written as underscores, are forgiven; then
    `registered` is false.

    >>> charset("Latin1").name, charset("bogus").name
    ('iso-8859-1', 'bogus')
    >>> charset("utf8")
    Charset(label='utf8', name='utf-8', registered=False)
    """
    bare = label.strip("' \t\r\n").lower()
    hyphens = bare.replace("_", "-")
    for guess in (label, bare, hyphens, _LETTER_DIGIT.sub("-", hyphens, count=1)):
        record = registry().charset(guess)
        if record:
            return Charset(label, record.name.lower(), registered=guess == label)
    # The label may come from anywhere, and messages print it.
    shown = bare if bare.isprintable() else bare.encode("unicode_escape").decode()
    return Charset(label, shown, registered=False)


def has_byte_order(name: str) -> bool:
    """Return whether a name says in which order the bytes of a code unit come.

    >>> has_byte_order("utf-16le"), has_byte_order("utf-16"), has_byte_order("utf-8")
    (True, False, False)
    """
    return name in _UNICODE and name.endswith(("be", "le"))


@lru_cache(maxsize=1024)
def family(name: str) -> Family | None:
    """Return the family of an encoding by XML 1.0 appendix F, or None if it is not known.

    >>> family("utf-16"), family("windows-1252"), family("ibm037"), family("bogus")
    ('utf-16', 'ascii', 'ebcdic', None)
    """
    if name in _UNICODE:
        return _UNICODE[name]
    python = codec(name)
    return _OPENING.get("<?xml".encode(python)[-5:]) if python else None


@lru_cache(maxsize=1024)
def codec(name: str) -> str | None:
    """Return Python's codec for a registered character set, if it has one.

    >>> codec("iso-8859-1"), codec("ebcdic-cp-us"), codec("base64")
    ('iso8859-1', 'cp037', None)
    """
    record = registry().charset(name)
    for alias in (record.name, *record.aliases) if record else ():
        try:
            python_name = codecs.lookup(alias).name
            "<?xml".encode(python_name)
        except (LookupError, ValueError):
            # No codec, or a codec for something other than text.
            continue
        return python_name
    return None
