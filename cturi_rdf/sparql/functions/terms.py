"""The arguments and the values of functions: terms of Oxigraph, whichever engine calls them."""

from __future__ import annotations

import base64
import binascii
from difflib import get_close_matches
from functools import cache, partial
from typing import TYPE_CHECKING, Any, TypeAlias

import pyoxigraph as ox

from cturi_rdf.content_type import ContentType
from cturi_rdf.content_type.grammar import in_uri_tree
from cturi_rdf.errors import ContentTypeError, CturiError
from cturi_rdf.labels import Resolver, resolve
from cturi_rdf.rdf.label_statements import understand
from cturi_rdf.rdf.terms import XSD
from cturi_rdf.registry import registry
from cturi_rdf.registry.schemes import only_type_of_iri, schemes, type_of_iri
from cturi_rdf.uri.mapping import from_uri, is_content_type_uri

if TYPE_CHECKING:
    from collections.abc import Callable

    from cturi_rdf.labels import Resolution

Label: TypeAlias = ox.NamedNode | ox.Literal
# The text of a parameter that may be given as an IRI too.
Iri: TypeAlias = str
# The name of a scheme of identifiers.
Scheme: TypeAlias = str

# XML Schema Part 2 sections 3.3.15 and 3.3.16.
_OCTETS: dict[Any, Callable[[str], bytes]] = {
    XSD.hexBinary: binascii.unhexlify,
    XSD.base64Binary: partial(base64.b64decode, validate=True),
}
# The longest arguments that are remembered, in characters.
LONGEST = 200


class CallError(CturiError):
    """A function is called with too many arguments, too few, or those of a wrong kind."""


def to_term(value: ox.NamedNode | str | float) -> ox.NamedNode | ox.Literal:
    """Return the value of a function, which may be one of Python, as a term.

    >>> to_term(0.50).datatype.value
    'http://www.w3.org/2001/XMLSchema#decimal'
    """
    if isinstance(value, ox.NamedNode):
        return value
    if isinstance(value, float):
        # The canonical form of an xsd:decimal with no more digits than a weight has.
        return ox.Literal(f"{value:.9f}".rstrip("0").rstrip("."), datatype=XSD.decimal)
    return ox.Literal(value)


def resolution_of(label: Label) -> Resolution:
    """Return the meaning of a label, which is a string or an IRI.

    >>> resolution_of(ox.NamedNode("http://www.w3.org/ns/formats/Turtle")).types
    (ContentType.parse('text/turtle'),)
    """
    if isinstance(label, ox.NamedNode):
        return understand(label).resolution
    if len(label.value) > LONGEST:
        # A long text is a description rather than a label, and is not remembered.
        return Resolver().resolve(label.value)
    return resolve(label.value)


# --- Arguments --------------------------------------------------------------------------------


def _is_string(term: object) -> bool:
    """Return whether a term is a string (SPARQL 1.1 section 17.1), with a language or without."""
    return isinstance(term, ox.Literal) and bool(term.language or term.datatype == XSD.string)


def _string(term: Any) -> str:
    if not _is_string(term):
        raise CallError("an argument that is not a string", str(term), expected="a string")
    text: str = term.value
    return text


def _label(term: Any, name: str = "a label") -> Label:
    if not isinstance(term, ox.NamedNode) and not _is_string(term):
        raise CallError(f"an argument that is not {name}", str(term), expected="an IRI or a string")
    label: Label = term
    return label


def _iri(term: Any) -> str:
    return _label(term, "an IRI").value


def _scheme(term: Any) -> str:
    """Return the name of a scheme that is given by its name or by the start of its IRIs."""
    scheme = _iri(term)
    if scheme in schemes():
        return scheme
    for end in ("", "/", "#"):
        content_type = type_of_iri(scheme + end)
        if content_type:
            return content_type[0]
    close = get_close_matches(scheme, schemes(), n=1)
    expected = close[0] if close else f"one of {', '.join(schemes())}"
    raise CallError("a scheme that is unknown", scheme, expected=expected)


def _octets(term: Any) -> bytes:
    datatype = getattr(term, "datatype", None)
    if datatype not in _OCTETS:
        expected = "an xsd:base64Binary or xsd:hexBinary"
        raise CallError("an argument that does not hold octets", str(term), expected=expected)
    try:
        return _OCTETS[datatype](term.value)
    except ValueError as error:
        raise CturiError(
            "not octets", term.value, expected=str(datatype), rule="XML Schema Part 2"
        ) from error


def _content_type(term: Any) -> ContentType:
    """Return the content type that a term stands for, without corrections.

    A node or a header is used exactly as given, though there may be a better name for it;
    anything else is read as a label.
    """
    label = _label(term)
    text, is_iri = label.value, isinstance(label, ox.NamedNode)
    if is_content_type_uri(text):
        return from_uri(text)
    if is_iri and (listed := only_type_of_iri(text)):
        return listed
    header = None if is_iri else _header(text)
    if header is not None and header.type in _top_level_types():
        return header
    resolution = resolution_of(label)
    if len(resolution.named) == 1:
        return resolution.named[0]
    if header is not None and not resolution.named:
        return header
    if is_iri:
        mapped = from_uri(text)
        if not in_uri_tree(mapped.subtype):
            return mapped
    raise CturiError("not a content type", text, expected="the name of one", rule=resolution.reason)


def _header(text: str) -> ContentType | None:
    try:
        return ContentType.parse(text)
    except ContentTypeError:
        return None


@cache
def _top_level_types() -> frozenset[str]:
    return frozenset(record.essence.partition("/")[0] for record in registry().media_types())


# The readers of arguments, by the annotation of the parameter.  Each raises `CallError` for a term
# of the wrong kind, and any other `CturiError` for a term of the right kind without a meaning.
READERS: dict[str, Callable[[Any], object]] = {
    "ContentType": _content_type,
    "Label": _label,
    "str": _string,
    "Iri": _iri,
    "Scheme": _scheme,
    "bytes": _octets,
}
