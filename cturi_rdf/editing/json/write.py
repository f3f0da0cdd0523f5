"""Writing changes of JSON-LD: new members after others, new values in the place of old ones.

A node that is described where it is used moves to the end of `@graph` or `@included`, as it is
written, where it cannot stay there; an anonymous one gets an `@id`.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from cturi_rdf.editing.edit import Add, Append, NodesThatGo, Replace, settled
from cturi_rdf.editing.json.containers import (
    Style,
    edits_of,
    nodes_around,
    renamed,
    standing_alone,
)
from cturi_rdf.editing.located_graph import free_labels
from cturi_rdf.reading.terms import RDF_NS, is_random

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from cturi_rdf.editing.document import Statement
    from cturi_rdf.editing.edit import Change, Edit, EditError, Piece
    from cturi_rdf.editing.json import JsonDocument
    from cturi_rdf.editing.json.containers import Added, Nodes
    from cturi_rdf.editing.json.marks import ValuePlace
    from cturi_rdf.editing.located_graph import GraphAfter, Node


_OBJECT, _ARRAY = ord("{"), ord("[")
_FIRST = f"{RDF_NS}first"
# Where a statement can be added beside another one, and where a value can be replaced.
_OPEN = frozenset({"value", "type", "key", "reverse"})
_REPLACED = frozenset({"value", "type", "list"})
# Where a member of an object states something of its node.
_OWN = frozenset({"value", "type"})
# Keywords of objects that are more than one node.
_SEVERAL = frozenset({"@graph", "@included", "@list", "@reverse"})


def write_json(
    document: JsonDocument, changes: Iterable[tuple[int, Change]], after: GraphAfter | None = None
) -> Iterator[Piece]:
    """Yield the edits of JSON that make some changes, each with its number.

    Nothing but the text of a field can be added to JSON without a context and to Project Open Data.
    """
    writing = _Writing(document, is_whole=after is not None)
    if after is not None:
        left, pieces = renamed(document, [change for _, change in changes])
        yield from pieces
        changes = enumerate(left)
    for number, change in changes:
        writing.number = number
        is_added = isinstance(change, Append | Add)
        has_field = (
            isinstance(change, Add)
            and isinstance(change.object, ox.Literal)
            and change.predicate.value in document.fields
        )
        if document.closed and is_added and not has_field:
            place = change.statement.start if change.statement else 0
            problem = f"{document.closed} has no place for links"
            raise document.refusal(problem, place, "JSON-LD with a context of its own")
        if isinstance(change, Append):
            writing.append(change)
        elif isinstance(change, Add):
            writing.add(change.statement, change.predicate, change.object)
        elif isinstance(change, Replace):
            yield from writing.replace(change)
        else:
            writing.remove(change.statement)
    yield from writing.rest()


def move_out(
    document: JsonDocument, homes: Mapping[Node, Statement], nodes: set[Node]
) -> Iterable[Edit]:
    """Return the edits that move some nodes to the end of the nodes around them.

    Raises `EditError` for a node that cannot stand there.
    """
    scanned, labels = document.scanned, free_labels(document)
    word = document.names.keyword("@id")
    edits: list[Piece] = []
    writing = _Writing(document)
    for node in sorted(nodes, key=lambda node: homes[node].start if node in homes else -1):
        home = homes.get(node)
        entry = _entry(document, node) if home is None else _place(document, home)
        start, end = scanned.starts[entry], scanned.ends[entry]
        own = document.rewritten.members(entry)
        is_named = "@id" in own and scanned.value(own["@id"]) == str(node)
        if "@id" in own and isinstance(node, ox.BlankNode) and not is_named:
            raise document.refusal("its label is not valid in JSON-LD, and cannot be kept", start)
        label = node.value if isinstance(node, ox.NamedNode) else next(labels)
        name = scanned.raw(own["@id"]) if "@id" in own else document.encoded(label)
        if home is None:
            comma = b", " if own else b""
            edits.append((start + 1, start + 1, document.encoded(word) + b": " + name + comma, 0))
        else:
            text = standing_alone(document, entry, label)
            writing.write_nodes(nodes_around(document, entry), [text])
            edits.append((start, end, b"{" + document.encoded(word) + b": " + name + b"}", 0))
    return settled(document, [*edits, *writing.rest()])


def _place(document: JsonDocument, home: Statement) -> int:
    """Return the object of a node, by the statement that leads to it."""
    place = home.handle
    # In a map of types its name would be another type.
    maps = document.names.definitions.type_maps
    can_move = (
        place is not None
        and place.kind == "value"
        and document.scanned.name(place.member) not in maps
    )
    if document.closed or not can_move or document.scanned.kind(home.handle.entry) != _OBJECT:
        raise document.refusal("a node cannot be moved out of there", home.start)
    entry: int = home.handle.entry
    return entry


def _entry(document: JsonDocument, node: Node) -> int:
    """Return the object of a node without a name that nothing leads to."""
    for statement in document.statements:
        if statement.subject == node and statement.handle is not None and not document.closed:
            holder: int = statement.handle.holder
            return holder
    raise document.refusal("a blank node cannot be given a label there", 0)


class _Writing:
    """One run of the writer, which writes into objects and arrays at the end."""

    def __init__(self, document: JsonDocument, *, is_whole: bool = True) -> None:
        """Begin to write; `is_whole` is whether the changes are all that lead to another graph."""
        self._document, self._is_whole_graph = document, is_whole
        # The number of the change that is being made.
        self.number = 0
        self._names = document.names
        self._scanned = document.scanned
        self._style = Style(self._scanned, document.line_end)
        space = self._style.space.decode()
        self._encode = json.JSONEncoder(
            ensure_ascii=False, separators=("," + space, ":" + space)
        ).encode
        # The values that go, each with the number of its change.
        self._removed: dict[int, int] = {}
        # What is around them, up to the members of their nodes, which goes once it is empty.
        self._around: set[int] = set()
        # What comes into each object or array.
        self._added: dict[int, list[Added]] = {}
        # Nodes without a name, which go with all that is said in them.
        self._nodes = NodesThatGo()
        # The objects of nodes with a name, which may say more, with the change and the name.
        self._leaving: list[tuple[int, int, str]] = []
        # New values by the object: their name, the member behind which they stand, and their texts.
        self._values: dict[int, list[tuple[str, int | None, list[bytes], int]]] = {}

    def add(self, beside: Statement, predicate: ox.NamedNode, value: object) -> None:
        """Write a member behind the one that a statement stands in."""
        place = self._place(beside)
        is_there = place.kind != "reverse" or self._scanned.kind(place.holder) == _OBJECT
        if place.kind not in _OPEN or not is_there:
            raise self._refused("a statement cannot be added there", beside)
        scope = self._names.inside(place.holder)
        key = self._names.key(scope, predicate.value, value)
        new = None if key is None else self._names.value(scope, key, value)
        if key is None or new is None:
            raise self._refused(f"the context has no way to write {predicate} {value}", beside)
        text = self._inline(new)
        anchor = None if place.kind in {"key", "reverse"} else place.member
        self._put(place.holder, key, anchor, [text])

    def _put(self, holder: int, key: str, anchor: int | None, texts: list[bytes]) -> None:
        """Note values for a member of an object, to write behind another member or the last."""
        self._values.setdefault(holder, []).append((key, anchor, texts, self.number))

    def _place(self, statement: Statement) -> ValuePlace:
        place: ValuePlace | None = statement.handle
        if place is None:
            raise self._refused(f"no place is known of a value of {statement.predicate}", statement)
        return place

    def replace(self, change: Replace) -> Iterator[Piece]:
        """Yield the edits that put another value, and perhaps another name, in place."""
        old, scanned = change.statement, self._scanned
        place = self._place(old)
        if place.kind not in _REPLACED:
            raise self._refused("a value cannot be replaced there", old)
        new = None
        if change.predicate in {None, old.predicate}:
            new = self._replacement(place, old, change.object)
        if new is None:
            # Only another member can say it.
            self.remove(old)
            self.add(old, change.predicate or old.predicate, change.object)
            return
        if not self._is_whole(place, old):
            raise self._refused("a value cannot be replaced there", old)
        yield scanned.starts[place.entry], scanned.ends[place.entry], self._inline(new), self.number

    def _replacement(self, place: ValuePlace, old: Statement, value: object) -> Any:
        """Return the JSON of a value in the place of another one; None if there is none."""
        if place.kind == "type":
            if not isinstance(value, ox.NamedNode):
                return None
            scope = self._names.inside(place.holder)
            return self._names.compact(scope, value.value, terms=True)
        predicate = _FIRST if place.kind == "list" else old.predicate.value
        return self._names.value_at(place.entry, predicate, value)

    def remove(self, statement: Statement) -> None:
        """Remove a value, and its member if that has no other value."""
        place = self._place(statement)
        if self._nodes.hold(place.entry):
            return
        if place.kind not in _OWN or not self._is_whole(place, statement):
            raise self._refused("a statement cannot be removed there", statement)
        self._removed.setdefault(entry := place.entry, self.number)
        while entry != place.member:
            entry = self._scanned.parents[entry]
            self._around.add(entry)

    def _is_whole(self, place: ValuePlace, statement: Statement) -> bool:
        """Return whether a value can be replaced or removed, and note a node that is written there.

        One without a name goes with its object in JSON, one with a name leaves it.
        """
        if not says_more(self._document, place):
            return True
        scanned, definitions = self._scanned, self._names.definitions
        is_blank = isinstance(statement.object, ox.BlankNode)
        holds = place.kind == "value" and (
            (is_blank and self._is_whole_graph)
            or (
                scanned.kind(place.entry) == _OBJECT
                and definitions.keyword(scanned.name(place.member)) not in _SEVERAL
                and _SEVERAL.isdisjoint(self._document.rewritten.members(place.entry))
            )
        )
        if holds and is_blank:
            self._nodes.add(place.entry, scanned.nexts[place.entry], statement)
        elif holds and self._document.closed:
            return False
        elif holds:
            self._leaving.append((place.entry, self.number, statement.object.value))  # type: ignore[union-attr] # it has a name
        return holds

    def append(self, change: Append) -> None:
        """Write node objects at the end of the file's array, `@graph` or `@included`."""
        whole = self._names
        root = (
            whole.inside(0) if self._scanned.kind(0) == _OBJECT else whole.at(0).inner(b"{", b"}")
        )
        graphs: dict[object, dict[object, list[ox.Quad]]] = {}
        for quad in change.quads:
            graphs.setdefault(quad.graph_name, {}).setdefault(quad.subject, []).append(quad)
        nodes: list[dict[str, Any]] = []
        for graph, subjects in graphs.items():
            objects = [whole.node(root, subject, quads) for subject, quads in subjects.items()]
            inside = [node for node in objects if node is not None]
            if len(inside) < len(objects):
                raise self._refused("the context has no way to write a statement", None)
            named = {} if isinstance(graph, ox.DefaultGraph) else whole.node(root, graph, ())
            if isinstance(graph, ox.BlankNode) and is_random(graph.value):
                # Nothing names it, so it stands where one of its statements does.
                place = nodes_around(self._document, self._entry_in(graph))
                self.write_nodes(place, list(map(self._inline, inside)))
                continue
            if isinstance(graph, ox.DefaultGraph):
                nodes += inside
            else:
                nodes.append({**(named or {}), whole.keyword("@graph"): inside})
        if not nodes:
            return
        place = nodes_around(self._document, 0)
        is_array = place.value is not None and self._scanned.kind(place.value) == _ARRAY
        level = 2 if place.value is None or (is_array and place.value) else 1
        self.write_nodes(place, [self._block(node, level) for node in nodes])

    def _entry_in(self, graph: ox.BlankNode) -> int:
        """Return a member of an object in a graph."""
        places = (one.handle for one in self._document.statements if one.graph == graph)
        return next((place.member for place in places if place and place.kind in _OWN), 0)

    def write_nodes(self, place: Nodes, texts: list[bytes]) -> None:
        """Write node objects into an array, or into one that is made around an object."""
        value, holder, word = place
        if value is not None and self._scanned.kind(value) == _ARRAY:
            self._add(value, texts)
        else:
            key = self._names.keyword(word) if value is None else self._scanned.name(value)
            self._put(holder, key, None, texts)

    def _add(self, entry: int, texts: Iterable[bytes], anchor: int | None = None) -> None:
        """Note texts for an object or an array, to write behind one of its children."""
        self._added.setdefault(entry, []).extend((anchor, text, self.number) for text in texts)

    def rest(self) -> Iterator[Piece]:
        """Yield the edits of the objects and arrays."""
        if self._nodes.untouched and not self._is_whole_graph:
            problem = "a node with other statements cannot be replaced or removed"
            raise self._refused(problem, self._nodes.untouched)
        for entry, number, name in self._leaving:
            self.number = number
            if self._spent(entry) is None:
                text = standing_alone(self._document, entry, name)
                self.write_nodes(nodes_around(self._document, entry), [text])
        # Values are released once they are written.
        for holder in list(self._values):
            yield from self._members(holder, self._values.pop(holder))
        scanned = self._scanned
        changed = set(self._added)
        # Level by level, so that an array is asked once for all the values that it loses.
        around = {scanned.parents[entry] for entry in self._removed}
        while around:
            staying = {entry for entry in around if self._gone(entry) is None}
            changed |= staying
            around = {scanned.parents[entry] for entry in around - staying}
        for entry in sorted(changed):
            children = scanned.children(entry) if self._removed else ()
            numbers = ((child, self._gone(child)) for child in children)
            gone = {child: number for child, number in numbers if number is not None}
            yield from edits_of(scanned, entry, gone, self._added.pop(entry, []), self._style)

    def _gone(self, entry: int) -> int | None:
        """Return the number of the change by which a value goes, None for one that stays.

        What is around a value goes where nothing is left in it, and so does an object of the whole
        file or of a graph that says nothing any more.
        """
        if entry in self._removed:
            return self._removed[entry]
        if entry in self._around and entry not in self._added:
            return self._all_gone(self._scanned.children(entry))
        parent = self._scanned.parents[entry] if entry > 0 else -1
        if parent < 0 or self._scanned.kind(parent) != _ARRAY:
            return None
        member = self._scanned.member(parent)
        name = self._scanned.name(member) if member >= 0 else "@graph"
        stands_alone = self._names.definitions.keyword(name) in {"@graph", "@included"}
        return self._spent(entry) if stands_alone else None

    def _spent(self, entry: int) -> int | None:
        """Return the number of the change by which an object says nothing any more, else None."""
        if entry in self._added or entry in self._values or self._scanned.kind(entry) != _OBJECT:
            return None
        members = self._document.rewritten.members(entry).items()
        return self._all_gone(child for name, child in members if name not in {"@id", "@context"})

    def _all_gone(self, children: Iterable[int]) -> int | None:
        numbers = list(map(self._gone, children))
        return min(numbers) if numbers and None not in numbers else None  # type: ignore[type-var]

    def _members(
        self, holder: int, values: Iterable[tuple[str, int | None, list[bytes], int]]
    ) -> Iterator[Piece]:
        """Write new values to the members of an object that have their names, or to new ones."""
        scanned, style = self._scanned, self._style
        there = {scanned.name(child): child for child in scanned.children(holder)}
        members: dict[str, tuple[int | None, list[bytes], int]] = {}
        for key, anchor, texts, number in values:
            members.setdefault(key, (anchor, [], number))[1].extend(texts)
        for key, (anchor, texts, number) in members.items():
            self.number = number
            comma = b"," + style.space
            value = texts[0] if len(texts) == 1 else b"[" + comma.join(texts) + b"]"
            child = there.get(key)
            if child is None:
                pattern = anchor if anchor is not None and scanned.keys[anchor] >= 0 else None
                colon = style.colon(pattern) if pattern is not None else b":" + style.space
                if anchor is None and key.startswith("@"):
                    value = self._spread(b"[]", texts, 1)
                self._add(holder, [self._inline(key) + colon + value], anchor)
            elif scanned.kind(child) == _ARRAY:
                self._add(child, texts)
            else:
                start, end = scanned.starts[child], scanned.ends[child]
                if child in self._removed or scanned.raw(child) == b"null":
                    self._removed.pop(child, None)
                    yield start, end, value, number
                else:
                    yield start, start, b"[", number
                    yield end, end, comma + comma.join(texts) + b"]", number

    def _inline(self, value: Any) -> bytes:
        """Return JSON on one line."""
        return self._encode(value).encode()

    def _block(self, node: dict[str, Any], level: int) -> bytes:
        """Return an object, with one member per line where the file is written so."""
        colon = b":" + self._style.space
        members = [self._inline(key) + colon + self._inline(value) for key, value in node.items()]
        return self._spread(b"{}", members, level)

    def _spread(self, brackets: bytes, parts: list[bytes], level: int) -> bytes:
        """Return parts in brackets, each on a line where the file is written so."""
        style = self._style
        outer = style.line_end + style.step * level if style.step else b""
        inner = outer + style.step
        between = b"," + (inner or style.space)
        return brackets[:1] + inner + between.join(parts) + outer + brackets[1:]

    def _refused(self, problem: str, statement: Statement | None) -> EditError:
        return self._document.refusal(problem, statement.start if statement else 0)


def says_more(document: JsonDocument, place: ValuePlace) -> bool:
    """Return whether a value is a node with statements of its own, or a list."""
    scanned, kind = document.scanned, document.scanned.kind(place.entry)
    if scanned.name(place.member) in document.names.definitions.literals:
        return False
    members = document.rewritten.members(place.entry) if kind == _OBJECT else {}
    # An empty list is an IRI.
    entry = members.get("@list", place.entry)
    if scanned.kind(entry) == _ARRAY:
        return scanned.nexts[entry] > entry + 1
    return "@value" not in members and not members.keys() <= {"@id"}
