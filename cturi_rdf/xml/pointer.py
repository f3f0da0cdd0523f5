"""XPointer: the syntax of fragment identifiers of XML documents.

W3C Recommendations of 25 March 2003: XPointer Framework, element() Scheme, xmlns() Scheme.
Syntax only; `cturi_rdf.xml.fragment` says what a pointer points at.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from cturi_rdf.content_type.grammar import end_of, percent_decode
from cturi_rdf.errors import FragmentError
from cturi_rdf.xml.document import NAME_CHARACTERS, NAME_START

# The characters of a name, as far as needed to see where it ends; `_is_name` checks the rest.
_NAME = r"[^ \t\r\n()^/:=]++"
_S = r"[ \t\r\n]*+"
# Framework productions 4 and 5, as far as the parenthesis that opens the data.
_PART = re.compile(rf"(?:({_NAME}):)?({_NAME})\(")
_SPACE = re.compile(_S)
# Framework productions 7 to 9: the parts of data.
_PIECE = re.compile(r"[^()^]++|\^[()^]|[()]")
_ESCAPED = re.compile(r"\^([()^])")
# element() production 1 and 2; xmlns() productions 1 and 2.
_ELEMENT = re.compile(rf"({_NAME})?((?:/[1-9][0-9]*+)*+)")
_XMLNS = re.compile(rf"({_NAME}){_S}={_S}(.*+)", re.DOTALL)

_XML = "http://www.w3.org/XML/1998/namespace"
_XMLNS_NAME = "http://www.w3.org/2000/xmlns/"
_FRAMEWORK = "XPointer Framework section 3.1"


class Part(NamedTuple):
    """One pointer part.

    `scheme` is the name of its scheme without `prefix`, `namespace` what the prefix is bound
    to: `None` without a prefix, and for one that no xmlns() before it binds.  `data` is the
    scheme data with circumflexes undone.  `conforms` says whether the data is as the scheme
    wants it, as far as we know the scheme; for an element() part that does, `target` is the
    name that it starts from, or `None`, and the steps of its child sequence, as digits.
    """

    scheme: str
    prefix: str | None
    namespace: str | None
    data: str
    conforms: bool
    target: tuple[str | None, tuple[str, ...]] | None


class Pointer(NamedTuple):
    """A pointer: either a `shorthand` name, or `parts` in the order in which they are tried."""

    text: str
    shorthand: str | None
    parts: tuple[Part, ...]


def parse_fragment(fragment: str) -> Pointer:
    """Return the pointer that a fragment identifier of a URI or IRI holds, "#" left out.

    Its percent-encoding is undone first (XPointer Framework section 4).  Raises
    `FragmentError` if it is not a pointer.

    >>> parse_fragment("xmlns(p=http://a.example/)p:q(%5E))").parts[1].namespace
    'http://a.example/'
    >>> parse_fragment("caf%C3%A9").shorthand
    'café'
    """
    try:
        pointer = percent_decode(fragment)
    except UnicodeDecodeError as error:
        problem, rule = "percent-encoded octets that are not UTF-8", "XPointer Framework section 4"
        raise FragmentError(problem, fragment, expected="the octets of UTF-8", rule=rule) from error
    return parse_pointer(pointer)


def parse_pointer(pointer: str) -> Pointer:
    """Return the parts of a pointer; raises `FragmentError` for any other text.

    XPointer Framework section 3.1: wrong data of a scheme is not an error of the pointer.

    >>> parse_pointer("intro").shorthand
    'intro'
    >>> [(part.scheme, part.data) for part in parse_pointer("x(^(^)) element(/1/2)").parts]
    [('x', '()'), ('element', '/1/2')]
    """
    # Framework production 2.
    if _is_name(pointer):
        return Pointer(pointer, pointer, ())
    parts: list[Part] = []
    # The framework's namespace binding context: at first only "xml" is bound.
    bound: dict[str | None, str] = {"xml": _XML}
    position = 0
    while True:
        match = _PART.match(pointer, position)
        if match is None or not all(map(_is_name, filter(None, match.groups()))):
            raise FragmentError(
                "no pointer part" if parts else "neither a name nor a pointer part",
                pointer,
                (position, len(pointer)),
                expected="a scheme's name and '('",
                rule=_FRAMEWORK,
            )
        end = _end_of_data(pointer, match.end())
        raw = pointer[match.end() : end]
        part = _part(match[1], match[2], raw, bound)
        parts.append(part)
        if end + 1 == len(pointer):
            return Pointer(pointer, None, tuple(parts))
        position = end_of(_SPACE, pointer, end + 1)


def _is_name(text: str) -> bool:
    return _names().fullmatch(text) is not None


@cache
def _names() -> re.Pattern[str]:
    """Return the pattern of an NCName; it takes longer to compile than all the rest.

    Namespaces in XML 1.0, production 4; XML 1.0, productions 4 and 4a.
    """
    start = f"A-Z_a-z{NAME_START}"
    return re.compile(rf"[{start}][{start}\-.0-9{NAME_CHARACTERS}]*+")


def _end_of_data(pointer: str, start: int) -> int:
    """Return the place of the parenthesis that closes the scheme data beginning at `start`."""
    depth, position = 1, start
    while match := _PIECE.match(pointer, position):
        depth += {"(": 1, ")": -1}.get(match[0], 0)
        if depth == 0:
            return position
        position = match.end()
    if position < len(pointer):
        raise FragmentError(
            "a circumflex that escapes nothing",
            pointer,
            (position, position + 1),
            expected="'^' before '(', ')' or '^'",
            rule=_FRAMEWORK,
        )
    raise FragmentError(
        "a parenthesis that is not closed",
        pointer,
        (start - 1, len(pointer)),
        expected="')'; one that is data is written '^('",
        rule=_FRAMEWORK,
    )


def _part(prefix: str | None, scheme: str, raw: str, bound: dict[str | None, str]) -> Part:
    """Return a part; an xmlns() part adds its binding to `bound`."""
    data = _ESCAPED.sub(r"\1", raw)
    namespace = bound.get(prefix)
    conforms, target = True, None
    if scheme == "element" and not prefix:
        match = _ELEMENT.fullmatch(data)
        if match and data and (match[1] is None or _is_name(match[1])):
            target = (match[1], tuple(match[2].split("/")[1:]))
        conforms = target is not None
    elif scheme == "xmlns" and not prefix:
        match = _XMLNS.fullmatch(data)
        conforms = match is not None and _is_name(match[1])
        # The framework: these two prefixes, and these two namespaces, cannot be bound anew.
        is_free = match and match[1] not in {"xml", "xmlns"} and match[2] not in {_XML, _XMLNS_NAME}
        if match and conforms and is_free:
            bound[match[1]] = match[2]
    return Part(scheme, prefix, namespace, data, conforms, target)
