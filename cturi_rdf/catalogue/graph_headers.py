"""The headers of a graph: the Content-Type with which the bytes of each resource are sent."""

from __future__ import annotations

from collections import defaultdict
from itertools import chain
from typing import TYPE_CHECKING

from rdflib import BNode, Graph, URIRef

from cturi_rdf.catalogue.blank_nodes import name_of
from cturi_rdf.catalogue.evidence import (
    HEADER_PROPERTIES,
    Evidence,
    evidence_of_label,
    evidence_of_node,
    is_of_use,
)
from cturi_rdf.catalogue.header import Header, Headers
from cturi_rdf.catalogue.occurrences import occurrences, union_of
from cturi_rdf.labels import resolve
from cturi_rdf.rdf.properties import PROPERTIES
from cturi_rdf.rdf.urls import DOWNLOAD_URLS
from cturi_rdf.reading.rdflib_graphs import own_prefixes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rdflib.term import Node

    from cturi_rdf.catalogue.occurrences import Occurrence
    from cturi_rdf.rdf.label_statements import Resolver

__all__ = ["evidence_in", "headers"]


def headers(graph: Graph, *, resolver: Resolver = resolve, by_url: bool = False) -> Headers:
    """Return the header of each resource with a statement about its type.

    Resources with an IRI come first, in its order, then the others, in that of their names.
    A file in a package is sent as the package.  Of several types that do not contradict each
    other the most specific is taken; where they do, the header lists the conflict.  Nodes that
    `ctv:contentType` links and no label explains count before labels, and `ctv:servedAs` before
    anything else.  With `by_url` the file name in the download URL chooses among several types.

    >>> graph = Graph().parse(format="turtle", data='''
    ...     @prefix dct: <http://purl.org/dc/terms/> .
    ...     <http://a.example/data> dct:format "application/json", "application/geo+json" .''')
    >>> headers(graph)
    [<Header of http://a.example/data: application/geo+json>]
    """
    graph = union_of(graph)
    labels = occurrences(graph, resolver)
    every = (
        Header(resource, name_of(graph, resource), statements, by_url=by_url)
        for resource, statements in evidence_in(graph, labels).items()
    )
    stated = (header for header in every if header.verdict != "none" or header.broken)
    ordered = sorted(stated, key=lambda one: (isinstance(one.resource, BNode), str(one.name)))
    return Headers(ordered, own_prefixes(graph))


def evidence_in(
    graph: Graph, labels: Iterable[Occurrence], *, urls: bool = True
) -> dict[Node, list[Evidence]]:
    """Return the evidence of every resource, with `urls` also that of its download URLs."""
    of_labels = (
        (label.resource, evidence_of_label(str(label.predicate), label.understood))
        for label in labels
    )
    of_nodes = (
        (resource, evidence_of_node(path, str(value)))
        for path in ((*_NODES, *DOWNLOAD_URLS) if urls else _NODES)
        for resource, value in graph.subject_objects(URIRef(path))
    )
    evidence: dict[Node, list[Evidence]] = defaultdict(list)
    for resource, statement in chain(of_labels, of_nodes):
        if is_of_use(statement):
            evidence[resource].append(statement)
    return evidence


_NODES = tuple(path.value for path in HEADER_PROPERTIES if path not in PROPERTIES)
