"""`make demo`: a catalogue of labels, repaired until the official shapes accept it, and served."""

from __future__ import annotations

import runpy
import subprocess
from pathlib import Path

import pytest
from processes import python

ROOT = Path(__file__).parents[1]

pytest.importorskip("pyshacl")
pytest.importorskip("uvicorn")


@pytest.mark.slow
def test_the_demo_ends_with_no_violation_of_the_official_shapes_and_a_server(shared: Path) -> None:
    shapes = shared / "suites" / "dcat-shapes" / "dcat-ap-3.0.1.ttl"
    shown = python(ROOT / "scripts" / "demo.py", shapes, stdin=subprocess.DEVNULL).stdout
    before, after = shown.split("# Check it again")
    assert "6 violations" in before
    assert "4 resources checked, 0 violations" in after
    assert "https://data.town.example/shapes\tapplication/zip\n" in after
    assert " answers with 200, text/html" in after


def test_the_demo_says_that_the_official_shapes_cannot_be_fetched_and_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    find = runpy.run_path(str(ROOT / "scripts" / "demo.py"))["official_shapes"]
    find.__globals__.update(ROOT=tmp_path, SHAPES="http://127.0.0.1:9/shapes.ttl")
    assert find(None) is None
    assert "# The official shapes cannot be fetched" in capsys.readouterr().out
    assert find("mine.ttl") == "mine.ttl"
