"""Content types in RDF: nodes, descriptions, the labels of a graph, and headers back.

Names are loaded on first use, because rdflib and its SPARQL engine take long to load.
"""

from typing import TYPE_CHECKING

from cturi_rdf._util.lazy import later

if TYPE_CHECKING:
    from cturi_rdf.rdf.annotation import annotate
    from cturi_rdf.rdf.description import describe
    from cturi_rdf.rdf.formats import (
        best_format,
        rdflib_format,
        register_formats,
        representations,
    )
    from cturi_rdf.rdf.graph_headers import headers
    from cturi_rdf.rdf.nodes import mint, read
    from cturi_rdf.rdf.reading import RdfFormat, rdf_format
    from cturi_rdf.rdf.vocab import CTV
    from cturi_rdf.sparql.functions import register_functions, unregister_functions
    from cturi_rdf.sparql.registry_store import with_registry

__all__ = [
    "CTV",
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

__getattr__ = later(
    __name__,
    {
        ".annotation": ["annotate"],
        ".description": ["describe"],
        ".formats": ["best_format", "rdflib_format", "register_formats", "representations"],
        ".graph_headers": ["headers"],
        ".nodes": ["mint", "read"],
        ".reading": ["RdfFormat", "rdf_format"],
        ".vocab": ["CTV"],
        "cturi_rdf.sparql.functions": ["register_functions", "unregister_functions"],
        "cturi_rdf.sparql.registry_store": ["with_registry"],
    },
)
