"""The law of edits: apart from the changes, the edited text says what the original said.

Both texts are read side by side, statement by statement, so the memory does not grow with the file.
The labels of anonymous blank nodes differ from reading to reading, so such nodes are recognised by
where they stand.  In case of doubt both texts are compared as a whole.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from cturi_rdf.editing.comparison import Comparison, is_isomorphic
from cturi_rdf.editing.document import LINE_END
from cturi_rdf.editing.edit import Edit, Edited, EditError, apply
from cturi_rdf.reading.read import reason_of
from cturi_rdf.reading.source import buffered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    import pyoxigraph as ox

    from cturi_rdf.editing.changes import Change
    from cturi_rdf.editing.document import Document


def check(
    document: Document,
    edits: Sequence[Edit],
    changes: Iterable[Change],
    watch: Callable[[Iterator[ox.Quad]], Iterator[ox.Quad]] = iter,
) -> None:
    """Raise `EditError` unless the edited text says what the original says with the changes.

    It has to say all that the original says, without the statements that the changes remove, and
    with those that they add.  Where each statement is on a line of its own, only the lines with
    edits are read.  The edits are applied on the way, and nothing as large as the file is built in
    memory.  The error names the place of the edit in the file.  The changes, and the quads of the
    original, may be read more than once; `watch` sees those quads on their way, each time from the
    beginning.
    """
    data, touching = document.data, edits
    if document.format.by_lines:
        data, touching = _touched(document, edits)

    def readings() -> tuple[Iterator[ox.Quad], Iterator[ox.Quad]]:
        edited = document.parse(buffered(Edited(data, touching)))
        return watch(document.parse(data)), edited

    def compare() -> None:
        comparison = Comparison(document, changes)
        try:
            comparison.run(*readings())
        except EditError:
            # Blank nodes may have been paired too early.
            if not comparison.is_uncertain() or not is_isomorphic(document, changes, *readings()):
                raise

    try:
        compare()
    except SyntaxError as error:
        reason, expected = reason_of(error), f"valid {document.format.name}"
        broken = _broken_edit(document, data, touching, error)
        if broken is None:
            problem, place = f"it cannot be read ({reason})", (error.lineno, error.offset)
            raise EditError(problem, document.name, expected, *place) from error
        start = edits[broken].start if edits else 0
        problem = f"the edited text cannot be read there ({reason})"
        raise document.refusal(problem, start, expected) from error


def _touched(document: Document, edits: Iterable[Edit]) -> tuple[bytes, list[Edit]]:
    """Return the lines with edits, one after the other, and the edits of that text."""
    data = document.data
    lines: list[bytes] = []
    moved: list[Edit] = []
    until = size = 0
    for edit in edits:
        start = max(until, document.line_start(edit.start))
        end = max(start, _line_end(data, edit.end))
        # An edit may begin in the lines of the one before it.
        shift = size - start
        lines.append(data[start:end])
        size += end - start
        moved.append(Edit(edit.start + shift, edit.end + shift, edit.text, edit.number))
        until = end
    return b"".join(lines), moved


def _line_end(data: bytes, offset: int) -> int:
    """Return the end of the line that an offset is in; at the start of a line, the offset."""
    if data[max(offset - 1, 0) : offset] in {b"", b"\n", b"\r"}:
        return offset
    following = LINE_END.search(data, offset)
    return following.end() if following else len(data)


def _broken_edit(
    document: Document, data: bytes, edits: Sequence[Edit], error: SyntaxError
) -> int | None:
    """Return the number of the edit behind a syntax error; None if the original has it too."""
    try:
        deque(document.parse(data), maxlen=0)
    except SyntaxError:
        return None
    lines = apply(data, edits).split(b"\n")[: (error.lineno or 1) - 1]
    place = sum(map(len, lines)) + len(lines) + (error.offset or 1) - 1
    number, grown = 0, 0
    for index, (start, end, text, _) in enumerate(edits):
        if start + grown > place:
            break
        number, grown = index, grown + len(text) - (end - start)
    return number
