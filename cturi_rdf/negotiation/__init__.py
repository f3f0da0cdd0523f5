"""Content negotiation by RFC 9110 section 12, then by aliases and suffixes of types."""

from __future__ import annotations

from cturi_rdf.negotiation.choice import (
    Answer,
    Choice,
    Negotiator,
    Representations,
    Response,
    best,
    choose,
    quality,
)
from cturi_rdf.negotiation.ranges import Accept, MediaRange, parse_accept, read_accept

__all__ = [
    "Accept",
    "Answer",
    "Choice",
    "MediaRange",
    "Negotiator",
    "Representations",
    "Response",
    "best",
    "choose",
    "parse_accept",
    "quality",
    "read_accept",
]
