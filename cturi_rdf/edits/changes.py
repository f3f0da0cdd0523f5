"""Changes of what a file says: values that know nothing of its syntax."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pyoxigraph as ox

if TYPE_CHECKING:
    from cturi_rdf.edits.document import Statement, Term

__all__ = ["Add", "Append", "Change", "Remove", "Replace", "statement_of"]


class Add(NamedTuple):
    """A statement about the subject of another one, written beside it."""

    beside: Statement
    predicate: ox.NamedNode
    object: Term

    @property
    def added(self) -> tuple[ox.Quad, ...]:
        """The quads that the file says afterwards."""
        beside = self.beside
        return (ox.Quad(beside.subject, self.predicate, self.object, beside.graph),)

    @property
    def removed(self) -> tuple[ox.Quad, ...]:
        """The quads that the file does not say afterwards."""
        return ()


class Replace(NamedTuple):
    """Another object of a statement, and another predicate if one is given."""

    statement: Statement
    object: Term
    predicate: ox.NamedNode | None = None

    @property
    def added(self) -> tuple[ox.Quad, ...]:
        """The quads that the file says afterwards."""
        old = self.statement
        return (ox.Quad(old.subject, self.predicate or old.predicate, self.object, old.graph),)

    @property
    def removed(self) -> tuple[ox.Quad, ...]:
        """The quads that the file does not say afterwards."""
        return (self.statement.quad,)


class Remove(NamedTuple):
    """A statement that goes."""

    statement: Statement

    @property
    def added(self) -> tuple[ox.Quad, ...]:
        """The quads that the file says afterwards."""
        return ()

    @property
    def removed(self) -> tuple[ox.Quad, ...]:
        """The quads that the file does not say afterwards."""
        return (self.statement.quad,)


class Append(NamedTuple):
    """Quads about subjects of their own, written at the end of the file or of their graph."""

    quads: tuple[ox.Quad, ...]

    @property
    def added(self) -> tuple[ox.Quad, ...]:
        """The quads that the file says afterwards."""
        return self.quads

    @property
    def removed(self) -> tuple[ox.Quad, ...]:
        """The quads that the file does not say afterwards."""
        return ()


Change = Add | Replace | Remove | Append


def statement_of(change: Change) -> Statement | None:
    """Return the statement that is changed, or beside which another one is written."""
    if isinstance(change, Append):
        return None
    return change.beside if isinstance(change, Add) else change.statement
