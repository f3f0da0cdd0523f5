"""Media ranges, and the ``Accept`` header that holds them (RFC 9110 section 12.5.1).

A range is compared to a type in two ways.  `MediaRange.nearness` is the RFC's, with what the
registrations of types say of their parameters: a profile changes nothing for those who do not
know it (RFC 6906 section 3), and an earlier version of RDF will do for a later one.
`MediaRange.affinity` is wider: aliases, suffixes, and JSON-LD under its other names.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf.content_type import ContentType
from cturi_rdf.errors import ContentTypeError, expect_kind
from cturi_rdf.registry import registry
from cturi_rdf.registry.hierarchy import (
    DEFAULT_VERSION,
    VERSIONS,
    ancestry,
    comparison_parameters,
    is_always_utf_8,
    lacks,
    rdf_type,
    unknown_profiles,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cturi_rdf.content_type.grammar import Rules

Nearness = tuple[int, int, int]

# RFC 9110 section 12.4.2, and the ".2" that old clients send.
_WEIGHT = re.compile(r"0?\.[0-9]{1,9}|0\.?|1(?:\.0{0,9})?")
# An element of a list: a comma in a quoted string does not separate (RFC 9110 section 5.6.1).
_ELEMENT = re.compile(r'(?:[^",]|"(?:[^"\\]|\\.)*+"?)++', re.DOTALL)
# How near a range is to a type, nearest first: it names the type, its top-level type, anything.
_NAMED, _TOP_LEVEL, _ANYTHING = 5, 2, 1
# In the wider comparison: another name of the type, or the syntax that it is in.
_ALIAS, _SYNTAX = 4, 3
# ActivityPub section 3.2: this type, and JSON-LD with this profile, are to be treated alike.
_ACTIVITY = "application/activity+json"
_ACTIVITY_PROFILE = "https://www.w3.org/ns/activitystreams"


class MediaRange(NamedTuple):
    """A media range with its weight: one element of an ``Accept`` header.

    The parts of `content_type` may be ``*``.

    >>> text = MediaRange.parse("text/*; q=0.5")
    >>> str(text.content_type), text.weight
    ('text/*', 0.5)
    """

    content_type: ContentType
    weight: float = 1.0

    @classmethod
    def parse(cls, text: str, *, rules: Rules = "any") -> MediaRange:
        """Return the range in a text; raises `ContentTypeError` where it is not one.

        RFC 9110 section 12.5.1; a bare ``*``, which old clients send, is ``*/*``.  The `rules` are
        those of `ContentType.parse`.
        """
        return cls._of(ContentType.parse(_spelled_out(text), rules=rules), text)

    @classmethod
    def _of(cls, read: ContentType, text: str) -> MediaRange:
        """Return the range that is written as a content type with its weight as ``q``."""
        if read.type == "*" != read.subtype:
            problem = "a range of all types with one subtype"
            expected = "'*/*', or a type before '/'"
            raise ContentTypeError(problem, text, expected=expected, rule="RFC 9110 section 12.5.1")
        if read.subtype.startswith("*+"):
            raise ContentTypeError(
                "a range of types by their suffix",
                text,
                _span(f"{read.essence}", text.lower()),
                expected=f"'{read.type}/*', or each type by its name",
                rule="RFC 7303 section 8",
            )
        parameters = dict(read.parameters)
        weight = parameters.pop("q", "1")
        if not _WEIGHT.fullmatch(weight):
            expected, rule = "a number from 0 to 1", "RFC 9110 section 12.4.2"
            raise ContentTypeError("not a weight", text, _span(weight, text), expected, rule)
        return cls(ContentType(read.type, read.subtype, parameters), float(weight))

    def matches(self, content_type: ContentType) -> bool:
        """Return whether a type is in the range, by the RFC or by meaning; the weight is ignored.

        >>> wanted = MediaRange.parse("application/json")
        >>> wanted.matches(ContentType.parse("application/ld+json; profile=x"))
        True
        """
        return self.nearness(content_type) is not None or self.affinity(content_type) is not None

    def nearness(self, content_type: ContentType, *, exact: bool = False) -> Nearness | None:
        """Return the rank of the range for a type by RFC 9110, or None if the type is outside.

        A range that names the type ranks above a wider one, then more parameters above fewer (RFC
        9110 section 12.5.1); a profile that the type lacks lowers the rank.  A charset of UTF-8 is
        no condition for a type that is always UTF-8, unless the comparison is to be `exact`.

        >>> MediaRange.parse("text/*").nearness(ContentType.parse("text/csv")) is None
        False
        >>> MediaRange.parse("application/json").nearness(
        ...     ContentType.parse("application/ld+json")) is None
        True
        """
        range_ = self.content_type
        if range_.essence == content_type.essence:
            near = _NAMED
        elif range_.type == "*":
            near = _ANYTHING
        elif range_.subtype == "*" and range_.type == content_type.type:
            near = _TOP_LEVEL
        else:
            return None
        missing = lacks(_with_version(content_type), range_)
        if not exact and is_always_utf_8(content_type.essence):
            missing -= {("charset", "utf-8")}
        return _ranked(near, range_, missing)

    def affinity(self, content_type: ContentType) -> Nearness | None:
        """Return the rank of the range for a type by meaning, or None if the type is outside.

        A range means a type that it is an alias of, and one whose syntax it names: by the suffix
        (RFC 6838 section 4.2.8), unless that is a package's, or as one of the types that are
        JSON-LD.  By meaning, a charset of UTF-8 is no condition for a type without a charset, and
        neither is an undefined version.

        >>> MediaRange.parse("application/json").affinity(
        ...     ContentType.parse("application/ld+json")) is None
        False
        >>> MediaRange.parse("application/zip").affinity(
        ...     ContentType.parse("application/epub+zip")) is None
        True
        """
        range_, offer = _expanded(self.content_type), _expanded(content_type)
        canonical = registry().canonical(range_.essence)
        near = 0
        if "*" in {range_.type, range_.subtype}:
            near = _ANYTHING if range_.type in {"*", offer.type} else 0
        elif canonical == registry().canonical(offer.essence):
            near = _NAMED if self.content_type.essence == content_type.essence else _ALIAS
        elif self.content_type.essence != _ACTIVITY and canonical in ancestry(
            offer.essence, by_syntax=True
        ):
            near = _SYNTAX
        missing = {pair for pair in lacks(_with_version(offer), range_) if _counts(pair, offer)}
        return _ranked(near, range_, missing) if near else None

    def __str__(self) -> str:
        weight = f"; q={self.weight:g}" if self.weight < 1 else ""
        return f"{self.content_type}{weight}"

    def __repr__(self) -> str:
        return f"MediaRange.parse({str(self)!r})"


