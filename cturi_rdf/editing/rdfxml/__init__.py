"""RDF/XML: property elements and property attributes with their places."""

from cturi_rdf.editing.rdfxml.locate import XmlDocument

__all__ = ["XmlDocument"]
