"""The description of all addresses of the server (OpenAPI 3.1)."""

from __future__ import annotations

from typing import Any

from cturi_rdf import __version__
from cturi_rdf.repair import profile_names
from cturi_rdf.site.pages import KINDS

_JSON, _HTML = "application/json", "text/html"
_RDF = ("text/turtle", "application/ld+json", "application/rdf+xml", "application/n-triples")
_ROWS = (
    "application/sparql-results+json",
    "application/sparql-results+xml",
    "text/csv",
    "text/tab-separated-values",
)
_FORM = "application/x-www-form-urlencoded"

# --- Schemas -------------------------------------------------------------------------------------

_TEXT, _NOT_EMPTY = {"type": "string"}, {"type": "string", "minLength": 1}
_TEXTS = {"type": "array", "items": _TEXT}
_SOME_TEXTS = {**_TEXTS, "minItems": 1}
_OBJECT = {"type": "object"}
_OBJECTS = {"type": "array", "items": _OBJECT}
_NUMBER, _BOOLEAN = {"type": "integer"}, {"type": "boolean"}
_PLACE = {"type": ["integer", "null"]}


def _one_of(*values: str) -> dict[str, Any]:
    return {"type": "string", "enum": list(values)}


def _object(**members: object) -> dict[str, Any]:
    return {"type": "object", "properties": members, "required": list(members)}


