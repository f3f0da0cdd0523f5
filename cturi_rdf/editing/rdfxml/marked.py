"""The statements of RDF/XML and their places, by marks.

Oxigraph reads the file.  The text is read a second time, in which the elements and attributes that
were asked for have numbers for their names: so the predicates, and the types of nodes, bring the
numbers along.  Both readings give the same statements in the same order.  An element that comes out
of an entity has no place.
"""

from __future__ import annotations

import re
from collections import Counter
from contextlib import suppress
from operator import attrgetter
from typing import TYPE_CHECKING

import pyoxigraph as ox

from cturi_rdf.editing.document import Statement, Terms
from cturi_rdf.editing.rdfxml.elements import (
    DESCRIPTION,
    LI,
    LITERAL,
    NODE,
    OBJECTS,
    PROPERTY,
    RESOURCE,
    TOP,
    TYPE,
    Elements,
    expanded,
    states,
)
from cturi_rdf.editing.rdfxml.tags import ElementPlace, attributes_of
from cturi_rdf.reading.terms import RDF_NS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cturi_rdf.editing.document import Document


# A text that looks like an attribute may stand in the value of one.
_ATTRIBUTE_NAME = re.compile(rb"\s([^\s=\"'<>/]+:[^\s=\"'<>/]+)\s*=")
# The element of a statement, the kind of its place, and the offsets of its object.
_Place = tuple[int, str, int, int]
# Statements without a place are told apart by numbers from here on, which are no offsets.
_UNPLACED = -(1 << 62)


