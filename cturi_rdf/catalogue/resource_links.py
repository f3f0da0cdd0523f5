"""The links of a resource of a catalogue, as its page or its server gives them (Signposting)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rdflib import DCAT, DCTERMS, FOAF, URIRef

from cturi_rdf.catalogue.graphs import headers
from cturi_rdf.rdf.terms import DOWNLOAD_URLS
from cturi_rdf.rdf.web_links import Link

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rdflib import Graph

# The relation of Signposting for a property of a resource.
_RELATIONS = {
    DCTERMS.license: "license",
    DCTERMS.creator: "author",
    FOAF.isPrimaryTopicOf: "describedby",
    URIRef("http://www.w3.org/2007/05/powder-s#describedby"): "describedby",
}


def links_of(graph: Graph, resource: str) -> Iterator[Link]:
    """Yield the links of a resource: its files with their headers, its licence, its description.

    >>> from rdflib import Graph
    >>> graph = Graph().parse(format="turtle", data='''
    ...     @prefix dcat: <http://www.w3.org/ns/dcat#> .
    ...     <http://a.example/d> dcat:distribution <http://a.example/d#1> .
    ...     <http://a.example/d#1> dcat:downloadURL <http://a.example/d.csv> ;
    ...         dcat:mediaType "text/csv" .''')
    >>> [(link.relations, link.target, link.type) for link in links_of(graph, "http://a.example/d")]
    [(('item',), 'http://a.example/d.csv', 'text/csv')]
    """
    node = URIRef(resource)
    types = {header.resource: header.content_type for header in headers(graph)}
    parts = [node, *sorted(graph.objects(node, DCAT.distribution), key=str)]
    for part in parts:
        urls = [url for path in DOWNLOAD_URLS for url in graph.objects(part, URIRef(path))]
        for url in sorted(map(str, urls)):
            content_type = types.get(part)
            attributes = {"rel": "item"} | ({"type": str(content_type)} if content_type else {})
            yield Link(resource, ("item",), url, attributes)
    for path, relation in _RELATIONS.items():
        for value in sorted(graph.objects(node, path), key=str):
            if isinstance(value, URIRef):
                content_type = types.get(value)
                of_type = {"type": str(content_type)} if content_type else {}
                yield Link(resource, (relation,), str(value), {"rel": relation, **of_type})
