"""Findings of a metadata profile: values that are not as it asks, with the text to write."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyoxigraph as ox

from cturi_rdf.catalogue.findings import CheckReport, Finding, Place, name_of_term, shown, together
from cturi_rdf.catalogue.shacl.terms import PROFILES, SH
from cturi_rdf.catalogue.value_forms import is_right
from cturi_rdf.repair.steps import to_write

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cturi_rdf.catalogue.verdicts import Verdict
    from cturi_rdf.editing import Edit
    from cturi_rdf.repair import Plan

__all__ = ["with_profile"]

_SEVERITIES = {"must": SH.Violation, "should": SH.Warning, "may": SH.Info}


def with_profile(report: CheckReport, plan: Plan) -> CheckReport:
    """Return a report in which a profile judges the values that it has rules for.

    `Finding.write` is the text to write: empty for a value to leave out, and None where only a
    human can decide.  A service is a warning where the profile itself allows it, and a value that
    only lacks its class in the data is no finding.
    """
    findings = together(
        finding
        for verdict in plan.verdicts
        if verdict.action != "right"
        for finding in _findings(plan, verdict)
    )
    return CheckReport(
        [*_others(report, plan), *findings],
        report.focus_nodes,
        report.idle,
        report.warnings,
        report.document,
        report.name,
        _fixes(plan),
    )


def _others(report: CheckReport, plan: Plan) -> Iterator[Finding]:
    """Yield the findings of a report without the values that the profile judges."""
    judged = {
        (statement.predicate, statement.start)
        for resource in plan.contents.resources
        for statement in resource.statements
    }
    for finding in report.findings:
        places = [place for place in finding.places if (finding.path, place.start) not in judged]
        if places:
            yield finding._replace(places=places)


def _fixes(plan: Plan) -> dict[int | None, list[Edit]]:
    """Return the edits of a plan by the place of the value that they repair."""
    fixes: dict[int | None, list[Edit]] = {}
    for edit in plan.edits:
        statement = plan.steps[edit.number].statement
        if statement is not None:
            fixes.setdefault(statement.start, []).append(edit)
    return fixes


def _severity(verdict: Verdict) -> ox.NamedNode:
    """Return how bad it is; what the profile accepts is no violation."""
    severity = _SEVERITIES[verdict.asks.level]
    is_accepted = verdict.rule == "service" and is_right(verdict.asks, verdict.statement.object)
    return SH.Warning if is_accepted and severity == SH.Violation else severity


def _findings(plan: Plan, verdict: Verdict) -> Iterator[Finding]:
    """Yield a verdict as a finding, and one for each repetition of its statement."""
    write, message = None, verdict.reason
    if verdict.changes:
        write = to_write(verdict.steps)
        message = f"{f'Write {write}.' if write else 'Leave it out.'} {message}"
    path, place = verdict.asks.property, Place.of(verdict.statement)
    if verdict.action == "missing":
        # The statement is the one beside which a value is missing.
        place = place._replace(value=None)
    finding = Finding(
        ox.NamedNode(f"{PROFILES}{plan.profile.name}#{name_of_term(path)}"),
        SH.NodeConstraintComponent,
        _severity(verdict),
        path,
        shown(place.value),
        {"en": message},
        [place],
        write,
    )
    yield finding
    for step in verdict.steps:
        statement = step.statement
        if statement is not None and verdict.is_repetition(statement):
            messages = {"en": f"Leave it out. {step.reason}"}
            yield finding._replace(places=[Place.of(statement)], messages=messages, write="")
