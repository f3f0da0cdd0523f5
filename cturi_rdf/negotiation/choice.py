"""The choice among several content types by an ``Accept`` header, and the answer to a request.

There are two passes.  In the first RFC 9110 section 12.5.1 decides.  If it finds nothing that is
wanted, the meaning of types decides: aliases and suffixes.  So the ``application/xml`` of a browser
never outweighs what it asks for by name or by ``*/*``, and yet a client that asks for
``application/json`` alone is given ``application/ld+json``.  A type that the first pass refuses, by
a weight of 0, stays refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf.content_type import ContentType
from cturi_rdf.content_type.grammar import percent_encode, quote
from cturi_rdf.negotiation.ranges import MediaRange, parse_accept, read_accept

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Sequence
    from typing import Any, Literal, TypeVar

    from cturi_rdf.errors import ContentTypeError
    from cturi_rdf.negotiation.ranges import Nearness

    Offer = TypeVar("Offer", str, ContentType)
    Pass = Literal["rfc9110", "meaning"]
    Body = bytes | str | Callable[[], bytes | str]
    Message = dict[str, Any]

_METHODS = ("GET", "HEAD")
# RFC 3986 section 2: what a URI cannot contain, such as the end of a link or of a field.
_NOT_URI = re.compile(r"[^A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]|%(?![0-9A-Fa-f]{2})")


class Choice(NamedTuple):
    """The index of the chosen offer, its weight, and the pass that found it.

    Where no offer is wanted `index` is None, `weight` 0 and `by` None.
    """

    index: int | None  # type: ignore[assignment]  # the method of tuples is not missed
    weight: float
    by: Pass | None


def choose(
    accept: str | Sequence[MediaRange] | None,
    offers: Iterable[str | ContentType],
    *,
    exact: bool = False,
) -> Choice:
    """Return the choice of an ``Accept`` header among offers, and the pass that found it.

    The header is given as text, as ranges, or as None where the request has none; the offers as
    text or values, best first.  Among equally wanted offers the one that the header names most
    closely wins, then the first.  With `exact` every parameter of a range is a condition; otherwise
    ``charset=utf-8`` does not count for a type that is always UTF-8, such as JSON.  Raises
    `ContentTypeError` for an offer that is not a type.

    >>> choose("application/json", ["text/html", "application/ld+json"])
    Choice(index=1, weight=1.0, by='meaning')
    >>> choose("text/html, */*;q=0.1", ["application/ld+json"])
    Choice(index=0, weight=0.1, by='rfc9110')
    """
    ranges = parse_accept(accept) if isinstance(accept, str) else accept
    types = [ContentType.parse(offer) if isinstance(offer, str) else offer for offer in offers]
    if ranges is None or (isinstance(accept, str) and not accept.strip(" \t,")):
        # Section 12.5.1: without the header anything will do.  The same holds for an empty one,
        # and a list of empty elements is empty (section 5.6.1.2).
        return Choice(0, 1.0, "rfc9110") if types else Choice(None, 0.0, None)
    by_rfc = partial(MediaRange.nearness, exact=exact)
    strict = [_weighed(ranges, by_rfc, content_type) for content_type in types]
    wide = (
        None if weighed else _weighed(ranges, MediaRange.affinity, content_type)
        for content_type, weighed in zip(types, strict, strict=True)
    )
    return _most(strict, "rfc9110") or _most(wide, "meaning") or Choice(None, 0.0, None)


def best(accept: str | Sequence[MediaRange] | None, offers: Iterable[Offer]) -> Offer | None:
    """Return the offer that an ``Accept`` header prefers, or None if it accepts none.

    The arguments and errors are those of `choose`; the offer is returned as it was given.

    >>> best("application/json, text/*;q=0.8", ["text/turtle", "application/ld+json"])
    'text/turtle'
    >>> best("application/json", ["text/turtle", "application/ld+json"])
    'application/ld+json'
    """
    candidates = list(offers)
    index = choose(accept, candidates).index
    return None if index is None else candidates[index]


def quality(accept: str | Sequence[MediaRange] | None, offer: str | ContentType) -> float:
    """Return how much a type is wanted, from 0 (not at all) to 1 (RFC 9110 section 12.4.2).

    The range nearest to the type decides.  An empty header accepts anything, like a missing one.

    >>> quality("text/*;q=0.5, text/csv;q=0, */*", "text/csv")
    0.0
    """
    return choose(accept, [offer]).weight


def _weighed(
    ranges: Sequence[MediaRange],
    compare: Callable[[MediaRange, ContentType], Nearness | None],
    content_type: ContentType,
) -> tuple[float, Nearness] | None:
    """Return the weight of a type, and the rank of the range that gives it, if one does."""
    near = [
        (nearness, -at, range_.weight)
        for at, range_ in enumerate(ranges)
        if (nearness := compare(range_, content_type)) is not None
    ]
    if not near:
        return None
    nearest, _, weight = max(near)
    return weight, nearest


def _most(weighed: Iterable[tuple[float, Nearness] | None], by: Pass) -> Choice | None:
    """Return the choice of the greatest weight, the first of several, or None."""
    wanted = [(*pair, -at) for at, pair in enumerate(weighed) if pair and pair[0]]
    if not wanted:
        return None
    weight, _, at = max(wanted)
    return Choice(-at, weight, by)


class Answer(NamedTuple):
    """The answer to a request.

    `status` is 200, or 406 where no offer is wanted.  `offer` is the type that was chosen, with its
    parameters, and `by` the pass that found it; both None with 406.  `headers` are the fields to
    send: Content-Type, Vary, and Link where alternates have a place of their own.  `problem` is the
    body of a 406 in the terms of RFC 9457, to be sent as JSON or as text.  `defects` say which
    parts of the ``Accept`` header could not be read, for a log.
    """

    status: int
    offer: ContentType | None
    by: Pass | None
    headers: tuple[tuple[str, str], ...]
    problem: dict[str, object] | None
    defects: tuple[ContentTypeError, ...]


class Negotiator:
    """A resource that has several representations, and chooses one for each request.

    >>> negotiator = Negotiator({"text/turtle": "/data.ttl", "application/ld+json": "/data.jsonld"})
    >>> answer = negotiator.negotiate("application/json")
    >>> for name, value in answer.headers:
    ...     print(f"{name}: {value}")
    Content-Type: application/ld+json
    Vary: Accept
    Link: </data.ttl>; rel="alternate"; type="text/turtle"
    >>> negotiator.negotiate("image/png").status
    406
    """

    __slots__ = ("_places", "offers")

    def __init__(self, offers: Mapping[str, str | None] | Iterable[str | ContentType]) -> None:
        """Make a negotiator from the offered types, best first, or a mapping of them to URLs.

        Raises `ContentTypeError` for an offer that is not a type, and `ValueError` if nothing is
        offered.
        """
        places = offers if isinstance(offers, Mapping) else dict.fromkeys(offers)
        self._places: dict[ContentType, str | None] = {
            ContentType.parse(offer) if isinstance(offer, str) else offer: place
            for offer, place in places.items()
        }
        self.offers: tuple[ContentType, ...] = tuple(self._places)
        if not self.offers:
            raise ValueError("no representation is offered: give at least one media type")

    def negotiate(self, accept: str | None) -> Answer:
        """Return the answer to a request with this ``Accept`` header, or with none.

        Several header fields are joined by commas first (RFC 9110 section 5.3).

        >>> Negotiator(["text/turtle"]).negotiate("text/turtle;version=1.2").by
        'rfc9110'
        """
        defects = read_accept(accept or "").defects
        choice = choose(accept, self.offers)
        if choice.index is None:
            # RFC 9110 section 15.5.7: the answer should list the available types.
            vary = ("Vary", "Accept")
            return Answer(406, None, None, (vary, *self._links(None)), self._problem(), defects)
        offer = self.offers[choice.index]
        # Section 12.5.5: the answer varies even for a single type, because that may be refused.
        fields = (("Content-Type", str(offer)), ("Vary", "Accept"), *self._links(offer))
        return Answer(200, offer, choice.by, fields, None, defects)

    def _links(self, chosen: ContentType | None) -> tuple[tuple[str, str], ...]:
        """Return the Link field to the other representations (RFC 8288 section 3), if any.

        An IRI is sent as the URI that it is mapped to (RFC 3987 section 3.1).
        """
        links = [
            f'<{percent_encode(place, _NOT_URI)}>; rel="alternate"; type={quote(str(offer))}'
            for offer, place in self._places.items()
            if place is not None and offer != chosen
        ]
        return (("Link", ", ".join(links)),) if links else ()

    def _problem(self) -> dict[str, object]:
        names = [str(offer) for offer in self.offers]
        return {
            "type": "about:blank",
            "title": "Not Acceptable",
            "status": 406,
            "detail": f"The resource is available as {', '.join(names)}.",
            "available": [
                {"type": str(offer)} | ({"href": place} if place is not None else {})
                for offer, place in self._places.items()
            ],
        }


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
            body = json.dumps(answer.problem).encode()
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
