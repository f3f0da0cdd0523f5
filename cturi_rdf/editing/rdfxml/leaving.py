"""Nodes that are described inside of a property, and leave it as they are written."""

from __future__ import annotations

import re
from functools import reduce
from typing import TYPE_CHECKING, NamedTuple

import pyoxigraph as ox

from cturi_rdf._util.references import resolve_reference
from cturi_rdf.editing.edit import moved, settled
from cturi_rdf.editing.located_graph import free_labels
from cturi_rdf.editing.rdfxml.tags import (
    QualifiedNames,
    Style,
    attribute_at,
    attributes_of,
    local_name,
    tag_end,
    tag_name,
)
from cturi_rdf.reading.terms import RDF_NS
from cturi_rdf.reading.xml_text import IN_VALUE, expanded_text

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping

    from cturi_rdf.editing.document import Span, Statement
    from cturi_rdf.editing.edit import Edit, Piece, SpanText
    from cturi_rdf.editing.located_graph import Node
    from cturi_rdf.editing.rdfxml import XmlDocument


_PARSE_TYPE = re.compile(rb"""\s+[^\s=]*parseType\s*=\s*(?:"[^"]*"|'[^']*')""")
# An attribute with a reference that may be relative.
_RELATIVE = re.compile(rb"""(?:about|resource|ID|datatype)\s*=\s*["'](?![A-Za-z][\w+.-]*:)""")


def move_out(
    document: XmlDocument, homes: Mapping[Node, Statement], nodes: set[Node]
) -> Iterable[Edit]:
    """Return the edits that move some nodes behind the outermost elements around them.

    Raises `EditError` for a node that stands nowhere.
    """
    labels = free_labels(document)
    pieces: list[Piece] = []
    behind: list[bytes] = []
    for node in sorted(nodes, key=lambda node: homes[node].start if node in homes else -1):
        home = homes.get(node)
        if home is None:
            pieces.append(_named(document, node, next(labels)[2:]))
            continue
        if not document.holds(home):
            raise document.refusal("a node cannot be moved out of there", home.start)
        label = None if isinstance(node, ox.NamedNode) else next(labels)[2:]
        pieces += ((*edit, 0) for edit in _moved(document, home.handle.number, label, behind))
    if behind:
        pieces += ((*edit, 0) for edit in wrapping(document, behind))
    return settled(document, pieces)


def _moved(
    document: XmlDocument, number: int, label: str | None, behind: list[bytes]
) -> Iterator[SpanText]:
    """Yield the edits that move the node in a property behind the outermost element.

    Where that is the whole file, the node is put on the list of those `behind` it.
    """
    elements, data = document.elements, document.data
    start, opened = elements.starts[number], elements.opens[number]
    close, end = elements.closes[number], elements.ends[number]
    node = leaving(document, number, label)
    around, child = b"", elements.child(number)
    if child != -1 and not elements.is_resource(number):
        first, last = elements.starts[child], elements.ends[child]
        around = (data[opened:first] + data[last:close]).strip()
    yield start, end, node.tag + b"/>" + around
    yield from node.edits
    top = elements.around(number)[-1]
    if elements.is_on_top(top):
        indentation = Style(document, document.root).indentation(elements.starts[top])
        yield elements.ends[top], elements.ends[top], indentation + node.text
    else:
        behind.append(node.text)


def wrapping(
    document: XmlDocument, nodes: Iterable[bytes], declared: Mapping[str, str] = {}
) -> Iterator[SpanText]:
    """Yield the edits that put rdf:RDF around a file that is one node, and others behind it.

    `declared` are the prefixes to declare there, by the IRIs of their namespaces.
    """
    root = document.root
    end, line_end = root.end, document.line_end
    if document.data[end : end + 2] == b"</":
        end = tag_end(document.data, end)
    prefixes = {RDF_NS: "rdf", **declared}
    names = "".join(f' xmlns:{prefix}="{name}"' for name, prefix in prefixes.items())
    yield root.start, root.start, f"<rdf:RDF{names}>".encode() + line_end
    lines = [b"", *(b"  " + node for node in nodes), b"</rdf:RDF>"]
    yield end, end, line_end.join(lines)


