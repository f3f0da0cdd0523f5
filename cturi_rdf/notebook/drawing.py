"""Pictures as SVG: plots of counts, drawn by matplotlib, and small graphs.

A notebook shows them wherever it is read, on the web too, where nothing runs and nothing is
fetched.
"""

from __future__ import annotations

import io
import warnings
from collections import Counter, defaultdict
from html import escape
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rdflib import DCAT, DCTERMS, FOAF, RDFS, SDO, BNode, Graph, Literal, Namespace, URIRef
from rdflib.query import Result

from cturi_rdf._util.display import Table, counted, shortened
from cturi_rdf._util.lazy import import_extra
from cturi_rdf.catalogue.findings import CheckReport
from cturi_rdf.catalogue.graph_changes import Report
from cturi_rdf.errors import CturiError, expect_kind, visible
from cturi_rdf.rdf.terms import CTV, PROPERTIES
from cturi_rdf.reading.rdflib_graphs import as_dataset, own_prefixes
from cturi_rdf.reading.terms import relative

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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

    expect_kind(report, Report, "coverage is of a report of annotate")
    pairs = [(_publisher(occurrence), outcome(occurrence)) for occurrence in report.occurrences]
    columns = ["resolved", "service", "not understood"]
    return _crossed("coverage by publisher", "publisher", pairs, columns=columns)


def over_time(report: Report) -> Table:
    """Return how many labels name each of the commonest formats, year by year.

    The year is that in which the resource, or the dataset that it represents, was issued, or else
    modified.  Resources without a date are left out, and so are compressions and packages that have
    a property of their own.
    """
    expect_kind(report, Report, "formats over time are of a report of annotate")
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
    expect_kind(report, CheckReport, "problems are of a report of check")
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
    if publisher is None:
        return _UNKNOWN
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


# --- A picture of a small graph ------------------------------------------------------------------

# A node is one column to the right of the nearest node with an edge to it, and in its column as
# high as the mean of those nodes.


# How many nodes a reader can take in.
_NODES = 60
_NODE_LENGTH = 34
# Pixels: the width of a character, the height of a box, between columns at least, between boxes,
# around them all, between the names of edges.
_CHARACTER, _HEIGHT, _BETWEEN, _GAP, _MARGIN, _LINE = 6.6, 24, 170, 14, 12, 11
# A page of a notebook is this wide; a wider picture is drawn smaller.
_PAGE = 860
_FILLS: dict[type, str] = {Literal: "#FFF6DD", BNode: "#EEEEEE"}
_RESOURCE = "#E3F0FA"
_FONT = "font-family='ui-monospace, Menlo, Consolas, monospace' font-size='11'"


class Picture:
    """An SVG, which a notebook shows no wider than its page; `save` writes it to a file."""

    __slots__ = ("name", "svg")

    def __init__(self, svg: str, name: str) -> None:
        self.svg = svg.replace("<svg ", "<svg style='max-width: 100%; height: auto' ", 1)
        self.name = name

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str | Path) -> None:
        """Write the SVG to a file."""
        Path(path).write_text(self.svg, "utf-8")

    def __repr__(self) -> str:
        return f"<Picture: {visible(self.name)}>"


def picture(graph: Graph | Result) -> Picture:
    """Return a picture of a small graph, or of the graph that a query constructed.

    Nodes and edges are named with the prefixes of the graph, or else with the usual ones.
    Raises `CturiError` where it has no triple, or more than 60 nodes: then ask for a part of it.

    >>> picture(Graph().parse(format="turtle", data="<urn:a> a <urn:b> ."))
    <Picture: 2 nodes, 1 edge>
    """
    if isinstance(graph, Result):
        graph = graph.graph or Graph()
    prefixes = own_prefixes(as_dataset(graph))
    edges: dict[tuple[Any, Any], list[str]] = defaultdict(list)
    for subject, predicate, value in sorted(graph.triples((None, None, None))):
        edges[subject, value].append(shortened(relative(str(predicate)), prefixes))
    nodes = list(dict.fromkeys(node for pair in edges for node in pair))
    if not 0 < len(nodes) <= _NODES:
        text = f"a graph of {len(nodes)} nodes"
        raise CturiError(
            "no picture", text, expected=f"1 to {_NODES} nodes", rule="what fits a page"
        )
    blank = [node for node in nodes if isinstance(node, BNode)]
    names: dict[Any, str] = {node: f"_:{number}" for number, node in enumerate(blank, 1)}
    for node in nodes:
        text = str(node)
        if not isinstance(node, BNode | Literal):
            text = shortened(relative(text), prefixes)
        names.setdefault(node, _without_middle(visible(text)))
    columns = _columns(nodes, list(edges))
    labels = {
        pair: _without_middle(visible(", ".join(predicates))) for pair, predicates in edges.items()
    }
    between = max(_BETWEEN, max(map(len, labels.values())) * _CHARACTER + 2 * _MARGIN)
    places = _places(columns, names, list(edges), between)
    taken: list[tuple[float, float, float]] = []
    drawn = [_edge(places, taken, *pair, label) for pair, label in labels.items()]
    drawn += [_box(places[node], node, names[node]) for node in nodes]
    right = [x + width for x, _, width in places.values()] + [right for _, right, _ in taken]
    low = [y + _HEIGHT for _, y, _ in places.values()] + [bottom for _, _, bottom in taken]
    width, height = max(right) + _MARGIN, max(low) + _MARGIN
    name = f"{counted(len(nodes), 'node')}, {counted(sum(map(len, edges.values())), 'edge')}"
    scale = min(1, _PAGE / width)
    svg = (
        f"<svg xmlns='http://www.w3.org/2000/svg'"
        f" width='{width * scale:.0f}' height='{height * scale:.0f}'"
        f" viewBox='0 0 {width:.0f} {height:.0f}' role='img' {_FONT}><title>{name}</title>"
        f"<rect width='100%' height='100%' fill='white'/>{''.join(drawn)}</svg>"
    )
    return Picture(svg, name)