class MarkedXml:
    """One file: its elements and its statements."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._data = document.data
        self._wanted, self._placed = document.predicates, document.placed
        # The prefix of the names that are marks, which the file does not have.
        self._prefix = b"x-cturi"
        while self._prefix in self._data:
            self._prefix += b"i"
        self._namespace = f"urn:{self._prefix.decode()}:n"
        # The predicate and the object that each mark stands for.
        self._predicates: list[str] = []
        self._tokens: list[_Place] = []
        self._edits: list[tuple[int, int, bytes]] = []
        self.elements = Elements(self._data, self._placed)
        # Whether the name of an attribute is a wanted statement, by the namespaces in scope.
        self._may_state: dict[tuple[int, bytes], bool] = {}
        self._mark_all()

    # The marks.

    def _mark_all(self) -> None:
        wanted, elements = self._placed, self.elements
        types = wanted is None or TYPE in wanted
        items = wanted is None or any(iri.startswith(f"{RDF_NS}_") for iri in wanted)
        is_type: dict[str, bool] = {}
        # How many members rdf:li has made of each element (section 7.4).
        members = Counter[int]()
        for number, kind in enumerate(elements.kinds):
            name = elements.names[number]
            if kind == TOP or number == 0:
                end = elements.name_spans(number)[0][1]
                declared = b' xmlns:%b="urn:%b:"' % (self._prefix, self._prefix)
                self._edits.append((end, end, declared))
            if kind == NODE:
                if types and name not in is_type:
                    is_type[name] = name != DESCRIPTION and self._is_wanted_type(name)
                if types and is_type[name]:
                    name_span = elements.name_spans(number)[0]
                    self._rename(number, TYPE, (number, "type", *name_span))
                self._mark_attributes(number, "attribute")
            elif elements.is_property(number):
                if name == LI:
                    parent = elements.parents[number]
                    members[parent] += 1
                    name = f"{RDF_NS}_{members[parent]}"
                    is_marked = items
                else:
                    is_marked = wanted is None or name in wanted
                place = self._object(number) if is_marked else None
                if place is not None:
                    self._rename(number, name, place)
                # A property with content has no such attributes.
                if kind == PROPERTY and (place is None or place[1] == "resource"):
                    self._mark_attributes(number, "inner attribute")

    def _is_wanted_type(self, name: str) -> bool:
        try:
            return self._document.is_wanted(ox.NamedNode(TYPE), ox.NamedNode(name))
        except ValueError:
            # No IRI: Oxigraph says so.
            return False

    def _mark(self, predicate: str, place: _Place) -> int:
        """Return the number of a new mark."""
        self._predicates.append(predicate)
        self._tokens.append(place)
        return len(self._tokens) - 1

    def _rename(self, number: int, predicate: str, place: _Place) -> None:
        """Give an element the name of a mark."""
        mark = self._mark(predicate, place)
        name = b"%b:n%d" % (self._prefix, mark)
        self._edits += ((*span, name) for span in self.elements.name_spans(number))

    def _mark_attributes(self, number: int, kind: str) -> None:
        """Mark the attributes of an element that are wanted statements."""
        elements, data = self.elements, self._data
        start, end, namespaces = (
            elements.starts[number], elements.opens[number], elements.namespaces[number],
        )  # fmt: skip
        # Most tags have no such attribute.
        if not any(
            self._is_statement(name, namespaces)
            for name in _ATTRIBUTE_NAME.findall(data, start, end)
        ):
            return
        for name, span in attributes_of(data, start):
            if self._is_statement(name, namespaces):
                iri = expanded(name, namespaces, default=False)
                mark = self._mark(iri, (number, kind, *span))
                if iri == TYPE:
                    self._edits.append((*span, f"{self._namespace}{mark}".encode()))
                    continue
                at = data.rindex(name, start, span.start)
                self._edits.append((at, at + len(name), b"%b:n%d" % (self._prefix, mark)))

    def _is_statement(self, name: bytes, namespaces: Mapping[str, str]) -> bool:
        """Return whether an attribute is a wanted statement, by its name in a tag."""
        key = id(namespaces), name
        if key not in self._may_state:
            iri = expanded(name, namespaces, default=False)
            is_wanted = self._placed is None or iri in self._placed
            is_qualified = b":" in name and not name.startswith(b"xmlns")
            self._may_state[key] = is_wanted and is_qualified and states(iri)
        return self._may_state[key]

    def _object(self, number: int) -> _Place:
        """Return the place of the object of a property."""
        elements = self.elements
        start, opened = elements.starts[number], elements.opens[number]
        if elements.kinds[number] == LITERAL:
            return number, "markup", opened, elements.closes[number]
        if elements.kinds[number] == RESOURCE:
            return number, "node", start, opened
        attributes = elements.attributes(number)
        named = next((attributes[name] for name in OBJECTS if name in attributes), None)
        if named is not None:
            return number, "resource", *named
        if any(map(states, attributes)):
            return number, "resource", start, opened
        if f"{RDF_NS}parseType" in attributes:
            return number, "node", start, opened
        if (child := elements.child(number)) != -1:
            return number, "node", *elements.subject_span(child)
        is_empty = self._data[opened - 2 : opened] == b"/>"
        return number, "text", *((start, opened) if is_empty else (opened, elements.closes[number]))

    def _text(self) -> bytes:
        """Return the text with the marks."""
        pieces, position = [], 0
        for start, end, text in sorted(self._edits):
            pieces += [self._data[position:start], text]
            position = end
        return b"".join([*pieces, self._data[position:]])

    # The statements.

    def statements(self) -> tuple[Sequence[Statement], Sequence[Statement]]:
        """Return the statements as Oxigraph gives them, and in the order of the text.

        Raises `SyntaxError` where it refuses the file.
        """
        marks, is_looked_for = self._marks(), self._document.is_looked_for
        terms = Terms()
        statements: list[Statement] = []
        for quad in self._read():
            mark = next(marks, -1)
            if mark != -1 and self._predicates[mark] != quad.predicate.value:
                # From here on the places are not known.
                marks, mark = iter(()), -1
            if is_looked_for(quad):
                place = self._tokens[mark] if mark != -1 else None
                if place and place[1] == "text" and not isinstance(quad.object, ox.Literal):
                    # The object comes out of an entity.
                    place = None
                if place:
                    statement = Statement(*terms.of(quad), *place[2:], self._handle(*place[:2]))
                else:
                    statement = Statement(*terms.of(quad), _UNPLACED + len(statements))
                statements.append(statement)
        return statements, sorted(statements, key=attrgetter("start"))

    def _read(self) -> Iterator[ox.Quad]:
        """Yield the quads of the file with the wanted predicates."""
        document, wanted = self._document, self._wanted
        if document.graph_lines is not None and wanted is not None:
            return document.graph_lines.quads(wanted)
        return (
            quad
            for quad in document.parse(self._data)
            if wanted is None or quad.predicate.value in wanted
        )

    def _marks(self) -> Iterator[int]:
        """Yield the mark of each wanted statement of the marked text; -1 for one without any."""
        wanted, namespace = self._wanted, self._namespace
        with suppress(SyntaxError):
            for quad in self._document.parse(self._text()):
                predicate = quad.predicate.value
                if predicate.startswith(namespace):
                    mark = int(predicate.removeprefix(namespace))
                    if wanted is None or self._predicates[mark] in wanted:
                        yield mark
                elif wanted is None or predicate in wanted:
                    value = getattr(quad.object, "value", "") if predicate == TYPE else ""
                    is_marked = value.startswith(namespace)
                    yield int(value.removeprefix(namespace)) if is_marked else -1

    def _handle(self, number: int, kind: str) -> ElementPlace:
        """Return where a statement stands, by the number of its element and the kind of place."""
        elements = self.elements
        in_tag = kind in {"attribute", "inner attribute", "type"}
        owner = number if in_tag else elements.parents[number]
        return ElementPlace(
            kind,
            elements.starts[number],
            -1 if in_tag else elements.ends[number],
            elements.namespaces[owner],
            elements.languages[owner],
            number,
            owner,
        )
