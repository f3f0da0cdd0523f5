"""Annotations about the header that a resource is served with, and about types in conflict."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from annotated_files import CTV, PREFIXES, quads_of

from cturi_rdf.catalogue import Adding, annotate_file, headers_of_file

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Cturi, Write


SHP = '<http://a.example/1> dct:format "SHP"'
PACKAGED = (
    f"{SHP} ; dcat:packageFormat <https://www.iana.org/assignments/media-types/application/zip>"
)


def _annotated(path: Path) -> dict[str, set[str]]:
    """Annotate a file in place; return its statements about headers."""
    annotate_file(str(path), str(path), adding=Adding.LABELS)
    found: dict[str, set[str]] = {"servedAs": set(), "conflictingType": set()}
    for quad in quads_of(path):
        name = quad.predicate.value.removeprefix(CTV)
        if name in found:
            found[name].add(quad.object.value.removeprefix("ContentType:"))
    return found


def test_a_resource_is_linked_to_the_header_that_it_is_sent_with(write: Write) -> None:
    source = write("c.ttl", f"{PREFIXES}{PACKAGED} .\n")
    assert _annotated(source)["servedAs"] == {"application/zip"}


@pytest.mark.parametrize("syntax", ["ttl", "nt"])
def test_labels_apart_from_each_other_have_one_header(tmp_path: Path, syntax: str) -> None:
    source = tmp_path / f"c.{syntax}"
    lines = [
        f'<http://a.example/{name}> <http://{path}> "{label}" .\n'
        for path, label in (
            ("purl.org/dc/terms/format", "SHP"),
            ("www.w3.org/ns/dcat#mediaType", "application/zip"),
        )
        for name in "ab"
    ]
    source.write_text("".join(lines))
    assert _annotated(source)["servedAs"] == {"application/zip"}
    assert source.read_text().count("servedAs>") - source.read_text().count("#servedAs> a ") == 2


def test_the_header_follows_a_label_that_is_added(write: Write) -> None:
    source = write("c.ttl", f"{PREFIXES}{SHP} .\n")
    assert _annotated(source)["servedAs"] == set()  # it is the type itself
    source.write_text(source.read_text().replace(SHP, PACKAGED))
    assert _annotated(source)["servedAs"] == {"application/zip"}


def test_a_header_that_somebody_stated_stays(write: Write) -> None:
    source = write(
        "c.ttl", f"{PREFIXES}{SHP} ; ctv:servedAs <ContentType:application/octet-stream> .\n"
    )
    for _ in range(2):
        assert _annotated(source)["servedAs"] == {"application/octet-stream"}


def test_types_in_conflict_are_linked_until_the_conflict_is_gone(write: Write) -> None:
    source = write("c.ttl", f'{PREFIXES}{SHP} ; dcat:mediaType "text/csv" .\n')
    assert _annotated(source) == {
        "servedAs": set(),
        "conflictingType": {"application/vnd.shp", "text/csv"},
    }
    source.write_text(source.read_text().replace('"text/csv"', '"application/zip"', 1))
    assert _annotated(source) == {"servedAs": {"application/zip"}, "conflictingType": set()}


@pytest.mark.parametrize(
    "labels",
    [
        'dct:format "XLSX" ; dcat:mediaType "application/vnd.ms-excel"',
        'dct:format "CSV", "JSON"',
        'dct:format "CSV, JSON"',
        PACKAGED.removeprefix("<http://a.example/1> "),
        'dct:format "TAR.GZ" ; dcat:mediaType "application/gzip"',
    ],
)
def test_headers_check_and_the_query_tell_the_same_conflicts(
    cturi: Cturi, write: Write, labels: str
) -> None:
    source = write("c.ttl", f"{PREFIXES}<http://a.example/1> {labels} .\n")
    [header] = map(json.loads, cturi("headers", source, "--json").out.splitlines())
    # A profile with a rule for a property tells of a conflict in its own words.
    report = json.loads(cturi("check", source, "--profile", "schema", "--json").out)
    rows = cturi("query", "conflicts", source, "--to", "json").out
    rules = {finding["shape"].rpartition("#")[2] for finding in report["findings"]}
    assert ("TypesAgree" in rules) is bool(header["conflicts"])
    assert bool(json.loads(rows)["results"]["bindings"]) is bool(header["conflicts"])


def test_an_old_label_with_a_slash_is_known_by_its_node(write: Write) -> None:
    source = write("c.ttl", f'{PREFIXES}<http://a.example/1> dct:format "MIF/MID" .\n')
    _annotated(source)
    assert "MIF~2FMID" in source.read_text()
    source.write_text(source.read_text().replace('"MIF/MID"', '"JSON"', 1))
    _annotated(source)
    [text] = (line for line in source.read_text().splitlines() if line.startswith("<http://a."))
    assert "MIF~2FMID" not in text
    assert "<ContentType:application/json>" in text
    assert "<ContentType:text/plain>" not in text


@pytest.mark.parametrize(
    ("label", "served"), [("CSV", "application/zip"), ("CSV.GZ", "application/gzip")]
)
def test_a_package_that_no_label_names_counts_beside_the_labels(
    write: Write, label: str, served: str
) -> None:
    source = write(
        "c.ttl",
        f'{PREFIXES}<http://a.example/1> dct:format "{label}" ;'
        " ctv:packaging <ContentType:application/zip> .\n",
    )
    assert [str(header.content_type) for header in headers_of_file(str(source))] == [served]
