"""Our shapes as rules, each of which Oxigraph runs once for all its focus nodes.

The shapes are in SHACL, for any engine.  They use little of it, `sh:nodeKind` and plain queries,
and Oxigraph answers a query for all focus nodes at once in less time than it takes to load
an engine.  A test compares the results with those of pySHACL for every example.

A focus node here stands in for all resources that say the same about types.  Most of our rules
judge each value alone: one surrogate has all values of a property, however many resources have
them.  The rules that compare statements see one surrogate for all resources with the same
statements.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple

import pyoxigraph as ox

from cturi_rdf.catalogue.checked import FORMATS, OF_PARAMETERS, OF_TYPES
from cturi_rdf.catalogue.findings import Finding, FindingPlace, shown, text_of
from cturi_rdf.catalogue.shacl import CTVS, SH, SHAPES_FILE
from cturi_rdf.catalogue.value_forms import exists_nowhere
from cturi_rdf.content_type.grammar import percent_encode
from cturi_rdf.rdf.export import of_label
from cturi_rdf.rdf.terms import CTV, RDF, RDFS, VALUES

if TYPE_CHECKING:
    from collections.abc import Container, Hashable, Iterable, Iterator, Mapping

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
# SHACL section 5.3.2: the placeholder for the value of a variable.
_VARIABLE = re.compile(r"\{[?$](\w+)\}")
_KINDS: dict[ox.NamedNode, tuple[type[Term], ...]] = {
    SH.IRI: (ox.NamedNode,),
    SH.Literal: (ox.Literal,),
    SH.BlankNodeOrIRI: (ox.BlankNode, ox.NamedNode),
}
_Facts = dict[Any, dict[Any, list[Any]]]


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
        self._places: dict[Stated, list[FindingPlace]] = {}
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
                self._places.setdefault(statement, []).append(FindingPlace.of(entry))
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
        typed = frozenset(self.typed.values())
        others: dict[Term, list[Statement]] = {}
        for one in self._catalogue.earlier:
            others.setdefault(one.subject, []).append(one)
        for node in typed:
            others[node] = self._catalogue.facts(node, CTV.contentTypeHeader)
        labelled = {node: own for node, own in self._by_resource.items() if node not in typed}
        if part is None:
            return len(labelled), len(others)
        labels, more = (
            sum(part.weight(n) for n, own in nodes.items() if part.has(min(s.start for s in own)))
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

    def exists_nowhere(self, path: ox.NamedNode, value: Term) -> bool:
        """Return whether a value, as the rules see it, stands for a type that is in no registry."""
        original = self._values[value][0]
        resolution = self._catalogue.meanings.of(original).resolution
        return exists_nowhere(original, resolution, any_format=VALUES.get(path) == "any format")

    def parts(self, values: Iterable[Term]) -> Iterator[list[Triple]]:
        """Yield the statements of values that rules look at together, and their background."""
        waiting = iter(dict.fromkeys(values))
        while part := list(islice(waiting, _TOGETHER)):
            yield [*self.background(part), *self._statements(part)]

    def places_of(self, node: Term, path: ox.NamedNode, value: Term) -> list[FindingPlace]:
        """Return the places of the statement of a surrogate."""
        resource = self.typed.get(node) if isinstance(node, ox.NamedNode) else None
        if resource is None:
            return self._places[path, value]
        return [
            FindingPlace.of(fact)
            for fact in self._catalogue.facts(resource, path)
            if _value_node(fact.object) == value
        ]

    def places_in(
        self, resources: Iterable[Term], path: ox.NamedNode, value: Term
    ) -> Iterator[FindingPlace]:
        """Yield the places of a statement of `combinations` in these resources."""
        for resource in resources:
            if path == CTV.conflictingType:
                entry = self._catalogue.conflicts(resource)[value]
                stated = entry.predicate, entry.object
                yield FindingPlace(resource, value, entry.start, entry.end, stated=stated)
            else:
                for entry in self._by_resource[resource]:
                    if self._stated(entry) == (path, value):
                        yield FindingPlace.of(entry)

    def _stated(self, entry: Statement) -> Stated:
        return entry.predicate, self._value_nodes[entry.object]

    def text_of(self, value: Term | None) -> str:
        """Return the text of a value for a reader, of a blank node that of its label."""
        text = self._catalogue.meanings.of(value).text if isinstance(value, ox.BlankNode) else ""
        return text or shown(value)

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
                yield _surrogate(path), path, value_node
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
        return list(map(_surrogate, nodes))

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


def _surrogate(iri: Term) -> ox.NamedNode:
    """Return the surrogate for an IRI that engines refuse, or for the property of some values.

    >>> _surrogate(ox.NamedNode("http://x/")).value
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
    return ox.NamedNode(encoded) if _is_acceptable(encoded) else _surrogate(value)


