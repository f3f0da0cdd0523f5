"""The IRI of every entity of a message, and which of several parts a Content-ID means.

Every entity has one IRI, ``mid:`` where it has one, else its position.

* A message is ``mid:`` its Message-ID.  Without one it is named by its digest, as RFC 6920
  names any content: ``ni:///sha-256;…`` over its octets with lines ended by CR LF.
* A part is ``mid:`` message ``/`` Content-ID, provided that this URL means it: of several
  parts with one Content-ID only the one that their container chooses has that name.
* Any other part is the message's IRI and its position, ``#part=`` its number in reading
  order, as `email.message.Message.walk` counts; the message itself is 0.  A message never
  changes, so that neither does the number; it stays short at any depth, which IMAP's
  section numbers do not.

A message within a message has a ``mid:`` name of its own if its Message-ID is no other's;
else it is a part like any other.

Of several parts with one Content-ID the container decides (RFC 2392 section 2).  RFC 2046 section
5.1.4 and RFC 2387 section 3.2 are its rules; what breaks them is a defect of the part that does.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from cturi_rdf.uri import ContentID, Reference

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cturi_rdf.mime.document import Message
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
        if own:
            return own
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
    start = related.parameters.get("start")
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
        if entity.essence == "multipart/related":
            _note_root(entity)
        if entity.content_id is not None:
            first = seen.setdefault(entity.content_id, entity)
            if first is not entity and _is_ambiguous(first, entity):
                problem = "the Content-ID of another part"
                expected = "one of its own, but for the alternatives of one part"
                entity.note(problem, str(entity.content_id), expected, "RFC 2045 section 7")


def _note_root(related: Entity) -> None:
    """Note what a multipart/related says wrong of its root (RFC 2387 section 3)."""
    root = start_of(related)
    start, kind = (related.parameters.get(name) for name in ("start", "type"))
    if start is not None and root is not None:
        wanted = ContentID.recover(start).id
        if wanted is None or root.content_id != wanted:
            problem = "a start that no part has as its Content-ID"
            related.note(problem, start, "the Content-ID of a part", "RFC 2387 section 3.2")
    if kind is None:
        problem, expected = "a multipart/related without a type", "the type of its root, as type"
        related.note(problem, related.essence, expected, "RFC 2387 section 3.1")
    elif root is not None and root.essence and kind.lower() != root.essence:
        problem, expected = "a type that the root does not have", root.essence
        related.note(problem, kind, expected, "RFC 2387 section 3.1")


def _is_ambiguous(first: Entity, second: Entity) -> bool:
    """Return whether two parts of one message may not share a Content-ID."""
    if first.message is not second.message:
        return False
    container = _container(first, second)
    return container is None or container.essence != "multipart/alternative"


def _container(first: Entity, second: Entity) -> Entity | None:
    """Return the innermost container of two parts, of which `first` comes first."""
    container = first.parent
    while container is not None and second not in container:
        container = container.parent
    return container


def _choose(first: Entity, second: Entity, understood: Callable[[Entity], bool] | None) -> Entity:
    """Return which of two parts the innermost container of both chooses."""
    container = _container(first, second)
    if container is None:
        return first
    if container.essence == "multipart/alternative":
        # RFC 2046 section 5.1.4: the last part whose type is recognised and supported.
        is_understood = (
            second.content_type is not None if understood is None else understood(second)
        )
        return second if is_understood else first
    if container.essence == "multipart/related":
        root = start_of(container)
        return second if root and second in root and first not in root else first
    return first


def names(message: Message, *, by_digest: bool = False) -> list[str]:
    r"""Return the IRI of every entity of a message, by its index.

    With `by_digest` the message is named as if it had no Message-ID, because another has
    it already.

    >>> from cturi_rdf.mime import Message
    >>> names(Message.read(
    ...     b"Message-ID: <m@a>\nContent-Type: multipart/mixed; boundary=x\n"
    ...     b"\n--x\n\none\n--x\nContent-ID: <p@a>\n\ntwo\n--x--"
    ... ))
    ['mid:m@a', 'mid:m@a#part=1', 'mid:m@a/p@a']
    """
    iris: list[str] = []
    # By index: the entity whose name the names of its parts begin with.
    bases: list[int] = []
    for entity in message:
        base = 0 if entity.parent is None else bases[entity.parent.index]
        owned = entity.message_id if message.owns(entity) else None
        if owned is not None and not (by_digest and entity.parent is None):
            iris.append(owned.url)
            base = entity.index
        elif entity.parent is None:
            # RFC 6920 section 3.
            digest = urlsafe_b64encode(bytes.fromhex(message.sha256)).decode().rstrip("=")
            iris.append(f"ni:///sha-256;{digest}")
        else:
            holder = None if by_digest and base == 0 else message.entities[base].message_id
            name = f"{iris[base]}#part={entity.index - base}"
            if holder is not None and entity.content_id is not None:
                reference = Reference(holder, entity.content_id)
                if message.resolve(reference) is entity:
                    name = str(reference)
            iris.append(name)
        bases.append(base)
    return iris
