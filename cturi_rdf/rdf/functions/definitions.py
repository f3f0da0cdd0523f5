"""All functions by their names."""

from __future__ import annotations

from cturi_rdf.rdf.functions import comparing, knowing, naming

__all__ = ["FUNCTIONS"]

FUNCTIONS = naming.FUNCTIONS | knowing.FUNCTIONS | comparing.FUNCTIONS
