"""Converting XML to another encoding: RFC 7303 section 3.3."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cturi_rdf import CturiError
from cturi_rdf.xml import convert, encoding_of

MARK = "\ufeff"
PLAIN = "<?xml version='1.0'?><a>é</a>"
# How Python names an encoding.
PYTHON = {"utf-16": "utf-16-be", "utf-32": "utf-32-be", "ibm037": "cp037"}


def declared(name: str) -> str:
    return f'<?xml version="1.0" encoding="{name}"?><a>é</a>'


def _text(text: str) -> str:
    if "<" in text:
        return text
    name = text.removeprefix("mark ")
    return (MARK if name != text else "") + declared(name)


# An encoding and a text, another encoding, the text in it, and what was done.  A text may be the
# name of the encoding that it declares, behind "mark" if it has a byte order mark.
ROWS = [
    # UTF-16 to anything but UTF-8: the mark must be stripped.
    (
        "utf-16",
        MARK + PLAIN,
        "iso-8859-1",
        "<?xml version='1.0' encoding=\"iso-8859-1\"?><a>é</a>",
        "bom-stripped declaration-added",
    ),
    # Anything to UTF-16, unlabelled or "utf-16": one must be added.
    ("utf-8", PLAIN, "utf-16", MARK + PLAIN, "bom-added"),
    ("iso-8859-1", "iso-8859-1", "utf-16", "mark utf-16", "bom-added declaration-corrected"),
    # Unless it is UTF-8 with a mark: that one is transcoded.
    ("utf-8", MARK + PLAIN, "utf-16", MARK + PLAIN, "bom-transcoded"),
    # UTF-8 to anything but UTF-16: it must be stripped.
    ("utf-8", "mark utf-8", "windows-1252", "windows-1252", "bom-stripped declaration-corrected"),
    # Anything to UTF-8: one may be added, which is not recommended.
    ("iso-8859-1", "latin1", "utf-8", "utf-8", "declaration-corrected"),
    ("iso-8859-1", "latin1", "utf-8 bom", "mark utf-8", "bom-added declaration-corrected"),
    ("utf-16", MARK + PLAIN, "utf-8", PLAIN, "bom-stripped"),
    # What is a mark in UTF-8 is text in another encoding.
    ("iso-8859-1", "ï»¿<a/>", "utf-8", "ï»¿<a/>", ""),
    ("utf-16", MARK + PLAIN, "utf-8 bom", MARK + PLAIN, "bom-transcoded"),
    # To utf-16be or utf-16le: it must be stripped; a declaration should be there.
    ("utf-16", "mark utf-16", "utf-16le", "utf-16le", "bom-stripped declaration-corrected"),
    (
        "utf-8",
        MARK + "<a/>",
        "utf-16be",
        '<?xml version="1.0" encoding="utf-16be"?><a/>',
        "bom-stripped declaration-added",
    ),
    # From utf-16le or utf-16be to UTF-16: the one of the same order must be added.
    ("utf-16le", "utf-16le", "utf-16", "mark utf-16", "bom-added declaration-corrected"),
    ("utf-16be", "utf-16be", "utf-8", "utf-8", "declaration-corrected"),
    # UTF-32 goes as UTF-16 does.
    ("utf-8", "<a/>", "utf-32", None, "bom-added declaration-added"),
    ("utf-32", "mark utf-32", "utf-32le", "utf-32le", "bom-stripped declaration-corrected"),
    # A text declaration stays one.
    (
        "utf-8",
        "<?xml encoding='utf-8'?>text",
        "us-ascii",
        "<?xml encoding='us-ascii'?>text",
        "declaration-corrected",
    ),
    # What is true already stays as it is written.
    ("latin1", "L1", "ISO-8859-1", "L1", ""),
    ("ibm037", "ibm037", "ibm500", "ibm500", "declaration-corrected"),
]


@pytest.mark.parametrize(("source", "text", "target", "result", "codes"), ROWS)
def test_mark_and_declaration_are_put_right(
    source: str, text: str, target: str, result: str | None, codes: str
) -> None:
    target, _, bom = target.partition(" ")
    converted = convert(
        _text(text).encode(PYTHON.get(source, source)), source, target, bom=bool(bom)
    )
    # UTF-16 keeps the order of its bytes; made anew, it begins with the high one.
    codec = (
        "utf-16-le" if (source, target) == ("utf-16le", "utf-16") else PYTHON.get(target, target)
    )
    if result is not None:
        assert converted.data.decode(codec) == _text(result)
    assert " ".join(step.code for step in converted.steps) == codes
    assert all("section" in str(step) for step in converted.steps)
    # What comes out is found to be in the target, and breaks nothing that a mark can break.
    found = encoding_of(f"application/xml; charset={target}", converted.data)
    assert [f.code for f in found.findings if f.code.startswith(("bom", "charset"))] == []


def test_nothing_is_lost_to_an_encoding_that_cannot_hold_it() -> None:
    with pytest.raises(CturiError, match="a character that iso-8859-1 does not have"):
        convert("<a>€</a>".encode(), "utf-8", "iso-8859-1")
    with pytest.raises(CturiError, match="a character that koi8-u does not have"):
        convert(PLAIN.encode(), "utf-8", "koi8-u")
    with pytest.raises(CturiError, match="octet 4 is not of utf-8"):
        convert(b"<a>\xe9</a>", "utf-8", "utf-16")
    with pytest.raises(CturiError, match="cannot be read"):
        convert(b"<a/>", "bogus", "utf-8")


@pytest.mark.parametrize(
    ("label", "octets"),
    [
        ("utf-16be", (MARK + declared("utf-16") + "é").encode("utf-16-le")),
        ("utf-16le", (MARK + "<a/>").encode("utf-16-be")),
        ("utf-16le", declared("utf-16").encode("utf-16-be")),
        ("utf-16be", "<a/>".encode("utf-16-le")),
        ("utf-32be", (MARK + "<a/>").encode("utf-32-le")),
        ("utf-32le", "<a/>".encode("utf-32-be")),
    ],
)
def test_a_label_with_the_other_order_of_bytes_is_an_error(label: str, octets: bytes) -> None:
    with pytest.raises(CturiError, match=f"is not of {label}: the order of bytes"):
        convert(octets, label, "utf-8")


def test_text_that_only_looks_swapped_is_text() -> None:
    # An external parsed entity may begin with any character.
    assert convert("\u6100b".encode("utf-16-be"), "utf-16be", "utf-8").data.endswith(
        "\u6100b".encode()
    )


unicode = st.sampled_from(["utf-8", "utf-16", "utf-16le", "utf-16be", "utf-32", "utf-32le"])


@given(
    st.text(st.characters(exclude_categories=("Cs",))).filter(lambda s: not s.startswith(MARK)),
    unicode,
    unicode,
)
def test_there_and_back_again_is_the_same_text(text: str, one: str, other: str) -> None:
    data = convert(f"<a/>{text}".encode(), "utf-8", one).data
    there = convert(data, one, other).data
    back = convert(there, other, "utf-8").data.decode()
    assert back.endswith(f"<a/>{text}")
    assert convert(there, other, other).data == there
