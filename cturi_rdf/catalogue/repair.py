"""Repairing a file: the plan for it, and the file written with the edits of the plan."""

from __future__ import annotations

import codecs
from collections import Counter
from contextlib import suppress
from functools import partial
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from cturi_rdf._util.display import counted
from cturi_rdf.catalogue.labels import located
from cturi_rdf.catalogue.parts import Parts
from cturi_rdf.catalogue.plan import Typing, lawful, plan_document
from cturi_rdf.catalogue.profiles import choose_profile
from cturi_rdf.catalogue.quality_score import effect, effect_of, scores_of
from cturi_rdf.catalogue.report import NO_LABELS
from cturi_rdf.catalogue.resources import Contents, predicates_for, unplaced_for
from cturi_rdf.catalogue.verdict import RULES, Options, written_iri
from cturi_rdf.editing.document import LINE_END
from cturi_rdf.editing.edit import apply, pieces
from cturi_rdf.editing.files import write_edited
from cturi_rdf.reading.atomic import packing, same_file
from cturi_rdf.reading.errors import CatalogError, called
from cturi_rdf.reading.formats import ReadOptions
from cturi_rdf.reading.jsonld import has_context
from cturi_rdf.reading.read import QuadDocument, expect_valid
from cturi_rdf.reading.source import open_source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from os import PathLike

    import pyoxigraph as ox

    from cturi_rdf.catalogue.parts import Part
    from cturi_rdf.catalogue.plan import Plan
    from cturi_rdf.catalogue.profiles import ChosenProfile, Profile
    from cturi_rdf.catalogue.quality_score import Effect, Score, Scores
    from cturi_rdf.editing import Document, Statement
    from cturi_rdf.editing.edit import Edit
    from cturi_rdf.reading.source import Source


class FilePlan(NamedTuple):
    """The plan for a file, its profile with the reason, and the `edited` content."""

    source: str
    plan: Plan
    chosen: ChosenProfile
    edited: bytes

    @property
    def original(self) -> bytes:
        """The content of the file, without compression."""
        # The document may have decoded a file that takes no edits.
        return self.plan.document.data if self.plan.edits else self.edited

    def as_dict(self) -> dict[str, Any]:
        """Return the plan for JSON: the changes, the values left, and the points gained."""
        plan = self.plan
        return {
            "source": self.source,
            "profile": plan.profile.name,
            "profile_because": self.chosen.why,
            "values": plan.total,
            "changes": [step.as_dict(plan.document) for step in plan.steps],
            "quality": effect(self).as_dict(),
            "left": [item.as_dict(plan.document) for item in plan.left],
        }


def plan_file(
    source: str | PathLike[str],
    *,
    profile: str | None = None,
    reading: ReadOptions = ReadOptions(),
    options: Options = Options(),
) -> FilePlan:
    """Return the plan for a file: its changes, and the values that it leaves; nothing is written.

    `source` is its path, or ``-``; `reading` says how to read it.  Without a `profile` it is the
    one that the file shows.  Raises `CatalogError` where the file cannot be read, or there is no
    such profile.
    """
    with open_source(source, reading) as file:
        return plan_source(file, profile, options)


def plan_source(source: Source, profile: str | None, options: Options) -> FilePlan:
    """Return the plan for an open file; see `plan_file`."""
    chosen = profile_of(source, profile, QuadDocument(source))
    try:
        plan = judged(source, chosen.profile, options)
        if source.format.by_lines or not plan.document.statements:
            # The law reads the lines with edits only: the rest may be broken or empty.
            expect_valid(source)
    except CatalogError:
        # The parser of the whole file describes an error best.
        expect_valid(source)
        raise
    # A file that takes no edits stays in its encoding, which the text of its document may not have.
    edited = apply(plan.document.data, plan.edits) if plan.edits else source.read()
    source.check()
    return FilePlan(source.name, plan, chosen, edited)


def repair_file(planned: FilePlan, target: str | PathLike[str]) -> bool:
    """Write the repaired file, whole or not at all; return whether anything was written.

    A file in which nothing changes is not written to its own place, and neither is a file that has
    changed since it was planned.  Raises `CatalogError`.
    """
    return write_edited(planned.source, planned.original, planned.edited, target)


def judged(source: Source, profile: Profile, options: Options) -> Plan:
    """Return the verdicts of a profile on the statements of a file, and the edits that follow.

    They say what they should.  Raises `CatalogError` for a file that is not valid.
    """
    document, labelled = located(
        source,
        predicates_for(profile, options),
        unplaced=unplaced_for(profile, options),
        read=lambda statements: Contents(statements, profile, by_url=options.by_url),
        whole_nodes=True,
    )
    plan = plan_document(document, profile, labelled.meanings, options, labelled.labels)
    return lawful(plan, partial(expect_valid, source))


def profile_of(source: Source, name: str | None, quads: Iterable[ox.Quad]) -> ChosenProfile:
    """Return the profile of a file: the one of that name, else what its statements show."""
    without_context = False
    if source.format.name == "json-ld":
        without_context = not has_context(source.read())
    return choose_profile(quads, name, json_without_context=without_context)


class _UnchangedError(Exception):
    """Nothing changes in a file that would be written to its own place."""


