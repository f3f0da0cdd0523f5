"""Which of several parts a Content-ID means (RFC 2392 section 2): the container decides.

RFC 2046 section 5.1.4 and RFC 2387 section 3.2 are the rules of the containers; what breaks them is
a defect of the part that does.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from cturi_rdf.uri import ContentID

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cturi_rdf.content_type import ContentType
    from cturi_rdf.mime.entity import Entity

# RFC 2046 section 5.1.1.
_LONGEST_BOUNDARY = 70


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


def note_defects(entities: Sequence[Entity]) -> None:
    """Add the defects of containers to the entities of a message, which are in reading order."""
    seen: dict[ContentID, Entity] = {}
    for entity in entities:
        if len(entity.boundary) > _LONGEST_BOUNDARY:
            shown = entity.boundary.decode("utf-8", "replace")
            expected = f"{_LONGEST_BOUNDARY} at the most"
            rule = "RFC 2046 section 5.1.1"
            entity.note(f"a boundary of {len(entity.boundary)} octets", shown, expected, rule)
        if entity.content_type and entity.content_type.essence == "multipart/related":
            _note_root(entity, entity.content_type)
        if entity.content_id is not None:
            first = seen.setdefault(entity.content_id, entity)
            if first is not entity and _is_ambiguous(first, entity):
                entity.note(
                    "the Content-ID of another part",
                    str(entity.content_id),
                    "one of its own, but for the alternatives of one part",
                    "RFC 2045 section 7",
                )


def _note_root(related: Entity, content_type: ContentType) -> None:
    """Note what a multipart/related says wrong of its root (RFC 2387 section 3)."""
    root = start_of(related)
    start, kind = (content_type.parameters.get(name) for name in ("start", "type"))
    if start is not None and root is not None:
        wanted = ContentID.recover(start).id
        if wanted is None or root.content_id != wanted:
            problem = "a start that no part has as its Content-ID"
            related.note(problem, start, "the Content-ID of a part", "RFC 2387 section 3.2")
    if kind is None:
        problem, expected = "a multipart/related without a type", "the type of its root, as type"
        related.note(problem, content_type.essence, expected, "RFC 2387 section 3.1")
    elif root is not None and root.content_type and kind.lower() != root.content_type.essence:
        problem, expected = "a type that the root does not have", root.content_type.essence
        related.note(problem, kind, expected, "RFC 2387 section 3.1")


def _is_ambiguous(first: Entity, second: Entity) -> bool:
    """Return whether two parts of one message may not share a Content-ID."""
    if first.message is not second.message:
        return False
    container = _container(first, second)
    return not (
        container
        and container.content_type
        and container.content_type.essence == "multipart/alternative"
    )


def _container(first: Entity, second: Entity) -> Entity | None:
    """Return the innermost container of two parts, of which `first` comes first."""
    container = first.parent
    while container is not None and second not in container:
        container = container.parent
    return container


def _choose(first: Entity, second: Entity, understood: Callable[[Entity], bool] | None) -> Entity:
    """Return which of two parts the innermost container of both chooses."""
    container = _container(first, second)
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
