"""The resources that have pages: terms, media types, suffixes, parameters, labels and others."""

from __future__ import annotations

from functools import cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pyoxigraph as ox

from cturi_rdf._util.display import PREFIXES
from cturi_rdf.labels import resolve
from cturi_rdf.rdf.export import triples
from cturi_rdf.rdf.label_statements import known_labels, label_triples
from cturi_rdf.rdf.terms import RDFS, label_node, literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


Triple = tuple[ox.NamedNode | ox.BlankNode, ox.NamedNode, ox.NamedNode | ox.BlankNode | ox.Literal]

_DATA = Path(__file__).parents[1] / "data"
VERSIONS = _DATA / "versions"
_BASE = "https://w3id.org/cturi/"
_TYPE = "ContentType:"
# Folder -> the namespace of its terms.  Classes and individuals, whose names begin with a capital
# letter, have a folder of their own: some file systems ignore the case of letters.
TERMS = {
    "class": PREFIXES["ctv"],
    "term": PREFIXES["ctv"],
    "message-class": PREFIXES["mime"],
    "message-term": PREFIXES["mime"],
}
# Folder -> the kind of its resources, in the order of the index.
KINDS = {
    "class": "Classes and individuals of the vocabulary",
    "term": "Properties of the vocabulary",
    "message-class": "Classes for MIME messages",
    "message-term": "Properties for MIME messages",
    "media-type": "Media types",
    "suffix": "Structured syntax suffixes",
    "top-level": "Top-level types",
    "parameter": "Parameters",
    "label": "Labels",
}
# The kinds that have one page for all, since everybody can make more of them.
GATHERED = {
    "parameter": "A parameter of a media type has an IRI that ends in its name and its value. These"
    " are the parameters of character sets; every other one means what its IRI says.",
    "label": "The text of a label ends its IRI. These are the labels that the registry knows; of"
    " every other one the IRI says the text alone.",
}


def path_of(iri: str) -> str | None:
    """Return the path of the page about a resource, without an ending, or None.

    >>> path_of("ContentType:image/svg+xml"), path_of("https://w3id.org/cturi/vocab#contentType")
    ('media-type/image/svg+xml', 'term/contentType')
    >>> path_of("https://w3id.org/cturi/label/Zipped%20CSV")
    'label/Zipped CSV'
    >>> path_of("https://example.org/")
    """
    for folder, namespace in TERMS.items():
        name = iri.removeprefix(namespace)
        if name != iri and name[:1].isupper() == folder.endswith("class"):
            return f"{folder}/{name}"
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
    about = by_resource(chain(vocabulary(), triples(), _known_labels()))
    # A type that is only named by another, such as an alias, has no page of its own.
    return {iri: statements for iri, statements in about.items() if len(statements) > 1}


def _known_labels() -> Iterator[Triple]:
    """Yield what the names of formats in the registry mean."""
    for label in known_labels():
        yield from label_triples(label, resolve(label))
        yield label_node(label), RDFS.label, literal(label)


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
