"""URIs: the mapping of content types (draft-eastlake-cturi), RFC 3986 and RFC 2392.

RFC 2392 is loaded on demand, because its expressions take long to compile.
"""

from cturi_rdf.uri.rfc2392 import (
    ContentID,
    MessageID,
    RecoveredID,
    RecoveredReference,
    Reference,
)

__all__ = ["ContentID", "MessageID", "RecoveredID", "RecoveredReference", "Reference"]
