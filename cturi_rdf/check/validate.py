"""Checking a catalogue by shapes: ours for its statements about types, those of others for all."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from cturi_rdf.check.advice import Advice
from cturi_rdf.check.by_url import findings_by_url
from cturi_rdf.check.catalogue import catalogue_of_file, catalogue_of_quads
from cturi_rdf.check.constraints import Result, Store, filled, rules
from cturi_rdf.check.engines import has_focus_node, validate
from cturi_rdf.check.findings import CheckReport, Finding, together
from cturi_rdf.check.focus_nodes import Place, Statements, shown, stand_in
from cturi_rdf.check.terms import CTVS, SH
from cturi_rdf.labels import resolve
from cturi_rdf.rdf.description import in_rdflib
from cturi_rdf.rdf.terms import CTV
from cturi_rdf.reading.jsonld_contexts import Contexts
from cturi_rdf.reading.relative_iri import relative
from cturi_rdf.reading.source import open_source
from cturi_rdf.reading.terms import from_ox, lenient_ox

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from os import PathLike

    from rdflib import Graph
    from rdflib.term import Node

    from cturi_rdf.check.catalogue import Catalogue
    from cturi_rdf.check.constraints import Rule
    from cturi_rdf.check.spans import Spans
    from cturi_rdf.rdf.label_statements import Resolver, Term
    from cturi_rdf.rdf.terms import Triple

__all__ = ["check", "check_file"]

# The properties of a validation result (SHACL section 3.6.2), in the order of `Finding`.
_OF_RESULT = (
    SH.focusNode,
    SH.resultPath,
    SH.value,
    SH.sourceShape,
    SH.sourceConstraintComponent,
    SH.resultSeverity,
)


def check(
    graph: Graph,
    *,
    shapes: Graph | None = None,
    resolver: Resolver = resolve,
    by_url: bool = False,
) -> CheckReport:
    """Return the findings of our shapes, and of the `shapes` of others, in a catalogue.

    With `by_url` there is a warning where the file name in a download URL contradicts the labels.
    The graph is not changed: the facts about its types that shapes need are merged into a copy.
    A property shape that `shapes` names and does not define is left out, with a warning in the
    report.
    Raises `CatalogError` where the extra ``shacl`` is not installed, or where `shapes` are no
    shapes.

    >>> from rdflib import Graph
    >>> graph = Graph().parse(format="turtle", data='''
    ...     @prefix dcat: <http://www.w3.org/ns/dcat#> .
    ...     <http://a.example/data> dcat:mediaType <http://x/nonsense> .''')
    >>> print(check(graph).findings[0].message())
    http://x/nonsense is in no registry of media types or formats.
    """
    quads = [ox.Quad(*map(lenient_ox, triple)) for triple in _triples(graph)]
    catalogue = catalogue_of_quads(quads, resolver, partial(_name, graph))
    return _check(catalogue, shapes, lambda: (_union(graph), None), by_url=by_url)


def _name(graph: Graph, resource: Term) -> str:
    from cturi_rdf.catalogue.blank_nodes import place_of

    return relative(str(place_of(graph, from_ox(resource))))


def check_file(  # noqa: PLR0913 - what the command line has too
    source: str | PathLike[str],
    *,
    form: str | None = None,
    contexts: Contexts | None = None,
    shapes: Graph | None = None,
    profile: str | None = None,
    resolver: Resolver = resolve,
    by_url: bool = False,
) -> CheckReport:
    """Return the report of `check` on a file, with the places in it.

    `source` is its path, or ``-``; `form` the name of its format where its name does not tell
    it.  With the name of a metadata profile, the properties that it has rules for are checked by
    these, and each finding has the text to write.  Raises `CatalogError`.
    """
    contexts = contexts or Contexts()
    with open_source(source, form) as file:
        catalogue = catalogue_of_file(file, contexts, resolver, by_url=by_url)

        def graph() -> tuple[Graph, Spans]:
            from cturi_rdf.check.spans import graph_with_spans
            from cturi_rdf.reading.rdflib_graphs import read_dataset

            dataset = read_dataset(source, form, contexts)
            return graph_with_spans(_union(dataset), file, contexts)

        report = _check(catalogue, shapes, graph, by_url=by_url)
        file.check()
    if profile is None:
        return report
    from cturi_rdf.check.by_profile import with_profile
    from cturi_rdf.repair import plan_file

    # A likely value comes with the reason, for a human to judge.
    plan = plan_file(source, profile=profile, form=form, contexts=contexts, resolver=resolver).plan
    return with_profile(report, plan)


def _check(
    catalogue: Catalogue,
    shapes: Graph | None,
    graph: Callable[[], tuple[Graph, Spans | None]],
    *,
    by_url: bool,
) -> CheckReport:
    statements = Statements(catalogue)
    background = statements.background()
    findings, idle = [], []
    if statements.focus_nodes:
        findings = list(_of_ours(statements, background))
    else:
        idle.append("our shapes")
    if by_url:
        findings += findings_by_url(catalogue)
    warnings: tuple[str, ...] = ()
    if shapes is not None:
        shapes, warnings = _usable(shapes)
        whole, spans = graph()
        if has_focus_node(whole, shapes):
            findings += _of_others(whole, background, shapes, spans)
        else:
            idle.append("the shapes that were added")
    return CheckReport(
        findings,
        statements.focus_nodes,
        tuple(idle),
        warnings,
        catalogue.document,
        catalogue.name,
        {},
    )


def _of_ours(statements: Statements, background: Iterable[Triple]) -> Iterator[Finding]:
    """Yield the findings of our rules: on single values first, then on values together."""
    parts = [Store(_without_headers(part)) for part in statements.parts()]
    store = parts[0] if len(parts) == 1 else Store(_without_headers(background))
    store.add(statements.values())
    alone: list[Result] = []
    for rule in rules():
        if not rule.compares:
            alone += _of_kinds(rule, statements)
            nodes = statements.focus_of(rule.targets)
            for part in parts:
                alone += part.results(rule, nodes)
            if CTV.contentTypeHeader in rule.targets:
                alone += store.results(rule, statements.typed)
    # A service, which is no format, need not also be another kind of term.
    services = {(r.path, r.value) for r in alone if r.rule.shape == CTVS.TypeIsNoService}
    for result in alone:
        if not (result.rule.kinds and (result.path, result.value) in services):
            places = statements.places_of(result.node, result.path, result.value)
            yield _of_rule(result, statements, places)
    combinations = statements.combinations()
    store.add((node, *value) for node, (values, _) in combinations.items() for value in values)
    for rule in rules():
        if rule.compares:
            nodes = [
                node
                for node, (values, _) in combinations.items()
                if not rule.targets.isdisjoint(path for path, _ in values)
            ]
            for result in store.results(rule, nodes):
                resources = combinations[result.node][1]
                places = list(statements.places_in(resources, result.path, result.value))
                yield _of_rule(result, statements, places)


def _without_headers(background: Iterable[Triple]) -> Iterator[Triple]:
    """Yield a background without its headers, which are right: the catalogue's are checked."""
    return (triple for triple in background if triple[1] != CTV.contentTypeHeader)


