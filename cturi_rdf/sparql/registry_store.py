"""The virtual registry: a graph that describes every content type, and stores none.

The registry is what `cturi registry export` writes, joined with another store, if any.  No graph
could hold all types, so a type that the registry does not list is described only where its node is
asked for, or where a query, its functions or the joined store name it.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox
from rdflib import Dataset, Graph, Literal, URIRef
from rdflib.graph import DATASET_DEFAULT_GRAPH_ID, ReadOnlyGraphAggregate
from rdflib.plugins.stores.memory import Memory, SimpleMemory
from rdflib.store import Store

from cturi_rdf._util.display import PREFIXES
from cturi_rdf.errors import CturiError
from cturi_rdf.rdf.description import in_rdflib
from cturi_rdf.reading.rdflib_graphs import as_dataset
from cturi_rdf.reading.terms import lenient_ox
from cturi_rdf.sparql.dataset import query_data
from cturi_rdf.sparql.query import run
from cturi_rdf.sparql.registry_triples import NODES, described, registry_store
from cturi_rdf.sparql.syntax import QueryText

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping

    from rdflib.query import Result
    from rdflib.term import IdentifiedNode, Identifier, Node

    _Triple = tuple[Node, Node, Node]
    _Pattern = tuple[Node | None, Node | None, Node | None]

_NODE = re.compile(NODES, re.IGNORECASE)
_UNION = "__UNION__"


class RegistryStore(Store):
    """A read-only store of rdflib: the virtual registry, joined with another store, if any.

    The registry is in the graph `home`, and in the union of all graphs.  rdflib finds the store as
    the plug-in ``cturi``.

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
        """Join the store `base`, if any, with the registry in the graph `home`."""
        self._base = Memory() if base is None else base
        self._home = home
        # The graph that the triples of the registry are in.
        self._graph = Graph(store=self, identifier=home or DATASET_DEFAULT_GRAPH_ID)
        # rdflib reads these before it asks for named graphs.
        self.context_aware = self._base.context_aware
        self.graph_aware = self._base.graph_aware
        super().__init__(configuration, identifier)

    def query(
        self,
        query: Any,
        initNs: Mapping[str, Any],  # noqa: N803 - rdflib's signature
        initBindings: Mapping[str, Identifier],  # noqa: N803
        queryGraph: Any,  # noqa: N803
        **options: Any,
    ) -> Result:
        """Return the result of a query, which Oxigraph answers; raises `CturiError`.

        Prepared queries are for rdflib's engine, which asks for `triples`.
        """
        if not isinstance(query, str) or options:
            raise NotImplementedError
        prefixes = {prefix: str(namespace) for prefix, namespace in initNs.items()}
        bindings = {str(name): value for name, value in initBindings.items()}
        named = QueryText(query, {**PREFIXES, **prefixes}).iris | set(map(str, bindings.values()))
        unlisted = {iri for iri in named if _NODE.match(iri)} - _listed()
        joined = self._joined(queryGraph)
        if not unlisted and not len(joined):
            return run(query, prefixes=prefixes, bindings=bindings)
        data = query_data(joined, registry="default")
        data.describe(unlisted)
        return run(query, data, prefixes=prefixes, bindings=bindings)

    def without_registry(self, view: Graph) -> Graph:
        """Return the part of a view that comes from the joined store."""
        return self._joined(_UNION if view.default_union else view.identifier)

    def _joined(self, name: Any) -> Graph:
        """Return a graph of the joined store, or all of them."""
        if self._base.graph_aware and (name == _UNION or self._home == DATASET_DEFAULT_GRAPH_ID):
            return Dataset(store=self._base, default_union=name == _UNION)
        return Graph(store=self._base, identifier=name)

    def triples(
        self, triple_pattern: _Pattern, context: Graph | None = None
    ) -> Iterator[tuple[_Triple, Iterator[Graph | None]]]:
        """Yield matching triples: stored ones first, then those that the registry implies."""
        seen = set()
        for triple, contexts in self._base.triples(triple_pattern, context):
            seen.add(triple)
            yield triple, contexts
        if self._is_home(context):
            for triple in self._implied(triple_pattern):
                if triple not in seen:
                    seen.add(triple)
                    yield triple, iter((self._graph,))

    def _implied(self, pattern: _Pattern) -> Iterator[_Triple]:
        """Yield the matching triples of the registry, and of types that it does not list."""
        subject, predicate, _ = pattern
        if isinstance(subject, Literal) or not isinstance(predicate, URIRef | None):
            # No triple of RDF is like that, but a variable may have such a value.
            return
        try:
            s, p, o = (None if term is None else lenient_ox(term) for term in pattern)
        except ValueError:
            # The registry has no term that Oxigraph refuses.
            return
        stores = [registry_store()]
        if subject is None:
            stores.append(self._named_in_base())
        for store in stores:
            for quad in store.quads_for_pattern(s, p, o, ox.DefaultGraph()):
                triple: Any = quad.triple
                yield in_rdflib(triple)
        for fact in () if subject is None else described(str(subject)):
            if fact[0] == s and p in {None, fact[1]} and o in {None, fact[2]}:
                yield in_rdflib(fact)

    def _named_in_base(self) -> ox.Store:
        """Return the descriptions of the types that the joined store names."""
        nodes = {
            str(term)
            for (subject, _, value), _ in self._base.triples((None, None, None))
            for term in (subject, value)
            if isinstance(term, URIRef) and _NODE.match(term)
        }
        named = ox.Store()
        named.extend(ox.Quad(*triple) for node in nodes for triple in described(node))
        return named

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

    def _refuse(self, *_: Any, **__: Any) -> None:
        """Raise `CturiError`: nothing can be changed."""
        problem, rule = "a change of the virtual registry", "cturi_rdf.rdf"
        raise CturiError(problem, "the graph", expected="reading only", rule=rule)

    add = addN = remove = remove_graph = _refuse  # noqa: N815 - rdflib's name

    def _is_home(self, context: Graph | None) -> bool:
        return context is None or self._home is None or context.identifier == self._home


