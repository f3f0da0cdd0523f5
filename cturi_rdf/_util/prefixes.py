"""The one table of prefixes: queries need not declare them, and output uses them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


# The first prefix of a namespace is the one that is written.
PREFIXES = {
    "ct": "ContentType:",
    "ctv": "https://w3id.org/cturi/vocab#",
    "ctf": "https://w3id.org/cturi/function#",
    "dcat": "http://www.w3.org/ns/dcat#",
    "dct": "http://purl.org/dc/terms/",
    "dcterms": "http://purl.org/dc/terms/",
    "dc": "http://purl.org/dc/elements/1.1/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "owl": "http://www.w3.org/2002/07/owl#",
    "prov": "http://www.w3.org/ns/prov#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "schema": "https://schema.org/",
    "sdo": "https://schema.org/",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "cnt": "http://www.w3.org/2011/content#",
    "nfo": "http://www.semanticdesktop.org/ontologies/2007/03/22/nfo#",
}
# The prefix of each namespace.
PREFIX_OF = {namespace: prefix for prefix, namespace in reversed(PREFIXES.items())}
# To readers both namespaces of schema.org are one.
_FOR_READERS = {**PREFIX_OF, "http://schema.org/": "schema"}


def prefixes_of(*names: str) -> dict[str, str]:
    """Return the part of the table that has these prefixes.

    >>> prefixes_of("schema")
    {'schema': 'https://schema.org/'}
    """
    return {name: PREFIXES[name] for name in names}


def shortened(iri: str, own: Mapping[str, str] | None = None) -> str:
    """Return an IRI with the prefix of the longest namespace that it begins with, or as it is.

    `own` has prefixes by their namespaces; they count before those of the table.

    >>> shortened("http://purl.org/dc/terms/format"), shortened("http://a.example/")
    ('dct:format', 'http://a.example/')
    >>> shortened("http://a.example/x", {"http://a.example/": "ex"})
    'ex:x'
    """
    prefixes = _FOR_READERS | dict(own or {})
    namespaces = [
        namespace
        for namespace in prefixes
        if namespace and namespace != PREFIXES["ct"] and iri.startswith(namespace)
    ]
    if not namespaces:
        return iri
    namespace = max(namespaces, key=len)
    return f"{prefixes[namespace]}:{iri[len(namespace) :]}"