def _is_acceptable(iri: str) -> bool:
    """Return whether Oxigraph accepts an IRI, also in queries."""
    try:
        ox.NamedNode(iri)
    except ValueError:
        return False
    return True


class Query(NamedTuple):
    """A SPARQL constraint, which selects faults, and its messages by language."""

    text: str
    messages: Mapping[str, str]


class Rule(NamedTuple):
    """A shape: the properties of its focus nodes, and its demands on these nodes.

    Either all values of the properties have to be of some `kinds`, or `queries` must select
    nothing.  A rule that `compares` looks at several statements of a node together.
    """

    shape: ox.NamedNode
    title: str
    severity: ox.NamedNode
    targets: frozenset[ox.NamedNode]
    compares: bool
    kinds: tuple[type[Term], ...]
    messages: Mapping[str, str]
    queries: tuple[Query, ...]


class Result(NamedTuple):
    """A fault that a rule finds in a node: the statement, and the variables of the messages."""

    rule: Rule
    component: ox.NamedNode
    node: ox.NamedNode
    path: ox.NamedNode
    value: Term
    messages: Mapping[str, str]
    variables: Mapping[str, Term]


def _store(*several: Iterable[tuple[Any, ox.NamedNode, Any]]) -> ox.Store:
    """Return triples that rules are asked about; Oxigraph accepts all their terms."""
    store = ox.Store()
    store.extend(ox.Quad(*triple) for triples in several for triple in triples)
    return store


def _results(store: ox.Store, rule: Rule, nodes: Iterable[ox.NamedNode]) -> Iterator[Result]:
    """Yield the faults that a rule finds in focus nodes."""
    focus = " ".join(map(str, nodes))
    for query in rule.queries if focus else ():
        # SHACL section 5.3.1: `$this` is bound before all else.
        head, brace, body = query.text.partition("{")
        bound = f"{brace} VALUES $this {{ {focus} }} {body}"
        solutions: Any = store.query(f"{_prologue()}{head}{bound}")
        names = [variable.value for variable in solutions.variables]
        for row in solutions:
            values = {
                name: value for name, value in zip(names, row, strict=True) if value is not None
            }
            this, path, value = values["this"], values["path"], values["value"]
            component = SH.SPARQLConstraintComponent
            yield Result(rule, component, this, path, value, query.messages, values)


@cache
def rules() -> tuple[Rule, ...]:
    """Return all our rules.

    >>> [rule.severity.value for rule in rules() if rule.shape == CTVS.TypeExists]
    ['http://www.w3.org/ns/shacl#Violation']
    """
    facts = _facts()
    shapes = (shape for shape, properties in facts.items() if SH.targetSubjectsOf in properties)
    return tuple(_rule(shape, facts) for shape in sorted(shapes, key=str))


def filled(messages: Mapping[str, str], variables: Mapping[str, str]) -> dict[str, str]:
    """Return messages with the values of their variables.

    >>> filled({"en": "{?value} is {$this}."}, {"value": "a", "this": "b"})
    {'en': 'a is b.'}
    """
    return {
        language: _VARIABLE.sub(lambda match: variables.get(match[1], match[0]), text)
        for language, text in messages.items()
    }


@cache
def declared() -> dict[str, str]:
    """Return the prefixes that the shapes declare, and their namespaces."""
    facts = _facts()
    return dict(
        sorted(
            (properties[SH.prefix][0].value, properties[SH.namespace][0].value)
            for properties in facts.values()
            if SH.prefix in properties
        )
    )


def title_of(shape: object) -> str:
    """Return the demand of a shape of ours in a few words, or ``""`` for any other shape."""
    return next((rule.title for rule in rules() if rule.shape == shape), "")


def _rule(shape: ox.NamedNode, facts: _Facts) -> Rule:
    description = facts[shape]
    return Rule(
        shape,
        description[RDFS.label][0].value,
        description[SH.severity][0],
        frozenset(description[SH.targetSubjectsOf]),
        CTVS.AgreementShape in description[RDF.type],
        next((_KINDS[kind] for kind in description.get(SH.nodeKind, ())), ()),
        _messages(description),
        tuple(
            Query(facts[query][SH.select][0].value, _messages(facts[query]))
            for query in description.get(SH.sparql, ())
        ),
    )


