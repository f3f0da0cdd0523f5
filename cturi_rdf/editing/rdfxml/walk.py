"""Going through the elements of RDF/XML (RDF 1.1 XML Syntax section 7.2).

One pass of expat, whose byte index tells where an element begins.  An element
whose predicate nobody asked for costs little: a subject is made when a statement needs it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING
from xml.parsers import expat

import pyoxigraph as ox

from cturi_rdf.editing.document import Span, Statement
from cturi_rdf.editing.rdfxml.elements import Markup, Node, Property
from cturi_rdf.editing.rdfxml.places import ElementPlace, Root, tag_end, value_spans
from cturi_rdf.editing.rdfxml.syntax import (
    ABOUT,
    BASE,
    DATATYPE,
    DESCRIPTION,
    ID,
    LANG,
    LI,
    NAMING,
    NODE_ID,
    PARSE_TYPE,
    RDF,
    RESOURCE,
    SYNTAX,
    TYPE,
    XML_NS,
)
from cturi_rdf.editing.terms import RDF_NS, iri, literal, parsed_xml
from cturi_rdf.reading.errors import CatalogError

if TYPE_CHECKING:
    from collections.abc import Collection

    from cturi_rdf.editing.document import Term

__all__ = ["Walk"]

# A subject, or a function that makes it when needed; None for a relative IRI without a base.
_Subject = ox.NamedNode | ox.BlankNode | Callable[[], ox.NamedNode | ox.BlankNode | None] | None

_BLOCK = 1 << 20
# Attributes of a property element that name its object, by those of a node element.
_NAMES_OBJECT = {RESOURCE: ABOUT, NODE_ID: NODE_ID}
# Those that do not matter to the elements in it.
_OF_PLAIN = frozenset({RESOURCE, DATATYPE})


class Walk:
    """Goes through the elements; `statements` are in the order in which they end."""

    def __init__(
        self, data: bytes, base: str | None, predicates: Collection[str] | None, name: str
    ) -> None:
        self.statements: list[Statement] = []
        self.root = Root()
        self._data = data
        self._name = name
        self._wanted = None if predicates is None else frozenset(predicates)
        self._types_wanted = self._wanted is None or TYPE in self._wanted
        self._namespaces: dict[str, str] = {}
        self._outer: list[dict[str, str]] = []
        self._top: Node | Property | Markup = Property(base, "")
        self._stack: list[Node | Property | Markup] = [self._top]
        self._predicates: dict[str, ox.NamedNode] = {}
        self._graph = ox.DefaultGraph()

    def run(self, encoding: str) -> None:
        """Read the file.  Raises `CatalogError` where it is not well-formed."""
        parser = expat.ParserCreate(encoding, "")
        parser.buffer_text = True
        parser.namespace_prefixes = False
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.StartNamespaceDeclHandler = self._declare
        parser.EndNamespaceDeclHandler = self._forget
        self._parser = parser
        view = memoryview(self._data)
        try:
            for start in range(0, len(view), _BLOCK):
                parser.Parse(view[start : start + _BLOCK], False)  # noqa: FBT003 - expat's signature
            parser.Parse(b"", True)  # noqa: FBT003 - expat's signature
        except expat.ExpatError as error:
            place = error.lineno, error.offset + 1
            raise CatalogError(
                f"not xml ({error})", self._name, "well-formed XML", *place
            ) from error
        finally:
            # The handlers and the parser hold each other.
            parser.StartElementHandler = parser.EndElementHandler = None
            parser.StartNamespaceDeclHandler = parser.EndNamespaceDeclHandler = None
            del self._parser

    def _declare(self, prefix: str | None, name: str | None) -> None:
        self._outer.append(self._namespaces)
        self._namespaces = {**self._namespaces, prefix or "": name or ""}

    def _forget(self, _: str | None) -> None:
        self._namespaces = self._outer.pop()

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        top = self._top
        frame: Node | Property | Markup
        if isinstance(top, Node):
            frame = self._property(top, name, attributes)
        elif isinstance(top, Property):
            frame = self._node(top, name, attributes)
        else:
            frame = top.inner
        self._stack.append(frame)
        self._top = frame

    def _end(self, _: str) -> None:
        ended = self._stack.pop()
        self._top = self._stack[-1]
        element = ended.ends
        if element is not None:
            self._finish(element)
            # An element that holds itself would wait for the collector.
            ended.ends = element.ends = None

    # Section 7.2.11, nodeElement.

    def _node(self, parent: Property, name: str, attributes: dict[str, str]) -> Node | Property:
        if name == RDF and len(self._stack) == 1:
            root = Property(parent.base, parent.language)
            self._inherit(root, attributes)
            start = self._parser.CurrentByteIndex
            self.root = Root(start, -1, self._namespaces, language=root.language)
            root.ends = root
            root.is_root = True
            return root
        node = Node(parent.base, parent.language, attributes, self._namespaces)
        if len(self._stack) == 1:
            # Section 7.2.8: a file may be one node element alone.
            self.root = Root(self._parser.CurrentByteIndex, -1, self._namespaces, is_node=True)
            node.ends = Property(None, "")
            node.ends.is_root = True
        if parent.predicate is not None:
            self._parser.CharacterDataHandler = None
            start = self._parser.CurrentByteIndex
            spans = value_spans(self._data, start, self._namespaces)
            span = next((spans[name] for name in spans if name in NAMING), None)
            parent.nodes.append((node, span or (start, tag_end(self._data, start))))
        if not attributes.keys() <= NAMING:
            self._inherit(node, attributes)
            self._attributes(node, node.subject, attributes, "attribute")
        if self._types_wanted and name != DESCRIPTION:
            start = self._parser.CurrentByteIndex
            place = ElementPlace("type", start, -1, self._namespaces, node.language)
            end = start + 1
            while self._data[end : end + 1] not in {b"", b" ", b"\t", b"\n", b"\r", b"/", b">"}:
                end += 1
            self._emit(node.subject, TYPE, iri(name), (start + 1, end), place)
        return node

    def _inherit(self, frame: Node | Property, attributes: dict[str, str]) -> None:
        """Take over xml:base and xml:lang from the attributes of an element."""
        frame.language = attributes.get(LANG, frame.language)
        base = iri(attributes[BASE], frame.base) if BASE in attributes else None
        frame.base = base.value if base else frame.base

    def _attributes(
        self, frame: Node | Property, subject: _Subject, attributes: dict[str, str], kind: str
    ) -> None:
        """Emit the statements that attributes make (section 7.2.11, propertyAttr)."""
        wanted, spans = self._wanted, None
        for name, text in attributes.items():
            if (wanted is not None and name not in wanted) or not _is_property(name):
                continue
            start = self._parser.CurrentByteIndex
            spans = spans or value_spans(self._data, start, self._namespaces)
            value: Term | None
            value = iri(text, frame.base) if name == TYPE else literal(text, frame.language)
            place = ElementPlace(kind, start, -1, self._namespaces, frame.language)
            self._emit(subject, name, value, spans.get(name, (start, start)), place)

    # Section 7.2.14, propertyElt.

    def _property(
        self, node: Node, name: str, attributes: dict[str, str]
    ) -> Node | Property | Markup:
        if name == LI:
            node.members += 1
            name = f"{RDF_NS}_{node.members}"
        wanted = self._wanted is None or name in self._wanted
        if not wanted and attributes.keys() <= _OF_PLAIN:
            return node.plain
        element = Property(node.base, node.language)
        self._inherit(element, attributes)
        element.owner, element.attributes = node, attributes
        if wanted:
            element.predicate = name
        if wanted or ID in attributes:
            element.ends, element.name = element, name
            element.start, element.namespaces = self._parser.CurrentByteIndex, self._namespaces
        return self._content(element, attributes)

    def _content(self, element: Property, attributes: dict[str, str]) -> Node | Property | Markup:
        """Return the frame for the content of a property element."""
        kind = attributes.get(PARSE_TYPE)
        if kind == "Resource":
            inner = Node(element.base, element.language, {}, self._namespaces)
            inner.ends = element.ends
            if element.predicate is not None:
                element.nodes.append((inner, (element.start, tag_end(self._data, element.start))))
            return inner
        if kind == "Collection":
            element.is_list = True
            return element
        if kind is not None:
            return Markup(element.ends)
        named = {
            _NAMES_OBJECT[name]: attributes[name] for name in _NAMES_OBJECT if name in attributes
        }
        if named or any(map(_is_property, attributes)):
            element.target = Node(element.base, element.language, named, self._namespaces)
            subject = element.target.subject
            self._attributes(element, subject, attributes, "inner attribute")
        if element.predicate is not None and element.target is None:
            element.text = []
            self._parser.CharacterDataHandler = element.text.append
        return element

    def _finish(self, element: Property) -> None:
        """Emit the statement of a property element that ends (section 7.2.14 and following)."""
        data, here = self._data, self._parser.CurrentByteIndex
        if element.is_root:
            self.root = self.root._replace(end=here)
            return
        self._parser.CharacterDataHandler = None
        start = element.start
        opened = tag_end(data, start)
        empty = data[opened - 2 : opened] == b"/>"
        end = opened if empty else tag_end(data, here)
        span = (opened, here) if not empty else (start, opened)
        spans = value_spans(self._data, start, self._namespaces)
        value: Term | None
        kind = "text"
        if element.is_list:
            value, kind, span = self._list(element), "node", (start, opened)
        elif element.nodes:
            inner, span = element.nodes[0]
            value, kind = inner.subject(), "node"
        elif element.target is not None:
            value, kind = element.target.subject(), "resource"
            span = next((spans[name] for name in spans if name in _NAMES_OBJECT), (start, opened))
        elif PARSE_TYPE in element.attributes:
            value, kind = _markup(element, data[start:end]), "markup"
        else:
            datatype = element.attributes.get(DATATYPE)
            typed = None if datatype is None else iri(datatype, element.base)
            value = literal("".join(element.text or ()), element.language, typed)
        if value is None or element.owner is None:
            return
        namespaces = element.owner.namespaces
        if data[start : start + 1] != b"<":
            # The element comes out of an entity: there is no text of its own to edit.
            span, kind, end = (start, start), "entity", start
        if element.predicate is not None:
            self._emit(
                element.owner.subject,
                element.name,
                value,
                span,
                ElementPlace(kind, start, end, namespaces, element.owner.language),
            )
        if ID in element.attributes:
            self._reified(element, value, spans.get(ID, (start, start)))

    def _list(self, element: Property) -> Term:
        """Return the first cell of a collection (section 7.2.19)."""
        cells: list[ox.BlankNode] = [ox.BlankNode() for _ in element.nodes]
        nil = ox.NamedNode(f"{RDF_NS}nil")
        place = ElementPlace("list", element.start, -1, self._namespaces, "")
        for index, (inner, where) in enumerate(element.nodes):
            rest = cells[index + 1] if index + 1 < len(cells) else nil
            self._emit(cells[index], f"{RDF_NS}first", inner.subject(), where, place)
            self._emit(cells[index], f"{RDF_NS}rest", rest, where, place)
        return cells[0] if cells else nil

    def _reified(self, element: Property, value: Term, span: tuple[int, int]) -> None:
        """Emit what describes a statement that has a name (section 7.3, reification rules)."""
        name = iri(f"#{element.attributes[ID]}", element.base)
        owner = element.owner
        if name is None or owner is None:
            return
        place = ElementPlace("reified", element.start, -1, element.namespaces, "")
        for part, term in (
            ("type", iri(f"{RDF_NS}Statement")),
            ("subject", owner.subject()),
            ("predicate", iri(element.name)),
            ("object", value),
        ):
            self._emit(name, f"{RDF_NS}{part}", term, span, place)

    def _emit(
        self,
        subject: _Subject,
        predicate: str,
        value: Term | None,
        span: tuple[int, int],
        place: ElementPlace,
    ) -> None:
        if self._wanted is not None and predicate not in self._wanted:
            return
        node = subject() if callable(subject) else subject
        if node is None or value is None:
            return
        named = self._predicates.get(predicate)
        if named is None:
            named = self._predicates[predicate] = ox.NamedNode(predicate)
        self.statements.append(
            Statement(self._graph, node, named, value, Span(*span), handle=place)
        )


def _is_property(name: str) -> bool:
    """Return whether an attribute makes a statement (section 7.2.11, propertyAttr)."""
    return name not in SYNTAX and not name.startswith(XML_NS)


def _markup(element: Property, content: bytes) -> ox.Literal | None:
    """Return a literal of XML (section 7.2.17), as Oxigraph writes it."""
    if element.attributes[PARSE_TYPE] != "Literal":
        # Their meaning is not known; Oxigraph ignores them.
        return None
    return parsed_xml(content.decode("utf-8", "replace"), element.namespaces)
