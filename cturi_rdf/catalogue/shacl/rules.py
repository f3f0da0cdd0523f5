"""Our shapes as rules, each of which Oxigraph runs once for all its focus nodes.

The shapes are in SHACL, for any engine.  They use little of it, `sh:nodeKind` and plain queries,
and Oxigraph answers a query for all focus nodes at once in less time than it takes to load
an engine.  A test compares the results with those of pySHACL for every example.
"""

from __future__ import annotations

import re
from collections import ChainMap
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import pyoxigraph as ox

from cturi_rdf.catalogue.findings import Finding, Place, shown
from cturi_rdf.catalogue.shacl import CTVS, SH, SHAPES_FILE
from cturi_rdf.catalogue.shacl.focus_nodes import surrogate
from cturi_rdf.rdf.terms import CTV, RDF, RDFS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from cturi_rdf.catalogue.shacl.focus_nodes import FocusNodes, Stated
    from cturi_rdf.rdf.label_statements import Term
    from cturi_rdf.rdf.terms import Triple


# SHACL section 5.3.2: the placeholder for the value of a variable.
_VARIABLE = re.compile(r"\{[?$](\w+)\}")
_KINDS: dict[ox.NamedNode, tuple[type[Term], ...]] = {
    SH.IRI: (ox.NamedNode,),
    SH.Literal: (ox.Literal,),
    SH.BlankNodeOrIRI: (ox.BlankNode, ox.NamedNode),
}
# How many results are remembered from one part of a file to the next.
_REMEMBERED = 50_000
_Facts = dict[Any, dict[Any, list[Any]]]


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


class Store:
    """Triples that rules are asked about; Oxigraph accepts all their terms."""

    def __init__(self, triples: Iterable[tuple[Any, ox.NamedNode, Any]]) -> None:
        self._store = ox.Store()
        self.add(triples)

    def add(self, triples: Iterable[tuple[Any, ox.NamedNode, Any]]) -> None:
        """Add triples."""
        self._store.extend(ox.Quad(*triple) for triple in triples)

    def results(self, rule: Rule, nodes: Iterable[ox.NamedNode]) -> Iterator[Result]:
        """Yield the faults that a rule finds in focus nodes."""
        focus = " ".join(map(str, nodes))
        if not focus:
            return
        for query in rule.queries:
            # SHACL section 5.3.1: `$this` is bound before all else.
            head, brace, body = query.text.partition("{")
            bound = f"{brace} VALUES $this {{ {focus} }} {body}"
            solutions: Any = self._store.query(f"{_prologue()}{head}{bound}")
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
    for quad in ox.parse(path=str(SHAPES_FILE), format=ox.RdfFormat.N_TRIPLES):
        facts.setdefault(quad.subject, {}).setdefault(quad.predicate, []).append(quad.object)
    return facts


class Known:
    """The results of rules, by the statements that they were found in, to be used again.

    The parts of a large file repeat the same statements.  A value that a part describes is judged
    by this description, which other parts may not have, so its results are not remembered.
    """

    def __init__(self) -> None:
        self.alone: dict[Stated, list[Result]] = {}
        self.together: dict[frozenset[Stated], list[Result]] = {}

    def forget(self) -> None:
        """Forget all results if there are many."""
        if len(self.alone) + len(self.together) > _REMEMBERED:
            self.alone.clear()
            self.together.clear()


