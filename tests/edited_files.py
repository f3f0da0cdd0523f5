"""Shared by the tests of edits: terms, quads in comparable form, texts edited under the law."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pyoxigraph as ox

from cturi_rdf.editing.edit import apply, plan
from cturi_rdf.editing.law import check

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cturi_rdf.editing import Document
    from cturi_rdf.editing.edit import Change

__all__ = ["CSV", "LINK", "canonical", "edited", "says_the_same", "tokens"]

LINK = ox.NamedNode("https://w3id.org/cturi/vocab#contentType")
CSV = ox.NamedNode("ContentType:text/csv")
# The statements of a collection and a quoted triple, which have no token of their own.
UNPLACED = re.compile(".*(?:#first|#rest|#reifies)")


def canonical(quads: Iterable[ox.Quad]) -> set[str]:
    """Return quads as text that does not depend on the labels of blank nodes."""
    dataset = ox.Dataset(quads)
    dataset.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
    return set(map(str, dataset))


def tokens(document: Document) -> list[str]:
    """Return the tokens of the objects of a document's statements that have a place."""
    spans = (found.object_span for found in document.statements)
    return [document.data[slice(*span)].decode() for span in spans if span]


def edited(document: Document, *changes: Change) -> bytes:
    """Return the text with the changes made, checked by the law."""
    edits = plan(document, changes)
    check(document, edits, changes)
    return apply(document.data, edits)


def placed_quads(quads: Iterable[ox.Quad]) -> tuple[int, set[str]]:
    """Return the number of quads, and the quads in a form without the names of blank nodes.

    Statements of a collection or a quoted triple without a token of their own are left out.
    """
    placed = [quad for quad in quads if not UNPLACED.fullmatch(quad.predicate.value)]
    return len(placed), canonical(placed)


def says_the_same(read: Document) -> bool:
    """Return whether a document has the statements that Oxigraph reads."""
    wanted = read.predicates
    quads = read.parse(read.data)
    parsed = (quad for quad in quads if wanted is None or quad.predicate.value in wanted)
    return placed_quads(statement.quad for statement in read.statements) == placed_quads(parsed)
