"""SPARQL in a cell: ``%%sparql`` and the name of a variable that has a graph."""

from __future__ import annotations

import argparse
import shlex
from typing import TYPE_CHECKING, Any, NoReturn

from rdflib import Graph, URIRef
from rdflib.plugins.sparql import prepareQuery

from cturi_rdf.errors import CturiError
from cturi_rdf.notebook.tables import table
from cturi_rdf.rdf.vocab import CTV
from cturi_rdf.sparql.functions import CTF, register_functions

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cturi_rdf._util.display import Table

__all__ = ["query", "run_cell"]

# What a query may leave undeclared, beside what the graph itself declares.
_PREFIXES = {
    "ctv": str(CTV),
    "ctf": CTF,
    "ct": "ContentType:",
    "dcat": "http://www.w3.org/ns/dcat#",
    "dct": "http://purl.org/dc/terms/",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "schema": "https://schema.org/",
}
_USAGE = "the name of a variable with a graph, and perhaps: --into NAME"


def query(graph: Graph, text: str) -> Table | Graph:
    """Return what a query over a graph gives: a table, or the graph that it constructs.

    The functions of `ctf:` and the usual prefixes are known.  Raises `CturiError` where it
    is no query, with the place.

    >>> query(Graph(), 'SELECT (ctf:header("CSV") AS ?header) {}').rows
    [('text/csv',)]
    """
    known = _PREFIXES | {prefix: str(name) for prefix, name in graph.namespaces() if prefix}
    # Only those that are used: to rdflib the second prefix of a namespace replaces the first.
    prefixes = {prefix: name for prefix, name in known.items() if f"{prefix}:" in text}
    register_functions()
    try:
        prepared = prepareQuery(text, initNs=prefixes)
        result = graph.query(prepared)
        if result.graph is not None:
            for prefix, namespace in known.items():
                result.graph.bind(prefix, URIRef(namespace), replace=True)
            return result.graph
        return table(result)
    except CturiError:
        raise
    except Exception as error:
        # What rdflib raises over a query is of many families, its parser's own among them.
        at = getattr(error, "loc", 0) or 0
        problem = " ".join(str(error).split())
        raise CturiError(
            problem, text, (at, at), "a query in SPARQL", "SPARQL 1.1 section 19.8"
        ) from error


class _Arguments(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise CturiError(message, "%%sparql", (0, 8), _USAGE, "the cell magic")


def run_cell(line: str, cell: str, namespace: Mapping[str, Any]) -> tuple[str | None, Any]:
    """Return the name to keep the answer of a cell by, if any, and the answer.

    Raises `CturiError` where the line or the query cannot be used.
    """
    parser = _Arguments(prog="%%sparql", add_help=False)
    parser.add_argument("graph")
    parser.add_argument("--into")
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise CturiError(str(error), line, (0, len(line)), _USAGE, "the cell magic") from error
    options = parser.parse_args(words)
    graph = namespace.get(options.graph)
    if not isinstance(graph, Graph):
        raise CturiError(
            f"{options.graph} is no graph", line, (0, len(options.graph)), _USAGE, "the cell magic"
        )
    return options.into, query(graph, cell)
