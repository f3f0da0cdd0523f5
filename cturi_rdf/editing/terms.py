"""Terms as Oxigraph's lenient parsers make them, for the locators that read trees."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, cast
from xml.sax.saxutils import quoteattr

import pyoxigraph as ox

from cturi_rdf.reading.terms import NOT_IN_IRI

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["RDF_NS", "iri", "literal", "parsed_xml"]

RDF_NS = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
# A scheme (RFC 3986 section 3.1): a reference that begins with one is absolute.
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


@lru_cache(maxsize=4096)
def iri(reference: str, base: str | None = None) -> ox.NamedNode | None:
    """Return the IRI of a reference against a base, or None where it has none.

    An absolute IRI stays as it is, and characters that RFC 3987 does not allow are kept
    (RFC 3986 section 5.2.2, without normalisation).

    >>> print(iri("../c d", "http://a.example/x/y"), iri("c"))
    <http://a.example/c d> None
    """
    if _SCHEME.match(reference):
        try:
            return ox.NamedNode(reference)
        except ValueError:
            base = base or "a:a"
    if base is None:
        return None
    text = NOT_IN_IRI.sub(lambda match: f"\\u{ord(match[0]):04X}", reference)
    try:
        quads = ox.parse(f'<{text}> <a:a> "" .', ox.RdfFormat.TURTLE, base_iri=base, lenient=True)
        return cast("ox.NamedNode", next(quads).subject)
    except (SyntaxError, ValueError):
        return None


def literal(text: str, language: str = "", datatype: ox.NamedNode | None = None) -> ox.Literal:
    """Return a literal; a language that is no tag of RFC 5646 is left out.

    >>> print(literal("a", "en-GB"), literal("a", "en_gb"))
    "a"@en-gb "a"
    """
    if language and datatype is None:
        with suppress(ValueError):
            return ox.Literal(text, language=language)
    return ox.Literal(text, datatype=datatype)


def parsed_xml(element: str, namespaces: Mapping[str, str]) -> ox.Literal | None:
    """Return the literal that a property element of RDF/XML stands for, or None."""
    declared = dict(namespaces)
    rdf = next((prefix for prefix, name in declared.items() if prefix and name == RDF_NS), "rdf")
    declared.setdefault(rdf, RDF_NS)
    names = " ".join(
        f"xmlns{':' if prefix else ''}{prefix}={quoteattr(name)}"
        for prefix, name in declared.items()
    )
    node = f"<{rdf}:Description>{element}</{rdf}:Description>"
    text = f"<{rdf}:RDF {names}>{node}</{rdf}:RDF>"
    try:
        return cast("ox.Literal", next(ox.parse(text, ox.RdfFormat.RDF_XML, lenient=True)).object)
    except (SyntaxError, StopIteration):
        return None
