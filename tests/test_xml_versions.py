"""XML 1.0's fifth edition and XML 1.1: names, ends of lines and control characters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cturi_rdf.errors import EntityError
from cturi_rdf.xml import lint, resolve_fragment
from cturi_rdf.xml.document import as_xml_1_0, fourth_edition, parse

V11 = "<?xml version='1.1'?>"
# Fifth edition, productions 4 and 4a, outside of ASCII.
START = [
    (0xC0, 0xD6), (0xD8, 0xF6), (0xF8, 0x2FF), (0x370, 0x37D), (0x37F, 0x1FFF), (0x200C, 0x200D),
    (0x2070, 0x218F), (0x2C00, 0x2FEF), (0x3001, 0xD7FF), (0xF900, 0xFDCF), (0xFDF0, 0xFFFD),
    (0x10000, 0xEFFFF),
]  # fmt: skip
AFTER = [(0xB7, 0xB7), (0x300, 0x36F), (0x203F, 0x2040)]
starts = st.one_of(*(st.characters(min_codepoint=a, max_codepoint=b) for a, b in START))
afters = st.one_of(starts, *(st.characters(min_codepoint=a, max_codepoint=b) for a, b in AFTER))


@pytest.mark.parametrize(
    "text",
    [
        "<?xml version='1.0' encoding='UTF-8'?><ሰላም/>",
        "<!DOCTYPE animal [<!ELEMENT animal ANY><?Ĳ x ?>]><animal/>",
        "<!DOCTYPE ሰ [<!ATTLIST ሰ ላ ID #IMPLIED>]><ሰ ላ='ም'>&lt;丁一</ሰ>",
        "<𐀀 𐀁='x'/>",
        f"{V11}<a>&#1;</a>",
        f"{V11}<a b='&#x1F;'>&#x00007;</a>",
        f"{V11}<!DOCTYPE a [<!ENTITY e '&#x8;'>]><a>&e;</a>",
        f"{V11}<doc><῿node/></doc>",
        "<?xml version='1.1' encoding='iso-8859-1'?><foo\x85bar='hello'/>",
        f"{V11}<foo\u2028bar='hello'/>",
    ],
)
def test_documents_of_the_fifth_edition_and_of_xml_1_1_are_well_formed(text: str) -> None:
    data = text.encode("latin-1" if "iso-8859-1" in text else "utf-8")
    assert lint("application/xml", data) == ()
    assert resolve_fragment("application/xml", "element(/1)", data).element


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        # XML 1.0 has no such characters and references.
        ("<a>&#1;</a>", "reference to invalid character number"),
        ("<a>\x01</a>", "invalid token"),
        ("<foo\x85bar='hello'/>", "invalid token"),
        # XML 1.1 section 2.2: as references only.
        (f"{V11}<a>\x01</a>", "U[+]0001 has to be a character reference"),
        (f"{V11}\n<a>\n\x9f</a>", "U[+]009F has to be a character reference in XML 1.1, line 3"),
        (f"{V11}<a>&#0;</a>", "reference to invalid character number"),
        (f"{V11}<a/>&#1;", "not well-formed"),
        # Neither edition has these in names.
        ("<a\u00d7/>", "invalid token"),
        ("<\u0300a/>", "invalid token"),
        ("<a\u2000b/>", "invalid token"),
        ("<ሰ></ላ>", "mismatched tag"),
        ("<ሰ>\n<ላ>\n</ሰ>", "mismatched tag, line 3"),
        ("<ሰ ላ='' ላ=''/>", "duplicate attribute"),
    ],
)
def test_what_neither_allows_is_refused(text: str, problem: str) -> None:
    with pytest.raises(EntityError, match=problem):
        parse(text)


def test_names_are_given_back_as_they_were_written() -> None:
    root, by_id = parse("<ሰ xmlns='http://a.example/ላ'><p:ም xmlns:p='u:ም' xml:id='ሰላም'/>一</ሰ>")
    first = root.child("1")
    assert first
    assert (first.name, first.namespace) == ("ሰ", "http://a.example/ላ")
    assert by_id["ሰላም"].name == "ም"
    assert by_id["ሰላም"].namespace == "u:ም"
    assert resolve_fragment(None, "%E1%88%B0", "<a xml:id='ሰ'/>".encode()).element


def test_an_error_shows_the_line_as_it_was_written() -> None:
    with pytest.raises(EntityError) as caught:
        parse("<a>\n<ሰ></ላ>\n</a>")
    assert "<ሰ></ላ>" in str(caught.value)


@given(starts, st.text(afters, max_size=20), st.text(afters))
def test_every_name_of_the_fifth_edition_is_read(first: str, rest: str, content: str) -> None:
    name = first + rest
    root, by_id = parse(f"<{name} xml:id='{name}' {name}=''>{content}<{name}/></{name}>")
    assert by_id[name].name == name
    inner = by_id[name].child("1")
    assert inner
    assert inner.name == name
    assert root.child("1") is by_id[name]


@given(st.text(afters | st.characters(exclude_categories=("Cs",))))
def test_characters_are_exchanged_one_for_one(text: str) -> None:
    exchanged = fourth_edition(text)
    if exchanged:
        spelt, back = exchanged
        assert spelt.translate(back) == text
        assert len({*spelt}) == len({*text})


@given(st.text())
def test_a_document_of_xml_1_0_stays_as_it_is(text: str) -> None:
    assert as_xml_1_0(text) == text
    assert as_xml_1_0(f"<?xml version='1.0'?>{text}") == f"<?xml version='1.0'?>{text}"
