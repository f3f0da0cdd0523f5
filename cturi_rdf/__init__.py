"""Media types as linked data: any Content-Type to a ``ContentType:`` URI and back."""

from __future__ import annotations

from cturi_rdf.content_type import ContentType, Recovered
from cturi_rdf.errors import ContentTypeError, CturiError, MappingError
from cturi_rdf.uri.mapping import from_uri, node, to_uri

__all__ = [
    "ContentType",
    "ContentTypeError",
    "CturiError",
    "MappingError",
    "Recovered",
    "from_uri",
    "node",
    "to_uri",
]

__version__ = "0.1.0"
