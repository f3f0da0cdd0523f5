"""The value and its two doors: RFC 2045, RFC 9110, RFC 2231, WHATWG MIME Sniffing."""

from __future__ import annotations

import copy
import re

import pytest
from hypothesis import given
from strategies import content_types, hostile_text, uri_tree

from cturi_rdf import ContentType, ContentTypeError, CturiError

pytestmark = pytest.mark.usefixtures("both_readings")

# A header, its essence, its parameters, and how it is printed.
READ = [
    ("text/html", "text/html", {}, "text/html"),
    ("TEXT/Html;Charset=UTF-8", "text/html", {"charset": "UTF-8"}, "text/html; charset=UTF-8"),
    ("Content-Type: text/csv", "text/csv", {}, "text/csv"),
    ("content-type:text/csv", "text/csv", {}, "text/csv"),
    ("a/b;", "a/b", {}, "a/b"),
    ("a/b;;c=d;; ", "a/b", {"c": "d"}, "a/b; c=d"),
    ("a/b ; c = d", "a/b", {"c": "d"}, "a/b; c=d"),
    (" a / b ", "a/b", {}, "a/b"),
    ("(x (y)) a/b (\\)); c=d (e)", "a/b", {"c": "d"}, "a/b; c=d"),
    ('a/b; c="(no comment)"', "a/b", {"c": "(no comment)"}, 'a/b; c="(no comment)"'),
    ('a/b; c="d;e=f"', "a/b", {"c": "d;e=f"}, 'a/b; c="d;e=f"'),
    ('a/b; c="\\"\\d"', "a/b", {"c": '"d'}, 'a/b; c="\\"d"'),
    ('a/b; c=""', "a/b", {"c": ""}, 'a/b; c=""'),
    ("a/b;\r\n c=d", "a/b", {"c": "d"}, "a/b; c=d"),
    ('a/b; c="d\r\n e"', "a/b", {"c": "d e"}, 'a/b; c="d e"'),
    ("a/b; c=d'", "a/b", {"c": "d'"}, "a/b; c=d'"),
    ("x-{a}|b/c^`~", "x-{a}|b/c^`~", {}, "x-{a}|b/c^`~"),
    ("x-FOO?bar/b#C", "x-foo?bar/b#c", {}, "x-foo?bar/b#c"),
    ("a/b; t*=utf-8'de'%E2%82%AC", "a/b", {"t": "€"}, "a/b; t*=utf-8''%E2%82%AC"),
    ("a/b; t*=iso-8859-1''%A3", "a/b", {"t": "£"}, "a/b; t*=utf-8''%C2%A3"),
    ("a/b; t*1=c; T*0*=''b%20", "a/b", {"t": "b c"}, 'a/b; t="b c"'),
    ('a/b; t="naïve"', "a/b", {"t": "naïve"}, "a/b; t*=utf-8''na%C3%AFve"),
    ('a/b; t="1\t2"', "a/b", {"t": "1\t2"}, "a/b; t*=utf-8''1%092"),
    ("a/b; *=c; d*e=f", "a/b", {"*": "c", "d*e": "f"}, "a/b; *=c; d*e=f"),
    # A suffix counts once; the rest is part of the name.
    ("a/b; c*0*0=d", "a/b", {"c*0*0": "d"}, "a/b; c*0*0=d"),
    ("a/b; c**=utf-8''d", "a/b", {"c**": "utf-8''d"}, "a/b; c**=utf-8''d"),
    ("a/b; c*0**=utf-8''d", "a/b", {"c*0**": "utf-8''d"}, "a/b; c*0**=utf-8''d"),
    ('a/b; c*0*0="é"', "a/b", {"c*0*0": "é"}, 'a/b; c*0*0="é"'),
    ("a/b; c*d*=utf-8''%09", "a/b", {"c*d": "\t"}, "a/b; c*d*=utf-8''%09"),
    # The extended form counts before the sections, and either before the plain one.
    ("a/b; c=1; c*=utf-8''%E2%82%AC", "a/b", {"c": "€"}, "a/b; c*=utf-8''%E2%82%AC"),
    ("a/b; C*=utf-8''%E2%82%AC; c=1", "a/b", {"c": "€"}, "a/b; c*=utf-8''%E2%82%AC"),
    ("a/b; c=1; c*0=2; c*1=3", "a/b", {"c": "23"}, "a/b; c=23"),
    ("a/URI.X%3AY; uri-FRAGMENT*=utf-8''a%20b", "a/uri.X%3AY", {"uri-fragment": "a b"},
     'a/uri.X%3AY; URI-fragment="a b"'),
    ("a/URI.X%3AY; Key=1; Uri-Fragment=2", "a/uri.X%3AY", {"Key": "1", "uri-fragment": "2"},
     "a/uri.X%3AY; Key=1; URI-fragment=2"),
]  # fmt: skip


