"""How an XML entity may travel: RFC 7303 section 9.1."""

from __future__ import annotations

import pytest

from cturi_rdf import ContentType, CturiError
from cturi_rdf.xml.kinds import TRANSPORTS, data_kind, transfer_of

AS_IT_IS = ("quoted-printable", "base64")


@pytest.mark.parametrize(
    ("header", "encoding", "transport", "allowed", "required"),
    [
        # Seven bits: mail without extensions.
        ("application/xml", "us-ascii", "7bit", ("7bit", *AS_IT_IS), False),
        ("application/xml", "iso-2022-kr", "mail", ("7bit", *AS_IT_IS), False),
        ("application/xml", "utf-8", "smtp", AS_IT_IS, True),
        ("text/xml", "iso-8859-1", "mail", AS_IT_IS, True),
        ("application/xml", "utf-16", "mail", AS_IT_IS, True),
        # Eight bits: 8BITMIME, NNTP.
        ("application/xml", "us-ascii", "8bitmime", ("7bit", "8bit", *AS_IT_IS), False),
        ("image/svg+xml", "utf-8", "nntp", ("8bit", *AS_IT_IS), False),
        ("application/xml", "utf-16", "8bit", ("base64",), True),
        ("application/xml", "ibm037", "8bit", ("base64",), True),
        ("application/xml", "bogus", "8bit", ("base64",), True),
        # Binary.
        ("application/xml", "utf-16le", "binarymime", ("binary", *AS_IT_IS), False),
        ("application/xml", "utf-8", "binary", ("8bit", "binary", *AS_IT_IS), False),
        # HTTP has no such header.
        ("application/xml", "utf-16", "http", (), False),
        ("text/xml", "utf-16", "HTTPS", (), False),
    ],
)
def test_data_travels_as_its_transport_allows(
    header: str, encoding: str, transport: str, allowed: tuple[str, ...], required: bool
) -> None:
    found = transfer_of(ContentType.parse(header), encoding, transport)
    assert found.permitted
    assert (found.allowed, found.required) == (allowed, required)


@pytest.mark.parametrize("transport", sorted(set(TRANSPORTS) - {"http", "https"}))
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16be", "utf-16le"])
def test_text_in_utf_16_travels_by_http_only(encoding: str, transport: str) -> None:
    found = transfer_of(ContentType.parse("text/xml"), encoding, transport)
    assert (found.permitted, found.allowed) == (False, ())
    assert "RFC 2781" in found.rule


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"<a>\r\n</a>\r\n", "7bit"),
        ("<a>é</a>".encode(), "8bit"),
        (b"<a>\n</a>", "binary"),
        (b"<a>\r</a>", "binary"),
        (b"<\x00a\x00", "binary"),
        (b"x" * 998 + b"\r\n" + b"y" * 998, "7bit"),
        (b"x" * 999, "binary"),
    ],
)
def test_data_at_hand_is_what_it_is(data: bytes, kind: str) -> None:
    assert data_kind("utf-8", data) == kind


def test_ascii_in_utf_8_needs_no_encoding_when_the_data_is_at_hand() -> None:
    found = transfer_of(ContentType.parse("text/xml"), "utf-8", "mail", b"<a/>\r\n")
    assert (found.kind, found.required) == ("7bit", False)


def test_an_unknown_transport_is_refused() -> None:
    with pytest.raises(CturiError, match="an unknown transport"):
        transfer_of(ContentType.parse("text/xml"), "utf-8", "pigeon")


@pytest.mark.usefixtures("linear_time")
def test_long_data_takes_linear_time() -> None:
    # No clock: if a step were quadratic, this would take minutes.
    assert data_kind("utf-8", b"\r\n" * 500_000) == "7bit"
    assert data_kind("utf-8", b"x" * 1_000_000) == "binary"
    assert data_kind("utf-8", b"\r" * 1_000_000) == "binary"
