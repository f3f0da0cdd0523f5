"""The command line as a person meets it: a terminal, completion, several files, one wording."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.shell_completion import ShellComplete

from cturi_rdf.cli import cturi as group

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Run

EXAMPLE = Path(__file__).parents[1] / "examples" / "catalogue.ttl"
# What moves the cursor or erases: a line feed, a return, up by lines, a whole line.
_CONTROL = re.compile(r"(\r\n|\n|\r|\x1b\[\d*[A-Za-z]|\x1b\[\?25[hl])")


def _screen(output: str) -> list[str]:
    """Return the lines that a terminal shows at the end."""
    lines, row, column = [""], 0, 0
    for piece in _CONTROL.split(re.sub(r"\x1b\[[\d;]*m", "", output)):
        if piece in {"\n", "\r\n"}:
            row, column = row + 1, 0
            lines += [""] * (row + 1 - len(lines))
        elif piece == "\r":
            column = 0
        elif piece.endswith("A") and piece.startswith("\x1b"):
            row = max(0, row - int(piece[2:-1] or 1))
        elif piece == "\x1b[2K":
            lines[row] = ""
        elif not piece.startswith("\x1b"):
            lines[row] = (
                lines[row][:column].ljust(column) + piece + lines[row][column + len(piece) :]
            )
            column += len(piece)
    return lines


def _on_a_terminal(*arguments: str) -> str:
    """Return what comes to the terminal of a command whose progress shows at once."""
    script = (
        "import sys; from cturi_rdf.cli import main, progress; progress._DELAY = 0.0;"
        "sys.argv[0] = 'cturi'; main()"
    )
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", script, *arguments],
        stdin=theirs, stdout=theirs, stderr=theirs, env=os.environ | {"TERM": "xterm"},
    ):  # fmt: skip
        os.close(theirs)
        output = b""
        try:
            while block := os.read(ours, 65536):
                output += block
        except OSError:
            # Linux says so when the other end is closed.
            pass
    os.close(ours)
    return output.decode()


@pytest.mark.parametrize(
    ("arguments", "first"),
    [
        (["query", "SELECT ?s { ?s a dcat:Dataset } ORDER BY ?s", str(EXAMPLE)], "s"),
        (["check", str(EXAMPLE)], f"{EXAMPLE}: 17 resources checked"),
    ],
)
def test_progress_and_output_never_share_a_line(arguments: list[str], first: str) -> None:
    lines = [line for line in _screen(_on_a_terminal(*arguments)) if line.strip()]
    assert lines[0].strip().startswith(first)
    assert not any("querying" in line or "checking " in line for line in lines)


# Commands of the terminal in C0 and in C1, and turns of the direction of text.
_COMMANDS = "\x1b]0;a\x07 \x9b2J \u202e \u2066 \x08"


@pytest.mark.parametrize(
    "arguments",
    [
        ["query", "SELECT ?o {?s dcat:mediaType ?o}", "--to", "csv"],
        ["query", "CONSTRUCT WHERE {?s dcat:mediaType ?o}"],
        ["headers", "--format", "json"],
        ["annotate", "--to", "nt"],
    ],
)
def test_no_result_is_a_command_of_the_terminal(tmp_path: Path, arguments: list[str]) -> None:
    path = tmp_path / "a.ttl"
    path.write_text(f'<a:b> <http://www.w3.org/ns/dcat#mediaType> "é CSV {_COMMANDS}" .', "utf-8")
    output = _on_a_terminal(*arguments, str(path))
    assert "é" in output
    # Progress moves the cursor by these, and no catalogue could.
    output = re.sub(r"\x1b\[(\d*[AK]|\?25[hl]|[\d;]*m)", "", output)
    assert all(c.isprintable() or c in "\r\n\t" for c in output)


def test_a_pipe_gets_what_is_there() -> None:
    script = "printf '<a:b> <http://purl.org/dc/terms/format> \"CSV\\302\\233\" .'"
    command = f"{script} | {sys.executable} -m cturi_rdf annotate - --from turtle --to nt"
    done = subprocess.run(  # noqa: S602 - the pipe is what is tested
        command, shell=True, capture_output=True, check=True
    )
    assert '"CSV\x9b"' in done.stdout.decode()


COMPLETIONS = [
    (["annotate"], "cat", [("file", "cat")]),
    (["check"], "", [("file", "")]),
    (["headers", "--labels"], "my", [("file", "my")]),
    (["annotate", "a", "-o"], "out", [("file", "out")]),
    (["annotate", "--from"], "turt", [("plain", "turtle")]),
    (["headers", "--format"], "ngi", [("plain", "nginx")]),
    (["query"], "not-und", [("plain", "not-understood"), ("file", "not-und")]),
    (["query", "xml"], "cat", [("file", "cat")]),
    ([], "resol", [("plain", "resolve")]),
]


@pytest.mark.parametrize(("typed", "incomplete", "wanted"), COMPLETIONS)
def test_files_formats_and_names_of_queries_complete(
    typed: list[str], incomplete: str, wanted: list[tuple[str, str]]
) -> None:
    items = ShellComplete(group, {}, "cturi", "_CTURI_COMPLETE").get_completions(typed, incomplete)
    assert [(each.type, each.value) for each in items] == wanted


MISSING = [
    ["annotate", "missing"], ["headers", "missing"], ["check", "missing"], ["repair", "missing"],
    ["query", "xml", "missing"], ["query", "xml", "--from", "turtle", "missing"],
    ["check", EXAMPLE, "--shapes", "missing"], ["resolve", "CSV", "--labels", "missing"],
    ["annotate", EXAMPLE, "--context", "x=missing"], ["encoding", "missing"],
    ["message", "missing"], ["registry", "update", "missing"],
]  # fmt: skip


@pytest.mark.parametrize("arguments", MISSING, ids=lambda each: " ".join(map(str, each[:2])))
def test_a_missing_file_has_one_wording(arguments: list[object], cturi: Callable[..., Run]) -> None:
    suffixed = [f"{each}.ttl" if each == "missing" else each for each in arguments]
    run = cturi(*suffixed)
    assert run.code == 2
    assert "cannot be read (No such file or directory)" in run.err
    assert "missing" in run.err
    assert run.err.count("\n") == 1


def test_check_takes_several_files_and_goes_on_after_one_that_cannot_be_read(
    cturi: Callable[..., Run], tmp_path: Path
) -> None:
    good = tmp_path / "good.ttl"
    good.write_text("<a:b> <http://purl.org/dc/terms/title> 'x' .")
    run = cturi("check", "--json", EXAMPLE, tmp_path / "none.ttl", good)
    assert run.code == 2
    assert [each["source"] for each in json.loads(run.out)] == [str(EXAMPLE), str(good)]
    assert cturi("check", EXAMPLE, good).code == 1


@pytest.mark.parametrize("command", ["annotate", "headers"])
def test_quiet_leaves_out_the_summary_and_no_error(
    command: str, cturi: Callable[..., Run], tmp_path: Path
) -> None:
    loud = cturi(command, EXAMPLE)
    quiet = cturi(command, "-q", EXAMPLE)
    assert loud.err
    assert not quiet.err
    assert quiet.out == loud.out
    assert cturi(command, "-q", tmp_path / "none.ttl").err
