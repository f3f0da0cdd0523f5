"""The shapes of others, run by pySHACL: which of them can be used, and what they find."""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING, Any

from rdflib import RDF, Graph, Literal, Namespace, URIRef

from cturi_rdf._util.lazy import import_extra
from cturi_rdf.catalogue.findings import Finding, Place, shown, together
from cturi_rdf.catalogue.labels import EDITABLE
from cturi_rdf.catalogue.verdict import short_name
from cturi_rdf.catalogue.verdict import written as in_text
from cturi_rdf.editing import Add, Replace, locate
from cturi_rdf.rdf.description import in_rdflib
from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.reading.relative_iri import DOCUMENT
from cturi_rdf.reading.terms import from_ox, lenient_ox

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rdflib.term import Node

    from cturi_rdf.catalogue.shacl.fixes import Fix
    from cturi_rdf.editing import Change, Document, Statement
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
    from cturi_rdf.catalogue.shacl.fixes import fixes_of

    report = validate(whole, shapes)
    results = report.subjects(RDF.type, SH.ValidationResult)
    fixes = fixes_of(report, whole, shapes)
    return together(
        _of_result(report, result, shapes, spans, fixes.get(result)) for result in results
    )


def _of_result(
    report: Graph, result: Node, shapes: Graph, spans: Spans | None, fix: Fix | None
) -> Finding:
    """Return a validation result as a finding, with one place and the fix that is certain."""
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
    place = Place(node, value, *span)
    write = None
    if fix is not None:
        write = f"{short_name(path)} {in_text(lenient_ox(fix.new))}"
        if spans is not None:
            place = place._replace(changes=spans.changes(fix), document=spans.document)
    return Finding(shape, component, severity, path, written, messages, [place], write)


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
    """The statements of a document, and their places, by terms of rdflib."""

    def __init__(self, document: Document | None) -> None:
        """Take a document with all its statements, None for a file that has none."""
        self.graph = Graph()
        self.document = document
        self._statements: dict[tuple[Node | None, ...], Statement] = {}
        for statement in (*document.statements, *document.implied()) if document else ():
            subject, path, value = map(from_ox, statement[1:4])
            self.graph.add((subject, path, value))
            for key in ((subject, path, value), (subject, path), (subject,), (None, value)):
                self._statements.setdefault(key, statement)

    def of(self, node: Node | None, path: Node | None, value: Node | None) -> _Span:
        """Return the span that a validation result is about.

        That is the value; where there is none to blame, the first value of the property; where a
        property is missing, the subject, else the first value that leads to it.
        """
        for key in ((node, path, value), (node, path)):
            if key in self._statements and self._statements[key].object_span:
                return self._statements[key].object_span or (None, None)
        about = self._statements.get((node,))
        if about is not None and about.handle is not None and self.document is not None:
            span = self.document.subject_span(about)
            if span is not None:
                return span
        around = about or self._statements.get((None, node))
        return (around.object_span if around else None) or (None, None)

    def changes(self, fix: Fix) -> tuple[Change, ...]:
        """Return the change of the text that makes a fix; none where the text has no place."""
        old = self._statements.get((fix.node, fix.path, fix.old) if fix.old else (fix.node,))
        if old is None or old.handle is None:
            return ()
        new = lenient_ox(fix.new)
        return (Add(old, lenient_ox(fix.path), new) if fix.old is None else Replace(old, new),)


def graph_with_spans(whole: Graph, source: Source) -> tuple[Graph, Spans]:
    """Return the graph of a file, and the places of its statements.

    The parser and the locator label anonymous blank nodes differently; the graph has the labels of
    the locator.
    """
    if source.format.name not in EDITABLE:
        return whole, Spans(None)
    document = locate(
        source.read(), source.format, base=DOCUMENT, name=source.name, reading=source.reading
    )
    spans = Spans(document)
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
