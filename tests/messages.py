"""Messages made for tests, and what is wrong with them."""

from __future__ import annotations

from cturi_rdf.mime import Message


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
