"""The Reconciliation Service API 0.2 of W3C's community group, which OpenRefine 3 uses."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from cturi_rdf.serve.answers import json_object
from cturi_rdf.serve.entities import (
    PROPERTIES,
    Condition,
    matching,
    named_properties,
    property_values,
)
from cturi_rdf.serve.entity_requests import (
    check_size,
    common_routes,
    manifest,
    search_limit,
    text_values,
    wanted_values,
)
from cturi_rdf.serve.settings import LONGEST_TEXT, address_of

if TYPE_CHECKING:
    from starlette.requests import Request

    from cturi_rdf.serve.settings import Settings
    from cturi_rdf.serve.work import Work

_NAMES = "https://www.iana.org/assignments/media-types/"
_CALLBACK = re.compile(r"[A-Za-z_$][\w$.]{0,99}", re.ASCII)


def reconciliation_routes(work: Work, settings: Settings) -> list[Route]:
    """Return the addresses of the service."""

    async def service(request: Request) -> Response:
        parameters = dict(request.query_params)
        if request.method == "POST":
            async with request.form(
                max_files=0, max_fields=20, max_part_size=settings.size
            ) as form:
                parameters |= {name: str(value) for name, value in form.items()}
        if "queries" in parameters:
            queries = json_object(parameters["queries"])
            check_size(queries, "A batch", "queries")
            answer: Any = await work.do(_answers, queries)
        elif "extend" in parameters:
            wanted = json_object(parameters["extend"])
            answer = await work.do(_extension, wanted)
        else:
            answer = _manifest(address_of(request, settings))
        return _json(answer, request)

    return [
        Route("/reconcile", service, methods=["GET", "POST"]),
        *common_routes("/reconcile", skip="cursor", respond=_json),
    ]


def _answers(queries: dict[str, Any]) -> dict[str, Any]:
    return {name: {"result": _candidates(query)} for name, query in queries.items()}


def _candidates(query: Any) -> list[dict[str, Any]]:
    """Return the candidates of a query (section 4.2, reconciliation queries)."""
    query = query if isinstance(query, dict) else {}
    text, properties = query.get("query"), query.get("properties") or []
    try:
        conditions = [
            Condition(str(entry["pid"]), text_values(entry["v"]))
            for entry in properties
            if entry["pid"] in PROPERTIES
        ]
    except (KeyError, TypeError) as error:
        raise HTTPException(400, "A property of a query has `pid` and `v`.") from error
    if isinstance(text, str) and len(text) <= LONGEST_TEXT:
        conditions.append(Condition(None, (text,)))
    elif text is not None or not properties:
        raise HTTPException(
            400, f'A query is such as {{"query": "CSV"}}, with up to {LONGEST_TEXT:,} characters.'
        )
    return matching(conditions, search_limit(query))


def _extension(wanted: dict[str, Any]) -> dict[str, Any]:
    """Return the requested properties of some types (section 6, data extension)."""
    ids, names = wanted_values(wanted)
    return {
        "meta": named_properties(names),
        "rows": {
            essence: {
                name: [{"str": value} for value in property_values(essence, name)] for name in names
            }
            for essence in ids
        },
    }


def _manifest(base: str) -> dict[str, Any]:
    service = f"{base}/reconcile"
    proposer = {"service_url": base, "service_path": "/reconcile/extend/propose"}
    return manifest(
        "0.2",
        base,
        identifierSpace=_NAMES,
        schemaSpace="https://w3id.org/cturi/vocab#",
        view={"url": f"{base}/type/{{{{id}}}}"},
        preview={"url": f"{service}/preview?id={{{{id}}}}", "width": 480, "height": 320},
        suggest={
            kind: {"service_url": base, "service_path": f"/reconcile/suggest/{kind}"}
            for kind in ("entity", "property", "type")
        },
        extend={"propose_properties": proposer, "property_settings": []},
    )


def _json(answer: object, request: Request) -> Response:
    """Return JSON, or a call with it for old clients (JSONP)."""
    callback = request.query_params.get("callback")
    if callback is None:
        return JSONResponse(answer)
    if not _CALLBACK.fullmatch(callback):
        raise HTTPException(400, "The parameter 'callback' is not the name of a function.")
    return Response(f"/**/{callback}({json.dumps(answer)});", media_type="text/javascript")
