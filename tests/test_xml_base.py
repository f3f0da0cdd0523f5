"""Base URIs: RFC 7303 section 6, RFC 3986 section 5 and XML Base."""

from __future__ import annotations

import pytest

from cturi_rdf._util.references import resolve_reference
from cturi_rdf.errors import EntityError
from cturi_rdf.xml import Base, base_of

# RFC 3986 sections 5.4.1 and 5.4.2: what each reference gives against the base below.
BASE = "http://a/b/c/d;p?q"
REFERENCES = {
    "g:h": "g:h",
    "g": "http://a/b/c/g",
    "./g": "http://a/b/c/g",
    "g/": "http://a/b/c/g/",
    "/g": "http://a/g",
    "//g": "http://g",
    "?y": "http://a/b/c/d;p?y",
    "g?y": "http://a/b/c/g?y",
    "#s": "http://a/b/c/d;p?q#s",
    "g#s": "http://a/b/c/g#s",
    "g?y#s": "http://a/b/c/g?y#s",
    ";x": "http://a/b/c/;x",
    "g;x": "http://a/b/c/g;x",
    "g;x?y#s": "http://a/b/c/g;x?y#s",
    "": "http://a/b/c/d;p?q",
    ".": "http://a/b/c/",
    "./": "http://a/b/c/",
    "..": "http://a/b/",
    "../": "http://a/b/",
    "../g": "http://a/b/g",
    "../..": "http://a/",
    "../../": "http://a/",
    "../../g": "http://a/g",
    "../../../g": "http://a/g",
    "../../../../g": "http://a/g",
    "/./g": "http://a/g",
    "/../g": "http://a/g",
    "g.": "http://a/b/c/g.",
    ".g": "http://a/b/c/.g",
    "g..": "http://a/b/c/g..",
    "..g": "http://a/b/c/..g",
    "./../g": "http://a/b/g",
    "./g/.": "http://a/b/c/g/",
    "g/./h": "http://a/b/c/g/h",
    "g/../h": "http://a/b/c/h",
    "g;x=1/./y": "http://a/b/c/g;x=1/y",
    "g;x=1/../y": "http://a/b/c/y",
    "g?y/./x": "http://a/b/c/g?y/./x",
    "g?y/../x": "http://a/b/c/g?y/../x",
    "g#s/./x": "http://a/b/c/g#s/./x",
    "g#s/../x": "http://a/b/c/g#s/../x",
    "http:g": "http:g",
}


@pytest.mark.parametrize(("reference", "uri"), REFERENCES.items())
def test_references_are_resolved_as_rfc_3986_prints_them(reference: str, uri: str) -> None:
    assert resolve_reference(reference, BASE) == uri


@pytest.mark.parametrize(
    ("reference", "base", "uri"),
    [
        ("c", "urn:a:b", "urn:c"),
        ("d", "foo://a/b/c", "foo://a/b/d"),
        ("g", "http://a", "http://a/g"),
        ("?", "http://a/b?q", "http://a/b?"),
        ("#", "http://a/b?q#f", "http://a/b?q#"),
        ("..//g", "x:/a", "x:/.//g"),
    ],
)
def test_all_schemes_are_alike(reference: str, base: str, uri: str) -> None:
    assert resolve_reference(reference, base) == uri


def test_a_relative_base_gives_a_relative_reference() -> None:
    assert resolve_reference("c", "a/b") == "a/c"


NESTED = b"""<doc xml:base="http://a.example/today/" xmlns:xlink="http://www.w3.org/1999/xlink">
 <olist xml:base="/hotpicks/"><item xml:id="pick"/></olist>
 <p xml:id="none" xml:base=""/><p xml:id="new" xml:base="new.xml#part"/>
 <p xml:id="odd" xml:base="caf\xc3\xa9 {1}/"/>
</doc>"""


@pytest.mark.parametrize(
    ("fragment", "uri"),
    [
        ("", "http://a.example/today/"),
        ("pick", "http://a.example/hotpicks/"),
        ("element(pick)", "http://a.example/hotpicks/"),
        # The empty value refers to the document itself, so changes nothing.
        ("none", "http://a.example/today/"),
        # A base has no fragment (RFC 3986 section 5.1).
        ("new", "http://a.example/today/new.xml"),
        # XML Base section 3.1: what a URI has no place for is encoded.
        ("odd", "http://a.example/today/café%20%7B1%7D/"),
    ],
)
def test_xml_base_counts_from_the_element_upward(fragment: str, uri: str) -> None:
    assert base_of("application/xml", NESTED, fragment=fragment) == Base(uri, "content")


