"""Links of resources as DCAT's own properties: ``annotate --as dcat``.

DCAT 3 says the media type of a distribution (section 6.8.17), its compression (6.8.18) and its
package (6.8.19), by the IRIs of IANA.  Our terms stay for what it cannot say: the parameters of a
type, a type that IANA does not list, and several types at once.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import pyoxigraph as ox

from cturi_rdf.editing import Add
from cturi_rdf.errors import MappingError
from cturi_rdf.rdf.terms import CTV, DCAT, RDF
from cturi_rdf.registry import registry
from cturi_rdf.uri.mapping import from_uri

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cturi_rdf.content_type import ContentType
    from cturi_rdf.editing import Change, Statement

_PROPERTIES = {
    CTV.contentType: DCAT.mediaType,
    CTV.compression: DCAT.compressFormat,
    CTV.packaging: DCAT.packageFormat,
}
_DCAT = frozenset(_PROPERTIES.values())
# The properties are of distributions (rdfs:domain), and these are none.
_OTHERS = {
    DCAT.Catalog,
    DCAT.DataService,
    DCAT.Dataset,
    DCAT.DatasetSeries,
    ox.NamedNode("http://rdfs.org/ns/void#Dataset"),
    ox.NamedNode("http://www.w3.org/ns/sparql-service-description#Service"),
}
_IANA = "https://www.iana.org/assignments/media-types/"


class InDcat:
    """The changes of `Links`, with DCAT's properties where they say the same; iterable repeatedly.

    A resource that has one of the properties gets no second value: mending a value is for
    `cturi repair`.  `statements` are those of the labels, and of what stands beside them.
    """

    def __init__(self, changes: Iterable[Change], statements: Iterable[Statement]) -> None:
        self._changes = changes
        # What each resource has: DCAT's properties, or none of them as it is no distribution.
        self._taken: defaultdict[object, set[ox.NamedNode]] = defaultdict(set)
        for statement in statements:
            if statement.predicate in _DCAT:
                self._taken[statement.subject].add(statement.predicate)
            elif statement.predicate == RDF.type and statement.object in _OTHERS:
                self._taken[statement.subject] |= _DCAT
        values: defaultdict[tuple[object, ox.NamedNode], set[object]] = defaultdict(set)
        for change in changes:
            if isinstance(change, Add) and change.predicate in _PROPERTIES:
                values[change.statement.subject, change.predicate].add(change.object)
        self._several = {key for key, nodes in values.items() if len(nodes) > 1}

    def __iter__(self) -> Iterator[Change]:
        """Yield the changes in the order of the file."""
        for change in self._changes:
            if not isinstance(change, Add):
                yield change
            # The header follows from the types, the packages and the compressions.
            elif change.predicate != CTV.servedAs:
                yield from self._added(change)

    def _added(self, link: Add) -> Iterator[Add]:
        subject, content_type = link.statement.subject, _type_of(link.object)
        own = _PROPERTIES.get(link.predicate)
        iri = content_type and _iana(content_type.essence)
        if not own or not iri or (subject, link.predicate) in self._several:
            yield link
            return
        taken = self._taken[subject]
        if own not in taken:
            yield Add(link.statement, own, ox.NamedNode(iri))
        if (content_type and content_type.parameters) or taken >= _DCAT:
            yield link


def _type_of(node: object) -> ContentType | None:
    try:
        return from_uri(node.value) if isinstance(node, ox.NamedNode) else None
    except MappingError:
        return None


def _iana(essence: str) -> str | None:
    """Return IANA's IRI of a type that it lists, or None."""
    record = registry().media_type(essence)
    return _IANA + record.name if record else None
