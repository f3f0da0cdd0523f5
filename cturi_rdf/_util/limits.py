"""Limits on the cost of one input, each with a default and a way to change it.

A limit is set by an environment variable, ``CTURI_LIMIT_LINE=2000000000`` for `line`, or for
a block of code by `limited`.  The command line sets them by ``cturi --limit line=2G …``.
"""

from __future__ import annotations

import os
import re
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf.errors import CturiError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class Limit(NamedTuple):
    """One limit: its name, its default and what it bounds."""

    name: str
    default: int
    description: str


LIMITS = {
    limit.name: limit
    for limit in (
        Limit("unpacked", 0, "bytes that a compressed file may hold; 0: 200 times its size"),
        Limit("document", 4 << 30, "bytes of a JSON or XML document that is read as a whole"),
        Limit("line", 1 << 30, "bytes of one line of N-Triples or N-Quads"),
        Limit("nesting", 1_000, "levels of JSON, or of the brackets of a query"),
        Limit("entities", 10_000_000, "characters that XML entities may expand to"),
        Limit("contexts", 1_000_000, "definitions in the JSON-LD contexts at one place"),
        Limit("parts", 100_000, "parts of one message"),
        Limit("depth", 100, "levels of messages and multiparts in one another"),
        Limit("words", 100_000, "words and signs of a query"),
        Limit("rows", 10_000_000, "rows that a query may return"),
        Limit("seconds", 0, "seconds that a query may take; 0: no limit"),
    )
}
_UNITS = {"": 1, "k": 1_000, "m": 1_000_000, "g": 1_000_000_000}
_AMOUNT = r"([0-9]{1,15})([kmgKMG]?)"
_SET: ContextVar[Mapping[str, int]] = ContextVar("limits", default={})  # noqa: B039 - never changed


class LimitError(CturiError):
    """An input is larger, deeper or slower than a limit allows.

    >>> print(LimitError("line", "data.nt").summary)
    more than 1,073,741,824 bytes of one line of N-Triples or N-Quads, 'data.nt': expected less, \
or a higher limit: cturi --limit line=N, or CTURI_LIMIT_LINE=N (a limit of this package)
    """

    def __init__(self, name: str, text: str, allowed: int | None = None) -> None:
        allowed = limit(name) if allowed is None else allowed
        super().__init__(
            f"more than {allowed:,} {LIMITS[name].description.partition(';')[0]}",
            text,
            expected=f"less, or a higher limit: cturi --limit {name}=N, "
            f"or CTURI_LIMIT_{name.upper()}=N",
            rule="a limit of this package",
        )
        self.args = (name, text, allowed)


def amount(text: str) -> int:
    """Return a number that may end in k, M or G.

    Raises `CturiError` for anything else.

    >>> amount("500"), amount("2G")
    (500, 2000000000)
    """
    match = re.fullmatch(_AMOUNT, text.strip())
    if match is None:
        expected, rule = "digits, with k, M or G after them", "cturi --limit NAME=AMOUNT"
        raise CturiError("not an amount", text, expected=expected, rule=rule)
    return int(match[1]) * _UNITS[match[2].lower()]


def limit(name: str) -> int:
    """Return the value of a limit: set by `limited`, by the environment, or its default.

    >>> limit("nesting")
    1000
    """
    values = _SET.get()
    if name in values:
        return values[name]
    text = os.environ.get(f"CTURI_LIMIT_{name.upper()}")
    return amount(text) if text else LIMITS[name].default


@contextmanager
def limited(values: Mapping[str, int]) -> Iterator[None]:
    """Set limits for a block of code.

    Raises `CturiError` for a name that is not in `LIMITS`.

    >>> with limited({"nesting": 10}):
    ...     limit("nesting")
    10
    """
    for name in values:
        if name not in LIMITS:
            expected, rule = f"one of {', '.join(LIMITS)}", "cturi --limit NAME=AMOUNT"
            raise CturiError("no such limit", name, expected=expected, rule=rule)
    token = _SET.set({**_SET.get(), **values})
    try:
        yield
    finally:
        _SET.reset(token)


def check_limit(name: str, value: int, text: str) -> None:
    """Raise `LimitError`, which names `text`, where `value` is above the limit.

    >>> check_limit("nesting", 3, "data.json")
    """
    allowed = limit(name)
    if allowed and value > allowed:
        raise LimitError(name, text, allowed)
