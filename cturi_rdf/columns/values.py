"""The functions of columns, for one text."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from cturi_rdf.catalogue.header import sent_as
from cturi_rdf.content_type import ContentType
from cturi_rdf.errors import CturiError
from cturi_rdf.labels import resolve
from cturi_rdf.uri.mapping import from_uri
from cturi_rdf.uri.node import node

if TYPE_CHECKING:
    from collections.abc import Callable

    Convert = Callable[[str], str | None]


_REMEMBERED = 65_536


@lru_cache(maxsize=_REMEMBERED)
def value(convert: Convert, text: str) -> str | None:
    """Return the result of a function for a text, or None where the text is not valid.

    >>> value(FUNCTIONS["node"], "text/csv"), value(FUNCTIONS["node"], "not a header")
    ('ContentType:text/csv', None)
    """
    try:
        return convert(text)
    except CturiError:
        return None


def _type(label: str) -> str | None:
    named = resolve(label).named
    return str(named[0]) if len(named) == 1 else None


def _served_header(label: str) -> str | None:
    header = sent_as(resolve(label)).content_type
    return str(header) if header else None


def _outer(label: str) -> str | None:
    outer = resolve(label).outer
    return str(outer) if outer else None


# By their names in SQL.
FUNCTIONS: dict[str, Convert] = {
    "type": _type,
    "served_header": _served_header,
    "verdict": lambda label: resolve(label).verdict,
    "outer": _outer,
    "confidence": lambda label: resolve(label).confidence,
    "reason": lambda label: resolve(label).reason,
    "node": node,
    "essence": lambda header: ContentType.parse(header).essence,
    "suffix": lambda header: ContentType.parse(header).suffix,
    "header": lambda uri: str(from_uri(uri)),
}
