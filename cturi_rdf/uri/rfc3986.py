"""URIs and IRIs: the characters that each component allows, and percent-encoding.

RFC 3986 (URI) and RFC 3987 (IRI), generic syntax only: no scheme is known here, nothing is
resolved, normalised or opened.  The time is linear in the length of the text.
"""

from __future__ import annotations

import re
from functools import cache, cached_property
from typing import TYPE_CHECKING, cast

from cturi_rdf._util.references import REFERENCE, Components
from cturi_rdf.content_type.grammar import percent_encode
from cturi_rdf.errors import MappingError

if TYPE_CHECKING:
    from collections.abc import Iterator

# RFC 3986 section 2: unreserved and sub-delims; RFC 3987 section 2.2: ucschar, iprivate.
_UNRESERVED = r"A-Za-z0-9\-._~"
_SUB_DELIMS = r"!$&'()*+,;="
_UCSCHAR = (
    "\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef"
    "\U00010000-\U0001fffd\U00020000-\U0002fffd\U00030000-\U0003fffd\U00040000-\U0004fffd"
    "\U00050000-\U0005fffd\U00060000-\U0006fffd\U00070000-\U0007fffd\U00080000-\U0008fffd"
    "\U00090000-\U0009fffd\U000a0000-\U000afffd\U000b0000-\U000bfffd\U000c0000-\U000cfffd"
    "\U000d0000-\U000dfffd\U000e1000-\U000efffd"
)
_IPRIVATE = "\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd"


class _Place:
    """The characters that have to be percent-encoded in one component of an IRI."""

    def __init__(
        self, section: str, separators: str, *, raw: str = "", private: bool = False
    ) -> None:
        """Take the section of RFC 3986, and the separators that are forbidden in this component.

        The characters of `raw` are allowed although the RFC forbids them.
        """
        self.section = section
        self._forbidden = "".join(c for c in '"<>[\\]^`{|}' + separators if c not in raw)
        self._bare_percent = "" if "%" in raw else "|%(?![0-9A-Fa-f]{2})"
        self._private = private

    @cached_property
    def _ascii(self) -> re.Pattern[str]:
        return re.compile(f"[\x00-\x20\x7f{re.escape(self._forbidden)}]{self._bare_percent}")

    def search(self, text: str, span: tuple[int, int]) -> re.Match[str] | None:
        """Return the match of the first forbidden character in the `span` of `text`, or None."""
        match = self._ascii.search(text, *span)
        if text.isascii():
            return match
        return (
            _not_ucschar(self._private).search(text, span[0], match.end() if match else span[1])
            or match
        )

    def encode(self, text: str) -> str:
        """Return `text` with all forbidden characters percent-encoded."""
        text = percent_encode(text, self._ascii)
        return text if text.isascii() else percent_encode(text, _not_ucschar(self._private))


@cache
def _not_ucschar(private: bool) -> re.Pattern[str]:  # noqa: FBT001 - the one thing that differs
    """Return a pattern of the characters beyond ASCII that are forbidden in an IRI, or a query.

    Compiled when first needed: it takes longer than importing all of the core.
    """
    return re.compile(f"[^\x00-\x7f{_UCSCHAR}{_IPRIVATE if private else ''}]")


# Section 3.2.2 and 3.2.3: host [ ":" port ]
_HOST_PORT = re.compile(r"(\[[^\[\]]*+\]|[^:]*+)(?::([0-9]*+))?", re.DOTALL)
_IP_FUTURE = rf"[vV][0-9A-Fa-f]++\.[{_UNRESERVED}{_SUB_DELIMS}:]++"
# RFC 3986 section 3: the characters that separate a component from the others are forbidden in it.
_USERINFO = _Place("3.2.1", "/?#@")
_HOST = _Place("3.2.2", "/?#@:")
_PATH = _Place("3.3", "?#")
_QUERY = _Place("3.4", "#", private=True)
_FRAGMENT = _Place("3.5", "#")
# The same in the draft's spelling, which leaves some characters raw in query and fragment:
# quotes, a bare percent sign, and the brackets that the web's queries are full of.
_DRAFT_QUERY = _Place("3.4", "#", raw='"[]%', private=True)
_DRAFT_FRAGMENT = _Place("3.5", "#", raw='"[]%')
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def check(text: str) -> Components:
    """Return the components of `text`, an absolute IRI in the strict or the draft's spelling.

    Raises `MappingError` with the span of a character that RFC 3986 and RFC 3987 forbid; raw
    quotes, brackets and percent signs are allowed in query and fragment.

    >>> check('http://a.example/?b="c"').query
    'b="c"'
    """
    match = _reference(text)
    if match[1] is None:
        raise MappingError(
            "not an absolute URI", text, expected="a scheme and ':'", rule="RFC 3986 section 4.3"
        )
    for place, span in _places(match, draft=True):
        if forbidden := place.search(text, span):
            problem = "a character that is not allowed here"
            expected = "it percent-encoded, by the octets of UTF-8"
            rule = f"RFC 3986 section {place.section}"
            raise MappingError(problem, text, forbidden.span(), expected, rule)
    return Components(*match.groups())


