"""Literals whose text is not allowed by their datatype: they are kept as they are, and counted.

RDF 1.1 Concepts section 3.3 calls them ill-typed; other software drops or changes them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyoxigraph as ox

from cturi_rdf.catalogue.labels import EDITABLE, located, place_of_statement, resource_name
from cturi_rdf.catalogue.report import IllTyped, Place
from cturi_rdf.reading.lexical_forms import is_well_typed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cturi_rdf.reading.ntriples import Block
    from cturi_rdf.reading.source import Source


class IllTypedLiterals:
    """Counts the ill-typed literals of a file, and keeps the first."""

    def __init__(self) -> None:
        self._count = 0
        # The first, with its statement, or its place if that is known.
        self._first: tuple[ox.Literal, ox.Quad | Place] | None = None

    def watch(self, quads: Iterable[ox.Quad]) -> Iterator[ox.Quad]:
        """Yield the quads of a file, and count on the way; counting begins anew each time."""
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
                self._first = self._first or (literal, quad)
            yield quad

    def count(self, block: Block, literals: dict[bytes, int], before: int) -> None:
        """Count the literals of a block of lines, given the number of lines before it."""
        from cturi_rdf.catalogue.groups import places
        from cturi_rdf.reading.ntriples import text_of

        for literal, number in literals.items():
            text, datatype = text_of(literal), text_of(literal[literal.rindex(b"<") :])
            if is_well_typed(text, datatype):
                continue
            self._count += number
            for place in () if self._first else places(block, before, b"", literal):
                self._first = ox.Literal(text, datatype=ox.NamedNode(datatype)), place
                break

    def result(self, source: Source) -> IllTyped | None:
        """Return how many there are, and the first with its place; None if there are none."""
        if self._first is None:
            return None
        literal, where = self._first
        place = where if isinstance(where, Place) else self._place_of(where, source)
        return IllTyped(self._count, str(literal), place)

    def _place_of(self, quad: ox.Quad, source: Source) -> Place:
        if source.format.name in EDITABLE:
            document, _ = located(source, [quad.predicate])
            for statement in document.statements:
                if statement.predicate == quad.predicate and statement.object == quad.object:
                    return place_of_statement(document, statement)
        return Place(resource_name(quad.subject), quad.predicate.value)
