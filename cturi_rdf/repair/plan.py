"""The plan of a file: which changes a profile asks for, which edits make them, what is left."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pyoxigraph as ox

from cturi_rdf.edits import Append, EditError, check, plan
from cturi_rdf.repair.resources import resources_in, typing_of
from cturi_rdf.repair.rules import Options, repaired
from cturi_rdf.repair.steps import Left, Step

if TYPE_CHECKING:
    from cturi_rdf.edits import Change, Document, Edits, Statement
    from cturi_rdf.edits.document import Term
    from cturi_rdf.rdf.files.labels import Meanings
    from cturi_rdf.rdf.label_statements import Understood
    from cturi_rdf.repair.profiles import Profile, PropertyRule

__all__ = ["Plan", "plan_document"]


class Plan(NamedTuple):
    """The steps for a document, the edits that make them, and what is left to a human.

    `total` is how many values the profile has a rule for.
    """

    document: Document
    profile: Profile
    steps: tuple[Step, ...]
    left: tuple[Left, ...]
    edits: Edits
    total: int

    @property
    def changes(self) -> list[Change]:
        """The changes of all steps."""
        return [step.change for step in self.steps]

    def check(self) -> None:
        """Raise `EditError` unless the edited text says what the changes ask, and no more."""
        check(self.document, self.edits, self.changes)


def plan_document(
    document: Document,
    profile: Profile,
    meanings: Meanings,
    options: Options = Options(),  # noqa: B008 - an immutable value
) -> Plan:
    """Return the plan for a document in which `predicates_for` the profile were located.

    What the syntax has no place for is left.
    """
    groups: list[list[Step]] = []
    left: list[Left] = []
    values: list[tuple[PropertyRule, Statement, Term]] = []

    def meaning(statement: Statement) -> Understood:
        return _meaning(document, meanings, statement)

    total = 0
    for resource in resources_in(document.statements, profile):
        outcome = repaired(resource, profile, meaning, options)
        total += len(resource.statements)
        groups += outcome.groups
        left += outcome.left
        values += outcome.values
    steps, refused = _writable(document, groups)
    for group, reason in refused:
        statement = group[0].statement
        if statement is not None:
            values = [each for each in values if each[1] is not statement]
            left.append(Left(statement, "no place", reason))
    appended = typing_of(document.statements, values)
    if appended:
        reason = f"{profile.title} asks that the data say what its values are."
        more = Step(Append(tuple(appended)), "typing", "certain", reason)
        if _edits(document, [more]) is None:
            reason = "The file has no place for the class of its values, which is asked for."
            left.append(Left(values[0][1], "no place", reason))
        else:
            steps.append(more)
    left.sort(key=lambda each: each.statement.start)
    edits = plan(document, [step.change for step in steps])
    return Plan(document, profile, tuple(steps), tuple(left), edits, total)


def _meaning(document: Document, meanings: Meanings, statement: Statement) -> Understood:
    """Return what the value of a statement means; a relative IRI by what its author wrote."""
    understood = meanings.of(statement.object)
    unsure = understood.resolution.confidence == "likely"
    if unsure and isinstance(statement.object, ox.NamedNode):
        token = document.data[statement.start : statement.end].decode("utf-8", "replace")
        text = token.strip("<>\"' ")
        if text and not any(mark in text for mark in ':/?#"'):
            again = meanings.of(ox.Literal(text))
            return again if again.resolution.verdict != "nothing" else understood
    return understood


def _writable(
    document: Document, groups: list[list[Step]]
) -> tuple[list[Step], list[tuple[list[Step], str]]]:
    """Return the steps that the syntax can write, and the groups that it cannot, with why."""
    steps = [step for group in groups for step in group]
    try:
        plan(document, [step.change for step in steps])
    except EditError:
        pass
    else:
        return steps, []
    steps, refused = [], []
    for group in groups:
        try:
            plan(document, [step.change for step in group])
        except EditError as error:
            reason = f"{error.problem[:1].upper()}{error.problem[1:]}; write {group[0].text()}"
            refused.append((group, reason))
        else:
            steps += group
    return steps, refused


def _edits(document: Document, steps: list[Step]) -> Edits | None:
    try:
        return plan(document, [step.change for step in steps])
    except EditError:
        return None
