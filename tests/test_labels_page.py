"""The page about labels: its examples run, and its table is correct."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from cturi_rdf.labels import resolve
from cturi_rdf.labels.grammar import PATTERNS

PAGE = Path(__file__).parents[1] / "docs" / "labels.md"
_ROW = re.compile(r"\| `([^`]+)` \| the [^|]+ \| [^|]+ \| ([^|]+) \|")
ROWS = [
    match.groups() for match in map(_ROW.fullmatch, PAGE.read_text("utf-8").splitlines()) if match
]
_RULE = re.compile(r"\| `([a-z]+)` \| [^|]+ \| `([^`]+)` \|")
RULES = [
    match.groups() for match in map(_RULE.fullmatch, PAGE.read_text("utf-8").splitlines()) if match
]


def test_the_examples_of_the_page_run() -> None:
    result = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert result.attempted > 5
    assert result.failed == 0


def test_the_page_has_its_tables() -> None:
    assert len(ROWS) == 20
    assert len(RULES) == 9


@pytest.mark.parametrize(("label", "said"), ROWS)
def test_the_table_says_what_a_label_gives(label: str, said: str) -> None:
    found = resolve(label)
    types = ", ".join(f"`{each}`" for each in found.types)
    given = {
        "media_type": types,
        "several": f"several: {types}",
        "compound": f"{types} in `{found.outer}`",
    }
    assert said == given.get(found.verdict, found.verdict)


@pytest.mark.parametrize(("rule", "label"), RULES)
def test_the_example_of_a_rule_is_decided_by_it(rule: str, label: str) -> None:
    assert resolve(label).rule == rule


def test_the_page_has_every_rule_for_phrases() -> None:
    page = PAGE.read_text("utf-8")
    assert [row.rule for row in PATTERNS if f"| {row.rule} | `{row.example}` |" not in page] == []
