"""Messages as RDF: what is said, in which nodes, and the headers back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyoxigraph
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from processes import python
from rdflib import DCTERMS, RDF, BNode, Dataset, Graph, Literal, URIRef
from rdflib.compare import isomorphic

from cturi_rdf.errors import CturiError, MessageError
from cturi_rdf.mime import Disposition, Message
from cturi_rdf.mime.iris import names
from cturi_rdf.mime.mailbox import Mailbox
from cturi_rdf.rdf.message import describe_mailbox, describe_message, message_headers
from cturi_rdf.rdf.message.terms import CNT, NFO, SCHEMA
from cturi_rdf.rdf.vocab import CTV

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from conftest import Write

MESSAGE = b"""Message-ID: <m@a>
MIME-Version: 1.0
From: Ann <ann@a.example>
To: bob@a.example
Subject: =?utf-8?q?na=C3=AFve?=
Received: by a
Received: by b
In-Reply-To: <before@a>
References: <first@a> <before@a>
Content-Type: multipart/related; boundary=x; start="<page@a>"

--x
Content-ID: <logo@a>
Content-Type: image/png; name=other.png
Content-Disposition: inline; filename="logo one.png"; size=3
Content-Transfer-Encoding: base64
Content-Description: A logo

AAEC
--x
Content-ID: <page@a>
Content-Type: text/html; charset=utf-8

<img src="cid:logo@a"><img src="cid:gone@a"><a href="mid:other@a/part@b">
<a href="mid:m@a">na\xc3\xafve</a><img src="cid:a%0Ab">
--x
Content-Type: text/plain;;charset