@pytest.mark.parametrize(("header", "essence", "parameters", "printed"), READ)
def test_a_header_is_read_and_printed(
    header: str, essence: str, parameters: dict[str, str], printed: str
) -> None:
    content_type = ContentType.parse(header)
    assert content_type.essence == essence == f"{content_type.type}/{content_type.subtype}"
    assert dict(content_type.parameters) == parameters
    assert str(content_type) == printed
    assert ContentType.parse(printed) == content_type


# A header, its fault, and the text under the caret.
REFUSED = [
    ("", "an empty Content-Type", ""),
    ("  ", "an empty Content-Type", ""),
    ("Content-Type:", "an empty Content-Type", ""),
    ("text", "the subtype is missing", ""),
    ("text;charset=utf-8", "the subtype is missing", ""),
    ("text/", "the subtype is missing", ""),
    ("text/;a=b", "the subtype is missing", ""),
    ("/html", "the type is missing", ""),
    ("text html", "the subtype is missing", ""),
    ("<text/html>", "a character out of place", "<"),
    ('text/"html"', "a character out of place", '"'),
    ("text/ht@ml", "a character out of place", "@"),
    ("text/html, text/css", "a list instead of one type", ", text/css"),
    ("a/b/c", "a second '/'", "/"),
    ("text/html charset=utf-8", "a missing ';'", ""),
    ('a/b; c="d" e=f', "a missing ';'", ""),
    ("a/b; c=d e", "a missing ';'", ""),
    ("a/b; c", "a parameter without a value", "c"),
    ("a/b; c; d=e", "a parameter without a value", "c"),
    ("a/b; c=", "a parameter without a value", "c="),
    ("a/b; c=; d=e", "a parameter without a value", "c="),
    ("a/b; =c", "a parameter without a name", "="),
    ("a/b; c:d", "a character out of place", ":"),
    ("a/b; c=d/e; f=g", "a value that needs quotes", "d/e"),
    ("a/b; c=/d", "a value that needs quotes", "/d"),
    ('a/b; c="d', "an unterminated quoted string", '"d'),
    ('a/b; c="d\\"', "an unterminated quoted string", '"d\\"'),
    ("a/b (c", "an unterminated comment", "(c"),
    ("a/b (c (d)", "an unterminated comment", "(c (d)"),
    ("a/b; c=1; C=2", "the parameter 'c' twice", "C=2"),
    ("a/b; c*=''1; C*=''2", "the parameter 'c*' twice", "C*=''2"),
    ("a/b\r\nX: y", "a bare line break", "\r"),
    ("a/b\n", "a bare line break", "\n"),
    ("a/b; c=d\x00", "a control character", "\x00"),
    ('a/b; c="\x1b[0m"', "a control character", "\x1b"),
    ("a/b; c=\x7f", "a value that needs quotes", "\x7f"),
    ("text/pläin", "a non-ASCII character in a name", "ä"),
    ("tëxt/plain", "a non-ASCII character in a name", "ë"),
    ("a/b; ç=d", "a parameter without a name", "ç"),
    ("a/b; c*1=d", "sections of 'c' that do not make one value", "c*1=d"),
    ("a/b; c*0=d; c*2=e", "sections of 'c' that do not make one value", "c*2=e"),
    ("a/b; c*0=d; c*=''e", "sections of 'c' that do not make one value", "c*0=d"),
    ("a/b; c*=d", "an extended value that cannot be decoded", "c*=d"),
    ("a/b; c*=''%d", "an extended value that cannot be decoded", "c*=''%d"),
    ("a/b; c*=\"''d\"", "an extended value that cannot be decoded", "c*=\"''d\""),
    ("a/b; c*0=d; c*1*=e", "an extended value that cannot be decoded", "c*1*=e"),
    ("a/b; c*=utf-8''%FF", "an extended value that is not valid in its charset", "c*=utf-8''%FF"),
    ("a/b; c*=klingon''d", "an extended value that is not valid in its charset", "c*=klingon''d"),
    ("a/b; c*=rot13''d", "an extended value that is not valid in its charset", "c*=rot13''d"),
    ("a/b; c*=idna''d", "an extended value that is not valid in its charset", "c*=idna''d"),
    ('a/b; c*0*0="1\t2"', "a control character in a value that cannot be encoded", 'c*0*0="1\t2"'),
    ("a/b; c*=''%0A", "a control character in an extended value", "c*=''%0A"),
]


