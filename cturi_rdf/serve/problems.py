"""What goes wrong as a response: problem details for HTTP (RFC 9457)."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

from cturi_rdf._util.limits import LimitError
from cturi_rdf.errors import CturiError, visible
from cturi_rdf.serve.work import BusyError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import Request
    from starlette.responses import Response

__all__ = ["HANDLERS", "details", "problem"]


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
    return JSONResponse(content, status, headers, "application/problem+json")


def details(error: CturiError) -> dict[str, Any]:
    """Return an error of this package as JSON has it: what is wrong, where, what was expected.

    >>> details(CturiError("the subtype is missing", "text", (4, 4), "'/'", "RFC 2045"))["span"]
    [4, 4]
    """
    return {
        "problem": visible(error.problem),
        "text": error.text,
        "span": list(error.span),
        "expected": visible(error.expected),
        "rule": error.rule,
    }


async def _of_package(_: Request, error: Exception) -> Response:
    assert isinstance(error, CturiError)  # noqa: S101 - Starlette calls it for nothing else
    if isinstance(error, LimitError):
        # A query that fails for what it costs (SPARQL 1.1 Protocol section 2.1.7).
        return problem(500 if error.args[0] in {"rows", "seconds"} else 413, error.summary)
    return problem(400, error.summary, None, error=details(error))


async def _of_http(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - as above
    return problem(error.status_code, error.detail, error.headers)


async def _of_busy(_: Request, __: Exception) -> Response:
    return problem(503, "The server is busy with other queries.", {"Retry-After": "5"})


async def _of_server(_: Request, __: Exception) -> Response:
    return problem(500, "The server made an error; its log has it.")


HANDLERS: Mapping[Any, Any] = {
    CturiError: _of_package,
    HTTPException: _of_http,
    BusyError: _of_busy,
    Exception: _of_server,
}
