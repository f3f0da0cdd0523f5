"""Transport: which content-transfer-encodings an XML entity may or must travel in.

RFC 7303 section 9.1 (the examples of section 8 agree, but for one: they would let UTF-16 over an
8-bit transport in quoted-printable, where section 9.1 asks for base64).  RFC 2045 sections 2.7 to
2.9 define 7bit, 8bit and binary data.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf.content_type import ContentType
from cturi_rdf.errors import EntityError
from cturi_rdf.xml.charset import charset, family

if TYPE_CHECKING:
    from cturi_rdf.content_type.grammar import Rules

# The data that a transport carries as it is, for the transports that RFC 7303 names, by the names
# that a user may give.  "mail" is SMTP without extensions, which is all one can count on.
TRANSPORTS = {
    "7bit": "7bit",
    "mail": "7bit",
    "smtp": "7bit",
    "8bit": "8bit",
    "8bitmime": "8bit",
    "nntp": "8bit",
    "binary": "binary",
    "binarymime": "binary",
    "http": "http",
    "https": "http",
}
_KINDS = ("7bit", "8bit", "binary")
# Character sets that use seven bits for any text (RFC 1468, 1554, 1557, 1843,
# 1922, 2152); the rest of ASCII's family uses the eighth.
_SEVEN_BITS = re.compile(r"us-ascii|iso-2022-.*|utf-7|unicode-1-1-utf-7|hz-gb-2312")
# RFC 2045 section 2.7: no NUL, CR and LF only together, lines of 998 octets at the most.
_LINES = re.compile(rb"(?:[^\x00\r\n]{0,998}+\r\n)*+[^\x00\r\n]{0,998}+")


class Transfer(NamedTuple):
    """How an entity may travel.

    `kind` is the kind of data: 7bit, 8bit or binary.  `allowed` are the values that
    Content-Transfer-Encoding may have, empty where there is no such header or no way at all;
    `required` says that the data may not go as it is, `permitted` that it may go somehow,
    `rule` the section that decides.
    """

    kind: str
    allowed: tuple[str, ...] = ()
    required: bool = False
    permitted: bool = True
    rule: str = "RFC 7303 section 9.1"


def data_kind(encoding: str, data: bytes | None = None) -> str:
    """Return whether data is 7bit, 8bit or binary: by its character set, or as it is.

    A character set alone only says what is true of all texts in it, line lengths apart.

    >>> data_kind("us-ascii"), data_kind("utf-8"), data_kind("utf-16")
    ('7bit', '8bit', 'binary')
    >>> data_kind("utf-8", b"<a/>")
    '7bit'
    """
    if data is not None:
        if not _LINES.fullmatch(data):
            return "binary"
        return "7bit" if data.isascii() else "8bit"
    name = charset(encoding).name
    if _SEVEN_BITS.fullmatch(name):
        return "7bit"
    # Wide units have NULs, EBCDIC has other line ends; an unknown encoding could have both.
    return "8bit" if family(name) == "ascii" else "binary"


def rules_of(transport: str | None) -> Rules:
    """Return the rules that a header is read by: those of HTTP, of mail, or any if unknown.

    >>> rules_of("https"), rules_of("nntp"), rules_of(None)
    ('http', 'mail', 'any')
    """
    if transport is None:
        return "any"
    return "http" if is_http(transport) else "mail"


def is_http(transport: str | None) -> bool:
    """Return whether a transport is HTTP or HTTPS; raises `EntityError` if it is unknown.

    >>> is_http("https"), is_http("mail"), is_http(None)
    (True, False, False)
    """
    return transport is not None and _carries(transport) == "http"


def transfer_of(
    content_type: ContentType | str, encoding: str, transport: str, data: bytes | None = None
) -> Transfer:
    """Return how an entity of this type and character set may travel (RFC 7303 section 9.1).

    `transport` is one of `TRANSPORTS`.  With `data` the data decides, else the whole range of the
    character set.  Raises `EntityError` for any other transport.

    >>> transfer_of("application/xml", "utf-8", "mail").allowed
    ('quoted-printable', 'base64')
    >>> transfer_of("text/xml", "utf-16", "mail").permitted
    False
    """
    if isinstance(content_type, str):
        content_type = ContentType.parse(content_type)
    carries = _carries(transport)
    kind = data_kind(encoding, data)
    if carries == "http":
        # HTTP has no such header field (RFC 9110 appendix, RFC 9112 appendix B.5).
        return Transfer(kind)
    if content_type.type == "text" and family(charset(encoding).name) == "utf-16":
        return Transfer(kind, permitted=False, rule="RFC 7303 section 8.2, RFC 2781")
    needs, can = _KINDS.index(kind), _KINDS.index(carries)
    if needs <= can:
        # Unencoded, under the name of its own kind or of a wider one that the transport carries.
        allowed = (*_KINDS[needs : can + 1], "quoted-printable", "base64")
    elif carries == "8bit":
        allowed = ("base64",)
    else:
        allowed = ("quoted-printable", "base64")
    return Transfer(kind, allowed, required=needs > can)


def _carries(transport: str) -> str:
    carries = TRANSPORTS.get(transport.lower())
    if carries is None:
        raise EntityError(
            "an unknown transport",
            transport,
            expected=f"one of {', '.join(TRANSPORTS)}",
            rule="RFC 7303 section 9.1",
        )
    return carries
