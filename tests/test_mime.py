"""Messages: the tree of their parts, their contents, and what a URL means in them."""

from __future__ import annotations

import email
import email.policy
import io
import json
import tracemalloc
from base64 import encodebytes
from email.message import EmailMessage
from quopri import encodestring
from typing import TYPE_CHECKING, Any, BinaryIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cturi_rdf.errors import CturiError, IdentifierError, MessageError
from cturi_rdf.mime import Message
from cturi_rdf.mime.names import names
from cturi_rdf.mime.references import links

if TYPE_CHECKING:
    from pathlib import Path


def part(body: str, *fields: str) -> str:
    return "".join(f"{field}\n" for field in fields) + f"\n{body}"


def multipart(kind: str, boundary: str, *parts: str, parameters: str = "") -> str:
    head = f"Content-Type: multipart/{kind}; boundary={boundary}{parameters}\n\n"
    return head + "".join(f"--{boundary}\n{each}\n" for each in parts) + f"--{boundary}--\n"


def read(text: str) -> Message:
    return Message.read(text.encode())


def nested(levels: int, *, closed: bool = True) -> bytes:
    opening = (
        b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(levels)
    )
    closing = (b"--b%d--\n" % n for n in reversed(range(levels)))
    return b"".join(opening) + b"\nhello\n" + (b"".join(closing) if closed else b"")


def problems(message: Message) -> list[tuple[int, str]]:
    return [(entity.index, defect.problem) for entity in message for defect in entity.defects]


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
        # The standard library ends the lines of what it writes with LF.
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
            "mixed", "x",
            part("one"),
            multipart("alternative", "y", part("two"), part("three", "Content-ID: <c@a>")),
            part("Subject: inner\n\nfour", "Content-Type: message/rfc822"),
        )
    )  # fmt: skip
    assert [(e.index, e.last, e.parent and e.parent.index, e.depth) for e in message] == [
        (0, 6, None, 0), (1, 1, 0, 1), (2, 4, 0, 1), (3, 3, 2, 2), (4, 4, 2, 2), (5, 6, 0, 1),
        (6, 6, 5, 2),
    ]  # fmt: skip
    assert [e.index for e in message if e.is_message] == [0, 6]
    assert [b"".join(e.content()) for e in message if not e.children] == [
        b"one", b"two", b"three", b"four"
    ]  # fmt: skip
    assert message.entities[5].holds_message
    assert b"".join(message.entities[6].raw()) == b"Subject: inner\n\nfour"
    assert repr(message) == "<Message <m@a> of 7 entities>"
    assert problems(message) == []


def test_a_part_without_content_type_is_text_and_in_a_digest_a_message() -> None:
    digest = read(multipart("digest", "x", part("Subject: y\n\nz")))
    assert [str(e.content_type) for e in digest][1:] == [
        "message/rfc822", "text/plain; charset=us-ascii"
    ]  # fmt: skip
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
            "mixed", "x",
            part(body, "Content-Type: message/rfc822", f"Content-Transfer-Encoding: {encoding}"),
            part("after"),
        )
    )  # fmt: skip
    assert [e.depth for e in message] == [0, 1, 2, 1]
    found = message.resolve("mid:inner@a")
    assert found is message.entities[2]
    assert b"".join(found.content()).strip() == b"hello"
    assert problems(message) == [(1, "an encoded message")]


@given(
    st.lists(st.binary(max_size=60), min_size=1, max_size=4),
    st.sampled_from(["base64", "quoted-printable", "8bit"]),
)
def test_contents_survive_their_transfer_encoding(contents: list[bytes], encoding: str) -> None:
    encode = {"base64": encodebytes, "quoted-printable": encodestring, "8bit": bytes}[encoding]
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


# --- What is broken or hostile ---------------------------------------------------------

