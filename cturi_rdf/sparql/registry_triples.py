"""The registry as triples for a query: those in a file of the package, and those of other types.

``data/registry.nt.zst`` is the result of `cturi_rdf.rdf.export`, so that a query need not build it;
``scripts/build_registry_triples.py`` writes it.  A type that the registry does not list is
described where a query or its data name it.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

import pyoxigraph as ox
import zstandard

from cturi_rdf._util.prefixes import PREFIXES
from cturi_rdf.content_type import ContentType
from cturi_rdf.errors import CturiError
from cturi_rdf.rdf.description import description
from cturi_rdf.rdf.export import triples
from cturi_rdf.rdf.terms import mint, name_of_segment
from cturi_rdf.reading.terms import lenient_node
from cturi_rdf.uri.mapping import from_uri
from cturi_rdf.uri.node import is_content_type_uri

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cturi_rdf.rdf.terms import Triple

__all__ = [
    "NODES",
    "REGISTRY_FILE",
    "SUBJECTS",
    "add_registry",
    "described",
    "names_registry",
    "registry_content",
    "registry_store",
]

REGISTRY_FILE = "registry.nt.zst"
# The beginnings of IRIs that may be described without being in the registry.
_BASE = "https://w3id.org/cturi/"
SUBJECTS = r"^(contenttype:|https://w3id\.org/cturi/)"
NODES = r"^(contenttype:|https://w3id\.org/cturi/(suffix|top-level|parameter)/)"


def registry_content() -> str:
    """Return the registry as sorted N-Triples.

    >>> "<https://w3id.org/cturi/vocab#MediaType>" in registry_content()
    True
    """
    return "".join(sorted(f"{s} {p} {o} .\n" for s, p, o in set(triples())))


def add_registry(store: ox.Store, graph: ox.NamedNode | ox.DefaultGraph | None = None) -> None:
    """Add the registry to a graph of a store, by default the default graph."""
    packed = files("cturi_rdf").joinpath("data", REGISTRY_FILE).read_bytes()
    content = zstandard.ZstdDecompressor().decompress(packed)
    # Our own IRIs need no check.
    store.bulk_load(content, ox.RdfFormat.N_TRIPLES, to_graph=graph, lenient=True)


@cache
def registry_store() -> ox.Store:
    """Return a store with the registry and nothing else, which nobody may change."""
    store = ox.Store()
    add_registry(store)
    return store


def names_registry(iris: Iterable[str]) -> bool:
    """Return whether a query that names these IRIs asks for the registry.

    It names a content type, a term of our vocabulary, or the registry itself.  A function reads
    labels and headers, for which no graph is needed.

    >>> names_registry(["http://purl.org/dc/terms/format", PREFIXES["ctf"] + "isXML"])
    False
    >>> names_registry(["ContentType:text/csv"]), names_registry([PREFIXES["ctv"] + "parameter"])
    (True, True)
    """
    ours = (iri for iri in iris if not iri.startswith(PREFIXES["ctf"]))
    return any(re.match(SUBJECTS, iri, re.IGNORECASE) for iri in ours)


@lru_cache(maxsize=1_024)
def described(iri: str) -> tuple[Triple, ...]:
    """Return the description of a node of a type, a parameter or a suffix.

    A type in another spelling than its own node is described under both.

    >>> any(o.value == "https://w3id.org/cturi/suffix/json"
    ...     for s, p, o in described("ContentType:application/x-mine+json"))
    True
    >>> described("http://a.example/")
    ()
    """
    content_type = _type_with(iri)
    if content_type is None:
        return ()
    try:
        facts = description(content_type)
        if not is_content_type_uri(iri):
            return _about(iri, iri, facts)
        node = mint(content_type).value
        return facts if node == iri else (*facts, *_about(node, iri, facts))
    except (CturiError, ValueError):
        # Not a type after all, or an IRI that RFC 3987 does not allow.
        return ()


def _about(node: str, name: str, facts: Iterable[Triple]) -> tuple[Triple, ...]:
    """Return the statements about a node, under another name for it."""
    subject = lenient_node(name)
    return tuple((subject, p, o) for s, p, o in facts if s.value == node)


def _type_with(iri: str) -> ContentType | None:
    """Return the content type of a node, or one in whose description the node stands."""
    try:
        if is_content_type_uri(iri):
            return from_uri(iri)
        if not iri.startswith(_BASE):
            return None
        folder, *names = map(name_of_segment, iri.removeprefix(_BASE).split("/"))
        match folder, names:
            case "suffix", [name]:
                return ContentType("application", f"x+{name}")
            case "top-level", [name]:
                return ContentType(name, "x")
            case "parameter", [name, value]:
                return ContentType("application", "x", {name: value})
    except (CturiError, UnicodeDecodeError):
        pass
    return None
