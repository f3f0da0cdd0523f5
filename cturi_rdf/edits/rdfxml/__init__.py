"""RDF/XML: property elements and property attributes with their places."""

from cturi_rdf.edits.rdfxml.locate import XmlDocument

__all__ = ["XmlDocument"]
