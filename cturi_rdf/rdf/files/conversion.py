"""A catalogue in another syntax, with what its labels mean."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pyoxigraph as ox

from cturi_rdf.io.atomic import write_whole
from cturi_rdf.io.errors import CatalogError
from cturi_rdf.io.read import document as quads_of
from cturi_rdf.io.relative_iri import SENTINEL
from cturi_rdf.io.terms import NOT_IN_IRI
from cturi_rdf.io.writable import Writable, readable
from cturi_rdf.rdf.files.ill_typed import IllTypedLiterals
from cturi_rdf.rdf.files.labels import (
    EDITABLE,
    Meanings,
    is_label,
    located,
    report_of,
    resource_name,
)
from cturi_rdf.rdf.files.links import LINKS
from cturi_rdf.rdf.files.report import FileReport, Place
from cturi_rdf.rdf.terms import PREFIXES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cturi_rdf.io.formats import Format
    from cturi_rdf.io.source import Source
    from cturi_rdf.rdf.files.meaning import Options

__all__ = ["convert"]

_SPECIAL = re.compile(rf"{re.escape(SENTINEL)}|{NOT_IN_IRI.pattern}")


def convert(source: Source, target: str, form: Format, options: Options) -> FileReport:
    """Write a source in another format, with links and descriptions; see `annotate_file`."""
    read, literals = quads_of(source, options.contexts), IllTypedLiterals()
    quads = list(literals.watch(read))
    if not quads:
        name = source.format.name
        raise CatalogError(f"no triples in it, read as {name}", source.name, "RDF")
    labels = [quad for quad in quads if is_label(quad)]
    meanings = Meanings(options.resolver)
    meanings.describe(meanings.unclear(quad.object for quad in labels), quads)
    report = _report(source, options, labels, meanings)
    report.halves = read.replaced
    report.ill_typed = literals.result(source, options)
    writable = Writable(form, target, options.base)
    try:
        content = ox.serialize(
            map(writable.quad, _annotated(quads, meanings, options, report)),
            format=form.oxigraph,
            prefixes=_usable(PREFIXES | read.prefixes),
        )
    except CatalogError:
        raise
    except ValueError as error:
        raise CatalogError(f"it cannot be written ({error})", target, form.name) from error
    source.check()
    write_whole(target, content or b"", readable(form, target))
    report.encoded = writable.encoded
    return report


def _annotated(
    quads: list[ox.Quad], meanings: Meanings, options: Options, report: FileReport
) -> Iterator[ox.Quad]:
    """Yield the statements of a file, and those that are added, and count these."""
    links = {quad for quad in quads if quad.predicate in LINKS}
    labels = (meanings.of(quad.object) for quad in quads if is_label(quad))
    missing = {ox.Quad(*triple): None for triple in options.descriptions(labels)}
    for quad in quads:
        yield quad
        missing.pop(quad, None)
        if is_label(quad):
            understood = meanings.of(quad.object)
            for link in options.adding.links(quad.predicate, understood):
                new = ox.Quad(quad.subject, *link, quad.graph_name)
                if new not in links:
                    links.add(new)
                    report.added += 1
                    yield new
    yield from missing


def _report(
    source: Source, options: Options, labels: list[ox.Quad], meanings: Meanings
) -> FileReport:
    """Return what the labels mean, with their places where the syntax has places."""
    report = FileReport()
    report.count_resources(hash(quad.subject) for quad in labels)
    if source.format.name not in EDITABLE:
        for quad in labels:
            place = Place(resource_name(quad.subject), quad.predicate.value)
            report.count(meanings.of(quad.object), 1, lambda place=place: [place])  # type: ignore[misc]
        return report
    return report_of(located(source, options.contexts, options.resolver))


def _usable(prefixes: dict[str, str]) -> dict[str, str]:
    """Return the prefixes whose namespaces are absolute IRIs, which Oxigraph asks for."""
    return {
        prefix: iri
        for prefix, iri in prefixes.items()
        if not _SPECIAL.search(iri) and re.match("[A-Za-z][A-Za-z0-9+.-]*:", iri)
    }
