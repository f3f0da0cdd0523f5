"""The command line as a person meets it: a terminal, completion, several files, one wording."""

from __future__ import annotations

import inspect
import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click import Command, Context, Group
from click.shell_completion import ShellComplete
from rich.cells import cell_len

from cturi_rdf.cli import cturi as group
from cturi_rdf.cli.output import _Line
from cturi_rdf.reading.source import open_source

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conftest import Cturi, Write

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


# The timer of the progress, without waiting: the progress has started when the work begins.
AT_ONCE = """
import sys
from cturi_rdf.cli import main, output
class Timer:
    def __init__(self, delay, start): self.start = start
    def cancel(self): pass
    def join(self): pass
output.threading.Timer = Timer
sys.argv[0] = "cturi"
main()
"""


def _on_a_terminal(*arguments: str) -> str:
    """Return the output of a command on a terminal, with progress shown at once."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", AT_ONCE, *arguments]
    environment = os.environ | {"TERM": "xterm"}
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment):
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
    ("arguments", "progress", "first"),
    [
        (["query", "SELECT ?s { ?s a dcat:Dataset } ORDER BY ?s", EXAMPLE], "querying ", "s"),
        (["check", EXAMPLE], "checking ", f"{EXAMPLE}: 17 resources checked"),
        (["annotate", EXAMPLE, "-o", "OUT"], "annotating ", f"{EXAMPLE}: 27 labels"),
    ],
)
def test_progress_and_output_never_share_a_line(
    arguments: list[object], progress: str, first: str, tmp_path: Path
) -> None:
    words = [str(tmp_path / "out.ttl") if word == "OUT" else str(word) for word in arguments]
    output = _on_a_terminal(*words)
    assert progress in output
    lines = [line for line in _screen(output) if line.strip()]
    assert lines[0].strip().startswith(first)
    assert not any(progress in line for line in lines)


def test_the_name_of_a_file_is_no_markup_of_the_progress(tmp_path: Path) -> None:
    path = tmp_path / "d[" / "blue].ttl"
    path.parent.mkdir()
    path.write_bytes(EXAMPLE.read_bytes())
    output = _on_a_terminal("check", str(path))
    assert "MarkupError" not in output
    assert "d[/blue].ttl: 17 resources checked" in _screen(output)[0]


def test_progress_tells_the_share_of_the_file_that_is_read(write: Write) -> None:
    path = write("a.nt", b'<a:b> <a:c> "[red]" .\n' * 200_000)
    line = _Line(f"reading {path.name}")
    assert str(line.__rich__()) == "reading a.nt"
    with open_source(str(path)) as source, source.open() as file:
        size = path.stat().st_size
        for share in (1 / 4, 1 / 2, 1):
            file.read(int(size * share) - file.tell())
            percent = int(re.findall(r"^reading a.nt: ([0-9]+)% read$", str(line.__rich__()))[0])
            # A block more may be read ahead.
            assert 0 <= percent - 100 * share <= 100 * (1 << 20) / size
    assert str(line.__rich__()) == "reading a.nt"


def test_columns_of_labels_are_aligned_on_a_terminal_and_have_tabs_in_a_pipe(cturi: Cturi) -> None:
    labels = ["CSV", "データ.csv", "Zipped Shapefile"]
    lines = [line for line in _screen(_on_a_terminal("resolve", *labels)) if line]
    assert len(lines) == 3
    starts = {cell_len(line.partition("application/")[0].partition("text/")[0]) for line in lines}
    assert len(starts) == 1
    piped = cturi("resolve", *labels).out.splitlines()
    assert [re.split("  +", line) for line in lines] == [line.split("\t") for line in piped]


def test_a_byte_order_mark_is_not_a_part_of_the_first_label(cturi: Cturi) -> None:
    run = cturi("resolve", "-", stdin="\ufeffCSV\n\ufeffCSV\n")
    assert [line.partition("\t")[0] for line in run.out.splitlines()] == ["CSV", "\\ufeffCSV"]


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
def test_no_result_is_a_command_of_the_terminal(write: Write, arguments: list[str]) -> None:
    path = write("a.ttl", f'<a:b> <http://www.w3.org/ns/dcat#mediaType> "é CSV {_COMMANDS}" .')
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
    (["repair", "a", "-o"], "out", [("file", "out")]),
    (["repair", "a", "--undo"], "pat", [("file", "pat")]),
    (["check", "--profile"], "dcat-us", [("plain", "dcat-us"), ("plain", "dcat-us-json")]),
    (["query"], "not-und", [("plain", "not-understood"), ("file", "not-und")]),
    (["query", "xml"], "cat", [("file", "cat")]),
    (["repair", "a", "--profile"], "dcat-ap-d", [("plain", "dcat-ap-de")]),
    (["site", "-o"], "b", [("dir", "b")]),
    (["check", "--help-all", "--profile"], "dcat-ap-d", [("plain", "dcat-ap-de")]),
    ([], "resol", [("plain", "resolve")]),
]
# The completions of an option or an argument of that name, in any command.
KINDS = {"FILE": "file", "IN": "file", "OUT": "file", "PATCH": "file"}
KINDS |= {"FORMAT": "plain", "NAME": "plain"}


@pytest.mark.parametrize(("typed", "incomplete", "wanted"), COMPLETIONS)
def test_files_formats_and_names_of_profiles_and_queries_complete(
    typed: list[str],
    incomplete: str,
    wanted: list[tuple[str, str]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    items = ShellComplete(group, {}, "cturi", "_CTURI_COMPLETE").get_completions(typed, incomplete)
    assert [(each.type, each.value) for each in items] == wanted
    assert capsys.readouterr() == ("", "")


def _commands(command: Command, name: str = "cturi") -> Iterator[tuple[str, Command]]:
    yield name, command
    if isinstance(command, Group):
        with Context(command) as context:
            for child in command.list_commands(context):
                subcommand = command.get_command(context, child)
                assert subcommand
                yield from _commands(subcommand, f"{name} {child}")


@pytest.mark.parametrize("name", [name for name, command in _commands(group)])
def test_whatever_names_a_file_a_format_or_a_profile_completes(name: str) -> None:
    command = dict(_commands(group))[name]
    for parameter in command.params:
        for kind in {KINDS.get(word) for word in re.findall("[A-Z=]+", parameter.metavar or "")}:
            items = parameter.shell_complete(Context(command), "")
            assert kind is None or {item.type for item in items} >= {kind}, parameter.name


MISSING = [
    ["annotate", "missing"], ["headers", "missing"], ["check", "missing"], ["repair", "missing"],
    ["query", "xml", "missing"], ["query", "xml", "--from", "turtle", "missing"],
    ["check", EXAMPLE, "--shapes", "missing"], ["resolve", "CSV", "--labels", "missing"],
    ["annotate", EXAMPLE, "--context", "x=missing"], ["encoding", "missing"],
    ["message", "missing"], ["selfcheck", "missing"], ["registry", "update", "missing"],
    ["headers", "missing.xyz"], ["query", "missing"], ["serve", "missing"],
    ["repair", EXAMPLE, "--undo", "missing"],
]  # fmt: skip


@pytest.mark.parametrize("arguments", MISSING, ids=lambda each: " ".join(map(str, each[:2])))
def test_a_missing_file_has_one_wording(arguments: list[object], cturi: Cturi) -> None:
    suffixed = [f"{each}.ttl" if each == "missing" else each for each in arguments]
    run = cturi(*suffixed)
    assert run.code == 2
    assert "it cannot be read (No such file or directory)" in run.err
    assert "missing" in run.err
    assert run.err.count("\n") == 1


@pytest.mark.parametrize("command", ["annotate", "headers", "check", "repair --profile dcat-ap"])
def test_standard_input_has_one_name(command: str, cturi: Cturi) -> None:
    run = cturi(*command.split(), "-", stdin=EXAMPLE.read_text())
    printed = run.out if command == "check" else run.err
    assert printed.startswith("standard input: ")
    assert re.search(r"^ *-:", printed, re.MULTILINE) is None


def test_check_takes_several_files_and_goes_on_after_one_that_cannot_be_read(
    cturi: Cturi, tmp_path: Path, write: Write
) -> None:
    good = write("good.ttl", "<a:b> <http://purl.org/dc/terms/title> 'x' .")
    run = cturi("check", "--json", EXAMPLE, tmp_path / "none.ttl", good)
    assert run.code == 2
    assert [json.loads(line)["source"] for line in run.out.splitlines()] == [
        str(EXAMPLE),
        str(good),
    ]
    assert cturi("check", EXAMPLE, good).code == 1


@pytest.mark.parametrize(
    "command", [["annotate"], ["headers"], ["repair", "--profile", "dcat-ap", "--dry-run"]]
)
def test_quiet_leaves_out_the_summary_and_no_error(
    command: list[str], cturi: Cturi, tmp_path: Path
) -> None:
    loud = cturi(*command, EXAMPLE)
    quiet = cturi(*command, "-q", EXAMPLE)
    assert loud.err
    assert not quiet.err
    assert quiet.out == loud.out
    assert cturi(*command, "-q", tmp_path / "none.ttl").err


def test_every_command_with_progress_or_a_summary_can_be_quiet() -> None:
    commands = {
        name: command
        for name in group.list_commands(Context(group))
        if (command := group.get_command(Context(group), name))
    }
    commands |= commands["registry"].commands  # type: ignore[attr-defined]
    for name, command in commands.items():
        if not hasattr(command, "commands") and command.callback is not None:
            source = inspect.getsource(inspect.unwrap(command.callback))
            tells = re.search(r"\b(progress|results_of|remark|_print)\(", source)
            options = [option for each in command.params for option in each.opts]
            assert ("--quiet" in options) == bool(tells), name
