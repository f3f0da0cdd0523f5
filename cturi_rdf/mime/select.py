"""Which of several parts a Content-ID means (RFC 2392 section 2): the container decides.

RFC 2046 section 5.1.4 and RFC 2387 section 3.2 are the rules of the containers.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from cturi_rdf.uri import ContentID

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cturi_rdf.mime.entity import Entity

__all__ = ["nearest", "select", "start_of"]


def nearest(candidates: Sequence[Entity], entity: Entity) -> Sequence[Entity]:
    """Return those of `candidates` that share the innermost container with `entity`.

    Where some belong to the same message as `entity`, only those; a message inside it may
    have a part of the same Content-ID.  `candidates` are in reading order.
    """
    indices = [candidate.index for candidate in candidates]
    container: Entity | None = entity
    while container is not None:
        low = bisect_left(indices, container.index)
        high = bisect_right(indices, container.last)
        inside = candidates[low:high]
        own = [candidate for candidate in inside if candidate.message is entity.message]
        if own or (inside and container.parent is None):
            return own or inside
        container = container.parent
    return candidates


def select(
    candidates: Sequence[Entity], understood: Callable[[Entity], bool] | None = None
) -> Entity | None:
    """Return the one of `candidates`, in reading order, that their containers choose.

    In a multipart/alternative it is the last that is `understood`, by default the last with a
    readable content type; in a multipart/related the one in its root; else the first.
    """
    chosen: Entity | None = None
    for candidate in candidates:
        chosen = candidate if chosen is None else _choose(chosen, candidate, understood)
    return chosen


def start_of(related: Entity) -> Entity | None:
    """Return the root of a multipart/related: the `start`, or the first part.

    RFC 2387 section 3.2.  A `start` that no part has is ignored.
    """
    start = related.content_type.parameters.get("start") if related.content_type else None
    wanted = ContentID.recover(start).id if start else None
    for part in related.children:
        if wanted is not None and part.content_id == wanted:
            return part
    return related.children[0] if related.children else None


def _choose(first: Entity, second: Entity, understood: Callable[[Entity], bool] | None) -> Entity:
    """Return which of two parts the innermost container of both chooses."""
    container = first.parent
    while container is not None and second not in container:
        container = container.parent
    kind = container.content_type.essence if container and container.content_type else ""
    if kind == "multipart/alternative":
        # RFC 2046 section 5.1.4: the last part whose type is recognised and supported.
        is_understood = (
            second.content_type is not None if understood is None else understood(second)
        )
        return second if is_understood else first
    if kind == "multipart/related" and container:
        root = start_of(container)
        return second if root and second in root and first not in root else first
    return first
