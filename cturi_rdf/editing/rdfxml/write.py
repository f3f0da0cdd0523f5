"""Writing changes of RDF/XML: new elements after others, new values in the place of old ones."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

import pyoxigraph as ox

from cturi_rdf.editing.document import Span
from cturi_rdf.editing.edit import Add, Append, EditError, NodesThatGo, Replace
from cturi_rdf.editing.rdfxml.elements import DESCRIPTION, TYPE
from cturi_rdf.editing.rdfxml.leaving import leaving, opened, wrapping
from cturi_rdf.editing.rdfxml.tags import (
    QualifiedNames,
    Style,
    attribute_at,
    has_other_attributes,
    is_reified,
    lines_of,
    tag_end,
    tag_name,
    unit,
)
from cturi_rdf.reading.terms import RDF_NS
from cturi_rdf.reading.xml_text import IN_VALUE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from cturi_rdf.editing.document import Statement, Term
    from cturi_rdf.editing.edit import Change, Piece, SpanText
    from cturi_rdf.editing.located_graph import GraphAfter
    from cturi_rdf.editing.rdfxml import XmlDocument
    from cturi_rdf.editing.rdfxml.tags import ElementPlace


# Characters that XML 1.0 cannot hold (section 2.2), and those that are references in a text.
_NO_CHARACTER = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_IN_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})
_XMLNS = re.compile(rb"""(\s+)xmlns(?::[^\s=]+)?\s*=\s*(?:"[^"]*"|'[^']*')""")
# The indentation of what stands first in an element, on a line of its own.
_FIRST_CHILD = re.compile(rb"(?>\s*[\r\n]([ \t]*))(?!</)")
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_LITERAL = re.compile(rb"parseType\s*=\s*[\"']Literal")
_XSD_STRING = "http://www.w3.org/2001/XMLSchema#string"
_REMEMBERED = 4096  # elements
# Places behind which a statement about the same subject can stand, as an element.
_ELEMENTS = frozenset({"text", "resource", "node", "markup"})
_ALONE = _ELEMENTS - {"node"}
# Places in the tag of a node element; the new statement can stand inside the element.
_IN_TAG = frozenset({"attribute", "type"})
_ATTRIBUTES = frozenset({"attribute", "inner attribute"})


def renaming(document: XmlDocument, number: int, iri: str) -> list[SpanText]:
    """Return the edits that give an element another name; none without a prefix for it."""
    elements = document.elements
    names = QualifiedNames(document.root.namespaces)
    name = names.element(iri, elements.namespaces[number])
    if name is None or name[1] or names.declared:
        return []
    return [(*span, name[0].encode(document.encoding)) for span in elements.name_spans(number)]


def _numbered(edits: Iterable[SpanText], number: int) -> Iterator[Piece]:
    """Yield edits with the number of the change that asks for them."""
    return ((*edit, number) for edit in edits)


