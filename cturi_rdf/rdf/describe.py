"""A content type in triples: its parts, what is known of it, and its other identifiers.

There are no blank nodes: describing a type twice, or in two files, adds nothing.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from rdflib import DCTERMS, RDF, RDFS, SKOS, Graph, Literal, URIRef

from cturi_rdf.content_type import ContentType
from cturi_rdf.grammar import in_uri_tree
from cturi_rdf.mapping import canonical
from cturi_rdf.rdf.nodes import mint, parameter_node, read, suffix_node, top_level_node
from cturi_rdf.rdf.vocab import CTV
from cturi_rdf.registry import registry
from cturi_rdf.registry.schemes import identifiers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rdflib.term import Node

__all__ = ["as_content_type", "describe", "new_graph"]

_Triple = tuple["Node", "Node", "Node"]

# Looked up once: a namespace makes a new term at each access.
_TYPE, _LABEL, _SEE_ALSO, _BROADER = RDF.type, RDFS.label, RDFS.seeAlso, SKOS.broader
_DCT_TYPES = (DCTERMS.MediaType, DCTERMS.MediaTypeOrExtent)
_STATUS = {
    "registered": CTV.Registered,
    "provisional": CTV.Provisional,
    "deprecated": CTV.Deprecated,
    "obsolete": CTV.Obsolete,
}
# `owl:sameAs` never: what others describe is theirs.
_MATCH = {"exact": SKOS.exactMatch, "close": SKOS.closeMatch, "broad": SKOS.broadMatch}
_TEMPLATES = "https://www.iana.org/assignments/media-types/"


def new_graph() -> Graph:
    """Return an empty graph with the prefixes that a description uses."""
    graph = Graph()
    for prefix, namespace in (("ctv", CTV), ("dct", DCTERMS), ("skos", SKOS)):
        graph.bind(prefix, namespace)
    return graph


def as_content_type(content_type: ContentType | str) -> ContentType:
    """Return the content type that a value, a node or a header stands for.

    Raises `ContentTypeError` or `MappingError`.
    """
    if isinstance(content_type, ContentType):
        return content_type
    if isinstance(content_type, URIRef):
        return read(content_type)
    return ContentType.parse(content_type)


def describe(content_type: ContentType | str, graph: Graph | None = None) -> Graph:
    """Return `graph`, or a new one, with all there is to say about a content type.

    It may be given as such, as its node or as a header.  Raises `ContentTypeError` or
    `MappingError` where it is none.

    >>> graph = describe("image/svg+xml; charset=utf-8")
    >>> print(graph.value(mint("image/svg+xml"), SKOS.broader))
    ContentType:application/xml
    """
    graph = new_graph() if graph is None else graph
    for triple in _description(as_content_type(content_type)):
        graph.add(triple)
    return graph


@lru_cache(maxsize=8_192)
def _description(content_type: ContentType) -> tuple[_Triple, ...]:
    return tuple(_triples(content_type))


def _triples(content_type: ContentType) -> Iterator[_Triple]:
    content_type = canonical(content_type)
    node, header = mint(content_type), Literal(str(content_type))
    yield node, _TYPE, CTV.ContentType
    yield node, _LABEL, header
    yield node, CTV.header, header
    if in_uri_tree(content_type.subtype):
        # The node is somebody's URI: that it is used as a type is all there is to say.
        return
    media_type = ContentType(content_type.type, content_type.subtype)
    yield node, CTV.mediaType, mint(media_type)
    if content_type.parameters:
        for name, value in content_type.parameters.items():
            yield from _parameter(node, name, value)
        yield from _description(media_type)
    else:
        yield from _media_type(node, media_type)


def _parameter(node: URIRef, name: str, value: str) -> Iterator[_Triple]:
    # RFC 6906 section 3.1: a profile parameter is a set of URIs.
    for each in value.split() if name == "profile" else (value,):
        parameter = parameter_node(name, each)
        yield node, CTV.parameter, parameter
        yield parameter, _TYPE, CTV.Parameter
        yield parameter, CTV.parameterName, Literal(name)
        yield parameter, CTV.parameterValue, Literal(each)


def _media_type(node: URIRef, media_type: ContentType) -> Iterator[_Triple]:
    essence, known = media_type.essence, registry()
    yield node, _TYPE, CTV.MediaType
    for dct_type in _DCT_TYPES:
        yield node, _TYPE, dct_type
    top_level = top_level_node(media_type.type)
    yield node, CTV.topLevelType, top_level
    yield top_level, _TYPE, CTV.TopLevelType
    yield top_level, _LABEL, Literal(media_type.type)
    yield node, CTV.subtypeName, Literal(media_type.subtype)
    record = known.media_type(essence)
    yield node, CTV.registrationStatus, _STATUS[record.status] if record else CTV.Unregistered
    if record and record.template:
        yield node, _SEE_ALSO, URIRef(_TEMPLATES + record.template)
    for replacement in record.replaced_by if record else ():
        yield node, CTV.replacedBy, mint(replacement)
    canonical = known.canonical(essence)
    if canonical != essence:
        yield node, CTV.aliasOf, mint(canonical)
    for broader in known.broader(essence):
        yield node, _BROADER, mint(broader)
    for extension in known.extensions_of(essence):
        yield node, CTV.fileExtension, Literal(extension)
    for identifier in identifiers(essence):
        yield node, _MATCH[identifier.relation], URIRef(identifier.iri)
    yield from _suffix(node, media_type)


def _suffix(node: URIRef, media_type: ContentType) -> Iterator[_Triple]:
    record = registry().suffix(media_type.suffix) if media_type.suffix else None
    if record is None:
        return
    suffix = suffix_node(record.name)
    yield node, CTV.structuredSyntaxSuffix, suffix
    yield suffix, _TYPE, CTV.StructuredSyntaxSuffix
    yield suffix, _LABEL, Literal(record.title)
    yield suffix, CTV.suffixName, Literal(record.name)
    if record.base:
        yield suffix, CTV.baseType, mint(record.base)
        yield node, _BROADER, mint(record.base)
