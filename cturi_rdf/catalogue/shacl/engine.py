"""The shapes of others, run by pySHACL: which of them can be used, and what they find."""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING, Any

from rdflib import RDF, Graph, Literal, Namespace, URIRef

from cturi_rdf._util.lazy import import_extra
from cturi_rdf.catalogue.findings import Finding, Place, shown, together
from cturi_rdf.catalogue.labels import EDITABLE
from cturi_rdf.editing import locate
from cturi_rdf.rdf.description import in_rdflib
from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.reading.relative_iri import DOCUMENT
from cturi_rdf.reading.terms import from_ox, lenient_ox

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rdflib.term import Node

    from cturi_rdf.editing import Statement
    from cturi_rdf.rdf.terms import Triple
    from cturi_rdf.reading.source import Source

SH = Namespace("http://www.w3.org/ns/shacl#")
CTVS = Namespace("https://w3id.org/cturi/shapes#")
# SHACL section 5.3.2: the placeholder for the value of a variable.
_VARIABLE = re.compile(r"\{[?$]\w+\}")
# The properties of a validation result (SHACL section 3.6.2), in the order of `Finding`.
_OF_RESULT = (
    SH.focusNode,
    SH.resultPath,
    SH.value,
    SH.sourceShape,
    SH.sourceConstraintComponent,
    SH.resultSeverity,
)


def usable(shapes: Graph) -> tuple[Graph, tuple[str, ...]]:
    """Return shapes without dangling references, and a warning for each of these."""
    dangling = dangling_references(shapes)
    if not dangling:
        return shapes, ()
    complete = union_of(shapes)
    for shape, named in dangling:
        complete.remove((shape, SH.property, named))
    return complete, tuple(
        f"left out a property of the shape {shape}: the shapes do not define {named}"
        for shape, named in dangling
    )


def dangling_references(shapes: Graph) -> list[tuple[Node, Node]]:
    """Return the shapes that name a property shape which nothing describes, each with that name.

    SHACL section 2.3.1: a property shape has one `sh:path`.  DCAT-AP 3.0.1 as published has two
    such references, which no engine can use.

    >>> shapes = Graph().add((CTVS.A, SH.property, CTVS.B))
    >>> dangling_references(shapes) == [(CTVS.A, CTVS.B)]
    True
    """
    return sorted(
        (shape, named)
        for shape, named in shapes.subject_objects(SH.property)
        if isinstance(named, URIRef) and (named, None, None) not in shapes
    )


def language_of(message: str, shape: Node, shapes: Graph) -> str:
    """Return the language of a message of a shape, or ``""`` where it has none.

    pySHACL loses the language when it puts values into a message.

    >>> shapes = Graph().parse(format="turtle", data='''
    ...     @prefix sh: <http://www.w3.org/ns/shacl#> .
    ...     <urn:a> sh:sparql [ sh:message "{$this} is wrong."@en, "{$this} ist falsch."@de ] .''')
    >>> language_of("CSV ist falsch.", URIRef("urn:a"), shapes)
    'de'
    """
    for constraint in shapes.objects(shape, SH.sparql):
        for literal_ in shapes.objects(constraint, SH.message):
            pattern = "(?s:.*)".join(map(re.escape, _VARIABLE.split(str(literal_))))
            if (
                isinstance(literal_, Literal)
                and literal_.language
                and re.fullmatch(pattern, message)
            ):
                return literal_.language
    return ""


def findings_of(
    whole: Graph, background: Iterable[Triple], shapes: Graph, spans: Spans | None
) -> list[Finding]:
    """Return the findings of other people's shapes; those that differ only in place are one."""
    for triple in background:
        whole.add(in_rdflib(triple))
    report = validate(whole, shapes)
    results = report.subjects(RDF.type, SH.ValidationResult)
    return together(_of_result(report, result, shapes, spans) for result in results)


def _of_result(report: Graph, result: Node, shapes: Graph, spans: Spans | None) -> Finding:
    """Return a validation result as a finding, with one place."""
    facts: list[Any] = [report.value(result, term) for term in _OF_RESULT]
    terms: list[Any] = [None if fact is None else lenient_ox(fact) for fact in facts]
    node, path, value, shape, component, severity = terms
    written, lexical = shown(value), "" if facts[2] is None else str(facts[2])
    texts = [
        text if isinstance(text, Literal) else Literal(str(text))
        for text in report.objects(result, SH.resultMessage)
    ]
    messages = {}
    for text in sorted(texts):
        message = text.replace(lexical, written) if lexical not in {"", written} else str(text)
        messages[text.language or language_of(text, facts[3], shapes)] = message
    span = spans.of(*facts[:3]) if spans else (None, None)
    return Finding(shape, component, severity, path, written, messages, [Place(node, value, *span)])


