"""Shapes: ours as rules for all focus nodes at once, and those of others run by pySHACL.

Here are the vocabulary of SHACL and the names of our shapes.
"""

from __future__ import annotations

import os.path

from cturi_rdf.rdf.terms import Vocabulary
from cturi_rdf.registry.tables import DATA

SH = Vocabulary("http://www.w3.org/ns/shacl#")
CTVS = Vocabulary("https://w3id.org/cturi/shapes#")
SHAPES_FILE = os.path.join(DATA, "catalogue-shapes.nt")  # noqa: PTH118 - pathlib is slow to import
# The beginning of the names of the rules of metadata profiles.
PROFILES = "https://w3id.org/cturi/profile/"
