"""The pages: what is served, what a text means, answers to queries, and what is known of a node.

The page that checks a catalogue is that of `cturi site`.  Here its commands are asked from the API,
by a worker of this package, and not from Python in the browser.
"""

from __future__ import annotations

from functools import cache, partial
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

import pyoxigraph as ox
from rdflib import Dataset
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from cturi_rdf import ContentType, node
from cturi_rdf._util.display import PREFIXES, shortened
from cturi_rdf.errors import CturiError, visible
from cturi_rdf.labels import resolve
from cturi_rdf.rdf.label_statements import label_triples
from cturi_rdf.rdf.terms import OWL, SKOS, label_node, name_of_segment
from cturi_rdf.reading.formats import format_named
from cturi_rdf.reading.terms import from_ox
from cturi_rdf.registry import registry
from cturi_rdf.registry.schemes import identifiers
from cturi_rdf.serve.answers import FORMATS, accept_of, in_formats, negotiated
from cturi_rdf.site.pages import (
    KINDS,
    TERMS,
    by_resource,
    english,
    facts_table,
    label_of,
    list_page,
    page,
    path_of,
    resource_page,
    static,
    vocabulary,
    vocabulary_page,
)
from cturi_rdf.sparql.dataset import ANNOTATIONS
from cturi_rdf.sparql.functions import FUNCTIONS
from cturi_rdf.sparql.query import ask, ready_made
from cturi_rdf.sparql.registry_triples import REGISTRY, described, registry_store

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starlette.requests import Request

    from cturi_rdf.negotiation.choice import Body
    from cturi_rdf.serve.work import Work
    from cturi_rdf.site.pages import Triple
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
_MOST, _MOST_IN_PAGE = 10, 1_000
# What an answer or the data may be downloaded as: the name of a format, and how people call it.
_ROWS = {"csv": "CSV", "tsv": "TSV", "json": "JSON", "xml": "XML"}
_DATA = {"ttl": "Turtle", "jsonld": "JSON-LD", "rdf": "RDF/XML", "nt": "N-Triples"}
_EDITOR = '<link rel="stylesheet" href="codemirror.css">\n'
_EXAMPLE = (
    "SELECT ?resource ?header {\n  ?resource ctv:contentType/ctv:contentTypeHeader ?header\n}"
)


