"""The description of the JSON API (OpenAPI 3.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cturi_rdf import __version__
from cturi_rdf.repair import profile_names

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["DESCRIPTION"]

_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}
_NOT_EMPTY = {"type": "string", "minLength": 1}
_SOME_TEXTS = {"type": "array", "items": _TEXT, "minItems": 1}
_NUMBER = {"type": "integer"}
_PLACE = {"type": ["integer", "null"]}


def _object(optional: Mapping[str, object] | None = None, /, **members: object) -> dict[str, Any]:
    properties = {**members, **(optional or {})}
    return {"type": "object", "properties": properties, "required": list(members)}


def _parameter(name: str, meaning: str, *, required: bool = False, **more: object) -> Any:
    return {
        "name": name,
        "in": "query",
        "required": required,
        "description": meaning,
        "schema": _TEXT,
        **more,
    }


def _operation(name: str, summary: str, answer: object, **more: object) -> dict[str, Any]:
    return {
        "operationId": name,
        "summary": summary,
        **more,
        "responses": {
            "200": {
                "description": summary,
                "content": {"application/json": {"schema": answer}},
            },
            "400": {"$ref": "#/components/responses/Problem"},
        },
    }


def _reference(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


_CATALOGUE = {
    "parameters": [
        _parameter("name", "The name of the file, which may tell its format."),
        _parameter(
            "format",
            "The name or the media type of the format: if not given, what the name of the file "
            "tells, or else the Content-Type of the request.",
        ),
    ],
    "requestBody": {
        "description": "RDF in any format, or Project Open Data. Nothing of it is kept.",
        "required": True,
        "content": {
            content_type: {"schema": _NOT_EMPTY}
            for content_type in ("text/turtle", "application/rdf+xml", "application/ld+json")
        },
    },
}
_PROFILE = _parameter(
    "profile",
    "The profile to follow; what the file says it follows if not given.",
    schema={"type": "string", "enum": list(profile_names())},
)
_RESOLUTIONS = _object(resolutions={"type": "array", "items": _reference("Resolution")})

DESCRIPTION: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {
        "title": "cturi: media types as linked data",
        "version": __version__,
        "license": {"name": "BSD-3-Clause", "identifier": "BSD-3-Clause"},
    },
    "paths": {
        "/api/resolve": {
            "get": _operation(
                "resolveLabel", "What labels of formats mean.", _RESOLUTIONS,
                parameters=[
                    _parameter(
                        "label", "A label such as CSV or Zipped Shapefile.", required=True,
                        schema=_SOME_TEXTS,
                    )
                ],
            ),
            "post": _operation(
                "resolveLabels", "What many labels mean.", _RESOLUTIONS,
                requestBody={
                    "required": True,
                    "content": {"application/json": {"schema": _object(labels=_SOME_TEXTS)}},
                },
            ),
        },
        "/api/header": {
            "get": _operation(
                "headerOfUri", "The Content-Type of a ContentType: URI or another registry's IRI.",
                _reference("ContentType"),
                parameters=[_parameter("uri", "An IRI.", required=True, schema=_NOT_EMPTY)],
            ),
        },
        "/api/uri": {
            "get": _operation(
                "uriOfHeader", "The ContentType: URI and the node of a Content-Type.",
                _reference("ContentType"),
                parameters=[
                    _parameter(
                        "header", "The value of Content-Type.", required=True, schema=_NOT_EMPTY
                    )
                ],
            ),
        },
        "/api/check": {
            "post": _operation(
                "checkCatalogue", "What is wrong with the media types of a catalogue.",
                _reference("Report"), **_CATALOGUE,
            ),
        },
        "/api/repair": {
            "post": _operation(
                "repairCatalogue", "The catalogue as a profile asks for it, and the changes.",
                _reference("Repair"),
                **{**_CATALOGUE, "parameters": [*_CATALOGUE["parameters"], _PROFILE]},
            ),
        },
    },
    "components": {
        "responses": {
            "Problem": {
                "description": "Problem details (RFC 9457).",
                "content": {"application/problem+json": {"schema": _reference("Problem")}},
            },
        },
        "schemas": {
            "Problem": _object(
                {"error": {"oneOf": [_reference("ErrorInText"), _reference("ErrorInFile")]}},
                type=_TEXT, title=_TEXT, status=_NUMBER, detail=_TEXT,
            ),
            "ErrorInText": _object(
                problem=_TEXT, expected=_TEXT, text=_TEXT, span={"type": "array", "items": _NUMBER},
                rule=_TEXT,
            ),
            "ErrorInFile": _object(
                problem=_TEXT, expected=_TEXT, file=_TEXT, line=_PLACE, column=_PLACE
            ),
            "ContentType": _object(header=_TEXT, uri=_TEXT, node=_TEXT),
            "Resolution": _object(
                label=_TEXT,
                verdict={"enum": [
                    "media_type", "compound", "several", "service", "no_type", "nothing"
                ]},
                types=_TEXTS,
                outer={"type": ["string", "null"]},
                wrappers=_TEXTS,
                services=_TEXTS,
                rule=_TEXT,
                confidence={"enum": ["certain", "likely"]},
                registered={"type": "boolean"},
                reason=_TEXT,
                qualities={"type": "array", "items": {"type": "object"}},
            ),
            "Report": _object(
                source=_TEXT, conforms={"type": "boolean"}, focus_nodes=_NUMBER,
                nothing_to_check=_TEXTS, violations=_NUMBER, warnings=_NUMBER, infos=_NUMBER,
                findings={"type": "array", "items": {"type": "object"}},
            ),
            "Repair": _object(
                source=_TEXT, profile=_TEXT, profile_because=_TEXT, values=_NUMBER,
                changes={"type": "array", "items": {"type": "object"}},
                quality={"type": "object"},
                left={"type": "array", "items": {"type": "object"}},
                text=_TEXT, patch=_TEXT,
            ),
        },
    },
}  # fmt: skip
