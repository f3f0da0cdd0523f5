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
from collections import deque
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Any
from xml.sax.saxutils import unescape

import pyoxigraph as ox

from cturi_rdf.editing.document import Span, Statement
from cturi_rdf.editing.marks import NEEDS_FRAGMENT, Sign
from cturi_rdf.editing.rdfxml.places import ElementPlace, Root, attributes_of
from cturi_rdf.reading.terms import RDF_NS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping


_XML_NS = "http://www.w3.org/XML/1998/namespace"
_TYPE, _FIRST = f"{RDF_NS}type", ox.NamedNode(f"{RDF_NS}first")
_RDF, _DESCRIPTION, _LI = f"{RDF_NS}RDF", f"{RDF_NS}Description", f"{RDF_NS}li"
_NAMES = frozenset(RDF_NS + name for name in ("about", "ID", "nodeID"))
_OBJECTS = frozenset(RDF_NS + name for name in ("resource", "nodeID"))
# Attributes that make no statement about the node (section 7.2.11, propertyAttr; RDF 1.2 has more).
_SYNTAX = _NAMES | _OBJECTS | frozenset(
    RDF_NS + name
    for name in ("parseType", "datatype", "bagID", "version", "annotation", "annotationNodeID")
)  # fmt: skip
_NO_STATEMENTS = ("http://www.w3.org/2005/11/its", _XML_NS)
# A tag; a comment, a processing instruction, a section or a document type.
_TOKEN = re.compile(
    rb"<(/?)([^\s/>\"'=!?]++)([^\"'>]*+(?:(?:\"[^\"]*+\"|'[^']*+')[^\"'>]*+)*+)>"
    rb"|<!--.*?-->|<\?.*?\?>|<!\[CDATA\[.*?\]\]>|<!DOCTYPE[^\[>]*(?:\[.*?\]\s*)?>",
    re.DOTALL,
)
_TAG_NAME = re.compile(rb"[^\s/>]+")
# The statement that tells the subject of an element.
_PREDICATE = "urn:x-cturi:node"
_DECLARED = b' xmlns:x-cturi="urn:x-cturi:" x-cturi:node="%d"'
_CHILD = b'<x-cturi:node xmlns:x-cturi="urn:x-cturi:">%d</x-cturi:node>'
_TRIES = 4
# What an element is.
_TOP, _NODE, _PROPERTY, _RESOURCE, _LITERAL = range(5)


