"""Terms of rdflib as Oxigraph's, and back: one place for both ways."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, cast

import pyoxigraph as ox

if TYPE_CHECKING:
    from rdflib.term import Node

__all__ = ["any_named_node", "from_ox", "to_ox"]


def to_ox(term: Node, *, any_iri: bool = False) -> Any:
    """Return a term of rdflib as one of Oxigraph.

    Raises `ValueError` for a language that Oxigraph refuses, and unless `any_iri` for an IRI
    that RFC 3987 does not allow or that is relative.

    >>> from rdflib import URIRef
    >>> to_ox(URIRef("a b"), any_iri=True)
    <NamedNode value=a b>
    """
    from rdflib import BNode, Literal  # noqa: PLC0415 - who has a term of rdflib has rdflib

    if isinstance(term, Literal):
        if term.language:
            return ox.Literal(str(term), language=term.language)
        datatype = ox.NamedNode(str(term.datatype)) if term.datatype else None
        return ox.Literal(str(term), datatype=datatype)
    if isinstance(term, BNode):
        return ox.BlankNode(str(term))
    return any_named_node(str(term)) if any_iri else ox.NamedNode(str(term))


def any_named_node(iri: str) -> ox.NamedNode:
    """Return an IRI as a term of Oxigraph, be it relative or not allowed by RFC 3987.

    >>> any_named_node("a b")
    <NamedNode value=a b>
    """
    try:
        return ox.NamedNode(iri)
    except ValueError:
        escaped = _NOT_IN_AN_IRI.sub(lambda match: f"\\u{ord(match[0]):04X}", iri)
    line = f"<{escaped}> <a:b> <a:c> ."
    subject = next(ox.parse(line, ox.RdfFormat.N_TRIPLES, lenient=True)).subject
    return cast("ox.NamedNode", subject)


def from_ox(term: Any) -> Any:
    """Return a term of Oxigraph as one of rdflib, a literal as it is written."""
    from rdflib import BNode, Literal, URIRef  # noqa: PLC0415 - only where it is asked for
    from rdflib.graph import DATASET_DEFAULT_GRAPH_ID  # noqa: PLC0415

    if isinstance(term, ox.NamedNode):
        return URIRef(term.value)
    if isinstance(term, ox.BlankNode):
        return BNode(term.value)
    if isinstance(term, ox.DefaultGraph):
        return DATASET_DEFAULT_GRAPH_ID
    if term.language:
        return Literal(term.value, lang=term.language)
    datatype = None if term.datatype == _STRING else URIRef(term.datatype.value)
    return Literal(term.value, datatype=datatype, normalize=False)


# RFC 3987, and the production IRIREF of N-Triples.
_NOT_IN_AN_IRI = re.compile(r"""[\x00-\x20<>"{}|^`\\]""")
_STRING = ox.NamedNode("http://www.w3.org/2001/XMLSchema#string")
