"""What `cturi_rdf.sparql` offers."""

from cturi_rdf.sparql.dataset import QueryData, query_data
from cturi_rdf.sparql.functions import register_functions, unregister_functions
from cturi_rdf.sparql.query import MissingStatements, ReadyMade, ready_made, run
from cturi_rdf.sparql.registry_store import with_registry

__all__ = [
    "MissingStatements",
    "QueryData",
    "ReadyMade",
    "query_data",
    "ready_made",
    "register_functions",
    "run",
    "unregister_functions",
    "with_registry",
]
