"""Why a text is no Content-Type: the one error that helps its writer most.

Only called once the grammar has refused a text, so nothing here decides what is read.
"""

from __future__ import annotations

import re

from cturi_rdf.content_type.grammar import FIELD_NAME, end_of
from cturi_rdf.errors import ContentTypeError

__all__ = ["explain_control", "explain_head", "explain_parameter"]

_STRUCTURE = "RFC 2045 section 5.1"
_FIELD_TEXT = "RFC 9110 section 5.5"
_QUOTED_STRING = "RFC 9110 section 5.6.4"

_NAME = re.compile(r"[!#$%&'*+\-.0-9?A-Z^_`a-z{|}~]*+")
_SPACE = re.compile(r"[ \t]*+")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*+"', re.DOTALL)
_UNQUOTED = re.compile(r"[^ \t;]*+")


def explain_head(text: str, bare: str) -> ContentTypeError:
    """Return the error of a text that does not begin with type "/" subtype.

    `bare` is `text` with its comments blanked out.
    """
    start = end_of(FIELD_NAME, bare, 0)
    slash = end_of(_SPACE, bare, end_of(_NAME, bare, start))
    if not bare[start:]:
        return ContentTypeError(
            "an empty Content-Type",
            text,
            (start, start),
            expected="type '/' subtype",
            rule=_STRUCTURE,
        )
    if bare[slash : slash + 1] == "/" and slash > start:
        subtype = end_of(_SPACE, bare, slash + 1)
        if bare[subtype : subtype + 1] in {"", ";", ",", "/"}:
            return ContentTypeError(
                "no subtype",
                text,
                (subtype, subtype),
                expected="a subtype after '/'",
                rule=_STRUCTURE,
            )
        return _forbidden(text, subtype)
    if slash == start and bare[start] == "/":
        return ContentTypeError(
            "no type", text, (start, start), expected="a type before '/'", rule=_STRUCTURE
        )
    if bare[slash : slash + 1] in {"", ";", ","} or slash > end_of(_NAME, bare, start):
        return ContentTypeError(
            "no subtype", text, (slash, slash), expected="'/' and a subtype", rule=_STRUCTURE
        )
    return _forbidden(text, slash)


def explain_parameter(
    text: str, bare: str, position: int, match: re.Match[str] | None
) -> ContentTypeError:
    """Return the error of what stands at `position`, or after `match`, and is no parameter.

    `match` is what the grammar read from `position`: nothing, a lone ";" or a parameter
    after which neither the end nor ";" follows.
    """
    at = match.end() if match else position
    if _CONTROL.match(bare, at):
        return explain_control(text, at)
    if match is None:
        return _after_type(text, bare, at)
    if match[1] is not None:
        return _after_value(text, bare, at, match)
    # A lone ";": what follows it is no parameter.
    equals = end_of(_SPACE, bare, end_of(_NAME, bare, at))
    if equals == at:
        return ContentTypeError(
            "a parameter without a name", text, (at, at + 1), expected="a token", rule=_STRUCTURE
        )
    if bare[equals : equals + 1] not in {"=", ";", ""}:
        return _forbidden(text, equals)
    value = end_of(_SPACE, bare, equals + 1) if bare[equals : equals + 1] == "=" else equals
    if bare[value : value + 1] in {"", ";"}:
        return ContentTypeError(
            "a parameter without a value",
            text,
            (at, value),
            expected="'=' and a token or a quoted string",
            rule=_STRUCTURE,
        )
    if bare[value] != '"':
        return _needs_quotes(text, bare, value)
    closed = _QUOTED.match(bare, value)
    control = _CONTROL.search(bare, value, closed.end() if closed else len(bare))
    if control:
        return explain_control(text, control.start())
    return ContentTypeError(
        "an unterminated quoted string",
        text,
        (value, len(text)),
        expected="'\"' at its end",
        rule=_QUOTED_STRING,
    )


def _after_type(text: str, bare: str, at: int) -> ContentTypeError:
    """Return the error of what follows a type and is not ";"."""
    if bare[at] == ",":
        return ContentTypeError(
            "a list, where one type is wanted",
            text,
            (at, len(text)),
            expected="the end, or ';'",
            rule="RFC 9110 section 8.3",
        )
    if bare[at] == "/":
        return ContentTypeError(
            "a second '/'", text, (at, at + 1), expected="the end, or ';'", rule=_STRUCTURE
        )
    if end_of(_NAME, bare, at) > at:
        return ContentTypeError("a missing ';'", text, (at, at), expected="';'", rule=_STRUCTURE)
    return _forbidden(text, at)


def _after_value(text: str, bare: str, at: int, match: re.Match[str]) -> ContentTypeError:
    """Return the error of what follows a parameter and is not ";"."""
    if match[2] is not None and at == match.end(2):
        return _needs_quotes(text, bare, match.start(2))
    return ContentTypeError("a missing ';'", text, (at, at), expected="';'", rule=_STRUCTURE)


def _needs_quotes(text: str, bare: str, start: int) -> ContentTypeError:
    end = end_of(_UNQUOTED, bare, start)
    return ContentTypeError(
        "a value that needs quotes",
        text,
        (start, max(end, start + 1)),
        expected="a token or a quoted string",
        rule=_STRUCTURE,
    )


def explain_control(text: str, at: int) -> ContentTypeError:
    """Return the error of a control character, or of half a surrogate pair."""
    what = "a bare line break" if text[at] in "\r\n" else "a control character"
    if text[at] > "\x7f":
        what = "half a surrogate pair"
    return ContentTypeError(what, text, (at, at + 1), expected="text on one line", rule=_FIELD_TEXT)


def _forbidden(text: str, at: int) -> ContentTypeError:
    """Return the error of the one character that no name may hold."""
    if _CONTROL.match(text, at):
        return explain_control(text, at)
    return ContentTypeError(
        "a non-ASCII character in a name" if text[at] > "\x7f" else "a character out of place",
        text,
        (at, at + 1),
        expected="letters, digits and !#$%&'*+-.^_`{|}~",
        rule=_STRUCTURE,
    )
