"""Content types in RDF: nodes, descriptions, the labels of a graph, and headers back.

What not everybody needs is loaded when it is asked for, above all what needs a SPARQL engine:
it takes longer to load than all the rest.
"""

from typing import TYPE_CHECKING

from cturi_rdf._util.lazy import later
from cturi_rdf.rdf.annotate import annotate
from cturi_rdf.rdf.describe import describe
from cturi_rdf.rdf.headers import headers
from cturi_rdf.rdf.nodes import mint, read
from cturi_rdf.rdf.vocab import CTV

if TYPE_CHECKING:
    from cturi_rdf.rdf.formats import best_format, rdflib_format, register_formats
    from cturi_rdf.sparql.functions import register_functions, unregister_functions
    from cturi_rdf.sparql.registry_store import with_registry

__all__ = [
    "CTV",
    "annotate",
    "best_format",
    "describe",
    "headers",
    "mint",
    "rdflib_format",
    "read",
    "register_formats",
    "register_functions",
    "unregister_functions",
    "with_registry",
]

__getattr__ = later(
    __name__,
    {
        "best_format": ".formats",
        "rdflib_format": ".formats",
        "register_formats": ".formats",
        "register_functions": "cturi_rdf.sparql.functions",
        "unregister_functions": "cturi_rdf.sparql.functions",
        "with_registry": "cturi_rdf.sparql.registry_store",
    },
)
