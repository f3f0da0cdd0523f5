"""The JSON API: what the command line does, for programs in any language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.routing import Route

from cturi_rdf import ContentType, from_uri, node, to_uri
from cturi_rdf.labels import resolve
from cturi_rdf.registry.schemes import type_of_iri
from cturi_rdf.serve.json_content import json_object
from cturi_rdf.serve.openapi import DESCRIPTION
from cturi_rdf.serve.settings import LONGEST_TEXT, MOST_TEXTS
from cturi_rdf.serve.upload import Upload
from cturi_rdf.uri.mapping import content_type_uri

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from cturi_rdf.serve.work import Work
    from cturi_rdf.uri.mapping import Control


def api_routes(work: Work) -> list[Route]:
    """Return the addresses of the API."""

    async def resolve_labels(request: Request) -> Response:
        labels = await _labels(request)
        return JSONResponse({"resolutions": await work.do(_resolutions, labels)})

    async def check(request: Request) -> Response:
        upload = await _upload(request)
        return JSONResponse(await work.do(upload.report, request.query_params.get("profile")))

    async def repair(request: Request) -> Response:
        upload = await _upload(request)
        profile = request.query_params.get("profile")
        return JSONResponse(await work.do(upload.repair_as_dict, profile))

    description = JSONResponse(DESCRIPTION, media_type="application/openapi+json")
    return [
        Route("/api", description, methods=["GET"]),
        Route("/api/openapi.json", description, methods=["GET"]),
        Route("/api/resolve", resolve_labels, methods=["GET", "POST"]),
        Route("/api/header", _header),
        Route("/api/uri", _uri),
        Route("/api/check", check, methods=["POST"]),
        Route("/api/repair", repair, methods=["POST"]),
    ]


def _resolutions(labels: list[str]) -> list[dict[str, Any]]:
    return [resolve(label).as_dict() for label in labels]


async def _header(request: Request) -> Response:
    """Answer with the header of a ContentType: URI, or of the IRI of another registry."""
    uri = _one(request, "uri")
    _, essences = type_of_iri(uri) or ("", ())
    control = _control(request)
    is_listed = len(essences) == 1
    content_type = ContentType.parse(essences[0]) if is_listed else from_uri(uri, control=control)
    return _both(content_type, control)


async def _uri(request: Request) -> Response:
    return _both(ContentType.parse(_one(request, "header")), _control(request))


def _both(content_type: ContentType, control: Control) -> Response:
    ignoring = control == "ignore"
    uri = content_type_uri(content_type) if ignoring else to_uri(content_type)
    named = node(content_type, control=control)
    return JSONResponse({"header": str(content_type), "uri": uri, "node": named})


def _control(request: Request) -> Control:
    """Return whether a header may name the URI of something else (the draft, section 6)."""
    control = request.query_params.get("control", "honour")
    if control not in {"honour", "ignore"}:
        raise HTTPException(400, "The parameter 'control' is 'honour' or 'ignore'.")
    return cast("Control", control)


def _one(request: Request, name: str) -> str:
    values = request.query_params.getlist(name)
    if len(values) != 1:
        raise HTTPException(400, f"The parameter {name!r} is needed once, not {len(values)} times.")
    if len(values[0]) > LONGEST_TEXT:
        raise HTTPException(400, f"The parameter {name!r} may have {LONGEST_TEXT:,} characters.")
    return values[0]


async def _labels(request: Request) -> list[str]:
    labels: Any = request.query_params.getlist("label")
    if request.method == "POST":
        labels = json_object(await request.body()).get("labels")
    if not isinstance(labels, list) or not all(isinstance(label, str) for label in labels):
        raise HTTPException(400, 'The content is not such as {"labels": ["CSV"]}.')
    if not labels:
        raise HTTPException(400, "There is no label: expected /api/resolve?label=CSV.")
    if len(labels) > MOST_TEXTS or any(len(label) > LONGEST_TEXT for label in labels):
        raise HTTPException(
            400, f"A request may have {MOST_TEXTS:,} labels of up to {LONGEST_TEXT:,} characters."
        )
    return labels


async def _upload(request: Request) -> Upload:
    """Return the catalogue in the content of a request."""
    content = await request.body()
    name = request.query_params.get("name", "")
    form = request.query_params.get("format", "")
    return Upload(content, name, form, request.headers.get("content-type", ""))
