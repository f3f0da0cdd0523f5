"""Messages in RDF, and the headers that come back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from messages import LOGO, MESSAGE, PAGE, PLAIN, ROOT, parsed, suite
from rdflib import DCTERMS, RDF, BNode, Graph, Literal, URIRef

from cturi_rdf.errors import CturiError, MessageError
from cturi_rdf.mime import Disposition, Message
from cturi_rdf.mime.document import names
from cturi_rdf.rdf.message import NFO, describe_message, message_headers
from cturi_rdf.rdf.vocab import CTV, MIME

if TYPE_CHECKING:
    from pathlib import Path


def test_the_headers_of_each_part_come_back() -> None:
    found = list(message_headers(parsed(MESSAGE)))
    assert [header.entity for header in found] == [ROOT, LOGO, PAGE, PLAIN]
    assert [header.fields for header in found] == [
        (
            ("Message-ID", "<m@a>"),
            ("Content-Type", 'multipart/related; boundary=x; start="<page@a>"'),
            ("MIME-Version", "1.0"),
            ("In-Reply-To", "<before@a>"),
            ("References", "<first@a> <before@a>"),
        ),
        (
            ("Content-Type", "image/png; name=other.png"),
            ("Content-ID", "<logo@a>"),
            ("Content-Disposition", 'inline; filename="logo one.png"; size=3'),
            ("Content-Transfer-Encoding", "base64"),
            ("Content-Description", "A logo"),
        ),
        (("Content-Type", "text/html; charset=utf-8"), ("Content-ID", "<page@a>")),
        (("Content-Type", "text/plain"),),
    ]


def test_the_headers_of_every_message_of_the_suite_come_back_the_same(shared: Path) -> None:
    for path in suite(shared):
        message = Message.read(path)
        graph = describe_message(message, personal=True)
        found = list(message_headers(graph))
        assert [str(header.entity) for header in found] == names(message)
        for entity, header in zip(message, found, strict=True):
            head = "".join(f"{name}: {value}\n" for name, value in header.fields)
            again = Message.read(head.encode() + b"\n").root
            assert again.content_type == entity.content_type
            assert again.content_id == entity.content_id
            assert again.disposition == entity.disposition
            assert again.transfer_encoding == entity.transfer_encoding
            if entity.is_message:
                assert again.message_id == entity.message_id
            assert {n.lower() for n, _ in entity.fields} <= {n.lower() for n, _ in header.fields}


def test_a_graph_that_was_changed_gives_the_changed_header() -> None:
    graph = parsed(MESSAGE)
    graph.set((PAGE, CTV.contentType, URIRef("ContentType:text/csv?header=%22present%22")))
    graph.remove((LOGO, MIME.disposition, None))
    graph.set((LOGO, NFO.fileName, Literal("naïve.png")))
    headers = {header.entity: dict(header.fields) for header in message_headers(graph)}
    assert headers[PAGE]["Content-Type"] == "text/csv; header=present"
    assert headers[LOGO]["Content-Disposition"] == "inline; filename*=utf-8''na%C3%AFve.png"
    graph.remove((LOGO, NFO.fileName, None))
    headers = {header.entity: dict(header.fields) for header in message_headers(graph)}
    assert headers[LOGO]["Content-Disposition"] == "inline"


INJECTED = [
    (MIME.contentId, "a@b>\r\nBcc: <c@d"),
    (MIME.messageId, "a\nb"),
    (MIME.messageId, ""),
    (MIME.disposition, "inline\r\nBcc: c@d"),
    (MIME.transferEncoding, "base64\nX: y"),
]


@pytest.mark.parametrize(("term", "value"), INJECTED)
def test_a_graph_cannot_add_a_line_to_a_header(term: URIRef, value: str) -> None:
    graph = parsed(b"Message-ID: <m@a>\n\n")
    graph.set((ROOT, term, Literal(value)))
    with pytest.raises(CturiError):
        list(message_headers(graph))
    field = URIRef("mid:m@a#field=9")
    graph = parsed(b"Message-ID: <m@a>\n\n")
    graph.add((ROOT, MIME.headerField, field))
    graph.add((field, MIME.fieldName, Literal("X")))
    graph.add((field, MIME.fieldValue, Literal("y\r\nBcc: c@d")))
    with pytest.raises(MessageError, match="cannot stand in a header"):
        list(message_headers(graph))


@pytest.mark.parametrize("value", [Literal("text/csv"), BNode("b")])
def test_a_content_type_is_an_iri(value: Literal | BNode) -> None:
    graph = parsed(b"Message-ID: <m@a>\n\n")
    graph.set((ROOT, CTV.contentType, value))
    with pytest.raises(MessageError, match="a content type that is not an IRI"):
        list(message_headers(graph))


def test_a_header_made_by_hand_needs_only_what_it_says() -> None:
    graph = Graph()
    graph.add((ROOT, RDF.type, MIME.Message))
    graph.add((ROOT, NFO.fileName, Literal("a")))
    graph.add((ROOT, MIME.headerField, URIRef("mid:m@a#field=1")))
    assert [header.fields for header in message_headers(graph)] == [()]


def test_parts_in_a_circle_end() -> None:
    graph = Graph()
    for one, two in (("mid:a@a", "mid:b@a"), ("mid:b@a", "mid:a@a")):
        graph.add((URIRef(one), RDF.type, MIME.BodyPart))
        graph.add((URIRef(one), DCTERMS.hasPart, URIRef(two)))
    assert len(list(message_headers(graph))) == 2


def test_a_content_type_without_a_node_is_reported_and_kept() -> None:
    graph = parsed(b"Message-ID: <m@a>\nContent-Type: application/uri.x\n\n")
    assert graph.value(ROOT, CTV.contentType) is None
    assert list(graph.objects(ROOT, MIME.defect)) != []
    assert [header.fields for header in message_headers(graph)] == [
        (("Message-ID", "<m@a>"), ("Content-Type", "application/uri.x"))
    ]


@pytest.mark.parametrize(
    ("text", "type_", "filename"),
    [
        ("ATTACHMENT; FileName=a", "attachment", "a"),
        ("inline", "inline", None),
        ("attachment; filename*=utf-8''na%C3%AFve", "attachment", "naïve"),
        ("attachment; filename*0=a; filename*1=b", "attachment", "ab"),
    ],
)
def test_a_disposition_is_a_type_and_parameters(
    text: str, type_: str, filename: str | None
) -> None:
    found, defects = Disposition.recover(text)
    assert found is not None
    assert (found.type, found.filename, defects) == (type_, filename, [])
    assert Disposition.recover(str(found)) == (found, [])
