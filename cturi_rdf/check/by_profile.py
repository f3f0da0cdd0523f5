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

    from cturi_rdf.editing import Edit, Statement
    from cturi_rdf.repair import Plan, Step

__all__ = ["with_profile"]

_SEVERITIES = {"must": SH.Violation, "should": SH.Warning, "may": SH.Info}


def with_profile(report: CheckReport, plan: Plan) -> CheckReport:
    """Return a report in which a profile judges the values that it has rules for.

    `Finding.write` is the text to write: empty for a value to leave out, and None where only a
    human can decide.  A service is a warning where the profile itself allows it, and a value that
    only lacks its class in the data is no finding.
    """
    findings = together(
        Finding(
            ox.NamedNode(f"{PROFILES}{plan.profile.name}#{name_of_term(statement.predicate)}"),
            SH.NodeConstraintComponent,
            severity,
            statement.predicate,
            shown(statement.object),
            {"en": message},
            [Place.of(statement)],
            write,
        )
        for statement, message, write, severity in _complaints(plan)
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


def _complaints(plan: Plan) -> Iterator[tuple[Statement, str, str | None, ox.NamedNode]]:
    """Yield each statement to repair, with the reason, the text to write and the severity."""
    # Two rules for one property differ in their classes and in the number of values that they
    # allow.
    rules = {rule.property: rule for rule in plan.profile.rules}
    groups: dict[int, tuple[Statement, list[Step]]] = {}
    for step in plan.steps:
        if step.statement is not None:
            _, steps = groups.setdefault(step.statement.start, (step.statement, []))
            steps.append(step)
    for statement, steps in groups.values():
        write, severity = to_write(steps), _SEVERITIES[rules[statement.predicate].level]
        advice = f"Write {write}." if write else "Leave it out."
        yield statement, f"{advice} {steps[0].reason}", write, severity
    for statement, name, reason in plan.left:
        rule = rules[statement.predicate]
        severity = _SEVERITIES[rule.level]
        if name == "service" and severity == SH.Violation and is_right(rule, statement.object):
            severity = SH.Warning
        yield statement, reason, None, severity
