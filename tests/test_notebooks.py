"""The stories: each runs, offline and in time, and gives the outputs that are committed."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

import nbformat
import pytest

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:.*ZMQ:RuntimeWarning"),
]


def _outputs(notebook: Any) -> list[Any]:
    """Return the output of each cell; for a plot, which may be drawn differently, its words."""
    shown = []
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            data = dict(output.get("data", {}))
            if "matplotlib" in data.get("image/svg+xml", "").lower():
                data["image/svg+xml"] = re.findall(r"<text[^>]*>([^<]*)<", data["image/svg+xml"])
            shown.append((cell.id, output.get("text"), data))
    return shown


def test_every_story_is_on_the_page_of_stories() -> None:
    page = (ROOT / "docs" / "stories.md").read_text("utf-8")
    assert 0 < len(NOTEBOOKS) <= 6
    assert set(re.findall(r"^notebooks/(.*)$", page, re.MULTILINE)) == {
        path.stem for path in NOTEBOOKS
    }


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_story_gives_what_it_shows(path: Path) -> None:
    run = runpy.run_path(str(ROOT / "scripts" / "run_notebooks.py"))["run"]
    committed = _outputs(nbformat.read(path, as_version=4))
    assert len(committed) > 3
    assert _outputs(run(path)) == committed, "run make notebooks"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_story_shows_no_error_and_fetches_nothing(path: Path) -> None:
    text = path.read_text("utf-8")
    assert '"output_type": "error"' not in text
    assert "<script" not in text
    assert str(ROOT) not in text
