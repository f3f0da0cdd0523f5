"""The summary of a repair in text: what changed, what it gained, and what is left for a human."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from cturi_rdf._util.display import counted
from cturi_rdf.catalogue.quality_score import effect
from cturi_rdf.catalogue.report import NO_LABELS
from cturi_rdf.catalogue.steps import RULES
from cturi_rdf.reading.errors import called

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cturi_rdf.catalogue.plan import Plan
    from cturi_rdf.catalogue.quality_score import Score
    from cturi_rdf.catalogue.repair import FilePlan


# How many publishers are shown, those with the most distributions.
_PUBLISHERS = 5


def values_changed(plan: Plan) -> int:
    """Return how many values a repair changes, whatever it writes in the place of each."""
    return sum(bool(verdict.changes) for verdict in plan.verdicts)


def summary_of(planned: FilePlan, most: int | None = None) -> Iterator[str]:
    """Yield the lines of the summary; `most` of the values left are listed, None for all."""
    plan = planned.plan
    source = called(planned.source)
    profile = f"{plan.profile.title} ({plan.profile.name}), {planned.why}"
    yield f"{source}: {profile}: {counted(plan.total, 'value')}, {values_changed(plan)} changed"
    for sentence in plan.unruled:
        yield f"        {sentence}"
    if not plan.total and not plan.unruled:
        yield NO_LABELS
    rules = Counter(verdict.rule for verdict in plan.verdicts if verdict.changes)
    for rule, count in rules.most_common():
        yield f"{count:7} {rule}: {RULES[rule]}"
    for step in plan.typing:
        yield f"{len(step.change.added):7} {step.rule}: {RULES[step.rule]}"
    before, after, publishers = effect(planned)
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
    if plan.left:
        yield f"{len(plan.left):7} left for a human"
    groups = Counter((item.text(), item.reason) for item in plan.left)
    first = {(item.text(), item.reason): item for item in reversed(plan.left)}
    for (text, reason), count in sorted(groups.items(), key=lambda item: item[1])[:most]:
        line, column = plan.document.position(first[text, reason].statement.start)
        yield f"{count:11} × {text}: {reason}"
        yield f"{'':13} first at {source}:{line}:{column}"
    if most is not None and len(groups) > most:
        yield f"{'':11} and {len(groups) - most} more: all of them with --all"


def _gain(before: Score, after: Score) -> str:
    """Return the effect of a repair in numbers, for a file or for a publisher."""
    return (
        f"{before.violations} -> {counted(after.violations, 'violation')},"
        f" {before.points} -> {after.points}"
    )
