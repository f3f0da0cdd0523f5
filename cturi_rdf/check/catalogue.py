"""The statements of a catalogue that are checked, each with its place in the file."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, Union

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
from cturi_rdf.rdf.label_statements import links
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

__all__ = ["FORMATS", "OF_NODES", "Catalogue", "catalogue_of_file", "catalogue_of_quads"]

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


# A statement of a graph has no place.
AnyStatement = Union[Entry, "Statement"]


class Catalogue:
    """The labels of a catalogue, what they mean, and what its nodes of content types state."""

    def __init__(
        self,
        statements: Iterable[AnyStatement],
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
        labels: dict[tuple[object, ...], AnyStatement] = {}
        classes: dict[tuple[object, ...], AnyStatement] = {}
        stated: dict[Term, dict[Term, AnyStatement]] = {}
        self._urls: dict[Term, list[AnyStatement]] = {}
        facts: dict[Term, dict[tuple[object, ...], AnyStatement]] = {}
        for statement in statements:
            subject, predicate, value = triple = (
                statement.subject,
                statement.predicate,
                statement.object,
            )
            if isinstance(subject, ox.BlankNode):
                self._described.add(subject)
            if document and isinstance(value, ox.BlankNode) and document.is_list(statement.start):
                self._described.add(value)
            if predicate in _CHECKED:
                labels.setdefault(triple, statement)
            elif predicate == CTV.conflictingType:
                stated.setdefault(subject, {})[value] = statement
            elif predicate in OF_NODES:
                facts.setdefault(subject, {}).setdefault(triple, statement)
            elif predicate in _URLS:
                self._urls.setdefault(subject, []).append(statement)
            elif predicate == RDF.type and _is_class_of_files(value):
                classes.setdefault(triple, statement)
            elif predicate == RDF.type and value in FORMATS:
                facts.setdefault(subject, {}).setdefault(triple, statement)
        self.labels = list(labels.values())
        self._conflicts = stated
        self._classes = list(classes.values())
        for resource, conflicts in self._contradicting():
            stated[resource] = stated.get(resource, {}) | conflicts
        implied = _implied(self.labels, meanings)
        self.labels = [entry for triple, entry in labels.items() if triple not in implied]
        self._facts = {node: list(entries.values()) for node, entries in facts.items()}

    def conflicts(self, resource: Term) -> dict[Term, AnyStatement]:
        """Return the nodes of types that labels of a resource contradict each other by.

        Each has the first statement that names it.  The types are those of `Header.conflicts`,
        and those that the catalogue states itself.
        """
        return self._conflicts.get(resource, {})

    def downloads(self) -> Iterator[tuple[AnyStatement, Header]]:
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

    def _by_resource(self) -> dict[Term, list[AnyStatement]]:
        statements: dict[Term, list[AnyStatement]] = {}
        for entry in (*self.labels, *self._classes):
            statements.setdefault(entry.subject, []).append(entry)
        return statements

    def _evidence_of(self, entries: Iterable[AnyStatement]) -> list[Evidence]:
        return [evidence for entry in entries if (evidence := self._evidence(entry))]

    def _contradicting(self) -> Iterator[tuple[Term, dict[Term, AnyStatement]]]:
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

    def _evidence(self, entry: AnyStatement) -> Evidence | None:
        if entry.predicate not in HEADER_PROPERTIES:
            return None
        if entry.predicate in PROPERTIES:
            evidence = evidence_of_label(entry.predicate.value, self.meanings.of(entry.object))
        elif isinstance(entry.object, ox.NamedNode):
            evidence = evidence_of_node(entry.predicate.value, entry.object.value)
        else:
            return None
        return evidence if evidence.content_types else None

    def _types(self, entry: AnyStatement) -> tuple[ContentType, ...]:
        evidence = self._evidence(entry)
        if evidence is None:
            return ()
        return evidence.content_types + evidence.wrappers

    def typed(self) -> list[Term]:
        """Return the nodes that state the header of a content type."""
        header = CTV.contentTypeHeader
        return [node for node in self._facts if self.facts(node, header)]

    def facts(self, node: Term, predicate: ox.NamedNode) -> list[AnyStatement]:
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


class _Checked:
    """The values that the shapes look at, those of links to content types too."""

    def __init__(self, statements: Iterable[Statement | ox.Quad]) -> None:
        self.values = dict.fromkeys(
            statement.object for statement in statements if statement.predicate in _CHECKED
        )


def _implied(entries: Iterable[AnyStatement], meanings: Meanings) -> set[tuple[object, ...]]:
    """Return what annotating adds to statements: the labels are to be judged, not these links."""
    if all(entry.predicate in PROPERTIES for entry in entries):
        return set()
    return {
        (entry.subject, *link)
        for entry in entries
        if entry.predicate in PROPERTIES
        for link in links(entry.predicate, meanings.of(entry.object), label=False)
    }


@lru_cache(maxsize=1024)
def _is_class_of_files(node: Term) -> bool:
    return isinstance(node, ox.NamedNode) and bool(
        evidence_of_node(RDF.type.value, node.value).content_types
    )


def _name(resource: Term) -> str:
    return relative(resource.value) if isinstance(resource, ox.NamedNode) else ""


def catalogue_of_file(
    source: Source, contexts: Contexts, resolver: Resolver, *, by_url: bool = False
) -> Catalogue:
    """Return the catalogue in a file, with the download URLs if asked.  Raises `CatalogError`."""
    quads = quads_of(source, contexts)
    if source.format.name not in EDITABLE:
        rows = list(quads)
        if not rows:
            raise _empty(source)
        return catalogue_of_quads(rows, resolver)
    # What is wrong with the file is told best by the parser of the whole of it.
    present, classes = set(), set()
    for quad in quads:
        predicate = quad.predicate
        if predicate == RDF.type:
            classes.add(quad.object)
        else:
            present.add(predicate)
    if any(node in FORMATS or _is_class_of_files(node) for node in classes):
        present.add(RDF.type)
    elif not present and not classes:
        raise _empty(source)
    wanted = (*CHECKED, *OF_NODES, CTV.conflictingType, RDF.type, *(_URLS if by_url else ()))
    document, labels = located(source, contexts, resolver, wanted, present=present, read=_Checked)
    return Catalogue(labels.statements, labels.meanings, document)


def catalogue_of_quads(
    quads: list[ox.Quad], resolver: Resolver, name: Callable[[Term], str] | None = None
) -> Catalogue:
    """Return the catalogue that quads make up."""
    meanings = Meanings(resolver)
    unclear = meanings.unclear(_Checked(quads).values)
    meanings.describe(unclear, quads)
    entries = (Entry(quad.subject, quad.predicate, quad.object) for quad in quads)
    return Catalogue(entries, meanings, name=name)


def _empty(source: Source) -> CatalogError:
    return CatalogError(f"no triples in it, read as {source.format.name}", source.name, "RDF")
