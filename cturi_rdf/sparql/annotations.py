"""What annotating adds to a store of Oxigraph, as triples of their own."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from cturi_rdf.catalogue.evidence import (
    Evidence,
    evidence_of_label,
    evidence_of_node,
    header_properties,
    is_of_use,
)
from cturi_rdf.catalogue.header import Header, header_links
from cturi_rdf.rdf.label_statements import DESCRIBED_BY, label_triples, links, understand
from cturi_rdf.rdf.terms import CTV, PROPERTIES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cturi_rdf.rdf.label_statements import Resolver, Understood
    from cturi_rdf.rdf.terms import Triple


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
    labels = list(_labels(store, resolver))
    evidence = defaultdict[Any, list[Evidence]](list)
    added: dict[Any, None] = {}
    for resource, path, understood in labels:
        evidence[resource].append(evidence_of_label(path.value, understood))
        added |= dict.fromkeys((resource, *link) for link in links(path, understood))
        added |= dict.fromkeys(label_triples(*understood))
    for path in header_properties():
        for resource, value in _statements(store, path) if path not in PROPERTIES else ():
            evidence[resource].append(evidence_of_node(path.value, value.value))
    stated = {resource for resource, _ in _statements(store, CTV.servedAs)}
    typed = {resource: None for resource, _, understood in labels if understood.content_types}
    for resource in typed:
        if resource not in stated:
            header = Header(resource, resource, filter(is_of_use, evidence[resource]))
            added |= dict.fromkeys((resource, *link) for link in header_links(header))
    return list(added)


def _labels(store: ox.Store, resolver: Resolver) -> Iterator[tuple[Any, ox.NamedNode, Understood]]:
    """Yield each resource with a label, the property, and the text with its meaning."""
    for path in PROPERTIES:
        for resource, value in _statements(store, path):
            described = (
                (name, term)
                for name in DESCRIBED_BY
                if not isinstance(value, ox.Literal)
                for _, term in _statements(store, name, value)
            )
            yield resource, path, understand(value, described, resolver)


def _statements(
    store: ox.Store, path: ox.NamedNode, subject: Any = None
) -> Iterator[tuple[Any, Any]]:
    """Yield the subjects and values of a property in all graphs, each pair once.

    A triple as a value is no label.
    """
    quads = store.quads_for_pattern(subject, path, None, None)
    pairs = dict.fromkeys((quad.subject, quad.object) for quad in quads)
    yield from (pair for pair in pairs if not isinstance(pair[1], ox.Triple))
