"""Answers to labels: values, with a reason and how sure they are, for any text."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib import Literal

from cturi_rdf.content_type import ContentType
from cturi_rdf.labels import resolve, resolve_all

OOXML = "application/vnd.openxmlformats-officedocument"
IANA = "https://www.iana.org/assignments/media-types/"

EU = "http://publications.europa.eu/resource/authority/file-type/"


def test_confidence_says_what_was_inferred() -> None:
    assert resolve("CSV").confidence == "certain"
    assert resolve("XSLX").confidence == "likely"
    assert resolve("http://example.org/formats/gml").confidence == "likely"
    assert resolve("text/html;;charset").confidence == "likely"


def test_registered_says_what_iana_lists() -> None:
    assert resolve("text/csv").registered
    assert not resolve("application/x-no-such-thing").registered
    assert not resolve("zip:QQXX").registered
    assert not resolve("API").registered


def test_a_resolution_is_a_value() -> None:
    found = resolve("Zipped CSV")
    kept = pickle.loads(pickle.dumps(found))  # noqa: S301 - our own bytes
    assert kept == found == copy.copy(found)
    assert hash(found) == hash(copy.deepcopy(found))
    assert found != resolve("CSV")
    assert found != "Zipped CSV"
    assert "compound" in repr(found)
    with pytest.raises(AttributeError):
        found.label = "CSV"
    with pytest.raises(AttributeError):
        del found.label


VERDICTS = {"media_type", "compound", "several", "service", "no_type", "nothing"}


RULES = {
    "own", "service", "syntax", "scheme", "code", "extension", "alias", "spelling", "prose", "none",
}  # fmt: skip


PATHS = ("%00CSV", "x/WMS%0d%0a", "html%C2%9B", "CSV%0A(zip)", "%1bWFS;text/html%0d%0a")


HIDING = [f"http://a.example/{path}" for path in PATHS]


@pytest.mark.parametrize("label", HIDING)
def test_what_percent_signs_hide_is_escaped_in_the_reason_too(label: str) -> None:
    resolution = resolve(label)
    assert all(text.isprintable() for text in (resolution.reason, *resolution.services))


PARTS = st.sampled_from([
    "csv", "zip", "WMS", "/", "(", ")", ", ", " and ", "text/", "application/", "http://", "x",
    "Excel", ".gz", "file", ":", "json-ld", "%2F", ";", "\t", "é", "データ", "API", EU, IANA,
    "%0d%0a", "%00", "%9b",
])  # fmt: skip


@given(st.one_of(st.text(), st.lists(PARTS, max_size=8).map("".join)))
def test_any_text_has_an_answer(label: str) -> None:
    found = resolve(label)
    assert found.label == label
    assert found.verdict in VERDICTS
    assert found.rule in RULES
    assert found.confidence in {"certain", "likely"}
    assert found.reason.endswith(".")
    assert found.reason.isprintable()
    assert all(isinstance(each, ContentType) for each in found.types)
    if found.verdict == "media_type":
        assert len(found.types) == 1
    if found.verdict == "several":
        assert len(found.types) > 1
    if found.verdict in {"service", "no_type", "nothing"}:
        assert found.types == ()
    if found.verdict != "compound":
        assert found.outer is None


@pytest.mark.parametrize(
    ("label", "types"),
    [
        ("caf\udce9", ["audio/x-caf"]),
        ("Donn\ufffdes CSV", ["text/csv"]),
        ('text/csv; a="\ufffd"', ["text/csv; a*=utf-8''%EF%BF%BD"]),
        ("fa\udce9", []),
    ],
)
def test_a_label_with_a_broken_character_is_never_certain(label: str, types: list[str]) -> None:
    resolution = resolve(label)
    assert [str(each) for each in resolution.types] == types
    assert resolution.confidence == "likely"
    broken = "U+DCE9" if "\udce9" in label else "U+FFFD"
    assert resolution.reason.startswith(f"It has a broken character, {broken}. ")


def test_many_labels_are_read_once_each() -> None:
    labels = ["CSV", "API", "csv", "CSV"] * 1_000
    found = resolve_all(iter(labels))
    assert [each.label for each in found] == labels
    assert found[0] is found[3]


@pytest.mark.parametrize("label", ["PDF?", "CSV (?)", "CSV or PDF?"])
def test_a_question_mark_makes_a_meaning_no_more_than_likely(label: str) -> None:
    certain = resolve(label.replace("?", "").replace(" ()", ""))
    assert certain.confidence == "certain"
    assert (resolve(label).types, resolve(label).confidence) == (certain.types, "likely")


@pytest.mark.parametrize("label", ["ContentType:text/csv?", "WMS?"])
def test_a_question_mark_of_an_iri_or_of_a_service_changes_nothing(label: str) -> None:
    assert resolve(label).confidence == resolve(label.rstrip("?")).confidence


@pytest.mark.parametrize(
    ("label", "readings"),
    [
        ("CSV", ["text/csv"]),
        ("Excel", ["application/vnd.ms-excel", f"{OOXML}.spreadsheetml.sheet"]),
        ("MIF", ["application/vnd.mif", "text/plain"]),
        (".cdf", ["application/netcdf", "application/x-cdf"]),
        ("WMS", []),
    ],
)
def test_a_label_has_all_its_readings(label: str, readings: list[str]) -> None:
    resolution = resolve(label)
    assert [str(*reading.types) for reading in resolution.readings] == readings
    sure = {reading.confidence for reading in resolution.readings}
    assert sure <= {"certain" if len(readings) == 1 else "likely"}


def test_a_literal_as_a_label_is_its_text() -> None:
    assert resolve(Literal("CSV")).label == "CSV"
    assert resolve(Literal("CSV")) == resolve("CSV")


def test_one_text_is_no_list_of_labels() -> None:
    with pytest.raises(TypeError, match="labels are a list of texts, not one text"):
        resolve_all("CSV")
