"""RFC 2392 section 2: identifiers in headers and in URLs, and the laws that bind the two."""

from __future__ import annotations

import copy
import pickle
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cturi_rdf.errors import IdentifierError
from cturi_rdf.uri import ContentID, MessageID, Reference
from cturi_rdf.uri.rfc2392 import can_be_held

CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
# RFC 3986: the characters of a URL of ours.
LEGAL_URL = re.compile(r"(?:mid|cid):(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/]|%[0-9A-F]{2})+")

ATOMS = st.text("abcXYZ019!#$%&'*+-/=?^_`{|}~é", min_size=1, max_size=6)
QUOTED = st.text(" !#%/<>()@?a:;", max_size=6).map(lambda text: f'"{text}"')
LOCALS = st.lists(ATOMS | QUOTED, min_size=1, max_size=3).map(".".join)
DOMAINS = st.lists(ATOMS, min_size=1, max_size=3).map(".".join) | st.text(
    "ab:.12%/", max_size=6
).map(lambda text: f"[{text}]")
STRICT = st.builds("{}@{}".format, LOCALS, DOMAINS)
NASTY = st.text('ab@.%/<>"()\\ \t\r\n#?:[]é\x00\x85\ud800\u2003mcid2FE5') | st.text()
HELD = STRICT | st.text('ab@.%/"()\\ #?:[]é\u2003mcid2FE5').map(str.strip).filter(can_be_held)

HEADERS = [
    ("<a@b>", "a@b"),
    (" <a@b>\t", "a@b"),
    ("(one) <a@b> (two (and three))", "a@b"),
    ("content-id:<a@b>", "a@b"),
    ("\r\n <a@b>", "a@b"),
    ('<"a b"@c>', '"a b"@c'),
    ('<"a>b"@c>', '"a>b"@c'),
    ("<a@[::1]>", "a@[::1]"),
    ("<naïve@b>", "naïve@b"),
    ("<a/b%25c@d>", "a/b%25c@d"),
]

RECOVERED = [
    ("a@b", "a@b", ["no angle brackets"]),
    ("<ab12>", "ab12", ["an identifier without '@'"]),
    ("<image 1@b>", "image 1@b", ["the character ' ' out of place"]),
    ("<a\r\n b@c>", "ab@c", ["a folded identifier"]),
    ("< a@b >", "a@b", ["white space at the ends of an identifier"]),
    ("<<a@b>>", "a@b", ["a second '<'", "text outside the angle brackets"]),
    ("<a@b> <c@d>", "a@b", ["text outside the angle brackets"]),
    ("<a@b", "a@b", ["no angle brackets", "an angle bracket in an identifier"]),
    ("<a..b@c>", "a..b@c", ["a dot out of place"]),
    ("<a@b@c>", "a@b@c", ["a second '@'"]),
    ("<a@>", "a@", ["nothing before or after '@'"]),
    ("<@a>", "@a", ["nothing before or after '@'"]),
    ("(open <a@b>", "a@b", ["an unterminated comment", "text outside the angle brackets"]),
    ("<>", None, ["an empty identifier"]),
    ("", None, ["no angle brackets", "an empty identifier"]),
    ("<a\x00@b>", None, ["a control character in an identifier"]),
    ("<a@b\r\nBcc: c@d>", None, ["a line break in an identifier"]),
    ("<a\ud800@b>", None, ["a control character in an identifier"]),
]

XISON = "960830.1639@XIson.com"
URLS = [
    ("cid:foo4*foo1@bar.net", None, "foo4*foo1@bar.net"),
    ("CID:a@b", None, "a@b"),
    (f"mid:{XISON}/partA.{XISON}", XISON, f"partA.{XISON}"),
    ("mid:a%2Fb@c", "a/b@c", None),
    ("mid:a%2fb@c/d%2Fe@f", "a/b@c", "d/e@f"),
    ("cid:na%C3%AFve@b", None, "naïve@b"),
    ("cid:%22a%20b%22@c", None, '"a b"@c'),
]

