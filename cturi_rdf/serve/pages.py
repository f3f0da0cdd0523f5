"""A page for each type, suffix, parameter, label and term: HTML and RDF by negotiation."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pyoxigraph as ox
from rdflib import Dataset
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse
from starlette.routing import Route

from cturi_rdf._util.display import PREFIXES
from cturi_rdf.labels import resolve
from cturi_rdf.rdf.label_statements import label_triples
from cturi_rdf.rdf.terms import label_node, name_of_segment
from cturi_rdf.reading.formats import format_named
from cturi_rdf.reading.terms import from_ox
from cturi_rdf.serve.answers import FORMATS, accept_of, in_formats, negotiated
from cturi_rdf.site.pages import (
    KINDS,
    TERMS,
    label_of,
    list_page,
    path_of,
    resource_page,
    vocabulary,
    vocabulary_page,
)
from cturi_rdf.sparql.registry_triples import REGISTRY, described, registry_store

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starlette.requests import Request
    from starlette.responses import Response

    from cturi_rdf.negotiation.choice import Body
    from cturi_rdf.site.pages import Triple

# The ending of an address asks for a format, as in the files of `cturi site`.
_ENDINGS = {"html": "text/html"} | {
    form.endings[0]: form.media_types[0] for form in map(format_named, FORMATS)
}
_LONG = 2_000
# Characters that stand for themselves in the IRI of a node.
_SAFE = "/+;=!$&'*,@~"
_SAFE_NAME = "+=!$&'*@~"


def page_routes() -> list[Route]:
    """Return the addresses of the pages.

    Their functions are not asynchronous, so that Starlette runs them in threads: the first of them
    loads the registry, and meanwhile the server answers others.
    """
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
    name, accept = _asked_for(request, request.path_params["name"])
    if len(name) > _LONG:
        raise HTTPException(404, "There is no such page.")
    try:
        iri, statements = statements_about(kind, name)
    except ValueError as error:
        raise HTTPException(404, f"There is no such page: {error}.") from error
    if not statements:
        raise HTTPException(404, f"Nothing is known of {iri}.")
    return _negotiated(request, statements, lambda: resource_page(iri, statements), accept)


def _vocabulary(request: Request) -> Response:
    terms, (_, accept) = vocabulary(), _asked_for(request, request.url.path)
    return _negotiated(request, terms, lambda: vocabulary_page(terms), accept)


def _registry(request: Request) -> Response:
    """Answer with the description of the registry, the concept scheme of all media types."""
    _, accept = _asked_for(request, request.url.path)
    quads = registry_store().quads_for_pattern(REGISTRY, None, None)
    statements: list[Any] = [quad.triple for quad in quads]
    page = partial(resource_page, REGISTRY.value, statements)
    return _negotiated(request, statements, page, accept)


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


def _negotiated(
    request: Request, statements: Iterable[Triple], html: Body, accept: str | None
) -> Response:
    """Return statements as a page or as RDF, whichever the client prefers."""
    dataset = Dataset(default_union=True)
    for prefix in ("ct", "ctv", "mime", "dct", "skos"):
        dataset.bind(prefix, PREFIXES[prefix])
    for triple in statements:
        dataset.add(tuple(map(from_ox, triple)))
    others = {"text/html; charset=utf-8": html}
    response = negotiated(in_formats(dataset, others=others), accept)
    path = request.url.path
    stem, _ = _asked_for(request, path)
    if stem != path:
        # The address says the format.
        del response.headers["vary"]
    name = quote(stem.rpartition("/")[2], safe=_SAFE_NAME)
    links = [f'<{name}.{end}>; rel="alternate"; type="{kind}"' for end, kind in _ENDINGS.items()]
    response.headers["link"] = ", ".join(links)
    return response
