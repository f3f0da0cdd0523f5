"""Going through the objects of JSON-LD (JSON-LD 1.1 API sections 5.1.2 and 8).

Names are expanded once for each context.  Of a member that nobody asked for, nothing is
decoded; and what is nested waits on a list, so that it may be nested as deeply as it likes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from cturi_rdf.edits.document import Statement
from cturi_rdf.edits.json.context import UNSET, Active, Term, process
from cturi_rdf.edits.json.nodes import Cell, Node, Place, Slot, literal_of, node_of
from cturi_rdf.edits.terms import RDF_NS, iri

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from cturi_rdf.edits.json.scan import Scanned

__all__ = ["Walk"]

_TYPE, _FIRST, _REST = f"{RDF_NS}type", f"{RDF_NS}first", f"{RDF_NS}rest"
_NIL = ox.NamedNode(f"{RDF_NS}nil")
_OBJECT, _ARRAY = ord("{"), ord("[")
_MAPS = frozenset({"@id", "@type", "@index"})
_DEFAULT = ox.DefaultGraph()
# A member: the entry, what its name expands to, the definition of the name.
_Member = tuple[int, str, Term | None]
_Loader = Callable[[Any], Any]


class Walk:
    """Goes through a file; `statements` are those with a wanted predicate."""

    def __init__(
        self, scanned: Scanned, predicates: Collection[str] | None, loader: _Loader
    ) -> None:
        """Take the file, and what puts contexts in the places of their names."""
        self.statements: list[Statement] = []
        # The context of the first object, and whether its @graph is the default graph.
        self.root: Active
        self.plain_graph = False
        self._scanned = scanned
        self._data = scanned.data
        self._wanted = None if predicates is None else frozenset(predicates)
        self._loader = loader
        self._pending: list[tuple[Any, ...]] = []
        self._predicates: dict[str, ox.NamedNode] = {}

    def run(self, active: Active) -> None:
        """Find the statements; `active` is the context before the file's own."""
        self.root = active
        if self._scanned.kind(0) == _OBJECT:
            self._object(0, active, None, None, _DEFAULT)
        else:
            self._value(0, active, None, None, _DEFAULT)
        pending = self._pending
        while pending:
            method, *arguments = pending.pop()
            method(*arguments)

    def _is_wanted(self, predicate: str) -> bool:
        return self._wanted is None or predicate in self._wanted

    def _value(
        self, entry: int, active: Active, term: Term | None, slot: Slot | None, graph: Any
    ) -> None:
        """Go through a value of a member; `slot` is None where it is said of nothing."""
        scanned, data = self._scanned, self._data
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
                elif slot is not None:
                    self._scalar(child, active, term, slot)
        elif slot is not None:
            self._scalar(entry, active, term, slot)

    def _scalar(self, entry: int, active: Active, term: Term | None, slot: Slot) -> None:
        if self._is_wanted(slot.predicate):
            self._emit(
                slot, literal_of(self._scanned.value(entry), active, term), entry, active, term
            )

    # Contexts.

    def _derived(self, active: Active, key: Any, local: Any, *, propagate: bool = True) -> Active:
        """Return the context that a local one makes; each is made once."""
        made = active.derived.get(key)
        if made is None:
            made = process(active, local() if callable(local) else local, propagate=propagate)
            active.derived[key] = made
        return made

    def _own(self, active: Active, entry: int) -> Active:
        """Return the context in an object, with that of its own."""
        context = self._scanned.contexts.get(entry)
        if context is None:
            return active
        raw = self._scanned.raw(context)
        return self._derived(active, raw, lambda: self._loader(self._scanned.value(context)))

    def _known(self, active: Active, key: int) -> tuple[str, Term | None, bool] | None:
        """Return what a name expands to, its definition, and whether it is wanted."""
        name = self._scanned.names[key]
        expanded = active.expand(name, vocab=True)
        known: tuple[str, Term | None, bool] | None = None
        if expanded is not None and (expanded.startswith("@") or ":" in expanded):
            wanted = expanded.startswith("@") or self._is_wanted(expanded)
            known = expanded, active.terms.get(name), wanted
        active.known[key] = known
        return known

    def _keyword(self, active: Active, entry: int) -> str:
        """Return the keyword or IRI that the name of a member stands for, or nothing."""
        key = self._scanned.keys[entry]
        known = active.known.get(key) or self._known(active, key)
        return known[0] if known else ""

    def _previous(self, active: Active, entry: int) -> Active:
        """Return the context before that of a type, for a node inside (section 5.1.2, step 7)."""
        if active.previous is None:
            return active
        names = [self._keyword(active, child) for child in self._scanned.children(entry)]
        return active if "@value" in names or names == ["@id"] else active.previous

    def _of_types(self, active: Active, entry: int) -> Active:
        """Return the context with those of the types of a node (section 5.1.2, step 11)."""
        if not active.has_scopes:
            return active
        types: list[str] = []
        for child in self._scanned.children(entry):
            if self._keyword(active, child) == "@type":
                value = self._scanned.value(child)
                types += [each for each in _listed(value) if isinstance(each, str)]
        return self._scoped(active, sorted(types))

    def _scoped(self, active: Active, types: Iterable[str]) -> Active:
        before = active
        for name in types:
            term = before.terms.get(name)
            if term is not None and term.context is not UNSET:
                active = self._derived(active, term, term.context, propagate=False)
        return active

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
            active = self._previous(active, entry)
        if term is not None and term.context is not UNSET:
            active = self._derived(active, (term,), term.context)
        active = self._own(active, entry)
        if entry == 0:
            self.root = active
        if implied[1] is not None:
            active = self._scoped(active, [implied[1]])
        active = self._of_types(active, entry)
        fields, members, is_more = self._members(entry, active)
        if "@value" in fields:
            if slot is not None and self._is_wanted(slot.predicate):
                value = self._scanned.value(fields["@value"])
                others = {
                    name: self._scanned.value(child)
                    for name, child in fields.items()
                    if name in {"@type", "@language", "@direction"}
                }
                self._emit(slot, literal_of(value, active, None, others), entry, active, term)
        elif "@list" in fields:
            self._list(fields["@list"], active, term, slot, graph)
        elif "@set" in fields:
            self._value(fields["@set"], active, term, slot, graph)
        else:
            node = Node(self._scanned, active, fields.get("@id", implied[0]))
            if slot is not None and self._is_wanted(slot.predicate):
                self._emit(slot, node.subject(), entry, active, term, fields.get("@id"))
            if entry == 0 and set(fields) == {"@graph"} and not is_more:
                self.plain_graph = True
            self._node(entry, active, node, graph, fields, members)
            if implied[1] is not None and self._is_wanted(_TYPE):
                made = Slot(node, _TYPE, active, graph, entry, entry, "key")
                self._emit(made, node_of(active, implied[1], vocab=True), entry, active, None)

    def _members(self, entry: int, active: Active) -> tuple[dict[str, int], list[_Member], bool]:
        """Return the keywords of an object, the members to go through, and if there are more."""
        scanned, data = self._scanned, self._data
        keys, nexts, starts, known_names = scanned.keys, scanned.nexts, scanned.starts, active.known
        fields: dict[str, int] = {}
        members: list[_Member] = []
        is_more = is_repeated = False
        child, end = entry + 1, nexts[entry]
        while child < end:
            key = keys[child]
            known = known_names.get(key, UNSET)
            if known is UNSET:
                known = self._known(active, key)
            if known is not None:
                name, term, wanted = known
                if wanted and name[0] == "@":
                    if name in {"@nest", "@type", "@included", "@reverse"}:
                        members.append((child, name, term))
                    is_repeated = is_repeated or (name == "@id" and name in fields)
                    if name != "@context":
                        fields[name] = child
                else:
                    is_more = True
                    if wanted or data[starts[child]] in b"{[":
                        members.append((child, name, term))
            child = nexts[child]
        if is_repeated:
            # Oxigraph refuses two names; rdflib, which reads it then, takes the last of all.
            members = list({keys[member[0]]: member for member in members}.values())
        return fields, members, is_more

    def _node(  # noqa: PLR0913, PLR0917 - what a node is made of
        self,
        entry: int,
        active: Active,
        node: Node,
        graph: Any,
        fields: dict[str, int],
        members: list[_Member],
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
                _, inside, _ = self._members(child, active)
                for one, property_name, definition in inside:
                    slot = Slot(
                        node, property_name, active, graph, entry, one, "reverse", reverse=True
                    )
                    self._property(one, active, definition, slot)
            elif name[0] != "@":
                reverse = term is not None and term.reverse
                kind = "reverse" if reverse else "value"
                self._property(
                    child,
                    active,
                    term,
                    Slot(node, name, active, graph, entry, child, kind, reverse=reverse),
                )

    def _types(self, entry: int, child: int, active: Active, node: Node, graph: Any) -> None:
        """Emit the types of a node."""
        if not self._is_wanted(_TYPE):
            return
        scanned = self._scanned
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
        scanned = self._scanned
        for one in scanned.children(entry) if scanned.kind(entry) == _ARRAY else [entry]:
            if scanned.kind(one) == _OBJECT:
                inner = active
                if term is not None and term.context is not UNSET:
                    inner = self._derived(active, (term,), term.context)
                _, members, _ = self._members(one, inner)
                self._pending.append((self._node, one, inner, node, graph, {}, members))

    # Properties.

    def _property(self, entry: int, active: Active, term: Term | None, slot: Slot) -> None:
        """Go through the value of a property (section 5.1.2, step 13.4 and following)."""
        graph = slot.graph
        container = term.container if term is not None else frozenset()
        if term is not None and term.type == "@json":
            self._scalar(entry, active, term, slot)
            return
        is_map = self._scanned.kind(entry) == _OBJECT
        if not container:
            self._value(entry, active, term, slot, graph)
        elif "@list" in container:
            fields = self._members(entry, active)[0] if is_map else {}
            self._list(fields.get("@list", entry), active, term, slot, graph)
        elif "@language" in container and is_map:
            self._languages(entry, active, term, slot)
        elif container & _MAPS and is_map:
            self._map(entry, active, term, slot, container)
        elif "@graph" in container:
            for one in self._items(entry):
                self._graph(one, active, term, slot, None)
        else:
            self._value(entry, active, term, slot, graph)

    def _items(self, entry: int) -> Iterable[int]:
        return self._scanned.children(entry) if self._scanned.kind(entry) == _ARRAY else (entry,)

    def _flat(self, entry: int) -> Iterator[int]:
        """Yield the values in an array and in the arrays in it."""
        scanned, child = self._scanned, entry
        while child < scanned.nexts[entry]:
            is_array = scanned.kind(child) == _ARRAY
            if not is_array:
                yield child
            child = child + 1 if is_array else scanned.nexts[child]

    def _languages(self, entry: int, active: Active, term: Term | None, slot: Slot) -> None:
        """Emit the strings of a language map (section 5.1.2, step 13.7)."""
        if not self._is_wanted(slot.predicate):
            return
        direction = active.direction if term is None or term.direction is UNSET else term.direction
        for child in self._scanned.children(entry):
            name = self._scanned.name(child)
            language = None if active.expand(name, vocab=True) == "@none" else name
            fields = {"@language": language, "@direction": direction}
            for one in self._items(child):
                value = self._scanned.value(one)
                if isinstance(value, str):
                    self._emit(slot, literal_of(value, active, None, fields), one, active, term)

    def _map(
        self, entry: int, active: Active, term: Term | None, slot: Slot, container: frozenset[str]
    ) -> None:
        """Go through an index map, an id map or a type map (section 5.1.2, step 13.8)."""
        for child in self._scanned.children(entry):
            name = self._scanned.name(child)
            index = None if active.expand(name, vocab=True) == "@none" else name
            implied: tuple[str | None, str | None] = (None, None)
            if "@id" in container:
                implied = (index, None)
            elif "@type" in container:
                implied = (None, index)
            for one in self._items(child):
                if "@graph" in container:
                    self._graph(one, active, term, slot, implied[0])
                elif self._scanned.kind(one) == _OBJECT:
                    outer = active.previous or active
                    task = (self._object, one, outer, term, slot, slot.graph, implied)
                    self._pending.append(task if implied != (None, None) else task[:-1])
                elif "@type" in container:
                    self._typed(one, active, term, slot, index)
                else:
                    self._value(one, active, term, slot, slot.graph)

    def _typed(
        self, entry: int, active: Active, term: Term | None, slot: Slot, kind: str | None
    ) -> None:
        """Emit what a type map says of a node that is a string in it."""
        value = self._scanned.value(entry)
        if isinstance(value, str):
            node = Node(self._scanned, active, value)
            if self._is_wanted(slot.predicate):
                self._emit(slot, node.subject(), entry, active, term)
            if kind is not None and self._is_wanted(_TYPE):
                made = Slot(node, _TYPE, active, slot.graph, slot.holder, slot.member, "key")
                self._emit(made, node_of(active, kind, vocab=True), entry, active, None)

    def _graph(
        self, entry: int, active: Active, term: Term | None, slot: Slot, name: str | None
    ) -> None:
        """Go through the graph that a property names (section 5.1.2, step 13.9 and 13.12)."""
        node = Node(self._scanned, active, name)
        if self._is_wanted(slot.predicate):
            self._emit(slot, node.subject(), entry, active, term)
        self._value(entry, active, None, None, node.subject())

    def _list(
        self, entry: int, active: Active, term: Term | None, slot: Slot | None, graph: Any
    ) -> None:
        """Go through a list, a cell for each value (section 8.3)."""
        scanned = self._scanned
        # As Oxigraph reads them: the values of a list in a list are those of the outer one.
        items = [one for one in self._flat(entry) if scanned.raw(one)[:4] != b"null"]
        wanted = {name for name in (_FIRST, _REST) if self._is_wanted(name)}
        cells = [Cell() for _ in items] if wanted or slot else []
        if slot is not None and self._is_wanted(slot.predicate):
            self._emit(slot, cells[0].subject() if cells else _NIL, entry, active, term)
        for index, one in enumerate(items):
            inner = None
            if cells:
                inner = Slot(cells[index], _FIRST, active, graph, entry, one, "list")
                if _REST in wanted:
                    rest = cells[index + 1].subject() if index + 1 < len(cells) else _NIL
                    self._emit(
                        Slot(cells[index], _REST, active, graph, entry, one, "list"),
                        rest,
                        one,
                        active,
                        term,
                    )
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
        scanned = self._scanned
        predicate = self._predicates.get(slot.predicate)
        if predicate is None:
            made = iri(slot.predicate)
            if made is None or slot.predicate.startswith("_:"):
                return
            predicate = self._predicates[slot.predicate] = made
        holder, place, context = slot.holder, entry, slot.active
        if slot.reverse:
            if isinstance(value, ox.Literal):
                return
            subject, value, holder, context = value, subject, entry, active
        if name is not None and scanned.nexts[entry] > entry + 2:
            # A node that says more: its place is that of its name.
            place = name
        self.statements.append(
            Statement(
                slot.graph, subject, predicate, value, scanned.starts[place], scanned.ends[place],
                Place(slot.kind, holder, slot.member, entry, context, term),
            )
        )  # fmt: skip


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
