"""The answer to a request: the representation to send, and its header fields."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf.content_type import ContentType
from cturi_rdf.content_type.grammar import percent_encode, quote
from cturi_rdf.negotiation.choice import choose
from cturi_rdf.negotiation.ranges import read_accept

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cturi_rdf.errors import ContentTypeError
    from cturi_rdf.negotiation.choice import Pass

# RFC 3986 section 2: what a URI cannot contain, such as the end of a link or of a field.
_NOT_URI = re.compile(r"[^A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]|%(?![0-9A-Fa-f]{2})")


class Answer(NamedTuple):
    """The answer to a request.

    `status` is 200, or 406 where no offer is wanted.  `offer` is the type that was chosen, with
    its parameters, and `by` the pass that found it; both None with 406.  `headers` are the
    fields to send: Content-Type, Vary, and Link where alternates have a place of their own.
    `problem` is the body of a 406 in the terms of RFC 9457, to be sent as JSON or as text.
    `defects` say what of the ``Accept`` header could not be read, for a log.
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
        """Take the types that are offered, best first, or a mapping of them to their URLs.

        Raises `ContentTypeError` for an offer that is no type, and `ValueError` where nothing is
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
