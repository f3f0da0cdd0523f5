"""The Reconciliation Service API 0.2 of W3C's community group, which OpenRefine 3 speaks."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from cturi_rdf import ContentType
from cturi_rdf.errors import CturiError
from cturi_rdf.labels import resolve
from cturi_rdf.registry import registry
from cturi_rdf.registry.qualities import qualities
from cturi_rdf.registry.schemes import identifiers
from cturi_rdf.serve.front import meaning
from cturi_rdf.site.pages import page

if TYPE_CHECKING:
    from starlette.requests import Request

    from cturi_rdf.serve.work import Work

__all__ = ["candidates", "reconciliation_routes"]

_NAMES = "https://www.iana.org/assignments/media-types/"
_TYPE = {"id": "MediaType", "name": "Media type"}
_PROPERTIES = {
    "iana": "IRI of IANA",
    "eu": "File type of the EU",
    "pronom": "Format in PRONOM",
    "extensions": "File extensions",
    "machine-readable": "Machine-readable",
    "obsolete": "Not registered, or withdrawn",
}
_SCHEMES = {"iana": "iana-https", "eu": "eu-file-type", "pronom": "pronom"}
_SCORES = {"certain": 100, "likely": 70}
_CALLBACK = re.compile(r"[A-Za-z_$][\w$.]{0,99}", re.ASCII)
_QUERIES, _LONG, _SUGGESTIONS = 10_000, 10_000, 20


def reconciliation_routes(work: Work) -> list[Route]:
    """Return the addresses of the service."""

    async def service(request: Request) -> Response:
        given = dict(request.query_params)
        if request.method == "POST":
            async with request.form(max_files=0, max_fields=20) as form:
                given |= {name: str(value) for name, value in form.items()}
        if "queries" in given:
            queries = _object(given["queries"])
            if len(queries) > _QUERIES:
                raise HTTPException(400, f"A batch may have {_QUERIES:,} queries.")
            answer: Any = await work.do(
                lambda: {name: {"result": _matches(query)} for name, query in queries.items()},
                "queries",
            )
        elif "extend" in given:
            wanted = _object(given["extend"])
            answer = await work.do(lambda: _extension(wanted), "extend")
        else:
            answer = _manifest(str(request.base_url).rstrip("/"))
        return _json(answer, given.get("callback"))

    return [
        Route("/reconcile", service, methods=["GET", "POST"]),
        Route("/reconcile/suggest/{what}", _suggest),
        Route("/reconcile/extend/propose", _propose),
        Route("/reconcile/preview", _preview),
    ]


def candidates(label: str) -> list[dict[str, Any]]:
    """Return the types that a label may mean, the best first.

    `match` is true only where one type is certain.

    >>> [(each["id"], each["match"]) for each in candidates("CSV")]
    [('text/csv', True)]
    >>> candidates("WMS")
    []
    """
    found = resolve(label)
    score = _SCORES[found.confidence]
    sure = found.verdict == "media_type" and found.confidence == "certain"
    types = tuple(dict.fromkeys(found.named))
    return [
        {
            "id": str(each),
            "name": str(each),
            "description": found.reason,
            "type": [_TYPE],
            "score": score - number,
            "match": sure and len(types) == 1,
            "features": [{"id": "certain", "value": found.confidence == "certain"}],
        }
        for number, each in enumerate(types)
    ]


def _matches(query: Any) -> list[dict[str, Any]]:
    text = query.get("query") if isinstance(query, dict) else None
    if not isinstance(text, str) or len(text) > _LONG:
        raise HTTPException(400, f'A query is such as {{"query": "CSV"}}, with {_LONG:,} letters.')
    limit = query.get("limit")
    return candidates(text)[: limit if isinstance(limit, int) and limit > 0 else None]


def _extension(wanted: dict[str, Any]) -> dict[str, Any]:
    """Return what is asked for of some types (section 6, data extension)."""
    try:
        names = [each["id"] for each in wanted["properties"]]
        ids = [str(each) for each in wanted["ids"]]
    except (KeyError, TypeError) as error:
        raise HTTPException(400, "A data extension has `ids` and `properties`.") from error
    unknown = [name for name in names if name not in _PROPERTIES]
    if unknown or len(ids) > _QUERIES:
        raise HTTPException(400, f"The properties are {', '.join(_PROPERTIES)}.")
    return {
        "meta": [{"id": name, "name": _PROPERTIES[name]} for name in names],
        "rows": {each: {name: _values(each, name) for name in names} for each in ids},
    }


def _values(header: str, name: str) -> list[dict[str, Any]]:
    try:
        content_type = ContentType.parse(header)
    except CturiError:
        return []
    essence = content_type.essence
    if name == "extensions":
        return [{"str": each} for each in registry().extensions_of(essence)]
    if name == "machine-readable":
        known = qualities(content_type).machine_readable
        return [] if known is None else [{"bool": known}]
    if name == "obsolete":
        return [{"bool": not registry().is_current(essence)}]
    scheme = _SCHEMES[name]
    return [{"str": each.iri} for each in identifiers(essence) if each.scheme == scheme]


def _manifest(base: str) -> dict[str, Any]:
    service = f"{base}/reconcile"
    return {
        "versions": ["0.2"],
        "name": "Media types (cturi)",
        "identifierSpace": _NAMES,
        "schemaSpace": "https://w3id.org/cturi/vocab#",
        "defaultTypes": [_TYPE],
        "view": {"url": f"{base}/type/{{{{id}}}}"},
        "preview": {"url": f"{service}/preview?id={{{{id}}}}", "width": 480, "height": 320},
        "suggest": {
            each: {"service_url": base, "service_path": f"/reconcile/suggest/{each}"}
            for each in ("entity", "property", "type")
        },
        "extend": {
            "propose_properties": {
                "service_url": base,
                "service_path": "/reconcile/extend/propose",
            },
            "property_settings": [],
        },
    }


async def _suggest(request: Request) -> Response:
    what = request.path_params["what"]
    prefix = request.query_params.get("prefix", "")[:_LONG].strip()
    if what == "entity":
        found = _entities(prefix)
    elif what == "property":
        found = [
            {"id": name, "name": text}
            for name, text in _PROPERTIES.items()
            if prefix.lower() in text.lower()
        ]
    elif what == "type":
        found = [_TYPE] if prefix.lower() in _TYPE["name"].lower() else []
    else:
        raise HTTPException(404, "There are suggestions for entity, property and type.")
    return _json({"result": found}, request.query_params.get("callback"))


def _entities(prefix: str) -> list[dict[str, str]]:
    """Return what a text means, then the registered types that have it in their names."""
    if not prefix:
        return []
    meant = {each["id"]: each["description"] for each in candidates(prefix)}
    wanted = prefix.lower()
    named = [each.essence for each in registry().media_types() if wanted in each.essence]
    named.sort(key=lambda each: (each.partition("/")[2].find(wanted) % 1_000, len(each), each))
    for each in named[:_SUGGESTIONS]:
        meant.setdefault(each, "A registered media type.")
    return [
        {"id": name, "name": name, "description": text}
        for name, text in list(meant.items())[:_SUGGESTIONS]
    ]


async def _propose(request: Request) -> Response:
    properties = [{"id": name, "name": text} for name, text in _PROPERTIES.items()]
    asked = request.query_params.get("type", _TYPE["id"])
    return _json({"type": asked, "properties": properties}, request.query_params.get("callback"))


async def _preview(request: Request) -> Response:
    name = request.query_params.get("id", "")[:_LONG]
    if not name:
        raise HTTPException(400, "The parameter 'id' is missing.")
    return Response(page(name, meaning(name), depth=1), media_type="text/html")


def _object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise HTTPException(400, f"It is not JSON: {error}.") from error
    if not isinstance(found, dict):
        raise HTTPException(400, "It is not a JSON object.")
    return found


def _json(answer: object, callback: str | None) -> Response:
    """Return JSON, or a call with it for old clients (JSONP)."""
    if callback is None:
        return JSONResponse(answer)
    if not _CALLBACK.fullmatch(callback):
        raise HTTPException(400, "The parameter 'callback' is not the name of a function.")
    return Response(f"/**/{callback}({json.dumps(answer)});", media_type="text/javascript")
