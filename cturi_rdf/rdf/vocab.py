"""The namespaces of the vocabulary for rdflib: a term that they do not have is an error."""

from rdflib.namespace import ClosedNamespace

from cturi_rdf._util.display import PREFIXES
from cturi_rdf.rdf.terms import terms_of_ours


def _namespace(prefix: str) -> ClosedNamespace:
    """Return the namespace of a prefix, with the terms that are in use today."""
    terms = terms_of_ours(prefix).items()
    return ClosedNamespace(PREFIXES[prefix], [name for name, in_use in terms if in_use])


CTV, MIME = _namespace("ctv"), _namespace("mime")
