"""The description of the JSON API (OpenAPI 3.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cturi_rdf import __version__
from cturi_rdf.repair import profile_names
from cturi_rdf.site.resources import KINDS

if TYPE_CHECKING:
    from collections.abc import Mapping

_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}
_NOT_EMPTY = {"type": "string", "minLength": 1}
_SOME_TEXTS = {"type": "array", "items": _TEXT, "minItems": 1}
_OBJECTS = {"type": "array", "items": {"type": "object"}}
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
            "4XX": {"$ref": "#/components/responses/Problem"},
            "5XX": {"$ref": "#/components/responses/Problem"},
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
_CONFIDENCE = _parameter(
    "min-confidence",
    "How certain a value has to be; certain if not given.",
    schema={"type": "string", "enum": ["certain", "likely"]},
)
_CONTROL = _parameter(
    "control",
    "Whether a type may name a URI, and a URI a type (draft-eastlake-cturi, section 6).",
    schema={"type": "string", "enum": ["honour", "ignore"]},
)
_RESOLUTIONS = _object(resolutions={"type": "array", "items": _reference("Resolution")})


def _in_path(name: str, meaning: str, **more: object) -> Any:
    whole = {"in": "path", "schema": _NOT_EMPTY} | more
    return _parameter(name, meaning, required=True, **whole)


def _negotiated(name: str, summary: str, *kinds: str, **more: object) -> dict[str, Any]:
    """Return an operation whose answer comes in several formats."""
    content = {kind: {"schema": {} if kind.endswith("json") else _TEXT} for kind in kinds}
    return {
        "operationId": name,
        "summary": summary,
        **more,
        "responses": {
            "200": {"description": summary, "content": content},
            "304": {"description": "The client has it (If-None-Match)."},
            "4XX": {"$ref": "#/components/responses/Problem"},
            "5XX": {"$ref": "#/components/responses/Problem"},
        },
    }


_RDF = ("text/turtle", "application/ld+json", "application/rdf+xml", "application/n-triples")
_ROWS = (
    "application/sparql-results+json",
    "application/sparql-results+xml",
    "text/csv",
    "text/tab-separated-values",
)
_DATASET = [
    _parameter(name, meaning, schema=_TEXTS)
    for name, meaning in (
        ("default-graph-uri", "The graphs that make up the default graph."),
        ("named-graph-uri", "The named graphs."),
    )
]
_QUERY = _parameter("query", "A query in SPARQL 1.1.", example="ASK { ?s ?p ?o }")


def _page(name: str, summary: str, *kinds: str) -> dict[str, Any]:
    return {"get": _negotiated(name, summary, *(kinds or ("text/html",)))}


def _of_kind(kind: str, summary: str, example: str) -> dict[str, Any]:
    meaning = "The name; an ending such as .ttl asks for a format."
    operation = _negotiated(
        f"{kind.replace('-', '')}Page", summary, "text/html", *_RDF,
        parameters=[_in_path("name", meaning, example=example)],
    )  # fmt: skip
    return {"get": operation}


def _json_service(root: str, name: str) -> dict[str, Any]:
    """Return the addresses that both versions of the reconciliation service have."""
    prefix = _parameter("prefix", "The beginning of a name.")
    kinds = {"type": "string", "enum": ["entity", "property", "type"]}
    what = _in_path("what", "What is suggested.", schema=kinds)
    any_object = {"type": "object"}
    return {
        f"{root}/suggest/{{what}}": {
            "get": _operation(
                f"suggest{name}", "Suggestions.", any_object, parameters=[what, prefix]
            )
        },
        f"{root}/extend/propose": {
            "get": _operation(f"propose{name}", "The properties of a type.", any_object)
        },
        f"{root}/preview": {
            "get": _negotiated(
                f"preview{name}", "A small page about a type.", "text/html",
                parameters=[_parameter("id", "A media type.", required=True, schema=_NOT_EMPTY)],
            )
        },
    }  # fmt: skip


def _sent(
    name: str, summary: str, kind: str = "application/json", **members: object
) -> dict[str, Any]:
    """Return an operation that takes an object as JSON, with members that it needs, or a form."""
    content = {kind: {"schema": _object(**members)}}
    body = {"required": bool(members), "content": content}
    return _operation(name, summary, {"type": "object"}, requestBody=body)


# The name of one resource of each kind.
_EXAMPLES = {
    "class": "ContentType", "term": "contentType", "message-class": "Message",
    "message-term": "headerField", "media-type": "text/csv", "suffix": "xml", "top-level": "image",
    "parameter": "charset/utf-8", "label": "CSV",
}  # fmt: skip
_FORM = "application/x-www-form-urlencoded"
_OTHERS: dict[str, Any] = {
    "/": _page("home", "The first page."),
    "/look": {
        "get": _negotiated(
            "look", "What a label, a header or an IRI means.", "text/html",
            parameters=[_parameter("q", "A label, a header or an IRI.")],
        )
    },
    "/try/": _page("try", "A page to check and repair a catalogue."),
    "/sparql": {
        "get": _negotiated(
            "query", "The answer to a query; without one, the description of the service.",
            *_ROWS, *_RDF, parameters=[_QUERY, *_DATASET],
        ),
        "post": _negotiated(
            "queryByPost", "The answer to a query.", *_ROWS, *_RDF, parameters=_DATASET,
            requestBody={
                "required": True,
                "content": {
                    "application/sparql-query": {"schema": _TEXT},
                    _FORM: {"schema": _object(query=_TEXT)},
                },
            },
        ),
    },
    "/.well-known/void": _page("void", "The description of the data.", *_RDF),
    "/registry": _page("registry", "The registry of media types.", "text/html", *_RDF),
    "/vocab": _page("vocabulary", "The vocabulary.", "text/html", *_RDF),
    "/type/{name}": _of_kind("type", "Content types", "text/csv"),
    **{
        f"/{kind}/{{name}}": _of_kind(kind, summary, _EXAMPLES[kind])
        for kind, summary in KINDS.items()
    },
    "/reconcile": {
        "get": _operation("service", "The Reconciliation API 0.2.", {"type": "object"}),
        "post": _sent("reconcile", "The candidates of queries.", _FORM),
    },
    "/reconcile/1.0": {
        "get": _operation("serviceDraft", "The Reconciliation API 1.0.", {"type": "object"})
    },
    "/reconcile/1.0/match": {
        "post": _sent("match", "The candidates of queries.", queries=_OBJECTS)
    },
    "/reconcile/1.0/extend": {
        "post": _sent("extend", "The properties of types.", ids=_TEXTS, properties=_OBJECTS)
    },
    **_json_service("/reconcile", ""),
    **_json_service("/reconcile/1.0", "Draft"),
    "/health": {
        "get": _operation(
            "health", "Whether the server can do its work.", _object(status=_TEXT, version=_TEXT)
        )
    },
}  # fmt: skip

DESCRIPTION: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {
        "title": "cturi: media types as linked data",
        "version": __version__,
        "license": {"name": "BSD-3-Clause", "identifier": "BSD-3-Clause"},
    },
    "paths": {
        **_OTHERS,
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
                parameters=[
                    _parameter(
                        "uri", "An IRI.", required=True, schema=_NOT_EMPTY,
                        example="ContentType:text/csv",
                    ),
                    _CONTROL,
                ],
            ),
        },
        "/api/uri": {
            "get": _operation(
                "uriOfHeader", "The ContentType: URI and the node of a Content-Type.",
                _reference("ContentType"),
                parameters=[
                    _parameter(
                        "header", "The value of Content-Type.", required=True, schema=_NOT_EMPTY,
                        example="text/csv",
                    ),
                    _CONTROL,
                ],
            ),
        },
        "/api/check": {
            "post": _operation(
                "checkCatalogue", "What is wrong with the media types of a catalogue.",
                _reference("Report"),
                **{**_CATALOGUE, "parameters": [*_CATALOGUE["parameters"], _PROFILE]},
            ),
        },
        "/api/repair": {
            "post": _operation(
                "repairCatalogue", "The catalogue as a profile asks for it, and the changes.",
                _reference("Repair"),
                **{
                    **_CATALOGUE,
                    "parameters": [*_CATALOGUE["parameters"], _PROFILE, _CONFIDENCE],
                },
            ),
        },
        "/api/headers": {
            "post": _operation(
                "headersOfCatalogue", "The Content-Type of each file of a catalogue.",
                _object(headers=_OBJECTS), **_CATALOGUE,
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
                qualities=_OBJECTS,
            ),
            "Report": _object(
                source=_TEXT, profile=_TEXT, profile_because=_TEXT,
                conforms={"type": "boolean"}, focus_nodes=_NUMBER,
                nothing_to_check=_TEXTS, violations=_NUMBER, warnings=_NUMBER, infos=_NUMBER,
                findings=_OBJECTS,
            ),
            "Repair": _object(
                source=_TEXT, profile=_TEXT, profile_because=_TEXT, values=_NUMBER,
                changes=_OBJECTS,
                quality={"type": "object"},
                left=_OBJECTS,
                summary=_TEXTS, text=_TEXT, patch=_TEXT,
            ),
        },
    },
}  # fmt: skip
