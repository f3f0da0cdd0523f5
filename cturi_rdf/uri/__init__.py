"""URIs: the mapping of content types (draft-eastlake-cturi), RFC 3986 and RFC 2392.

RFC 2392 is loaded on demand, because its expressions take long to compile.
"""

from typing import TYPE_CHECKING

from cturi_rdf._util.lazy import later

if TYPE_CHECKING:
    from cturi_rdf.uri.rfc2392 import *  # noqa: F403
else:
    __getattr__ = later("cturi_rdf.uri.rfc2392")
