"""Our shapes as rules, each asked once of all that it is for, by Oxigraph.

The shapes are in SHACL, for any engine.  They use little of it, `sh:nodeKind` and plain queries,
and Oxigraph answers a query for all focus nodes at once in less time than it takes to load
an engine.  The results are those of pySHACL, as a test says for every example.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from rdflib import BNode, Literal, URIRef
from rdflib.namespace import RDF, RDFS

from cturi_rdf.check.engines import oxigraph
from cturi_rdf.check.shapes import CTVS, SH, SHAPES_FILE
from cturi_rdf.io.terms import from_ox, to_ox

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from rdflib.term import Node

__all__ = ["Result", "Rule", "Store", "declared", "filled", "rules", "title_of"]

# SHACL section 5.3.2: what stands for the value of a variable.
_VARIABLE = re.compile(r"\{[?$](\w+)\}")
_KINDS: dict[URIRef, tuple[type[Node], ...]] = {
    SH.IRI: (URIRef,), SH.Literal: (Literal,), SH.BlankNodeOrIRI: (BNode, URIRef),
}  # fmt: skip
_Facts = dict[Any, dict[Any, list[Any]]]


class Query(NamedTuple):
    """A SPARQL constraint: what it selects is wrong, and what is said of it, by language."""

    text: str
    messages: Mapping[str, str]


class Rule(NamedTuple):
    """A shape: the properties that its focus nodes have, and what it asks of these nodes.

    Either all values of the properties are of some `kinds`, or `queries` find nothing.  Where
    it `compares`, it looks at several statements of a node together.
    """

    shape: URIRef
    title: str
    severity: URIRef
    targets: frozenset[URIRef]
    compares: bool
    kinds: tuple[type[Node], ...]
    messages: Mapping[str, str]
    queries: tuple[Query, ...]


class Result(NamedTuple):
    """What a rule finds wrong with a node: the statement, and the variables of the messages."""

    rule: Rule
    component: URIRef
    node: URIRef
    path: URIRef
    value: Node
    messages: Mapping[str, str]
    variables: Mapping[str, Node]


class Store:
    """Triples that rules are asked about; Oxigraph accepts all their terms."""

    def __init__(self, triples: Iterable[tuple[Node, Node, Node]]) -> None:
        self._terms: dict[Node, Any] = {}
        self._store = oxigraph().Store()
        self.add(triples)

    def add(self, triples: Iterable[tuple[Node, Node, Node]]) -> None:
        """Add triples."""
        quad, term = oxigraph().Quad, self._term
        self._store.extend([quad(*map(term, triple)) for triple in triples])

    def results(self, rule: Rule, nodes: Iterable[URIRef]) -> Iterator[Result]:
        """Yield what a rule finds wrong with focus nodes."""
        focus = " ".join(str(self._term(node)) for node in nodes)
        if not focus:
            return
        for query in rule.queries:
            # SHACL section 5.3.1: `$this` is bound before all else.
            head, brace, body = query.text.partition("{")
            bound = f"{brace} VALUES $this {{ {focus} }} {body}"
            found = self._store.query(f"{_prologue()}{head}{bound}")
            names = [each.value for each in found.variables]
            for row in found:
                said = {
                    name: from_ox(value)
                    for name, value in zip(names, row, strict=True)
                    if value is not None
                }
                this, path, value = said["this"], said["path"], said["value"]
                component = SH.SPARQLConstraintComponent
                yield Result(rule, component, this, path, value, query.messages, said)

    def _term(self, node: Node) -> Any:
        term = self._terms.get(node)
        if term is None:
            term = self._terms[node] = to_ox(node)
        return term


@cache
def rules() -> tuple[Rule, ...]:
    """Return all our rules.

    >>> [each.severity.fragment for each in rules() if each.shape == CTVS.TypeExists]
    ['Violation']
    """
    facts = _facts()
    shapes = (each for each, said in facts.items() if SH.targetSubjectsOf in said)
    return tuple(_rule(each, facts) for each in sorted(shapes))


def filled(messages: Mapping[str, str], variables: Mapping[str, str]) -> dict[str, str]:
    """Return messages with the values of their variables.

    >>> filled({"en": "{?value} is {$this}."}, {"value": "a", "this": "b"})
    {'en': 'a is b.'}
    """
    return {
        language: _VARIABLE.sub(lambda found: variables.get(found[1], found[0]), text)
        for language, text in messages.items()
    }


@cache
def declared() -> dict[str, str]:
    """Return the prefixes that the shapes declare, and their namespaces."""
    facts = _facts()
    return dict(
        sorted(
            (str(said[SH.prefix][0]), str(said[SH.namespace][0]))
            for said in facts.values()
            if SH.prefix in said
        )
    )


def title_of(shape: Node) -> str:
    """Return what a shape of ours asks for, in a few words, or ``""`` where it is none."""
    return next((each.title for each in rules() if each.shape == shape), "")


def _rule(shape: URIRef, facts: _Facts) -> Rule:
    said = facts[shape]
    return Rule(
        shape,
        str(said[RDFS.label][0]),
        said[SH.severity][0],
        frozenset(said[SH.targetSubjectsOf]),
        CTVS.AgreementShape in said[RDF.type],
        next((_KINDS[each] for each in said.get(SH.nodeKind, ())), ()),
        _messages(said),
        tuple(
            Query(str(facts[each][SH.select][0]), _messages(facts[each]))
            for each in said.get(SH.sparql, ())
        ),
    )


def _messages(said: dict[Any, list[Any]]) -> dict[str, str]:
    return {each.language: str(each) for each in said.get(SH.message, ())}


@cache
def _prologue() -> str:
    return "".join(f"PREFIX {prefix}: <{iri}> " for prefix, iri in declared().items())


@cache
def _facts() -> _Facts:
    """Return what the shapes say, by subject and predicate, read by Oxigraph."""
    ox, facts = oxigraph(), _Facts()
    for quad in ox.parse(path=str(SHAPES_FILE), format=ox.RdfFormat.N_TRIPLES):
        subject, predicate, value = map(from_ox, quad.triple)
        facts.setdefault(subject, {}).setdefault(predicate, []).append(value)
    return facts
