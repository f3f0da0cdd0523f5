"""MIME messages: their parts, and the meanings of ``cid:`` and ``mid:`` URLs in them."""

from __future__ import annotations

from cturi_rdf.mime.document import Message
from cturi_rdf.mime.entity import Disposition, Entity

__all__ = ["Disposition", "Entity", "Message"]
