"""What the SPARQL endpoint says of itself: SPARQL 1.1 Service Description."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rdflib import RDF, RDFS, XSD, BNode, Graph, Literal, Namespace, URIRef

from cturi_rdf.rdf import representations
from cturi_rdf.sparql.functions import FUNCTIONS

if TYPE_CHECKING:
    from cturi_rdf.negotiation import Representations
    from cturi_rdf.sparql.data import QueryData

__all__ = ["service_description"]

SD = Namespace("http://www.w3.org/ns/sparql-service-description#")
_FORMATS = "http://www.w3.org/ns/formats/"
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
_VOID = "http://rdfs.org/ns/void#"


def service_description(data: QueryData, address: str) -> Representations:
    """Return the description of the endpoint at an address, in every format of RDF."""
    graph = Graph()
    graph.bind("sd", SD)
    service, dataset, default = URIRef(address), BNode(), BNode()
    graph.add((service, RDF.type, SD.Service))
    graph.add((service, SD.endpoint, service))
    graph.add((service, SD.supportedLanguage, SD.SPARQL11Query))
    for name in _WRITTEN:
        graph.add((service, SD.resultFormat, URIRef(_FORMATS + name)))
    for function in FUNCTIONS.values():
        iri = URIRef(function.iri)
        graph.add((service, SD.extensionFunction, iri))
        graph.add((iri, RDF.type, SD.Function))
        graph.add((iri, RDFS.label, Literal(function.signature)))
        graph.add((iri, RDFS.comment, Literal(function.summary, lang="en")))
        if function.several:
            # It may also stand as a predicate, with a row for each of its values.
            graph.add((service, SD.propertyFeature, iri))
    graph.add((service, SD.defaultDataset, dataset))
    graph.add((dataset, RDF.type, SD.Dataset))
    graph.add((dataset, SD.defaultGraph, default))
    graph.add((default, RDF.type, SD.Graph))
    graph.add((default, URIRef(_VOID + "triples"), Literal(len(data.store), datatype=XSD.integer)))
    for graph_name in data.store.named_graphs():
        named = BNode()
        graph.add((dataset, SD.namedGraph, named))
        graph.add((named, RDF.type, SD.NamedGraph))
        graph.add((named, SD.name, URIRef(graph_name.value)))
    return representations(graph)
