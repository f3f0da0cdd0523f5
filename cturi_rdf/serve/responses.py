"""Answers of this package as responses of Starlette."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import Response

if TYPE_CHECKING:
    from starlette.requests import Request

    from cturi_rdf.negotiation.servers import Response as Answer

__all__ = ["accept_of", "as_response"]


def accept_of(request: Request) -> str | None:
    """Return the ``Accept`` fields of a request as one (RFC 9110 section 5.3), or None."""
    return ", ".join(request.headers.getlist("accept")) or None


def as_response(answer: Answer) -> Response:
    """Return a negotiated answer as a response of Starlette."""
    return Response(answer.body, answer.status, dict(answer.headers))
