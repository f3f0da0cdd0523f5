"""What `cturi_rdf.reading` offers."""

from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.reading.options import ReadOptions
from cturi_rdf.reading.rdflib_graphs import read_catalog, write_catalog

__all__ = ["CatalogError", "ReadOptions", "read_catalog", "write_catalog"]
