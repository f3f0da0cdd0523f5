"""The properties that lead to the bytes of a resource, give its name, or tell how it is read."""

from __future__ import annotations

import pyoxigraph as ox

# The best first.  What an ActivityStreams Link says is about what its `href` leads to
# (Activity Vocabulary, section 4, "href").
DOWNLOAD_URLS = (
    "http://www.w3.org/ns/dcat#downloadURL",
    "http://schema.org/contentUrl",
    "https://schema.org/contentUrl",
    "https://www.w3.org/ns/activitystreams#href",
)
# An access URL may lead to a page about the file.
URLS = (*DOWNLOAD_URLS, "http://www.w3.org/ns/dcat#accessURL")
# Properties that identify a blank node for a reader; its label may change with each reading.
NAMES = (
    *URLS,
    "http://purl.org/dc/terms/title",
    "http://schema.org/name",
    "https://schema.org/name",
)
NAMELESS = "without a name"
# The character set of a distribution, which no IRI of a media type has: GeoDCAT-AP 2.0.0,
# "character encoding".
CHARSET = ox.NamedNode("http://www.w3.org/2011/content#characterEncoding")
# The classes of resources that may have many formats, which is then no conflict.
MANY_FORMATS = frozenset(
    {
        "http://www.w3.org/ns/dcat#DataService",
        "http://www.w3.org/ns/dcat#Dataset",
        "http://www.w3.org/ns/dcat#DatasetSeries",
        "http://www.w3.org/ns/dcat#Catalog",
        "http://schema.org/Dataset",
        "https://schema.org/Dataset",
        "http://schema.org/DataCatalog",
        "https://schema.org/DataCatalog",
        "http://rdfs.org/ns/void#Dataset",
        "http://www.w3.org/ns/sparql-service-description#Service",
    }
)
