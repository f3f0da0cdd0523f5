"""The description of a content type in triples: parts, registration, other identifiers.

There are no blank nodes: describing a type twice, or in two files, adds nothing.

`description` is all that is known.  Little of it belongs into a file of somebody else: a registry
can be asked for the rest.  `own_description` is what no registry has, the parameters of a type and
its bare type.  `short_description` is for a graph that is asked by itself, or for a file that has
to stand alone: without what follows from another fact, and without other formats than the type's
own.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

import pyoxigraph as ox

from cturi_rdf._util.display import prefixes_of
from cturi_rdf.content_type import ContentType
from cturi_rdf.content_type.grammar import in_uri_tree
from cturi_rdf.errors import expect_kind
from cturi_rdf.rdf.terms import (
    CTV,
    DCTERMS,
    RDF,
    RDFS,
    SKOS,
    Triple,
    literal,
    mint,
    own_node,
)
from cturi_rdf.reading.terms import from_ox
from cturi_rdf.registry import registry
from cturi_rdf.registry.hierarchy import TOP_LEVEL_TYPES, successor_of
from cturi_rdf.registry.qualities import qualities
from cturi_rdf.registry.schemes import identifiers
from cturi_rdf.uri.mapping import canonical, from_uri, is_content_type_uri
from cturi_rdf.xml.kinds import facts_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rdflib import Graph
    from rdflib.term import Node

    from cturi_rdf.registry import SuffixRecord
    from cturi_rdf.uri.mapping import Control
    from cturi_rdf.xml.kinds import Facts


_STATUS = {
    "registered": CTV.Registered,
    "provisional": CTV.Provisional,
    "deprecated": CTV.Deprecated,
    "obsolete": CTV.Obsolete,
}
# Never `owl:sameAs`: the statements of others about their terms are not ours.
_RELATIONS = {
    "exact": SKOS.exactMatch,
    "close": SKOS.closeMatch,
    # The type is described, and the format is the narrower concept (SKOS section 10).
    "narrow": SKOS.narrowMatch,
    "broad": SKOS.broadMatch,
    "related": SKOS.relatedMatch,
    # The class of all documents of a type is no concept that the type could match.
    "class": RDFS.seeAlso,
}
MATCHES = frozenset(_RELATIONS.values()) - {RDFS.seeAlso}
# What follows from other facts, or is another way to say one; formats other than the type's own.
_FOLLOWING = {
    RDFS.seeAlso,
    SKOS.narrowMatch,
    SKOS.broadMatch,
    SKOS.relatedMatch,
    CTV.topLevelType,
    CTV.fragmentSyntax,
}
# What the IRI of a type without parameters says.
_IN_THE_IRI = {
    RDFS.label,
    CTV.contentTypeHeader,
    CTV.bareMediaType,
    CTV.subtypeName,
    CTV.structuredSyntaxSuffix,
}
_TEMPLATES = "https://www.iana.org/assignments/media-types/"
_RFC = re.compile(r"RFC([0-9]+)")
_RFC_7303 = "https://www.rfc-editor.org/info/rfc7303"


def new_graph() -> Graph:
    """Return an empty graph with the prefixes that a description uses."""
    from rdflib import Graph

    graph = Graph()
    for prefix, namespace in prefixes_of("ctv", "dct", "skos").items():
        graph.bind(prefix, namespace)
    return graph


def describe(
    content_type: ContentType | str, graph: Graph | None = None, *, control: Control = "honour"
) -> Graph:
    """Return `graph`, or a new one, with the description of a content type.

    The content type is a value, a node or a header.  A type that stands for a URI is described
    under that URI; with ``control="ignore"`` it is described under its ``ContentType:`` URI, which
    is right for a text from outside.  Raises `ContentTypeError` for an invalid header and
    `MappingError` for an invalid node.

    >>> from rdflib import SKOS, URIRef
    >>> graph = describe("image/svg+xml; charset=utf-8")
    >>> print(graph.value(URIRef("ContentType:image/svg+xml"), SKOS.broader))
    ContentType:application/xml
    """
    from rdflib import URIRef

    graph = new_graph() if graph is None else graph
    if isinstance(content_type, str):
        is_node = isinstance(content_type, URIRef) or is_content_type_uri(content_type)
        content_type = (from_uri if is_node else ContentType.parse)(str(content_type))
    expect_kind(content_type, ContentType, "a content type is a value, a node or a header")
    # All at once, because a remote store takes a request for each call.
    graph.addN((*in_rdflib(triple), graph) for triple in description(content_type, control))
    return graph


def in_rdflib(triple: Triple) -> tuple[Node, Node, Node]:
    """Return a triple with terms of rdflib."""
    subject, predicate, value = map(_term_of_rdflib, triple)
    return subject, predicate, value


@lru_cache(maxsize=8_192)
def _term_of_rdflib(term: ox.NamedNode | ox.Literal) -> Node:
    return from_ox(term)  # type: ignore[no-any-return]


@lru_cache(maxsize=8_192)
def description(content_type: ContentType, control: Control = "honour") -> tuple[Triple, ...]:
    """Return the triples that describe a content type, as `describe` adds them.

    >>> (mint("text/csv"), CTV.fileExtension, literal("csv")) in description(
    ...     ContentType.parse("text/csv"))
    True
    """
    return tuple(_triples(content_type, control))


def description_of_outside(
    content_type: ContentType, control: Control = "honour"
) -> tuple[Triple, ...]:
    """Return the description of a type that a text from outside names.

    Such a text may name anybody's URI (the draft, section 6), so nothing is said of a node that is
    not of the scheme ContentType.

    >>> tag = ContentType.parse("application/uri.http%3A%2F%2Fexample.com%2Ftag42")
    >>> description_of_outside(tag), len(description_of_outside(tag, "ignore"))
    ((), 3)
    """
    is_ours = is_content_type_uri(mint(content_type, control=control).value)
    return description(content_type, control) if is_ours else ()


@lru_cache(maxsize=8_192)
def own_description(content_type: ContentType, control: Control = "honour") -> tuple[Triple, ...]:
    """Return what no registry has: the parameters of a content type, and its bare type.

    A type whose node is somebody else's URI has none (see `description_of_outside`).

    >>> own_description(ContentType.parse("text/csv"))
    ()
    >>> own = own_description(ContentType.parse("text/csv; header=absent"))
    >>> (mint("text/csv; header=absent"), CTV.bareMediaType, mint("text/csv")) in own
    True
    """
    content_type = canonical(content_type)
    if not content_type.parameters or in_uri_tree(content_type.subtype):
        return ()
    node = mint(content_type, control=control)
    is_ours = is_content_type_uri(node.value)
    return tuple(_with_parameters(node, content_type)) if is_ours else ()


@lru_cache(maxsize=8_192)
def short_description(
    content_type: ContentType, control: Control = "honour", *, names: bool = True
) -> tuple[Triple, ...]:
    """Return a description without what follows from other facts.

    Without `names` it also lacks what the IRI of a type without parameters says, and the class of
    all types for one of XML.

    >>> any(path == SKOS.narrowMatch for _, path, _ in short_description(
    ...     ContentType.parse("application/pdf")))
    False
    """
    content_type = canonical(content_type)
    if in_uri_tree(content_type.subtype):
        return description_of_outside(content_type, control)
    media_type = ContentType(content_type.type, content_type.subtype)
    node, left_out = mint(media_type), _FOLLOWING if names else _FOLLOWING | _IN_THE_IRI
    described = description(media_type)
    classes = {CTV.MediaType, CTV.XMLMediaType}
    if not names and (node, RDF.type, CTV.XMLMediaType) in described:
        classes = {CTV.XMLMediaType}
    return own_description(content_type, control) + tuple(
        (subject, path, value)
        for subject, path, value in described
        if subject == node
        and path not in left_out
        and (path != RDF.type or value in classes)
        and (path != SKOS.exactMatch or value.value.startswith(_TEMPLATES))
    )


def arranged(triples: Iterable[Triple]) -> list[Triple]:
    """Return triples as a person writes them: by subject, its classes first, by predicate.

    Subjects and predicates are in the order in which they come first.

    >>> a, b = mint("a/a"), mint("b/b")
    >>> one, two, three = (a, RDFS.label, b), (b, RDFS.label, a), (a, RDF.type, CTV.MediaType)
    >>> arranged([one, two, three]) == [three, one, two]
    True
    """
    blocks: dict[ox.NamedNode, dict[ox.NamedNode, dict[Triple, None]]] = {}
    for triple in triples:
        block = blocks.setdefault(triple[0], {RDF.type: {}})
        block.setdefault(triple[1], {})[triple] = None
    return [triple for block in blocks.values() for part in block.values() for triple in part]


def _triples(content_type: ContentType, control: Control) -> Iterator[Triple]:
    content_type = canonical(content_type)
    node = mint(content_type, control=control)
    if in_uri_tree(content_type.subtype):
        # The node is somebody's URI, and nothing else is known about it.
        yield from _names(node, content_type)
    elif content_type.parameters:
        yield from _with_parameters(node, content_type)
        yield from description(ContentType(content_type.type, content_type.subtype))
    else:
        yield from _names(node, content_type)
        yield node, CTV.bareMediaType, node
        yield from _media_type(node, content_type)


def _names(node: ox.NamedNode, content_type: ContentType) -> Iterator[Triple]:
    header = literal(str(content_type))
    yield node, RDF.type, CTV.ContentType
    yield node, RDFS.label, header
    yield node, CTV.contentTypeHeader, header


def _with_parameters(node: ox.NamedNode, content_type: ContentType) -> Iterator[Triple]:
    yield from _names(node, content_type)
    media_type = ContentType(content_type.type, content_type.subtype)
    yield node, CTV.bareMediaType, mint(media_type)
    for name, value in content_type.parameters.items():
        # RFC 6906 section 3.1: a profile parameter is a set of URIs.
        for part in value.split() if name == "profile" else (value,):
            yield node, CTV.parameter, own_node("parameter", name, part)
            yield from of_parameter(name, part)


def of_parameter(name: str, value: str) -> Iterator[Triple]:
    """Yield the triples that describe a parameter.

    >>> (own_node("parameter", "charset", "latin1"), CTV.charsetName, literal("ISO-8859-1")) in (
    ...     of_parameter("charset", "latin1"))
    True
    """
    parameter = own_node("parameter", name, value)
    yield parameter, RDF.type, CTV.Parameter
    yield parameter, CTV.parameterName, literal(name)
    yield parameter, CTV.parameterValue, literal(value)
    record = registry().charset(value) if name == "charset" else None
    if record:
        yield parameter, CTV.charsetName, literal(record.name)


def _media_type(node: ox.NamedNode, media_type: ContentType) -> Iterator[Triple]:
    essence, snapshot = media_type.essence, registry()
    for class_ in (CTV.MediaType, DCTERMS.MediaType, DCTERMS.MediaTypeOrExtent):
        yield node, RDF.type, class_
    if media_type.type in TOP_LEVEL_TYPES:
        top_level = own_node("top-level", media_type.type)
        yield node, CTV.topLevelType, top_level
        yield top_level, RDF.type, CTV.TopLevelType
        yield top_level, RDFS.label, literal(media_type.type)
    yield node, CTV.subtypeName, literal(media_type.subtype)
    yield from _registration(node, essence)
    canonical = snapshot.canonical(essence)
    if canonical != essence:
        yield node, CTV.aliasOf, mint(canonical)
    for broader in snapshot.broader(essence):
        yield node, SKOS.broader, mint(broader)
    for extension in snapshot.extensions_of(essence):
        yield node, CTV.fileExtension, literal(extension)
    for identifier in identifiers(essence):
        yield node, _RELATIONS[identifier.relation], ox.NamedNode(identifier.iri)
    yield from _qualities(node, media_type)
    yield from _implied(node, facts_of(media_type))


def _qualities(node: ox.NamedNode, media_type: ContentType) -> Iterator[Triple]:
    """Yield the qualities that people choose formats by, where they are known."""
    stated = qualities(media_type)
    for path, value in (
        (CTV.machineReadable, stated.machine_readable),
        (CTV.nonProprietary, stated.open),
        (CTV.archive, stated.archive or None),
        (CTV.coapContentFormat, stated.coap),
    ):
        if value is not None:
            yield node, path, ox.Literal(value)


def _registration(node: ox.NamedNode, essence: str) -> Iterator[Triple]:
    """Yield the facts about a type in IANA's registry."""
    record = registry().media_type(essence)
    yield node, CTV.registrationStatus, _STATUS[record.status] if record else CTV.Unregistered
    if record is None:
        successor = successor_of(essence)
        if successor:
            yield node, CTV.replacedBy, mint(successor)
        return
    if record.template:
        yield node, RDFS.seeAlso, ox.NamedNode(_TEMPLATES + record.template)
    for replacement in record.replaced_by:
        yield node, CTV.replacedBy, mint(replacement)
    yield from _references(node, record.references)


