"""RDF/XML: property elements and property attributes with their places."""

from cturi_rdf.edits.rdfxml.locate import locate_rdfxml

__all__ = ["locate_rdfxml"]
