"""The data of queries, in a store of Oxigraph."""

from __future__ import annotations

import threading
from functools import cache
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, TypeAlias

import pyoxigraph as ox

from cturi_rdf.errors import CturiError
from cturi_rdf.reading.errors import no_triples
from cturi_rdf.reading.read import document
from cturi_rdf.reading.source import open_source
from cturi_rdf.reading.terms import lenient_node, lenient_ox
from cturi_rdf.sparql.registry_triples import SUBJECTS, add_registry, described, registry_store

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from rdflib import Graph

    from cturi_rdf.reading.jsonld_contexts import Contexts

    DataSource: TypeAlias = "str | PathLike[str] | Graph | ox.Store | QueryData"

__all__ = ["INTERNAL", "REGISTRY", "QueryData", "query_data", "visible_graphs"]

# The beginnings of names of graphs that are not of the data: the graphs of one query, which no
# other query may see, and the registry, which only a query that asks for it sees.
INTERNAL = "urn:x-cturi:query:"
REGISTRY = ox.NamedNode(f"{INTERNAL}registry")
_DEFAULT = ox.DefaultGraph()
_NAMED_NODES = f"""SELECT DISTINCT ?node {{
    {{ ?node ?p ?o }} UNION {{ ?s ?p ?node }}
    FILTER(ISIRI(?node) && REGEX(STR(?node), {ox.Literal(SUBJECTS)}, "i"))
}}"""


class QueryData:
    """Triples and named graphs for queries, and the prefixes that come with them.

    Several threads may query it, and many times.  The registry is added, in a graph of its
    own, when the first query needs it.  Where the data are `joined` with it, every query sees it.
    """

    def __init__(
        self, store: ox.Store, prefixes: Mapping[str, str] | None = None, *, borrowed: bool = False
    ) -> None:
        """Take a store; a `borrowed` one is copied before anything is added to it."""
        self.store = store
        self.prefixes = dict(prefixes or {})
        self._borrowed = borrowed
        self.joined = False
        self._registered = False
        self._lock = threading.Lock()

    @property
    def shows_registry(self) -> bool:
        """Whether every query sees the registry, as it does where there are no other data."""
        return self.joined or not self.store

    def with_registry(self) -> ox.Store:
        """Return the store with the registry in the graph `REGISTRY`.

        The types that the data name are described there too, registered or not.
        """
        with self._lock:
            if not self._registered and not self.store:
                self.store, self._registered, self.joined = registry_store(), True, True
            if not self._registered:
                if self._borrowed:
                    borrowed, self.store = self.store, ox.Store()
                    self.store.bulk_extend(borrowed)
                    self._borrowed = False
                nodes: Any = self.store.query(_NAMED_NODES, use_default_graph_as_union=True)
                named = {solution["node"].value for solution in nodes}
                add_registry(self.store, REGISTRY)
                # In a union of graphs Oxigraph finds a triple of two graphs twice.
                for node in named:
                    subject = lenient_node(node)
                    for quad in self.store.quads_for_pattern(subject, None, None, _DEFAULT):
                        copy = ox.Quad(quad.subject, quad.predicate, quad.object, REGISTRY)
                        self.store.remove(copy)
                self.store.extend(self.missing(named))
                self._registered = True
            return self.store

    def missing(self, nodes: Iterable[str]) -> list[ox.Quad]:
        """Return the descriptions of nodes that are not in the default graph or the registry."""
        quads = {ox.Quad(s, p, o, REGISTRY) for node in nodes for s, p, o in described(node)}
        return [
            quad
            for quad in quads
            if quad not in self.store and ox.Quad(*quad.triple) not in self.store
        ]


def visible_graphs(store: ox.Store) -> list[ox.NamedNode | ox.BlankNode]:
    """Return the names of the graphs of the data in a store.

    >>> visible_graphs(query_data("examples/catalogue.ttl").with_registry())
    []
    """
    return [name for name in store.named_graphs() if not name.value.startswith(INTERNAL)]


