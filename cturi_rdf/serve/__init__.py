"""The registry, the labels and catalogues as a web server: SPARQL, JSON, pages.

It needs the extra `serve`.  `application` makes an ASGI application; `cturi serve` runs it.
"""

from cturi_rdf.serve.app import application
from cturi_rdf.serve.settings import Settings

__all__ = ["Settings", "application"]
