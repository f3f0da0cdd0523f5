"""The formats of RDF files: their names, extensions and media types."""

from __future__ import annotations

import contextlib
from typing import NamedTuple

from cturi_rdf.catalog.errors import CatalogError
from cturi_rdf.content_type import ContentType
from cturi_rdf.errors import ContentTypeError

__all__ = ["FORMATS", "Format", "format_named", "format_of_file"]


class Format(NamedTuple):
    """One format: rdflib's name for it, and what else it is known by.

    `datasets` says whether it holds named graphs, `relative` whether relative IRIs, and
    `any_iri` whether also what RFC 3987 does not allow in an IRI, such as a space.
    """

    name: str
    extensions: tuple[str, ...]
    media_types: tuple[str, ...]
    datasets: bool = False
    relative: bool = True
    any_iri: bool = False


FORMATS = (
    Format("turtle", ("ttl", "turtle"), ("text/turtle", "application/x-turtle")),
    Format("trig", ("trig",), ("application/trig", "application/x-trig"), datasets=True),
    Format("nt", ("nt",), ("application/n-triples",), relative=False),
    Format("nquads", ("nq",), ("application/n-quads",), datasets=True, relative=False),
    Format(
        "xml", ("rdf", "xml", "owl"), ("application/rdf+xml", "application/xml", "text/xml"),
        any_iri=True,
    ),
    Format(
        "json-ld", ("jsonld", "json"), ("application/ld+json", "application/json"),
        datasets=True, any_iri=True,
    ),
    Format("n3", ("n3",), ("text/n3",)),
)  # fmt: skip


def format_named(name: str) -> Format:
    """Return the format of that name, extension or media type, in any case.

    Raises `CatalogError`.

    >>> format_named("Text/Turtle; charset=utf-8").name
    'turtle'
    """
    wanted = name.strip().lower().removeprefix(".")
    with contextlib.suppress(ContentTypeError):
        wanted = ContentType.parse(wanted).essence
    for each in FORMATS:
        if wanted in (each.name, *each.extensions, *each.media_types):
            return each
    known = ", ".join(each.name for each in FORMATS)
    raise CatalogError("an unknown format", name, f"one of {known}")


def format_of_file(name: str) -> Format:
    """Return the format that a file's name tells, `.gz` and `.zst` set aside.

    Raises `CatalogError` where it tells none.

    >>> format_of_file("catalog.TTL.gz").name
    'turtle'
    """
    extension = name.lower().removesuffix(".gz").removesuffix(".zst").rpartition(".")[2]
    for each in FORMATS:
        if extension in each.extensions:
            return each
    known = ", ".join(f".{extension}" for each in FORMATS for extension in each.extensions)
    raise CatalogError("a file whose name does not tell its format", name, f"one of {known}")
