"""The arguments and the values of functions, whichever engine calls them."""

from __future__ import annotations

import base64
import binascii
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from rdflib import XSD, Literal, URIRef

from cturi_rdf.content_type import ContentType
from cturi_rdf.content_type.grammar import in_uri_tree
from cturi_rdf.errors import ContentTypeError, CturiError
from cturi_rdf.labels import resolve
from cturi_rdf.rdf.label_statements import name_as_written, understand_texts
from cturi_rdf.rdf.nodes import read
from cturi_rdf.registry import registry
from cturi_rdf.registry.schemes import type_of_iri

if TYPE_CHECKING:
    import typing
    from collections.abc import Callable

    from rdflib.term import Node

    from cturi_rdf.labels import Resolution

__all__ = [
    "KINDS",
    "LONGEST",
    "CallError",
    "Iri",
    "Kind",
    "Term",
    "Value",
    "from_value",
    "resolution_of",
    "to_term",
]

_XSD = "http://www.w3.org/2001/XMLSchema#"
# What a string is: SPARQL 1.1 section 17.1, RDF 1.1 Concepts section 3.3.
_STRINGS = {"", f"{_XSD}string", "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"}
_SCHEME = "contenttype:"
# How many characters of arguments are worth remembering.
LONGEST = 500


class CallError(CturiError):
    """A function is called with too many arguments, too few, or those of a wrong kind."""

    def __init__(self, problem: str, call: str, expected: str) -> None:
        super().__init__(problem, call, expected=expected, rule="the table of functions")
        self.args = (problem, call, expected)


class Iri(str):
    """A text that is an IRI."""

    __slots__ = ()


Value = Iri | str | bool | float


class Term(NamedTuple):
    """A term of RDF as the functions take it; a literal without datatype is a string."""

    kind: typing.Literal["iri", "literal", "blank"]
    value: str
    datatype: str = ""

    @property
    def is_string(self) -> bool:
        """Whether it is a string, with a language or without."""
        return self.kind == "literal" and self.datatype in _STRINGS


def to_term(node: Node) -> Term:
    """Return a term of rdflib as the functions take it."""
    if isinstance(node, URIRef):
        return Term("iri", str(node))
    if isinstance(node, Literal):
        return Term("literal", str(node), str(node.datatype or ""))
    return Term("blank", "")


def from_value(value: Value) -> Node:
    """Return the value of a function as a term of rdflib."""
    if isinstance(value, Iri):
        return URIRef(value)
    if isinstance(value, float):
        # The canonical form of an xsd:decimal with no more digits than a weight has.
        return Literal(f"{value:.9f}".rstrip("0").rstrip("."), datatype=XSD.decimal)
    return Literal(value)


class Kind(NamedTuple):
    """A kind of argument: its name in the table, and the function that reads it.

    `read` raises `CallError` for a term that is of another kind, and any other `CturiError`
    for one that is of this kind but means nothing.
    """

    name: str
    read: Callable[[Term], object]


def _string(term: Term) -> str:
    if not term.is_string:
        raise CallError("an argument that is no string", term.kind, "a string")
    return term.value


def _name(term: Term) -> str:
    if term.kind != "iri" and not term.is_string:
        raise CallError("an argument that is no IRI", term.kind, "an IRI or a string")
    return term.value


def _label(term: Term) -> Term:
    if term.kind != "iri" and not term.is_string:
        raise CallError("an argument that is no label", term.kind, "a string or an IRI")
    return term


def _octets(term: Term) -> bytes:
    try:
        if term.datatype == f"{_XSD}hexBinary":
            return binascii.unhexlify(term.value)
        if term.datatype == f"{_XSD}base64Binary":
            return base64.b64decode(term.value, validate=True)
    except ValueError as error:
        raise CturiError(
            "no octets", term.value, expected=term.datatype, rule="XML Schema Part 2"
        ) from error
    raise CallError(
        "an argument that is no octets", term.kind, "an xsd:base64Binary or xsd:hexBinary"
    )


def resolution_of(label: Term) -> Resolution:
    """Return what a label, which is a string or an IRI, means.

    >>> resolution_of(Term("iri", "http://www.w3.org/ns/formats/Turtle")).types
    (ContentType.parse('text/turtle'),)
    """
    if label.kind == "iri":
        return understand_texts([name_as_written(label.value)]).resolution
    if len(label.value) > LONGEST:
        # A description rather than a label: not one to keep among the labels.
        return resolve.__wrapped__(label.value)
    return resolve(label.value)


def _content_type(term: Term) -> ContentType:
    """Return the content type that a term stands for, as itself and not as what it should be.

    A node or a header is used exactly as given, though there may be a better name for it; what
    is neither is read as a label.
    """
    _label(term)
    text = term.value
    if text[: len(_SCHEME)].lower() == _SCHEME:
        return read(URIRef(text))
    if term.kind == "iri":
        _, essences = type_of_iri(text) or ("", ())
        if len(essences) == 1:
            return ContentType.parse(essences[0])
    header = _header(text) if term.kind == "literal" else None
    if header is not None and header.type in _top_level_types():
        return header
    resolution = resolution_of(term)
    if len(resolution.named) == 1:
        return resolution.named[0]
    if header is not None and not resolution.named:
        return header
    if term.kind == "iri":
        mapped = read(URIRef(text))
        if not in_uri_tree(mapped.subtype):
            return mapped
    raise CturiError("no content type", text, expected="the name of one", rule=resolution.reason)


def _header(text: str) -> ContentType | None:
    try:
        return ContentType.parse(text)
    except ContentTypeError:
        return None


@cache
def _top_level_types() -> frozenset[str]:
    return frozenset(record.essence.partition("/")[0] for record in registry().media_types())


# By the annotation of a parameter.
KINDS = {
    "ContentType": Kind("type", _content_type),
    "Term": Kind("label", _label),
    "str": Kind("string", _string),
    "Iri": Kind("IRI", _name),
    "bytes": Kind("octets", _octets),
}
