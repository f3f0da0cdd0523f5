"""The headers of a message, read back from its graph."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from rdflib import DCTERMS, RDF, Literal, URIRef

from cturi_rdf.errors import MessageError
from cturi_rdf.mime.disposition import Disposition
from cturi_rdf.rdf.message.describe import NFO
from cturi_rdf.rdf.nodes import read
from cturi_rdf.rdf.vocab import CTV
from cturi_rdf.uri import ContentID, MessageID

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rdflib import Graph
    from rdflib.term import Node

__all__ = ["EntityHeader", "message_headers"]


class EntityHeader(NamedTuple):
    """The node of a message or part, and the fields of its header, in order."""

    entity: URIRef
    fields: tuple[tuple[str, str], ...]


# RFC 5322 section 2.2: what a field's name and value may hold, the value on one line.
_NAME = re.compile(r"[!-9;-~]++")
_VALUE = re.compile(r"[^\x00-\x08\x0a-\x1f\x7f-\x9f\ud800-\udfff]*+")


def message_headers(graph: Graph) -> Iterator[EntityHeader]:
    r"""Yield the header of each message and part in a graph, in reading order.

    What has a property of its own is written from that, so that a graph that was changed
    gives the changed header; all other fields as they were kept.  Values are on one line
    each.  Raises `MessageError` for what cannot stand in a header, such as a line break.

    >>> from rdflib import Graph
    >>> data = b"Message-ID: <m@a>\nContent-Type: text/csv; header=present\n\na,b\n"
    >>> graph = Graph().parse(data=data, format="message/rfc822")
    >>> [header.fields for header in message_headers(graph)]
    [(('Message-ID', '<m@a>'), ('Content-Type', 'text/csv; header=present'))]
    """
    for node in _in_order(graph):
        yield EntityHeader(node, tuple(_fields(graph, node)))


def _in_order(graph: Graph) -> Iterator[URIRef]:
    """Yield the entities: outermost first, the parts of each by their positions."""
    entities = {
        node
        for kind in (CTV.Message, CTV.BodyPart)
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
    value = graph.value(node, CTV.position)
    number = value.value if isinstance(value, Literal) else None
    return number if isinstance(number, int) else 0


def _fields(graph: Graph, node: URIRef) -> Iterator[tuple[str, str]]:
    """Yield the fields of one entity: those with a property first."""
    names: set[str] = set()
    for name, value in _own_fields(graph, node):
        names.add(name.lower())
        yield _checked(name, value)
    for field in sorted(
        graph.objects(node, CTV.headerField), key=lambda field: _position(graph, field)
    ):
        field_name, field_value = (graph.value(field, t) for t in (CTV.fieldName, CTV.fieldValue))
        if (
            field_name is not None
            and field_value is not None
            and str(field_name).lower() not in names
        ):
            yield _checked(str(field_name), str(field_value))


def _own_fields(graph: Graph, node: URIRef) -> Iterator[tuple[str, str]]:
    message_id = graph.value(node, CTV.messageId)
    if message_id is not None:
        yield "Message-ID", str(MessageID(str(message_id)))
    content_type = graph.value(node, CTV.contentType)
    if isinstance(content_type, URIRef):
        yield "Content-Type", str(read(content_type))
    content_id = graph.value(node, CTV.contentId)
    if content_id is not None:
        yield "Content-ID", str(ContentID(str(content_id)))
    disposition = _disposition(graph, node)
    if disposition is not None:
        yield "Content-Disposition", disposition
    encoding = graph.value(node, CTV.transferEncoding)
    if encoding is not None:
        yield "Content-Transfer-Encoding", str(encoding)


def _disposition(graph: Graph, node: URIRef) -> str | None:
    """Return the disposition as it was written, or else from its type and file name."""
    written = graph.value(node, CTV.disposition)
    if written is not None:
        return str(written)
    kind, filename = graph.value(node, CTV.dispositionType), graph.value(node, NFO.fileName)
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
