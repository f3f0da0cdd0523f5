"""The registry, the labels and catalogues as a web server: SPARQL, JSON, pages.

It needs the extra `serve`.  `application` makes an ASGI application; `cturi serve` runs it.
"""

from cturi_rdf._util.lazy import import_extra

import_extra("starlette", "serve")

from cturi_rdf.serve.app import Settings, application  # noqa: E402

__all__ = ["Settings", "application"]
