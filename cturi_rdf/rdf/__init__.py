"""Content types in RDF: nodes, descriptions, the labels of a graph, and headers back."""

from cturi_rdf.rdf.annotate import annotate
from cturi_rdf.rdf.describe import describe
from cturi_rdf.rdf.functions import register_functions, unregister_functions
from cturi_rdf.rdf.headers import headers
from cturi_rdf.rdf.nodes import mint, read
from cturi_rdf.rdf.vocab import CTV

__all__ = [
    "CTV",
    "annotate",
    "describe",
    "headers",
    "mint",
    "read",
    "register_functions",
    "unregister_functions",
]
