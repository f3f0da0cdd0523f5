"""Labels that were judged by hand before the resolver was run on them."""

from __future__ import annotations

import runpy
from html import escape
from pathlib import Path
from typing import Any

import pytest

from cturi_rdf.labels import resolve

SCRIPT = Path(__file__).parents[1] / "scripts" / "judge_labels.py"


@pytest.fixture(scope="module")
def judge() -> dict[str, Any]:
    return runpy.run_path(str(SCRIPT))


def test_of_2000_labels_of_catalogues_98_in_100_are_right_and_3_in_1000_wrong(
    judge: dict[str, Any],
) -> None:
    marks = judge["catalogues"]()
    assert sum(one.count for one in marks) == 2_000
    assert judge["share"](marks, "right") >= 0.98
    assert judge["share"](marks, "wrong") <= 0.003


@pytest.mark.parametrize(
    ("draw", "size"),
    [("first", 523), ("second", 523), ("third", 194), ("fourth", 187), ("fifth", 178),
     ("sixth", 300), ("seventh", 100), ("eighth", 200), ("ninth", 72)],
)  # fmt: skip
def test_of_the_names_of_each_draw_97_in_100_are_right_and_3_in_1000_wrong(
    judge: dict[str, Any], draw: str, size: int
) -> None:
    marks = judge["names"](draw)
    assert len(marks) == size
    assert judge["share"](marks, "right") >= 0.97
    assert judge["share"](marks, "wrong") <= 0.003


def test_the_names_are_of_30_languages(judge: dict[str, Any]) -> None:
    assert len({one.group for one in judge["names"]()} - {"names"}) == 30


def test_no_certain_answer_about_a_name_is_wrong(judge: dict[str, Any]) -> None:
    certain = [one for one in judge["names"]() if one.resolution.confidence == "certain"]
    assert len(certain) > 300
    assert [one.resolution.label for one in certain if one.mark == "wrong"] == []


@pytest.mark.parametrize("blank", ["&nbsp;", "&#160;", "&#xA0;", "\u00a0"])
def test_a_label_in_the_character_references_of_html_means_what_it_shows(
    judge: dict[str, Any], blank: str
) -> None:
    shown = [one.resolution for one in judge["catalogues"]() if "/" not in one.resolution.label]
    assert len(shown) > 300
    for one in shown:
        written = resolve(escape(one.label).replace(" ", blank))
        assert written._replace(label="", reason="") == one._replace(label="", reason="")


def test_no_service_is_taken_for_a_format(judge: dict[str, Any]) -> None:
    marks = [*judge["catalogues"](), *judge["names"]()]
    services = [one for one in marks if one.expected == ("service",)]
    assert len(services) > 50
    assert [one.resolution.label for one in services if one.mark == "wrong"] == []


@pytest.mark.parametrize("table", ["judged-labels.tsv", "judged-names.tsv"])
def test_a_judged_set_says_where_it_is_from_and_each_row_why(table: str) -> None:
    head, *rows = (SCRIPT.parents[1] / "tests" / "data" / table).read_text("utf-8").split("label\t")
    assert all(f"# {fact}: " in head for fact in ("source", "date", "licence", "judged"))
    lines = rows[0].splitlines()[1:]
    assert all(len(fields) >= 4 and fields[3] for fields in (line.split("\t") for line in lines))


def test_the_report_has_each_rule_and_each_label_that_is_not_right(judge: dict[str, Any]) -> None:
    marks = judge["catalogues"]()
    text = judge["report"]("a set", marks)
    assert "a set: 2000 labels" in text
    for one in marks:
        assert one.resolution.rule in text
        assert one.mark == "right" or f"{one.mark}: {one.resolution.label!r}" in text
