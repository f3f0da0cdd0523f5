"""Functions of SPARQL over content types, the same in every engine.

``FUNCTIONS`` has their definitions.  `register_functions` makes them known to rdflib, and so to
pySHACL, and to oxrdflib; `oxigraph_functions` gives them to queries of pyoxigraph.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cturi_rdf.sparql.functions import in_oxigraph
from cturi_rdf.sparql.functions.checking import check_query
from cturi_rdf.sparql.functions.definitions import FUNCTIONS
from cturi_rdf.sparql.functions.function import CTF, Function, forget_warnings
from cturi_rdf.sparql.functions.in_oxigraph import oxigraph_functions

if TYPE_CHECKING:
    from collections.abc import Iterator

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

# Under the lock: whether they are registered for good, and how many contexts need them.
_lock = threading.RLock()
_for_good = False
_contexts = 0
_registered = False


def register_functions() -> None:
    """Make the functions known to rdflib, and to oxrdflib where that is installed.

    From then on a query that names a function of this namespace which does not exist raises
    `CturiError` before it runs.  Doing it again changes nothing.

    >>> from rdflib import Graph
    >>> register_functions()
    >>> query = 'SELECT (ctf:header("CSV") AS ?header) {}'
    >>> [str(each.header) for each in Graph().query(query, initNs={"ctf": CTF})]
    ['text/csv']
    >>> unregister_functions()
    """
    global _for_good  # noqa: PLW0603 - as are the registrations
    with _lock:
        _for_good = True
        _update_registration()


def unregister_functions() -> None:
    """Undo `register_functions`, if it was called.

    What others had registered is restored.  Contexts of `registered_functions` that are open, in
    whatever thread, keep the functions until they end.
    """
    global _for_good  # noqa: PLW0603 - as are the registrations
    with _lock:
        _for_good = False
        _update_registration()


@contextmanager
def registered_functions() -> Iterator[None]:
    """Register the functions for as long as this context or another one lasts.

    Threads may overlap: the functions go when the last context ends, unless
    `register_functions` was called.
    """
    global _contexts  # noqa: PLW0603 - as are the registrations
    with _lock:
        _contexts += 1
        _update_registration()
    try:
        yield
    finally:
        with _lock:
            _contexts -= 1
            _update_registration()


def _update_registration() -> None:
    """Register the functions if somebody needs them, or take them out if nobody does."""
    global _registered  # noqa: PLW0603 - as are the registrations
    needed = _for_good or _contexts > 0
    if needed is _registered:
        return
    from cturi_rdf.sparql.functions import in_rdflib  # noqa: PLC0415 - loads rdflib's parser

    if needed:
        in_rdflib.register()
        in_oxigraph.register()
        forget_warnings()
    else:
        in_rdflib.unregister()
        in_oxigraph.unregister()
    _registered = needed


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
