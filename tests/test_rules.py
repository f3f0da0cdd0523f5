"""Which grammar a Content-Type is read by: that of HTTP, that of mail, or either."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rdflib import SH, Graph, Literal, URIRef
from rdflib.plugins.sparql import prepareQuery
from strategies import content_types, hostile_text

from cturi_rdf import ContentType, ContentTypeError
from cturi_rdf.content_type import grammar
from cturi_rdf.facts import problem
from cturi_rdf.mime import Disposition

if TYPE_CHECKING:
    from cturi_rdf.content_type.grammar import Rules

pytestmark = pytest.mark.usefixtures("both_readings")

RULES: tuple[Rules, ...] = ("any", "http", "mail")
PIECES = st.sampled_from([
    "text", "/", "csv", ";", "; ", "charset", "=", " = ", "utf-8", '"', '"a b"', "(c)", " ", "\t",
    "\r\n ", "?", "{", "é", "Ā", '"Ā"', "Content-Type: ", "*", "*0", "*1", "''%41", "''%e9", "\\",
    "utf-8''%c3%a9", '"=?utf-8?q?=41?="', ",", "\n",
])  # fmt: skip
_texts = st.lists(PIECES).map("".join) | hostile_text | content_types.map(str)
_headers = _texts | _texts.map("text/csv{}".format) | _texts.map("text/csv; a={}".format)


def _parsed(text: str, rules: Rules) -> ContentType | None:
    try:
        return ContentType.parse(text, rules=rules)
    except ContentTypeError:
        return None


@given(_headers, st.sampled_from(RULES))
def test_a_lenient_reading_takes_what_the_strict_one_takes(text: str, rules: Rules) -> None:
    strict, lenient = _parsed(text, rules), ContentType.recover(text, rules=rules)
    assert (strict is None) is (lenient.content_type is None or bool(lenient.defects))
    if strict is not None:
        assert lenient.content_type == strict


@given(_headers)
def test_what_http_or_mail_allows_is_read_alike_by_any_rules(text: str) -> None:
    for rules in RULES:
        strict = _parsed(text, rules)
        assert strict in {None, _parsed(text, "any")}
        if ContentType.recover(text, rules=rules).content_type is not None:
            assert ContentType.recover(text, rules="any").content_type is not None


@given(_headers, st.sampled_from(["x", "; x", ";y;", " ; x "]))
def test_no_slip_loses_what_was_read_without_it(text: str, slip: str) -> None:
    read = _parsed(text, "mail")
    if read is not None and not text.endswith(("=", "\\")):
        for rules in ("any", "mail"):
            again = ContentType.recover(f"{text};{slip}", rules=rules).content_type
            assert again is not None
            assert dict(read.parameters).items() <= dict(again.parameters).items()


# A text, whether HTTP and mail allow it, and what HTTP says against it.
TEXTS = [
    ("text/csv", True, True, ""),
    (" text/csv ;charset=utf-8; ", True, True, ""),
    ('text/csv; a="b\\"\tc"', True, True, ""),
    ("text / csv", False, True, "white space beside '/' or '='"),
    ("text/csv (comment)", False, True, "a comment"),
    ("Content-Type: text/csv", False, False, "the name of the field"),
    ("content-type : text/csv", False, False, "the name of the field"),
    ("text/csv\r\n ; charset=utf-8", False, True, "a line break"),
    ('text/csv; a="b\r\n c"', False, True, "a line break"),
    ("text/csv; charset = utf-8", False, True, "white space beside '/' or '='"),
    ("text/csv; charset= utf-8", False, True, "white space beside '/' or '='"),
    ("text/csv; charset=utf-8 (comment)", False, True, "a comment"),
    ("text/csv; (comment) charset=utf-8", False, True, "a comment"),
    ("text/csv; a={b}", False, True, "a character out of place"),
    ("x-FOO?bar/b", False, False, "a character out of place"),
    ('text/csv; a="Ā"', False, True, "a character beyond Latin-1"),
    ('text/csv; a="é"', True, True, ""),
    ('text/csv; a="=?utf-8?q?b?="', True, False, ""),
    ('text/csv; a="b" c="d"', False, False, "a missing ';'"),
    ("text/csv; title=é", False, False, "a value that needs quotes"),
    ("text/csv; a=b; a=c", False, False, "the parameter 'a' twice"),
]


@pytest.mark.parametrize(("text", "http", "mail", "problem"), TEXTS)
def test_each_grammar_takes_its_own(text: str, http: bool, mail: bool, problem: str) -> None:
    assert (_parsed(text, "http") is not None) is http
    assert (_parsed(text, "mail") is not None) is mail
    if not http:
        with pytest.raises(ContentTypeError) as caught:
            ContentType.parse(text, rules="http")
        assert caught.value.problem == problem
        start, end = caught.value.span
        assert 0 <= start <= end <= len(text)
        assert caught.value.rule.startswith("RFC ")


@given(_headers, st.sampled_from(RULES))
def test_an_error_of_any_grammar_shows_its_place(text: str, rules: Rules) -> None:
    try:
        ContentType.parse(text, rules=rules)
    except ContentTypeError as error:
        start, end = error.span
        assert 0 <= start <= end <= len(error.text)


# RFC 2047 section 5 forbids encoded words in parameters; mailers write them all the same.
ENCODED_WORDS = [
    ('"=?utf-8?Q?caf=C3=A9.pdf?="', "café.pdf"),
    ('"=?UTF-8?B?Y2Fmw6kucGRm?="', "café.pdf"),
    ("=?iso-8859-1?q?caf=E9?=.pdf", "café.pdf"),
    ('"=?utf-8?Q?caf=C3=A9?= =?utf-8?Q?.pdf?="', "café.pdf"),
    # What does not decode to text stays as it is, with the defect.
    ('"=?klingon?Q?caf=C3=A9?="', "=?klingon?Q?caf=C3=A9?="),
    ('"=?utf-8?Q?=FF?="', "=?utf-8?Q?=FF?="),
    ('"=?utf-8?Q?=0A?="', "=?utf-8?Q?=0A?="),
]


@pytest.mark.parametrize(("value", "name"), ENCODED_WORDS)
def test_an_encoded_word_in_the_name_of_a_file_is_decoded_with_a_defect(
    value: str, name: str
) -> None:
    disposition, defects = Disposition.recover(f"attachment; filename={value}")
    assert disposition is not None
    assert disposition.filename == name
    assert defects[-1].problem == "an encoded word in a parameter"


# Parameters of RFC 2231 that are not whole, and what is sound in them.
PARTLY_SOUND = [
    ('t*0="foo"; t*2="bar"', "foo", "sections of 't' that do not make one value"),
    ("t*0*=utf-8''%c3%a9; t*1=b; t*3=d", "éb", "sections of 't' that do not make one value"),
    ('t*1="foo"', None, "sections of 't' that do not make one value"),
    ("t*=''%41", "A", ""),
    ("t*=''%c3%a4", None, "octets without a charset"),
    ("t*=''%c3%a4; t=a", "a", "octets without a charset"),
    ("t*0=a; t*1*=%c3%a4; t=b", "b", "an extended value that cannot be decoded"),
    ("t*=\"iso-8859-1''na%EFve\"", "naïve", "an extended value that cannot be decoded"),
]


@pytest.mark.parametrize(("parameters", "value", "problem"), PARTLY_SOUND)
def test_what_is_sound_of_a_continued_value_is_kept(
    parameters: str, value: str | None, problem: str
) -> None:
    text = f"a/b; {parameters}"
    for rules in RULES:
        recovered = ContentType.recover(text, rules=rules)
        assert recovered.content_type is not None
        assert recovered.content_type.parameters.get("t") == value
        problems = [defect.problem for defect in recovered.defects]
        assert problems[:1] == ([problem] if problem else [])
    assert (_parsed(text, "any") is None) is bool(problem)


def _shape() -> str:
    """Return the part of the query that refuses a text that has to be a header."""
    shapes = Graph().parse(Path(__file__).parents[1] / "ontology" / "shapes" / "catalogue.ttl")
    shape = URIRef("https://w3id.org/cturi/shapes#HeaderIsWellFormed")
    constraint = shapes.value(shape, SH.sparql)
    query = str(shapes.value(constraint, SH.select))
    return "BIND (CONCAT" + query.partition("BIND (CONCAT")[2].rpartition("}")[0]


SHAPE = _shape()
# rdflib takes longer to read the query than to answer it.
PREPARED = prepareQuery(f"ASK {{ {SHAPE} }}")


@functools.cache
def _asked(text: str) -> tuple[bool, ...]:
    """Return whether engines of SPARQL find the pattern of the shape in a text."""
    query = f"ASK {{ VALUES ?value {{ {pyoxigraph.Literal(text)} }} {SHAPE} }}"
    found = pyoxigraph.Store().query(query)
    assert isinstance(found, pyoxigraph.QueryBoolean)
    asked = Graph().query(PREPARED, initBindings={"value": Literal(text)})
    return bool(found), bool(asked.askAnswer)


@pytest.mark.parametrize("text", [text for text, *_ in TEXTS] + ["text/csv\n", "text/csv;a=[]"])
def test_the_shape_refuses_what_the_grammar_of_http_refuses(text: str) -> None:
    wanted = problem(text) is not None
    assert _asked(text) == (wanted, wanted)


_NAMES = st.lists(st.sampled_from(["a", "B", "b", "c-d"]), max_size=5)


@pytest.mark.slow
@given(
    _NAMES, st.sampled_from(["x", '"; a=1; b"', '"\\"; c-d=\\""']), st.sampled_from(["; ", " ;;"])
)
@settings(max_examples=20)
def test_the_shape_refuses_a_name_that_is_there_twice(
    names: list[str], value: str, mark: str
) -> None:
    text = "text/csv" + "".join(f"{mark}{name}={value}" for name in names)
    wanted = len({name.lower() for name in names}) < len(names)
    assert (problem(text) is not None) is wanted
    assert _asked(text) == (wanted, wanted)


@given(_headers)
def test_the_shape_is_the_grammar(text: str) -> None:
    if text.isprintable():
        refused = grammar.HTTP.fullmatch(text) is None
        assert all(_asked(text)) or (not refused and not any(_asked(text)))
        assert any(_asked(text)) <= (problem(text) is not None)


# Rows of strict readers of HTTP (fast-content-type-parse) and of Go's, by the rules that each
# follows: a text, the rules, and its parameters, or None where it is refused.
OF_OTHERS: list[tuple[str, Rules, dict[str, str] | None]] = [
    ("text / plain", "http", None),
    ('text/plain; foo ="bar"', "http", None),
    ('text/plain; foo= "bar"', "http", None),
    ('text/plain; foo="bĀar"', "http", None),
    ('text/plain; foo="ba\\Ār"', "http", None),
    # Go keeps a backslash, for the paths of Internet Explorer; RFC 9110 section 5.6.4 drops it.
    ('a/b; filename="f\\oo.html"', "mail", {"filename": "foo.html"}),
    ('a/b; filename="foo-%\\41.html"', "mail", {"filename": "foo-%41.html"}),
    ('a/b; filename="C:\\dev\\go\\robots.txt"', "mail", {"filename": "C:devgorobots.txt"}),
    ('a/b; filename ="foo.html"', "mail", {"filename": "foo.html"}),
    ("a/b; filename*= UTF-8''foo-%c3%a4.html", "mail", {"filename": "foo-ä.html"}),
    ("a/b; filename* =UTF-8''foo-%c3%a4.html", "mail", {"filename": "foo-ä.html"}),
    ('a/b; firstname="Брэд"; lastname="Фиц"', "mail", {"firstname": "Брэд", "lastname": "Фиц"}),
    ('a/b; filename="C:\\新建文件夹"', "mail", {"filename": "C:新建文件夹"}),
    ("a/b; filename*=''foo-%c3%a4-%e2%82%ac.html", "mail", {}),
    ('a/b; filename*0="foo"; filename*2="bar"', "mail", {"filename": "foo"}),
    # Go reads *01 as a section; by RFC 2231 section 3 no number begins with 0, and it is a name.
    ('a/b; filename*0="foo"; filename*01="bar"', "mail", {"filename": "foo", "filename*01": "bar"}),
    ("a/b; filename*0*=ISO-8859-15''euro%a4; filename*=ISO-8859-1''currency%a4", "mail",
     {"filename": "currency¤"}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "rules", "parameters"), OF_OTHERS)
def test_the_rows_of_other_readers_are_read_by_their_rules(
    text: str, rules: Rules, parameters: dict[str, str] | None
) -> None:
    if parameters is None:
        assert _parsed(text, rules) is None
        return
    content_type = ContentType.recover(text, rules=rules).content_type
    assert content_type is not None
    assert dict(content_type.parameters) == parameters


# The rules, a text that others allow, and the part of it that these rules forbid.
FORBIDDEN: list[tuple[Rules, str, str]] = [
    ("http", "Content-Type: a/b", "Content-Type: "),
    ("http", "a/b (c)", "("),
    ("http", "a  /b", "  "),
    ("http", "a/b; c=d ; e = f", " "),
    ("http", 'a/b; c="d\u20ac"', "\u20ac"),
    ("http", "a/b;\r\n c=d", "\r"),
    ("http", "a/{b}", "{"),
    ("http", "{a/b", "{"),
    ("mail", "Content-Type: a/b", "Content-Type: "),
    ("mail", "a/b?; c=d", "?"),
    ("mail", '(e?) a/b; c="=?utf-8?q?d?="', 'c="=?utf-8?q?d?="'),
]


@pytest.mark.parametrize(("rules", "text", "forbidden"), FORBIDDEN)
def test_what_a_grammar_forbids_is_shown(rules: Rules, text: str, forbidden: str) -> None:
    ContentType.parse(text)
    with pytest.raises(ContentTypeError) as caught:
        ContentType.parse(text, rules=rules)
    assert text[slice(*caught.value.span)] == forbidden