class Writing:
    """One run of the writer."""

    def __init__(self, document: XmlDocument) -> None:
        """Begin to write into a document."""
        self._document = document
        # The number of the change that is being made.
        self._number = 0
        self._data = document.data
        self._root = root = document.root
        self._encoding = document.encoding
        # A literal of XML below would repeat what is declared there.
        shared = document.shares_prefixes and root.start != -1
        shared = shared and not _LITERAL.search(document.data)
        self._names = QualifiedNames(root.namespaces if shared else None)
        self._style = Style(document, root)
        self._line_end = self._style.line_end
        # Elements that were written with the namespaces of the last place.
        self._namespaces: Mapping[str, str] | None = None
        self._elements: dict[tuple[object, ...], bytes] = {}
        # Elements to be written into node elements, by where the tag begins, with the number of
        # the first change that asked for one.
        self._inside: dict[int, tuple[int, list[bytes]]] = {}
        # Those to be written into properties whose attributes describe a node, by their numbers.
        self._opened: dict[int, tuple[int, list[bytes]]] = {}
        # Elements to be written behind a file that is one node element.
        self._wrapper = QualifiedNames({"rdf": RDF_NS})
        self._wrapped: list[bytes] = []
        self._wrapped_number = 0
        # Elements with a node that goes with all that is said of it in there.
        self._nodes = NodesThatGo()
        # Statements that go and have a node with a name in their elements, by their changes.
        self._left_behind: list[tuple[int, Statement]] = []
        # What goes of the elements that lose statements, with the number of the first change; which
        # of them lose the type that is their name; and which elements get new statements.
        self._losing: dict[int, tuple[int, list[Span]]] = {}
        self._untyped: set[int] = set()
        self._grows = bytearray(len(document.elements.starts))
        # The new names of elements, by where the tag begins.
        self._renamed: dict[int, bytes] = {}

    def edits(
        self, changes: Iterable[tuple[int, Change]], after: GraphAfter | None
    ) -> Iterator[Piece]:
        """Yield the edits that make some changes, each with its number."""
        for number, change in changes:
            self._number = number
            yield from _numbered(self._one(change), number)
        if self._nodes.untouched and after is None:
            problem = "a node with other statements cannot be replaced or removed"
            raise self._refused(problem, self._nodes.untouched)
        for number, statement in self._left_behind:
            self._number = number
            yield from _numbered(self._leaving(statement), number)
        for owner, (number, spans) in self._losing.items():
            yield from _numbered(self._left(owner, spans), number)
        for one, (number, elements) in self._opened.items():
            yield from _numbered(opened(self._document, one, b"".join(elements)), number)
        for start, (number, elements) in self._inside.items():
            yield *self._filled(start, elements), number
        if self._names.declared:
            yield *self._declarations(), 0
        if self._wrapped:
            edits = wrapping(self._document, self._wrapped, self._wrapper.declared)
            yield from _numbered(edits, self._wrapped_number)

    def _one(self, change: Change) -> Iterator[SpanText]:
        """Yield the edits that make a change, without those that are written at the end."""
        if isinstance(change, Append):
            self._append(change)
        elif isinstance(change, Add):
            yield from self._add(change.statement, change.predicate, change.object)
        elif isinstance(change, Replace):
            yield from self._replace(change)
        else:
            yield from self._remove(change.statement)

    def _add(self, beside: Statement, predicate: ox.NamedNode, value: object) -> Iterator[SpanText]:
        place = self._place(beside)
        self._grows[place.owner] = True
        element = self._element(beside, predicate, value)
        if place.kind in _ELEMENTS:
            yield place.end, place.end, self._style.indentation(place.start) + element
        elif place.kind in _IN_TAG:
            self._inside.setdefault(place.start, (self._number, []))[1].append(element)
        else:
            self._opened.setdefault(place.number, (self._number, []))[1].append(element)

    def _replace(self, change: Replace) -> Iterator[SpanText]:
        old, value, predicate = change.statement, change.object, change.predicate
        place = self._place(old)
        is_same_path = predicate in {None, old.predicate}
        predicate = predicate or old.predicate
        if is_same_path and old.object == value:
            return
        if is_same_path and place.kind in _ELEMENTS and is_reified(self._data, place.start):
            problem = "a statement that other statements describe cannot be replaced"
            raise self._refused(problem, old)
        if in_place := self._in_place(place, old, predicate, value):
            yield from in_place
        elif place.kind in {"type", *_ATTRIBUTES}:
            yield from self._remove(old)
            yield from self._add(old, predicate, value)
        elif self._is_alone(place) or self._holds_node(place, old):
            # A prefix that the tag declares itself goes with it.
            end = tag_end(self._data, place.start)
            stays = is_same_path and not _XMLNS.search(self._data, place.start, end)
            same = tag_name(self._data, place.start) if stays else None
            yield place.start, place.end, self._element(old, predicate, value, same)
        else:
            raise self._refused("a statement cannot be replaced there", old)

    def _in_place(
        self, place: ElementPlace, old: Statement, predicate: ox.NamedNode, value: Term
    ) -> list[SpanText]:
        """Return the edits of a name or a value that make a replacement alone, if there are any."""
        is_iri = isinstance(value, ox.NamedNode)
        if old.object == value:
            # Another property of the same value is another name.
            has_name = place.end != -1
            return renaming(self._document, place.number, predicate.value) if has_name else []
        if place.kind == "type" and predicate.value == TYPE:
            return self._named(place.owner, value.value) if is_iri else []  # type: ignore[union-attr]
        if predicate != old.predicate:
            return []
        if place.kind in {"text", *_ATTRIBUTES} and _alike(old.object, value):
            if self._data[old.end - 2 : old.end] == b"/>" and place.kind == "text":
                name = tag_name(self._data, place.start)
                text = b">" + self._text(cast("ox.Literal", value).value, old)
                return [(old.end - 2, old.end, text + b"</" + name + b">")]
            table = _IN_TEXT if place.kind == "text" else IN_VALUE
            return [(old.start, old.end, self._text(value.value, old, table))]  # type: ignore[union-attr]
        is_in_tag = place.kind in {"resource", *_ATTRIBUTES} and not self._document.holds(old)
        if is_in_tag and is_iri and isinstance(old.object, ox.NamedNode):
            return [(old.start, old.end, self._text(value.value, old, IN_VALUE))]  # type: ignore[union-attr]
        return []

    def _place(self, statement: Statement) -> ElementPlace:
        place: ElementPlace | None = statement.handle
        if place is None:
            raise self._refused(f"no place is known of a value of {statement.predicate}", statement)
        return place

    def _remove(self, statement: Statement) -> Iterator[SpanText]:
        place = self._place(statement)
        if self._nodes.hold(place.start):
            return
        span = Span(statement.start, statement.end)
        if place.kind == "type":
            self._untyped.add(place.owner)
        elif place.kind in _ATTRIBUTES:
            yield *attribute_at(self._data, place.start, statement.start), b""
        elif self._is_alone(place) or self._holds_node(place, statement):
            span = Span(place.start, place.end)
            yield *lines_of(self._document, *span), b""
        else:
            raise self._refused("a statement cannot be removed there", statement)
        self._losing.setdefault(place.owner, (self._number, []))[1].append(span)

    def _left(self, owner: int, gone: list[Span]) -> Iterator[SpanText]:
        """Yield the edits of a node element that loses statements.

        It goes as a whole where it says nothing any more, and no property holds it.  Else it is
        called rdf:Description if its type goes.
        """
        elements = self._document.elements
        start, end = elements.starts[owner], elements.ends[owner]
        if elements.is_on_top(owner) and not self._says_more(owner, gone):
            yield *lines_of(self._document, start, end), b""
        elif owner in self._untyped:
            named = self._named(owner, DESCRIPTION)
            if not named:
                raise self._document.refusal("a type cannot be removed there", start + 1)
            yield from named

    def _says_more(self, element: int, gone: Iterable[Span]) -> bool:
        """Return whether a node element says anything of its node but its name and what goes."""
        elements, data = self._document.elements, self._data
        if elements.names[element] != DESCRIPTION and element not in self._untyped:
            return True
        if self._grows[element] or set(elements.stated_in_tag(element)).difference(gone):
            return True
        # Properties that nobody asked for are no elements here.
        position, left = elements.opens[element], b""
        for start, end in sorted(gone):
            left += data[position:start]
            position = max(position, end)
        left += data[position : elements.closes[element]]
        return bool(_COMMENT.sub(b"", left).strip())

    def _named(self, owner: int, iri: str) -> list[SpanText]:
        """Return the edits that give an element another name, and note it."""
        pieces = renaming(self._document, owner, iri)
        if pieces:
            self._renamed[self._document.elements.starts[owner]] = pieces[0][2]
        return pieces

    def _is_alone(self, place: ElementPlace) -> bool:
        """Return whether an element is one statement and nothing else."""
        return place.kind in _ALONE and not has_other_attributes(self._data, place.start)

    def _holds_node(self, place: ElementPlace, statement: Statement) -> bool:
        """Return whether the object is a node that is described in the element, and note it.

        One without a name goes with the element, one with a name may leave it.
        """
        holds = self._document.holds(statement) and not is_reified(self._data, place.start)
        if holds and isinstance(statement.object, ox.BlankNode):
            self._nodes.add(place.start, place.end, statement)
        elif holds:
            self._left_behind.append((self._number, statement))
        return holds

    def _leaving(self, statement: Statement) -> Iterator[SpanText]:
        """Yield the edits by which a node stays that says more when the element around it goes."""
        document, place = self._document, self._place(statement)
        if not self._describes(place.number):
            return
        node = leaving(document, place.number, None)
        yield from node.edits
        top = document.elements.around(place.number)[-1]
        self._grows[top] = True
        if document.elements.is_on_top(top):
            end = document.elements.ends[top]
            indentation = self._style.indentation(document.elements.starts[top])
            yield end, end, indentation + node.text
        else:
            self._wrapped_number = self._number
            self._wrapped.append(node.text)

    def _describes(self, number: int) -> bool:
        """Return whether a property element says more of its object than a name."""
        child = self._document.elements.child(number)
        _, gone = self._losing.get(child if child != -1 else number, (0, []))
        if child == -1:
            return bool(set(self._document.elements.stated_in_tag(number)).difference(gone))
        return self._says_more(child, gone)

    def _append(self, change: Append) -> None:
        """Write node elements to the end of rdf:RDF."""
        document, root = self._document, self._root
        if document.has_records:
            raise self._refused("a file of records has no place for another node", None)
        subjects: dict[object, list[ox.Quad]] = {}
        for quad in change.quads:
            if not isinstance(quad.graph_name, ox.DefaultGraph):
                raise EditError(
                    "RDF/XML has no named graphs", document.name, "statements of no named graph"
                )
            subjects.setdefault(quad.subject, []).append(quad)
        names = self._names
        if root.is_node:
            self._names, self._wrapped_number = self._wrapper, self._number
        for subject, quads in subjects.items():
            node = self._node(subject, quads)
            if root.is_node:
                self._wrapped.append(node)
            else:
                self._inside.setdefault(root.start, (self._number, []))[1].append(node)
        self._names = names

    def _node(self, subject: object, quads: list[ox.Quad]) -> bytes:
        """Return a node element with the statements about one subject."""
        namespaces = {"rdf": RDF_NS} if self._root.is_node else self._root.namespaces
        about, declared = self._attribute("about", subject, namespaces, None)
        name, rest = None, list(quads)
        for quad in quads:
            if quad.predicate.value == TYPE and isinstance(quad.object, ox.NamedNode):
                name = self._names.element(quad.object.value, namespaces)
                if name:
                    rest.remove(quad)
                    break
        name = name or self._names.qualified(RDF_NS, "Description", namespaces)
        tag = self._bytes(f"<{name[0]}{declared}{name[1]} {about}")
        if not rest:
            return tag + b"/>"
        indent = self._style.child
        inner = indent + unit(indent)
        lines = [tag + b">"]
        lines += [inner + self._written(quad.predicate, quad.object, namespaces) for quad in rest]
        lines.append(indent + self._bytes(f"</{name[0]}>"))
        return self._line_end.join(lines)

    def _filled(self, start: int, elements: list[bytes]) -> SpanText:
        """Return the edit that writes elements into an element."""
        data, root = self._data, self._root
        opened = tag_end(data, start)
        own = self._style.indentation(start)
        if data[opened - 2 : opened] == b"/>":
            name = self._renamed.get(start) or tag_name(data, start)
            inner = own and own + unit(own)
            text = b"".join(inner + element for element in elements)
            begin = start + len(data[start : opened - 2].rstrip())
            return begin, opened, b">" + text + own + b"</" + name + b">"
        if start == root.start and not root.is_node:
            indent = self._style.child
            end = self._document.line_start(root.end)
            if data[end : root.end].strip():
                end = root.end
            text = b"".join(indent + element + self._line_end for element in elements)
            missing = b"" if data[end - 1 : end] in {b"\n", b"\r"} else self._line_end
            return end, end, missing + text
        first = _FIRST_CHILD.match(data, opened)
        inner = self._line_end + first[1] if first else own and own + unit(own)
        return opened, opened, b"".join(inner + element for element in elements)

    def _declarations(self) -> SpanText:
        """Return the edit that declares prefixes on the first element."""
        data, start = self._data, self._root.start
        declared = list(_XMLNS.finditer(data, start, tag_end(data, start)))
        space = declared[-1][1] if declared else b" "
        place = declared[-1].end() if declared else start + 1 + len(tag_name(data, start))
        text = b"".join(
            space + self._bytes(f'xmlns:{prefix}="{name.translate(IN_VALUE)}"')
            for name, prefix in self._names.declared.items()
        )
        return place, place, text

    def _element(
        self, beside: Statement, predicate: ox.NamedNode, value: object, name: bytes | None = None
    ) -> bytes:
        """Return a property element; files repeat the same ones."""
        place: ElementPlace = beside.handle
        if place.namespaces is not self._namespaces or len(self._elements) >= _REMEMBERED:
            self._namespaces = place.namespaces
            self._elements.clear()
        key = predicate, value, place.language, name
        element = self._elements.get(key)
        if element is None:
            element = self._written(predicate, value, place.namespaces, beside, name)
            self._elements[key] = element
        return element

    def _written(
        self,
        predicate: ox.NamedNode,
        value: object,
        namespaces: Mapping[str, str],
        beside: Statement | None = None,
        name: bytes | None = None,
    ) -> bytes:
        """Return a property element."""
        element_name = (
            (name.decode(self._encoding), "")
            if name
            else self._names.element(predicate.value, namespaces)
        )
        if element_name is None:
            raise self._refused(f"no element can have the name {predicate.value}", beside)
        element, declared = element_name
        if isinstance(value, ox.Literal):
            attributes = declared
            language = beside.handle.language if beside else self._root.language
            if value.language:
                attributes += f' xml:lang="{value.language}"' if value.language != language else ""
            elif value.datatype.value != _XSD_STRING:
                attribute, more = self._attribute("datatype", value.datatype, namespaces, beside)
                attributes += f"{more} {attribute}"
            elif language:
                attributes += ' xml:lang=""'
            self._check(value.value, beside)
            text = f"<{element}{attributes}>{value.value.translate(_IN_TEXT)}</{element}>"
        else:
            attribute, more = self._attribute("resource", value, namespaces, beside)
            text = f"<{element}{declared}{more} {attribute}/>"
        return self._bytes(text)

    def _attribute(
        self, local: str, value: object, namespaces: Mapping[str, str], beside: Statement | None
    ) -> tuple[str, str]:
        """Return an attribute that names a node, and the declaration that it needs."""
        if isinstance(value, ox.BlankNode):
            local = "nodeID"
        elif not isinstance(value, ox.NamedNode):
            raise self._refused("RDF/XML has no place for a triple term", beside)
        self._check(value.value, beside)
        name, declared = self._names.attribute(RDF_NS + local, namespaces)
        return f'{name}="{value.value.translate(IN_VALUE)}"', declared

    def _text(self, value: str, statement: Statement, table: dict[int, str] = _IN_TEXT) -> bytes:
        self._check(value, statement)
        return self._bytes(value.translate(table))

    def _bytes(self, text: str) -> bytes:
        return text.encode(self._encoding, "xmlcharrefreplace")

    def _check(self, text: str, statement: Statement | None) -> None:
        if _NO_CHARACTER.search(text):
            raise self._refused("XML cannot hold a control character", statement)

    def _refused(self, problem: str, statement: Statement | None) -> EditError:
        place = statement.start if statement else max(self._root.end, 0)
        return self._document.refusal(problem, place)


def _alike(old: object, new: object) -> bool:
    """Return whether two literals have the same language and datatype."""
    return (
        isinstance(old, ox.Literal)
        and isinstance(new, ox.Literal)
        and (old.language, old.datatype) == (new.language, new.datatype)
    )
