"""The descriptions of the SPARQL endpoint (SPARQL 1.1 Service Description) and its data (VoID)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rdflib import DCTERMS, RDF, RDFS, SKOS, VOID, XSD, Dataset, Literal, Namespace, URIRef

from cturi_rdf.serve.responses import in_formats
from cturi_rdf.sparql.functions import FUNCTIONS

if TYPE_CHECKING:
    from cturi_rdf.negotiation import Representations
    from cturi_rdf.sparql.dataset import QueryData

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
    service, dataset, default = (
        URIRef(address),
        URIRef(f"{address}#data"),
        URIRef(f"{address}#default"),
    )
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
    for number, name in enumerate(data.named_graphs(), 1):
        named, graph = (URIRef(f"{address}#{kind}-{number}") for kind in ("named", "graph"))
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


def data_description(data: QueryData, address: str) -> Representations:
    """Return the description of all that is served, and of each graph, in every format of RDF."""
    whole = URIRef(f"{address}/.well-known/void#data")
    triples: list[tuple[Any, Any, Any]] = [
        (whole, RDF.type, VOID.Dataset),
        (whole, DCTERMS.title, Literal("Catalogues, and the registry of media types", lang="en")),
        (whole, VOID.sparqlEndpoint, URIRef(f"{address}/sparql")),
        (whole, VOID.triples, _count(data.size(data.default_graph()))),
        (whole, VOID.vocabulary, URIRef("https://w3id.org/cturi/vocab#")),
        (whole, VOID.vocabulary, URIRef(str(SKOS))),
        (whole, VOID.exampleResource, URIRef("ContentType:text/csv")),
    ]
    for name in data.named_graphs():
        part = URIRef(name.value)
        triples += [
            (whole, VOID.subset, part),
            (part, RDF.type, VOID.Dataset),
            (part, VOID.triples, _count(data.size([name]))),
        ]
    written = Dataset(default_union=True)
    written.bind("void", VOID)
    for triple in triples:
        written.add(triple)
    return in_formats(written, address)