class Accept(NamedTuple):
    """The media ranges of an ``Accept`` header in order, and the defects of its elements."""

    ranges: tuple[MediaRange, ...]
    defects: tuple[ContentTypeError, ...]


@lru_cache(1_024)
def read_accept(accept: str, rules: Rules = "any") -> Accept:
    """Return the media ranges of an ``Accept`` header, and the defects of its elements.

    An element that cannot be read strictly is read leniently, and dropped if that fails too: a
    server has to answer every request.  For the same reason the `rules` (see `ContentType.parse`)
    are ``"any"`` by default.  An unknown profile that looks like one of JSON-LD is a defect as
    well, but its range counts.  A pattern with a suffix, such as ``application/*+xml``, is not a
    range.

    >>> for defect in read_accept("text/html, text/, */html, text/csv;q=2").defects:
    ...     print(defect.problem)
    the subtype is missing
    a range of all types with one subtype
    not a weight
    """
    expect_kind(accept, str, "an Accept header is text")
    ranges: list[MediaRange] = []
    defects: list[ContentTypeError] = []
    for match in _ELEMENT.finditer(accept):
        element = match[0]
        if not element.strip():
            # RFC 9110 section 5.6.1.2: empty elements are ignored.
            continue
        recovered = ContentType.recover(_spelled_out(element), rules=rules)
        read, overlooked = recovered.content_type, recovered.defects
        try:
            if read:
                ranges.append(MediaRange._of(read, element))  # noqa: SLF001 - of this module
                overlooked = (*overlooked, *_unknown_profiles(read, element))
        except ContentTypeError as error:
            overlooked = (*overlooked, error)
        for defect in overlooked:
            # From its end, because ``*/*`` is read for ``*`` at its start.
            before = match.end() - len(defect.text)
            start, end = (max(match.start(), before + at) for at in defect.span)
            expected, rule = defect.expected, defect.rule
            defects.append(ContentTypeError(defect.problem, accept, (start, end), expected, rule))
    return Accept(tuple(ranges), tuple(defects))