plain
--x--
"""
SERIALISATIONS = {
    "turtle": "turtle", "longturtle": "turtle", "nt": "nt", "n3": "n3", "xml": "xml",
    "pretty-xml": "xml", "json-ld": "json-ld", "trig": "trig", "hext": "hext",
}  # fmt: skip
ROOT, LOGO, PAGE, PLAIN = map(
    URIRef, ("mid:m@a", "mid:m@a/logo@a", "mid:m@a/page@a", "mid:m@a#part=3")
)


def parsed(data: bytes | str, **options: Any) -> Graph:
    return Graph().parse(data=data, format="message/rfc822", **options)


def suite(shared: Path) -> Iterator[Path]:
    paths = sorted((shared / "suites/messages").glob("*.eml"))
    assert len(paths) == 18
    return iter(paths)


def iris(graph: Graph) -> set[URIRef]:
    return {term for triple in graph for term in triple if isinstance(term, URIRef)}


def test_a_graph_reads_a_message_without_an_import_of_ours(tmp_path: Path) -> None:
    (tmp_path / "mail.eml").write_bytes(MESSAGE)
    script = "import rdflib; print(len(rdflib.Graph().parse('mail.eml', format='message/rfc822')))"
    printed = python("-c", script, cwd=tmp_path)
    assert int(printed.stdout) == len(parsed(MESSAGE)) > 50


def test_a_message_is_read_from_a_path_a_file_text_and_into_a_dataset(write: Write) -> None:
    path = write("mail.eml", MESSAGE)
    wanted = parsed(MESSAGE)
    with path.open("rb") as file:
        for graph in (
            Graph().parse(path, format="message/rfc822"),
            Graph().parse(file=file, format="message/rfc822"),
            parsed(MESSAGE.decode()),
        ):
            assert isomorphic(graph, wanted)
    dataset = Dataset()
    dataset.parse(path, format="message/rfc822")
    assert (ROOT, RDF.type, CTV.Message, None) in dataset


def test_parts_are_nodes_with_their_places_types_sizes_and_digests() -> None:
    graph = parsed(MESSAGE)
    assert set(graph.objects(ROOT, DCTERMS.hasPart)) == {LOGO, PAGE, PLAIN}
    for number, part in enumerate((LOGO, PAGE, PLAIN), 1):
        assert graph.value(part, CTV.position) == Literal(number)
    assert graph.value(ROOT, CTV.rootPart) == PAGE
    assert graph.value(ROOT, RDF.type) == CTV.Message
    assert graph.value(LOGO, RDF.type) == CTV.BodyPart
    assert graph.value(LOGO, CTV.contentType) == URIRef(
        "ContentType:image/png?name=%22other.png%22"
    )
    assert (URIRef("ContentType:image/png"), RDF.type, CTV.MediaType) in graph
    assert graph.value(LOGO, NFO.fileName) == Literal("logo one.png")
    assert graph.value(LOGO, CTV.dispositionType) == Literal("inline")
    assert graph.value(LOGO, CTV.encodedSize) == Literal(4)
    assert graph.value(LOGO, CTV.decodedSize) == Literal(3)
    assert graph.value(LOGO, SCHEMA.sha256) == Literal(
        "ae4b3280e56e2faf83f414a6e3dabe9d5fbe18976544c05fed121accb85b53fc"
    )
    assert graph.value(ROOT, CTV.inReplyTo) == URIRef("mid:before@a")
    assert set(graph.objects(ROOT, CTV.inThreadOf)) == {
        URIRef("mid:first@a"),
        URIRef("mid:before@a"),
    }


def test_a_part_refers_to_parts_to_other_messages_and_to_what_is_not_there() -> None:
    graph = parsed(MESSAGE)
    others = {URIRef("cid:gone@a"), URIRef("mid:other@a/part@b")}
    assert set(graph.objects(PAGE, DCTERMS.references)) == {LOGO, ROOT, *others}
    assert any("a line break" in str(defect) for defect in graph.objects(PAGE, CTV.defect))
    assert set(parsed(MESSAGE, references=False).objects(PAGE, DCTERMS.references)) == set()


def test_what_is_broken_is_told_and_nothing_of_it_is_lost() -> None:
    graph = parsed(MESSAGE)
    assert graph.value(PLAIN, CTV.contentType) == URIRef("ContentType:text/plain")
    (defect,) = graph.objects(PLAIN, CTV.defect)
    assert str(defect).startswith("a parameter without a value at character 13 of 'text/plain;;")
    (field,) = graph.objects(PLAIN, CTV.headerField)
    assert graph.value(field, CTV.fieldValue) == Literal("text/plain;;charset")


def test_bodies_and_personal_fields_are_written_only_when_asked_for() -> None:
    plain = parsed(MESSAGE).serialize()
    for secret in ("ann@a.example", "bob@a.example", "=?utf-8", "by a", "<img", "AAEC"):
        assert secret not in plain
    graph = parsed(MESSAGE, bodies=True, personal=True)
    fields = [
        (str(graph.value(field, CTV.fieldName)), str(graph.value(field, CTV.fieldValue)))
        for field in sorted(
            graph.objects(ROOT, CTV.headerField),
            key=lambda f: int(str(graph.value(f, CTV.position))),
        )
    ]
    assert fields == [
        ("MIME-Version", "1.0"), ("From", "Ann <ann@a.example>"), ("To", "bob@a.example"),
        ("Subject", "=?utf-8?q?na=C3=AFve?="), ("Received", "by a"), ("Received", "by b"),
        ("In-Reply-To", "<before@a>"), ("References", "<first@a> <before@a>"),
    ]  # fmt: skip
    assert "naïve" in str(graph.value(PAGE, CNT.chars))
    assert str(graph.value(LOGO, CNT.bytes)) == "AAEC"


@pytest.mark.parametrize("charset", ["klingon", "us-ascii", "punycode"])
def test_a_body_that_is_no_text_of_its_charset_is_kept_as_octets(charset: str) -> None:
    data = f"Content-Type: text/plain; charset={charset}\n\n".encode() + b"caf\xe9 \x00"
    graph = parsed(data, bodies=True)
    assert [str(text) for text in graph.objects(None, CNT.bytes)] == ["Y2Fm6SAA"]
    assert list(graph.objects(None, CNT.chars)) == []


def test_every_message_of_the_suite_is_described_without_blank_nodes(shared: Path) -> None:
    for path in suite(shared):
        graph = Graph().parse(path, format="message/rfc822", bodies=True, personal=True)
        message = Message.read(path)
        assert set(graph.subjects(RDF.type, CTV.BodyPart)) | set(
            graph.subjects(RDF.type, CTV.Message)
        ) == {URIRef(name) for name in names(message)}
        assert not any(isinstance(term, BNode) for triple in graph for term in triple)
        for iri in iris(graph):
            pyoxigraph.NamedNode(str(iri))


@pytest.mark.parametrize("form", SERIALISATIONS)
def test_every_graph_survives_every_serialisation(shared: Path, form: str) -> None:
    for path in suite(shared):
        graph = Graph().parse(path, format="message/rfc822")
        text = graph.serialize(format=form)
        again: Graph = Dataset() if form in {"trig", "hext"} else Graph()
        again.parse(data=text, format=SERIALISATIONS[form])
        quads = again.quads() if isinstance(again, Dataset) else iter(again)
        # By their text: HexTuples gives every literal a datatype.
        assert {tuple(map(str, quad[:3])) for quad in quads} >= {
            tuple(map(str, triple)) for triple in graph
        }
    oxigraph = pyoxigraph.Store()
    oxigraph.load(graph.serialize(format="nt").encode(), format=pyoxigraph.RdfFormat.N_TRIPLES)
    assert len(oxigraph) == len(graph)


IDS = st.text('ab@.%/<>"()\\ #?:[]é\x85\u2003{}|^`\ufffe', min_size=1, max_size=8)


@settings(max_examples=25, deadline=None)
@given(IDS, IDS, st.text('\x00\ufffe\x0bé"; a\\', max_size=6))
def test_every_iri_is_legal_whatever_the_identifiers_are(one: str, two: str, name: str) -> None:
    data = (
        f"Message-ID: <{one}>\nContent-Type: multipart/mixed; boundary=x\n\n--x\n"
        f'Content-ID: <{two}>\nContent-Type: text/plain; name="{name}"\nX-Y: {name}\n\n--x--'
    ).encode()
    graph = describe_message(Message.read(data), personal=True)
    for iri in iris(graph):
        pyoxigraph.NamedNode(str(iri))
    for form, back in (("turtle", "turtle"), ("xml", "xml"), ("json-ld", "json-ld")):
        again = Graph().parse(data=graph.serialize(format=form), format=back)
        assert set(again) == set(graph)
    for header in message_headers(graph):
        for _, value in header.fields:
            assert not set(value) & set("\r\n\0")


def test_a_message_that_is_there_twice_is_described_once() -> None:
    one, other = MESSAGE, MESSAGE.replace(b"\nplain\n", b"\nchanged\n")
    again = describe_mailbox([Message.read(each) for each in (one, one.replace(b"\n", b"\r\n"))])
    assert set(again.subjects(RDF.type, CTV.Message)) == {ROOT}
    both = describe_mailbox([Message.read(each) for each in (one, other)])
    changed = URIRef(names(Message.read(other), by_digest=True)[0])
    assert set(both.subjects(RDF.type, CTV.Message)) == {ROOT, changed}
    assert set(both.objects(changed, CTV.messageId)) == {Literal("m@a")}


def test_an_mbox_and_a_folder_are_described_message_by_message(shared: Path) -> None:
    line = b"From a@b Sat Jan  3 01:05:34 1996\n"
    data = line + MESSAGE + b"\n" + line + b"Message-ID: <n@a>\n\nhello\n"
    graph = Graph().parse(data=data, format="application/mbox")
    assert set(graph.subjects(RDF.type, CTV.Message)) == {ROOT, URIRef("mid:n@a")}
    folder = describe_mailbox(Mailbox(shared / "suites/messages"))
    # 18 files; one holds a message; five are copies of another, or have its Message-ID.
    assert len(set(folder.subjects(RDF.type, CTV.Message))) > 15


# --- And back --------------------------------------------------------------------------


def test_the_headers_of_each_part_come_back() -> None:
    found = list(message_headers(parsed(MESSAGE)))
    assert [header.entity for header in found] == [ROOT, LOGO, PAGE, PLAIN]
    assert [header.fields for header in found] == [
        (
            ("Message-ID", "<m@a>"),
            ("Content-Type", 'multipart/related; boundary=x; start="<page@a>"'),
            ("MIME-Version", "1.0"), ("In-Reply-To", "<before@a>"),
            ("References", "<first@a> <before@a>"),
        ),
        (
            ("Content-Type", "image/png; name=other.png"), ("Content-ID", "<logo@a>"),
            ("Content-Disposition", 'inline; filename="logo one.png"; size=3'),
            ("Content-Transfer-Encoding", "base64"), ("Content-Description", "A logo"),
        ),
        (("Content-Type", "text/html; charset=utf-8"), ("Content-ID", "<page@a>")),
        (("Content-Type", "text/plain"),),
    ]  # fmt: skip


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
    graph.remove((LOGO, CTV.disposition, None))
    graph.set((LOGO, NFO.fileName, Literal("naïve.png")))
    headers = {header.entity: dict(header.fields) for header in message_headers(graph)}
    assert headers[PAGE]["Content-Type"] == "text/csv; header=present"
    assert headers[LOGO]["Content-Disposition"] == "inline; filename*=utf-8''na%C3%AFve.png"


INJECTED = [
    (CTV.contentId, "a@b>\r\nBcc: <c@d"),
    (CTV.messageId, "a\nb"),
    (CTV.messageId, ""),
    (CTV.disposition, "inline\r\nBcc: c@d"),
    (CTV.transferEncoding, "base64\nX: y"),
]


@pytest.mark.parametrize(("term", "value"), INJECTED)
def test_a_graph_cannot_add_a_line_to_a_header(term: URIRef, value: str) -> None:
    graph = parsed(b"Message-ID: <m@a>\n\n")
    graph.set((ROOT, term, Literal(value)))
    with pytest.raises(CturiError):
        list(message_headers(graph))
    field = URIRef("mid:m@a#field=9")
    graph = parsed(b"Message-ID: <m@a>\n\n")
    graph.add((ROOT, CTV.headerField, field))
    graph.add((field, CTV.fieldName, Literal("X")))
    graph.add((field, CTV.fieldValue, Literal("y\r\nBcc: c@d")))
    with pytest.raises(MessageError, match="cannot stand in a header"):
        list(message_headers(graph))


def test_a_header_made_by_hand_needs_only_what_it_says() -> None:
    graph = Graph()
    graph.add((ROOT, RDF.type, CTV.Message))
    graph.add((ROOT, NFO.fileName, Literal("a")))
    graph.add((ROOT, CTV.headerField, URIRef("mid:m@a#field=1")))
    assert [header.fields for header in message_headers(graph)] == [()]


def test_parts_in_a_circle_end() -> None:
    graph = Graph()
    for one, two in (("mid:a@a", "mid:b@a"), ("mid:b@a", "mid:a@a")):
        graph.add((URIRef(one), RDF.type, CTV.BodyPart))
        graph.add((URIRef(one), DCTERMS.hasPart, URIRef(two)))
    assert len(list(message_headers(graph))) == 2


def test_a_thousand_levels_are_described_and_come_back() -> None:
    octets = b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(1_000)
    )
    graph = describe_message(Message.read(octets))
    assert len(list(message_headers(graph))) == 1_001


@pytest.mark.parametrize("data", [b"", b"hello\n", b"\x00\x01"])
def test_what_is_no_message_is_our_own_error(data: bytes) -> None:
    with pytest.raises(MessageError):
        parsed(data)


def test_a_content_type_without_a_node_is_told_and_kept() -> None:
    graph = parsed(b"Message-ID: <m@a>\nContent-Type: application/uri.x\n\n")
    assert graph.value(ROOT, CTV.contentType) is None
    assert list(graph.objects(ROOT, CTV.defect)) != []
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
