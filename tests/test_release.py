"""The parts of a release: workflows, versions of Python, lowest versions of dependencies."""

from __future__ import annotations

import re
import runpy
import tomllib
from pathlib import Path

import pytest

from cturi_rdf.registry.records import sources

ROOT = Path(__file__).parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_runs_targets_of_make(path: Path) -> None:
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    named = re.findall(r"run: make ([a-z-]+)", path.read_text("utf-8"))
    assert named
    assert set(named) <= set(targets)


def test_the_versions_of_python_are_those_that_are_tested() -> None:
    text = (ROOT / ".github" / "workflows" / "test.yml").read_text("utf-8")
    # On Linux; other systems are tested with the first and the last of them.
    tested, *elsewhere = re.findall(r"python: \[(.*)\]", text)
    assert all(
        set(re.findall(r"[0-9.]+", each)) < set(re.findall(r"[0-9.]+", tested))
        for each in elsewhere
    )
    prefix = "Programming Language :: Python :: "
    listed = [each.removeprefix(prefix) for each in PROJECT["classifiers"] if prefix in each]
    assert re.findall(r"[0-9.]+", tested) == [each for each in listed if "." in each]
    assert PROJECT["requires-python"] == f">={re.findall(r'[0-9.]+', tested)[0]}"


def test_a_release_needs_no_password() -> None:
    text = (ROOT / ".github" / "workflows" / "release.yml").read_text("utf-8")
    assert "id-token: write" in text
    assert "secrets." not in text


def test_every_dependency_has_a_lowest_version() -> None:
    lowest = runpy.run_path(str(ROOT / "scripts" / "lowest_versions.py"))["lowest"]()
    for requirement in PROJECT["dependencies"]:
        name, version = requirement.split(">=")
        assert lowest[name] == version
    # Two extras ask for it; the higher bound counts.
    assert lowest["polars"] == "1.20"


def test_the_licence_of_the_package_is_that_of_its_parts() -> None:
    stated = set(PROJECT["license"].split(" AND "))
    of_tables = {one for source in sources() for one in source.licence.split(" AND ")}
    # A work of the United States Government has no licence; PRONOM's notice names its own.
    assert stated == (of_tables - {"LicenseRef-public-domain"}) | {"OGL-UK-3.0"}
    texts = {path.stem for path in (ROOT / "LICENSES").glob("*.txt")}
    assert texts == stated - {"BSD-3-Clause"}
    assert PROJECT["license-files"] == ["LICENSE", "LICENSES/*.txt"]
    for path in (ROOT / "LICENSES").glob("*.txt"):
        assert len(path.read_text("utf-8")) > 900, path