def parse_accept(accept: str, rules: Rules = "any") -> tuple[MediaRange, ...]:
    """Return the media ranges of an ``Accept`` header, in their order, as `read_accept` does.

    >>> parse_accept('text/html;title="a, b", ,text/ , */*;q=.1')
    (MediaRange.parse('text/html; title="a, b"'), MediaRange.parse('*/*; q=0.1'))
    """
    return read_accept(accept, rules).ranges


def _ranked(near: int, range_: ContentType, missing: set[tuple[str, str]]) -> Nearness | None:
    """Return a rank that counts parameters, or None if one other than a profile is missing."""
    if any(name != "profile" for name, _ in missing):
        return None
    return near, len(comparison_parameters(range_)) - len(missing), -len(missing)


def _unknown_profiles(read: ContentType, element: str) -> Iterator[ContentTypeError]:
    """Note profiles in the namespace of JSON-LD that it does not define; the range still counts."""
    for profile in unknown_profiles(read):
        yield ContentTypeError(
            "a profile that JSON-LD does not have",
            element,
            _span(profile, element),
            expected="one that its specification defines, or an IRI under another prefix",
            rule="JSON-LD 1.1, IANA considerations",
        )


def _span(part: str, text: str) -> tuple[int, int]:
    """Return the span of a part of a range, at its start if the text spells the part otherwise."""
    start = max(text.find(part), 0)
    return start, start + len(part)


def _spelled_out(text: str) -> str:
    """Return a range with ``*/*`` for the bare ``*`` that old clients send."""
    bare, semicolon, rest = text.partition(";")
    return f"*/*{semicolon}{rest}" if bare.strip() == "*" else text


def _with_version(content_type: ContentType) -> ContentType:
    """Return a type with the default version of its data, where it has versions."""
    if "version" in content_type.parameters:
        return content_type
    record = rdf_type(content_type.essence)
    if record is None or record.latest is None:
        return content_type
    parameters = dict(content_type.parameters) | {"version": DEFAULT_VERSION}
    return ContentType(content_type.type, content_type.subtype, parameters)


def _expanded(content_type: ContentType) -> ContentType:
    """Return JSON-LD with a profile for the type of ActivityStreams; other types unchanged."""
    if content_type.essence != _ACTIVITY:
        return content_type
    parameters = dict(content_type.parameters)
    profiles = f"{parameters.get('profile', '')} {_ACTIVITY_PROFILE}"
    return ContentType("application", "ld+json", parameters | {"profile": profiles.strip()})


def _counts(pair: tuple[str, str], offer: ContentType) -> bool:
    """Return whether an offer that lacks this parameter is out of range when meaning decides."""
    name, value = pair
    if name == "charset":
        return value != "utf-8" or name in offer.parameters
    if name == "version":
        record = rdf_type(offer.essence)
        return value in VERSIONS or record is None or record.latest is None
    return True
