"""Checking a catalogue by SHACL: our shapes on what it says of types, others on all of it.

Most of our shapes judge each value alone, so that all values of a property are validated on
one stand-in, however many resources have them.  The shapes that compare statements see one
stand-in for all resources with the same statements.  Shapes of others see the catalogue whole.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from rdflib import RDF, BNode, Dataset, Graph, Literal, URIRef

from cturi_rdf.catalog.engine import acceptable, has_focus_node, validate, validate_fast
from cturi_rdf.catalog.findings import CheckReport, Finding
from cturi_rdf.grammar import percent_encode
from cturi_rdf.labels import resolve
from cturi_rdf.rdf.background import add_label
from cturi_rdf.rdf.base import relative
from cturi_rdf.rdf.occurrences import understand
from cturi_rdf.rdf.properties import PROPERTIES
from cturi_rdf.rdf.shapes import SH, aimed, language_of
from cturi_rdf.rdf.vocab import CTV

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rdflib.term import Node

    from cturi_rdf.rdf.occurrences import Resolver

__all__ = ["check"]

_STAND_IN = "urn:x-cturi:"
# RFC 3986 section 2: all but unreserved, reserved and a percent sign that encodes.
_NOT_URI = re.compile(r"[^A-Za-z0-9\-._~:/?#@!$&'()*+,;=%]|%(?![0-9A-Fa-f]{2})")
_NAME = re.compile(r"[^A-Za-z0-9\-._~]")
_BLANK = BNode("blank")
_BACKSLASH = "\N{FULLWIDTH REVERSE SOLIDUS}"
# What the node of a content type says of itself.
_OWN = (CTV.header, CTV.parameter)
_OF_PARAMETER = (CTV.parameterName, CTV.parameterValue)

# A property and a value as the shapes see it.
_Statement = tuple[URIRef, "Node"]
_Place = tuple["Node", "Node | None"]
_Triple = tuple["Node", "Node", "Node"]


class _Catalogue:
    """What a catalogue says of types, so that what is said twice is looked at once."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.seen_as: dict[Node, Node] = {}
        self.places: dict[_Statement, list[_Place]] = {}
        self.statements: dict[Node, set[_Statement]] = {}
        for each in PROPERTIES:
            for resource, value in _statements(graph, each):
                seen = self.seen_as.get(value)
                if seen is None:
                    seen = self.seen_as[value] = _as_shapes_see(value)
                self.places.setdefault((each, seen), []).append((resource, value))
                self.statements.setdefault(resource, set()).add((each, seen))
        self.typed = {
            _as_shapes_see(each): each
            for each, _ in _statements(graph, CTV.header)
            if isinstance(each, URIRef)
        }
        self.focus_nodes = len(self.statements.keys() | self.typed.values())

    def background(self, resolver: Resolver) -> Graph:
        """Return what is to be known of every label in the catalogue."""
        known = Graph()
        for value, seen in self.seen_as.items():
            if seen is not _BLANK:
                add_label(str(seen), understand(self.graph, value, resolver)[1], known)
        return known

    def places_of(self, node: Node, path: URIRef, value: Node) -> list[_Place]:
        """Return where the statement of a validation result stands."""
        if isinstance(value, Literal):
            value = _as_shapes_see(value)
        if node not in self.typed:
            return self.places[path, value]
        resource = self.typed[node]
        said = self.graph.objects(resource, path)
        return [(resource, each) for each in said if _as_shapes_see(each) == value]

    def values(self) -> Iterator[tuple[Node, Node, Node]]:
        """Yield each statement once, as one of a stand-in that is there for its property."""
        for path, value in self.places:
            yield _stand_in(path), path, value
        for seen, node in self.typed.items():
            for path in _OWN:
                for value in self.graph.objects(node, path):
                    yield seen, path, _as_shapes_see(value)
                    for each in _OF_PARAMETER:
                        for said in self.graph.objects(value, each):
                            yield _as_shapes_see(value), each, _as_shapes_see(said)

    def combinations(self) -> dict[URIRef, tuple[frozenset[_Statement], list[Node]]]:
        """Return stand-ins for the resources with several statements, and whom each is for."""
        groups: dict[frozenset[_Statement], list[Node]] = {}
        for resource, said in self.statements.items():
            if len({path for path, _ in said}) > 1:
                groups.setdefault(frozenset(said), []).append(resource)
        return {
            URIRef(f"{_STAND_IN}{number}"): group for number, group in enumerate(groups.items())
        }


