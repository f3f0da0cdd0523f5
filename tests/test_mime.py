"""Messages: the tree of their parts and their contents, wherever they are read from."""

from __future__ import annotations

import email
import email.policy
import hashlib
import io
import json
from base64 import encodebytes
from binascii import a2b_qp, b2a_qp
from email.message import EmailMessage
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cturi_rdf.errors import CturiError
from cturi_rdf.mime import Message
from cturi_rdf.mime.document import names
from cturi_rdf.mime.entity import decode
from cturi_rdf.mime.references import links

if TYPE_CHECKING:
    from pathlib import Path


from messages import multipart, part, problems, read

# --- Real messages ---------------------------------------------------------------------


def rows(shared: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(
        (shared / "suites/messages/manifest.json").read_text("utf-8")
    )
    assert len(found) == 18
    return found


def test_every_reference_of_the_manifest_resolves_to_the_part_that_it_names(shared: Path) -> None:
    resolved = 0
    for row in rows(shared):
        message = Message.read(shared / "suites/messages" / str(row["file"]))
        assert len(message) == row["parts"]
        for each in row["uris"]:
            target = message.resolve(each["uri"], message.entities[each["part"]])
            assert target is message.entities[each["target_part"]], row["file"]
            resolved += 1
    assert resolved == 18


def test_the_references_found_in_a_message_are_those_of_the_manifest(shared: Path) -> None:
    for row in rows(shared):
        message = Message.read(shared / "suites/messages" / str(row["file"]))
        found = {(entity.index, link.url) for entity in message for link in links(entity)}
        assert found == {(each["part"], each["uri"]) for each in row["uris"]}, row["file"]


def test_ids_are_those_of_the_manifest(shared: Path) -> None:
    for row in rows(shared):
        message = Message.read(shared / "suites/messages" / str(row["file"]))
        assert (message.message_id and str(message.message_id)) == row["message_id"]
        assert [str(e.content_id) for e in message if e.content_id] == row["content_ids"]


def test_tree_and_contents_are_those_of_the_standard_library(shared: Path) -> None:
    for row in rows(shared):
        octets = (shared / "suites/messages" / str(row["file"])).read_bytes()
        ours, theirs = Message.read(octets), email.message_from_bytes(octets)
        for entity, other in zip(ours, theirs.walk(), strict=True):
            assert entity.content_type is not None
            assert entity.content_type.essence == other.get_content_type()
            assert entity.is_multipart == (other.get_content_maintype() == "multipart")
            if not other.is_multipart():
                assert b"".join(entity.content()) == other.get_payload(decode=True)


def test_a_message_is_read_the_same_from_everything_that_can_hold_it(shared: Path) -> None:
    path = shared / "suites/messages/zbateson__m4004.txt.eml"
    octets = path.read_bytes()
    parsed = email.message_from_bytes(octets, policy=email.policy.default)
    assert isinstance(parsed, EmailMessage)

    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

    def said(message: Message) -> list[object]:
        # The standard library writes lines that end in LF.
        return [
            (str(e.content_type), e.content_id, b"".join(e.content()).replace(b"\r\n", b"\n"))
            for e in message
        ]

    wanted = Message.read(octets)
    for source in (str(path), path, bytearray(octets), io.BytesIO(octets), Pipe(octets), parsed):
        found = Message.read(source)
        assert said(found) == said(wanted)
        assert found.sha256 == wanted.sha256
    with path.open("rb") as file:
        assert len(Message.read(file)) == len(wanted)


@pytest.mark.parametrize("end", [b"", b"\r", b"\n", b"\r\n", b"\r\r\n"])
def test_the_digest_is_that_of_the_octets_with_whole_line_ends(end: bytes) -> None:
    octets = b"A: b\r\n\r\n" + b"\r" * 3 + b"c" + end
    travels = octets.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    assert Message.read(octets).sha256 == hashlib.sha256(travels).hexdigest()


def test_line_ends_change_neither_tree_nor_name(shared: Path) -> None:
    octets = (shared / "suites/messages/mailpit__inline-attachment.eml").read_bytes()
    assert b"\r" not in octets
    other = Message.read(octets.replace(b"\n", b"\r\n"))
    message = Message.read(octets)
    assert names(message) == names(other)
    for one, two in zip(message, other, strict=True):
        if not one.children:
            text = b"".join(two.content())
            if not two.is_encoded:
                text = text.replace(b"\r\n", b"\n")
            assert b"".join(one.content()) == text


# --- Structure -------------------------------------------------------------------------


def test_an_entity_knows_its_place() -> None:
    message = read(
        "Message-ID: <m@a>\n"
        + multipart(
            "mixed",
            "x",
            part("one"),
            multipart("alternative", "y", part("two"), part("three", "Content-ID: <c@a>")),
            part("Subject: inner\n\nfour", "Content-Type: message/rfc822"),
        )
    )
    assert [(e.index, e.last, e.parent and e.parent.index, e.depth) for e in message] == [
        (0, 6, None, 0),
        (1, 1, 0, 1),
        (2, 4, 0, 1),
        (3, 3, 2, 2),
        (4, 4, 2, 2),
        (5, 6, 0, 1),
        (6, 6, 5, 2),
    ]
    assert [e.index for e in message if e.is_message] == [0, 6]
    leaves = (b"".join(e.content()) for e in message if not e.children)
    assert b" ".join(leaves) == b"one two three four"
    assert message.entities[5].holds_message
    assert b"".join(message.entities[6].raw()) == b"Subject: inner\n\nfour"
    assert repr(message) == "<Message <m@a> of 7 entities>"
    assert problems(message) == []


def test_an_entity_whose_type_cannot_be_read_has_no_parameters() -> None:
    entity = read("Content-Type: ; boundary=x; name=a\n\n").root
    assert (entity.content_type, entity.essence, dict(entity.parameters)) == (None, "", {})
    assert (entity.boundary, entity.filename) == (b"", None)


def test_a_part_without_content_type_is_text_and_in_a_digest_a_message() -> None:
    digest = read(multipart("digest", "x", part("Subject: y\n\nz")))
    assert [str(e.content_type) for e in digest][1:] == [
        "message/rfc822",
        "text/plain; charset=us-ascii",
    ]
    assert digest.entities[2].get("SUBJECT") == "y"


@pytest.mark.parametrize("encoding", ["base64", "quoted-printable"])
def test_an_encoded_message_is_decoded_and_read_in_its_turn(encoding: str) -> None:
    inner = EmailMessage()
    inner["Message-ID"] = "<inner@a>"
    inner.set_content("hello")
    body = {
        "base64": encodebytes(inner.as_bytes()).decode(),
        "quoted-printable": inner.as_string().replace("=", "=3D"),
    }[encoding]
    message = read(
        multipart(
            "mixed",
            "x",
            part(body, "Content-Type: message/rfc822", f"Content-Transfer-Encoding: {encoding}"),
            part("after"),
        )
    )
    assert [e.depth for e in message] == [0, 1, 2, 1]
    found = message.resolve("mid:inner@a")
    assert found is message.entities[2]
    assert b"".join(found.content()).strip() == b"hello"
    assert problems(message) == [(1, "an encoded message")]


@pytest.mark.parametrize("encoding", ["base64", "quoted-printable", "8bit"])
@pytest.mark.parametrize(
    ("kind", "problem"),
    [
        # RFC 2045 section 6.4, and RFC 6532 section 3.5 for message/global.
        ("multipart/mixed; boundary=x", "an encoded multipart"),
        ("message/rfc822", "an encoded message"),
        ("message/external-body; access-type=x", "an encoded message"),
        ("message/global", None),
        ("text/plain", None),
    ],
)
def test_what_is_made_of_entities_is_not_encoded(
    kind: str, problem: str | None, encoding: str
) -> None:
    header = f"Content-Type: {kind}\nContent-Transfer-Encoding: {encoding}\n\n"
    message = read(f"{header}--x\n\na\n--x--\n" if "boundary" in kind else header)
    expected = None if encoding == "8bit" else problem
    assert [d.problem for d in message.root.defects] == ([expected] if expected else [])


@given(
    st.lists(st.binary(max_size=60), min_size=1, max_size=4),
    st.sampled_from(["base64", "quoted-printable", "8bit"]),
)
def test_contents_survive_their_transfer_encoding(contents: list[bytes], encoding: str) -> None:
    encode = {
        "base64": encodebytes,
        # With line ends encoded: as text they would be made all alike.
        "quoted-printable": lambda octets: b2a_qp(octets, istext=False),
        "8bit": bytes,
    }[encoding]
    delimiter = b"\r\n--=_boundary"
    octets = b'Content-Type: multipart/mixed; boundary="=_boundary"\r\n' + b"".join(
        delimiter + b"\r\nContent-Transfer-Encoding: " + encoding.encode() + b"\r\n\r\n" + encode(c)
        for c in contents
    ) + delimiter + b"--"  # fmt: skip
    message = Message.read(octets)
    found = [b"".join(entity.content()) for entity in message][1:]
    assert found == contents
    assert problems(message) == []


@given(st.binary(max_size=400) | st.text('-xy: \n\r;="/abCcontent-typemultipart').map(str.encode))
def test_any_octets_are_a_message_or_our_own_error(octets: bytes) -> None:
    head = b"Content-Type: multipart/mixed; boundary=x\n\n--x\n"
    for each in (octets, head + octets):
        try:
            message = Message.read(each)
        except CturiError:
            continue
        assert names(message)
        for entity in message:
            assert 0 <= entity.start <= entity.body <= entity.end <= len(each)
            b"".join(entity.content())


@pytest.mark.parametrize(
    "chunks", [[b"a=4", b"1="], [b"=", b"41b"], [b"=4", b"1"], [b"a=", b"\n="]]
)
def test_an_encoded_octet_may_reach_over_a_chunk(chunks: list[bytes]) -> None:
    whole = a2b_qp(b"".join(chunks))
    assert b"".join(decode(chunks, "quoted-printable")) == whole
