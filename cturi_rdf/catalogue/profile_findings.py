"""The verdicts of a profile as findings: for `check`, and for the fixes of a repair."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyoxigraph as ox

from cturi_rdf._util.display import counted
from cturi_rdf.catalogue.findings import Finding, Place, name_of_term, shown, together
from cturi_rdf.catalogue.plan import missing_facts
from cturi_rdf.catalogue.shacl import CTVS, PROFILES, SH
from cturi_rdf.catalogue.value_forms import is_right
from cturi_rdf.catalogue.verdict import (
    in_other_languages,
    short_name,
    to_write,
    typing_reason,
    written,
)

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence

    from cturi_rdf.catalogue.plan import Plan
    from cturi_rdf.catalogue.profiles import Profile
    from cturi_rdf.catalogue.verdict import Verdict
    from cturi_rdf.rdf.label_statements import Term


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
    for verdict, severity in severities(plan):
        if is_made_missing(plan, verdict):
            continue
        changes = tuple((type(change), change[1:]) for change in verdict.changes)
        key = severity, verdict.statement.object, verdict[1:-1], changes
        if key not in alike:
            alike[key] = _of_verdict(plan, verdict, severity)
        place = Place.of(verdict.statement)._replace(changes=verdict.changes)
        # What is missing has no statement: this is the one beside which it is written.
        is_missing = verdict.action == "missing"
        alike[key].places.append(place._replace(value=None) if is_missing else place)
        repeated += _of_repetitions(plan, verdict, alike[key])
    return [*together([*alike.values(), *repeated]), *_of_typing(plan), *_of_validators(plan)]


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
            yield finding._replace(places=[Place.of(statement)], messages=messages, write="")


def _of_typing(plan: Plan) -> Iterator[Finding]:
    """Yield the lack of statements about the values of a file, once for the file."""
    for step in plan.typing:
        values = dict.fromkeys(quad.subject for quad in step.change.added)
        first = next(
            verdict.statement
            for verdict in sorted(plan.verdicts, key=lambda verdict: verdict.statement.start)
            if any(missing_facts(plan.contents, plan.profile, verdict))
        )
        place = Place.of(first)._replace(changes=(step.change,))
        yield of_typing(plan.profile, list(values), place)


def of_typing(profile: Profile, values: Sequence[Term], place: Place) -> Finding:
    """Return the finding that the data says too little of some values, the first at a place."""
    text = counted(len(values), "value")
    return Finding(
        ox.NamedNode(f"{PROFILES}{profile.name}#typing"),
        SH.NodeConstraintComponent,
        SH.Info,
        None,
        text,
        {
            "en": f"{typing_reason(profile)} It says too little of {text};"
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
                    [Place.of(verdict.statement)],
                )


def _rule_of(plan: Plan, name: str) -> ox.NamedNode:
    return ox.NamedNode(f"{PROFILES}{plan.profile.name}#{name}")


def _others(findings: Iterable[Finding], plan: Plan) -> Iterator[Finding]:
    """Yield findings; on resources of which the profile says nothing, this is what they say."""
    unruled = {(*one[1:4], one.start) for one in plan.contents.unruled}
    for finding in findings:
        path, sides = finding.path, dict[bool, list[Place]]()
        for place in finding.places:
            stated = place.resource, path, place.value, place.start
            sides.setdefault(stated in unruled, []).append(place)
        if False in sides:
            yield finding._replace(places=sides[False])
        if True in sides and isinstance(path, ox.NamedNode):
            yield _of_no_rule(plan, finding, path)._replace(places=sides[True])


def _of_no_rule(plan: Plan, finding: Finding, path: ox.NamedNode) -> Finding:
    """Return a finding on a resource of a class of which the profile says nothing."""
    if finding.shape == CTVS.TypeExists:
        return finding
    message = f"{plan.profile.title} says nothing of {short_name(path)} on such a resource."
    messages = {"en": message, **in_other_languages(plan.profile, "no rule", path=path)}
    return finding._replace(severity=SH.Info, messages=messages, write=None)