@pytest.mark.parametrize(("header", "problem", "blamed"), REFUSED)
def test_a_broken_header_is_refused_and_shown(header: str, problem: str, blamed: str) -> None:
    with pytest.raises(ContentTypeError) as caught:
        ContentType.parse(header)
    error = caught.value
    start, end = error.span
    assert (error.problem, error.text[start:end]) == (problem, blamed)
    assert error.expected
    assert error.rule.startswith("RFC ")
    assert "\n" not in error.summary


def test_an_error_has_a_caret_under_the_span_what_was_expected_and_the_rule() -> None:
    with pytest.raises(ContentTypeError) as caught:
        ContentType.parse("text/html; charset=utf 8")
    assert str(caught.value).splitlines() == [
        "a missing ';'",
        "    text/html; charset=utf 8",
        "                           ^ expected ';' (RFC 2045 section 5.1)",
    ]


def test_an_error_shows_a_long_text_around_the_span_only_and_no_control_character() -> None:
    header = "text/plain; a=b" + "; x=y" * 50 + "; bell=\x07;" + "; x=y" * 5_000
    with pytest.raises(ContentTypeError) as caught:
        ContentType.parse(header)
    shown = str(caught.value)
    assert len(shown) < 400
    _, text, caret = shown.splitlines()
    assert re.fullmatch(r"    ….+\\x07.+…", text)
    assert text.index("\\x07") == caret.index("^")
    assert "\x07" not in shown + caught.value.summary


@given(content_types | uri_tree)
def test_no_header_holds_a_control_character(content_type: ContentType) -> None:
    for header in (str(content_type), content_type.to_header(quote="always")):
        assert not any(c < " " or "\x7f" <= c <= "\x9f" for c in header)


@given(content_types)
def test_order_and_case_do_not_count(content_type: ContentType) -> None:
    parameters = reversed(list(content_type.parameters.items()))
    other = ContentType(
        content_type.type.upper(),
        content_type.subtype.upper(),
        {name.upper(): v.upper() if name == "charset" else v for name, v in parameters},
    )
    same_charset = all(
        value.upper().lower() == value.lower()
        for name, value in content_type.parameters.items()
        if name == "charset"
    )
    assert (other == content_type) is same_charset
    assert not same_charset or hash(other) == hash(content_type)


def test_any_other_value_of_a_parameter_counts_exactly() -> None:
    assert ContentType.parse("a/b; c=D") != ContentType.parse("a/b; c=d")
    assert ContentType.parse("a/b; charset=D") == ContentType.parse("a/b; charset=d")


def test_in_the_uri_tree_case_and_order_are_data() -> None:
    one = ContentType.parse("application/uri.http%3A%2F%2Fx; a=1; B=2")
    assert one != ContentType.parse("application/uri.http%3A%2F%2Fx; a=1; b=2")
    assert one != ContentType.parse("application/uri.http%3A%2F%2Fx; B=2; a=1")
    assert one == ContentType.parse("APPLICATION/URI.http%3A%2F%2Fx; a=1; B=2")


