"""The findings of a check: each complaint about a value once, with all its places.

The verdicts of a profile are findings too: for `check`, and for the fixes of a repair.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import pyoxigraph as ox

from cturi_rdf._util.display import Table, Tabular, counted
from cturi_rdf.catalogue.plan import missing_facts
from cturi_rdf.catalogue.shacl import CTVS, PROFILES, SH
from cturi_rdf.catalogue.value_forms import is_right
from cturi_rdf.catalogue.verdict import (
    in_other_languages,
    short_name,
    to_write,
    typing_reason,
    written,
    written_iri,
)  # fmt: skip
from cturi_rdf.reading.terms import relative

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence

    from cturi_rdf.catalogue.plan import Plan
    from cturi_rdf.catalogue.profiles import ChosenProfile, Profile
    from cturi_rdf.catalogue.verdict import Verdict
    from cturi_rdf.editing import Document, Span, Statement
    from cturi_rdf.editing.document import Position
    from cturi_rdf.editing.edit import Change
    from cturi_rdf.rdf.label_statements import Term


# SHACL section 2.1.4, the worst first.
SEVERITIES = (SH.Violation, SH.Warning, SH.Info)


_OURS = "https://w3id.org/cturi/"


class FindingPlace(NamedTuple):
    """A resource, the value that is to blame, if any, and where the value is in the file.

    `parts` are the spans of the focus node, the path and the value of a result of shapes.
    `changes` put it right: they can be made alone.  They are of statements of `document`, else of
    that of the report.  `stated` are the property and the value that stand there, if the finding is
    about a statement that only follows from these.
    """

    resource: Term
    value: Term | None
    start: int | None = None
    end: int | None = None
    changes: tuple[Change, ...] = ()
    document: Document | None = None
    parts: Mapping[str, Span] = {}
    stated: tuple[Term, Term] | None = None

    @classmethod
    def of(cls, statement: Statement) -> FindingPlace:
        """Return the place of a statement, whose value is to blame."""
        return cls(statement.subject, statement.object, statement.start, statement.end)


class Finding(NamedTuple):
    """A rule that does not hold, for one value of one property, wherever it occurs.

    `shape` is the shape with the rule, `messages` are its messages by language; ``""`` is the
    language of a message without one.  `value` is the text of the value, of a blank node that of
    its label.  `places` are the resources, each with the value as it is written there, or None
    where the resource itself is to blame.  `write` is the text to write in its place, as in Turtle:
    empty for a value to leave out, and None where it is not known.
    `more` is how many places of a large file are not among the `places`, and `source` names the
    document and the section with a rule of a profile.
    """

    shape: Term
    component: Term
    severity: Term
    path: Term | None
    value: str
    messages: Mapping[str, str]
    places: list[FindingPlace]
    write: str | None = None
    more: int = 0
    source: str = ""

    @property
    def times(self) -> int:
        """How many places there are."""
        return len(self.places) + self.more

    @property
    def complaint(self) -> Hashable:
        """What the finding says, wherever it is."""
        return (*self[:5], *sorted(self.messages.items()), self.write)

    def message(self, language: str = "en") -> str:
        """Return the message in a language, else in English, else in any language."""
        message = self.messages.get(language) or self.messages.get("en")
        return message or next(iter(self.messages.values()), str(self.component))

    def statement_at(self, place: FindingPlace) -> tuple[Term | None, Term | None]:
        """Return the property and the value at a place, as the file has them."""
        return place.stated or (self.path, place.value)

    @property
    def is_ours(self) -> bool:
        """Whether the shape is one of ours, or stands for a rule of a profile."""
        return text_of(self.shape).startswith(_OURS)

    @property
    def rule(self) -> str:
        """The name of the shape, or of the constraint where the shape has none."""
        named = self.shape if isinstance(self.shape, ox.NamedNode) else self.component
        return name_of_term(named)

    @property
    def rank(self) -> int:
        """How bad it is, 0 for the worst."""
        return [*SEVERITIES, self.severity].index(self.severity)

    @property
    def level(self) -> str:
        """The name of the severity: Violation, Warning, Info, or one of its own."""
        return name_of_term(self.severity)


def together(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings; those that differ only in their places become one."""
    groups: dict[Hashable, list[Finding]] = {}
    for finding in findings:
        groups.setdefault(finding.complaint, []).append(finding)
    return [
        several[0]._replace(places=[place for finding in several for place in finding.places])
        for several in groups.values()
    ]


