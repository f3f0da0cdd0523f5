"""The lenient readings of a Content-Type: of the web, of mail, or of whichever reads more.

The reading of the web follows the steps of https://mimesniff.spec.whatwg.org/ section 4.4, "parse
a MIME type" (living standard of 2024), which only fails or succeeds.  The reading of mail is the
grammar of RFC 2045 with the slips that messages have: a missing ";", a value that needs quotes or
has no end, and text that is not a parameter.  Both list the text that they pass over.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cturi_rdf.content_type.grammar import (
    FIELD_NAME,
    HTTP_TOKEN,
    PARAMETER,
    TOKEN,
    TYPE_SUBTYPE,
    end_of,
    fold_name,
    fold_subtype,
    forbidden_span,
    unquote,
)
from cturi_rdf.content_type.rfc2231 import Parameter, resolve
from cturi_rdf.content_type.strict import (
    ENCODED_WORD,
    blank_comments,
    encoded_word,
    explain_head,
    explain_parameter,
    syntax_error,
    unfold,
)
from cturi_rdf.errors import ContentTypeError, Defects

if TYPE_CHECKING:
    from cturi_rdf.content_type.grammar import Rules
    from cturi_rdf.content_type.strict import Parts

    Read = tuple[tuple[str, str, list[Parameter]] | None, list[ContentTypeError]]

# Section 3: HTTP quoted-string token code points, HTTP whitespace.
_QUOTED_STRING_TEXT = re.compile(r"[\t\x20-\x7e\x80-\xff]*+")
_WHITESPACE = "\n\r\t "
# "Collect an HTTP quoted string" with the extract-value flag: up to a quote or the end.
_QUOTED_STRING = r'(?s)"((?:[^"\\]|\\.)*+)(\\?)("?)'
_RULE = "WHATWG MIME Sniffing section 4.4"

_NEXT = rf"{TOKEN.pattern}[ \t]*+="
# A parameter with a mistake: its value is the rest up to ";", or up to a clear next parameter; a
# quoted string may have no end.  Text behind the value, and anything that is no parameter, is
# skipped up to the next ";".
_SLIP = re.compile(
    rf'(?:[; \t]*+(({TOKEN.pattern})[ \t]*+=[ \t]*+(?:"((?:[^"\\]|\\.)*+)"?'
    rf"|([^; \t]++(?:[ \t]++(?!{_NEXT})[^; \t]++)*+)?))"
    rf"(?:[ \t]*+(?=;|{_NEXT}|\Z)|[^;]*+)|.[^;]*+)",
    re.DOTALL,
)


def recover(
    text: str, rules: Rules, strict: ContentTypeError
) -> tuple[Parts | None, tuple[ContentTypeError, ...]]:
    """Return the parts of a text, as far as they can be read, and all defects.

    `strict` is the error of the strict reading, which is the defect where a lenient one finds none:
    it ignores some things silently, such as a line break at the end.
    """
    parts, defects = read_web(text) if rules == "http" else read_mail(text)
    if parts is None:
        return None, tuple(defects)
    type_, subtype, pairs = parts
    parameters = resolve(text, pairs, defects)
    if rules == "mail":
        parameters = [_decoded(text, parameter, defects) for parameter in parameters]
    values = {parameter.name: parameter.value for parameter in parameters}
    return (type_, subtype, values), tuple(defects or [strict])


def read_web(text: str) -> Read:
    """Return type, subtype and parameters, or None, and all defects in order.

    The algorithm ignores RFC 2231: extended names and sections stay as they are.

    >>> parts, defects = read_web("text/html;;charset;a=b c")
    >>> parts
    ('text', 'html', [Parameter(name='a', value='b c', quoted=False, span=(19, 24))])
    >>> [defect.problem for defect in defects]
    ['a parameter without a value', 'a value that needs quotes']
    """
    defects = Defects(ContentTypeError, text, _RULE)
    # Steps 1 and 2: without white space at either end.
    start = len(text) - len(text.lstrip(_WHITESPACE))
    # The name of the field may stand in front, as in the strict grammar.
    start = end_of(FIELD_NAME, text, start)
    stop = max(start, len(text.rstrip(_WHITESPACE)))
    # Steps 3 to 6: the type, up to "/".
    slash = _find(text, "/", start, stop)
    type_ = text[start:slash]
    if slash == stop or not HTTP_TOKEN.fullmatch(type_):
        defects.note("no type", start, slash, "a token and '/'")
        return None, defects
    # Steps 7 to 9: the subtype, up to ";".
    position = _find(text, ";", slash, stop)
    subtype = text[slash + 1 : position].rstrip(_WHITESPACE)
    if not HTTP_TOKEN.fullmatch(subtype):
        defects.note("the subtype is missing", slash + 1, position, "a token")
        return None, defects
    # Step 10: in lower case, but for the draft's tree of URIs.
    subtype = fold_subtype(subtype)
    # Step 11: the parameters; of those with one name `resolve` takes the first.
    parameters: list[Parameter] = []
    while position < stop:
        # Steps 11.1 to 11.4: the name, up to ";" or "=".
        start = position + 1
        while start < stop and text[start] in _WHITESPACE:
            start += 1
        semicolon = _find(text, ";", start, stop)
        equals = _find(text, "=", start, semicolon)
        name = fold_name(text[start:equals], subtype)
        if equals == semicolon:
            # Step 11.5: without "=" it is skipped.
            position = semicolon
            if name:
                defects.note("a parameter without a value", start, semicolon, "'=' and a value")
            continue
        # Steps 11.7 to 11.9: the value.
        value, position = _value(text, equals + 1, semicolon, stop, defects)
        # Step 11.10: only a good name with a good value counts.
        if value is None:
            continue
        if not HTTP_TOKEN.fullmatch(name):
            defects.note(
                "a parameter whose name is not a token", start, position, "a token and '='"
            )
        elif not _QUOTED_STRING_TEXT.fullmatch(value):
            defects.note("a value that no header holds", start, position, "Latin-1 text")
        else:
            quoted = text.startswith('"', equals + 1)
            parameters.append(Parameter(name, value, quoted, (start, position)))
    return (type_.lower(), subtype, parameters), defects


def _value(
    text: str, start: int, semicolon: int, stop: int, defects: Defects[ContentTypeError]
) -> tuple[str | None, int]:
    """Return the value at `start`, if there is one, and where the next ";" is."""
    match = None
    if text.startswith('"', start):
        match = re.compile(_QUOTED_STRING).match(text, start, stop)
    if match is None:
        # Step 11.9: up to ";", without the white space at its end.
        value = text[start:semicolon].rstrip(_WHITESPACE)
        if not value:
            defects.note("a parameter without a value", start, semicolon, "a value after '='")
            return None, semicolon
        if not HTTP_TOKEN.fullmatch(value):
            defects.note("a value that needs quotes", start, semicolon, "a quoted string")
        return value, semicolon
    # Step 11.8: a quoted string; the text after it, up to ";", is skipped.
    position = _find(text, ";", match.end(), stop)
    if not match[3]:
        defects.note("an unterminated quoted string", start, stop, "'\"' at its end")
    elif text[match.end() : position].strip(_WHITESPACE):
        defects.note("text after a quoted string", match.end(), position, "';'")
    # A backslash at the very end stands for itself ("collect", step 5.2.2).
    return unquote(match[1]) + match[2], position


def _find(text: str, character: str, start: int, stop: int) -> int:
    """Return where `character` is in ``text[start:stop]``, or `stop`."""
    index = text.find(character, start, stop)
    return stop if index == -1 else index


def read_mail(text: str) -> Read:
    """Return type, subtype and parameters, or None, and all defects in order.

    Extended names and sections are left to `cturi_rdf.content_type.rfc2231`.

    >>> parts, defects = read_mail("text/plain charset = utf-8 (default); name=a b.txt; x")
    >>> [(parameter.name, parameter.value) for parameter in parts[2]]
    [('charset', 'utf-8'), ('name', 'a b.txt')]
    >>> [defect.problem for defect in defects]
    ["a missing ';'", 'a value that needs quotes', 'a parameter without a value']
    """
    defects: list[ContentTypeError] = []
    text = unfold(text.strip(" \t\r\n"))
    bare = _blank(text, defects)
    match = TYPE_SUBTYPE.match(bare)
    if match is None:
        return None, [*defects, explain_head(text, bare)]
    type_, subtype = match[1].lower(), fold_subtype(match[2])
    parameters: list[Parameter] = []
    position, end = match.end(), len(bare)
    while position < end:
        match = PARAMETER.match(bare, position)
        if match is None or (match.end() < end and bare[match.end()] != ";"):
            error = explain_parameter(text, bare, position, match)
            match = _SLIP.match(bare, position)
            parameter = _slip(text, match, subtype) if match else None
            if parameter and not parameter.quoted and not TOKEN.fullmatch(parameter.value):
                end_of_value = parameter.span[1]
                span = end_of_value - len(parameter.value), end_of_value
                error = syntax_error("a value that needs quotes", text, span, "a quoted string")
            if not defects or defects[-1].span != error.span:
                defects.append(error)
        else:
            parameter = Parameter.of(match, subtype)
        position = match.end() if match else end
        if parameter and forbidden_span(parameter.value):
            problem = "a value that no header holds"
            defects.append(syntax_error(problem, text, parameter.span, "text"))
        elif parameter:
            parameters.append(parameter)
    return (type_, subtype, parameters), defects


def _blank(text: str, defects: list[ContentTypeError]) -> str:
    """Return `text` with its comments blanked out; an unterminated one ends with the text."""
    try:
        return blank_comments(text)
    except ContentTypeError as error:
        defects.append(error)
        return blank_comments(text[: error.span[0]])


def _slip(text: str, match: re.Match[str], subtype: str) -> Parameter | None:
    """Return the intended parameter; a parenthesis inside its value is not a comment."""
    _, name, quoted, unquoted = match.groups()
    if quoted is None and unquoted is None:
        return None
    value = text[slice(*match.span(4))] if quoted is None else unquote(quoted)
    return Parameter(fold_name(name, subtype), value, quoted is not None, match.span(1))


def _decoded(text: str, parameter: Parameter, defects: list[ContentTypeError]) -> Parameter:
    """Return a parameter with the encoded words in its value decoded, as most mailers mean them."""
    if not ENCODED_WORD.search(parameter.value):
        return parameter
    # The library of mail is slow to load, and seldom needed.
    from email.errors import HeaderParseError
    from email.header import decode_header

    defects.append(encoded_word(text, parameter))
    try:
        words = decode_header(parameter.value)
        value = "".join(octets.decode(charset or "latin-1") for octets, charset in words)
    except (HeaderParseError, LookupError, UnicodeError):
        return parameter
    return parameter if forbidden_span(value) else parameter._replace(value=value)
