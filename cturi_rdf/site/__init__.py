"""The site behind https://w3id.org/cturi/: one static page per resource, in three formats."""

from cturi_rdf.site.write import write_site

__all__ = ["write_site"]
