"""The one IRI of every entity of a message: ``mid:`` where it has one, else its position.

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
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from typing import TYPE_CHECKING

from cturi_rdf.uri import Reference

if TYPE_CHECKING:
    from cturi_rdf.mime.document import Message


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
            iris.append(_digest_name(message))
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


def _digest_name(message: Message) -> str:
    """Return the IRI of content by its digest (RFC 6920 section 3)."""
    digest = urlsafe_b64encode(bytes.fromhex(message.sha256)).decode().rstrip("=")
    return f"ni:///sha-256;{digest}"
