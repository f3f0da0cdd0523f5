"""The statements of RDF/XML and their places, by marks.

Oxigraph reads the file; of the grammar this knows only that nodes and properties take turns (RDF
1.1 XML Syntax section 2.1), and that a property's name is its predicate.  The text is read a second
time, in which the elements and attributes that were asked for have numbers for their names: so the
predicates, and the types of nodes, bring the numbers along.  Both readings give the same statements
in the same order.  An element that comes out of an entity has no place.
"""

from __future__ import annotations

import html
import re
from array import array
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING

import pyoxigraph as ox

from cturi_rdf.editing.document import Ordered, Span, Statement, Terms
from cturi_rdf.editing.rdfxml.tags import ElementPlace, Root, attributes_of
from cturi_rdf.reading.terms import RDF_NS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cturi_rdf.editing.document import Document


_XML_NS = "http://www.w3.org/XML/1998/namespace"
_TYPE = f"{RDF_NS}type"
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
_ENTITY = re.compile(rb"<!ENTITY\s+([^\s%]+)\s+(?:\"([^\"]*)\"|'([^']*)')\s*>")
_REFERENCE = re.compile(r"&[^&;\s]+;")
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
_TAG = re.compile(rb"<([^\s/>!?]+)")
# The element of a statement, the kind of its place, and the offsets of its object.
_Place = tuple[int, str, int, int]
# What an element is.
_TOP, _NODE, _PROPERTY, _RESOURCE, _LITERAL = range(5)


class Elements:
    """The elements of a file that matter, each with a number in the order of the text.

    `starts` and `opens` are where the first tag begins and ends, `closes` and `ends` where the last
    one does.  `names` are whole IRIs, `sizes` are of the names in the tags; `namespaces` and
    `languages` are those in scope.
    """

    def __init__(self) -> None:
        self.starts, self.opens = array("q"), array("q")
        self.closes, self.ends = array("q"), array("q")
        self.parents, self.kinds = array("q"), array("b")
        self.sizes = array("l")
        self.names: list[str] = []
        self.namespaces: list[Mapping[str, str]] = []
        self.languages: list[str] = []

    def is_property(self, number: int) -> bool:
        """Return whether an element is a property, with a node or a value in it."""
        return self.kinds[number] in {_PROPERTY, _RESOURCE, _LITERAL}

    def is_resource(self, number: int) -> bool:
        """Return whether a property is a node too, by `rdf:parseType="Resource"`."""
        return self.kinds[number] == _RESOURCE

    def name_spans(self, number: int, data: bytes) -> list[tuple[int, int]]:
        """Return the places of the name of an element, in one tag or in both."""
        start, opened, size = self.starts[number] + 1, self.opens[number], self.sizes[number]
        if data[opened - 2 : opened] == b"/>":
            return [(start, start + size)]
        close = self.closes[number] + 2
        return [(start, start + size), (close, close + size)]

    def is_on_top(self, number: int) -> bool:
        """Return whether an element is a node in rdf:RDF."""
        parent = self.parents[number]
        return parent >= 0 and self.kinds[parent] == _TOP

    def child(self, number: int) -> int:
        """Return the first element in an element, -1 if there is none."""
        child = number + 1
        return child if child < len(self.parents) and self.parents[child] == number else -1

    def around(self, number: int) -> list[int]:
        """Return an element and those around it up to a node on top, the inner ones first."""
        numbers = [number]
        while not self.is_on_top(number) and self.parents[number] >= 0:
            number = self.parents[number]
            numbers.append(number)
        return numbers


