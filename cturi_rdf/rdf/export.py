"""The registry as RDF: a concept scheme of all media types, and further facts that shapes need."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyoxigraph as ox

from cturi_rdf._util.prefixes import prefixes_of
from cturi_rdf.labels import resolve
from cturi_rdf.labels.names import service_names
from cturi_rdf.rdf.background import EU_FILE_TYPES, eu_file_types, of_type
from cturi_rdf.rdf.description import in_rdflib, of_parameter
from cturi_rdf.rdf.label_statements import label_triples
from cturi_rdf.rdf.terms import (
    DCTERMS,
    OWL,
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

    from cturi_rdf.rdf.terms import Triple
    from cturi_rdf.reading.formats import Format

__all__ = ["PREFIXES", "SCHEME", "export", "serialise", "triples"]

SCHEME = ox.NamedNode("https://w3id.org/cturi/registry")
PREFIXES = prefixes_of("ctv", "dct", "owl", "rdf", "rdfs", "skos", "xsd")
# The description of the scheme, without its date.
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
    for predicate, value in _SCHEME_FACTS:
        yield SCHEME, predicate, value
    yield SCHEME, DCTERMS.modified, ox.Literal(snapshot.date, datatype=XSD.date)
    yield SCHEME, OWL.versionInfo, literal(snapshot.date)
    listed = dict.fromkeys(record.essence for record in snapshot.media_types())
    for essence in listed:
        yield from _concept(essence)
    for essence in dict.fromkeys(_unlisted()):
        if essence not in listed:
            yield from of_type(essence)
    for name in snapshot.charset_names():
        yield from of_parameter("charset", name)
        yield parameter_node("charset", name), RDFS.label, literal(f"charset={name}")
    yield from eu_file_types()
    codes = (record.code for record in snapshot.eu_file_types() if record.service)
    services = (*service_names(), *(f"{EU_FILE_TYPES.value}/{code}" for code in codes))
    for label in dict.fromkeys(services):
        yield from label_triples(label, resolve(label))
        yield label_node(label), RDFS.label, literal(label)


def serialise(form: Format) -> bytes:
    """Return the whole registry in a format.

    >>> from cturi_rdf.reading.formats import format_named
    >>> start = b"<ContentType:text/csv> <http://www.w3.org/2000/01/rdf-schema#label>"
    >>> start in serialise(format_named("nt"))
    True
    """
    # By subject, and each triple once.
    sections: dict[ox.NamedNode, dict[Triple, None]] = {}
    for triple in triples():
        sections.setdefault(triple[0], {})[triple] = None
    quads = (ox.Quad(*triple) for section in sections.values() for triple in section)
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
