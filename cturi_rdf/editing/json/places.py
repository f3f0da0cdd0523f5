"""The statements of JSON-LD and their places, by marks.

Oxigraph reads the file; nothing here knows what JSON-LD means.  The text is read a second time
with a mark at the end of each string that may become a term, so that the terms bring the numbers
of their strings along, and with one more type for each object that may be a node, so that each
object has a subject.  Both readings give the same quads in the same order, so each quad of the
first has the places of its partner.

Where a mark changes what a string means, partners differ: a name that `@type: @vocab` maps is one
only as a whole.  Such a string loses its mark, and the text is read again.  Strings without a mark,
numbers, Booleans and types are found afterwards by the object in which they stand and by their
order.
"""

from __future__ import annotations

import json
import re
from array import array
from collections import deque
from typing import TYPE_CHECKING, Any, NamedTuple

import pyoxigraph as ox

from cturi_rdf.editing.document import Ordered, Span, Statement
from cturi_rdf.editing.marks import NEEDS_FRAGMENT, Homes, Sign, Terms
from cturi_rdf.reading.jsonld_stream import streamed
from cturi_rdf.reading.terms import RDF_NS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from cturi_rdf.editing.document import Document
    from cturi_rdf.reading.jsonld import Rewriting


_TYPE, _FIRST = ox.NamedNode(f"{RDF_NS}type"), ox.NamedNode(f"{RDF_NS}first")
_OBJECT, _ARRAY, _STRING = ord("{"), ord("["), ord('"')
# Keywords whose values are not marked, and objects that are no nodes.
_UNMARKED = frozenset({
    "@base", "@container", "@direction", "@import", "@index", "@language", "@prefix",
    "@propagate", "@protected", "@type", "@version", "@vocab",
})  # fmt: skip
_NO_NODES = frozenset({"@list", "@set", "@value"})
_GRAPH_ALONE = frozenset({"@context", "@graph"})
# A keyword, or what looks like one, is none with a mark (JSON-LD 1.1 section 4.1).
_KEYWORD = re.compile(r"@[A-Za-z]+")
# What may be a reference that needs a fragment before its mark.
_NEEDS_LOOK = re.compile(rb'"(?:[^#]*/)?\.{0,2}"|"(?:[A-Za-z][A-Za-z0-9+.-]*:)?//[^/?#]*"')
# How often a text is read again with fewer marks, and to find the marks that make it invalid.
_TRIES, _HALVES = 8, 40


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
_Columns = tuple[str, int, int, int]


class Places:
    """The statements of a document with some predicates, as Oxigraph gives them.

    `form` is the format in which Oxigraph has read the file: as a stream, if it is one.
    """

    form: ox.RdfFormat

    def __init__(self, document: Document, rewriting: Rewriting) -> None:
        self._document = document
        self._is_wanted, self._placed = document.is_looked_for, document.placed
        self._rewriting = rewriting
        self._scanned = rewriting.scanned
        self._options: dict[str, Any] = {"base_iri": document.base}
        # The predicates that are wanted, and the one that tells the place of a list.
        wanted = document.predicates
        self._kept = None if wanted is None else {*wanted, _FIRST.value}
        self._terms: list[tuple[Any, Any, Any, Any]] = []
        self._places: list[_Columns | None] = []
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
        text, self.form = streamed(self._rewriting.text(), **self._options)
        lines, kept = self._document.graph_lines, self._kept
        quads: Iterable[ox.Quad]
        if kept is None:
            quads = self._parse(text)
        elif lines is not None:
            quads = lines.quads(kept)
        else:
            quads = (quad for quad in self._parse(text) if quad.predicate.value in kept)
        return [
            quad if self._is_wanted(quad) or quad.predicate == _FIRST else None for quad in quads
        ]

    def _needs_place(self, predicate: ox.NamedNode) -> bool:
        return self._placed is None or predicate.value in self._placed

    def _parse(self, text: bytes) -> Iterator[ox.Quad]:
        return self._rewriting.quads(ox.parse(text, self.form, **self._options))

    def _parse_marked(self, marks: _Marks) -> Iterator[ox.Quad]:
        text, _ = streamed(marks.text(), self.form)
        return self._parse(text)

    def _place_all(self, quads: list[ox.Quad | None], *, all_nodes: bool) -> _Marks:
        """Set the statements and their places; return the marks that tell these."""
        needed = (quad for quad in filter(None, quads) if self._needs_place(quad.predicate))
        marks = _Marks(self._rewriting, filter(self._is_wanted, needed), all_nodes=all_nodes)
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
            begins_list = predicate == _FIRST and quad.subject in lists
            needs_place = other is not None and (begins_list or self._needs_place(predicate))
            place = marks.place(predicate.value, other) if needs_place else None
            if begins_list and place is not None:
                index, subject = lists.pop(quad.subject)
                places[index] = marks.list_around(subject, place[3])
            if predicate == _FIRST and not self._is_wanted(quad):
                continue
            if place is None and needs_place:
                if isinstance(quad.object, ox.BlankNode):
                    lists[quad.object] = len(terms), other.subject
                else:
                    rest.append((len(terms), quad, other))
            terms.append(terms_of(quad))
            places.append(place)
        for index, place in marks.by_order(rest).items():
            places[index] = place
        return marks

    def _read_marked(self, quads: list[ox.Quad | None], marks: _Marks) -> Sequence[Any]:
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
        self, quads: list[ox.Quad | None], marks: _Marks
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

    def _refused(self, marks: _Marks) -> set[int]:
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


