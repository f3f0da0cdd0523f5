"""The properties that lead to the bytes of a resource."""

from __future__ import annotations

__all__ = ["URLS"]

# The best first.
URLS = (
    "http://www.w3.org/ns/dcat#downloadURL",
    "http://schema.org/contentUrl",
    "https://schema.org/contentUrl",
    "http://www.w3.org/ns/dcat#accessURL",
)
