"""Documents of every syntax in any of its ways to write a statement, each by a number."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import jsonld_documents
import rdfxml_documents
import turtle_documents

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["DOCUMENTS"]

DOCUMENTS: dict[str, Callable[[int], str]] = {
    "ttl": lambda seed: turtle_documents.document(seed, graphs=False),
    "trig": lambda seed: turtle_documents.document(seed, graphs=True),
    "rdf": rdfxml_documents.document,
    "jsonld": lambda seed: json.dumps(jsonld_documents.document(seed), indent=1),
}
