"""The first page, with what is served; what a text means; answers to queries as pages.

The page that checks a catalogue is that of `cturi site`.  Here its commands are asked from the API,
by a worker of this package, and not from Python in the browser.
"""

from __future__ import annotations

from functools import cache
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

import pyoxigraph as ox
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from cturi_rdf import ContentType, node
from cturi_rdf.errors import CturiError, visible
from cturi_rdf.labels import resolve
from cturi_rdf.rdf.terms import CTV, SKOS
from cturi_rdf.registry import registry
from cturi_rdf.registry.schemes import identifiers
from cturi_rdf.site.pages import KINDS, english, page, static, vocabulary
from cturi_rdf.sparql.dataset import ANNOTATIONS
from cturi_rdf.sparql.functions import FUNCTIONS
from cturi_rdf.sparql.query import ask, ready_made

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starlette.requests import Request

    from cturi_rdf.serve.work import Work
    from cturi_rdf.sparql.dataset import QueryData
    from cturi_rdf.sparql.query import Answer

_TYPES = {
    "html": "text/html", "css": "text/css", "js": "text/javascript", "txt": "text/plain",
}  # fmt: skip
# The files of pages by their addresses: of this package, and of the page that checks a catalogue.
_OWN = {name: name for name in ("front.js", "query.js", "codemirror.js", "codemirror.css")}
_OWN |= {"codemirror.LICENSE.txt": "codemirror.LICENSE.txt", "try/worker.js": "worker.js"}
_TRY = {"try/": "index.html", "try/page.css": "page.css", "try/page.js": "page.js"}
# The ready-made queries whose answers the first page begins, under these headings.
_SHOWN = {
    "What is served": ("types",),
    "What is wrong": ("conflicts", "not-understood", "guesses", "outdated", "unregistered"),
    "How files are sent": ("headers",),
}
_DEPRECATED = ox.NamedNode("http://www.w3.org/2002/07/owl#deprecated")
_MOST, _MOST_IN_PAGE = 10, 1_000
# What an answer or the data may be downloaded as: the name of a format, and how people call it.
ROWS = {"csv": "CSV", "tsv": "TSV", "json": "JSON", "xml": "XML"}
_DATA = {"ttl": "Turtle", "jsonld": "JSON-LD", "rdf": "RDF/XML", "nt": "N-Triples"}
_EDITOR = '<link rel="stylesheet" href="codemirror.css">\n'
_EXAMPLE = (
    "SELECT ?resource ?header {\n  ?resource ctv:contentType/ctv:contentTypeHeader ?header\n}"
)


def home_routes(work: Work) -> list[Route]:
    """Return the addresses of the first page and of the files of pages."""
    kept: list[str] = []
    lists = "\n".join(f'<li><a href="{kind}.html">{name}</a></li>' for kind, name in KINDS.items())

    async def index(_: Request) -> Response:
        if not kept:
            # The data do not change.
            served = await work.do(overview, with_data=True)
            kept.append(
                _template(
                    "index.html",
                    look=_template("look.html", value=""),
                    lists=lists,
                    overview=served,
                )
            )
        return HTMLResponse(page("Media types as linked data", kept[0], head=_EDITOR))

    async def look(request: Request) -> Response:
        text = request.query_params.get("q", "")[:2_000].strip()
        body = _template("look.html", value=escape(text)) + (meaning(text) if text else "")
        return HTMLResponse(page(text or "What it means", body))

    unchanging: dict[str, Response] = {
        "/style.css": Response(
            static("style.css") + _file("serve", "style.css").decode(), media_type="text/css"
        ),
        "/terms.json": JSONResponse(completions()),
        # Browsers ask every server for an icon: there is none.
        "/favicon.ico": Response(status_code=204),
    }
    for package, names in (("serve", _OWN), ("browser", _TRY)):
        for address, name in names.items():
            kind = _TYPES[name.rpartition(".")[2]]
            unchanging[f"/{address}"] = Response(_file(package, name), media_type=kind)
    return [
        *(Route(path, response, methods=["GET"]) for path, response in unchanging.items()),
        Route("/", index),
        Route("/index.html", index),
        Route("/look", look),
    ]


