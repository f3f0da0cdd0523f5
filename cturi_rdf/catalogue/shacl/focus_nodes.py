"""Focus nodes for the rules: each stands in for all resources that say the same about types.

Most of our rules judge each value alone: one surrogate has all values of a property, however many
resources have them.  The rules that compare statements see one surrogate for all resources with
the same statements.
"""

from __future__ import annotations

import re
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from cturi_rdf.catalogue.checked import FORMATS, OF_PARAMETERS, OF_TYPES
from cturi_rdf.catalogue.findings import Place, shown, text_of
from cturi_rdf.content_type.grammar import percent_encode
from cturi_rdf.rdf.export import of_label
from cturi_rdf.rdf.terms import CTV, RDF

if TYPE_CHECKING:
    from collections.abc import Container, Hashable, Iterable, Iterator

    from cturi_rdf.catalogue.checked import Catalogue
    from cturi_rdf.catalogue.parts import Part
    from cturi_rdf.editing import Statement
    from cturi_rdf.rdf.label_statements import Term
    from cturi_rdf.rdf.terms import Triple


_SURROGATE = "urn:x-cturi:"
# RFC 3986 section 2: all but unreserved, reserved and a percent sign that encodes.
_NOT_URI = re.compile(r"[^A-Za-z0-9\-._~:/?#@!$&'()*+,;=%]|%(?![0-9A-Fa-f]{2})")
_NAME = re.compile(r"[^A-Za-z0-9\-._~]")
_BLANK, _EMPTY = ox.BlankNode("blank"), ox.BlankNode("empty")
# The time of a query grows with the square of the values, so no more are looked at together.
_TOGETHER = 200

# A property and a value, as the rules see them.
Stated = tuple[ox.NamedNode, "Term"]


