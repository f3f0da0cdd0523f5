"""Where the commands that change files write, and how large what a query reads is."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import pytest

from cturi_rdf.cli.output import targets_of
from cturi_rdf.cli.query import _format_for, _is_large, _size, _tell_size
from cturi_rdf.reading.errors import CatalogError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conftest import Write

ONE, TWO = ["a.ttl"], ["a.ttl", "b.ttl"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give the current folder with two files and two folders, while a command is called."""
    monkeypatch.chdir(tmp_path)
    for name in ("out", "in"):
        Path(name).mkdir()
    for name in TWO:
        Path(name).write_text("")
    with click.Context(click.Command("edit")):
        yield tmp_path


@pytest.mark.parametrize(("sources", "output", "flags", "targets"), [
    (ONE, "-", "", {"a.ttl": "-"}),
    (["-"], "-", "", {"-": "-"}),
    (ONE, "x.ttl", "", {"a.ttl": "x.ttl"}),
    (["-"], "x.ttl", "", {"-": "x.ttl"}),
    (ONE, "out", "", {"a.ttl": "out/a.ttl"}),
    (TWO, "out", "", {"a.ttl": "out/a.ttl", "b.ttl": "out/b.ttl"}),
    (TWO, "-", "in_place", {"a.ttl": "a.ttl", "b.ttl": "b.ttl"}),
    (["a.ttl", "./a.ttl", "b.ttl"], "-", "in_place", {"a.ttl": "a.ttl", "b.ttl": "b.ttl"}),
    (TWO, "-", "dry_run", {}),
    (TWO, "-", "diff", {}),
    (TWO, "-", "as_json", {}),
    (ONE, "-", "dry_run in_place", {"a.ttl": "a.ttl"}),
    (ONE, "x.ttl", "diff", {"a.ttl": "x.ttl"}),
    (["out/a.ttl", "in/A.ttl"], "out", "", {"out/a.ttl": "out/a.ttl", "in/A.ttl": "out/A.ttl"}),
])  # fmt: skip
def test_each_file_has_one_target(
    sources: list[str], output: str, flags: str, targets: dict[str, str]
) -> None:
    given: Any = {"in_place": False} | dict.fromkeys(flags.split(), True)
    assert targets_of(sources, output, **given) == targets


@pytest.mark.parametrize(("sources", "output", "flags", "problem"), [
    (TWO, "-", "", "several files need --in-place, or -o with a folder that exists"),
    (TWO, "x.ttl", "", "several files need --in-place, or -o with a folder that exists"),
    (ONE, "-", "diff as_json", "--json and --diff both print on standard output"),
    (ONE, "x.ttl", "in_place", "--in-place needs named files and no -o"),
    (["a.ttl", "-"], "-", "in_place", "--in-place needs named files and no -o"),
    (["-"], "out", "", "-o with a folder takes files, not standard input"),
    (["a.ttl", "-"], "out", "", "-o with a folder takes files, not standard input"),
    (["in/a.ttl", "b.ttl", "a.ttl"], "out", "", "two files would be written to 'out/a.ttl'"),
])  # fmt: skip
def test_a_file_without_a_target_of_its_own_is_refused(
    sources: list[str], output: str, flags: str, problem: str
) -> None:
    given: Any = {"in_place": False} | dict.fromkeys(flags.split(), True)
    with pytest.raises(click.UsageError, match=rf"^{re.escape(problem)}$"):
        targets_of(sources, output, **given)


def test_names_that_differ_in_case_are_one_where_a_folder_takes_them_for_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("cturi_rdf.cli.output.ignores_case", lambda _: True)
    with pytest.raises(click.UsageError, match=r"two files would be written to 'out/a\.ttl'"):
        targets_of(["out/a.ttl", "in/A.ttl"], "out", in_place=False)
    assert len(targets_of(TWO, "out", in_place=False)) == 2


@pytest.mark.parametrize(("name", "form"), [
    ("-", "table"), ("a.txt", "table"), ("a.CSV", "csv"), ("a.tsv.gz", "tsv"), ("a.json", "json"),
    ("a.xml", "xml"), ("a", "table"),
])  # fmt: skip
def test_the_name_of_a_file_tells_how_to_write_rows(name: str, form: str) -> None:
    assert _format_for(name) == form


def test_a_name_that_tells_no_format_of_rows_is_refused() -> None:
    with pytest.raises(CatalogError, match="does not show how to write rows") as refused:
        _format_for("a.ttl")
    assert (
        refused.value.expected == "one of .csv, .tsv, .json, .xml, .txt, or the option --to FORMAT"
    )


def test_the_size_of_a_file_is_that_of_what_is_inside(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _size(str(write("c.ttl", "x" * 30))) == 30
    assert _size(str(write("c.ttl.gz", "x" * 30))) == 300
    assert _size("missing.ttl") == 0
    # Standard input may be a file, a pipe, or closed.
    with Path("c.ttl").open() as file:
        monkeypatch.setattr("sys.stdin", file)
        assert _size("-") == 30
    reading, writing = os.pipe()
    os.close(writing)
    with os.fdopen(reading) as pipe:
        monkeypatch.setattr("sys.stdin", pipe)
        assert _size("-") == 0
    monkeypatch.setattr("sys.stdin", None)
    assert _size("-") == 0


@pytest.mark.parametrize(("ending", "megabytes", "annotated", "told", "gigabytes"), [
    ("ttl", 49, True, "", ""),
    ("ttl", 50, True, "50 MB are loaded", "0.5"),
    ("nt.gz", 50, True, "50 MB are loaded", "0.2"),
    ("rows", 1_000, True, "1,000 MB are loaded", "10.0"),
    ("nq", 1_000, False, "1,000 MB are loaded", "2.0"),
])  # fmt: skip
def test_a_query_of_large_files_says_what_it_will_take(
    ending: str,
    megabytes: int,
    annotated: bool,
    told: str,
    gigabytes: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    sizes = dict.fromkeys([f"a.{ending}", f"b.{ending}"], megabytes * 500_000)
    assert _is_large(sizes) == bool(told)
    if told:
        _tell_size(sizes, annotated=annotated)
    printed = capsys.readouterr().err
    assert printed.startswith(f"cturi: {told}" if told else "")
    assert f"{gigabytes} GB of disk\n" in printed if told else not printed
    assert ("--as-is" in printed) == (bool(told) and annotated)
