"""The registry as triples for queries: those in a file of the package, and those of other types.

``data/registry.zip`` is what `cturi_rdf.rdf.export` gives, so that a query need not compute it;
``scripts/build_tables.py`` writes it.  It has a file of N-Triples for each property, or
class where the property is rdf:type, so that a query unpacks and loads no more than it asks for.
Where a class has all members of another, its file has only the rest, and a comment that names the
frame of the other.

A type that the registry does not list is described where data name it.
"""

from __future__ import annotations

import io
import zipfile
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pyoxigraph as ox

from cturi_rdf.content_type import ContentType
from cturi_rdf.rdf.description import description
from cturi_rdf.rdf.terms import RDF, mint, name_of_segment
from cturi_rdf.reading.terms import lenient_node
from cturi_rdf.uri.mapping import from_uri, is_content_type_uri

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cturi_rdf.rdf.terms import Triple
    from cturi_rdf.sparql.syntax import Patterns

REGISTRY_FILE = "registry.zip"
# The graph of a dataset that has the registry.
REGISTRY = ox.NamedNode("https://w3id.org/cturi/registry")
# The beginnings of IRIs that may be described without being in the registry.
_BASE = "https://w3id.org/cturi/"
NODES = r"^(contenttype:|https://w3id\.org/cturi/(top-level|parameter)/)"


def frame_of(predicate: ox.NamedNode, value: ox.NamedNode | ox.Literal) -> str:
    """Return the name of the frame that has the triples of a property.

    >>> frame_of(ox.NamedNode("e:p"), ox.Literal("")), frame_of(RDF.type, ox.NamedNode("e:C"))
    ('e:p', 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type e:C')
    """
    is_type = predicate == RDF.type and isinstance(value, ox.NamedNode)
    return f"{predicate.value} {value.value}" if is_type else predicate.value


@cache
def _archive() -> tuple[zipfile.ZipFile, dict[str, zipfile.ZipInfo]]:
    """Return the archive of the registry, and its files by the names of their frames."""
    content = files("cturi_rdf").joinpath("data", REGISTRY_FILE).read_bytes()
    archive = zipfile.ZipFile(io.BytesIO(content))
    return archive, {unquote(info.filename): info for info in archive.infolist()}


def frame_names() -> frozenset[str]:
    """Return the names of all frames of the registry.

    >>> "https://w3id.org/cturi/vocab#suffixName" in frame_names()
    True
    """
    return frozenset(_archive()[1])


def may_match(frame: str, patterns: Patterns | None) -> bool:
    """Return whether the patterns of a query may match triples of a frame.

    >>> from cturi_rdf.sparql.syntax import QueryText
    >>> query = QueryText("ASK { ?t a <e:C> ; <e:p> ?n }", {})
    >>> [may_match(name, query.patterns) for name in ("e:p", "e:q", f"{RDF.type.value} e:D")]
    [True, False, False]
    """
    predicate, _, class_ = frame.partition(" ")
    if patterns is None:
        return True
    if class_:
        return patterns.classes is None or class_ in patterns.classes
    return predicate in patterns.iris


def add_frames(
    store: ox.Store, names: Iterable[str], graph: ox.NamedNode | ox.DefaultGraph | None = None
) -> None:
    """Add frames of the registry to a graph of a store, by default the default graph."""
    members = _archive()[1]
    lines = b"".join(_lines(name) for name in names if name in members)
    # Our own IRIs need no check.
    store.bulk_load(lines, ox.RdfFormat.N_TRIPLES, to_graph=graph, lenient=True)


def _lines(name: str) -> bytes:
    """Return the triples of a frame, with those of the members of the class within its class."""
    archive, members = _archive()
    lines = archive.read(members[name])
    if within := members[name].comment.decode():
        old, new = (f"<{frame.partition(' ')[2]}> .".encode() for frame in (within, name))
        lines += _lines(within).replace(old, new)
    return lines


@cache
def registry_store() -> ox.Store:
    """Return a store with the registry and nothing else, which nobody may change."""
    store = ox.Store()
    add_frames(store, frame_names())
    return store


@lru_cache(maxsize=1_024)
def described(iri: str) -> tuple[Triple, ...]:
    """Return the description of a node of a type, a parameter or a top-level type.

    A type in another spelling than its own node is described under both.

    >>> any(o.value == "https://w3id.org/cturi/suffix/json"
    ...     for s, p, o in described("ContentType:application/x-mine+json"))
    True
    >>> described("http://a.example/")
    ()
    """
    try:
        content_type = _type_with(iri)
        facts = description(content_type) if content_type else ()
        if content_type is None or not is_content_type_uri(iri):
            return _about(iri, iri, facts)
        node = mint(content_type).value
        return facts if node == iri else (*facts, *_about(node, iri, facts))
    except ValueError:
        # Not a type after all, or an IRI that RFC 3987 does not allow.
        return ()


def _about(node: str, name: str, facts: Iterable[Triple]) -> tuple[Triple, ...]:
    """Return the statements about a node, under another name for it."""
    subject = lenient_node(name)
    return tuple((subject, p, o) for s, p, o in facts if s.value == node)


def _type_with(iri: str) -> ContentType | None:
    """Return the content type of a node, or one in whose description the node stands.

    Raises `ValueError` where the name of the node is that of no type.
    """
    if is_content_type_uri(iri):
        return from_uri(iri)
    if iri.startswith(_BASE):
        match [name_of_segment(name) for name in iri.removeprefix(_BASE).split("/")]:
            case ["top-level", name]:
                return ContentType(name, "x")
            case ["parameter", name, value]:
                return ContentType("application", "x", {name: value})
    return None
