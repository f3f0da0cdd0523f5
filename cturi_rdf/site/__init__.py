"""The site behind https://w3id.org/cturi/: static files, and the redirects of w3id.org to them."""

from cturi_rdf.site.pages import write_site

__all__ = ["write_site"]
