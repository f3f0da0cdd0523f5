"""Functions that compare types, and match them with an Accept header."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cturi_rdf.negotiation import MediaRange, best, quality
from cturi_rdf.rdf.terms import mint
from cturi_rdf.registry.hierarchy import is_a, is_same
from cturi_rdf.sparql.functions.function import function

if TYPE_CHECKING:
    from pyoxigraph import NamedNode

    from cturi_rdf.content_type import ContentType
    from cturi_rdf.sparql.functions.terms import Iri


@function(
    "isA",
    ('ctf:isA("application/ld+json; profile=x", "application/json")', "true"),
    ('ctf:isA("application/json", "application/ld+json")', "false"),
)
def _is_a(narrow: ContentType, broad: ContentType) -> bool:
    """Return whether all data of the first type is also of the second type.

    Parameters, aliases, suffixes and the registry decide.
    """
    return is_a(narrow, broad)


@function(
    "sameAs",
    ('ctf:sameAs("text/xml", "application/xml")', "true"),
    ('ctf:sameAs("text/csv; header=present", "text/csv")', "false"),
)
def _same_as(one: ContentType, other: ContentType) -> bool:
    """Return whether two types are the same apart from aliases, with the same parameters."""
    return is_same(one, other)


@function(
    "hasProfile",
    (
        'ctf:hasProfile("a/b; profile=\\"http://a.example/1 http://a.example/2\\"", <http://a.example/2>)',
        "true",
    ),
    ('ctf:hasProfile("application/ld+json", <http://a.example/2>)', "false"),
)
def _has_profile(x: ContentType, profiles: Iri) -> bool:
    """Return whether the profiles of a type, which are a set, have all of these."""
    return set(profiles.split()) <= set(x.parameters.get("profile", "").split())


@function(
    "matches",
    ('ctf:matches("text/csv", "text/*")', "true"),
    ('ctf:matches("image/png", "*/*;q=0.5")', "true"),
    ('ctf:matches("application/ld+json", "application/json")', "true"),
    ('ctf:matches("image/png", "text/*")', "false"),
    ('ctf:matches("image/png", "text")', None),
    ('ctf:matches("application/vnd.ms-excel", "application/vnd.*")', "false"),
)
def _matches(x: ContentType, media_range: str) -> bool:
    """Return whether a type is in a media range, whatever the weight (RFC 9110).

    A star stands for a whole subtype; no type is in `application/vnd.*`.
    """
    return MediaRange.parse(media_range).matches(x)


@function(
    "quality",
    ('ctf:quality("text/csv", "text/*;q=0.5, */*;q=0.1")', "0.5"),
    ('ctf:quality("text/csv", "image/png")', "0.0"),
)
def _quality(x: ContentType, accept: str) -> float:
    """Return how much an Accept header wants a type, from 0 to 1."""
    return quality(accept, x)


@function(
    "best",
    (
        'ctf:best("application/json", "text/turtle", "application/ld+json")',
        "<ContentType:application/ld+json>",
    ),
    ('ctf:best("image/png", "text/turtle")', None),
)
def _best(accept: str, *offers: ContentType) -> NamedNode | None:
    """Return the node of the offer that an Accept header wants most."""
    index = best(accept, offers)
    return mint(index) if index else None
