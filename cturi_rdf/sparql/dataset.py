"""The dataset of queries: files in their graphs, what annotating adds, and the registry.

The dataset is fixed before the first query: no word of a query changes what it is about.  Its
named graphs are those of the files, `ANNOTATIONS` and `REGISTRY`; its default graph has the
triples of all graphs of files, the annotations, and the registry where that is asked for.

Only the loading is late.  The registry is some 127,000 triples, so a query loads those that its
patterns may match, and every later query finds them there.  In a union of graphs Oxigraph
finds a triple of two graphs twice; so a triple that the registry has too is kept only there where
the default graph includes the registry.
"""

from __future__ import annotations

import re
import threading
from functools import cache, lru_cache
from itertools import islice
from os import PathLike, fspath
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import pyoxigraph as ox

from cturi_rdf._util.temporary import no_room
from cturi_rdf.editing.blank_nodes import renamed
from cturi_rdf.errors import CturiError
from cturi_rdf.labels import resolve
from cturi_rdf.reading.errors import no_triples
from cturi_rdf.reading.formats import ReadOptions
from cturi_rdf.reading.read import QuadDocument
from cturi_rdf.reading.source import open_source
from cturi_rdf.reading.terms import SENTINEL, lenient_node, lenient_ox, relative
from cturi_rdf.sparql.registry_triples import (
    NODES,
    REGISTRY,
    add_frames,
    described,
    frame_names,
    frame_of,
    may_match,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from rdflib import Graph

    from cturi_rdf.rdf.label_statements import Resolver
    from cturi_rdf.sparql.syntax import Patterns

    DataSource: TypeAlias = "str | PathLike[str] | Graph | ox.Store | QueryData"

# Where the registry of media types is, besides in a named graph: in the default graph too, or
# nowhere at all.
Registry: TypeAlias = Literal["default", "named", "none"]

# The graph of what annotating adds.
ANNOTATIONS = ox.NamedNode("https://w3id.org/cturi/annotations")
# The beginning of the names of graphs of one query, which no other query may see.
INTERNAL = "urn:x-cturi:query:"
_DEFAULT = ox.DefaultGraph()
# So many quads are added at once; a store on disk holds them in memory until then.
_AT_ONCE = 50_000
_is_described = re.compile(NODES, re.IGNORECASE).match


class QueryData:
    """A dataset for queries, the prefixes that come with it, and the base of relative IRIs.

    Several threads may query it, any number of times.  `registry` says where the registry is:
    ``"named"`` is the graph `REGISTRY` alone, ``"default"`` that and the default graph, and
    ``"none"`` no graph.  `is_annotated` says whether the labels of the data have been read.
    """

    def __init__(
        self,
        store: ox.Store,
        prefixes: Mapping[str, str] | None = None,
        *,
        base: str | None = None,
        registry: Registry = "named",
        borrowed: bool = False,
    ) -> None:
        """Make a dataset from a store; a `borrowed` one is copied before anything is added."""
        self.store = store
        self.prefixes = dict(prefixes or {})
        self.base = base
        self.registry: Registry = registry
        self.is_annotated = False
        self._folder: TemporaryDirectory[str] | None = None
        # The file for the statements that bear on labels, which are read from it later.
        self._labels: Path | None = None
        self._borrowed = borrowed
        self._loaded = set[str]()
        # The IRIs in the data that name a type, a parameter or a top-level type.
        self._named = set[str]()
        # What is known of the types that the data name and the registry does not list, by frame.
        self._facts: dict[str, set[ox.Quad]] = {}
        # What the data state and the registry too.
        self._stated_twice: list[ox.Quad] = []
        self._sizes: dict[object, int] = {}
        self._lock = threading.Lock()

    @classmethod
    def on_disk(cls, *, base: str | None, registry: Registry, annotated: bool) -> QueryData:
        """Return an empty dataset in a temporary folder, which `close` removes.

        `annotated` is whether `annotate` will be called.
        """
        # Where a process ends without closing, the system may still be writing.
        folder = TemporaryDirectory(prefix="cturi-", ignore_cleanup_errors=True)
        data = cls(ox.Store(Path(folder.name, "store")), base=base, registry=registry)
        data._folder = folder
        if annotated:
            data._labels = Path(folder.name, "labels.nt")
        return data

    def close(self) -> None:
        """Remove the folder of data on disk; data in memory stay."""
        if self._folder:
            self.store = ox.Store()
            self._folder.cleanup()

    def default_graph(self) -> list[ox.NamedNode | ox.BlankNode | ox.DefaultGraph]:
        """Return the graphs of the store whose union is the default graph."""
        return [_DEFAULT, REGISTRY] if self.registry == "default" else [_DEFAULT]

    def named_graphs(self) -> list[ox.NamedNode | ox.BlankNode]:
        """Return the names of the named graphs, the registry last.

        >>> [name.value for name in query_data("examples/catalogue.ttl").named_graphs()]
        ['https://w3id.org/cturi/registry']
        """
        names = [name for name in self.store.named_graphs() if not name.value.startswith(INTERNAL)]
        names = sorted((name for name in names if name != REGISTRY), key=str)
        return names if self.registry == "none" else [*names, REGISTRY]

    def load(self, patterns: Patterns | None = None) -> ox.Store:
        """Return the store with all triples of the registry that patterns may match.

        >>> data = query_data("examples/catalogue.ttl", registry="default")
        >>> len(data.load()) > 100_000
        True
        """
        if self.registry == "none":
            return self.store
        with self._lock:
            self._own()
            self.describe(self._named)
            self._named.clear()
            frames = {
                name
                for name in frame_names() | self._facts.keys()
                if name not in self._loaded and may_match(name, patterns)
            }
            if frames:
                add_frames(self.store, frames, REGISTRY)
                self.store.extend(quad for name in frames for quad in self._facts.get(name, ()))
                if self.registry == "default":
                    self._keep_once({name.partition(" ")[0] for name in frames})
                # Last: loading may end by an error, and is done again then.
                self._loaded |= frames
            return self.store

    def size(self, graphs: Sequence[ox.NamedNode | ox.BlankNode | ox.DefaultGraph]) -> int:
        """Return how many triples graphs of the store have together, with the whole registry.

        >>> query_data("examples/catalogue.ttl").size([ox.DefaultGraph()])
        134
        """
        store = self.load()
        for name in graphs:
            if name not in self._sizes:
                quads = store.quads_for_pattern(None, None, None, name)
                self._sizes[name] = sum(1 for _ in quads)
        return sum(self._sizes[name] for name in graphs)

    def describe(self, nodes: Iterable[str]) -> None:
        """Add the descriptions of types to the registry, which need not list them.

        Call it only before the first query.
        """
        for node in nodes:
            for subject, predicate, value in described(node):
                facts = self._facts.setdefault(frame_of(predicate, value), set())
                facts.add(ox.Quad(subject, predicate, value, REGISTRY))

    def annotate(self, resolver: Resolver = resolve) -> None:
        """Add what the labels of the data mean: links of resources, and the reading of each label.

        Links that came from earlier labels leave the default graph.

        >>> data = query_data("examples/catalogue.ttl", annotated=True)
        >>> ANNOTATIONS in data.named_graphs()
        True
        """
        from cturi_rdf.sparql.annotations import annotations_of

        self.is_annotated = True
        if self.store:
            self._own()
            lines, self._labels = self._labels, None
            outdated: list[ox.Triple] = []
            triples = annotations_of(self.store, resolver, lines, outdated.append)
            self.extend(
                ox.Quad(s, p, o, graph) for s, p, o in triples for graph in (_DEFAULT, ANNOTATIONS)
            )
            for triple in outdated:
                self.store.remove(
                    ox.Quad(triple.subject, triple.predicate, triple.object, _DEFAULT)
                )

    def own_triples(self) -> Iterator[ox.Triple]:
        """Yield the triples of the data, and those of annotating them, without the registry."""
        for quad in self.store.quads_for_pattern(None, None, None, _DEFAULT):
            yield quad.triple
        for quad in self._stated_twice:
            yield quad.triple

    def has_property(self, iri: str) -> bool:
        """Return whether any graph of the data has a triple with a property."""
        quads = self.store.quads_for_pattern(None, ox.NamedNode(iri), None, None)
        return next(quads, None) is not None

    def extend(self, quads: Iterable[ox.Quad]) -> int:
        """Add quads, and return how many they were.

        Raises `CturiError` where a store on disk cannot be written.
        """
        count, rest = 0, iter(quads)
        while part := list(islice(rest, _AT_ONCE)):
            count += len(part)
            self._named.update(_named_nodes(part))
            try:
                if self._labels:
                    from cturi_rdf.sparql.annotations import lines_of

                    with self._labels.open("ab") as file:
                        file.writelines(lines_of(part))
                self.store.bulk_extend(part)
            except OSError as error:
                raise no_room(error) from error
        return count

    def add(self, other: QueryData) -> None:
        """Add the triples and the prefixes of other data."""
        self.extend(other.store)
        self.prefixes |= other.prefixes
        self.is_annotated |= other.is_annotated

    def _own(self) -> None:
        if self._borrowed:
            borrowed, self.store = self.store, ox.Store()
            self.extend(borrowed)
            self._borrowed = False

    def _keep_once(self, predicates: Iterable[str]) -> None:
        """Remove triples from the default graph of the data that the registry has too."""
        store = self.store
        # The graph that is read is the smaller one; data on disk are larger than the registry.
        read, other = (REGISTRY, _DEFAULT) if self._folder else (_DEFAULT, REGISTRY)
        twice = [
            ox.Quad(quad.subject, quad.predicate, quad.object, _DEFAULT)
            for predicate in predicates
            for quad in store.quads_for_pattern(None, ox.NamedNode(predicate), None, read)
            if ox.Quad(quad.subject, quad.predicate, quad.object, other) in store
        ]
        for quad in twice:
            store.remove(quad)
        self._stated_twice += twice


def _named_nodes(quads: Iterable[ox.Quad]) -> Iterator[str]:
    """Yield the IRIs in quads that name a type, a parameter or a top-level type."""
    for quad in quads:
        for term in (quad.subject, quad.object):
            if isinstance(term, ox.NamedNode) and _is_described(term.value):
                yield term.value


def query_data(
    *sources: DataSource,
    reading: ReadOptions = ReadOptions(),
    base: str | Callable[[str], str] | None = None,
    annotated: bool = False,
    registry: Registry = "named",
    on_disk: bool = False,
) -> QueryData:
    """Return the dataset of files, graphs and stores together.

    A source is the path of a file, ``-`` for standard input, a graph or dataset of rdflib, a store
    of Oxigraph, or the result of an earlier call, which is returned as it is if it is the only
    source.  `reading` says how to read files and labels.  `base` resolves relative IRIs: an IRI, or
    a function of the name of a file, by default its address (RFC 3986 section 5.1.3).

    The default graph has the triples of all named graphs of files too.  `annotated` adds what the
    labels of the data mean, in the graph ``https://w3id.org/cturi/annotations`` and in the default
    graph.  `registry` says where the registry of media types is, see `QueryData`; without a source
    it is the default graph.  `on_disk` keeps the dataset in a temporary folder instead of memory;
    close the dataset to remove it.

    Raises `CatalogError` for a file that cannot be read, and `CturiError` for a graph that is not
    RDF or a base that is not an IRI.

    >>> data = query_data("examples/catalogue.ttl")
    >>> len(data.store), data.prefixes["dcat"]
    (134, 'http://www.w3.org/ns/dcat#')
    """
    base_for = base if callable(base) else base_of if base is None else lambda _: base
    base = None if callable(base) else base
    try:
        ox.NamedNode(base or REGISTRY.value)
    except ValueError as error:
        expected, rule = "such as https://data.example/catalogue", "RFC 3986 section 5.1"
        problem = "a base that is not an IRI"
        raise CturiError(problem, str(base), expected=expected, rule=rule) from error
    if not sources and registry != "none":
        return _registry_alone(base)
    if len(sources) == 1 and isinstance(sources[0], QueryData):
        return sources[0]
    if len(sources) == 1 and isinstance(sources[0], ox.Store):
        data = QueryData(sources[0], base=base, registry=registry, borrowed=True)
        sources = ()
    elif on_disk:
        data = QueryData.on_disk(base=base, registry=registry, annotated=annotated)
    else:
        data = QueryData(ox.Store(), base=base, registry=registry)
    try:
        for number, source in enumerate(sources):
            if isinstance(source, str | PathLike):
                _add_file(data, fspath(source), reading, base_for, number)
            elif isinstance(source, QueryData | ox.Store):
                data.add(source if isinstance(source, QueryData) else QueryData(source))
            else:
                _add_graph(data, source)
        if annotated:
            data.annotate(reading.resolver or resolve)
    except BaseException:
        data.close()
        raise
    return data


@lru_cache(16)
def _registry_alone(base: str | None) -> QueryData:
    return QueryData(ox.Store(), base=base, registry="default")


def base_of(name: str) -> str:
    """Return the base of relative IRIs in a file: its own address.

    Standard input has that of the current folder.

    >>> base_of("/srv/a b.ttl")
    'file:///srv/a%20b.ttl'
    """
    return f"{Path.cwd().as_uri()}/" if name == "-" else Path(name).absolute().as_uri()


def _add_file(
    data: QueryData, name: str, reading: ReadOptions, base: Callable[[str], str], number: int
) -> None:
    """Add the quads of a file; its number keeps its blank nodes apart from those of others."""
    address = base(name)
    with open_source(name, reading) as source:
        quads = QuadDocument(source, address)
        marked = (
            renamed(quad, lambda node: ox.BlankNode(f"f{number}x{node.value}")) for quad in quads
        )
        if not data.extend(_in_default_graph_too(marked if number else quads)):
            raise no_triples(name, source.format.name)
        source.check()
        data.prefixes |= quads.prefixes
    data.base = data.base or address


def _in_default_graph_too(quads: Iterable[ox.Quad]) -> Iterator[ox.Quad]:
    for quad in quads:
        yield quad
        if quad.graph_name != _DEFAULT:
            yield ox.Quad(*quad.triple)


def _add_graph(data: QueryData, graph: Graph) -> None:
    """Add a graph or a dataset of rdflib; its prefixes come after those that are known."""
    without_registry = getattr(graph.store, "without_registry", None)
    if without_registry:
        data.registry = "default"
        graph = without_registry(graph)
    from rdflib import Dataset

    from cturi_rdf.reading.rdflib_graphs import as_dataset, bound_prefixes

    graph = as_dataset(graph)
    default = graph.default_graph.identifier if isinstance(graph, Dataset) else None

    # Terms repeat, and converting one takes longer than looking it up.
    @cache
    def term(node: Any) -> Any:
        # The readers of this package mark relative IRIs by a base of their own.
        is_marked = node.startswith(SENTINEL)
        return lenient_node(relative(node)) if is_marked else lenient_ox(node)

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
        data.extend(quads())
    except (ValueError, TypeError) as error:
        problem = f"a graph that is not RDF ({error})"
        expected = "IRIs, blank nodes and literals where RDF allows them"
        rule = "RDF 1.1 Concepts section 3"
        raise CturiError(problem, "the graph", expected=expected, rule=rule) from error
    data.prefixes = bound_prefixes(graph) | data.prefixes
