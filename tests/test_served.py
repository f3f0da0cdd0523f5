"""The header that is sent: packages, compressions, several types, conflicts."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cturi_rdf import ContentType
from cturi_rdf.labels import resolve
from cturi_rdf.rdf.served import Claim, served

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


def _claim(label: str) -> Claim:
    kind, colon, rest = label.partition(":")
    wraps = {"package": "package", "compress": "compression"}.get(kind) if colon else None
    resolution = resolve(rest if wraps else label)
    return Claim(resolution.types or resolution.named, resolution.wrappers, wraps)


@pytest.mark.parametrize(("labels", "header", "contains", "coding", "verdict"), ROWS)
def test_the_outermost_wrapper_is_the_header(
    labels: tuple[str, ...], header: str | None, contains: str, coding: str | None, verdict: str
) -> None:
    result = served(map(_claim, labels))
    assert (result.content_type and str(result.content_type)) == header
    assert " ".join(map(str, result.contains)) == contains
    assert (result.content_encoding, result.verdict) == (coding, verdict)
    assert result.conflicts == ()


@pytest.mark.parametrize(("labels", "conflicts"), CONFLICTS)
def test_a_conflict_has_no_header_and_lists_the_narrowest_types(
    labels: tuple[str, ...], conflicts: str
) -> None:
    result = served(map(_claim, labels))
    assert (result.content_type, result.verdict) == (None, "conflict")
    assert " ".join(map(str, result.conflicts)) == conflicts


def test_a_resource_without_statements_has_no_verdict() -> None:
    assert served([]) == (None, (), None, "none", ())


CLAIMS = st.lists(
    st.builds(
        Claim,
        st.lists(
            st.sampled_from([
                "text/csv", "application/json", "application/geo+json", ZIP, GZIP, "text/xml",
                "application/xml", "application/epub+zip", "application/x-tar",
                "text/csv; charset=utf-8", "application/octet-stream",
            ]).map(ContentType.parse), min_size=1, max_size=2, unique=True,
        ).map(tuple),
        st.lists(
            st.sampled_from([ZIP, GZIP, "application/x-tar"]).map(ContentType.parse), max_size=2
        ).map(tuple),
        st.sampled_from([None, None, "package", "compression"]),
    ),
    max_size=4,
)  # fmt: skip


@given(CLAIMS)
def test_the_order_and_the_number_of_statements_decide_nothing(claims: list[Claim]) -> None:
    expected = served(claims)
    assert all(served(order) == expected for order in permutations(claims))
    assert served(claims * 2) == expected


@given(CLAIMS)
def test_there_is_a_header_only_with_the_verdict_one(claims: list[Claim]) -> None:
    result = served(claims)
    assert (result.content_type is not None) == (result.verdict == "one")
    assert bool(result.conflicts) == (result.verdict == "conflict")
    assert len(result.contains) > 1 or result.verdict != "several"
