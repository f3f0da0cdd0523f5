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

from cturi_rdf.labels import resolve
from cturi_rdf.registry import registry
from cturi_rdf.site import tables
from cturi_rdf.site.tables import (
    LabelRow,
    candidates,
    key_of,
    label_rows,
    open_tables,
    rows_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# The labels of the daily tables.
FEW = (
    "CSV", "csv", "Zipped CSV", "SHP (zip)", "WMS", "CSV, JSON", "GeoJSON", "RTF", ".rtf", "misc",
    "zip", "XSLX", "text/csv; charset=utf-8", "application/vnd.shp", "excel", "REST", "rest",
    "databáze Access",
)  # fmt: skip
LABELS = frozenset(candidates())
KEYS = frozenset(map(key_of, LABELS))
NPM, NODE = shutil.which("npm") or "", shutil.which("node") or ""


@pytest.fixture(scope="module", params=["few", pytest.param("all", marks=pytest.mark.slow)])
def folder(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    """Return a folder with the tables of few labels or all."""
    folder = tmp_path_factory.mktemp("tables")
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "few":
            patch.setattr(tables, "candidates", lambda: FEW)
        label_rows.cache_clear()
        for name, text in open_tables().items():
            path = folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, "utf-8", newline="\n")
        yield folder
    label_rows.cache_clear()


every_label = pytest.mark.parametrize(
    "folder", [pytest.param("all", marks=pytest.mark.slow)], indirect=True
)


def read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_data_package_describes_the_columns_of_its_files(folder: Path) -> None:
    package = json.loads((folder / "datapackage.json").read_text("utf-8"))
    for resource in package["resources"]:
        rows = read(folder / resource["path"])
        assert [field["name"] for field in resource["schema"]["fields"]] == list(rows[0])
        keys = [row[resource["schema"]["primaryKey"]] for row in rows]
        assert len(keys) == len(set(keys)) > 10
        kinds = {field["name"]: field["type"] for field in resource["schema"]["fields"]}
        truths = {"machine_readable", "non_proprietary"} & set(kinds)
        assert {name for name, kind in kinds.items() if kind == "boolean"} == truths
    assert all(source["title"] for source in package["sources"])
    # These are names in the list of SPDX.
    licences = [licence["name"] for licence in package["licenses"]]
    assert "CC-BY-4.0" in licences
    assert not [licence for licence in licences if licence.startswith("LicenseRef")]


def test_the_media_types_are_those_of_the_registry(folder: Path) -> None:
    rows = {row["media_type"]: row for row in read(folder / "media-types.csv")}
    assert rows.keys() >= set(registry().media_types().keys())
    assert rows["text/csv"]["wikidata"] == "Q935809"
    assert rows["application/pdf"]["pronom"] == ""
    for name, truth in (("text/csv", "true"), ("application/x-matlab-data", "false")):
        assert rows[name]["non_proprietary"] == truth
    said = {
        "text/tsv": {"status": "unregistered", "alias_of": "text/tab-separated-values"},
        "application/zip": {"status": "registered", "packs": "package", "extensions": "zip|zipx"},
        "application/vnd.geo+json": {
            "status": "obsolete", "registered": "2014-05-20", "replaced_by": "application/geo+json",
        },
        "application/vnd.ms-excel.sheet.macroenabled.12": {
            "name": "application/vnd.ms-excel.sheet.macroEnabled.12", "broader": "application/zip",
        },
    }  # fmt: skip
    for name, cells in said.items():
        assert rows[name].items() >= cells.items()
    assert rows["image/svg+xml"]["non_proprietary"] == ""


def test_the_json_schemas_have_the_grammar_and_the_names(folder: Path) -> None:
    for name in ("media-types", "media-types-in-use"):
        schema = json.loads((folder / f"{name}.schema.json").read_text("utf-8"))
        syntax, known = schema["$defs"]["syntax"], schema["$defs"]["known"]
        pattern = re.compile(syntax["pattern"])
        assert all(pattern.fullmatch(each) for each in known["enum"])
        assert "image/svg+xml" in known["enum"]
        assert ("text/tsv" in known["enum"]) == (name == "media-types-in-use")
        assert "application/javascript" not in known["enum"]
        assert syntax["maxLength"] == 255
        assert schema["$id"] == f"https://w3id.org/cturi/data/{name}.schema.json"
        assert schema["title"].endswith("in use" if name.endswith("in-use") else "registered")
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
    rows = {row["label"]: row for row in read(folder / "labels.csv")}
    # The EU's RTF is text/rtf, and files named .rtf are application/rtf: both are registered.
    assert "rtf" not in rows
    assert rows["csv"] == {
        "label": "csv", "verdict": "media_type", "media_types": "text/csv", "packages": "",
        "confidence": "certain",
    }  # fmt: skip
    assert rows["csv, json"]["media_types"] == "text/csv|application/json"
    zipped = rows["zipped csv"]
    assert (zipped["verdict"], zipped["packages"]) == ("compound", "application/zip")


def test_the_letters_of_a_label_are_not_escaped(folder: Path) -> None:
    for name in ("labels.csv", "labels.ttl", "npm/labels.json"):
        assert "databáze access" in (folder / name).read_text("utf-8"), name


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
    assert len(rows) > 5
    assert all(len(row) == len(columns) for row in rows)


def test_a_mapping_says_how_a_format_and_a_type_are_related(folder: Path) -> None:
    for scheme, line in {
        "pronom": "pronom:fmt/100\tHypertext Markup Language 4.01\tskos:broadMatch"
        "\tiana:text/html\tsemapv:LexicalMatching",
        "edam": "edam:format_2331\t\tskos:closeMatch\tiana:text/html\tsemapv:ManualMappingCuration",
        "labels": "csv\trdfs literal\tskos:closeMatch\tiana:text/csv\tsemapv:LexicalMatching\t1.0",
    }.items():
        assert line in (folder / f"{scheme}.sssom.tsv").read_text("utf-8").splitlines()
    labels = (folder / "labels.sssom.tsv").read_text("utf-8")
    # A guess, and labels of a package, of several types and of a service.
    assert re.search(r"(?m)^excel\t.*\t0\.5$", labels)
    assert not re.search(r"(?m)^(zipped csv|csv, json|wms)\t", labels)


def test_the_rows_of_labels_are_those_that_name_something_in_lower_case() -> None:
    rows = rows_of([*FEW, "b/b", " CSV ", "\t"])
    assert [row.label for row in rows] == sorted({row.label for row in rows})
    assert rows == rows_of(reversed(FEW))
    by_label = {row.label: row for row in rows}
    zipped = "compound", ("text/csv",), ("application/zip",), "certain"
    assert by_label["zipped csv"] == LabelRow("zipped csv", *zipped)
    assert by_label["wms"].types == by_label["wms"].packages == ()
    assert not {"misc", "", "b/b"} & by_label.keys()


def test_what_depends_on_the_case_of_letters_is_in_no_table() -> None:
    for one, other in (("GIS", "gis"), ("ASP", "asp"), ("Rest", "rest")):
        readings = {label: resolve(label) for label in (one, other)}
        alike = len({reading.types for reading in readings.values()}) == 1
        assert bool(rows_of([one, other])) <= alike


@pytest.mark.parametrize("label", [
    "csv", "CSV", ".csv", "*.csv", "csv file", "Zipped CSV", "csv, json", "json / csv", "text/csv",
    "https://www.iana.org/assignments/media-types/text/csv", "text/csv; charset=utf-8", "wms",
    "http://inspire.ec.europa.eu/media-types/text/csv", "application/x-csv", "svg+xml", "docx.gz",
    "http://publications.europa.eu/resource/authority/file-type/CSV", "databáze Access",
    "https://publications.europa.eu/resource/authority/file-type/CSV", "Comma Separated Values",
    "http://www.w3.org/ns/formats/Turtle", "https://www.w3.org/ns/formats/Turtle",
])  # fmt: skip
def test_the_table_has_the_names_the_phrases_around_them_and_all_iris(label: str) -> None:
    assert key_of(label) in KEYS


def test_no_phrase_repeats_a_word_of_the_name_in_it() -> None:
    assert {"world file", "(world file)"} <= LABELS
    assert not {"world file file", "file world file", "zip ZIP"} & LABELS


def test_the_labels_as_rdf_are_turtle(folder: Path) -> None:
    quads = list(ox.parse(path=str(folder / "labels.ttl"), format=ox.RdfFormat.TURTLE))
    found = {quad.subject.value for quad in quads if quad.object.value == "zipped csv files"}
    assert found == set()
    named = {quad.object.value: quad.subject.value for quad in quads}
    assert named["geojson"] == "ContentType:application/geo+json"
    assert not {"wms", "csv, json", "zipped csv", "text/csv; charset=utf-8"} & named.keys()


def test_the_npm_package_has_what_the_tables_say(folder: Path) -> None:
    types = json.loads((folder / "npm" / "types.json").read_text("utf-8"))
    assert types["application/x-matlab-data"] == {
        "status": "unregistered", "aliases": ["application/matlab-mat"], "extensions": ["mat"],
        "non_proprietary": False, "eu-file-type": "MATLAB_MAT",
    }  # fmt: skip
    assert types["text/csv"]["machine_readable"] is True
    labels = json.loads((folder / "npm" / "labels.json").read_text("utf-8"))
    assert labels["csv"] == ["media_type", ["text/csv"], [], "certain"]
    manifest = json.loads((folder / "npm" / "package.json").read_text("utf-8"))
    assert "MIT" in manifest["license"]
    assert "LicenseRef" not in manifest["license"]


@every_label
def test_a_plain_look_up_gets_80_in_100_judged_labels_right_and_none_wrong(folder: Path) -> None:
    judge = runpy.run_path(str(SCRIPT))
    rows = {row["label"]: row for row in read(folder / "labels.csv")}
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


@every_label
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
