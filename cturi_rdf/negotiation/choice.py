"""The choice among several content types by an ``Accept`` header.

There are two passes.  In the first RFC 9110 section 12.5.1 decides.  If it finds nothing that is
wanted, the meaning of types decides: aliases and suffixes.  So the ``application/xml`` of a browser
never outweighs what it asks for by name or by ``*/*``, and yet a client that asks for
``application/json`` alone is given ``application/ld+json``.  A type that the first pass refuses, by
a weight of 0, stays refused.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf.content_type import ContentType
from cturi_rdf.negotiation.ranges import MediaRange, parse_accept

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Literal, TypeVar

    from cturi_rdf.negotiation.ranges import Nearness

    Offer = TypeVar("Offer", str, ContentType)
    Pass = Literal["rfc9110", "meaning"]


class Choice(NamedTuple):
    """The index of the chosen offer, its weight, and the pass that found it.

    Where no offer is wanted `index` is None, `weight` 0 and `by` None.
    """

    index: int | None  # type: ignore[assignment]  # the method of tuples is not missed
    weight: float
    by: Pass | None


def choose(
    accept: str | Sequence[MediaRange] | None,
    offers: Iterable[str | ContentType],
    *,
    exact: bool = False,
) -> Choice:
    """Return the choice of an ``Accept`` header among offers, and the pass that found it.

    The header is given as text, as ranges, or as None where the request has none; the offers as
    text or values, best first.  Of equally wanted offers it is the one that the header names most
    closely, then the first.  With `exact` every parameter of a range is a condition; otherwise
    ``charset=utf-8`` is none for a type that is always UTF-8, such as JSON.  Raises
    `ContentTypeError` for an offer that is no type.

    >>> choose("application/json", ["text/html", "application/ld+json"])
    Choice(index=1, weight=1.0, by='meaning')
    >>> choose("text/html, */*;q=0.1", ["application/ld+json"])
    Choice(index=0, weight=0.1, by='rfc9110')
    """
    ranges = parse_accept(accept) if isinstance(accept, str) else accept
    types = [ContentType.parse(offer) if isinstance(offer, str) else offer for offer in offers]
    if ranges is None or (isinstance(accept, str) and not accept.strip(" \t,")):
        # Section 12.5.1: without the header anything will do.  The same holds for an empty one,
        # and a list of empty elements is empty (section 5.6.1.2).
        return Choice(0, 1.0, "rfc9110") if types else Choice(None, 0.0, None)
    by_rfc = partial(MediaRange.nearness, exact=exact)
    strict = [_weighed(ranges, by_rfc, content_type) for content_type in types]
    wide = (
        _weighed(ranges, MediaRange.affinity, content_type) if near is None else (0.0, None)
        for content_type, (_, near) in zip(types, strict, strict=True)
    )
    return _most(strict, "rfc9110") or _most(wide, "meaning") or Choice(None, 0.0, None)


def best(
    accept: str | Sequence[MediaRange] | None, offers: Iterable[Offer], *, exact: bool = False
) -> Offer | None:
    """Return the offer that an ``Accept`` header prefers, or None if it accepts none.

    The arguments and errors are those of `choose`; the offer is returned as it was given.

    >>> best("application/json, text/*;q=0.8", ["text/turtle", "application/ld+json"])
    'text/turtle'
    >>> best("application/json", ["text/turtle", "application/ld+json"])
    'application/ld+json'
    """
    candidates = list(offers)
    index = choose(accept, candidates, exact=exact).index
    return None if index is None else candidates[index]


def quality(
    accept: str | Sequence[MediaRange] | None, offer: str | ContentType, *, exact: bool = False
) -> float:
    """Return how much a type is wanted, from 0 (not at all) to 1 (RFC 9110 section 12.4.2).

    The range nearest to the type decides.  An empty header accepts anything, like a missing one.

    >>> quality("text/*;q=0.5, text/csv;q=0, */*", "text/csv")
    0.0
    """
    return choose(accept, [offer], exact=exact).weight


def _weighed(
    ranges: Sequence[MediaRange],
    compare: Callable[[MediaRange, ContentType], Nearness | None],
    content_type: ContentType,
) -> tuple[float, Nearness | None]:
    """Return the weight of a type, and the rank of the range that gives it."""
    near = [
        (nearness, -at, range_.weight)
        for at, range_ in enumerate(ranges)
        if (nearness := compare(range_, content_type)) is not None
    ]
    if not near:
        return 0.0, None
    nearest, _, weight = max(near)
    return weight, nearest


def _most(weighed: Iterable[tuple[float, Nearness | None]], by: Pass) -> Choice | None:
    """Return the choice of the greatest weight, the first of several, or None."""
    wanted = [(weight, near or (), -at) for at, (weight, near) in enumerate(weighed) if weight]
    if not wanted:
        return None
    weight, _, at = max(wanted)
    return Choice(-at, weight, by)
