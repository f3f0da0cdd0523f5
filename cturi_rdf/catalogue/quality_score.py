"""What a repair gains: fewer violations of the profile, and more points for formats.

The Metadata Quality Assessment of data.europa.eu gives a dataset up to 80 of its 405 points for
the format and the media type of its distributions (dcatno-mqa, default score values).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

import pyoxigraph as ox

from cturi_rdf._util.display import Table
from cturi_rdf.catalogue.findings import is_made_missing, severities
from cturi_rdf.catalogue.profiles import profile_named
from cturi_rdf.catalogue.resources import ASSESSED
from cturi_rdf.catalogue.shacl import SH
from cturi_rdf.catalogue.value_forms import eu_code, is_right
from cturi_rdf.content_type import ContentType
from cturi_rdf.editing.edit import Add
from cturi_rdf.reading.terms import relative
from cturi_rdf.registry import registry
from cturi_rdf.registry.qualities import qualities
from cturi_rdf.registry.schemes import type_of_iri

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from cturi_rdf.catalogue.parts import Part
    from cturi_rdf.catalogue.plan import Plan
    from cturi_rdf.catalogue.repair import FilePlan
    from cturi_rdf.catalogue.resource_state import Value
    from cturi_rdf.catalogue.resources import Contents, Subject
    from cturi_rdf.catalogue.verdict import Step
    from cturi_rdf.editing.document import Term

__all__ = ["Effect", "Score", "effect"]


class Score(NamedTuple):
    """How many distributions meet each indicator, of all that there are.

    `violations` are the values that break a "must" of the profile, and the types that are in no
    registry, as a check counts them.
    """

    distributions: int = 0
    format_given: int = 0
    media_type_given: int = 0
    from_vocabularies: int = 0
    non_proprietary: int = 0
    machine_readable: int = 0
    violations: int = 0

    @property
    def points(self) -> float:
        """The points of a distribution on average, 80 at most."""
        sums = (
            20 * self.format_given
            + 10 * self.media_type_given
            + 10 * self.from_vocabularies
            + 20 * self.non_proprietary
            + 20 * self.machine_readable
        )
        return round(sums / self.distributions, 1) if self.distributions else 0.0

    def as_dict(self) -> dict[str, float]:
        """Return the counts and the points for JSON."""
        return {**self._asdict(), "points": self.points}


# How often each pair of scores, before and after, occurs with a publisher.
Scores = dict[str, Counter[tuple[Score, Score]]]


class Effect(NamedTuple):
    """The score of a file before and after its repair, and those of each publisher."""

    before: Score
    after: Score
    publishers: dict[str, tuple[Score, Score]]

    def as_table(self) -> Table:
        """Return the violations and points of each publisher before the repair, and its gain."""
        rows = [
            (
                publisher,
                before.distributions,
                before.violations,
                after.violations,
                before.points,
                round(after.points - before.points, 1),
            )
            for publisher, (before, after) in self.publishers.items()
        ]
        columns = (
            "publisher",
            "distributions",
            "violations before",
            "violations after",
            "points before",
            "points gained",
        )
        return Table("violations, and points for formats, of 80", columns, rows)

    def as_dict(self) -> dict[str, Any]:
        """Return the scores for JSON."""
        of_publishers = {name: _as_dict(*scores) for name, scores in self.publishers.items()}
        return {**_as_dict(self.before, self.after), "publishers": of_publishers}


def _as_dict(before: Score, after: Score) -> dict[str, Any]:
    return {"before": before.as_dict(), "after": after.as_dict()}


def effect(planned: FilePlan) -> Effect:
    """Return the score of a file before and after the repair that is planned.

    The publisher is that of the dataset, by its name or its IRI, and ``""`` where there is none.
    """
    return effect_of(scores_of(planned.plan))


def scores_of(plan: Plan, part: Part | None = None) -> Scores:
    """Return the scores of the resources of a plan before and after, with the number of each.

    They are by publisher; of a part of a large file, those of the resources that begin in it,
    without their publishers.
    """
    contents, own_verdicts, unknown = plan.contents, plan.verdicts, plan.unknown
    if plan.alike:
        # Resources that say the same are scored once.
        models = {node for node, own in contents.subjects.items() if own.model is own}
        own_verdicts = tuple(one for one in own_verdicts if one.statement.subject in models)
        unknown = tuple(one for one in unknown if one.statement.subject in models)
    scored = plan._replace(verdicts=own_verdicts, unknown=unknown)
    changed, violations = _after(scored.steps), _violations(scored)
    rows: Scores = defaultdict(Counter)
    alike: dict[Hashable, tuple[Score, Score]] = {}
    for node, own in contents.subjects.items():
        model = own.model if plan.alike else own
        kind = model, own.dataset is None
        if kind not in alike:
            before, after = (
                Score(1, *_indicators(_values(model, by)), counts[model])
                if own.is_distribution
                else Score(violations=counts[model])
                for by, counts in zip(({}, changed), violations, strict=True)
            )
            alike[kind] = before, after
        pair = alike[kind]
        if not any(map(any, pair)) or (part and not part.has(own.start)):
            continue
        publisher = "" if part else _publisher(contents, own)
        number = part.weight(node) if part else 1
        if number:
            rows[publisher][pair] += number
    return rows


def effect_of(rows: Scores) -> Effect:
    """Return the sums of the scores."""
    publishers = {name: (_total(own, 0), _total(own, 1)) for name, own in rows.items()}
    publishers = {
        name: scores
        for name, scores in sorted(publishers.items(), key=lambda row: -row[1][0].distributions)
        if scores[0].distributions or scores[0].violations
    }
    total = Counter(publishers.values())
    return Effect(_total(total, 0), _total(total, 1), publishers)


def _violations(plan: Plan) -> tuple[Counter[Subject], Counter[Subject]]:
    """Return the violations of each resource before and after, as a check counts them."""
    before: Counter[Subject] = Counter()
    after: Counter[Subject] = Counter()
    for one in plan.unknown:
        # A repair leaves them.
        own = plan.contents.subject(one.statement.subject)
        before[own] += 1
        after[own] += 1
    for verdict, severity in severities(plan):
        if severity == SH.Violation:
            # A statement that is repeated counts each time.
            statements = (step.statement for step in verdict.steps if step.statement)
            repeated = {one.key for one in statements if verdict.is_repetition(one)}
            own = plan.contents.subject(verdict.statement.subject)
            is_before = not is_made_missing(plan, verdict)
            before[own] += is_before + len(repeated)
            if not verdict.changes:
                after[own] += 1
    return before, after


def _values(own: Subject, changed: dict[Hashable, tuple[Value, ...]]) -> tuple[Value, ...]:
    """Return the values that name formats of a resource, after some changes."""
    values: list[Value] = []
    for statement in own.statements:
        there = ((statement.predicate, statement.object),)
        now = changed.get(statement.key, there)
        # What was missing is written beside a statement that names no format.
        values += now if own.kinds[statement.predicate] == "named" else now[1:]
    return tuple(values)


def _after(steps: Iterable[Step]) -> dict[Hashable, tuple[Value, ...]]:
    """Return the values of changed statements afterwards, by the places of these."""
    changed: dict[Hashable, tuple[Value, ...]] = {}
    for step in steps:
        statement, change = step.statement, step.change
        if statement is not None:
            there = changed.get(statement.key, ((statement.predicate, statement.object),))
            come = tuple((quad.predicate, quad.object) for quad in change.added)
            changed[statement.key] = (*(there if isinstance(change, Add) else ()), *come)
    return changed


def _publisher(contents: Contents, own: Subject) -> str:
    subjects = contents.subjects
    dataset = own if own.dataset is None else subjects.get(own.dataset, own)
    publisher = next(iter(dataset.values("publisher")), None)
    described = None if publisher is None else subjects.get(publisher)
    names = described.values("name") if described else []
    name = next(iter(names), publisher)
    text = "" if name is None or isinstance(name, ox.BlankNode | ox.Triple) else name.value
    return relative(text)


def _total(pairs: Counter[tuple[Score, Score]], side: int) -> Score:
    """Return the sum of the scores before (0) or after (1), each as often as it is counted."""
    scores = ([number * count for number in pair[side]] for pair, count in pairs.items())
    return Score(*map(sum, zip(*scores, strict=True)))


def _indicators(values: Iterable[Value]) -> tuple[bool, bool, bool, bool, bool]:
    """Return which indicators of `Score` a distribution meets, in their order."""
    profile = profile_named("dcat-ap")
    pairs = list(values)
    formats, types = ([value for path, value in pairs if path == one] for one in ASSESSED)
    rules = [profile.rule_for(path) for path in ASSESSED]
    aligned = all(
        rule is not None and own and all(is_right(rule, value) for value in own)
        for rule, own in zip(rules, (formats, types), strict=True)
    )
    listed = [_qualities(value) for value in (*formats, *types)]
    return (
        bool(formats),
        bool(types),
        aligned,
        any(is_open for is_open, _ in listed),
        any(is_readable for _, is_readable in listed),
    )


def _qualities(value: Term) -> tuple[bool, bool]:
    """Return whether a value is in the lists of non-proprietary and machine-readable formats."""
    code = eu_code(value)
    record = None if code is None else registry().eu_file_type(code)
    if record is not None:
        return bool(record.open), bool(record.machine_readable)
    named = type_of_iri(value.value) if isinstance(value, ox.NamedNode) else None
    if named is None or not named[1]:
        return False, False
    facts = qualities(ContentType.parse(named[1][0]))
    return bool(facts.open), bool(facts.machine_readable)