def validate(graph: Graph, shapes: Graph) -> Graph:
    """Return the validation report over any graph, which may be changed on the way.

    Raises `CatalogError` where pySHACL cannot make shapes of `shapes`.
    """
    pyshacl = _pyshacl()
    try:
        _, report, text = pyshacl.validate(graph, shacl_graph=shapes, inplace=True)
    except Exception as error:
        # A shapes graph can be wrong in many ways, and pySHACL raises as many things.
        raise _unusable(error) from error
    if not isinstance(report, Graph):
        raise _unusable(text)
    return report


def has_focus_node(graph: Graph, shapes: Graph) -> bool:
    """Return whether the shapes have anything to look at in a graph.

    Raises `CatalogError` where pySHACL cannot make shapes of `shapes`.
    """
    _pyshacl()
    from pyshacl.errors import ReportableRuntimeError, ShapeLoadError
    from pyshacl.graph_abstraction import DataGraph
    from pyshacl.shapes_graph import ShapesGraph

    data = DataGraph.from_rdflib(graph)
    try:
        node_shapes = ShapesGraph(shapes, None, logging.getLogger(__name__)).shapes
        return any(node_shape.focus_nodes(data) for node_shape in node_shapes)
    except (ReportableRuntimeError, ShapeLoadError) as error:
        raise _unusable(error) from error


def _unusable(error: object) -> CatalogError:
    message = getattr(error, "message", None) or str(error)
    reason = " ".join(str(message).split()) or type(error).__name__
    return CatalogError(f"pySHACL cannot use them ({reason})", "the shapes", "SHACL shapes")


def _pyshacl() -> Any:
    try:
        return import_extra("pyshacl", "shacl")
    except ImportError as error:
        raise CatalogError(str(error), "the SHACL engine", "the extra shacl") from error


_Span = tuple[int | None, int | None]


class Spans:
    """The spans of the objects of statements, by terms of rdflib."""

    def __init__(self, statements: Iterable[Statement]) -> None:
        """Take the statements of a file, in their order."""
        self.graph = Graph()
        self._spans: dict[tuple[Node | None, ...], _Span] = {}
        for statement in statements:
            subject, path, value = map(from_ox, statement[1:4])
            self.graph.add((subject, path, value))
            span = statement.start, statement.end
            for key in ((subject, path, value), (subject, path), (subject,), (None, value)):
                self._spans.setdefault(key, span)

    def of(self, node: Node | None, path: Node | None, value: Node | None) -> _Span:
        """Return the span of the statement that a validation result is about.

        Where it is about none, as of a value that is missing, that is the first statement of the
        property, else of the resource, else the first that leads to the resource.
        """
        keys = ((node, path, value), (node, path), (node,), (None, node))
        return next((self._spans[key] for key in keys if key in self._spans), (None, None))


def graph_with_spans(whole: Graph, source: Source) -> tuple[Graph, Spans]:
    """Return the graph of a file, and the places of its statements.

    The parser and the locator label anonymous blank nodes differently; the graph has the labels of
    the locator.
    """
    if source.format.name not in EDITABLE:
        return whole, Spans(())
    document = locate(
        source.read(), source.format, base=DOCUMENT, name=source.name, reading=source.reading
    )
    spans = Spans(document.statements)
    # The locator may miss a statement: the graph of the parser has them all.
    return (spans.graph if len(spans.graph) == len(whole) else whole), spans


def union_of(graph: Graph) -> Graph:
    """Return a copy of a graph, or of all graphs of a dataset, that may be changed."""
    union = Graph()
    for triple in triples_of(graph):
        union.add(triple)
    return union


def triples_of(graph: Graph) -> Iterator[tuple[Node, Node, Node]]:
    """Yield the triples of a graph, or of all graphs of a dataset."""
    for subject, predicate, value, *_ in graph.quads() if hasattr(graph, "quads") else graph:
        yield subject, predicate, value
