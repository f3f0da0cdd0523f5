"""Going through the objects of JSON-LD (JSON-LD 1.1 API sections 5.1.2 and 8).

Members that were not asked for are not decoded.  Nested values wait on a list, so depth costs no
recursion.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from cturi_rdf.editing.document import Span, Statement
from cturi_rdf.editing.json.context import UNSET, Active, Term
from cturi_rdf.editing.json.names import ExpandedNames
from cturi_rdf.editing.json.nodes import Node, Slot, ValuePlace, literal_of, node_of
from cturi_rdf.editing.terms import RDF_NS, iri

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from cturi_rdf.editing.json.names import Member
    from cturi_rdf.reading.json_scan import Scanned

__all__ = ["Walk"]

_TYPE, _FIRST, _REST = f"{RDF_NS}type", f"{RDF_NS}first", f"{RDF_NS}rest"
_NIL = ox.NamedNode(f"{RDF_NS}nil")
_OBJECT, _ARRAY = ord("{"), ord("[")
_MAPS = frozenset({"@id", "@type", "@index"})
_DEFAULT = ox.DefaultGraph()


class Walk:
    """Goes through a file; `statements` are those with a wanted predicate."""

    def __init__(
        self, scanned: Scanned, predicates: Collection[str] | None, loader: Callable[[Any], Any]
    ) -> None:
        """Take the file, the wanted predicates, and the loader of the contexts named in it."""
        self.statements: list[Statement] = []
        # The context of the first object, and whether its @graph is the default graph.
        self.root: Active
        self.plain_graph = False
        self.scanned = scanned
        self._data = scanned.data
        self._names = ExpandedNames(scanned, predicates, loader)
        self._pending: list[tuple[Any, ...]] = []
        self._predicates: dict[str, ox.NamedNode] = {}

    def run(self, active: Active) -> None:
        """Find the statements; `active` is the context before the file's own."""
        self.root = active
        if self.scanned.kind(0) == _OBJECT:
            self._object(0, active, None, None, _DEFAULT)
        else:
            self._value(0, active, None, None, _DEFAULT)
        pending = self._pending
        while pending:
            method, *arguments = pending.pop()
            method(*arguments)

    def _value(
        self, entry: int, active: Active, term: Term | None, slot: Slot | None, graph: Any
    ) -> None:
        """Go through a value of a member; `slot` is None where nobody asked for its statement."""
        scanned, data = self.scanned, self._data
        kind = data[scanned.starts[entry]]
        if kind == _OBJECT:
            self._pending.append((self._object, entry, active, term, slot, graph))
        elif kind == _ARRAY:
            for child in scanned.children(entry):
                inner = data[scanned.starts[child]]
                if inner == _OBJECT:
                    self._pending.append((self._object, child, active, term, slot, graph))
                elif inner == _ARRAY:
                    self._pending.append((self._value, child, active, term, slot, graph))
                else:
                    self._scalar(child, active, term, slot)
        else:
            self._scalar(entry, active, term, slot)

    def _scalar(self, entry: int, active: Active, term: Term | None, slot: Slot | None) -> None:
        if slot is not None:
            value = literal_of(self.scanned.value(entry), active, term)
            self._emit(slot, value, entry, active, term)

    # Objects.

    def _object(  # noqa: PLR0913, PLR0917 - what an object is read by
        self,
        entry: int,
        active: Active,
        term: Term | None,
        slot: Slot | None,
        graph: Any,
        implied: tuple[str | None, str | None] = (None, None),
    ) -> None:
        """Go through an object; `implied` are the id and the type that a map gives it."""
        if implied == (None, None):
            active = self._names.previous(active, entry)
        if term is not None and term.context is not UNSET:
            active = self._names.derived(active, (term,), term.context)
        active = self._names.own(active, entry)
        if entry == 0:
            self.root = active
        if implied[1] is not None:
            active = self._names.scoped(active, [implied[1]])
        active = self._names.of_types(active, entry)
        fields, members, is_more = self._names.members(entry, active)
        if "@value" in fields:
            if slot is not None:
                value = self.scanned.value(fields["@value"])
                others = {
                    name: self.scanned.value(child)
                    for name, child in fields.items()
                    if name in {"@type", "@language", "@direction"}
                }
                self._emit(slot, literal_of(value, active, None, others), entry, active, term)
        elif "@list" in fields:
            self._list(fields["@list"], active, term, slot, graph)
        elif "@set" in fields:
            self._value(fields["@set"], active, term, slot, graph)
        else:
            node = Node(self.scanned, active, fields.get("@id", implied[0]))
            if slot is not None:
                self._emit(slot, node.subject(), entry, active, term, fields.get("@id"))
            if entry == 0 and set(fields) == {"@graph"} and not is_more:
                self.plain_graph = True
            self._node(entry, active, node, graph, fields, members)
            self._type_of_map(entry, active, node, graph, implied[1])

    def _type_of_map(
        self, entry: int, active: Active, node: Node, graph: Any, kind: str | None
    ) -> None:
        """Emit the type that a type map gives a node in it."""
        if kind is not None and self._names.is_wanted(_TYPE):
            slot = Slot(node, _TYPE, active, graph, entry, entry, "key")
            self._emit(slot, node_of(active, kind, vocab=True), entry, active, None)

    def _node(  # noqa: PLR0913, PLR0917 - what a node is made of
        self,
        entry: int,
        active: Active,
        node: Node,
        graph: Any,
        fields: dict[str, int],
        members: list[Member],
    ) -> None:
        if "@graph" in fields:
            inner = graph if entry == 0 and self.plain_graph else node.subject()
            self._value(fields["@graph"], active, None, None, inner)
        for child, name, term in members:
            if name == "@included":
                self._value(child, active, None, None, graph)
            elif name == "@type":
                self._types(entry, child, active, node, graph)
            elif name == "@nest":
                self._nested(child, active, term, node, graph)
            elif name == "@reverse":
                _, inside, _ = self._names.members(child, active)
                for one, property_name, definition in inside:
                    slot = Slot(node, property_name, active, graph, entry, one, "reverse")
                    self._property(one, active, definition, slot)
            elif not name.startswith("@"):
                kind = "reverse" if term is not None and term.reverse else "value"
                slot = Slot(node, name, active, graph, entry, child, kind)
                self._property(child, active, term, slot)

    def _types(self, entry: int, child: int, active: Active, node: Node, graph: Any) -> None:
        """Emit the types of a node."""
        if not self._names.is_wanted(_TYPE):
            return
        scanned = self.scanned
        # The names of types are those of the context before that of the types.
        slot = Slot(node, _TYPE, active, graph, entry, child, "type")
        entries = scanned.children(child) if scanned.kind(child) == _ARRAY else [child]
        for one in entries:
            value = scanned.value(one)
            if isinstance(value, str):
                self._emit(slot, node_of(active, value, vocab=True), one, active, None)

    def _nested(
        self, entry: int, active: Active, term: Term | None, node: Node, graph: Any
    ) -> None:
        """Go through members that are nested in an object of their own (section 5.1.2, step 14)."""
        scanned = self.scanned
        for one in scanned.children(entry) if scanned.kind(entry) == _ARRAY else [entry]:
            if scanned.kind(one) == _OBJECT:
                inner = active
                if term is not None and term.context is not UNSET:
                    inner = self._names.derived(active, (term,), term.context)
                _, members, _ = self._names.members(one, inner)
                self._pending.append((self._node, one, inner, node, graph, {}, members))

    # Properties.

    def _property(self, entry: int, active: Active, term: Term | None, slot: Slot) -> None:
        """Go through the value of a property (section 5.1.2, step 13.4 and following)."""
        graph, wanted = slot.graph, slot if self._names.is_wanted(slot.predicate) else None
        container = term.container if term is not None else frozenset()
        is_map = self.scanned.kind(entry) == _OBJECT
        if term is not None and term.type == "@json":
            self._scalar(entry, active, term, wanted)
        elif term is None or not container:
            self._value(entry, active, term, wanted, graph)
        elif "@list" in container:
            fields = self._names.members(entry, active)[0] if is_map else {}
            if "@set" in fields:
                # As Oxigraph reads it; section 5.1.2, step 13.10, makes a list of it.
                self._value(fields["@set"], active, term, wanted, graph)
            elif self.scanned.kind(entry) != ord("n"):
                self._list(fields.get("@list", entry), active, term, wanted, graph)
        elif "@language" in container and is_map:
            self._languages(entry, active, term, wanted)
        elif container & _MAPS and is_map:
            self._map(entry, active, term, wanted, graph)
        elif "@graph" in container:
            for one in self._items(entry):
                self._graph(one, active, term, wanted, None)
        else:
            self._value(entry, active, term, wanted, graph)

    def _items(self, entry: int) -> Iterable[int]:
        return self.scanned.children(entry) if self.scanned.kind(entry) == _ARRAY else (entry,)

    def _flat(self, entry: int) -> Iterator[int]:
        """Yield the values in an array and in the arrays in it."""
        scanned, child = self.scanned, entry
        while child < scanned.nexts[entry]:
            is_array = scanned.kind(child) == _ARRAY
            if not is_array:
                yield child
            child = child + 1 if is_array else scanned.nexts[child]

    def _languages(self, entry: int, active: Active, term: Term, slot: Slot | None) -> None:
        """Emit the strings of a language map (section 5.1.2, step 13.7)."""
        if slot is None:
            return
        direction = active.direction if term.direction is UNSET else term.direction
        for child in self.scanned.children(entry):
            name = self.scanned.name(child)
            language = None if active.expand(name, vocab=True) == "@none" else name
            fields = {"@language": language, "@direction": direction}
            for one in self._items(child):
                value = self.scanned.value(one)
                if isinstance(value, str):
                    self._emit(slot, literal_of(value, active, None, fields), one, active, term)

    def _map(self, entry: int, active: Active, term: Term, slot: Slot | None, graph: Any) -> None:
        """Go through an index map, an id map or a type map (section 5.1.2, step 13.8)."""
        for child in self.scanned.children(entry):
            name = self.scanned.name(child)
            index = None if active.expand(name, vocab=True) == "@none" else name
            is_of_ids, is_of_types = "@id" in term.container, "@type" in term.container
            implied = index if is_of_ids else None, index if is_of_types else None
            for one in self._items(child):
                if "@graph" in term.container:
                    self._graph(one, active, term, slot, implied[0])
                elif self.scanned.kind(one) == _OBJECT:
                    outer = active.previous or active
                    self._pending.append((self._object, one, outer, term, slot, graph, implied))
                elif is_of_types:
                    value = self.scanned.value(one)
                    if isinstance(value, str):
                        node = self._named(one, active, term, slot, value)
                        self._type_of_map(one, active, node, graph, index)
                else:
                    self._value(one, active, term, slot, graph)

    def _named(
        self, entry: int, active: Active, term: Term, slot: Slot | None, name: str | None
    ) -> Node:
        """Return the node with a name, or one without; emit the statement that has it."""
        node = Node(self.scanned, active, name)
        if slot is not None:
            self._emit(slot, node.subject(), entry, active, term)
        return node

    def _graph(
        self, entry: int, active: Active, term: Term, slot: Slot | None, name: str | None
    ) -> None:
        """Go through the graph that a property names (section 5.1.2, step 13.9 and 13.12)."""
        node = self._named(entry, active, term, slot, name)
        # The context of the term is that of the graph.
        self._value(entry, active, term, None, node.subject())

    def _list(
        self, entry: int, active: Active, term: Term | None, slot: Slot | None, graph: Any
    ) -> None:
        """Go through a list, a cell for each value (section 8.3)."""
        scanned = self.scanned
        # As Oxigraph reads them: the values of a list in a list are those of the outer one.
        items = [one for one in self._flat(entry) if scanned.kind(one) != ord("n")]
        wanted = {name for name in (_FIRST, _REST) if self._names.is_wanted(name)}
        cells = [Node(scanned, active, None) for _ in items] if wanted or slot else []
        if slot is not None:
            self._emit(slot, cells[0].subject() if cells else _NIL, entry, active, term)
        for index, one in enumerate(items):
            inner = None
            if _FIRST in wanted:
                inner = Slot(cells[index], _FIRST, active, graph, entry, one, "list")
            if _REST in wanted:
                rest = cells[index + 1].subject() if index + 1 < len(cells) else _NIL
                behind = Slot(cells[index], _REST, active, graph, entry, one, "list")
                self._emit(behind, rest, one, active, term)
            self._value(one, active, term, inner, graph)

    def _emit(  # noqa: PLR0913, PLR0917 - a statement and its place are all of this
        self,
        slot: Slot,
        value: Any,
        entry: int,
        active: Active,
        term: Term | None,
        name: int | None = None,
    ) -> None:
        subject = slot.owner.subject()
        if subject is None or value is None:
            return
        scanned = self.scanned
        predicate = self._predicates.get(slot.predicate)
        if predicate is None:
            property_ = iri(slot.predicate)
            if property_ is None or slot.predicate.startswith("_:"):
                return
            predicate = self._predicates[slot.predicate] = property_
        holder, place, context = slot.holder, entry, slot.active
        if slot.kind == "reverse":
            if isinstance(value, ox.Literal):
                return
            subject, value, holder, context = value, subject, entry, active
        if name is not None and scanned.nexts[entry] > entry + 2:
            # A node that says more: its place is that of its name.
            place = name
        span = Span(scanned.starts[place], scanned.ends[place])
        where = ValuePlace(slot.kind, holder, slot.member, entry, context, term)
        self.statements.append(Statement(slot.graph, subject, predicate, value, span, handle=where))
