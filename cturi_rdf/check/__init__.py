"""Checking a catalogue: shapes, the constraints in them, focus nodes, findings and reports."""

from cturi_rdf.check.validate import check, check_file

__all__ = ["check", "check_file"]