class FocusNodes:
    """All statements of a catalogue about types, in terms that every SHACL engine accepts.

    `typed` are the nodes that have a header, by their surrogates, and `focus_nodes` is how
    many resources there are to check.  Statements that a profile has `judged`, by their keys, are
    only compared with others.
    """

    def __init__(self, catalogue: Catalogue, judged: Container[Hashable] = ()) -> None:
        self._catalogue = catalogue
        self._triples: dict[Term, list[Triple]] = {}
        self._value_nodes: dict[Term, Term] = {}
        self._values: dict[Term, list[Term]] = {}
        self._paths: dict[Term, dict[ox.NamedNode, None]] = {}
        self._places: dict[Stated, list[Place]] = {}
        self._by_resource: dict[Term, list[Statement]] = {}
        for entry in catalogue.labels:
            value = entry.object
            value_node = self._value_nodes.get(value)
            if value_node is None:
                value_node = self._value_nodes[value] = self._value_node(value)
                self._values.setdefault(value_node, []).append(value)
            statement = entry.predicate, value_node
            self._paths.setdefault(value_node, {})[entry.predicate] = None
            if entry.key not in judged:
                self._places.setdefault(statement, []).append(Place.of(entry))
            self._by_resource.setdefault(entry.subject, []).append(entry)
        self.typed = {
            ox.NamedNode(_value_node(node).value): node
            for node in catalogue.typed()
            if isinstance(node, ox.NamedNode)
        }
        labelled, typed = self.resources_of(None)
        # Annotating describes the types that it finds; these count only where there is nothing
        # else.
        self.focus_nodes = labelled or typed

    def __iter__(self) -> Iterator[Stated]:
        """Yield each property and value once."""
        return iter(self._places)

    def resources_of(self, part: Part | None) -> tuple[int, int]:
        """Return how many resources with labels there are, and how many with other terms of ours.

        Those are the nodes with a header, and what has a term of an earlier version.  Of a part of
        a file they are those that begin in it.
        """
        typed = dict.fromkeys(self.typed.values())
        others = dict.fromkeys([*(one.subject for one in self._catalogue.earlier), *typed])
        labelled = [node for node in self._by_resource if node not in typed]
        if part is None:
            return len(labelled), len(others)
        starts: dict[Term, int] = {one.subject: one.start for one in self._catalogue.earlier}
        for header in typed:
            facts = self._catalogue.facts(header, CTV.contentTypeHeader)
            starts[header] = min(one.start for one in facts)
        for node in labelled:
            starts[node] = min(one.start for one in self._by_resource[node])
        labels, more = (
            sum(part.weight(node) for node in nodes if part.has(starts[node]))
            for nodes in (labelled, others)
        )
        return labels, more

    def background(self, values: Iterable[Term] | None = None) -> dict[Triple, None]:
        """Return the background of some labels, or of every label in the catalogue."""
        values = self._values if values is None else values
        return dict.fromkeys(chain.from_iterable(map(self._background_of, values)))

    def _background_of(self, value_node: Term) -> list[Triple]:
        """Return the meaning of a label and the descriptions of its types, computed once."""
        if value_node not in self._triples:
            values = () if isinstance(value_node, ox.BlankNode) else self._values[value_node]
            resolutions = [self._catalogue.meanings.of(value).resolution for value in values]
            background = (of_label(text_of(value_node), resolution) for resolution in resolutions)
            self._triples[value_node] = list(chain.from_iterable(background))
        return self._triples[value_node]

    def parts(self, values: Iterable[Term]) -> Iterator[list[Triple]]:
        """Yield the statements of values that rules look at together, and their background."""
        waiting = iter(dict.fromkeys(values))
        while part := list(islice(waiting, _TOGETHER)):
            yield [*self.background(part), *self._statements(part)]

    def places_of(self, node: Term, path: ox.NamedNode, value: Term) -> list[Place]:
        """Return the places of the statement of a surrogate."""
        resource = self.typed.get(node) if isinstance(node, ox.NamedNode) else None
        if resource is None:
            return self._places[path, value]
        return [
            Place.of(fact)
            for fact in self._catalogue.facts(resource, path)
            if _value_node(fact.object) == value
        ]

    def places_in(
        self, resources: Iterable[Term], path: ox.NamedNode, value: Term
    ) -> Iterator[Place]:
        """Yield the places of a statement of `combinations` in these resources."""
        for resource in resources:
            if path == CTV.conflictingType:
                entry = self._catalogue.conflicts(resource)[value]
                stated = entry.predicate, entry.object
                yield Place(resource, value, entry.start, entry.end, stated=stated)
            else:
                for entry in self._by_resource[resource]:
                    if self._stated(entry) == (path, value):
                        yield Place.of(entry)

    def _stated(self, entry: Statement) -> Stated:
        return entry.predicate, self._value_nodes[entry.object]

    def text_of(self, value: Term | None) -> str:
        """Return the text of a value for a reader, of a blank node that of its label."""
        text = self._catalogue.meanings.of(value).text if isinstance(value, ox.BlankNode) else ""
        return text or shown(value)

    def is_described(self, value_node: Term) -> bool:
        """Return whether the catalogue states anything of a value that has a name."""
        values = self._values.get(value_node, [value_node])
        return isinstance(value_node, ox.NamedNode) and any(
            map(self._catalogue.is_described, values)
        )

    def shown(self, term: Term) -> str:
        """Return a term that the rules see as the catalogue has it."""
        original = self.typed.get(term) if isinstance(term, ox.NamedNode) else None
        return shown(original or self._values.get(term, [term])[0])

    def values(self) -> Iterator[tuple[Any, ox.NamedNode, Any]]:
        """Yield each statement once, with the surrogate for its property as the subject."""
        yield from self._statements(self._values)
        for value_node, node in self.typed.items():
            for path in OF_TYPES:
                for fact in self._catalogue.facts(node, path):
                    value = _value_node(fact.object)
                    yield value_node, path, value
                    for own in OF_PARAMETERS:
                        for facts in self._catalogue.facts(fact.object, own):
                            yield value, own, _value_node(facts.object)

    def _statements(self, values: Iterable[Term]) -> Iterator[tuple[Any, ox.NamedNode, Any]]:
        yield _BLANK, RDF.type, FORMATS[0]
        for value_node in values:
            for path in self._paths[value_node]:
                yield surrogate(path), path, value_node
            if any(
                isinstance(value, ox.NamedNode) and self._catalogue.facts(value, RDF.type)
                for value in self._values[value_node]
            ):
                yield value_node, RDF.type, FORMATS[0]

    def _value_node(self, value: Term) -> Any:
        if isinstance(value, ox.BlankNode) and not self._catalogue.is_described(value):
            return _EMPTY
        return _value_node(value)

    def focus_of(self, paths: Container[ox.NamedNode]) -> list[ox.NamedNode]:
        """Return the surrogates for the values of properties."""
        nodes = dict.fromkeys(path for path, _ in self if path in paths)
        return list(map(surrogate, nodes))

    def combinations(self) -> dict[ox.NamedNode, tuple[frozenset[Stated], list[Term]]]:
        """Return surrogates for the resources with several statements, each with its resources.

        The types in conflict are statements too.
        """
        groups: dict[frozenset[Stated], list[Term]] = {}
        for resource, own in self._by_resource.items():
            conflicts = {
                (CTV.conflictingType, node) for node in self._catalogue.conflicts(resource)
            }
            if len(own) > 1 or conflicts:
                stated = frozenset(map(self._stated, own)) | conflicts
                groups.setdefault(stated, []).append(resource)
        numbered = enumerate(groups.items())
        return {ox.NamedNode(f"{_SURROGATE}{number}"): group for number, group in numbered}


def surrogate(iri: Term) -> ox.NamedNode:
    """Return the surrogate for an IRI that engines refuse, or for the property of some values.

    >>> surrogate(ox.NamedNode("http://x/")).value
    'urn:x-cturi:http%3A%2F%2Fx%2F'
    """
    return ox.NamedNode(_SURROGATE + percent_encode(text_of(iri), _NAME))


def _value_node(value: Term) -> Any:
    """Return a value as a term that every SHACL engine accepts, without needless details.

    No shape of ours looks at the language or the datatype of a label, or at the name of a blank
    node.
    """
    if isinstance(value, ox.Literal):
        return ox.Literal(value.value)
    if not isinstance(value, ox.NamedNode):
        return _BLANK
    if _is_acceptable(value.value):
        return value
    encoded = percent_encode(value.value, _NOT_URI)
    return ox.NamedNode(encoded) if _is_acceptable(encoded) else surrogate(value)


def _is_acceptable(iri: str) -> bool:
    """Return whether Oxigraph accepts an IRI, also in queries."""
    try:
        ox.NamedNode(iri)
    except ValueError:
        return False
    return True