BROKEN = [
    ("Content-Type: multipart/mixed; boundary=x\n\n--x\n\none",
     [(0, "a multipart that is never closed")]),
    ("Content-Type: multipart/mixed; boundary=x\n\none", [(0, "a multipart without a part")]),
    ("Content-Type: multipart/mixed\n\n--x\n", [(0, "a multipart without a boundary")]),
    ("Subject: x\nno field\n", [(0, "a line that is no header field")]),
    ("Content-Type: text/html;;charset\n\n", [(0, "a parameter without a value")]),
    ("Content-Type: text\n\n", [(0, "no type")]),
    ("Content-ID: <a\0b@c>\n\n", [(0, "a control character in an identifier")]),
    ("Content-ID: ab\n\n", [(0, "no angle brackets"), (0, "an identifier without '@'")]),
    ("Content-ID: <a@b>\nContent-ID: <c@d>\n\n", [(0, "a second Content-ID")]),
    ("Content-Disposition: inline; filename=a b\n\n", [(0, "a value that needs quotes")]),
    ("Content-Transfer-Encoding: klingon\n\n", [(0, "a transfer encoding that is not known")]),
    ("Subject: a\rBcc: b@c\n\n", [(0, "a carriage return without a line feed")]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "wanted"), BROKEN)
def test_what_is_broken_is_a_defect_of_its_entity(text: str, wanted: list[tuple[int, str]]) -> None:
    message = read(text)
    assert problems(message) == wanted
    for defect in message.root.defects:
        assert "\n" not in defect.summary


def test_a_bare_carriage_return_smuggles_no_field_in() -> None:
    message = read("Subject: a\rBcc: b@c\nContent-ID: <a@b>\n\n")
    assert message.root.get("Bcc") is None
    assert message.root.get("Subject") == "a Bcc: b@c"


def test_octets_of_no_charset_and_spaces_before_a_colon_are_read() -> None:
    message = Message.read(
        b"From x@y Sat Jan  3 01:05:34 1996\n"
        b"X-One: caf\xe9\nX-Two : caf\xc3\xa9\n>From z\nX-Three: 3\n\n"
    )
    assert message.root.fields == [("X-One", "café"), ("X-Two", "café"), ("X-Three", "3")]
    assert problems(message) == [(0, "octets in X-One that are no UTF-8")]


@pytest.mark.parametrize("octets", [b"", b"\n", b"hello world\n", b"\x89PNG\r\n\x1a\n", b"[1, 2]"])
def test_what_has_no_header_is_no_message(octets: bytes) -> None:
    with pytest.raises(MessageError, match="no message"):
        Message.read(octets)


def test_what_cannot_be_read_is_our_own_error(tmp_path: Path) -> None:
    for path in (tmp_path / "absent", tmp_path, "a\0b"):
        with pytest.raises(MessageError, match="cannot be read"):
            Message.read(path)
    broken = EmailMessage()
    broken["X"] = "y"
    broken.set_payload([EmailMessage()])
    broken.set_payload([broken])
    with pytest.raises(MessageError, match="`email` package"):
        Message.read(broken)
    closed: BinaryIO = io.BytesIO(b"Subject: x")
    closed.close()
    with pytest.raises(MessageError, match="cannot be read"):
        Message.read(closed)


def test_the_rfc_s_own_message_with_a_wrong_boundary_loses_nothing() -> None:
    message = read(
        'Content-Type: multipart/related; boundary="boundary-example-1"\n\n'
        "--boundary-example 1\nContent-Type: Text/HTML\n\n<IMG SRC=cid:foo4*foo1@bar.net>\n"
        "--boundary-example-1\nContent-ID: <foo4*foo1@bar.net>\n\nR0lG\n--boundary-example-1--\n"
    )
    assert message.resolve("cid:foo4*foo1@bar.net") is message.entities[1]
    assert b"boundary-example 1" in b"".join(message.root.content())


def test_a_delimiter_needs_its_line_and_may_have_white_space_behind() -> None:
    message = read(
        "Content-Type: multipart/mixed; boundary=x\n\n--xy\n--x \t\n\none\n --x\nx--x\n--x--x\n"
        "--x--  \n\n--x\nepilogue"
    )
    assert [b"".join(e.content()) for e in message][1:] == [b"one\n --x\nx--x\n--x--x"]
    assert problems(message) == []


