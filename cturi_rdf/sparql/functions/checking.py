"""Checking a query before it runs: every function of ours that it names has to exist."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from cturi_rdf.errors import CturiError
from cturi_rdf.sparql.functions.definitions import FUNCTIONS
from cturi_rdf.sparql.functions.function import CTF
from cturi_rdf.sparql.syntax import QueryText

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["check_query", "refuse_unknown", "unusable"]

_RULE = "the table of functions"


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
    for token, is_predicate in QueryText(text, prefixes or {}).functions():
        refuse_unknown([token.iri or ""])
        if is_predicate and not properties:
            raise unusable(
                "a function as a property",
                token.text,
                "a call, such as ctf:resolve(?label, 2): only rdflib's engine has the other form",
            )


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
