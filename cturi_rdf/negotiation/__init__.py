"""Content negotiation by RFC 9110 section 12, then by aliases and suffixes of types.

The parts that answer requests are loaded on demand: a comparison needs neither JSON nor HTTP.
"""

from __future__ import annotations

from cturi_rdf.negotiation.choice import Answer, Choice, Negotiator, best, choose, quality
from cturi_rdf.negotiation.ranges import Accept, MediaRange, parse_accept, read_accept
from cturi_rdf.negotiation.servers import Representations, Response

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
