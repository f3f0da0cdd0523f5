"""Functions of SPARQL over content types, the same in every engine.

``FUNCTIONS`` has their definitions.  `register_functions` makes them known to rdflib (and so to
pySHACL) and to oxrdflib; `oxigraph_functions` gives them to queries of pyoxigraph.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cturi_rdf.sparql.functions.function import CTF, Function, forget_warnings
from cturi_rdf.sparql.functions.table import FUNCTIONS, check_query, oxigraph_functions

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

__all__ = [
    "CTF",
    "FUNCTIONS",
    "Function",
    "check_query",
    "function_table",
    "oxigraph_functions",
    "register_functions",
    "registered_functions",
    "unregister_functions",
]

# The users of the functions, under the lock: open contexts, and a permanent registration.
_users: set[object] = set()
_lock = threading.RLock()
_FOR_GOOD = "for good"


def register_functions() -> None:
    """Make the functions known to rdflib, and to oxrdflib where that is installed.

    From then on, a query that names an unknown function of this namespace raises `CturiError`
    before it runs.  A second call changes nothing.

    >>> from rdflib import Graph
    >>> register_functions()
    >>> query = 'SELECT (ctf:header("CSV") AS ?header) {}'
    >>> [str(row.header) for row in Graph().query(query, initNs={"ctf": CTF})]
    ['text/csv']
    >>> unregister_functions()
    """
    _add(_FOR_GOOD)


def unregister_functions() -> None:
    """Undo `register_functions`, if it was called.

    Functions that others had registered before are restored.  Open contexts of
    `registered_functions`, in any thread, keep the functions until they end.
    """
    _remove(_FOR_GOOD)


@contextmanager
def registered_functions() -> Iterator[None]:
    """Register the functions for as long as this context or another one lasts.

    Threads may overlap: the functions go when the last context ends, unless
    `register_functions` was called.
    """
    user = object()
    _add(user)
    try:
        yield
    finally:
        _remove(user)


def _add(user: object) -> None:
    """Add a user of the functions, and register them for the first."""
    with _lock:
        if not _users:
            _engine().register()
            forget_warnings()
        _users.add(user)


def _remove(user: object) -> None:
    """Remove a user of the functions, and unregister them after the last."""
    with _lock:
        if _users == {user}:
            _engine().unregister()
        _users.discard(user)


def _engine() -> ModuleType:
    from cturi_rdf.sparql.functions import in_rdflib

    return in_rdflib


def function_table() -> str:
    """Return the documentation of the functions: a table in Markdown."""
    rows = ["| call | value | is | example |", "| --- | --- | --- | --- |"]
    for function in FUNCTIONS.values():
        expression, value = function.examples[0]
        example = f"`{expression}` is `{value}`".replace("|", "\\|")
        several = ", several" if function.several else ""
        cells = (
            f"`{function.signature}`",
            f"{function.result}{several}",
            function.summary,
            example,
        )
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows) + "\n"
