"""The meanings of cid: and mid: URLs in a message, and the names of its entities."""

from __future__ import annotations

import pytest
from messages import multipart, part, problems, read

from cturi_rdf.errors import IdentifierError
from cturi_rdf.mime import Message
from cturi_rdf.mime.document import names


def alternatives(kind: str, parameters: str = "") -> Message:
    same = "Content-ID: <same@a>"
    return read(
        multipart(
            kind,
            "x",
            part("one", same, "Content-Type: text/plain"),
            part("two", same, "Content-Type: text/html"),
            part("three", same, "Content-Type: application/x-strange"),
            parameters=parameters,
        )
    )


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
            "related",
            "x",
            part("one", "Content-ID: <same@a>"),
            multipart("alternative", "y", part("two", "Content-ID: <same@a>")).replace(
                "Content-Type", "Content-ID: <root@a>\nContent-Type", 1
            ),
            parameters='; start="<root@a>"',
        )
    )
    assert rooted.resolve("cid:same@a") is rooted.entities[3]
    unrooted = alternatives("related", parameters='; start="<none@a>"')
    assert unrooted.resolve("cid:same@a") is unrooted.entities[1]


@pytest.mark.parametrize(
    ("root", "meant"), [("1", 2), ("2", 4), ("3", 2)], ids=["the first", "the second", "neither"]
)
def test_of_two_related_parts_the_one_in_the_root_is_meant_else_the_first(
    root: str, meant: int
) -> None:
    named = [
        multipart("mixed", f"y{number}", part("", "Content-ID: <same@a>")).replace(
            "Content-Type", f"Content-ID: <{number}@a>\nContent-Type", 1
        )
        for number in (1, 2)
    ]
    other = part("", "Content-ID: <3@a>")
    message = read(multipart("related", "x", *named, other, parameters=f'; start="<{root}@a>"'))
    assert message.resolve("cid:same@a") is message.entities[meant]


def test_a_root_is_meant_before_a_part_in_it_that_has_the_same_name() -> None:
    same = part("", "Content-ID: <same@a>")
    root = f"Content-ID: <same@a>\n{multipart('mixed', 'y', same)}"
    message = read(multipart("related", "x", root))
    assert message.resolve("cid:same@a") is message.entities[1]


def test_of_other_parts_the_first_is_meant() -> None:
    message = alternatives("mixed")
    assert message.resolve("cid:same@a") is message.entities[1]


@pytest.mark.parametrize("kind", ["mixed", "related", "alternative"])
def test_a_part_is_not_meant_where_what_it_is_in_has_the_same_name(kind: str) -> None:
    message = read(
        "Content-ID: <same@a>\n" + multipart(kind, "x", part("1", "Content-ID: <same@a>"))
    )
    assert message.resolve("cid:same@a") is message.root


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
    parts = part(forwarded, "Content-Type: message/rfc822"), part("out", "Content-ID: <c@a>")
    message = read("Message-ID: <out@a>\n" + multipart("mixed", "x", *parts))
    inner, outer = message.entities[3], message.entities[4]
    assert message.resolve("cid:c@a") is message.resolve("mid:out@a/c@a") is outer
    assert message.resolve("mid:in@a/c@a") is inner
    assert message.resolve("cid:c@a", message.entities[2]) is inner
    assert names(message)[2:] == ["mid:in@a", "mid:in@a/c@a", "mid:out@a/c@a"]


def test_the_rule_of_rfc_2392_wins_over_its_example() -> None:
    ids = "foo4%25foo1@bar.net", "foo4%foo1@bar.net"
    message = read(multipart("mixed", "x", *(part("", f"Content-ID: <{id_}>") for id_ in ids)))
    assert message.resolve("cid:foo4%25foo1@bar.net") is message.entities[2]
    assert message.resolve("cid:foo4%2525foo1@bar.net") is message.entities[1]


def test_urls_as_they_are_met_resolve_too() -> None:
    message = read(multipart("mixed", "x", part("", "Content-ID: image 1")))
    for url in ("cid:image 1", "cid:image%201", " CID:image%201#page=2"):
        assert message.resolve(url) is message.entities[1]
    assert message.resolve("cid:other") is None
    assert message.resolve("mid:other@a/image%201") is None
    assert message.resolve("mid:other@a") is None


def test_any_other_url_is_our_own_error() -> None:
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
