"""The engines that run SHACL shapes: pySHACL, and `shacl`, which is faster and finds the same.

Theory of operation.  The results are those of SHACL section 3.6.2, whichever engine finds them.
What a report may say beside them differs, so it is made the same here:

* Both engines give the messages of the shapes.  Where a shape has none, pySHACL makes one up and
  `shacl` does not: `cturi_rdf.catalogue.shacl.foreign_shapes` has the message for both.
* pySHACL gives the results of a shape that is named by `sh:node` as details, and they say what to
  mend.  `shacl` has no details.
* `shacl` takes and gives text, in which the labels of blank nodes are its own.  The blank nodes of
  the data are recognized by a result for each: one more triple leads to each of them, and one more
  shape wants its object to be an IRI.  The shapes without a name get one for the run.

`shacl` is used where it is installed, unless the shapes with results use `sh:node`, or some shape
uses SPARQL: a query may see the additional triples.  It ignores shapes that break the rules of
SHACL's syntax, which pySHACL explains, so these are left to pySHACL as well.
"""

from __future__ import annotations

import logging
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import pyoxigraph as ox
from rdflib import RDF, RDFS, XSD, BNode, Graph, Namespace, URIRef
from rdflib import Literal as RdfLiteral

from cturi_rdf._util.lazy import import_extra
from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.reading.terms import from_ox, lenient_ox

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rdflib.term import Node

SH = Namespace("http://www.w3.org/ns/shacl#")
EngineName = Literal["pyshacl", "shacl"]
# The extra that installs each engine.
_EXTRAS = {"pyshacl": "shacl", "shacl": "fast-shacl"}
_QUERIES = (SH.select, SH.ask, SH.construct, SH.js)
_TARGETS = (SH.targetNode, SH.targetClass, SH.targetSubjectsOf, SH.targetObjectsOf)
# SHACL section 4: what the values of parameters have to be.
_SHAPES = (SH.property, SH["not"], SH.qualifiedValueShape)
_IRIS = (
    SH["class"], SH.datatype, SH.nodeKind, SH.equals, SH.disjoint, SH.lessThan, SH.lessThanOrEquals,
    SH.targetClass, SH.targetSubjectsOf, SH.targetObjectsOf,
)  # fmt: skip
_NUMBERS = (
    SH.minCount, SH.maxCount, SH.minLength, SH.maxLength, SH.qualifiedMinCount,
    SH.qualifiedMaxCount,
)  # fmt: skip
_LISTS = (SH["in"], SH["and"], SH["or"], SH.xone, SH.languageIn, SH.ignoredProperties)
_OURS = "urn:x-cturi:"
_PROBE = URIRef(f"{_OURS}probe")


class Result(NamedTuple):
    """A validation result; `path` is the property, None where it is another path or missing."""

    node: Node
    path: URIRef | None
    value: Node | None
    shape: Node
    component: Node
    severity: Node
    messages: tuple[RdfLiteral, ...]


def validate(graph: Graph, shapes: Graph, engine: EngineName | None = None) -> list[Result]:
    """Return the results of shapes over a graph, which may be changed on the way.

    Without the name of an `engine` the faster one is used if it is installed and the shapes are
    such that it finds the same.  Raises `CatalogError` where the engine is not installed, or cannot
    use the shapes.
    """
    if engine == "shacl" and not _is_well_formed(shapes):
        raise _unusable("shacl", "they break the rules of SHACL's syntax; pyshacl says which")
    if engine == "shacl" or (engine is None and _is_for_shacl(shapes)):
        try:
            return _by_shacl(graph, shapes)
        except ValueError as error:
            # An IRI or a shape that is none: pySHACL takes the former, and explains the latter.
            if engine == "shacl":
                raise _unusable("shacl", error) from error
    return _by_pyshacl(graph, shapes)


def _is_for_shacl(shapes: Graph) -> bool:
    if find_spec("shacl") is None:
        return False
    if find_spec("pyshacl") is None:
        return _is_well_formed(shapes)
    has_details = any((shape, SH.node, None) in shapes for shape in _with_results(shapes))
    has_queries = any((None, term, None) in shapes for term in _QUERIES)
    return not (has_details or has_queries) and _is_well_formed(shapes)


def _with_results(shapes: Graph) -> list[Node]:
    """Return the shapes that a result may be of: those with targets, and property shapes."""
    several = [*shapes.objects(None, SH.property), *shapes.subjects(RDF.type, RDFS.Class)]
    for target in _TARGETS:
        several += shapes.subjects(target, None)
    return list(dict.fromkeys(several))


def _is_well_formed(shapes: Graph) -> bool:
    """Return whether the parameters of shapes have values of the right kinds (SHACL section 4)."""

    def values(parameters: Iterable[Node]) -> Iterator[Node]:
        return (value for one in parameters for value in shapes.objects(None, one))

    return (
        not any(isinstance(value, RdfLiteral) for value in values(_SHAPES))
        and all(isinstance(value, URIRef) for value in values(_IRIS))
        and all(getattr(value, "datatype", None) == XSD.integer for value in values(_NUMBERS))
        and all(value == RDF.nil or (value, RDF.rest, None) in shapes for value in values(_LISTS))
        and all((value, SH.path, None) in shapes for value in values((SH.property,)))
    )


