"""What shapes need to know beside a catalogue: its types described, their identifiers typed.

Official shapes ask that a media type be an instance of `dct:MediaType`.  What IANA and others
publish says so nowhere in RDF; here it is said, of what the registry knows and of nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rdflib import DCTERMS, RDF, RDFS, Graph, Literal, URIRef

from cturi_rdf.content_type import ContentType
from cturi_rdf.errors import ContentTypeError, MappingError
from cturi_rdf.mapping import from_uri
from cturi_rdf.rdf.annotate import describe_label
from cturi_rdf.rdf.describe import describe
from cturi_rdf.registry import registry
from cturi_rdf.registry.schemes import identifiers, type_of_iri

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cturi_rdf.labels import Resolution

__all__ = ["add_label", "add_type"]

_TYPE, _LABEL = RDF.type, RDFS.label
_MEDIA_TYPE, _FORMAT = DCTERMS.MediaType, DCTERMS.MediaTypeOrExtent


def add_type(essence: str, graph: Graph) -> None:
    """Add to `graph` what is known of a media type, and of what class its identifiers are.

    An identifier of the type is a `dct:MediaType`, that of a format with this type, such as
    the EU's file types, a `dct:MediaTypeOrExtent`.

    >>> graph = Graph()
    >>> add_type("text/csv", graph)
    >>> iana = URIRef("https://www.iana.org/assignments/media-types/text/csv")
    >>> (iana, RDF.type, DCTERMS.MediaType) in graph
    True
    """
    describe(ContentType.parse(essence), graph)
    label = Literal(essence)
    for each in identifiers(essence):
        iri = URIRef(each.iri)
        graph.add((iri, _TYPE, _FORMAT))
        if each.relation == "exact":
            graph.add((iri, _TYPE, _MEDIA_TYPE))
            graph.add((iri, _LABEL, label))


def add_label(text: str, resolution: Resolution, graph: Graph) -> None:
    """Add to `graph` what a label means, and all types that it or its meaning names.

    >>> from cturi_rdf.labels import resolve
    >>> from cturi_rdf.rdf import CTV
    >>> graph = Graph()
    >>> add_label("application/vnd.geo+json", resolve("application/vnd.geo+json"), graph)
    >>> print(graph.value(predicate=CTV.registrationStatus, object=CTV.Obsolete))
    ContentType:application/vnd.geo+json
    """
    describe_label(text, resolution, graph)
    outer = () if resolution.outer is None else (resolution.outer,)
    meant = [each.essence for each in (*resolution.types, *outer)]
    for essence in dict.fromkeys((*meant, *_named(text))):
        add_type(essence, graph)
        record = registry().media_type(essence)
        others = (registry().canonical(essence), *(record.replaced_by if record else ()))
        for other in others:
            if other != essence:
                add_type(other, graph)


def _named(text: str) -> Iterator[str]:
    """Yield the type that a text names to the letter, be it obsolete or an alias."""
    _, essences = type_of_iri(text) or ("", ())
    if len(essences) == 1:
        yield essences[0]
        return
    try:
        node = text[: len("ContentType:")].lower() == "contenttype:"
        yield (from_uri(text) if node else ContentType.parse(text)).essence
    except (ContentTypeError, MappingError):
        return
