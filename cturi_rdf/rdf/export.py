"""The registry as RDF: a concept scheme of all media types, and what shapes need beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyoxigraph as ox

from cturi_rdf._util.gc import paused
from cturi_rdf._util.prefixes import prefixes_of
from cturi_rdf.labels import resolve
from cturi_rdf.labels.lexicon import service_names
from cturi_rdf.rdf.background import eu_file_type, of_type
from cturi_rdf.rdf.description import in_rdflib, of_parameter
from cturi_rdf.rdf.label_statements import label_triples
from cturi_rdf.rdf.terms import (
    DCTERMS,
    RDF,
    RDFS,
    SKOS,
    XSD,
    label_node,
    literal,
    mint,
    parameter_node,
)
from cturi_rdf.registry import registry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rdflib import Graph

    from cturi_rdf.io.formats import Format
    from cturi_rdf.rdf.terms import Triple

__all__ = ["PREFIXES", "SCHEME", "export", "of_scheme", "serialise", "triples", "unlisted"]

SCHEME = ox.NamedNode("https://w3id.org/cturi/registry")
PREFIXES = prefixes_of("ctv", "dct", "owl", "rdf", "rdfs", "skos", "xsd")
_EU = "http://publications.europa.eu/resource/authority/file-type/"
# What is stated of the scheme, beside its date.
_SCHEME_FACTS = (
    (RDF.type, SKOS.ConceptScheme),
    (RDFS.label, ox.Literal("IANA's registry of media types", language="en")),
    (DCTERMS.title, ox.Literal("IANA's registry of media types", language="en")),
    (
        DCTERMS.description,
        ox.Literal(
            "All media types that IANA lists, with other names that are in use, what each type"
            " implies, and the IRIs that other vocabularies have for it.",
            language="en",
        ),
    ),
    (DCTERMS.creator, ox.NamedNode("https://github.com/cturi-rdf")),
    (DCTERMS.license, ox.NamedNode("https://spdx.org/licenses/BSD-3-Clause")),
    (DCTERMS.source, ox.NamedNode("https://www.iana.org/assignments/media-types")),
)
_VERSION = ox.NamedNode("http://www.w3.org/2002/07/owl#versionInfo")
_TYPE, _CONCEPT = RDF.type, SKOS.Concept
_IN, _TOP, _HAS_TOP = SKOS.inScheme, SKOS.topConceptOf, SKOS.hasTopConcept
_NAME, _NOTATION, _BROADER = SKOS.prefLabel, SKOS.notation, SKOS.broader


def export(graph: Graph | None = None) -> Graph:
    """Return `graph`, or a new one, with the whole registry.

    >>> from rdflib import SKOS, URIRef
    >>> graph = export()
    >>> (URIRef("ContentType:text/csv"), SKOS.inScheme, URIRef(SCHEME.value)) in graph
    True
    """
    from rdflib import Graph  # noqa: PLC0415 - loaded for graphs of rdflib only

    graph = Graph() if graph is None else graph
    for prefix, namespace in PREFIXES.items():
        graph.bind(prefix, namespace, override=False)
    with paused():
        for triple in triples():
            graph.add(in_rdflib(triple))
    return graph


def triples() -> Iterator[Triple]:
    """Yield the whole registry, some triples more than once.

    Every type that IANA lists is a concept of `SCHEME`; other names that are in use for types,
    and types that are in use without registration, are described too, but are no members, and so
    are all names of character sets.  Every node of ours has a label.
    Merged into a catalogue it is what our shapes, and `sh:class dct:MediaType`, need.
    """
    snapshot = registry()
    yield from of_scheme()
    listed = dict.fromkeys(record.essence for record in snapshot.media_types())
    for essence in listed:
        yield from _concept(essence)
    for essence in dict.fromkeys(unlisted()):
        if essence not in listed:
            yield from of_type(essence)
    for name in snapshot.charset_names():
        yield from of_parameter("charset", name)
        yield parameter_node("charset", name), RDFS.label, literal(f"charset={name}")
    for file_type in snapshot.eu_file_types():
        yield from eu_file_type(file_type)
    for label in dict.fromkeys(_services()):
        yield from label_triples(label, resolve(label))
        yield label_node(label), RDFS.label, literal(label)


def of_scheme() -> Iterator[Triple]:
    """Yield what describes the registry as a whole.

    >>> DCTERMS.title in {predicate for _, predicate, _ in of_scheme()}
    True
    """
    for predicate, value in _SCHEME_FACTS:
        yield SCHEME, predicate, value
    date = registry().date
    yield SCHEME, DCTERMS.modified, ox.Literal(date, datatype=XSD.date)
    yield SCHEME, _VERSION, literal(date)


def serialise(form: Format) -> bytes:
    """Return the whole registry in a format.

    >>> from cturi_rdf.io.formats import format_named
    >>> start = b"<ContentType:text/csv> <http://www.w3.org/2000/01/rdf-schema#label>"
    >>> start in serialise(format_named("nt"))
    True
    """
    with paused():
        quads = (ox.Quad(*triple) for triple in _by_subject())
        written = ox.serialize(quads, format=form.oxigraph, prefixes=PREFIXES)
    return written or b""


def _by_subject() -> Iterator[Triple]:
    """Yield all triples without repetition, grouped by subject."""
    sections: dict[ox.NamedNode, dict[Triple, None]] = {}
    for triple in triples():
        sections.setdefault(triple[0], {})[triple] = None
    for section in sections.values():
        yield from section


def _concept(essence: str) -> Iterator[Triple]:
    node, name, facts = mint(essence), literal(essence), tuple(of_type(essence))
    yield from facts
    yield node, _TYPE, _CONCEPT
    yield node, _IN, SCHEME
    yield node, _NAME, name
    yield node, _NOTATION, name
    if _BROADER not in {path for _, path, _ in facts}:
        yield node, _TOP, SCHEME
        yield SCHEME, _HAS_TOP, node


def unlisted() -> Iterator[str]:
    """Yield the types in our tables that IANA may not list."""
    snapshot = registry()
    for alias in snapshot.alias_records():
        yield alias.alias
        yield alias.essence
    for extension in snapshot.extensions():
        yield from extension.types


def _services() -> Iterator[str]:
    """Yield the labels that name services."""
    yield from service_names()
    for file_type in registry().eu_file_types():
        if file_type.service:
            yield _EU + file_type.code
