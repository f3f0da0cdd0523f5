"""A graph of rdflib as a catalogue: labels, names of resources, their headers and links."""

from __future__ import annotations

from collections import defaultdict
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import pyoxigraph as ox
from rdflib import DCAT, DCTERMS, FOAF, BNode, Dataset, Graph, URIRef

from cturi_rdf.catalogue.evidence import (
    Evidence,
    evidence_of_label,
    evidence_of_term,
    header_properties,
    is_of_use,
)
from cturi_rdf.catalogue.header import Header, Headers
from cturi_rdf.editing.document import GraphDocument
from cturi_rdf.editing.edit import Add, Append, Remove
from cturi_rdf.errors import CturiError
from cturi_rdf.labels import Resolution, resolve
from cturi_rdf.rdf.label_statements import DESCRIBED_BY, Understood, understand
from cturi_rdf.rdf.terms import DOWNLOAD_URLS, NAMELESS, NAMES, PROPERTIES, URLS
from cturi_rdf.rdf.web_links import Link
from cturi_rdf.reading.rdflib_graphs import as_dataset, own_prefixes
from cturi_rdf.reading.terms import from_ox, is_random, lenient_ox

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rdflib.term import Node

    from cturi_rdf.content_type import ContentType
    from cturi_rdf.editing.edit import Change
    from cturi_rdf.rdf.label_statements import Resolver


_URL_TERMS = tuple(map(URIRef, URLS))
_NAME_TERMS = tuple(map(URIRef, NAMES))
_CALLED = (DCTERMS.identifier, DCTERMS.title)
# The properties whose values are nodes of types, or tell how labels are to be read.
_NODES = tuple(path.value for path in header_properties() if path not in PROPERTIES)


def headers(graph: Graph, *, resolver: Resolver = resolve, by_url: bool = False) -> Headers:
    """Return the header of each resource with a statement about its type.

    Resources with an IRI come first, in the order of the IRIs, then the others, in the order of
    their names.  A file in a package is sent as the package.  Of several types that agree, the most
    specific is taken; where types contradict each other, the header lists the conflict.  A node
    that `ctv:contentType` links to counts unless annotating would replace it, because labels name
    another type now; `ctv:servedAs` counts before anything else.  With `by_url` the file name in
    the download URL decides what these leave open.  Raises `CturiError` for a blank node of a
    remote store, which cannot be asked about.

    >>> graph = Graph().parse(format="turtle", data='''
    ...     @prefix dct: <http://purl.org/dc/terms/> .
    ...     <http://a.example/data> dct:format "application/json", "application/geo+json" .''')
    >>> headers(graph)
    [<Header of http://a.example/data: application/geo+json>]
    """
    graph = union_of(graph)
    evidence: dict[Node, list[Evidence]] = defaultdict(list)
    with refusing_remote_blank_nodes():
        for label in occurrences(graph, resolver):
            of_label = evidence_of_label(str(label.predicate), label.understood)
            evidence[label.resource].append(of_label)
        for path in (*_NODES, *DOWNLOAD_URLS):
            for resource, value in graph.subject_objects(URIRef(path)):
                evidence[resource].append(evidence_of_term(path, lenient_ox(value)))
        every = [
            Header(resource, name_of(graph, resource), filter(is_of_use, own), by_url=by_url)
            for resource, own in evidence.items()
        ]
    stated = (header for header in every if header.verdict != "none" or header.broken)
    ordered = sorted(stated, key=lambda one: (isinstance(one.resource, BNode), str(one.name)))
    return Headers(ordered, own_prefixes(graph))


class Occurrence(NamedTuple):
    """One occurrence of a label: a triple of a graph, the text and its meaning."""

    resource: Node
    predicate: URIRef
    value: Node
    text: str
    resolution: Resolution
    graph: Graph

    @property
    def understood(self) -> Understood:
        """The text and its meaning."""
        return Understood(self.text, self.resolution)

    @property
    def content_types(self) -> tuple[ContentType, ...]:
        """The types that the label names; for a package with unknown content, the package."""
        return self.resolution.named


def occurrences(graph: Graph, resolver: Resolver = resolve) -> Iterator[Occurrence]:
    """Yield all labels on label properties in a graph or dataset, understood or not.

    In a dataset each comes with the named graph that it stands in.

    >>> from rdflib import DCTERMS, BNode, Literal
    >>> graph = Graph().add((BNode(), DCTERMS["format"], Literal("text/csv", lang="en")))
    >>> [label.resolution.types for label in occurrences(graph)]
    [(ContentType.parse('text/csv'),)]
    """
    for name in PROPERTIES:
        predicate = URIRef(name.value)
        for where, resource, _, value in statements_in(graph, predicate):
            text, resolution = _understood(graph, value, resolver)
            yield Occurrence(resource, predicate, value, text, resolution, where)