@cache
def _listed() -> frozenset[str]:
    """Return the IRIs of the nodes that the registry describes."""
    nodes = registry_store().query("SELECT DISTINCT ?s { ?s ?p ?o }")
    return frozenset(row[0].value for row in nodes)  # type: ignore[union-attr]


class _Together(SimpleMemory):
    """The triples of several graphs, which have stores of their own."""

    def __init__(self, graphs: ReadOnlyGraphAggregate) -> None:
        super().__init__()
        self._graphs = graphs

    def triples(
        self,
        triple_pattern: _Pattern,
        context: Graph | None = None,  # noqa: ARG002 - rdflib's signature
    ) -> Iterator[tuple[_Triple, Iterator[Graph | None]]]:
        return ((triple, iter(())) for triple in set(self._graphs.triples(triple_pattern)))


def with_registry(graph: Graph) -> Graph:
    """Return a read-only view of a graph or dataset in which every content type is described.

    In a dataset, the descriptions are in the default graph.  The view follows the graph, and each
    query copies it into Oxigraph; data that is queried often is better read once, by
    `cturi_rdf.sparql.query_data`.

    >>> graph = Graph().parse(format="turtle", data='''
    ...     @prefix dcat: <http://www.w3.org/ns/dcat#> .
    ...     <http://a.example/data> dcat:mediaType <ContentType:application/geo+json> .''')
    >>> query = '''PREFIX dcat: <http://www.w3.org/ns/dcat#>
    ...     PREFIX ctv: <https://w3id.org/cturi/vocab#>
    ...     SELECT ?s { ?d dcat:mediaType ?t . ?t ctv:structuredSyntaxSuffix ?s }'''
    >>> [str(row.s) for row in with_registry(graph).query(query)]
    ['https://w3id.org/cturi/suffix/json']
    """
    graph = as_dataset(graph)
    if isinstance(graph, Dataset):
        home = graph.default_graph.identifier
        store = RegistryStore(base=graph.store, home=home)
        return Dataset(store=store, default_union=graph.default_union)
    base = _Together(graph) if isinstance(graph, ReadOnlyGraphAggregate) else graph.store
    store = RegistryStore(base=base, home=graph.identifier)
    return Graph(store=store, identifier=graph.identifier)
