"""Answers of this package as responses of Starlette."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.responses import Response

from cturi_rdf.negotiation import Representations
from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.reading.formats import format_named
from cturi_rdf.reading.writable import Writable
from cturi_rdf.reading.write import serialise

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rdflib import Dataset
    from starlette.requests import Request

    from cturi_rdf.negotiation.servers import Body

# The formats of RDF, best first, and what an error calls what is written.
FORMATS, ANSWER = ("turtle", "json-ld", "xml", "nt"), "the answer"


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
