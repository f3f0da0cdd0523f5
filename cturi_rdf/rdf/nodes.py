"""Content types as nodes of rdflib, and the nodes of what belongs to them."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from rdflib import Literal, URIRef

from cturi_rdf._util.arguments import checked
from cturi_rdf.rdf import terms
from cturi_rdf.uri.mapping import from_uri
from cturi_rdf.uri.node import node

if TYPE_CHECKING:
    from cturi_rdf.content_type import ContentType

__all__ = [
    "label_node",
    "literal",
    "mint",
    "parameter_node",
    "read",
    "suffix_node",
    "top_level_node",
]


@lru_cache(maxsize=8_192)
@checked
def mint(content_type: ContentType | str) -> URIRef:
    """Return the node of a content type, given as such or as a header.

    Raises `MappingError` where a text is no Content-Type.

    >>> mint("text/csv; header=present")
    rdflib.term.URIRef('ContentType:text/csv?header=%22present%22')
    """
    return URIRef(node(content_type))


@lru_cache(maxsize=8_192)
@checked
def read(term: str) -> ContentType:
    """Return the content type of a node, in either spelling.

    Raises `MappingError` where it is no absolute IRI.

    >>> read(URIRef("ContentType:text/csv?header=%22present%22"))
    ContentType.parse('text/csv; header=present')
    """
    return from_uri(str(term))


def parameter_node(name: str, value: str) -> URIRef:
    """Return the node of a parameter, shared by all content types that have it.

    >>> parameter_node("charset", "utf-8")
    rdflib.term.URIRef('https://w3id.org/cturi/parameter/charset/utf-8')
    """
    return URIRef(terms.parameter_node(name, value).value)


def top_level_node(name: str) -> URIRef:
    """Return the node of a top-level type.

    >>> top_level_node("image")
    rdflib.term.URIRef('https://w3id.org/cturi/top-level/image')
    """
    return URIRef(terms.top_level_node(name).value)


def suffix_node(name: str) -> URIRef:
    """Return the node of a structured syntax suffix, named without its plus.

    >>> suffix_node("xml")
    rdflib.term.URIRef('https://w3id.org/cturi/suffix/xml')
    """
    return URIRef(terms.suffix_node(name).value)


def label_node(text: str) -> URIRef:
    """Return the node of a label, the same wherever its text stands.

    >>> label_node("Zipped CSV")
    rdflib.term.URIRef('https://w3id.org/cturi/label/Zipped%20CSV')
    """
    return URIRef(terms.label_node(text).value)


@lru_cache(maxsize=8_192)
def literal(value: str) -> Literal:
    """Return a text as a literal, from memory: rdflib takes long to make one.

    >>> literal("text/csv")
    rdflib.term.Literal('text/csv')
    """
    return Literal(value)
