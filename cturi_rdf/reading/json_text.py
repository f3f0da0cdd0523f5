"""JSON as a text: its encoding, its nesting, and halves of characters in it (RFC 8259)."""

from __future__ import annotations

import json
import re
from itertools import accumulate
from typing import TYPE_CHECKING

from cturi_rdf._util.limits import check_limit
from cturi_rdf.reading.errors import CatalogError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


# A pair of escapes in UTF-16; half of one, which is not a character; any other escape.
_ESCAPE = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})|\\.",
    re.DOTALL,
)
_PAIR = re.compile(rb"\\.", re.DOTALL)
_OTHERS = bytes(set(range(256)) - set(b'"{}[]'))
_STEPS = {ord("{"): 1, ord("["): 1, ord("}"): -1, ord("]"): -1}


def check_nesting(content: bytes, name: str) -> None:
    """Raise `LimitError` where JSON in UTF-8 is nested deeper than the limit `nesting` allows.

    Oxigraph ends the process over JSON-LD that is nested a few thousand levels deep.

    >>> check_nesting(b'{"a": ["[[[["]}', "a.json")
    """
    text = _PAIR.sub(b"", content) if b"\\" in content else content
    # Strings without brackets are removed first; then every second part is a string.
    text = text.translate(None, _OTHERS).replace(b'""', b"")
    brackets = b"".join(text.split(b'"')[::2])
    check_limit("nesting", max(accumulate(map(_STEPS.__getitem__, brackets)), default=0), name)


def in_utf8(content: bytes, source: str) -> bytes:
    """Return JSON in UTF-8, whichever encoding of Unicode it is in (RFC 4627 section 3).

    Raises `CatalogError` where it is not in that encoding.
    """
    encoding = json.detect_encoding(content)
    if encoding.startswith("utf-8"):
        return content
    try:
        return content.decode(encoding).encode()
    except UnicodeError as error:
        raise CatalogError(f"bytes that are not {encoding.upper()}", source, "UTF-8") from error


def has_halves(content: bytes) -> bool:
    """Return whether JSON may have half of a character in a string."""
    return b"\\ud" in content or b"\\uD" in content


def without_halves(content: bytes) -> tuple[bytes, list[tuple[int, int]]]:
    """Return JSON whose strings are Unicode, and the places where they were not."""
    if not has_halves(content):
        return content, []
    halves = [escape.start() for escape in _ESCAPE.finditer(content) if escape[1]]
    # An escape of the same length, so that every place stays what it was.
    changed = bytearray(content)
    for start in halves:
        changed[start : start + 6] = b"\\ufffd"
    return bytes(changed), list(places(content, halves))


def require_unicode(halves: list[tuple[int, int]], source: str) -> None:
    """Raise `CatalogError` where there are halves of characters, at these lines and columns."""
    if halves:
        number = len(halves)
        problem = "half of a character"
        if number > 1:
            problem = f"{number} halves of characters, the first here"
        raise CatalogError(problem, source, "Unicode, RDF 1.1 section 3.3", *halves[0])


def places(content: bytes, offsets: Iterable[int]) -> Iterator[tuple[int, int]]:
    r"""Yield the line and column of offsets in ascending order; each byte is read once.

    >>> list(places(b'{\n "a": 1}', [0, 3]))
    [(1, 1), (2, 2)]
    """
    line = column = 1
    before = 0
    for offset in offsets:
        part = content[before:offset]
        if breaks := part.count(b"\n"):
            line, column = line + breaks, 1
            part = part[part.rindex(b"\n") + 1 :]
        column += len(part.decode("utf-8", "replace"))
        yield line, column
        before = offset
