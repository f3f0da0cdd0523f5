"""Many messages: mbox files, folders, Maildir, and mid: URLs across them."""

from __future__ import annotations

import mailbox
from typing import TYPE_CHECKING

import pytest

from cturi_rdf.errors import IdentifierError, MessageError
from cturi_rdf.mime.mailbox import Mailbox

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Write

    from cturi_rdf.mime import Entity, Message

ONE = b"Message-ID: <one@a>\nContent-ID: <c@a>\n\nFirst\n"
TWO = b"Message-ID: <two/2@a>\n\nFrom here it is a quotation\n\nFrom now on too\n"


def mbox(*messages: bytes, end: bytes = b"\n") -> bytes:
    lines = b"From a@b Sat Jan  3 01:05:34 1996\n"
    return b"".join(lines + each + b"\n" for each in messages).replace(b"\n", end)


def resolved(box: Mailbox, url: str) -> tuple[Message, Entity]:
    found = box.resolve(url)
    assert found is not None, url
    return found


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_an_mbox_is_its_messages(write: Write, end: bytes) -> None:
    path = write("inbox", mbox(ONE, TWO, end=end))
    found = list(Mailbox(path))
    assert [str(message.message_id) for message in found] == ["<one@a>", "<two/2@a>"]
    assert b"".join(found[0].root.content()) == b"First\n".replace(b"\n", end)
    assert b"now on" in b"".join(found[1].root.content())


def test_mid_urls_resolve_across_the_messages_of_an_mbox() -> None:
    box = Mailbox(mbox(ONE, TWO))
    message, entity = resolved(box, "mid:one@a/c@a")
    assert entity is message.root
    for url in ("mid:two%2F2@a", "mid:two/2@a"):
        message, entity = resolved(box, url)
        assert str(message.message_id) == "<two/2@a>"
    assert resolved(box, "cid:c@a")[1].content_id
    assert box.resolve("mid:three@a") is None
    assert box.resolve("mid:one@a/other@a") is None
    with pytest.raises(IdentifierError):
        box.resolve("http://a.example/")


def test_a_folder_is_the_messages_in_it_at_any_depth(tmp_path: Path) -> None:
    maildir = mailbox.Maildir(str(tmp_path / "Maildir"))
    maildir.add(ONE)
    (tmp_path / "Maildir" / "tmp" / "half").write_bytes(ONE)
    (tmp_path / "1").write_bytes(TWO)
    (tmp_path / "all.mbox").write_bytes(mbox(TWO, ONE))
    (tmp_path / ".hidden").write_bytes(ONE)
    (tmp_path / "notes.json").write_text("[]", "utf-8")
    (tmp_path / "empty").write_bytes(b"")
    box = Mailbox(tmp_path)
    ids = " ".join(str(message.message_id) for message in box)
    assert ids == "<two/2@a> <two/2@a> <one@a> <one@a>"
    assert resolved(box, "mid:one@a")


def test_the_first_of_messages_with_one_id_that_has_the_part_is_meant() -> None:
    other = b"Message-ID: <one@a>\nContent-ID: <d@a>\n\nOther\n"
    box = Mailbox(mbox(ONE, other))
    for name, content in (("c", b"First\n"), ("d", b"Other\n")):
        _, entity = resolved(box, f"mid:one@a/{name}@a")
        assert b"".join(entity.content()) == content


def test_every_message_of_the_suite_is_found_by_its_id(shared: Path) -> None:
    box = Mailbox(shared / "suites/messages")
    messages = list(box)
    assert len(messages) == 18
    for message in messages:
        if message.message_id is not None:
            found, entity = resolved(box, message.message_id.url)
            assert entity is found.root


def test_a_file_that_is_no_message_is_named(write: Write) -> None:
    path = write("picture.png", b"\x89PNG\r\n\x1a\n")
    with pytest.raises(MessageError, match=r"picture\.png"):
        list(Mailbox(path))
    with pytest.raises(MessageError, match="begin with a header field"):
        list(Mailbox(b""))


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("empty", [0, 1])
def test_an_empty_line_ends_each_message_of_an_mbox(end: bytes, empty: int) -> None:
    text = mbox(ONE).rstrip(b"\n") + b"\n" * (1 + empty) + mbox(TWO)
    assert len(list(Mailbox(text.replace(b"\n", end)))) == 1 + empty
