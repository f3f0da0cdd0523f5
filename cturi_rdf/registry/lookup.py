"""Dictionaries for lookups by value or by unambiguous name."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeVar

    Key = TypeVar("Key")
    Value = TypeVar("Value")


_OTHER = bytes(code for code in range(128) if not chr(code).isalnum())


def inverted(pairs: Iterable[tuple[Key, Iterable[Value]]]) -> dict[Value, list[Key]]:
    """Return the keys that have each value, by value.

    >>> inverted([("jpg", ["image/jpeg"]), ("jpeg", ["image/jpeg"])])
    {'image/jpeg': ['jpg', 'jpeg']}
    """
    keys: dict[Value, list[Key]] = {}
    for key, values in pairs:
        for value in values:
            keys.setdefault(value, []).append(key)
    return keys


def listed(text: str) -> tuple[str, ...]:
    """Return the members of a list in a field of a table.

    >>> listed("image/jpeg|image/png"), listed("")
    (('image/jpeg', 'image/png'), ())
    """
    return tuple(text.split("|")) if text else ()


def unambiguous(pairs: Iterable[tuple[str, str]]) -> dict[str, str | None]:
    """Return the value of each key, or None for a key with several values.

    >>> unambiguous([("a", "1"), ("b", "1"), ("b", "2")])
    {'a': '1', 'b': None}
    """
    values: dict[str, str | None] = {}
    for key, value in pairs:
        if values.setdefault(key, value) != value:
            values[key] = None
    return values


def letters_and_digits(name: str) -> str:
    """Return the ASCII letters and digits of a name, in lower case.

    >>> letters_and_digits("ISO-8859-1")
    'iso88591'
    """
    return name.lower().encode("ascii", "ignore").translate(None, _OTHER).decode()
