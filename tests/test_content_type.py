"""The value and its two doors: RFC 2045, RFC 9110, RFC 2231, WHATWG MIME Sniffing."""

from __future__ import annotations

import copy
import pickle
from functools import partial
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import content_types, hostile_text, uri_tree

from cturi_rdf import ContentType, ContentTypeError, CturiError

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
    # A suffix counts once; what is left over is part of the name.
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


# A header, what is wrong with it, and the text under the caret.
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
    ("text/html, text/css", "a list, where one type is wanted", ", text/css"),
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
    ("a/b; c*=utf-8''%FF", "an extended value that is not of its charset", "c*=utf-8''%FF"),
    ("a/b; c*=klingon''d", "an extended value that is not of its charset", "c*=klingon''d"),
    ("a/b; c*=rot13''d", "an extended value that is not of its charset", "c*=rot13''d"),
    ("a/b; c*=idna''d", "an extended value that is not of its charset", "c*=idna''d"),
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
    assert "\\x07" in shown
    assert "\x07" not in shown + caught.value.summary


def test_an_error_survives_pickling() -> None:
    with pytest.raises(CturiError) as caught:
        ContentType.parse("text")
    again = pickle.loads(pickle.dumps(caught.value))  # noqa: S301 - our own bytes
    assert (type(again), str(again)) == (ContentTypeError, str(caught.value))


@given(content_types | uri_tree)
def test_what_is_printed_reads_as_the_same(content_type: ContentType) -> None:
    assert ContentType.parse(str(content_type)) == content_type
    assert ContentType.parse(content_type.to_header(quote="always")) == content_type


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


@given(content_types, content_types)
def test_equality_and_hash_agree(one: ContentType, other: ContentType) -> None:
    assert (one == other) <= (hash(one) == hash(other))
    assert one != str(one)


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
    assert pickle.loads(pickle.dumps(content_type)) == content_type  # noqa: S301 - our own bytes
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


@given(hostile_text)
def test_any_text_recovers_with_its_defects_or_reads_strictly(text: str) -> None:
    recovered = ContentType.recover(text)
    if not recovered.defects:
        assert recovered.content_type == ContentType.parse(text)
    elif recovered.content_type is not None:
        assert ContentType.parse(str(recovered.content_type)) == recovered.content_type


@pytest.mark.parametrize(
    ("header", "recovered", "defects"),
    [
        ("text/html;;charset", "text/html", ["a parameter without a value"]),
        ("text/html; charset=", "text/html", ["a parameter without a value"]),
        ("text/html\n", "text/html", ["a bare line break"]),
        ("text/html; a=b c", 'text/html; a="b c"', ["a value that needs quotes"]),
        ("a/b; c=1; c=2", "a/b; c=1", ["the parameter 'c' again"]),
        ('a/b; c="d" e', "a/b; c=d", ["text after a quoted string"]),
        ('a/b; c="d\\', 'a/b; c="d\\\\"', ["an unterminated quoted string"]),
        ('a/b; c="€"', "a/b", ["a value that no header holds"]),
        ("a/b; c d=e", "a/b", ["a parameter whose name is no token"]),
        ("a/b; c*=d; e=f", "a/b; e=f", ["an extended value that cannot be decoded"]),
        ("a/b; c*=utf-8''d", "a/b; c=d", []),
        ("a/b; c=d; c*=utf-8''%FF", "a/b; c=d", ["an extended value that is not of its charset"]),
        ("a/b; c*=utf-8''d; c*0=e", "a/b; c=d", ["sections of 'c' that do not make one value"]),
        ("a/b; c*0=d; c*0*=''e", "a/b; c=d", ["the parameter 'c*0*' twice"]),
        ("a/b; c*0=d; c*1*=%25", "a/b; c=d%", ["an extended value that cannot be decoded"]),
        ("a/b; c*=\"utf-8''%20\"", 'a/b; c=" "', ["an extended value that cannot be decoded"]),
        # One bad parameter does not take the good ones with it.
        (
            "text/plain; title*=utf-8''%e2%82%ac; name*=bogus''%ff; q=1",
            "text/plain; title*=utf-8''%e2%82%ac; q=1",
            ["an extended value that is not of its charset"],
        ),
        ("text", None, ["no type"]),
        ("text/", None, ["the subtype is missing"]),
    ],
)
def test_a_lenient_result_carries_its_defects(
    header: str, recovered: str | None, defects: list[str]
) -> None:
    result = ContentType.recover(header)
    expected = None if recovered is None else ContentType.parse(recovered)
    assert result.content_type == expected
    assert [defect.problem for defect in result.defects] == defects
    assert all(problem in repr(result) for problem in defects)


