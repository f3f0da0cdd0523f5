"""The statements of a catalogue that are checked, each with its place in the file."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pyoxigraph as ox

from cturi_rdf.io.errors import CatalogError
from cturi_rdf.io.read import document as quads_of
from cturi_rdf.io.relative_iri import relative
from cturi_rdf.rdf.files.labels import EDITABLE, Meanings, located
from cturi_rdf.rdf.header import (
    HEADER_PROPERTIES,
    Evidence,
    Header,
    evidence_of_label,
    evidence_of_node,
)
from cturi_rdf.rdf.properties import CHECKED, PROPERTIES
from cturi_rdf.rdf.terms import CTV, DCTERMS, RDF, mint
from cturi_rdf.rdf.urls import DOWNLOAD_URLS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from cturi_rdf.content_type import ContentType
    from cturi_rdf.edits import Document, Position, Statement
    from cturi_rdf.io.jsonld_contexts import Contexts
    from cturi_rdf.io.source import Source
    from cturi_rdf.rdf.label_statements import Resolver, Term

__all__ = ["FORMATS", "OF_NODES", "Catalogue", "Entry", "catalogue_of_file", "meanings_in"]

_CHECKED = frozenset(CHECKED)
_URLS = tuple(map(ox.NamedNode, DOWNLOAD_URLS))
# What the node of a content type, and that of a parameter, state of themselves.
OF_NODES = (CTV.contentTypeHeader, CTV.parameter, CTV.parameterName, CTV.parameterValue)

# The classes that a publisher may declare a format of its own to be of.
FORMATS = (DCTERMS.MediaTypeOrExtent, DCTERMS.MediaType)


class Entry(NamedTuple):
    """A statement, with the offsets of its object's first byte and of the byte after it."""

    subject: Term
    predicate: ox.NamedNode
    object: Term
    start: int | None = None
    end: int | None = None


