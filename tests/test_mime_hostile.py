"""Messages that are broken, hostile or huge: a defect or our own error, and nothing lost."""

from __future__ import annotations

import io
import tracemalloc
from email.message import EmailMessage
from itertools import product
from typing import TYPE_CHECKING, BinaryIO

import pytest

from cturi_rdf.errors import MessageError
from cturi_rdf.mime import Message, scan
from cturi_rdf.mime.document import names
from cturi_rdf.mime.scan import Source

if TYPE_CHECKING:
    from pathlib import Path


from messages import multipart, nested, part, problems, read

MIXED = "Content-Type: multipart/mixed"
BROKEN = [
    (f"{MIXED}; boundary=x\n\n--x\n\none", [(0, "a multipart that is never closed")]),
    (f"{MIXED}; boundary=x\n\none", [(0, "a multipart without a part")]),
    (f"{MIXED}; boundary=x\n\n--x--\n", [(0, "a multipart without a part")]),
    (f"{MIXED}\n\n--x\n", [(0, "a multipart without a boundary")]),
    ("Subject: x\nno field\n", [(0, "a line that is not a header field")]),
    (
        " x\nSubject: y\n\n",
        [(0, "A message had a continuation line as its first header line.")],
    ),
    ("Content-Type: text/html;;charset\n\n", [(0, "a parameter without a value")]),
    ("Content-ID: <a\0b@c>\n\n", [(0, "a control character in an identifier")]),
    ("Content-ID: ab\n\n", [(0, "no angle brackets"), (0, "an identifier without '@'")]),
    ("Content-ID: <a@b>\nContent-ID: <c@d>\n\n", [(0, "a second Content-ID")]),
    ("Content-Disposition: inline; filename=a b\n\n", [(0, "a value that needs quotes")]),
    ("Content-Transfer-Encoding: klingon\n\n", [(0, "a transfer encoding that is not known")]),
    ("Subject: a\rBcc: b@c\n\n", [(0, "a carriage return without a line feed")]),
]


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
    assert problems(message) == [(0, "octets in X-One that are not UTF-8")]


@pytest.mark.parametrize("octets", [b"", b"\n", b"hello world\n", b"\x89PNG\r\n\x1a\n", b"[1, 2]"])
def test_what_has_no_header_is_no_message(octets: bytes) -> None:
    with pytest.raises(MessageError, match="not a message"):
        Message.read(octets)


def test_what_cannot_be_read_is_our_own_error(tmp_path: Path) -> None:
    reasons = {
        tmp_path / "absent": "No such file or directory",
        tmp_path: "Is a directory",
        "a\0b": "embedded null byte",
    }
    for path, reason in reasons.items():
        with pytest.raises(MessageError, match=rf"cannot be read \({reason}\)"):
            Message.read(path)
    broken = EmailMessage()
    broken["Content-Type"] = "multipart/mixed; boundary=x"
    broken.set_payload([broken])
    with pytest.raises(MessageError, match="nested too deeply for the `email` package"):
        Message.read(broken)
    broken.set_payload(["no message"])
    with pytest.raises(MessageError, match="that the `email` package cannot write"):
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
    types = " ".join(str(e.content_type.essence) for e in message if e.content_type)
    assert types == "multipart/mixed multipart/mixed text/plain text/plain"
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
    message = read(f"{MIXED}; boundary=x\n\n--x\nContent-ID: <a@b>\n--x--")
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


def test_levels_beyond_the_limit_are_left_unread_and_reported() -> None:
    message = Message.read(nested(10_100))
    assert len(message) == 10_001
    assert problems(message)[-1] == (10_000, "parts nested too deeply")


def test_a_header_without_end_is_cut_and_reported() -> None:
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


@pytest.mark.daily(2)
@pytest.mark.usefixtures("linear_time")
@pytest.mark.parametrize(
    "unit", [b"\n--", b"\n--x", b"--x--\n", b"\n--y\n", b" \n", b"\r", b"x: y\n"]
)
def test_time_is_linear_in_hostile_octets(unit: bytes) -> None:
    head = b"Content-Type: multipart/mixed; boundary=xx\n\n--xx\n"
    Message.read(head + unit * 100_000)


def test_a_long_line_of_quoted_printable_is_decoded_in_pieces() -> None:
    head = b"Content-Transfer-Encoding: quoted-printable\n\n"
    # No octet is cut into two, wherever a piece ends.
    for before in (b"", b"x", b"xx"):
        message = Message.read(head + before + b"=41b" * 700_000)
        assert b"".join(message.root.content()) == before + b"Ab" * 700_000
    pieces = list(Message.read(head + b"x" * 2_800_000).root.content())
    assert b"".join(pieces) == b"x" * 2_800_000
    assert max(map(len, pieces)) < 2_800_000


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


@pytest.mark.parametrize("window", range(3, 10))
def test_octets_are_found_and_read_in_windows_of_any_size(
    window: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scan, "_WINDOW", window)
    octets = b"a\n-\n--b\n--"
    source = Source.open(octets)
    for start, end in product(range(len(octets) + 1), repeat=2):
        for wanted in (b"\n", b"--", b"\n--"):
            assert source.find(wanted, start, end) == octets.find(wanted, start, end)
        if start <= end:
            assert source.read(start, end) == octets[start:end]
            assert b"".join(source.chunks(start, end)) == octets[start:end]


def test_of_what_is_no_header_the_beginning_is_shown() -> None:
    message = read("Subject: x\n" + "no field " * 20)
    assert [defect.text for defect in message.root.defects] == [("no field " * 20)[:80]]
    with pytest.raises(MessageError) as caught:
        Message.read(b"no message " * 20)
    assert caught.value.text == ("no message " * 20)[:60]
