"""RFC 2231 and RFC 8187: parameter values that are continued, or carry a charset.

``title*0*=utf-8''na%C3%AF; title*1=ve`` is one parameter, ``title``, of value ``naïve``.
"""

from __future__ import annotations

import re
from itertools import count, takewhile
from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf.content_type.grammar import attribute_of, fold_name, forbidden_span, unquote
from cturi_rdf.errors import ContentTypeError

if TYPE_CHECKING:
    from collections.abc import Iterable


class Parameter(NamedTuple):
    """A parameter as it stands in a text, without its quotes."""

    name: str
    value: str
    quoted: bool
    span: tuple[int, int]

    @classmethod
    def of(cls, match: re.Match[str], subtype: str) -> Parameter | None:
        """Return the parameter of a type that `PARAMETER` matches, or None for a lone ``;``."""
        name, token, quoted = match.groups()
        if name is None:
            return None
        value = unquote(quoted) if token is None else token
        return cls(fold_name(name, subtype), value, token is None, (match.start(1), match.end()))


_VALUE = "RFC 2231 section 4"

# RFC 8187 section 3.2.1: ext-value = charset "'" [ language ] "'" value-chars, where
# RFC 2231 section 7 lets the charset be empty.
_EXTENDED_VALUE = re.compile(r"([!#$&+\-.0-9A-Z^_`a-z{|}~]*+)'([0-9A-Za-z-]*+)'(.*+)")
_OCTETS = re.compile(r"(?:[^%]|%[0-9A-Fa-f]{2})*+")
_PERCENT = re.compile(rb"%([0-9A-Fa-f]{2})")
# RFC 8187 section 3.2.1: attr-char, the characters that stand for themselves in an extended value.
_NOT_ATTR_CHAR = re.compile(rb"[^!#$&+\-.0-9A-Z^_`a-z|~]")
# Python codecs that are no charsets; some of them take more than linear time.
NO_CHARSET = frozenset({"idna", "punycode", "raw_unicode_escape", "unicode_escape"})


def is_extended(name: str) -> bool:
    """Return whether RFC 2231 gives a parameter's name a meaning beyond the name.

    >>> [is_extended(name) for name in ("title*", "title*0", "title*0*", "a*b*")]
    [True, True, True, True]
    >>> [is_extended(name) for name in ("title", "a*b", "*", "title**", "title*0*0")]
    [False, False, False, False, False]
    """
    return attribute_of(name) != name


def encode(value: str) -> str:
    """Return the extended value that holds `value`, in UTF-8 (RFC 8187 section 3.2).

    >>> encode("naïve plan")
    "utf-8''na%C3%AFve%20plan"
    """
    octets = _NOT_ATTR_CHAR.sub(lambda match: b"%%%02X" % ord(match[0]), value.encode())
    return f"utf-8''{octets.decode()}"


def resolve(
    text: str, parameters: Iterable[Parameter], defects: list[ContentTypeError] | None = None
) -> list[Parameter]:
    """Return `parameters` in order, with sections joined and extended values decoded.

    Of several forms of a name ``title*`` counts before the sections ``title*0`` and so on, and
    both before ``title``, which is for readers that know neither (RFC 8187 section 4.2).  The
    language tag is dropped.  The spans are positions in `text`.

    Raises `ContentTypeError` where a form occurs twice, a section is missing or a value does not
    decode.  With a list of `defects` the errors are added to it instead, and only the forms with
    errors are left out.

    >>> sections = {"t*1": "value", "t*0": "a ", "t": "fallback"}
    >>> parameters = [Parameter(n, v, quoted=True, span=(0, 0)) for n, v in sections.items()]
    >>> [(p.name, p.value) for p in resolve("", parameters)]
    [('t', 'a value')]
    """
    entries: dict[str, list[Parameter]] = {}
    for parameter in parameters:
        entries.setdefault(attribute_of(parameter.name), []).append(parameter)
    errors: list[ContentTypeError] = []
    joined = [_join(text, name, entry, errors) for name, entry in entries.items()]
    if defects is not None:
        defects += errors
    elif errors:
        raise errors[0]
    return [parameter for parameter in joined if parameter is not None]


