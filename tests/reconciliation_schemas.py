"""The requirements of both versions of the Reconciliation API for answers, as JSON Schemas.

Written after the texts of version 0.2 (10 April 2023) and of the draft of version 1.0.
"""

from __future__ import annotations

from typing import Any

__all__ = ["SCHEMAS"]

_TEXT, _FLAG, _COUNT = {"type": "string"}, {"type": "boolean"}, {"type": "integer"}
_ADDRESS = {"type": "string", "pattern": "^https?://"}


def _object(required: dict[str, Any], **optional: Any) -> dict[str, Any]:
    """Return the schema of an object that has these members, and no other."""
    return {
        "type": "object",
        "properties": required | optional,
        "required": list(required),
        "additionalProperties": False,
    }


def _list(item: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": item}


def _by_name(value: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": value}


_NAMED = _object({"id": _TEXT, "name": _TEXT}, description=_TEXT)
_CANDIDATE = _object(
    {
        "id": _TEXT,
        "name": _TEXT,
        "type": _list(_NAMED),
        "match": _FLAG,
        "score": {"type": "number", "minimum": 0, "maximum": 100},
    },
    description=_TEXT,
    features=_list(_object({"id": _TEXT, "name": _TEXT, "value": {"type": ["boolean", "number"]}})),
)
# A value is an object with one member, whose name is that of its kind.
_VALUE = {
    "oneOf": [
        _NAMED,
        _object({"str": _TEXT}),
        _object({"int": _COUNT}),
        _object({"float": {"type": "number"}}),
        _object({"date": _TEXT}),
    ]
}
_META = _list(_NAMED)
_SUGGESTIONS = _object(
    {
        "result": _list(
            _object({"id": _TEXT, "name": _TEXT}, description=_TEXT, notable=_list(_NAMED))
        )
    }
)
_PROPOSAL = _object({"properties": _list(_NAMED)}, type=_TEXT, limit=_COUNT)
_PLACE = _object({"service_url": _ADDRESS, "service_path": {"type": "string", "pattern": "^/"}})


def _manifest(version: str, identifier: str, required: dict[str, Any], **features: Any) -> Any:
    url = {"type": "string", "pattern": f"^https?://.*{identifier}"}
    return _object(
        {
            "versions": {"type": "array", "items": _TEXT, "contains": {"const": version}},
            "name": _TEXT,
            "view": _object({"url": url}),
            **required,
        },
        documentation=_ADDRESS,
        serviceVersion=_TEXT,
        defaultTypes=_list(_NAMED),
        **features,
    )


SCHEMAS = {
    "0.2": {
        "manifest": _manifest(
            "0.2", r"\{\{id\}\}", {"identifierSpace": _ADDRESS, "schemaSpace": _ADDRESS},
            preview=_object({
                "url": {"type": "string", "pattern": r"\{\{id\}\}"}, "width": _COUNT,
                "height": _COUNT,
            }),
            suggest=_object({}, entity=_PLACE, property=_PLACE, type=_PLACE),
            extend=_object({}, propose_properties=_PLACE, property_settings={"maxItems": 0}),
        ),
        "results": _by_name(_object({"result": _list(_CANDIDATE)})),
        "suggestions": _SUGGESTIONS,
        "proposal": _PROPOSAL,
        "extension": _object({"meta": _META, "rows": _by_name(_by_name(_list(_VALUE)))}),
    },
    "1.0-draft": {
        "manifest": _manifest(
            "1.0-draft", r"\{id\}", {},
            preview=_object({"width": _COUNT, "height": _COUNT}),
            suggest=_object({"entity": _FLAG, "property": _FLAG, "type": _FLAG}),
            extend=_object({}, proposeProperties=_FLAG, propertySettings={"maxItems": 0}),
            batchSize=_COUNT, standardizedScore=_FLAG, lang=_TEXT,
        ),
        "results": _object({"results": _list(_object({"candidates": _list(_CANDIDATE)}))}),
        "suggestions": _SUGGESTIONS,
        "proposal": _PROPOSAL,
        "extension": _object({
            "meta": _META,
            "rows": _list(_object({
                "id": _TEXT,
                "properties": _list(_object({"id": _TEXT, "values": _list(_VALUE)})),
            })),
        }),
    },
}  # fmt: skip
