"""The SPARQL 1.1 Protocol: a query by GET, by a form, or as the content of a POST."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

from rdflib.plugins.sparql.results.jsonresults import JSONResultSerializer, termToJSON
from starlette.datastructures import ImmutableMultiDict
from starlette.exceptions import HTTPException

from cturi_rdf import ContentType, ContentTypeError
from cturi_rdf.negotiation import Representations
from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.reading.terms import lenient_ox
from cturi_rdf.reading.writable import character_not_in_xml
from cturi_rdf.serve.description import service_description
from cturi_rdf.serve.responses import ANSWER, accept_of, in_formats, negotiated
from cturi_rdf.serve.settings import address_of
from cturi_rdf.sparql.answers import answer_rows, answer_triples
from cturi_rdf.sparql.query import run

if TYPE_CHECKING:
    from collections.abc import Callable

    from rdflib.query import Result
    from rdflib.term import Identifier
    from starlette.requests import Request
    from starlette.responses import Response

    from cturi_rdf.serve.settings import Settings
    from cturi_rdf.serve.work import Work
    from cturi_rdf.sparql.data import QueryData

__all__ = ["sparql_endpoint"]

# The types of content that are the value of one parameter, and its name.
_DIRECT = {"application/sparql-query": "query", "application/sparql-update": "update"}
_FORM = "application/x-www-form-urlencoded"


def sparql_endpoint(data: QueryData, work: Work, settings: Settings) -> Callable[..., object]:
    """Return the function that answers requests to the endpoint."""

    async def answer(request: Request) -> Response:
        parameters = ImmutableMultiDict(await _parameters(request))
        if "update" in parameters:
            raise HTTPException(403, "This endpoint can only be read: it takes no update.")
        queries = parameters.getlist("query")
        accept, address = accept_of(request), f"{address_of(request, settings)}/sparql"
        if request.method in {"GET", "HEAD"} and not queries:
            # SPARQL 1.1 Service Description section 2.
            return negotiated(service_description(data, address), accept)
        if len(queries) != 1:
            raise HTTPException(400, f"A request has one query, this has {len(queries)}.")

        def ask() -> Response:
            result = run(
                queries[0],
                data,
                allow_network=settings.allow_service,
                default_graphs=parameters.getlist("default-graph-uri"),
                named_graphs=parameters.getlist("named-graph-uri"),
            )
            return negotiated(_representations(result, data, address), accept)

        return await work.do(ask, queries[0])

    return answer


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


def _representations(result: Result, data: QueryData, address: str) -> Representations:
    """Return the formats of a result: of rows, of an answer to ASK, or of a graph."""
    if result.graph is not None:
        return in_formats(answer_triples(result, data.prefixes), address)
    if result.type == "SELECT":
        result.bindings = answer_rows(result)
    return Representations(
        {
            content_type: partial(write, result)
            for content_type, write in _WRITERS.items()
            # CSV and TSV are formats of rows.
            if result.type == "SELECT" or not content_type.startswith("text/")
        }
    )


def _by_rdflib(name: str, result: Result) -> bytes:
    return result.serialize(format=name) or b""


def _as_json(result: Result) -> bytes:
    """Return a result as SPARQL 1.1 Query Results JSON."""
    if result.type == "ASK":
        return json.dumps({"head": {}, "boolean": bool(result.askAnswer)}).encode()
    serializer = JSONResultSerializer(result)
    rows = [
        {str(name): termToJSON(serializer, value) for name, value in row.items()}
        for row in result.bindings
    ]
    head = {"vars": [str(name) for name in result.vars or ()]}
    return json.dumps({"head": head, "results": {"bindings": rows}}, ensure_ascii=False).encode()


def _as_xml(result: Result) -> bytes:
    """Return a result as SPARQL Query Results XML.

    Raises `CatalogError` for a value with a character that XML does not have.
    """
    for row in result.bindings or ():
        for name, term in row.items():
            character = character_not_in_xml(term)
            if character:
                raise CatalogError(
                    f"XML cannot hold {character}, which is in a value of ?{name}",
                    ANSWER,
                    "another format, such as JSON (XML 1.0 section 2.2)",
                )
    # XML 1.0 section 2.11: a parser makes a line feed of a carriage return that is no reference.
    return _by_rdflib("xml", result).replace(b"\r", b"&#13;")


def _as_tsv(result: Result) -> bytes:
    """Return rows as SPARQL 1.1 Query Results TSV: terms as Turtle writes them."""
    names = result.vars or []
    lines = ["\t".join(f"?{name}" for name in names)]
    lines += (
        "\t".join(_on_one_line(row[name]) if name in row else "" for name in names)
        for row in result.bindings
    )
    return ("\n".join(lines) + "\n").encode()


def _on_one_line(term: Identifier) -> str:
    """Return a term in Turtle; a tab or a line break is an escape (section 4.1)."""
    text = term.n3()
    # rdflib writes these as they are, Oxigraph escapes them.
    return str(lenient_ox(term)) if "\t" in text or "\n" in text else text


# The formats of rows and of answers to ASK, best first.
_WRITERS: dict[str, Callable[[Result], bytes]] = {
    "application/sparql-results+json": _as_json,
    "application/sparql-results+xml": _as_xml,
    "text/csv; charset=utf-8": partial(_by_rdflib, "csv"),
    "text/tab-separated-values; charset=utf-8": _as_tsv,
    "application/json": _as_json,
}