def _messages(description: dict[Any, list[Any]]) -> dict[str, str]:
    return {message.language: message.value for message in description.get(SH.message, ())}


@cache
def _prologue() -> str:
    return "".join(f"PREFIX {prefix}: <{iri}> " for prefix, iri in declared().items())


@cache
def _facts() -> _Facts:
    """Return the triples of the shapes, by subject and predicate, read by Oxigraph."""
    facts = _Facts()
    for quad in ox.parse(path=SHAPES_FILE, format=ox.RdfFormat.N_TRIPLES):
        facts.setdefault(quad.subject, {}).setdefault(quad.predicate, []).append(quad.object)
    return facts


def findings_of_ours(nodes: FocusNodes) -> Iterator[Finding]:
    """Yield the findings of our rules: on values together, and on single values."""
    stated, combinations = set(nodes), nodes.combinations()
    parts = [_store(_without_headers(part)) for part in nodes.parts(value for _, value in nodes)]
    together = ((node, *one) for node, (values, _) in combinations.items() for one in values)
    whole = _store(_without_headers(nodes.background()), nodes.values(), together)
    alone: list[Result] = []
    for rule in rules():
        if rule.compares:
            focus = [
                node
                for node, (values, _) in combinations.items()
                if not rule.targets.isdisjoint(path for path, _ in values)
            ]
            for result in _results(whole, rule, focus):
                _, resources = combinations[result.node]
                places = list(nodes.places_in(resources, result.path, result.value))
                yield from _of_rule(result, nodes, places)
        else:
            focus = nodes.focus_of(rule.targets)
            of_parts = (_results(part, rule, focus) for part in parts)
            of_rule = (
                # By the function that decides for a repair, too.
                _of_no_registry(rule, nodes)
                if rule.shape == CTVS.TypeExists
                else chain(_of_kinds(rule, nodes), *of_parts)
            )
            alone += (one for one in of_rule if (one.path, one.value) in stated)
        if CTV.contentTypeHeader in rule.targets:
            alone += _results(whole, rule, nodes.typed)
    # A service, which is no format, need not also be another kind of term.
    services = {(r.path, r.value) for r in alone if r.rule.shape == CTVS.TypeIsNoService}
    for result in alone:
        if not (result.rule.kinds and (result.path, result.value) in services):
            places = nodes.places_of(result.node, result.path, result.value)
            yield from _of_rule(result, nodes, places)


def _without_headers(background: Iterable[Triple]) -> Iterator[Triple]:
    """Yield a background without its headers, which are right: the catalogue's are checked."""
    return (triple for triple in background if triple[1] != CTV.contentTypeHeader)


def _of_kinds(rule: Rule, nodes: Iterable[Stated]) -> Iterator[Result]:
    """Yield the values that are not of the kind of term that a rule asks for."""
    for path, value in nodes:
        if rule.kinds and path in rule.targets and not isinstance(value, rule.kinds):
            component, node = SH.NodeKindConstraintComponent, _surrogate(path)
            yield Result(rule, component, node, path, value, rule.messages, {})


def _of_no_registry(rule: Rule, nodes: FocusNodes) -> Iterator[Result]:
    """Yield what the query of `CTVS.TypeExists` selects."""
    [query] = rule.queries
    for path, value in nodes:
        if path in rule.targets and nodes.exists_nowhere(path, value):
            component, node = SH.SPARQLConstraintComponent, _surrogate(path)
            yield Result(rule, component, node, path, value, query.messages, {"value": value})


def _of_rule(result: Result, nodes: FocusNodes, places: list[FindingPlace]) -> Iterator[Finding]:
    """Yield a result as a finding for each text of its value: blank nodes have labels."""
    by_text: dict[str, list[FindingPlace]] = {}
    for place in places:
        by_text.setdefault(nodes.text_of(place.value), []).append(place)
    rule, component, _, path, *_ = result
    variables = {name: nodes.shown(term) for name, term in result.variables.items()}
    for text, own in by_text.items():
        messages = filled(result.messages, variables | {"value": shown(own[0].value)})
        yield Finding(rule.shape, component, rule.severity, path, text, messages, own)
