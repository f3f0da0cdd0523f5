"""What one statement about a type adds to a stream, found out on a graph of its own.

The graph path decides, so that a stream says what a graph would: a statement, with what
describes its value, is read into a graph, and what would be added there is written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rdflib import Dataset, Literal, URIRef
from rdflib.namespace import NamespaceManager

from cturi_rdf.io.rdflib_graphs import verbatim
from cturi_rdf.rdf.annotate import linked, of_label
from cturi_rdf.rdf.headers import Evidence, headers
from cturi_rdf.rdf.occurrences import occurrences
from cturi_rdf.rdf.writers import n_triples

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cturi_rdf.rdf.occurrences import Resolver

__all__ = ["RESOURCE", "Meaning", "evidence_of", "meaning_in", "meaning_of", "new_dataset"]

# Stands for whatever resources have the statement.
RESOURCE = URIRef("urn:x-cturi:resource")
_PLACEHOLDER = RESOURCE.n3().encode()
_VALUE = b"_:value"


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
    predicate: bytes, value: bytes, said: Sequence[tuple[bytes, bytes]], resolver: Resolver
) -> Meaning | None:
    """Return what a statement means whose value has `said` of it, or None for no RDF."""
    dataset = _read(predicate, value, said)
    if dataset is None:
        return None
    return meaning_in(dataset, URIRef(predicate.decode()[1:-1]), resolver)


def meaning_in(dataset: Dataset, predicate: URIRef, resolver: Resolver) -> Meaning:
    """Return what the one statement about `RESOURCE` in a dataset means."""
    found = next(
        each for each in occurrences(dataset, [predicate], resolver) if each.resource == RESOURCE
    )
    resolution = found.resolution
    return Meaning(
        text=found.text,
        verdict="resolved" if found.content_types else resolution.verdict,
        types=tuple(map(str, found.content_types)),
        reason=resolution.reason,
        links=tuple(
            line.encode().removeprefix(_PLACEHOLDER).rpartition(b".")[0]
            for line in n_triples(linked(found), {})
        ),
        description=tuple(
            line.encode() for line in n_triples(of_label(found.text, resolution), {})
        ),
        open=resolution.verdict == "nothing" and not isinstance(found.value, Literal),
    )


def evidence_of(
    predicate: bytes, value: bytes, said: Sequence[tuple[bytes, bytes]], resolver: Resolver
) -> list[Evidence] | None:
    """Return what a statement says of the type of its resource, or None for no RDF."""
    dataset = _read(predicate, value, said)
    if dataset is None:
        return None
    found = headers(dataset, resolver=resolver)
    return [said for each in found if each.resource == RESOURCE for said in each.evidence]


def _read(predicate: bytes, value: bytes, said: Sequence[tuple[bytes, bytes]]) -> Dataset | None:
    if value.startswith(b"_:"):
        value = _VALUE
    lines = [b"%b %b %b .\n" % (_PLACEHOLDER, predicate, value)]
    lines += [b"%b %b %b .\n" % (value, *each) for each in said]
    dataset = new_dataset()
    try:
        with verbatim():
            dataset.parse(data=b"".join(lines), format="nt")
    except Exception:  # noqa: BLE001 - rdflib's parsers raise what they like
        return None
    return dataset


def new_dataset() -> Dataset:
    """Return a dataset without prefixes, which take longer to bind than all else here."""
    dataset = Dataset(default_union=True)
    dataset.namespace_manager = NamespaceManager(dataset, bind_namespaces="none")
    return dataset
