"""Catalogue files: read into a graph, whatever spells them, and written back whole."""

from cturi_rdf.catalog.errors import CatalogError
from cturi_rdf.catalog.read import read_catalog
from cturi_rdf.catalog.write import write_catalog

__all__ = ["CatalogError", "read_catalog", "write_catalog"]
