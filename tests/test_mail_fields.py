"""The fields of a message: RFC 2045 with the slips that mail has, and nothing lost by them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from messages import multipart, part, problems, read
from strategies import content_types, hostile_text

from cturi_rdf import ContentType
from cturi_rdf.mime import Disposition, Message
from cturi_rdf.mime.references import links

pytestmark = pytest.mark.usefixtures("both_readings")

# A field, its value, and the defects: folds, comments and spaces are no defects.
NO_VALUE, UNQUOTED = "a parameter without a value", "a value that needs quotes"
SLIPS = [
    ('a/b (c d); e="r"; f=', "a/b; e=r", [NO_VALUE]),
    ("a/b; c = d; junk", "a/b; c=d", [NO_VALUE]),
    ("a/b; c=d (e) ; z", "a/b; c=d", [NO_VALUE]),
    ('a/b; c="d\r\n e"; junk', 'a/b; c="d e"', [NO_VALUE]),
    ("A/B c=d", "a/b; c=d", ["a missing ';'"]),
    ('a/b; c="d" e=f; g', "a/b; c=d; e=f", ["a missing ';'", NO_VALUE]),
    ("a/b; c=d e=f", "a/b; c=d; e=f", ["a missing ';'"]),
    ("a/b; c=d e f.g; h=i", 'a/b; c="d e f.g"; h=i', [UNQUOTED]),
    ("a/b; c=----=_d; e=f", 'a/b; c="----=_d"; e=f', [UNQUOTED]),
    ("a/b; c=d (1).e; f=g(1).h; i", 'a/b; c="d (1).e"; f="g(1).h"', [UNQUOTED, UNQUOTED, NO_VALUE]),
    ('a/b; c="d; e=f', 'a/b; c="d; e=f"', ["an unterminated quoted string"]),
    ("a/b; c=d; (e; f=g", "a/b; c=d", ["an unterminated comment"]),
    ("a/b; c=d; C=e", "a/b; c=d", ["the parameter 'c' twice"]),
    ('a/b; c="d\x00"; e=f', "a/b; e=f", ["a control character", "a value that no header holds"]),
    ("a/b, c/d; e=f", "a/b; e=f", ["a list instead of one type"]),
    (
        "a/b; c*0=d; e*=bogus''%ff",
        "a/b; c=d",
        ["an extended value that is not valid in its charset"],
    ),
    ("a/b; c=\"d\"; c*=utf-8''%C3%A9; e", "a/b; c*=utf-8''%C3%A9", [NO_VALUE]),
    ("text", None, ["the subtype is missing"]),
    ("", None, ["an empty Content-Type"]),
]


@pytest.mark.parametrize(("field", "wanted", "defects"), SLIPS)
def test_a_field_is_read_by_the_grammar_of_mail(
    field: str, wanted: str | None, defects: list[str]
) -> None:
    recovered = ContentType.recover(field, rules="mail")
    assert recovered.content_type == (None if wanted is None else ContentType.parse(wanted))
    assert [defect.problem for defect in recovered.defects] == defects
    assert all(defect.rule.startswith("RFC") for defect in recovered.defects)


@given(content_types | hostile_text)
def test_what_is_right_is_read_as_by_the_strict_door(given_: ContentType | str) -> None:
    text = str(given_)
    recovered = ContentType.recover(text, rules="mail")
    if not recovered.defects:
        assert recovered.content_type == ContentType.parse(text)
    for defect in recovered.defects:
        start, end = defect.span
        assert 0 <= start <= end <= len(defect.text)


# The Content-Type of a message with two parts behind the boundary r.
HEADS = [
    'multipart/mixed (mixed parts); boundary="r"; charset=',
    "multipart/related; boundary = r; junk",
    "multipart/related; boundary=r (comment) ; z",
    'multipart/mixed; charset="a\n b"; boundary=r; junk',
    "multipart/related; boundary*0=\"r\"; name*=bogus''%ff",
    "multipart/mixed boundary=r",
]


@pytest.mark.parametrize("head", HEADS)
def test_no_slip_in_a_field_loses_the_parts_of_a_message(head: str) -> None:
    message = read(f"Content-Type: {head}\n\n--r\n\none\n--r\n\ntwo\n--r--\n")
    assert [b"".join(entity.content()) for entity in message][1:] == [b"one", b"two"]
    assert message.root.defects


def test_a_field_without_a_type_gives_none() -> None:
    message = read("Content-Type: text\n\nhello")
    assert message.root.content_type is None
    assert problems(message) == [(0, "the subtype is missing")]


# A disposition, and the name of its file: RFC 6266 section 4.3 and 5, RFC 8187 section 4.2.
FILE_NAMES = [
    ("attachment; filename=\"EURO.pdf\"; filename*=UTF-8''%E2%82%AC.pdf", "€.pdf"),
    ("attachment; filename*=UTF-8''%E2%82%AC.pdf; filename=\"EURO.pdf\"", "€.pdf"),
    ("attachment; filename=\"foo-ae.html\"; filename*=UTF-8''foo-%c3%a4.html", "foo-ä.html"),
    ("attachment; filename*=UTF-8''foo-%c3%a4.html; filename=\"foo-ae.html\"", "foo-ä.html"),
]


@pytest.mark.parametrize(("field", "name"), FILE_NAMES)
def test_the_extended_file_name_counts_in_either_order(field: str, name: str) -> None:
    disposition, defects = Disposition.recover(field)
    assert disposition is not None
    assert (disposition.filename, defects) == (name, [])


@pytest.mark.parametrize("field", ["", "; filename=a"])
def test_a_disposition_without_a_type_is_none_and_a_defect(field: str) -> None:
    disposition, defects = Disposition.recover(field)
    assert disposition is None
    assert [(defect.text, defect.span) for defect in defects] == [(field, (0, 0))]


def test_of_two_extended_forms_the_whole_one_counts_with_a_defect() -> None:
    disposition, defects = Disposition.recover(
        "attachment; filename*0*=ISO-8859-15''euro-sign%3d%a4;"
        " filename*=ISO-8859-1''currency-sign%3d%a4"
    )
    assert disposition is not None
    assert disposition.filename == "currency-sign=¤"
    assert len(defects) == 1


_EXTERNAL = "Content-Type: message/external-body; access-type={}; name=x"
_INSIDE = part("", "Content-Type: application/postscript", "Content-ID: <id42@a.example>")


def test_the_header_inside_an_external_body_is_read() -> None:
    parts = [part(_INSIDE, _EXTERNAL.format(access)) for access in ("anon-ftp", "local-file")]
    message = read(multipart("alternative", "b", *parts))
    found = message.resolve("cid:id42@a.example")
    assert found is not None
    assert found.parent is not None
    assert found.parent.content_type is not None
    # RFC 2046 section 5.1.4: the last alternative.
    assert found.parent.content_type.parameters["access-type"] == "local-file"
    assert str(found.content_type) == "application/postscript"
    assert not found.is_message
    assert [entity.is_external for entity in message] == [False, True, False, True, False]
    assert problems(message) == []


def test_an_identifier_is_also_found_as_it_stands_in_the_url() -> None:
    message = read(multipart("related", "b", part("", "Content-ID: <foo4%25foo1@bar.net>")))
    # The pair of RFC 2392 section 2 as printed, and by its rule.
    for url in ("cid:foo4%25foo1@bar.net", "cid:foo4%2525foo1@bar.net"):
        assert message.resolve(url) is message.entities[1]
    assert message.resolve("cid:other%25@bar.net") is None


@pytest.mark.parametrize("kind", ["application/xop+xml", "application/smil+xml", "text/xml"])
def test_the_links_of_xml_are_found_as_far_as_it_is_well_formed(kind: str) -> None:
    body = """<?xml version="1.0" encoding="latin-1"?><a xmlns:xop="http://www.w3.org/2004/08/xop/include"
        ><xop:Include href="cid:p@x"/><img src="cid:q@x" alt="cid:no@x"/></b><c href="cid:r@x"/>"""
    message = read(part(body, f"Content-Type: {kind}"))
    assert [(link.place, link.url) for link in links(message.root)] == [
        ("href", "cid:p@x"),
        ("src", "cid:q@x"),
    ]


@given(st.binary(max_size=60))
def test_any_field_at_all_is_read(octets: bytes) -> None:
    line = octets.replace(b"\n", b" ")
    message = Message.read(b"X: y\nContent-Type: a/b; " + line + b"\n\n")
    assert message.root.content_type is None or message.root.content_type.type
