"""The registry: the facts about media types, as of a dated snapshot.

`registry` returns the snapshot.  `cturi_rdf.registry.schemes` has the identifiers of
media types in other schemes, `cturi_rdf.registry.iana` brings the snapshot up to date.
"""

from __future__ import annotations

from cturi_rdf.registry.snapshot import Registry, registry, user_data
from cturi_rdf.registry.tables import (
    AliasRecord,
    CharsetRecord,
    CoapContentFormatRecord,
    EuFileTypeRecord,
    ExtensionRecord,
    FormatRecord,
    MediaTypeRecord,
    PackageRecord,
    SubTypeRecord,
    SuffixRecord,
)

__all__ = [
    "AliasRecord", "CharsetRecord", "CoapContentFormatRecord", "EuFileTypeRecord",
    "ExtensionRecord", "FormatRecord", "MediaTypeRecord", "PackageRecord", "Registry",
    "SubTypeRecord", "SuffixRecord", "registry", "user_data",
]  # fmt: skip
