"""The virtual registry: a graph in which every content type is described, none stored.

What is asked about one node is computed, and remembered.  What is asked about any node walks
all that the registry names, and the content types of the graph that it is joined with: no
graph could hold all the types that there might be.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any

from rdflib import Dataset, Graph, URIRef
from rdflib.graph import DATASET_DEFAULT_GRAPH_ID
from rdflib.plugins.stores.memory import Memory, SimpleMemory
from rdflib.store import Store

from cturi_rdf._util.arguments import checked
from cturi_rdf.content_type import ContentType
from cturi_rdf.content_type.grammar import percent_decode
from cturi_rdf.errors import CturiError
from cturi_rdf.rdf.description import describe
from cturi_rdf.rdf.export import unlisted
from cturi_rdf.rdf.nodes import mint, read
from cturi_rdf.registry import registry

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from rdflib.term import IdentifiedNode, Identifier, Node

    _Triple = tuple[Node, Node, Node]
    _Pattern = tuple[Node | None, Node | None, Node | None]
    _Facts = dict[Node, tuple[Node, ...]]

__all__ = ["RegistryStore", "with_registry"]

_SCHEME = "contenttype:"
# The nodes of what belongs to types, by the folder that they are in.
_BASE = "https://w3id.org/cturi/"
_NONE: _Facts = {}


class RegistryStore(Store):
    """A read-only store of rdflib: the virtual registry, joined with another store, if any.

    The registry is in the graph that is called `home`, and in the union of all graphs.
    rdflib finds the store as a plug-in of the name ``cturi``.

    >>> graph = Graph(store="cturi")
    >>> print(graph.value(URIRef("ContentType:image/svg+xml"),
    ...                   URIRef("https://w3id.org/cturi/vocab#structuredSyntaxSuffix")))
    https://w3id.org/cturi/suffix/xml
    """

    def __init__(
        self,
        configuration: str | None = None,
        identifier: Identifier | None = None,
        *,
        base: Store | None = None,
        home: IdentifiedNode | None = None,
    ) -> None:
        """Take the store to join with, and the name of the graph that has the registry."""
        self._base = Memory() if base is None else base
        self._home = home
        # Where the registry says that its triples are.
        self._graph = Graph(store=self, identifier=home or DATASET_DEFAULT_GRAPH_ID)
        self._extra = Graph(store=SimpleMemory())
        self._size = 0
        # What rdflib asks before it asks for named graphs.
        self.context_aware = self._base.context_aware
        self.graph_aware = self._base.graph_aware
        super().__init__(configuration, identifier)

    def triples(
        self,
        triple_pattern: _Pattern,
        context: Graph | None = None,
    ) -> Iterator[tuple[_Triple, Iterator[Graph | None]]]:
        """Yield what matches: first what is stored, then what is not but is so all the same."""
        subject, *_ = triple_pattern
        stored = self._stored(triple_pattern, context)
        if not self._is_home(context):
            yield from stored
        elif subject is not None:
            seen = set()
            for triple, contexts in stored:
                seen.add(triple)
                yield triple, contexts
            for triple in _about(subject, triple_pattern):
                if triple not in seen:
                    yield triple, iter((self._graph,))
        else:
            yield from stored
            for triple in self._walked(triple_pattern):
                if next(self._stored(triple, context), None) is None:
                    yield triple, iter((self._graph,))

    def __len__(self, context: Graph | None = None) -> int:
        """Return how many triples a walk finds."""
        if not self._is_home(context):
            return self._base.__len__(context)
        return sum(1 for _ in self.triples((None, None, None), context))

    def contexts(self, triple: Any = None) -> Generator[Graph, None, None]:
        """Yield the graphs of the joined store."""
        yield from self._base.contexts(triple)

    def bind(self, prefix: str, namespace: URIRef, override: bool = True) -> None:  # noqa: FBT001, FBT002 - rdflib's signature
        """Bind a prefix, which is no triple, in the joined store."""
        self._base.bind(prefix, namespace, override)

    def prefix(self, namespace: URIRef) -> str | None:
        """Return the prefix of a namespace."""
        return self._base.prefix(namespace)

    def namespace(self, prefix: str) -> URIRef | None:
        """Return the namespace of a prefix."""
        return self._base.namespace(prefix)

    def namespaces(self) -> Iterator[tuple[str, URIRef]]:
        """Yield every prefix and its namespace."""
        return self._base.namespaces()

    def add_graph(self, graph: Graph) -> None:
        """Do nothing: rdflib adds a graph even to read it."""

    def add(self, triple: Any, context: Any, quoted: bool = False) -> None:  # noqa: ARG002, FBT001, FBT002 - rdflib's signature
        """Refuse with `CturiError`: nothing can be added."""
        raise _read_only()

    def addN(self, quads: Any) -> None:  # noqa: ARG002, N802 - rdflib's signature
        """Refuse with `CturiError`: nothing can be added."""
        raise _read_only()

    def remove(self, triple: Any, context: Any = None) -> None:  # noqa: ARG002 - rdflib's signature
        """Refuse with `CturiError`: nothing can be removed."""
        raise _read_only()

    def remove_graph(self, graph: Graph) -> None:  # noqa: ARG002 - rdflib's signature
        """Refuse with `CturiError`: nothing can be removed."""
        raise _read_only()

    def _is_home(self, context: Graph | None) -> bool:
        return context is None or self._home is None or context.identifier == self._home

    def _stored(self, pattern: Any, context: Graph | None) -> Iterator[Any]:
        return iter(self._base.triples(pattern, context))

    def _walked(self, pattern: _Pattern) -> Iterator[_Triple]:
        """Yield what matches of all that the registry and the joined store name."""
        size = len(self._base)
        if size != self._size:
            self._extra, self._size = _named_in(self._base), size
        yield from _registered().triples(pattern)
        yield from self._extra.triples(pattern)


@checked
def with_registry(graph: Graph) -> Graph:
    """Return a read-only view of a graph or dataset in which every content type is described.

    In a dataset it is the default graph in which they are.  The view follows the graph; the
    content types in it are looked for again when the number of its triples has changed.

    >>> graph = Graph().parse(format="turtle", data='''
    ...     @prefix dcat: <http://www.w3.org/ns/dcat#> .
    ...     <http://a.example/data> dcat:mediaType <ContentType:application/geo+json> .''')
    >>> query = '''PREFIX dcat: <http://www.w3.org/ns/dcat#>
    ...     PREFIX ctv: <https://w3id.org/cturi/vocab#>
    ...     SELECT ?s { ?d dcat:mediaType ?t . ?t ctv:structuredSyntaxSuffix ?s }'''
    >>> [str(each.s) for each in with_registry(graph).query(query)]
    ['https://w3id.org/cturi/suffix/json']
    """
    if isinstance(graph, Dataset):
        home = graph.default_graph.identifier
        store = RegistryStore(base=graph.store, home=home)
        return Dataset(store=store, default_union=graph.default_union)
    store = RegistryStore(base=graph.store, home=graph.identifier)
    return Graph(store=store, identifier=graph.identifier)


def _about(subject: Node, pattern: _Pattern) -> Iterator[_Triple]:
    """Yield what matches a pattern with this subject."""
    if not isinstance(subject, URIRef):
        return
    _, predicate, value = pattern
    facts = _facts(subject)
    if predicate is not None:
        facts = {predicate: facts.get(predicate, ())}
    for each, values in facts.items():
        for found in values:
            if value is None or found == value:
                yield subject, each, found


@lru_cache(maxsize=8_192)
def _facts(node: URIRef) -> _Facts:
    """Return all that is to say about a node of ours: its properties and their values."""
    described = _type_with(node)
    if described is None:
        return _NONE
    try:
        graph = describe(described)
        # A node in another spelling is described too, under its own name.
        is_type = node[: len(_SCHEME)].lower() == _SCHEME
        name = mint(described) if is_type else node
    except CturiError:
        return _NONE
    facts: dict[Node, list[Node]] = {}
    for predicate, value in graph.predicate_objects(name):
        facts.setdefault(predicate, []).append(value)
    return {predicate: tuple(values) for predicate, values in facts.items()}


def _type_with(node: URIRef) -> ContentType | None:
    """Return the content type of a node, or one in whose description the node stands."""
    try:
        if node[: len(_SCHEME)].lower() == _SCHEME:
            return read(node)
        if not node.startswith(_BASE):
            return None
        folder, *names = map(percent_decode, node.removeprefix(_BASE).split("/"))
        match folder, names:
            case "suffix", [name]:
                return ContentType("application", f"x+{name}")
            case "top-level", [name]:
                return ContentType(name, "x")
            case "parameter", [name, value]:
                return ContentType("application", "x", {name: value})
    except (CturiError, UnicodeDecodeError):
        pass
    return None


@cache
def _registered() -> Graph:
    """Return the descriptions of every type that the registry names, made on the first walk."""
    listed = (each.essence for each in registry().media_types())
    graph = Graph(store=SimpleMemory())
    for name in dict.fromkeys(chain(listed, unlisted())):
        describe(name, graph)
    return graph


def _named_in(store: Store) -> Graph:
    """Return the descriptions of the content types in a store that the registry does not name."""
    graph, registered = Graph(store=SimpleMemory()), _registered()
    found = {
        term
        for (subject, _, value), _ in store.triples((None, None, None))
        for term in (subject, value)
        if isinstance(term, URIRef)
    }
    for node in found:
        described = _type_with(node)
        if described is None or not (facts := _facts(node)):
            continue
        more = describe(described) if node[: len(_SCHEME)].lower() == _SCHEME else Graph()
        said = {(node, each, value) for each, values in facts.items() for value in values}
        for triple in said | set(more):
            if triple not in registered:
                graph.add(triple)
    return graph


def _read_only() -> CturiError:
    return CturiError(
        "a change of the virtual registry", "the graph", (0, 9), "reading only", "cturi_rdf.rdf"
    )