@contextmanager
def refusing_remote_blank_nodes() -> Iterator[None]:
    """Turn rdflib's error about a blank node behind an endpoint, which is of no class, into ours.

    A blank node has another name in each answer (SPARQL 1.1 section 4.1.4).
    """
    try:
        yield
    except Exception as error:
        if "not support BNodes" not in str(error):
            raise
        raise CturiError(
            "a blank node in a remote store, which cannot be asked about it",
            "the graph",
            expected="a copy: Graph() + graph",
            rule="SPARQL 1.1 section 4.1.4",
        ) from error


def union_of(graph: Graph) -> Graph:
    """Return a graph, or for a dataset a view of all its graphs together.

    >>> dataset = Dataset()
    >>> triple = URIRef("urn:s:1"), URIRef("urn:p:1"), URIRef("urn:o:1")
    >>> graph = dataset.graph(URIRef("urn:g:1")).add(triple)
    >>> triple in dataset, triple in union_of(dataset)
    (False, True)
    """
    graph = as_dataset(graph)
    if not isinstance(graph, Dataset) or graph.default_union:
        return graph
    union = Dataset(graph.store, default_union=True)
    union.namespace_manager = graph.namespace_manager
    return union


class RdflibDocument(GraphDocument):
    """A graph or dataset of rdflib whose statements are changed as those of a file are."""

    def __init__(self, graph: Graph) -> None:
        super().__init__()
        self._graph = graph
        self._default = graph.default_graph if isinstance(graph, Dataset) else graph
        self._quads: list[tuple[Node, Node, Node, Graph]] = []

    def take_from(self, where: Graph, *triple: Node) -> None:
        """Take a triple of a graph."""
        subject, predicate, value = triple
        self._quads.append((subject, predicate, value, where))
        is_default = where.identifier == self._default.identifier
        name = ox.DefaultGraph() if is_default else lenient_ox(where.identifier)
        self.take(name, *map(lenient_ox, triple))

    def make(self, changes: Iterable[Change]) -> None:
        """Make changes of the statements; all additions at once, as remote stores like it."""
        added: list[tuple[Any, Any, Any, Graph]] = []
        for change in changes:
            if isinstance(change, Append):
                added += (
                    (*map(from_ox, quad.triple), self._named(quad.graph_name))
                    for quad in change.quads
                )
                continue
            subject, predicate, value, where = self._quads[change.statement.start]
            if not isinstance(change, Add):
                where.remove((subject, predicate, value))
            if not isinstance(change, Remove):
                path = predicate if change.predicate is None else from_ox(change.predicate)
                added.append((subject, path, from_ox(change.object), where))
        self._graph.addN(added)

    def _named(self, name: Any) -> Graph:
        if isinstance(self._graph, Dataset) and not isinstance(name, ox.DefaultGraph):
            return self._graph.graph(from_ox(name))
        return self._default


def _understood(graph: Graph, value: Node, resolver: Resolver) -> Understood:
    described = (
        (name, lenient_ox(term))
        for name in DESCRIBED_BY
        for term in graph.objects(value, URIRef(name.value))
    )
    return understand(lenient_ox(value), described, resolver)


def statements_in(
    graph: Graph, predicate: URIRef | None = None
) -> Iterator[tuple[Graph, Node, Node, Node]]:
    """Yield all statements, or those of a property, each with the graph that it stands in first."""
    # Lists, because the caller may add to the graph at once.
    if isinstance(graph, Dataset):
        for subject, path, value, name in list(graph.quads((None, predicate, None, None))):
            where = graph.default_graph if name is None else graph.graph(name)
            yield where, subject, path, value
    else:
        for subject, path, value in list(graph.triples((None, predicate, None))):
            yield graph, subject, path, value


def document_of(graph: Graph) -> RdflibDocument:
    """Return all statements of a graph or dataset, to be changed."""
    document = RdflibDocument(graph)
    for statement in statements_in(graph):
        document.take_from(*statement)
    return document


def name_of(graph: Graph, node: Node) -> object:
    """Return the URL or else the title of a blank node; any other node as it is."""
    if isinstance(node, BNode):
        return _first(graph, node, _NAME_TERMS) or (NAMELESS if is_random(node) else node)
    return node


def place_of(graph: Graph, node: Node) -> Node:
    """Return the name of a blank node for a reader: its URL, its named parent or a title."""
    path: list[Node] = []
    while isinstance(node, BNode):
        path.append(node)
        url = _first(graph, node, _URL_TERMS)
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
