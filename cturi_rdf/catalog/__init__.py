"""Catalogue files: read into a graph, whatever spells them, and written back whole."""

from typing import TYPE_CHECKING

from cturi_rdf.catalog.errors import CatalogError
from cturi_rdf.catalog.read import read_catalog
from cturi_rdf.later import later

if TYPE_CHECKING:
    from cturi_rdf.catalog.write import write_catalog

__all__ = ["CatalogError", "read_catalog", "write_catalog"]

__getattr__ = later(__name__, {"write_catalog": "write"})
