"""JSON that a client sends."""

from __future__ import annotations

import json
from typing import Any

from starlette.exceptions import HTTPException


def json_object(text: str | bytes) -> dict[str, Any]:
    """Return a JSON object; raises `HTTPException` for anything else.

    >>> json_object('{"q0": {"query": "CSV"}}')
    {'q0': {'query': 'CSV'}}
    """
    try:
        value = json.loads(text)
        # RFC 8259 section 8.2: half of a surrogate pair is a string to JSON, and no text.
        json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise HTTPException(400, f"It is not JSON: {error}.") from error
    if not isinstance(value, dict):
        raise HTTPException(400, "It is not a JSON object.")
    return value
