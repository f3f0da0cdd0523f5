"""Plots of counts: one bar per row, stacked by column.

They are drawn by matplotlib, as SVG: a notebook shows them wherever it is read, on the web
too, where nothing runs and nothing is fetched.
"""

from __future__ import annotations

import io
import warnings
from collections import Counter
from itertools import cycle
from typing import TYPE_CHECKING, Any

from rdflib import DCAT, DCTERMS, FOAF, RDFS, SDO, BNode, Literal, Namespace, URIRef

from cturi_rdf._util.display import Table
from cturi_rdf._util.lazy import import_extra
from cturi_rdf.catalogue.findings import CheckReport
from cturi_rdf.catalogue.graph_changes import Report
from cturi_rdf.errors import visible
from cturi_rdf.notebook.graph_drawing import Picture
from cturi_rdf.rdf.terms import CTV, PROPERTIES
from cturi_rdf.reading.terms import relative

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rdflib import Graph
    from rdflib.term import Node

    from cturi_rdf.catalogue.graphs import Occurrence

# Colours that readers who do not see red and green can tell apart (Okabe and Ito, 2008).
_COLOURS = (
    "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#999999",
)  # fmt: skip
# The things that have the same colour in every plot.
_MEANINGS = {
    "resolved": "#009E73",
    "service": "#56B4E9",
    "not understood": "#D55E00",
    "Violation": "#D55E00",
    "Warning": "#E69F00",
    "Info": "#56B4E9",
}
# How many bars, and how much of a name, there is room for.
_BARS = 25
# How thick a bar is, or those of one row, where rows are 1 apart.
_THICK = 0.7
_LENGTH = 42
# Ticks at whole and round numbers, and few enough for those of seven digits.
_TICKS: dict[str, Any] = {"integer": True, "steps": [1, 2, 5, 10]}


def plot(counts: Table | Report | CheckReport, *, beside: bool = False) -> Picture:
    """Return a picture of the counts in a table that has names in its first column.

    Each row is a bar, with a part for each column of counts; only the first 25 are drawn.  With
    `beside` each count is a bar of its own, for counts of the same things such as before and after.
    Years are all drawn, upright and to scale.  For a report of `annotate` the labels are counted by
    kind, for one of `check` the problems by rule.  Raises `TypeError` for anything else, and
    `ImportError` without matplotlib.
    """
    table = _counts(counts)
    counted = table.columns[1:]
    matplotlib = import_extra("matplotlib", "notebook")
    figures = import_extra("matplotlib.figure", "notebook")
    ticker = import_extra("matplotlib.ticker", "notebook")
    upright = table.columns[0] == "year" and all(str(row[0]).isdecimal() for row in table.rows)
    rows = table.rows if upright else table.rows[:_BARS]
    places = [int(str(row[0])) if upright else number for number, row in enumerate(rows)]
    names = [_short(str(row[0])) for row in rows]
    legend = [_short(column) for column in counted] if len(counted) > 1 and rows else []
    size = (7.0, 3.2) if upright else _size(names, legend)
    # Text stays text, a dollar begins no formula, and the same counts make the same picture.
    settings: Any = {"svg.fonttype": "none", "svg.hashsalt": "cturi", "text.parse_math": False}
    with matplotlib.rc_context(settings):
        figure = figures.Figure(figsize=size, layout="constrained")
        axes = figure.add_subplot()
        columns = [
            (column, [float(row[number]) for row in rows])  # type: ignore[arg-type]
            for number, column in enumerate(counted, 1)
        ]
        _draw_bars(axes, columns, places, upright=upright, beside=beside)
        named, whole = (axes.xaxis, axes.yaxis) if upright else (axes.yaxis, axes.xaxis)
        if upright:
            named.set_major_locator(ticker.MaxNLocator(**_TICKS, nbins=8, min_n_ticks=1))
        else:
            named.set_ticks(places, names)
            named.set_inverted(True)
        first = f" (the first {_BARS} of {len(table.rows)})" if len(table.rows) > len(rows) else ""
        named.set_label_text(_short(table.columns[0]) + first)
        whole.set_major_locator(ticker.MaxNLocator(**_TICKS, nbins=5))
        if not any(any(row[1:]) for row in rows):
            # No bar says how long the scale is.
            axes.set(**{"ylim" if upright else "xlim": (0, 1)})
        whole.set_label_text(_short(counted[0]) if len(counted) == 1 else "count")
        axes.spines[["top", "right"]].set_visible(False)
        if not rows:
            axes.text(0.5, 0.5, "nothing to count", ha="center", transform=axes.transAxes)
        axes.set_title(visible(table.caption), loc="left")
        if legend:
            figure.legend(loc="outside right upper", frameon=False, fontsize="small")
        written = io.StringIO()
        with warnings.catch_warnings():
            # The fonts of the reader need the characters, not those of matplotlib.
            warnings.filterwarnings("ignore", message="Glyph .* missing from font")
            figure.savefig(written, format="svg", metadata={"Date": None, "Creator": None})
    return Picture(written.getvalue(), table.caption)


def _draw_bars(
    axes: Any,
    columns: Sequence[tuple[str, list[float]]],
    places: Sequence[float],
    *,
    upright: bool,
    beside: bool,
) -> None:
    """Draw the bars of each column, beside those of the others or at their ends."""
    meant = {_MEANINGS[column] for column, _ in columns if column in _MEANINGS}
    free = [colour for colour in _COLOURS if colour not in meant]
    others = cycle((colour, hatch) for hatch in ("", "///") for colour in free)
    thick = _THICK / len(columns) if beside and columns else _THICK
    ends = [0.0] * len(places)
    for number, (column, values) in enumerate(columns):
        colour, hatch = (_MEANINGS[column], "") if column in _MEANINGS else next(others)
        style: Any = {"label": _short(column), "color": colour, "hatch": hatch}
        shift = thick * (number - (len(columns) - 1) / 2) if beside else 0
        middles = [place + shift for place in places]
        if upright:
            axes.bar(middles, values, bottom=ends, width=thick, **style)
        else:
            axes.barh(middles, values, left=ends, height=thick, **style)
        if not beside:
            ends = [sum(pair) for pair in zip(ends, values, strict=True)]


def _size(names: list[str], legend: list[str]) -> tuple[float, float]:
    """Return width and height in inches, with room for the bars beside names and legend."""
    width = 3 + 0.09 * max(map(len, names), default=0)
    if legend:
        width += 0.5 + 0.075 * max(map(len, legend))
    return max(7.0, width), 1.2 + 0.32 * len(names)


def _counts(value: Table | Report | CheckReport) -> Table:
    """Return a table of counts; raise `TypeError` where there is nothing to count."""
    if isinstance(value, Report):
        return kinds(value)
    if isinstance(value, CheckReport):
        return problems(value)
    if not isinstance(value, Table):
        raise TypeError(f"plot() takes a table of counts or a report, not {type(value).__name__}")
    for number, column in enumerate(value.columns[1:], 1):
        for row in value.rows:
            if not isinstance(row[number], int | float):
                raise TypeError(
                    f"plot() takes counts after the first column, but column {column!r} has"
                    f" {row[number]!r}"
                )
    return value


def _short(name: str) -> str:
    name = visible(name)
    return name if len(name) <= _LENGTH else name[: _LENGTH - 1] + "…"


# Counts of a report: labels by kind, coverage by publisher, formats by year, problems by rule.


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
    """Return how many labels of each publisher are resolved, are services, or are neither.

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

    The year is that in which the resource, or the dataset that it represents, was issued, or else
    modified.  Resources without a date are left out, and so are compressions and packages that have
    a property of their own.
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
