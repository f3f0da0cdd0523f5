"""The shapes of others: which of them can be used, and what they find, each with its place."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from rdflib import Graph, Literal, URIRef

from cturi_rdf.catalogue.findings import Finding, Place, shown, together
from cturi_rdf.catalogue.labels import EDITABLE
from cturi_rdf.catalogue.shacl.fixes import fix_of
from cturi_rdf.catalogue.shacl.messages import default_message
from cturi_rdf.catalogue.shacl.validation import SH, validate
from cturi_rdf.catalogue.verdict import short_name
from cturi_rdf.catalogue.verdict import written as in_text
from cturi_rdf.editing import locate
from cturi_rdf.editing.edit import Add, Replace
from cturi_rdf.rdf.description import in_rdflib
from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.reading.terms import DOCUMENT, from_ox, lenient_ox

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rdflib.term import Node

    from cturi_rdf.catalogue.shacl.fixes import Fix
    from cturi_rdf.catalogue.shacl.validation import EngineName, Result
    from cturi_rdf.editing import Document, Span, Statement
    from cturi_rdf.editing.edit import Change
    from cturi_rdf.rdf.terms import Triple
    from cturi_rdf.reading.source import Source

# SHACL section 5.3.2: the placeholder for the value of a variable.
_VARIABLE = re.compile(r"\{[?$]\w+\}")


def usable(shapes: Graph) -> tuple[Graph, tuple[str, ...]]:
    """Return shapes without dangling references, and a warning for each of these.

    Raises `CatalogError` for a graph without a term of SHACL, which is none of shapes.
    """
    if not any(str(term).startswith(SH) for triple in shapes for term in triple[1:]):
        raise CatalogError("they have no term of SHACL", "the shapes", "SHACL shapes")
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

    >>> shapes = Graph().add((URIRef("urn:a"), SH.property, URIRef("urn:b")))
    >>> dangling_references(shapes)
    [(rdflib.term.URIRef('urn:a'), rdflib.term.URIRef('urn:b'))]
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
    whole: Graph,
    background: Iterable[Triple],
    shapes: Graph,
    spans: Spans | None,
    engine: EngineName | None = None,
) -> list[Finding]:
    """Return the findings of other people's shapes; those that differ only in place are one."""
    for triple in background:
        whole.add(in_rdflib(triple))
    return together(
        _of_result(result, shapes, spans, fix_of(result, whole, shapes))
        for result in validate(whole, shapes, engine)
    )


def _of_result(result: Result, shapes: Graph, spans: Spans | None, fix: Fix | None) -> Finding:
    """Return a validation result as a finding, with its place and the fix that is certain."""
    terms: list[Any] = [None if fact is None else lenient_ox(fact) for fact in result[:-1]]
    node, path, value, shape, component, severity = terms
    written, lexical = shown(value), "" if result.value is None else str(result.value)
    messages = {}
    for text in result.messages:
        message = text.replace(lexical, written) if lexical not in {"", written} else str(text)
        messages[text.language or language_of(text, result.shape, shapes)] = message
    if not _has_message(result, shapes):
        # What pySHACL makes up for a constraint, the other engine lacks.
        message = default_message(result, shapes)
        messages = {"en": message} if message else messages
    place = Place(node, value)
    if spans is not None:
        place = spans.place(place, *result[:3])
    write = None
    if fix is not None:
        write = f"{short_name(path)} {in_text(lenient_ox(fix.new))}"
        if spans is not None:
            place = place._replace(changes=spans.changes(fix), document=spans.document)
    return Finding(shape, component, severity, path, written, messages, [place], write)


def _has_message(result: Result, shapes: Graph) -> bool:
    """Return whether the shapes have a message for a result (SHACL section 3.6.2.7)."""
    is_query = result.component == SH.SPARQLConstraintComponent
    queries = shapes.objects(result.shape, SH.sparql) if is_query else ()
    return any((one, SH.message, None) in shapes for one in (result.shape, *queries))


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

    def place(
        self, place: Place, node: Node | None, path: Node | None, value: Node | None
    ) -> Place:
        """Return a place with the spans of the focus node, the path and the value of a result.

        The place itself is that of the value; where there is none to blame, of the first value of
        the property; where a property is missing, of the subject, else of the first value that
        leads to it.
        """
        stated = self._statements.get((node, path, value))
        of_path = stated or self._statements.get((node, path))
        about = of_path or self._statements.get((node,))
        around = self._statements.get((None, node))
        focus = self._span(about, "subject") or (around.object_span if around else None)
        spans = {
            "focus node": focus,
            "path": self._span(of_path, "predicate"),
            "value": stated.object_span if stated else None,
        }
        span = (of_path.object_span if of_path else None) or focus
        start, end = span or (about.object_span if about else None) or (None, None)
        parts = {name: one for name, one in spans.items() if one is not None}
        return place._replace(start=start, end=end, parts=parts)

    def _span(self, statement: Statement | None, part: str) -> Span | None:
        if self.document is None or statement is None or statement.handle is None:
            return None
        if part == "subject":
            return self.document.subject_span(statement)
        return self.document.predicate_span(statement)

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
    for subject, predicate, value, *_ in graph.quads() if hasattr(graph, "quads") else graph:
        union.add((subject, predicate, value))
    return union
