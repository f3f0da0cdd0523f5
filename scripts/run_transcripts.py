"""Run the commands of the transcripts, and write what they print below each command.

    python scripts/run_transcripts.py           all transcripts of tests/transcripts
    python scripts/run_transcripts.py repair    one of them

A transcript has commands, each after a dollar sign, with all that they print, and the exit code
unless it is 0.  A test checks that they are up to date; read the difference before you commit it.
JSON is on more lines than the command prints.
"""

from __future__ import annotations

import io
import json
import re
import shlex
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from unittest.mock import patch

from cturi_rdf import __version__
from cturi_rdf.cli import main

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = Path(__file__).parents[1] / "tests" / "transcripts"


def commands(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the commands of a transcript, each with what it says below it."""
    _, *parts = f"\n{path.read_bytes().decode()}".split("\n$ ")
    for part in parts:
        command, _, printed = part.partition("\n")
        yield command, printed.rstrip("\n")


def run(command: str) -> str:
    """Return what a command prints in the folder of the transcripts, and its exit code.

    A file that it writes, called `OUT` with an ending, is shown as well.
    """
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    code = 0
    with chdir(FOLDER), redirect_stdout(out), redirect_stderr(err), TemporaryDirectory() as folder:
        arguments = [re.sub(r"^OUT\b", f"{folder}/out", one) for one in shlex.split(command)]
        try:
            with patch.object(sys, "argv", arguments):
                main()
        except SystemExit as end:
            code = int(end.code or 0)
        written = [path.read_text("utf-8") for path in sorted(Path(folder).iterdir())]
    texts = [stream.buffer.getvalue().decode() for stream in (out, err)]
    texts += [*written, f"exit code {code}\n" if code else ""]
    text = "".join(f"{one.rstrip()}\n" for one in texts if one.strip())
    # Another release or another folder changes nothing else.
    text = text.replace(__version__, "VERSION").replace(FOLDER.as_uri(), "file:///FOLDER")
    text = text.rstrip("\n")
    return "\n".join(map(_shown, text.split("\n")))


def _shown(line: str) -> str:
    """Return a line; an object of JSON on one line is shown on many, to be compared."""
    is_object = line.startswith("{") and line.endswith("}")
    return json.dumps(json.loads(line), ensure_ascii=False, indent=1) if is_object else line


if __name__ == "__main__":
    for path in sorted(FOLDER.glob("*.txt")):
        if path.stem in sys.argv[1:] or not sys.argv[1:]:
            parts = [f"$ {command}\n{run(command)}\n" for command, _ in commands(path)]
            path.write_bytes("\n".join(parts).encode())
            print(f"ran {path.name}")
