"""The functions in Oxigraph: given to each query, also to queries through oxrdflib."""

from __future__ import annotations

from functools import cache, partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from pyoxigraph import NamedNode

from cturi_rdf.sparql.functions.checking import check_query
from cturi_rdf.sparql.functions.definitions import FUNCTIONS
from cturi_rdf.sparql.functions.function import keeping

if TYPE_CHECKING:
    from collections.abc import Callable


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


# --- oxrdflib, whose store gives a query to Oxigraph without any functions ------------------

# The original methods of oxrdflib's store, while ours are in their place.
_replaced: dict[str, Any] = {}


def register() -> None:
    """Make the functions known to the stores of oxrdflib, where that is installed."""
    try:
        from oxrdflib import OxigraphStore
    except ImportError:
        return
    for name in ("query", "update"):
        _replaced[name] = getattr(OxigraphStore, name)
        setattr(OxigraphStore, name, _checked(_replaced[name]))


def unregister() -> None:
    """Take the functions out of oxrdflib again."""
    while _replaced:
        from oxrdflib import OxigraphStore

        setattr(OxigraphStore, *_replaced.popitem())


def _checked(original: Any) -> Callable[..., Any]:
    """Return a method of the store that checks its text first, and knows the functions."""

    def method(self: Any, text: Any, namespaces: Any, *others: Any, **more: Any) -> Any:
        own_prefixes = self._namespace_for_prefix
        if isinstance(text, str):
            check_query(text, {**own_prefixes, **namespaces}, properties=False)
        functions = {"custom_functions": oxigraph_functions()}
        # The part of the store that its methods need, with an Oxigraph that has the functions.
        inner = SimpleNamespace(
            query=partial(self._inner.query, **functions),
            update=partial(self._inner.update, **functions),
        )
        store = SimpleNamespace(_inner=inner, _namespace_for_prefix=own_prefixes)
        return original(store, text, namespaces, *others, **more)

    return method
