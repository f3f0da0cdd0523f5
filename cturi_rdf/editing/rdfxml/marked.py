"""The statements of RDF/XML and their places, by marks.

Oxigraph reads the file; of the grammar this knows only that nodes and properties take turns (RDF
1.1 XML Syntax section 2.1), and that a property's name is its predicate.  A property that was asked
for gets a mark at the end of its text, or of the attribute that names its object; a node around or
in it gets a statement more, which tells its subject.  An element that comes out of an entity has no
place.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import unescape

import pyoxigraph as ox

from cturi_rdf.editing.document import Span, Statement
from cturi_rdf.editing.edit import Ordered
from cturi_rdf.editing.marks import NEEDS_FRAGMENT, Homes, Sign, Terms
from cturi_rdf.editing.rdfxml.tags import ElementPlace, Root, attributes_of
from cturi_rdf.reading.terms import RDF_NS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cturi_rdf.editing.document import Document


_XML_NS = "http://www.w3.org/XML/1998/namespace"
_TYPE, _FIRST = f"{RDF_NS}type", f"{RDF_NS}first"
_RDF, _DESCRIPTION, _LI = f"{RDF_NS}RDF", f"{RDF_NS}Description", f"{RDF_NS}li"
_NAMES = frozenset(RDF_NS + name for name in ("about", "ID", "nodeID"))
_OBJECTS = frozenset(RDF_NS + name for name in ("resource", "nodeID"))
# Attributes that make no statement about the node (section 7.2.11, propertyAttr; RDF 1.2 has more).
_SYNTAX = _NAMES | _OBJECTS | frozenset(
    RDF_NS + name
    for name in ("parseType", "datatype", "bagID", "version", "annotation", "annotationNodeID")
)  # fmt: skip
_NO_STATEMENTS = ("http://www.w3.org/2005/11/its", _XML_NS)
# A tag, with the text and the end of the element if there is no other tag in it; a comment, a
# processing instruction, a section or a document type.
_TOKEN = re.compile(
    rb"<(/)?([^\s/>\"'=!?]++)([^\"'>]*+(?:(?:\"[^\"]*+\"|'[^']*+')[^\"'>]*+)*+)>"
    rb"(?(1)|(?:(?<!/>)([^<]*+)</\2\s*+>)?)"
    rb"|<!--.*?-->|<\?.*?\?>|<!\[CDATA\[.*?\]\]>|<!DOCTYPE[^\[>]*(?:\[.*?\]\s*)?>",
    re.DOTALL,
)
# Elements side by side that have no others in them, without some names of tags, and with attributes
# of some names alone.
_LEAVES = (
    rb"(?:\s*+<(?!(?:%b)[\s/>])([^\s/>\"'=!?<]++)"
    rb"(?:\s++(?:[^\s=<>\"'/:]++:)?+(?:%b)\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'))*+"
    rb"\s*+(?:/>|>[^<]*+</\1\s*+>))*+"
)
_IN_LEAVES = (b"resource", b"datatype", b"lang", b"nodeID", b"ID")
# A text that looks like an attribute may stand in the value of one.
_ATTRIBUTE_NAME = re.compile(rb"\s([^\s=\"'<>/]+:[^\s=\"'<>/]+)\s*=")
_TAG, _TAG_NAME = re.compile(rb"<([^\s/>!?]+)"), re.compile(rb"[^\s/>]+")
# The statement that tells the subject of an element.
_PREDICATE = "urn:x-cturi:node"
_DECLARED = b' xmlns:x-cturi="urn:x-cturi:" x-cturi:node="%d"'
_CHILD = b'<x-cturi:node xmlns:x-cturi="urn:x-cturi:">%d</x-cturi:node>'
_TRIES = 4
# The element of a statement, the kind of its place, and the offsets of its object.
_Place = tuple[int, str, int, int]
# What an element is.
_TOP, _NODE, _PROPERTY, _RESOURCE, _LITERAL = range(5)


class Elements:
    """The elements of a file that matter, each with a number in the order of the text.

    `starts` and `opens` are where the first tag begins and ends, `closes` and `ends` where the last
    one does.  `names` are whole IRIs; `namespaces` and `languages` are those in scope.
    """

    def __init__(self) -> None:
        self.starts, self.opens = array("q"), array("q")
        self.closes, self.ends = array("q"), array("q")
        self.parents, self.kinds = array("q"), array("b")
        self.names: list[str] = []
        self.namespaces: list[Mapping[str, str]] = []
        self.languages: list[str] = []

    def is_property(self, number: int) -> bool:
        """Return whether an element is a property, with a node or a value in it."""
        return self.kinds[number] in {_PROPERTY, _RESOURCE, _LITERAL}

    def is_resource(self, number: int) -> bool:
        """Return whether a property is a node too, by `rdf:parseType="Resource"`."""
        return self.kinds[number] == _RESOURCE

    def is_on_top(self, number: int) -> bool:
        """Return whether an element is a node in rdf:RDF."""
        parent = self.parents[number]
        return parent >= 0 and self.kinds[parent] == _TOP


class MarkedXml:
    """One file; `statements` are those with some predicates, `root` is its first element."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._data = data = document.data
        self._wanted = document.predicates
        self._sign = Sign(data)
        # What each mark is of.
        self._tokens: list[_Place] = []
        self._edits: list[tuple[int, int, bytes, int]] = []
        self._homes = Homes()
        self._elements = Elements()
        self._is_typed: set[int] = set()
        # The elements whose subjects are told.
        self._told: set[int] = set()
        # Whether the name of an attribute may be a wanted statement, by the namespaces in scope.
        self._may_state: dict[tuple[int, bytes], bool] = {}
        # The statements: their quads and their places.
        self._quads: list[ox.Quad] = []
        self._terms = Terms()
        self._places: list[_Place | None] = []
        self.root = Root()
        self._scan()
        self._mark_all()

    @property
    def elements(self) -> Elements:
        """The elements of the file."""
        return self._elements

    def _scan(self) -> None:
        elements = self._elements
        stack: list[int] = []
        namespaces: Mapping[str, str] = {}
        language = ""
        # The names of elements, by the namespaces in scope.
        names: dict[tuple[int, bytes], str] = {}
        leaves, position, parent = self._unwanted_leaves(), 0, -1
        while match := self._token(position, parent, leaves):
            position = match.end()
            slash, tag, attributes, text = match.groups()
            if tag is None:
                continue
            if slash:
                if stack:
                    ended = stack.pop()
                    elements.closes[ended], elements.ends[ended] = match.span()
                    parent = stack[-1] if stack else -1
                continue
            if parent >= 0:
                namespaces, language = elements.namespaces[parent], elements.languages[parent]
            else:
                namespaces, language = {}, ""
            if b"xmlns" in attributes or b"xml:lang" in attributes:
                namespaces, language = _in_scope(match[0], namespaces, language)
            key = id(namespaces), tag
            if key not in names:
                names[key] = _expanded(tag, namespaces, default=True)
            number = len(elements.names)
            opened, ended = match.end(3) + 1, match.end()
            elements.starts.append(match.start())
            elements.opens.append(opened)
            elements.closes.append(opened if text is None else match.end(4))
            elements.ends.append(ended)
            elements.parents.append(parent)
            elements.names.append(names[key])
            elements.namespaces.append(namespaces)
            elements.languages.append(language)
            elements.kinds.append(self._kind(number, parent, attributes))
            if text is None and not attributes.endswith(b"/"):
                stack.append(number)
                parent = number
        if elements.names:
            is_node = elements.kinds[0] == _NODE
            language = "" if is_node else elements.languages[0]
            end = elements.closes[0] if elements.closes[0] != elements.opens[0] else 0
            self.root = Root(
                elements.starts[0], end or elements.opens[0], elements.namespaces[0],
                is_node, language,
            )  # fmt: skip

    def _token(
        self, position: int, parent: int, leaves: re.Pattern[bytes] | None
    ) -> re.Match[bytes] | None:
        """Return the next token in an element, behind properties that nobody asked for."""
        if leaves and parent >= 0 and self._elements.kinds[parent] in {_NODE, _RESOURCE}:
            passed = leaves.match(self._data, position)
            position = passed.end() if passed else position
        return _TOKEN.search(self._data, position)

    def _unwanted_leaves(self) -> re.Pattern[bytes] | None:
        """Return a pattern of properties without elements in them that nobody asked for, if any.

        The end of a predicate tells the name of the property, whatever its prefix stands for.
        """
        if self._wanted is None:
            return None
        ends = [iri.encode() for iri in (*self._wanted, _LI)]

        def is_end(name: bytes) -> bool:
            return any(end.endswith(name.rpartition(b":")[2]) for end in ends)

        tags = {*_TAG.findall(self._data)}
        asked = [re.escape(tag) for tag in tags if is_end(tag) or not tag.isascii()]
        attributes = [name for name in _IN_LEAVES if not is_end(name)]
        # No name begins with "<".
        return re.compile(_LEAVES % (b"|".join(asked or [b"<"]), b"|".join(attributes or [b"<"])))

    def _kind(self, number: int, parent: int, attributes: bytes) -> int:
        elements = self._elements
        if parent < 0:
            return _TOP if elements.names[number] == _RDF else _NODE
        around = elements.kinds[parent]
        if around == _LITERAL:
            return _LITERAL
        if elements.names[number] == _RDF:
            # A record, in a document of another kind.
            return _TOP
        if around in {_TOP, _PROPERTY}:
            return _NODE
        if b"parseType" not in attributes:
            return _PROPERTY
        kind = self._attributes(number).get(f"{RDF_NS}parseType")
        value = self._data[slice(*kind)] if kind else b"Collection"
        # A property whose content is a literal of XML has no elements of RDF in it.
        return {b"Resource": _RESOURCE, b"Collection": _PROPERTY}.get(value, _LITERAL)

    def _attributes(self, number: int) -> dict[str, Span]:
        """Return the values of the attributes of an element by their names as IRIs."""
        elements = self._elements
        start = elements.starts[number]
        if self._data.find(b"=", start, elements.opens[number]) < 0:
            return {}
        spans = attributes_of(self._data, start)
        return {
            _expanded(name, elements.namespaces[number], default=False): span
            for name, span in spans
            if b":" in name and not name.startswith(b"xmlns")
        }

    # The marks.

    def _mark_all(self) -> None:
        wanted, elements = self._wanted, self._elements
        types = wanted is None or _TYPE in wanted
        items = any(iri.startswith(f"{RDF_NS}_") for iri in wanted or ())
        is_type: dict[str, bool] = {}
        for number, kind in enumerate(elements.kinds):
            if kind == _NODE:
                name = elements.names[number]
                if types and name not in is_type:
                    is_type[name] = name != _DESCRIPTION and self._is_wanted_type(name)
                if types and is_type[name]:
                    self._is_typed.add(number)
                    self._tell(number)
                if self._mark_attributes(number, "attribute"):
                    self._tell(number)
            elif kind in {_PROPERTY, _RESOURCE, _LITERAL} and self._is_property(number):
                name = elements.names[number]
                if wanted is None or name in wanted or (name == _LI and items):
                    self._mark_property(number)
                elif kind == _PROPERTY and self._mark_attributes(number, "inner attribute"):
                    self._tell(number)

    def _is_wanted_type(self, name: str) -> bool:
        try:
            return self._document.is_wanted(ox.NamedNode(_TYPE), ox.NamedNode(name))
        except ValueError:
            # No IRI: Oxigraph says so.
            return False

    def _is_property(self, number: int) -> bool:
        """Return whether an element is a property: it is in a node, not in a literal of XML."""
        parent = self._elements.parents[number]
        return parent >= 0 and self._elements.kinds[parent] in {_NODE, _RESOURCE}

    def _mark(self, number: int, kind: str, span: Span, *, is_text: bool = False) -> None:
        """Put a mark at the end of a token."""
        value = self._data[span.start : span.end].decode("latin-1")
        hash_ = "" if is_text or not NEEDS_FRAGMENT.fullmatch(value) else "#"
        mark = f"{hash_}&#{ord(self._sign.character)};{len(self._tokens)}".encode()
        self._edits.append((span.end, span.end, mark, len(self._tokens)))
        self._tokens.append((number, kind, span.start, span.end))

    def _mark_attributes(self, number: int, kind: str) -> bool:
        """Mark the attributes of an element that are wanted statements."""
        elements, is_any = self._elements, False
        start, end, namespaces = (
            elements.starts[number], elements.opens[number], elements.namespaces[number],
        )  # fmt: skip
        # Most tags have no such attribute.
        if not any(
            self._is_statement(name, namespaces)
            for name in _ATTRIBUTE_NAME.findall(self._data, start, end)
        ):
            return False
        for name, span in self._attributes(number).items():
            if self._is_wanted_name(name):
                self._mark(number, kind, span, is_text=name != _TYPE)
                is_any = True
        return is_any

    def _is_statement(self, name: bytes, namespaces: Mapping[str, str]) -> bool:
        """Return whether an attribute may be a wanted statement, by its name in a tag."""
        key = id(namespaces), name
        if key not in self._may_state:
            is_wanted = self._is_wanted_name(_expanded(name, namespaces, default=False))
            self._may_state[key] = is_wanted and not name.startswith(b"xmlns")
        return self._may_state[key]

    def _is_wanted_name(self, name: str) -> bool:
        is_statement = name not in _SYNTAX and not name.startswith(_NO_STATEMENTS)
        return is_statement and (self._wanted is None or name in self._wanted)

    def _mark_property(self, number: int) -> None:
        """Mark the object of a property, and tell its subject where there is no token for that."""
        elements = self._elements
        kind, parent = elements.kinds[number], elements.parents[number]
        if kind != _PROPERTY:
            self._tell(parent)
            if kind == _RESOURCE:
                self._tell(number)
            return
        attributes = self._attributes(number)
        named = next((attributes[name] for name in _OBJECTS if name in attributes), None)
        others = [name for name in attributes
                  if name not in _SYNTAX and not name.startswith(_NO_STATEMENTS)]  # fmt: skip
        if named is not None:
            self._mark(number, "resource", named)
        if others:
            self._mark_attributes(number, "inner attribute")
            self._tell(number)
        if named is not None or others:
            if others:
                self._tell(parent)
            return
        inside = range(number + 1, bisect_left(elements.starts, elements.ends[number], number))
        if not inside and f"{RDF_NS}parseType" not in attributes:
            self._mark_text(number, elements.starts[number], elements.opens[number])
            return
        self._tell(parent)
        for child in inside:
            if elements.parents[child] == number:
                self._tell(child)
                names = self._attributes(child)
                about = next((names[name] for name in _NAMES if name in names), None)
                if about is not None:
                    self._mark(child, "node", about)

    def _mark_text(self, number: int, start: int, opened: int) -> None:
        """Mark the text of a property, or write it into an empty tag."""
        data, close = self._data, self._elements.closes[number]
        if data[opened - 2 : opened] == b"/>":
            index = len(self._tokens)
            name = re.match(rb"<([^\s/>]+)", data[start:opened])
            tag = name[1] if name else b""
            mark = f">&#{ord(self._sign.character)};{index}</".encode() + tag + b">"
            self._edits.append((opened - 2, opened, mark, index))
            self._tokens.append((number, "text", start, opened))
        else:
            self._mark(number, "text", Span(opened, close), is_text=True)

    def _tell(self, number: int) -> None:
        """Write a statement about the node that an element is, once."""
        elements, data = self._elements, self._data
        if number < 0 or number in self._told or elements.kinds[number] in {_TOP, _LITERAL}:
            return
        self._told.add(number)
        opened = elements.opens[number]
        is_empty = data[opened - 2 : opened] == b"/>"
        if elements.kinds[number] == _RESOURCE:
            if not is_empty:
                self._edits.append((opened, opened, _CHILD % number, -1))
            return
        place = opened - (2 if is_empty else 1)
        self._edits.append((place, place, _DECLARED % number, -1))

    def _text(self, without: set[int]) -> bytes:
        pieces, position = [], 0
        for start, end, text, number in sorted(self._edits):
            if number not in without:
                pieces += [self._data[position:start], text]
                position = end
        return b"".join([*pieces, self._data[position:]])

    # The statements.

    def statements(self) -> tuple[Sequence[Statement], Sequence[Statement]]:
        """Return the statements as Oxigraph gives them, and in the order of the text.

        Raises `SyntaxError` where it refuses the file.
        """
        elements, without = self._elements, set[int]()
        for _ in range(_TRIES):
            self._homes = Homes()
            quads, others, wrong = self._pairs(self._text(without))
            if not wrong:
                break
            without |= wrong
            # Where there is no mark, the subject tells the place.
            for number in wrong:
                self._tell(elements.parents[self._tokens[number][0]])
        self._quads = quads
        self._place_all(others)
        starts = [place[2] if place else -1 for place in self._places]
        numbers = range(len(starts))
        ordered = array("q", sorted(numbers, key=starts.__getitem__))
        return Ordered(self._statement, numbers), Ordered(self._statement, ordered)

    def _pairs(self, marked: bytes) -> tuple[list[ox.Quad], list[ox.Quad | None], set[int]]:
        """Return the wanted quads, their partners, and the marks that change a meaning."""
        sign, is_looked_for = self._sign, self._document.is_looked_for
        quads: list[ox.Quad] = []
        partners: list[ox.Quad | None] = []
        wrong: set[int] = set()
        others = self._others(marked)
        for quad in self._read():
            try:
                other = next(others, None)
            except SyntaxError:
                other = None
            if other is None or other.predicate != quad.predicate:
                # From here on the partners are not known.
                others = iter(())
                other = None
            if not is_looked_for(quad):
                continue
            if other is not None and not (
                sign.is_same(other.object, quad.object)
                and sign.is_same(other.subject, quad.subject)
            ):
                wrong |= sign.numbers(other)
            quads.append(quad)
            partners.append(other)
        # The last quads tell subjects.
        with suppress(SyntaxError):
            deque(others, maxlen=0)
        return quads, partners, wrong

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

    def _others(self, marked: bytes) -> Iterator[ox.Quad]:
        """Yield the wanted quads of the marked text; keep those that tell subjects."""
        wanted, homes = self._wanted, self._homes
        for quad in self._document.parse(marked):
            predicate = quad.predicate.value
            if predicate == _PREDICATE and isinstance(quad.object, ox.Literal):
                homes.add(quad.subject, int(quad.object.value))
                continue
            if predicate == _FIRST:
                number = self._element_of(quad.object)
                if number is not None:
                    homes.add(quad.subject, ~self._elements.parents[number])
            if wanted is None or predicate in wanted:
                yield quad

    def _element_of(self, term: Any) -> int | None:
        """Return the element of a node that is the object of a statement."""
        number = self._sign.number(term)
        if number is not None and number < len(self._tokens):
            return self._tokens[number][0]
        return next((home for home in self._homes.of(term) if home >= 0), None)

    def _place_all(self, others: list[ox.Quad | None]) -> None:
        taken: set[int] = set()
        # The statements without a place, by subject and predicate.
        groups: dict[tuple[Any, str], list[int]] = {}
        for index, (quad, other) in enumerate(zip(self._quads, others, strict=True)):
            place = None if other is None else self._place(quad, other)
            if place is None and other is not None:
                groups.setdefault((other.subject, quad.predicate.value), []).append(index)
            elif place is not None and place[1] not in {"attribute", "inner attribute", "type"}:
                taken.add(place[0])
            self._places.append(place)
        self._by_order(groups, taken)

    def _place(self, quad: ox.Quad, other: ox.Quad) -> _Place | None:
        """Return the element of a statement, the kind of its place and the span of its object."""
        elements, predicate = self._elements, quad.predicate.value
        number = self._sign.number(other.object)
        if number is not None and number < len(self._tokens):
            element, kind, start, end = token = self._tokens[number]
            if kind == "node":
                return self._inside(elements.parents[element], kind, predicate, start, end)
            if kind in {"text", "resource"}:
                # What describes a named statement has the same object.
                return self._inside(element, kind, predicate, start, end)
            return token
        for home in self._homes.of(other.object):
            # A list: its place is the tag of the property.
            element = home if home >= 0 else ~home
            span = elements.starts[element], elements.opens[element]
            place: _Place | None = (home, "resource", *span)
            if home >= 0 and elements.kinds[home] == _NODE:
                place = self._inside(elements.parents[home], "node", predicate, *span)
            elif home < 0 or elements.kinds[home] == _RESOURCE:
                place = self._inside(element, "node", predicate, *span)
            if place is not None or home < 0:
                return place
        if predicate == _TYPE and isinstance(quad.object, ox.NamedNode):
            for home in self._homes.of(other.subject):
                if home in self._is_typed and elements.names[home] == quad.object.value:
                    # A node that stands in two places has its type twice.
                    self._is_typed.discard(home)
                    start = elements.starts[home] + 1
                    name = _TAG_NAME.match(self._data, start)
                    return home, "type", start, name.end() if name else start
        return None

    def _inside(
        self, element: int, kind: str, predicate: str, start: int, end: int
    ) -> _Place | None:
        """Return the place of an object in a property, if that has the predicate."""
        if element < 0:
            return None
        name = self._elements.names[element]
        is_same = name == predicate or (name == _LI and predicate.startswith(f"{RDF_NS}_"))
        return (element, kind, start, end) if is_same else None

    def _by_order(self, groups: dict[tuple[Any, str], list[int]], taken: set[int]) -> None:
        """Find the places of literals of XML and empty lists: the elements that are left."""
        elements = self._elements
        left: dict[tuple[int, str], list[int]] = {}
        if groups:
            for number, name in enumerate(elements.names):
                if number not in taken and self._is_property(number):
                    left.setdefault((elements.parents[number], name), []).append(number)
        for (subject, predicate), indices in groups.items():
            numbers = [
                number
                for home in self._homes.of(subject)
                for number in left.get((home, predicate), ())
            ]
            if len(numbers) == len(indices):
                for index, number in zip(indices, numbers, strict=True):
                    self._places[index] = self._left(number)

    def _left(self, number: int) -> _Place:
        elements = self._elements
        if elements.kinds[number] == _LITERAL:
            return number, "markup", elements.opens[number], elements.closes[number]
        return number, "node", elements.starts[number], elements.opens[number]

    def _statement(self, index: int) -> Statement:
        quad, place = self._quads[index], self._places[index]
        terms = self._terms.of(quad)
        if place is None:
            return Statement(*terms)
        elements, (number, kind, start, end) = self._elements, place
        in_tag = kind in {"attribute", "inner attribute", "type"}
        owner = number if in_tag else elements.parents[number]
        handle = ElementPlace(
            kind,
            elements.starts[number],
            -1 if in_tag else elements.ends[number],
            elements.namespaces[owner],
            elements.languages[owner],
            owner,
        )
        return Statement(*terms, Span(start, end), handle)

    def subject_span(self, owner: int) -> Span:
        """Return the place of the name of a node, by the number of its element, or of its tag."""
        names = self._attributes(owner)
        about = next((names[name] for name in _NAMES if name in names), None)
        return about or Span(self._elements.starts[owner], self._elements.opens[owner])


def _in_scope(
    tag: bytes, namespaces: Mapping[str, str], language: str
) -> tuple[Mapping[str, str], str]:
    """Return the namespaces and the language in an element."""
    inner = namespaces
    for name, (start, end) in attributes_of(tag, 0):
        value = unescape(tag[start:end].decode("utf-8", "replace"), {"&quot;": '"', "&apos;": "'"})
        if name == b"xmlns":
            inner = {**inner, "": value}
        elif name.startswith(b"xmlns:"):
            inner = {**inner, name[6:].decode("utf-8", "replace"): value}
        elif name == b"xml:lang":
            language = value
    return inner, language


def _expanded(name: bytes, namespaces: Mapping[str, str], *, default: bool) -> str:
    """Return the IRI of a qualified name."""
    prefix, colon, local = name.decode("utf-8", "replace").rpartition(":")
    if not colon and not default:
        return local
    namespace = _XML_NS if prefix == "xml" else namespaces.get(prefix, "")
    return namespace + local
