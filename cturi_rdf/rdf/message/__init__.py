"""A MIME message or mailbox as linked data (RFC 2392), and its headers read back from the graph."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from rdflib import DCTERMS, RDF, Literal, URIRef

from cturi_rdf.errors import MessageError
from cturi_rdf.mime.entity import Disposition
from cturi_rdf.rdf.message.describe import (
    NFO,
    MessageParser,
    describe_mailbox,
    describe_message,
)
from cturi_rdf.rdf.vocab import CTV, MIME
from cturi_rdf.uri import ContentID, MessageID
from cturi_rdf.uri.mapping import from_uri

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rdflib import Graph
    from rdflib.term import Node

__all__ = [
    "EntityHeader",
    "MessageParser",
    "describe_mailbox",
    "describe_message",
    "message_headers",
]


class EntityHeader(NamedTuple):
    """The node of a message or part, and the fields of its header, in order."""

    entity: URIRef
    fields: tuple[tuple[str, str], ...]


# RFC 5322 section 2.2: what a field's name and value may hold, the value on one line.
_NAME = re.compile(r"[!-9;-~]++")
_VALUE = re.compile(r"[^\x00-\x08\x0a-\x1f\x7f-\x9f\ud800-\udfff]*+")


def message_headers(graph: Graph) -> Iterator[EntityHeader]:
    r"""Yield the header of each message and part in a graph, in reading order.

    A field with a property of its own is written from that property, so a changed graph gives the
    changed header; all other fields are written as they were kept.  Values are on one line each.
    Raises `MessageError` for a value that cannot stand in a header, such as a line break, and for a
    `ctv:contentType` that is not an IRI.

    >>> from rdflib import Graph
    >>> data = b"Message-ID: <m@a>\nContent-Type: text/csv; header=present\n\na,b\n"
    >>> graph = Graph().parse(data=data, format="message/rfc822")
    >>> [header.fields for header in message_headers(graph)]
    [(('Message-ID', '<m@a>'), ('Content-Type', 'text/csv; header=present'))]
    """
    for node in _entities_in_order(graph):
        yield EntityHeader(node, tuple(_fields(graph, node)))


def _entities_in_order(graph: Graph) -> Iterator[URIRef]:
    """Yield the entities: outermost first, the parts of each by their positions."""
    entities = {
        node
        for kind in (MIME.Message, MIME.BodyPart)
        for node in graph.subjects(RDF.type, kind)
        if isinstance(node, URIRef)
    }
    inner = {part for node in entities for part in graph.objects(node, DCTERMS.hasPart)}
    # Beginning with the outermost; those in a circle, which no message makes, come last.
    stack = sorted(entities & inner, reverse=True) + sorted(entities - inner, reverse=True)
    seen: set[URIRef] = set()
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        yield node
        parts = entities.intersection(graph.objects(node, DCTERMS.hasPart))
        stack += sorted(parts, key=lambda part: (_position(graph, part), part), reverse=True)


def _position(graph: Graph, node: Node) -> int:
    value = graph.value(node, MIME.position)
    number = value.value if isinstance(value, Literal) else None
    return number if isinstance(number, int) else 0


def _fields(graph: Graph, node: URIRef) -> Iterator[tuple[str, str]]:
    """Yield the fields of one entity: those with a property first."""
    names: set[str] = set()
    for own_name, own_value in _own_fields(graph, node):
        names.add(own_name.lower())
        yield _checked(own_name, own_value)
    kept = graph.objects(node, MIME.headerField)
    for field in sorted(kept, key=lambda field: _position(graph, field)):
        name, value = graph.value(field, MIME.fieldName), graph.value(field, MIME.fieldValue)
        if name is not None and value is not None and str(name).lower() not in names:
            yield _checked(str(name), str(value))


def _own_fields(graph: Graph, node: URIRef) -> Iterator[tuple[str, str]]:
    content_type = graph.value(node, CTV.contentType)
    if not isinstance(content_type, URIRef | None):
        raise MessageError(
            "a content type that is not an IRI",
            str(content_type),
            expected="an IRI such as <ContentType:text/csv>",
            rule="the range of ctv:contentType",
        )
    values: dict[str, tuple[Callable[[str], object], str | Node | None]] = {
        "Message-ID": (MessageID, graph.value(node, MIME.messageId)),
        "Content-Type": (from_uri, content_type),
        "Content-ID": (ContentID, graph.value(node, MIME.contentId)),
        "Content-Disposition": (str, _disposition(graph, node)),
        "Content-Transfer-Encoding": (str, graph.value(node, MIME.transferEncoding)),
    }
    for name, (read_as, value) in values.items():
        if value is not None:
            yield name, str(read_as(str(value)))


def _disposition(graph: Graph, node: URIRef) -> str | None:
    """Return the disposition as it was written, or else from its type and file name."""
    written = graph.value(node, MIME.disposition)
    if written is not None:
        return str(written)
    kind, filename = graph.value(node, MIME.dispositionType), graph.value(node, NFO.fileName)
    if kind is None:
        return None
    return str(Disposition(str(kind), {} if filename is None else {"filename": str(filename)}))


def _checked(name: str, value: str) -> tuple[str, str]:
    """Return a field after checking its syntax (RFC 5322 section 2.2)."""
    for text, pattern in ((name, _NAME), (value, _VALUE)):
        if not pattern.fullmatch(text):
            raise MessageError(
                "a field that cannot stand in a header",
                text,
                expected="text on one line",
                rule="RFC 5322 section 2.2",
            )
    return name, value
