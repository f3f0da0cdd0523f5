"""A MIME message or mailbox as linked data (RFC 2392), and its headers read back from the graph.

Every entity has the one IRI that `cturi_rdf.mime.document` gives it; there are no blank nodes.
Bodies, and the fields that tell who wrote to whom about what (From, To, Subject, Received and all
others that are not MIME's own), are written on request only.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections import defaultdict
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from rdflib import DCTERMS, RDF, SDO, XSD, Graph, Literal, Namespace, URIRef
from rdflib.parser import Parser

from cturi_rdf._util.display import PREFIXES, prefixes_of
from cturi_rdf.content_type.strict import unfold
from cturi_rdf.errors import CturiError, MessageError, expect_kind, visible
from cturi_rdf.mime.document import Message, names, start_of
from cturi_rdf.mime.entity import Disposition, charset_of
from cturi_rdf.mime.mailbox import Mailbox
from cturi_rdf.mime.references import links
from cturi_rdf.rdf.description import describe
from cturi_rdf.rdf.terms import mint
from cturi_rdf.rdf.vocab import CTV, MIME
from cturi_rdf.uri import ContentID, MessageID
from cturi_rdf.uri.mapping import check_uri, from_uri, is_content_type_uri
from cturi_rdf.uri.rfc3986 import legalise

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import BinaryIO

    from rdflib.parser import InputSource
    from rdflib.term import Node

    from cturi_rdf.content_type import ContentType
    from cturi_rdf.mime.entity import Entity
    from cturi_rdf.uri.mapping import Control


__all__ = [
    "EntityHeader",
    "MessageParser",
    "describe_mailbox",
    "describe_message",
    "message_headers",
]


# NEPOMUK has a property for the name of a file, W3C Content in RDF those for the characters and
# the octets of a content.
NFO = Namespace(PREFIXES["nfo"])
CNT = Namespace(PREFIXES["cnt"])
# The characters that XML 1.0 section 2.2 does not allow; RDF/XML would lose them.
_NO_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# The characters that a text of one line cannot have: control characters as well.
_NOT_TEXT = re.compile(r"[^\t\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_IDENTIFIER = re.compile(r"<[^<>]*+>")
# Fields that have a property of their own.
_DESCRIBED = frozenset(
    {"content-type", "content-id", "content-disposition", "content-transfer-encoding", "message-id"}
)
# Fields that are always kept: they describe the parts and the thread.
_KEPT = frozenset({"mime-version", "in-reply-to", "references"})
# RFC 5322 section 2.2: what a field's name and value may hold, the value on one line.
_NAME = re.compile(r"[!-9;-~]++")
_VALUE = re.compile(r"[^\x00-\x08\x0a-\x1f\x7f-\x9f\ud800-\udfff]*+")


def describe_message(  # noqa: PLR0913 - a switch each
    message: Message,
    graph: Graph | None = None,
    *,
    bodies: bool = False,
    personal: bool = False,
    references: bool = True,
    control: Control = "honour",
) -> Graph:
    r"""Return `graph`, or a new one, with the description of a message.

    `bodies` adds the contents of the parts, `personal` all fields of the headers.  A Content-Type
    that stands for a URI is linked to and not described, because a message must not say anything
    about other people's resources (the draft, section 6); with ``control="ignore"`` it is described
    under its ``ContentType:`` URI.  Raises `ImportError` where `references` are wanted, there is an
    HTML or SVG part, and the extra ``html`` is not installed.

    >>> from cturi_rdf.mime import Message
    >>> message = Message.read(b"Message-ID: <m@a>\nContent-Type: text/csv\n\na,b\n")
    >>> graph = describe_message(message)
    >>> print(graph.value(URIRef("mid:m@a"), CTV.contentType))
    ContentType:text/csv
    """
    return describe_mailbox(
        [message],
        graph,
        bodies=bodies,
        personal=personal,
        references=references,
        control=control,
    )


def describe_mailbox(  # noqa: PLR0913 - a switch each
    messages: Iterable[Message],
    graph: Graph | None = None,
    *,
    bodies: bool = False,
    personal: bool = False,
    references: bool = True,
    control: Control = "honour",
) -> Graph:
    """Return `graph`, or a new one, with the descriptions of several messages.

    The options are those of `describe_message`.  A message that occurs twice is described once;
    where different messages share a Message-ID, the first has the ``mid:`` IRI.
    """
    graph = Graph() if graph is None else graph
    prefixes = prefixes_of("ctv", "mime", "dcterms", "nfo", "schema", "cnt", "rdfs", "skos")
    for prefix, namespace in prefixes.items():
        graph.bind(prefix, namespace)
    taken: dict[MessageID, str] = {}
    described: set[ContentType] = set()
    wanted = _Wanted(bodies, personal, references, control)
    for message in messages:
        expect_kind(message, Message, "a message is one that Message.read returns")
        own = message.message_id
        other = own is not None and taken.setdefault(own, message.sha256) != message.sha256
        _Description(message, graph, names(message, by_digest=other), described, wanted).add()
    return graph


class _Wanted(NamedTuple):
    """What is written of a message, see `describe_message`."""

    bodies: bool
    personal: bool
    references: bool
    control: Control


class _Description:
    """The description of one message, added to one graph."""

    def __init__(
        self,
        message: Message,
        graph: Graph,
        iris: list[str],
        described: set[ContentType],
        wanted: _Wanted,
    ) -> None:
        self._message = message
        self._graph = graph
        self._nodes = [URIRef(iri) for iri in iris]
        # The content types that the graph describes: most parts of a mailbox share a few.
        self._described = described
        self._wanted = wanted
        # The defects of each entity, by its index.
        self._defects: defaultdict[int, list[CturiError]] = defaultdict(list)

    def add(self) -> None:
        for entity in self._message:
            node = self._nodes[entity.index]
            self._structure(node, entity)
            self._own_fields(node, entity)
            self._fields(node, entity)
            if not entity.children:
                self._content(node, entity)
            if self._wanted.references:
                self._references(node, entity)
        # Last, because reading the references may have found some.
        for entity in self._message:
            for defect in self._defects_of(entity):
                self._say(self._nodes[entity.index], MIME.defect, defect.summary)

    def _defects_of(self, entity: Entity) -> list[CturiError]:
        return [*entity.defects, *self._defects[entity.index]]

    def _say(self, node: URIRef, term: URIRef, text: str | None) -> None:
        if text is not None:
            self._graph.add(
                (node, term, Literal(_NOT_TEXT.sub(lambda match: visible(match[0]), text)))
            )

    def _count(self, node: URIRef, term: URIRef, number: int) -> None:
        self._graph.add((node, term, Literal(number)))

    def _structure(self, node: URIRef, entity: Entity) -> None:
        kind = MIME.Message if entity.is_message else MIME.BodyPart
        self._graph.add((node, RDF.type, kind))
        for position, child in enumerate(entity.children, 1):
            part = self._nodes[child.index]
            self._graph.add((node, DCTERMS.hasPart, part))
            self._count(part, MIME.position, position)
        if entity.essence == "multipart/related":
            start = start_of(entity)
            if start is not None:
                self._graph.add((node, MIME.rootPart, self._nodes[start.index]))

    def _own_fields(self, node: URIRef, entity: Entity) -> None:
        """Add the fields that have a property of their own."""
        if entity.content_type is not None:
            try:
                self._content_type(node, entity.content_type)
            except CturiError as error:
                self._defects[entity.index].append(error)
        disposition, encoded = entity.disposition, entity.get("Content-Transfer-Encoding")
        for term, text in (
            (MIME.contentId, entity.content_id.addr_spec if entity.content_id else None),
            (MIME.messageId, entity.message_id.addr_spec if entity.message_id else None),
            (MIME.disposition, str(disposition) if disposition else None),
            (MIME.dispositionType, disposition.type if disposition else None),
            (NFO.fileName, entity.filename),
            (MIME.transferEncoding, None if encoded is None else entity.transfer_encoding),
        ):
            self._say(node, term, text)
        for name, term in (("In-Reply-To", MIME.inReplyTo), ("References", MIME.inThreadOf)):
            for match in _IDENTIFIER.findall(entity.get(name) or "") if entity.is_message else ():
                identifier = MessageID.recover(match).id
                if identifier is not None:
                    self._graph.add((node, term, URIRef(identifier.url)))

    def _content_type(self, node: URIRef, content_type: ContentType) -> None:
        """Add a content type; raises `CturiError` for one that no URI names."""
        check_uri(content_type)
        control = self._wanted.control
        named = URIRef(mint(content_type, control=control).value)
        self._graph.add((node, CTV.contentType, named))
        # A value that XML cannot hold is in the node alone, percent-encoded.
        unheld = any(map(_NO_XML.search, content_type.parameters.values()))
        is_ours = is_content_type_uri(named) and not unheld
        if is_ours and content_type not in self._described:
            describe(content_type, self._graph, control=control)
            self._described.add(content_type)

    def _fields(self, node: URIRef, entity: Entity) -> None:
        """Add the other fields, each a node, so that their order and number are kept.

        A field that has a property is kept as well where it was read with defects.
        """
        broken = {unfold(defect.text) for defect in self._defects_of(entity)}
        for number, (name, value) in enumerate(entity.fields, 1):
            key = name.lower()
            mime = key.startswith("content-") or key in _KEPT
            if unfold(value) in broken if key in _DESCRIBED else mime or self._wanted.personal:
                field = URIRef(f"{node}{'&' if '#' in node else '#'}field={number}")
                self._graph.add((node, MIME.headerField, field))
                self._graph.add((field, RDF.type, MIME.HeaderField))
                self._count(field, MIME.position, number)
                self._say(field, MIME.fieldName, name)
                self._say(field, MIME.fieldValue, unfold(value))

    def _content(self, node: URIRef, entity: Entity) -> None:
        """Add sizes and digest of the content of a part without parts, read in chunks."""
        digest, size, kept = sha256(), 0, bytearray()
        for chunk in entity.content():
            digest.update(chunk)
            size += len(chunk)
            if self._wanted.bodies:
                kept += chunk
        self._count(node, MIME.encodedSize, entity.size)
        self._count(node, MIME.decodedSize, size)
        self._graph.add((node, SDO.sha256, Literal(digest.hexdigest())))
        if self._wanted.bodies:
            self._body(node, entity, bytes(kept))

    def _body(self, node: URIRef, entity: Entity, octets: bytes) -> None:
        """Add the content itself: characters where it is text, else octets in base64."""
        content_type = entity.content_type
        if content_type is not None and content_type.type == "text":
            with suppress(UnicodeError):
                text = octets.decode(charset_of(entity) or "utf-8").replace("\r\n", "\n")
                # A lone CR would not survive XML either.
                if not _NO_XML.search(text) and "\r" not in text:
                    self._graph.add((node, CNT.chars, Literal(text)))
                    return
        encoded = Literal(b64encode(octets).decode(), datatype=XSD.base64Binary)
        self._graph.add((node, CNT.bytes, encoded))

    def _references(self, node: URIRef, entity: Entity) -> None:
        """Add the entities, or other resources, that the URLs in a part refer to."""
        seen: set[str] = set()
        location = self._message.location_of(entity)
        if location is not None and location.startswith(("http:", "https:")):
            with suppress(CturiError):
                source = legalise(location, draft=False)
                self._graph.add((node, DCTERMS.source, URIRef(source)))
        for link in links(entity, others=self._message.has_locations):
            if link.url in seen:
                continue
            seen.add(link.url)
            self._defects[entity.index] += link.defects
            part = link.reference and self._message.resolve(link.reference, entity)
            part = part or self._message.located(link.url, entity)
            if part is not None:
                self._graph.add((node, DCTERMS.references, self._nodes[part.index]))
            elif link.reference is not None:
                self._graph.add((node, DCTERMS.references, URIRef(str(link.reference))))


class MessageParser(Parser):
    """rdflib's parser of ``message/rfc822`` and ``application/mbox``.

    ``graph.parse("mail.eml", format="message/rfc822")`` needs no import of this package; it
    takes the options of `describe_message`.  Raises `MessageError` for other content.
    """

    def parse(self, source: InputSource, sink: Graph, **options: Any) -> None:
        """Add to `sink` what the message or the mbox in `source` says."""
        stream = source.getByteStream()
        if stream is None:
            raise MessageError(
                "no octets to read",
                str(source.getSystemId()),
                expected="a file with a message",
                rule="RFC 5322 section 2.1",
            )
        describe_mailbox(Mailbox(cast("BinaryIO", stream)), sink, **options)


class EntityHeader(NamedTuple):
    """The node of a message or part, and the fields of its header, in order."""

    entity: URIRef
    fields: tuple[tuple[str, str], ...]


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
