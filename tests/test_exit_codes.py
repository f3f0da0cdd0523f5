"""Exit codes and --json, which mean the same in every command, and the page that lists them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click
import pytest
from conftest import partly_slow

from cturi_rdf.cli import cturi as command_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conftest import Cturi, Write

ROOT = Path(__file__).parents[1]
FINE = """@prefix dcat: <http://www.w3.org/ns/dcat#> .
<https://a.example/d> a dcat:Distribution ;
  dcat:mediaType <https://www.iana.org/assignments/media-types/text/csv> ."""


class Row(NamedTuple):
    """A command, and calls of it that end with 0, 1 and 2, where they can be tried."""

    command: str
    done: str | None
    found: str | None
    refused: str


# The files are those of the folder examples/.
ROWS = [
    Row("annotate", "catalogue.ttl -o OUT/a.ttl", None, "missing.ttl -o OUT/a.ttl"),
    Row("check", "OUT/fine.ttl", "street-trees.ttl", "missing.ttl"),
    Row(
        "repair",
        "street-trees.ttl --profile dcat-ap --dry-run",
        "catalogue.ttl --profile dcat-ap --dry-run",
        "catalogue.ttl --profile none --dry-run",
    ),
    Row("headers", "catalogue.ttl", None, "missing.ttl"),
    Row("query", "types catalogue.ttl", None, "none catalogue.ttl"),
    Row("edit", "catalogue.ttl --update drop-formats.ru --dry-run", None, "catalogue.ttl"),
    Row(
        "columns",
        "formats.csv --column format -o OUT/l.csv",
        None,
        "formats.csv --column none -o OUT/l.csv",
    ),
    Row("resolve", "CSV nonsense", None, "CSV --labels missing.tsv"),
    Row("describe", "text/csv", None, "csv"),
    Row("registry list", "--suffix zip", None, "--status none"),
    Row("registry show", "text/csv", None, "csv"),
    Row("registry export", "-o OUT/registry.nt", None, "-o OUT/registry.none"),
    Row("registry update", None, None, "missing.xml"),
    Row("uri", "text/csv", None, "csv"),
    Row("header", "ContentType:text/csv", None, "csv"),
    Row("convert", "-", None, "text/csv"),
    Row(
        "encoding",
        "cafes.xml",
        "cafes.xml --lint --content-type text/xml;charset=utf-8",
        "missing.xml",
    ),
    Row("message", "engine.eml", None, "missing.eml"),
    Row("links", "landing-page.html", "landing-page.html --check", "missing.html"),
    Row("serve", None, None, "missing.ttl"),
    Row("site", None, None, "-o catalogue.ttl"),
    Row("lsp", None, None, "--profile none"),
    Row("selfcheck", "", "OUT/wrong.rq", "missing.rq"),
]
# A check of the whole installation takes seconds.
TRIED = partly_slow(ROWS, daily=[row for row in ROWS if row.command != "selfcheck"])


@pytest.fixture(autouse=True)
def _files(monkeypatch: pytest.MonkeyPatch, write: Write) -> None:
    """Give the commands the examples, a catalogue without a fault and a wrong query."""
    monkeypatch.chdir(ROOT / "examples")
    write("fine.ttl", FINE)
    write("wrong.rq", "SELECT (ctf:none(?x) AS ?y) {}")


def words(row: Row, call: str, folder: Path) -> list[str]:
    return [*row.command.split(), *call.replace("OUT", str(folder)).split()]


def commands(
    group: click.Group = command_line, before: str = ""
) -> Iterator[tuple[str, click.Command]]:
    """Yield each command with its name."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands(command, f"{name} ")
        else:
            yield before + name, command


@pytest.mark.parametrize("row", TRIED, ids=lambda row: row.command)
def test_a_command_ends_with_0_1_or_2(row: Row, cturi: Cturi, tmp_path: Path) -> None:
    for code, call in enumerate((row.done, row.found, row.refused)):
        if call is not None:
            run = cturi(*words(row, call, tmp_path))
            assert run.code == code, call
            assert re.search(r"^cturi: ", run.err, re.MULTILINE) or code < 2, call


def test_the_page_lists_what_ends_with_1_and_what_prints_json() -> None:
    text = (ROOT / "docs" / "how-to" / "shell.md").read_text("utf-8")
    listed = {
        command: tuple(cell.strip() for cell in cells.split("|"))
        for command, cells in re.findall(r"^\| `cturi ([a-z ]+)` \| (.*) \|$", text, re.MULTILINE)
    }
    printing = {
        name
        for name, command in commands()
        if any(option.name == "as_json" for option in command.params)
    }
    assert {name for name, (shown, _) in listed.items() if shown != "–"} == printing
    assert {name for name, (_, when) in listed.items() if when != "–"} == {
        row.command for row in ROWS if row.found is not None
    }
    assert {row.command for row in ROWS} == {name for name, _ in commands()}


@pytest.mark.parametrize("row", TRIED, ids=lambda row: row.command)
def test_json_is_one_object_per_line(row: Row, cturi: Cturi, tmp_path: Path) -> None:
    command = dict(commands())[row.command]
    for call in (row.done, row.found):
        if call is not None and any(option.name == "as_json" for option in command.params):
            run = cturi(*words(row, call, tmp_path), "--json")
            assert run.out
            assert all(isinstance(json.loads(line), dict) for line in run.out.splitlines())
