"""What annotating adds to a store of Oxigraph, as triples of their own.

Those of large data follow from lines: the statements that bear on labels are written to a file as
the data are loaded, and annotated like any other file of lines.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from itertools import groupby, islice
from operator import attrgetter
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

import pyoxigraph as ox

from cturi_rdf.catalogue.evidence import BESIDE, TELLING
from cturi_rdf.catalogue.labels import labelled
from cturi_rdf.catalogue.lines import AnnotatedBeforeError, annotate_lines
from cturi_rdf.catalogue.links import LINKS, Links
from cturi_rdf.catalogue.meaning import Adding, FileOptions
from cturi_rdf.editing import Statement
from cturi_rdf.rdf.label_statements import DESCRIBED_BY, label_triples
from cturi_rdf.rdf.terms import PROPERTIES, label_node
from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.reading.source import open_source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from cturi_rdf.rdf.label_statements import Resolver, Term
    from cturi_rdf.rdf.terms import Triple

# The properties of a resource that bear on its links.
_PATHS = dict.fromkeys((*PROPERTIES, *LINKS, *BESIDE))
_BEARING = frozenset((*_PATHS, *DESCRIBED_BY))
_LABELS = label_node("").value
# So many resources of a store on disk are looked at together.
RESOURCES = 20_000


def lines_of(quads: Iterable[ox.Quad]) -> Iterator[bytes]:
    """Yield those quads that bear on labels, as lines of N-Triples."""
    for quad in quads:
        path = quad.predicate
        if path in _BEARING and (path not in TELLING or TELLING[path](quad.object)):
            yield f"{quad.triple} .\n".encode()


def annotations_of(
    store: ox.Store,
    resolver: Resolver,
    lines: Path | None = None,
    removed: Callable[[ox.Triple], object] = lambda _: None,
) -> Iterator[ox.Triple]:
    """Yield the links of resources and the readings of labels that annotating a store adds.

    The links that annotating removes, because they came from earlier labels, go to `removed`.  All
    graphs are read as one.  The descriptions of types are not added: they are in the registry.  A
    store on disk, whose default graph has the triples of all graphs, comes with its `lines`; where
    these have been annotated before, it is read part by part.

    >>> from cturi_rdf.labels import resolve
    >>> from cturi_rdf.rdf.terms import CTV
    >>> store = ox.Store()
    >>> dct = ox.NamedNode("http://purl.org/dc/terms/format")
    >>> store.add(ox.Quad(ox.NamedNode("e:a"), dct, ox.Literal("CSV")))
    >>> [value.value for _, path, value in annotations_of(store, resolve) if path == CTV.servedAs]
    ['ContentType:text/csv']
    """
    if lines:
        # Lines have no IRIs with characters that RFC 3987 does not allow.
        with suppress(AnnotatedBeforeError, CatalogError):
            yield from added_to_lines(lines, resolver)
            return
    parts = _by_resource(store) if lines else [_of_all_graphs(store)]
    options = FileOptions(Adding.LABELS, resolver, names=True)
    for triples in parts:
        statements, meanings, labels = labelled(partial(_find, store, triples), resolver)
        for change in Links(statements, labels, meanings.of, options, ()):
            for quad in change.removed:
                removed(quad.triple)
            yield from (quad.triple for quad in change.added)
        for understood in dict.fromkeys(map(meanings.of, labels.values)):
            yield from (ox.Triple(*triple) for triple in label_triples(*understood))


def added_to_lines(lines: Path, resolver: Resolver) -> Iterator[ox.Triple]:
    """Yield the same for a file of the lines of a store, and remove it; see `lines_of`.

    Raises `AnnotatedBeforeError` or `CatalogError` before the first triple.
    """
    described: dict[Triple, None] = {}
    options = FileOptions(Adding.LABELS, resolver, names=True, describe=described.setdefault)
    with TemporaryFile() as file:
        with open_source(lines) as source:
            annotate_lines(source, file, options)
            # The links of resources are written after the lines.
            file.seek(source.size)
        lines.unlink()
        for quad in ox.parse(file, ox.RdfFormat.N_TRIPLES, lenient=True):
            yield quad.triple
    for triple in described:
        if triple[0].value.startswith(_LABELS):
            yield ox.Triple(*triple)


def _find(
    store: ox.Store, triples: Iterable[ox.Triple], _: object, nodes: set[Term]
) -> list[Statement]:
    """Return some triples, and those that describe nodes, as statements."""
    about = (
        quad.triple
        for node in nodes
        for path in DESCRIBED_BY
        for quad in store.quads_for_pattern(node, path, None, None)  # type: ignore[arg-type]
    )
    return [Statement(ox.DefaultGraph(), *triple) for triple in dict.fromkeys((*triples, *about))]


def _of_all_graphs(store: ox.Store) -> Iterable[ox.Triple]:
    """Return the triples that bear on links, each once."""
    return dict.fromkeys(
        quad.triple for path in _PATHS for quad in store.quads_for_pattern(None, path, None, None)
    )


def _by_resource(store: ox.Store) -> Iterator[list[ox.Triple]]:
    """Yield the same of some resources at a time; a store on disk is in the order of subjects."""
    quads = store.quads_for_pattern(None, None, None, ox.DefaultGraph())
    wanted = (quad.triple for quad in quads if quad.predicate in _PATHS)
    resources = (list(triples) for _, triples in groupby(wanted, attrgetter("subject")))
    while part := list(islice(resources, RESOURCES)):
        yield [triple for triples in part for triple in triples]
