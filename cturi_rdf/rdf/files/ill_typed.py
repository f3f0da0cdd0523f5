"""Literals whose text their datatype does not have: they stay as they are, and are counted.

RDF 1.1 Concepts section 3.3 calls them ill-typed; other software drops or changes them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyoxigraph as ox

from cturi_rdf.io.lexical_forms import is_well_typed
from cturi_rdf.io.ntriples import text_of
from cturi_rdf.rdf.files.groups import places
from cturi_rdf.rdf.files.labels import EDITABLE, located, place_of_statement, resource_name
from cturi_rdf.rdf.files.report import IllTyped, Place

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cturi_rdf.io.ntriples import Block
    from cturi_rdf.io.source import Source
    from cturi_rdf.rdf.files.meaning import Options

__all__ = ["IllTypedLiterals"]


class IllTypedLiterals:
    """Counts the ill-typed literals of a file, and keeps the first."""

    def __init__(self) -> None:
        self._count = 0
        # The first, with its statement or else with its place.
        self._first: ox.Literal | None = None
        self._statement: ox.Quad | None = None
        self._place: Place | None = None

    def watch(self, quads: Iterable[ox.Quad]) -> Iterator[ox.Quad]:
        """Yield the quads of a file, and count on the way; each time anew."""
        self._count, self._first = 0, None
        for quad in quads:
            literal = quad.object
            # Most literals are texts in a language.
            if (
                type(literal) is ox.Literal
                and literal.language is None
                and not is_well_typed(literal.value, literal.datatype.value)
            ):
                self._count += 1
                if self._first is None:
                    self._first, self._statement = literal, quad
            yield quad

    def count(self, block: Block, literals: dict[bytes, int], before: int) -> None:
        """Count the literals of a block of lines, given the number of lines before it."""
        for literal, number in literals.items():
            datatype = text_of(literal[literal.rindex(b"<") :])
            if not is_well_typed(text_of(literal), datatype):
                self._count += number
                if self._first is None:
                    self._first = ox.Literal(text_of(literal), datatype=ox.NamedNode(datatype))
                    self._place = next(places(block, before, b"", literal))

    def result(self, source: Source, options: Options) -> IllTyped | None:
        """Return how many there are, and the first with its place; None if there are none."""
        if self._first is None:
            return None
        place = self._place or self._place_of(self._statement, source, options)
        return IllTyped(self._count, str(self._first), place)

    def _place_of(self, quad: ox.Quad, source: Source, options: Options) -> Place:
        if source.format.name in EDITABLE:
            document = located(
                source, options.contexts, options.resolver, [quad.predicate]
            ).document
            for statement in document.statements:
                if statement.predicate == quad.predicate and statement.object == quad.object:
                    return place_of_statement(document, statement)
        return Place(resource_name(quad.subject), quad.predicate.value)
