"""The official shapes of DCAT-AP and DCAT-US over catalogues, as a page counts their results."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyshacl")
ROOT = Path(__file__).parents[1]
SCRIPT: dict[str, Any] = runpy.run_path(str(ROOT / "scripts" / "compare_shapes.py"))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["fedict-dcat.rdf", "w3c-csiro-stratchart.ttl"])
def test_the_page_says_what_the_shapes_find(name: str, shared: Path) -> None:
    official = [
        SCRIPT["shapes"](shared / "suites" / "dcat-shapes", title) for title in SCRIPT["SHAPES"]
    ]
    counts = [SCRIPT["counts"](shared / "catalogs" / name, shapes) for shapes in official]
    assert SCRIPT["row"](name, counts) in SCRIPT["PAGE"].read_text("utf-8").splitlines()


def test_annotating_adds_no_result_and_the_code_lists_add_none_either() -> None:
    page = SCRIPT["PAGE"].read_text("utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| ") and ".ttl |" in line]
    assert len(rows) > 3
    for row in rows:
        for cell in row.strip("| ").split(" | ")[1:]:
            before, annotated, beside = map(int, cell.split(", "))
            assert before == annotated >= beside
