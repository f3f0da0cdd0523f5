"""Functions between labels, nodes and headers, and of the parts of a type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cturi_rdf.rdf.nodes import mint
from cturi_rdf.registry.suffix import structure_of
from cturi_rdf.sparql.functions.function import Function, defining
from cturi_rdf.sparql.functions.terms import Iri, Term, resolution_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cturi_rdf.content_type import ContentType

__all__ = ["FUNCTIONS"]

FUNCTIONS: dict[str, Function] = {}
_function = defining(FUNCTIONS)


@_function(
    "mint",
    ('ctf:mint("text/csv; header=present")', "<ContentType:text/csv?header=%22present%22>"),
    ('ctf:mint("CSV")', "<ContentType:text/csv>"),
    ("ctf:mint(<https://www.iana.org/assignments/media-types/text/csv>)", "<ContentType:text/csv>"),
    ('ctf:mint("CSV, JSON")', None),
    ('ctf:mint("WMS")', None),
)
def _mint(x: ContentType) -> Iri:
    """Return the node of a content type; none for a label that names several, or none."""
    return Iri(mint(x))


@_function(
    "resolve",
    ('ctf:resolve("text/tsv")', "<ContentType:text/tab-separated-values>"),
    ('ctf:resolve("CSV, JSON")', "<ContentType:text/csv>"),
    ('ctf:resolve("CSV, JSON", 2)', "<ContentType:application/json>"),
    ('ctf:resolve("CSV, JSON", 3)', None),
)
def _resolve(label: Term) -> Iterable[Iri]:
    """Return the nodes of all content types that a label means, by the name they should have."""
    return [Iri(mint(content_type)) for content_type in resolution_of(label).types]


@_function(
    "verdict", ('ctf:verdict("WMS")', '"service"'), ('ctf:verdict("CSV, JSON")', '"several"')
)
def _verdict(label: Term) -> str:
    """Return what kind of thing a label names.

    It is media_type, compound, several, service, no_type or nothing.
    """
    return resolution_of(label).verdict


@_function("outer", ('ctf:outer("csv.gz")', "<ContentType:application/gzip>"))
def _outer(label: Term) -> Iri | None:
    """Return the content type of the package or compression around a file, if it is named."""
    outer = resolution_of(label).outer
    return Iri(mint(outer)) if outer else None


@_function(
    "header",
    ("ctf:header(<ContentType:text/csv?header=%22present%22>)", '"text/csv; header=present"'),
    ("ctf:header(<http://a.example/data>)", None),
)
def _header(x: ContentType) -> str:
    """Return the value of the Content-Type header."""
    return str(x)


@_function("type", ('ctf:type("image/svg+xml")', '"image"'))
def _type(x: ContentType) -> str:
    """Return the part before the slash."""
    return x.type


@_function("subtype", ('ctf:subtype("image/svg+xml; charset=utf-8")', '"svg+xml"'))
def _subtype(x: ContentType) -> str:
    """Return the part after the slash, without parameters."""
    return x.subtype


@_function("essence", ('ctf:essence("Text/HTML; charset=utf-8")', '"text/html"'))
def _essence(x: ContentType) -> str:
    """Type and subtype, without parameters."""
    return x.essence


@_function("suffix", ('ctf:suffix("image/svg+xml")', '"xml"'), ('ctf:suffix("text/csv")', None))
def _suffix(x: ContentType) -> str | None:
    """Return the structured syntax suffix, without its plus."""
    return x.suffix


@_function(
    "baseType",
    ('ctf:baseType("application/ld+json")', "<ContentType:application/json>"),
    ('ctf:baseType("text/csv")', None),
)
def _base_type(x: ContentType) -> Iri | None:
    """Return the node of the type of the bare syntax that the suffix names."""
    base = structure_of(x).base
    return Iri(mint(base)) if base else None


@_function(
    "parameter",
    ('ctf:parameter("text/csv; header=present", "Header")', '"present"'),
    ('ctf:parameter("text/csv", "header")', None),
)
def _parameter(x: ContentType, name: str) -> str | None:
    """Return the value of a parameter."""
    return x.parameters.get(name.lower())


@_function(
    "profile",
    (
        'ctf:profile("a/b; profile=\\"http://a.example/1 http://a.example/2\\"", 2)',
        "<http://a.example/2>",
    ),
)
def _profile(x: ContentType) -> Iterable[Iri]:
    """Return the IRIs of the profiles that the type has."""
    return [Iri(profile) for profile in x.parameters.get("profile", "").split()]