def _without_middle(name: str) -> str:
    # The ends of an IRI tell more.
    half = _NODE_LENGTH // 2
    return name if len(name) <= _NODE_LENGTH else f"{name[: half - 1]}…{name[-half:]}"


def _columns(nodes: list[Any], edges: list[tuple[Any, Any]]) -> list[list[Any]]:
    """Return the nodes in columns, beginning with those that nothing leads to."""
    led_to = {value for subject, value in edges if subject != value}
    column = {node: 0 for node in nodes if node not in led_to}
    queue = list(column)
    # If something leads to every node, a circle is cut at its first node.
    for start in [None, *nodes]:
        if start is not None and start not in column:
            column[start] = 0
            queue = [start]
        for node in queue:
            for subject, value in edges:
                if subject == node and value not in column:
                    column[value] = column[node] + 1
                    queue.append(value)
    return [
        [node for node in nodes if column[node] == number]
        for number in range(max(column.values()) + 1)
    ]


def _places(
    columns: list[list[Any]], names: dict[Any, str], edges: list[tuple[Any, Any]], between: float
) -> dict[Any, tuple[float, float, float]]:
    """Return the place and the width of the box of each node."""
    places: dict[Any, tuple[float, float, float]] = {}
    tallest = max(map(len, columns))
    x = float(_MARGIN)
    for column in columns:
        led = {
            node: [places[s][1] for s, value in edges if value == node and s in places]
            for node in column
        }
        column.sort(key=lambda node: sum(led[node]) / len(led[node]) if led[node] else 0)
        width = max(len(names[node]) for node in column) * _CHARACTER + 2 * _MARGIN
        y = _MARGIN + (tallest - len(column)) * (_HEIGHT + _GAP) / 2
        for node in column:
            places[node] = (x, y, width)
            y += _HEIGHT + _GAP
        x += width + between
    return places


def _box(place: tuple[float, float, float], node: Any, name: str) -> str:
    x, y, width = place
    fill = _FILLS.get(type(node), _RESOURCE)
    corner = 3 if isinstance(node, Literal) else _HEIGHT / 2
    return (
        f"<g><title>{escape(visible(relative(str(node))))}</title>"
        f"<rect x='{x:.0f}' y='{y:.0f}' width='{width:.0f}' height='{_HEIGHT}' rx='{corner:.0f}'"
        f" fill='{fill}' stroke='#888'/><text x='{x + width / 2:.0f}' y='{y + 16:.0f}'"
        f" text-anchor='middle' fill='#222'>{escape(name)}</text></g>"
    )


def _edge(
    places: dict[Any, tuple[float, float, float]],
    taken: list[tuple[float, float, float]],
    subject: Any,
    value: Any,
    name: str,
) -> str:
    """Return an arrow from the right of one box to the left of the other, with its name.

    Names that are drawn already are `taken`, as left, right and bottom; none covers another.
    """
    (x1, y1, width), (x2, y2, _) = places[subject], places[value]
    x1, y1, y2 = x1 + width, y1 + _HEIGHT / 2, y2 + _HEIGHT / 2
    tip = x2 - 5
    length = len(name) * _CHARACTER
    if x2 > x1:
        middle = (x1 + tip) / 2
        bend = f"{middle:.0f} {y1:.0f} {middle:.0f} {y2:.0f}"
        # A point of the line after its middle: there those to one box are apart.
        left, y = x1 + 0.576 * (tip - x1) - length / 2, y1 + 0.648 * (y2 - y1) + 3
    else:
        # Back, or within a column: around by the right, and below or above.
        way = 1 if y2 >= y1 else -1
        turn = y2 + way * _HEIGHT
        bend = f"{x1 + 40:.0f} {turn:.0f} {tip - 30:.0f} {turn:.0f}"
        left, y = x1 + 10, y1 + way * _LINE + 3
    while any(
        left < other_right and other_left < left + length and abs(y - bottom) < _LINE
        for other_left, other_right, bottom in taken
    ):
        y += _LINE
    taken.append((left, left + length, y))
    return (
        f"<path d='M{x1:.0f} {y1:.0f} C{bend} {tip:.0f} {y2:.0f}' fill='none' stroke='#888'/>"
        f"<path d='M{tip:.0f} {y2 - 3.5:.1f} l5 3.5 l-5 3.5z' fill='#888'/>"
        f"<text x='{left + length / 2:.0f}' y='{y:.0f}' text-anchor='middle' fill='#555'"
        " font-size='10' paint-order='stroke' stroke='white' stroke-width='3'>"
        f"{escape(name)}</text>"
    )
