"""All of RFC 7303: kinds of XML entities, encoding, conversion, transport and fragments.

Names are loaded on first use, because most users need only a part.
"""

from typing import TYPE_CHECKING

from cturi_rdf._util.lazy import later

if TYPE_CHECKING:
    from cturi_rdf.xml.public import *  # noqa: F403
else:
    __getattr__ = later("cturi_rdf.xml.public")
