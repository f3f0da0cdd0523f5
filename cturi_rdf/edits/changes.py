"""Changes of what a file says: values that know nothing of its syntax."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pyoxigraph as ox

if TYPE_CHECKING:
    from cturi_rdf.edits.document import Document, Statement, Term

__all__ = ["Add", "Append", "Change", "Remove", "Replace"]


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

    @property
    def subject(self) -> Term:
        """What the change is about."""
        return self.beside.subject

    def place(self, _: Document) -> int:
        """Return the offset that an error about the change names."""
        return self.beside.start


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

    @property
    def subject(self) -> Term:
        """What the change is about."""
        return self.statement.subject

    def place(self, _: Document) -> int:
        """Return the offset that an error about the change names."""
        return self.statement.start


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

    @property
    def subject(self) -> Term:
        """What the change is about."""
        return self.statement.subject

    def place(self, _: Document) -> int:
        """Return the offset that an error about the change names."""
        return self.statement.start


class Append(NamedTuple):
    """Quads about subjects of their own, written at the end of the file or of their graph."""

    quads: tuple[ox.Quad, ...]

    @property
    def added(self) -> tuple[ox.Quad, ...]:
        """The quads that the file says afterwards."""
        return tuple(self.quads)

    @property
    def removed(self) -> tuple[ox.Quad, ...]:
        """The quads that the file does not say afterwards."""
        return ()

    @property
    def subject(self) -> None:
        """What the change is about: nothing that is in the file."""

    def place(self, document: Document) -> int:
        """Return the offset that an error about the change names: the end of the file."""
        return len(document.data)


Change = Add | Replace | Remove | Append
