"""RFC 7303, whole: kinds of XML entities, encoding, conversion, transport and fragments.

Many callers need only the facts that the name of a type tells, so the modules that read entities
are loaded on first use.
"""

from typing import TYPE_CHECKING

from cturi_rdf._util.lazy import later

if TYPE_CHECKING:
    from cturi_rdf.xml.public import *  # noqa: F403
else:
    __getattr__ = later("cturi_rdf.xml.public")