# Nonsense of other parsers' tables, and the parameters that are sound in it.
MESSY = [
    (
        """test/encoded; key4*=us-ascii''foo; key*9999=ba%; key2*0=a; key3*0*=us-ascii'en'xyz;\
 key*0="f\x00oo"; key2*1*=b%25; key3*1=plop%; key*1=baz; *=test; =test2;""",
        {"key4": "foo", "key2": "ab%", "key3": "xyzplop%", "*": "test"},
        ["key*0", "=test2", "key*9999", "key2*1*"],
    ),
    (
        """malicious/attempt; 1*2*=a; 3**=b; 4***=c; *5**6*=d;*****7*8*=e; 9*10*11*12*13*14=f;\
 15*x***fff*===g;1 * 999999999999999999 *= h; 18 *=*=*=*=*==i;""",
        {"3**": "b", "4***": "c", "*5**6*": "d", "*****7*8*": "e", "9*10*11*12*13*14": "f"},
        ["1*2*", "15*x***fff*", "1 * 9", "18 *"],
    ),
]


@pytest.mark.parametrize(("header", "sound", "broken"), MESSY)
def test_one_bad_parameter_takes_no_good_one_with_it(
    header: str, sound: dict[str, str], broken: list[str]
) -> None:
    recovered = ContentType.recover(header)
    content_type, defects = recovered.content_type, recovered.defects
    assert content_type is not None
    assert dict(content_type.parameters) == sound
    blamed = [defect.text[slice(*defect.span)] for defect in defects]
    for name in broken:
        assert any(text.startswith(name) for text in blamed), name


@pytest.mark.parametrize(
    "nonsense",
    [
        "a/b" + "; c" * 100_000,
        "a/b" + "(" * 300_000,
        "(" * 150_000 + ")" * 150_000,
        'a/b; c="' + "\\" * 300_000,
        "a/b; " + "c*0" * 100_000,
        "a/b; " + "; ".join(f"c*{n}=d" for n in range(40_000)),
        "a/b; " + "; ".join(f"c{n}=d" for n in range(40_000)),
        "a/b; c*=''" + "%41" * 100_000,
        "/" * 300_000,
        " " * 300_000,
        "a/b;" + " " * 300_000 + "c",
        '"' * 300_000,
        'a/b; c="' + '"(' * 100_000,
    ],
    ids=range(13),
)
def test_a_flood_of_nonsense_is_read_or_refused_in_linear_time(nonsense: str) -> None:
    # No clock: a quadratic step over 300,000 characters would hold the suite for minutes.
    by_mail = partial(ContentType.recover, rules="mail")
    for read in (ContentType.parse, ContentType.recover, by_mail):
        try:
            read(nonsense)
        except ContentTypeError as error:
            assert len(str(error)) < 1_000


@pytest.mark.parametrize("text", ["text/html", "text/html; charset=utf-8", "text"])
def test_a_constructor_without_a_subtype_points_to_parse(text: str) -> None:
    with pytest.raises(TypeError, match=r"ContentType\.parse\('text"):
        ContentType(text)


def test_a_content_type_has_no_order_with_anything_else() -> None:
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
    copied = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes
    assert (copied.span, copied.expected, copied.rule) == ((0, 4), "base64", "RFC 4648 section 4")


# Names of parameters, each with the name of the parameter that it is a form of (RFC 2231).
FORMS = {
    "a": "a", "b": "b", "C": "c", "a*": "a", "a*0": "a", "a*1": "a", "a*0*": "a", "a*1*": "a",
    "a*2": "a", "a**": "a**", "a*0*0": "a*0*0", "*": "*", "d e": None, "é": None, "": None,
}  # fmt: skip
VALUES = [
    "x", '"x y"', '""', "", "x y", "a,b", "é", '"x" y', '"a;b=c"', "x=y", "'", "%41",
    "utf-8''x", "utf-8'en'%41", "''%e2%82%ac", "iso-8859-1''%e9", "bogus''%41", "utf-8''%ff",
    "utf-8''%0a",
]  # fmt: skip


@given(
    st.lists(st.tuples(st.sampled_from(sorted(FORMS)), st.sampled_from(VALUES)), max_size=6),
    st.sampled_from(["web", "mail"]),
)
def test_no_parameter_is_lost_without_a_defect(
    pieces: list[tuple[str, str]], rules: Literal["web", "mail"]
) -> None:
    text = "x/y" + "".join(f"; {name}={value}" for name, value in pieces)
    recovered = ContentType.recover(text, rules=rules)
    assert recovered.content_type is not None
    blamed: set[str | None] = set()
    names: set[str] = set()
    end = len("x/y")
    for name, value in pieces:
        start, end = end + 2, end + len(f"; {name}={value}")
        has_defect = any(
            low <= end and start <= high for low, high in (one.span for one in recovered.defects)
        )
        if has_defect:
            blamed.add(FORMS[name])
            continue
        # Of two with one name the second is a defect; so is one whose name is no token.
        assert FORMS[name], text
        assert name.lower() not in names, text
        names.add(name.lower())
    forms = {FORMS[name] for name, _ in pieces}
    assert forms - blamed <= set(recovered.content_type.parameters), text
