"""Names for blank nodes, whose own labels mean nothing outside of their file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rdflib import DCTERMS, BNode, Graph, URIRef

from cturi_rdf.rdf.urls import NAMELESS, NAMES, URLS
from cturi_rdf.reading.terms import is_random

if TYPE_CHECKING:
    from rdflib.term import Node

__all__ = ["name_of", "place_of"]

_URLS = tuple(map(URIRef, URLS))
_NAMES = tuple(map(URIRef, NAMES))
_CALLED = (DCTERMS.identifier, DCTERMS.title)


def name_of(graph: Graph, node: Node) -> object:
    """Return the URL or else the title of a blank node; any other node as it is."""
    if isinstance(node, BNode):
        return _first(graph, node, _NAMES) or (NAMELESS if is_random(node) else node)
    return node


def place_of(graph: Graph, node: Node) -> Node:
    """Return the name of a blank node for a reader: its URL, its named parent or a title."""
    path: list[Node] = []
    while isinstance(node, BNode):
        path.append(node)
        url = _first(graph, node, _URLS)
        parent = next(
            (subject for subject in graph.subjects(None, node) if subject not in path), None
        )
        if url or parent is None:
            names = (_first(graph, blank_node, _CALLED) for blank_node in path)
            return url or next(filter(None, names), node)
        node = parent
    return node


def _first(graph: Graph, node: Node, predicates: tuple[URIRef, ...]) -> Node | None:
    """Return the first value of the predicates that is neither empty nor a blank node."""
    for predicate in predicates:
        objects = graph.objects(node, predicate)
        values = [value for value in objects if not isinstance(value, BNode) and str(value).strip()]
        if values:
            return min(values, key=str)
    return None
