"""A catalogue in another syntax, with the meanings of its labels.

The file is read twice: for its labels, and to write it statement by statement.  A statement is
identified by its number, because blank nodes have other names in another reading.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import pyoxigraph as ox

from cturi_rdf.catalogue.evidence import BESIDE
from cturi_rdf.catalogue.ill_typed import IllTypedLiterals
from cturi_rdf.catalogue.labels import EDITABLE, labelled, located, report_of
from cturi_rdf.catalogue.links import LINKS, OUR_PREFIXES, changes_of, counted
from cturi_rdf.editing import Span, Statement
from cturi_rdf.rdf.label_statements import DESCRIBED_BY
from cturi_rdf.rdf.terms import PROPERTIES, RDF
from cturi_rdf.reading.atomic import packing
from cturi_rdf.reading.errors import CatalogError, no_triples
from cturi_rdf.reading.read import document as quads_of
from cturi_rdf.reading.writable import Writable, readable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cturi_rdf.catalogue.meaning import FileOptions
    from cturi_rdf.catalogue.report import FileReport
    from cturi_rdf.editing import Change
    from cturi_rdf.rdf.label_statements import Term
    from cturi_rdf.reading.formats import Format
    from cturi_rdf.reading.read import QuadDocument
    from cturi_rdf.reading.source import Source


# The properties that only describe a node; their values are no labels of resources.
_DESCRIBING = frozenset(DESCRIBED_BY).difference(PROPERTIES, LINKS, {RDF.type})


def convert(source: Source, target: str, form: Format, options: FileOptions) -> FileReport:
    """Write a source in another format, with links and descriptions; see `annotate_file`."""
    quads = quads_of(source)
    report, changes = _changes(quads, options)
    writable = Writable(form, target, options.base)
    try:
        with packing(target, readable(form, target)) as file:
            ox.serialize(
                map(writable.quad, _applied(changes, quads)),
                file,
                form.oxigraph,
                prefixes=writable.prefixes(OUR_PREFIXES | quads.prefixes),
            )
            source.check()
    except CatalogError:
        raise
    except ValueError as error:
        raise CatalogError(f"it cannot be written ({error})", target, form.name) from error
    report.encoded, report.merged = writable.encoded, writable.merged
    return report


def _changes(quads: QuadDocument, options: FileOptions) -> tuple[FileReport, list[Change]]:
    """Return the meanings of the labels of a file, and the changes that follow from them."""
    source, literals = quads.source, IllTypedLiterals()

    def find(paths: Iterable[ox.NamedNode], unclear: set[Term]) -> list[Statement]:
        number, statements, wanted = -1, [], frozenset(paths)
        for number, quad in enumerate(literals.watch(quads)):
            predicate, subject = quad.predicate, quad.subject
            if predicate in wanted and (
                predicate not in _DESCRIBING
                or subject in unclear
                # It may have had another name in the reading before.
                or isinstance(subject, ox.BlankNode)
            ):
                terms = quad.graph_name, subject, predicate, quad.object
                statements.append(Statement(*terms, Span(number, number)))
        if number < 0:
            raise no_triples(source.name, source.format.name)
        return statements

    labels = labelled(find, options.resolver, (*LINKS, *BESIDE))
    understood = map(labels.meanings.of, labels.labels.values)
    descriptions = tuple(ox.Quad(*triple) for triple in options.descriptions(understood))
    if source.format.name in EDITABLE:
        document, places = located(source)
        report = report_of(places, document)
    else:
        report = report_of(labels)
    report.halves, report.languages = quads.replaced, quads.languages
    report.ill_typed = literals.result(source)
    links = changes_of(labels.statements, labels.labels, labels.meanings.of, options, descriptions)
    return report, list(counted(links, report))


def _applied(changes: Iterable[Change], quads: Iterable[ox.Quad]) -> Iterator[ox.Quad]:
    """Yield the quads of a file with changes of statements, which have their numbers as places."""
    appended: dict[ox.Quad, None] = {}
    removed: set[int] = set()
    added: dict[int, list[tuple[ox.NamedNode, Term]]] = defaultdict(list)
    for change in changes:
        statement = change.statement
        if statement is None:
            appended |= dict.fromkeys(change.added)
            continue
        if change.removed:
            removed.add(statement.start)
        added[statement.start] += [(quad.predicate, quad.object) for quad in change.added]
    for number, quad in enumerate(quads):
        appended.pop(quad, None)
        if number not in removed:
            yield quad
        for link in added.get(number, ()):
            yield ox.Quad(quad.subject, *link, quad.graph_name)
    yield from appended
