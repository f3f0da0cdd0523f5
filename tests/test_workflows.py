"""The action and the hooks, run in the shell of a workflow and before a commit."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cturi_rdf.cli import cturi as group

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Cturi, Write

yaml = pytest.importorskip("yaml")
ROOT = Path(__file__).parents[1]
BASH = shutil.which("bash")
CATALOGUE = """\
@prefix dcat: <http://www.w3.org/ns/dcat#> .
@prefix dct: <http://purl.org/dc/terms/> .
<http://a.example/d> a dcat:Distribution ; dct:format "CSV" .
"""


def _yaml(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text("utf-8"))


@pytest.fixture
def workflow(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Return a function that runs the steps of the action that are scripts, but installs nothing.

    Its inputs are those of the action, as a workflow gives them.
    """
    if BASH is None:
        pytest.skip("no bash on this system")
    shim = tmp_path / "bin" / "cturi"
    shim.parent.mkdir()
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m cturi_rdf "$@"\n')
    shim.chmod(0o755)
    action = _yaml("action.yml")
    (step,) = (step for step in action["runs"]["steps"] if step.get("name") == "Run")

    def run(**inputs: str) -> subprocess.CompletedProcess[str]:
        values = {name: row.get("default", "") for name, row in action["inputs"].items()} | inputs
        variables = {
            name: re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda match: values[match[1]], text)
            for name, text in step["env"].items()
        }
        path = f"{shim.parent}{os.pathsep}{os.environ['PATH']}"
        return subprocess.run(
            # What the runner of GitHub calls for `shell: bash`.
            [str(BASH), "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=tmp_path,
            env={**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), **variables},
            capture_output=True,
            text=True,
            check=False,
        )

    return run


def test_the_action_checks_and_annotates_the_lines(
    workflow: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    (tmp_path / "a.ttl").write_text(CATALOGUE)
    run = workflow(files="a.ttl", profile="dcat-ap")
    assert run.returncode == 1, run.stderr
    summary, finding, *_ = run.stdout.splitlines()
    assert summary.startswith("a.ttl: 1 resource checked, 1 violation, ")
    assert summary.endswith("; DCAT-AP 3.0.1 (dcat-ap), as requested")
    assert finding.startswith("::error file=a.ttl,line=3,")
    assert "file-type/CSV" in run.stdout


def test_the_action_repairs_the_working_copy(
    workflow: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    names = ("a.ttl", "b.ttl")
    for name in names:
        (tmp_path / name).write_text(CATALOGUE)
    inputs = {"files": " ".join(names), "profile": "dcat-ap", "arguments": "--by-url"}
    run = workflow(command="repair", **inputs)
    assert run.returncode == 0, run.stderr
    assert all("file-type/CSV" in (tmp_path / name).read_text() for name in names)
    assert workflow(command="check", files="a.ttl", profile="dcat-ap").returncode == 0


def test_the_action_says_what_it_cannot_read(
    workflow: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    run = workflow(files="none.ttl")
    assert run.returncode == 2
    assert "none.ttl" in run.stderr


def test_the_action_installs_what_it_is_part_of() -> None:
    steps = _yaml("action.yml")["runs"]["steps"]
    (install,) = (step for step in steps if step.get("name") == "Install")
    assert "${{ github.action_path }}[shacl]" in install["run"]


NOT_MEANT = {
    "package.json": '{"name": "a", "scripts": {"build:all": "b"}}',
    "tsconfig.json": "{ // a comment\n}",
    "pom.xml": "<project><a>1</a></project>",
}


@pytest.mark.parametrize("hook", _yaml(".pre-commit-hooks.yaml"), ids=lambda hook: hook["id"])
def test_a_hook_calls_a_command_with_options_that_it_has(
    cturi: Cturi, write: Write, hook: dict[str, Any]
) -> None:
    program, name, *options = shlex.split(hook["entry"])
    assert (program, name in group.list_commands(None)) == ("cturi", True)  # type: ignore[arg-type]
    assert re.search(hook["files"], "data/catalogue.ttl")
    assert not re.search(hook["files"], "README.md")
    for seen in ("data.json", "ro-crate-metadata.json", "catalogue.xml"):
        assert re.search(hook["files"], seen)
    file = write("a.ttl", CATALOGUE)
    run = cturi(name, *options, "--profile", "dcat-ap", file)
    assert run.code == (1 if name == "check" else 0), run.err
    for other, text in NOT_MEANT.items():
        run = cturi(name, *options, write(other, text))
        assert (run.code, "left out" in run.err) == (0, True)
