"""Focus nodes for the rules: each stands in for all resources that say the same about types.

Most of our rules judge each value alone: one stand-in has all values of a property, however many
resources have them.  The rules that compare statements see one stand-in for all resources with
the same statements.
"""

from __future__ import annotations

import re
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple

import pyoxigraph as ox

from cturi_rdf.check.advice import Advice, advice_on
from cturi_rdf.check.catalogue import FORMATS, OF_PARAMETERS, OF_TYPES
from cturi_rdf.content_type.grammar import percent_encode
from cturi_rdf.rdf.background import of_label
from cturi_rdf.rdf.terms import CTV, RDF
from cturi_rdf.reading.relative_iri import relative

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from cturi_rdf.check.catalogue import AnyStatement, Catalogue
    from cturi_rdf.rdf.label_statements import Term
    from cturi_rdf.rdf.terms import Triple

__all__ = ["Place", "Statements", "shown", "stand_in", "text_of"]

_STAND_IN = "urn:x-cturi:"
# RFC 3986 section 2: all but unreserved, reserved and a percent sign that encodes.
_NOT_URI = re.compile(r"[^A-Za-z0-9\-._~:/?#@!$&'()*+,;=%]|%(?![0-9A-Fa-f]{2})")
_NAME = re.compile(r"[^A-Za-z0-9\-._~]")
_BLANK, _EMPTY = ox.BlankNode("blank"), ox.BlankNode("empty")
# The time of a query grows with the square of the values, so no more are looked at together.
_TOGETHER = 200

# A property and a value, as the rules see them.
_Statement = tuple[ox.NamedNode, "Term"]


class Place(NamedTuple):
    """A resource, the value that is to blame, if any, and where the value is in the file."""

    resource: Term
    value: Term | None
    start: int | None = None
    end: int | None = None

    @classmethod
    def of(cls, statement: AnyStatement) -> Place:
        """Return the place of a statement, whose value is to blame."""
        return cls(statement.subject, statement.object, statement.start, statement.end)


