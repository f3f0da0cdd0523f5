"""`ContentType.parse` in C agrees with the whole grammar, and its memory has a limit."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from processes import python

from cturi_rdf import ContentType, ContentTypeError
from cturi_rdf.content_type import value as content_type

PIECES = st.sampled_from([
    "text", "TEXT", "/", "html", "x.y+z", "uri.", "URI.a", ";", "; ", "charset", "Charset", "=",
    "utf-8", '"', '"a b"', '"a;b=c"', "\\", "*", "*0", "%20", "(c)", " ", "\t", "\n ",
    "\x00", "\x7f",
    "?", "{", "é", "\ud800", "content-type:", "a" * 255, "B" * 256, "'", "``",
])  # fmt: skip


def _said(parse: object, text: str) -> object:
    try:
        found = parse(text)
    except ContentTypeError as error:
        return str(error)
    return found.type, found.subtype, list(found.parameters.items())


@given(st.lists(PIECES).map("".join) | st.text())
@example("text/html;charset=utf-8;")
@example('text/html ; ;a=""; A=b')
@example("a/b;c=d\x00")
def test_a_header_is_read_as_the_whole_grammar_reads_it(text: str) -> None:
    wanted = _said(content_type._read, text)
    content_type._MEMORY.clear()
    assert _said(ContentType.parse, text) == wanted
    assert _said(ContentType.parse, f"a/b;{text}") == _said(content_type._read, f"a/b;{text}")


@pytest.mark.parametrize("other", [None, 5, b"text/html", ("text", "html")])
def test_what_is_no_text_is_no_header(other: object) -> None:
    with pytest.raises(TypeError, match=f"a header is text, not {type(other).__name__}"):
        ContentType.parse(other)


def test_a_header_that_was_read_before_is_the_same_value() -> None:
    one, other = (ContentType.parse("text/html;charset=x-shared") for _ in range(2))
    assert one is other


def test_memory_has_an_end() -> None:
    for number in range(content_type._REMEMBERED + 10):
        ContentType.parse(f"text/x-{number}")
    assert 0 < len(content_type._MEMORY) <= content_type._REMEMBERED
    assert ContentType.parse("text/x-0").subtype == "x-0"


def test_long_texts_are_not_kept() -> None:
    name = "x-" + "a" * 1000
    assert ContentType.parse(f"text/plain;{name}={name}").parameters == {name: name}
    assert not any(len(text) > 1000 for text in content_type._MEMORY)


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


def test_without_c_the_same_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(content_type, "_REMEMBERED", 3)
    memory = content_type._Memory()
    for number in range(20):
        header = f"text/x-{number};charset=x-{number}"
        assert str(memory[header]) == header.replace(";", "; ")
        assert memory[header] is memory[header]
    assert len(memory) <= 3
    assert memory["text/plain;a=" + "a" * 1000].parameters
    assert len(memory) <= 3
