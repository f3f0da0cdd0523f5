"""Where the file name in a download URL contradicts the labels of a resource."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from rdflib import Graph

from cturi_rdf.catalogue.evidence import Evidence, name_in_url, readings_of, url_reading
from cturi_rdf.catalogue.judgement import judge
from cturi_rdf.check import check, check_file
from cturi_rdf.cli.check import check as command
from cturi_rdf.labels import resolve
from cturi_rdf.rdf.terms import DCTERMS, DOWNLOAD_URLS

if TYPE_CHECKING:
    from conftest import Write

PREFIXES = """@prefix dcat: <http://www.w3.org/ns/dcat#> .
@prefix dct: <http://purl.org/dc/terms/> .
"""
# labels, file name, what the labels say and what the name says
CONTRADICTIONS = [
    ('dct:format "Excel"', "x.csv", "application/vnd.ms-excel", "text/csv"),
    ('dct:format "CSV"', "x.csv.pdf", "text/csv", "application/pdf"),
    ('dcat:mediaType "application/json"', "x.xml", "application/json", "application/xml"),
    ('dct:format "CSV, JSON"', "x.pdf", "application/json, text/csv", "application/pdf"),
    ('dct:format "CSV"', "index.html", "text/csv", "text/html"),
    ('dct:format "CSV"', "x.csv.gz", "text/csv", "application/gzip"),
    ('dct:format "Excel"', "x.zip", "application/vnd.ms-excel", "application/zip"),
    ('dct:format "CSV, JSON"', "x.zip", "application/json, text/csv", "application/zip"),
]
AGREEMENTS = [
    ('dct:format "CSV"', "x.csv"),
    ('dct:format "Zipped CSV"', "x.zip"),
    ('dct:format "CSV" ; dcat:compressFormat "gzip"', "x.csv.gz"),
    ('dct:format "csv.gz"', "x.csv.gz"),
    # Every XLSX is a ZIP.
    ('dct:format "XLSX"', "x.zip"),
    ('dct:format "CSV, JSON"', "x.json"),
    ('dct:format "GeoJSON"', "x.json"),
    ('dct:format "RSS"', "rss.php"),
    ('dct:format "RSS"', "rss.cfm"),
    ('dct:format "CSV"', "download"),
    ('dct:format "WFS"', "x.gml"),
    # A conflict of the labels is another finding.
    ('dct:format "CSV", "PDF"', "x.json"),
]


def _catalogue(labels: str, name: str) -> str:
    return f"""{PREFIXES}<http://a.example/1> dcat:distribution [ {labels} ;
        dcat:downloadURL <http://a.example/files/{name}?version=2> ] ."""


@pytest.mark.parametrize(("labels", "name", "labelled", "named"), CONTRADICTIONS)
def test_a_file_name_that_contradicts_the_labels_is_a_warning_with_its_place(
    labels: str, name: str, labelled: str, named: str, write: Write
) -> None:
    file = write("in.ttl", _catalogue(labels, name))
    report = check_file(str(file), by_url=True)
    [finding] = [each for each in report.findings if each.rule == "TypeFitsFileName"]
    expected = f"The labels say {labelled}, but the file name says {named}."
    assert (finding.level, finding.message()) == ("Warning", expected)
    position = report.position(finding.places[0].start)
    assert position is not None
    assert position.line == 4
    graph = Graph().parse(file)
    assert expected in {each.message() for each in check(graph, by_url=True).findings}
    assert expected not in {each.message() for each in check(graph).findings}


def test_each_download_url_of_a_resource_is_compared(write: Write) -> None:
    text = _catalogue('dcat:mediaType "text/csv"', "a.csv").replace(
        "<http://a.example/files/a.csv?version=2>",
        "<http://a.example/a.csv>, <http://a.example/b.json>",
    )
    report = check_file(str(write("in.ttl", text)), by_url=True)
    [finding] = [one for one in report.findings if one.rule == "TypeFitsFileName"]
    assert finding.value == "http://a.example/b.json"


@pytest.mark.parametrize(("labels", "name"), AGREEMENTS)
def test_a_file_name_that_fits_or_says_nothing_is_not_a_finding(
    labels: str, name: str, write: Write
) -> None:
    file = write("in.ttl", _catalogue(labels, name))
    rules = {each.rule for each in check_file(str(file), by_url=True).findings}
    assert "TypeFitsFileName" not in rules


def test_the_command_lists_contradictions(write: Write) -> None:
    file = write("in.ttl", _catalogue('dct:format "Excel"', "x.csv"))
    ran = CliRunner().invoke(command, ["--by-url", str(file)])
    assert "1 × Warning: TypeFitsFileName, the labels fit the file name" in ran.stdout
    ran = CliRunner().invoke(command, ["--by-url", "--json", str(file)])
    rules = {each["rule"] for each in json.loads(ran.stdout)["findings"]}
    assert "TypeFitsFileName" in rules


segments = st.text(st.sampled_from("ab.%2E:;,~- é"), max_size=8)
endings = st.sampled_from(
    ["", ".csv", ".csv.gz", ".tar.gz", ".gz.parquet", "%2Ecsv", ".php", ".a.b.zip"]
)


@given(segments, st.sampled_from(["", "//a.example/", "https://a.example/x.zip/", "x:"]), endings)
def test_what_a_url_says_is_in_the_name_that_is_kept_of_it(
    segment: str, before: str, ending: str
) -> None:
    for after in ("", "?f=a.csv", "#a.csv"):
        url = f"{before}{segment}{ending}{after}"
        assert url_reading(name_in_url(url)) == url_reading(url)


def test_files_whose_names_end_alike_are_judged_once() -> None:
    def judged(number: int) -> object:
        url = Evidence(DOWNLOAD_URLS[0], f"https://a.example/{number}.csv")
        label = Evidence(DCTERMS.format.value, "Excel", readings_of(resolve("Excel")))
        return judge([label, url], by_url=True)

    assert judged(1) is judged(2)
