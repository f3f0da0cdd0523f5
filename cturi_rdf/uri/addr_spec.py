r"""Identifiers in headers (RFC 5322) and in URLs (RFC 2392), and their defects.

A reader returns the identifier, as far as it can be read, and all defects in order.  Without
a defect the text is valid by the strict grammar; otherwise the first defect is the error of
strict reading.  No identifier with a control character is ever returned.
"""

from __future__ import annotations

import re

from cturi_rdf.content_type.grammar import FOLD, percent_decode, percent_encode
from cturi_rdf.content_type.strict import blank_comments
from cturi_rdf.errors import ContentTypeError, Defects, IdentifierError

_MSG_ID = "RFC 5322 section 3.6.4"
_URL = "RFC 2392 section 2"

_NON_ASCII = r"\xa0-\ud7ff\ue000-\U0010ffff"
# RFC 5322 section 3.2.3: atext, with the UTF8-non-ascii of RFC 6532 section 3.2.
_ATOM = rf"[!#$%&'*+\-/0-9=?A-Z^_`a-z{{|}}~{_NON_ASCII}]++"
# RFC 822 section 6: word = atom / quoted-string; here on one line.
_QUOTED = rf'"(?:[ !#-\[\]-~{_NON_ASCII}]|\\[ -~])*+"'
# local-part = word *("." word); domain = dot-atom-text / no-fold-literal
_ADDR_SPEC = (
    rf"(?:{_ATOM}|{_QUOTED})(?:\.(?:{_ATOM}|{_QUOTED}))*+@"
    rf"(?:{_ATOM}(?:\.{_ATOM})*+|\[[!-Z^-~{_NON_ASCII}]*+\])"
)
ADDR_SPEC = re.compile(_ADDR_SPEC)
# msg-id = [CFWS] "<" id-left "@" id-right ">" [CFWS]; comments are blanked out before.
_HEADER = re.compile(rf"[ \t]*+<({_ADDR_SPEC})>[ \t]*+")
# Characters that no identifier holds: C0 and C1 controls, and surrogates.
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_BRACKET = re.compile(r"[<>]")
_OUT_OF_PLACE = re.compile(rf"[^!#$%&'*+\-./0-9=?A-Z^_`a-z{{|}}~{_NON_ASCII}@]")

_SCHEME = re.compile(r"(?i:(mid)|cid):")
# RFC 3986 section 3.3: characters that stand for themselves in a segment of a path; "/" separates.
_PCHAR = r"A-Za-z0-9\-._~!$&'()*+,;=:@"
_NOT_PCHAR = re.compile(rf"[^{_PCHAR}]")
_MUST_BE_ENCODED = re.compile(rf"[^{_PCHAR}%]|%(?![0-9A-Fa-f]{{2}})")
# WHATWG URL section 4.4: characters that a browser strips from the ends, and in between.
_URL_ENDS = "".join(map(chr, range(0x21)))
_URL_BREAKS = re.compile(r"[\t\n\r]")


def can_be_held(addr_spec: str) -> bool:
    r"""Return whether a text can stand in angle brackets and be read back unchanged.

    >>> can_be_held("image 1"), can_be_held("a\r\nBcc: b"), can_be_held("<a@b>")
    (True, False, False)
    """
    if ADDR_SPEC.fullmatch(addr_spec):
        return True
    return (
        addr_spec != ""
        and addr_spec.strip() == addr_spec
        and not CONTROL.search(addr_spec)
        and not _BRACKET.search(addr_spec)
    )


def encode_segment(addr_spec: str) -> str:
    """Return an identifier with ``/`` and all characters that a URL forbids percent-encoded.

    >>> encode_segment("a/b%c@[::1]")
    'a%2Fb%25c@%5B::1%5D'
    """
    return percent_encode(addr_spec, _NOT_PCHAR)


def read_id(text: str, field: str) -> tuple[str | None, list[IdentifierError]]:
    """Return the identifier that the value of a header holds, and the defects.

    >>> read_id("Content-ID: <a@b> (note)", "Content-ID")
    ('a@b', [])
    >>> addr_spec, defects = read_id("< a.@b>", "Content-ID")
    >>> addr_spec, [defect.problem for defect in defects]
    ('a.@b', ['white space at the ends of an identifier', 'a dot out of place'])
    """
    defects = Defects(IdentifierError, text, _MSG_ID)
    name = re.match(rf"[ \t]*+(?i:{field})[ \t]*+:", text)
    start = name.end() if name else 0
    # A line break that is a fold counts as white space; all spans hold.
    flat = FOLD.sub(lambda fold: " " * len(fold[0]), text)
    try:
        bare = blank_comments(flat) if "(" in flat else flat
    except ContentTypeError as error:
        bare = flat
        defects.note(error.problem, *error.span, error.expected)
    match = _HEADER.fullmatch(bare, start)
    if match and not defects:
        return match[1], []
    opening = bare.find("<", start)
    closing = bare.find(">", opening + 1)
    if opening < 0 or closing < 0:
        defects.note("no angle brackets", start, len(text), "'<' identifier '>'")
        return _tidy(text, bare, (start, len(text)), defects), defects
    # The text in the brackets, where a doubled bracket counts as one.
    inside = opening + 1
    while bare[inside] == "<":
        inside += 1
    if inside > opening + 1:
        defects.note("a second '<'", opening + 1, inside, "one pair of angle brackets")
    for low, high in ((start, opening), (closing + 1, len(text))):
        if bare[low:high].strip(" \t"):
            defects.note("text outside the angle brackets", low, high, "one identifier")
    return _tidy(text, flat, (inside, closing), defects), defects