def _of_kinds(rule: Rule, statements: Statements) -> Iterator[Result]:
    """Yield the values that are not of the kind of term that a rule asks for."""
    for path, value in statements:
        if rule.kinds and path in rule.targets and not isinstance(value, rule.kinds):
            component, node = SH.NodeKindConstraintComponent, stand_in(path)
            yield Result(rule, component, node, path, value, rule.messages, {})


def _of_rule(result: Result, statements: Statements, places: list[Place]) -> Finding:
    rule, value = result.rule, shown(places[0].value)
    variables = {name: statements.shown(term) for name, term in result.variables.items()}
    messages = filled(result.messages, variables | {"value": value})
    # A fault of several statements together cannot be mended in one of them.
    advice = Advice() if rule.compares else statements.advice_on(result.path, places[0].value)
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


def _of_others(
    whole: Graph, background: Iterable[Triple], shapes: Graph, spans: Spans | None
) -> list[Finding]:
    """Return the findings of other people's shapes; those that differ only in place are one."""
    from rdflib import RDF as RDFLIB_RDF
    from rdflib import URIRef

    for triple in background:
        whole.add(in_rdflib(triple))
    report = validate(whole, shapes)
    results = report.subjects(RDFLIB_RDF.type, URIRef(SH.ValidationResult.value))
    return together(_of_result(report, result, shapes, spans) for result in results)


def _of_result(report: Graph, result: Node, shapes: Graph, spans: Spans | None) -> Finding:
    """Return a validation result as a finding, with one place."""
    from rdflib import Literal, URIRef

    from cturi_rdf.check.shapes import language_of

    facts: list[Any] = [report.value(result, URIRef(term.value)) for term in _OF_RESULT]
    terms: list[Any] = [None if fact is None else lenient_ox(fact) for fact in facts]
    node, path, value, shape, component, severity = terms
    written, lexical = shown(value), "" if facts[2] is None else str(facts[2])
    texts = [
        text if isinstance(text, Literal) else Literal(str(text))
        for text in report.objects(result, URIRef(SH.resultMessage.value))
    ]
    messages = {}
    for text in sorted(texts):
        message = text.replace(lexical, written) if lexical not in {"", written} else str(text)
        messages[text.language or language_of(text, facts[3], shapes)] = message
    span = spans.of(*facts[:3]) if spans else (None, None)
    return Finding(shape, component, severity, path, written, messages, [Place(node, value, *span)])


def _usable(shapes: Graph) -> tuple[Graph, tuple[str, ...]]:
    """Return shapes without dangling references, and a warning for each of these."""
    from cturi_rdf.check.shapes import SH, dangling_references

    dangling = dangling_references(shapes)
    if not dangling:
        return shapes, ()
    usable = _union(shapes)
    for shape, named in dangling:
        usable.remove((shape, SH.property, named))
    return usable, tuple(
        f"left out a property of the shape {shape}: the shapes do not define {named}"
        for shape, named in dangling
    )


def _union(graph: Graph) -> Graph:
    """Return a copy of a graph, or of all graphs of a dataset, that may be changed."""
    from rdflib import Graph

    union = Graph()
    for triple in _triples(graph):
        union.add(triple)
    return union


def _triples(graph: Graph) -> Iterator[tuple[Node, Node, Node]]:
    """Yield the triples of a graph, or of all graphs of a dataset."""
    for subject, predicate, value, *_ in graph.quads() if hasattr(graph, "quads") else graph:
        yield subject, predicate, value
