"""The plan for a file: the changes that a profile asks for, their edits, and the values left."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pyoxigraph as ox

from cturi_rdf.editing import Append, EditError, check, plan
from cturi_rdf.repair.alike import all_repaired
from cturi_rdf.repair.resources import Contents
from cturi_rdf.repair.rules import Options
from cturi_rdf.repair.steps import Left, Step

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cturi_rdf.catalogue.labels import Meanings
    from cturi_rdf.catalogue.profiles import Profile, PropertyRule
    from cturi_rdf.editing import Document, Edits, Statement
    from cturi_rdf.editing.document import Term
    from cturi_rdf.rdf.label_statements import Understood

__all__ = ["Plan", "plan_document", "typing_steps"]


class Plan(NamedTuple):
    """The steps for a document, the edits that make them, and the values left to a human."""

    document: Document
    profile: Profile
    steps: tuple[Step, ...]
    left: tuple[Left, ...]
    edits: Edits
    contents: Contents

    @property
    def total(self) -> int:
        """The number of values for which the profile has a rule."""
        return sum(len(resource.statements) for resource in self.contents.resources)

    def check(self) -> None:
        """Raise `EditError` unless the edited text says what the changes ask, and no more."""
        check(self.document, self.edits, [step.change for step in self.steps])


def plan_document(
    document: Document,
    profile: Profile,
    meanings: Meanings,
    options: Options = Options(),  # noqa: B008 - an immutable value
    contents: Contents | None = None,
) -> Plan:
    """Return the plan for a document in which `predicates_for` the profile were located.

    Values that the syntax has no place for are left.  `contents` are those of the document, where
    they have been read already.
    """
    contents = contents or Contents(document.statements, profile)
    groups, left, values = all_repaired(
        contents.resources,
        profile,
        lambda statement: _meaning(document, meanings, statement),
        options,
    )
    steps = [step for group in groups for step in group]
    typing = typing_steps(contents, profile, values)
    edits = _edits(document, [*steps, *typing])
    if edits is None:
        steps, refused = _writable(document, groups)
        left += refused
        gone = {id(item.statement) for item in refused}
        values = [value for value in values if id(value[1]) not in gone]
        typing = typing_steps(contents, profile, values)
        if typing and _edits(document, typing) is None:
            reason = "The file has no place for the class of its values, which is asked for."
            left.append(Left(values[0][1], "no place", reason))
            typing = []
        edits = plan(document, [step.change for step in (*steps, *typing)])
    left.sort(key=lambda item: item.statement.start)
    return Plan(document, profile, (*steps, *typing), tuple(left), edits, contents)


def typing_steps(
    contents: Contents, profile: Profile, values: Iterable[tuple[PropertyRule, Statement, Term]]
) -> list[Step]:
    """Return the step that adds the classes and schemes of values, where a rule asks for them."""
    quads = contents.missing(values)
    reason = f"{profile.title} asks that the data say what its values are."
    return [Step(Append(tuple(quads)), "typing", "certain", reason)] if quads else []


def _meaning(document: Document, meanings: Meanings, statement: Statement) -> Understood:
    """Return the meaning of a statement's value; a relative IRI is read as its author wrote it."""
    understood = meanings.of(statement.object)
    unsure = understood.resolution.confidence == "likely"
    if unsure and isinstance(statement.object, ox.NamedNode):
        token = document.data[statement.start : statement.end].decode("utf-8", "replace")
        text = token.strip("<>\"' ")
        if text and not any(mark in text for mark in ':/?#"'):
            again = meanings.of(ox.Literal(text))
            return again if again.resolution.verdict != "nothing" else understood
    return understood


def _writable(document: Document, groups: list[list[Step]]) -> tuple[list[Step], list[Left]]:
    """Return the steps that the syntax can write, and the values for which it has no place."""
    # What is written of one resource has to be writable together.
    written: dict[object, list[Step]] = {}
    steps: list[Step] = []
    refused = []
    for group in groups:
        statement = group[0].statement
        of_same = written.setdefault(statement and statement.subject, [])
        try:
            plan(document, [step.change for step in (*of_same, *group)])
        except EditError as error:
            reason = f"{error.problem[:1].upper()}{error.problem[1:]}; write {group[0].text()}"
            if statement is not None:
                refused.append(Left(statement, "no place", reason))
        else:
            of_same += group
            steps += group
    return steps, refused


def _edits(document: Document, steps: list[Step]) -> Edits | None:
    try:
        return plan(document, [step.change for step in steps])
    except EditError:
        return None
