"""The SPARQL 1.1 Protocol, the description of the service and its data, and the data as a file."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

import pyoxigraph as ox
from rdflib import DCTERMS, RDF, RDFS, SKOS, VOID, XSD, Dataset, Literal, Namespace, URIRef
from starlette.datastructures import ImmutableMultiDict
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from cturi_rdf import ContentType, ContentTypeError
from cturi_rdf.negotiation import Representations
from cturi_rdf.reading.formats import format_named
from cturi_rdf.serve.answers import FORMATS, accept_of, address_of, in_formats, negotiated
from cturi_rdf.serve.pages import answer_page
from cturi_rdf.sparql.functions import FUNCTIONS
from cturi_rdf.sparql.query import answer_triples, ask, writers

if TYPE_CHECKING:
    from starlette.requests import Request

    from cturi_rdf.serve.app import Settings
    from cturi_rdf.serve.work import Work
    from cturi_rdf.sparql.dataset import QueryData

# The types of content that are the value of one parameter, and its name.
_DIRECT = {"application/sparql-query": "query", "application/sparql-update": "update"}
_FORM = "application/x-www-form-urlencoded"
# The values of the parameter `format`, which goes before Accept: for links in pages.
_ASKED = {
    "csv": "text/csv",
    "tsv": "text/tab-separated-values",
    "json": "application/sparql-results+json, application/ld+json",
    "xml": "application/sparql-results+xml, application/rdf+xml",
}
_FILES = {form.endings[0]: form for form in map(format_named, FORMATS)}


def sparql_routes(work: Work, settings: Settings) -> list[Route]:
    """Return the addresses of the endpoint, of the description of the data, and of the data."""

    async def endpoint(request: Request) -> Response:
        parameters = ImmutableMultiDict(await _parameters(request))
        if "update" in parameters:
            raise HTTPException(403, "This endpoint is read-only: it takes no updates.")
        queries = parameters.getlist("query")
        accept, address = accept_of(request), f"{address_of(request, settings)}/sparql"
        for name in parameters.getlist("format"):
            if name not in _ASKED:
                raise HTTPException(400, f"The parameter 'format' is one of {', '.join(_ASKED)}.")
            accept = _ASKED[name]
        if request.method in {"GET", "HEAD"} and not queries:
            return await work.do(service_description, address, accept, with_data=True)
        if len(queries) != 1:
            raise HTTPException(400, f"A request has one query, this has {len(queries)}.")
        lists = map(parameters.getlist, ("default-graph-uri", "named-graph-uri"))
        asked = {"graphs": tuple(lists), "allow_network": settings.allow_service}
        return await work.do(_answered, queries[0], asked, address, accept, with_data=True)

    async def describe(request: Request) -> Response:
        address, accept = address_of(request, settings), accept_of(request)
        return await work.do(data_description, address, accept, with_data=True)

    async def download(request: Request) -> Response:
        ending = request.url.path.rpartition(".")[2]
        return await work.do(_as_file, ending, with_data=True)

    return [
        Route("/sparql", endpoint, methods=["GET", "POST"]),
        # VoID section 7.2.
        Route("/.well-known/void", describe),
        *(Route(f"/data.{ending}", download) for ending in _FILES),
    ]


def _as_file(data: QueryData, ending: str) -> Response:
    form = _FILES[ending]
    try:
        content = ox.serialize(data.own_triples(), format=form.oxigraph, prefixes=data.prefixes)
    except ValueError as error:
        raise HTTPException(406, f"{form.name} cannot hold the data: {error}.") from error
    return Response(content, media_type=form.media_types[0])


def _answered(
    data: QueryData, query: str, asked: dict[str, Any], address: str, accept: str | None
) -> Response:
    answer = ask(query, data, **asked)
    result = answer.as_result()
    if result.graph is not None:
        formats = in_formats(answer_triples(result, data.prefixes), address)
    else:
        page = partial(answer_page, answer, query)
        formats = Representations({**writers(result), "text/html; charset=utf-8": page})
    return negotiated(formats, accept)


async def _parameters(request: Request) -> list[tuple[str, str]]:
    """Return the parameters of a request (SPARQL 1.1 Protocol section 2.1)."""
    parameters = _pairs(request.scope["query_string"])
    if request.method in {"GET", "HEAD"}:
        return parameters
    header = request.headers.get("content-type", "")
    try:
        content_type = ContentType.parse(header)
    except ContentTypeError as error:
        raise HTTPException(415, f"Content-Type: {error.summary}") from error
    if content_type.parameters.get("charset", "utf-8").lower() != "utf-8":
        raise HTTPException(415, "A query is sent in UTF-8.")
    content = await request.body()
    if content_type.essence == _FORM:
        return parameters + _pairs(content)
    direct = _DIRECT.get(content_type.essence)
    if direct is None:
        raise HTTPException(
            415,
            f"A query is sent as application/sparql-query or as {_FORM}, not as"
            f" {content_type.essence}.",
        )
    try:
        value = content.decode()
    except UnicodeDecodeError as error:
        raise HTTPException(400, f"The query is not UTF-8 at byte {error.start + 1}.") from error
    return [*(pair for pair in parameters if pair[0] != direct), (direct, value)]


def _pairs(octets: bytes) -> list[tuple[str, str]]:
    try:
        return parse_qsl(
            octets.decode(), keep_blank_values=True, errors="strict", max_num_fields=1_000
        )
    except ValueError as error:
        raise HTTPException(400, f"The parameters cannot be read: {error}.") from error


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


def service_description(data: QueryData, address: str, accept: str | None) -> Response:
    """Answer with the description of the endpoint (SPARQL 1.1 Service Description)."""
    service, dataset, default = (URIRef(address + end) for end in ("", "#data", "#default"))
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
    return _description(triples, address, accept, "sd", SD)


def data_description(data: QueryData, address: str, accept: str | None) -> Response:
    """Answer with the description of all that is served, and of each graph."""
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
    return _description(triples, address, accept, "void", VOID)


def _description(
    triples: list[tuple[Any, Any, Any]],
    address: str,
    accept: str | None,
    prefix: str,
    namespace: Any,
) -> Response:
    """Answer with a description, with a prefix for its vocabulary."""
    described = Dataset(default_union=True)
    described.bind(prefix, namespace)
    for triple in triples:
        described.add(triple)
    return negotiated(in_formats(described, address), accept)
