"""The shapes of others: which of them can be used, what they find, and how it is put right.

A finding has its place, a message, if need be one of ours, and a fix: the one value that a shape
allows in the place of a wrong one, where that is certain.

* `sh:hasValue` (SHACL section 4.8.1): the value is added; where the path takes one value at most
  (`sh:maxCount 1`), it replaces the one that is there.
* `sh:in` (section 4.8.3): the only member that differs in case, spaces, scheme or a slash at the
  end, or of which the value is the name: the end of its IRI, or its label in the shapes or data.
* `sh:datatype` (section 4.1.2): the same text, if it is one of that datatype.
* `sh:nodeKind sh:IRI` (section 4.1.3): a text that is an absolute IRI.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from rdflib import RDF, RDFS, SKOS, XSD, BNode, Graph, Literal, URIRef
from rdflib.collection import Collection

from cturi_rdf.catalogue.findings import Finding, FindingPlace, shown, together
from cturi_rdf.catalogue.labels import EDITABLE
from cturi_rdf.catalogue.shacl.engines import SH, Result, validate
from cturi_rdf.catalogue.verdict import short_name, written
from cturi_rdf.editing import locate
from cturi_rdf.editing.edit import Add, Replace
from cturi_rdf.rdf.description import in_rdflib
from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.reading.rdflib_graphs import read_graph
from cturi_rdf.reading.terms import DOCUMENT, from_ox, lenient_ox

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import pyoxigraph as ox
    from rdflib.term import Node

    from cturi_rdf.catalogue.shacl.engines import EngineName
    from cturi_rdf.editing import Document, Span, Statement
    from cturi_rdf.editing.edit import Change
    from cturi_rdf.editing.engines import Engine
    from cturi_rdf.rdf.terms import Triple
    from cturi_rdf.reading.source import Source

# SHACL section 5.3.2: the placeholder for the value of a variable.
_VARIABLE = re.compile(r"\{[?$]\w+\}")
_IRI = re.compile(r"(?:https?|ftp|urn|mailto|doi):[^\s<>\"{}|\\^`]+")
_LABELS = (RDFS.label, SKOS.prefLabel, SKOS.notation)
# How many members of a list a message shows.
_SHOWN = 5
# Numbers are shown without their datatype.
_NUMBERS = {XSD.integer, XSD.decimal, XSD.double, XSD.float}
_COMPONENT = "ConstraintComponent"
# SHACL sections 4 and 5: by constraint component, the sentence about a value and the parameter.
_SENTENCES = {
    "Class": "{value} is not an instance of {wanted}.",
    "Datatype": "{value} does not have the datatype {wanted}.",
    "NodeKind": "{value} is not of the node kind {wanted}.",
    "MinCount": "The property has fewer values than {wanted}.",
    "MaxCount": "The property has more values than {wanted}.",
    "MinExclusive": "{value} is not greater than {wanted}.",
    "MinInclusive": "{value} is not {wanted} or greater.",
    "MaxExclusive": "{value} is not less than {wanted}.",
    "MaxInclusive": "{value} is not {wanted} or less.",
    "MinLength": "{value} has fewer characters than {wanted}.",
    "MaxLength": "{value} has more characters than {wanted}.",
    "Pattern": "{value} does not match the pattern {wanted}.",
    "LanguageIn": "{value} is in none of the languages {wanted}.",
    "UniqueLang": "Several values have the same language.",
    "Equals": "{value} is not a value of both this property and {wanted}.",
    "Disjoint": "{value} is also a value of {wanted}.",
    "LessThan": "{value} is not less than all values of {wanted}.",
    "LessThanOrEquals": "{value} is greater than a value of {wanted}.",
    "Not": "{value} conforms to a shape that is excluded.",
    "And": "{value} does not conform to all of the shapes in sh:and.",
    "Or": "{value} conforms to none of the shapes in sh:or.",
    "Xone": "{value} does not conform to exactly one of the shapes in sh:xone.",
    "Node": "{value} does not conform to the shape {wanted}.",
    "QualifiedMinCount": "Fewer values than {wanted} conform to the shape of these values.",
    "QualifiedMaxCount": "More values than {wanted} conform to the shape of these values.",
    "Closed": "The shape does not allow the property.",
    "HasValue": "The value {wanted} is missing.",
    "In": "{value} is none of the allowed values {wanted}.",
    "SPARQL": "{value} is what the query of the shape finds.",
}


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


def _language_of(message: str, shape: Node, shapes: Graph) -> str:
    """Return the language of a message of a shape, or ``""`` where it has none.

    pySHACL loses the language when it puts values into a message.

    >>> shapes = Graph().parse(format="turtle", data='''
    ...     @prefix sh: <http://www.w3.org/ns/shacl#> .
    ...     <urn:a> sh:sparql [ sh:message "{$this} is wrong."@en, "{$this} ist falsch."@de ] .''')
    >>> _language_of("CSV ist falsch.", URIRef("urn:a"), shapes)
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
    text_of_value, lexical = shown(value), "" if result.value is None else str(result.value)
    messages = {}
    for text in result.messages:
        message = text.replace(lexical, text_of_value) if lexical else str(text)
        messages[text.language or _language_of(text, result.shape, shapes)] = message
    if not _has_message(result, shapes):
        # What pySHACL makes up for a constraint, the other engine lacks.
        message = default_message(result, shapes)
        messages = {"en": message} if message else messages
    place = FindingPlace(node, value)
    if spans is not None:
        place = spans.place(place, *result[:3])
    write = None
    if fix is not None:
        write = f"{short_name(path)} {written(lenient_ox(fix.new))}"
        if spans is not None:
            place = place._replace(changes=spans.changes(fix), document=spans.document)
    return Finding(shape, component, severity, path, text_of_value, messages, [place], write)