def check(
    graph: Graph, *, shapes: Graph | None = None, resolver: Resolver = resolve
) -> CheckReport:
    """Return what our shapes, and those of others in `shapes`, find in a catalogue.

    The graph is not changed: what shapes need to know of its types is merged into a copy.
    Raises `CatalogError` where the extra ``shacl`` is not installed, or where `shapes` are no
    shapes.

    >>> graph = Graph().parse(format="turtle", data='''
    ...     @prefix dcat: <http://www.w3.org/ns/dcat#> .
    ...     <http://a.example/data> dcat:mediaType <http://x/nonsense> .''')
    >>> print(check(graph).findings[0].message())
    http://x/nonsense is in no registry of media types or formats.
    """
    catalogue = _Catalogue(graph)
    background = catalogue.background(resolver)
    findings, idle = [], []
    if catalogue.focus_nodes:
        # The headers of the background are right: only those of the catalogue are checked.
        known = [triple for triple in background if triple[1] != CTV.header]
        findings = list(_of_ours(catalogue, known))
    else:
        idle.append("our shapes")
    if shapes is not None:
        whole = _union(graph)
        if has_focus_node(whole, shapes):
            findings += _of_others(whole, background, shapes)
        else:
            idle.append("the shapes that were added")
    return CheckReport(graph, findings, catalogue.focus_nodes, tuple(idle))


def _of_ours(catalogue: _Catalogue, known: list[_Triple]) -> Iterator[Finding]:
    """Yield what our shapes find, in one run over all stand-ins."""
    combinations = catalogue.combinations()
    said = [(node, *pair) for node, (pairs, _) in combinations.items() for pair in pairs]
    together: dict[URIRef, list[URIRef]] = {}
    for node, path, _ in said:
        together.setdefault(path, []).append(node)
    alone = {path: [_stand_in(path)] for path, _ in catalogue.places}
    alone[CTV.header] = [URIRef(str(each)) for each in catalogue.typed]
    report = validate_fast([*catalogue.values(), *said, *known], aimed(alone, together))
    for result in report.subjects(RDF.type, SH.ValidationResult):
        node, path, value = _about(report, result)
        places = catalogue.places_of(node, path, value)
        if node in combinations:
            resources = set(combinations[node][1])
            places = [each for each in places if each[0] in resources]
        yield _finding(report, result, places)


def _of_others(whole: Graph, background: Graph, shapes: Graph) -> Iterator[Finding]:
    """Yield what other people's shapes find, those results together that differ in place only."""
    whole += background
    report = validate(whole, shapes)
    groups: dict[Any, Finding] = {}
    for result in report.subjects(RDF.type, SH.ValidationResult):
        node, _, value = _about(report, result)
        finding = _finding(report, result, [(node, value)])
        shown = "" if isinstance(value, BNode) else finding.value
        key = (*finding[:4], shown, *sorted(finding.messages.items()))
        if key in groups:
            groups[key].places.append((node, value))
        else:
            groups[key] = finding
    yield from groups.values()


def _about(report: Graph, result: Node) -> tuple[Any, Any, Any]:
    """Return the focus node, the path and the value of a validation result."""
    node, path, value = (
        report.value(result, each) for each in (SH.focusNode, SH.resultPath, SH.value)
    )
    return node, path, value


def _finding(report: Graph, result: Node, places: list[_Place]) -> Finding:
    _, path, value = _about(report, result)
    seen, written = "" if value is None else str(value), places[0][1]
    # A blank node has no name that says anything, a relative IRI that of its author.
    shown = "_:" if isinstance(written, BNode) else relative(str(written or ""))
    shape: Any = report.value(result, SH.sourceShape)
    component: Any = report.value(result, SH.sourceConstraintComponent)
    severity: Any = report.value(result, SH.resultSeverity)
    messages = {}
    for each in sorted(map(_text, report.objects(result, SH.resultMessage))):
        text = each.replace(seen, shown) if seen not in {"", shown} else str(each)
        messages[each.language or language_of(each, shape)] = text
    return Finding(shape, component, severity, path, shown, messages, places)


def _text(message: Node) -> Literal:
    return message if isinstance(message, Literal) else Literal(str(message))


def _stand_in(path: URIRef) -> URIRef:
    """Return the node that has all values of a property."""
    return URIRef(_STAND_IN + percent_encode(path, _NAME))


def _as_shapes_see(value: Node) -> Node:
    """Return a value as a term that every SHACL engine takes, with nothing that does not count.

    No shape of ours asks for the language or the datatype of a label, nor for which blank
    node it is.
    """
    if isinstance(value, Literal):
        # pySHACL stumbles over a backslash that it puts into a message.
        return Literal(str(value).replace("\\", _BACKSLASH))
    if isinstance(value, BNode):
        return _BLANK
    iri = str(value)
    for text in (iri, percent_encode(iri, _NOT_URI)):
        if acceptable(URIRef(text)):
            return URIRef(text)
    return URIRef(_STAND_IN + percent_encode(iri, _NAME))


def _statements(graph: Graph, each: URIRef) -> Iterator[tuple[Node, Node]]:
    if isinstance(graph, Dataset):
        # What stands in two named graphs is said once.
        yield from dict.fromkeys(
            (subject, value) for subject, _, value, _ in graph.quads((None, each, None, None))
        )
    else:
        yield from graph.subject_objects(each)


def _union(graph: Graph) -> Graph:
    """Return a copy of a graph, or of all graphs of a dataset, that may be changed."""
    union = Graph()
    if isinstance(graph, Dataset):
        for subject, predicate, value, _ in graph.quads():
            union.add((subject, predicate, value))
    else:
        union += graph
    return union
