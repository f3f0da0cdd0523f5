"""Answers to queries: as results of rdflib, as rows of text, and as they are written.

Rows are written in the four formats of SPARQL, and graphs with prefixes.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import pyoxigraph as ox

from cturi_rdf._util.display import PREFIXES
from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.reading.terms import from_ox, lenient_ox
from cturi_rdf.reading.writable import character_not_in_xml
from cturi_rdf.sparql.errors import refused

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rdflib import Dataset
    from rdflib.query import Result
    from rdflib.term import Identifier

    from cturi_rdf.errors import CturiError
    from cturi_rdf.sparql.evaluation import Content
    from cturi_rdf.sparql.syntax import QueryText

# What an error calls the output.
_ANSWER = "the answer"


class Answer(NamedTuple):
    """The answer to a query, as a result of rdflib or as text, which takes less time."""

    query: QueryText
    content: Content

    def as_result(self) -> Result:
        """Return the answer as a result of rdflib; raises `CturiError` for a triple as a value."""
        from rdflib import Graph, Variable
        from rdflib.query import Result

        query, content = self
        if isinstance(content, bool):
            result = Result("ASK")
            result.askAnswer = content
        elif isinstance(content, list):
            result = Result("CONSTRUCT")
            result.graph = Graph()
            for triple in content:
                result.graph.add(tuple(_term(query, term) for term in triple))
        else:
            names, rows = content
            result = Result("SELECT")
            result.vars = [Variable(name) for name in query.in_order(names)]
            variables = [Variable(name) for name in names]
            result.bindings = [
                {
                    name: _term(query, term)
                    for name, term in zip(variables, row, strict=True)
                    if term is not None
                }
                for row in rows
            ]
        return result

    def text_rows(self) -> list[list[str]]:
        """Return the names of the variables, and rows of the text of each value.

        Raises `CturiError` for a triple as a value, and `TypeError` where the answer is no rows.
        """
        query, content = self
        if not isinstance(content, tuple):
            raise TypeError("the answer is no rows")
        names, rows = content
        order = [names.index(name) for name in query.in_order(names)]
        texts = ([_text(query, row[at]) for at in order] for row in rows)
        return [[names[at] for at in order], *texts]


def _text(query: QueryText, term: Any) -> str:
    """Return a term as tables and CSV show it: its text, or the label of a blank node."""
    if term is None:
        return ""
    if isinstance(term, ox.Triple):
        raise _inexpressible(query)
    return f"_:{term.value}" if isinstance(term, ox.BlankNode) else str(term.value)


def _term(query: QueryText, term: Any) -> Any:
    if isinstance(term, ox.Triple):
        raise _inexpressible(query)
    return from_ox(term)


def _inexpressible(query: QueryText) -> CturiError:
    problem = "a triple term in the answer, which rdflib cannot hold"
    return refused(problem, query.text, "a FILTER(!isTRIPLE(…)) that leaves it out")


def answer_triples(result: Result, prefixes: Mapping[str, str]) -> Dataset:
    """Return the triples of a result, with the common prefixes and those of the data.

    >>> from cturi_rdf.sparql.query import run
    >>> len(answer_triples(run("CONSTRUCT { <e:a> a <e:B> } {}"), {}))
    1
    """
    from rdflib import Dataset

    dataset = Dataset(default_union=True)
    for prefix, namespace in {**PREFIXES, **prefixes}.items():
        dataset.bind(prefix, namespace)
    for triple in result.graph or ():
        dataset.add(triple)
    return dataset


def writers(result: Result) -> dict[str, Callable[[], bytes]]:
    """Return the functions that write rows or an answer to ASK, by Content-Type, best first.

    >>> from cturi_rdf.sparql.query import run
    >>> writers(run("ASK {}"))["application/sparql-results+json"]()
    b'{"head": {}, "boolean": true}'
    """
    return {
        content_type: partial(write, result)
        for content_type, write in _WRITERS.items()
        # CSV and TSV are formats of rows.
        if result.type == "SELECT" or not content_type.startswith("text/")
    }


def _by_rdflib(name: str, result: Result) -> bytes:
    return result.serialize(format=name) or b""


def _as_xml(result: Result) -> bytes:
    """Return a result as SPARQL Query Results XML.

    Raises `CatalogError` for a value with a character that XML does not have.
    """
    for row in result.bindings or ():
        for name, term in row.items():
            character = character_not_in_xml(term)
            if character:
                raise CatalogError(
                    f"XML cannot hold {character}, which is in a value of ?{name}",
                    _ANSWER,
                    "another format, such as JSON (XML 1.0 section 2.2)",
                )
    # XML 1.0 section 2.11: a parser makes a line feed of a carriage return that is no reference.
    return _by_rdflib("xml", result).replace(b"\r", b"&#13;")


def _as_tsv(result: Result) -> bytes:
    """Return rows as SPARQL 1.1 Query Results TSV: terms as Turtle writes them."""
    names = result.vars or []
    lines = ["\t".join(f"?{name}" for name in names)]
    lines += (
        "\t".join(_on_one_line(row[name]) if name in row else "" for name in names)
        for row in result.bindings
    )
    return ("\n".join(lines) + "\n").encode()


def _on_one_line(term: Identifier) -> str:
    """Return a term in Turtle; a tab or a line break is an escape (section 4.1)."""
    text = term.n3()
    # rdflib writes these as they are, Oxigraph escapes them.
    return str(lenient_ox(term)) if "\t" in text or "\n" in text else text


_WRITERS: dict[str, Callable[[Result], bytes]] = {
    "application/sparql-results+json": partial(_by_rdflib, "json"),
    "application/sparql-results+xml": _as_xml,
    "text/csv; charset=utf-8": partial(_by_rdflib, "csv"),
    "text/tab-separated-values; charset=utf-8": _as_tsv,
    "application/json": partial(_by_rdflib, "json"),
}
