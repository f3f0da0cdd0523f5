"""Tables of our values and of those of rdflib, SPARQL in a cell, and the extension of IPython."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import date
from decimal import Decimal
from keyword import iskeyword
from typing import TYPE_CHECKING, Any

from rdflib import RDF, BNode, Graph, Literal, URIRef
from rdflib.query import Result

from cturi_rdf._util.display import PREFIX_OF, Displayed, LazyRows, Row, Table, Tabular, counted
from cturi_rdf.catalogue.shacl.engines import SH
from cturi_rdf.errors import CturiError
from cturi_rdf.reading.rdflib_graphs import own_prefixes
from cturi_rdf.reading.terms import relative
from cturi_rdf.sparql.query import run

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


# What pyshacl.validate returns: does it conform, the report, the report as text.
_PYSHACL = 3


def table(value: Any, *, prefixes: Mapping[str, str] | None = None) -> Table:
    """Return a table of a value, a list of values, a query's result, a graph or a report.

    A graph with the results of a SHACL validation, such as pySHACL returns, has a row for each
    result; any other graph has a row for each triple.  IRIs are shown with the prefixes of the
    graph; for the result of a query give them as `prefixes`, by their namespaces.  Raises
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


# SPARQL in a cell: ``%%sparql`` and the name of a variable that has a graph.


# What the first line of a cell has; a query may follow it on the same line.
_LINE = re.compile(
    r"\s*(?P<graph>\S+)(?:\s+(?:(?P<network>--allow-network)|--into\s+(?P<into>\S+)))*"
    r"\s*(?P<rest>.*)",
    re.DOTALL,
)
_USAGE = "the name of a variable with a graph, and perhaps: --into NAME, --allow-network"


def query(graph: Graph, text: str, *, allow_network: bool = False) -> Table | Graph:
    """Return the answer to a query over a graph: a table, or the graph that it constructs.

    It uses `cturi_rdf.sparql.run`: the functions and the usual prefixes are there, the registry is
    the graph ``https://w3id.org/cturi/registry``, and the network is used only if it is allowed.
    Raises `CturiError` for a text that is not a query.

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


def run_cell(line: str, cell: str | None, namespace: Mapping[str, Any]) -> tuple[str | None, Any]:
    """Return the name for the answer of a cell, if any, and the answer.

    Without a cell the query is the rest of the line.  Raises `CturiError` where the line or the
    query cannot be used.
    """
    words = _LINE.fullmatch(line)
    if words is None:
        raise _unusable("required: graph", "%sparql", (0, 7))
    if cell is not None and words["rest"]:
        raise _unusable(f"unrecognized: {words['rest']}", line)
    name, into = words["graph"], words["into"]
    graph = namespace.get(name)
    if not isinstance(graph, Graph):
        raise _unusable(f"{name!r} is not a variable with a graph", line, words.span("graph"))
    if into is not None and (not into.isidentifier() or iskeyword(into)):
        raise _unusable(f"{into!r} is not a name of a variable", line)
    text = words["rest"] if cell is None else cell
    return into, query(graph, text.rstrip(), allow_network=words["network"] is not None)


def _unusable(problem: str, line: str, span: tuple[int, int] | None = None) -> CturiError:
    return CturiError(problem, line, span, _USAGE, "see %%sparql?")


# The changes of ``%load_ext cturi_rdf.notebook`` to IPython, and how they are undone.


_HTML, _TEXT = "text/html", "text/plain"
# Foreign values without a good display: a graph may be large, and a list may hold anything.
_FOREIGN: tuple[type, ...] = (list, Graph, Result)
_TRIPLES = 10_000


def load_ipython_extension(shell: Any) -> None:
    """Add the magics, and tables of other libraries' values; in a terminal, tables of all."""
    formatters = shell.display_formatter.formatters
    for kind in _FOREIGN:
        formatters[_HTML].for_type(kind, _html)
    # A notebook has HTML; only a terminal shows the text.
    if hasattr(shell, "pt_app"):
        for kind in (Displayed, *_FOREIGN):
            formatters[_TEXT].for_type(kind, _printer(formatters[_TEXT], kind))

    def sparql(line: str, cell: str | None = None) -> Any:
        """Run a SPARQL query over the graph in a variable, and show the answer as a table.

        %%sparql catalogue --into answer     the query is the cell; --into keeps the answer
        %sparql catalogue ASK { ?s ?p ?o }   the query is the rest of the line

        The usual prefixes, the functions `ctf:` and the registry are there.  With --allow-network
        after the name of the variable, SERVICE may ask other servers, and FROM may load graphs.
        """
        from IPython.core.error import UsageError

        try:
            name, answer = run_cell(line, cell, shell.user_ns)
        except CturiError as error:
            # One message instead of a traceback.
            raise UsageError(str(error)) from error
        if name is not None:
            shell.user_ns[name] = answer
        return answer

    shell.register_magic_function(sparql, "line_cell", "sparql")


def unload_ipython_extension(shell: Any) -> None:
    """Undo `load_ipython_extension`."""
    formatters = shell.display_formatter.formatters
    for kind in (*_FOREIGN, Displayed):
        for mime_type in (_HTML, _TEXT):
            formatters[mime_type].pop(kind, None)
    for magics in shell.magics_manager.magics.values():
        magics.pop("sparql", None)


def _shown(value: Any) -> Displayed | None:
    """Return the display of a value: itself, a table, or None to leave it to IPython."""
    if isinstance(value, Graph) and len(value) > _TRIPLES:
        return None
    with suppress(TypeError):
        return value if isinstance(value, Displayed) else table(value)
    return None


def _html(value: Any) -> str | None:
    shown = _shown(value)
    return None if shown is None else shown.overview().to_html()


def _printer(formatter: Any, kind: type) -> Callable[[Any, Any, bool], None]:
    """Return the function that prints values of one kind on a terminal, by rich."""
    before = formatter.type_printers.get(kind)

    def printed(value: Any, printer: Any, cycle: bool) -> None:  # noqa: FBT001 - IPython's signature
        from rich.console import Console

        console, shown = Console(), _shown(value)
        if shown is not None:
            with console.capture() as captured:
                console.print(shown)
            printer.text(captured.get().rstrip())
        elif before is None:
            printer.text(repr(value))
        else:
            before(value, printer, cycle)

    return printed
