"""What the tests of edits share: terms, what quads say, and texts edited under the law."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyoxigraph as ox

from cturi_rdf.edits import apply, check, plan

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cturi_rdf.edits import Change, Document

__all__ = ["CSV", "LINK", "canonical", "edited", "tokens"]

LINK = ox.NamedNode("https://w3id.org/cturi/vocab#contentType")
CSV = ox.NamedNode("ContentType:text/csv")


def canonical(quads: Iterable[ox.Quad]) -> set[str]:
    """Return quads as text that does not depend on the labels of blank nodes."""
    dataset = ox.Dataset(quads)
    dataset.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
    return set(map(str, dataset))


def tokens(document: Document) -> list[str]:
    """Return the tokens of the objects of a document's statements."""
    return [document.data[found.start : found.end].decode() for found in document.statements]


def edited(document: Document, *changes: Change) -> bytes:
    """Return the text with the changes made, checked by the law, from edits and as a whole."""
    edits = plan(document, changes)
    check(document, edits, changes)
    text = apply(document.data, edits)
    check(document, edits, changes, text)
    return text
