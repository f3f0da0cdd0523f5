"""Verdicts: what a profile makes of each statement of a resource, and the changes that follow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    import pyoxigraph as ox

    from cturi_rdf.catalogue.profiles import PropertyRule
    from cturi_rdf.editing import Change, Statement
    from cturi_rdf.editing.document import Term
    from cturi_rdf.labels.resolution import Confidence

__all__ = ["Action", "Verdict"]

# What is to be done about a statement.  Nothing is done about one that is "right", and one that is
# left ("leave") is for a human.  What is "missing" has no statement yet.
Action = Literal["right", "replace", "remove", "move", "missing", "leave"]


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
    asks: PropertyRule | None
    action: Action
    rule: str
    reason: str
    confidence: Confidence = "certain"
    value: tuple[ox.NamedNode, Term] | None = None
    beside: tuple[tuple[ox.NamedNode, Term], ...] = ()
    changes: tuple[Change, ...] = ()
