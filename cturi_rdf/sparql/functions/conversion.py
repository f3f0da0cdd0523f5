"""Terms of rdflib, as the functions take and give them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rdflib import XSD, Literal, URIRef

from cturi_rdf.sparql.functions.terms import Iri, Term

if TYPE_CHECKING:
    from rdflib.term import Node

    from cturi_rdf.sparql.functions.terms import Value

__all__ = ["from_value", "to_term"]


def to_term(node: Node) -> Term:
    """Return a term as the functions take it."""
    if isinstance(node, URIRef):
        return Term("iri", str(node))
    if isinstance(node, Literal):
        return Term("literal", str(node), str(node.datatype or ""))
    return Term("blank", "")


def from_value(value: Value) -> Node:
    """Return what a function gives as a term of rdflib."""
    if isinstance(value, Iri):
        return URIRef(value)
    if isinstance(value, float):
        return Literal(_decimal(value), datatype=XSD.decimal)
    return Literal(value)


def _decimal(value: float) -> str:
    """Return the canonical form of an xsd:decimal with no more digits than a weight has."""
    return f"{value:.9f}".rstrip("0").rstrip(".")