@dataclass(repr=False, eq=False)
class CheckReport(Tabular):
    """All findings of a check, and how much was checked.

    The findings are in the order of the file; those of a graph, which has no order, begin with the
    worst.  `focus_nodes` is the number of resources that our shapes looked at.  `idle` names the
    shapes that had nothing to look at: then the catalogue does not pass.  `warnings` are about
    faults in the shapes of others.  `document` is the file that the places are in, if any, `name`
    returns a resource as its author wrote it, a blank node of a graph by what leads to it, and
    ``""`` for a blank node of a file, and `profile` is the profile that the file was checked by.
    `named` says whether the user named shapes of others, or a profile with them.  `position_at`
    tells the places in a file that has no document, because it is too large.
    """

    findings: list[Finding]
    focus_nodes: int
    idle: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    document: Document | None = None
    name: Callable[[Term], str] = written_iri
    profile: ChosenProfile | None = None
    named: bool = False
    position_at: Callable[[int], Position] | None = None

    def __post_init__(self) -> None:
        self.findings = sorted(map(_in_order, self.findings), key=_by_place)
        if self.document is not None:
            self.position_at = self.document.position

    @property
    def placed(self) -> list[tuple[Finding, FindingPlace]]:
        """Each place with its finding, in the order of the file."""
        pairs = ((finding, place) for finding in self.findings for place in finding.places)
        return sorted(pairs, key=lambda pair: pair[1].start or 0)

    @property
    def conforms(self) -> bool:
        """Whether something was checked, and nothing violates a shape."""
        return not (self.idle or self.violated)

    @property
    def violated(self) -> bool:
        """Whether something violates a shape that counts.

        If the user named shapes, only these count; ours, and a profile that only the file names,
        are then advice.
        """
        return any(
            finding.severity == SH.Violation and not (self.named and finding.is_ours)
            for finding in self.findings
        )

    @property
    def idle_notice(self) -> str:
        """A sentence for a reader about the shapes that had nothing to look at."""
        return f"nothing to check for {' and '.join(self.idle)}, which does not count as a pass"

    def count(self, severity: Term) -> int:
        """Return the number of places with findings of a severity."""
        return sum(finding.times for finding in self.findings if finding.severity == severity)

    def position(self, offset: int | None) -> Position | None:
        """Return the line and the column of the start or the end of a place in a file, if known.

        The statements of a file that only rdflib reads have negative offsets.
        """
        if self.position_at is None or offset is None or offset < 0:
            return None
        return self.position_at(offset)

    def positions(self, place: FindingPlace) -> dict[str, Position]:
        """Return where the focus node, the path and the value of a place begin, if known."""
        starts = {name: self.position(span.start) for name, span in place.parts.items()}
        return {name: position for name, position in starts.items() if position}

    def as_table(self) -> Table:
        """Return a row for each place where something was found."""
        rows = [
            (
                finding.level,
                finding.rule,
                path and text_of(path),
                shown(value) if place.stated else finding.value,
                self.name(place.resource),
                finding.message(),
            )
            for finding, place in self.placed
            for path, value in [finding.statement_at(place)]
        ]
        columns = ("severity", "rule", "property", "value", "resource", "message")
        return Table(self.summary, columns, rows)

    def overview(self) -> Table:
        """Return a row for each rule that does not hold, the worst first, with an example."""
        rules: dict[tuple[str, str], list[Finding]] = {}
        for finding in sorted(self.findings, key=_worst_first):
            rules.setdefault((finding.level, finding.rule), []).append(finding)
        rows = [
            (
                *rule,
                sum(finding.times for finding in findings),
                findings[0].value,
                findings[0].message(),
            )
            for rule, findings in rules.items()
        ]
        columns = ("severity", "rule", "places", "such as", "message")
        return Table(self.summary, columns, rows)

    @property
    def summary(self) -> str:
        """The counts on one line."""
        counts = ", ".join(
            counted(self.count(severity), name_of_term(severity).lower()) for severity in SEVERITIES
        )
        return f"{counted(self.focus_nodes, 'resource')}, {counts}"

    def __repr__(self) -> str:
        return f"<CheckReport: {self.summary}>"