@cache
def _file(package: str, name: str) -> bytes:
    return files(f"cturi_rdf.{package}").joinpath("static", name).read_bytes()


def _template(name: str, **parts: str) -> str:
    """Return a piece of a page with its parts filled in."""
    return _file("serve", name).decode().format(**parts)


@cache
def completions() -> list[dict[str, str]]:
    """Return what the editor completes: terms of the vocabulary, and functions.

    >>> [one["shown"] for one in completions() if one["name"] == "ctf:as("]
    ['ctf:as(x, scheme, [n])']
    """
    statements: dict[str, list[Any]] = {}
    for triple in vocabulary():
        if triple[0].value.startswith(str(CTV)):
            statements.setdefault(triple[0].value.removeprefix(str(CTV)), []).append(triple)
    terms = [
        {"name": f"ctv:{name}", "shown": f"ctv:{name}", "meaning": english(about, SKOS.definition)}
        for name, about in sorted(statements.items())
        # Not the terms of earlier versions.
        if all(triple[1] != _DEPRECATED for triple in about)
    ]
    functions = [
        {"name": f"ctf:{one.name}(", "shown": one.signature, "meaning": one.summary}
        for one in FUNCTIONS.values()
    ]
    return terms + functions


def overview(data: QueryData) -> str:
    """Return what the data hold, as HTML: their types, what is wrong, and queries to ask.

    >>> from cturi_rdf.sparql.dataset import query_data
    >>> html = overview(query_data("examples/catalogue.ttl", annotated=True, registry="default"))
    >>> "application/geo+json" in html, "whatever you like" in html
    (True, True)
    """
    queries = ready_made()
    parts = []
    for heading, names in _SHOWN.items() if ANNOTATIONS in data.named_graphs() else ():
        tables = [_beginning(queries[name].title, queries[name].text, data) for name in names]
        parts += [f"<h2>{heading}</h2>", *(tables if any(tables) else ["<p>Nothing.</p>"])]
    if next(data.own_triples(), None):
        links = [f'<a href="data.{end}" download>{name}</a>' for end, name in _DATA.items()]
        parts.append(f"<h2>Downloads</h2>\n<p>What is served, with its meaning: {_and(links)}.</p>")
    links = [
        f'<li><a href="{_address(query.text)}">{escape(query.title)}</a></li>'
        for query in queries.values()
        if "SELECT" in query.text
    ]
    form = _template("query.html", query=escape(_EXAMPLE))
    return "\n".join((*parts, "<h2>Queries</h2>", form, "<ul>", *links, "</ul>"))


def _beginning(title: str, query: str, data: QueryData) -> str:
    """Return the first rows of a ready-made query, or nothing."""
    names, *rows = ask(query, data).text_rows()
    if not rows:
        return ""
    more = len(rows) - _MOST
    rest = f'<a href="{_address(query)}">{more:,} more</a>. ' if more > 0 else ""
    table = _table(names, rows[:_MOST], escape(title))
    return f"<h3>{escape(title)}</h3>\n{table}<p>{rest}{_downloads(query, title)}.</p>"


def answer_page(answer: Answer, query: str) -> str:
    """Return the answer to a query as a page, with the query to change."""
    if isinstance(answer.content, bool):
        shown = f"<p>{'Yes.' if answer.content else 'No.'}</p>"
    else:
        names, *rows = answer.text_rows()
        count = len(rows)
        part = f", the first {_MOST_IN_PAGE:,} of which are here" if count > _MOST_IN_PAGE else ""
        shown = f"<p>{count:,} {'row' if count == 1 else 'rows'}{part}. {_downloads(query)}.</p>"
        shown += _table(names, rows[:_MOST_IN_PAGE], "Rows")
    body = _template("query.html", query=escape(query)) + shown
    return page("Answer to a query", body, head=_EDITOR)


