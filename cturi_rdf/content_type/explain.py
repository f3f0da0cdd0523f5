"""Errors for texts that are not a Content-Type: the most helpful error for each text.

Only called once the grammar has refused a text, so nothing here decides what is read.
"""

from __future__ import annotations

import re

from cturi_rdf.content_type.grammar import FIELD_NAME, FORBIDDEN, TYPE, end_of
from cturi_rdf.errors import ContentTypeError

__all__ = ["explain_control", "explain_head", "explain_parameter", "syntax_error"]

_STRUCTURE = "RFC 2045 section 5.1"

_SPACE = re.compile(r"[ \t]*+")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*+"', re.DOTALL)
_UNQUOTED = re.compile(r"[^ \t;]*+")


def syntax_error(
    problem: str, text: str, span: tuple[int, int] | None, expected: str, rule: str = _STRUCTURE
) -> ContentTypeError:
    """Return an error, by default one of the structure of a header."""
    return ContentTypeError(problem, text, span, expected=expected, rule=rule)


def explain_head(text: str, bare: str) -> ContentTypeError:
    """Return the error for a text that does not begin with type "/" subtype.

    `bare` is `text` with its comments blanked out.
    """
    start = end_of(FIELD_NAME, bare, 0)
    slash = end_of(_SPACE, bare, end_of(TYPE, bare, start))
    if not bare[start:]:
        return syntax_error("an empty Content-Type", text, (start, start), "type '/' subtype")
    if bare[slash : slash + 1] == "/" and slash > start:
        subtype = end_of(_SPACE, bare, slash + 1)
        if bare[subtype : subtype + 1] in {"", ";", ",", "/"}:
            return syntax_error(
                "the subtype is missing", text, (subtype, subtype), "a subtype after '/'"
            )
        return _forbidden(text, subtype)
    if slash == start and bare[start] == "/":
        return syntax_error("the type is missing", text, (start, start), "a type before '/'")
    if bare[slash : slash + 1] in {"", ";", ","} or slash > end_of(TYPE, bare, start):
        return syntax_error("the subtype is missing", text, (slash, slash), "'/' and a subtype")
    return _forbidden(text, slash)


def explain_parameter(
    text: str, bare: str, position: int, match: re.Match[str] | None
) -> ContentTypeError:
    """Return the error for the text at `position`, or after `match`, that is not a parameter.

    `match` is what the grammar read from `position`: nothing, a lone ";" or a parameter
    after which neither the end nor ";" follows.
    """
    at = match.end() if match else position
    if FORBIDDEN.match(bare, at):
        return explain_control(text, at)
    if match is None:
        return _after_type(text, bare, at)
    if match[1] is not None:
        return _after_value(text, bare, at, match)
    # A lone ";": the text after it is no parameter.
    equals = end_of(_SPACE, bare, end_of(TYPE, bare, at))
    if equals == at:
        return syntax_error("a parameter without a name", text, (at, at + 1), "a token")
    if bare[equals : equals + 1] not in {"=", ";", ""}:
        return _forbidden(text, equals)
    value = end_of(_SPACE, bare, equals + 1) if bare[equals : equals + 1] == "=" else equals
    if bare[value : value + 1] in {"", ";"}:
        return syntax_error(
            "a parameter without a value", text, (at, value), "'=' and a token or a quoted string"
        )
    if bare[value] != '"':
        return _needs_quotes(text, bare, value)
    closed = _QUOTED.match(bare, value)
    control = FORBIDDEN.search(bare, value, closed.end() if closed else len(bare))
    if control:
        return explain_control(text, control.start())
    span, rule = (value, len(text)), "RFC 9110 section 5.6.4"
    return syntax_error("an unterminated quoted string", text, span, "'\"' at its end", rule)


def _after_type(text: str, bare: str, at: int) -> ContentTypeError:
    """Return the error for the text after a type that is not ";"."""
    if bare[at] == ",":
        rule = "RFC 9110 section 8.3"
        span = at, len(text)
        return syntax_error("a list, where one type is wanted", text, span, "the end, or ';'", rule)
    if bare[at] == "/":
        return syntax_error("a second '/'", text, (at, at + 1), "the end, or ';'")
    if end_of(TYPE, bare, at) > at:
        return syntax_error("a missing ';'", text, (at, at), "';'")
    return _forbidden(text, at)


def _after_value(text: str, bare: str, at: int, match: re.Match[str]) -> ContentTypeError:
    """Return the error for the text after a parameter that is not ";"."""
    if match[2] is not None and at == match.end(2):
        return _needs_quotes(text, bare, match.start(2))
    return syntax_error("a missing ';'", text, (at, at), "';'")


def _needs_quotes(text: str, bare: str, start: int) -> ContentTypeError:
    span = start, max(end_of(_UNQUOTED, bare, start), start + 1)
    return syntax_error("a value that needs quotes", text, span, "a token or a quoted string")


def explain_control(text: str, at: int) -> ContentTypeError:
    """Return the error for a control character, or half a surrogate pair."""
    problem = "a bare line break" if text[at] in "\r\n" else "a control character"
    if text[at] > "\x7f":
        problem = "half a surrogate pair"
    return syntax_error(problem, text, (at, at + 1), "text on one line", "RFC 9110 section 5.5")


def _forbidden(text: str, at: int) -> ContentTypeError:
    """Return the error for a character that is not allowed in a name."""
    if FORBIDDEN.match(text, at):
        return explain_control(text, at)
    problem = "a non-ASCII character in a name" if text[at] > "\x7f" else "a character out of place"
    return syntax_error(problem, text, (at, at + 1), "letters, digits and !#$%&'*+-.^_`{|}~")