def _has_message(result: Result, shapes: Graph) -> bool:
    """Return whether the shapes have a message for a result (SHACL section 3.6.2.7)."""
    is_query = result.component == SH.SPARQLConstraintComponent
    queries = shapes.objects(result.shape, SH.sparql) if is_query else ()
    return any((one, SH.message, None) in shapes for one in (result.shape, *queries))


class Spans:
    """The statements of a document, and their places, by terms of rdflib."""

    def __init__(self, document: Document) -> None:
        """Take a document with all its statements."""
        self.graph = Graph()
        self.document = document
        self._statements: dict[tuple[Node | None, ...], Statement] = {}
        for statement in (*document.statements, *document.implied()):
            subject, path, value = map(from_ox, statement[1:4])
            self.graph.add((subject, path, value))
            for key in ((subject, path, value), (subject, path), (subject,), (None, value)):
                self._statements.setdefault(key, statement)

    def place(
        self, place: FindingPlace, node: Node | None, path: Node | None, value: Node | None
    ) -> FindingPlace:
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
        if statement is None or statement.handle is None:
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


def graph_with_spans(whole: Graph, source: Source) -> tuple[Graph, Spans | None]:
    """Return the graph of a file, and the places of its statements, if they have any.

    The parser and the locator label anonymous blank nodes differently; the graph has the labels of
    the locator.
    """
    if source.format.name not in EDITABLE:
        return whole, None
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


class Fix(NamedTuple):
    """What a result asks for: a value of a path of a node, in the place of another one if any."""

    node: Node
    path: URIRef
    old: Node | None
    new: Node


def fix_of(result: Result, data: Graph, shapes: Graph) -> Fix | None:
    """Return the certain fix of a result of a validation, if there is one."""
    node, path, value, shape, component = result[:5]
    if path is None:
        return None
    new: Node | None = None
    if component == SH.HasValueConstraintComponent:
        values = list(data.objects(node, path))
        is_one = shapes.value(shape, SH.maxCount) == Literal(1)
        wanted = list(shapes.objects(shape, SH.hasValue))
        if len(wanted) == 1 and (not values or (is_one and len(values) == 1)):
            return Fix(node, path, next(iter(values), None), wanted[0])
    elif component == SH.InConstraintComponent and value is not None:
        new = _member(value, shapes, shapes.value(shape, SH["in"]), data)
    elif component == SH.DatatypeConstraintComponent and isinstance(value, Literal):
        new = _typed(value, shapes.value(shape, SH.datatype))
    elif component == SH.NodeKindConstraintComponent and isinstance(value, Literal):
        is_iri = shapes.value(shape, SH.nodeKind) in {SH.IRI, SH.BlankNodeOrIRI}
        new = URIRef(value) if is_iri and _IRI.fullmatch(value) else None
    return None if new is None or value is None else Fix(node, path, value, new)


def _member(value: Node, shapes: Graph, members: Node | None, data: Graph) -> Node | None:
    """Return the one member of a list that a value means."""
    if members is None:
        return None
    allowed = list(Collection(shapes, members))
    same = [member for member in allowed if _plain(str(member)) == _plain(str(value))]
    if not same and isinstance(value, Literal):
        text = _plain(value)
        same = [one for one in allowed if text in set(_names(one, shapes, data))]
    return same[0] if len(same) == 1 else None


