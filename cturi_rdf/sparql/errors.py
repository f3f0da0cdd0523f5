"""The errors of queries: those of Oxigraph as ours, and the mistakes that people make in queries.

Oxigraph says which character it cannot read, and what could stand there, which is rarely what its
author has to change.  So the frequent mistakes are looked for first, and the error says what was
meant.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from difflib import get_close_matches
from itertools import zip_longest
from typing import TYPE_CHECKING

import pyoxigraph as ox

from cturi_rdf._util.display import PREFIXES
from cturi_rdf.errors import CturiError
from cturi_rdf.rdf.terms import terms_of_ours
from cturi_rdf.sparql.syntax import CLOSED_BY, apply, shield

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cturi_rdf.sparql.syntax import QueryEdit, QueryText, Token

SERVICE = "SERVICE, which asks another server"
_PLACE = re.compile(r"error at (\d+):(\d+): expected (?:one of )?(.*)", re.DOTALL)
_KEYWORD = re.compile(r'"([^"\\\s]+)"|\b([A-Z_]{2,})\b')
_UNSUPPORTED = re.compile(r"custom (?:aggregate )?function <(.*?)> is not supported")
# The most keywords that an error lists.
_MANY = 6
# How much of a query an error about all of it shows.
_LONG = 80
_QUERIES = {"SELECT", "ASK", "CONSTRUCT", "DESCRIBE"}
_UPDATES = {"ADD", "CLEAR", "COPY", "CREATE", "DELETE", "DROP", "INSERT", "LOAD", "MOVE", "WITH"}
_CTV = PREFIXES["ctv"]
_BEFORE_BRACKET = {"SELECT", "DISTINCT", "REDUCED"}
_OPERATORS = {"AND": "&&", "OR": "||"}


@contextmanager
def oxigraph_errors(query: QueryText, *, shielded: bool) -> Iterator[None]:
    """Turn Oxigraph's errors into ours."""
    try:
        yield
    except SyntaxError as error:
        edits = shield(query.text) if shielded else []
        raise _syntax_error(query, str(error), edits) from error
    except (OSError, RuntimeError, ValueError) as error:
        if isinstance(error, CturiError):
            raise
        unsupported = _UNSUPPORTED.search(str(error))
        if unsupported is None:
            raise failed(" ".join(str(error).split()), query.text) from error
        token = next((t for t in query.tokens if t.iri == unsupported[1]), None)
        raise refused(
            f"an unknown function <{unsupported[1]}>",
            query.text,
            f"a function of SPARQL, or one of <{PREFIXES['ctf']}>",
            token and token.span,
        ) from error


def _syntax_error(query: QueryText, message: str, edits: Sequence[QueryEdit]) -> CturiError:
    """Return our error for an error of Oxigraph's parser, with the place in the query."""
    text = query.text
    # Apart from the shield it is unchanged, so that places in it are places in the query.
    shielded = apply(text, edits)
    try:
        ox.Store().query(shielded, base_iri=query.base or None, prefixes=query.used_prefixes)
    except SyntaxError as error:
        message = str(error)
    except (OSError, RuntimeError, ValueError):
        pass
    place = _PLACE.search(message)
    if place is None:
        return refused(f"not valid SPARQL ({' '.join(message.split())})", text, "SPARQL")
    lines = shielded.split("\n")
    line, column = int(place[1]), int(place[2])
    start = sum(len(text_line) + 1 for text_line in lines[: line - 1]) + column - 1
    # The shield makes each IRI before it five characters longer.
    start -= 5 * sum(edit.start + 5 * number < start for number, edit in enumerate(edits))
    start = max(0, min(start, len(text)))
    keywords = [quoted or word for quoted, word in _KEYWORD.findall(place[3])]
    expected = ", ".join(dict.fromkeys(keywords)) if len(keywords) <= _MANY else ""
    _, still_open = query.brackets
    if start >= len(text.rstrip()) and still_open:
        expected = repr(CLOSED_BY[query.tokens[still_open[-1]].text])
    return refused("not valid SPARQL", text, expected or "SPARQL", (start, start + 1))


def refused(
    problem: str, text: str, expected: str, span: tuple[int, int] | None = None
) -> CturiError:
    """Return the error about a query, or about a span of it."""
    return CturiError(problem, text, span, expected, "SPARQL 1.1")


def without_network(problem: str, text: str) -> CturiError:
    """Return the error about a query that asks for the network, which is not allowed."""
    expected = "a query that needs no network"
    return refused(problem, text, expected).with_option(", or --allow-network")


def failed(error: Exception | str, text: str) -> CturiError:
    """Return the error for a query that an engine cannot answer."""
    return refused(f"a query that fails ({first_line(error)})", text, "another")


def first_line(error: Exception | str) -> str:
    """Return the first line of an error, or its kind where it has no text."""
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def short(text: str) -> str:
    """Return a query on one line, and no more than its beginning where it is long."""
    line = " ".join(text.split())
    return line if len(line) <= _LONG else line[: _LONG - 1] + "…"


# --- The mistakes of people -------------------------------------------------------------------


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
    if query.form in _UPDATES:
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
    for token, following in zip_longest(query.tokens, query.tokens[1:]):
        _check_token(query, token, following)


def _check_terms(query: QueryText) -> None:
    """Raise `CturiError` for a term that the vocabulary does not have, with the nearest."""
    for token in query.tokens:
        if token.iri is None or not token.iri.startswith(_CTV) or token.iri == _CTV:
            continue
        name, terms = token.iri.removeprefix(_CTV), terms_of_ours()
        # Data of earlier versions can still be asked.
        if name not in terms:
            # Properties come before the classes of the same name in other letters.
            names = {term.lower(): term for term, in_use in sorted(terms.items()) if in_use}
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
            is_word = before.kind == "word" and before.text.upper() not in _BEFORE_BRACKET
            if is_word or before.iri is not None:
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
        span = token.start, len(query.text) if end == -1 else end
        raise refused("a string that does not end", query.text, token.text, span)
    if query.text.startswith("==", token.start) and following is not None:
        span = token.start, following.span[1]
        raise refused("not an operator of SPARQL", query.text, "=", span)
    if token.kind == "word" and (meant := _OPERATORS.get(token.text.upper())):
        raise refused("not an operator of SPARQL", query.text, meant, token.span)
    if token.kind == "iri" and token.iri and not query.base and ":" not in token.iri:
        expected = "an IRI with a scheme, or BASE <…> at the start of the query"
        raise refused("a relative IRI without a base", query.text, expected, token.span)
