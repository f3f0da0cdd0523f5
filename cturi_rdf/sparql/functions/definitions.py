"""All functions by their names."""

from __future__ import annotations

from cturi_rdf.sparql.functions import facts, matching, parts

__all__ = ["FUNCTIONS"]

FUNCTIONS = parts.FUNCTIONS | facts.FUNCTIONS | matching.FUNCTIONS
