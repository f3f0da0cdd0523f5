"""The strict reading of a Content-Type header into its parts, and what is wrong where it fails.

The steps are those of RFC 2045 section 5.1: unfold, skip comments, read type and subtype, read the
parameters; then RFC 2231 joins continued values and decodes extended ones.  A plain header, as most
are, is the same under all rules and takes one step, in C where that was built.  The errors are
worked out once a text is refused, so nothing in them decides what is read.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cturi_rdf._util.lazy import compiled
from cturi_rdf.content_type.grammar import (
    FIELD_NAME,
    FOLD,
    FORBIDDEN,
    HTTP,
    HTTP_BEGINNING,
    PARAMETER,
    TYPE,
    TYPE_SUBTYPE,
    end_of,
    fold_subtype,
    forbidden_span,
)
from cturi_rdf.content_type.rfc2231 import Parameter, resolve
from cturi_rdf.errors import ContentTypeError

if TYPE_CHECKING:
    from cturi_rdf.content_type.grammar import Rules

    Parts = tuple[str, str, dict[str, str]]

_MAIL = "RFC 2045 section 5.1"
_HTTP = "RFC 9110 section 8.3.1"

# Only tokens of HTTP, and quoted strings in which nothing stands for anything else: type, subtype,
# the name and the value of the first parameter, and the other parameters.
_NAME, _VALUE = r"[!#$%&'+\-.0-9A-Z^_`a-z|~]++", r"[!#$%&'*+\-.0-9A-Z^_`a-z|~]++"
_STRING = r"[ !#-:<-\[\]-~]*+"
_ESSENCE = rf"({_VALUE})/((?!(?i:uri)\.){_VALUE})"
_bare = re.compile(_ESSENCE).fullmatch
_plain = re.compile(
    rf"{_ESSENCE};[ \t]*+({_NAME})=(?:({_VALUE})|\"({_STRING})\")"
    rf"((?:;[ \t]*+{_NAME}=(?:{_VALUE}|\"{_STRING}\"))*+)"
).fullmatch
# RFC 2047 section 2: encoded-word = "=?" charset "?" encoding "?" encoded-text "?="
ENCODED_WORD = re.compile(r"=\?[^?]++\?[BQbq]\?[^?]*+\?=")
# The search for comments skips all other text in one step, and quoted strings as a whole.
_NO_COMMENT = re.compile(r'(?:[^"(]|"(?:[^"\\]|\\.)*+"?+)*+', re.DOTALL)
_COMMENT_TEXT = re.compile(r"(?:[^()\\]|\\.)*+", re.DOTALL)

_SPACE = re.compile(r"[ \t]*+")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*+"', re.DOTALL)
_UNQUOTED = re.compile(r"[^ \t;]*+")
_LATIN_1 = re.compile(r"[^\r\n\u0100-\U0010ffff]*+")


def read_plain_in_python(text: str) -> Parts | None:
    """Return what `read` does of a plain header by any rules, or None for another text.

    >>> read_plain_in_python("text/csv; header=present")
    ('text', 'csv', {'header': 'present'})
    """
    if ";" not in text:
        match = _bare(text)
        if match is None:
            return None
        return match[1].lower(), match[2].lower(), {}
    match = _plain(text)
    if match is None:
        return None
    type_, subtype, name, token, string, rest = match.groups()
    parameters = {name.lower(): string if token is None else token}
    if rest:
        pieces = rest.split(";")
        for piece in pieces[1:]:
            name, value = piece.split("=", 1)
            parameters[name.strip().lower()] = value.strip('"')
        if len(parameters) < len(pieces):
            # A name that is there twice is refused by the whole grammar.
            return None
    return type_.lower(), subtype.lower(), parameters


_in_c = compiled("cturi_rdf.content_type._parser")
read_plain = getattr(_in_c, "read_plain", read_plain_in_python)


def read(whole: str, rules: Rules) -> Parts:
    """Return type, subtype and parameters of a header, with names in lower case.

    Raises `ContentTypeError` with the span of the first thing that the rules forbid.

    >>> read('Text/HTML; Charset="utf-8"', "http")
    ('text', 'html', {'charset': 'utf-8'})
    >>> read("text / html (markup)", "mail")
    ('text', 'html', {})
    """
    # Step 1: unfold (RFC 5322 section 2.2.3).
    text = unfold(whole)
    span = None if text.isascii() else forbidden_span(text)
    if span:
        raise _control(text, span[0])
    # Step 2: comments count as white space (RFC 822 section 3.1.4).
    bare = blank_comments(text)
    # Step 3: type "/" subtype
    match = TYPE_SUBTYPE.match(bare)
    if match is None:
        raise explain_head(text, bare)
    type_, subtype = match[1].lower(), fold_subtype(match[2])
    # Step 4: *( ";" [ parameter ] )
    parameters: list[Parameter] = []
    position, end = match.end(), len(bare)
    while position < end:
        match = PARAMETER.match(bare, position)
        if match is None or (match.end() < end and bare[match.end()] != ";"):
            raise explain_parameter(text, bare, position, match)
        parameter = Parameter.of(match, subtype)
        if parameter is not None:
            parameters.append(parameter)
        position = match.end()
    # What only the other rules allow.
    if rules == "http" and not HTTP.fullmatch(whole):
        raise _beyond_http(whole)
    if rules == "mail":
        _check_mail(text, bare, parameters)
    # Step 5: continued and extended values (RFC 2231); no name twice.
    return type_, subtype, {p.name: p.value for p in resolve(text, parameters)}


def unfold(text: str) -> str:
    r"""Return a header on one line (RFC 5322 section 2.2.3).

    >>> unfold("text/plain;\r\n charset=utf-8")
    'text/plain; charset=utf-8'
    """
    return FOLD.sub("", text) if "\n" in text else text


def blank_comments(text: str) -> str:
    """Return `text` with comments replaced by spaces; spans stay the same."""
    if "(" not in text:
        return text
    pieces: list[str] = []
    position = 0
    while True:
        start = end_of(_NO_COMMENT, text, position)
        pieces.append(text[position:start])
        if start == len(text):
            return "".join(pieces)
        # comment = "(" *([FWS] ccontent) [FWS] ")", nested to any depth (RFC 5322 3.2.2)
        depth, position = 1, start + 1
        while depth:
            position = end_of(_COMMENT_TEXT, text, position)
            edge = text[position : position + 1]
            if edge not in {"(", ")"}:
                span, rule = (start, len(text)), "RFC 5322 section 3.2.2"
                raise syntax_error("an unterminated comment", text, span, "')'", rule)
            depth += 1 if edge == "(" else -1
            position += 1
        pieces.append(" " * (position - start))


def _beyond_http(text: str) -> ContentTypeError:
    """Return the error for a header that only mail, or the draft, allows."""
    name = end_of(FIELD_NAME, text, 0)
    if ":" in text[:name]:
        return syntax_error("the name of the field", text, (0, name), "its value alone", _HTTP)
    at = end_of(HTTP_BEGINNING, text, 0)
    beyond = end_of(_SPACE, text, at)
    if text[at] == '"':
        # A quoted string, up to the character that HTTP forbids in it.
        beyond = end_of(_LATIN_1, text, at)
    character, span = text[beyond], (beyond, beyond + 1)
    if character == "(":
        return syntax_error("a comment", text, span, "none: only mail has comments", _HTTP)
    if character in "\r\n":
        rule = "RFC 9110 section 5.5"
        return syntax_error("a line break", text, span, "text on one line", rule)
    if text[at] in " \t":
        expected, rule = "no space around '/' and '='", "RFC 9110 sections 8.3.1 and 5.6.6"
        return syntax_error("white space beside '/' or '='", text, (at, beyond), expected, rule)
    rule = "RFC 9110 sections 5.6.2 and 5.6.4"
    if character > "\x7f":
        expected = "an extended value (RFC 8187)"
        return syntax_error("a character beyond Latin-1", text, span, expected, rule)
    return syntax_error("a character out of place", text, span, "a token", rule)


def _check_mail(text: str, bare: str, parameters: list[Parameter]) -> None:
    """Raise `ContentTypeError` for a header that only HTTP, or the draft, allows."""
    start = end_of(FIELD_NAME, bare, 0)
    if start > end_of(_SPACE, bare, 0):
        raise syntax_error("the name of the field", text, (0, start), "its value alone", _MAIL)
    mark = bare.partition(";")[0].find("?", start)
    if mark != -1:
        raise syntax_error("a character out of place", text, (mark, mark + 1), "a token", _MAIL)
    for parameter in parameters:
        if ENCODED_WORD.search(parameter.value):
            raise encoded_word(text, parameter)


def encoded_word(text: str, parameter: Parameter) -> ContentTypeError:
    """Return the error for a parameter whose value has an encoded word in it."""
    expected = "text, or an extended value (RFC 2231)"
    problem, rule = "an encoded word in a parameter", "RFC 2047 section 5"
    return syntax_error(problem, text, parameter.span, expected, rule)


def syntax_error(
    problem: str, text: str, span: tuple[int, int] | None, expected: str, rule: str = _MAIL
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
        return _control(text, at)
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
        return _control(text, control.start())
    span, rule = (value, len(text)), "RFC 9110 section 5.6.4"
    return syntax_error("an unterminated quoted string", text, span, "'\"' at its end", rule)


def _after_type(text: str, bare: str, at: int) -> ContentTypeError:
    """Return the error for the text after a type that is not ";"."""
    if bare[at] == ",":
        rule = "RFC 9110 section 8.3"
        span = at, len(text)
        return syntax_error("a list instead of one type", text, span, "the end, or ';'", rule)
    if bare[at] == "/":
        return syntax_error("a second '/'", text, (at, at + 1), "the end, or ';'")
    if end_of(TYPE, bare, at) > at:
        return syntax_error("a missing ';'", text, (at, at), "';'")
    return _forbidden(text, at)


def _after_value(text: str, bare: str, at: int, match: re.Match[str]) -> ContentTypeError:
    """Return the error for the text after a parameter that is not ";"."""
    if at == match.end(2):
        return _needs_quotes(text, bare, match.start(2))
    return syntax_error("a missing ';'", text, (at, at), "';'")


def _needs_quotes(text: str, bare: str, start: int) -> ContentTypeError:
    span = start, max(end_of(_UNQUOTED, bare, start), start + 1)
    return syntax_error("a value that needs quotes", text, span, "a token or a quoted string")


def _control(text: str, at: int) -> ContentTypeError:
    """Return the error for a control character, a lone surrogate, or an octet in its place."""
    problem = "a bare line break" if text[at] in "\r\n" else "a control character"
    if text[at] > "\x7f":
        is_octet = "\udc80" <= text[at] <= "\udcff"
        problem = "a byte that is not UTF-8" if is_octet else "a lone surrogate"
    return syntax_error(problem, text, (at, at + 1), "text on one line", "RFC 9110 section 5.5")


def _forbidden(text: str, at: int) -> ContentTypeError:
    """Return the error for a character that is not allowed in a name."""
    if FORBIDDEN.match(text, at):
        return _control(text, at)
    is_ascii = text[at].isascii()
    problem = "a character out of place" if is_ascii else "a non-ASCII character in a name"
    return syntax_error(problem, text, (at, at + 1), "letters, digits and !#$%&'*+-.^_`{|}~")