def name_of_term(term: Term) -> str:
    """Return the last part of an IRI.

    >>> name_of_term(SH.Violation)
    'Violation'
    """
    text = text_of(term)
    return text.rpartition("#")[2].rpartition("/")[2] or text


def _in_order(finding: Finding) -> Finding:
    """Return a finding with its places in the order of the file."""
    return finding._replace(
        places=sorted(finding.places, key=lambda place: (place.start or 0, str(place.resource)))
    )


def _by_place(finding: Finding) -> tuple[object, ...]:
    # No two findings are alike in all of this, so the engine of the queries has no part in it.
    start = finding.places[0].start if finding.places else None
    resources = [str(place.resource) for place in finding.places]
    least = str(finding.path), finding.message(), resources
    return (0 if start is None else start, *_worst_first(finding), *least)


def _worst_first(finding: Finding) -> tuple[int, int, str, str]:
    # The rare ones first: the counts show the common ones.
    return finding.rank, finding.times, finding.rule, finding.value


def shown(value: Term | None) -> str:
    """Return a term for a reader: a blank node without its name, a relative IRI as written.

    >>> shown(ox.BlankNode()), shown(ox.Literal("CSV", language="en")), shown(None)
    ('_:', 'CSV', '')
    """
    if isinstance(value, ox.BlankNode):
        return "_:"
    return "" if value is None else relative(text_of(value))


def text_of(term: Term) -> str:
    """Return the text of a literal, an IRI or the label of a blank node."""
    return str(term) if isinstance(term, ox.Triple) else term.value


_SEVERITIES = {"must": SH.Violation, "should": SH.Warning, "may": SH.Info}


def findings_of_plan(plan: Plan) -> list[Finding]:
    """Return the verdicts that are not "right" as findings, in the order of the file.

    `Finding.write` is the text to write: empty for a value to leave out, and None where only a
    human can decide.  What the data does not say about its values, which a validator may load with
    the vocabularies, is information.
    """
    # Many verdicts say the same of other resources.
    alike: dict[Hashable, Finding] = {}
    repeated: list[Finding] = []
    for verdict, severity in _reported(plan):
        changes = tuple((type(change), change[1:]) for change in verdict.changes)
        key = severity, verdict.statement.object, verdict[1:-1], changes
        if key not in alike:
            alike[key] = _of_verdict(plan, verdict, severity)
        place = FindingPlace.of(verdict.statement)._replace(changes=verdict.changes)
        # What is missing has no statement: this is the one beside which it is written.
        is_missing = verdict.action == "missing"
        alike[key].places.append(place._replace(value=None) if is_missing else place)
        repeated += _of_repetitions(plan, verdict, alike[key])
    return [*together([*alike.values(), *repeated]), *_of_typing(plan), *_of_validators(plan)]


def findings_of_repair(plan: Plan) -> list[Finding]:
    """Return what a repair changes and leaves as findings."""
    unruled = [
        Finding(
            CTVS.TypeExists,
            SH.SPARQLConstraintComponent,
            SH.Violation,
            left.statement.predicate,
            shown(left.statement.object),
            {"en": left.reason},
            [FindingPlace.of(left.statement)],
        )
        for left in plan.unknown
    ]
    return [*findings_of_plan(plan), *together(unruled)]


