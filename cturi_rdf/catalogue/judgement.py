"""The judgement of a resource: what all its evidence says together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from cturi_rdf.catalogue.evidence import Evidence, Reading
    from cturi_rdf.content_type import ContentType
    from cturi_rdf.labels.resolution import Confidence

__all__ = ["Judgement", "Outcome"]

# One type; several that do not contradict each other; types that do; nothing that is understood.
Outcome = Literal["one", "several", "conflict", "none"]


class Judgement(NamedTuple):
    """What a resource is, by all its evidence.

    `outcome` says whether there is one type.  `contents` are the types of what is inside,
    `wrappers` what it is wrapped in, the outermost first, and `services` the services that it names
    besides.  `conflicts` are the types that contradict each other.  `chosen` has the reading that
    was taken of each piece of evidence, in the same order, None for one that is contradicted or
    not understood.  `confidence` is ``certain`` where certain evidence alone says the same.
    """

    outcome: Outcome
    contents: tuple[ContentType, ...]
    wrappers: tuple[ContentType, ...]
    services: tuple[str, ...]
    conflicts: tuple[ContentType, ...]
    confidence: Confidence
    evidence: tuple[Evidence, ...]
    chosen: tuple[Reading | None, ...]
