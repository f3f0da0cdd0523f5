"""Changes of the statements of a file: values that do not depend on its syntax.

Each has the `statement` that it changes or stands beside, and the quads that the file says and
does not say afterwards: `added` and `removed`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pyoxigraph as ox

if TYPE_CHECKING:
    from cturi_rdf.editing.document import Statement, Term


_Quads = tuple[ox.Quad, ...]


class Add(NamedTuple):
    """A new statement about the subject of another one, written beside it."""

    statement: Statement
    predicate: ox.NamedNode
    object: Term

    @property
    def added(self) -> _Quads:
        """The quads that the file says afterwards."""
        beside = self.statement
        return (ox.Quad(beside.subject, self.predicate, self.object, beside.graph),)

    @property
    def removed(self) -> _Quads:
        """The quads that the file does not say afterwards."""
        return ()


class Replace(NamedTuple):
    """A new object for a statement, and a new predicate if one is given."""

    statement: Statement
    object: Term
    predicate: ox.NamedNode | None = None

    @property
    def added(self) -> _Quads:
        """The quads that the file says afterwards."""
        old = self.statement
        return (ox.Quad(old.subject, self.predicate or old.predicate, self.object, old.graph),)

    @property
    def removed(self) -> _Quads:
        """The quads that the file does not say afterwards."""
        return (self.statement.quad,)


class Remove(NamedTuple):
    """The removal of a statement."""

    statement: Statement

    @property
    def added(self) -> _Quads:
        """The quads that the file says afterwards."""
        return ()

    @property
    def removed(self) -> _Quads:
        """The quads that the file does not say afterwards."""
        return (self.statement.quad,)


class Append(NamedTuple):
    """Quads about subjects of their own, written at the end of the file or of their graph."""

    quads: _Quads

    @property
    def statement(self) -> None:
        """None: the quads stand beside no statement."""

    @property
    def added(self) -> _Quads:
        """The quads that the file says afterwards."""
        return self.quads

    @property
    def removed(self) -> _Quads:
        """The quads that the file does not say afterwards."""
        return ()


Change = Add | Replace | Remove | Append
