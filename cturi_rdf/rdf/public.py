"""What `cturi_rdf.rdf` offers."""

from cturi_rdf.catalogue.graph_changes import annotate
from cturi_rdf.catalogue.graphs import headers
from cturi_rdf.rdf.description import describe
from cturi_rdf.rdf.formats import (
    best_format,
    rdflib_format,
    register_formats,
    representations,
)
from cturi_rdf.rdf.nodes import mint, read
from cturi_rdf.rdf.reading import RdfFormat, rdf_format
from cturi_rdf.rdf.vocab import CTV, MIME
from cturi_rdf.sparql.functions import register_functions, unregister_functions
from cturi_rdf.sparql.registry_store import with_registry

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
