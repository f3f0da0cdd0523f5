"""Findings of a metadata profile: values that are not as it asks, with what to write."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyoxigraph as ox

from cturi_rdf.check.findings import Finding
from cturi_rdf.check.focus_nodes import Place, shown
from cturi_rdf.check.terms import PROFILES, SH
from cturi_rdf.edits import Append
from cturi_rdf.repair.steps import short_name, to_write

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cturi_rdf.edits import Edit, Statement
    from cturi_rdf.rdf.label_statements import Term
    from cturi_rdf.repair import Plan, Step

__all__ = ["findings_of", "fixes_of"]

_SEVERITIES = {"must": SH.Violation, "should": SH.Warning, "may": SH.Info}


def findings_of(plan: Plan) -> list[Finding]:
    """Return what is not as the profile of a plan asks, the same complaint once.

    `Finding.write` says what to write: nothing for a value to leave out, and None where only a
    human can decide.  A service is a warning where the profile itself allows it, and what only
    lacks its class in the data no finding of a value.
    """
    groups: dict[object, Finding] = {}
    for statement, message, write, severity in _complaints(plan):
        name = short_name(statement.predicate).strip("<>").rpartition(":")[2].rpartition("/")[2]
        shape = ox.NamedNode(f"{PROFILES}{plan.profile.name}#{name}")
        place = Place(statement.subject, statement.object, statement.start, statement.end)
        key = statement.predicate, statement.object, message, severity
        if key in groups:
            groups[key].places.append(place)
        else:
            groups[key] = Finding(
                shape,
                SH.NodeConstraintComponent,
                severity,
                statement.predicate,
                shown(statement.object),
                {"en": message},
                [place],
                write,
            )
    return list(groups.values())


def fixes_of(plan: Plan) -> dict[int | None, list[Edit]]:
    """Return the edits of a plan by the place of the value that they repair."""
    fixes: dict[int | None, list[Edit]] = {}
    for index, edit in enumerate(plan.edits):
        statement = plan.steps[plan.edits.number(index)].statement
        if statement is not None:
            fixes.setdefault(statement.start, []).append(edit)
    return fixes


def _complaints(plan: Plan) -> Iterator[tuple[Statement, str, str | None, Term]]:
    steps: dict[int, list[Step]] = {}
    for step in plan.steps:
        if step.statement is not None and not isinstance(step.change, Append):
            steps.setdefault(step.statement.start, []).append(step)
    for group in steps.values():
        statement = group[0].statement
        if statement is not None:
            write = to_write(group)
            what = f"Write {write}." if write else "Leave it out."
            message = f"{what} {group[0].reason}"
            yield statement, message, write, _severity(plan, statement)
    for left in plan.left:
        severity = _severity(plan, left.statement)
        if left.rule == "service" and severity == SH.Violation and left.is_right:
            severity = SH.Warning
        yield left.statement, left.reason, None, severity


def _severity(plan: Plan, statement: Statement) -> Term:
    rule = plan.profile.rule_for(statement.predicate)
    return _SEVERITIES[rule.level if rule else "may"]