ENCODED = "a character that must be percent-encoded"
RECOVERED_URLS = [
    ("cid:ab12", "cid:ab12", ["an identifier without '@'"]),
    ("cid:image 1@b", "cid:image%201@b", [ENCODED, "the character ' ' out of place"]),
    ("cid:100%@b", "cid:100%25@b", [ENCODED]),
    ("cid:na\u00efve@b", "cid:na%C3%AFve@b", [ENCODED]),
    ("cid:na%EFve@b", "cid:na%C3%AFve@b", ["octets that are not UTF-8"]),
    ("cid:\u00e9%EF@b", "cid:%C3%A9%C3%AF@b", [ENCODED, "octets that are not UTF-8"]),
    ("cid:a/b@c", "cid:a%2Fb@c", [ENCODED]),
    ("mid:a@b/c/d@e", "mid:a@b/c%2Fd@e", [ENCODED]),
    ("cid:%3Ca@b%3E", "cid:a@b", ["an angle bracket in an identifier"]),
    (" cid:a@b\n", "cid:a@b", ["white space around a URL"]),
    ("cid:a\n@b", "cid:a@b", ["a line break or tab in a URL"]),
    ("cid:a@b#icon", "cid:a@b", ["a fragment"]),
    ("cid:", None, ["an empty identifier"]),
    ("mid:a@b/", None, ["an empty identifier"]),
    ("mid:/a@b", None, ["an empty identifier"]),
    ("http://a.example/", None, ["not a mid: or cid: URL"]),
    ("cid:a%0D%0ABcc:%20c@d", None, ["a line break in an identifier"]),
    ("mid:a%00@b/c@d", None, ["a control character in an identifier"]),
]


@pytest.mark.parametrize(("header", "addr_spec"), HEADERS)
def test_a_header_holds_the_identifier_in_its_angle_brackets(header: str, addr_spec: str) -> None:
    assert ContentID.parse(header).addr_spec == addr_spec
    assert ContentID.recover(header) == (ContentID(addr_spec), ())


@pytest.mark.parametrize(("header", "addr_spec", "problems"), RECOVERED)
def test_a_broken_header_goes_through_the_lenient_door_with_its_defects(
    header: str, addr_spec: str | None, problems: list[str]
) -> None:
    found, defects = ContentID.recover(header)
    assert [defect.problem for defect in defects] == problems
    assert (found and found.addr_spec) == addr_spec
    with pytest.raises(IdentifierError) as caught:
        ContentID.parse(header)
    assert caught.value.args == defects[0].args
    assert caught.value.text == header


@pytest.mark.parametrize(("url", "message", "content"), URLS)
def test_a_url_is_one_or_two_identifiers_percent_encoded(
    url: str, message: str | None, content: str | None
) -> None:
    reference = Reference.parse(url)
    assert (reference.message and reference.message.addr_spec) == message
    assert (reference.content and reference.content.addr_spec) == content
    assert Reference.parse(str(reference)) == reference


@pytest.mark.parametrize(("url", "canonical", "problems"), RECOVERED_URLS)
def test_a_broken_url_goes_through_the_lenient_door_with_its_defects(
    url: str, canonical: str | None, problems: list[str]
) -> None:
    reference, defects = Reference.recover(url)
    assert [defect.problem for defect in defects] == problems
    assert (None if reference is None else str(reference)) == canonical
    with pytest.raises(IdentifierError) as caught:
        Reference.parse(url)
    assert caught.value.text == url


def test_percent_25_is_decoded_though_the_example_of_the_rfc_leaves_it() -> None:
    assert str(Reference.parse("cid:foo4%25foo1@bar.net").content) == "<foo4%foo1@bar.net>"
    assert ContentID.parse("<foo4%25foo1@bar.net>").url == "cid:foo4%2525foo1@bar.net"


def test_a_line_break_cannot_be_made_into_an_identifier() -> None:
    with pytest.raises(IdentifierError, match="no Message-ID"):
        MessageID("a@b>\r\nBcc: <c@d")
    with pytest.raises(IdentifierError, match="no identifier"):
        Reference(None, None)


def test_identifiers_of_two_kinds_are_never_equal() -> None:
    assert MessageID("a@b") != ContentID("a@b")
    assert MessageID("a@b") != "a@b"
    assert Reference(MessageID("a@b"), None) != "mid:a@b"
    assert len({MessageID("a@b"), MessageID("a@b"), ContentID("a@b")}) == 2


