"""`cturi selfcheck`: parts that are sound, faulty or missing."""

from __future__ import annotations

import gzip
import json
from importlib.metadata import PackageNotFoundError
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from rdflib.plugins.sparql.operators import _CUSTOM_FUNCTIONS

from cturi_rdf import selfcheck
from cturi_rdf._util.lazy import how_to_install
from cturi_rdf.cli.registry import selfcheck as command
from cturi_rdf.labels import resolve
from cturi_rdf.reading.formats import zstd_module
from cturi_rdf.selfcheck import checks
from cturi_rdf.sparql.functions import CTF

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Cturi

SHAPES = f"""
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix ex: <http://a.example/> .
ex:shape a sh:NodeShape ; sh:targetNode ex:a ; sh:sparql [
    sh:prefixes ex: ; sh:select "SELECT $this {{ FILTER(!f:%s($this)) }}" ] .
ex: sh:declare [ sh:prefix "f" ; sh:namespace "{CTF}" ] .
"""
NOTHING = resolve("")


@pytest.mark.slow
def test_this_installation_is_sound() -> None:
    result = CliRunner().invoke(command)
    lines = result.output.splitlines()
    assert result.exit_code == 0
    assert all(line[39] == " " != line[40] for line in lines), "the columns run together"
    missing = [line.split()[1] for line in lines if not line.startswith("ok ")]
    # The one extra that is not in `all`.
    assert missing in ([], ["pyspark"]), result.output
    for engine in ("rdflib", "pySHACL", "oxrdflib", "Oxigraph"):
        assert any(f"functions in {engine} " in line for line in lines)
    assert not any(each.startswith(CTF) for each in _CUSTOM_FUNCTIONS)


@pytest.mark.slow
def test_what_is_not_installed_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def version(name: str) -> str:
        if name == "pyshacl":
            raise PackageNotFoundError(name)
        return "1"

    monkeypatch.setattr(selfcheck, "version", version)
    monkeypatch.setattr(selfcheck, "find_spec", lambda name: name if name == "rdflib" else None)
    found = {each.name: each for each in checks()}
    assert found["pyshacl"] == ("pyshacl", None, f"not installed: {how_to_install('shacl')}")
    assert "functions in rdflib" in found
    assert "functions in pySHACL" not in found


@pytest.mark.parametrize(
    ("name", "broken", "check", "problem"),
    [
        ("resolve", lambda _: NOTHING, "labels", "not understood"),
        ("to_uri", lambda _: "a:b", "mapping", "not mapped"),
        ("schemes", tuple, "registry", "empty"),
        ("describe", lambda _: selfcheck.Graph(), "virtual registry", "does not have"),
        ("ready_made", dict, "queries", "none"),
    ],
)
def test_what_is_broken_is_named(
    name: str,
    broken: Callable[..., object],
    check: str,
    problem: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(selfcheck, name, broken)
    monkeypatch.setattr(selfcheck, "_ENGINES", {})
    result = CliRunner().invoke(command, ["--json"])
    found = {each["name"]: each for each in map(json.loads, result.output.splitlines())}
    assert result.exit_code == 1
    assert found[check]["sound"] is False
    assert problem in found[check]["found"]


def test_an_example_that_does_not_hold_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    engines = {"says no": ("rdflib", lambda _: False), "knows all": ("rdflib", lambda _: True)}
    monkeypatch.setattr(selfcheck, "_ENGINES", engines)
    found = {each.name: each for each in checks()}
    assert found["says no"].found.startswith("ctf:mint")
    assert found["knows all"].found == "a function that does not exist goes unnoticed"


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("a.rq", "ASK { FILTER(ctf:isXML('a/b')) }", "1 query"),
        ("a.ttl", SHAPES % "isXML", "1 queries"),
        ("a.rq", "ASK { FILTER(ctf:isXLM('a/b')) }", "expected ctf:isXML"),
        ("a.ttl", SHAPES % "isXLM", "expected ctf:isXML"),
        ("a.ttl", "@prefix", "not valid Turtle"),
    ],
)
def test_files_are_checked_for_functions_that_do_not_exist(
    file: str, text: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selfcheck, "_ENGINES", {})
    monkeypatch.setattr(selfcheck, "_CHECKS", {})
    (tmp_path / file).write_text(text, "utf-8")
    result = CliRunner().invoke(command, [str(tmp_path / file)])
    assert result.exit_code == (0 if "quer" in said else 1)
    assert said in result.output.splitlines()[-1]


@pytest.mark.parametrize("ending", ["gz", "zst"])
def test_a_compressed_file_is_what_its_name_says_without_the_compression(
    ending: str, tmp_path: Path
) -> None:
    compress = {"gz": gzip.compress, "zst": zstd_module().compress}[ending]
    path = tmp_path / f"a.ttl.{ending}"
    path.write_bytes(compress((SHAPES % "isXML").encode()))
    assert selfcheck.names_in_file(str(path)) == "1 queries"


def test_a_file_that_is_not_there_is_an_error(cturi: Cturi) -> None:
    run = cturi("selfcheck", "none.rq")
    assert (run.code, run.out) == (2, "")
    assert "none.rq: it cannot be read (No such file or directory)" in run.err


@pytest.mark.parametrize("name", selfcheck._ENGINES)
def test_each_engine_is_asked_and_its_answer_is_passed_on(name: str) -> None:
    module, ask = selfcheck._ENGINES[name]
    pytest.importorskip(module)
    assert ask("ASK { FILTER(1 = 1) }") is True
    assert ask("ASK { FILTER(1 = 2) }") is False
