"""What `cturi_rdf.rdf` offers, and content types as nodes of rdflib."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from rdflib import URIRef

from cturi_rdf.catalogue.graph_changes import annotate
from cturi_rdf.catalogue.graphs import headers
from cturi_rdf.rdf.description import describe
from cturi_rdf.rdf.formats import (
    RdfFormat,
    best_format,
    rdf_format,
    rdflib_format,
    register_formats,
    representations,
)
from cturi_rdf.rdf.vocab import CTV, MIME
from cturi_rdf.sparql.functions import register_functions, unregister_functions
from cturi_rdf.sparql.registry_store import with_registry
from cturi_rdf.uri.mapping import from_uri, node

if TYPE_CHECKING:
    from cturi_rdf.content_type import ContentType
    from cturi_rdf.uri.mapping import Control

__all__ = [
    "CTV",
    "MIME",
    "RdfFormat",
    "annotate",
    "best_format",
    "describe",
    "headers",
    "mint",
    "rdf_format",
    "rdflib_format",
    "read",
    "register_formats",
    "register_functions",
    "representations",
    "unregister_functions",
    "with_registry",
]


@lru_cache(8_192)
def mint(content_type: ContentType | str, *, control: Control = "honour") -> URIRef:
    """Return the node of a content type, given as a value or a header.

    A type that stands for a URI has that URI as its node, or with ``control="ignore"`` one of the
    scheme ContentType, see `cturi_rdf.node`.  Raises `MappingError` for an invalid header.

    >>> mint("text/csv; header=present")
    rdflib.term.URIRef('ContentType:text/csv?header=%22present%22')
    """
    return URIRef(node(content_type, control=control))


@lru_cache(8_192)
def read(term: str) -> ContentType:
    """Return the content type of a node, in either spelling.

    Raises `MappingError` for anything but an absolute IRI.

    >>> read(URIRef("ContentType:text/csv?header=%22present%22"))
    ContentType.parse('text/csv; header=present')
    """
    return from_uri(str(term))