@pytest.mark.parametrize("identifier", [MessageID("a@b"), ContentID("a@b")])
def test_an_identifier_cannot_be_changed(identifier: MessageID | ContentID) -> None:
    with pytest.raises(AttributeError):
        identifier.addr_spec = "mine"  # type: ignore[misc]
    # What Python 3.11 raises for a frozen class with slots.
    with pytest.raises((AttributeError, TypeError)):
        identifier.note = "mine"  # type: ignore[union-attr]


@given(STRICT)
def test_a_strict_identifier_survives_header_and_url(addr_spec: str) -> None:
    for kind in (MessageID, ContentID):
        identifier = kind(addr_spec)
        assert identifier.is_strict
        assert kind.parse(str(identifier)) == identifier
        assert copy.deepcopy(identifier) == pickle.loads(pickle.dumps(identifier)) == identifier  # noqa: S301 - our own
    both = Reference(MessageID(addr_spec), ContentID(addr_spec))
    for reference in (both, Reference(both.message, None), Reference(None, both.content)):
        assert LEGAL_URL.fullmatch(str(reference))
        assert Reference.parse(str(reference)) == reference
        assert hash(Reference.parse(str(reference))) == hash(reference)
        assert pickle.loads(pickle.dumps(reference)) == reference  # noqa: S301 - our own
        assert eval(repr(reference)) == reference  # noqa: S307 - our own


@given(HELD, HELD)
def test_whatever_can_be_held_survives_through_the_lenient_door(one: str, two: str) -> None:
    message, content = MessageID(one), ContentID(two)
    assert MessageID.recover(str(message)).id == message
    for parts in ((message, content), (message, None), (None, content)):
        reference = Reference(*parts)
        assert LEGAL_URL.fullmatch(str(reference))
        assert Reference.recover(str(reference)).reference == reference


@pytest.mark.parametrize("kind", [MessageID, Reference])
@given(NASTY | STRICT.map("<{}>".format) | NASTY.map("cid:{}".format) | NASTY.map("mid:{}".format))
def test_any_text_is_read_or_has_defects(kind: type[MessageID | Reference], text: str) -> None:
    found, defects = kind.recover(text)
    assert found is not None or defects
    try:
        assert kind.parse(text) == found
        assert not defects
    except IdentifierError as error:
        assert defects
        assert error.text == text
    if isinstance(found, MessageID):
        assert not CONTROL.search(str(found))
    elif found is not None:
        assert LEGAL_URL.fullmatch(str(found))
        assert str(Reference.recover(str(found)).reference) == str(found)


@pytest.mark.daily(2)
@pytest.mark.usefixtures("linear_time")
@pytest.mark.parametrize("unit", ["<", ">", "(", '"', "\r\n ", "a.", "%", "@", '"a".', "%0D", "\\"])
def test_time_is_linear_in_the_length_of_the_text(unit: str) -> None:
    for text in (unit * 100_000, f"<{unit * 100_000}>", f"cid:{unit * 100_000}"):
        ContentID.recover(text)
        Reference.recover(text)


# A header or a URL, and the text of each of its defects.
BLAMED = [
    ("Content-ID: a@b", [" a@b", " a@b"]),
    ("<<a@b>> x", ["<", "> x"]),
    ("y <a@b>", ["y "]),
    ("< a@b >", [" a@b "]),
    ("<a@\r\n b>", ["a@\r\n b"]),
    ("(x) <a\x01@b>", ["a\x01@b"]),
    ("<a<b@c>", ["a<b@c"]),
    ("<a b@c>", ["a b@c"]),
    ("<a@b> (c", ["(c", " (c"]),
    ("cid:image 1@b", [" ", "image 1@b"]),
    (" cid:a@b\n", [" cid:a@b\n"]),
    ("cid:a@b#icon", ["#icon"]),
    ("mid:a@b/", [""]),
    ("mid:a%00@b/c@d", ["a%00@b"]),
    ("mid:a@b/c d@e", [" ", "c d@e"]),
    (" http://a.example/ ", ["http://a.example/"]),
]


@pytest.mark.parametrize(("text", "blamed"), BLAMED)
def test_a_defect_is_shown_where_it_is(text: str, blamed: list[str]) -> None:
    recover = Reference.recover if "://" in text or "id:" in text[:5] else ContentID.recover
    assert [text[slice(*defect.span)] for defect in recover(text).defects] == blamed