ALL = {
    "encapsulation": "http://mail.example/part/",
    "retrieval": "http://got.example/x#y",
    "default": "http://default.example/",
}


@pytest.mark.parametrize(
    ("header", "data", "sources", "expected"),
    [
        # The order of the four sources.
        ("image/svg+xml", b"<a xml:base='http://in.example/'/>", ALL, "http://in.example/ content"),
        ("text/xml", b"<a/>", ALL, "http://mail.example/part/ encapsulation"),
        (None, b"<a/>", {"retrieval": "http://got.example/x#y"}, "http://got.example/x retrieval"),
        (None, b"<a/>", {"default": "http://default.example/"}, "http://default.example/ default"),
        (None, b"<a/>", {}, "None None"),
        # A relative one is resolved against the next.
        ("application/xml", b"<a xml:base='b/'/>", ALL, "http://mail.example/part/b/ content"),
        (
            None, b"<a/>", {"encapsulation": "part/", "retrieval": "http://got.example/x"},
            "http://got.example/part/ encapsulation",
        ),
        (None, b"<a xml:base='b/'/>", {}, "None None"),
        # From the internal subset, by default; the element's own goes before.
        (
            None, b"<!DOCTYPE a [<!ATTLIST a xml:base CDATA #FIXED 'http://d.example/?a&amp;b'>]><a/>",
            ALL, "http://d.example/?a&b content",
        ),
        (
            None, b"<!DOCTYPE a [<!ATTLIST a xml:base CDATA 'x'>]><a xml:base='http://o.example/'/>",
            ALL, "http://o.example/ content",
        ),
        (
            None, b"<!DOCTYPE a [<!ATTLIST a xml:base CDATA ' http://d.example/&#128;\r\n&#10;'>]><a/>",
            ALL, "http://d.example/\x80 content",
        ),
        (
            None, b"<!DOCTYPE a [<!ATTLIST a xml:base CDATA 'http://d.example/b\tc&#9;d'>]><a/>",
            ALL, "http://d.example/b%20c%09d content",
        ),
        # An external parsed entity with one element, and with two.
        (
            "text/xml-external-parsed-entity", b"<a xml:base='http://in.example/'/>", ALL,
            "http://in.example/ content",
        ),
        (
            "text/xml-external-parsed-entity", b"<a xml:base='http://in.example/'/><b/>", ALL,
            "http://mail.example/part/ encapsulation",
        ),
        # RFC 7303 section 6 names neither DTDs nor what is no XML.
        ("application/xml-dtd", b"", ALL, "http://mail.example/part/ encapsulation"),
        ("text/html", b"<base href='/x'>", ALL, "http://mail.example/part/ encapsulation"),
    ],
)  # fmt: skip
def test_four_sources_give_a_base_in_their_order(
    header: str | None, data: bytes, sources: dict[str, str], expected: str
) -> None:
    base = base_of(header, data, **sources)
    assert f"{base.uri} {base.source}" == expected


def test_what_only_an_entity_says_is_not_made_up() -> None:
    data = b"<!DOCTYPE a [<!ENTITY e 'http://e.example/'>]><a xml:base='&e;'/>"
    with pytest.raises(EntityError, match="only an entity gives"):
        base_of(None, data)
    data = b"<!DOCTYPE a [<!ENTITY e 'x'><!ATTLIST a xml:base CDATA '&e;'>]><a/>"
    with pytest.raises(EntityError, match="only an entity gives"):
        base_of(None, data)
    with pytest.raises(EntityError, match="no element: it points at nothing"):
        base_of(None, b"<a/>", fragment="b")


def test_a_relative_reference_needs_a_base() -> None:
    nothing = base_of(None, b"<a/>")
    assert nothing.resolve("urn:a") == "urn:a"
    with pytest.raises(EntityError, match="without a base URI"):
        nothing.resolve("b")
    assert base_of(None, NESTED, fragment="pick").resolve("1.xml") == (
        "http://a.example/hotpicks/1.xml"
    )