def _reported(plan: Plan) -> Iterator[tuple[Verdict, ox.NamedNode]]:
    """Yield the verdicts of `severities` on what the file has or lacks as it is.

    What takes the place of a value that leaves its property is written with it.
    """
    verdicts, followers = [], {}
    for verdict, severity in severities(plan):
        if is_made_missing(plan, verdict):
            followers[verdict.statement.subject, verdict.asks.property] = verdict.changes
        else:
            verdicts.append((verdict, severity))
    for verdict, severity in verdicts:
        leaves = verdict.changes and verdict.action in {"move", "remove"}
        follows = followers.pop(verdict.statement[1:3], ()) if leaves else ()
        yield verdict._replace(changes=verdict.changes + follows), severity


def with_profile(findings: Iterable[Finding], plan: Plan) -> list[Finding]:
    """Return what shapes find in a file, and the verdicts of its profile."""
    return [*_others(findings, plan), *findings_of_plan(plan)]


def judged_statements(plan: Plan) -> set[Hashable]:
    """Return the keys of the statements that a profile has a rule for."""
    return {one.key for one in plan.contents.ruled}


def severities(plan: Plan) -> Iterator[tuple[Verdict, ox.NamedNode]]:
    """Yield the verdicts of a plan that are not "right", each with how bad it is what it says.

    It is what the rule of the profile says; a type that exists nowhere is always a violation.  A
    value that the profile accepts, or will accept once it is repaired, violates nothing, but for
    being one too many.  What the data does not say of its values is information.
    """
    replaced = {verdict.statement.key for verdict in plan.verdicts if verdict.changes}
    for verdict in plan.verdicts:
        severity = _SEVERITIES[verdict.asks.level]
        if verdict.rule == "typing":
            severity = SH.Info
        elif verdict.rule == "unknown":
            severity = SH.Violation
        elif verdict.action == "leave" and verdict.rule != "several" and severity == SH.Violation:
            is_accepted = is_right(verdict.asks, verdict.statement.object)
            if is_accepted or verdict.statement.key in replaced:
                severity = SH.Warning
        if verdict.action != "right":
            yield verdict, severity


def is_made_missing(plan: Plan, verdict: Verdict) -> bool:
    """Return whether what is missing is there until the plan moves it to another place."""
    own = plan.contents.subject(verdict.statement.subject)
    return verdict.action == "missing" and verdict.asks.property in own.firsts


def _of_verdict(plan: Plan, verdict: Verdict, severity: ox.NamedNode) -> Finding:
    """Return a verdict as a finding that has no place yet."""
    write, message = None, verdict.reason
    if verdict.changes:
        write = to_write(verdict.steps)
        message = f"{f'Write {write}.' if write else 'Leave it out.'} {message}"
    path = verdict.asks.property
    value = None if verdict.action == "missing" else verdict.statement.object
    return Finding(
        _rule_of(plan, name_of_term(path)),
        SH.NodeConstraintComponent,
        severity,
        path,
        plan.contents.label_of(value) or shown(value),
        {
            "en": message,
            **in_other_languages(plan.profile, verdict.rule, verdict=verdict, write=write),
        },
        [],
        write,
        source=f"{verdict.asks.source}: {verdict.asks.section}",
    )


def _of_repetitions(plan: Plan, verdict: Verdict, finding: Finding) -> Iterator[Finding]:
    """Yield a finding for each repetition of a statement that goes, given that on the first."""
    for step in verdict.steps if len(verdict.changes) > 1 else ():
        statement = step.statement
        if statement is not None and verdict.is_repetition(statement):
            messages = {
                "en": f"Leave it out. {step.reason}",
                **in_other_languages(plan.profile, "duplicate", verdict=verdict, write=""),
            }
            yield finding._replace(places=[FindingPlace.of(statement)], messages=messages, write="")


