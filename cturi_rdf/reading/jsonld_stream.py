"""JSON-LD read as a stream (Streaming JSON-LD, W3C note of August 2020, section 3).

In a stream a context stands before all that it is for, and the types of a node stand before its
other members.  Oxigraph reads such a file in half the time and in little memory; of any other file
it keeps each object until its end, in memory of thirteen times its size.
"""

from __future__ import annotations

import codecs
import io
import json
import re
from collections import deque
from typing import Any

import pyoxigraph as ox

# RFC 8259 sections 2, 5 and 7; `++`, `*+` and `?+` give nothing back, so that time is linear.
_SPACE = r"[ \t\n\r]*+"
_STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_SCALAR = rf'(?:{_STRING}|[^][{{}}",: \t\n\r]++)'
_SCALARS = rf"(?:{_SCALAR}|\[{_SPACE}(?:{_SCALAR}{_SPACE},?+{_SPACE})*+\])"
_COLON, _COMMA = rf"{_SPACE}:{_SPACE}", rf"{_SPACE},{_SPACE}"

_MEMBER = rf"{_STRING}{_COLON}{_SCALARS}"
_BEGINNING = re.compile(rf"{_SPACE}\{{{_SPACE}".encode())
_PLAIN_MEMBERS = re.compile(rf'(?:(?!"@context"){_MEMBER}{_COMMA})*+'.encode(), re.DOTALL)
_CONTEXT = re.compile(rf'"@context"{_COLON}'.encode())
_NEXT, _END = re.compile(_COMMA.encode()), re.compile(rf"{_SPACE}\}}{_SPACE}\Z".encode())
# A longer context is not moved.
_LONGEST = 1 << 20


def streamed(
    content: bytes, form: ox.RdfFormat | None = None, **options: Any
) -> tuple[bytes, ox.RdfFormat]:
    """Return JSON-LD that names no context, as a stream if it can be one, and its format.

    A file that is an array is no stream, for Oxigraph keeps one of its objects at a time.
    `options` are those of Oxigraph's parser.  It reads the whole stream here, because something
    that no stream has may stand at the end; `form`, the result of an earlier call, makes this
    unnecessary.

    >>> text, form = streamed(b'{"@id": "a:b", "@type": "a:c"}')
    >>> [quad] = ox.parse(text, form)
    >>> print(quad.subject, quad.object)
    <a:b> <a:c>
    """
    content = content.removeprefix(codecs.BOM_UTF8)
    if form == ox.RdfFormat.JSON_LD or not _BEGINNING.match(content):
        return content, ox.RdfFormat.JSON_LD
    ordered, stream = in_stream_order(content), ox.RdfFormat.STREAMING_JSON_LD
    try:
        if form is None:
            deque(ox.parse(ordered, stream, **options), maxlen=0)
    except SyntaxError:
        return content, ox.RdfFormat.JSON_LD
    return ordered, stream


def in_stream_order(content: bytes) -> bytes:
    """Return JSON-LD with its members in the order of a stream, as far as that is simple.

    The context of the file is moved to its beginning, and the types of a node before members
    that have plain values.  A file that is one node without a name gets a name for a blank
    node, because all of the node would wait for its name.

    >>> in_stream_order(b'{"@graph": [{"@id": "a:b", "@type": "a:c"}], "@context": {}}')
    b'{"@context": {},"@graph": [{"@type": "a:c", "@id": "a:b"}]}'
    """
    head, body = _context_first(content)
    needs_name = head and b"@graph" not in content and not _has_name(body, head)
    types = rf"(?:{_names_of('@type', head)}){_COLON}"
    member = rf'(?!{types}|"@context"){_MEMBER}'
    run = rf"({member}(?:{_COMMA}{member})*+)({_COMMA})({types}{_SCALARS})"
    # Everything before the next object whose types have to be moved.
    others = rf'(?:[^"{{]++|{_STRING}|\{{(?!{_SPACE}{run}))*+'
    # The members behind the context belong to its object.
    match = re.compile(rf"(?:\A|{others}\{{){_SPACE}{run}".encode(), re.DOTALL).match
    ordered = io.BytesIO()
    ordered.write(head)
    text, position = memoryview(body), 0
    while moved := match(body, position):
        plain, comma, types_member = moved.span(4), moved.span(5), moved.span(6)
        for start, end in ((position, plain[0]), types_member, comma, plain):
            ordered.write(text[start:end])
        position = moved.end()
    ordered.write(text[position:])
    if not needs_name:
        return ordered.getvalue()
    # The types come before the name.
    name, whole = b'"@id": "%b",' % str(ox.BlankNode()).encode(), ordered.getvalue()
    first = re.compile(rf"{_SPACE}{types}{_SCALARS}{_COMMA}".encode(), re.DOTALL)
    behind = first.match(whole, len(head))
    start = behind.end() if behind else len(head)
    return whole[:start] + name + whole[start:]


def _has_name(members: bytes, context: bytes) -> bool:
    """Return whether the first members of a node, those with plain values, have its name."""
    name = rf"(?:{_names_of('@id', context)}){_COLON}"
    return bool(re.match(rf"(?:(?!{name}){_MEMBER}{_COMMA})*+{name}".encode(), members, re.DOTALL))


def _names_of(keyword: str, context: bytes) -> str:
    """Return a pattern for a keyword and the other names that a context gives to it."""
    alias = rf'("(?!@)[^"\\]++"){_COLON}(?:\{{{_SPACE}"@id"{_COLON})?+"{keyword}"'
    names = re.findall(alias, context.decode("utf-8", "replace"))
    return "|".join(map(re.escape, [f'"{keyword}"', *names]))


def _context_first(content: bytes) -> tuple[bytes, bytes]:
    """Return a file in two parts: up to the comma behind its context, if any, and the rest."""
    beginning = _BEGINNING.match(content)
    if beginning is None:
        return b"", content
    start = beginning.end()
    plain = _PLAIN_MEMBERS.match(content, start)
    at = plain.end() if plain else start
    context = _CONTEXT.match(content, at)
    if context is None:
        at = content.rfind(b'"@context"', max(at, len(content) - _LONGEST))
        context = _CONTEXT.match(content, at)
        # Only the last member of the file's own object has nothing but a bracket behind it.
        if context is None or not _END.match(content, _end_of_value(content, context.end())):
            return b"", content
    end = _end_of_value(content, context.end())
    before, comma = content[start:at].rstrip(b" \t\n\r"), _NEXT.match(content, end)
    if before.endswith(b","):
        body = before[:-1] + content[end:]
    elif not before and comma:
        body = content[comma.end() :]
    else:
        return b"", content
    return content[:start] + content[at:end] + b",", body


def _end_of_value(content: bytes, start: int) -> int:
    """Return the end of a value of JSON, or its start if the end cannot be told."""
    text = content[start : start + _LONGEST].decode("utf-8", "ignore")
    try:
        _, end = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return start
    return start + len(text[:end].encode())
