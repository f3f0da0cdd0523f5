"""SPARQL in a cell: ``%%sparql`` and the name of a variable that has a graph."""

from __future__ import annotations

import argparse
import re
import shlex
from keyword import iskeyword
from typing import TYPE_CHECKING, Any, NoReturn

from rdflib import Graph, URIRef

from cturi_rdf._util.display import PREFIX_OF
from cturi_rdf.errors import CturiError
from cturi_rdf.notebook.tables import table
from cturi_rdf.reading.rdflib_graphs import own_prefixes
from cturi_rdf.sparql.query import run

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cturi_rdf._util.display import Table


# On one line, what the first line of a cell has comes before the query.
_FIRST = re.compile(r"\S*(?:\s+(?:--allow-network|--into\s+\S+))*")
_USAGE = "the name of a variable with a graph, and perhaps: --into NAME, --allow-network"


def query(graph: Graph, text: str, *, allow_network: bool = False) -> Table | Graph:
    """Return the answer to a query over a graph: a table, or the graph that it constructs.

    It uses `cturi_rdf.sparql.run`: the functions and the usual prefixes are there, the registry is
    the graph ``https://w3id.org/cturi/registry``, and the network is used only if it is allowed.
    Raises `CturiError` for any other text than a query.

    >>> query(Graph(), 'SELECT (ctf:header("CSV") AS ?header) {}').rows
    [('text/csv',)]
    """
    result = run(text, graph, allow_network=allow_network)
    prefixes = PREFIX_OF | own_prefixes(graph)
    if result.graph is None:
        return table(result, prefixes=prefixes)
    for namespace, prefix in prefixes.items():
        result.graph.bind(prefix, URIRef(namespace), replace=True)
    return result.graph


class _Arguments(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise CturiError(message, "%sparql", (0, 7), expected=_USAGE, rule="see %%sparql?")


def split_line(line: str) -> tuple[str, str]:
    """Return what a cell would have in its first line, and the query.

    >>> split_line("catalogue --into found ASK { ?s ?p ?o }")
    ('catalogue --into found', 'ASK { ?s ?p ?o }')
    """
    line = line.strip()
    first = _FIRST.match(line)
    end = first.end() if first else 0
    return line[:end], line[end:].strip()


def run_cell(line: str, cell: str, namespace: Mapping[str, Any]) -> tuple[str | None, Any]:
    """Return the name for the answer of a cell, if any, and the answer.

    Raises `CturiError` where the line or the query cannot be used.
    """
    parser = _Arguments(prog="%%sparql", add_help=False)
    parser.add_argument("graph")
    parser.add_argument("--into")
    parser.add_argument("--allow-network", action="store_true")
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise CturiError(str(error), line, expected=_USAGE, rule="see %%sparql?") from error
    options = parser.parse_args(words)
    graph = namespace.get(options.graph)
    if not isinstance(graph, Graph):
        raise CturiError(
            f"{options.graph!r} is not a variable with a graph",
            line,
            (0, len(options.graph)),
            expected=_USAGE,
            rule="see %%sparql?",
        )
    if options.into is not None and (not options.into.isidentifier() or iskeyword(options.into)):
        raise CturiError(
            f"{options.into!r} is not a name of a variable",
            line,
            expected=_USAGE,
            rule="see %%sparql?",
        )
    return options.into, query(graph, cell, allow_network=options.allow_network)