def _implied(node: ox.NamedNode, facts: Facts) -> Iterator[Triple]:
    """Yield the facts that the name of a type implies, registered or not (RFC 7303, RFC 6838)."""
    if facts.is_xml:
        yield node, RDF.type, CTV.XMLMediaType
    # Section 5: XPointer is for all XML; a type may have another syntax beside it.
    by_suffix = (_RFC_7303,) if facts.fragments else ()
    for iri in (*by_suffix, *registry().fragment_syntaxes(facts.essence)):
        yield node, CTV.fragmentSyntax, ox.NamedNode(iri)
    record = facts.structure.record
    if record:
        yield node, CTV.structuredSyntaxSuffix, own_node("suffix", record.name)
        if facts.structure.base:
            yield node, SKOS.broader, mint(facts.structure.base)
        yield from of_suffix(record)


def of_suffix(record: SuffixRecord) -> Iterator[Triple]:
    """Yield the facts about a structured syntax suffix in IANA's registry."""
    suffix = own_node("suffix", record.name)
    yield suffix, RDF.type, CTV.StructuredSyntaxSuffix
    yield suffix, RDFS.label, literal(record.title)
    yield suffix, CTV.suffixName, literal(record.name)
    if record.base:
        yield suffix, CTV.baseType, mint(record.base)
    yield from _references(suffix, record.references)


def _references(node: ox.NamedNode, references: tuple[str, ...]) -> Iterator[Triple]:
    """Yield the specifications that a registration names; people and bodies have no addresses."""
    for reference in references:
        rfc = _RFC.fullmatch(reference)
        if rfc:
            iri = f"https://www.rfc-editor.org/info/rfc{rfc[1]}"
        elif reference.startswith("draft-"):
            iri = f"https://datatracker.ietf.org/doc/{reference}/"
        elif reference.startswith(("https://", "http://")):
            iri = reference
        else:
            continue
        yield node, DCTERMS.references, ox.NamedNode(iri)