class _Elements:
    """The elements of a file, each with a number in the order of the text.

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


class MarkedXml:
    """One file; `statements` are those with some predicates, `root` is its first element."""

    def __init__(
        self,
        data: bytes,
        predicates: Collection[str] | None,
        parse: Callable[[IO[bytes] | bytes], Iterator[ox.Quad]],
    ) -> None:
        self._data = data
        self._wanted = predicates
        self._parse = parse
        self._sign = Sign(data)
        # What each mark is of: the element, the kind of the place, and the span.
        self._tokens: list[tuple[int, str, Span]] = []
        self._edits: list[tuple[int, int, bytes, int]] = []
        self._homes: dict[Any, list[int]] = {}
        self._elements = _Elements()
        self._is_typed: set[int] = set()
        # The node whose place was told last.
        self._last = -1, Span(0, 0)
        self.root = Root()
        self._scan()
        self._mark_all()

    # The elements.

    def _scan(self) -> None:
        data, elements = self._data, self._elements
        stack: list[int] = []
        namespaces: Mapping[str, str] = {}
        language = ""
        # The names of elements, by the namespaces in scope.
        names: dict[tuple[int, bytes], str] = {}
        for match in _TOKEN.finditer(data):
            if match[2] is None:
                continue
            if match[1]:
                if stack:
                    ended = stack.pop()
                    elements.closes[ended], elements.ends[ended] = match.span()
                continue
            parent = stack[-1] if stack else -1
            if parent >= 0:
                namespaces, language = elements.namespaces[parent], elements.languages[parent]
            else:
                namespaces, language = {}, ""
            if b"xmlns" in match[3] or b"xml:lang" in match[3]:
                namespaces, language = _in_scope(match[0], namespaces, language)
            number = len(elements.names)
            elements.starts.append(match.start())
            elements.opens.append(match.end())
            elements.closes.append(match.end())
            elements.ends.append(match.end())
            elements.parents.append(parent)
            key = id(namespaces), match[2]
            if key not in names:
                names[key] = _expanded(match[2], namespaces, default=True)
            elements.names.append(names[key])
            elements.namespaces.append(namespaces)
            elements.languages.append(language)
            elements.kinds.append(self._kind(number, parent, match[3]))
            if not match[0].endswith(b"/>"):
                stack.append(number)
        if elements.names:
            is_node = elements.kinds[0] == _NODE
            language = "" if is_node else elements.languages[0]
            end = elements.closes[0] if elements.closes[0] != elements.opens[0] else 0
            self.root = Root(
                elements.starts[0], end or elements.opens[0], elements.namespaces[0],
                is_node, language,
            )  # fmt: skip

    def _kind(self, number: int, parent: int, attributes: bytes) -> int:
        elements = self._elements
        if parent < 0:
            return _TOP if elements.names[number] == _RDF else _NODE
        around = elements.kinds[parent]
        if around in {_TOP, _PROPERTY}:
            return _NODE
        if around == _LITERAL:
            return _LITERAL
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
        with_homes: set[int] = set()
        for number, kind in enumerate(elements.kinds):
            if kind == _NODE:
                if types and elements.names[number] != _DESCRIPTION:
                    self._is_typed.add(number)
                    with_homes.add(number)
                if self._mark_attributes(number, "attribute"):
                    with_homes.add(number)
            elif kind in {_PROPERTY, _RESOURCE, _LITERAL} and self._is_property(number):
                name = elements.names[number]
                if wanted is None or name in wanted or (name == _LI and f"{RDF_NS}_1" in wanted):
                    with_homes.add(elements.parents[number])
                    self._mark_property(number, with_homes)
                elif kind == _PROPERTY and self._mark_attributes(number, "inner attribute"):
                    with_homes.add(number)
        for number in with_homes:
            self._mark_home(number)

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
        self._tokens.append((number, kind, span))

    def _mark_attributes(self, number: int, kind: str) -> bool:
        """Mark the attributes of an element that are wanted statements."""
        elements, is_any = self._elements, False
        tag = self._data[elements.starts[number] : elements.opens[number]]
        if tag.count(b"=") == 0:
            return False
        for name, span in self._attributes(number).items():
            is_statement = name not in _SYNTAX and not name.startswith(_NO_STATEMENTS)
            if is_statement and (self._wanted is None or name in self._wanted):
                self._mark(number, kind, span, is_text=name != _TYPE)
                is_any = True
        return is_any

    def _mark_property(self, number: int, with_homes: set[int]) -> None:
        elements = self._elements
        start, opened = elements.starts[number], elements.opens[number]
        if elements.kinds[number] == _RESOURCE:
            with_homes.add(number)
            return
        if elements.kinds[number] == _LITERAL:
            return
        attributes = self._attributes(number)
        named = next((attributes[name] for name in _OBJECTS if name in attributes), None)
        others = [name for name in attributes
                  if name not in _SYNTAX and not name.startswith(_NO_STATEMENTS)]  # fmt: skip
        if named is not None:
            self._mark(number, "resource", named)
        if others:
            self._mark_attributes(number, "inner attribute")
            with_homes.add(number)
        if named is not None or others:
            return
        child = number + 1
        has_child = child < len(elements.names) and elements.parents[child] == number
        if not has_child and f"{RDF_NS}parseType" not in attributes:
            self._mark_text(number, start, opened)
        while child < len(elements.names) and elements.starts[child] < elements.ends[number]:
            if elements.parents[child] == number:
                with_homes.add(child)
                names = self._attributes(child)
                about = next((names[name] for name in _NAMES if name in names), None)
                if about is not None:
                    self._mark(child, "node", about)
            child += 1

    def _mark_text(self, number: int, start: int, opened: int) -> None:
        """Mark the text of a property, or write it into an empty tag."""
        data, close = self._data, self._elements.closes[number]
        if data[opened - 2 : opened] == b"/>":
            index = len(self._tokens)
            name = re.match(rb"<([^\s/>]+)", data[start:opened])
            tag = name[1] if name else b""
            mark = f">&#{ord(self._sign.character)};{index}</".encode() + tag + b">"
            self._edits.append((opened - 2, opened, mark, index))
            self._tokens.append((number, "text", Span(start, opened)))
        else:
            self._mark(number, "text", Span(opened, close), is_text=True)

    def _mark_home(self, number: int) -> None:
        """Write a statement about the node that an element is."""
        elements, data = self._elements, self._data
        if number < 0 or elements.kinds[number] in {_TOP, _LITERAL}:
            return
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

    def statements(self) -> list[Statement]:
        """Return the statements as Oxigraph gives them.

        Raises `SyntaxError` where it refuses the file.
        """
        without: set[int] = set()
        for _ in range(_TRIES):
            self._homes = {}
            pairs, wrong = self._pairs(self._text(without))
            if not wrong:
                break
            without |= wrong
        return self._placed(pairs)

    def _pairs(self, marked: bytes) -> tuple[list[tuple[ox.Quad, ox.Quad | None]], set[int]]:
        """Return the wanted quads with their partners, and the marks that change a meaning."""
        wanted, sign = self._wanted, self._sign
        pairs: list[tuple[ox.Quad, ox.Quad | None]] = []
        wrong: set[int] = set()
        others = self._others(marked)
        for quad in self._parse(self._data):
            try:
                other = next(others, None)
            except SyntaxError:
                other = None
            if other is None or other.predicate != quad.predicate:
                # From here on the partners are not known.
                others = iter(())
                other = None
            if wanted is None or quad.predicate.value in wanted:
                if other is not None and not (
                    sign.is_same(other.object, quad.object)
                    and sign.is_same(other.subject, quad.subject)
                ):
                    wrong |= sign.numbers(other)
                pairs.append((quad, other))
        # The last quads tell subjects.
        with suppress(SyntaxError):
            deque(others, maxlen=0)
        return pairs, wrong

    def _others(self, marked: bytes) -> Iterator[ox.Quad]:
        """Yield the quads of the marked text, without those that tell subjects."""
        for quad in self._parse(marked):
            value = quad.object
            if quad.predicate.value == _PREDICATE and isinstance(value, ox.Literal):
                self._homes.setdefault(quad.subject, []).append(int(value.value))
            else:
                if quad.predicate == _FIRST:
                    number = self._element_of(quad.object)
                    if number is not None:
                        parent = self._elements.parents[number]
                        self._homes.setdefault(quad.subject, []).append(~parent)
                yield quad

    def _element_of(self, term: Any) -> int | None:
        """Return the element of a node that is the object of a statement."""
        number = self._sign.number(term)
        if number is not None and number < len(self._tokens):
            return self._tokens[number][0]
        return next((home for home in self._homes.get(term, ()) if home >= 0), None)

    def _placed(self, pairs: list[tuple[ox.Quad, ox.Quad | None]]) -> list[Statement]:
        placed: list[tuple[ox.Quad, Any, tuple[int, str, Span] | None]] = []
        taken: set[int] = set()
        for quad, other in pairs:
            place = None if other is None else self._place(quad, other)
            if place is not None and place[1] not in {"attribute", "inner attribute", "type"}:
                taken.add(place[0])
            placed.append((quad, other and other.subject, place))
        self._by_order(placed, taken)
        return [self._statement(quad, place) for quad, _, place in placed]

    def _place(self, quad: ox.Quad, other: ox.Quad) -> tuple[int, str, Span] | None:
        """Return the element of a statement, the kind of its place and the span of its object."""
        elements, predicate = self._elements, quad.predicate.value
        number = self._sign.number(other.object)
        if number is not None and number < len(self._tokens):
            element, kind, span = self._tokens[number]
            if kind == "node":
                return self._inside(elements.parents[element], kind, predicate, span)
            if kind in {"text", "resource"}:
                # What describes a named statement has the same object.
                return self._inside(element, kind, predicate, span)
            return element, kind, span
        for home in self._homes.get(other.object, ()):
            if home < 0:
                # A list: its place is the tag of the property.
                element = ~home
                span = Span(elements.starts[element], elements.opens[element])
                return self._inside(element, "node", predicate, span)
            span = Span(elements.starts[home], elements.opens[home])
            if elements.kinds[home] == _NODE:
                place = self._inside(elements.parents[home], "node", predicate, span)
            elif elements.kinds[home] == _RESOURCE:
                place = self._inside(home, "node", predicate, span)
            else:
                place = home, "resource", span
            if place is not None:
                return place
        if predicate == _TYPE and isinstance(quad.object, ox.NamedNode):
            for home in self._homes.get(other.subject, ()):
                if home in self._is_typed and elements.names[home] == quad.object.value:
                    start = elements.starts[home] + 1
                    name = _TAG_NAME.match(self._data, start)
                    return home, "type", Span(start, name.end() if name else start)
        return None

    def _inside(
        self, element: int, kind: str, predicate: str, span: Span
    ) -> tuple[int, str, Span] | None:
        """Return the place of an object in a property, if that has the predicate."""
        if element < 0:
            return None
        name = self._elements.names[element]
        is_same = name == predicate or (name == _LI and predicate.startswith(f"{RDF_NS}_"))
        return (element, kind, span) if is_same else None

    def _by_order(
        self,
        placed: list[tuple[ox.Quad, Any, tuple[int, str, Span] | None]],
        taken: set[int],
    ) -> None:
        """Find the places of literals of XML and empty lists: the elements that are left."""
        elements, groups = self._elements, dict[tuple[Any, str], list[int]]()
        for index, (quad, subject, place) in enumerate(placed):
            if place is None and subject is not None:
                groups.setdefault((subject, quad.predicate.value), []).append(index)
        left: dict[tuple[int, str], list[int]] = {}
        if groups:
            for number, name in enumerate(elements.names):
                if number not in taken and self._is_property(number):
                    left.setdefault((elements.parents[number], name), []).append(number)
        for (subject, predicate), indices in groups.items():
            numbers = [
                number
                for home in self._homes.get(subject, ())
                for number in left.get((home, predicate), ())
            ]
            if len(numbers) == len(indices):
                for index, number in zip(indices, numbers, strict=True):
                    placed[index] = (*placed[index][:2], self._left(number))

    def _left(self, number: int) -> tuple[int, str, Span]:
        elements = self._elements
        if elements.kinds[number] == _LITERAL:
            return number, "markup", Span(elements.opens[number], elements.closes[number])
        return number, "node", Span(elements.starts[number], elements.opens[number])

    def _statement(self, quad: ox.Quad, place: tuple[int, str, Span] | None) -> Statement:
        terms = quad.graph_name, quad.subject, quad.predicate, quad.object
        if place is None:
            return Statement(*terms)
        elements, (number, kind, span) = self._elements, place
        in_tag = kind in {"attribute", "type"}
        owner = number if in_tag else elements.parents[number]
        if kind == "inner attribute":
            owner = number
        end = -1 if in_tag or kind == "inner attribute" else elements.ends[number]
        handle = ElementPlace(
            kind,
            elements.starts[number],
            end,
            elements.namespaces[owner],
            elements.languages[owner],
        )
        start = elements.starts[number] + 1
        predicate = _TAG_NAME.match(self._data, start)
        named = Span(*predicate.span()) if predicate and end >= 0 else None
        return Statement(*terms, span, self._subject(owner), named, handle)

    def _subject(self, owner: int) -> Span:
        """Return the place of the name of a node, or of its tag."""
        if owner != self._last[0]:
            names = self._attributes(owner)
            about = next((names[name] for name in _NAMES if name in names), None)
            tag = Span(self._elements.starts[owner], self._elements.opens[owner])
            self._last = owner, about or tag
        return self._last[1]


def _in_scope(
    tag: bytes, namespaces: Mapping[str, str], language: str
) -> tuple[dict[str, str], str]:
    """Return the namespaces and the language in an element."""
    inner = dict(namespaces)
    for name, (start, end) in attributes_of(tag, 0):
        value = unescape(tag[start:end].decode("utf-8", "replace"), {"&quot;": '"', "&apos;": "'"})
        if name == b"xmlns":
            inner[""] = value
        elif name.startswith(b"xmlns:"):
            inner[name[6:].decode("utf-8", "replace")] = value
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
