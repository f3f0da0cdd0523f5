"""The summary of a repair in text: what changed, what it gained, and what is left for a human."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from cturi_rdf._util.display import counted
from cturi_rdf.catalogue.quality_score import effect_of, scores_of
from cturi_rdf.catalogue.report import NO_LABELS
from cturi_rdf.catalogue.steps import RULES
from cturi_rdf.reading.errors import called

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cturi_rdf.catalogue.parts import Part
    from cturi_rdf.catalogue.plan import Plan
    from cturi_rdf.catalogue.profiles import Profile
    from cturi_rdf.catalogue.quality_score import Effect, Score, Scores
    from cturi_rdf.catalogue.repair import FilePlan
    from cturi_rdf.editing import Position, Statement


# How many publishers are shown, those with the most distributions.
_PUBLISHERS = 5
# So many values left are told apart.
_MOST_LEFT = 10_000


def values_changed(plan: Plan) -> int:
    """Return how many values a repair changes, whatever it writes in the place of each."""
    return sum(bool(verdict.changes) for verdict in plan.verdicts)


class Summary:
    """What a repair changes, gains and leaves, in numbers; of a large file, by its parts.

    `left` counts the values left to a human, by their text and the reason, each with the first
    place.
    """

    def __init__(self, source: str, profile: Profile, why: str) -> None:
        self.source = source
        self.profile = profile
        self.why = why
        self.total = 0
        self.left: dict[tuple[str, str], tuple[int, Position]] = {}
        self.added = 0
        self._rules: Counter[str] = Counter()
        self._unruled: Counter[tuple[str, ...]] = Counter()
        self._scores: Scores = {}

    def add(self, plan: Plan, part: Part | None = None) -> None:
        """Count a plan; of a part of a file, its own statements."""

        def times(statement: Statement) -> int:
            if part is None:
                return 1
            return part.weight(statement.subject) if part.has(statement.start) else 0

        document = plan.document
        ruled = (one for resource in plan.contents.resources for one in resource.statements)
        self.total += sum(map(times, ruled))
        for one, names in plan.unruled:
            self._unruled[names] += times(one)
        for verdict in plan.verdicts:
            if verdict.changes:
                self._rules[verdict.rule] += times(verdict.statement)
        for publisher, scores in scores_of(plan, part).items():
            self._scores.setdefault(publisher, Counter()).update(scores)
        for item in plan.left:
            start = item.statement.start
            if number := times(item.statement):
                key = item.text(), item.reason
                if key not in self.left and len(self.left) >= _MOST_LEFT:
                    key = "other values", "There are more than are listed."
                count, first = self.left.get(key) or (
                    0,
                    part.place(document, start) if part else document.position(start),
                )
                self.left[key] = count + number, first

    def lines(self, most: int | None = None) -> Iterator[str]:
        """Yield the summary in lines; `most` of the values left are listed, None for all."""
        source = called(self.source)
        profile = f"{self.profile.title} ({self.profile.name}), {self.why}"
        changed = self._rules.total()
        yield f"{source}: {profile}: {counted(self.total, 'value')}, {changed} changed"
        sentences = [
            f"{counted(count, name)} of a {' and '.join(classes)}, of which"
            f" {self.profile.title} says nothing"
            for (name, *classes), count in self._unruled.items()
            if classes and count
        ]
        for sentence in sentences:
            yield f"        {sentence}"
        if not self.total and not sentences:
            yield NO_LABELS
        for rule, count in sorted((+self._rules).items(), key=lambda row: (-row[1], row[0])):
            yield f"{count:7} {rule}: {RULES[rule]}"
        if self.added:
            yield f"{self.added:7} typing: {RULES['typing']}"
        yield from _effect(effect_of(self._scores))
        if self.left:
            yield f"{sum(count for count, _ in self.left.values()):7} left for a human"
        rows = sorted(self.left.items(), key=lambda row: row[1][0])
        for (text, reason), (count, (line, column)) in rows[:most]:
            yield f"{count:11} × {text}: {reason}"
            yield f"{'':13} first at {source}:{line}:{column}"
        if most is not None and len(rows) > most:
            yield f"{'':11} and {len(rows) - most} more: all of them with --all"


def summary_of(planned: FilePlan) -> Summary:
    """Return the summary of the plan for a file."""
    plan = planned.plan
    summary = Summary(planned.source, plan.profile, planned.why)
    summary.add(plan)
    summary.added = sum(len(step.change.added) for step in plan.typing)
    return summary


def _effect(effect: Effect) -> Iterator[str]:
    before, after, publishers = effect
    if before != after:
        yield f"{'':7} {_gain(before, after)} of 80 points for formats (MQA of data.europa.eu)"
    gains = [(name, *scores) for name, scores in publishers.items() if scores[0] != scores[1]]
    for name, old, new in gains[:_PUBLISHERS] if len(publishers) > 1 else ():
        without = old.format_given - new.format_given
        why = f", as {counted(without, 'distribution')} lost dct:format" if without > 0 else ""
        yield f"{'':11} {name or 'without a publisher'}: {_gain(old, new)} points{why}"
    lost = before.format_given - after.format_given
    if lost > 0:
        yield (
            f"{'':11} {counted(lost, 'distribution')} lost dct:format, which costs points: its"
            " value has no EU file type, or is a service"
        )


def _gain(before: Score, after: Score) -> str:
    """Return the effect of a repair in numbers, for a file or for a publisher."""
    return (
        f"{before.violations} -> {counted(after.violations, 'violation')},"
        f" {before.points} -> {after.points}"
    )
