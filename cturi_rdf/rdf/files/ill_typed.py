"""Literals whose text their datatype does not have: they stay as they are, and are counted.

RDF 1.1 Concepts section 3.3 calls them ill-typed; other software drops or changes them.
"""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING

import pyoxigraph as ox

from cturi_rdf.io.lexical_forms import XSD, is_well_typed
from cturi_rdf.rdf.files.labels import EDITABLE, located, place_of_statement, resource_name
from cturi_rdf.rdf.files.report import IllTyped, Place

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cturi_rdf.io.ntriples import Block
    from cturi_rdf.io.source import Source
    from cturi_rdf.rdf.files.meaning import Options

__all__ = ["IllTypedLiterals"]

# What a line has between the text of a literal and the name of its datatype.
_BETWEEN = b'"^^<' + XSD.encode()
# So many bytes before that and after it tell most literals apart.
_TAIL, _HEAD = itemgetter(slice(-40, None)), itemgetter(slice(24))


class IllTypedLiterals:
    """Counts the ill-typed literals of a file, and keeps the first."""

    def __init__(self) -> None:
        self._count = 0
        self._first: ox.Quad | None = None
        # The line and the column of the first, where lines were scanned.
        self._place: tuple[int, int] | None = None

    def watch(self, quads: Iterable[ox.Quad]) -> Iterator[ox.Quad]:
        """Yield the quads of a file, and count on the way; each time anew."""
        self._count, self._first = 0, None
        for quad in quads:
            if _is_ill_typed(quad.object):
                self._count += 1
                self._first = self._first or quad
            yield quad

    def scan(self, block: Block, before: int) -> None:
        """Count in a block of lines, given the number of lines before it.

        A few bytes on both sides tell of nearly all literals that they are well-typed, and only
        the lines of the others are read.
        """
        content = bytes(block)
        parts = content.split(_BETWEEN)
        # The last part ends no literal.
        pairs = list(zip(map(_TAIL, parts), map(_HEAD, parts[1:]), strict=False))
        doubtful = {pair for pair in set(pairs) if not _is_plainly_well_typed(*pair)}
        if not doubtful:
            return
        starts: dict[int, None] = {}
        end = -len(_BETWEEN)
        for part, pair in zip(parts, pairs, strict=False):
            end += len(_BETWEEN) + len(part)
            if pair in doubtful:
                starts[content.rfind(b"\n", 0, end) + 1] = None
        for start in starts:
            stop = content.find(b"\n", start)
            line = content[start : stop if stop >= 0 else len(content)]
            quad = next(_quads(line), None)
            if quad is None or not _is_ill_typed(quad.object):
                continue
            self._count += 1
            if self._first is None:
                # Nothing in front of a literal has a quotation mark.
                column = len(line[: line.index(b'"')].decode()) + 1
                self._first = quad
                self._place = before + content.count(b"\n", 0, start) + 1, column

    def result(self, source: Source, options: Options) -> IllTyped | None:
        """Return how many there are, and the first with its place; None if there are none."""
        quad = self._first
        if quad is None:
            return None
        return IllTyped(self._count, str(quad.object), self._place_of(quad, source, options))

    def _place_of(self, quad: ox.Quad, source: Source, options: Options) -> Place:
        if self._place is None and source.format.name in EDITABLE:
            document = located(
                source, options.contexts, options.resolver, [quad.predicate]
            ).document
            for statement in document.statements:
                if statement.predicate == quad.predicate and statement.object == quad.object:
                    return place_of_statement(document, statement)
        name = resource_name(quad.subject)
        return Place(name, quad.predicate.value, *(self._place or (None, None)))


def _is_ill_typed(value: object) -> bool:
    # Most literals are texts in a language.
    return (
        type(value) is ox.Literal
        and value.language is None
        and not is_well_typed(value.value, value.datatype.value)
    )


def _is_plainly_well_typed(tail: bytes, head: bytes) -> bool:
    """Return whether a literal is well-typed, by the end of its text and what follows."""
    _, quote, text = tail.rpartition(b'"')
    name, end, _ = head.partition(b">")
    if not quote or not end or b"\\" in text + name:
        return False
    return is_well_typed(text.decode("utf-8", "replace"), XSD + name.decode("utf-8", "replace"))


def _quads(line: bytes) -> Iterator[ox.Quad]:
    try:
        yield from ox.parse(line, ox.RdfFormat.N_QUADS, lenient=True)
    except SyntaxError:
        return
