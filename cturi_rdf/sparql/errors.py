"""The errors of queries: ours for those of Oxigraph, with the place in the query."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pyoxigraph as ox

from cturi_rdf._util.display import PREFIXES
from cturi_rdf.errors import CturiError
from cturi_rdf.sparql.syntax import CLOSED_BY, apply, shield

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cturi_rdf.sparql.syntax import QueryEdit, QueryText

SERVICE = "SERVICE, which asks another server"
_PLACE = re.compile(r"error at (\d+):(\d+): expected (?:one of )?(.*)", re.DOTALL)
_KEYWORD = re.compile(r'"([^"\\\s]+)"|\b([A-Z_]{2,})\b')
_UNSUPPORTED = re.compile(r"custom (?:aggregate )?function <(.*?)> is not supported")
# The most keywords that an error lists.
_MANY = 6
# How much of a query an error about all of it shows.
_LONG = 80


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
