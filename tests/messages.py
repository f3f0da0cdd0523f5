"""Messages made for tests, and their faults."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rdflib import Graph, URIRef

from cturi_rdf.mime import Message

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

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
# The nodes of that message and of its parts.
ROOT, LOGO, PAGE, PLAIN = map(
    URIRef, ("mid:m@a", "mid:m@a/logo@a", "mid:m@a/page@a", "mid:m@a#part=3")
)


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


def parsed(data: bytes | str, **options: Any) -> Graph:
    """Return a message in RDF."""
    return Graph().parse(data=data, format="message/rfc822", **options)


def suite(shared: Path) -> Iterator[Path]:
    """Return the messages of the suite beside the project."""
    paths = sorted((shared / "suites/messages").glob("*.eml"))
    assert len(paths) == 18
    return iter(paths)
