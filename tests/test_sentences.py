"""The page of sentences: each row names a document, what is done, and a test that there is."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "sentences.md").read_text("utf-8")
ROWS = [
    [cell.strip() for cell in re.split(r"(?<!\\) \| ", line.strip("| "))]
    for line in PAGE.splitlines()
    if line.startswith("| ") and not line.startswith(("| section", "| ---"))
]


def test_every_row_has_a_sentence_what_is_done_and_tests() -> None:
    assert len(ROWS) > 50
    assert [row for row in ROWS if len(row) != 4 or not all(row)] == []
    assert [row for row in ROWS if not re.fullmatch(r"`test_\w+\.py::test_\w+`", row[3])] == []


@pytest.mark.parametrize("name", sorted({row[-1].strip("`") for row in ROWS}))
def test_a_test_that_the_page_names_is_there(name: str) -> None:
    file, _, test = name.partition("::")
    tree = ast.parse((ROOT / "tests" / file).read_text("utf-8"))
    assert test in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize(
    ("title", "file"),
    [("draft-eastlake-cturi-09", "draft-eastlake-cturi-2023-06.txt"), ("RFC 2392", "rfc2392.txt")],
)
def test_every_section_that_asks_for_something_has_a_row(
    shared: Path, title: str, file: str
) -> None:
    sections: set[str] = set()
    section = ""
    for line in (shared / "specs" / file).read_text("utf-8", "replace").splitlines():
        heading = re.match(r"\s{0,3}(\d+)\.[\d.]*\s+[A-Z]", line)
        section = heading[1] if heading else section
        if re.search(r"\bMUST\b(?!\")|\bmust be\b", line) and not re.search(
            "key words|copyright", line
        ):
            sections.add(section)
    part = PAGE.partition(f"## {title}")[2].partition("\n## ")[0]
    rows = {row.partition(" | ")[0].strip("| ").partition(".")[0] for row in part.splitlines()}
    assert sections
    assert sections - {""} <= rows
