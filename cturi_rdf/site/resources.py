"""The resources that have pages: terms, media types, suffixes, parameters, labels and others."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pyoxigraph as ox

from cturi_rdf.rdf.export import triples
from cturi_rdf.rdf.terms import CTV, RDFS

if TYPE_CHECKING:
    from collections.abc import Iterable


Triple = tuple[ox.NamedNode | ox.BlankNode, ox.NamedNode, ox.NamedNode | ox.BlankNode | ox.Literal]

_DATA = Path(__file__).parents[1] / "data"
VERSIONS = _DATA / "versions"
_BASE = "https://w3id.org/cturi/"
_TERM, _TYPE = str(CTV), "ContentType:"
# Folder -> the kind of its resources, in the order of the index.
KINDS = {
    "term": "Terms of the vocabulary",
    "media-type": "Media types",
    "suffix": "Structured syntax suffixes",
    "top-level": "Top-level types",
    "parameter": "Parameters",
    "label": "Labels",
}


def path_of(iri: str) -> str | None:
    """Return the path of the page about a resource, without an ending, or None.

    >>> path_of("ContentType:image/svg+xml"), path_of("https://w3id.org/cturi/vocab#contentType")
    ('media-type/image/svg+xml', 'term/contentType')
    >>> path_of("https://w3id.org/cturi/label/Zipped%20CSV")
    'label/Zipped CSV'
    >>> path_of("https://example.org/")
    """
    if iri.startswith(_TERM):
        return f"term/{iri.removeprefix(_TERM)}"
    if iri.startswith(_TYPE) and not {"?", "#", "%"} & set(iri):
        return f"media-type/{iri.removeprefix(_TYPE)}"
    folder, slash, name = iri.removeprefix(_BASE).partition("/")
    if iri.startswith(_BASE) and slash and folder in KINDS:
        return f"{folder}/{unquote(name)}"
    return None


@cache
def vocabulary() -> tuple[Triple, ...]:
    """Return the published vocabulary with its labels and definitions in four languages."""
    quads = ox.parse(path=str(_DATA / "vocabulary.nt"), format=ox.RdfFormat.N_TRIPLES)
    return tuple(quad.triple for quad in quads)


def resources() -> dict[str, list[Triple]]:
    """Return the statements about each resource with a page, by its IRI, in the order of IRIs."""
    about = by_resource((*vocabulary(), *triples()))
    # A type that is only named by another, such as an alias, has no page of its own.
    return {iri: statements for iri, statements in about.items() if len(statements) > 1}


def by_resource(statements: Iterable[Triple]) -> dict[str, list[Triple]]:
    """Return the statements about each resource that may have a page, by its IRI, each once."""
    by_iri: dict[str, dict[Triple, None]] = {}
    for triple in statements:
        subject = triple[0]
        if isinstance(subject, ox.NamedNode) and path_of(subject.value):
            by_iri.setdefault(subject.value, {})[triple] = None
    return {iri: list(by_iri[iri]) for iri in sorted(by_iri)}


def label_of(iri: str, statements: Iterable[Triple]) -> str:
    """Return the English label of a resource, or the end of its IRI."""
    return english(statements, RDFS.label) or (path_of(iri) or iri).partition("/")[2]


def english(statements: Iterable[Triple], predicate: ox.NamedNode) -> str:
    """Return the first English value of a property, or an empty text."""
    for _, path, value in statements:
        if path == predicate and isinstance(value, ox.Literal) and value.language in {None, "en"}:
            return value.value
    return ""