def test_a_long_line_is_no_delimiter_however_it_begins() -> None:
    body = "--x" + "y" * 1_000 + "\n--x" + " " * 1_000 + "z\n--" + "-" * 1_000
    message = read(multipart("mixed", "x", part(body)))
    assert b"".join(message.entities[1].content()).decode() == body


def test_a_header_larger_than_a_window_is_read_whole() -> None:
    ids = " ".join(f"<{n}@a>" for n in range(200_000))
    message = read(f"Subject: x\nReferences: {ids}\n\nbody")
    assert message.root.get("references") == ids
    assert problems(message) == []


def test_a_part_that_a_delimiter_cuts_short_and_an_outer_one_that_ends_inner_ones() -> None:
    inner = "Content-Type: multipart/mixed; boundary=y\n\n--y\nContent-ID: <cut@a>\n"
    message = read(multipart("mixed", "x", inner, part("after")))
    assert [str(e.content_type.essence) for e in message if e.content_type] == [
        "multipart/mixed", "multipart/mixed", "text/plain", "text/plain"
    ]  # fmt: skip
    assert message.resolve("cid:cut@a") is message.entities[2]
    assert problems(message) == [(1, "a multipart that is never closed")]


def test_the_innermost_of_two_equal_boundaries_wins() -> None:
    message = read(multipart("mixed", "x", multipart("mixed", "x", part("one")), part("two")))
    assert [e.depth for e in message] == [0, 1, 2, 1]
    assert problems(message) == []


@pytest.mark.parametrize("closed", [True, False])
def test_a_thousand_levels_take_no_recursion(*, closed: bool) -> None:
    message = Message.read(nested(1_000, closed=closed))
    assert len(message) == 1_001
    assert message.entities[-1].depth == 1_000
    assert b"".join(message.entities[-1].content()).strip() == b"hello"
    assert len(problems(message)) == (0 if closed else 1_000)
    assert len(names(message)) == 1_001


def test_a_header_that_a_delimiter_follows_at_once_is_a_part() -> None:
    message = read("Content-Type: multipart/mixed; boundary=x\n\n--x\nContent-ID: <a@b>\n--x--")
    assert message.resolve("cid:a@b") is message.entities[1]
    assert problems(message) == []


def test_messages_that_are_encoded_over_and_over_are_not_read_without_end() -> None:
    level = "Content-Type: message/rfc822\nContent-Transfer-Encoding: quoted-printable\n\n"
    message = read(level * 5_000)
    assert len(message) == 9
    assert problems(message)[-1] == (8, "an encoded message")


def test_an_email_message_nested_beyond_its_own_package_is_our_own_error() -> None:
    deep = EmailMessage()
    for _ in range(2_000):
        outer = EmailMessage()
        outer["Content-Type"] = "multipart/mixed"
        outer.set_payload([deep])
        deep = outer
    with pytest.raises(MessageError, match="nested too deep"):
        Message.read(deep)


def test_a_thousand_messages_within_messages_take_no_recursion() -> None:
    octets = b"".join(
        b"Message-ID: <m%d@a>\nContent-Type: message/rfc822\n\n" % n for n in range(1_000)
    )
    message = Message.read(octets + b"Subject: last\n\n")
    assert message.resolve("mid:m999@a") is message.entities[999]
    assert names(message)[-1] == "mid:m999@a#part=1"


def test_levels_beyond_all_measure_are_left_unread_and_told() -> None:
    message = Message.read(nested(10_100))
    assert len(message) == 10_001
    assert problems(message)[-1] == (10_000, "parts nested too deep")


def test_a_header_without_end_is_cut_and_told() -> None:
    message = Message.read(b"Subject: x\nX: " + b"y" * (9 << 20))
    assert message.root.fields == [("Subject", "x")]
    assert problems(message) == [(0, "a header of excessive length")]


