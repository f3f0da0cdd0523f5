"""The open tables: valid for those who read them, and right about the labels that were judged."""

from __future__ import annotations

import csv
import json
import re
import runpy
import shutil
import subprocess
from collections import Counter
from typing import TYPE_CHECKING

import pyoxigraph as ox
import pytest
from test_judged_labels import SCRIPT

from cturi_rdf.registry import registry
from cturi_rdf.site.label_table import key_of
from cturi_rdf.site.tables import open_tables

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow
NPM, NODE = shutil.which("npm") or "", shutil.which("node") or ""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tables")
    for name, text in open_tables().items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8", newline="\n")
    return folder


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_data_package_describes_the_columns_of_its_files(folder: Path) -> None:
    package = json.loads((folder / "datapackage.json").read_text("utf-8"))
    for resource in package["resources"]:
        rows = rows_of(folder / resource["path"])
        assert [field["name"] for field in resource["schema"]["fields"]] == list(rows[0])
        keys = [row[resource["schema"]["primaryKey"]] for row in rows]
        assert len(keys) == len(set(keys)) > 2_000
    assert all(source["title"] for source in package["sources"])
    # These are names in the list of SPDX.
    licences = [licence["name"] for licence in package["licenses"]]
    assert "CC-BY-4.0" in licences
    assert not [licence for licence in licences if licence.startswith("LicenseRef")]


def test_the_media_types_are_those_of_the_registry(folder: Path) -> None:
    rows = {row["media_type"]: row for row in rows_of(folder / "media-types.csv")}
    assert rows.keys() >= set(registry().media_types().keys())
    assert rows["text/csv"]["wikidata"] == "Q935809"
    assert rows["application/pdf"]["pronom"] == ""
    assert rows["image/svg+xml"]["non_proprietary"] == ""


def test_the_json_schemas_have_the_grammar_and_the_names(folder: Path) -> None:
    for name in ("media-types", "media-types-in-use"):
        schema = json.loads((folder / f"{name}.schema.json").read_text("utf-8"))
        syntax, known = schema["$defs"]["syntax"], schema["$defs"]["known"]
        pattern = re.compile(syntax["pattern"])
        assert all(pattern.fullmatch(each) for each in known["enum"])
        assert "image/svg+xml" in known["enum"]
        assert ("application/vnd.shp" in known["enum"]) or name == "media-types"
        assert not pattern.search("text/csv; charset=utf-8")


@pytest.mark.no_cover
def test_frictionless_finds_the_data_package_valid(folder: Path) -> None:
    frictionless = pytest.importorskip("frictionless", reason="the extra tables has it")
    report = frictionless.validate(str(folder / "datapackage.json"))
    assert report.valid, report.flatten(["title", "message"])


@pytest.mark.no_cover
@pytest.mark.filterwarnings("ignore")
def test_sssom_finds_the_tables_of_mappings_valid(folder: Path) -> None:
    parsers = pytest.importorskip("sssom.parsers", reason="the extra tables has it")
    validators = pytest.importorskip("sssom.validators")
    for path in sorted(folder.glob("*.sssom.tsv")):
        reports = validators.validate(parsers.parse_sssom_table(str(path)))
        assert {kind: report.results for kind, report in reports.items() if report.results} == {}


def test_a_label_that_two_sources_read_differently_is_not_in_the_table(folder: Path) -> None:
    rows = {row["label"]: row for row in rows_of(folder / "labels.csv")}
    # The EU's RTF is text/rtf, and files named .rtf are application/rtf: both are registered.
    assert "rtf" not in rows
    assert rows["csv"]["media_types"] == "text/csv"


@pytest.mark.parametrize(
    "scheme", ["eu-file-type", "pronom", "loc-fdd", "wikidata", "w3c-formats", "edam", "labels"]
)
def test_every_mapping_leads_to_a_type_that_iana_lists(folder: Path, scheme: str) -> None:
    lines = (folder / f"{scheme}.sssom.tsv").read_text("utf-8").splitlines()
    head = [line for line in lines if line.startswith("#")]
    columns, *rows = (line.split("\t") for line in lines[len(head) :])
    assert {"predicate_id", "object_id", "mapping_justification"} <= set(columns)
    names = {f"iana:{row.name}" for row in registry().media_types()}
    assert {row[columns.index("object_id")] for row in rows} <= names
    assert len(rows) > 10


def test_the_labels_as_rdf_are_turtle(folder: Path) -> None:
    quads = list(ox.parse(path=str(folder / "labels.ttl"), format=ox.RdfFormat.TURTLE))
    found = {quad.subject.value for quad in quads if quad.object.value == "zipped csv files"}
    assert found == set()
    assert {quad.subject.value for quad in quads if quad.object.value == "geojson"} == {
        "ContentType:application/geo+json"
    }


def test_a_plain_look_up_gets_80_in_100_judged_labels_right_and_none_wrong(folder: Path) -> None:
    judge = runpy.run_path(str(SCRIPT))
    rows = {row["label"]: row for row in rows_of(folder / "labels.csv")}
    counts: Counter[str] = Counter()
    wrong = []
    for mark in judge["catalogues"]():
        row = rows.get(key_of(mark.resolution.label))
        types = [each.partition(";")[0] for each in row["media_types"].split("|")] if row else []
        package = f" > {row['packages'].split('|')[0]}" if row and row["packages"] else ""
        answer = judge["_canonical"](f"{' '.join(types)}{package}")
        if row and row["verdict"] == "service":
            answer = "service"
        is_right = (answer or "nothing") in map(judge["_canonical"], mark.expected)
        counts["right" if is_right else "other"] += mark.count
        if answer not in {"", "service"} and not is_right:
            wrong.append((mark.resolution.label, answer, mark.expected))
    assert counts["right"] >= 0.8 * counts.total()
    assert wrong == []


@pytest.mark.skipif(not (NPM and NODE), reason="npm is not installed")
def test_the_npm_package_is_packed_and_answers_in_node(folder: Path) -> None:
    packed = subprocess.run(
        [NPM, "pack", "--dry-run", "--json"],
        cwd=folder / "npm", check=True, capture_output=True, text=True,
    )  # fmt: skip
    assert {each["path"] for each in json.loads(packed.stdout)[0]["files"]} >= {
        "index.js", "labels.json", "package.json", "types.json",
    }  # fmt: skip
    script = (
        "const {resolve, types} = require('./index.js');"
        "console.log(JSON.stringify([resolve(' Zipped  Shapefile'), types['text/csv']]))"
    )
    answer = subprocess.run(
        [NODE, "-e", script], cwd=folder / "npm", check=True, capture_output=True, text=True
    )
    found, csv_type = json.loads(answer.stdout)
    assert (found["types"], found["packages"]) == (["application/vnd.shp"], ["application/zip"])
    assert (csv_type["machine_readable"], csv_type["extensions"]) == (True, ["csv"])
