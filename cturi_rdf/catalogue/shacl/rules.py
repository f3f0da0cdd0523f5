"""Our shapes as rules, each of which Oxigraph runs once for all its focus nodes.

The shapes are in SHACL, for any engine.  They use little of it, `sh:nodeKind` and plain queries,
and Oxigraph answers a query for all focus nodes at once in less time than it takes to load
an engine.  A test compares the results with those of pySHACL for every example.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import pyoxigraph as ox

from cturi_rdf.catalogue.checked import Advice
from cturi_rdf.catalogue.findings import Finding, Place, shown
from cturi_rdf.catalogue.shacl.focus_nodes import FocusNodes, surrogate
from cturi_rdf.catalogue.shacl.terms import CTVS, SH, SHAPES_FILE
from cturi_rdf.rdf.terms import CTV, RDF, RDFS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from cturi_rdf.rdf.label_statements import Term
    from cturi_rdf.rdf.terms import Triple


# SHACL section 5.3.2: the placeholder for the value of a variable.
_VARIABLE = re.compile(r"\{[?$](\w+)\}")
_KINDS: dict[ox.NamedNode, tuple[type[Term], ...]] = {
    SH.IRI: (ox.NamedNode,),
    SH.Literal: (ox.Literal,),
    SH.BlankNodeOrIRI: (ox.BlankNode, ox.NamedNode),
}
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


def findings_of_ours(nodes: FocusNodes, background: Iterable[Triple]) -> Iterator[Finding]:
    """Yield the findings of our rules: on single values first, then on values together."""
    parts = [Store(_without_headers(part)) for part in nodes.parts()]
    store = parts[0] if len(parts) == 1 else Store(_without_headers(background))
    store.add(nodes.values())
    alone: list[Result] = []
    for rule in rules():
        if not rule.compares:
            alone += _of_kinds(rule, nodes)
            focus = nodes.focus_of(rule.targets)
            for part in parts:
                alone += part.results(rule, focus)
            if CTV.contentTypeHeader in rule.targets:
                alone += store.results(rule, nodes.typed)
    # A service, which is no format, need not also be another kind of term.
    services = {(r.path, r.value) for r in alone if r.rule.shape == CTVS.TypeIsNoService}
    for result in alone:
        if not (result.rule.kinds and (result.path, result.value) in services):
            places = nodes.places_of(result.node, result.path, result.value)
            yield _of_rule(result, nodes, places)
    combinations = nodes.combinations()
    store.add((node, *value) for node, (values, _) in combinations.items() for value in values)
    for rule in rules():
        if rule.compares:
            focus = [
                node
                for node, (values, _) in combinations.items()
                if not rule.targets.isdisjoint(path for path, _ in values)
            ]
            for result in store.results(rule, focus):
                resources = combinations[result.node][1]
                places = list(nodes.places_in(resources, result.path, result.value))
                yield _of_rule(result, nodes, places)


def _without_headers(background: Iterable[Triple]) -> Iterator[Triple]:
    """Yield a background without its headers, which are right: the catalogue's are checked."""
    return (triple for triple in background if triple[1] != CTV.contentTypeHeader)


def _of_kinds(rule: Rule, nodes: FocusNodes) -> Iterator[Result]:
    """Yield the values that are not of the kind of term that a rule asks for."""
    for path, value in nodes:
        if rule.kinds and path in rule.targets and not isinstance(value, rule.kinds):
            component, node = SH.NodeKindConstraintComponent, surrogate(path)
            yield Result(rule, component, node, path, value, rule.messages, {})


def _of_rule(result: Result, nodes: FocusNodes, places: list[Place]) -> Finding:
    rule, value = result.rule, shown(places[0].value)
    variables = {name: nodes.shown(term) for name, term in result.variables.items()}
    messages = filled(result.messages, variables | {"value": value})
    # A fault of several statements together cannot be mended in one of them.
    advice = Advice() if rule.compares else nodes.advice_on(result.path, places[0].value)
    return Finding(
        rule.shape,
        result.component,
        rule.severity,
        result.path,
        value,
        advice.added_to(messages),
        places,
        None if advice.is_likely else advice.write or None,
    )
