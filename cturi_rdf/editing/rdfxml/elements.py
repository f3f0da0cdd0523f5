"""The elements of a file of RDF/XML, and what each of them is.

Of the grammar this knows only that nodes and properties take turns (RDF 1.1 XML Syntax section
2.1).
"""

from __future__ import annotations

import re
from array import array
from typing import TYPE_CHECKING

from cturi_rdf.editing.document import Span
from cturi_rdf.editing.rdfxml.tags import Root, attributes_of
from cturi_rdf.reading.terms import RDF_NS
from cturi_rdf.reading.xml_text import entities_of, expanded_text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping


_XML_NS = "http://www.w3.org/XML/1998/namespace"
TYPE, DESCRIPTION, LI = f"{RDF_NS}type", f"{RDF_NS}Description", f"{RDF_NS}li"
_RDF = f"{RDF_NS}RDF"
_NAMES = frozenset(RDF_NS + name for name in ("about", "ID", "nodeID"))
OBJECTS = frozenset(RDF_NS + name for name in ("resource", "nodeID"))
# Attributes that make no statement about the node (section 7.2.11, propertyAttr; RDF 1.2 has more).
_SYNTAX = _NAMES | OBJECTS | frozenset(
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
_TAG = re.compile(rb"<([^\s/>!?]+)")
# What an element is.
TOP, NODE, PROPERTY, RESOURCE, LITERAL = range(5)


class Elements:
    """The elements of a file that matter, each with a number in the order of the text.

    `starts` and `opens` are where the first tag begins and ends, `closes` and `ends` where the last
    one does.  `names` are whole IRIs, `sizes` are of the names in the tags; `namespaces` and
    `languages` are those in scope.  `root` is the first element.
    """

    def __init__(self, data: bytes, predicates: Collection[str] | None) -> None:
        """Find the elements; properties with other predicates than those may be left out."""
        self._data = data
        self.starts, self.opens = array("q"), array("q")
        self.closes, self.ends = array("q"), array("q")
        self.parents, self.kinds = array("q"), array("b")
        self.sizes = array("l")
        self.names: list[str] = []
        self.namespaces: list[Mapping[str, str]] = []
        self.languages: list[str] = []
        self.entities = entities_of(data)
        self._scan(None if predicates is None else _unwanted_leaves(data, predicates))
        self.root = self._root() if self.names else Root()

    def is_property(self, number: int) -> bool:
        """Return whether an element is a property: it is in a node, not in a literal of XML."""
        parent = self.parents[number]
        is_in_node = parent != -1 and self.kinds[parent] in {NODE, RESOURCE}
        return is_in_node and self.kinds[number] != TOP

    def is_resource(self, number: int) -> bool:
        """Return whether a property is a node too, by `rdf:parseType="Resource"`."""
        return self.kinds[number] == RESOURCE

    def name_spans(self, number: int) -> list[tuple[int, int]]:
        """Return the places of the name of an element, in one tag or in both."""
        start, opened, size = self.starts[number] + 1, self.opens[number], self.sizes[number]
        if self._data[opened - 2 : opened] == b"/>":
            return [(start, start + size)]
        close = self.closes[number] + 2
        return [(start, start + size), (close, close + size)]

    def is_on_top(self, number: int) -> bool:
        """Return whether an element is a node in rdf:RDF."""
        parent = self.parents[number]
        return parent != -1 and self.kinds[parent] == TOP

    def child(self, number: int) -> int:
        """Return the first element in an element, -1 if there is none."""
        child = number + 1
        return child if child < len(self.parents) and self.parents[child] == number else -1

    def around(self, number: int) -> list[int]:
        """Return an element and those around it up to a node on top, the inner ones first."""
        numbers = [number]
        while not self.is_on_top(number) and self.parents[number] != -1:
            number = self.parents[number]
            numbers.append(number)
        return numbers

    def _scan(self, leaves: re.Pattern[bytes] | None) -> None:
        """Read the tags; `leaves` are properties to pass over."""
        stack: list[int] = []
        # The names of elements, by the namespaces in scope.
        names: dict[tuple[int, bytes], str] = {}
        position, parent = 0, -1
        while match := self._token(position, parent, leaves):
            position = match.end()
            slash, tag, attributes, text = match.groups()
            if tag is None:
                continue
            if slash:
                if stack:
                    ended = stack.pop()
                    self.closes[ended], self.ends[ended] = match.span()
                    parent = stack[-1] if stack else -1
                continue
            namespaces: Mapping[str, str] = self.namespaces[parent] if parent != -1 else {}
            language = self.languages[parent] if parent != -1 else ""
            if b"xmlns" in attributes or b"xml:lang" in attributes:
                namespaces, language = self._in_scope(match[0], namespaces, language)
            key = id(namespaces), tag
            if key not in names:
                names[key] = expanded(tag, namespaces, default=True)
            number, opened = len(self.names), match.end(3) + 1
            self.starts.append(match.start())
            self.opens.append(opened)
            self.closes.append(opened if text is None else match.end(4))
            self.ends.append(match.end())
            self.parents.append(parent)
            self.sizes.append(len(tag))
            self.names.append(names[key])
            self.namespaces.append(namespaces)
            self.languages.append(language)
            self.kinds.append(self._kind(number, parent, attributes))
            if text is None and not attributes.endswith(b"/"):
                stack.append(number)
                parent = number

    def _token(
        self, position: int, parent: int, leaves: re.Pattern[bytes] | None
    ) -> re.Match[bytes] | None:
        """Return the next token in an element, behind properties that nobody asked for."""
        if leaves and parent != -1 and self.kinds[parent] in {NODE, RESOURCE}:
            passed = leaves.match(self._data, position)
            position = passed.end() if passed else position
        return _TOKEN.search(self._data, position)

    def _root(self) -> Root:
        is_node, opened = self.kinds[0] == NODE, self.opens[0]
        end = self.closes[0] if self.closes[0] != opened else 0
        language = "" if is_node else self.languages[0]
        return Root(self.starts[0], end or opened, self.namespaces[0], is_node, language)

    def _in_scope(
        self, tag: bytes, namespaces: Mapping[str, str], language: str
    ) -> tuple[Mapping[str, str], str]:
        """Return the namespaces and the language in an element."""
        inner = namespaces
        for name, (start, end) in attributes_of(tag, 0):
            value = expanded_text(tag[start:end], self.entities)
            if name == b"xmlns":
                inner = {**inner, "": value}
            elif name.startswith(b"xmlns:"):
                inner = {**inner, name[6:].decode("utf-8", "replace"): value}
            elif name == b"xml:lang":
                language = value
        return inner, language

    def _kind(self, number: int, parent: int, attributes: bytes) -> int:
        if parent == -1:
            return TOP if self.names[number] == _RDF else NODE
        around = self.kinds[parent]
        if around == LITERAL:
            return LITERAL
        if self.names[number] == _RDF:
            # A record, in a document of another kind.
            return TOP
        if around in {TOP, PROPERTY}:
            return NODE
        if b"parseType" not in attributes:
            return PROPERTY
        kind = self.attributes(number).get(f"{RDF_NS}parseType")
        value = self._data[slice(*kind)] if kind else b"Collection"
        # A property whose content is a literal of XML has no elements of RDF in it.
        return {b"Resource": RESOURCE, b"Collection": PROPERTY}.get(value, LITERAL)

    def attributes(self, number: int) -> dict[str, Span]:
        """Return the values of the attributes of an element by their names as IRIs."""
        start = self.starts[number]
        if self._data.find(b"=", start, self.opens[number]) == -1:
            return {}
        spans = attributes_of(self._data, start)
        return {
            expanded(name, self.namespaces[number], default=False): span
            for name, span in spans
            if b":" in name and not name.startswith(b"xmlns")
        }

    def subject_span(self, owner: int) -> Span:
        """Return the place of the name of a node, by the number of its element, or of its tag."""
        names = self.attributes(owner)
        about = next((names[name] for name in _NAMES if name in names), None)
        return about or Span(self.starts[owner], self.opens[owner])

    def stated_in_tag(self, number: int) -> Iterator[Span]:
        """Yield the values of the attributes of a node element that are statements."""
        return (span for name, span in self.attributes(number).items() if states(name))


def states(attribute: str) -> bool:
    """Return whether an attribute makes a statement, by its name (section 7.2.11)."""
    return attribute not in _SYNTAX and not attribute.startswith(_NO_STATEMENTS)


def _unwanted_leaves(data: bytes, wanted: Collection[str]) -> re.Pattern[bytes]:
    """Return a pattern of properties without elements in them that nobody asked for.

    The end of a predicate tells the name of the property, whatever its prefix stands for.
    """
    ends = [iri.encode() for iri in (*wanted, LI)]

    def is_end(name: bytes) -> bool:
        return any(end.endswith(name.rpartition(b":")[2]) for end in ends)

    asked = [re.escape(tag) for tag in {*_TAG.findall(data)} if is_end(tag) or not tag.isascii()]
    attributes = [name for name in _IN_LEAVES if not is_end(name)]
    # No name begins with "<".
    return re.compile(_LEAVES % (b"|".join(asked or [b"<"]), b"|".join(attributes or [b"<"])))


def expanded(name: bytes, namespaces: Mapping[str, str], *, default: bool) -> str:
    """Return the IRI of a qualified name."""
    prefix, colon, local = name.decode("utf-8", "replace").rpartition(":")
    if not colon and not default:
        return local
    namespace = _XML_NS if prefix == "xml" else namespaces.get(prefix, "")
    return namespace + local
