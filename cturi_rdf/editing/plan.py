"""From changes to edits: the document's syntax writes them, this puts them in order."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from cturi_rdf.editing.edit import Edits

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cturi_rdf.editing.changes import Change
    from cturi_rdf.editing.document import Document
    from cturi_rdf.editing.edit import Piece


def plan(document: Document, changes: Iterable[Change], others: Iterable[Piece] = ()) -> Edits:
    """Return the edits that make the changes, together with `others`, in the order of the text.

    Indentation and line ends are those of the file.  An edit inside a span that another one
    replaces is left out.  Changes are read once and not kept.  Raises `EditError` where two changes
    do not go together, and where the file takes no edits.
    """
    if document.unwritable:
        raise document.unwritable
    edits = Edits()
    for piece in document.edits(enumerate(changes)):
        edits.append(*piece)
    for piece in others:
        edits.append(*piece)
    return _apart(document, edits.sorted())


def _apart(document: Document, edits: Edits) -> Edits:
    """Return edits that do not overlap: without those inside of another one's span."""
    if all(one[1] <= other[0] for one, other in pairwise(edits.pieces())):
        return edits
    kept, last = Edits(), 0
    for start, end, text, number in edits.pieces():
        if start >= last:
            kept.append(start, end, text, number)
            last = end
        elif end > last:
            raise document.refusal("two changes overlap", start, "changes of different statements")
    return kept
