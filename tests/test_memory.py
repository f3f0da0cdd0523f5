"""Plain headers are read as the whole grammar reads them, and the memory of them has a limit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from processes import python

from cturi_rdf import ContentType, ContentTypeError
from cturi_rdf.content_type import strict
from cturi_rdf.content_type import value as content_type

if TYPE_CHECKING:
    from collections.abc import Callable

    from cturi_rdf.content_type.grammar import Rules

pytestmark = pytest.mark.usefixtures("both_readings")

PIECES = st.sampled_from([
    "text", "TEXT", "/", "html", "x.y+z", "uri.", "URI.a", ";", "; ", "charset", "Charset", "=",
    "utf-8", '"', '"a b"', '"a;b=c"', "\\", "*", "*0", "%20", "(c)", " ", "\t", "\n ",
    "\x00", "\x7f",
    "?", "{", "é", "\ud800", "content-type:", "a" * 255, "B" * 256, "'", "``",
])  # fmt: skip


def _said(parse: Callable[..., ContentType], text: str, rules: Rules) -> object:
    try:
        found = parse(text, rules=rules)
    except ContentTypeError as error:
        return str(error)
    return found.type, found.subtype, list(found.parameters.items())


def _by_the_grammar(text: str, rules: Rules) -> ContentType:
    return content_type._made(strict.read(text, rules))


@given(st.lists(PIECES).map("".join) | st.text())
@example("text/html;charset=utf-8;")
@example('text/html ; ;a=""; A=b')
@example("a/b;c=d\x00")
@example("a/b;c=d;C=d")
@example('a/b;c="=?utf-8?q?d?="')
def test_a_plain_header_is_read_as_the_whole_grammar_reads_it(text: str) -> None:
    for header in (text, f"a/b;{text}"):
        for rules in ("any", "http", "mail"):
            assert _said(ContentType.parse, header, rules) == _said(_by_the_grammar, header, rules)


@pytest.mark.parametrize("other", [None, 5, b"text/html", ("text", "html")])
def test_what_is_no_text_is_no_header(other: object) -> None:
    with pytest.raises(TypeError, match=f"a header is text, not {type(other).__name__}"):
        ContentType.parse(other)


def test_a_header_that_was_read_before_is_the_same_value() -> None:
    one, other = (ContentType.parse("text/html;charset=x-shared") for _ in range(2))
    assert one is other


def _kept() -> int:
    return content_type._remembered.cache_info().currsize


def test_memory_has_an_end() -> None:
    for number in range(content_type._REMEMBERED + 10):
        ContentType.parse(f"text/x-{number}")
    assert 0 < _kept() <= content_type._REMEMBERED
    assert ContentType.parse("text/x-0").subtype == "x-0"


def test_long_texts_are_not_kept() -> None:
    kept, name = _kept(), "x-" + "a" * 1000
    assert ContentType.parse(f"text/plain;{name}={name}").parameters == {name: name}
    assert _kept() == kept


def test_the_package_can_be_loaded_again() -> None:
    script = (
        "import cturi_rdf, importlib, sys\n"
        "first = cturi_rdf.ContentType\n"
        "for name in [each for each in sys.modules if each.startswith('cturi_rdf')]:\n"
        "    del sys.modules[name]\n"
        "import cturi_rdf\n"
        "for each in (first, cturi_rdf.ContentType):\n"
        "    assert type(each.parse('text/csv')) is each\n"
        "assert first is not cturi_rdf.ContentType\n"
        "importlib.reload(cturi_rdf.content_type.value)\n"
        "print(cturi_rdf.content_type.ContentType.parse('text/html'))\n"
    )
    done = python("-c", script)
    assert done.stdout == "text/html\n"
