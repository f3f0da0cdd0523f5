"""The description of the SPARQL endpoint (SPARQL 1.1 Service Description)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rdflib import RDF, RDFS, VOID, XSD, BNode, Dataset, Literal, Namespace, URIRef

from cturi_rdf.serve.responses import in_formats
from cturi_rdf.sparql.functions import FUNCTIONS

if TYPE_CHECKING:
    from cturi_rdf.negotiation import Representations
    from cturi_rdf.sparql.dataset import QueryData

__all__ = ["service_description"]

SD = Namespace("http://www.w3.org/ns/sparql-service-description#")
_FORMATS = Namespace("http://www.w3.org/ns/formats/")
_WRITTEN = (
    "SPARQL_Results_JSON",
    "SPARQL_Results_XML",
    "SPARQL_Results_CSV",
    "SPARQL_Results_TSV",
    "Turtle",
    "RDF_XML",
    "N-Triples",
    "JSON-LD",
)


def _count(number: int) -> Literal:
    return Literal(number, datatype=XSD.integer)


def service_description(data: QueryData, address: str) -> Representations:
    """Return the description of the endpoint at an address, in every format of RDF."""
    service, dataset, default = URIRef(address), BNode(), BNode()
    triples = [
        (service, RDF.type, SD.Service),
        (service, SD.endpoint, service),
        (service, SD.supportedLanguage, SD.SPARQL11Query),
        *((service, SD.resultFormat, _FORMATS[name]) for name in _WRITTEN),
        (service, SD.defaultDataset, dataset),
        (dataset, RDF.type, SD.Dataset),
        (dataset, SD.defaultGraph, default),
        (default, RDF.type, SD.Graph),
        (default, VOID.triples, _count(data.size(data.default_graph()))),
    ]
    for function in FUNCTIONS.values():
        iri = URIRef(function.iri)
        triples += [
            (service, SD.extensionFunction, iri),
            (iri, RDF.type, SD.Function),
            (iri, RDFS.label, Literal(function.signature)),
            (iri, RDFS.comment, Literal(function.summary, lang="en")),
        ]
        if function.several:
            # A function may also stand as a predicate, with a row for each of its values.
            triples.append((service, SD.propertyFeature, iri))
    for name in data.named_graphs():
        named, graph = BNode(), BNode()
        triples += [
            (dataset, SD.namedGraph, named),
            (named, RDF.type, SD.NamedGraph),
            (named, SD.name, URIRef(name.value)),
            (named, SD.graph, graph),
            (graph, RDF.type, SD.Graph),
            (graph, VOID.triples, _count(data.size([name]))),
        ]
    written = Dataset(default_union=True)
    written.bind("sd", SD)
    for triple in triples:
        written.add(triple)
    return in_formats(written, address)
