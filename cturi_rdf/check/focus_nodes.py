"""What a catalogue says of types, so that what it says twice is looked at once.

Most of our rules judge each value alone, so that all values of a property are looked at on
one stand-in, however many resources have them.  The rules that compare statements see one
stand-in for all resources with the same statements.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rdflib import DCTERMS, RDF, BNode, Dataset, Graph, Literal, URIRef

from cturi_rdf.check.engines import acceptable
from cturi_rdf.content_type.grammar import percent_encode
from cturi_rdf.io.relative_iri import relative
from cturi_rdf.rdf.background import of_label
from cturi_rdf.rdf.describe import in_rdflib
from cturi_rdf.rdf.occurrences import understand
from cturi_rdf.rdf.properties import CHECKED
from cturi_rdf.rdf.vocab import CTV

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from rdflib.term import Node

    from cturi_rdf.rdf.label_statements import Resolver

__all__ = ["Place", "Statements", "shown", "stand_in"]

_STAND_IN = "urn:x-cturi:"
# RFC 3986 section 2: all but unreserved, reserved and a percent sign that encodes.
_NOT_URI = re.compile(r"[^A-Za-z0-9\-._~:/?#@!$&'()*+,;=%]|%(?![0-9A-Fa-f]{2})")
_NAME = re.compile(r"[^A-Za-z0-9\-._~]")
_BLANK, _EMPTY = BNode("blank"), BNode("empty")
# The classes that a publisher may declare a format of its own to be of.
_FORMATS = (DCTERMS.MediaTypeOrExtent, DCTERMS.MediaType)
# What the node of a content type says of itself.
_OWN = (CTV.contentTypeHeader, CTV.parameter)
_OF_PARAMETER = (CTV.parameterName, CTV.parameterValue)

# A property and a value as the rules see it.
_Statement = tuple[URIRef, "Node"]
Place = tuple["Node", "Node | None"]


class Statements:
    """All that a catalogue says of types, in terms that every SHACL engine takes.

    `typed` are the nodes that have a header, by their stand-ins, and `focus_nodes` is how
    many resources there are to check.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._seen_as: dict[Node, Node] = {}
        self._places: dict[_Statement, list[Place]] = {}
        self._said: dict[Node, set[_Statement]] = {}
        for each in (URIRef(name.value) for name in CHECKED):
            for resource, value in _statements(graph, each):
                seen = self._seen_as.get(value)
                if seen is None:
                    seen = self._seen_as[value] = self._as_rules_see(value)
                self._places.setdefault((each, seen), []).append((resource, value))
                self._said.setdefault(resource, set()).add((each, seen))
        self.typed = {
            URIRef(str(_as_rules_see(each))): each
            for each, _ in _statements(graph, CTV.contentTypeHeader)
            if isinstance(each, URIRef)
        }
        self.focus_nodes = len(self._said.keys() | self.typed.values())
        written = {seen: value for value, seen in reversed(self._seen_as.items())}
        self._shown = {seen: shown(value) for seen, value in (written | self.typed).items()}

    def __iter__(self) -> Iterator[_Statement]:
        """Yield each property and value once."""
        return iter(self._places)

    def background(self, resolver: Resolver) -> Graph:
        """Return what is to be known of every label in the catalogue."""
        known = Graph()
        for value, seen in self._seen_as.items():
            if not isinstance(seen, BNode):
                resolution = understand(self._graph, value, resolver).resolution
                for triple in of_label(str(seen), resolution):
                    known.add(in_rdflib(triple))
        return known

    def places_of(self, node: URIRef, path: URIRef, value: Node) -> list[Place]:
        """Return where the statement of a stand-in stands."""
        if node not in self.typed:
            return self._places[path, value]
        resource = self.typed[node]
        said = self._graph.objects(resource, path)
        return [(resource, each) for each in said if _as_rules_see(each) == value]

    def shown(self, term: Node) -> str:
        """Return a term that the rules see as the catalogue has it."""
        return self._shown.get(term) or shown(term)

    def values(self) -> Iterator[tuple[Node, Node, Node]]:
        """Yield each statement once, as one of a stand-in that is there for its property."""
        for path, value in self._places:
            yield stand_in(path), path, value
        yield _BLANK, RDF.type, _FORMATS[0]
        for value, seen in self._seen_as.items():
            if isinstance(value, URIRef) and any(
                (value, RDF.type, kind) in self._graph for kind in _FORMATS
            ):
                yield seen, RDF.type, _FORMATS[0]
        for seen, node in self.typed.items():
            for path in _OWN:
                for value in self._graph.objects(node, path):
                    yield seen, path, _as_rules_see(value)
                    for each in _OF_PARAMETER:
                        for said in self._graph.objects(value, each):
                            yield _as_rules_see(value), each, _as_rules_see(said)

    def _as_rules_see(self, value: Node) -> Node:
        if isinstance(value, BNode) and (value, None, None) not in self._graph:
            return _EMPTY
        return _as_rules_see(value)

    def focus_of(self, paths: Container[URIRef]) -> list[URIRef]:
        """Return the nodes of `values` that have a property."""
        found = dict.fromkeys(path for path, _ in self if path in paths)
        alone = [stand_in(path) for path in found]
        return [*alone, *self.typed] if CTV.contentTypeHeader in paths else alone

    def combinations(self) -> dict[URIRef, tuple[frozenset[_Statement], list[Node]]]:
        """Return stand-ins for the resources with several statements, and whom each is for."""
        groups: dict[frozenset[_Statement], list[Node]] = {}
        for resource, said in self._said.items():
            if len(said) > 1:
                groups.setdefault(frozenset(said), []).append(resource)
        return {
            URIRef(f"{_STAND_IN}{number}"): group for number, group in enumerate(groups.items())
        }


def shown(value: Node | None) -> str:
    """Return a term for a reader: a blank node without its name, a relative IRI as written.

    >>> shown(BNode()), shown(Literal("CSV", lang="en")), shown(None)
    ('_:', 'CSV', '')
    """
    return "_:" if isinstance(value, BNode) else relative(str(value or ""))


def stand_in(iri: Node) -> URIRef:
    """Return the node that stands in for an IRI that no engine takes, or has a property's values.

    >>> stand_in(URIRef("http://x/"))
    rdflib.term.URIRef('urn:x-cturi:http%3A%2F%2Fx%2F')
    """
    return URIRef(_STAND_IN + percent_encode(str(iri), _NAME))


def _as_rules_see(value: Node) -> Node:
    """Return a value as a term that every SHACL engine takes, with nothing that does not count.

    No shape of ours asks for the language or the datatype of a label, nor for which blank
    node it is.
    """
    if isinstance(value, Literal):
        return Literal(str(value))
    if isinstance(value, BNode):
        return _BLANK
    if acceptable(value):
        return value
    encoded = URIRef(percent_encode(str(value), _NOT_URI))
    return encoded if acceptable(encoded) else stand_in(value)


def _statements(graph: Graph, each: URIRef) -> Iterator[tuple[Node, Node]]:
    if isinstance(graph, Dataset):
        # What stands in two named graphs is said once.
        yield from dict.fromkeys(
            (subject, value) for subject, _, value, _ in graph.quads((None, each, None, None))
        )
    else:
        yield from graph.subject_objects(each)