def page_routes(work: Work) -> list[Route]:
    """Return the addresses of the pages and of their files.

    The functions of `_node_routes` are not asynchronous, so that Starlette runs them in threads:
    the first of them loads the registry, and meanwhile the server answers others.
    """
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
        *_node_routes(),
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
    terms = [
        {"name": name, "shown": name, "meaning": english(about, SKOS.definition)}
        for iri, about in by_resource(vocabulary()).items()
        # Not the terms of earlier versions.
        if (name := shortened(iri)).startswith("ctv:")
        and all(path != OWL.deprecated for _, path, _ in about)
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
        tables = [_first_rows(queries[name].title, queries[name].text, data) for name in names]
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


def _first_rows(title: str, query: str, data: QueryData) -> str:
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
        for form, name in _ROWS.items()
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
    return f"<h2>{_link(content_type, root)}</h2>\n{facts_table(row for row in rows if row[1])}"


# --- A page for each type, suffix, parameter, label and term: HTML and RDF by negotiation ---------


# The ending of an address asks for a format, as in the files of `cturi site`.
_ENDINGS = {"html": "text/html"} | {
    form.endings[0]: form.media_types[0] for form in map(format_named, FORMATS)
}
_LONG = 2_000
# Characters that stand for themselves in the IRI of a node.
_SAFE = "/+;=!$&'*,@~"
_SAFE_NAME = "+=!$&'*@~"


def _node_routes() -> list[Route]:
    return [
        *(Route(f"/{kind}.html", _list, name=kind) for kind in KINDS),
        *(Route(f"/vocab{ending}", _vocabulary) for ending in ("", *map(".{}".format, _ENDINGS))),
        *(Route(f"/registry{ending}", _registry) for ending in ("", *map(".{}".format, _ENDINGS))),
        *(Route(f"/{kind}/{{name:path}}", _resource) for kind in ("type", *KINDS)),
    ]


def statements_about(kind: str, name: str) -> tuple[str, list[Triple]]:
    """Return the IRI of a resource, and the statements about it.

    `kind` is a folder of `cturi site`, or ``type``.

    >>> iri, statements = statements_about("suffix", "xml")
    >>> iri, len(statements) > 3
    ('https://w3id.org/cturi/suffix/xml', True)
    >>> statements_about("type", "text/none-such/at all")[1]
    []
    """
    if kind == "label":
        text = name_of_segment(name)
        node = label_node(text)
        triples: Iterable[Triple] = label_triples(text, resolve(text))
    elif kind in TERMS:
        node = ox.NamedNode(TERMS[kind] + quote(name))
        triples = vocabulary()
    else:
        node = ox.NamedNode(_beginning(kind) + quote(name, safe=_SAFE))
        quads = registry_store().quads_for_pattern(node, None, None)
        triples = [*((q.subject, q.predicate, q.object) for q in quads), *described(node.value)]  # type: ignore[list-item]
    own = dict.fromkeys(triple for triple in triples if triple[0] == node)
    return node.value, list(own)


def _beginning(kind: str) -> str:
    """Return the beginning of the IRIs of one kind."""
    in_folder = kind not in {"type", "media-type"}
    return f"https://w3id.org/cturi/{kind}/" if in_folder else "ContentType:"


def _resource(request: Request) -> Response:
    kind = request.url.path.split("/")[1]
    name, _ = _asked_for(request, request.path_params["name"])
    if len(name) > _LONG:
        raise HTTPException(404, "There is no such page.")
    try:
        iri, statements = statements_about(kind, name)
    except ValueError as error:
        raise HTTPException(404, f"There is no such page: {error}.") from error
    if not statements:
        raise HTTPException(404, f"Nothing is known of {iri}.")
    return _negotiated(request, statements, lambda: resource_page(iri, statements))


def _vocabulary(request: Request) -> Response:
    return _negotiated(request, vocabulary(), lambda: vocabulary_page(vocabulary()))


def _registry(request: Request) -> Response:
    """Answer with the description of the registry, the concept scheme of all media types."""
    quads = registry_store().quads_for_pattern(REGISTRY, None, None)
    statements: list[Any] = [quad.triple for quad in quads]
    return _negotiated(request, statements, partial(resource_page, REGISTRY.value, statements))


def _asked_for(request: Request, name: str) -> tuple[str, str | None]:
    """Return a name without its ending, and the format: of the ending, or of ``Accept``."""
    stem, _, ending = name.rpartition(".")
    # ".ttl" alone is a label.
    if stem and not stem.endswith("/") and ending in _ENDINGS:
        return stem, _ENDINGS[ending]
    return name, accept_of(request)


def _list(request: Request) -> Response:
    kind = request.url.path.strip("/").removesuffix(".html")
    return HTMLResponse(_list_of(kind))


@cache
def _list_of(kind: str) -> str:
    """Return the page that lists all resources of a kind."""
    store = registry_store()
    start = _beginning(kind)
    rows: Any = (
        vocabulary()
        if kind in TERMS
        else store.query(f'SELECT DISTINCT ?s {{ ?s ?p ?o FILTER(STRSTARTS(STR(?s), "{start}")) }}')
    )
    iris = sorted({row[0].value for row in rows})
    entries = [
        (label_of(iri, []), f"{quote(path)}.html")
        for iri in iris
        if (path := path_of(iri)) and path.startswith(f"{kind}/")
    ]
    return list_page(KINDS[kind], entries)


def _negotiated(request: Request, statements: Iterable[Triple], html: Body) -> Response:
    """Return statements as a page or as RDF, whichever the client prefers."""
    dataset = Dataset(default_union=True)
    for prefix in ("ct", "ctv", "mime", "dct", "skos"):
        dataset.bind(prefix, PREFIXES[prefix])
    for triple in statements:
        dataset.add(tuple(map(from_ox, triple)))
    others = {"text/html; charset=utf-8": html}
    path = request.url.path
    stem, accept = _asked_for(request, path)
    response = negotiated(in_formats(dataset, others=others), accept)
    if stem != path:
        # The address says the format.
        del response.headers["vary"]
    name = quote(stem.rpartition("/")[2], safe=_SAFE_NAME)
    links = [f'<{name}.{end}>; rel="alternate"; type="{kind}"' for end, kind in _ENDINGS.items()]
    response.headers["link"] = ", ".join(links)
    return response
