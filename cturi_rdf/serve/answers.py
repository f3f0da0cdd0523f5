"""Answers as responses of Starlette: in the format asked for, and errors as problem details."""

from __future__ import annotations

import json
from functools import partial
from html import escape
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import HTMLResponse, JSONResponse, Response

from cturi_rdf._util.limits import LimitError
from cturi_rdf.errors import CturiError, visible
from cturi_rdf.negotiation import Representations, best
from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.reading.formats import format_named
from cturi_rdf.reading.rdflib_graphs import serialise
from cturi_rdf.reading.writable import Writable
from cturi_rdf.site.pages import page

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rdflib import Dataset
    from starlette.requests import Request

    from cturi_rdf.negotiation.choice import Body
    from cturi_rdf.serve.app import Settings

# The most labels or queries of a request, and the most characters of each.
MOST_TEXTS, LONGEST_TEXT = 10_000, 10_000
# The formats of RDF, best first, and what an error calls what is written.
FORMATS, ANSWER = ("turtle", "json-ld", "xml", "nt"), "the answer"


def address_of(request: Request, settings: Settings) -> str:
    """Return the address of the first page, without the slash at its end."""
    return (settings.url or str(request.base_url)).rstrip("/")


def accept_of(request: Request) -> str | None:
    """Return the ``Accept`` fields of a request as one (RFC 9110 section 5.3), or None."""
    return ", ".join(request.headers.getlist("accept")) or None


def in_formats(
    dataset: Dataset, base: str | None = None, *, others: Mapping[str, Body] | None = None
) -> Representations:
    """Return RDF in each format, written as in files.

    `base` resolves relative IRIs for formats that have none; `others` are representations that
    go before the RDF.
    """
    bodies = dict(others or {})
    for form in map(format_named, FORMATS):
        header = form.media_types[0]
        # Only types under "text" have the charset in their registration, as a rule.
        if header.startswith("text/"):
            header += "; charset=utf-8"
        bodies[header] = partial(serialise, dataset, Writable(form, ANSWER, base))
    return Representations(bodies)


def negotiated(representations: Representations, accept: str | None) -> Response:
    """Return the representation that a client wants most.

    Raises `HTTPException` with 406 where its format cannot hold the content.
    """
    try:
        answer = representations.respond(accept)
    except CatalogError as error:
        raise HTTPException(406, error.summary) from error
    return Response(answer.body, answer.status, dict(answer.headers))


_JSON, _HTML = "application/problem+json", "text/html"


def problem(
    status: int, detail: str, headers: Mapping[str, str] | None = None, **more: object
) -> Response:
    """Return a response that says what went wrong; `more` are members of the details.

    >>> problem(404, "There is no page /x.").body
    b'{"type":"about:blank","title":"Not Found","status":404,"detail":"There is no page /x."}'
    """
    content = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        **more,
    }
    return JSONResponse(content, status, headers, _JSON)


def details(error: CturiError) -> dict[str, Any]:
    """Return an error of this package for JSON: what is wrong, where, and what was expected.

    >>> details(CturiError("the subtype is missing", "text", (4, 4), "'/'", "RFC 2045"))["span"]
    [4, 4]
    >>> details(CatalogError("not Turtle", "data.ttl", "valid Turtle", 3, 7))["line"]
    3
    """
    what = {"problem": visible(error.problem), "expected": visible(error.expected)}
    if isinstance(error, CatalogError):
        return what | {"file": error.text, "line": error.line, "column": error.column}
    return what | {"text": error.text, "span": list(error.span), "rule": error.rule}


def _answer(
    request: Request,
    status: int,
    detail: str,
    headers: Mapping[str, str] | None = None,
    error: CturiError | None = None,
) -> Response:
    """Return the problem as JSON, or as a page for clients that prefer one."""
    if best(accept_of(request), (_JSON, _HTML)) != _HTML:
        more = {} if error is None else {"error": details(error)}
        return problem(status, detail, headers, **more)
    where = "" if error is None else f"\n<pre>{escape(str(error))}</pre>"
    text = page(
        HTTPStatus(status).phrase,
        f'<p role="alert">{escape(visible(detail))}</p>{where}',
        depth=request.url.path.count("/") - 1,
    )
    return HTMLResponse(text, status, headers)


async def _of_package(request: Request, error: CturiError) -> Response:
    if isinstance(error, LimitError):
        # A query that fails because it costs too much (SPARQL 1.1 Protocol section 2.1.7).
        status = 500 if error.args[0] in {"rows", "seconds"} else 413
        # What to do about it is for who runs the server, by other options than the error has.
        return _answer(request, status, f"A limit of this server: {error.problem}.")
    return _answer(request, 400, error.summary, error=error)


async def _of_http(request: Request, error: HTTPException) -> Response:
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        # No function of an address has OPTIONS, and every address has it (RFC 9110 section 9.3.7).
        error.headers = {"Allow": f"{(error.headers or {}).get('Allow', 'GET')}, OPTIONS"}
        if request.method == "OPTIONS":
            return Response(status_code=204, headers=error.headers)
    return _answer(request, error.status_code, error.detail, error.headers)


async def _of_client(*_: object) -> Response:
    """Answer a client that went away while it sent its request: nobody reads this."""
    return problem(400, "The request ended before its content did.")


async def _of_server(request: Request, _: Exception) -> Response:
    return _answer(request, 500, "The server made an error; its log has it.")


HANDLERS: Mapping[Any, Any] = {
    CturiError: _of_package,
    HTTPException: _of_http,
    ClientDisconnect: _of_client,
    Exception: _of_server,
}


def json_object(text: str | bytes) -> dict[str, Any]:
    """Return a JSON object; raises `HTTPException` for anything else.

    >>> json_object('{"q0": {"query": "CSV"}}')
    {'q0': {'query': 'CSV'}}
    """
    try:
        value = json.loads(text)
        # RFC 8259 section 8.2: a lone surrogate is a string to JSON, but not text.
        json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise HTTPException(400, f"It is not JSON: {error}.") from error
    if not isinstance(value, dict):
        raise HTTPException(400, "It is not a JSON object.")
    return value
