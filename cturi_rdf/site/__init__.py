"""The site behind https://w3id.org/cturi/: static files, one page a resource, in three formats."""

from cturi_rdf.site.write import write_site

__all__ = ["write_site"]
