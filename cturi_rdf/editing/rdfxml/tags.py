"""The tags of RDF/XML: their attributes, their names, and how the file is laid out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf._util.display import PREFIX_OF
from cturi_rdf.editing.document import Span
from cturi_rdf.reading.xml_text import IN_VALUE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cturi_rdf.editing.document import Document


# A tag with its attributes (XML 1.0 section 3.1); a value may hold ">".
_TAG = re.compile(rb"<[^\"'>]*(?:(?:\"[^\"]*\"|'[^']*')[^\"'>]*)*>")
_REST = re.compile(rb"[ \t]*(\r\n?|\n)")
_NAME = re.compile(rb"<([^\s/>]+)")
_ATTRIBUTE = re.compile(rb"\s+([^\s=\"'<>/]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")


class ElementPlace(NamedTuple):
    """Where a statement stands.

    `kind` says what holds the object: the `text` or the `markup` of an element, the `resource`
    that an attribute of it names, a `node` in it, an `attribute` of a node element or its
    `type`, or an `inner attribute` of a property element.
    `start` is where the element begins, `end` where the next one can stand, -1 if none can.
    `namespaces` and `language` are those in scope there.  `number` is that of the element, `owner`
    that of the element of the node.
    """

    kind: str
    start: int
    end: int
    namespaces: Mapping[str, str]
    language: str
    number: int
    owner: int


class Root(NamedTuple):
    """Where the tags of the first element begin, and the namespaces that it declares.

    `is_node` says whether it is a node element alone, not rdf:RDF; `language` is that of the
    texts in rdf:RDF that have none of their own.
    """

    start: int = -1
    end: int = -1
    namespaces: Mapping[str, str] = {}
    is_node: bool = False
    language: str = ""


def tag_end(data: bytes, start: int) -> int:
    """Return the offset behind the tag that begins at `start`, or `start` if there is none."""
    tag = _TAG.match(data, start)
    return tag.end() if tag else start


def tag_name(data: bytes, start: int) -> bytes:
    """Return the name in the tag that begins at `start`."""
    name = _NAME.match(data, start)
    return name[1] if name else b""


def _attributes(data: bytes, start: int) -> Iterator[re.Match[bytes]]:
    return _ATTRIBUTE.finditer(data, start, tag_end(data, start))


def attributes_of(data: bytes, start: int) -> Iterator[tuple[bytes, Span]]:
    r"""Yield the name of each attribute of a tag and the place of its value.

    >>> list(attributes_of(b"<a x:b='c' d = \"\"/>", 0))
    [(b'x:b', Span(start=8, end=9)), (b'd', Span(start=16, end=16))]
    """
    for match in _attributes(data, start):
        yield match[1], Span(*match.span(2 if match[2] is not None else 3))


def local_name(name: bytes) -> bytes:
    """Return a qualified name without its prefix.

    >>> local_name(b"rdf:about"), local_name(b"a")
    (b'about', b'a')
    """
    return name.rpartition(b":")[2]


def lines_of(document: Document, start: int, end: int) -> Span:
    """Return the span of an element, with the lines that it has to itself."""
    line, rest = document.line_start(start), _REST.match(document.data, end)
    if rest and not document.data[line:start].strip():
        return Span(line, rest.end())
    return Span(start, end)


def attribute_at(data: bytes, start: int, value: int) -> tuple[int, int]:
    """Return the offsets of a whole attribute, with the space before it, by that of its value.

    >>> attribute_at(b"<a b='c' d='e'/>", 0, 12)
    (8, 14)
    """
    matches = _attributes(data, start)
    return next(match.span() for match in matches if value in {match.start(2), match.start(3)})


def has_other_attributes(data: bytes, start: int) -> bool:
    """Return whether a tag has attributes that say more than one statement.

    >>> has_other_attributes(b"<a rdf:resource='b' c:d='e'/>", 0)
    True
    """
    return any(
        local_name(match[1]) not in _OF_ONE and not match[1].startswith((b"xmlns", b"xml:"))
        for match in _attributes(data, start)
    )


def is_reified(data: bytes, start: int) -> bool:
    """Return whether the tag of a property names its statement (RDF/XML section 2.17, and 1.2).

    >>> is_reified(b"<a rdf:ID='b'/>", 0)
    True
    """
    return any(local_name(match[1]) in _REIFYING for match in _attributes(data, start))


_REIFYING = frozenset({b"ID", b"annotation", b"annotationNodeID"})
_OF_ONE = frozenset({b"resource", b"nodeID", b"datatype", b"parseType"})


# The longest end of an IRI that can be a local name (Namespaces in XML 1.0, NCName).
_LOCAL = re.compile(r"[^\W\d][\w.\-]*\Z")


class QualifiedNames:
    """Writes IRIs as qualified names; missing prefixes are declared on the first element.

    `declared` has the prefixes to declare, by the IRI of their namespaces.
    """

    def __init__(self, root: Mapping[str, str] | None) -> None:
        """Take the namespaces of rdf:RDF, or None where there is no such element."""
        self.declared: dict[str, str] = {}
        self._root = root

    def element(self, iri: str, namespaces: Mapping[str, str]) -> tuple[str, str] | None:
        """Return the name of an element and the declaration that its tag needs, if any.

        `namespaces` are those in scope.  None is returned for an IRI that no name stands for
        (RDF 1.1 XML Syntax section 2.2).

        >>> names = QualifiedNames({"d": "http://d.example/"})
        >>> names.element("http://d.example/a", {"d": "http://d.example/"})
        ('d:a', '')
        >>> names.element("http://d.example/", {}) is None
        True
        """
        local = _LOCAL.search(iri)
        if local is None or not local.start():
            return None
        return self.qualified(iri[: local.start()], local[0], namespaces)

    def qualified(
        self, namespace: str, local: str, namespaces: Mapping[str, str]
    ) -> tuple[str, str]:
        """Return the name of an element, by its parts, and the declaration that its tag needs."""
        prefix, declaration = self._prefix(namespace, namespaces, default=True)
        return (f"{prefix}:{local}" if prefix else local), declaration

    def attribute(self, iri: str, namespaces: Mapping[str, str]) -> tuple[str, str]:
        """Return the name of an attribute and the declaration that its tag needs, if any."""
        local = _LOCAL.search(iri)
        start = local.start() if local else len(iri)
        prefix, declaration = self._prefix(iri[:start], namespaces, default=False)
        return f"{prefix}:{iri[start:]}", declaration

    def _prefix(
        self, namespace: str, namespaces: Mapping[str, str], *, default: bool
    ) -> tuple[str, str]:
        for prefix, name in namespaces.items():
            if name == namespace and (prefix or default):
                return prefix, ""
        bound = self.declared.get(namespace)
        if bound is not None and bound not in namespaces:
            return bound, ""
        prefix = self._fresh(namespace, namespaces)
        if self._root is None or bound is not None:
            return prefix, f' xmlns:{prefix}="{namespace.translate(IN_VALUE)}"'
        self.declared[namespace] = prefix
        return prefix, ""

    def _fresh(self, namespace: str, namespaces: Mapping[str, str]) -> str:
        """Return the usual prefix of a namespace, or another one that is free."""
        usual = PREFIX_OF.get(namespace, "ns1")
        taken = {*namespaces, *(self._root or ()), *self.declared.values()}
        number, prefix = 1, usual
        while prefix in taken:
            number += 1
            prefix = f"{usual.rstrip('0123456789')}{number}"
        return prefix


_SPACE = re.compile(rb"\s*")


class Style:
    """The layout of a file: `line_end`, and `child`, the indentation of elements in rdf:RDF."""

    def __init__(self, document: Document, root: Root) -> None:
        self._document = document
        self.line_end = document.line_end
        self.child = self._child(root)

    def indentation(self, start: int) -> bytes:
        """Return the line end and the indentation of an element; nothing if it begins no line."""
        indent = self._document.data[self._document.line_start(start) : start]
        return b"" if indent.strip() else self.line_end + indent

    def _child(self, root: Root) -> bytes:
        data = self._document.data
        opened = tag_end(data, root.start)
        following = _SPACE.match(data, opened)
        if following is None or following.end() >= root.end:
            return b"  "
        lines = re.split(rb"[\r\n]", following[0])
        return lines[-1] if len(lines) > 1 else b"  "


def unit(indent: bytes) -> bytes:
    """Return the indentation of one more level."""
    return b"\t" if b"\t" in indent else b"  "