def _downloads(query: str, title: str = "the rows") -> str:
    links = [
        f'<a href="{_address(query, form)}" aria-label="{escape(title)} as {name}"'
        f' download="answer.{form}">{name}</a>'
        for form, name in ROWS.items()
    ]
    return f"Download as {_and(links, 'or')}"


def _and(texts: list[str], word: str = "and") -> str:
    return f"{', '.join(texts[:-1])} {word} {texts[-1]}"


def _address(query: str, form: str = "") -> str:
    return escape(f"sparql?{urlencode({'query': query} | ({'format': form} if form else {}))}")


def _table(names: list[str], rows: list[list[str]], title: str) -> str:
    lines = [_row("th scope=col", names), *(_row("td", row) for row in rows)]
    table = f"<table>\n{''.join(lines)}</table>"
    return f'<div class="wide" tabindex="0" role="region" aria-label="{title}">{table}</div>'


def _row(kind: str, cells: Iterable[str]) -> str:
    end = kind.partition(" ")[0]
    inside = "".join(f"<{kind}>{escape(visible(cell))}</{end}>" for cell in cells)
    return f"<tr>{inside}</tr>\n"


def meaning(text: str, root: str = "") -> str:
    """Return the meaning of a text as HTML: the reason, the types, and all their other names.

    `root` is the way from the page to the first page.

    >>> "image/svg%2Bxml" in meaning("SVG"), "<script" in meaning("<script>")
    (True, False)
    """
    resolution = resolve(text)
    parts = [f"<p>{escape(resolution.reason)}</p>"]
    if resolution.wrappers:
        wrappers = ", in ".join(_link(wrapper, root) for wrapper in reversed(resolution.wrappers))
        parts.append(f"<p>Packed or compressed as {wrappers}.</p>")
    parts.append(
        f"<p>Verdict: {resolution.verdict}, {resolution.confidence}, by the rule"
        f' "{escape(resolution.rule)}". <a href="{root}label/{quote(text, safe="")}.html">'
        "The label as linked data</a></p>"
    )
    if "/" in text and not resolution.types:
        try:
            ContentType.parse(text)
        except CturiError as error:
            parts.append(f"<pre>{escape(str(error))}</pre>")
    content_types = dict.fromkeys((*resolution.types, *resolution.wrappers))
    parts += [_names(content_type, root) for content_type in content_types]
    return "\n".join(parts)


def _link(content_type: ContentType, root: str) -> str:
    return (
        f'<a href="{root}type/{quote(content_type.essence)}.html">{escape(str(content_type))}</a>'
    )


def _names(content_type: ContentType, root: str) -> str:
    """Return a table with every name of a type."""
    essence = content_type.essence
    rows = [("Header", escape(str(content_type)))]
    try:
        rows.append(("Node", f"<code>{escape(node(content_type))}</code>"))
    except CturiError as error:
        rows.append(("Node", escape(error.summary)))
    canonical = registry().canonical(essence)
    names = (canonical, *registry().aliases(canonical))
    extensions = registry().extensions_of(essence)
    rows += [
        ("Other media types", ", ".join(escape(name) for name in names if name != essence)),
        ("File extensions", ", ".join(f".{escape(extension)}" for extension in extensions)),
        (
            "IRIs",
            "<br>".join(
                f"<code>{escape(name.iri)}</code> ({escape(name.scheme)}, {name.relation})"
                for name in identifiers(essence)
            ),
        ),
    ]
    table = "\n".join(
        f'<tr><th scope="row">{name}</th><td>{text}</td></tr>' for name, text in rows if text
    )
    return f'<h2>{_link(content_type, root)}</h2>\n<table class="facts">\n{table}\n</table>'
