"""Catalogues: what a resource is, what its statements mean together, and what follows from it.

Names are loaded on first use, because each command needs only a few.
"""

from typing import TYPE_CHECKING

from cturi_rdf._util.lazy import later

if TYPE_CHECKING:
    from cturi_rdf.catalogue.public import *  # noqa: F403
else:
    __getattr__ = later("cturi_rdf.catalogue.public")