def _of_typing(plan: Plan) -> Iterator[Finding]:
    """Yield the lack of statements about the values of a file, once for the file."""
    for step in plan.typing:
        values = dict.fromkeys(quad.subject for quad in step.change.added)
        first = next(
            verdict.statement
            for verdict in sorted(plan.verdicts, key=lambda verdict: verdict.statement.start)
            if any(missing_facts(plan.contents, plan.profile, verdict))
        )
        place = FindingPlace.of(first)._replace(changes=(step.change,))
        yield of_typing(plan.profile, list(values), place)


def of_typing(profile: Profile, values: Sequence[Term], place: FindingPlace) -> Finding:
    """Return the finding that the data says too little of some values, the first at a place."""
    text = counted(len(values), "value")
    return Finding(
        ox.NamedNode(f"{PROFILES}{profile.name}#typing"),
        SH.NodeConstraintComponent,
        SH.Info,
        None,
        text,
        {
            "en": f"{typing_reason(profile)} They are missing for {text};"
            f" the first is {written(values[0])}.",
            **in_other_languages(profile, "typing"),
        },
        [place._replace(value=None)],
    )


def _of_validators(plan: Plan) -> Iterator[Finding]:
    """Yield the values that the profile accepts, and a certain validator refuses."""
    for verdict in plan.verdicts:
        refused, value = verdict.asks.refused_by, verdict.statement.object
        if refused and verdict.action == "right" and isinstance(value, ox.Literal):
            validator, pattern = refused
            if not pattern.search(value.value):
                yield Finding(
                    _rule_of(plan, "validator"),
                    SH.PatternConstraintComponent,
                    SH.Info,
                    verdict.asks.property,
                    shown(value),
                    {
                        "en": f"{plan.profile.title} accepts it, and {validator} does not.",
                        **in_other_languages(plan.profile, "validator", verdict=verdict),
                    },
                    [FindingPlace.of(verdict.statement)],
                )


def _rule_of(plan: Plan, name: str) -> ox.NamedNode:
    return ox.NamedNode(f"{PROFILES}{plan.profile.name}#{name}")


def _others(findings: Iterable[Finding], plan: Plan) -> Iterator[Finding]:
    """Yield findings; on resources of which the profile says nothing, this is what they say."""
    kinds = plan.contents.kinds
    labels = (one for one in plan.contents.unruled if kinds[one.predicate] == "named")
    unruled = {(*one[1:4], one.start) for one in labels}
    # A contradiction that a verdict tells of is not told again.
    disputed = {one.statement.subject for one in plan.verdicts if one.tells_conflict}
    for finding in findings:
        path, sides = finding.path, dict[bool, list[FindingPlace]]()
        for place in finding.places:
            if finding.shape == CTVS.TypesAgree and place.resource in disputed:
                continue
            stated = place.resource, path, place.value, place.start
            sides.setdefault(stated in unruled, []).append(place)
        if False in sides:
            # A value that the profile does not ask for breaks no "must" of it.
            is_asked = not isinstance(path, ox.NamedNode) or kinds.get(path) not in {
                "label",
                "other",
            }
            is_violation = finding.severity == SH.Violation and finding.shape != CTVS.TypeExists
            severity = SH.Warning if is_violation and not is_asked else finding.severity
            yield finding._replace(places=sides[False], severity=severity)
        if True in sides and isinstance(path, ox.NamedNode):
            yield _of_no_rule(plan, finding, path)._replace(places=sides[True])


def _of_no_rule(plan: Plan, finding: Finding, path: ox.NamedNode) -> Finding:
    """Return a finding on a resource of a class of which the profile says nothing."""
    if finding.shape == CTVS.TypeExists:
        return finding
    message = f"{plan.profile.title} says nothing about {short_name(path)} on such a resource."
    messages = {"en": message, **in_other_languages(plan.profile, "no rule", path=path)}
    return finding._replace(severity=SH.Info, messages=messages, write=None)
