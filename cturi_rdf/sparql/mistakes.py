"""The mistakes that people make in queries, each with what was meant.

Oxigraph says which character it cannot read, and what could stand there, which is rarely what its
author has to change.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from cturi_rdf._util.display import PREFIXES
from cturi_rdf.sparql.errors import refused

if TYPE_CHECKING:
    from cturi_rdf.sparql.syntax import QueryText, Token

_QUERIES = {"SELECT", "ASK", "CONSTRUCT", "DESCRIBE"}
_CTV = PREFIXES["ctv"]
_BEFORE_BRACKET = {"SELECT", "DISTINCT", "REDUCED"}
_OPERATORS = {"AND": "&&", "OR": "||"}


def check_text(query: QueryText) -> None:
    """Raise `CturiError` for an update, for unknown names, and for frequent slips of syntax.

    >>> from cturi_rdf.sparql.syntax import QueryText
    >>> check_text(QueryText("SELECT COUNT(*) { ?s ?p ?o }", {}))
    Traceback (most recent call last):
    cturi_rdf.errors.CturiError: an expression without a name
        SELECT COUNT(*) { ?s ?p ?o }
               ^^^^^ expected brackets and a name, as in (COUNT(*) AS ?n) (SPARQL 1.1)
    """
    text = query.text
    if query.is_update:
        raise refused("an update", text, "a query, which only reads")
    if query.form not in _QUERIES:
        word = next((token for token in query.tokens if token.kind == "word"), None)
        expected = "SELECT, ASK, CONSTRUCT or DESCRIBE"
        raise refused("not valid SPARQL", text, expected, word and word.span)
    if query.undeclared is not None:
        prefix = query.undeclared.text.partition(":")[0]
        raise refused(
            f"unknown prefix {prefix}:",
            text,
            f"PREFIX {prefix}: <…> at the start of the query",
            query.undeclared.span,
        )
    _check_terms(query)
    _check_selection(query)
    for token, following in zip(query.tokens, [*query.tokens[1:], None], strict=True):
        _check_token(query, token, following)


@cache
def _terms() -> dict[str, bool]:
    """Return the names of the terms of the vocabulary, and whether each is in use today.

    Data of earlier versions can still be asked.

    >>> _terms()["contentType"], _terms()["means"], "meaning" in _terms()
    (True, False, False)
    """
    text = files("cturi_rdf").joinpath("data", "vocabulary.nt").read_text("utf-8")
    name = rf"^<{re.escape(_CTV)}(\w+)> "
    earlier = set(re.findall(rf"{name}<{PREFIXES['owl']}deprecated>", text, re.MULTILINE))
    return {term: term not in earlier for term in re.findall(name, text, re.MULTILINE)}


def _check_terms(query: QueryText) -> None:
    """Raise `CturiError` for a term that the vocabulary does not have, with the nearest."""
    for token in query.tokens:
        if token.iri is None or not token.iri.startswith(_CTV) or token.iri == _CTV:
            continue
        name = token.iri.removeprefix(_CTV)
        if name not in _terms():
            # Properties come before the classes of the same name in other letters.
            names = {term.lower(): term for term, in_use in sorted(_terms().items()) if in_use}
            close = get_close_matches(name.lower(), names, n=1)
            expected = f"ctv:{names[close[0]]}" if close else "a term of the vocabulary"
            raise refused("no term of this name", query.text, expected, token.span)


def _check_selection(query: QueryText) -> None:
    """Raise `CturiError` for an expression without brackets, or a comma, after SELECT."""
    partners, _ = query.brackets
    at, in_head = 0, False
    while at < len(query.tokens):
        token = query.tokens[at]
        if token.kind == "word" and token.text.upper() == "SELECT":
            in_head = True
        elif token.text in {"{", "}"} or token.text.upper() in {"WHERE", "FROM"}:
            in_head = False
        elif in_head and token.text == ",":
            raise refused("a comma between variables", query.text, "a space", token.span)
        elif in_head and (closing := partners.get(at)) is not None:
            before = query.tokens[at - 1]
            named = [inner.kind for inner in query.tokens[closing - 2 : closing]]
            is_call = before.iri is not None or before.text.upper() not in _BEFORE_BRACKET
            if is_call and (before.iri is not None or before.kind == "word"):
                call = query.text[before.start : query.tokens[closing].span[1]]
                expected = f"brackets and a name, as in ({call} AS ?n)"
                raise refused("an expression without a name", query.text, expected, before.span)
            if named != ["word", "variable"]:
                expected = "a name, as in (COUNT(*) AS ?n)"
                raise refused("an expression without a name", query.text, expected, token.span)
            at = closing
        at += 1


def _check_token(query: QueryText, token: Token, following: Token | None) -> None:
    """Raise `CturiError` for a token that is in no query."""
    if token.kind == "sign" and token.text in {'"', "'"}:
        end = query.text.find("\n", token.start)
        span = token.start, len(query.text) if end < 0 else end
        raise refused("a string that does not end", query.text, token.text, span)
    if query.text.startswith("==", token.start) and following is not None:
        span = token.start, following.span[1]
        raise refused("not an operator of SPARQL", query.text, "=", span)
    if token.kind == "word" and (meant := _OPERATORS.get(token.text.upper())):
        raise refused("not an operator of SPARQL", query.text, meant, token.span)
    if token.kind == "iri" and token.iri and not query.base and ":" not in token.iri:
        expected = "an IRI with a scheme, or BASE <…> at the start of the query"
        raise refused("a relative IRI without a base", query.text, expected, token.span)
