"""Checking a catalogue: shapes, the constraints in them, focus nodes, findings and reports."""

from cturi_rdf.check.validate import check

__all__ = ["check"]
