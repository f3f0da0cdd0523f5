"""Hostile catalogues: what they cannot make the command line read, write or show."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import pytest

from cturi_rdf.cli.spreadsheet import csv_row

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Run

# --- spreadsheets -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("@SUM(1)", "'@SUM(1)"),
        ("+1-1", "'+1-1"),
        ("-cmd|' /C calc'!A0", "'-cmd|' /C calc'!A0"),
        ("\t=1", "'\t=1"),
        ("\r=1", "'\r=1"),
        # A number is no formula, and a text that only holds one is none either.
        ("-5", "-5"),
        ("+.5e-3", "+.5e-3"),
        ("a=1", "a=1"),
        ("", ""),
    ],
)
def test_no_cell_is_a_formula(text: str, cell: str) -> None:
    assert next(csv.reader(io.StringIO(csv_row([text, "b"]), newline=""))) == [cell, "b"]


@pytest.mark.parametrize("command", [["query", "SELECT ?t ('=1+1' AS ?x) {?d dcat:mediaType ?t}"],
                                     ["headers", "--format", "csv"]])  # fmt: skip
def test_no_command_prints_a_formula(tmp_path: Path, cturi: Run, command: list[str]) -> None:
    path = tmp_path / "a.ttl"
    path.write_text('<=cmd> <http://www.w3.org/ns/dcat#mediaType> "=2+2", "text/csv" .')
    to = ["--to", "csv"] if command[0] == "query" else []
    run = cturi(*command, path, *to)
    cells = [cell for row in csv.reader(io.StringIO(run.out)) for cell in row]
    assert any(cell.startswith("'=") for cell in cells)
    assert not any(cell.startswith("=") for cell in cells)


# --- files ------------------------------------------------------------------------------------

COMMANDS = [["headers"], ["annotate"], ["check"], ["repair", "--profile", "dcat-ap"],
            ["query", "ASK {?s dcat:mediaType ?o}"],
            ["query", "--annotate", "ASK {?s dcat:mediaType ?o}"]]  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_outside_the_folder_is_read_only_where_that_is_allowed(
    tmp_path: Path, cturi: Run, command: list[str]
) -> None:
    context = tmp_path / "context.json"
    context.write_text('{"@context": {"f": "http://www.w3.org/ns/dcat#mediaType"}}')
    folder = tmp_path / "folder"
    folder.mkdir()
    catalogue = folder / "a.jsonld"
    for name in (str(context), "../context.json", "/etc/passwd"):
        catalogue.write_text(json.dumps({"@context": name, "@id": "http://a/d", "f": "text/csv"}))
        run = cturi(*command, catalogue)
        assert (run.code, run.out) == (2, "")
        assert "outside the folder of the document; expected --context" in run.err
        assert "or --allow-files" in run.err
        if name != "/etc/passwd":
            assert cturi(*command, catalogue, "--allow-files").code != 2
            assert cturi(*command, catalogue, "--context", f"{name}={context}").code != 2
        assert "outside the" not in cturi(*command, catalogue, "--context", f"{name}=none").err