def _plain(text: str) -> str:
    """Return a text without what people write in more than one way.

    >>> _plain("HTTPS://a.example/CSV/") == _plain(" http://a.example/csv")
    True
    """
    return text.strip().casefold().replace("https://", "http://").rstrip("/")


def _names(term: Node, shapes: Graph, data: Graph) -> Iterable[str]:
    """Yield the names of a node: the end of its IRI, and its labels."""
    if isinstance(term, URIRef):
        yield _plain(re.split("[/#:]", term.rstrip("/#"))[-1])
        for graph in (shapes, data):
            for label in _LABELS:
                yield from map(_plain, map(str, graph.objects(term, label)))


def _typed(value: Literal, datatype: Node | None) -> Literal | None:
    """Return a text with a datatype, if it is one of that datatype and loses no language."""
    if not isinstance(datatype, URIRef) or value.language or datatype == RDF.langString:
        return None
    typed = Literal(str(value), datatype=datatype, normalize=False)
    is_known = datatype == XSD.string or typed.value is not None
    return typed if is_known and not typed.ill_typed else None


def by_shapes(*files: str, engine_name: EngineName | None = None) -> Callable[[str], Engine]:
    """Return the function that gives the engine of the certain fixes of the shapes in files.

    Raises `CatalogError` where they are no shapes, or the extra ``shacl`` is not installed.
    """
    shapes, _ = usable(read_graph(*files))

    def engine(quads: set[ox.Quad]) -> set[ox.Quad]:
        data = Graph()
        for quad in quads:
            data.add((from_ox(quad.subject), from_ox(quad.predicate), from_ox(quad.object)))
        after = set(quads)
        for result in validate(union_of(data), shapes, engine_name):
            fix = fix_of(result, data, shapes)
            if fix is not None:
                _make(after, fix)
        return after

    return lambda _: engine


def _make(quads: set[ox.Quad], fix: Fix) -> None:
    """Make a fix in some quads, in each graph that has the old value or speaks of the node."""
    import pyoxigraph as ox

    node, path, new = (lenient_ox(term) for term in (fix.node, fix.path, fix.new))
    about = [quad for quad in quads if quad.subject == node]
    if fix.old is None:
        graphs = sorted({quad.graph_name for quad in about}, key=str)[:1]
    else:
        old = lenient_ox(fix.old)
        gone = [quad for quad in about if quad.predicate == path and quad.object == old]
        quads.difference_update(gone)
        graphs = [quad.graph_name for quad in gone]
    quads.update(ox.Quad(node, path, new, graph) for graph in graphs)


def default_message(result: Result, shapes: Graph) -> str:
    """Return the message for a result of a constraint that has none, or ``""``.

    >>> shapes = Graph().parse(format="turtle", data='''
    ...     @prefix sh: <http://www.w3.org/ns/shacl#> . <urn:S> sh:in ( "a" "b" ) .''')
    >>> result = Result(URIRef("urn:n"), None, Literal("c"), URIRef("urn:S"),
    ...     SH.InConstraintComponent, SH.Violation, ())
    >>> default_message(result, shapes)
    '"c" is none of the allowed values "a", "b".'
    """
    name = str(result.component).removeprefix(SH).removesuffix(_COMPONENT)
    sentence = _SENTENCES.get(name, "")
    parameter = SH[name[:1].lower() + name[1:]]
    values: list[Any] = list(shapes.objects(result.shape, parameter))
    wanted = [member for value in sorted(values) for member in _members(value, shapes)]
    shown = [_shown(term, "without a name") for term in wanted[:_SHOWN]]
    if len(wanted) > _SHOWN:
        shown.append("…")
    value = result.node if result.value is None else result.value
    return sentence.format(value=_shown(value, "The blank node"), wanted=", ".join(shown))


def _members(value: Node, shapes: Graph) -> list[Node]:
    is_list = value == RDF.nil or (value, RDF.rest, None) in shapes
    return list(Collection(shapes, value)) if is_list else [value]


def _shown(term: Node, blank: str) -> str:
    if isinstance(term, BNode):
        return blank
    if isinstance(term, URIRef):
        return short_name(lenient_ox(term))
    is_number = isinstance(term, Literal) and term.datatype in _NUMBERS
    return str(term) if is_number else written(lenient_ox(term))