def _schema(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


_RESOLUTIONS = _object(resolutions={"type": "array", "items": _schema("Resolution")})
_WHERE = {"source": _TEXT, "profile": _TEXT, "profile_because": _TEXT}
_PROBLEM = _object(type=_TEXT, title=_TEXT, status=_NUMBER, detail=_TEXT)
_PROBLEM["properties"]["error"] = {"oneOf": [_schema("ErrorInText"), _schema("ErrorInFile")]}
_SCHEMAS = {
    "Problem": _PROBLEM,
    "ErrorInText": _object(
        problem=_TEXT, expected=_TEXT, text=_TEXT, rule=_TEXT,
        span={"type": "array", "items": _NUMBER},
    ),
    "ErrorInFile": _object(problem=_TEXT, expected=_TEXT, file=_TEXT, line=_PLACE, column=_PLACE),
    "ContentType": _object(header=_TEXT, uri=_TEXT, node=_TEXT),
    "Resolution": _object(
        label=_TEXT, types=_TEXTS, wrappers=_TEXTS, services=_TEXTS, rule=_TEXT, reason=_TEXT,
        verdict=_one_of("media_type", "compound", "several", "service", "no_type", "nothing"),
        confidence=_one_of("certain", "likely"),
        outer={"type": ["string", "null"]},
        registered=_BOOLEAN,
        qualities=_OBJECTS,
    ),
    "Report": _object(
        **_WHERE, conforms=_BOOLEAN, focus_nodes=_NUMBER, nothing_to_check=_TEXTS,
        violations=_NUMBER, warnings=_NUMBER, infos=_NUMBER, findings=_OBJECTS,
    ),
    "Repair": _object(
        **_WHERE, values=_NUMBER, changes=_OBJECTS, quality=_OBJECT, left=_OBJECTS,
        summary=_TEXTS, text=_TEXT, patch=_TEXT,
    ),
}  # fmt: skip

# --- Operations ----------------------------------------------------------------------------------


def _parameter(name: str, meaning: str, schema: object = _TEXT, **more: object) -> Any:
    whole = {"name": name, "in": "query", "required": False, "description": meaning}
    return {**whole, "schema": schema, **more}


def _operation(name: str, summary: str, content: dict[str, Any], **more: object) -> dict[str, Any]:
    """Return an operation; `content` are the schemas of its answer by their media types."""
    return {
        "operationId": name,
        "summary": summary,
        **more,
        "responses": {
            "200": {
                "description": summary,
                "content": {kind: {"schema": schema} for kind, schema in content.items()},
            },
            "304": {"description": "The client has it (If-None-Match)."},
            "4XX": {"$ref": "#/components/responses/Problem"},
            "5XX": {"$ref": "#/components/responses/Problem"},
        },
    }


def _get(name: str, summary: str, answer: object = _OBJECT, *parameters: object) -> dict[str, Any]:
    """Return the operations of an address that answers in JSON."""
    return {"get": _operation(name, summary, {_JSON: answer}, parameters=list(parameters))}


def _page(
    name: str, summary: str, kinds: tuple[str, ...] = (_HTML,), *parameters: object
) -> dict[str, Any]:
    """Return the operations of an address that answers in several formats."""
    content: dict[str, Any] = {kind: {} if kind.endswith("json") else _TEXT for kind in kinds}
    return {"get": _operation(name, summary, content, parameters=list(parameters))}


def _post(
    name: str,
    summary: str,
    sent: dict[str, Any],
    answer: object = _OBJECT,
    *parameters: object,
    **body: object,
) -> dict[str, Any]:
    """Return the operations of an address that takes content; `sent` is its schema by its type."""
    content = {kind: {"schema": schema} for kind, schema in sent.items()}
    answers = answer if isinstance(answer, dict) and _ROWS[0] in answer else {_JSON: answer}
    operation = _operation(
        name,
        summary,
        answers,
        parameters=list(parameters),
        requestBody={"required": True, "content": content, **body},
    )
    del operation["responses"]["304"]
    return {"post": operation}


# --- Addresses -----------------------------------------------------------------------------------

_NEEDED = {"required": True, "schema": _NOT_EMPTY}
_CONTROL = _parameter(
    "control",
    "Whether a type may name a URI, and a URI a type (draft-eastlake-cturi, section 6).",
    _one_of("honour", "ignore"),
)
_PROFILE = _parameter(
    "profile",
    "The profile to follow; what the file says it follows if not given.",
    _one_of(*profile_names()),
)
_CONFIDENCE = _parameter(
    "min-confidence",
    "How certain a value has to be; certain if not given.",
    _one_of("certain", "likely"),
)
_DATASET = [
    _parameter("default-graph-uri", "The graphs that make up the default graph.", _TEXTS),
    _parameter("named-graph-uri", "The named graphs.", _TEXTS),
]
_QUERY = _parameter("query", "A query in SPARQL 1.1.", example="ASK { ?s ?p ?o }")
_ANSWERS = {kind: {} if kind.endswith("json") else _TEXT for kind in (*_ROWS, *_RDF)}
# The name of one resource of each kind.
_EXAMPLES = {
    "type": "text/csv", "class": "ContentType", "term": "contentType",
    "message-class": "Message", "message-term": "headerField", "media-type": "text/csv",
    "suffix": "xml", "top-level": "image", "parameter": "charset/utf-8", "label": "CSV",
}  # fmt: skip


def _catalogue(name: str, summary: str, answer: object, *parameters: object) -> dict[str, Any]:
    """Return the operations of an address that takes a catalogue."""
    return _post(
        name,
        summary,
        dict.fromkeys(("text/turtle", "application/rdf+xml", "application/ld+json"), _NOT_EMPTY),
        answer,
        _parameter("name", "The name of the file, which may tell its format."),
        _parameter(
            "format",
            "The name or the media type of the format: if not given, what the name of the file "
            "tells, or else the Content-Type of the request.",
        ),
        *parameters,
        description="RDF in any format, or Project Open Data. Nothing of it is kept.",
    )


def _of_kind(kind: str, summary: str) -> dict[str, Any]:
    """Return the operations of the pages of one kind of resource."""
    name = _parameter(
        "name",
        "The name; an ending such as .ttl asks for a format.",
        **{"in": "path", **_NEEDED, "example": _EXAMPLES[kind]},
    )
    return _page(f"{kind.replace('-', '')}Page", summary, (_HTML, *_RDF), name)


def _reconciliation(root: str, end: str) -> dict[str, Any]:
    """Return the addresses that both versions of the reconciliation service have."""
    what = _parameter(
        "what",
        "What is suggested.",
        _one_of("entity", "property", "type"),
        **{"in": "path", "required": True},
    )
    prefix = _parameter("prefix", "The beginning of a name.")
    type_id = _parameter("id", "A media type.", **_NEEDED)
    return {
        f"{root}/suggest/{{what}}": _get(f"suggest{end}", "Suggestions.", _OBJECT, what, prefix),
        f"{root}/extend/propose": _get(f"propose{end}", "The properties of a type."),
        f"{root}/preview": _page(f"preview{end}", "A small page about a type.", (_HTML,), type_id),
    }


_PATHS: dict[str, Any] = {
    "/": _page("home", "The first page."),
    "/look": _page(
        "look",
        "What a label, a header or an IRI means.",
        (_HTML,),
        _parameter("q", "A label, a header or an IRI."),
    ),
    "/try/": _page("try", "A page to check and repair a catalogue."),
    "/sparql": _page(
        "query",
        "The answer to a query; without one, the description of the service.",
        (*_ROWS, *_RDF),
        _QUERY,
        *_DATASET,
    )
    | _post(
        "queryByPost",
        "The answer to a query.",
        {"application/sparql-query": _TEXT, _FORM: _object(query=_TEXT)},
        _ANSWERS,
        *_DATASET,
    ),
    "/.well-known/void": _page("void", "The description of the data.", _RDF),
    **{
        f"/data.{ending}": _page(
            f"data{ending.title()}", "The served files, with what their labels mean.", (kind,)
        )
        for ending, kind in zip(("ttl", "jsonld", "rdf", "nt"), _RDF, strict=True)
    },
    "/registry": _page("registry", "The registry of media types.", (_HTML, *_RDF)),
    "/vocab": _page("vocabulary", "The vocabulary.", (_HTML, *_RDF)),
    **{
        f"/{kind}/{{name}}": _of_kind(kind, summary)
        for kind, summary in {"type": "Content types", **KINDS}.items()
    },
    "/reconcile": _get("service", "The Reconciliation API 0.2.")
    | _post("reconcile", "The candidates of queries.", {_FORM: _object()}, required=False),
    "/reconcile/1.0": _get("serviceDraft", "The Reconciliation API 1.0."),
    "/reconcile/1.0/match": _post(
        "match", "The candidates of queries.", {_JSON: _object(queries=_OBJECTS)}
    ),
    "/reconcile/1.0/extend": _post(
        "extend", "The properties of types.", {_JSON: _object(ids=_TEXTS, properties=_OBJECTS)}
    ),
    **_reconciliation("/reconcile", ""),
    **_reconciliation("/reconcile/1.0", "Draft"),
    "/health": _get(
        "health", "Whether the server can do its work.", _object(status=_TEXT, version=_TEXT)
    ),
    "/api/resolve": _get(
        "resolveLabel",
        "What labels of formats mean.",
        _RESOLUTIONS,
        _parameter("label", "A label such as CSV or Zipped Shapefile.", _SOME_TEXTS, required=True),
    )
    | _post(
        "resolveLabels",
        "What many labels mean.",
        {_JSON: _object(labels=_SOME_TEXTS)},
        _RESOLUTIONS,
    ),
    "/api/header": _get(
        "headerOfUri",
        "The Content-Type of a ContentType: URI or another registry's IRI.",
        _schema("ContentType"),
        _parameter("uri", "An IRI.", example="ContentType:text/csv", **_NEEDED),
        _CONTROL,
    ),
    "/api/uri": _get(
        "uriOfHeader",
        "The ContentType: URI and the node of a Content-Type.",
        _schema("ContentType"),
        _parameter("header", "The value of Content-Type.", example="text/csv", **_NEEDED),
        _CONTROL,
    ),
    "/api/check": _catalogue(
        "checkCatalogue",
        "What is wrong with the media types of a catalogue.",
        _schema("Report"),
        _PROFILE,
    ),
    "/api/repair": _catalogue(
        "repairCatalogue",
        "The catalogue as a profile asks for it, and the changes.",
        _schema("Repair"),
        _PROFILE,
        _CONFIDENCE,
    ),
    "/api/headers": _catalogue(
        "headersOfCatalogue",
        "The Content-Type of each file of a catalogue.",
        _object(headers=_OBJECTS),
    ),
}

DESCRIPTION: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {
        "title": "cturi: media types as linked data",
        "version": __version__,
        "license": {"name": "BSD-3-Clause", "identifier": "BSD-3-Clause"},
    },
    "paths": _PATHS,
    "components": {
        "responses": {
            "Problem": {
                "description": "Problem details (RFC 9457).",
                "content": {"application/problem+json": {"schema": _schema("Problem")}},
            },
        },
        "schemas": _SCHEMAS,
    },
}
