"""What is served, on the first page, and queries over it: a form, and their answers as tables."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from cturi_rdf.errors import visible
from cturi_rdf.site.pages import page
from cturi_rdf.sparql.dataset import ANNOTATIONS
from cturi_rdf.sparql.query import ready_made, run

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rdflib.query import Result

    from cturi_rdf.sparql.dataset import QueryData

# The ready-made queries whose answers the first page shows the beginnings of.
_SHOWN = ("types", "not-understood", "conflicts", "guesses")
_MOST, _MOST_IN_PAGE = 10, 1_000
_FORM = """\
<form action="sparql">
<label for="query">A query in SPARQL; common prefixes need no declaration</label>
<textarea id="query" name="query" spellcheck="false" required>{query}</textarea>
<button>Ask</button>
</form>
"""
_EXAMPLE = (
    "SELECT ?resource ?header {\n  ?resource ctv:contentType/ctv:contentTypeHeader ?header\n}"
)


def overview(data: QueryData) -> str:
    """Return what the data hold, as HTML: their types, what is wrong, and queries to ask.

    >>> from cturi_rdf.sparql.dataset import query_data
    >>> html = overview(query_data("examples/catalogue.ttl", annotated=True, registry="default"))
    >>> "application/geo+json" in html, "whatever you like" in html
    (True, True)
    """
    queries = ready_made()
    parts = []
    if ANNOTATIONS in data.named_graphs():
        parts.append("<h2>What is served</h2>")
        for name in _SHOWN:
            result = run(queries[name].text, data)
            if result.bindings:
                more = len(result.bindings) - _MOST
                title = escape(queries[name].title)
                link = f'<p><a href="{_address(queries[name].text)}">{more:,} more</a></p>'
                parts += [
                    f"<h3>{title}</h3>",
                    _table(result, _MOST, title),
                    link if more > 0 else "",
                ]
    parts += ["<h2>Queries</h2>", _FORM.format(query=escape(_EXAMPLE)), "<ul>"]
    parts += [
        f'<li><a href="{_address(query.text)}">{escape(query.title)}</a></li>'
        for query in queries.values()
        if "SELECT" in query.text
    ]
    return "\n".join((*parts, "</ul>"))


def answer_page(result: Result, query: str) -> str:
    """Return the answer to a query as a page, with the query to change."""
    if result.type == "ASK":
        answer = f"<p>{'Yes.' if result.askAnswer else 'No.'}</p>"
    else:
        count = len(result.bindings)
        shown = f", the first {_MOST_IN_PAGE:,} of which are here" if count > _MOST_IN_PAGE else ""
        answer = f"<p>{count:,} {'row' if count == 1 else 'rows'}{shown}.</p>"
        answer += _table(result, _MOST_IN_PAGE, "Rows")
    return page("Answer to a query", f"{_FORM.format(query=escape(query))}{answer}")


def _address(query: str) -> str:
    return escape(f"sparql?{urlencode({'query': query})}")


def _table(result: Result, most: int, title: str) -> str:
    names = [str(name) for name in result.vars or ()]
    rows = [[row.get(name, "") for name in result.vars or ()] for row in result.bindings[:most]]
    lines = [_row("th scope=col", names), *(_row("td", map(str, row)) for row in rows)]
    table = f"<table>\n{''.join(lines)}</table>"
    return f'<div class="wide" tabindex="0" role="region" aria-label="{title}">{table}</div>'


def _row(kind: str, cells: Iterable[str] | Sequence[str]) -> str:
    end = kind.partition(" ")[0]
    inside = "".join(f"<{kind}>{escape(visible(cell))}</{end}>" for cell in cells)
    return f"<tr>{inside}</tr>\n"
