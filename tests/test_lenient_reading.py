"""Content-Types read leniently: the parts that are kept, and the defects of the rest."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import hostile_text

from cturi_rdf import ContentType, ContentTypeError

if TYPE_CHECKING:
    from cturi_rdf.content_type.grammar import Rules

pytestmark = pytest.mark.usefixtures("both_readings")


@given(hostile_text)
@example(" ")
@example("Content-Type: ")
def test_any_text_recovers_with_its_defects_or_reads_strictly(text: str) -> None:
    recovered = ContentType.recover(text)
    for defect in recovered.defects:
        assert 0 <= defect.span[0] <= defect.span[1] <= len(defect.text)
    if not recovered.defects:
        assert recovered.content_type == ContentType.parse(text, rules="http")
    elif recovered.content_type is not None:
        assert ContentType.parse(str(recovered.content_type)) == recovered.content_type


PIECES = [
    "text", "/", "html", ";", "=", " ", "\t", "\n", "\r\n ", '"', "(", ")", "?", "{", "\x00", "é",
    "Content-Type:", "uri.", "*",
]  # fmt: skip


@given(hostile_text | st.lists(st.sampled_from(PIECES)).map("".join))
@example("text/html")
def test_whatever_the_web_reads_mail_reads_with_the_same_type(text: str) -> None:
    of_web = ContentType.recover(text, rules="http").content_type
    if of_web is not None:
        of_mail = ContentType.recover(text, rules="mail").content_type
        assert of_mail is not None
        assert of_mail.essence == of_web.essence


@pytest.mark.parametrize(
    ("header", "recovered", "defects"),
    [
        ("text/html;;charset", "text/html", ["a parameter without a value"]),
        ("text/html; charset=", "text/html", ["a parameter without a value"]),
        ("text/html\n", "text/html", ["a bare line break"]),
        ("text/html; a=b c", 'text/html; a="b c"', ["a value that needs quotes"]),
        ("a/b; c=1; c=2", "a/b; c=1", ["the parameter 'c' twice"]),
        ('a/b; c="d" e', "a/b; c=d", ["text after a quoted string"]),
        ('a/b; c="d\\', 'a/b; c="d\\\\"', ["an unterminated quoted string"]),
        ('a/b; c="€"', "a/b", ["a value that no header holds"]),
        ("a/b; c d=e", "a/b", ["a parameter whose name is not a token"]),
        ("a/b; c*=d; e=f", "a/b; e=f", ["an extended value that cannot be decoded"]),
        ("a/b; c*=utf-8''d", "a/b; c=d", []),
        (
            "a/b; c=d; c*=utf-8''%FF",
            "a/b; c=d",
            ["an extended value that is not valid in its charset"],
        ),
        ("a/b; c*=utf-8''d; c*0=e", "a/b; c=d", ["sections of 'c' that do not make one value"]),
        ("a/b; c*0=d; c*0*=''e", "a/b; c=d", ["the parameter 'c*0*' twice"]),
        ("a/b; c*0=d; c*1*=%25", "a/b; c=d%", ["an extended value that cannot be decoded"]),
        ("a/b; c*=\"utf-8''%20\"", 'a/b; c=" "', ["an extended value that cannot be decoded"]),
        # One bad parameter does not take the good ones with it.
        (
            "text/plain; title*=utf-8''%e2%82%ac; name*=bogus''%ff; q=1",
            "text/plain; title*=utf-8''%e2%82%ac; q=1",
            ["an extended value that is not valid in its charset"],
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


@pytest.mark.daily(2)
@pytest.mark.usefixtures("linear_time")
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
    by_mail = partial(ContentType.recover, rules="mail")
    for read in (ContentType.parse, ContentType.recover, by_mail):
        try:
            read(nonsense)
        except ContentTypeError as error:
            assert len(str(error)) < 1_000


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
    st.sampled_from(["http", "mail", "any"]),
)
def test_no_parameter_is_lost_without_a_defect(pieces: list[tuple[str, str]], rules: Rules) -> None:
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


# A header, and the text of each of its defects, as the web and as mail reads it.
BLAMED = [
    ("text/html;;charset", ["charset"], ["charset"]),
    ("text/html; a=b c; d", ["b c", "d"], ["b c", "d"]),
    ("a/b; c=1; c=2", ["c=2"], ["c=2"]),
    ('a/b; c="d" e; f=g', [" e"], [""]),
    ('a/b; c="d', ['"d'], ['"d']),
    ('a/b; c="€"; d=e', ['c="€"'], []),
    ("a/b; c d=e", ["c d=e"], ["d"]),
    ("text", ["text"], [""]),
    ("text/ ;a=b", [" "], [""]),
    ("a/b ; c = d", [" d", "c = d"], []),
    ("a/b; =c", ["=c"], ["="]),
    ("a/b; c=; d=e", [""], ["c="]),
    ("a/b (c", ["b (c"], ["(c"]),
]


@pytest.mark.parametrize(("header", "by_web", "by_mail"), BLAMED)
def test_a_defect_is_shown_where_it_is(header: str, by_web: list[str], by_mail: list[str]) -> None:
    for rules, blamed in (("http", by_web), ("mail", by_mail)):
        defects = ContentType.recover(header, rules=rules).defects
        assert [defect.text[slice(*defect.span)] for defect in defects] == blamed
