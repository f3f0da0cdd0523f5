r"""JSON as a text: its encoding, its nesting, and the place of every value in it (RFC 8259).

A file becomes a few arrays of numbers, not a tree of objects: an entry for each value, in the order
of the text.  Only values that are asked for are decoded.

>>> scanned = scan(b'{"a": [1, "x\\u0041"]}', "a.json")
>>> [(scanned.name(entry), scanned.value(entry)) for entry in scanned.children(0)]
[('a', [1, 'xA'])]
"""

from __future__ import annotations

import codecs
import json
import re
from array import array
from collections import defaultdict
from itertools import accumulate
from math import isinf
from typing import TYPE_CHECKING, Any

from cturi_rdf._util.limits import check_limit
from cturi_rdf.reading.errors import CatalogError, not_valid

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator


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
    text = _PAIR.sub(b"", content)
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
    """Return whether JSON may have a lone surrogate in a string."""
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
    """Raise `CatalogError` where there are lone surrogates, at these lines and columns."""
    if halves:
        number = len(halves)
        problem = "a lone surrogate"
        if number > 1:
            problem = f"{number} lone surrogates, the first here"
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


# `++`, `*+` and `?+` give nothing back.
_STRING = rb'"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+"'
_NUMBER = rb"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?+(?:[eE][+-]?[0-9]++)?+"
_SPACE = rb"[ \t\n\r]*+"
# What follows a value: a comma, or the end of the object, the array or the file.
_NEXT = rb"%b(?:(,)|(?=[}\]])|\Z)" % _SPACE
# The name of a member if there is one, and a bracket that opens or a scalar value; or one that
# closes; or a character that JSON does not have there.
_TOKEN = re.compile(
    rb"%b(?:(?:(%b)%b:%b)?(?:([\[{])|(%b|%b|true|false|null)%b)|([}\]])%b|(.))"
    % (_SPACE, _STRING, _SPACE, _SPACE, _STRING, _NUMBER, _NEXT, _NEXT),
    re.DOTALL,
)
_BLOCK = 1 << 20


class Scanned:
    """The values of a file, each with a number in the order of the text, its entry.

    `starts` and `ends` are the offsets of the values, `nexts` the entry after each value and all
    that is in it, `parents` the entry of the object or array around it, -1 for the whole file.
    `keys` has the number of the name that a member has in `names`, -1 for a value that is no
    member.  `contexts` has the entry of the member `@context` of an object.
    """

    def __init__(self, data: bytes, source: str) -> None:
        self.data = data
        self.source = source
        self.starts, self.ends = array("q"), array("q")
        self.nexts, self.keys = array("q"), array("i")
        self.parents = array("q")
        self.names: list[str] = []
        self.raw_names: list[bytes] = []
        self.contexts: dict[int, int] = {}

    def children(self, entry: int) -> Iterator[int]:
        """Yield the members of an object or the elements of an array."""
        child, end, nexts = entry + 1, self.nexts[entry], self.nexts
        while child < end:
            yield child
            child = nexts[child]

    def members(self, names: Container[int]) -> list[int]:
        """Return the members with some names, which are given by their numbers."""
        return [entry for entry, key in enumerate(self.keys) if key in names]

    def kind(self, entry: int) -> int:
        """Return the first byte of a value, which tells its kind."""
        return self.data[self.starts[entry]]

    def raw(self, entry: int) -> bytes:
        """Return a value as it stands in the file."""
        return self.data[self.starts[entry] : self.ends[entry]]

    def value(self, entry: int) -> Any:
        """Return a value of the file; a lone surrogate in it is U+FFFD.

        Raises `CatalogError` for a number that is too large for a double (RFC 8259 section 6).
        """
        raw = self.raw(entry)
        if raw[:1] == b'"' and b"\\" not in raw:
            return raw[1:-1].decode()
        try:
            return _DECODER.decode(without_halves(raw)[0].decode())
        except OverflowError as error:
            [place] = places(self.data, [self.starts[entry]])
            raise CatalogError(
                "a number that is too large", self.source, "one that a double can hold", *place
            ) from error

    def member(self, entry: int) -> int:
        """Return the member that a value is, or in whose arrays it is; -1 if there is none."""
        while entry != -1 and self.keys[entry] == -1:
            entry = self.parents[entry]
        return entry

    def name(self, entry: int) -> str:
        """Return the name of a member, or an empty text for an element."""
        key = self.keys[entry]
        return self.names[key] if key != -1 else ""

    def key_start(self, entry: int) -> int:
        """Return where a member begins, with its name; an element where its value begins."""
        key = self.keys[entry]
        if key == -1:
            return self.starts[entry]
        return self.data.rindex(self.raw_names[key], 0, self.starts[entry])

    def key_span(self, entry: int) -> tuple[int, int]:
        """Return where the name of a member begins and ends."""
        start = self.key_start(entry)
        return start, start + len(self.raw_names[self.keys[entry]])


