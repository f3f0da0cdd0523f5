"""The strict reading of a Content-Type header into its parts.

The steps are those of RFC 2045 section 5.1: unfold, skip comments, read type and subtype,
read the parameters; then RFC 2231 joins continued values and decodes extended ones.
"""

from __future__ import annotations

import re

from cturi_rdf.content_type.explain import (
    explain_control,
    explain_head,
    explain_parameter,
    syntax_error,
)
from cturi_rdf.content_type.grammar import (
    FOLD,
    PARAMETER,
    TYPE_SUBTYPE,
    end_of,
    fold_subtype,
    forbidden_span,
)
from cturi_rdf.content_type.rfc2231 import Parameter, resolve

__all__ = ["blank_comments", "read", "unfold"]

# The search for comments skips all other text in one step, and quoted strings as a whole.
_NO_COMMENT = re.compile(r'(?:[^"(]|"(?:[^"\\]|\\.)*+"?+)*+', re.DOTALL)
_COMMENT_TEXT = re.compile(r"(?:[^()\\]|\\.)*+", re.DOTALL)


def read(text: str) -> tuple[str, str, list[Parameter]]:
    """Return type, subtype and parameters of a header, with names in lower case.

    Raises `ContentTypeError` with the span of the first thing that RFC 2045 section 5.1
    and RFC 9110 section 8.3.1 both forbid.

    >>> type, subtype, parameters = read('Text/HTML (markup); Charset="utf-8"')
    >>> type, subtype, [(p.name, p.value) for p in parameters]
    ('text', 'html', [('charset', 'utf-8')])
    """
    # Step 1: unfold (RFC 5322 section 2.2.3).
    text = unfold(text)
    span = None if text.isascii() else forbidden_span(text)
    if span:
        raise explain_control(text, span[0])
    # Step 2: comments count as white space (RFC 822 section 3.1.4).
    bare = blank_comments(text) if "(" in text else text
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
    # Step 5: continued and extended values (RFC 2231); no name twice.
    return type_, subtype, resolve(text, parameters)


def unfold(text: str) -> str:
    r"""Return a header on one line (RFC 5322 section 2.2.3).

    >>> unfold("text/plain;\r\n charset=utf-8")
    'text/plain; charset=utf-8'
    """
    return FOLD.sub("", text) if "\n" in text else text


def blank_comments(text: str) -> str:
    """Return `text` with comments replaced by spaces; spans stay the same."""
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
