"""Every example of the README and the documentation, run."""

from __future__ import annotations

import re
import runpy
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pyoxigraph as ox
import pytest
from edited_files import canonical
from rdflib import Graph

from cturi_rdf import __version__
from cturi_rdf.cli import cturi
from cturi_rdf.reading import read_catalog
from cturi_rdf.reading.terms import lenient_ox

if TYPE_CHECKING:
    from rdflib import Dataset

ROOT = Path(__file__).parents[1]
EXAMPLES = runpy.run_path(str(ROOT / "scripts" / "build_examples.py"))
PAGES: list[Path] = EXAMPLES["PAGES"]
RUN_HERE: list[Path] = EXAMPLES["RUN_HERE"]
FILES = sorted(EXAMPLES["TARGET"].glob("*.ttl"))
# Built before any test runs a command: click keeps the help option of the first call.
PAGES_BUILT: dict[str, str] = runpy.run_path(str(ROOT / "scripts" / "build_docs.py"))["pages"]()
REFERENCE = ROOT / "docs" / "reference"


def _blocks(kind: str) -> list[tuple[Path, str]]:
    return [(page, text) for page in PAGES for text in EXAMPLES["blocks"](page, kind)]


def _name(value: object) -> str:
    return value.name if isinstance(value, Path) else str(value).splitlines()[0][:40]


@pytest.mark.parametrize("page", RUN_HERE, ids=_name)
def test_the_examples_of_a_page_print_what_it_says_and_make_examples_of_the_ontology(
    page: Path, tmp_path: Path
) -> None:
    ran = EXAMPLES["run_page"](page, tmp_path)
    assert ran.failures == ""
    for command, shown, run in ran.outputs:
        assert run.returncode == (2 if shown.startswith("cturi: ") else 0), run.stdout
        if shown.strip():
            assert run.stdout.rstrip() == shown.rstrip(), command
    for name, graph in ran.graphs.items():
        assert _statements(graph) in _documented().values(), name
    for name, statements in _documented().items():
        if name.startswith(f"{page.stem}-"):
            assert _statements(ran.graphs[name]) == statements, "run scripts/build_examples.py"


@cache
def _documented() -> dict[str, set[str]]:
    """Return the examples of the ontology that pages make, by name."""
    return {path.stem: _statements(read_catalog(str(path))) for path in FILES}


def _statements(dataset: Dataset) -> set[str]:
    """Return the statements of a dataset, in whatever graphs they are."""
    return canonical(ox.Quad(*map(lenient_ox, triple)) for *triple, _ in dataset.quads())


@pytest.mark.parametrize("page", RUN_HERE, ids=_name)
def test_every_example_of_a_console_is_a_command(page: Path) -> None:
    assert all("\n$ " in f"\n{block}" for block in EXAMPLES["blocks"](page, "console"))


def test_no_cell_of_a_page_is_passed_over() -> None:
    for page in PAGES:
        for language, code in EXAMPLES["BLOCK"].findall(page.read_text("utf-8")):
            assert language == "ipython3" or not code.startswith("%"), page


def test_there_are_examples_of_the_readme_and_of_other_pages() -> None:
    pages = {path.stem.partition("-")[0] for path in FILES}
    assert {"README", "messages", "tutorial"} <= pages <= {page.stem for page in PAGES}


def test_the_turtle_of_the_readme_is_of_what_its_command_writes() -> None:
    shown, written = (
        set(read_catalog(str(EXAMPLES["file"](f"README-{name}"))).triples((None, None, None)))
        for name in ("shown", "catalogue")
    )
    assert shown < written


@pytest.mark.parametrize(("page", "text"), _blocks("turtle"), ids=_name)
def test_the_turtle_of_a_page_is_turtle(page: Path, text: str) -> None:
    assert len(Graph().parse(data=text, format="turtle")) > 0, page


def test_the_two_commands_at_the_top_are_targets_of_make() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    [top, *_] = EXAMPLES["blocks"](ROOT / "README.md", "sh")
    commands = [line.partition("#")[0].split() for line in top.splitlines()]
    assert commands == [["make", "demo"], ["make", "test"]]
    for _, target in commands:
        assert re.search(rf"^{target}: \$\(VENV\)/", makefile, re.MULTILINE)