class Catalogue:
    """The labels of a catalogue, what they mean, and what its nodes of content types state."""

    def __init__(
        self,
        statements: Iterable[Statement | ox.Quad],
        meanings: Meanings,
        document: Document | None = None,
        name: Callable[[Term], str] | None = None,
    ) -> None:
        """Take statements, what values mean, and the file that the statements are in.

        `name` returns what a resource is called in a report.
        """
        self.meanings = meanings
        self._document = document
        self._name = name or _name
        self._described: set[ox.BlankNode] = set()
        # What stands in two graphs is checked once.
        labels: dict[tuple[object, ...], Entry] = {}
        classes: dict[tuple[object, ...], Entry] = {}
        stated: dict[Term, dict[Term, Entry]] = {}
        self._urls: dict[Term, list[Entry]] = {}
        facts: dict[Term, dict[tuple[object, ...], Entry]] = {}
        for statement in statements:
            triple = statement.subject, statement.predicate, statement.object
            if statement.predicate in _CHECKED:
                labels.setdefault(triple, _entry(statement))
            elif statement.predicate == CTV.conflictingType:
                stated.setdefault(statement.subject, {})[statement.object] = _entry(statement)
            elif statement.predicate in _URLS:
                self._urls.setdefault(statement.subject, []).append(_entry(statement))
            elif statement.predicate == RDF.type and self._types(_entry(statement)):
                classes.setdefault(triple, _entry(statement))
            if isinstance(statement.subject, ox.BlankNode):
                self._described.add(statement.subject)
            if statement.predicate in OF_NODES or (
                statement.predicate == RDF.type and statement.object in FORMATS
            ):
                facts.setdefault(statement.subject, {}).setdefault(triple, _entry(statement))
        self.labels = list(labels.values())
        self._conflicts = stated
        self._classes = list(classes.values())
        for resource, conflicts in self._contradicting():
            stated[resource] = stated.get(resource, {}) | conflicts
        self._facts = {node: list(entries.values()) for node, entries in facts.items()}

    def conflicts(self, resource: Term) -> dict[Term, Entry]:
        """Return the nodes of types that labels of a resource contradict each other by.

        Each has the first statement that names it.  The types are those of `Header.conflicts`,
        and those that the catalogue states itself.
        """
        return self._conflicts.get(resource, {})

    def downloads(self) -> Iterator[tuple[Entry, Header]]:
        """Yield the URL that each resource is downloaded from, with the header by its labels."""
        statements = self._by_resource()
        for resource, urls in self._urls.items():
            evidence = self._evidence_of(statements.get(resource, ()))
            if evidence:
                # The best property of them, and of its URLs the first.
                url = min(urls, key=lambda entry: _URLS.index(entry.predicate))
                text = (
                    url.object.value if isinstance(url.object, (ox.NamedNode, ox.Literal)) else ""
                )
                yield url, Header("", "", [*evidence, Evidence(url.predicate.value, text, ())])

    def _by_resource(self) -> dict[Term, list[Entry]]:
        statements: dict[Term, list[Entry]] = {}
        for entry in (*self.labels, *self._classes):
            statements.setdefault(entry.subject, []).append(entry)
        return statements

    def _evidence_of(self, entries: Iterable[Entry]) -> list[Evidence]:
        return [evidence for entry in entries if (evidence := self._evidence(entry))]

    def _contradicting(self) -> Iterator[tuple[Term, dict[Term, Entry]]]:
        for resource, own in self._by_resource().items():
            if len(own) > 1:
                header = Header("", "", self._evidence_of(own))
                yield (
                    resource,
                    {
                        mint(content_type): next(
                            entry for entry in own if content_type in self._types(entry)
                        )
                        for content_type in header.conflicts
                    },
                )

    def _evidence(self, entry: Entry) -> Evidence | None:
        if entry.predicate not in HEADER_PROPERTIES:
            return None
        if entry.predicate in PROPERTIES:
            evidence = evidence_of_label(entry.predicate.value, self.meanings.of(entry.object))
        elif isinstance(entry.object, ox.NamedNode):
            evidence = evidence_of_node(entry.predicate.value, entry.object.value)
        else:
            return None
        return evidence if evidence.content_types else None

    def _types(self, entry: Entry) -> tuple[ContentType, ...]:
        evidence = self._evidence(entry)
        if evidence is None:
            return ()
        return evidence.content_types + evidence.wrappers

    def typed(self) -> list[Term]:
        """Return the nodes that state the header of a content type."""
        header = CTV.contentTypeHeader
        return [node for node in self._facts if self.facts(node, header)]

    def facts(self, node: Term, predicate: ox.NamedNode) -> list[Entry]:
        """Return what a node states of itself by one of the predicates `OF_NODES`.

        `rdf:type` has those of the classes `FORMATS`.
        """
        return [entry for entry in self._facts.get(node, ()) if entry.predicate == predicate]

    def is_described(self, node: ox.BlankNode) -> bool:
        """Return whether anything is stated of a blank node."""
        return node in self._described

    def name(self, resource: Term) -> str:
        """Return what a resource is called in a report, ``""`` for a blank node of a file."""
        return self._name(resource)

    def position(self, offset: int | None) -> Position | None:
        """Return the line and the column of a byte of the file."""
        return None if offset is None or not self._document else self._document.position(offset)


def _entry(statement: Statement | ox.Quad) -> Entry:
    return Entry(
        statement.subject,
        statement.predicate,
        statement.object,
        getattr(statement, "start", None),
        getattr(statement, "end", None),
    )


def _name(resource: Term) -> str:
    return relative(resource.value) if isinstance(resource, ox.NamedNode) else ""


def catalogue_of_file(source: Source, contexts: Contexts, resolver: Resolver) -> Catalogue:
    """Return the catalogue in a file.  Raises `CatalogError`."""
    quads = quads_of(source, contexts)
    if source.format.name in EDITABLE:
        # What is wrong with the file is told best by the parser of the whole of it.
        if not sum(1 for _ in quads):
            raise _empty(source)
        labels = located(
            source,
            contexts,
            resolver,
            (*CHECKED, *OF_NODES, *_URLS, CTV.conflictingType, RDF.type),
            blank_nodes=True,
        )
        return Catalogue(labels.document.statements, labels.meanings, labels.document)
    rows = list(quads)
    if not rows:
        raise _empty(source)
    return Catalogue(rows, meanings_in(rows, resolver))


def meanings_in(quads: list[ox.Quad], resolver: Resolver) -> Meanings:
    """Return what the labels of some quads mean."""
    meanings = Meanings(resolver)
    unclear = meanings.unclear(quad.object for quad in quads if quad.predicate in PROPERTIES)
    meanings.describe(unclear, quads)
    return meanings


def _empty(source: Source) -> CatalogError:
    return CatalogError(f"no triples in it, read as {source.format.name}", source.name, "RDF")
