"""Content negotiation: which of several content types an ``Accept`` header asks for.

RFC 9110 section 12.5.1, with three things that it leaves to the types: a type is also what
its suffix and its registration say it is, so that ``application/json`` accepts
``application/ld+json``; an alias is what it stands for; and a profile is a set of IRIs that
a client may ask for but that nobody has to understand (RFC 6906 section 3).
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import lru_cache
from operator import itemgetter

from cturi_rdf._util.arguments import checked
from cturi_rdf.content_type import ContentType
from cturi_rdf.errors import ContentTypeError
from cturi_rdf.registry import registry
from cturi_rdf.registry.hierarchy import ancestry, said

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["MediaRange", "best", "parse_accept", "quality"]

# RFC 9110 section 12.4.2, and the ".2" that old clients send.
_WEIGHT = re.compile(r"0?\.[0-9]{1,9}|0\.?|1(?:\.0{0,9})?")
# An element of a list: a comma in a quoted string is none (RFC 9110 section 5.6.1).
_ELEMENT = re.compile(r'(?:[^",]|"(?:[^"\\]|\\.)*+"?)++', re.DOTALL)
# How near a range is to a type, nearest first: it names it, it names an alias, something
# that the type is a special case of, its top-level type, anything.
_NAMED, _ALIAS, _BROADER, _TOP_LEVEL, _ANYTHING = 5, 4, 3, 2, 1


class MediaRange:
    """A media range with its weight: one element of an ``Accept`` header.

    >>> found = MediaRange.parse("text/*; q=0.5")
    >>> str(found.content_type), found.weight
    ('text/*', 0.5)
    """

    __slots__ = ("content_type", "weight")

    content_type: ContentType
    weight: float

    def __init__(self, content_type: ContentType, weight: float = 1.0) -> None:
        """Take the range as a content type, whose parts may be ``*``, and its weight."""
        object.__setattr__(self, "content_type", content_type)
        object.__setattr__(self, "weight", weight)

    @classmethod
    @checked
    def parse(cls, text: str) -> MediaRange:
        """Return the range that a text is; raises `ContentTypeError` where it is none.

        RFC 9110 section 12.5.1; a bare ``*``, which old clients send, is ``*/*``.
        """
        return cls._of(ContentType.parse(_spelled_out(text)), text)

    @classmethod
    def _of(cls, read: ContentType, text: str) -> MediaRange:
        """Return the range that is written as a content type with its weight as ``q``."""
        if read.type == "*" != read.subtype:
            raise ContentTypeError(
                "a range of all types with one subtype", text, (0, len(text)),
                "'*/*', or a type before '/'", "RFC 9110 section 12.5.1",
            )  # fmt: skip
        parameters = dict(read.parameters)
        weight = parameters.pop("q", "1")
        if not _WEIGHT.fullmatch(weight):
            at = max(text.find(weight), 0)
            raise ContentTypeError(
                "no weight", text, (at, at + len(weight)), "a number from 0 to 1",
                "RFC 9110 section 12.4.2",
            )  # fmt: skip
        return cls(ContentType(read.type, read.subtype, parameters), float(weight))

    def matches(self, content_type: ContentType) -> bool:
        """Return whether a type is in the range, whatever the weight.

        >>> wanted = MediaRange.parse("application/json")
        >>> wanted.matches(ContentType.parse("application/ld+json; profile=x"))
        True
        """
        return self.nearness(content_type) is not None

    def nearness(self, content_type: ContentType) -> tuple[int, int, int] | None:
        """Return how near the range is to a type, to compare with others, or None if outside.

        What names the type goes before what names more, then more parameters before fewer
        (RFC 9110 section 12.5.1); last come profiles that the type does not have.
        """
        near = self._essence(content_type)
        asked, has = said(self.content_type), said(content_type)
        missing = asked - has
        if not near or any(name != "profile" for name, _ in missing):
            return None
        return near, len(asked & has), -len(missing)

    def _essence(self, content_type: ContentType) -> int:
        """Return how near the range is by type and subtype alone; 0 is outside."""
        range_ = self.content_type
        if range_.type == "*":
            return _ANYTHING
        if range_.subtype == "*":
            return _TOP_LEVEL if range_.type == content_type.type else 0
        if range_.essence == content_type.essence:
            return _NAMED
        canonical = registry().canonical(range_.essence)
        if canonical == registry().canonical(content_type.essence):
            return _ALIAS
        return _BROADER if canonical in ancestry(content_type.essence) else 0

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{name} of a media range cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{name} of a media range cannot be deleted")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MediaRange):
            return NotImplemented
        return (self.content_type, self.weight) == (other.content_type, other.weight)

    def __hash__(self) -> int:
        return hash((self.content_type, self.weight))

    def __str__(self) -> str:
        return (
            f"{self.content_type}; q={self.weight:g}" if self.weight < 1 else str(self.content_type)
        )

    def __repr__(self) -> str:
        return f"MediaRange.parse({str(self)!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return (MediaRange, (self.content_type, self.weight))