class MarkedXml:
    """One file: its elements, the first of which is `root`, and its statements."""

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
        self.elements = Elements()
        # Whether the name of an attribute is a wanted statement, by the namespaces in scope.
        self._may_state: dict[tuple[int, bytes], bool] = {}
        # The statements: their quads and their places.
        self._quads: list[ox.Quad] = []
        self._terms = Terms()
        self._places: list[_Place | None] = []
        self.root = Root()
        self._entities = _entities(self._data)
        self._scan()
        self._mark_all()

    def _scan(self) -> None:
        elements = self.elements
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
                namespaces, language = self._in_scope(match[0], namespaces, language)
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
            elements.sizes.append(len(tag))
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
        if leaves and parent >= 0 and self.elements.kinds[parent] in {_NODE, _RESOURCE}:
            passed = leaves.match(self._data, position)
            position = passed.end() if passed else position
        return _TOKEN.search(self._data, position)

    def _in_scope(
        self, tag: bytes, namespaces: Mapping[str, str], language: str
    ) -> tuple[Mapping[str, str], str]:
        """Return the namespaces and the language in an element."""
        inner = namespaces
        for name, (start, end) in attributes_of(tag, 0):
            value = _expanded_text(tag[start:end], self._entities)
            if name == b"xmlns":
                inner = {**inner, "": value}
            elif name.startswith(b"xmlns:"):
                inner = {**inner, name[6:].decode("utf-8", "replace"): value}
            elif name == b"xml:lang":
                language = value
        return inner, language

    def _unwanted_leaves(self) -> re.Pattern[bytes] | None:
        """Return a pattern of properties without elements in them that nobody asked for, if any.

        The end of a predicate tells the name of the property, whatever its prefix stands for.
        """
        if self._placed is None:
            return None
        ends = [iri.encode() for iri in (*self._placed, _LI)]

        def is_end(name: bytes) -> bool:
            return any(end.endswith(name.rpartition(b":")[2]) for end in ends)

        tags = {*_TAG.findall(self._data)}
        asked = [re.escape(tag) for tag in tags if is_end(tag) or not tag.isascii()]
        attributes = [name for name in _IN_LEAVES if not is_end(name)]
        # No name begins with "<".
        return re.compile(_LEAVES % (b"|".join(asked or [b"<"]), b"|".join(attributes or [b"<"])))

    def _kind(self, number: int, parent: int, attributes: bytes) -> int:
        elements = self.elements
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
        elements = self.elements
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
        wanted, elements = self._placed, self.elements
        types = wanted is None or _TYPE in wanted
        items = wanted is None or any(iri.startswith(f"{RDF_NS}_") for iri in wanted)
        is_type: dict[str, bool] = {}
        # How many members rdf:li has made of each element (section 7.4).
        members = Counter[int]()
        for number, kind in enumerate(elements.kinds):
            name = elements.names[number]
            if kind == _TOP or number == 0:
                end = elements.name_spans(number, self._data)[0][1]
                declared = b' xmlns:%b="urn:%b:"' % (self._prefix, self._prefix)
                self._edits.append((end, end, declared))
            if kind == _NODE:
                if types and name not in is_type:
                    is_type[name] = name != _DESCRIPTION and self._is_wanted_type(name)
                if types and is_type[name]:
                    name_span = elements.name_spans(number, self._data)[0]
                    self._rename(number, _TYPE, (number, "type", *name_span))
                self._mark_attributes(number, "attribute")
            elif kind in {_PROPERTY, _RESOURCE, _LITERAL} and self._is_property(number):
                if name == _LI:
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
                if kind == _PROPERTY and (place is None or place[1] == "resource"):
                    self._mark_attributes(number, "inner attribute")

    def _is_wanted_type(self, name: str) -> bool:
        try:
            return self._document.is_wanted(ox.NamedNode(_TYPE), ox.NamedNode(name))
        except ValueError:
            # No IRI: Oxigraph says so.
            return False

    def _is_property(self, number: int) -> bool:
        """Return whether an element is a property: it is in a node, not in a literal of XML."""
        parent = self.elements.parents[number]
        return parent >= 0 and self.elements.kinds[parent] in {_NODE, _RESOURCE}

    def _mark(self, predicate: str, place: _Place) -> int:
        """Return the number of a new mark."""
        self._predicates.append(predicate)
        self._tokens.append(place)
        return len(self._tokens) - 1

    def _rename(self, number: int, predicate: str, place: _Place) -> None:
        """Give an element the name of a mark."""
        mark = self._mark(predicate, place)
        name = b"%b:n%d" % (self._prefix, mark)
        self._edits += ((*span, name) for span in self.elements.name_spans(number, self._data))

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
                iri = _expanded(name, namespaces, default=False)
                mark = self._mark(iri, (number, kind, *span))
                if iri == _TYPE:
                    self._edits.append((*span, f"{self._namespace}{mark}".encode()))
                    continue
                at = data.rindex(name, start, span.start)
                self._edits.append((at, at + len(name), b"%b:n%d" % (self._prefix, mark)))

    def _is_statement(self, name: bytes, namespaces: Mapping[str, str]) -> bool:
        """Return whether an attribute is a wanted statement, by its name in a tag."""
        key = id(namespaces), name
        if key not in self._may_state:
            iri = _expanded(name, namespaces, default=False)
            is_wanted = self._placed is None or iri in self._placed
            is_qualified = b":" in name and not name.startswith(b"xmlns")
            self._may_state[key] = is_wanted and is_qualified and _states(iri)
        return self._may_state[key]

    def _object(self, number: int) -> _Place:
        """Return the place of the object of a property."""
        elements = self.elements
        start, opened = elements.starts[number], elements.opens[number]
        if elements.kinds[number] == _LITERAL:
            return number, "markup", opened, elements.closes[number]
        if elements.kinds[number] == _RESOURCE:
            return number, "node", start, opened
        attributes = self._attributes(number)
        named = next((attributes[name] for name in _OBJECTS if name in attributes), None)
        if named is not None:
            return number, "resource", *named
        if any(map(_states, attributes)):
            return number, "resource", start, opened
        if f"{RDF_NS}parseType" in attributes:
            return number, "node", start, opened
        if (child := elements.child(number)) >= 0:
            return number, "node", *self.subject_span(child)
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
        for quad in self._read():
            mark = next(marks, -1)
            if mark >= 0 and self._predicates[mark] != quad.predicate.value:
                # From here on the places are not known.
                marks, mark = iter(()), -1
            if is_looked_for(quad):
                place = self._tokens[mark] if mark >= 0 else None
                if place and place[1] == "text" and not isinstance(quad.object, ox.Literal):
                    # The object comes out of an entity.
                    place = None
                self._quads.append(quad)
                self._places.append(place)
        starts = [place[2] if place else -1 for place in self._places]
        numbers = range(len(starts))
        ordered = array("q", sorted(numbers, key=starts.__getitem__))
        return Ordered(self._statement, numbers), Ordered(self._statement, ordered)

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
                    value = getattr(quad.object, "value", "") if predicate == _TYPE else ""
                    is_marked = value.startswith(namespace)
                    yield int(value.removeprefix(namespace)) if is_marked else -1

    def _statement(self, index: int) -> Statement:
        quad, place = self._quads[index], self._places[index]
        terms = self._terms.of(quad)
        if place is None:
            return Statement(*terms, index - len(self._quads))
        elements, (number, kind, start, end) = self.elements, place
        in_tag = kind in {"attribute", "inner attribute", "type"}
        owner = number if in_tag else elements.parents[number]
        handle = ElementPlace(
            kind,
            elements.starts[number],
            -1 if in_tag else elements.ends[number],
            elements.namespaces[owner],
            elements.languages[owner],
            number,
            owner,
        )
        return Statement(*terms, start, end, handle)

    def subject_span(self, owner: int) -> Span:
        """Return the place of the name of a node, by the number of its element, or of its tag."""
        names = self._attributes(owner)
        about = next((names[name] for name in _NAMES if name in names), None)
        return about or Span(self.elements.starts[owner], self.elements.opens[owner])

    def stated_in_tag(self, number: int) -> Iterator[Span]:
        """Yield the values of the attributes of a node element that are statements."""
        return (span for name, span in self._attributes(number).items() if _states(name))


