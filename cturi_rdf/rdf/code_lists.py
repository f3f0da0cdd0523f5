"""The media types of IANA and the file types of the EU as class members, for any SHACL validator.

The shapes of DCAT-AP check the class of these IRIs, which no published RDF gives.  Loaded beside a
catalogue, these triples let every correct IRI pass, and nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyoxigraph as ox

from cturi_rdf.rdf.background import eu_file_type
from cturi_rdf.rdf.terms import DCTERMS, RDF, RDFS, literal
from cturi_rdf.registry import registry
from cturi_rdf.registry.schemes import identifiers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cturi_rdf.rdf.terms import Triple

__all__ = ["eu_file_types", "iana_media_types"]

_SCHEMES = frozenset({"iana-https", "iana-http"})


def iana_media_types() -> Iterator[Triple]:
    """Yield the class and the name of IANA's IRI of each media type, with https and with http.

    >>> iri = ox.NamedNode("https://www.iana.org/assignments/media-types/text/csv")
    >>> (iri, RDF.type, DCTERMS.MediaType) in iana_media_types()
    True
    """
    for record in registry().media_types():
        for identifier in identifiers(record.essence):
            if identifier.scheme in _SCHEMES:
                iri = ox.NamedNode(identifier.iri)
                yield iri, RDF.type, DCTERMS.MediaType
                yield iri, RDF.type, DCTERMS.MediaTypeOrExtent
                yield iri, RDFS.label, literal(record.essence)


def eu_file_types() -> Iterator[Triple]:
    """Yield the class and the scheme of each file type of the EU; some are deprecated.

    >>> base = "http://publications.europa.eu/resource/authority/file-type"
    >>> len({iri for iri, _, _ in eu_file_types() if iri.value.startswith(base)}) > 200
    True
    """
    for record in registry().eu_file_types():
        yield from eu_file_type(record)
