"""The common parts of both versions of the Reconciliation API: addresses, limits, requests."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Any

from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse
from starlette.routing import Route

from cturi_rdf import __version__
from cturi_rdf.serve.entities import (
    ENTITY_TYPE,
    PROPERTIES,
    named_properties,
    suggested_entities,
    suggested_properties,
    suggested_types,
)
from cturi_rdf.serve.home import meaning
from cturi_rdf.serve.settings import LONGEST_TEXT, MOST_TEXTS
from cturi_rdf.site.pages import page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sized

    from starlette.requests import Request
    from starlette.responses import Response

_SUGGESTED = {
    "entity": suggested_entities,
    "property": suggested_properties,
    "type": suggested_types,
}
_MOST_SUGGESTIONS = 20
# The links of a preview lead out of the frame that a client shows it in.
_HEAD = '<base target="_blank">\n'


def common_routes(
    root: str, *, skip: str, respond: Callable[[object, Request], Response]
) -> list[Route]:
    """Return the addresses that both versions have, below `root`.

    `skip` names the parameter for how many suggestions the client has already; `respond` writes
    an answer as JSON.
    """

    async def suggest(request: Request) -> Response:
        return respond({"result": _suggestions(request, skip)}, request)

    async def propose(request: Request) -> Response:
        return respond(_proposed_properties(request), request)

    return [
        Route(f"{root}/suggest/{{what}}", suggest),
        Route(f"{root}/extend/propose", propose),
        Route(f"{root}/preview", _preview),
    ]


def text_values(value: Any) -> tuple[str, ...]:
    """Return the values of a property as texts; they are one or a list, and each may be an entity.

    Raises `TypeError` for anything else.

    >>> text_values("csv"), text_values([1, True, {"id": "text/csv"}])
    (('csv',), ('1', 'true', 'text/csv'))
    """
    return tuple(map(_text_value, value if isinstance(value, list) else [value]))


def _text_value(value: Any) -> str:
    if isinstance(value, dict):
        value = value.get("id")
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (str, int, float)) and len(text := str(value)) <= LONGEST_TEXT:
        return text
    raise TypeError


def search_limit(query: dict[str, Any]) -> int:
    """Return how many candidates a query asks for.

    >>> search_limit({"limit": 3})
    3
    """
    limit = query.get("limit")
    if limit is None:
        return MOST_TEXTS
    if not isinstance(limit, int) or limit < 1:
        raise HTTPException(400, "The limit of a query is a positive integer.")
    return limit


def wanted_values(wanted: dict[str, Any]) -> tuple[list[str], list[str]]:
    """Return the types and the properties that a data extension asks for."""
    ids, properties = wanted.get("ids"), wanted.get("properties")
    if (
        not isinstance(ids, list)
        or not isinstance(properties, list)
        or not all(isinstance(essence, str) for essence in ids)
        or not all(isinstance(entry, dict) for entry in properties)
    ):
        raise HTTPException(400, "A data extension has the lists `ids` and `properties`.")
    names = [entry.get("id") for entry in properties]
    check_properties(names)
    check_size(ids, "A data extension", "types")
    return ids, names


def check_properties(names: Iterable[object]) -> None:
    """Raise `HTTPException` if one of the names is not that of a property."""
    if any(not isinstance(name, str) or name not in PROPERTIES for name in names):
        raise HTTPException(400, f"The properties are {', '.join(PROPERTIES)}.")


def check_size(things: Sized, whole: str, parts: str) -> None:
    """Raise `HTTPException` if a request has more things than one may have."""
    if len(things) > MOST_TEXTS:
        raise HTTPException(413, f"{whole} may have {MOST_TEXTS:,} {parts}.")


def manifest(version: str, base: str, **members: Any) -> dict[str, Any]:
    """Return the manifest of the service for a version of the API; `base` is its address."""
    return {
        "versions": [version],
        "name": "Media types (cturi)",
        "documentation": f"{base}/",
        "serviceVersion": __version__,
        "defaultTypes": [ENTITY_TYPE],
        **members,
    }


def _suggestions(request: Request, skip: str) -> list[dict[str, Any]]:
    suggested = _SUGGESTED.get(request.path_params["what"])
    if suggested is None:
        raise HTTPException(404, f"There are suggestions for {', '.join(_SUGGESTED)}.")
    prefix = request.query_params.get("prefix", "")[:LONGEST_TEXT].strip()
    start = _number(request, skip) or 0
    limit = _number(request, "limit")
    count = _MOST_SUGGESTIONS if limit is None else min(limit, MOST_TEXTS)
    return list(islice(suggested(prefix), start, start + count))


def _proposed_properties(request: Request) -> dict[str, Any]:
    """Return the properties of the type that a request asks for."""
    limit = _number(request, "limit")
    proposal = {
        "type": request.query_params.get("type", ENTITY_TYPE["id"]),
        "properties": named_properties()[:limit],
    }
    return proposal if limit is None else proposal | {"limit": limit}


async def _preview(request: Request) -> Response:
    """Answer with a small page about a type."""
    name = request.query_params.get("id", "")[:LONGEST_TEXT]
    if not name:
        raise HTTPException(400, "The parameter 'id' is missing.")
    depth = request.url.path.count("/") - 1
    body = meaning(name, root="../" * depth)
    return HTMLResponse(page(name, body, depth=depth, head=_HEAD))


def _number(request: Request, name: str) -> int | None:
    text = request.query_params.get(name)
    if text is None:
        return None
    if not re.fullmatch("[0-9]{1,9}", text):
        raise HTTPException(400, f"The parameter {name!r} is not a number of things.")
    return int(text)
