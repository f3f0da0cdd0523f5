"""A plan in the languages that others read: applied by their tools, and taken back."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pyoxigraph as ox
import pytest
from rdflib import Dataset, Graph
from repairs import HEAD, LATIN_1, PATCHED, fixed, planned

from cturi_rdf.reading import CatalogError
from cturi_rdf.repair import plan_file
from cturi_rdf.repair.patch import as_diff, as_json_lines, as_sarif, undone
from cturi_rdf.repair.statements import as_provenance, as_rdf_patch, as_sparql_update

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Cturi, Write


def test_a_patch_is_applied_by_sparql(tmp_path: Path) -> None:
    plan = planned(tmp_path, PATCHED)
    store = ox.Store()
    store.load(plan.original, ox.RdfFormat.TURTLE)
    store.update(as_sparql_update(plan))
    wanted = ox.Dataset(ox.parse(plan.edited, ox.RdfFormat.TURTLE))
    made = ox.Dataset(store)
    for each in (wanted, made):
        each.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
    assert made == wanted


def test_a_graph_without_a_name_is_refused_by_sparql(write: Write) -> None:
    plan = plan_file(write("a.trig", HEAD + '[] { <a:b> dct:format "CSV" . }'), profile="dcat-ap")
    with pytest.raises(CatalogError, match="a graph that is named by a blank node"):
        as_sparql_update(plan)
    assert list(ox.parse(plan.edited, ox.RdfFormat.TRIG))


def test_a_patch_is_read_by_the_rdf_patch_parser_of_rdflib(tmp_path: Path) -> None:
    plan = planned(
        tmp_path, PATCHED.replace("[ dct:format", "<f> . <f> dct:format").replace(" ] .", " .")
    )
    dataset = Dataset()
    dataset.parse(data=plan.original.decode(), format="turtle")
    dataset.parse(data=as_rdf_patch(plan), format="patch")
    wanted = Graph().parse(data=plan.edited.decode(), format="turtle")
    assert {quad[:3] for quad in dataset.quads()} == set(wanted)


@pytest.mark.parametrize(
    ("name", "content"),
    [("catalogue.ttl", (HEAD + PATCHED).rstrip("\n")), ("catalogue.rdf", LATIN_1)],
)
def test_the_diff_is_applied_by_patch(
    cturi: Cturi, write: Write, tmp_path: Path, name: str, content: str | bytes
) -> None:
    patch, file, diff = shutil.which("patch"), write(name, content), tmp_path / "catalogue.diff"
    if patch is None:
        pytest.skip("no patch on this system")
    plan = plan_file(file, profile="dcat")
    cturi("repair", file, "--profile", "dcat", "--dry-run", "--patch", diff)
    assert diff.read_bytes() == as_diff(plan)
    subprocess.run([patch, str(file)], input=as_diff(plan), check=True, capture_output=True)
    assert file.read_bytes() == plan.edited != plan.original


def test_a_diff_that_is_not_for_a_terminal_has_every_character(cturi: Cturi, write: Write) -> None:
    file = write(
        "catalogue.ttl", HEAD + PATCHED.replace('"TIF"', '"TIF" ; dct:title "\x1b[31mred"')
    )
    run = cturi("repair", file, "--profile", "dcat-ap", "--diff")
    assert '"\x1b[31mred"' in run.out


@pytest.mark.parametrize("end", ["\n", "\r\n", ""])
def test_undoing_gives_the_bytes_back(cturi: Cturi, tmp_path: Path, end: str) -> None:
    file, patch = tmp_path / "catalogue.ttl", tmp_path / "patch.jsonl"
    text = (HEAD + PATCHED).replace("\n", end or "\n").removesuffix("" if end else "\n")
    file.write_bytes(text.encode())
    run = cturi("repair", file, "--profile", "dcat-ap", "--in-place", "--patch", patch)
    assert run.code == 0
    assert file.read_bytes() != text.encode()
    assert cturi("repair", file, "--undo", patch, "--in-place").code == 0
    assert file.read_bytes() == text.encode()
    assert cturi("repair", file, "--undo", patch, "--in-place").code == 2


def test_a_librarians_file_comes_back(shared: Path) -> None:
    plan = plan_file(str(shared / "findings/library.ttl"), profile="dcat-ap")
    assert undone(plan.edited, as_json_lines(plan)) == plan.original


def test_the_fixes_of_sarif_make_the_repaired_text(tmp_path: Path) -> None:
    plan = planned(tmp_path, PATCHED)
    results = json.loads(as_sarif(plan))["runs"][0]["results"]
    assert fixed(plan.original.decode(), results) == plan.edited.decode()
    assert all(result["properties"]["confidence"] == "certain" for result in results)
    # A result stands at the value, wherever its fix begins.
    for result in results[:-1]:
        region = result["locations"][0]["physicalLocation"]["region"]
        place = result["properties"]["line"], result["properties"]["column"]
        assert (region["startLine"], region["startColumn"]) == place


def test_sarif_names_a_file_by_its_uri(write: Write) -> None:
    path = write("100% a catalogue.ttl", HEAD + PATCHED)
    plan = plan_file(path, profile="dcat-ap")
    [location] = json.loads(as_sarif(plan))["runs"][0]["results"][0]["locations"]
    uri = location["physicalLocation"]["artifactLocation"]["uri"]
    assert (unquote(uri), " " in uri) == (str(path), False)


def test_the_provenance_is_turtle(tmp_path: Path) -> None:
    quads = list(ox.parse(as_provenance(planned(tmp_path, PATCHED)), ox.RdfFormat.TURTLE))
    assert any("wasDerivedFrom" in quad.predicate.value for quad in quads)