def repair_by_parts(
    source: Source, target: str, profile: str | None, options: Options, **size: int
) -> Summary:
    """Write a large file of lines as `plan_file` and `repair_file` would; return the summary.

    It is written whole or not at all.  Raises `CatalogError`.
    """
    with Parts(source, alike=not options.by_url, **size) as parts:
        chosen = choose_profile(parts.profile_quads, profile)
        summary = Summary(source.name, chosen)
        typing = Typing()
        with suppress(_UnchangedError), packing(target) as file:
            if source.first.startswith(codecs.BOM_UTF8):
                file.write(codecs.BOM_UTF8)
            is_changed, last = False, b""
            for part in parts:
                edits = []
                if part.is_judged:
                    plan = judged(part, chosen.profile, options)
                    typing.add(plan, part)
                    summary.add(plan, part)
                    edits = list(_own_edits(part, plan))
                if parts.alike:
                    parts.alike.learn(part.own, part.alike.models, edits)
                    # Edits at one place keep their order.
                    edits += parts.alike.edits(part.own, part.alike.others)
                    edits.sort(key=itemgetter(slice(2)))
                is_changed = is_changed or bool(edits)
                file.writelines(pieces(part.own, edits))
                last = part.own[-1:]
            quads = typing.missing()
            summary.added = len(quads)
            first = LINE_END.search(source.first)
            end = first[0] if first else b"\n"
            if quads and last not in {b"\n", b"\r"}:
                file.write(end)
            file.writelines(b"%b .%b" % (str(quad).encode(), end) for quad in quads)
            source.check()
            if not (is_changed or quads) and same_file(source.name, target):
                raise _UnchangedError
    return summary


def _own_edits(part: Part, plan: Plan) -> Iterator[Edit]:
    """Yield the edits of the own lines of a part, without the statements at the end of the file."""
    of_typing = sum(len(verdict.changes) for verdict in plan.verdicts)
    for edit in plan.edits:
        # What is inserted where a line ends belongs to that line.
        is_insertion = edit.start == edit.end
        is_own = part.start < edit.start <= part.end if is_insertion else part.has(edit.start)
        if is_own and edit.number < of_typing:
            yield edit._replace(start=edit.start - part.start, end=edit.end - part.start)


# How many publishers are shown, those with the most distributions.
_PUBLISHERS = 5
# So many values left are told apart.
_MOST_LEFT = 10_000


class Summary:
    """What a repair changes, gains and leaves, in numbers; of a large file, by its parts.

    `left` counts the values left to a human, by their text and the reason, each with the first
    place.
    """

    def __init__(self, source: str, chosen: ChosenProfile) -> None:
        self.source = source
        self.chosen = chosen
        self.total = 0
        # How often each value is left, and where it stands first.
        self.left: dict[tuple[str, str], tuple[int, str]] = {}
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

        self.total += sum(map(times, plan.contents.ruled))
        for one, names in plan.unruled:
            self._unruled[names] += times(one)
        for verdict in plan.verdicts:
            if verdict.changes:
                self._rules[verdict.rule] += times(verdict.statement)
        for publisher, scores in scores_of(plan, part).items():
            self._scores.setdefault(publisher, Counter()).update(scores)
        for item in plan.left:
            if number := times(item.statement):
                key = item.text(), item.reason
                if key not in self.left and len(self.left) >= _MOST_LEFT:
                    key = "other values", "There are more than are listed."
                count, first = self.left.get(key) or (
                    0,
                    self._place(item.statement, plan.document, part),
                )
                self.left[key] = count + number, first

    def _place(self, statement: Statement, document: Document, part: Part | None) -> str:
        """Return where a statement stands, in words."""
        start = statement.start
        if start < 0:
            # A file that only rdflib reads has no places.
            return f"on {written_iri(statement.subject) or 'a blank node'}"
        line, column = part.place(document, start) if part else document.position(start)
        return f"at {called(self.source)}:{line}:{column}"

    @property
    def has_labels(self) -> bool:
        """Whether anything has a property that names formats."""
        return bool(self.total or self._unruled.total())

    def lines(self, most: int | None = None) -> Iterator[str]:
        """Yield the summary in lines; `most` of the values left are listed, None for all."""
        source, profile = called(self.source), self.chosen.profile
        changed = self._rules.total()
        yield f"{source}: {self.chosen.text}: {counted(self.total, 'value')}, {changed} changed"
        sentences = [
            f"{counted(count, name)}{f' of a {of}' if (of := ' and '.join(classes)) else ''},"
            f" of which {profile.title} says nothing"
            for (name, *classes), count in sorted((+self._unruled).items(), key=_commonest_first)
        ]
        for sentence in sentences:
            yield f"        {sentence}"
        if not self.has_labels:
            yield NO_LABELS
        for rule, count in sorted((+self._rules).items(), key=_commonest_first):
            yield f"{count:7} {rule}: {RULES[rule]}"
        if self.added:
            yield f"{self.added:7} typing: {RULES['typing']}"
        yield from _effect(effect_of(self._scores))
        if self.left:
            yield f"{sum(count for count, _ in self.left.values()):7} left for a person to decide"
        rows = sorted(self.left.items(), key=lambda row: row[1][0])
        for (text, reason), (count, first) in rows[:most]:
            yield f"{count:11} × {text}: {reason}"
            yield f"{'':13} first {first}"
        if most is not None and len(rows) > most:
            yield f"{'':11} and {len(rows) - most} more: all of them with --all"


def _commonest_first(row: tuple[Any, int]) -> tuple[int, Any]:
    return -row[1], row[0]


def summary_of(planned: FilePlan) -> Summary:
    """Return the summary of the plan for a file."""
    plan = planned.plan
    summary = Summary(planned.source, planned.chosen)
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
    points = f"{before.points} -> {after.points}"
    if not (before.violations or after.violations):
        # A profile that asks for little has none.
        return points
    return f"{before.violations} -> {counted(after.violations, 'violation')}, {points}"
