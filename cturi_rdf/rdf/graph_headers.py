"""Back to headers: which Content-Type a resource of a graph is to be sent with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rdflib import RDF, Graph, URIRef

from cturi_rdf._util.arguments import checked
from cturi_rdf.content_type import ContentType
from cturi_rdf.errors import MappingError
from cturi_rdf.labels import resolve
from cturi_rdf.rdf.blank_nodes import url_of
from cturi_rdf.rdf.header import Evidence, Header
from cturi_rdf.rdf.nodes import read
from cturi_rdf.rdf.occurrences import occurrences
from cturi_rdf.rdf.properties import CONTENT
from cturi_rdf.rdf.vocab import CTV
from cturi_rdf.registry.schemes import type_of_iri

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rdflib.term import Node

    from cturi_rdf.rdf.label_statements import Resolver

__all__ = ["Evidence", "Header", "headers"]

# Solid and others: a class of the resources of a type, see the registry's schemes.
_CLASS_SCHEME = "w3c-ns-iana"


@checked
def headers(graph: Graph, *, resolver: Resolver = resolve) -> Iterator[Header]:
    """Yield, for each resource that says something of its type, its header or the conflict.

    `ctv:contentType` counts before anything else; where there is none, the labels and the
    classes of the resource do.  Of several types that do not disagree the most specific is
    taken; where they do, none is.

    >>> graph = Graph().parse(format="turtle", data='''
    ...     @prefix dct: <http://purl.org/dc/terms/> .
    ...     <http://a.example/data> dct:format "application/json", "application/geo+json" .''')
    >>> list(headers(graph))
    [<Header of http://a.example/data: application/geo+json>]
    """
    stated = _stated(graph)
    nothing: dict[Node, list[Evidence]] = {resource: [] for resource in stated}
    evidence = nothing | _labelled(graph, resolver)
    for resource, said in evidence.items():
        yield Header(resource, url_of(graph, resource), stated.get(resource) or said)


def _stated(graph: Graph) -> dict[Node, list[Evidence]]:
    """Return what `ctv:contentType` says of resources."""
    found: dict[Node, list[Evidence]] = {}
    for resource, node in graph.subject_objects(CTV.contentType):
        try:
            content_type = read(URIRef(str(node)))
        except MappingError:
            continue
        found.setdefault(resource, []).append(Evidence(CTV.contentType, str(node), content_type))
    return found


def _labelled(graph: Graph, resolver: Resolver) -> dict[Node, list[Evidence]]:
    """Return what labels and classes say of resources."""
    found: dict[Node, list[Evidence]] = {}
    for each in occurrences(graph, CONTENT, resolver):
        for content_type in each.content_types:
            evidence = Evidence(each.predicate, each.text, content_type)
            found.setdefault(each.resource, []).append(evidence)
    for resource, kind in graph.subject_objects(RDF.type):
        scheme, essences = type_of_iri(str(kind)) or ("", ())
        for essence in essences if scheme == _CLASS_SCHEME else ():
            evidence = Evidence(RDF.type, str(kind), ContentType.parse(essence))
            found.setdefault(resource, []).append(evidence)
    return found
