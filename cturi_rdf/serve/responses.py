"""Representations of this package as responses of Starlette."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import Response

from cturi_rdf.negotiation import Representations

if TYPE_CHECKING:
    from starlette.requests import Request

    from cturi_rdf.negotiation.servers import Response as Answer

__all__ = ["accept_of", "as_response"]


def accept_of(request: Request) -> str | None:
    """Return the ``Accept`` fields of a request as one (RFC 9110 section 5.3), or None."""
    return ", ".join(request.headers.getlist("accept")) or None


def as_response(answer: Answer | Representations, request: Request | None = None) -> Response:
    """Return an answer as a response; representations are negotiated with the request."""
    if isinstance(answer, Representations):
        assert request is not None  # noqa: S101 - nothing else could choose
        answer = answer.respond(accept_of(request))
    response = Response(answer.body, answer.status)
    for name, value in answer.headers:
        response.headers[name] = value
    return response
