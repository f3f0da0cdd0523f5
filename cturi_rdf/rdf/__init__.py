"""Content types in RDF: nodes, descriptions, the labels of a graph, and headers back."""

from cturi_rdf.rdf.annotate import annotate
from cturi_rdf.rdf.describe import describe
from cturi_rdf.rdf.formats import best_format, rdflib_format
from cturi_rdf.rdf.functions import register_functions, unregister_functions
from cturi_rdf.rdf.headers import headers
from cturi_rdf.rdf.nodes import mint, read
from cturi_rdf.rdf.virtual import with_registry
from cturi_rdf.rdf.vocab import CTV

__all__ = [
    "CTV",
    "annotate",
    "best_format",
    "describe",
    "headers",
    "mint",
    "rdflib_format",
    "read",
    "register_functions",
    "unregister_functions",
    "with_registry",
]
