"""Running a query, and the queries that come with the package.

The command line, notebooks and Python all use `run`: in Oxigraph, over files, graphs and the
registry of media types, with the functions, with one table of prefixes, and without a network.
"""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf._util.prefixes import PREFIXES
from cturi_rdf.reading.relative_iri import relative
from cturi_rdf.sparql.data import query_data, visible_graphs
from cturi_rdf.sparql.errors import SERVICE, failed, refused, without_network
from cturi_rdf.sparql.evaluation import ask_oxigraph, check_size
from cturi_rdf.sparql.functions.checking import refuse_unknown
from cturi_rdf.sparql.syntax import QueryText

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rdflib.query import Result
    from rdflib.term import Identifier

    from cturi_rdf.sparql.data import DataSource, QueryData

__all__ = ["ReadyMade", "ready_made", "run"]

_QUERIES = {"SELECT", "ASK", "CONSTRUCT", "DESCRIBE"}
# Our own prefixes keep their meaning, whatever the data declare.
_OURS = {name: PREFIXES[name] for name in ("ct", "ctv", "ctf")}


class ReadyMade(NamedTuple):
    """A query of the package: its name, its purpose, and its text.

    `annotated` says that it needs the additions of `annotate`.
    """

    name: str
    title: str
    text: str
    annotated: bool


def ready_made() -> dict[str, ReadyMade]:
    """Return the queries of the package by their names.

    >>> ready_made()["xml"].title
    'Resources that are XML, with the header to send them with.'
    """
    queries = {}
    for file in sorted(files("cturi_rdf.sparql").joinpath("queries").iterdir(), key=str):
        name, dot, kind = file.name.rpartition(".")
        if dot and kind == "rq":
            text = file.read_text("utf-8")
            title, second, *_ = text.splitlines()
            annotated = second == "# Data: annotated"
            queries[name] = ReadyMade(name, title.removeprefix("# "), text, annotated)
    return queries


def run(  # noqa: PLR0913 - options by name
    text: str,
    *sources: DataSource,
    allow_network: bool = False,
    prefixes: Mapping[str, str] | None = None,
    bindings: Mapping[str, Identifier] | None = None,
    default_graphs: Sequence[str] = (),
    named_graphs: Sequence[str] = (),
) -> Result:
    """Return the result of a query over data, the registry of media types and the functions.

    `sources` are paths of files, graphs and datasets of rdflib, stores of Oxigraph, or data
    that `query_data` has read.  A query cannot change anything.  Unless `allow_network`, it
    cannot ask another server by SERVICE or load a graph by FROM, which is of http or https.
    `prefixes` come before those of the data, and these before the common ones; `bindings` are
    values of variables.
    `default_graphs` and `named_graphs` are IRIs of graphs, which go before those of FROM (SPARQL
    1.1 Protocol section 2.1.4).

    Raises `CturiError` for a text that is not a query and for a query that fails, `LimitError` for
    more rows or time than the limits ``rows`` and ``seconds`` allow, and `CatalogError` for a file
    that cannot be read.

    >>> result = run('SELECT (ctf:isXML("image/svg+xml") AS ?xml) {}')
    >>> [row.xml.toPython() for row in result]
    [True]
    >>> result = run("SELECT ?d { ?d dct:format 'SHP' }", "examples/catalogue.ttl")
    >>> [str(row.d) for row in result]
    ['https://catalogue.example/natural-earth-shp']
    """
    data = query_data(*sources)
    query = QueryText(text, {**PREFIXES, **data.prefixes, **_OURS, **(prefixes or {})})
    check_size(query)
    _check(query)
    if default_graphs or named_graphs:
        query.graphs, query.named_graphs = list(default_graphs), list(named_graphs)
    data = _with_graphs(query, data, allow_network=allow_network)
    has_call = any(is_predicate for _, is_predicate in query.functions())
    if has_call or not (query.graphs or query.named_graphs or query.takes(bindings or ())):
        from cturi_rdf.sparql.rdflib_engine import ask_rdflib

        return ask_rdflib(query, data, bindings or {}, shielded=not allow_network)
    return ask_oxigraph(query, data, bindings or {}, shielded=not allow_network)


def _check(query: QueryText) -> None:
    """Raise `CturiError` for an update, and for unknown prefixes and functions."""
    if query.is_update:
        raise refused("an update", query.text, "a query, which only reads")
    if query.form not in _QUERIES:
        word = next((token for token in query.tokens if token.kind == "word"), None)
        expected = "SELECT, ASK, CONSTRUCT or DESCRIBE"
        raise refused("not valid SPARQL", query.text, expected, word and word.span)
    if query.undeclared is not None:
        prefix = query.undeclared.text.partition(":")[0]
        raise refused(
            f"unknown prefix {prefix}:",
            query.text,
            f"PREFIX {prefix}: <…> at the start of the query",
            query.undeclared.span,
        )
    refuse_unknown(token.iri or "" for token, _ in query.functions())


def _with_graphs(query: QueryText, data: QueryData, *, allow_network: bool) -> QueryData:
    """Return the data with the graphs of FROM; raises `CturiError` if that is not allowed."""
    if query.has_word("SERVICE") and not allow_network:
        raise without_network(SERVICE, query.text)
    wanted = {*query.graphs, *query.named_graphs}
    missing = sorted(wanted - {name.value for name in visible_graphs(data.store)} if wanted else ())
    for name in map(relative, missing):
        if not name.lower().startswith(("http:", "https:")):
            problem = f"FROM <{name}>, which is no graph of the data"
            raise refused(problem, query.text, "such a graph, or a URL of http or https")
        if not allow_network:
            raise without_network(f"FROM <{name}>, which would be loaded", query.text)
    return _loaded(missing, query, data) if missing else data


def _loaded(names: list[str], query: QueryText, data: QueryData) -> QueryData:
    """Return a copy of data with graphs from the network."""
    from rdflib import Dataset

    dataset = Dataset()
    for name in names:
        try:
            dataset.graph(name).parse(name)
        except Exception as error:
            # rdflib, its parsers and urllib may raise anything.
            raise failed(error, query.text) from error
    return query_data(data, dataset)
