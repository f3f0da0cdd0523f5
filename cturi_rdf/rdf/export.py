"""The registry as RDF: a concept scheme of all media types, and further facts that shapes need."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING

import pyoxigraph as ox

from cturi_rdf._util.display import prefixes_of
from cturi_rdf.labels import resolve
from cturi_rdf.labels.names import service_names
from cturi_rdf.rdf.background import EU_FILE_TYPES, eu_file_types, of_type
from cturi_rdf.rdf.description import arranged, in_rdflib, of_parameter, of_suffix
from cturi_rdf.rdf.label_statements import label_triples
from cturi_rdf.rdf.provenance import SCHEME, about_registry, source_node, source_of
from cturi_rdf.rdf.terms import RDF, RDFS, SKOS, label_node, literal, mint, parameter_node
from cturi_rdf.registry import registry
from cturi_rdf.registry.records import sources

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rdflib import Graph

    from cturi_rdf.rdf.terms import Triple
    from cturi_rdf.reading.formats import Format


PREFIXES = prefixes_of("ctv", "dcat", "dct", "owl", "prov", "rdf", "rdfs", "skos", "xsd")


def export(graph: Graph | None = None) -> Graph:
    """Return `graph`, or a new one, with the whole registry.

    >>> from rdflib import SKOS, URIRef
    >>> graph = export()
    >>> (URIRef("ContentType:text/csv"), SKOS.inScheme, URIRef(SCHEME.value)) in graph
    True
    """
    from rdflib import Graph

    graph = Graph() if graph is None else graph
    for prefix, namespace in PREFIXES.items():
        graph.bind(prefix, namespace, override=False)
    for triple in triples():
        graph.add(in_rdflib(triple))
    return graph


def triples() -> Iterator[Triple]:
    """Yield the whole registry, some triples more than once.

    Every type that IANA lists is a concept of `SCHEME`; other names of types, unregistered types
    that are in use, and all names of character sets are described too, but are no members.  Every
    node of ours has a label.  Merged into a catalogue it is what our shapes, and `sh:class
    dct:MediaType`, need.
    """
    snapshot = registry()
    yield from about_registry()
    listed = dict.fromkeys(record.essence for record in snapshot.media_types())
    for essence in listed:
        yield from _concept(essence)
    for essence in dict.fromkeys(_unlisted()):
        if essence not in listed:
            yield from of_type(essence)
    for name in snapshot.charset_names():
        yield from of_parameter("charset", name)
        yield parameter_node("charset", name), RDFS.label, literal(f"charset={name}")
    for suffix in snapshot.suffixes():
        yield from of_suffix(suffix)
    yield from eu_file_types()
    codes = (record.code for record in snapshot.eu_file_types() if record.service)
    services = (*service_names(), *(f"{EU_FILE_TYPES.value}/{code}" for code in codes))
    for label in dict.fromkeys(services):
        yield from label_triples(label, resolve(label))
        yield label_node(label), RDFS.label, literal(label)


def serialise(form: Format) -> bytes:
    """Return the whole registry in a format, with a graph for each source if it has named graphs.

    >>> from cturi_rdf.reading.formats import format_named
    >>> start = b"<ContentType:text/csv> <http://www.w3.org/2000/01/rdf-schema#label>"
    >>> start in serialise(format_named("nt"))
    True
    """
    # By subject, and each triple once.
    sections: dict[ox.NamedNode, dict[Triple, None]] = {}
    for triple in triples():
        sections.setdefault(triple[0], {})[triple] = None
    ordered = (triple for section in sections.values() for triple in arranged(section))
    quads = (ox.Quad(*triple) for triple in ordered)
    if form.datasets:
        graphs = {source.key: source_node(source.key) for source in sources()}
        by_source = sorted(((source_of(triple), triple) for triple in ordered), key=itemgetter(0))
        quads = (ox.Quad(*triple, graphs[key]) for key, triple in by_source)
    return ox.serialize(quads, format=form.oxigraph, prefixes=PREFIXES) or b""


def _concept(essence: str) -> Iterator[Triple]:
    node, name, facts = mint(essence), literal(essence), tuple(of_type(essence))
    yield from facts
    yield node, RDF.type, SKOS.Concept
    yield node, SKOS.inScheme, SCHEME
    yield node, SKOS.prefLabel, name
    yield node, SKOS.notation, name
    if SKOS.broader not in {path for _, path, _ in facts}:
        yield node, SKOS.topConceptOf, SCHEME
        yield SCHEME, SKOS.hasTopConcept, node


def _unlisted() -> Iterator[str]:
    """Yield the types in our tables that IANA may not list."""
    snapshot = registry()
    for alias in snapshot.alias_records():
        yield alias.alias
        yield alias.essence
    for extension in snapshot.extensions():
        yield from extension.types
