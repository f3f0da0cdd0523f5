"""A graph as a web resource: all formats of rdflib, by content negotiation."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from cturi_rdf._util.arguments import checked
from cturi_rdf.negotiation import Representations
from cturi_rdf.rdf.formats import offers_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rdflib import Graph

    from cturi_rdf.negotiation.servers import Body

__all__ = ["representations"]


@checked
def representations(
    graph: Graph,
    formats: Iterable[str] | None = None,
    *,
    others: Mapping[str, Body] | None = None,
) -> Representations:
    """Return a graph as a resource that serves each of its formats by negotiation.

    `formats` are names of rdflib, best first; without them it is all that rdflib can serialise.
    `others` are representations beside the graph, such as an HTML page, which go before it where a
    client accepts anything.  The graph is serialised for each request that wants it.  Raises
    `ContentTypeError` for a key of `others` that is not a Content-Type.

    >>> from rdflib import Graph
    >>> graph = Graph().parse(data="<http://a.example/> a <http://a.example/T> .")
    >>> response = representations(graph).respond("application/n-triples")
    >>> response.headers[0]
    ('Content-Type', 'application/n-triples')
    >>> response.body.count(b"example")
    2
    """
    bodies: dict[str, Body] = dict(others or {})
    for offer, name in offers_of(formats).items():
        # Only types under "text" have the charset in their registration, as a rule.
        header = str(offer) if offer.type == "text" else offer.essence
        bodies.setdefault(header, partial(_serialized, graph, name))
    return Representations(bodies)


def _serialized(graph: Graph, name: str) -> bytes:
    return graph.serialize(format=name, encoding="utf-8")
