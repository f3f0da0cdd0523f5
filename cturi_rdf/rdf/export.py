"""The registry as RDF: a concept scheme of all media types, and what shapes need beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rdflib import DCTERMS, RDF, SKOS, XSD, Graph, Literal, URIRef

from cturi_rdf.collector import paused
from cturi_rdf.labels import resolve
from cturi_rdf.labels.names import ServiceRecord
from cturi_rdf.rdf.annotate import describe_label
from cturi_rdf.rdf.background import add_type
from cturi_rdf.rdf.nodes import mint
from cturi_rdf.rdf.vocab import CTV
from cturi_rdf.registry import registry
from cturi_rdf.registry.tables import load

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["SCHEME", "export", "unlisted"]

SCHEME = URIRef("https://w3id.org/cturi/registry")
_EU = "http://publications.europa.eu/resource/authority/file-type/"
_TITLE = Literal("IANA's registry of media types", lang="en")
_LICENCE = URIRef("https://spdx.org/licenses/BSD-3-Clause")
_TYPE, _CONCEPT = RDF.type, SKOS.Concept
_IN, _TOP, _HAS_TOP = SKOS.inScheme, SKOS.topConceptOf, SKOS.hasTopConcept
_NAME, _NOTATION = SKOS.prefLabel, SKOS.notation


def export(graph: Graph | None = None) -> Graph:
    """Return `graph`, or a new one, with the whole registry as of its snapshot.

    Every type that IANA lists is a concept of `SCHEME`; other names that are in use for types,
    and types that are in use without registration, are described too, but are no members.
    Merged into a catalogue it is what our shapes, and `sh:class dct:MediaType`, need.

    >>> graph = export()
    >>> (mint("text/csv"), SKOS.inScheme, SCHEME) in graph
    True
    """
    graph = Graph() if graph is None else graph
    for prefix, namespace in (("ctv", CTV), ("dct", DCTERMS), ("skos", SKOS)):
        graph.bind(prefix, namespace, override=False)
    known = registry()
    with paused():
        graph.add((SCHEME, _TYPE, SKOS.ConceptScheme))
        graph.add((SCHEME, DCTERMS.title, _TITLE))
        graph.add((SCHEME, DCTERMS.license, _LICENCE))
        graph.add((SCHEME, DCTERMS.source, URIRef("https://www.iana.org/assignments/media-types")))
        graph.add((SCHEME, DCTERMS.modified, Literal(known.date, datatype=XSD.date)))
        listed = dict.fromkeys(each.essence for each in known.media_types())
        for essence in listed:
            add_type(essence, graph)
            _add_concept(essence, graph)
        for essence in dict.fromkeys(unlisted()):
            if essence not in listed:
                add_type(essence, graph)
        for text in dict.fromkeys(_services()):
            describe_label(text, resolve(text), graph)
    return graph


def _add_concept(essence: str, graph: Graph) -> None:
    node, name = mint(essence), Literal(essence)
    graph.add((node, _TYPE, _CONCEPT))
    graph.add((node, _IN, SCHEME))
    graph.add((node, _NAME, name))
    graph.add((node, _NOTATION, name))
    if (node, SKOS.broader, None) not in graph:
        graph.add((node, _TOP, SCHEME))
        graph.add((SCHEME, _HAS_TOP, node))


def unlisted() -> Iterator[str]:
    """Yield the types that the tables know and IANA may not list."""
    known = registry()
    for alias in known.alias_records():
        yield alias.alias
        yield alias.essence
    for extension in known.extensions():
        yield from extension.types


def _services() -> Iterator[str]:
    """Yield the labels that name services."""
    records: Iterable[ServiceRecord] = load("labels/services.tsv", ServiceRecord)
    for record in records:
        yield from record.names
    for file_type in registry().eu_file_types():
        if file_type.service:
            yield _EU + file_type.code
