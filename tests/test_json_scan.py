"""JSON as text: every value with its place."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cturi_rdf._util.limits import LimitError, limited
from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.reading.json_scan import check_nesting, scan


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