def _states(attribute: str) -> bool:
    """Return whether an attribute makes a statement, by its name (section 7.2.11)."""
    return attribute not in _SYNTAX and not attribute.startswith(_NO_STATEMENTS)


def _entities(data: bytes) -> dict[str, str]:
    """Return the texts of the internal entities of a document, by their references.

    >>> _entities(b'<!DOCTYPE a [ <!ENTITY b "urn:"> <!ENTITY c "&b;c#"> ]>')["&c;"]
    'urn:c#'
    """
    texts: dict[str, str] = {}
    for name, *quoted in _ENTITY.findall(data):
        # The first declaration of a name counts (XML 1.0 section 4.2).
        reference = f"&{name.decode('utf-8', 'replace')};"
        texts.setdefault(reference, _expanded_text(b"".join(quoted), texts))
    return texts


def _expanded_text(value: bytes, entities: Mapping[str, str]) -> str:
    """Return the text of a value in which references stand for entities and characters."""
    text = value.decode("utf-8", "replace")
    return _REFERENCE.sub(lambda one: entities.get(one[0]) or html.unescape(one[0]), text)


def _expanded(name: bytes, namespaces: Mapping[str, str], *, default: bool) -> str:
    """Return the IRI of a qualified name."""
    prefix, colon, local = name.decode("utf-8", "replace").rpartition(":")
    if not colon and not default:
        return local
    namespace = _XML_NS if prefix == "xml" else namespaces.get(prefix, "")
    return namespace + local
