"""Checking a catalogue by shapes: ours on what it says of types, those of others on all of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rdflib import RDF, BNode, Dataset, Graph, Literal

from cturi_rdf.check.constraints import Result, Store, filled, rules
from cturi_rdf.check.engines import has_focus_node, validate
from cturi_rdf.check.findings import CheckReport, Finding
from cturi_rdf.check.focus_nodes import Statements, shown, stand_in
from cturi_rdf.check.shapes import SH, dangling_references, language_of
from cturi_rdf.labels import resolve
from cturi_rdf.rdf.vocab import CTV

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rdflib.term import Node

    from cturi_rdf.check.constraints import Rule
    from cturi_rdf.check.focus_nodes import Place
    from cturi_rdf.rdf.label_statements import Resolver

__all__ = ["check"]

_Triple = tuple["Node", "Node", "Node"]
# What a validation result says (SHACL section 3.6.2), in the order in which it is read here.
_OF_RESULT = (
    SH.focusNode, SH.resultPath, SH.value, SH.sourceShape, SH.sourceConstraintComponent,
    SH.resultSeverity,
)  # fmt: skip


def check(
    graph: Graph, *, shapes: Graph | None = None, resolver: Resolver = resolve
) -> CheckReport:
    """Return what our shapes, and those of others in `shapes`, find in a catalogue.

    The graph is not changed: what shapes need to know of its types is merged into a copy.
    A property shape that `shapes` names and does not define is left out, with a warning in the
    report.
    Raises `CatalogError` where the extra ``shacl`` is not installed, or where `shapes` are no
    shapes.

    >>> graph = Graph().parse(format="turtle", data='''
    ...     @prefix dcat: <http://www.w3.org/ns/dcat#> .
    ...     <http://a.example/data> dcat:mediaType <http://x/nonsense> .''')
    >>> print(check(graph).findings[0].message())
    http://x/nonsense is in no registry of media types or formats.
    """
    statements = Statements(graph)
    background = statements.background(resolver)
    findings, idle = [], []
    if statements.focus_nodes:
        # The headers of the background are right: only those of the catalogue are checked.
        known = [triple for triple in background if triple[1] != CTV.contentTypeHeader]
        findings = list(_of_ours(statements, known))
    else:
        idle.append("our shapes")
    warnings: tuple[str, ...] = ()
    if shapes is not None:
        shapes, warnings = _usable(shapes)
        whole = _union(graph)
        if has_focus_node(whole, shapes):
            findings += _of_others(whole, background, shapes)
        else:
            idle.append("the shapes that were added")
    return CheckReport(graph, findings, statements.focus_nodes, tuple(idle), warnings)


def _of_ours(statements: Statements, known: Iterable[_Triple]) -> Iterator[Finding]:
    """Yield what our rules find: of values alone first, then of those that stand together."""
    store = Store([*known, *statements.values()])
    for rule in rules():
        if not rule.compares:
            nodes = statements.focus_of(rule.targets)
            for each in (*_of_kinds(rule, statements), *store.results(rule, nodes)):
                places = statements.places_of(each.node, each.path, each.value)
                yield _of_rule(each, statements, places)
    combinations = statements.combinations()
    store.add((node, *each) for node, (said, _) in combinations.items() for each in said)
    for rule in rules():
        if rule.compares:
            nodes = [
                node
                for node, (said, _) in combinations.items()
                if not rule.targets.isdisjoint(path for path, _ in said)
            ]
            for each in store.results(rule, nodes):
                resources = set(combinations[each.node][1])
                places = statements.places_of(each.node, each.path, each.value)
                found = [place for place in places if place[0] in resources]
                yield _of_rule(each, statements, found)


def _of_kinds(rule: Rule, statements: Statements) -> Iterator[Result]:
    """Yield the values that are not of the kinds of terms that a rule asks for."""
    for path, value in statements:
        if rule.kinds and path in rule.targets and not isinstance(value, rule.kinds):
            yield Result(rule, SH.NodeKindConstraintComponent, stand_in(path), path, value, {}, {})


def _of_rule(result: Result, statements: Statements, places: list[Place]) -> Finding:
    rule, value = result.rule, shown(places[0][1])
    said = {name: statements.shown(each) for name, each in result.variables.items()}
    messages = filled(result.messages or rule.messages, said | {"value": value})
    return Finding(
        rule.shape, result.component, rule.severity, result.path, value, messages, places
    )


def _of_others(whole: Graph, background: Graph, shapes: Graph) -> Iterator[Finding]:
    """Yield what other people's shapes find, those results together that differ in place only."""
    whole += background
    report = validate(whole, shapes)
    groups: dict[Any, Finding] = {}
    for result in report.subjects(RDF.type, SH.ValidationResult):
        finding = _of_result(report, result, shapes)
        (place,) = finding.places
        value = "" if isinstance(place[1], BNode) else finding.value
        key = (*finding[:4], value, *sorted(finding.messages.items()))
        if key in groups:
            groups[key].places.append(place)
        else:
            groups[key] = finding
    yield from groups.values()


def _of_result(report: Graph, result: Node, shapes: Graph) -> Finding:
    """Return a validation result as a finding, with one place."""
    facts: list[Any] = [report.value(result, each) for each in _OF_RESULT]
    node, path, value, shape, component, severity = facts
    written, said = shown(value), "" if value is None else str(value)
    messages = {}
    for each in sorted(map(_text, report.objects(result, SH.resultMessage))):
        text = each.replace(said, written) if said not in {"", written} else str(each)
        messages[each.language or language_of(each, shape, shapes)] = text
    return Finding(shape, component, severity, path, written, messages, [(node, value)])


def _text(message: Node) -> Literal:
    return message if isinstance(message, Literal) else Literal(str(message))


def _usable(shapes: Graph) -> tuple[Graph, tuple[str, ...]]:
    """Return shapes without references that lead nowhere, and a warning for each of these."""
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
    union = Graph()
    if isinstance(graph, Dataset):
        for subject, predicate, value, _ in graph.quads():
            union.add((subject, predicate, value))
    else:
        union += graph
    return union
