"""pySHACL, the engine for the shapes of others, which is loaded on first use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cturi_rdf._util.extras import import_extra
from cturi_rdf.reading.errors import CatalogError

if TYPE_CHECKING:
    from rdflib import Graph

__all__ = ["has_focus_node", "validate"]


def validate(graph: Graph, shapes: Graph) -> Graph:
    """Return the validation report over any graph, which may be changed on the way.

    Raises `CatalogError` where pySHACL cannot make shapes of `shapes`.
    """
    from rdflib import Graph

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
    import logging

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