def legalise(text: str, *, draft: bool) -> str:
    """Return an absolute URI with all characters percent-encoded that are forbidden at their place.

    With `draft` the characters that the draft's spelling leaves raw stay raw.  Raises
    `MappingError` where encoding does not help: scheme, port, IP address, control character.

    >>> legalise('http://a.example/b c?d="100%"', draft=False)
    'http://a.example/b%20c?d=%22100%25%22'
    >>> legalise('http://a.example/b c?d="100%"', draft=True)
    'http://a.example/b%20c?d="100%"'
    """
    match, control = _reference(text), _CONTROL.search(text)
    if match[1] is None or control:
        problem = "a control character" if control else "not an absolute URI"
        expected, rule = "a scheme, ':' and text", "RFC 3986 section 4.3"
        raise MappingError(problem, text, control.span() if control else None, expected, rule)
    pieces, position = [], 0
    for place, (start, end) in _places(match, draft=draft):
        pieces += [text[position:start], place.encode(text[start:end])]
        position = end
    return "".join([*pieces, text[position:]])


def legal_fragment(text: str) -> str:
    """Return a fragment with all forbidden characters percent-encoded (RFC 3987 section 2.2).

    >>> legal_fragment("a/b?c"), legal_fragment("a b")
    ('a/b?c', 'a%20b')
    """
    return _FRAGMENT.encode(text)


def _reference(text: str) -> re.Match[str]:
    return cast("re.Match[str]", REFERENCE.fullmatch(text))  # every text is one


def _places(match: re.Match[str], *, draft: bool) -> Iterator[tuple[_Place, tuple[int, int]]]:
    """Yield the components of a reference with their spans, but for those without such characters.

    Raises `MappingError` for a port that is no number and a literal that is no address.
    """
    if match[2] is not None:
        start, end = match.span(2)
        userinfo, at, _ = match[2].rpartition("@")
        yield _USERINFO, (start, start + len(userinfo))
        yield _HOST, _host_span(match.string, start + len(userinfo) + len(at), end)
    query, fragment = (_DRAFT_QUERY, _DRAFT_FRAGMENT) if draft else (_QUERY, _FRAGMENT)
    for group, place in ((3, _PATH), (4, query), (5, fragment)):
        if match[group] is not None:
            yield place, match.span(group)


def _host_span(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span of the host in ``host[:port]``; an IP literal counts as none.

    Raises `MappingError` for a port that is no number and a literal that is no address.
    """
    match = _HOST_PORT.fullmatch(text, start, end)
    if match is None:
        expected, rule = "host[:digits]", "RFC 3986 section 3.2"
        raise MappingError("not a host and a port", text, (start, end), expected, rule)
    if not match[1].startswith("["):
        return match.span(1)
    if not _is_address(match[1][1:-1]):
        expected, rule = "an IPv6 or later address in brackets", "RFC 3986 section 3.2.2"
        raise MappingError("not an IP address", text, match.span(1), expected, rule)
    return match.end(1), match.end(1)


def _is_address(text: str) -> bool:
    """Return whether `text` is IPv6address or IPvFuture (RFC 3986 section 3.2.2)."""
    if re.fullmatch(_IP_FUTURE, text):
        return True
    from ipaddress import AddressValueError, IPv6Address

    try:
        return IPv6Address(text).scope_id is None
    except AddressValueError:
        return False
