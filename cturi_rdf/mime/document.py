"""A message and its parts: read from anywhere, with the meanings of URLs in it.

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
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING

from cturi_rdf._util.references import resolve_reference
from cturi_rdf.errors import IdentifierError, MessageError
from cturi_rdf.mime.scan import Source, scan
from cturi_rdf.uri import ContentID, Reference

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from cturi_rdf.mime.entity import Entity
    from cturi_rdf.mime.scan import Readable
    from cturi_rdf.uri import MessageID


# RFC 2557 section 5: the base where none is given.
_NO_BASE = "thismessage:/"
# RFC 2046 section 5.1.1.
_LONGEST_BOUNDARY = 70


class Message:
    r"""A message with only its headers in memory; iterating gives its entities.

    >>> message = Message.read(
    ...     b"Message-ID: <m@a>\nContent-Type: multipart/related; boundary=x\n"
    ...     b"\n--x\nContent-Type: text/html\n\n<img src=cid:p@a>"
    ...     b"\n--x\nContent-Type: image/png\nContent-ID: <p@a>\n\n...\n--x--\n"
    ... )
    >>> [str(entity.content_type) for entity in message]
    ['multipart/related; boundary=x', 'text/html', 'image/png']
    >>> message.resolve("cid:p@a"), message.resolve("mid:m@a/p@a"), message.resolve("mid:m@a")
    (<Entity 2: image/png>, <Entity 2: image/png>, <Entity 0: multipart/related; boundary=x>)
    """

    def __init__(self, entities: list[Entity]) -> None:
        """Make a message from its entities, as `scan` returns them."""
        self.entities = tuple(entities)
        # A Message-ID that occurs twice belongs to the outer or earlier message.
        self._messages: dict[MessageID, Entity] = {}
        self._contents: dict[ContentID, list[Entity]] = {}
        for entity in entities:
            if entity.message_id is not None:
                owner = self._messages.setdefault(entity.message_id, entity)
                if owner is not entity:
                    problem, expected = "the Message-ID of another message", "one of its own"
                    entity.note(problem, str(entity.message_id), expected, "RFC 5322 section 3.6.4")
            if entity.content_id is not None:
                self._contents.setdefault(entity.content_id, []).append(entity)
        _note_defects(self.entities)

    @classmethod
    def read(cls, source: Readable) -> Message:
        """Return the message in bytes, a file's path, a binary file or an `email` message.

        Any fault inside is a defect of the entity that has it.  Raises
        `MessageError` where there is no header at all, or no file.
        """
        return cls.within(Source.open(source))

    @classmethod
    def within(cls, source: Source, start: int = 0, end: int | None = None) -> Message:
        """Return the message in a range of a source; raise `MessageError` if there is none."""
        entities = scan(source, start, end)
        if not entities[0].fields:
            shown = source.read(start, min(start + 60, source.size)).decode("latin-1")
            problem = "not a message: it does not begin with a header field"
            expected = "a name, ':' and a value"
            raise MessageError(problem, shown, expected=expected, rule="RFC 5322 section 2.2")
        return cls(entities)

    @property
    def root(self) -> Entity:
        """The message itself, as an entity."""
        return self.entities[0]

    @property
    def message_id(self) -> MessageID | None:
        """The Message-ID, if there is a readable one."""
        return self.root.message_id

    def __iter__(self) -> Iterator[Entity]:
        return iter(self.entities)

    def __len__(self) -> int:
        return len(self.entities)

    def owns(self, entity: Entity) -> bool:
        """Return whether `entity` is the message that its Message-ID means here."""
        return entity.message_id is not None and self._messages[entity.message_id] is entity

    @property
    def identifiers(self) -> Iterator[Reference]:
        """Yield the identifiers that this message resolves: each Message-ID and Content-ID."""
        for message_id in self._messages:
            yield Reference(message_id, None)
        for content_id in self._contents:
            yield Reference(None, content_id)

    def resolve(
        self,
        url: str | Reference,
        referrer: Entity | None = None,
        *,
        understood: Callable[[Entity], bool] | None = None,
    ) -> Entity | None:
        """Return the entity that a ``cid:`` or ``mid:`` URL means, or `None` (RFC 2392).

        A URL is read leniently, without its fragment.  Where nothing has the identifier that it
        encodes, the identifier may be in the URL unencoded, as in the RFC's own example.
        `referrer` is the part in which the URL stands: parts that share the innermost container
        with it come first.  Among several parts with one Content-ID their container chooses;
        `understood` tells which alternatives count.  A part may also have the URL, of any scheme,
        as its Content-Location, see `located`.  Raises `IdentifierError` where it is no such URL.
        """
        if not isinstance(url, str):
            return self._find(url, referrer, understood)
        reference, defects = Reference.recover(url)
        entity = self._find(reference, referrer, understood) if reference else None
        if entity is None:
            literal = Reference.recover(url.replace("%", "%25")).reference
            entity = self._find(literal, referrer, understood) if literal else None
        entity = entity or self.located(url, referrer, understood=understood)
        if entity is None and reference is None:
            raise IdentifierError(*defects[-1].args)
        return entity

    def located(
        self,
        url: str,
        referrer: Entity | None = None,
        *,
        understood: Callable[[Entity], bool] | None = None,
    ) -> Entity | None:
        """Return the part that has a URL as its Content-Location, or `None` (RFC 2557 section 8).

        Both are resolved first: a URL against the location of `referrer`, and a location against
        that of what contains it.  A location without an absolute one around it is also found by its
        text.
        """
        text = url.strip().partition("#")[0]
        if not text or not self._locations:
            return None
        origin = self.root if referrer is None else referrer
        absolute = resolve_reference(text, self._locations[origin.index])
        for wanted in dict.fromkeys((absolute, text)):
            candidates = self._by_location.get(wanted)
            if candidates:
                return _select(_nearest(candidates, origin), understood)
        return None

    @property
    def has_locations(self) -> bool:
        """Whether any part has a Content-Location, as in an archived page."""
        return bool(self._locations)

    def location_of(self, entity: Entity) -> str | None:
        r"""Return the absolute Content-Location of a part, or `None` (RFC 2557 section 5).

        >>> message = Message.read(b"Content-Location: http://a.example/b\n\nx")
        >>> message.location_of(message.root)
        'http://a.example/b'
        """
        if entity.content_location is None:
            return None
        location = self._locations[entity.index]
        return None if location.startswith(_NO_BASE) else location

    @cached_property
    def _locations(self) -> list[str]:
        """The base URI of each entity by its index; empty where no part has a location."""
        if not any(entity.content_location for entity in self.entities):
            return []
        bases: list[str] = []
        for entity in self.entities:
            outer = _NO_BASE if entity.parent is None else bases[entity.parent.index]
            bases.append(resolve_reference(entity.content_location or "", outer))
        return bases

    @cached_property
    def _by_location(self) -> dict[str, list[Entity]]:
        """The parts by their Content-Locations, absolute and as they are written."""
        parts: dict[str, list[Entity]] = {}
        for entity, absolute in zip(self.entities, self._locations, strict=True):
            if entity.content_location is not None:
                for location in dict.fromkeys((absolute, entity.content_location)):
                    parts.setdefault(location.partition("#")[0], []).append(entity)
        return parts

    def _find(
        self,
        reference: Reference,
        referrer: Entity | None,
        understood: Callable[[Entity], bool] | None,
    ) -> Entity | None:
        message = reference.message
        scope = self.root if message is None else self._messages.get(message)
        if scope is None or reference.content is None:
            return scope
        candidates = [e for e in self._contents.get(reference.content, ()) if e in scope]
        origin = scope if referrer is None or referrer not in scope else referrer
        return _select(_nearest(candidates, origin), understood)

    @cached_property
    def sha256(self) -> str:
        """The SHA-256 of the whole message in hexadecimal digits, lines ended by CR LF.

        That is the form in which a message travels (RFC 5322 section 2.1), so that a copy
        stored with other line ends has the same.  It is computed on first use.
        """
        digest, held = sha256(), b""
        for chunk in self.root.raw():
            text = held + chunk
            # A CR at the end may belong to a CR LF.
            held = text[-1:] if text.endswith(b"\r") else b""
            text = text[: len(text) - len(held)]
            digest.update(text.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))
        digest.update(held)
        return digest.hexdigest()

    def __repr__(self) -> str:
        return f"<Message {self.message_id or ''} of {len(self)} entities>"


def _nearest(candidates: Sequence[Entity], entity: Entity) -> Sequence[Entity]:
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


def _select(
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


def _note_defects(entities: Sequence[Entity]) -> None:
    """Add the defects of containers to the entities of a message, which are in reading order."""
    # Each message has names of its own.
    seen: dict[tuple[int, ContentID], Entity] = {}
    for entity in entities:
        if len(entity.boundary) > _LONGEST_BOUNDARY:
            shown = entity.boundary.decode("utf-8", "replace")
            expected = f"{_LONGEST_BOUNDARY} at the most"
            rule = "RFC 2046 section 5.1.1"
            entity.note(f"a boundary of {len(entity.boundary)} octets", shown, expected, rule)
        if entity.essence == "multipart/related":
            _note_root(entity)
        if entity.content_id is not None:
            first = seen.setdefault((entity.message.index, entity.content_id), entity)
            container = _container(first, entity)
            is_choice = container is not None and container.essence == "multipart/alternative"
            if first is not entity and not is_choice:
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