def test_a_large_attachment_costs_no_memory(tmp_path: Path) -> None:
    path, size = tmp_path / "large.eml", 200_000_000
    head = b"Message-ID: <m@a>\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nhello\n--x\n"
    head += b"Content-Type: application/octet-stream\nContent-ID: <big@a>\n\n"
    with path.open("wb") as file:
        file.write(head)
        file.seek(size, 1)  # a hole, which takes no space on the disk
        file.write(b"\n--x\nContent-ID: <after@a>\n\nbye\n--x--\n")
    tracemalloc.start()
    try:
        message = Message.read(path)
        found = message.resolve("mid:m@a/after@a")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert found is message.entities[3]
    assert message.entities[2].size == size
    assert peak < 8_000_000


@pytest.mark.parametrize(
    "unit", [b"\n--", b"\n--x", b"--x--\n", b"\n--y\n", b" \n", b"\r", b"x: y\n"]
)
def test_time_is_linear_in_hostile_octets(unit: bytes) -> None:
    head = b"Content-Type: multipart/mixed; boundary=xx\n\n--xx\n"
    Message.read(head + unit * 100_000)


def test_a_long_line_of_quoted_printable_is_decoded_in_pieces() -> None:
    body = b"=41b" * 700_000
    head = b"Content-Transfer-Encoding: quoted-printable\n\n"
    assert b"".join(Message.read(head + body).root.content()) == b"Ab" * 700_000


@pytest.mark.parametrize(
    ("body", "content"), [(b"aGVsbG8", b"hello"), (b"aGVsb", b"hel"), (b"aGk=aGk=", b"hi")]
)
def test_a_cut_body_is_decoded_as_far_as_it_goes(body: bytes, content: bytes) -> None:
    message = Message.read(b"Content-Transfer-Encoding: base64\n\n" + body)
    assert b"".join(message.root.content()) == content


def test_a_large_pipe_costs_no_memory() -> None:
    class Pipe(io.BytesIO):
        left = 60

        def seekable(self) -> bool:
            return False

        def read(self, _size: int | None = -1) -> bytes:
            self.left -= 1
            return b"Subject: x\n\n" if self.left == 59 else bytes(1 << 20) * (self.left > 0)

    tracemalloc.start()
    try:
        message = Message.read(Pipe())
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert message.root.size == 58 << 20
    assert peak < 8_000_000


def test_a_large_part_of_another_content_is_read_in_windows() -> None:
    body = b"x" * 3_000_000
    message = Message.read(b"Content-Type: multipart/mixed; boundary=y\n\n--y\n\n" + body)
    assert b"".join(message.entities[1].content()) == body
    assert b"".join(message.root.raw()).endswith(body)


# --- Resolving -------------------------------------------------------------------------


def alternatives(kind: str, parameters: str = "") -> Message:
    same = "Content-ID: <same@a>"
    return read(
        multipart(
            kind, "x",
            part("one", same, "Content-Type: text/plain"),
            part("two", same, "Content-Type: text/html"),
            part("three", same, "Content-Type: application/x-strange"),
            parameters=parameters,
        )
    )  # fmt: skip


def test_of_alternatives_the_last_that_is_understood_is_meant() -> None:
    message = alternatives("alternative")
    assert message.resolve("cid:same@a") is message.entities[3]
    known = message.resolve(
        "cid:same@a",
        understood=lambda e: e.content_type is not None and e.content_type.type == "text",
    )
    assert known is message.entities[2]
    none = message.resolve("cid:same@a", understood=lambda _: False)
    assert none is message.entities[1]


def test_of_related_parts_the_root_is_meant() -> None:
    message = alternatives("related")
    assert message.resolve("cid:same@a") is message.entities[1]
    rooted = read(
        multipart(
            "related", "x",
            part("one", "Content-ID: <same@a>"),
            multipart("alternative", "y", part("two", "Content-ID: <same@a>")).replace(
                "Content-Type", "Content-ID: <root@a>\nContent-Type", 1
            ),
            parameters='; start="<root@a>"',
        )
    )  # fmt: skip
    assert rooted.resolve("cid:same@a") is rooted.entities[3]


def test_of_other_parts_the_first_is_meant() -> None:
    message = alternatives("mixed")
    assert message.resolve("cid:same@a") is message.entities[1]