def test_the_page_for_developers_lists_every_target_of_make() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8").replace("\\\n", " ")
    targets = re.findall(r"^\.PHONY:(.*)$", makefile, re.MULTILINE)[0].split()
    page = (ROOT / "docs" / "development.md").read_text("utf-8")
    listed = re.findall(r"^\$ make ([a-z-]+) ", page, re.MULTILINE)
    assert sorted(listed) == sorted(targets)


@pytest.mark.parametrize("name", sorted(PAGES_BUILT))
def test_a_generated_page_is_what_the_code_says_now(name: str) -> None:
    assert (REFERENCE / name).read_text("utf-8") == PAGES_BUILT[name], "run scripts/build_docs.py"


def test_there_is_no_page_of_what_is_gone() -> None:
    there = {str(path.relative_to(REFERENCE)) for path in REFERENCE.glob("**/*.md")}
    assert there == {name for name in PAGES_BUILT if name.endswith(".md") and name[0] != "."}


def test_every_command_has_a_page() -> None:
    for name in cturi.list_commands(click.Context(cturi)):
        text = (REFERENCE / "command-line" / f"{name}.md").read_text("utf-8")
        assert text.startswith(f"# cturi {name}\n")
        assert "--help" in text


def test_every_part_of_the_library_has_a_page() -> None:
    text = (REFERENCE / "python.md").read_text("utf-8")
    parts = {path.parent.name for path in (ROOT / "cturi_rdf").glob("*/__init__.py")}
    # `cturi_rdf` offers what `content_type` does; `browser` offers a page, `lsp` a command.
    parts -= {"cli", "_util", "content_type", "browser", "lsp"}
    for part in parts:
        assert f"[`cturi_rdf.{part}`](python/cturi_rdf.{part}.md)" in text


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_what_a_page_imports_is_in_the_reference(page: Path) -> None:
    text = "".join(path.read_text("utf-8") for path in REFERENCE.glob("python/*.md"))
    listed = set()
    for block in text.split("currentmodule:: ")[1:]:
        module = block.partition("\n")[0]
        listed |= {
            (module, name) for name in re.findall(r"^\.\. \S+:: (\w+)$", block, re.MULTILINE)
        }
    for module, names in re.findall(
        r"from (cturi_rdf[\w.]*) import ([\w, ]+)", page.read_text("utf-8")
    ):
        for name in (each.partition(" as ")[0] for each in names.split(", ")):
            assert (module, name) in listed or f"automodule:: {module}.{name}\n" in text


def test_every_command_is_in_the_readme() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    for name in cturi.list_commands(click.Context(cturi)):
        assert re.search(rf"\bcturi {name}\b", text), name


def test_every_page_is_reached_from_the_index() -> None:
    docs = ROOT / "docs"
    index = (docs / "index.md").read_text("utf-8")
    assert {"changelog", "contributing"} <= {page.stem for page in PAGES}
    for page in PAGES[1:]:
        name = str(page.relative_to(docs).with_suffix(""))
        assert name == "index" or re.search(rf"^{re.escape(name)}$", index, re.MULTILINE), name


def test_every_link_to_a_file_of_ours_leads_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_ratios_of_the_readme_are_those_of_the_table_of_performance() -> None:
    table = (ROOT / "docs" / "performance.md").read_text("utf-8").splitlines()
    section = (ROOT / "README.md").read_text("utf-8").partition("## How fast it is")[2]
    rows = re.findall(r"^\|.*[0-9] \|$", section.partition("\n## ")[0], re.MULTILINE)
    assert len(rows) > 3
    assert all(any(line.startswith(row) for line in table) for row in rows)


def test_every_variable_of_the_environment_that_is_read_is_in_the_table() -> None:
    text = (ROOT / "docs" / "development.md").read_text("utf-8")
    files = [
        path
        for folder in ("cturi_rdf", "tests", "scripts", "benchmarks")
        for path in (ROOT / folder).rglob("*.py")
    ]
    read = {
        name
        for path in files
        for name in re.findall(r"""environ(?:\.get\(|\[)f?["']([A-Z_]+)""", path.read_text("utf-8"))
    }
    assert {"CTURI_DATA", "CTURI_LIMIT_", "CTURI_SHAPE"} <= read
    # The last two are of WSGI.
    assert {
        name for name in read - {"PATH", "HTTP_ACCEPT", "REQUEST_METHOD"} if f"`{name}" not in text
    } == set()


def test_the_citation_names_this_version() -> None:
    assert f"\nversion: {__version__}\n" in (ROOT / "CITATION.cff").read_text("utf-8")