def _join(
    text: str, name: str, entry: list[Parameter], defects: list[ContentTypeError]
) -> Parameter | None:
    """Return the parameter that all forms of a name make up, or None if none is valid."""
    # The extended form, the sections by their number, the plain form: the first counts.
    extended: dict[str, Parameter] = {}
    sections: dict[str, Parameter] = {}
    plain: dict[str, Parameter] = {}
    for parameter in entry:
        form = parameter.name.removeprefix(name)
        number = form.strip("*")
        form_of = sections if number else extended if form else plain
        if number in form_of:
            defects.append(
                ContentTypeError(
                    f"the parameter {parameter.name!r} twice",
                    text,
                    parameter.span,
                    expected="each name once",
                    rule="RFC 6838 section 4.3",
                )
            )
        form_of.setdefault(number, parameter)
    if extended and sections:
        defects.append(_incomplete(text, name, next(iter(sections.values()))))
    for form_of in (extended, sections, plain):
        try:
            if form_of:
                return _one(text, name, form_of, defects)
        except ContentTypeError as error:
            defects.append(error)
    return None


def _one(
    text: str, name: str, sections: dict[str, Parameter], defects: list[ContentTypeError]
) -> Parameter:
    """Return the parameter that one form of a name makes up (RFC 2231 section 3)."""
    first = next(iter(sections.values()))
    if first.name == name:
        if forbidden_span(first.value, name):
            problem = "a control character in a value that cannot be encoded"
            expected = "text without tabs, or another name"
            raise ContentTypeError(problem, text, first.span, expected, "RFC 2231 section 7")
        return first
    value = _joined(text, first, _by_number(text, name, sections, defects), defects)
    if forbidden_span(value):
        problem, expected = "a control character in an extended value", "text"
        raise ContentTypeError(problem, text, first.span, expected, "RFC 9110 section 5.5")
    return Parameter(name, value, quoted=True, span=first.span)


def _by_number(
    text: str, name: str, sections: dict[str, Parameter], defects: list[ContentTypeError]
) -> list[Parameter]:
    """Return the sections in the order of their numbers; a value in one piece has no number.

    Sections behind a gap are left out, with a defect.
    """
    if "" in sections:
        return [sections[""]]
    order = dict.fromkeys(takewhile(sections.__contains__, map(str, count())))
    beyond = next((sections[number] for number in sections if number not in order), None)
    if beyond:
        error = _incomplete(text, name, beyond)
        if not order:
            raise error
        defects.append(error)
    return [sections[number] for number in order]


def _joined(
    text: str, first: Parameter, sections: list[Parameter], defects: list[ContentTypeError]
) -> str:
    """Return the value of sections; `first` is the one to blame for octets at the end."""
    # Octets of neighbouring extended sections belong together: a character, or the shift
    # state of a charset, may reach over their border.
    value, octets, charset = "", b"", None
    for section in sections:
        if not section.name.endswith("*"):
            value += _decode(text, section, octets, charset) + section.value
            octets = b""
            continue
        encoded = section.value
        if section is sections[0]:
            # RFC 2231 section 4
            match = _EXTENDED_VALUE.fullmatch(encoded)
            if match is None:
                raise _malformed(text, section)
            charset, _, encoded = match.groups()
        if section.quoted or charset is None:
            defects.append(_malformed(text, section))
        if not _OCTETS.fullmatch(encoded):
            raise _malformed(text, section)
        octets += _PERCENT.sub(lambda match: bytes.fromhex(match[1].decode()), encoded.encode())
    return value + _decode(text, first, octets, charset)


def _incomplete(text: str, name: str, section: Parameter) -> ContentTypeError:
    problem = f"sections of {name!r} that do not make one value"
    expected = "one value, or the sections *0, *1, *2 … in full"
    return ContentTypeError(problem, text, section.span, expected, "RFC 2231 section 3")


def _decode(text: str, section: Parameter, octets: bytes, charset: str | None) -> str:
    """Return `octets` decoded from `charset`; without one they are ASCII.

    RFC 2231 section 7 lets the charset be empty, but says nothing of the octets above 127 then.
    """
    if not octets:
        return ""
    if not charset:
        if not octets.isascii():
            problem = "octets without a charset"
            expected = "a charset before the quotes, as in utf-8''%C3%A4"
            raise ContentTypeError(problem, text, section.span, expected, "RFC 8187 section 3.2.1")
        charset = "ascii"
    # Python's codec with the name "undefined" always fails.
    is_charset = charset.lower().replace("-", "_") not in NO_CHARSET
    try:
        return octets.decode(charset if is_charset else "undefined")
    except (LookupError, UnicodeError) as error:
        problem = "an extended value that is not valid in its charset"
        expected = f"octets of a known charset, not of {charset!r}"
        raise ContentTypeError(problem, text, section.span, expected, _VALUE) from error


def _malformed(text: str, section: Parameter) -> ContentTypeError:
    problem = "an extended value that cannot be decoded"
    expected = "charset'language'value without quotes, two hex digits after each '%'"
    return ContentTypeError(problem, text, section.span, expected, _VALUE)
