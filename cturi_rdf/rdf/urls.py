"""The properties that lead to the bytes of a resource, or tell what it is called."""

from __future__ import annotations

__all__ = ["DOWNLOAD_URLS", "NAMELESS", "NAMES", "URLS"]

# The best first.
DOWNLOAD_URLS = (
    "http://www.w3.org/ns/dcat#downloadURL",
    "http://schema.org/contentUrl",
    "https://schema.org/contentUrl",
)
# What an access URL leads to may be a page about the bytes.
URLS = (*DOWNLOAD_URLS, "http://www.w3.org/ns/dcat#accessURL")
# What a reader knows a blank node by, whose own label may be another one in each reading.
NAMES = (
    *URLS,
    "http://purl.org/dc/terms/title",
    "http://schema.org/name",
    "https://schema.org/name",
)
NAMELESS = "without a name"
