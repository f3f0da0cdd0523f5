"""Print how right the resolver is on the judged sets, by rule and by language, and what it misses.

A judged set is a table with the label, what it is expected to mean, and where it is from or why.
Alternatives are separated by ``|``, several types by a blank, a package follows ``>``.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf.labels import Resolution, resolve
from cturi_rdf.registry import registry
from cturi_rdf.registry.tables import read_table

if TYPE_CHECKING:
    from collections.abc import Iterable

DATA = Path(__file__).parents[1] / "tests" / "data"


class CataloguesRecord(NamedTuple):
    """A label of public catalogues, how often it is in the sample, and its sources."""

    label: str
    count: str
    expected: tuple[str, ...]
    sources: tuple[str, ...]


class NamesRecord(NamedTuple):
    """A label of a list of formats or of a portal in one language, why it means that, its draw."""

    label: str
    language: str
    expected: tuple[str, ...]
    reason: str
    draw: str


class Mark(NamedTuple):
    """An answer with its mark, ``right``, ``missed`` or ``wrong``, for a number of labels."""

    resolution: Resolution
    expected: tuple[str, ...]
    mark: str
    count: int
    group: str


def catalogues() -> list[Mark]:
    """Return the marks of the labels of public catalogues."""
    table = read_table(str(DATA / "judged-labels.tsv"), CataloguesRecord)
    return [_mark(row.label, row.expected, int(row.count), "") for row in table]


def names(*draws: str) -> list[Mark]:
    """Return the marks of names in lists of formats, and of labels in many languages.

    They are those of some draws, or all.
    """
    table = read_table(str(DATA / "judged-names.tsv"), NamesRecord)
    rows = (row for row in table if not draws or row.draw in draws)
    return [_mark(row.label, row.expected, 1, row.language) for row in rows]


SETS = {"labels of public catalogues": catalogues, "names and languages": names}


def _mark(label: str, expected: tuple[str, ...], count: int, group: str) -> Mark:
    resolution = resolve(label)
    answer = _answer(resolution)
    if answer in map(_canonical, expected):
        mark = "right"
    else:
        mark = "missed" if answer in {"service", "nothing"} else "wrong"
    return Mark(resolution, expected, mark, count, group)


def _answer(resolution: Resolution) -> str:
    if resolution.verdict != "compound" and not resolution.types:
        return "service" if resolution.verdict == "service" else "nothing"
    inner = " ".join(one.essence for one in resolution.types)
    packed = f" > {resolution.outer.essence if resolution.outer else '?'}"
    return _canonical(inner + (packed if resolution.verdict == "compound" else ""))


def _canonical(text: str) -> str:
    inner, is_packed, outer = text.partition(">")
    types = sorted(map(registry().canonical, inner.split()))
    package = f" > {registry().canonical(outer.strip())}" if is_packed else ""
    return (" ".join(types) + package).strip()


def share(marks: Iterable[Mark], mark: str) -> float:
    """Return the share of labels with a mark."""
    counts: Counter[str] = Counter()
    for one in marks:
        counts[one.mark] += one.count
    return counts[mark] / counts.total()


def report(name: str, marks: list[Mark]) -> str:
    """Return the shares of a set, then the counts by rule and by language, then the failures."""
    lines = [f"{name}: {sum(one.count for one in marks)} labels"]
    lines += [f"  {mark:7} {share(marks, mark):6.1%}" for mark in ("right", "missed", "wrong")]
    certain = [one for one in marks if one.resolution.confidence == "certain"]
    wrong = sum(one.mark == "wrong" for one in certain)
    lines.append(f"  certain {len(certain)}, of these wrong {wrong}")
    for title, key in (("rule", lambda one: one.resolution.rule), ("group", lambda one: one.group)):
        groups = sorted({key(one) for one in marks} - {""})
        if groups:
            lines.append(f"  {title:12}  right  missed  wrong")
        for group in groups:
            counts = Counter(one.mark for one in marks if key(one) == group)
            numbers = f"{counts['right']:6}  {counts['missed']:6}  {counts['wrong']:5}"
            lines.append(f"  {group:12} {numbers}")
    for one in marks:
        if one.mark != "right":
            found = f"{_answer(one.resolution)} ({one.resolution.confidence})"
            wanted = " or ".join(one.expected)
            lines.append(f"  {one.mark}: {one.resolution.label!r} is {wanted}, not {found}")
    return "\n".join(lines)


def main() -> None:
    """Print the report of each set, or of the language that is named."""
    only = sys.argv[1] if len(sys.argv) > 1 else None
    for name, marked in SETS.items():
        marks = [one for one in marked() if only in {None, one.group}]
        if marks:
            print(report(name, marks))


if __name__ == "__main__":
    main()
