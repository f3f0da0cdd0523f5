"""The first octets of an XML entity, and character sets."""

from __future__ import annotations

import pytest

from cturi_rdf import CturiError
from cturi_rdf.xml import encoding_of
from cturi_rdf.xml.charset import (
    charset,
    codec,
    decode,
    encode,
    family,
    read_declaration,
    signature,
)


def xml(encoding: str | None, codec: str, *, bom: bool = False) -> bytes:
    declared = f' encoding="{encoding}"' if encoding else ""
    text = f'<?xml version="1.0"{declared}?>\n<a/>'
    return (("\ufeff" if bom else "") + text).encode(codec)


@pytest.mark.parametrize(
    ("start", "encoding", "kind", "bom"),
    [
        # With a byte order mark.
        (b"\x00\x00\xfe\xff", "utf-32be", "utf-32", 4),
        (b"\xff\xfe\x00\x00", "utf-32le", "utf-32", 4),
        (b"\x00\x00\xff\xfe", "iso-10646-ucs-4", "utf-32", 4),
        (b"\xfe\xff\x00\x00", "iso-10646-ucs-4", "utf-32", 4),
        (b"\xfe\xff\x00<", "utf-16be", "utf-16", 2),
        (b"\xff\xfe<\x00", "utf-16le", "utf-16", 2),
        (b"\xff\xfe", "utf-16le", "utf-16", 2),
        (b"\xef\xbb\xbf<", "utf-8", "ascii", 3),
        # Without.
        (b"\x00\x00\x00<", "utf-32be", "utf-32", 0),
        (b"<\x00\x00\x00", "utf-32le", "utf-32", 0),
        (b"\x00\x00<\x00", "iso-10646-ucs-4", "utf-32", 0),
        (b"\x00<\x00\x00", "iso-10646-ucs-4", "utf-32", 0),
        (b"\x00<\x00?", "utf-16be", "utf-16", 0),
        (b"<\x00?\x00", "utf-16le", "utf-16", 0),
        (b"<\x00\xe5\x65", "utf-16le", "utf-16", 0),
        (b"\x00<\x65\xe5", "utf-16be", "utf-16", 0),
        (b"<?xm", None, "ascii", 0),
        (b"\n<a>", None, "ascii", 0),
        (b"\x4c\x6f\xa7\x94", None, "ebcdic", 0),
        (b"PK\x03\x04", None, None, 0),
        (b"", None, None, 0),
    ],
)
def test_the_first_octets_show_the_family(
    start: bytes, encoding: str | None, kind: str | None, bom: int
) -> None:
    seen = signature(start)
    assert (seen.encoding, seen.family, len(seen.bom)) == (encoding, kind, bom)


def test_the_unusual_orders_of_four_octets_are_read() -> None:
    text = xml("iso-10646-ucs-4", "utf-32-be")
    for order in ((1, 0, 3, 2), (2, 3, 0, 1)):
        data = bytes(text[at + i] for at in range(0, len(text), 4) for i in order)
        assert encoding_of(None, data).encoding == "iso-10646-ucs-4"
        assert encoding_of(None, data).source == "declaration"


def test_a_declaration_says_where_its_encoding_is() -> None:
    text = "<?xml version='1.0' encoding = \"a-B.1\"?>rest"
    found = read_declaration(text)
    assert found
    assert found.encoding_span
    assert text[slice(*found.encoding_span)] == found.encoding == "a-B.1"
    assert text[found.end :] == "rest"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("us-ascii", "ascii"),
        ("shift_jis", "ascii"),
        ("iso-2022-jp", "ascii"),
        ("utf-16le", "utf-16"),
        ("iso-10646-ucs-2", "utf-16"),
        ("utf-32", "utf-32"),
        ("ibm037", "ebcdic"),
        ("ibm1026", "ebcdic"),
        ("bogus", None),
        ("hex", None),
    ],
)
def test_a_name_says_how_the_octets_look(name: str, kind: str | None) -> None:
    assert family(name) == kind


def test_a_codec_that_is_not_a_charset_is_never_used() -> None:
    for name in ("zlib", "rot13", "unicode_escape", "mbcs", "../x", "\x00", "a" * 1000):
        assert codec(charset(name).name) is None


@pytest.mark.parametrize("name", ["utf-8", "utf-16", "utf-16le", "utf-32", "utf-32be", "koi8-r"])
def test_text_survives_its_encoding(name: str) -> None:
    assert decode(encode("<a>да</a>", name), name) == "<a>да</a>"


def test_what_cannot_be_read_or_written_is_said() -> None:
    with pytest.raises(CturiError, match="octet 2 is not of utf-8"):
        decode(b"a\xff", "utf-8")
    with pytest.raises(CturiError, match="a character that us-ascii does not have"):
        encode("é", "us-ascii")
    with pytest.raises(CturiError, match="an encoding that cannot be read"):
        decode(b"a", "bogus")
