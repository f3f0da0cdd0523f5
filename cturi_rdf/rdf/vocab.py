"""The namespaces of the vocabulary for rdflib: a term that they do not have is an error."""

from __future__ import annotations

from rdflib.namespace import ClosedNamespace

from cturi_rdf._util.display import PREFIXES
from cturi_rdf.rdf.terms import terms_of


def _namespace(iri: str) -> ClosedNamespace:
    return ClosedNamespace(iri, [name for name, in_use in terms_of(iri).items() if in_use])


# The vocabularies of media types, and of MIME messages.
CTV = _namespace(PREFIXES["ctv"])
MIME = _namespace(PREFIXES["mime"])
