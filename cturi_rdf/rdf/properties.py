"""The properties whose values are labels of types, and what such a label says.

One row a property, by its full IRI: matching by local names would catch, for one, the
`format` of JSON Schema.
"""

from __future__ import annotations

import pyoxigraph as ox

from cturi_rdf.rdf.terms import CTV

__all__ = ["CONTENT", "PROPERTIES"]

# Property -> how the resource is linked to the content type that the label names.
PROPERTIES: dict[ox.NamedNode, ox.NamedNode] = {
    ox.NamedNode(iri): link
    for link, iris in (
        (
            # The label is about the representation of the resource itself.
            CTV.contentType,
            (
                "http://www.w3.org/ns/dcat#mediaType",
                "http://purl.org/dc/terms/format",
                "http://purl.org/dc/elements/1.1/format",
                "http://schema.org/encodingFormat",
                "https://schema.org/encodingFormat",
                "http://schema.org/fileFormat",
                "https://schema.org/fileFormat",
                "https://www.w3.org/ns/activitystreams#mediaType",
                "http://www.ebu.ch/metadata/ontologies/ebucore/ebucore#hasMimeType",
                "http://www.semanticdesktop.org/ontologies/2007/01/19/nie#mimeType",
                "http://tracker.api.gnome.org/ontology/v3/nie#mimeType",
                "https://ontology.unifiedcyberontology.org/uco/observable/mimeType",
                "https://www.w3.org/2019/wot/hypermedia#forContentType",
            ),
        ),
        (CTV.compression, ("http://www.w3.org/ns/dcat#compressFormat",)),
        (CTV.packaging, ("http://www.w3.org/ns/dcat#packageFormat",)),
        (
            # The label is about something else: what a service takes and gives, what a
            # transformation makes, the data dictionary.
            CTV.relatedContentType,
            (
                "https://project-open-data.cio.gov/v1.1/schema#describedByType",
                "http://www.w3.org/ns/csvw#targetFormat",
                "http://www.w3.org/ns/csvw#scriptFormat",
                "http://www.w3.org/ns/sparql-service-description#inputFormat",
                "http://www.w3.org/ns/sparql-service-description#resultFormat",
            ),
        ),
    )
    for iri in iris
}
# The properties that say what a resource is sent as, in the order of the table.
CONTENT = tuple(each for each, link in PROPERTIES.items() if link == CTV.contentType)
