"""What the commands print of small catalogues of hard cases, word for word.

The catalogues say in comments what their resources are about.
"""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

SCRIPT = runpy.run_path(str(Path(__file__).parents[1] / "scripts" / "run_transcripts.py"))
ROWS = [
    pytest.param(command, printed, id=command)
    for path in sorted(SCRIPT["FOLDER"].glob("*.txt"))
    for command, printed in SCRIPT["commands"](path)
]


@pytest.mark.parametrize(("command", "printed"), ROWS)
def test_a_command_prints_what_its_transcript_has(command: str, printed: str) -> None:
    assert SCRIPT["run"](command) == printed, "run scripts/run_transcripts.py"
