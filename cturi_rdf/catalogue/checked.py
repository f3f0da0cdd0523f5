"""The statements of a catalogue that are checked, each with its place."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

import pyoxigraph as ox

from cturi_rdf.catalogue.evidence import Evidence, evidence_of_term, readings_of
from cturi_rdf.catalogue.header import Header
from cturi_rdf.catalogue.labels import EDITABLE, labelled, located
from cturi_rdf.catalogue.plan import lawful, plan_document
from cturi_rdf.catalogue.resources import Contents, predicates_for, unplaced_for
from cturi_rdf.catalogue.verdict import Options, written_iri
from cturi_rdf.editing.document import GraphDocument
from cturi_rdf.labels import resolve
from cturi_rdf.rdf.label_statements import links
from cturi_rdf.rdf.terms import (
    CHARSET,
    CTV,
    DCTERMS,
    DOWNLOAD_URLS,
    PROPERTIES,
    RDF,
    checked_properties,
    intended,
    is_earlier,
    mint,
)
from cturi_rdf.reading.errors import no_triples
from cturi_rdf.reading.read import QuadDocument
from cturi_rdf.registry.hierarchy import is_a

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from cturi_rdf.catalogue.labels import Meanings
    from cturi_rdf.catalogue.plan import Plan
    from cturi_rdf.catalogue.profiles import ChosenProfile
    from cturi_rdf.catalogue.resources import Subject
    from cturi_rdf.content_type import ContentType
    from cturi_rdf.editing import Document, Statement
    from cturi_rdf.rdf.label_statements import Resolver, Term
    from cturi_rdf.reading.source import Source


_URLS = tuple(map(ox.NamedNode, DOWNLOAD_URLS))
# The properties that describe the node of a content type, and that of a parameter.
OF_TYPES = (CTV.contentTypeHeader, CTV.parameter)
OF_PARAMETERS = (CTV.parameterName, CTV.parameterValue)
_OF_NODES = (*OF_TYPES, *OF_PARAMETERS)
# The classes that a publisher may give to a format of its own.
FORMATS = (DCTERMS.MediaTypeOrExtent, DCTERMS.MediaType)


class Catalogue:
    """The labels of a catalogue, their meanings, and the statements of its content type nodes.

    `labels` are the statements to check, `contents` has all evidence about each resource,
    `document` is the file that they are in, and `name` returns the name of a resource in a report,
    ``""`` for a blank node of a file.
    """

    def __init__(
        self,
        statements: Sequence[Statement],
        contents: Contents,
        meanings: Meanings,
        document: Document | None = None,
        name: Callable[[Term], str] = written_iri,
    ) -> None:
        self.meanings = meanings
        self.document = document
        self.name = name
        self._described: set[Term] = set()
        # A statement in two graphs is checked once.
        labels: dict[tuple[object, ...], Statement] = {}
        self._conflicts: dict[Term, dict[Term, Statement]] = {}
        self._facts: dict[tuple[Term, ox.NamedNode], dict[Term, Statement]] = {}
        # The statements of properties that no vocabulary has, where others are meant.
        self.misnamed = [one for one in statements if intended(one.predicate)]
        # Those with terms of earlier versions of our vocabulary: properties, and classes.
        terms = ((one, named_term(one.predicate, one.object)) for one in statements)
        self.earlier = [one for one, term in terms if is_earlier(term)]
        checked = frozenset(checked_properties())
        for statement in statements:
            subject, predicate, value = triple = statement[1:4]
            self._described.add(subject)
            if document and isinstance(value, ox.BlankNode) and document.is_list(statement.start):
                self._described.add(value)
            if predicate in checked:
                labels.setdefault(triple, statement)
            elif predicate == CTV.conflictingType:
                self._conflicts.setdefault(subject, {})[value] = statement
            elif predicate in _OF_NODES or (predicate == RDF.type and value in FORMATS):
                self._facts.setdefault((subject, predicate), {}).setdefault(value, statement)
        self._subjects = contents.subjects
        # Those that say the same are judged once.
        judged: dict[Subject, list[ContentType]] = {}
        for resource, own in self._subjects.items():
            if own.model not in judged:
                judged[own.model] = self._header(own).conflicts
            if judged[own.model]:
                of_own = self._contradiction(own, judged[own.model])
                self._conflicts.setdefault(resource, {}).update(of_own)
        implied = _implied(labels.values(), meanings)
        self.labels = [entry for triple, entry in labels.items() if triple not in implied]

    def conflicts(self, resource: Term) -> dict[Term, Statement]:
        """Return the nodes of the types in which the labels of a resource contradict each other.

        Each has the first statement that names it.  The types are those of `Header.conflicts`,
        and those that the catalogue states itself.
        """
        return self._conflicts.get(resource, {})

    def downloads(self) -> Iterator[tuple[Statement, Header]]:
        """Yield the URLs that resources are downloaded from, each with the header by the labels.

        Of a resource only the URLs of its best property count.
        """
        for own in self._subjects.values():
            # A statement in two graphs is checked once.
            urls: dict[tuple[object, ...], Statement] = {}
            for one in own.of_kind("URL"):
                urls.setdefault(one[1:4], one)
            best = min((url.predicate for url in urls.values()), key=_URLS.index, default=None)
            for url in urls.values():
                if url.predicate == best and isinstance(url.object, (ox.NamedNode, ox.Literal)):
                    yield url, self._header(own, Evidence(best.value, url.object.value))

    def _header(self, own: Subject, *more: Evidence) -> Header:
        """Return the header of a resource by its statements, and by `more` evidence."""
        return Header("", "", [*(one for _, one in self._evidence(own)), *more])

    def _contradiction(
        self, own: Subject, conflicts: Iterable[ContentType]
    ) -> dict[Term, Statement]:
        """Return the types in which statements contradict each other, each with the first one."""
        evidence = self._evidence(own)
        # A type that no statement names alone has its charset from the statement beside it.
        charsets = [entry for entry, named in evidence if named.path == CHARSET.value]
        return {
            mint(content_type): next(
                (
                    entry
                    for entry, named in evidence
                    if any(is_a(one, content_type) for one in named.all_types)
                ),
                *charsets[:1],
            )
            for content_type in conflicts
        }

    def _evidence(self, own: Subject) -> list[tuple[Statement, Evidence]]:
        return own.evidence(lambda statement: self.meanings.of(statement.object))

    def typed(self) -> list[Term]:
        """Return the nodes that state the header of a content type."""
        return [node for node, predicate in self._facts if predicate == CTV.contentTypeHeader]

    def facts(self, node: Term, predicate: ox.NamedNode) -> list[Statement]:
        """Return the statements on a node with a predicate of `OF_TYPES` or `OF_PARAMETERS`.

        For `rdf:type` these are the statements with the classes `FORMATS`.
        """
        return list(self._facts.get((node, predicate), {}).values())

    def is_described(self, node: Term) -> bool:
        """Return whether anything is stated of a node."""
        return node in self._described


def named_term(predicate: ox.NamedNode, value: Term) -> ox.NamedNode:
    """Return the term that a statement uses: its property, or the class that it states.

    >>> named_term(RDF.type, DCTERMS.MediaType) == DCTERMS.MediaType
    True
    """
    return value if predicate == RDF.type and isinstance(value, ox.NamedNode) else predicate


class _Checked:
    """The values that the shapes look at, including those of links to content types."""

    def __init__(self, statements: Iterable[Statement | ox.Quad]) -> None:
        checked = frozenset(checked_properties())
        self.values = dict.fromkeys(one.object for one in statements if one.predicate in checked)


def _implied(entries: Iterable[Statement], meanings: Meanings) -> set[tuple[object, ...]]:
    """Return the links that annotating adds: only the labels are judged, not these."""
    if all(entry.predicate in PROPERTIES for entry in entries):
        return set()
    return {
        (entry.subject, *link)
        for entry in entries
        if entry.predicate in PROPERTIES
        for reading in readings_of(meanings.of(entry.object).resolution)
        for link in links(entry.predicate, reading.contents, reading.wrappers)
    }


class Judged(NamedTuple):
    """A catalogue, its profile, and the plan by it."""

    catalogue: Catalogue
    chosen: ChosenProfile
    plan: Plan


def judged_file(
    source: Source, choose: Callable[[Iterable[ox.Quad]], ChosenProfile], *, by_url: bool = False
) -> Judged:
    """Return the catalogue in a file, with the download URLs if asked, and the plan for it.

    `choose` returns the profile by the statements of the file.  A file whose statements have no
    places is judged as its graph.  Raises `CatalogError`.
    """
    present: set[ox.NamedNode] = set()
    classes: set[Term] = set()
    resolver = source.reading.resolver or resolve
    # The parser of the whole file gives the best error.
    whole = QuadDocument(source)
    quads = _noting(whole, present, classes)
    if source.format.name not in EDITABLE:
        rows = list(quads)
        if not rows:
            raise no_triples(source.name, source.format.name)
        return judged_quads(rows, choose(rows), resolver, by_url=by_url)
    chosen = choose(quads)
    # The choice may need no statement, or not all.
    deque(quads, maxlen=0)
    if not present:
        raise no_triples(source.name, source.format.name)
    profile, options = chosen.profile, Options(by_url=by_url)
    wanted = (
        *checked_properties(),
        *_OF_NODES,
        CTV.conflictingType,
    )
    wanted += tuple(path for path in present if intended(path) or is_earlier(path))
    wanted += tuple(predicates_for(profile, options))
    unplaced = unplaced_for(profile, options).difference(_URLS if by_url else ())
    if any(map(_is_found, classes)):
        unplaced.discard(RDF.type)
    document, labels = located(source, wanted, unplaced=unplaced, present=present, read=_Checked)
    placed = [one for one in labels.statements if one.predicate not in unplaced]
    if placed and not any(one.object_span for one in placed):
        return judged_quads(list(whole), chosen, resolver, by_url=by_url)
    contents = Contents(labels.statements, profile, by_url=by_url)
    plan = plan_document(document, profile, labels.meanings, options, contents)
    if plan.edits:
        plan = lawful(plan)
    catalogue = Catalogue(labels.statements, contents, labels.meanings, document)
    return Judged(catalogue, chosen, plan)


def _noting(
    quads: Iterable[ox.Quad], present: set[ox.NamedNode], classes: set[Term]
) -> Iterator[ox.Quad]:
    """Yield quads, and note their predicates and classes."""
    for quad in quads:
        predicate = quad.predicate
        present.add(predicate)
        if predicate == RDF.type:
            classes.add(quad.object)
        yield quad


def _is_found(kind: Term) -> bool:
    """Return whether a statement with a class may have a finding, which needs its place."""
    return (
        kind in FORMATS
        or is_earlier(named_term(RDF.type, kind))
        or evidence_of_term(RDF.type.value, kind).names_types
    )


def judged_quads(
    quads: Sequence[ox.Quad],
    chosen: ChosenProfile,
    resolver: Resolver = resolve,
    name: Callable[[Term], str] = written_iri,
    *,
    by_url: bool,
) -> Judged:
    """Return the catalogue that quads make up, and the plan for it by a profile.

    `name` returns the name of a resource in a report.  The statements have places for the plan
    alone.
    """
    document, options = GraphDocument(quads), Options(by_url=by_url)
    labels = labelled(lambda *_: document.statements, resolver, read=_Checked)
    contents = Contents(labels.statements, chosen.profile, by_url=by_url)
    plan = plan_document(document, chosen.profile, labels.meanings, options, contents)
    catalogue = Catalogue(labels.statements, contents, labels.meanings, name=name)
    return Judged(catalogue, chosen, plan)
