"""What one statement of a line means: what is added to its resource, and what describes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pyoxigraph as ox

from cturi_rdf.content_type import ContentType
from cturi_rdf.errors import MappingError
from cturi_rdf.rdf.label_statements import label_triples, links, understand
from cturi_rdf.rdf.properties import PROPERTIES
from cturi_rdf.rdf.terms import CTV, RDF
from cturi_rdf.registry.schemes import type_of_iri
from cturi_rdf.uri.mapping import from_uri

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cturi_rdf.rdf.label_statements import Resolver, Term, Understood

__all__ = ["Meaning", "evidence_of", "meaning_of", "new_meaning"]

# Solid and others: a class of the resources of a type, see the registry's schemes.
_CLASS_SCHEME = "w3c-ns-iana"
_RESOURCE = b"<urn:x-cturi:resource> "
_NODE = b"_:value"


class Meaning(NamedTuple):
    """What a statement adds: to its resource, and to the default graph.

    A link is predicate and object with spaces around; a description is whole lines.
    `open` says that nothing is known of the value, which is a node and may be described.
    """

    text: str
    verdict: str
    types: tuple[str, ...]
    reason: str
    links: tuple[bytes, ...]
    description: tuple[bytes, ...]
    open: bool


def meaning_of(
    predicate: bytes, value: bytes, described: Sequence[tuple[bytes, bytes]], resolver: Resolver
) -> Meaning | None:
    """Return what a statement means whose value is `described`, or None where it is no RDF."""
    read = _read(predicate, value, described)
    if read is None:
        return None
    term, facts = read
    understood = understand(term, facts, resolver)
    return new_meaning(
        ox.NamedNode(predicate.decode()[1:-1]), understood, node=not isinstance(term, ox.Literal)
    )


def new_meaning(predicate: ox.NamedNode, understood: Understood, *, node: bool) -> Meaning:
    """Return what a label means as the value of a property."""
    text, resolution = understood
    return Meaning(
        text=text,
        verdict=understood.verdict,
        types=tuple(map(str, understood.content_types)),
        reason=resolution.reason,
        links=tuple(f" {path} {node} ".encode() for path, node in links(predicate, understood)),
        description=tuple(
            f"{subject} {path} {value} .\n".encode()
            for subject, path, value in dict.fromkeys(label_triples(text, resolution))
        ),
        open=resolution.verdict == "nothing" and node,
    )


def evidence_of(
    predicate: bytes, value: bytes, described: Sequence[tuple[bytes, bytes]], resolver: Resolver
) -> list[tuple[str, str, ContentType]] | None:
    """Return property, text and type of what a statement says of its resource, or None."""
    read = _read(predicate, value, described)
    if read is None:
        return None
    term, facts = read
    path = ox.NamedNode(predicate.decode()[1:-1])
    if path in PROPERTIES:
        understood = understand(term, facts, resolver)
        return [(path.value, understood.text, each) for each in understood.content_types]
    if path == CTV.contentType and isinstance(term, ox.NamedNode):
        try:
            return [(path.value, term.value, from_uri(term.value))]
        except MappingError:
            return []
    if path == RDF.type and isinstance(term, ox.NamedNode):
        scheme, essences = type_of_iri(term.value) or ("", ())
        if scheme == _CLASS_SCHEME:
            return [(path.value, term.value, ContentType.parse(each)) for each in essences]
    return []


def _read(
    predicate: bytes, value: bytes, described: Sequence[tuple[bytes, bytes]]
) -> tuple[Term, list[tuple[ox.NamedNode, Term]]] | None:
    """Return the value of a statement, and what is stated of it, as terms."""
    node = _NODE if value.startswith(b"_:") else value
    lines = [b"%b%b %b .\n" % (_RESOURCE, predicate, node)]
    lines += [b"%b %b %b .\n" % (node, *each) for each in described]
    try:
        triples = list(ox.parse(b"".join(lines), ox.RdfFormat.N_TRIPLES, lenient=True))
    except SyntaxError:
        return None
    return triples[0].object, [(each.predicate, each.object) for each in triples[1:]]
