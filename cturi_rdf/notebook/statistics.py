"""Counts of a report: labels by kind, coverage by publisher, formats by year, problems by rule."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from rdflib import DCAT, DCTERMS, FOAF, RDFS, SDO, BNode, Literal, Namespace, URIRef

from cturi_rdf._util.display import Table
from cturi_rdf.catalogue.findings import CheckReport  # noqa: TC001 - `checked` looks it up
from cturi_rdf.catalogue.graph_annotation import Report  # noqa: TC001 - `checked` looks it up
from cturi_rdf.rdf.properties import PROPERTIES
from cturi_rdf.rdf.terms import CTV
from cturi_rdf.reading.relative_iri import relative

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rdflib import Graph
    from rdflib.term import Node

    from cturi_rdf.catalogue.graphs import Occurrence


_SCHEMA = Namespace("http://schema.org/")
_VCARD = Namespace("http://www.w3.org/2006/vcard/ns#")
# From a dataset to its distributions: the dataset has the publisher and the date.
_CONTAINS = (
    DCAT.distribution,
    SDO.distribution,
    _SCHEMA.distribution,
    SDO.hasPart,
    _SCHEMA.hasPart,
)
_PUBLISHER = (DCTERMS.publisher, SDO.publisher, _SCHEMA.publisher, DCTERMS.creator)
_NAME = (FOAF.name, SDO.name, _SCHEMA.name, _VCARD.fn, RDFS.label, DCTERMS.title)
_DATE = (
    DCTERMS.issued,
    SDO.datePublished,
    _SCHEMA.datePublished,
    DCTERMS.modified,
    SDO.dateModified,
    _SCHEMA.dateModified,
)
# The properties whose values are formats of files, not of their packages or compressions.
_FORMAT_OF_FILE = frozenset(
    URIRef(path.value)
    for path, link in PROPERTIES.items()
    if link not in {CTV.compression, CTV.packaging}
)
_UNKNOWN = "unknown"
# How many formats get a column of their own.
_FORMATS = 6
_YEAR = 4


def kinds(report: Report) -> Table:
    """Return how many labels have each verdict, and by which rule they got it.

    >>> from rdflib import Graph
    >>> from cturi_rdf.rdf import annotate
    >>> report = annotate(Graph().parse(format="turtle", data='''
    ...     @prefix dcat: <http://www.w3.org/ns/dcat#> .
    ...     <http://a.example/data> dcat:mediaType "text/csv", "whatever" .'''))
    >>> kinds(report).rows
    [('media_type', 1, 0), ('nothing', 0, 1)]
    """
    pairs = [
        (occurrence.resolution.verdict, occurrence.resolution.rule)
        for occurrence in report.occurrences
    ]
    return _crossed("labels by kind", "verdict", pairs)


def coverage(report: Report) -> Table:
    """Return, for each publisher, how many labels were resolved, are services, are neither.

    The publisher is that of the resource, or of the dataset that it represents.
    """

    def outcome(occurrence: Occurrence) -> str:
        if occurrence.content_types:
            return "resolved"
        return "service" if occurrence.resolution.verdict == "service" else "not understood"

    pairs = [(_publisher(occurrence), outcome(occurrence)) for occurrence in report.occurrences]
    columns = ["resolved", "service", "not understood"]
    return _crossed("coverage by publisher", "publisher", pairs, columns=columns)


def over_time(report: Report) -> Table:
    """Return how many labels name each of the commonest formats, year by year.

    The year is that in which the resource, or the dataset that it represents, was issued, or,
    without that date, modified.  Resources without a date are left out, and so are
    compressions and packages that have a property of their own.
    """
    pairs = [
        (year, content_type.essence)
        for occurrence in report.occurrences
        if occurrence.predicate in _FORMAT_OF_FILE and (year := _year(occurrence))
        for content_type in occurrence.content_types
    ]
    counts = Counter(essence for _, essence in pairs)
    common = [essence for essence, _ in counts.most_common(_FORMATS)]
    named = [(year, essence if essence in common else "others") for year, essence in pairs]
    columns = common + ["others"] * any(essence == "others" for _, essence in named)
    table = _crossed("formats over time", "year", named, columns=columns)
    table.rows = sorted(table.rows, key=lambda row: str(row[0]))
    return table


def problems(report: CheckReport) -> Table:
    """Return the number of places in which each rule does not hold, by severity.

    >>> from rdflib import Graph
    >>> from cturi_rdf.check import check
    >>> report = check(Graph().parse(format="turtle", data='''
    ...     @prefix dcat: <http://www.w3.org/ns/dcat#> .
    ...     <http://a.example/data> a dcat:Distribution ; dcat:mediaType "text/csv" .'''))
    >>> problems(report).columns
    ['rule', 'Violation']
    """
    pairs = [(finding.rule, finding.level) for finding in report.findings for _ in finding.places]
    return _crossed("problems by rule", "rule", pairs)


def _crossed(
    caption: str, name: str, pairs: Sequence[tuple[str, str]], *, columns: list[str] | None = None
) -> Table:
    """Return how often each second of the pairs (a column) occurs with each first (a row).

    The commonest first comes first.
    """
    counts = Counter(pairs)
    if columns is None:
        columns = list(dict.fromkeys(second for _, second in counts))
    rows = [
        (first, *(counts[first, second] for second in columns))
        for first, _ in Counter(first for first, _ in pairs).most_common()
    ]
    return Table(caption, [name, *columns], rows)


def _publisher(occurrence: Occurrence) -> str:
    graph = occurrence.graph
    publisher = next(_stated(occurrence, _PUBLISHER), None)
    if publisher is None or isinstance(publisher, Literal):
        return str(publisher or _UNKNOWN)
    for name in _values(graph, publisher, _NAME):
        return str(name)
    return _UNKNOWN if isinstance(publisher, BNode) else relative(str(publisher))


def _year(occurrence: Occurrence) -> str | None:
    for date in _stated(occurrence, _DATE):
        year = str(date)[:_YEAR]
        if len(year) == _YEAR and year.isascii() and year.isdigit():
            return year
    return None


def _stated(occurrence: Occurrence, properties: tuple[URIRef, ...]) -> Iterator[Node]:
    """Yield the values of a resource and of those that it is part of, the nearest first."""
    graph = occurrence.graph
    nodes, seen = [occurrence.resource], {occurrence.resource}
    for node in nodes:
        yield from _values(graph, node, properties)
        for name in _CONTAINS:
            parents = [parent for parent in graph.subjects(name, node) if parent not in seen]
            seen.update(parents)
            nodes += parents


def _values(graph: Graph, node: Node, properties: tuple[URIRef, ...]) -> Iterator[Node]:
    for name in properties:
        yield from sorted(graph.objects(node, name), key=str)
