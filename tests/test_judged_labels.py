"""Labels of public catalogues, judged by hand before the resolver was run on them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import NamedTuple

from cturi_rdf.labels import Resolution, resolve
from cturi_rdf.registry import registry
from cturi_rdf.registry.tables import Record, read_table

TABLE = Path(__file__).parent / "data" / "judged-labels.tsv"


class JudgedRecord(Record):
    """A label, how often it is in the sample, its readings that are right, and its sources.

    A reading is ``service``, ``nothing``, or types with a blank between, then perhaps ``>`` and
    the package.
    """

    __slots__ = ()
    label: str
    count: str
    expected: tuple[str, ...]
    sources: tuple[str, ...]


class Mark(NamedTuple):
    """The mark of an answer: ``right``, ``missed`` or ``wrong``."""

    record: JudgedRecord
    mark: str


def _canonical(text: str) -> str:
    inner, is_packed, outer = text.partition(">")
    types = sorted(map(registry().canonical, inner.split()))
    package = f" > {registry().canonical(outer.strip())}" if is_packed else ""
    return (" ".join(types) + package).strip()


def _answer(found: Resolution) -> str:
    if found.verdict != "compound" and not found.types:
        return "service" if found.verdict == "service" else "nothing"
    inner = " ".join(each.essence for each in found.types)
    return _canonical(inner if found.verdict != "compound" else f"{inner} > {found.outer or '?'}")


def _marks() -> list[Mark]:
    marks = []
    for record in read_table(str(TABLE), JudgedRecord):
        answer = _answer(resolve(record.label))
        if answer in map(_canonical, record.expected) or answer in record.expected:
            mark = "right"
        else:
            mark = "missed" if answer in {"service", "nothing"} else "wrong"
        marks.append(Mark(record, mark))
    return marks


def test_the_sample_has_2000_labels_with_their_sources() -> None:
    table = read_table(str(TABLE), JudgedRecord)
    assert {"source", "date", "licence", "sample", "judged"} <= set(table.facts)
    assert sum(int(each.count) for each in table) == 2_000
    assert all(each.sources for each in table)


def test_of_2000_labels_98_in_100_are_right_and_5_in_1000_wrong() -> None:
    counts: Counter[str] = Counter()
    for record, mark in _marks():
        counts[mark] += int(record.count)
    assert counts["right"] >= 0.98 * counts.total()
    assert counts["wrong"] <= 0.005 * counts.total()


def test_no_service_is_taken_for_a_format() -> None:
    services = [each for each in _marks() if each.record.expected == ("service",)]
    assert len(services) > 30
    assert [each.record.label for each in services if each.mark == "wrong"] == []
