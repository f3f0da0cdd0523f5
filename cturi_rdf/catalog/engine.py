"""The SHACL engine: pySHACL, over Oxigraph's store where the graph is our own.

Queries are most of the work; Oxigraph answers them many times faster than rdflib, yet refuses
IRIs and languages that real catalogues have.
"""

from __future__ import annotations

import logging
from functools import cache
from typing import TYPE_CHECKING, Any

from rdflib import BNode, Graph, Literal, URIRef

from cturi_rdf.catalog.errors import CatalogError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rdflib.term import Node

__all__ = ["acceptable", "has_focus_node", "validate", "validate_fast"]


def validate_fast(triples: Iterable[tuple[Node, Node, Node]], shapes: Graph) -> Graph:
    """Return the validation report over triples whose terms Oxigraph accepts."""
    ox = _oxigraph()
    terms: dict[Node, Any] = {}
    quads = []
    for triple in triples:
        for term in triple:
            if term not in terms:
                terms[term] = _to_oxigraph(term)
        quads.append(ox.Quad(*(terms[term] for term in triple)))
    store = ox.Store()
    store.extend(quads)
    return _run(_data_graph()(store), shapes)


def validate(graph: Graph, shapes: Graph) -> Graph:
    """Return the validation report over any graph, which may be changed on the way.

    Raises `CatalogError` where pySHACL cannot make shapes of `shapes`.
    """
    return _run(graph, shapes)


def has_focus_node(graph: Graph, shapes: Graph) -> bool:
    """Return whether the shapes have anything to look at in a graph.

    Raises `CatalogError` where pySHACL cannot make shapes of `shapes`.
    """
    _pyshacl()
    from pyshacl.errors import ReportableRuntimeError, ShapeLoadError  # noqa: PLC0415 - an extra
    from pyshacl.graph_abstraction import DataGraph  # noqa: PLC0415
    from pyshacl.shapes_graph import ShapesGraph  # noqa: PLC0415

    data = DataGraph.from_rdflib(graph)
    try:
        found = ShapesGraph(shapes, None, logging.getLogger(__name__)).shapes
        return any(each.focus_nodes(data) for each in found)
    except (ReportableRuntimeError, ShapeLoadError) as error:
        raise _unusable(error) from error


def acceptable(term: Node) -> bool:
    """Return whether Oxigraph takes a term for a node."""
    try:
        _to_oxigraph(term)
    except ValueError:
        return False
    return True


def _run(data: Any, shapes: Graph) -> Graph:
    pyshacl = _pyshacl()
    try:
        _, report, text = pyshacl.validate(data, shacl_graph=shapes, inplace=True)
    except Exception as error:
        # A shapes graph can be wrong in many ways, and pySHACL raises as many things.
        raise _unusable(error) from error
    if not isinstance(report, Graph):
        raise _unusable(text)
    return report


def _unusable(error: object) -> CatalogError:
    said = getattr(error, "message", None) or str(error)
    reason = " ".join(str(said).split()) or type(error).__name__
    return CatalogError(f"pySHACL cannot use them ({reason})", "the shapes", "SHACL shapes")


def _to_oxigraph(term: Node) -> Any:
    ox = _oxigraph()
    if isinstance(term, URIRef):
        return ox.NamedNode(str(term))
    if isinstance(term, BNode):
        return ox.BlankNode(str(term))
    if isinstance(term, Literal) and term.language:
        return ox.Literal(str(term), language=term.language)
    datatype = term.datatype if isinstance(term, Literal) else None
    return ox.Literal(str(term), datatype=ox.NamedNode(str(datatype)) if datatype else None)


@cache
def _data_graph() -> Any:
    """Return pySHACL's class of graphs over Oxigraph, made cheap to ask whether it is there."""
    _pyshacl()
    from pyshacl.graph_abstraction import OxigraphDataGraph  # noqa: PLC0415 - an extra

    class Whole(OxigraphDataGraph):
        """pySHACL asks for each result whether there is a graph, which counts its triples."""

        def __bool__(self) -> bool:
            return True

    return Whole


@cache
def _oxigraph() -> Any:
    return _extra("pyoxigraph")


@cache
def _pyshacl() -> Any:
    return _extra("pyshacl")


def _extra(name: str) -> Any:
    import importlib  # noqa: PLC0415 - only here

    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise CatalogError(
            f"{name} is not installed",
            "the SHACL engine",
            "the extra: pip install cturi-rdf[shacl]",
        ) from error
