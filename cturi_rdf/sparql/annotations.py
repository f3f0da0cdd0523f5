"""What annotating adds to a store of Oxigraph, as triples of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyoxigraph as ox

from cturi_rdf.catalogue.evidence import BESIDE
from cturi_rdf.catalogue.labels import labelled
from cturi_rdf.catalogue.links import LINKS, Links
from cturi_rdf.catalogue.meaning import Adding, FileOptions
from cturi_rdf.editing import Statement
from cturi_rdf.rdf.label_statements import label_triples

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cturi_rdf.rdf.label_statements import Resolver, Term


def annotations_of(store: ox.Store, resolver: Resolver) -> list[ox.Triple]:
    """Return the links of resources and the readings of labels that annotating a store adds.

    All graphs are read as one.  The descriptions of types are not added: they are in the registry.

    >>> from cturi_rdf.labels import resolve
    >>> from cturi_rdf.rdf.terms import CTV
    >>> store = ox.Store()
    >>> dct = ox.NamedNode("http://purl.org/dc/terms/format")
    >>> store.add(ox.Quad(ox.NamedNode("e:a"), dct, ox.Literal("CSV")))
    >>> [value.value for _, path, value in annotations_of(store, resolve) if path == CTV.servedAs]
    ['ContentType:text/csv']
    """

    def find(paths: Iterable[ox.NamedNode], _: set[Term]) -> list[Statement]:
        triples = dict.fromkeys(
            quad.triple
            for path in paths
            for quad in store.quads_for_pattern(None, path, None, None)
        )
        return [Statement(ox.DefaultGraph(), *triple) for triple in triples]

    statements, meanings, labels = labelled(find, resolver, (*LINKS, *BESIDE))
    options = FileOptions(Adding.LABELS, resolver, names=True)
    changes = Links(statements, labels, meanings.of, options, ())
    added = dict.fromkeys(quad.triple for change in changes for quad in change.added)
    for understood in dict.fromkeys(map(meanings.of, labels.values)):
        added |= {ox.Triple(*triple): None for triple in label_triples(*understood)}
    return list(added)
