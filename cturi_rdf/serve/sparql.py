"""The SPARQL 1.1 Protocol: a query by GET, by a form, or as the content of a POST."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import parse_qsl

from starlette.datastructures import ImmutableMultiDict
from starlette.exceptions import HTTPException

from cturi_rdf import ContentType, ContentTypeError
from cturi_rdf.negotiation import Representations
from cturi_rdf.serve.description import data_description, service_description
from cturi_rdf.serve.home import answer_page
from cturi_rdf.serve.responses import accept_of, in_formats, negotiated
from cturi_rdf.serve.settings import address_of
from cturi_rdf.sparql.query import run
from cturi_rdf.sparql.results import answer_triples, writers

if TYPE_CHECKING:
    from collections.abc import Callable

    from rdflib.query import Result
    from starlette.requests import Request
    from starlette.responses import Response

    from cturi_rdf.serve.settings import Settings
    from cturi_rdf.serve.work import Work
    from cturi_rdf.sparql.dataset import QueryData

# The types of content that are the value of one parameter, and its name.
_DIRECT = {"application/sparql-query": "query", "application/sparql-update": "update"}
_FORM = "application/x-www-form-urlencoded"


class Question(NamedTuple):
    """A query, the dataset that the request names, and what the answer depends on besides."""

    query: str
    default_graphs: list[str]
    named_graphs: list[str]
    allow_network: bool
    accept: str | None
    address: str


def sparql_endpoint(work: Work, settings: Settings) -> Callable[..., object]:
    """Return the function that answers requests to the endpoint."""

    async def answer(request: Request) -> Response:
        parameters = ImmutableMultiDict(await _parameters(request))
        if "update" in parameters:
            raise HTTPException(403, "This endpoint can only be read: it takes no update.")
        queries = parameters.getlist("query")
        accept, address = accept_of(request), f"{address_of(request, settings)}/sparql"
        if request.method in {"GET", "HEAD"} and not queries:
            return await work.do(_described, address, accept, with_data=True)
        if len(queries) != 1:
            raise HTTPException(400, f"A request has one query, this has {len(queries)}.")
        question = Question(
            queries[0],
            parameters.getlist("default-graph-uri"),
            parameters.getlist("named-graph-uri"),
            settings.allow_service,
            accept,
            address,
        )
        return await work.do(_answered, question, with_data=True)

    return answer


def void(work: Work, settings: Settings) -> Callable[..., object]:
    """Return the function that describes the data at a well-known address (VoID section 7.2)."""

    async def answer(request: Request) -> Response:
        address = address_of(request, settings)
        return await work.do(_void, address, accept_of(request), with_data=True)

    return answer


def _void(data: QueryData, address: str, accept: str | None) -> Response:
    return negotiated(data_description(data, address), accept)


def _described(data: QueryData, address: str, accept: str | None) -> Response:
    """Return the description of the service (SPARQL 1.1 Service Description section 2)."""
    return negotiated(service_description(data, address), accept)


def _answered(data: QueryData, question: Question) -> Response:
    result = run(
        question.query,
        data,
        allow_network=question.allow_network,
        default_graphs=question.default_graphs,
        named_graphs=question.named_graphs,
    )
    representations = _representations(result, data, question)
    return negotiated(representations, question.accept)


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
    return [*(pair for pair in parameters if pair[0] != direct), (direct, _decoded(content))]


def _pairs(octets: bytes) -> list[tuple[str, str]]:
    try:
        return parse_qsl(
            octets.decode(), keep_blank_values=True, errors="strict", max_num_fields=1_000
        )
    except ValueError as error:
        raise HTTPException(400, f"The parameters cannot be read: {error}.") from error


def _decoded(octets: bytes) -> str:
    try:
        return octets.decode()
    except UnicodeDecodeError as error:
        raise HTTPException(400, f"The query is not UTF-8 at byte {error.start + 1}.") from error


def _representations(result: Result, data: QueryData, question: Question) -> Representations:
    """Return the formats of a result: of rows, of an answer to ASK, or of a graph."""
    if result.graph is not None:
        return in_formats(answer_triples(result, data.prefixes), question.address)
    shown = partial(answer_page, result, question.query)
    return Representations({**writers(result), "text/html; charset=utf-8": shown})
