"""Files: their formats and compression, reading by Oxigraph, writing whole or not at all.

What needs rdflib is loaded on first use.
"""

from typing import TYPE_CHECKING

from cturi_rdf._util.lazy import later

if TYPE_CHECKING:
    from cturi_rdf.reading.rdflib_graphs import *  # noqa: F403
else:
    __getattr__ = later("cturi_rdf.reading.rdflib_graphs")
