"""Shared by the tests of JSON-LD: documents, and texts edited under the law."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from edited_files import edited

from cturi_rdf.editing import locate
from cturi_rdf.reading.formats import format_named
from cturi_rdf.reading.terms import DOCUMENT

if TYPE_CHECKING:
    from cturi_rdf.editing import Document
    from cturi_rdf.editing.edit import Change

__all__ = ["JSON", "VOCAB", "E", "P", "edited_text", "located"]

JSON = format_named("json-ld")
E = "http://e.example/"
P = f"{E}p"
VOCAB = f'"@context": {{"@vocab": "{E}"}}'


def located(data: str | bytes, *predicates: str) -> Document:
    raw = data.encode() if isinstance(data, str) else data
    return locate(raw, JSON, base=DOCUMENT, predicates=predicates or None, name="a.json")


def edited_text(document: Document, *changes: Change) -> str:
    """Return the text with the changes made; it is JSON in which no name is repeated."""
    text = edited(document, *changes)
    json.loads(text, object_pairs_hook=_once)
    return text.decode()


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    assert len({key for key, _ in pairs}) == len(pairs), pairs
    return dict(pairs)
