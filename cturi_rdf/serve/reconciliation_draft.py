"""The draft of version 1.0 of the Reconciliation Service API.

It is separate from `reconciliation`, because a manifest is for one version.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.routing import Route

from cturi_rdf.serve.answers import json_object
from cturi_rdf.serve.entities import Condition, matching, named_properties, property_values
from cturi_rdf.serve.entity_requests import (
    check_properties,
    check_size,
    common_routes,
    manifest,
    search_limit,
    text_values,
    wanted_values,
)
from cturi_rdf.serve.settings import MOST_TEXTS, address_of

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from cturi_rdf.serve.settings import Settings
    from cturi_rdf.serve.work import Work

_ROOT = "/reconcile/1.0"
# Tuples, because a client may send something that is not hashable.
_KINDS, _QUANTIFIERS = ("name", "id", "property"), ("any", "all", "none")


def draft_routes(work: Work, settings: Settings) -> list[Route]:
    """Return the addresses of the service (section "Overview of Possible Routes")."""

    async def service(request: Request) -> Response:
        return JSONResponse(_manifest(address_of(request, settings)))

    async def match(request: Request) -> Response:
        queries = json_object(await request.body()).get("queries")
        if not isinstance(queries, list):
            raise HTTPException(400, "A batch has a list of `queries`.")
        check_size(queries, "A batch", "queries")
        return JSONResponse({"results": await work.do(_answers, queries)})

    async def extend(request: Request) -> Response:
        wanted = json_object(await request.body())
        return JSONResponse(await work.do(_extension, wanted))

    return [
        Route(_ROOT, service),
        Route(f"{_ROOT}/match", match, methods=["POST"]),
        Route(f"{_ROOT}/extend", extend, methods=["POST"]),
        *common_routes(_ROOT, skip="offset", respond=lambda answer, _: JSONResponse(answer)),
    ]


def _answers(queries: list[Any]) -> list[dict[str, Any]]:
    return [{"candidates": _candidates(query)} for query in queries]


def _candidates(query: Any) -> list[dict[str, Any]]:
    """Return the candidates of a query (section "Structure of a Reconciliation Query")."""
    conditions = query.get("conditions") if isinstance(query, dict) else None
    if not isinstance(conditions, list) or not conditions:
        raise HTTPException(400, "A query has a list of `conditions`.")
    return matching([_condition(entry) for entry in conditions], search_limit(query))


def _condition(entry: Any) -> Condition:
    try:
        kind, values = entry["matchType"], text_values(entry["propertyValue"])
        name = entry["propertyId"] if kind == "property" else None
        quantifier = entry.get("matchQuantifier", "any")
    except (AttributeError, KeyError, TypeError) as error:
        raise HTTPException(
            400, "A condition has `matchType`, `propertyValue`, and `propertyId` for a property."
        ) from error
    if kind not in _KINDS or quantifier not in _QUANTIFIERS:
        raise HTTPException(
            400, "`matchType` is name, id or property, and `matchQuantifier` any, all or none."
        )
    if name is not None:
        check_properties([name])
    return Condition(name, values, entry.get("required") is True, quantifier)


def _extension(wanted: dict[str, Any]) -> dict[str, Any]:
    ids, names = wanted_values(wanted)
    return {
        "meta": named_properties(names),
        "rows": [
            {
                "id": essence,
                "properties": [
                    {
                        "id": name,
                        "values": [{"str": value} for value in property_values(essence, name)],
                    }
                    for name in names
                ],
            }
            for essence in ids
        ],
    }


def _manifest(base: str) -> dict[str, Any]:
    return manifest(
        "1.0-draft",
        base,
        view={"url": f"{base}/type/{{id}}"},
        preview={"width": 480, "height": 320},
        suggest={"entity": True, "property": True, "type": True},
        extend={"proposeProperties": True, "propertySettings": []},
        batchSize=MOST_TEXTS,
        standardizedScore=True,
        lang="en",
    )