def has_focus_node(graph: Graph, shapes: Graph) -> bool:
    """Return whether shapes have anything to look at in a graph (SHACL section 2.1.3).

    >>> data = Graph().add((URIRef("urn:a"), RDF.type, URIRef("urn:Book")))
    >>> shapes = Graph().add((URIRef("urn:S"), SH.targetClass, URIRef("urn:Book")))
    >>> has_focus_node(data, shapes), has_focus_node(Graph(), shapes)
    (True, False)
    """
    kinds = (SH.NodeShape, SH.PropertyShape)
    implicit = {
        shape
        for kind in kinds
        for shape in shapes.subjects(RDF.type, kind)
        if (shape, RDF.type, RDFS.Class) in shapes
    }
    classes = implicit.union(shapes.objects(None, SH.targetClass))
    return (
        (None, SH.targetNode, None) in shapes
        or any((None, path, None) in graph for path in shapes.objects(None, SH.targetSubjectsOf))
        or any((None, path, None) in graph for path in shapes.objects(None, SH.targetObjectsOf))
        or any(
            (None, RDF.type, kind) in graph
            for of_shapes in classes
            for kind in graph.transitive_subjects(RDFS.subClassOf, of_shapes)
        )
    )


def _by_pyshacl(graph: Graph, shapes: Graph) -> list[Result]:
    pyshacl = _engine("pyshacl")
    logging.getLogger("pyshacl").setLevel(logging.CRITICAL)
    try:
        _, report, text = pyshacl.validate(graph, shacl_graph=shapes, inplace=True)
    except Exception as error:
        # A shapes graph can be wrong in many ways, and pySHACL raises as many things.
        raise _unusable("pySHACL", error) from error
    if not isinstance(report, Graph):
        raise _unusable("pySHACL", text)
    root = report.value(None, RDF.type, SH.ValidationReport)
    return [
        one
        for result in report.objects(root, SH.result)
        for one in _with_details(report, result, report.value(result, SH.resultSeverity))
    ]


def _with_details(report: Graph, result: Node, severity: Any) -> Iterator[Result]:
    """Yield a result and its details, which are as severe as the result (section 3.6.2.6)."""
    yield _result(report, result, severity)
    for detail in report.objects(result, SH.detail):
        yield from _with_details(report, detail, severity)


def _result(report: Graph, result: Node, severity: Any) -> Result:
    node, path, value, shape, component = (
        report.value(result, term)
        for term in (
            SH.focusNode, SH.resultPath, SH.value, SH.sourceShape, SH.sourceConstraintComponent,
        )
    )  # fmt: skip
    messages = (
        text if isinstance(text, RdfLiteral) else RdfLiteral(str(text))
        for text in report.objects(result, SH.resultMessage)
    )
    if node is None or shape is None or component is None:
        raise _unusable("the engine", "a result without a focus node, a shape or a component")
    path = path if isinstance(path, URIRef) else None
    return Result(node, path, value, shape, component, severity, tuple(sorted(messages)))


def _by_shacl(graph: Graph, shapes: Graph) -> list[Result]:
    """Return the results of `shacl`.  Raises `ValueError` for what it cannot parse."""
    engine = _engine("shacl")
    names = _named(shapes)
    nodes = {term for triple in graph for term in triple[::2] if isinstance(term, BNode)}
    probes: dict[Node, Node] = {
        URIRef(f"{_OURS}{number}"): node for number, node in enumerate(nodes)
    }
    data = [*graph, *((probe, _PROBE, node) for probe, node in probes.items())]
    rules = [tuple(names.get(term, term) for term in triple) for triple in shapes]
    shape, wanted = URIRef(f"{_OURS}shape"), URIRef(f"{_OURS}wanted")
    rules += [
        (shape, SH.targetSubjectsOf, _PROBE),
        (shape, SH.property, wanted),
        (wanted, SH.path, _PROBE),
        (wanted, SH.nodeKind, SH.IRI),
    ]
    compiled = engine.Shapes.from_text(_lines(rules), "ntriples")
    text = compiled.validate_text(_lines(data), "ntriples").serialize("ntriples")
    report = Graph()
    for triple in ox.parse(text, ox.RdfFormat.N_TRIPLES):
        report.add((from_ox(triple.subject), from_ox(triple.predicate), from_ox(triple.object)))
    root = report.value(None, RDF.type, SH.ValidationReport)
    results = [
        _result(report, result, report.value(result, SH.resultSeverity))
        for result in report.objects(root, SH.result)
    ]
    own: dict[Any, Node] = {one.value: probes[one.node] for one in results if one.shape == wanted}
    without_name: dict[Node, Node] = {name: node for node, name in names.items()}
    return [
        one._replace(
            node=own.get(one.node, one.node),
            value=own.get(one.value, one.value),
            shape=without_name.get(one.shape, one.shape),
        )
        for one in results
        if one.shape != wanted
    ]


def _named(shapes: Graph) -> dict[Node, URIRef]:
    """Return a name for each shape without one that a result may be of."""
    blank = [shape for shape in _with_results(shapes) if isinstance(shape, BNode)]
    return {shape: URIRef(f"{_OURS}shape{number}") for number, shape in enumerate(blank)}


def _lines(triples: Iterable[Any]) -> str:
    """Return triples in N-Triples."""
    quads = (ox.Triple(*map(lenient_ox, triple)) for triple in triples)
    return (ox.serialize(quads, format=ox.RdfFormat.N_TRIPLES) or b"").decode()


def _engine(name: EngineName) -> Any:
    try:
        return import_extra(name, _EXTRAS[name])
    except ImportError as error:
        raise CatalogError(str(error), "the SHACL engine", f"the extra {_EXTRAS[name]}") from error


def _unusable(engine: str, error: object) -> CatalogError:
    message = getattr(error, "message", None) or str(error)
    reason = " ".join(str(message).split()) or type(error).__name__
    return CatalogError(f"{engine} cannot use them ({reason})", "the shapes", "SHACL shapes")
