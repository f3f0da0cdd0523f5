"""A verdict: what is to be done about one statement under a profile, and how much may be done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from cturi_rdf.catalogue.steps import Left, Step
from cturi_rdf.editing import Remove

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cturi_rdf.catalogue.profiles import PropertyRule
    from cturi_rdf.catalogue.resource_state import Value
    from cturi_rdf.editing import Change, Statement
    from cturi_rdf.labels.resolution import Confidence


# What is to be done about a statement.  Nothing is done about one that is "right", and one that is
# left ("leave") is for a human.  What is "missing" has no statement yet.
Action = Literal["right", "replace", "remove", "move", "missing", "leave"]


class Options(NamedTuple):
    """How much a repair may do.

    The options are the confidence that a change needs, whether URLs count, and whether the names of
    services move to `dcat:accessService`.
    """

    min_confidence: Confidence = "certain"
    by_url: bool = False
    services: Literal["report", "move"] = "report"


class Verdict(NamedTuple):
    """The verdict on one statement under one profile.

    `statement` is the statement; for what is missing, the one beside which it is written.  `asks`
    is the rule of the profile, and `action` is what is to be done.  `rule` names the reason in a
    word, such as ``form``, ``duplicate`` or ``several``, and `reason` gives it in a sentence or
    two.  `value` is the property and the value to write instead, and `beside` are those to write
    beside it.  `changes` carry the verdict out; they belong together, and are made all or none.
    `confidence` is how sure the verdict is: only a certain one is carried out unasked.
    """

    statement: Statement
    asks: PropertyRule
    action: Action
    rule: str = ""
    reason: str = ""
    confidence: Confidence = "certain"
    value: Value | None = None
    beside: tuple[Value, ...] = ()
    changes: tuple[Change, ...] = ()

    @property
    def steps(self) -> Iterator[Step]:
        """The changes, each with its reason."""
        for change in self.changes:
            rule, reason = self.rule, self.reason
            if isinstance(change, Remove) and self.is_repetition(change.statement):
                rule, reason = "duplicate", "It is stated twice."
            yield Step(change, rule, self.confidence, reason)

    def is_repetition(self, other: Statement) -> bool:
        """Return whether another statement says the same as this one, at another place."""
        own = self.statement
        return other.start != own.start and other.quad == own.quad

    @property
    def left(self) -> Left | None:
        """The statement and the reason, if it is left to a human."""
        if self.changes or self.action == "right":
            return None
        return Left(self.statement, self.rule, self.reason)

    @property
    def values(self) -> Iterator[Value]:
        """The properties and values of the statement once the verdict is carried out."""
        if self.action in {"right", "leave"} or not self.changes:
            yield self.statement.predicate, self.statement.object
        else:
            yield from () if self.value is None else (self.value,)
            yield from self.beside
