"""JSON-LD and Project Open Data: the values of members with their places."""

from cturi_rdf.editing.json.locate import JsonDocument

__all__ = ["JsonDocument"]