def _named(document: XmlDocument, node: Node, label: str) -> Piece:
    """Return the edit that gives a node element on top a name."""
    elements = document.elements
    for statement in document.statements:
        number = -1 if statement.handle is None else statement.handle.owner
        if statement.subject == node and number != -1 and not elements.is_property(number):
            names = QualifiedNames(document.root.namespaces)
            name = names.attribute(f"{RDF_NS}nodeID", elements.namespaces[number])[0]
            place = elements.name_spans(number)[0][1]
            return place, place, f' {name}="{label}"'.encode(), 0
    raise document.refusal("a blank node cannot be given a label there", 0)


class Leaving(NamedTuple):
    """What is written when a node leaves a property.

    `tag` is that of the property with a reference to the node, up to its last bracket; `text` is
    the node, to stand elsewhere, and `edits` are those inside of it.
    """

    tag: bytes
    text: bytes
    edits: list[SpanText]


def leaving(document: XmlDocument, number: int, label: str | None) -> Leaving:
    """Return what is written when the node in a property leaves it, with a label if it needs one.

    Raises `EditError` where no node is described in the property, or several are.
    """
    elements, place = document.elements, _Place(document, number, label)
    if elements.is_resource(number):
        return place.without_resource()
    is_collection = f"{RDF_NS}parseType" in elements.attributes(number)
    if elements.child(number) != -1 and not is_collection:
        return place.without_child(elements.child(number))
    if any(document.elements.stated_in_tag(number)):
        return place.without_attributes()
    raise document.refusal("a node cannot be moved out of there", elements.starts[number])


def opened(document: XmlDocument, number: int, elements: bytes) -> list[SpanText]:
    """Return the edits that make a node element of the attributes of a property.

    `elements` stand in it.
    """
    return _Place(document, number, None).around_element(elements)


