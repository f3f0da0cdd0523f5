"""The one value that a shape allows in the place of a wrong one, where that is certain.

* `sh:hasValue` (SHACL section 4.8.1): the value is added; where the path takes one value at most
  (`sh:maxCount 1`), it replaces the one that is there.
* `sh:in` (section 4.8.3): the only member that differs in case, spaces, scheme or a slash at the
  end, or of which the value is the name: the end of its IRI, or its label in the shapes or data.
* `sh:datatype` (section 4.1.2): the same text, if it is one of that datatype.
* `sh:nodeKind sh:IRI` (section 4.1.3): a text that is an absolute IRI.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from rdflib import RDF, RDFS, SKOS, XSD, Graph, Literal, URIRef
from rdflib.collection import Collection

from cturi_rdf.catalogue.shacl.validation import SH, validate
from cturi_rdf.reading.rdflib_graphs import read_graph
from cturi_rdf.reading.terms import from_ox, lenient_ox

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import pyoxigraph as ox
    from rdflib.term import Node

    from cturi_rdf.catalogue.shacl.validation import EngineName, Result
    from cturi_rdf.editing.engines import Engine


_IRI = re.compile(r"(?:https?|ftp|urn|mailto|doi):[^\s<>\"{}|\\^`]+")
_LABELS = (RDFS.label, SKOS.prefLabel, SKOS.notation)


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
    from cturi_rdf.catalogue.shacl.engine import union_of, usable

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
