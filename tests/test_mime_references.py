"""The cid: and mid: URLs in HTML, SVG and CSS parts."""

from __future__ import annotations

import builtins
import sys
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cturi_rdf.mime import Message
from cturi_rdf.mime.references import Link, links


def found(body: str | bytes, content_type: str = "text/html; charset=utf-8") -> list[Link]:
    octets = body.encode() if isinstance(body, str) else body
    return list(links(Message.read(f"Content-Type: {content_type}\n\n".encode() + octets).root))


HTML = [
    ('<img src="cid:a@b">', [("src", "cid:a@b")]),
    ("<IMG SRC=CID:a@b>", [("src", "CID:a@b")]),
    ('<a href=" mid:a@b/c@d ">', [("href", " mid:a@b/c@d ")]),
    ('<a href="cid:a&amp;b@c">', [("href", "cid:a&b@c")]),
    ('<body background="cid:a@b"><video poster="cid:c@d"><object data="cid:e@f">',
     [("background", "cid:a@b"), ("poster", "cid:c@d"), ("data", "cid:e@f")]),
    ('<img srcset="cid:a@b 1x, cid:c@d 2x,cid:e@f">',
     [("srcset", "cid:a@b"), ("srcset", "cid:c@d"), ("srcset", "cid:e@f")]),
    ('<meta http-equiv=refresh content="0; url=cid:a@b">', [("content", "cid:a@b")]),
    ('<p style="background: url( \'cid:a@b\' )">', [("style", "cid:a@b")]),
    ("<style>@import 'cid:a@b'; p { background: url(cid:c@d) } /* url(cid:e@f) */</style>",
     [("url", "cid:a@b"), ("url", "cid:c@d")]),
    ('<svg><use xlink:href="cid:a@b#i"/><rect fill="url(cid:c@d#g)"/></svg>',
     [("xlink:href", "cid:a@b#i"), ("fill", "cid:c@d#g")]),
    ('<p title="cid:a@b">cid:c@d <!-- <img src="cid:e@f"> --><img src="http://a.example/cid:x">',
     []),
    ("", []),
    ("  ", []),
]  # fmt: skip

CSS = [
    ("a { background: url(cid:a@b) }", ["cid:a@b"]),
    ('@import url("cid:a@b");', ["cid:a@b"]),
    (r"a { background: url(cid:a\40 b) }", ["cid:a@b"]),
    ("a { background: url(cid:a\\\n@b) }", ["cid:a@b"]),
    (r"a { background: url('cid:a\'b@c') }", ["cid:a'b@c"]),
    (r"a { background: url(cid:a\110000 @b) }", ["cid:a\ufffd@b"]),
    (r"a { background: url(cid:a\1 @b) }", ["cid:a\ufffd@b"]),
    ("/* url(cid:a@b) */ a { background: url(img.png) } /* open", []),
]


@pytest.mark.parametrize(("body", "wanted"), HTML)
def test_html_refers_by_its_attributes_and_style_sheets(
    body: str, wanted: list[tuple[str, str]]
) -> None:
    assert [(link.place, link.url) for link in found(body)] == wanted


@pytest.mark.parametrize(("body", "wanted"), CSS)
def test_css_refers_by_url_and_import(body: str, wanted: list[str]) -> None:
    assert [link.url for link in found(body, "text/css")] == wanted


def test_svg_refers_by_either_href() -> None:
    body = '<?xml version="1.0"?><svg><image href="cid:a@b"/><image xlink:href="cid:c@d"/></svg>'
    assert [link.url for link in found(body, "image/svg+xml")] == ["cid:a@b", "cid:c@d"]


def test_a_url_is_read_leniently_and_without_its_fragment() -> None:
    (link,) = found('<img src="cid:image 1#top">')
    assert str(link.reference) == "cid:image%201"
    assert [defect.problem for defect in link.defects] == [
        "a character that must be percent-encoded",
        "an identifier without '@'",
    ]


def test_an_encoded_line_break_is_a_defect_and_no_reference() -> None:
    (link,) = found('<img src="cid:a%0D%0ABcc:%20b@c">')
    assert link.reference is None
    assert [defect.problem for defect in link.defects] == ["a line break in an identifier"]


@pytest.mark.parametrize("charset", ["utf-16", "windows-1252", "klingon", "utf-8", "base64"])
def test_the_charset_of_a_part_is_honoured_where_it_is_known(charset: str) -> None:
    coded = charset if charset in {"utf-16", "windows-1252"} else "utf-8"
    octets = '<img alt="é" src="cid:é@b">'.encode(coded)
    if coded == "utf-16":
        octets = octets.replace(b"\n", b"")
    assert [str(link.reference) for link in found(octets, f"text/html; charset={charset}")] == [
        "cid:%C3%A9@b"
    ]


@pytest.mark.daily(2)
@pytest.mark.usefixtures("linear_time")
@pytest.mark.parametrize("unit", ["<div>", "<b><p>", "<style>", "<!--", '<p style="', "<svg>", "&"])
def test_a_large_or_hostile_part_takes_linear_time_and_little_memory(unit: str) -> None:
    body = unit * 100_000 + '"--></style><img src="cid:a@b">'
    tracemalloc.start()
    try:
        assert [link.url for link in found(body)][-1:] in ([], ["cid:a@b"])
    finally:
        tracemalloc.stop()


@given(st.text("<>/='\" \\()*@:;,#urlcidsrchefstyle\x00\n") | st.text())
def test_any_text_is_read(body: str) -> None:
    for content_type in ("text/html", "text/css", "image/svg+xml"):
        for link in found(body.encode("utf-8", "replace"), content_type):
            assert link.reference is not None or link.defects


def test_utf_16_without_a_byte_order_mark_is_read_as_it_can_be() -> None:
    assert len(found('<img src="cid:a@b">', "text/html; charset=utf-16")) == 1


def test_a_tag_over_the_border_of_two_windows_is_found() -> None:
    # Expat from 2.6 on reads such a tag when it is told that the document ends.
    body = f"<a>{' ' * ((1 << 20) - 10)}<b href='cid:a@b'/></a>"
    assert [link.url for link in found(body, "application/xml")] == ["cid:a@b"]


def test_a_part_of_another_type_has_no_references() -> None:
    assert found('<img src="cid:a@b">', "text/plain") == []
    assert found('<img src="cid:a@b">', "text") == []


def test_without_the_extra_an_html_part_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "lxml.etree", None)
    assert builtins.list(found("a { background: url(cid:a@b) }", "text/css"))
    with pytest.raises(ImportError, match=r"run: pip install .*\[html\]"):
        found("<img src='cid:a@b'>")
