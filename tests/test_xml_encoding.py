"""The encoding of an XML entity: RFC 7303 section 3, XML 1.0 section 4.3.3 and appendix F."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cturi_rdf import ContentTypeError, CturiError
from cturi_rdf.errors import EntityError
from cturi_rdf.xml import encoding_of
from cturi_rdf.xml.charset import decode, read_declaration

if TYPE_CHECKING:
    from pathlib import Path

    from cturi_rdf.xml.encoding import Decision

ALL_TYPES = [
    "application/xml",
    "text/xml",
    "application/xml-external-parsed-entity",
    "text/xml-external-parsed-entity",
    "application/xml-dtd",
    "image/svg+xml",
]


def xml(encoding: str | None, codec: str, *, bom: bool = False) -> bytes:
    declared = f' encoding="{encoding}"' if encoding else ""
    text = f'<?xml version="1.0"{declared}?>\n<a/>'
    return (("\ufeff" if bom else "") + text).encode(codec)


def _answer(decision: Decision) -> str:
    """Return the encoding, its source, and the codes of the findings."""
    codes = [finding.code for finding in decision.findings]
    return " ".join(map(str, (decision.encoding, decision.source, *codes)))


# The examples of the draft's section 9 and of the RFC's section 8: its number in each, what
# the header says, the entity, which encoding it is in and why, and what is wrong with it.
EXAMPLES = [
    ("9.1, 8.1", "utf-8", xml("utf-8", "utf-8"), "utf-8 charset"),
    ("8.1 or", "utf-8", xml(None, "utf-8"), "utf-8 charset"),
    ("9.2, 8.2", "utf-16", xml("utf-16", "utf-16-be", bom=True), "utf-16be bom"),
    ("9.2, 8.2 or", "utf-16", xml(None, "utf-16-le", bom=True), "utf-16le bom"),
    ("9.3, 8.3", None, xml("iso-8859-1", "latin-1"), "iso-8859-1 declaration"),
    ("9.4, 8.4", None, xml("utf-16", "utf-16-le", bom=True), "utf-16le bom"),
    ("9.4, 8.4 or", None, xml(None, "utf-16-be", bom=True), "utf-16be bom"),
    ("9.5, 8.5", None, b"<?xml version='1.0'?>", "utf-8 default"),
    ("9.6, 8.6", "utf-16be", xml("utf-16be", "utf-16-be"), "utf-16be charset"),
    ("9.7, 8.7", "iso-2022-kr", xml("iso-2022-kr", "iso2022_kr"), "iso-2022-kr charset"),
    # Only the draft has this one; the RFC's section 3.3 asks for a mark in UTF-16 alone, and
    # its section 2.2 advises against encodings in 32 bits.
    ("9.8", None, xml("iso-10646-ucs-4", "utf-32-be"), "iso-10646-ucs-4 declaration utf-32"),
    ("9.9, 8.8", "iso-8859-1", xml("utf-8", "utf-8"), "iso-8859-1 charset charset-declaration"),
    ("9.10, 8.9", "iso-8859-1", xml(None, "utf-16-be", bom=True), "utf-16be bom bom-charset"),
]


@pytest.mark.parametrize("type_", ALL_TYPES)
@pytest.mark.parametrize(
    ("number", "parameter", "data", "expected"), EXAMPLES, ids=[row[0] for row in EXAMPLES]
)
def test_the_examples_of_the_draft_and_the_rfc_are_read_as_they_say(
    type_: str, number: str, parameter: str | None, data: bytes, expected: str
) -> None:
    header = f'{type_}; charset="{parameter}"' if parameter else type_
    found = _answer(encoding_of(header, data, transport="http"))
    if number.startswith("9.10") and "parsed-entity" in type_:
        # The octets could be text in ISO-8859-1; then section 3.1 asks for a declaration,
        # and here there is one in UTF-16 only.
        found = found.replace(" declaration-required", "")
    assert found == expected


# What the answers of the feedparser suite's column are called there.
SOURCES = {
    "bom": "bom",
    "charset": "charset",
    "xml-declaration": "declaration",
    "default/autodetect": "default",
    "not an XML media type": None,
}


def test_the_feedparser_suite_is_answered_as_rfc_7303_asks(shared: Path) -> None:
    """Every row, and no difference: neither in the encoding nor in the source."""
    folder = shared / "suites/xml"
    rows = json.loads((folder / "feedparser_encoding.json").read_text("utf-8"))
    assert len(rows) == 82
    different = []
    for row in rows:
        data = (folder / "feedparser-files" / row["file"]).read_bytes()
        decision = encoding_of(row["content_type"], data)
        wanted = (row["rfc7303"], SOURCES[row["rfc7303_source"]])
        if (decision.encoding, decision.source) != wanted:
            different.append(row["file"])
    assert different == []


# A header, an entity, and the encoding, its source, and the findings.
ANSWERS = [
    # No header: a file.
    (None, b"<a/>", "utf-8 default"),
    (None, b"", "utf-8 default"),
    (None, b"\xef\xbb\xbf<a/>", "utf-8 bom"),
    # Names are the registry's, in any case; what is nearly one is read and told.
    (None, xml("LATIN1", "latin-1"), "iso-8859-1 declaration"),
    (None, xml("utf8", "utf-8"), "utf-8 declaration declaration-unregistered"),
    ("text/xml; charset='utf-8'", b"<a/>", "utf-8 charset charset-unregistered"),
    (None, xml("bogus", "utf-8"), "bogus declaration declaration-unregistered"),
    (None, xml("x-mine", "utf-8"), "x-mine declaration"),
    (
        None,
        xml("a\nb", "utf-8"),
        "a\\nb declaration declaration-malformed declaration-unregistered",
    ),
    (
        None,
        xml(" utf-8 ", "utf-8"),
        "utf-8 declaration declaration-malformed declaration-unregistered",
    ),
    ('text/xml; charset=""', b"<a/>", "utf-8 default charset-empty"),
    ("text/xml; charset=\"''\"", b"<a/>", "utf-8 default charset-empty"),
    ("text/xml; charset=\"' '\"", xml("latin1", "latin-1"), "iso-8859-1 declaration charset-empty"),
    # EBCDIC: the declaration is read, whichever code page it names.
    (None, xml("ibm037", "cp037"), "ibm037 declaration"),
    (None, xml("ebcdic-cp-us", "cp037"), "ibm037 declaration"),
    (None, xml("IBM1026", "cp1026"), "ibm1026 declaration"),
    (None, xml(None, "cp500"), "None None unlabelled"),
    ("application/xml; charset=IBM500", xml(None, "cp500"), "ibm500 charset"),
    # UTF-16 without a mark.
    (None, xml(None, "utf-16-le"), "utf-16le default bom-missing unlabelled"),
    (None, xml("utf-16", "utf-16-be"), "utf-16be declaration bom-missing"),
    (None, xml("utf-16le", "utf-16-le"), "utf-16le declaration"),
    ("application/xml; charset=utf-16", xml("utf-16", "utf-16-le"), "utf-16le charset bom-missing"),
    (
        "application/xml; charset=UTF-16",
        xml("UTF-16BE", "utf-16-be"),
        "utf-16be charset bom-missing",
    ),
    ("application/xml; charset=utf-16be", xml("utf-16", "utf-16-be"), "utf-16be charset"),
    (
        "application/xml; charset=utf-16le",
        xml(None, "utf-16-le"),
        "utf-16le charset declaration-missing",
    ),
    # A mark where the label forbids one.
    (
        "application/xml; charset=utf-16be",
        xml("utf-16be", "utf-16-be", bom=True),
        "utf-16be bom bom-forbidden",
    ),
    (
        "application/xml; charset=utf-16be",
        xml(None, "utf-16-le", bom=True),
        "utf-16le bom bom-charset bom-forbidden",
    ),
    (None, xml("utf-16le", "utf-16-le", bom=True), "utf-16le bom bom-forbidden"),
    # UTF-32 is told from UTF-16, and advised against.
    (None, xml(None, "utf-32-le", bom=True), "utf-32le bom utf-32"),
    ("application/xml; charset=utf-32", xml(None, "utf-32-be", bom=True), "utf-32be bom utf-32"),
    # Sources against each other, and against the octets.
    (None, xml("utf-8", "utf-16-le", bom=True), "utf-16le bom bom-declaration"),
    ("image/svg+xml; charset=koi8-r", b"\xef\xbb\xbf<a/>", "utf-8 bom bom-charset"),
    ("application/xml; charset=utf-8", xml(None, "utf-16-le"), "utf-8 charset charset-octets"),
    (None, xml("utf-16", "ascii"), "utf-16 declaration declaration-octets bom-missing"),
    (
        "application/xml; charset=utf-16",
        xml(None, "utf-32-be"),
        "utf-16 charset charset-octets bom-missing utf-32",
    ),
    # Declarations that are none.
    (
        None,
        b"<?xml encoding='latin1' version='1.0'?>",
        "iso-8859-1 declaration declaration-malformed",
    ),
    (None, b"<?xml version='1.0' encoding=latin1?>", "utf-8 default declaration-malformed"),
    (None, b"<?xml-stylesheet encoding='latin1'?>", "utf-8 default"),
    (None, b" <?xml version='1.0' encoding='latin1'?>", "utf-8 default"),
    (None, b"<?xml encoding='latin1'?>text", "iso-8859-1 declaration"),
    (None, b"<?xml version='1.1' encoding='latin1' standalone='no' ?>", "iso-8859-1 declaration"),
    # Headers as they come.
    ("text/xml; charset:latin1", b"<a/>", "utf-8 default header"),
    ("Content-Type: text/xml (old); charset=latin1", b"<a/>", "iso-8859-1 charset"),
    # Types outside RFC 7303.
    ("text/plain; charset=utf-8", b"<?xml version='1.0'?>", "None None not-xml"),
    ("application/a+xml+zip", b"PK", "None None not-xml"),
]


@pytest.mark.parametrize(("header", "data", "expected"), ANSWERS)
def test_the_sources_are_ranked_and_their_faults_reported(
    header: str | None, data: bytes, expected: str
) -> None:
    decision = encoding_of(header, data)
    assert _answer(decision) == expected
    for finding in decision.findings:
        assert finding.level in {"must", "should"}
        assert "section" in finding.rule


@pytest.mark.parametrize(
    ("header", "transport", "codes"),
    [
        ("text/xml; charset=utf-16", None, ["text-utf-16"]),
        ("text/xml; charset=utf-16", "mail", ["text-utf-16"]),
        ("text/xml; charset=utf-16", "https", []),
        ("text/a+xml", None, ["text-utf-16"]),
        ("application/xml; charset=utf-16", "mail", []),
        ("application/xml", "mail", ["charset-missing"]),
        ("application/xml", "HTTP", []),
        ("application/xml", None, []),
    ],
)
def test_utf_16_is_for_http_or_needs_more(
    header: str, transport: str | None, codes: list[str]
) -> None:
    decision = encoding_of(header, xml("utf-16", "utf-16-le", bom=True), transport=transport)
    assert [finding.code for finding in decision.findings] == codes


@pytest.mark.parametrize(
    ("charset", "only_looks"),
    [("iso-8859-1", True), ("utf-8", False), ("utf-16", False), ("utf-32", False)],
)
def test_a_parsed_entity_that_only_looks_marked_needs_a_declaration(
    charset: str, only_looks: bool
) -> None:
    header = f"text/xml-external-parsed-entity; charset={charset}"
    found = encoding_of(header, "þÿ text".encode("latin-1")).findings
    assert ("declaration-required" in [finding.code for finding in found]) is only_looks


def test_a_declaration_is_looked_for_within_its_limit_only() -> None:
    def spaced(number: int) -> bytes:
        return b"<?xml version='1.0'" + b" " * number + b"encoding='latin1'?>"

    assert encoding_of(None, spaced(4000)).encoding == "iso-8859-1"
    assert encoding_of(None, spaced(5000)).encoding == "utf-8"


def test_a_header_that_is_none_is_refused() -> None:
    with pytest.raises(ContentTypeError):
        encoding_of("garbage", b"<a/>")
    with pytest.raises(CturiError, match="an unknown transport"):
        encoding_of("text/xml", b"<a/>", transport="pigeon")


@given(
    st.none() | st.sampled_from(ALL_TYPES) | st.text(),
    st.none() | st.text(),
    st.binary() | st.binary().map(lambda tail: b"<?xml version='1.0' encoding='" + tail),
)
def test_any_header_and_any_octets_are_answered_or_refused_by_our_own_error(
    type_: str | None, parameter: str | None, data: bytes
) -> None:
    header = f'{type_}; charset="{parameter}"' if type_ and parameter is not None else type_
    try:
        decision = encoding_of(header, data)
    except ContentTypeError:
        return
    assert (decision.encoding is None) == (decision.source is None)
    assert decision.encoding is None or decision.encoding.isprintable()
    assert all(str(finding).isprintable() for finding in decision.findings)


@pytest.mark.usefixtures("linear_time")
@pytest.mark.parametrize(
    "data",
    [
        b"<?xml " + b"a='b' " * 200_000,
        b"<?xml " + b"=" * 1_000_000,
        b"<?xml " + b"?" * 1_000_000,
        b"<?xml version" + b" " * 1_000_000,
        b"\x00" * 1_000_000,
        b"\xff" * 1_000_000,
    ],
)
def test_a_megabyte_of_nonsense_is_decided_in_linear_time(data: bytes) -> None:
    # No clock: if a step were quadratic, this would take minutes.
    decision = encoding_of("application/xml; charset=" + "x" * 10_000, data)
    assert decision.source == "charset"


# A header, a transport, the encoding, its source, and how many findings there are.
BY_TRANSPORT = [
    ("application/xml; charset = iso-8859-1", "mail", "iso-8859-1", "charset", 0),
    ("application/xml; charset = iso-8859-1; foo", "mail", "iso-8859-1", "charset", 1),
    ("application/xml (x); charset=iso-8859-1; foo", "7bit", "iso-8859-1", "charset", 1),
    ("application/xml; charset=iso-8859-1 (L); x", "nntp", "iso-8859-1", "charset", 1),
    ("application/xml; charset = iso-8859-1", "http", "utf-8", "default", 2),
    ("application/xml; charset = iso-8859-1", None, "iso-8859-1", "charset", 0),
]


@pytest.mark.parametrize(("header", "transport", "encoding", "source", "count"), BY_TRANSPORT)
def test_a_header_is_read_by_the_rules_of_its_transport(
    header: str, transport: str | None, encoding: str, source: str, count: int
) -> None:
    decision = encoding_of(header, b"<a/>", transport=transport)
    assert (decision.encoding, decision.source) == (encoding, source)
    assert len([one for one in decision.findings if one.code == "header"]) == count
    asked = encoding_of(header, b"<a/>", transport=transport, rules="mail")
    assert asked.encoding == "iso-8859-1"


@pytest.mark.parametrize(("length", "shown"), [(40, "x" * 40), (41, "x" * 40 + "…")])
def test_forty_characters_of_an_unknown_name_are_shown(length: int, shown: str) -> None:
    data = f"<?xml version='1.0' encoding='{'x' * length}'?><a/>".encode()
    assert any(
        f"{shown!r} is no registered" in str(one) for one in encoding_of(None, data).findings
    )


def test_the_first_octet_that_is_not_of_an_encoding_is_shown() -> None:
    with pytest.raises(EntityError, match="octet 4 is not of utf-8") as caught:
        decode(b"<a>\xe9<b>0123456789", "utf-8")
    shown = caught.value.text
    assert shown == "e9 3c 62 3e 30 31 32 33"
    assert shown[slice(*caught.value.span)] == "e9"


@pytest.mark.parametrize("header", [None, "application/xml"])
@pytest.mark.parametrize("transport", [None, "mail", "http"])
def test_ebcdic_that_nothing_names_has_no_encoding(
    header: str | None, transport: str | None
) -> None:
    decision = encoding_of(header, "<?xml".encode("cp037"), transport=transport)
    assert (decision.encoding, decision.source) == (None, None)
    assert [finding.code for finding in decision.findings] == ["unlabelled"]


@pytest.mark.parametrize("length", [4096, 4097])
def test_a_declaration_has_4096_characters_at_the_most(length: int) -> None:
    text = "<?xml version='1.0' encoding='latin1'?>"
    text = text.replace("?>", " " * (length - len(text)) + "?>")
    declaration = read_declaration(f"{text}<a/>")
    assert (declaration is not None) is (length == 4096)
