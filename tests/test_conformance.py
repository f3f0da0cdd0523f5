"""The published table of negotiation: all right here, and what the page says of others."""

from __future__ import annotations

import json
import re
import runpy
from collections import Counter
from pathlib import Path

import pytest

from cturi_rdf import ContentType
from cturi_rdf.negotiation import best, parse_accept

ROOT = Path(__file__).parents[1]
SCRIPT = runpy.run_path(str(ROOT / "scripts" / "compare_negotiation.py"))
PAGE = (ROOT / "docs" / "negotiation.md").read_text("utf-8")
ROWS = SCRIPT["ROWS"]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: str(row.id))
def test_a_row_of_the_table_is_right(row: object) -> None:
    accept, offers, expected = row.accept, row.offers, row.expected  # type: ignore[attr-defined]
    assert best(accept, offers) == expected
    # As values it is the same.
    ranges = None if not (accept or "").strip() else parse_accept(accept)
    types = [ContentType.parse(each) for each in offers]
    found = best(ranges, types)
    assert found == (None if expected is None else ContentType.parse(expected))


def test_the_table_is_what_the_page_says() -> None:
    assert len(ROWS) >= 150
    assert [row.id for row in ROWS] == list(range(1, len(ROWS) + 1))
    assert all(row.rule and row.offers for row in ROWS)
    assert all(row.expected is None or row.expected in row.offers for row in ROWS)
    asked = Counter((row.accept, *row.offers) for row in ROWS)
    assert {key for key, count in asked.items() if count > 1} == set()
    (shown,) = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    example = json.loads(shown)
    assert SCRIPT["Row"](**example) in ROWS
    assert f"has {len(ROWS)} rows" in PAGE
    assert f"**RFC 9110** ({sum(row.by_rfc_9110 for row in ROWS)} rows)" in PAGE


@pytest.mark.parametrize("name", SCRIPT["choosers"]())
def test_each_gets_as_many_rows_right_as_the_page_says(name: str) -> None:
    assert SCRIPT["line"](name, SCRIPT["choosers"]()[name]) in PAGE.splitlines()
