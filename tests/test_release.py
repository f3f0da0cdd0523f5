"""The parts of a release: workflows, versions of Python, lowest versions of dependencies."""

from __future__ import annotations

import re
import runpy
import tomllib
import zipfile
from importlib.metadata import requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from processes import shell

from cturi_rdf import __version__
from cturi_rdf.registry.tables import sources

yaml = pytest.importorskip("yaml")
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
    assert lowest["polars"] == "1.32"


def test_pip_brings_four_packages_and_what_these_need() -> None:
    wanted, brought = ["cturi-rdf"], set()
    while wanted:
        name = wanted.pop()
        for text in requires(name) or ():
            needed = Requirement(text)
            if needed.marker is None or needed.marker.evaluate({"extra": ""}):
                wanted.append(needed.name)
                brought.add(needed.name.lower())
    dist = runpy.run_path(str(ROOT / "scripts" / "build_dist.py"))
    assert brought | {"cturi-rdf"} == dist["BROUGHT"]


def test_the_pure_wheel_is_small_and_has_the_files_of_the_repository_only(tmp_path: Path) -> None:
    dist = runpy.run_path(str(ROOT / "scripts" / "build_dist.py"))
    wheel = dist["pure_wheel"](tmp_path)
    assert wheel.name == f"cturi_rdf-{__version__}-py3-none-any.whl"
    assert wheel.stat().st_size <= dist["MOST"] == 2_000_000
    with zipfile.ZipFile(wheel) as archive:
        found = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert found == set(shell("git ls-files cturi_rdf | grep -v '\\.c$'", ROOT).stdout.split())


def test_every_file_says_the_same_version_licence_and_dependencies() -> None:
    recipe = yaml.safe_load((ROOT / "conda" / "recipe.yaml").read_text("utf-8"))
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert recipe["context"]["version"] == citation["version"] == __version__
    assert recipe["about"]["license"] == PROJECT["license"]
    assert recipe["about"]["license_file"] == PROJECT["license-files"]
    assert recipe["about"]["summary"] == PROJECT["description"]
    built_by = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["build-system"]
    python = f"python{PROJECT['requires-python']}"
    required = {name: [text.replace(" ", "") for text in recipe["requirements"][name]]
                for name in ("host", "run")}  # fmt: skip
    assert sorted(required["run"]) == sorted([python, *PROJECT["dependencies"]])
    assert sorted(required["host"]) == sorted([python, "pip", *built_by["requires"]])
    scripts = [f"{name} = {place}" for name, place in PROJECT["scripts"].items()]
    assert recipe["build"]["python"]["entry_points"] == scripts


def test_the_page_on_installing_lists_every_extra_for_users() -> None:
    rows = re.findall(
        r"^\| (`.*?) \|", (ROOT / "docs" / "install.md").read_text("utf-8"), re.MULTILINE
    )
    listed = {name for row in rows for name in re.findall(r"`([\w-]+)`", row)}
    ours = {"bench", "dev", "dist", "docs", "tables"}
    assert listed == set(PROJECT["optional-dependencies"]) - ours


def test_one_variable_names_the_repository() -> None:
    script = runpy.run_path(str(ROOT / "scripts" / "name_repository.py"))
    address = script["repository"]()
    for place in script["PLACES"]:
        assert address in (ROOT / place).read_text("utf-8"), place
    # No other file has an address of it, this one or another.
    found = shell(
        r"git grep -IlE 'github\.com/([A-Za-z-]+/)?cturi-rdf|cturi-rdf\.github\.io'", ROOT
    )
    assert set(found.stdout.split()) == {*script["PLACES"], "scripts/name_repository.py"}


def test_a_name_for_the_repository_is_written_into_every_place(tmp_path: Path) -> None:
    script = runpy.run_path(str(ROOT / "scripts" / "name_repository.py"))
    before = script["repository"]()
    for place in script["PLACES"]:
        copy = tmp_path / place
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes((ROOT / place).read_bytes())
    script["name"].__globals__["ROOT"] = tmp_path
    script["name"]("https://code.example/cturi-rdf/")
    assert script["repository"]() == "https://code.example/cturi-rdf"
    for place in script["PLACES"]:
        text = (tmp_path / place).read_text("utf-8")
        assert "https://code.example/cturi-rdf" in text
        assert before not in text


def test_a_release_names_its_repository() -> None:
    text = (ROOT / ".github" / "workflows" / "release.yml").read_text("utf-8")
    assert "run: python scripts/name_repository.py" in text


def test_the_licence_of_the_package_is_that_of_its_parts() -> None:
    stated = set(PROJECT["license"].split(" AND "))
    of_tables = {one for source in sources() for one in source.licence.split(" AND ")}
    # A work of the United States Government has no licence.
    assert stated == of_tables - {"LicenseRef-public-domain"}
    texts = {path.stem for path in (ROOT / "LICENSES").glob("*.txt")}
    assert texts == stated - {"BSD-3-Clause"}
    assert PROJECT["license-files"] == ["LICENSE", "LICENSES/*.txt"]
    for path in (ROOT / "LICENSES").glob("*.txt"):
        assert len(path.read_text("utf-8")) > 900, path
