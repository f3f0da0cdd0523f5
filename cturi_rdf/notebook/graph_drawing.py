"""A picture of a small graph: nodes in columns from left to right, edges between them, SVG.

A node is one column to the right of the nearest node with an edge to it, and in its column as
high as the mean of those nodes.  Nothing is fetched and nothing runs; the text of the graph is
escaped.
"""

from __future__ import annotations

from collections import defaultdict
from html import escape
from pathlib import Path
from typing import Any

from rdflib import BNode, Graph, Literal
from rdflib.query import Result

from cturi_rdf._util.display import counted, shortened
from cturi_rdf.errors import CturiError, visible
from cturi_rdf.reading.rdflib_graphs import own_prefixes
from cturi_rdf.reading.terms import relative

# How many nodes a reader can take in.
_NODES = 60
_LENGTH = 34
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
    prefixes = own_prefixes(graph)
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
        names.setdefault(node, _short(visible(text)))
    columns = _columns(nodes, list(edges))
    labels = {pair: _short(visible(", ".join(predicates))) for pair, predicates in edges.items()}
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


def _short(name: str) -> str:
    # The ends of an IRI tell more than its middle.
    half = _LENGTH // 2
    return name if len(name) <= _LENGTH else f"{name[: half - 1]}…{name[-half:]}"


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
