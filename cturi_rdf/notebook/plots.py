"""Plots of counts: one bar per row, stacked by column.

They are drawn by matplotlib, as SVG: a notebook shows them wherever it is read, on the web
too, where nothing runs and nothing is fetched.
"""

from __future__ import annotations

import io
import warnings
from itertools import cycle
from typing import Any

from cturi_rdf._util.display import Table
from cturi_rdf._util.lazy import import_extra
from cturi_rdf.catalogue.findings import CheckReport
from cturi_rdf.catalogue.graph_annotation import Report
from cturi_rdf.errors import visible
from cturi_rdf.notebook.graph_drawing import Picture
from cturi_rdf.notebook.statistics import kinds, problems

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
_LENGTH = 42
# Ticks at whole and round numbers, and few enough for those of seven digits.
_TICKS: dict[str, Any] = {"integer": True, "steps": [1, 2, 5, 10]}


def plot(counts: Table | Report | CheckReport) -> Picture:
    """Return a picture of counts: of a table that has names in its first column.

    Each row is a bar; only the first 25 are drawn.  Years are drawn upright, all of them, to
    scale.  For a report of `annotate` the labels are counted by kind, for one of `check` the
    problems by rule.  Raises `TypeError` for anything else, and `ImportError` without matplotlib.
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
        before = [0.0] * len(rows)
        meant = {_MEANINGS[column] for column in counted if column in _MEANINGS}
        free = [colour for colour in _COLOURS if colour not in meant]
        others = cycle((colour, hatch) for hatch in ("", "///") for colour in free)
        for number, column in enumerate(counted):
            values = [float(row[number + 1]) for row in rows]  # type: ignore[arg-type]
            colour, hatch = (_MEANINGS[column], "") if column in _MEANINGS else next(others)
            style: Any = {"label": _short(column), "color": colour, "hatch": hatch}
            if upright:
                axes.bar(places, values, bottom=before, width=0.7, **style)
            else:
                axes.barh(places, values, left=before, height=0.7, **style)
            before = [sum(pair) for pair in zip(before, values, strict=True)]
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
