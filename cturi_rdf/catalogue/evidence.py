"""Evidence: what one statement about a resource, or one URL of it, says of the resource's type."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from cturi_rdf.content_type import ContentType
    from cturi_rdf.labels.resolution import Confidence

__all__ = ["Evidence", "Reading"]


class Reading(NamedTuple):
    """One thing that a statement may mean.

    `contents` are the types that it names, several where it names several formats; `wrappers` are
    the packages and compressions around them, the outermost first; `services` are the names of
    services.  `confidence` is ``certain`` or ``likely``, and `reason` says why in a sentence.
    """

    contents: tuple[ContentType, ...]
    wrappers: tuple[ContentType, ...] = ()
    services: tuple[str, ...] = ()
    confidence: Confidence = "certain"
    reason: str = ""


class Evidence(NamedTuple):
    """The evidence of one statement, or of one URL: its property, its text, and all its readings.

    The preferred reading is first.  A text that is not understood has none.
    """

    property: str
    text: str
    readings: tuple[Reading, ...] = ()
