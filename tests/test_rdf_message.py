"""Messages as RDF: what is said, in which nodes, and the headers back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyoxigraph
import pytest
from conftest import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from messages import LOGO, MESSAGE, PAGE, PLAIN, ROOT, parsed, suite
from processes import python
from rdflib import DCTERMS, RDF, SDO, BNode, Dataset, Graph, Literal, URIRef
from rdflib.compare import isomorphic

from cturi_rdf.errors import MessageError
from cturi_rdf.mime import Message
from cturi_rdf.mime.document import names
from cturi_rdf.mime.mailbox import Mailbox
from cturi_rdf.rdf.message import CNT, NFO, describe_mailbox, describe_message, message_headers
from cturi_rdf.rdf.vocab import CTV, MIME

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Write

SERIALISATIONS = {
    "turtle": "turtle", "longturtle": "turtle", "nt": "nt", "n3": "n3", "xml": "xml",
    "pretty-xml": "xml", "json-ld": "json-ld", "trig": "trig", "hext": "hext",
}  # fmt: skip


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
    assert (ROOT, RDF.type, MIME.Message, None) in dataset


def test_parts_are_nodes_with_their_places_types_sizes_and_digests() -> None:
    graph = parsed(MESSAGE)
    assert set(graph.objects(ROOT, DCTERMS.hasPart)) == {LOGO, PAGE, PLAIN}
    for number, part in enumerate((LOGO, PAGE, PLAIN), 1):
        assert graph.value(part, MIME.position) == Literal(number)
    assert graph.value(ROOT, MIME.rootPart) == PAGE
    assert graph.value(ROOT, RDF.type) == MIME.Message
    assert graph.value(LOGO, RDF.type) == MIME.BodyPart
    assert graph.value(LOGO, CTV.contentType) == URIRef(
        "ContentType:image/png?name=%22other.png%22"
    )
    assert (URIRef("ContentType:image/png"), RDF.type, CTV.MediaType) in graph
    assert graph.value(LOGO, NFO.fileName) == Literal("logo one.png")
    assert graph.value(LOGO, MIME.dispositionType) == Literal("inline")
    assert graph.value(LOGO, MIME.encodedSize) == Literal(4)
    assert graph.value(LOGO, MIME.decodedSize) == Literal(3)
    assert graph.value(LOGO, SDO.sha256) == Literal(
        "ae4b3280e56e2faf83f414a6e3dabe9d5fbe18976544c05fed121accb85b53fc"
    )
    assert graph.value(ROOT, MIME.inReplyTo) == URIRef("mid:before@a")
    assert set(graph.objects(ROOT, MIME.inThreadOf)) == {
        URIRef("mid:first@a"),
        URIRef("mid:before@a"),
    }


def test_a_part_refers_to_parts_to_other_messages_and_to_what_is_not_there() -> None:
    graph = parsed(MESSAGE)
    others = {URIRef("cid:gone@a"), URIRef("mid:other@a/part@b")}
    assert set(graph.objects(PAGE, DCTERMS.references)) == {LOGO, ROOT, *others}
    assert any("a line break" in str(defect) for defect in graph.objects(PAGE, MIME.defect))
    assert set(parsed(MESSAGE, references=False).objects(PAGE, DCTERMS.references)) == set()


def test_a_description_leaves_the_message_as_it_is() -> None:
    message = Message.read(MESSAGE)
    describe_message(message)
    defects = [list(entity.defects) for entity in message]
    describe_message(message)
    assert [entity.defects for entity in message] == defects


def test_a_broken_message_is_reported_and_nothing_of_it_is_lost() -> None:
    graph = parsed(MESSAGE)
    assert graph.value(PLAIN, CTV.contentType) == URIRef("ContentType:text/plain")
    (defect,) = graph.objects(PLAIN, MIME.defect)
    assert str(defect).startswith("a parameter without a value at character 13 of 'text/plain;;")
    (field,) = graph.objects(PLAIN, MIME.headerField)
    assert graph.value(field, MIME.fieldValue) == Literal("text/plain;;charset")


def test_bodies_and_personal_fields_are_written_only_when_asked_for() -> None:
    plain = parsed(MESSAGE).serialize()
    for secret in ("ann@a.example", "bob@a.example", "=?utf-8", "by a", "<img", "AAEC"):
        assert secret not in plain
    graph = parsed(MESSAGE, bodies=True, personal=True)
    fields = [
        (str(graph.value(field, MIME.fieldName)), str(graph.value(field, MIME.fieldValue)))
        for field in sorted(
            graph.objects(ROOT, MIME.headerField),
            key=lambda f: int(str(graph.value(f, MIME.position))),
        )
    ]
    assert fields == [
        ("MIME-Version", "1.0"),
        ("From", "Ann <ann@a.example>"),
        ("To", "bob@a.example"),
        ("Subject", "=?utf-8?q?na=C3=AFve?="),
        ("Received", "by a"),
        ("Received", "by b"),
        ("In-Reply-To", "<before@a>"),
        ("References", "<first@a> <before@a>"),
    ]
    assert "naïve" in str(graph.value(PAGE, CNT.chars))
    assert str(graph.value(LOGO, CNT.bytes)) == "AAEC"


@pytest.mark.parametrize("charset", ["klingon", "us-ascii", "punycode"])
def test_a_body_that_does_not_decode_by_its_charset_is_kept_as_octets(charset: str) -> None:
    data = f"Content-Type: text/plain; charset={charset}\n\n".encode() + b"caf\xe9 \x00"
    graph = parsed(data, bodies=True)
    assert [str(text) for text in graph.objects(None, CNT.bytes)] == ["Y2Fm6SAA"]
    assert list(graph.objects(None, CNT.chars)) == []


def test_every_message_of_the_suite_is_described_without_blank_nodes(shared: Path) -> None:
    for path in suite(shared):
        graph = Graph().parse(path, format="message/rfc822", bodies=True, personal=True)
        message = Message.read(path)
        assert set(graph.subjects(RDF.type, MIME.BodyPart)) | set(
            graph.subjects(RDF.type, MIME.Message)
        ) == {URIRef(name) for name in names(message)}
        assert not any(isinstance(term, BNode) for triple in graph for term in triple)
        for iri in iris(graph):
            pyoxigraph.NamedNode(str(iri))


@pytest.mark.daily(2)
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


@settings(max_examples=examples(25), deadline=None)
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
    assert set(again.subjects(RDF.type, MIME.Message)) == {ROOT}
    both = describe_mailbox([Message.read(each) for each in (one, other)])
    changed = URIRef(names(Message.read(other), by_digest=True)[0])
    assert set(both.subjects(RDF.type, MIME.Message)) == {ROOT, changed}
    assert set(both.objects(changed, MIME.messageId)) == {Literal("m@a")}


def test_a_content_type_is_described_once_however_many_parts_have_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    described = []
    monkeypatch.setattr(
        "cturi_rdf.rdf.message.describe", lambda it, _, **__: described.append(str(it))
    )
    head = "Content-Type: multipart/mixed; boundary=b\n\n"
    text = head + "--b\n\na\n--b\nContent-Type: text/html\n\nb\n" * 3 + "--b--\n"
    describe_mailbox(
        [Message.read(text.encode()), Message.read(f"Message-ID: <a@b>\n{text}".encode())]
    )
    assert sorted(described) == [
        "multipart/mixed; boundary=b", "text/html", "text/plain; charset=us-ascii"
    ]  # fmt: skip


def test_an_mbox_and_a_folder_are_described_message_by_message(shared: Path) -> None:
    line = b"From a@b Sat Jan  3 01:05:34 1996\n"
    data = line + MESSAGE + b"\n" + line + b"Message-ID: <n@a>\n\nhello\n"
    graph = Graph().parse(data=data, format="application/mbox")
    assert set(graph.subjects(RDF.type, MIME.Message)) == {ROOT, URIRef("mid:n@a")}
    folder = describe_mailbox(Mailbox(shared / "suites/messages"))
    # 18 files; one holds a message; five are copies of another, or have its Message-ID.
    assert len(set(folder.subjects(RDF.type, MIME.Message))) > 15


@pytest.mark.slow
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


def test_the_location_of_a_part_is_its_source_with_all_encoded_that_no_uri_has() -> None:
    graph = parsed('Content-Location: http://a.example/p?q="1"\n\n')
    assert set(graph.objects(None, DCTERMS.source)) == {URIRef("http://a.example/p?q=%221%22")}
