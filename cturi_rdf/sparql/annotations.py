"""What annotating adds to a store of Oxigraph, as triples of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyoxigraph as ox
from rdflib import Graph
from rdflib.store import Store

from cturi_rdf.catalogue.graph_annotation import annotate
from cturi_rdf.rdf.terms import CTV
from cturi_rdf.reading.terms import from_ox, lenient_ox

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cturi_rdf.rdf.label_statements import Resolver
    from cturi_rdf.rdf.terms import Triple

# The links of a resource that annotating adds.
LINKS = (
    CTV.contentType,
    CTV.servedAs,
    CTV.packaging,
    CTV.compression,
    CTV.conflictingType,
    CTV.relatedContentType,
    CTV.typeLabel,
)


class _Beside(Store):
    """A store of rdflib that reads all graphs of a store of Oxigraph as one, and writes beside it.

    It has what `annotate` needs, so that a large catalogue is read by its indexes and not copied.
    """

    def __init__(self, store: ox.Store) -> None:
        super().__init__()
        self._store = store
        self._prefixes: dict[str, Any] = {}
        self.added: dict[tuple[Any, Any, Any], None] = {}

    def triples(
        self, triple_pattern: tuple[Any, Any, Any], context: Any = None
    ) -> Iterator[tuple[Any, Iterator[Any]]]:
        """Yield the matching triples, but those with a triple inside, which rdflib cannot hold."""
        s, p, o = (None if term is None else lenient_ox(term) for term in triple_pattern)
        if isinstance(s, ox.Literal) or not isinstance(p, ox.NamedNode | None):
            return
        matching = dict.fromkeys(quad.triple for quad in self._store.quads_for_pattern(s, p, o))
        for triple in matching:
            if not isinstance(triple.object, ox.Triple):
                yield tuple(map(from_ox, triple)), iter((context,))

    def add(self, triple: tuple[Any, Any, Any], context: Any, quoted: bool = False) -> None:  # noqa: ARG002, FBT001, FBT002 - rdflib's signature
        """Keep a triple."""
        self.added[triple] = None

    def __len__(self, context: Any = None) -> int:
        return len(self._store)

    def bind(self, prefix: str, namespace: Any, override: bool = True) -> None:  # noqa: ARG002, FBT001, FBT002
        """Keep a prefix."""
        self._prefixes.setdefault(prefix, namespace)

    def prefix(self, namespace: Any) -> str | None:
        """Return the prefix of a namespace."""
        return next((name for name, iri in self._prefixes.items() if iri == namespace), None)

    def namespace(self, prefix: str) -> Any:
        """Return the namespace of a prefix."""
        return self._prefixes.get(prefix)

    def namespaces(self) -> Iterator[tuple[str, Any]]:
        """Yield every prefix and its namespace."""
        yield from list(self._prefixes.items())


def annotations_of(store: ox.Store, resolver: Resolver) -> list[Triple]:
    """Return the links of resources and the readings of labels that annotating a store adds.

    The descriptions of types are not among them: they are in the registry.

    >>> from cturi_rdf.labels import resolve
    >>> store = ox.Store()
    >>> dct = ox.NamedNode("http://purl.org/dc/terms/format")
    >>> store.add(ox.Quad(ox.NamedNode("e:a"), dct, ox.Literal("CSV")))
    >>> [value.value for _, path, value in annotations_of(store, resolve) if path == CTV.servedAs]
    ['ContentType:text/csv']
    """
    beside = _Beside(store)
    annotate(Graph(store=beside), add="labels", resolver=resolver)
    added = [(lenient_ox(s), lenient_ox(p), lenient_ox(o)) for s, p, o in beside.added]
    labels = {value for _, predicate, value in added if predicate == CTV.typeLabel}
    return [triple for triple in added if triple[1] in LINKS or triple[0] in labels]
