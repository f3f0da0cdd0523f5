"""Functions of SPARQL over content types, the same in every engine.

``FUNCTIONS`` has their definitions.  `register_functions` makes them known to rdflib (and so to
pySHACL) and to oxrdflib; `oxigraph_functions` gives them to queries of pyoxigraph.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager
from difflib import get_close_matches
from functools import cache
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from cturi_rdf._util.display import whole_characters
from cturi_rdf.errors import CturiError
from cturi_rdf.reading.terms import lenient_node
from cturi_rdf.sparql.functions import definitions
from cturi_rdf.sparql.functions.function import CTF, CallError, Function, forget_warnings, keeping
from cturi_rdf.sparql.syntax import QueryText

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from cturi_rdf.sparql.syntax import Token, Use

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

FUNCTIONS = {
    function.name: function
    for function in vars(definitions).values()
    if isinstance(function, Function)
}
_RULE = "the table of functions"


@cache
def oxigraph_functions() -> dict[ox.NamedNode, Callable[..., Any]]:
    """Return the functions for the argument ``custom_functions`` of pyoxigraph's queries.

    Oxigraph itself refuses unknown functions; it has no functions as properties.

    >>> import pyoxigraph
    >>> solutions = pyoxigraph.Store().query(
    ...     'SELECT (<https://w3id.org/cturi/function#header>("CSV") AS ?h) {}',
    ...     custom_functions=oxigraph_functions())
    >>> print(next(solutions)["h"].value)
    text/csv
    """
    return {ox.NamedNode(function.iri): keeping(function.value) for function in FUNCTIONS.values()}


def check_query(
    text: str, prefixes: Mapping[str, str] | None = None, *, properties: bool = True
) -> None:
    """Refuse a query or an update that names a function of ours that does not exist.

    `prefixes` are those that the engine knows besides those in the text.  `properties` says
    whether the engine can take a function as a property, which only rdflib does.  Raises
    `CturiError`.  Only tokens are read, so any dialect of SPARQL will do.

    >>> check_query("ASK { FILTER(ctf:isXLM('text/xml')) }", {"ctf": CTF})
    Traceback (most recent call last):
    cturi_rdf.errors.CturiError: no function of this name
        ctf:isXLM
        ^^^^^^^^^ expected ctf:isXML (the table of functions)
    """
    for use in QueryText(text, prefixes or {}).functions():
        refuse_unknown([use.name.iri or ""])
        if use.is_property and not properties:
            raise unusable(
                "a function as a property",
                use.name.text,
                "a call, such as ctf:resolve(?label, 2): only rdflib's engine has the other form",
            )


def check_use(use: Use) -> None:
    """Raise `CturiError` unless a function exists, and takes as many arguments and these constants.

    >>> [use] = QueryText("ASK { FILTER(ctf:as(?x, 'wikdata')) }", {"ctf": CTF}).functions()
    >>> check_use(use)
    Traceback (most recent call last):
    cturi_rdf.errors.CturiError: a scheme that is unknown
        'wikdata'
        ^^^^^^^^^ expected wikidata (ctf:as(x, scheme, [n]))
    """
    name = use.name.iri or ""
    refuse_unknown([name])
    if use.arguments is None:
        return
    function = FUNCTIONS[name.removeprefix(CTF)]
    terms = [_constant(argument) for argument in use.arguments]
    try:
        function.check(terms)
    except CallError as error:
        at = next(
            (at for at, term in enumerate(terms) if error.text == getattr(term, "value", None)),
            None,
        )
        shown = use.name.text if at is None else use.arguments[at][0].text
        raise CturiError(
            error.problem, shown, expected=error.expected, rule=function.signature
        ) from error


def _constant(argument: Sequence[Token]) -> ox.NamedNode | ox.Literal | None:
    """Return the term of an argument that is an IRI or a plain string, and None for any other."""
    if len(argument) != 1:
        return None
    [token] = argument
    if token.iri is not None:
        return lenient_node(token.iri)
    if token.kind == "literal" and "\\" not in token.text:
        quotes = 3 if token.text[:3] in {'"""', "'''"} else 1
        return ox.Literal(whole_characters(token.text[quotes:-quotes]))
    return None


def refuse_unknown(iris: Iterable[str]) -> None:
    """Raise `CturiError` for the first IRI in the functions' namespace that names none."""
    for iri in iris:
        name = iri.removeprefix(CTF)
        if iri.startswith(CTF) and name not in FUNCTIONS:
            names = {name.lower(): name for name in FUNCTIONS}
            close = get_close_matches(name.lower(), names, n=1)
            every = ", ".join(f"ctf:{name}" for name in FUNCTIONS)
            expected = f"ctf:{names[close[0]]}" if close else f"one of {every}"
            raise unusable("no function of this name", f"ctf:{name}", expected)


def unusable(problem: str, text: str, expected: str) -> CturiError:
    """Return the error about a part of a query."""
    return CturiError(problem, text, expected=expected, rule=_RULE)


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


# Registering in rdflib: the users of the functions, under the lock, are the open contexts, and a
# permanent registration.
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
    from cturi_rdf.sparql import rdflib_engine

    with _lock:
        if not _users:
            rdflib_engine.register()
            forget_warnings()
        _users.add(user)


def _remove(user: object) -> None:
    """Remove a user of the functions, and unregister them after the last."""
    from cturi_rdf.sparql import rdflib_engine

    with _lock:
        if _users == {user}:
            rdflib_engine.unregister()
        _users.discard(user)
