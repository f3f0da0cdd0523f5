"""From changes to edits: the document's syntax writes them, this puts them in order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from cturi_rdf.edits.edit import Edits

if TYPE_CHECKING:
    from cturi_rdf.edits.changes import Change
    from cturi_rdf.edits.document import Document

__all__ = ["plan"]


def plan(document: Document, changes: Iterable[Change]) -> Edits:
    """Return the edits that make the changes, in the order of the text.

    Indentation and line ends are those of the file.  An edit inside of a span that another
    one replaces is left out.  Changes that are a sequence can be asked for as `Edit.change`;
    others are read once and not kept.  Raises `EditError` where two changes do not go together.
    """
    edits = Edits(changes if isinstance(changes, Sequence) else None)
    for start, end, text, number in document.writer.edits(document, enumerate(changes)):
        edits.append(start, end, text, number)
    return _apart(document, edits.sorted())


def _apart(document: Document, edits: Edits) -> Edits:
    """Return edits that do not overlap: without those inside of another one's span."""
    last, overlap = 0, False
    for start, end, _ in edits.spans():
        overlap = overlap or start < last
        last = max(last, end)
    if not overlap:
        return edits
    kept, last = Edits(edits.changes), 0
    for index, (start, end, text) in enumerate(edits.spans()):
        if start >= last:
            kept.append(start, end, text, edits.number(index))
            last = end
        elif end > last:
            raise document.refusal("two changes overlap", start, "changes of different statements")
    return kept
