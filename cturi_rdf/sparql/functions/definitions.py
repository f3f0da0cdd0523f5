"""All functions by their names, and for queries of Oxigraph."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from pyoxigraph import NamedNode

from cturi_rdf.sparql.functions import facts, matching, parts
from cturi_rdf.sparql.functions.function import Function, keeping

if TYPE_CHECKING:
    from collections.abc import Callable

FUNCTIONS = {
    function.name: function
    for module in (parts, facts, matching)
    for function in vars(module).values()
    if isinstance(function, Function)
}


@cache
def oxigraph_functions() -> dict[NamedNode, Callable[..., Any]]:
    """Return the functions for the argument ``custom_functions`` of pyoxigraph's queries.

    Oxigraph itself refuses unknown functions; it has no functions as properties.

    >>> import pyoxigraph
    >>> solutions = pyoxigraph.Store().query(
    ...     'SELECT (<https://w3id.org/cturi/function#header>("CSV") AS ?h) {}',
    ...     custom_functions=oxigraph_functions())
    >>> print(next(solutions)["h"].value)
    text/csv
    """
    return {NamedNode(function.iri): keeping(function.value) for function in FUNCTIONS.values()}
