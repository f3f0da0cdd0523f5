"""Plots of counts: a bar a row, stacked by column.

They are drawn by matplotlib, as SVG: a notebook shows them wherever it is read, on the web
too, where nothing runs and nothing is fetched.
"""

from __future__ import annotations

import io
import warnings
from typing import TYPE_CHECKING, Any

from cturi_rdf._util.extras import import_extra
from cturi_rdf.errors import visible
from cturi_rdf.notebook.graph_drawing import Picture

if TYPE_CHECKING:
    from cturi_rdf._util.display import Table

__all__ = ["plot"]

# Told apart by those who do not see red and green (Okabe and Ito, 2008).
_COLOURS = (
    "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#999999",
)  # fmt: skip
# How many bars there is room for, and how much of a name.
_BARS = 25
_LENGTH = 42


def plot(counts: Table) -> Picture:
    """Return a picture of counts: of a table whose first column names what the others count.

    Each row is a bar; of more than 25 the first are drawn.  A column `year` stands upright.
    Raises `ImportError` without matplotlib.
    """
    matplotlib = import_extra("matplotlib", "notebook")
    figures = import_extra("matplotlib.figure", "notebook")
    ticker = import_extra("matplotlib.ticker", "notebook")
    rows = counts.rows[:_BARS]
    upright = counts.columns[0] == "year"
    names = [_short(str(row[0])) for row in rows]
    size = (7, 3.2) if upright else (7, 1.2 + 0.32 * len(rows))
    # Text stays text, a dollar begins no formula, and the same counts make the same picture.
    settings: Any = {"svg.fonttype": "none", "svg.hashsalt": "cturi", "text.parse_math": False}
    with matplotlib.rc_context(settings):
        figure = figures.Figure(figsize=size, layout="constrained")
        axes = figure.add_subplot()
        before = [0.0] * len(rows)
        for number, column in enumerate(counts.columns[1:]):
            values = [float(row[number + 1]) for row in rows]  # type: ignore[arg-type]
            style: Any = {"label": _short(column), "color": _COLOURS[number % len(_COLOURS)]}
            if upright:
                axes.bar(range(len(rows)), values, bottom=before, width=0.7, **style)
            else:
                axes.barh(range(len(rows)), values, left=before, height=0.7, **style)
            before = [sum(pair) for pair in zip(before, values, strict=True)]
        named, whole = (axes.xaxis, axes.yaxis) if upright else (axes.yaxis, axes.xaxis)
        named.set_ticks(range(len(rows)), names)
        named.set_inverted(not upright)
        whole.set_major_locator(ticker.MaxNLocator(integer=True))
        axes.spines[["top", "right"]].set_visible(False)
        if not rows:
            axes.text(0.5, 0.5, "nothing to count", ha="center", transform=axes.transAxes)
        axes.set_title(counts.caption, loc="left")
        if len(counts.columns) > 2 and rows:  # noqa: PLR2004 - one colour needs no key
            figure.legend(loc="outside right upper", frameon=False, fontsize="small")
        written = io.StringIO()
        with warnings.catch_warnings():
            # It is not matplotlib's fonts but the reader's that have to have the characters.
            warnings.filterwarnings("ignore", message="Glyph .* missing from font")
            figure.savefig(written, format="svg", metadata={"Date": None, "Creator": None})
    return Picture(written.getvalue(), counts.caption)


def _short(name: str) -> str:
    name = visible(name)
    return name if len(name) <= _LENGTH else name[: _LENGTH - 1] + "…"