def test_what_shares_the_innermost_container_with_the_referrer_is_meant() -> None:
    def pair(boundary: str) -> str:
        html = part("<img src='cid:logo@a'>", "Content-Type: text/html")
        return multipart("related", boundary, html, part(boundary, "Content-ID: <logo@a>"))

    message = read("Message-ID: <m@a>\n" + multipart("mixed", "x", pair("y"), pair("z")))
    assert message.resolve("cid:logo@a", message.entities[2]) is message.entities[3]
    assert message.resolve("cid:logo@a", message.entities[5]) is message.entities[6]
    assert message.resolve("mid:m@a/logo@a") is message.entities[3]


def test_a_part_of_the_same_message_comes_before_one_of_a_message_in_it() -> None:
    forwarded = "Message-ID: <in@a>\n" + multipart("mixed", "y", part("in", "Content-ID: <c@a>"))
    message = read(
        "Message-ID: <out@a>\n"
        + multipart(
            "mixed", "x", part(forwarded, "Content-Type: message/rfc822"),
            part("out", "Content-ID: <c@a>"),
        )
    )  # fmt: skip
    inner, outer = message.entities[3], message.entities[4]
    assert message.resolve("cid:c@a") is message.resolve("mid:out@a/c@a") is outer
    assert message.resolve("mid:in@a/c@a") is inner
    assert message.resolve("cid:c@a", message.entities[2]) is inner
    assert names(message)[2:] == ["mid:in@a", "mid:in@a/c@a", "mid:out@a/c@a"]


def test_the_rule_of_rfc_2392_wins_over_its_example() -> None:
    message = read(
        multipart(
            "mixed", "x", part("", "Content-ID: <foo4%25foo1@bar.net>"),
            part("", "Content-ID: <foo4%foo1@bar.net>"),
        )
    )  # fmt: skip
    assert message.resolve("cid:foo4%25foo1@bar.net") is message.entities[2]
    assert message.resolve("cid:foo4%2525foo1@bar.net") is message.entities[1]


def test_urls_as_they_are_met_resolve_too() -> None:
    message = read(multipart("mixed", "x", part("", "Content-ID: image 1")))
    for url in ("cid:image 1", "cid:image%201", " CID:image%201#page=2"):
        assert message.resolve(url) is message.entities[1]
    assert message.resolve("cid:other") is None
    assert message.resolve("mid:other@a/image%201") is None
    assert message.resolve("mid:other@a") is None


def test_what_is_no_such_url_is_our_own_error() -> None:
    for url in ("http://a.example/", "cid:", "cid:a%0D%0ABcc:%20b@c"):
        with pytest.raises(IdentifierError):
            read("Subject: x\n\n").resolve(url)


def test_a_message_id_that_stands_twice_belongs_to_the_outer_message() -> None:
    message = read("Message-ID: <m@a>\nContent-Type: message/rfc822\n\nMessage-ID: <m@a>\n\nx")
    assert message.resolve("mid:m@a") is message.root
    assert names(message) == ["mid:m@a", "mid:m@a#part=1"]
    assert problems(message) == [(1, "the Message-ID of another message")]


# --- Names -----------------------------------------------------------------------------


def test_a_message_without_message_id_is_named_by_its_digest() -> None:
    message = read(multipart("mixed", "x", part("one", "Content-ID: <c@a>")))
    name, inner = names(message)
    assert name.startswith("ni:///sha-256;")
    assert inner == f"{name}#part=1"


def test_of_parts_with_one_content_id_only_the_one_that_is_meant_has_its_name() -> None:
    message = Message.read(
        b"Message-ID: <m@a>\n"
        + multipart(
            "alternative", "x", part("1", "Content-ID: <c@a>"), part("2", "Content-ID: <c@a>")
        ).encode()
    )
    assert names(message) == ["mid:m@a", "mid:m@a#part=1", "mid:m@a/c@a"]
    assert [str(each) for each in message.identifiers] == ["mid:m@a", "cid:c@a"]
