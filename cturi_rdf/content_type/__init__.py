"""The value of a Content-Type header: its grammar, and its strict and lenient readings."""

from cturi_rdf.content_type.value import ContentType, Recovered

__all__ = ["ContentType", "Recovered"]
