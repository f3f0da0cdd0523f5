"""Every example of the README and the documentation, run."""

from __future__ import annotations

import doctest
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from rdflib import Graph

from cturi_rdf.cli import cturi

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]
# The examples of one page need Spark; `make spark` runs them.
RUN_HERE = [page for page in PAGES if page.name != "clusters.md"]
# A page that begins a file with a comment of its name has its reader save it.
SAVED = re.compile(r"# (\S+\.ttl)\n")
PAGES_BUILT = runpy.run_path(str(ROOT / "scripts" / "build_docs.py"))["PAGES"]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# What the gate itself runs, or a user does once, on another machine than this test's.
SET_UP = re.compile(r"(?:make|pip) ")
POD = {"dataset": [{"identifier": "a", "distribution": [{"mediaType": "text/csv"}]}]}


def _blocks(kind: str) -> list[tuple[Path, str]]:
    return [
        (page, text)
        for page in PAGES
        for language, text in BLOCK.findall(page.read_text("utf-8"))
        if language == kind
    ]


def _name(value: object) -> str:
    return value.name if isinstance(value, Path) else str(value).splitlines()[0][:40]


def _save(page: Path, folder: Path) -> None:
    """Save what the reader of a page is to save."""
    for where, text in _blocks("turtle"):
        name = SAVED.match(text)
        if where == page and name:
            (folder / name[1]).write_text(text, "utf-8")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with the files that the examples name."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    (tmp_path / "build").mkdir()
    (tmp_path / "data.json").write_text(json.dumps(POD))
    crate = {"@context": "https://w3id.org/ro/crate/1.1/context", "@id": "a.csv"}
    (tmp_path / "crate.jsonld").write_text(json.dumps(crate | {"encodingFormat": "text/csv"}))
    named = {"@context": "https://a.example/context", "@id": "b", "type": "CSV"}
    (tmp_path / "a.jsonld").write_text(json.dumps(named))
    context = {"@context": {"type": "http://purl.org/dc/terms/format"}}
    (tmp_path / "context.jsonld").write_text(json.dumps(context))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("page", RUN_HERE, ids=_name)
def test_the_python_of_a_page_runs(page: Path, folder: Path) -> None:
    _save(page, folder)
    text = "\n".join(code for where, code in _blocks("python") if where == page)
    test = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    result = doctest.DocTestRunner(optionflags=doctest.REPORT_NDIFF).run(test)
    assert result.failed == 0
    assert result.attempted > 0 or ">>>" not in page.read_text("utf-8")


@pytest.mark.parametrize("page", RUN_HERE, ids=_name)
def test_the_commands_of_a_page_print_what_it_says(page: Path, folder: Path) -> None:
    _save(page, folder)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for _, block in [each for each in _blocks("console") if each[0] == page]:
        commands = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
        assert commands, block
        for each in commands:
            command, _, expected = each.partition("\n")
            if SET_UP.match(command):
                continue
            run = subprocess.run(  # noqa: S602 - the commands of our own pages
                command, shell=True, cwd=folder, env=os.environ | {"PATH": path}, text=True,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
            )  # fmt: skip
            assert run.returncode == (2 if expected.startswith("cturi: ") else 0), run.stdout
            if expected.strip():
                assert run.stdout.rstrip() == expected.rstrip(), command


@pytest.mark.parametrize(("page", "text"), _blocks("turtle"), ids=_name)
def test_the_turtle_of_a_page_is_turtle(page: Path, text: str) -> None:
    assert len(Graph().parse(data=text, format="turtle")) > 0, page


def test_the_two_commands_at_the_top_are_targets_of_make() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for target in ("demo", "test", "bench"):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)


@pytest.mark.parametrize("name", sorted(PAGES_BUILT))
def test_a_generated_page_is_what_the_code_says_now(name: str) -> None:
    page = ROOT / "docs" / "reference" / name
    assert page.read_text("utf-8") == PAGES_BUILT[name](), "run scripts/build_docs.py"


def test_every_command_is_on_the_page_of_the_command_line() -> None:
    text = (ROOT / "docs" / "reference" / "command-line.md").read_text("utf-8")
    for name in cturi.list_commands(click.Context(cturi)):
        assert f"## cturi {name}\n" in text


def test_every_page_is_reached_from_the_index() -> None:
    docs = ROOT / "docs"
    index = (docs / "index.md").read_text("utf-8")
    for page in PAGES[1:]:
        name = str(page.relative_to(docs).with_suffix(""))
        assert name == "index" or re.search(rf"^{re.escape(name)}$", index, re.MULTILINE), name


def test_every_link_to_a_file_of_ours_leads_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
