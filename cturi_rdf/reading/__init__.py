"""Files: their formats and compression, reading by Oxigraph, writing whole or not at all.

What needs rdflib is loaded on first use.
"""

from typing import TYPE_CHECKING

from cturi_rdf._util.lazy import later
from cturi_rdf.reading.errors import CatalogError

if TYPE_CHECKING:
    from cturi_rdf.reading.rdflib_graphs import read_catalog
    from cturi_rdf.reading.write import write_catalog

__all__ = ["CatalogError", "read_catalog", "write_catalog"]

__getattr__ = later(__name__, {".rdflib_graphs": ["read_catalog"], ".write": ["write_catalog"]})
