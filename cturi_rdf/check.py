"""Checking a catalogue: its statements about types, by shapes and by the profile."""

from cturi_rdf.catalogue.check import check, check_file

__all__ = ["check", "check_file"]
