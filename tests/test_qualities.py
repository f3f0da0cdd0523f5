"""Qualities by which people decide: machine-readable, open, archive, the number in CoAP."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import pytest

from cturi_rdf.content_type import ContentType
from cturi_rdf.labels import resolve
from cturi_rdf.rdf import CTV, describe
from cturi_rdf.registry import registry
from cturi_rdf.registry.qualities import coap_content_format, coap_number, qualities

if TYPE_CHECKING:
    from pathlib import Path

MACHINE_READABLE = {
    "CSV",
    "GEOJSON",
    "ICS",
    "JSON",
    "JSON_LD",
    "KML",
    "KMZ",
    "NETCDF",
    "ODS",
    "RDFA",
    "RDF_N_QUADS",
    "RDF_N_TRIPLES",
    "RDF_TRIG",
    "RDF_TURTLE",
    "RDF_XML",
    "RSS",
    "SHP",
    "XLS",
    "XLSX",
    "XML",
}


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_machine_readable_file_types_are_those_of_the_list() -> None:
    codes = {each.code for each in registry().eu_file_types() if each.machine_readable}
    assert codes == MACHINE_READABLE


def test_every_file_type_that_the_eu_flags_is_open(shared: Path) -> None:
    rows = _rows(shared / "registry" / "eu-file-types-20250319-nonprop.csv")
    flagged = {row["code"] for row in rows if row["nonPropExt"] == "true"}
    refused = {row["code"] for row in rows if row["nonPropExt"] == "false"}
    stated = {each.code: each.open for each in registry().eu_file_types()}
    assert all(stated[code] for code in flagged)
    assert {code for code, is_open in stated.items() if is_open is False} == refused
    # An empty cell is not a no.
    assert list(stated.values()).count(None) > 150


@pytest.mark.parametrize(
    ("header", "machine_readable", "open_", "archive"),
    [
        ("text/csv", True, True, False),
        ("application/json", True, True, False),
        ("application/rdf+xml", True, True, False),
        ("text/xml", True, True, False),
        ("application/vnd.ms-excel", True, None, False),
        ("application/pdf", None, None, False),
        ("image/png", None, True, False),
        ("text/html", None, True, False),  # RDFa is machine-readable, HTML is not listed
        ("image/svg+xml", None, None, False),  # a file type that the EU says nothing of
        ("application/x-matlab-data", None, False, False),  # the one that it calls proprietary
        ("application/zip", None, True, True),
        ("application/x-gzip", None, True, True),
        ("application/x-tar", None, True, True),
        ("text/troff", None, None, False),
    ],
)
def test_a_type_is_what_its_file_types_are(
    header: str, machine_readable: bool | None, open_: bool | None, archive: bool
) -> None:
    found = qualities(ContentType.parse(header))
    assert (found.machine_readable, found.open, found.archive) == (machine_readable, open_, archive)


def test_every_content_format_is_found_both_ways(shared: Path) -> None:
    rows = _rows(shared / "registry" / "coap-content-formats.csv")
    assert len(rows) == len(list(registry().coap_content_formats()))
    for row in rows:
        content_type, coding = coap_content_format(int(row["number"])) or (None, None)
        assert content_type == ContentType.parse(row["content_type"])
        assert coding == (row["content_coding"] or None)
        number = coap_number(ContentType.parse(row["content_type"]), coding)
        assert number == int(row["number"])


def test_parameters_compare_as_values() -> None:
    parse = ContentType.parse
    assert coap_number(parse("Text/Plain;charset=UTF-8")) == 0
    assert coap_number(parse("text/plain")) is None
    assert coap_number(parse("application/json"), "br") is None


def test_the_graph_and_the_answer_of_a_label_say_the_same() -> None:
    graph = describe("application/json")
    (node,) = set(graph.subjects(CTV.coapContentFormat))
    assert str(node) == "ContentType:application/json"
    assert graph.value(node, CTV.coapContentFormat).toPython() == 50  # type: ignore[union-attr]
    assert graph.value(node, CTV.machineReadable).toPython() is True  # type: ignore[union-attr]
    (answer,) = resolve("JSON").as_dict()["qualities"]  # type: ignore[misc]
    assert (answer.pop("type"), answer.pop("coap")) == ("application/json", 50)
    assert answer == {"machine_readable": True, "open": True, "archive": False}


def test_the_formats_of_wikidata_with_one_registered_type_are_known(shared: Path) -> None:
    generic = {"application/octet-stream", "text/plain"}
    rows = _rows(shared / "registry" / "wikidata-formats-2026-07.csv")
    sure = [
        row["qid"]
        for row in rows
        if registry().is_current(row["mime"]) and row["mime"] not in generic
    ]
    missing = [each for each in sure if not resolve(f"http://www.wikidata.org/entity/{each}").types]
    assert len(sure) > 1_300
    assert missing == []


def test_a_puid_without_a_type_is_at_most_likely_what_its_name_says(shared: Path) -> None:
    for row in _rows(shared / "registry" / "pronom-github-2026-07.csv"):
        resolution = resolve(f"info:pronom/{row['puid']}")
        if row["mime"] and row["mime"] != "application/octet-stream":
            assert resolution.verdict == "media_type", row
        elif resolution.verdict != "no_type":
            assert resolution.confidence == "likely", row
            names = (row["name"], f"{row['name']} {row['version']}")
            assert resolution.types in {resolve(name).types for name in names}, row
