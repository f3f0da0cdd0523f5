"""The labels of a file, each with its place and what it means."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pyoxigraph as ox

from cturi_rdf.edits import locate
from cturi_rdf.io.relative_iri import DOCUMENT, relative
from cturi_rdf.rdf.files.report import Place
from cturi_rdf.rdf.label_statements import DESCRIBED_BY, Understood, understand
from cturi_rdf.rdf.properties import PROPERTIES

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from cturi_rdf.edits import Document, Statement
    from cturi_rdf.io.source import Source
    from cturi_rdf.rdf.label_statements import Resolver, Term

__all__ = [
    "EDITABLE",
    "Fact",
    "Located",
    "Meanings",
    "located",
    "place_of_statement",
    "resource_name",
]

# The formats whose statements have places.
EDITABLE = frozenset({"nt", "nquads", "xml"})
# What is stated of a node.
Fact = tuple[ox.NamedNode, "Term"]
# How many distinct labels are remembered.
_REMEMBERED = 8_192


class Meanings:
    """What labels mean; a node by what the file states of it."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver
        self._facts: dict[Term, list[Fact]] = {}
        self._understood: dict[Term, Understood] = {}

    def unclear(self, values: Iterable[Term]) -> set[Term]:
        """Return the nodes of some values that mean nothing by themselves."""
        return {
            value
            for value in dict.fromkeys(values)
            if not isinstance(value, ox.Literal)
            and understand(value, (), self._resolver).resolution.verdict == "nothing"
        }

    def describe(self, nodes: Container[Term], statements: Iterable[Statement | ox.Quad]) -> None:
        """Take what a file states of nodes from its statements."""
        for statement in statements:
            if statement.predicate in DESCRIBED_BY and statement.subject in nodes:
                fact = statement.predicate, statement.object
                self._facts.setdefault(statement.subject, []).append(fact)
        self._understood.clear()

    def of(self, value: Term) -> Understood:
        """Return what the value of a property means."""
        understood = self._understood.get(value)
        if understood is None:
            if len(self._understood) >= _REMEMBERED:
                self._understood.clear()
            understood = understand(value, self._facts.get(value, ()), self._resolver)
            self._understood[value] = understood
        return understood


class Located(NamedTuple):
    """A file with the statements that carry labels, and what these mean."""

    document: Document
    meanings: Meanings


def located(
    source: Source, resolver: Resolver, predicates: Iterable[ox.NamedNode] = (), *,
    blank_nodes: bool = False,
) -> Located:  # fmt: skip
    """Return the statements of a file that carry labels, and those of more predicates.

    With `blank_nodes` there are all statements of the file where one has a blank node as value.
    The file has been read as RDF before: what is wrong with it is known.  Raises `CatalogError`
    where its syntax has no places.
    """
    data = source.read()
    wanted = [path.value for path in (*PROPERTIES, *predicates)]

    def find(paths: list[str] | None) -> Document:
        return locate(data, source.format, base=DOCUMENT, predicates=paths, name=source.name)

    def values(document: Document) -> Iterator[Term]:
        for statement in document.statements:
            if statement.predicate in PROPERTIES:
                yield statement.object

    document, meanings = find(wanted), Meanings(resolver)
    unclear = meanings.unclear(values(document))
    if blank_nodes and any(isinstance(value, ox.BlankNode) for value in unclear):
        document = find(None)
    elif unclear:
        document = find([*wanted, *(path.value for path in DESCRIBED_BY)])
    if unclear:
        # In one reading, for blank nodes may have other names in another one.
        meanings.describe(meanings.unclear(values(document)), document.statements)
    return Located(document, meanings)


def place_of_statement(document: Document, statement: Statement) -> Place:
    """Return where a statement stands."""
    name = resource_name(statement.subject)
    return Place(name, statement.predicate.value, *document.position(statement.start))


def resource_name(resource: Term) -> str:
    """Return the IRI of a resource as its author wrote it, or the name of a blank node."""
    return relative(resource.value) if isinstance(resource, ox.NamedNode) else str(resource)
