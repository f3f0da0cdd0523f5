"""JSON as text: every value with its place."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cturi_rdf._util.limits import LimitError, limited
from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.reading.json_scan import check_nesting, in_utf8, scan


# What is nested, escaped and spaced in any way has its place (RFC 8259).
@pytest.mark.parametrize(
    "text",
    [
        "{}", "[]", "1", '"a"', "null", " [ ] ", '{"a":{}}', "[[],{}]", '{"a" : [1 ,2.5e-3, true]}',
        '{"\\u0061": "\\"\\\\\\/\\b\\f\\n\\r\\t\\ud83d\\ude00"}', '\ufeff{"é": "€"}',
        "[" * 5000 + "]" * 5000,
    ],
)  # fmt: skip
def test_every_value_has_its_place(text: str) -> None:
    scanned = scan(text.encode(), "a.json")
    if len(text) < 1000:
        assert scanned.value(0) == json.loads(text.removeprefix("\ufeff"))


@given(
    value=st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    ),
    indent=st.sampled_from([None, 0, 1, "\t"]),
    ascii_only=st.booleans(),
)
def test_the_scanner_reads_what_the_standard_library_reads(
    *, value: Any, indent: Any, ascii_only: bool
) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    try:
        data = text.encode()
    except UnicodeEncodeError:
        return
    scanned = scan(data, "a.json")
    pending = [(0, json.loads(data))]
    while pending:
        entry, expected = pending.pop()
        if isinstance(expected, list):
            pending += zip(scanned.children(entry), expected, strict=True)
        elif isinstance(expected, dict):
            for child in scanned.children(entry):
                start = scanned.key_start(child)
                assert data[start:].startswith(scanned.raw_names[scanned.keys[child]])
                if "\\ud" not in text:
                    pending.append((child, expected[scanned.name(child)]))
        elif "\\ud" not in text:
            assert scanned.value(entry) == expected


@pytest.mark.parametrize(
    "data",
    [
        b"", b"{", b"[1,]", b"[1 2]", b'{"a" 1}', b'{"a":1,}', b"{1:2}", b"[1}", b"1,", b"[] []",
        b"01", b"nul", b'"\n"', b'"\\x"', b'"a', b"[\xff]", b"NaN", b"{]", b',"a"', b"[1]]",
    ],
)  # fmt: skip
def test_a_text_that_is_not_json_is_reported(data: bytes) -> None:
    with pytest.raises(CatalogError, match=r"^a\.json"):
        scan(data, "a.json")


# RFC 8259 section 6: numbers are those of IEEE 754's doubles.
@pytest.mark.parametrize("number", ["9" * 309, "9" * 5000, "-1e309", "1.5E400"])
def test_a_number_that_no_double_holds_is_refused_with_its_place(number: str) -> None:
    scanned = scan(b'{"a": 1,\n "b": [%b]}' % number.encode(), "a.json")
    one, numbers = scanned.children(0)
    assert scanned.value(one) == 1
    with pytest.raises(CatalogError, match=r"^a\.json:2:7: a number that is too large"):
        scanned.value(numbers)


@pytest.mark.parametrize("number", ["9" * 5000, "1e400"])
def test_a_large_number_does_not_hide_what_is_wrong_behind_it(number: str) -> None:
    with pytest.raises(CatalogError, match=r"^a\.json:1:[0-9]+: not valid JSON"):
        scan(b"[%b,\n nul]" % number.encode(), "a.json")


def test_half_of_a_character_is_no_character() -> None:
    scanned = scan(b'["\\ud800a", {"\\udc00": 1}]', "a.json")
    assert scanned.value(0) == ["\ufffda", {"\ufffd": 1}]


TREES = st.recursive(
    st.none() | st.text(r'"\[]{}u') | st.integers(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text('"[{'), inner, max_size=3),
)


def _depth(value: Any) -> int:
    parts = value.values() if isinstance(value, dict) else value
    return 1 + max(map(_depth, parts), default=0) if isinstance(value, dict | list) else 0


@given(value=TREES)
def test_levels_are_objects_and_arrays_in_one_another(value: Any) -> None:
    content = json.dumps(value).encode()
    # A limit of 0 is none.
    with limited({"nesting": max(_depth(value), 1)}):
        check_nesting(content, "a.json")
    if _depth(value) > 1:
        with limited({"nesting": _depth(value) - 1}), pytest.raises(LimitError):
            check_nesting(content, "a.json")


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"\xff", 1),
        (b'{"a":\n\n"\xff"}', 3),
        # The end of a character is missing.
        (b'{\n"\xc3', 2),
        # The file is decoded in blocks.
        (b"\n" * (1 << 20) + b'"\xff"', (1 << 20) + 1),
    ],
)
def test_the_line_of_a_byte_that_is_not_utf_8_is_told(data: bytes, line: int) -> None:
    with pytest.raises(CatalogError, match="a byte that is not UTF-8") as error:
        scan(data, "a.json")
    assert error.value.line == line


def test_a_value_in_arrays_belongs_to_the_member_around_them() -> None:
    scanned = scan(b'[0, {"a": [[1, {"b": 2}]]}, [{"c": {"d": [3]}}]]', "a.json")
    members = {
        scanned.raw(entry).decode(): scanned.name(member) if member >= 0 else None
        for entry in range(len(scanned.starts))
        for member in (scanned.member(entry),)
        if scanned.raw(entry).isdigit() or scanned.raw(entry).startswith(b'{"')
    }
    assert members == {
        "0": None,
        # An object in an array is in a member only where the array is.
        '{"a": [[1, {"b": 2}]]}': None,
        "1": "a",
        '{"b": 2}': "a",
        "2": "b",
        '{"c": {"d": [3]}}': None,
        '{"d": [3]}': "c",
        "3": "d",
    }


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"]
)
def test_json_is_in_any_encoding_of_unicode(encoding: str) -> None:
    assert in_utf8('{"é": 1}'.encode(encoding), "a.json").decode() == '{"é": 1}'


def test_json_that_is_not_in_its_encoding_is_refused() -> None:
    with pytest.raises(CatalogError, match="bytes that are not UTF-16-LE"):
        in_utf8("{}".encode("utf-16-le") + b"\x00\xd8", "a.json")