def query_data(
    *sources: DataSource, form: str | None = None, contexts: Contexts | None = None
) -> QueryData:
    """Return the data of files, graphs and stores together.

    A source is the path of a file, ``-`` for standard input, a graph or dataset of rdflib, or
    a store of Oxigraph.  `form` is the name of the format of the files if their names do not
    tell, `contexts` says where JSON-LD contexts may come from.  The default graph has the
    triples of all named graphs of files too.  Raises `CatalogError` for a file that cannot be
    read, and `CturiError` for a graph that is not RDF.

    >>> data = query_data("examples/catalogue.ttl")
    >>> len(data.store), data.prefixes["dcat"]
    (134, 'http://www.w3.org/ns/dcat#')
    """
    parts = [QueryData(s, borrowed=True) if isinstance(s, ox.Store) else s for s in sources]
    if len(parts) == 1 and isinstance(parts[0], QueryData):
        return parts[0]
    data = QueryData(ox.Store())
    for number, source in enumerate(parts):
        if isinstance(source, str | PathLike):
            _add_file(data, fspath(source), form, contexts, f"f{number}x" if number else "")
        elif isinstance(source, QueryData):
            data.store.bulk_extend(source.store)
            data.prefixes |= source.prefixes
        else:
            _add_graph(data, source)
    return data


def _add_file(
    data: QueryData, name: str, form: str | None, contexts: Contexts | None, mark: str
) -> None:
    """Add the quads of a file; `mark` keeps its blank nodes apart from those of others."""
    before = len(data.store)
    with open_source(name, form) as source:
        quads = document(source, contexts)
        data.store.extend(_in_default_graph_too(_renamed(quads, mark) if mark else quads))
        if len(data.store) == before and next(iter(quads), None) is None:
            raise no_triples(name, source.format.name)
        source.check()
        data.prefixes |= quads.prefixes


def _in_default_graph_too(quads: Iterable[ox.Quad]) -> Iterator[ox.Quad]:
    for quad in quads:
        yield quad
        if quad.graph_name != _DEFAULT:
            yield ox.Quad(*quad.triple)


def _renamed(quads: Iterable[ox.Quad], mark: str) -> Iterator[ox.Quad]:
    """Yield quads whose blank nodes have names with a mark."""

    def renamed(term: ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple) -> object:
        return ox.BlankNode(mark + term.value) if isinstance(term, ox.BlankNode) else term

    for quad in quads:
        yield ox.Quad(*map(renamed, quad))  # type: ignore[arg-type]


def _add_graph(data: QueryData, graph: Graph) -> None:
    """Add a graph or a dataset of rdflib; its prefixes come after those that are known."""
    without_registry = getattr(graph.store, "without_registry", None)
    if without_registry:
        data.joined = True
        graph = without_registry(graph)
    from rdflib import Dataset

    from cturi_rdf.reading.rdflib_graphs import as_dataset, bound_prefixes

    graph = as_dataset(graph)
    default = graph.default_graph.identifier if isinstance(graph, Dataset) else None
    # Terms repeat, and converting one takes longer than looking it up.
    term = cache(lenient_ox)

    def quads() -> Iterator[ox.Quad]:
        whole: Iterable[Any] = graph
        statements = graph.quads() if isinstance(graph, Dataset) else ((*t, None) for t in whole)
        for subject, predicate, value, name in statements:
            terms = term(subject), term(predicate), term(value)
            named = name not in {None, default}
            if named:
                yield ox.Quad(*terms, term(name))
            if not named or graph.default_union:
                yield ox.Quad(*terms)

    try:
        data.store.extend(quads())
    except (ValueError, TypeError) as error:
        raise CturiError(
            f"a graph that is not RDF ({error})",
            "the graph",
            (0, 9),
            expected="IRIs, blank nodes and literals where RDF allows them",
            rule="RDF 1.1 Concepts section 3",
        ) from error
    data.prefixes = bound_prefixes(graph) | data.prefixes
