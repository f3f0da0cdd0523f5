"""SPARQL: running queries, the functions, and the registry as a graph.

Names are loaded on first use, because rdflib and its SPARQL engine take long to load.
"""

from typing import TYPE_CHECKING

from cturi_rdf._util.lazy import later

if TYPE_CHECKING:
    from cturi_rdf.sparql.public import *  # noqa: F403
else:
    __getattr__ = later("cturi_rdf.sparql.public")