@lru_cache(maxsize=1_024)
@checked
def parse_accept(accept: str) -> tuple[MediaRange, ...]:
    """Return the media ranges of an ``Accept`` header, in their order.

    An element that cannot be read strictly is read leniently, and passed over if it is none:
    a server has to answer whatever it is sent.

    >>> parse_accept('text/html;title="a, b", ,text/ , */*;q=.1')
    (MediaRange.parse('text/html; title="a, b"'), MediaRange.parse('*/*; q=0.1'))
    """
    ranges = []
    for element in _ELEMENT.findall(accept):
        with suppress(ContentTypeError):
            read = _leniently(_spelled_out(element))
            ranges.append(MediaRange._of(read, element))  # noqa: SLF001 - of this module
    return tuple(ranges)


def _leniently(text: str) -> ContentType:
    try:
        return ContentType.parse(text)
    except ContentTypeError:
        recovered = ContentType.recover(text).content_type
        if recovered is None:
            raise
        return recovered


def _spelled_out(text: str) -> str:
    """Return a range with ``*/*`` for the bare ``*`` that old clients send."""
    bare, semicolon, rest = text.partition(";")
    return f"*/*{semicolon}{rest}" if bare.strip() == "*" else text


@checked
def quality(content_type: ContentType, accept: str) -> float:
    """Return how much a type is wanted, from 0 (not at all) to 1 (RFC 9110 section 12.4.2).

    The range nearest to the type decides.  An empty header accepts anything, as none does.

    >>> quality(ContentType.parse("text/csv"), "text/*;q=0.5, text/csv;q=0, */*")
    0.0
    """
    return _wanted(content_type, accept)[0]


@checked
def best(accept: str, offers: Iterable[ContentType]) -> ContentType | None:
    """Return which of the offers an ``Accept`` header wants most, or None if it wants none.

    Of equally wanted ones it is the one that the header names more closely, then the first.

    >>> offers = [ContentType.parse(each) for each in ("text/turtle", "application/ld+json")]
    >>> print(best("application/json, text/*;q=0.8", offers))
    application/ld+json
    """
    wanted = [(each, _wanted(each, accept)) for each in offers]
    offer, (weight, _) = max(wanted, key=itemgetter(1), default=(None, (0.0, ())))
    return offer if weight else None


def _wanted(content_type: ContentType, accept: str) -> tuple[float, tuple[int, ...]]:
    """Return the weight of a type, and how near the range is that gives it."""
    if not accept.strip():
        return 1.0, ()
    near = [
        (nearness, -at, each.weight)
        for at, each in enumerate(parse_accept(accept))
        if (nearness := each.nearness(content_type)) is not None
    ]
    if not near:
        return 0.0, ()
    nearest, _, weight = max(near)
    return weight, nearest
