"""XPointers, what they point at, and the three cases of RFC 7303 section 9.6.1."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cturi_rdf import CturiError
from cturi_rdf.errors import FragmentError
from cturi_rdf.registry.tables import load
from cturi_rdf.xml import lint_fragment, parse_fragment, parse_pointer, resolve_fragment
from cturi_rdf.xml.fragment import XPointerSchemeRecord

if TYPE_CHECKING:
    from pathlib import Path

# Rows of the suite that its project calls invalid, though the framework skips a part whose
# scheme it does not know (section 3.3): well-formed.
ONLY_UNKNOWN = {"unknown(somedata)", "xlimit(1/1)"}


def test_the_suite_of_pointers_is_read_as_it_says(shared: Path) -> None:
    rows = json.loads((shared / "suites/xpointer/xpointer_syntax.json").read_text("utf-8"))
    assert len(rows) == 34
    different = []
    for row in rows:
        try:
            valid = all(part.conforms for part in parse_pointer(row["input"]).parts)
        except FragmentError:
            valid = False
        if valid != row["valid"]:
            different.append(row["input"])
    assert set(different) == ONLY_UNKNOWN


@pytest.mark.parametrize(
    ("pointer", "parts"),
    [
        ("x(a^(b^)c^^d)", [("x", "a(b)c^d")]),
        ("x(a(b(c)d)e)", [("x", "a(b(c)d)e")]),
        ("x()y()", [("x", ""), ("y", "")]),
        ("x(1) \t\r\n y(2)", [("x", "1"), ("y", "2")]),
        ("p:x(1)", [("x", "1")]),
        ("é(1)", [("é", "1")]),
    ],
)
def test_data_is_balanced_or_escaped(pointer: str, parts: list[tuple[str, str]]) -> None:
    assert [(part.scheme, part.data) for part in parse_pointer(pointer).parts] == parts


@pytest.mark.parametrize(
    ("pointer", "at", "length"),
    [
        ("", 0, 0), ("1a", 0, 2), ("a b", 0, 3), ("a:b", 0, 3), ("a-b()c", 5, 1), ("x(^a)", 2, 1),
        ("x(a", 1, 2), ("x(^", 2, 1), ("x(a))", 4, 1), ("x(a) ", 5, 0), (" x(a)", 0, 5),
        ("x (a)", 0, 5), ("a:b:c(d)", 0, 8), ("xywh=160,120,320,240", 0, 20), ("t=10,20", 0, 7),
    ],
)  # fmt: skip
def test_what_is_no_pointer_is_refused_where_it_goes_wrong(
    pointer: str, at: int, length: int
) -> None:
    with pytest.raises(FragmentError) as caught:
        parse_pointer(pointer)
    assert caught.value.span == (at, at + length)


@pytest.mark.parametrize(
    ("pointer", "namespace"),
    [
        ("xmlns(p=http://a/)p:x(1)", "http://a/"),
        ("xmlns( p=http://a/)p:x(1)", None),
        ("xmlns(p \t= http://a/)p:x(1)", "http://a/"),
        ("xmlns(p=http://a/)xmlns(p=http://b/)p:x(1)", "http://b/"),
        ("xmlns(p=a^(b^))p:x(1)", "a(b)"),
        ("xmlns(p=)p:x(1)", ""),
        ("xmlns(p:q=http://a/)p:x(1)", None),
        ("p:x(1)xmlns(p=http://a/)", None),
        # The framework's own bindings stay.
        ("xml:x(1)", "http://www.w3.org/XML/1998/namespace"),
        ("xmlns(xml=http://a/)xml:x(1)", "http://www.w3.org/XML/1998/namespace"),
        ("xmlns(xmlns=http://a/)xmlns:x(1)", None),
        ("xmlns(p=http://www.w3.org/XML/1998/namespace)p:x(1)", None),
        ("x(1)", None),
    ],
)
def test_xmlns_binds_prefixes_of_the_parts_after_it(pointer: str, namespace: str | None) -> None:
    part = next(part for part in parse_pointer(pointer).parts if part.scheme == "x")
    assert part.namespace == namespace


def test_percent_encoding_is_undone_once() -> None:
    assert parse_fragment("x(%5E%28%2525)").parts[0].data == "(%25"
    with pytest.raises(FragmentError, match="not UTF-8"):
        parse_fragment("%FF")


DOCUMENT = b"""<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE book [
  <!ENTITY text "just text"> <!ENTITY more "<p/>"> <!ENTITY away SYSTEM "file:///etc/passwd">
  <!-- <!ATTLIST p no ID #IMPLIED> -->
  <!ATTLIST chapter key ID #REQUIRED other CDATA "x ID #IMPLIED">
  <!ATTLIST x:y x:key ID #IMPLIED>
]>
<book xmlns:x="http://x.example/"><chapter key="one"><p/><p xml:id="p2"/></chapter>
<chapter key="two" id="no"><svg xmlns="http://www.w3.org/2000/svg"><g id="in-svg"/></svg></chapter>
<x:y x:key="three" other="a"/>
<chapter key="one" xml:id="&text;">&text;<p xml:id="after-text"/>&more;<p
  xml:id="uncounted"/></chapter>
