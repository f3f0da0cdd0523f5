"""Tables of lists of our values, and of the results and graphs of rdflib."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from rdflib import RDF, BNode, Graph, Literal, URIRef
from rdflib.query import Result

from cturi_rdf._util.display import Displayed, LazyRows, Row, Table, Tabular, counted
from cturi_rdf.catalogue.shacl.engine import SH
from cturi_rdf.reading.rdflib_graphs import own_prefixes
from cturi_rdf.reading.relative_iri import relative

# What pyshacl.validate returns: does it conform, the report, the report as text.
_PYSHACL = 3


def table(value: Any, *, prefixes: Mapping[str, str] | None = None) -> Table:
    """Return a table of a value, a list of values, a query's result, a graph or a report.

    A graph that has results of a SHACL validation is shown as these, so that what pySHACL
    returns is too; of any other graph each triple is a row.  IRIs are shown with the prefixes of
    the graph; for the result of a query give them as `prefixes`, by their namespaces.  Raises
    `TypeError` for anything else, and for lists of several kinds.

    >>> from cturi_rdf.labels import resolve_all
    >>> table(resolve_all(["CSV", "WMS"])).rows[1][:2]
    ('WMS', 'service')
    """
    if isinstance(value, Displayed):
        converted: Table = value.as_table()
        return converted
    if isinstance(value, Result):
        return _of_result(value, prefixes or {})
    if isinstance(value, Graph):
        return _of_graph(value, prefixes or own_prefixes(value))
    if isinstance(value, tuple) and len(value) == _PYSHACL and isinstance(value[1], Graph):
        return _of_validation(value[1], prefixes or own_prefixes(value[1]))
    if isinstance(value, Iterable) and not isinstance(value, str | bytes | dict):
        return _of_several(list(value))
    raise TypeError(f"there is no table of a {type(value).__name__}")


def _of_several(values: list[Any]) -> Table:
    if len({type(value) for value in values}) != 1 or not isinstance(values[0], Displayed):
        raise TypeError("a table takes values of one kind of this package")
    first: Table = values[0].as_table()
    if len(values) == 1:
        return first
    if isinstance(values[0], Tabular):
        rows: Sequence[Row] = [row for value in values for row in value.as_table().rows]
    else:
        # A notebook shows a few rows of a million.
        rows = LazyRows(len(values), lambda index: values[index].as_table().rows[0])
    return Table(counted(len(values), "value"), first.columns, rows)


def _of_result(result: Result, prefixes: Mapping[str, str]) -> Table:
    if result.type == "ASK":
        return Table("", ["answer"], [(bool(result.askAnswer),)])
    if result.type in {"CONSTRUCT", "DESCRIBE"}:
        graph = result.graph or Graph()
        return _of_graph(graph, prefixes or own_prefixes(graph))
    names = [str(variable) for variable in result.vars or ()]
    rows = [
        tuple(_cell(binding.get(name)) for name in result.vars or ()) for binding in result.bindings
    ]
    return Table(counted(len(rows), "solution"), names, rows, prefixes)


def _of_graph(graph: Graph, prefixes: Mapping[str, str]) -> Table:
    if (None, RDF.type, SH.ValidationResult) in graph:
        return _of_validation(graph, prefixes)
    rows = [tuple(map(_cell, triple)) for triple in sorted(graph.triples((None, None, None)))]
    columns = ("subject", "predicate", "object")
    return Table(counted(len(rows), "triple"), columns, rows, prefixes)


def _of_validation(report: Graph, prefixes: Mapping[str, str]) -> Table:
    """Return the results of a SHACL validation (section 3.6.2), one a row."""
    columns = (SH.resultSeverity, SH.focusNode, SH.resultPath, SH.value, SH.resultMessage)
    rows = []
    for result in report.subjects(RDF.type, SH.ValidationResult):
        severity, *others = (_cell(report.value(result, column, any=True)) for column in columns)
        rows.append((str(severity).rpartition("#")[2], *others))
    rows.sort(key=str)
    names = ("severity", "focus node", "path", "value", "message")
    return Table(counted(len(rows), "validation result"), names, rows, prefixes)


def _cell(term: Any) -> object:
    """Return the value of a literal where a data frame has such values, else its text."""
    if isinstance(term, Literal):
        value = term.value
        if isinstance(value, Decimal):
            return float(value)
        return value if isinstance(value, bool | int | float | date) else str(term)
    if isinstance(term, BNode):
        return f"_:{term}"
    return relative(str(term)) if isinstance(term, URIRef) else term
