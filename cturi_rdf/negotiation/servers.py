"""Representations as a web application: for ASGI, for WSGI, and for the views of any framework.

Nothing is imported: ASGI and WSGI are calling conventions (ASGI specification 3, PEP 3333).
"""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf.content_type import ContentType
from cturi_rdf.negotiation.choice import Negotiator

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping
    from typing import Any

    Body = bytes | str | Callable[[], bytes | str]
    Message = dict[str, Any]

_METHODS = ("GET", "HEAD")


class Response(NamedTuple):
    """A whole response: its status, its header fields, its content."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


class Representations:
    """A resource in several representations, served by content negotiation.

    `respond` gives the response to a request, for the view of a framework; `asgi` and `wsgi`
    are whole applications, to be run or mounted.

    >>> resource = Representations({"text/turtle": b"<> a <#T> .", "text/html": "<p>a T"})
    >>> response = resource.respond("text/html")
    >>> response.status, response.headers[0], response.body
    (200, ('Content-Type', 'text/html; charset=utf-8'), b'<p>a T')
    """

    __slots__ = ("_bodies", "negotiator")

    def __init__(self, bodies: Mapping[str, Body]) -> None:
        """Make a resource from the content of each type, best first.

        Content is octets, text, or a function that returns either of them.  Text is sent in the
        charset of its type, or else in UTF-8.  The header names the charset if the type has such a
        parameter, because browsers read text without one as windows-1252.  Raises
        `ContentTypeError` for a key that is not a type, and `ValueError` if nothing is offered.
        """
        self._bodies = {ContentType.parse(offer): body for offer, body in bodies.items()}
        self.negotiator = Negotiator(bodies.keys())

    def respond(self, accept: str | None, method: str = "GET") -> Response:
        """Return the response to a request with this ``Accept`` header, or with none.

        A method other than GET and HEAD is answered with 405, and a request that no type satisfies
        with 406 and a problem that lists the types (RFC 9457).

        >>> Representations({"text/turtle": ""}).respond("image/png").status
        406
        """
        if method.upper() not in _METHODS:
            return Response(405, (("Allow", ", ".join(_METHODS)), ("Content-Length", "0")), b"")
        answer = self.negotiator.negotiate(accept)
        if answer.offer is None:
            body = json.dumps(answer.problem, ensure_ascii=False).encode()
            headers = (("Content-Type", "application/problem+json"), *answer.headers)
        else:
            content = self._bodies[answer.offer]
            if callable(content):
                content = content()
            headers = answer.headers
            if isinstance(content, str):
                content, content_type = _encoded(content, answer.offer)
                headers = (("Content-Type", str(content_type)), *headers[1:])
            body = content
        headers = (*headers, ("Content-Length", str(len(body))))
        # RFC 9110 section 9.3.2: the same fields, and no content.
        return Response(answer.status, headers, b"" if method.upper() == "HEAD" else body)

    def wsgi(
        self, environ: Mapping[str, Any], start_response: Callable[..., object]
    ) -> Iterable[bytes]:
        """Answer a request as a WSGI application (PEP 3333).

        >>> sent = []
        >>> resource = Representations({"text/turtle": "<> a <#T> ."})
        >>> list(resource.wsgi({"REQUEST_METHOD": "GET"}, lambda *answer: sent.append(answer)))
        [b'<> a <#T> .']
        >>> sent[0][0]
        '200 OK'
        """
        response = self.respond(environ.get("HTTP_ACCEPT"), environ["REQUEST_METHOD"])
        status = HTTPStatus(response.status)
        start_response(f"{status.value} {status.phrase}", list(response.headers))
        return [response.body]

    async def asgi(
        self,
        scope: Message,
        receive: Callable[[], Awaitable[Message]],
        send: Callable[[Message], Awaitable[None]],
    ) -> None:
        """Answer a request as an ASGI application; lifespan events are confirmed.

        A function that returns content runs in the event loop.
        """
        if scope["type"] == "lifespan":
            while True:
                event = (await receive())["type"]
                await send({"type": f"{event}.complete"})
                if event == "lifespan.shutdown":
                    return
        if scope["type"] != "http":
            raise ValueError(f"only requests of HTTP are answered, not {scope['type']!r}")
        fields = [value for name, value in scope["headers"] if name.lower() == b"accept"]
        accept = b", ".join(fields).decode("latin-1") if fields else None
        response = self.respond(accept, scope["method"])
        headers = [
            (name.lower().encode(), value.encode("latin-1")) for name, value in response.headers
        ]
        await send({"type": "http.response.start", "status": response.status, "headers": headers})
        await send({"type": "http.response.body", "body": response.body})


def _encoded(text: str, content_type: ContentType) -> tuple[bytes, ContentType]:
    """Return the octets of a text, and its type with the charset that they are in.

    The types under "text" have the parameter (RFC 6838 section 4.2.1), and so have those of XML
    (RFC 7303 section 3.2); JSON is UTF-8 and has none (RFC 8259 section 11).
    """
    charset = content_type.charset
    if charset is not None:
        try:
            return text.encode(charset), content_type
        except (LookupError, UnicodeEncodeError):
            # The header must not name another charset than the octets are in.
            pass
    has_charset = content_type.type == "text" or "xml" in {
        content_type.suffix,
        content_type.subtype,
    }
    if has_charset or charset is not None:
        parameters = {**content_type.parameters, "charset": "utf-8"}
        content_type = content_type.replace(parameters=parameters)
    return text.encode(), content_type