<chapter xml:id=" caf\xc3\xa9 ">&away;<p/></chapter>
</book>"""


@pytest.mark.parametrize(
    ("fragment", "path", "name"),
    [
        # Shorthand: IDs by DTD, by xml:id, by vocabulary; the first of a name.
        ("one", "/1/1", "chapter"),
        ("p2", "/1/1/2", "p"),
        ("in-svg", "/1/2/1/1", "g"),
        ("three", "/1/3", "y"),
        ("caf%C3%A9", "/1/5", "chapter"),
        ("café", "/1/5", "chapter"),
        # element(): by name, by child sequence, by both.
        ("element(two)", "/1/2", "chapter"),
        ("element(/1)", "/1", "book"),
        ("element(/1/1/2)", "/1/1/2", "p"),
        ("element(two/1/1)", "/1/2/1/1", "g"),
        # The first part that finds something counts; the others are skipped.
        ("element(nobody)element(/1/9)element(/1/2)", "/1/2", "chapter"),
        ("xpointer(id('one'))xmlns(p=q)p:element(/1/1)element(two)", "/1/2", "chapter"),
        ("element(///)element(two)", "/1/2", "chapter"),
        # After text that is not expanded children can be counted, after elements not.
        ("after-text", "/1/4/1", "p"),
        ("element(/1/4/1)", "/1/4/1", "p"),
        ("uncounted", None, "p"),
    ],
)
def test_a_pointer_that_resolves_is_the_first_case(
    fragment: str, path: str | None, name: str
) -> None:
    found = resolve_fragment("application/book+xml", fragment, DOCUMENT)
    assert (found.by, found.case) == ("xpointer", 1)
    assert found.element
    assert (found.element.path, found.element.name) == (path, name)


@pytest.mark.parametrize(
    ("attribute", "path"), [("id", "/1/1"), ("xml:id", "/1/1"), ("class", None)]
)
def test_the_identifier_of_an_element_of_svg_is_no_other_attribute(
    attribute: str, path: str | None
) -> None:
    data = f'<svg xmlns="http://www.w3.org/2000/svg"><g {attribute}="a"/></svg>'.encode()
    found = resolve_fragment("image/svg+xml", "a", data)
    assert (found.element and found.element.path) == path


@pytest.mark.parametrize(
    "fragment",
    [
        "nobody", "no", "a", "element(/2)", "element(/1/6)", "element(one/3)", "xpath(/book)",
        f"element(/{'9' * 10_000})", "element(/1/4/2)", "element(/1/5/1)", "p:element(/1)",
        "svgView(viewBox(0,0,10,10))",
    ],
)  # fmt: skip
def test_one_that_does_not_is_the_second_and_for_the_type_to_say(fragment: str) -> None:
    found = resolve_fragment("application/book+xml", fragment, DOCUMENT)
    assert (found.by, found.case, found.element) == ("type", 2, None)
    # The types of the RFC itself have no other specification that could (section 5).
    assert resolve_fragment("application/xml", fragment, DOCUMENT).by == "nobody"


@pytest.mark.parametrize("fragment", ["xywh=160,120,320,240", "t=10", "", "/1/1", "%FF", "a b"])
def test_what_is_no_pointer_is_the_third_and_for_the_type_to_say(fragment: str) -> None:
    found = resolve_fragment("image/svg+xml", fragment, b"<svg/>")
    assert (found.by, found.case, found.pointer) == ("type", 3, None)


def test_other_types_say_themselves_what_a_fragment_is() -> None:
    found = resolve_fragment("text/html", "a", b"<a id='a'/>")
    assert (found.by, found.case) == ("type", None)
    assert resolve_fragment(None, "element(/1)", b"<a/>").by == "xpointer"


def test_a_type_whose_vocabulary_has_ids_needs_no_dtd() -> None:
    data = (
        b'<!DOCTYPE svg [<!ENTITY svg "http://www.w3.org/2000/svg"><!ENTITY x "http://x/">'
        b'<!ENTITY y "http://y/">]><svg xmlns="&svg;" id="a" xmlns:x="&x;" xmlns:y="&y;"'
        b' x:b="1" y:b="2"/>'
    )
    found = resolve_fragment("image/svg+xml", "a", data)
    assert found.element
    # Of a namespace by an entity nothing is known, as no entity is expanded.
    assert (found.element.path, found.element.namespace) == ("/1", None)
    assert resolve_fragment("application/xml", "a", data).element is None
    # Only the attribute "id" is one.
    assert resolve_fragment("image/svg+xml", "1", data).element is None


def test_an_external_parsed_entity_has_any_number_of_roots() -> None:
    data = b"<?xml encoding='latin1'?>\r\ntext <a/> caf\xe9 <b>\r\n<c xml:id='c'/></b>"
    found = resolve_fragment("text/xml-external-parsed-entity", "element(/2/1)", data)
    assert found.element
    assert (found.element.path, found.element.name, found.element.line) == ("/2/1", "c", 3)
    assert resolve_fragment("text/xml", "element(/2/1)", data).element is None
    found = resolve_fragment("text/xml-external-parsed-entity", "a", b"</_><_>")
    assert found.by == "nobody"
    assert "not well-formed" in found.reason


@pytest.mark.parametrize(
    ("fragment", "known"),
    [
        ("element(/1/2)", False),
        ("element(/1/9)", False),
        ("x", False),
        ("element(x/1)", False),
        ("foo(bar)element(/1/2)", False),
        ("element(/1/1/1)", True),
        ("element(/2)", True),
        ("foo(bar)", True),
    ],
)
def test_behind_an_entity_that_is_not_expanded_nothing_is_known(fragment: str, known: bool) -> None:
    data = b"<!DOCTYPE f [<!ENTITY n '<e/>'>]><f><c/>&n;<e/></f>"
    found = resolve_fragment("application/atom+xml", fragment, data)
    assert found.element is None
    assert ("it cannot be known" in found.reason) is not known
    # Plain text adds no elements.
    data = b"<!DOCTYPE f [<!ENTITY n 'e'>]><f><c/>&n;<e/></f>"
    found = resolve_fragment("application/atom+xml", fragment, data)
    assert "it cannot be known" not in found.reason


@pytest.mark.parametrize(
    ("header", "fragment", "codes"),
    [
        # RFC 7303 section 5: authors should not use a scheme that is not registered.
        ("application/xml", "foo(bar)", ["xpointer-scheme"]),
        ("application/xml", "foo(bar)element(/1)quux(1)", ["xpointer-scheme"] * 2),
        ("application/xml", "dtd()", ["xpointer-scheme"]),
        ("application/wsdl+xml", "wsdl.interface(a)", []),
        ("application/xml", "xpath1(/a)", []),
        ("application/xml", "xpointer(/a)", []),
        ("application/xml", "xmlns(p=http://a.example/)p:foo(bar)", []),
        # A type has its own, too.
        ("image/svg+xml", "svgView(viewBox(0,0,9,9))", []),
        ("application/xml", "svgView(viewBox(0,0,9,9))", ["xpointer-scheme"]),
        ("application/xml", "element(1/2)", ["xpointer-data"]),
        ("application/xml", "xmlns(p)", ["xpointer-data"]),
        # A text that is no pointer means nothing, unless the type itself gives it a meaning.
        (None, "t=10,20", ["fragment-syntax"]),
        ("application/xml", "t=10,20", ["fragment-syntax"]),
        ("application/smil+xml", "t=10,20", []),
        ("text/html", "foo(bar)", []),
    ],
)
def test_the_schemes_of_a_fragment_are_looked_up_in_the_registry(
    header: str | None, fragment: str, codes: list[str]
) -> None:
    assert [finding.code for finding in lint_fragment(header, fragment)] == codes


def test_wrong_data_breaks_the_scheme_that_the_registry_names() -> None:
    schemes = load("xpointer-schemes.tsv", XPointerSchemeRecord)
    for scheme in ("element", "xmlns"):
        [finding] = lint_fragment("application/xml", f"{scheme}(1/2)")
        assert finding.rule == schemes[scheme].specification


def test_lines_are_those_of_the_document() -> None:
    found = resolve_fragment("application/xml", "element(/1/2)", DOCUMENT)
    assert found.element
    assert DOCUMENT.splitlines()[found.element.line - 1].startswith(b'<chapter key="two"')
    assert found.element.column == 1


@pytest.mark.parametrize(
    ("header", "data"),
    [
        ("application/xml", b"<a>"),
        ("application/xml", b"<a>&undeclared;</a>"),
        ("application/xml", b"<!DOCTYPE a [<!ENTITY e 'x' ]><a/>"),
        ("application/xml; charset=utf-8", b"<a>\xe9</a>"),
        ("application/xml; charset=bogus", b"<a/>"),
        ("application/xml-dtd", b"<!ELEMENT a EMPTY>"),
        ("application/xml", b""),
    ],
)
def test_in_what_cannot_be_read_nothing_resolves(header: str, data: bytes) -> None:
    found = resolve_fragment(header, "element(/1)", data)
    assert (found.by, found.case, found.element) == ("nobody", 2, None)
    assert found.reason


@given(st.text() | st.text("ab()^/1 :%=element"), st.binary() | st.just(DOCUMENT))
def test_any_fragment_of_any_octets_means_something_or_nothing(fragment: str, data: bytes) -> None:
    found = resolve_fragment("image/svg+xml", fragment, data)
    assert (found.element is not None) == (found.by == "xpointer") == (found.case == 1)


@given(st.text("ab()^ :=element/1xmlns"))
def test_any_text_is_a_pointer_or_our_own_error(text: str) -> None:
    try:
        pointer = parse_pointer(text)
    except CturiError:
        return
    assert (pointer.shorthand is None) == bool(pointer.parts)


@pytest.mark.daily(2)
@pytest.mark.usefixtures("linear_time")
@pytest.mark.parametrize(
    "text",
    [
        "x(" * 300_000,
        "x(" + "(" * 500_000 + ")" * 500_000,
        "x()" * 300_000,
        "a" * 1_000_000,
        "x(^)" * 250_000,
        "element(/" + "1/" * 500_000,
        "x()" + " " * 1_000_000,
        "xmlns(a=b)" * 100_000,
    ],
)
def test_a_megabyte_of_pointer_takes_linear_time(text: str) -> None:
    try:
        parse_pointer(text)
    except FragmentError as error:
        assert len(error.summary) < 1_000
