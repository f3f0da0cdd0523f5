"""Bringing together what is said of resources, as Python does it and as C does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cturi_rdf.bulk import HeaderLines, gathered, headers_lines
from cturi_rdf.bulk.gathered import Gathered, gather
from cturi_rdf.errors import visible

if TYPE_CHECKING:
    from pathlib import Path

COMPILED = pytest.mark.skipif(
    gathered._gather is gather, reason="the package was built without a C compiler"
)
GATHERS = [gather, pytest.param(gathered._gather, marks=COMPILED)]


def _never(number: int) -> bytes:
    raise IndexError(number)


ENDS = [b"\t%d\n" % number for number in range(4)]

NAMES = st.text(st.sampled_from("ab <>_:é"), min_size=1).map(str.encode)
NUMBERS = st.integers(0, 3)
ONE_NUMBER = st.tuples(
    st.lists(NAMES).map(lambda names: b"".join(b"%b\n" % n for n in names)), NUMBERS
)
OWN_NUMBERS = st.lists(st.tuples(NAMES, NUMBERS)).map(
    lambda lines: (b"".join(b"%b\t%d\n" % line for line in lines), -1)
)


@COMPILED
@given(st.lists(ONE_NUMBER | OWN_NUMBERS).map(tuple))
@example(((b"<a>\n<\n>\n<>\n", 0), (b"b\t12\n", -1)))
def test_c_gathers_what_python_gathers(texts: tuple[tuple[bytes, int], ...]) -> None:
    asked: list[list[tuple[int, ...]]] = [[], []]
    found = []
    for reads, calls in zip((gather, gathered._gather), asked, strict=True):

        def join(numbers: tuple[int, ...], calls: list[tuple[int, ...]] = calls) -> int:
            calls.append(tuple(sorted(numbers)))
            return max(numbers)

        found.append(reads(texts, join, ENDS[:2], b" %d.\n".__mod__))
    assert found[0] == found[1]
    assert set(asked[0]) == set(asked[1])


@pytest.mark.parametrize("reads", GATHERS)
def test_names_come_once_and_in_order(reads: object) -> None:
    texts = ((b"<b:>\n<a:>\n_:b\n", 0), (b"a:\t1\na:b\t1\n", -1))
    assert reads(texts, sum, ENDS, _never) == (b"_:b\t0\na:\t1\na:b\t1\nb:\t0\n", 4)


@pytest.mark.parametrize("reads", GATHERS)
@pytest.mark.parametrize(("texts", "error"), [
    (((b"a", 0),), ValueError), (((b"a\n", 4),), IndexError),
])  # fmt: skip
def test_half_a_line_and_an_unknown_number_are_refused(
    reads: object, texts: object, error: type[Exception]
) -> None:
    with pytest.raises(error):
        reads(texts, max, ENDS, _never)


@COMPILED
@pytest.mark.parametrize("texts", [((None, 0),), ((b"a\n",),), (b"a\n",), [], ((b"a\n", None),)])
def test_what_is_of_another_kind_is_refused(texts: object) -> None:
    with pytest.raises(TypeError):
        gathered._gather(texts, max, ENDS, _never)


@pytest.mark.parametrize("reads", GATHERS)
def test_what_goes_wrong_in_joining_is_raised(reads: object) -> None:
    def join(numbers: tuple[int, ...]) -> int:
        raise LookupError(numbers)

    with pytest.raises(LookupError):
        reads(((b"a\na\n", 0),), join, ENDS, _never)


@pytest.mark.parametrize("reads", GATHERS)
@pytest.mark.parametrize(
    ("together", "runs", "few"), [(1 << 24, 64, 1 << 14), (100, 3, 4), (1, 1, 1)]
)
def test_what_is_said_of_resources_is_merged_from_many_runs(
    reads: object, together: int, runs: int, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gathered, "_gather", reads)
    monkeypatch.setattr(gathered, "_SORTED", min(together, 50))
    monkeypatch.setattr(gathered, "_TOGETHER", together)
    monkeypatch.setattr(gathered, "_RUNS", runs)
    monkeypatch.setattr(gathered, "_FEW", few)
    expected: dict[bytes, set[str]] = {}
    with Gathered() as gathering:
        for number in range(500):
            name, text = f"a:{number * 7 % 50}".encode(), str(number % 9)
            gathering.add(b"<%b>\n" % name, (("p", text, "h"),))
            expected.setdefault(name, set()).add(text)
        found = list(gathering)
        said = gathering.said
        lines = list(gathering.lines(lambda number: b" %d\n" % len(said(number))))
        assert found == list(gathering)
    assert [name for name, _ in found] == sorted(expected)
    for name, said in found:
        assert said == tuple(sorted(("p", text, "h") for text in expected[name]))
    assert sum(names for _, names in lines) == len(expected)
    assert b"".join(text for text, _ in lines) == b"".join(
        b"%b %d\n" % (name, len(said)) for name, said in found
    )


def test_nothing_is_gathered_of_nothing() -> None:
    with Gathered() as gathering:
        assert list(gathering) == []
        assert b"".join(text for text, _ in gathering.lines(lambda _: b"")) == b""


FORMAT = "<http://purl.org/dc/terms/format>"


def test_names_that_are_not_plain_are_printed_as_they_can_be(tmp_path: Path) -> None:
    source = tmp_path / "in.nt"
    names = [
        "a:plain", "a:\\u0062", "a:b", "a:é", "a:\\u00e9", "a:\\u0009tab", "a:\\u000Aline",
        "a:\\u005Cback", "a:\x7fdelete", "a:\\u200Bzero",
    ]  # fmt: skip
    lines = [f'<{name}> {FORMAT} "CSV" .\n' for name in names]
    url = "<http://www.w3.org/ns/dcat#downloadURL>"
    lines += [f'_:b {FORMAT} "JSON" .\n', f'_:b {url} "http://a.example/\\t\\\\x" .\n']
    lines += [f'_:c {FORMAT} "CSV", "JSON" .\n'.replace(", ", f" .\n_:c {FORMAT} ")]
    source.write_text("".join(lines), "utf-8")
    printed = HeaderLines(str(source))
    text = "".join(printed)
    real = ["\ttab", "\nline", "\\back", "b", "plain", "\x7fdelete", "é", "\u200bzero"]
    assert sorted(text.splitlines()) == sorted([
        *(f"{visible(f'a:{name}')}\ttext/csv" for name in real),
        visible("http://a.example/\t\\x") + "\tapplication/json",
    ])  # fmt: skip
    assert (printed.resources, printed.conflicts) == (10, 1)
    assert str(printed.first.name) == "c"
    found = {str(each.name) for each in headers_lines(str(source))}
    assert {"a:\ttab", "a:\nline", "a:\\back", "http://a.example/\t\\x", "c"} <= found
