"""MIME messages: their parts, and what a ``cid:`` or ``mid:`` URL means in them."""

from __future__ import annotations

from cturi_rdf.message.disposition import Disposition
from cturi_rdf.message.document import Message
from cturi_rdf.message.entity import Entity

__all__ = ["Disposition", "Entity", "Message"]