def read_url(url: str) -> tuple[str | None, str | None, list[IdentifierError]]:
    """Return the message's and the part's identifier of a URL, and the defects.

    Both are `None` where the text is not such a URL, or one of its identifiers is not valid.

    >>> read_url("mid:a%2Fb@c/d@e")
    ('a/b@c', 'd@e', [])
    """
    defects = Defects(IdentifierError, url, _URL)
    start, stop = len(url) - len(url.lstrip(_URL_ENDS)), len(url.rstrip(_URL_ENDS))
    scheme = _SCHEME.match(url, start)
    if scheme is None:
        defects.note("not a mid: or cid: URL", start, stop, "'mid:' or 'cid:'")
        return None, None, defects
    if start or stop < len(url):
        defects.note("white space around a URL", 0, len(url), "the URL alone")
    fragment = url.find("#", start, stop)
    if fragment >= 0:
        defects.note("a fragment", fragment, stop, "the URL without it")
        stop = fragment
    at = scheme.end()
    if scheme[1] is None:
        return None, _segment(url, at, stop, defects), defects
    # RFC 2392 section 2: "/" is reserved within "mid:", so that the first one separates.
    slash = url.find("/", at, stop)
    if slash < 0:
        return _segment(url, at, stop, defects), None, defects
    message = _segment(url, at, slash, defects)
    content = _segment(url, slash + 1, stop, defects)
    if message is None or content is None:
        return None, None, defects
    return message, content, defects


def _segment(url: str, start: int, stop: int, defects: Defects[IdentifierError]) -> str | None:
    """Return the identifier in ``url[start:stop]``, decoded one level."""
    raw = url[start:stop]
    if _URL_BREAKS.search(raw):
        defects.note("a line break or tab in a URL", start, stop, "the URL on one line")
        raw = _URL_BREAKS.sub("", raw)
    illegal = _MUST_BE_ENCODED.search(url, start, stop)
    if illegal and not _URL_BREAKS.match(illegal[0]):
        defects.note(
            "a character that must be percent-encoded", *illegal.span(), "'%' and two hex digits"
        )
    try:
        decoded = percent_decode(raw)
    except UnicodeDecodeError:
        defects.note("octets that are not UTF-8", start, stop, "UTF-8, percent-encoded")
        decoded = percent_decode(raw, "latin-1")
    # A defect of the decoded text is reported with the span of the whole segment.
    inner = Defects(IdentifierError, decoded, _URL)
    addr_spec = _tidy(decoded, decoded, (0, len(decoded)), inner)
    for defect in inner:
        defects.note(defect.problem, start, stop, defect.expected)
    return addr_spec


def _tidy(
    text: str, flat: str, span: tuple[int, int], defects: Defects[IdentifierError]
) -> str | None:
    """Return ``text[span]`` as an identifier, and note what does not belong to an addr-spec.

    `flat` is `text` with its folds, and perhaps its comments, blanked out.
    """
    start, stop = span
    inside = flat[start:stop]
    if inside.strip(" \t") != inside:
        defects.note(
            "white space at the ends of an identifier", start, stop, "the identifier alone"
        )
        start += len(inside) - len(inside.lstrip(" \t"))
        inside = inside.strip(" \t")
        stop = start + len(inside)
    raw = text[start:stop]
    if FOLD.search(raw):
        # A long identifier that was folded is one identifier.
        defects.note("a folded identifier", start, stop, "the identifier on one line")
        inside = re.sub(r"\r?\n[ \t]++", "", raw)
    control = CONTROL.search(inside)
    if control:
        what = "a line break" if control[0] in "\r\n" else "a control character"
        defects.note(f"{what} in an identifier", start, stop, "text on one line")
        return None
    if not can_be_held(inside):
        if _BRACKET.search(inside):
            defects.note("an angle bracket in an identifier", start, stop, "none")
        inside = _BRACKET.sub("", inside).strip()
    if not inside:
        defects.note("an empty identifier", start, stop, "text '@' text")
        return None
    _explain(inside, (start, stop), defects)
    return inside


def _explain(addr_spec: str, span: tuple[int, int], defects: Defects[IdentifierError]) -> None:
    """Note what keeps an identifier from being an addr-spec, if anything does."""
    if ADDR_SPEC.fullmatch(addr_spec):
        return
    match = _OUT_OF_PLACE.search(addr_spec)
    if "@" not in addr_spec:
        problem, expected = "an identifier without '@'", "text '@' text"
    elif match:
        problem, expected = f"the character {match[0]!r} out of place", "a word, '@' and a domain"
    elif addr_spec.count("@") > 1:
        problem, expected = "a second '@'", "text '@' text"
    elif addr_spec.startswith("@") or addr_spec.endswith("@"):
        problem, expected = "nothing before or after '@'", "text '@' text"
    else:
        problem, expected = "a dot out of place", "words with one dot between them"
    defects.note(problem, *span, expected)
