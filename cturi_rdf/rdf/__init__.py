"""Content types in RDF: nodes, descriptions, the labels of a graph, and headers back.

Names are loaded on first use, because rdflib and its SPARQL engine take long to load.
"""

from typing import TYPE_CHECKING

from cturi_rdf._util.lazy import later

if TYPE_CHECKING:
    from cturi_rdf.rdf.public import *  # noqa: F403
else:
    __getattr__ = later("cturi_rdf.rdf.public")
