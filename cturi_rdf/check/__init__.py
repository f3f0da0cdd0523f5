"""Checking a catalogue: its statements about types, by shapes and by the profile."""

from typing import TYPE_CHECKING

from cturi_rdf._util.lazy import later

if TYPE_CHECKING:
    from cturi_rdf.check.validate import check, check_file
else:
    __getattr__ = later("cturi_rdf.check.validate")

__all__ = ["check", "check_file"]
