"""The statements of JSON-LD and their places, by marks.

Oxigraph reads the file; nothing here knows what JSON-LD means.  The text is read a second time
with marks.  Both readings give the same quads in the same order, so each quad of the first has the
places of its partner.

Where a mark changes what a string means, partners differ: a name that `@type: @vocab` maps is one
only as a whole.  Such a string loses its mark, and the text is read again.  Strings without a mark,
numbers, Booleans and types are found afterwards by the object in which they stand and by their
order.
"""

from __future__ import annotations

from array import array
from collections import deque
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from cturi_rdf.editing.document import Ordered, Span, Statement, Terms
from cturi_rdf.editing.json.marks import FIRST, Marks, ValuePlace
from cturi_rdf.reading.jsonld_stream import streamed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cturi_rdf.editing.document import Document
    from cturi_rdf.editing.json.marks import Columns
    from cturi_rdf.editing.json.names import Names
    from cturi_rdf.reading.jsonld import Rewriting


_OBJECT = ord("{")
# How often a text is read again with fewer marks, and to find the marks that make it invalid.
_TRIES, _HALVES = 8, 40


class Places:
    """The statements of a document with some predicates, as Oxigraph gives them.

    `form` is the format in which Oxigraph has read the file: as a stream, if it is one.
    """

    form: ox.RdfFormat

    def __init__(self, document: Document, rewriting: Rewriting, names: Names) -> None:
        self._document = document
        self._names = names
        self._is_wanted, self._placed = document.is_looked_for, document.placed
        self._rewriting = rewriting
        self._scanned = rewriting.scanned
        # The predicates that are wanted, and the one that tells the place of a list.
        wanted = document.predicates
        self._kept = None if wanted is None else {*wanted, FIRST.value}
        self._terms: list[tuple[Any, Any, Any, Any]] = []
        self._places: list[Columns | None] = []
        quads = self._read()
        marks = self._place_all(quads, all_nodes=False)
        if not marks.all_nodes and any(
            place is None and self._needs_place(predicate)
            for (_, _, predicate, _), place in zip(self._terms, self._places, strict=True)
        ):
            # A value may be the subject of what its member states in reverse.
            self._place_all(quads, all_nodes=True)

    def statements(self) -> tuple[Sequence[Statement], Sequence[Statement]]:
        """Return the statements as Oxigraph gives them, and in the order of the text."""
        starts = [self._scanned.starts[place[3]] if place else -1 for place in self._places]
        numbers = range(len(starts))
        ordered = array("q", sorted(numbers, key=starts.__getitem__))
        return Ordered(self._statement, numbers), Ordered(self._statement, ordered)

    def _statement(self, number: int) -> Statement:
        terms, columns = self._terms[number], self._places[number]
        if columns is None:
            return Statement(*terms, number - len(self._terms))
        place = ValuePlace(*columns)
        is_key = place.kind == "key"
        span = self._scanned.key_span(place.member) if is_key else self._span(place.entry)
        return Statement(*terms, *span, place)

    def _span(self, entry: int) -> Span:
        """Return the place of a value, of a node which says more than its name that of its name."""
        scanned = self._scanned
        if scanned.kind(entry) == _OBJECT and scanned.nexts[entry] > entry + 2:
            entry = self._rewriting.members(entry).get("@id", entry)
        return Span(scanned.starts[entry], scanned.ends[entry])

    def _read(self) -> list[ox.Quad | None]:
        """Return the quads with the kept predicates; None for those that are not looked at."""
        content, lines = self._rewriting.text(), self._document.graph_lines
        if lines is not None and self._kept is not None:
            _, self.form = streamed(content, base_iri=self._document.base)
            return self._looked_at(lines.quads(self._kept))
        # A file that is no stream is read once more.
        text, self.form = streamed(content, ox.RdfFormat.STREAMING_JSON_LD)
        try:
            return self._looked_at(self._parse(text))
        except SyntaxError:
            self.form = ox.RdfFormat.JSON_LD
            return self._looked_at(self._parse(content))

    def _looked_at(self, quads: Iterable[ox.Quad]) -> list[ox.Quad | None]:
        kept, is_wanted = self._kept, self._is_wanted
        return [
            quad if is_wanted(quad) or quad.predicate == FIRST else None
            for quad in quads
            if kept is None or quad.predicate.value in kept
        ]

    def _needs_place(self, predicate: ox.NamedNode) -> bool:
        return self._placed is None or predicate.value in self._placed

    def _parse(self, text: bytes) -> Iterator[ox.Quad]:
        return self._rewriting.quads(ox.parse(text, self.form, base_iri=self._document.base))

    def _parse_marked(self, marks: Marks) -> Iterator[ox.Quad]:
        text, _ = streamed(marks.text(), self.form)
        return self._parse(text)

    def _place_all(self, quads: list[ox.Quad | None], *, all_nodes: bool) -> Marks:
        """Set the statements and their places; return the marks that tell these."""
        needed = (quad for quad in filter(None, quads) if self._needs_place(quad.predicate))
        marks = Marks(self._rewriting, filter(self._is_wanted, needed), all_nodes=all_nodes)
        others = self._read_marked(quads, marks)
        rest: list[tuple[int, ox.Quad, ox.Quad]] = []
        # The lists whose first element has not been read yet, with the subject of the statement.
        lists: dict[Any, tuple[int, Any]] = {}
        terms_of = Terms().of
        self._terms, self._places = [], []
        terms, places = self._terms, self._places
        for quad, other in zip(quads, others, strict=True):
            if quad is None:
                continue
            predicate = quad.predicate
            begins_list = predicate == FIRST and quad.subject in lists
            needs_place = other is not None and (begins_list or self._needs_place(predicate))
            place = marks.place(predicate.value, other) if needs_place else None
            if begins_list and place is not None:
                index, subject = lists.pop(quad.subject)
                places[index] = marks.list_around(subject, place[3])
            if predicate == FIRST and not self._is_wanted(quad):
                continue
            if place is None and needs_place:
                if isinstance(quad.object, ox.BlankNode):
                    lists[quad.object] = len(terms), other.subject
                else:
                    rest.append((len(terms), quad, other))
            terms.append(terms_of(quad))
            places.append(place)
        for index, place in marks.by_order(rest, self._names).items():
            places[index] = place
        return marks

    def _read_marked(self, quads: list[ox.Quad | None], marks: Marks) -> Sequence[Any]:
        """Return the partners of quads in the marked text, which gets fewer marks where it must."""
        for _ in range(_TRIES):
            try:
                partners, wrong = self._partners(quads, marks)
            except SyntaxError:
                wrong = self._refused(marks)
            if not wrong:
                return partners
            marks.without |= wrong
        return [None] * len(quads)

    def _partners(
        self, quads: list[ox.Quad | None], marks: Marks
    ) -> tuple[list[ox.Quad | None], set[int]]:
        """Return the partners of the first quads, and what must not have a mark."""
        partners: list[ox.Quad | None] = []
        wrong: set[int] = set()
        others = marks.unmarked(self._parse_marked(marks), self._kept)
        for quad in quads:
            other = next(others, None)
            if other is None or (quad is not None and quad.predicate != other.predicate):
                break
            if quad is not None and not (
                marks.is_same(other.object, quad.object)
                and marks.is_same(other.subject, quad.subject)
            ):
                wrong |= marks.numbers(other)
            partners.append(None if quad is None else other)
        else:
            other = next(others, None)
        if len(partners) < len(quads) or other is not None:
            # From here on the partners are not known.
            wrong |= marks.numbers(other) | marks.last()
        return partners, marks.alike(wrong)

    def _refused(self, marks: Marks) -> set[int]:
        """Return the marks over which Oxigraph refuses the text, found by halves.

        There are more where this takes too many readings, and all where it refuses some together.
        """
        without = marks.without
        every = sorted({*marks.strings, *marks.objects} - without)
        refused: set[int] = set()
        pending = [every]
        for _ in range(_HALVES):
            if not pending:
                break
            some = pending.pop()
            marks.without = without.union(every).difference(some)
            try:
                deque(self._parse_marked(marks), maxlen=0)
            except SyntaxError:
                half = len(some) // 2
                if half:
                    pending += [some[:half], some[half:]]
                else:
                    refused.update(some)
        marks.without = without
        return marks.alike(refused.union(*pending) or set(every))