class Statements:
    """All statements of a catalogue about types, in terms that every SHACL engine accepts.

    `typed` are the nodes that have a header, by their stand-ins, and `focus_nodes` is how
    many resources there are to check.
    """

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._triples: dict[Term, list[Triple]] = {}
        seen_as: dict[Term, Term] = {}
        self._values: dict[Term, list[Term]] = {}
        self._paths: dict[Term, list[ox.NamedNode]] = {}
        self._places: dict[_Statement, list[Place]] = {}
        self._by_resource: dict[Term, dict[_Statement, list[Place]]] = {}
        for entry in catalogue.labels:
            value = entry.object
            seen = seen_as.get(value)
            if seen is None:
                seen = seen_as[value] = self._as_rules_see(value)
                self._values.setdefault(seen, []).append(value)
            statement = entry.predicate, seen
            place = Place.of(entry)
            if statement not in self._places:
                self._places[statement] = []
                self._paths.setdefault(seen, []).append(entry.predicate)
            self._places[statement].append(place)
            self._by_resource.setdefault(entry.subject, {}).setdefault(statement, []).append(place)
        self.typed = {
            ox.NamedNode(_as_rules_see(node).value): node
            for node in catalogue.typed()
            if isinstance(node, ox.NamedNode)
        }
        # Annotating describes the types that it finds; these count only where there is nothing
        # else.
        typed = set(self.typed.values())
        self.focus_nodes = len(self._by_resource.keys() - typed or typed)

    def __iter__(self) -> Iterator[_Statement]:
        """Yield each property and value once."""
        return iter(self._places)

    def background(self) -> dict[Triple, None]:
        """Return the background of every label in the catalogue."""
        return self._background(self._values)

    def _background(self, values: Iterable[Term]) -> dict[Triple, None]:
        return dict.fromkeys(chain.from_iterable(map(self._background_of, values)))

    def _background_of(self, seen: Term) -> list[Triple]:
        """Return the meaning of a label and the descriptions of its types, computed once."""
        if seen not in self._triples:
            values = () if isinstance(seen, ox.BlankNode) else self._values[seen]
            resolutions = [self._catalogue.meanings.of(value).resolution for value in values]
            background = (of_label(text_of(seen), resolution) for resolution in resolutions)
            self._triples[seen] = list(chain.from_iterable(background))
        return self._triples[seen]

    def parts(self) -> Iterator[list[Triple]]:
        """Yield the statements of values that rules look at together, and their background."""
        values = iter(self._values)
        while part := list(islice(values, _TOGETHER)):
            yield [*self._background(part), *self._statements(part)]

    def places_of(self, node: Term, path: ox.NamedNode, value: Term) -> list[Place]:
        """Return the places of the statement of a stand-in."""
        resource = self.typed.get(node) if isinstance(node, ox.NamedNode) else None
        if resource is None:
            return self._places[path, value]
        return [
            Place.of(fact)
            for fact in self._catalogue.facts(resource, path)
            if _as_rules_see(fact.object) == value
        ]

    def places_in(
        self, resources: Iterable[Term], path: ox.NamedNode, value: Term
    ) -> Iterator[Place]:
        """Yield the places of a statement of `combinations` in these resources."""
        for resource in resources:
            if path == CTV.conflictingType:
                entry = self._catalogue.conflicts(resource)[value]
                yield Place(resource, value, entry.start, entry.end)
            else:
                yield from self._by_resource[resource][path, value]

    def advice_on(self, path: ox.NamedNode, value: Term | None) -> Advice:
        """Return the advice on a value."""
        if value is None:
            return Advice()
        return advice_on(path, value, self._catalogue.meanings.of(value))

    def shown(self, term: Term) -> str:
        """Return a term that the rules see as the catalogue has it."""
        original = self.typed.get(term) if isinstance(term, ox.NamedNode) else None
        return shown(original or self._values.get(term, [term])[0])

    def values(self) -> Iterator[tuple[Any, ox.NamedNode, Any]]:
        """Yield each statement once, with the stand-in for its property as the subject."""
        yield from self._statements(self._values)
        for seen, node in self.typed.items():
            for path in OF_TYPES:
                for fact in self._catalogue.facts(node, path):
                    value = _as_rules_see(fact.object)
                    yield seen, path, value
                    for own in OF_PARAMETERS:
                        for facts in self._catalogue.facts(fact.object, own):
                            yield value, own, _as_rules_see(facts.object)

    def _statements(self, values: Iterable[Term]) -> Iterator[tuple[Any, ox.NamedNode, Any]]:
        yield _BLANK, RDF.type, FORMATS[0]
        for seen in values:
            for path in self._paths[seen]:
                yield stand_in(path), path, seen
            if any(
                isinstance(value, ox.NamedNode) and self._catalogue.facts(value, RDF.type)
                for value in self._values[seen]
            ):
                yield seen, RDF.type, FORMATS[0]

    def _as_rules_see(self, value: Term) -> Any:
        if isinstance(value, ox.BlankNode) and not self._catalogue.is_described(value):
            return _EMPTY
        return _as_rules_see(value)

    def focus_of(self, paths: Container[ox.NamedNode]) -> list[ox.NamedNode]:
        """Return the stand-ins for the values of properties."""
        nodes = dict.fromkeys(path for path, _ in self if path in paths)
        return list(map(stand_in, nodes))

    def combinations(self) -> dict[ox.NamedNode, tuple[frozenset[_Statement], list[Term]]]:
        """Return stand-ins for the resources with several statements, each with its resources.

        The types in conflict are statements too.
        """
        groups: dict[frozenset[_Statement], list[Term]] = {}
        for resource, own in self._by_resource.items():
            conflicts = {
                (CTV.conflictingType, node) for node in self._catalogue.conflicts(resource)
            }
            if len(own) > 1 or conflicts:
                groups.setdefault(frozenset(own.keys() | conflicts), []).append(resource)
        numbered = enumerate(groups.items())
        return {ox.NamedNode(f"{_STAND_IN}{number}"): group for number, group in numbered}


def shown(value: Term | None) -> str:
    """Return a term for a reader: a blank node without its name, a relative IRI as written.

    >>> shown(ox.BlankNode()), shown(ox.Literal("CSV", language="en")), shown(None)
    ('_:', 'CSV', '')
    """
    if isinstance(value, ox.BlankNode):
        return "_:"
    return "" if value is None else relative(text_of(value))


def text_of(term: Term) -> str:
    """Return the text of a literal, an IRI or the label of a blank node."""
    return str(term) if isinstance(term, ox.Triple) else term.value


def stand_in(iri: Term) -> ox.NamedNode:
    """Return the stand-in for an IRI that engines refuse, or for the property of some values.

    >>> stand_in(ox.NamedNode("http://x/")).value
    'urn:x-cturi:http%3A%2F%2Fx%2F'
    """
    return ox.NamedNode(_STAND_IN + percent_encode(text_of(iri), _NAME))


def _as_rules_see(value: Term) -> Any:
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
    return ox.NamedNode(encoded) if _is_acceptable(encoded) else stand_in(value)


def _is_acceptable(iri: str) -> bool:
    """Return whether Oxigraph accepts an IRI, also in queries."""
    try:
        ox.NamedNode(iri)
    except ValueError:
        return False
    return True
