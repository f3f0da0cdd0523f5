"""The properties whose values are labels of types, and the properties that annotate them.

They are listed in ontology/properties.ttl; scripts/build_shapes.py generates the table that is read
here, and the shapes.  A property is listed by its full IRI: matching by local names would catch,
for one, the `format` of JSON Schema.
"""

from __future__ import annotations

from typing import NamedTuple

import pyoxigraph as ox

from cturi_rdf.rdf.terms import CTV
from cturi_rdf.registry.tables import load


class PropertyRecord(NamedTuple):
    """A property that carries labels, and the property of ours that annotates it."""

    property: str
    annotated_by: str


# Property -> the property that links the resource to the content type of the label.
PROPERTIES: dict[ox.NamedNode, ox.NamedNode] = {
    ox.NamedNode(record.property): ox.NamedNode(record.annotated_by)
    for record in load("properties.tsv", PropertyRecord)
}
# The properties that link a resource to the wrapper of its content: a compression, or a package.
WRAPPED_BY = {"compression": CTV.compression, "package": CTV.packaging}
# The properties that shapes look at: of labels, and of the links that annotating adds.
CHECKED = (*PROPERTIES, *sorted(set(PROPERTIES.values()), key=str), CTV.bareMediaType)