def scan(data: bytes, name: str) -> Scanned:
    """Return the values of a file in UTF-8, however deep they are nested.

    Raises `CatalogError` where it is not JSON.
    """
    _check_encoding(data, name)
    scanned = Scanned(data, name)
    starts, ends, nexts, keys = scanned.starts, scanned.ends, scanned.nexts, scanned.keys
    parents = scanned.parents
    # A new name has the number of those before it.
    numbers: defaultdict[bytes, int] = defaultdict()
    numbers.default_factory = numbers.__len__
    position = len(codecs.BOM_UTF8) if data.startswith(codecs.BOM_UTF8) else 0
    # The entry of the innermost object or array, the bracket that closes it, and those around it.
    holder, closing, around = -1, b"", [b""]
    comma: bytes | None = None
    for token in _TOKEN.finditer(data, position):
        key, opened, _, comma_behind, closed, comma_behind_all, wrong = token.groups()
        if closed and closed == closing and not comma:
            ends[holder], nexts[holder] = token.end(5), len(keys)
            holder, closing, comma = parents[holder], around.pop(), comma_behind_all
            continue
        # Members have names, and there is one value in a file.
        if closed or wrong or (key is None) == (closing == b"}") or (not closing and keys):
            raise _invalid(data, token.start(), name)
        if key == b'"@context"':
            scanned.contexts[holder] = len(keys)
        keys.append(-1 if key is None else numbers[key])
        parents.append(holder)
        start, end = token.span(2 if opened else 3)
        starts.append(start)
        ends.append(end)
        comma = comma_behind
        if opened:
            # Its end and the entry behind it are set when it ends.
            around.append(closing)
            holder, closing = len(keys) - 1, b"}" if opened == b"{" else b"]"
        nexts.append(len(keys))
    if closing or comma or not keys:
        raise _invalid(data, len(data), name)
    scanned.raw_names = list(numbers)
    scanned.names = [json.loads(without_halves(key)[0]) for key in numbers]
    return scanned


def _check_encoding(data: bytes, name: str) -> None:
    decoder = codecs.getincrementaldecoder("utf-8")()
    for start in range(0, len(data), _BLOCK):
        try:
            decoder.decode(data[start : start + _BLOCK], final=start + _BLOCK >= len(data))
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, start + error.start) + 1
            raise CatalogError("a byte that is not UTF-8", name, "JSON in UTF-8", line) from error


def _float(text: str) -> float:
    number = float(text)
    if isinf(number):
        raise OverflowError
    return number


def _int(text: str) -> int:
    # Python refuses to read an integer of some thousand digits, and to make a double of fewer.
    _float(text)
    return int(text)


_DECODER = json.JSONDecoder(parse_float=_float, parse_int=_int)


def _invalid(data: bytes, position: int, name: str) -> CatalogError:
    """Return the error for invalid JSON: that of the standard library, if it has one."""
    reason = "an unexpected value"
    [place] = places(data, [position])
    try:
        _DECODER.decode(data.decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        reason, place = error.msg, (error.lineno, error.colno)
    except (OverflowError, RecursionError):
        # The standard library stopped earlier.
        pass
    return not_valid("JSON", reason, name, *place)
