"""SPARQL: running queries, the functions, and the registry as a graph.

Names are loaded on first use, because rdflib and its SPARQL engine take long to load.
"""

from typing import TYPE_CHECKING

from cturi_rdf._util.lazy import later

if TYPE_CHECKING:
    from cturi_rdf.sparql.dataset import QueryData, query_data
    from cturi_rdf.sparql.functions import register_functions, unregister_functions
    from cturi_rdf.sparql.query import ReadyMade, ready_made, run
    from cturi_rdf.sparql.registry_store import with_registry

__all__ = [
    "QueryData",
    "ReadyMade",
    "query_data",
    "ready_made",
    "register_functions",
    "run",
    "unregister_functions",
    "with_registry",
]

__getattr__ = later(
    __name__,
    {
        ".dataset": ["QueryData", "query_data"],
        ".functions": ["register_functions", "unregister_functions"],
        ".query": ["ReadyMade", "ready_made", "run"],
        ".registry_store": ["with_registry"],
    },
)
