"""The lenient reading of mail: the grammar of RFC 2045, with the mistakes that messages have.

This module reads the fields of messages, where folds, comments and white space around "=" are
grammar (RFC 2045 section 5.1, RFC 5322 section 3.2.2) and no defects.  All other text, such as
labels and the headers of web servers, is read by WHATWG MIME Sniffing, in
`cturi_rdf.content_type.lenient`.  Both list the mistakes that they pass over.

The mistakes are a missing ";", a value that needs quotes or has no end, and text that is not a
parameter.  A field without a type gets no default here: the reader of a message decides on
text/plain, the default of RFC 2045 section 5.2.
"""

from __future__ import annotations

import re

from cturi_rdf.content_type.explain import explain_head, explain_parameter, syntax_error
from cturi_rdf.content_type.grammar import (
    PARAMETER,
    TOKEN,
    TYPE_SUBTYPE,
    fold_name,
    fold_subtype,
    forbidden_span,
    unquote,
)
from cturi_rdf.content_type.rfc2231 import Parameter
from cturi_rdf.content_type.strict import blank_comments, unfold
from cturi_rdf.errors import ContentTypeError

__all__ = ["read_mail"]

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


def read_mail(
    text: str,
) -> tuple[tuple[str, str, list[Parameter]] | None, list[ContentTypeError]]:
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
    parameters: dict[str, Parameter] = {}
    position, end = match.end(), len(bare)
    while position < end:
        match = PARAMETER.match(bare, position)
        if match is None or (match.end() < end and bare[match.end()] != ";"):
            error = explain_parameter(text, bare, position, match)
            match = _SLIP.match(bare, position)
            parameter = _slip(text, match, subtype) if match else None
            if parameter and not parameter.quoted and not TOKEN.fullmatch(parameter.value):
                error = syntax_error(
                    "a value that needs quotes", text, parameter.span, "a quoted string"
                )
            if not defects or defects[-1].span != error.span:
                defects.append(error)
        else:
            parameter = Parameter.of(match, subtype)
        position = match.end() if match else end
        if parameter is None:
            continue
        if parameter.name in parameters:
            problem = f"the parameter {parameter.name!r} again"
            defects.append(syntax_error(problem, text, parameter.span, "each name once"))
        elif forbidden_span(parameter.value):
            problem = "a value that no header holds"
            defects.append(syntax_error(problem, text, parameter.span, "text"))
        else:
            parameters[parameter.name] = parameter
    return (type_, subtype, list(parameters.values())), defects


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
