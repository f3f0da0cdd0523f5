"""The vocabulary of SHACL and the names of our shapes."""

from __future__ import annotations

from pathlib import Path

from cturi_rdf.rdf.terms import Vocabulary

__all__ = ["CTVS", "PROFILES", "SH", "SHAPES_FILE"]

SH = Vocabulary("http://www.w3.org/ns/shacl#")
CTVS = Vocabulary("https://w3id.org/cturi/shapes#")
SHAPES_FILE = Path(__file__).parents[1] / "data" / "catalogue-shapes.nt"
# What the names of the rules of metadata profiles begin with.
PROFILES = "https://w3id.org/cturi/profile/"