def test_a_value_is_immutable_and_copies_are_itself() -> None:
    content_type = ContentType.parse("text/html; charset=utf-8")
    with pytest.raises(AttributeError):
        content_type.type = "image"  # type: ignore[misc]
    with pytest.raises(TypeError):
        content_type.parameters["charset"] = "x"  # type: ignore[index]
    assert copy.deepcopy(content_type) is copy.copy(content_type) is content_type
    assert eval(repr(content_type), {"ContentType": ContentType}) == content_type  # noqa: S307


@pytest.mark.parametrize(
    "parts",
    [
        ("text", ""),
        ("te xt", "html"),
        ("text", "html\n"),
        ("text", "html", {"a b": "c"}),
        ("text", "html", {"a": "b", "A": "c"}),
        ("text", "html", {"a*": "b"}),
        ("text", "html", {"a*0": "b"}),
        ("text", "html", {"a": "b\r\nc"}),
        ("text", "html", {"a": "\ud800"}),
    ],
)
def test_a_value_is_made_of_what_a_header_can_hold(parts: tuple[str, str]) -> None:
    with pytest.raises(ContentTypeError):
        ContentType(*parts)


@pytest.mark.parametrize(
    ("essence", "suffix"),
    [
        ("image/svg+xml", "xml"),
        ("application/vnd.a+ld+json", "json"),
        ("audio/amr-wb+", None),
        ("text/xml", None),
        ("application/uri.urn%3Aa+xml", None),
    ],
)
def test_the_suffix_is_what_follows_the_last_plus(essence: str, suffix: str | None) -> None:
    assert ContentType.parse(essence).suffix == suffix


@given(hostile_text)
def test_any_text_parses_or_raises_its_own_error(text: str) -> None:
    try:
        content_type = ContentType.parse(text)
    except ContentTypeError as error:
        start, end = error.span
        assert 0 <= start <= end <= len(error.text)
        assert str(error)
    else:
        assert ContentType.parse(str(content_type)) == content_type


@pytest.mark.parametrize("text", ["text/html", "text/html; charset=utf-8", "text"])
def test_a_constructor_without_a_subtype_points_to_parse(text: str) -> None:
    with pytest.raises(TypeError, match=r"ContentType\.parse\('text"):
        ContentType(text)


def test_a_content_type_has_no_order_with_anything_else() -> None:
    assert ContentType("text", "csv") != "text/csv"
    with pytest.raises(TypeError):
        assert ContentType("text", "csv") < "text/csv"  # type: ignore[operator]


@pytest.mark.parametrize(
    ("header", "charset"),
    [("text/csv", None), ("text/csv; charset=UTF-8", "utf-8"), ('text/csv; charset=""', "")],
)
def test_the_charset_is_one_in_lower_case(header: str, charset: str | None) -> None:
    assert ContentType.parse(header).charset == charset


def test_parts_that_are_not_legal_replace_nothing() -> None:
    with pytest.raises(ContentTypeError):
        ContentType("text", "csv").replace(subtype="a b")
    assert ContentType.parse("text/csv; a=b").replace(parameters={}) == ContentType("text", "csv")


def test_an_error_without_a_span_is_about_the_whole_text() -> None:
    error = CturiError("no octets", "text", expected="base64", rule="RFC 4648 section 4")
    assert error.span == (0, 4)


@pytest.mark.parametrize(("rule", "end"), [("", ""), ("RFC 4648", " (RFC 4648)")])
def test_an_error_ends_with_what_was_expected_and_its_rule_if_there_is_one(
    rule: str, end: str
) -> None:
    error = CturiError("no octets", "text", expected="base64", rule=rule)
    assert str(error) == f"no octets\n    text\n    ^^^^ expected base64{end}"
    assert error.summary == f"no octets, 'text': expected base64{end}"