def findings_of_ours(nodes: FocusNodes, memory: Known | None = None) -> Iterator[Finding]:
    """Yield the findings of our rules: on single values first, then on values together.

    What the `memory` has is not looked at again, and what is found is added to it, except for
    values that the catalogue describes.
    """
    memory = memory or Known()
    memory.forget()
    combinations = nodes.combinations()
    described = {statement for statement in nodes if nodes.is_described(statement[1])}
    fresh = {
        statement: list[Result]()
        for statement in nodes
        if statement in described or statement not in memory.alone
    }
    fresh_together = {
        node: list[Result]()
        for node, (values, _) in combinations.items()
        if values not in memory.together or not described.isdisjoint(values)
    }
    _judge_alone(nodes, fresh)
    results_alone = ChainMap(fresh, memory.alone)
    values = {value for _, value in fresh}
    for node in fresh_together:
        values |= {value for path, value in combinations[node][0] if path != CTV.conflictingType}
    store = Store(())
    if values or nodes.typed:
        store = Store(_without_headers(nodes.background(values)))
        store.add(nodes.values())
    alone = [result for statement in nodes for result in results_alone[statement]]
    for rule in rules():
        if CTV.contentTypeHeader in rule.targets:
            alone += store.results(rule, nodes.typed)
    # A service, which is no format, need not also be another kind of term.
    services = {(r.path, r.value) for r in alone if r.rule.shape == CTVS.TypeIsNoService}
    for result in alone:
        if not (result.rule.kinds and (result.path, result.value) in services):
            places = nodes.places_of(result.node, result.path, result.value)
            yield from _of_rule(result, nodes, places)
    store.add((node, *value) for node in fresh_together for value in combinations[node][0])
    for rule in rules():
        if rule.compares:
            focus = [
                node
                for node in fresh_together
                if not rule.targets.isdisjoint(path for path, _ in combinations[node][0])
            ]
            for result in store.results(rule, focus):
                fresh_together[result.node].append(result)
    together = {combinations[node][0]: results for node, results in fresh_together.items()}
    results_together = ChainMap(together, memory.together)
    for statements, resources in combinations.values():
        for result in results_together[statements]:
            places = list(nodes.places_in(resources, result.path, result.value))
            yield from _of_rule(result, nodes, places)
    memory.alone |= {one: fresh[one] for one in fresh.keys() - described}
    memory.together |= {own: together[own] for own in together if described.isdisjoint(own)}


def _judge_alone(nodes: FocusNodes, fresh: Mapping[Stated, list[Result]]) -> None:
    """Add the results of the rules that look at one statement alone, where they are wanted."""
    parts = [Store(_without_headers(part)) for part in nodes.parts(value for _, value in fresh)]
    for rule in rules():
        if not rule.compares:
            focus = nodes.focus_of(rule.targets)
            results = [*_of_kinds(rule, fresh)]
            for part in parts:
                results += part.results(rule, focus)
            for result in results:
                if (result.path, result.value) in fresh:
                    fresh[result.path, result.value].append(result)


def _without_headers(background: Iterable[Triple]) -> Iterator[Triple]:
    """Yield a background without its headers, which are right: the catalogue's are checked."""
    return (triple for triple in background if triple[1] != CTV.contentTypeHeader)


def _of_kinds(rule: Rule, nodes: Iterable[Stated]) -> Iterator[Result]:
    """Yield the values that are not of the kind of term that a rule asks for."""
    for path, value in nodes:
        if rule.kinds and path in rule.targets and not isinstance(value, rule.kinds):
            component, node = SH.NodeKindConstraintComponent, surrogate(path)
            yield Result(rule, component, node, path, value, rule.messages, {})


def _of_rule(result: Result, nodes: FocusNodes, places: list[Place]) -> Iterator[Finding]:
    """Yield a result as a finding for each text of its value: blank nodes have labels."""
    by_text: dict[str, list[Place]] = {}
    for place in places:
        by_text.setdefault(nodes.text_of(place.value), []).append(place)
    for text, of_text in by_text.items():
        yield _of_value(result, nodes, text, of_text)


def _of_value(result: Result, nodes: FocusNodes, text: str, places: list[Place]) -> Finding:
    rule = result.rule
    variables = {name: nodes.shown(term) for name, term in result.variables.items()}
    messages = filled(result.messages, variables | {"value": shown(places[0].value)})
    return Finding(rule.shape, result.component, rule.severity, result.path, text, messages, places)
