"""Turtle and TriG: statements found by their tokens, and changes written in their own style."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from cturi_rdf.edits.document import Document
from cturi_rdf.edits.turtle.scan import Scanner, UnexpectedToken
from cturi_rdf.edits.turtle.statements import Statements
from cturi_rdf.edits.turtle.terms import Terms, Verbs
from cturi_rdf.edits.turtle.write import write_turtle
from cturi_rdf.io.errors import CatalogError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from cturi_rdf.edits.document import Statement
    from cturi_rdf.io.formats import Format

__all__ = ["TurtleDocument", "locate_turtle"]


class TurtleDocument(Document):
    """A file of Turtle or TriG."""

    statements: Statements

    def about_blank_nodes(self) -> Iterator[Statement]:
        """Yield the statements whose subject or graph may be a blank node."""
        return self.statements.about_blank_nodes()

    def read_at(self, statement: Statement) -> int:
        """Return the offset up to which the parser reads before it gives a statement.

        What stands in brackets comes before the statement about the node in brackets.
        """
        return statement.start if self.is_list(statement.start) else statement.end

    def is_list(self, start: int | None) -> bool:
        """Return whether the object at an offset is a collection, in round brackets."""
        return self.data.startswith(b"(", start)


def locate_turtle(
    data: bytes,
    form: Format,
    *,
    base: str | None = None,
    predicates: Collection[str] | None = None,
    name: str = "-",
) -> Document:
    """Return a document of Turtle or TriG with the statements of some predicates.

    The statements that a collection stands for have no place of their own; the collection is an
    object with a place.  Raises `CatalogError` where the text is not Turtle, and so does reading
    its statements.
    """
    terms = Terms(data, base)

    def broken(error: Exception) -> CatalogError:
        return CatalogError(f"not {form.name} ({error})", name, f"valid {form.name}")

    scanner = Scanner(data, terms, Verbs(terms, predicates))
    statements = Statements(scanner.places, terms, data, broken)
    document = TurtleDocument(
        data,
        form,
        statements,
        partial(write_turtle, terms=terms, places=scanner.places),
        base=base,
        predicates=predicates,
        name=name,
    )
    try:
        scanner.scan()
    except UnexpectedToken as error:
        character = data[error.offset : error.offset + 1].decode("latin-1") or "the end"
        raise CatalogError(
            f"not {form.name} (an unexpected {character!r})",
            name,
            f"valid {form.name}",
            *document.position(error.offset),
        ) from error
    except (SyntaxError, ValueError) as error:
        raise broken(error) from error
    return document
