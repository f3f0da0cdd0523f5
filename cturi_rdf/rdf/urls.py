"""The properties that lead to the bytes of a resource."""

from __future__ import annotations

__all__ = ["DOWNLOAD_URLS", "URLS"]

# The best first.
DOWNLOAD_URLS = (
    "http://www.w3.org/ns/dcat#downloadURL",
    "http://schema.org/contentUrl",
    "https://schema.org/contentUrl",
)
# What an access URL leads to may be a page about the bytes.
URLS = (*DOWNLOAD_URLS, "http://www.w3.org/ns/dcat#accessURL")