class _Marks(Sign):
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
        self._homes, self._latest = Homes(), 0
        # The predicates that a name has stood for.
        self._named: dict[str, set[str]] = {}
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
        return "" if member < 0 else self._words[self._scanned.keys[member]]

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
                hash_ = b"#" if NEEDS_FRAGMENT.fullmatch(value) else b""
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
        self._subjects, self._homes, self._latest = {}, Homes(), 0
        mark, type_ = self._type, _TYPE.value
        for quad in quads:
            predicate = quad.predicate.value
            if predicate == type_:
                value = getattr(quad.object, "value", "")
                if value.startswith(mark):
                    entry = int(value.removeprefix(mark))
                    subject = quad.subject
                    self._subjects[entry] = subject
                    self._homes.add(subject, entry)
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

    def place(self, predicate: str, other: ox.Quad) -> _Columns | None:
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
            self._named.setdefault(self._scanned.name(member), set()).add(predicate)
            return kind, value if kind == "reverse" else holder, member, value
        if entry is not None and predicate == _FIRST.value:
            return "list", -1, -1, self._value(entry, None)
        return None

    def _entry(self, term: Any, around: Any) -> int | None:
        """Return the entry with the mark of a term, or the object that a node is."""
        number = self.number(term)
        if number is not None:
            return number
        for home in self._homes.of(term):
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
        while holder >= 0:
            if self._subjects.get(holder) == subject and self._scanned.keys[member] >= 0:
                return holder, member, self._value(entry, holder)
            member, holder = holder, parents[holder]
        return None

    def _value(self, entry: int, holder: int | None) -> int:
        """Return the value that an entry names: the object around an `@id` or a `@value`."""
        scanned = self._scanned
        parent = scanned.parents[entry]
        if parent != holder and parent >= 0 and scanned.kind(parent) == _OBJECT:
            word = self._definitions.keyword(scanned.name(entry))
            if word in {"@id", "@value"}:
                return parent
        return entry

    def list_around(self, subject: Any, entry: int) -> _Columns | None:
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

    def by_order(self, rest: list[tuple[int, ox.Quad, ox.Quad]]) -> dict[int, _Columns]:
        """Return the places of statements whose objects have no marks."""
        places: dict[int, _Columns] = {}
        groups: dict[tuple[Any, str], list[tuple[int, ox.Quad]]] = {}
        for index, quad, other in rest:
            groups.setdefault((other.subject, quad.predicate.value), []).append((index, quad))
        for (subject, predicate), quads in groups.items():
            candidates = list(self._unmarked(subject, predicate))
            is_type = predicate == _TYPE.value
            if is_type and len(candidates) != len(quads):
                continue
            for index, quad in quads:
                for number, place in enumerate(candidates):
                    if is_type or self._may_be(quad.object, place[3]):
                        places[index] = place
                        del candidates[number]
                        break
        return places

    def _unmarked(self, subject: Any, predicate: str) -> Iterator[_Columns]:
        """Yield the values without marks in the objects of a subject that may have a predicate."""
        scanned, is_type = self._scanned, predicate == _TYPE.value
        for holder in self._homes.of(subject):
            if is_type:
                yield from self._key(holder)
            for member in scanned.children(holder):
                name = scanned.name(member)
                word = self._definitions.keyword(name)
                kind = "type" if word == "@type" else "value"
                if word.startswith("@") and not (is_type and kind == "type"):
                    continue
                if kind == "value" and predicate not in self._named.get(name, {predicate}):
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
                    # A number or a Boolean is no type.
                    if first not in {_OBJECT, _ARRAY} and (
                        kind == "type"
                        or (first != _STRING and not is_type)
                        or entry in self.without
                    ):
                        yield kind, holder, member, self._value(entry, holder)
                    entry += 1

    def _key(self, holder: int) -> Iterator[_Columns]:
        """Yield the name in a map of types under which an object stands, before its other types."""
        scanned, member = self._scanned, holder
        while (around := scanned.parents[member]) >= 0 and scanned.kind(around) == _ARRAY:
            member = around
        is_in_map = around >= 0 and scanned.name(around) in self._definitions.type_maps
        if is_in_map and self._definitions.keyword(scanned.name(member)) != "@none":
            yield "key", holder, member, holder

    def _may_be(self, term: Any, entry: int) -> bool:
        """Return whether a value may be written as a number, a Boolean or an unmarked string."""
        scanned = self._scanned
        if scanned.name(entry) in self._definitions.literals:
            return isinstance(term, ox.Literal) and term.datatype.value == f"{RDF_NS}JSON"
        if scanned.kind(entry) == _OBJECT:
            members = self._rewriting.members(entry)
            entry = members.get("@value", members.get("@id", entry))
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
