"""The header that is sent: packages, compressions, several types, conflicts."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cturi_rdf import ContentType
from cturi_rdf.catalogue.evidence import Evidence, Reading, readings_of
from cturi_rdf.catalogue.header import Sent, sent
from cturi_rdf.catalogue.judgement import judge
from cturi_rdf.labels import resolve
from cturi_rdf.registry.hierarchy import is_a

ZIP = "application/zip"
GZIP = "application/gzip"
# The labels of a resource; "package:" and "compress:" begin those of DCAT's properties for
# wrappers.  Then the header, what it contains, the content coding, the verdict.
ROWS = [
    (("SHP", "package:" + ZIP), ZIP, "application/vnd.shp", None, "one"),
    (("Zipped CSV",), ZIP, "text/csv", None, "one"),
    ((ZIP, "SHP"), ZIP, "application/vnd.shp", None, "one"),
    (("csv.zip", ZIP), ZIP, "text/csv", None, "one"),
    (("Shape-Datei (zip)", ZIP), ZIP, "application/vnd.shp", None, "one"),
    (("text/csv", "compress:" + GZIP), GZIP, "text/csv", "gzip", "one"),
    (("text/csv", "compress:application/zstd"), "application/zstd", "text/csv", "zstd", "one"),
    (("text/csv", "compress:application/x-xz"), "application/x-xz", "text/csv", None, "one"),
    # A zip under the property for compressions is a package all the same.
    (("text/csv", "compress:" + ZIP), ZIP, "text/csv", None, "one"),
    (("csv.gz",), GZIP, "text/csv", "gzip", "one"),
    (("TAR.GZ", GZIP), GZIP, "application/x-tar", "gzip", "one"),
    (("application/n-triples+gzip",), GZIP, "application/n-triples", "gzip", "one"),
    # Without its gzip this is a tar, no CSV: a content coding would have the wrong type.
    (("CSV", "package:application/x-tar", "compress:" + GZIP), GZIP, "text/csv", None, "one"),
    (("ALTO XML, tar.gz",), GZIP, "application/xml", None, "one"),
    (
        ("application/json", "compress:" + ZIP, "package:" + ZIP, "ZIP"),
        ZIP,
        "application/json",
        None,
        "one",
    ),
    (("ZIP",), ZIP, "", None, "one"),
    ((ZIP, "application/x-zip-compressed"), ZIP, "", None, "one"),
    (("text/csv; charset=utf-8", "CSV"), "text/csv; charset=utf-8", "", None, "one"),
    (("GeoJSON", "application/json"), "application/geo+json", "", None, "one"),
    (("application/xml", "text/xml"), "application/xml", "", None, "one"),
    (("application/epub+zip", ZIP), "application/epub+zip", "", None, "one"),
    (("text/csv", "application/octet-stream"), "text/csv", "", None, "one"),
    (("CSV, JSON",), None, "application/json text/csv", None, "several"),
    (("application/xml, application/json", "XML"), "application/xml", "", None, "one"),
    (("CSV, JSON", "text/csv"), "text/csv", "", None, "one"),
    (("CSV, JSON", ZIP), ZIP, "application/json text/csv", None, "one"),
    (("ZIP, RAR",), None, "application/vnd.rar application/zip", None, "several"),
    (("CSV", "package:ZIP, RAR"), None, "application/vnd.rar application/zip", None, "several"),
    (("CSV", "package:ZIP, RAR", ZIP), ZIP, "text/csv", None, "one"),
    # A label under the property for packages also names the content.
    (("package:Zipped Shapefile",), ZIP, "application/vnd.shp", None, "one"),
    (("SHP", "package:Zipped Shapefile"), ZIP, "application/vnd.shp", None, "one"),
    (("compress:csv.gz",), GZIP, "text/csv", "gzip", "one"),
    (("compress:TAR.GZ",), GZIP, "application/x-tar", "gzip", "one"),
]
CONFLICTS = [
    (("XLSX", "application/vnd.ms-excel"),
     "application/vnd.ms-excel application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    (("text/csv", "application/json", "GeoJSON"), "application/geo+json text/csv"),
    (("CSV, JSON", "XML"), "application/json application/xml text/csv"),
    (("package:" + ZIP, "package:application/x-tar", "CSV"), "application/x-tar application/zip"),
    (("compress:" + GZIP, "compress:application/x-bzip2", "CSV"),
     "application/gzip application/x-bzip2"),
    (("PDF", "HTML"), "application/pdf text/html"),
    ((ZIP, "CSV", "JSON"), "application/json text/csv"),
]  # fmt: skip


FORMAT = "http://purl.org/dc/terms/format"
PATHS = {
    "package": "http://www.w3.org/ns/dcat#packageFormat",
    "compress": "http://www.w3.org/ns/dcat#compressFormat",
}


def _evidence(label: str) -> Evidence:
    kind, colon, rest = label.partition(":")
    path = PATHS.get(kind) if colon else None
    text = rest if path else label
    return Evidence(path or FORMAT, text, readings_of(resolve(text)))


@pytest.mark.parametrize(("labels", "header", "contains", "coding", "verdict"), ROWS)
def test_the_outermost_wrapper_is_the_header(
    labels: tuple[str, ...], header: str | None, contains: str, coding: str | None, verdict: str
) -> None:
    judgement = judge(map(_evidence, labels))
    result = sent(judgement)
    assert (result.content_type and str(result.content_type)) == header
    assert " ".join(map(str, result.contains)) == contains
    assert (result.content_encoding, judgement.outcome) == (coding, verdict)
    assert judgement.conflicts == ()


@pytest.mark.parametrize(("labels", "conflicts"), CONFLICTS)
def test_a_conflict_has_no_header_and_lists_the_narrowest_types(
    labels: tuple[str, ...], conflicts: str
) -> None:
    judgement = judge(map(_evidence, labels))
    assert (sent(judgement).content_type, judgement.outcome) == (None, "conflict")
    assert " ".join(map(str, judgement.conflicts)) == conflicts


def test_a_resource_without_statements_has_no_verdict() -> None:
    assert judge([]).outcome == "none"
    assert sent(judge([])) == Sent(None, (), None)


TYPES = [
    "text/csv", "application/json", "application/geo+json", ZIP, GZIP, "text/xml",
    "application/xml", "application/epub+zip", "application/x-tar",
    "text/csv; charset=utf-8", "application/octet-stream",
]  # fmt: skip
READINGS = st.builds(
    Reading,
    st.lists(
        st.sampled_from(TYPES).map(ContentType.parse), min_size=1, max_size=2, unique=True
    ).map(tuple),
    st.lists(
        st.sampled_from([ZIP, GZIP, "application/x-tar"]).map(ContentType.parse), max_size=2
    ).map(tuple),
    st.just(()),
    st.sampled_from(["certain", "likely"]),
)
EVIDENCE = st.lists(
    st.builds(
        Evidence,
        st.sampled_from([FORMAT, FORMAT, *PATHS.values()]),
        st.uuids().map(str),
        st.lists(READINGS, max_size=2).map(tuple),
    ),
    max_size=4,
)
URL = Evidence("http://www.w3.org/ns/dcat#downloadURL", "http://a.example/a.csv.gz")


@given(EVIDENCE, st.booleans())
def test_the_order_and_the_number_of_statements_decide_nothing(
    evidence: list[Evidence], by_url: bool
) -> None:
    expected = judge([*evidence, URL], by_url=by_url)
    for order in permutations([*evidence, URL]):
        assert judge(order, by_url=by_url) == expected
    assert judge([*evidence, URL] * 2, by_url=by_url) == expected


@given(EVIDENCE, st.booleans())
def test_there_is_a_header_only_with_the_outcome_one(
    evidence: list[Evidence], by_url: bool
) -> None:
    judgement = judge([*evidence, URL], by_url=by_url)
    result = sent(judgement)
    assert (result.content_type is not None) == (judgement.outcome == "one")
    assert (len(judgement.conflicts) > 1) == (judgement.outcome == "conflict")
    assert len(result.contains) > 1 or judgement.outcome != "several"


@given(EVIDENCE)
def test_what_is_certain_stays_whatever_is_guessed_beside_it(evidence: list[Evidence]) -> None:
    certain = [one for one in evidence if one.confidence == "certain" or not one.names_types]
    alone, together = judge(certain), judge(evidence)
    if alone.outcome == "one" and together.outcome == "one":
        inside = [any(is_a(new, old) for old in alone.contents) for new in together.contents]
        outside = [any(is_a(new, old) for new in together.wrappers) for old in alone.wrappers]
        assert all(outside)
        assert all(inside) or not alone.contents
    if together.confidence == "certain":
        assert together[:3] == alone[:3]