class _Place:
    """A property element that a node leaves."""

    def __init__(self, document: XmlDocument, number: int, label: str | None) -> None:
        self._document, self._data = document, document.data
        self._number = number
        self._start, opened = document.elements.starts[number], document.elements.opens[number]
        self._tag = self._data[self._start : opened - 1].rstrip(b"/ \t\r\n")
        self._name = tag_name(self._data, self._start)
        self._attributes = dict(attributes_of(self._data, self._start))
        # The attributes that describe the node in the property.
        self._stated = frozenset(document.elements.stated_in_tag(number))
        self._scope = document.elements.namespaces[number]
        self._names = QualifiedNames(None)
        name, declared = self._names.qualified(RDF_NS, "Description", self._scope)
        self._description, self._declared = name.encode(), declared.encode()
        # One whose attributes describe the node may name it too.
        is_named = any(local_name(name) == b"nodeID" for name in self._attributes)
        needs_label = label is not None and not is_named
        self._label = self._attribute("nodeID", f'"{label}"'.encode()) if needs_label else b""

    def without_resource(self) -> Leaving:
        """Return what is written for a property with `rdf:parseType="Resource"`."""
        elements = self._document.elements
        opened, close = elements.opens[self._number], elements.closes[self._number]
        inner = moved(opened, close) if close > opened else b""
        attributes = self._declared + self._label + self._around(own=())
        text = b"<%b%b>%b</%b>" % (self._description, attributes, inner, self._description)
        return Leaving(_PARSE_TYPE.sub(b"", self._tag) + self._label, text, [])

    def without_child(self, child: int) -> Leaving:
        """Return what is written for a property with a node element in it."""
        start, end = self._document.elements.starts[child], self._document.elements.ends[child]
        attributes = dict(attributes_of(self._data, start))
        reference = label = self._label
        for name, span in attributes.items():
            quoted, local = self._data[span.start - 1 : span.end + 1], local_name(name)
            if local == b"about":
                reference = self._attribute("resource", quoted)
            elif local == b"ID":
                reference = self._attribute("resource", quoted[:1] + b"#" + quoted[1:])
            elif local == b"nodeID":
                reference, label = self._attribute("nodeID", quoted), b""
        place = start + 1 + len(tag_name(self._data, start))
        edits = [(place, place, label + self._around(attributes))]
        if own := attributes.get(b"xml:base"):
            edits.append((*own, self._based(own, self._document.elements.around(self._number))))
        return Leaving(self._tag + reference, moved(start, end), edits)

    def without_attributes(self) -> Leaving:
        """Return what is written for a property whose attributes describe a node."""
        attributes, edits = self._description_of()
        around = self._declared + self._label + self._around(self._attributes)
        text = b"<%b%b%b/>" % (self._description, around, attributes)
        return Leaving(self._tag_without_description() + self._label, text, edits)

    def around_element(self, elements: bytes) -> list[SpanText]:
        """Return the edits that make an element, with others in it, of what attributes describe."""
        attributes, edits = self._description_of()
        tag = self._tag_without_description(b"resource", b"nodeID")
        description = self._description
        inner = b"%b%b%b>%b</%b" % (description, self._declared, attributes, elements, description)
        end, text = self._document.elements.ends[self._number], b"%b><%b></%b>"
        return [(self._start, end, text % (tag, inner, self._name)), *edits]

    def _description_of(self) -> tuple[bytes, list[SpanText]]:
        """Return the attributes as those of a node element, and the edits that this takes."""
        edits: list[SpanText] = []
        for name, span in self._attributes.items():
            begin, end = attribute_at(self._data, self._start, span.start)
            if local_name(name) == b"resource":
                about = self._attribute("about", self._data[span.start - 1 : span.end + 1])
                edits.append((begin, end, about))
            elif local_name(name) == b"ID" and span not in self._stated:
                # It names the statement, not the node.
                edits.append((begin, end, b""))
        behind = self._start + 1 + len(self._name)
        return moved(behind, self._start + len(self._tag)), edits

    def _tag_without_description(self, *names: bytes) -> bytes:
        """Return the tag without the attributes that describe a node, and without some others."""
        tag = b"<" + self._name
        for name, span in self._attributes.items():
            if span not in self._stated and local_name(name) not in names:
                tag += self._data[slice(*attribute_at(self._data, self._start, span.start))]
        return tag

    def _attribute(self, local: str, quoted: bytes) -> bytes:
        name, declared = self._names.attribute(RDF_NS + local, self._scope)
        return f"{declared} {name}=".encode() + quoted

    def _around(self, own: Container[bytes]) -> bytes:
        """Return the attributes of the elements around that count in the node, but its own.

        They are the language, the base, and the declarations of namespaces.
        """
        elements, kept = self._document.elements, dict[bytes, bytes]()
        text = self._data[self._start : elements.ends[self._number]]
        around = elements.around(self._number)
        for index, number in enumerate(around, 1):
            for name, span in attributes_of(self._data, elements.starts[number]):
                if name not in own and name not in kept and _counts(name, text):
                    value = self._data[span.start - 1 : span.end + 1]
                    if name == b"xml:base":
                        value = b'"%b"' % self._based(span, around[index:])
                    kept[name] = value
        return b"".join(b" %b=%b" % attribute for attribute in kept.items())

    def _based(self, span: Span, around: Iterable[int]) -> bytes:
        """Return a base as it is to stand outside of some elements, the inner ones first."""
        elements, data = self._document.elements, self._data
        spans = [span]
        for outer in around:
            spans += (own for name, own in attributes_of(data, elements.starts[outer])
                      if name == b"xml:base")  # fmt: skip
        values = (expanded_text(data[slice(*one)], elements.entities) for one in spans)
        base = reduce(resolve_reference, values)
        return base.translate(IN_VALUE).encode(self._document.encoding, "xmlcharrefreplace")


def _counts(name: bytes, text: bytes) -> bool:
    """Return whether an attribute of an element around may count in a text."""
    if name == b"xml:base":
        return _RELATIVE.search(text) is not None
    return name in {b"xml:lang", b"xmlns"} or (
        name.startswith(b"xmlns:") and name[6:] + b":" in text
    )
