"""What the commands print of small catalogues of hard cases, word for word, and of many labels.

The catalogues say in comments what their resources are about.
"""

from __future__ import annotations

import runpy
from importlib.util import find_spec
from pathlib import Path

import pytest

SCRIPT = runpy.run_path(str(Path(__file__).parents[1] / "scripts" / "run_transcripts.py"))
NEEDS_ENGINE = pytest.mark.skipif(find_spec("pyshacl") is None, reason="pySHACL is not installed")
ROWS = [
    pytest.param(command, printed, id=command, marks=NEEDS_ENGINE if path.stem == "shapes" else ())
    for path in sorted(SCRIPT["FOLDER"].glob("*.txt"))
    for command, printed in SCRIPT["commands"](path)
]


@pytest.mark.parametrize(("command", "printed"), ROWS)
def test_a_command_prints_what_its_transcript_has(command: str, printed: str) -> None:
    assert SCRIPT["run"](command) == printed, "run scripts/run_transcripts.py"
