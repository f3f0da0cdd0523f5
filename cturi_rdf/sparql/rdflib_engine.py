"""rdflib's engine, for queries that use a function as a property, which Oxigraph cannot."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, cast

from pyparsing import ParseBaseException
from rdflib import Dataset
from rdflib.plugins.sparql import prepareQuery

from cturi_rdf._util.limits import check_limit
from cturi_rdf.errors import CturiError
from cturi_rdf.reading.rdflib_graphs import add_quad
from cturi_rdf.reading.terms import from_ox, lenient_ox
from cturi_rdf.sparql.errors import SERVICE, failed, first_line, refused, without_network
from cturi_rdf.sparql.evaluation import in_thread, sees_registry
from cturi_rdf.sparql.functions import registered_functions
from cturi_rdf.sparql.functions.in_rdflib import parts, warm_up

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rdflib.plugins.sparql.sparql import Query
    from rdflib.query import Result
    from rdflib.term import Identifier

    from cturi_rdf.sparql.dataset import QueryData
    from cturi_rdf.sparql.evaluation import Content
    from cturi_rdf.sparql.syntax import QueryText

# rdflib's parser is not made for threads.
_PARSING = threading.Lock()


def ask_rdflib(
    query: QueryText, data: QueryData, bindings: Mapping[str, Identifier], *, shielded: bool
) -> Content:
    """Return what rdflib finds; raises `CturiError`, and `LimitError` for the limits.

    `shielded` keeps the text from asking other servers in a way that only rdflib understands.
    """
    prepared = _prepared(query)
    # The tokens do not show an escaped keyword, nor one behind a comparison; rdflib's reading
    # decides.
    if shielded and any(part.name == "ServiceGraphPattern" for part in parts(prepared.algebra)):
        raise without_network(SERVICE, query.text)
    if query.graphs or query.named_graphs or prepared.algebra.datasetClause:
        raise refused(
            "FROM beside a function as a property", query.text, "a call, such as ctf:mint(?label)"
        )
    store = data.load(query.patterns) if sees_registry(query, data) else data.store
    dataset = Dataset()
    default = dataset.default_graph
    for name in data.default_graph():
        for quad in store.quads_for_pattern(None, None, None, name):
            default.add(tuple(map(from_ox, quad.triple)))
    for name in data.named_graphs() if query.has_word("GRAPH") else ():
        for quad in store.quads_for_pattern(None, None, None, name):
            add_quad(dataset, quad)

    def evaluate(_: threading.Event) -> Content:
        # All of it is read here and now, while the functions are known.
        with registered_functions():
            result = dataset.query(prepared, initBindings=bindings, use_store_provided=False)
            if result.type == "ASK":
                return bool(result.askAnswer)
            if result.graph is not None:
                return [tuple(map(lenient_ox, triple)) for triple in result.graph]
            return _rows(query, prepared, result)

    try:
        return cast("Content", in_thread(evaluate, query.text))
    except CturiError:
        raise
    except Exception as error:
        # rdflib may raise any error here, down to TypeError.
        raise failed(error, query.text) from error


def _prepared(query: QueryText) -> Query:
    with _PARSING:
        warm_up()
        try:
            return prepareQuery(query.text, initNs=query.used_prefixes, base=query.base or None)
        except Exception as error:
            # rdflib's parser may raise anything.
            at = error.loc if isinstance(error, ParseBaseException) else 0
            problem = f"not valid SPARQL ({first_line(error)})"
            raise refused(problem, query.text, "SPARQL", (at, at + 1)) from error


def _rows(query: QueryText, prepared: Query, result: Result) -> tuple[list[str], list[Any]]:
    """Return the variables and rows; none without groups, for which rdflib has an empty row."""
    names, rows = list(result.vars or ()), list(result.bindings)
    check_limit("rows", len(rows), query.text)
    is_grouped = any(
        part.name == "Group" and dict.get(part, "expr") for part in parts(prepared.algebra)
    )
    if is_grouped and rows == [{}]:
        rows = []
    terms = [[lenient_ox(row[name]) if name in row else None for name in names] for row in rows]
    return list(map(str, names)), terms
