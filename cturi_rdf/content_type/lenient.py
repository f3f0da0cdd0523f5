"""The lenient reading of the web: the WHATWG MIME Sniffing algorithm, with defects.

The steps are those of https://mimesniff.spec.whatwg.org/ section 4.4, "parse a MIME type" (living
standard of 2024).  That algorithm only fails or succeeds; this module also lists the text that it
skips.  The fields of messages have a reading of their own, `cturi_rdf.content_type.mail`.
"""

from __future__ import annotations

import re

from cturi_rdf.content_type.grammar import (
    FIELD_NAME,
    TOKEN,
    end_of,
    fold_name,
    fold_subtype,
    unquote,
)
from cturi_rdf.content_type.rfc2231 import Parameter
from cturi_rdf.errors import ContentTypeError, Defects

__all__ = ["read_web"]

# Section 3: HTTP token code points, HTTP quoted-string token code points, HTTP whitespace.
_HTTP_TOKEN = re.compile(r"[!#$%&'*+\-.0-9A-Z^_`a-z|~]++")
_QUOTED_STRING_TEXT = re.compile(r"[\t\x20-\x7e\x80-\xff]*+")
_WHITESPACE = "\n\r\t "
# "Collect an HTTP quoted string" with the extract-value flag: up to a quote or the end.
_QUOTED_STRING = r'(?s)"((?:[^"\\]|\\.)*+)(\\?)("?)'
_RULE = "WHATWG MIME Sniffing section 4.4"


def read_web(
    text: str,
) -> tuple[tuple[str, str, list[Parameter]] | None, list[ContentTypeError]]:
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
    if slash == stop or not _HTTP_TOKEN.fullmatch(type_):
        defects.note("no type", start, slash, "a token and '/'")
        return None, defects
    # Steps 7 to 9: the subtype, up to ";".
    position = _find(text, ";", slash + 1, stop)
    subtype = text[slash + 1 : position].rstrip(_WHITESPACE)
    if not _HTTP_TOKEN.fullmatch(subtype):
        defects.note("the subtype is missing", slash + 1, position, "a token")
        return None, defects
    # Step 10: in lower case, but for the draft's tree of URIs.
    subtype = fold_subtype(subtype)
    # Step 11: the parameters.
    parameters: dict[str, Parameter] = {}
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
        # Step 11.10: only a good and new name with a good value counts.
        if value is None:
            continue
        if not _HTTP_TOKEN.fullmatch(name):
            defects.note(
                "a parameter whose name is not a token", start, position, "a token and '='"
            )
        elif not _QUOTED_STRING_TEXT.fullmatch(value):
            defects.note("a value that no header holds", start, position, "Latin-1 text")
        elif name in parameters:
            defects.note(f"the parameter {name!r} again", start, position, "each name once")
        else:
            quoted = text.startswith('"', equals + 1)
            parameters[name] = Parameter(name, value, quoted, (start, position))
    return (type_.lower(), subtype, list(parameters.values())), defects


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
        if not TOKEN.fullmatch(value):
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
    return stop if index < 0 else index
