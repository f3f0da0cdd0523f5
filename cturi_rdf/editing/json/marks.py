"""Marks: numbers in a text of JSON-LD, which the terms of a second reading bring along.

Each string that may become a term has a number at its end, and each object that may be a node has
one more type with its number, so that each object has a subject.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

import pyoxigraph as ox

from cturi_rdf.reading.terms import RDF_NS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from cturi_rdf.editing.json.names import Names
    from cturi_rdf.reading.jsonld import Rewriting


_TYPE, FIRST = ox.NamedNode(f"{RDF_NS}type"), ox.NamedNode(f"{RDF_NS}first")
_OBJECT, _ARRAY, _STRING = ord("{"), ord("["), ord('"')
# Keywords whose values are not marked, and objects that are no nodes.
_UNMARKED = frozenset({
    "@base", "@container", "@direction", "@import", "@index", "@language", "@prefix",
    "@propagate", "@protected", "@type", "@version", "@vocab",
})  # fmt: skip
_NO_NODES = frozenset({"@list", "@set", "@value"})
_GRAPH_ALONE = frozenset({"@context", "@graph"})
_NODES = frozenset({"@graph", "@included"})
# A keyword, or what looks like one, is none with a mark (JSON-LD 1.1 section 4.1).
_KEYWORD = re.compile(r"@[A-Za-z]+")
# What may be a reference that needs a fragment before its mark.
_NEEDS_LOOK = re.compile(rb'"(?:[^#]*/)?\.{0,2}"|"(?:[A-Za-z][A-Za-z0-9+.-]*:)?//[^/?#]*"')
# The first character that is tried: one that may stand in IRIs, labels of nodes and names of XML.
_FIRST = 0xE1000
# References that a mark would change, unless it is a fragment: dots, or nothing, at the end of a
# path, and a port.
_NEEDS_FRAGMENT = re.compile(r"(?:[^#]*/)?\.{0,2}|(?:[A-Za-z][A-Za-z0-9+.-]*:)?//[^/?#]*")


class ValuePlace(NamedTuple):
    """Where a statement stands.

    `kind` is `value` for a member's value or a part of it, `type` for a value of `@type`, `key`
    for a type that the name of an entry of a map is, and `reverse` where the member states the
    reverse.  Beside an element of a `list` nothing can be written.  `holder` is the entry of the
    object, `member` that of its member, `entry` that of the value.
    """

    kind: str
    holder: int
    member: int
    entry: int


# The columns of a place: a plain tuple costs the garbage collector nothing.
Columns = tuple[str, int, int, int]


class Sign:
    """The character that begins the marks in one text, which does not have it; a number follows."""

    def __init__(self, text: bytes) -> None:
        code = _FIRST
        while chr(code).encode() in text:
            code += 1
        self.character = chr(code)

    def number(self, term: Any) -> int | None:
        """Return the number at the end of a term."""
        if isinstance(term, ox.NamedNode | ox.Literal | ox.BlankNode):
            _, sign, number = term.value.rpartition(self.character)
            return int(number) if sign and number.isdecimal() else None
        return None

    def numbers(self, quad: ox.Quad | None) -> set[int]:
        """Return the numbers at the ends of the terms of a quad."""
        terms = (quad.subject, quad.object, quad.graph_name) if quad else ()
        return {number for term in terms if (number := self.number(term)) is not None}

    def is_same(self, marked: Any, term: Any) -> bool:
        """Return whether two terms are the same, apart from marks and the names of nodes."""
        if marked == term:
            return True
        if type(marked) is not type(term):
            return False
        if isinstance(term, ox.BlankNode | ox.DefaultGraph):
            return True
        if isinstance(term, ox.Triple):
            return all(map(self.is_same, marked, term))
        if isinstance(term, ox.Literal) and (
            (marked.datatype, marked.language) != (term.datatype, term.language)
        ):
            return False
        before, sign, _ = marked.value.rpartition(self.character)
        return bool(sign) and term.value in {before, before.removesuffix("#")}


class Marks(Sign):
    """The marks of one reading: what has one, how it looks, and where a marked term stands.

    `strings` and `objects` are the entries of what gets a mark, unless it is in `without`.
    """

    def __init__(self, rewriting: Rewriting, quads: Iterable[ox.Quad], *, all_nodes: bool) -> None:
        """Take a document, and the quads whose places are wanted.

        With `all_nodes` all strings are marked that may be names of nodes, otherwise only those
        that are one of the wanted values as it stands.
        """
        self._rewriting, self._scanned = rewriting, rewriting.scanned
        super().__init__(self._scanned.data)
        self._definitions = rewriting.definitions
        self._words = list(map(self._definitions.keyword, self._scanned.names))
        self._type = f"urn:x-cturi:{self.character}"
        self.without: set[int] = set()
        # The subject of each object, as the marked text has it; the objects by their subject; the
        # object that was read last.
        self._subjects: dict[int, Any] = {}
        self._homes: dict[Any, list[int]] = {}
        self._latest = 0
        values = {quad.object for quad in quads}
        named = {value for value in values if isinstance(value, ox.Literal | ox.NamedNode)}
        self.all_nodes = all_nodes or len(named) < len(values)
        self.strings, objects = self._candidates({value.value for value in named})
        self.objects = list(filter(self._may_be_node, objects))

    def _candidates(self, texts: set[str]) -> tuple[list[int], list[int]]:
        """Return the strings that may be one of some texts, and the objects around them."""
        scanned, definitions, data = self._scanned, self._definitions, self._scanned.data
        skipped = {
            number
            for number, name in enumerate(scanned.names)
            if name in definitions.literals or self._words[number] == "@context"
        }
        nodes = {"", "@list", *definitions.nodes} if self.all_nodes else set()
        # A text without escapes is compared as it stands.
        raw_texts = {b'"%b"' % text.encode(): text for text in texts}
        strings, objects, behind = [], [], 0
        present: set[str | None] = set()
        for entry, (key, start, end) in enumerate(
            zip(scanned.keys, scanned.starts, scanned.ends, strict=True)
        ):
            if entry < behind:
                continue
            if key in skipped:
                behind = scanned.nexts[entry]
            elif data[start] == _OBJECT:
                objects.append(entry)
            elif data[start] == _STRING:
                raw = data[start:end]
                text = scanned.value(entry) if b"\\" in raw else raw_texts.get(raw)
                if text in texts or self.all_nodes:
                    word = self._around(entry)
                    if word not in _UNMARKED and (text in texts or word in nodes):
                        strings.append(entry)
                        present.add(text)
        if self.all_nodes or len(present) < len(texts):
            return strings, objects
        around = {-1}
        for entry in strings:
            while (entry := scanned.parents[entry]) not in around:
                around.add(entry)
        return strings, [entry for entry in objects if entry in around]

    def _around(self, entry: int) -> str:
        """Return the name or keyword of the member that a value is in, an empty text for none."""
        member = self._scanned.member(entry)
        return "" if member == -1 else self._words[self._scanned.keys[member]]

    def _may_be_node(self, entry: int) -> bool:
        """Return whether an object may be a node that says more than its name."""
        scanned, words = self._scanned, self._words
        name, around = scanned.name(entry), self._around(entry)
        if around == "@nest" or (name and around == "@reverse") or name in self._definitions.maps:
            return False
        own = {words[scanned.keys[child]] for child in scanned.children(entry)}
        # A name alone is read in the context around it (section 5.1.2, step 7).
        is_name = own == {"@id"}
        return not (own & _NO_NODES or is_name or (entry == 0 and own <= _GRAPH_ALONE))

    def text(self) -> bytes:
        """Return the marked text."""
        scanned, rewritten = self._scanned, self._rewriting
        parts: dict[int, bytes] = {}
        inserted: dict[int, bytes] = {}
        sign = self.character.encode()
        for entry in self.strings:
            if entry in self.without:
                continue
            written = rewritten.parts.get(entry) or scanned.raw(entry)
            hash_ = b""
            # Few strings are short or end in a slash.
            if b"\\" in written or written.startswith(b'"@') or _NEEDS_LOOK.match(written):
                value = scanned.value(entry)
                if value.startswith("@") and _KEYWORD.fullmatch(value):
                    continue
                hash_ = b"#" if _NEEDS_FRAGMENT.fullmatch(value) else b""
            parts[entry] = b'%b%b%b%d"' % (written[:-1], hash_, sign, entry)
        for entry in self.objects:
            if entry in self.without:
                continue
            mark = b'"%b%d"' % (self._type.encode(), entry)
            types = rewritten.members(entry).get("@type")
            if types is None:
                inserted[entry] = b'"@type":' + mark
            elif scanned.kind(types) == _STRING:
                parts[types] = b"[%b,%b]" % (rewritten.parts.get(types) or scanned.raw(types), mark)
            elif scanned.kind(types) == _ARRAY:
                inserted[types] = mark
        return rewritten.text(parts, inserted)

    def unmarked(self, quads: Iterable[ox.Quad], kept: Collection[str] | None) -> Iterator[ox.Quad]:
        """Yield the kept quads of the marked text, and take the types that mark objects."""
        self._subjects, self._homes, self._latest = {}, {}, 0
        mark, type_ = self._type, _TYPE.value
        for quad in quads:
            predicate = quad.predicate.value
            if predicate == type_:
                value = getattr(quad.object, "value", "")
                if value.startswith(mark):
                    entry = int(value.removeprefix(mark))
                    subject = quad.subject
                    self._subjects[entry] = subject
                    self._homes.setdefault(subject, []).append(entry)
                    self._latest = entry
                    continue
            if kept is None or predicate in kept:
                yield quad

    def last(self) -> set[int]:
        """Return the marks in and of the object that was read last, whose meaning they change."""
        inside = range(self._latest, self._scanned.nexts[self._latest])
        return {one for one in (*self.strings, *self.objects) if one in inside}

    def alike(self, wrong: set[int]) -> set[int]:
        """Return some marked strings, and all others that are the same under the same name."""
        texts = {self._named_text(one) for one in wrong if self._scanned.kind(one) == _STRING}
        if texts:
            wrong = wrong.union(one for one in self.strings if self._named_text(one) in texts)
        return wrong - self.without

    def _named_text(self, entry: int) -> tuple[int, bytes]:
        return self._scanned.keys[self._scanned.member(entry)], self._scanned.raw(entry)

    # From a marked term to its place.

    def place(self, predicate: str, other: ox.Quad) -> Columns | None:
        """Return the place of a statement by the marks of the terms of its partner."""
        entry = self._entry(other.object, other.subject)
        place = self._beside(entry, other.subject)
        kind = "value"
        if place is None:
            # The member may state the reverse: then its value is the subject.
            place = self._beside(self._entry(other.subject, other.object), other.object)
            kind = "reverse"
        if place is not None:
            holder, member, value = place
            return kind, value if kind == "reverse" else holder, member, value
        if entry is not None and predicate == FIRST.value:
            return "list", -1, -1, self._value(entry, None)
        return None

    def _entry(self, term: Any, around: Any) -> int | None:
        """Return the entry with the mark of a term, or the object that a node is."""
        number = self.number(term)
        if number is not None:
            return number
        for home in self._homes.get(term, ()):
            place = self._beside(home, around)
            # The name of an entry of a map has no mark.
            if place is not None and (
                isinstance(term, ox.BlankNode)
                or self._scanned.name(place[1]) in self._definitions.maps
            ):
                return home
        return None

    def _beside(self, entry: int | None, subject: Any) -> tuple[int, int, int] | None:
        """Return the object of a subject around an entry, its member there, and the value."""
        if entry is None:
            return None
        parents = self._scanned.parents
        member, holder = entry, parents[entry]
        while holder != -1:
            key = self._scanned.keys[member]
            # Nodes beside a node are no values of it.
            is_value = key != -1 and self._words[key] not in _NODES
            if is_value and self._subjects.get(holder) == subject:
                return holder, member, self._value(entry, holder)
            member, holder = holder, parents[holder]
        return None

    def _value(self, entry: int, holder: int | None) -> int:
        """Return the value that an entry names: the object around an `@id` or a `@value`."""
        scanned = self._scanned
        parent = scanned.parents[entry]
        if parent not in {holder, -1} and scanned.kind(parent) == _OBJECT:
            word = self._definitions.keyword(scanned.name(entry))
            if word in {"@id", "@value"}:
                return parent
        return entry

    def list_around(self, subject: Any, entry: int) -> Columns | None:
        """Return the place of a list of a subject by its first element."""
        scanned = self._scanned
        place = self._beside(entry, subject)
        if place is None:
            return None
        holder, member, _ = place
        while entry != member:
            if self._definitions.keyword(scanned.name(entry)) == "@list":
                break
            entry = scanned.parents[entry]
        return "value", holder, member, entry

    def by_order(
        self, rest: list[tuple[int, ox.Quad, ox.Quad]], names: Names
    ) -> dict[int, Columns]:
        """Return the places of statements whose objects have no marks.

        `names` tells what the name of a member stands for.
        """
        places: dict[int, Columns] = {}
        groups: dict[tuple[Any, str], list[tuple[int, ox.Quad]]] = {}
        for index, quad, other in rest:
            groups.setdefault((other.subject, quad.predicate.value), []).append((index, quad))
        for (subject, predicate), quads in groups.items():
            is_type = predicate == _TYPE.value
            candidates = list(self._unmarked(subject, is_type=is_type))
            if is_type and len(candidates) != len(quads):
                continue
            for index, quad in quads:
                for number, place in enumerate(candidates):
                    if is_type or (
                        self._may_be(quad.object, place[3])
                        and predicate in names.predicates(place[3])
                    ):
                        places[index] = place
                        del candidates[number]
                        break
        return places

    def _unmarked(self, subject: Any, *, is_type: bool) -> Iterator[Columns]:
        """Yield the values without marks in the objects of a subject, or its types."""
        scanned = self._scanned
        for holder in self._homes.get(subject, ()):
            if is_type:
                yield from self._key(holder)
            for member in scanned.children(holder):
                name = scanned.name(member)
                word = self._definitions.keyword(name)
                kind = "type" if word == "@type" else "value"
                if word.startswith("@") and not (is_type and kind == "type"):
                    continue
                if name in self._definitions.literals:
                    yield kind, holder, member, member
                    continue
                entry = member
                while entry < scanned.nexts[member]:
                    first = scanned.kind(entry)
                    if entry in self._subjects:
                        entry = scanned.nexts[entry]
                        continue
                    if self._is_empty_list(entry):
                        is_wrapped = self._definitions.keyword(scanned.name(entry)) == "@list"
                        around = scanned.parents[entry] if is_wrapped else entry
                        yield kind, holder, member, around
                    # A number or a Boolean is no type.
                    if first not in {_OBJECT, _ARRAY} and (
                        kind == "type"
                        or (first != _STRING and not is_type)
                        or entry in self.without
                    ):
                        yield kind, holder, member, self._value(entry, holder)
                    entry += 1

    def _key(self, holder: int) -> Iterator[Columns]:
        """Yield the name in a map of types under which an object stands, before its other types."""
        scanned, member = self._scanned, holder
        while (around := scanned.parents[member]) != -1 and scanned.kind(around) == _ARRAY:
            member = around
        is_in_map = around != -1 and scanned.name(around) in self._definitions.type_maps
        if is_in_map and self._definitions.keyword(scanned.name(member)) != "@none":
            yield "key", holder, member, holder

    def _is_empty_list(self, entry: int) -> bool:
        """Return whether a value is an array without elements that stands for rdf:nil."""
        scanned, name = self._scanned, self._scanned.name(entry)
        is_list = self._definitions.keyword(name) == "@list" or name in self._definitions.lists
        return is_list and scanned.kind(entry) == _ARRAY and scanned.nexts[entry] == entry + 1

    def _may_be(self, term: Any, entry: int) -> bool:
        """Return whether a value may be an empty list, a number, a truth or an unmarked string."""
        scanned = self._scanned
        if scanned.name(entry) in self._definitions.literals:
            return isinstance(term, ox.Literal) and term.datatype.value == f"{RDF_NS}JSON"
        if scanned.kind(entry) == _OBJECT:
            members = self._rewriting.members(entry)
            entry = members.get("@value", members.get("@id", members.get("@list", entry)))
        if scanned.kind(entry) == _ARRAY:
            return isinstance(term, ox.NamedNode) and term.value == f"{RDF_NS}nil"
        value = scanned.value(entry)
        if isinstance(value, str):
            return isinstance(term, ox.NamedNode) or term.value == value
        if not isinstance(term, ox.Literal):
            return False
        if isinstance(value, bool):
            return term.value == json.dumps(value)
        try:
            return value is not None and float(term.value) == float(value)
        except ValueError:
            return False
