"""The properties that lead to the bytes of a resource, or give its name."""

from __future__ import annotations

__all__ = ["DOWNLOAD_URLS", "NAMELESS", "NAMES", "URLS"]

# The best first.
DOWNLOAD_URLS = (
    "http://www.w3.org/ns/dcat#downloadURL",
    "http://schema.org/contentUrl",
    "https://schema.org/contentUrl",
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
