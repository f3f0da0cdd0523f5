"""Text from octets and octets from text, for an encoding under any of its names."""

from __future__ import annotations

from cturi_rdf.errors import EntityError
from cturi_rdf.xml.charset import codec, family, has_byte_order
from cturi_rdf.xml.signature import signature

BOM = "\ufeff"


def ordered(name: str, data: bytes) -> str:
    r"""Return `name` with the order of bytes that `data` shows, if it leaves that open.

    Where nothing shows it, it is big-endian (RFC 2781 section 4.3).

    >>> ordered("utf-16", b"<\x00a\x00"), ordered("iso-10646-ucs-4", b""), ordered("utf-8", b"")
    ('utf-16le', 'utf-32be', 'utf-8')
    """
    kind = family(name)
    if kind not in {"utf-16", "utf-32"} or has_byte_order(name):
        return name
    little = signature(data).encoding == f"{kind}le"
    return f"{kind}{'le' if little else 'be'}"


def decode(data: bytes, name: str) -> str:
    r"""Return the text of `data` in the encoding `name`, without its byte order mark.

    Raises `EntityError` where there is no such codec, and at the first octets that are not of that
    encoding (XML 1.0 section 4.3.3).  The same error is raised where `name` says one byte order,
    and the byte order mark or the first "<" shows the other.

    >>> decode(b"\xff\xfea\x00", "utf-16"), decode(b"\xa4", "iso-8859-15")
    ('a', '€')
    """
    seen = signature(data)
    other_order = has_byte_order(name) and seen.family == family(name) and seen.encoding != name
    if other_order and (seen.bom or data.strip(b"\0").startswith(b"<")):
        shown = data[:8].hex(" ")
        raise EntityError(
            f"octet 1 is not of {name}: the order of bytes is that of {seen.encoding}",
            shown,
            expected=f"text in {name}",
            rule="RFC 7303 section 3.3",
        )
    try:
        text = data.decode(_codec(ordered(name, data)))
    except UnicodeDecodeError as error:
        shown = data[error.start : error.start + 8].hex(" ")
        raise EntityError(
            f"octet {error.start + 1} is not of {name}",
            shown,
            (0, 2),
            expected=f"text in {name}",
            rule="XML 1.0 section 4.3.3",
        ) from error
    # In a charset that is not Unicode's no octets decode to the mark.
    return text.removeprefix(BOM)


def encode(text: str, name: str) -> bytes:
    r"""Return the octets of `text` in the encoding `name`, big-endian where it says no order.

    Raises `EntityError` at the first character that the encoding does not have.

    >>> encode("a", "utf-16")
    b'\x00a'
    """
    try:
        return text.encode(_codec(ordered(name, b"")))
    except UnicodeEncodeError as error:
        raise EntityError(
            f"a character that {name} does not have",
            text,
            (error.start, error.end),
            expected=f"only characters of {name}; a character reference is one way",
            rule="XML 1.0 section 4.1",
        ) from error


def _codec(name: str) -> str:
    codec_name = codec(name)
    if codec_name is None:
        raise EntityError(
            "an encoding that cannot be read",
            name,
            expected="a registered character set that Python knows",
            rule="XML 1.0 section 4.3.3",
        )
    return codec_name
