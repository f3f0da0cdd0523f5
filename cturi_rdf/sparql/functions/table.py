"""All functions by their names, and checking that those which a query names exist."""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from cturi_rdf.errors import CturiError
from cturi_rdf.reading.terms import lenient_node
from cturi_rdf.sparql.functions import facts, parts
from cturi_rdf.sparql.functions.function import CTF, Function, keeping
from cturi_rdf.sparql.functions.terms import CallError
from cturi_rdf.sparql.syntax import QueryText

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from cturi_rdf.sparql.syntax import Token, Use

FUNCTIONS = {
    function.name: function
    for module in (parts, facts)
    for function in vars(module).values()
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
        return ox.Literal(token.text[quotes:-quotes])
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
