"""Registration forms for XML types: RFC 6838 section 5.6, RFC 7303 sections 4.2 and 9.6.1."""

from __future__ import annotations

import pytest

from cturi_rdf import ContentTypeError
from cturi_rdf.xml import Registration, lint_registration

GOOD = {
    "Type name": "application",
    "Subtype name": "recipe+xml",
    "Required parameters": "none",
    "Optional parameters": "charset: same as for application/xml, RFC 7303",
    "Encoding considerations": "Same as those of application/xml, see RFC 7303",
    "Security considerations": "All of RFC 7303 section 10, and hot stoves",
    "Interoperability considerations": "none",
    "Published specification": "The Recipe Language",
    "Applications that use this media type": "kitchens",
    "Fragment identifier considerations": "As in section 5 of RFC 7303",
    "Additional information": "",
    "Magic number(s)": "as in RFC 7303",
    "File extension(s)": ".recipe",
    "Person & email address to contact for further information": "cook@kitchen.example",
    "Intended usage": "COMMON",
    "Restrictions on usage": "none",
    "Author": "The cooks",
    "Change controller": "The cooks",
}


def form(**changed: str | None) -> str:
    fields = GOOD | {name.replace("_", " "): value for name, value in changed.items()}
    return "\n\n".join(f"{name}: {value}" for name, value in fields.items() if value is not None)


@pytest.mark.parametrize(
    ("changed", "problems"),
    [
        ({}, []),
        # RFC 6838.
        ({"Type name": None}, ["must: the form has no type name"]),
        ({"Security considerations": None}, [
            "must: the form has no security considerations",
            "should: the security considerations do not include",
        ]),
        ({"Author": None, "Change controller": None}, [
            "should: the form has no author", "should: the form has no change controller",
        ]),
        ({"Subtype name": "x-recipe+xml"}, ["must: a subtype that begins with 'x-'"]),
        ({"Subtype name": "réc+xml"}, ["must: 'réc+xml' cannot be a subtype name"]),
        ({"Subtype name": "r" * 60 + "+xml"}, []),
        ({"Subtype name": "r" * 61 + "+xml"}, ["should: the subtype name has more than 64"]),
        ({"Subtype name": "recipe+soup"}, ["should: the suffix +soup is not registered"]),
        ({"Subtype name": "atom+xml"}, []),
        ({"Subtype name": "xhtml-voice+xml"}, [
            "should: IANA lists application/xhtml-voice+xml as obsolete",
        ]),
        ({"Intended usage": "often"}, ["must: the intended usage is none of"]),
        ({"Intended usage": "LIMITED USE, in kitchens"}, []),
        ({"Type name": "foo"}, ["must: foo is not a top-level type"]),
        ({"Type name": "chemical"}, ["must: chemical is not a top-level type"]),
        ({"Type name": "x-foo"}, ["must: x-foo is not a top-level type"]),
        ({"Type name": "example"}, ["must: example is not a top-level type"]),
        ({"Type name": "haptics"}, []),
        ({"Subtype name": "foo.bar+xml"}, ["must: a subtype of the standards tree has no '.'"]),
        ({"Subtype name": "vnd.foo.bar+xml"}, []),
        ({"Subtype name": "vc+ld+json", "Fragment identifier considerations": "none"}, [
            "should: application/vc was registered in place of application/vc+ld+json",
        ]),
        ({"Security considerations":
            "There are no security issues associated with this type; see RFC 7303"},
         ["must: the security considerations say only that there are none"]),
        ({"Security considerations": "No security considerations beyond those of RFC 7303"}, []),
        ({"Optional parameters": "my*param: what you like. charset: see RFC 7303"}, [
            "must: 'my*param' cannot be the name of a parameter",
        ]),
        ({"Optional parameters": "charset, profile; see RFC 7303"}, []),
        # RFC 7303.
        ({"Fragment identifier considerations": "none"}, [
            "must: the fragment identifier considerations do not refer to RFC 7303",
        ]),
        ({"Optional parameters": "none"}, ["should: there is no charset parameter"]),
        ({"Optional parameters": "none; documents are in UTF-8"}, []),
        ({"Optional parameters": "charset, as you like"}, [
            "should: the charset parameter is not that of application/xml",
        ]),
        ({"Encoding considerations": "binary"}, ["should: the encoding considerations are not"]),
        ({"Encoding considerations": "strong"}, [
            "must: the encoding considerations are none of 7bit",
            "should: the encoding considerations are not those",
        ]),
        ({"Magic number(s)": "none"}, ["should: magic numbers, base URIs and byte order mark"]),
        ({"Security considerations": "see RFC 3023"}, ["should: the form refers to RFC 3023"]),
        # Of another suffix RFC 7303 asks nothing.
        ({"Subtype name": "recipe+json", "Fragment identifier considerations": "none"}, []),
    ],
)  # fmt: skip
def test_a_form_is_checked_against_the_rules(
    changed: dict[str, str | None], problems: list[str]
) -> None:
    found = [str(finding) for finding in lint_registration(form(**changed))]
    assert len(found) == len(problems), found
    for finding, problem in zip(found, problems, strict=True):
        assert finding.startswith(problem)
        assert "RFC" in finding


def test_fields_are_read_as_they_are_printed() -> None:
    read = Registration.read(
        "   MIME media type name:  Application\n   1. MIME subtype name: A+xml (new)\n"
        "   Author/Change controller:\n      somebody\n      else\n   nothing: of the form\n"
    )
    assert read.essence == "application/a+xml"
    assert read.fields["author"] == "somebody else nothing: of the form"
    assert read.fields["change controller"] == read.fields["author"]


def test_a_form_is_for_the_type_that_is_described() -> None:
    (finding,) = lint_registration(form(), "application/soup+xml")
    assert "is for application/recipe+xml, not for application/soup+xml" in finding.problem
    with pytest.raises(ContentTypeError):
        lint_registration(form(), "soup")
