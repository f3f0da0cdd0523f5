"""Queries that read and do no more, and those that come with the package."""

from __future__ import annotations

from contextlib import contextmanager
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

import rdflib.plugins.sparql
from pyparsing import ParseBaseException
from rdflib import DCTERMS, SDO
from rdflib.plugins.sparql import prepareQuery
from rdflib.plugins.sparql.parser import parseUpdate

from cturi_rdf.errors import CturiError
from cturi_rdf.rdf.vocab import CTV
from cturi_rdf.sparql.functions import CTF, check_query, registered_functions
from cturi_rdf.sparql.functions.checking import prefixes_in
from cturi_rdf.sparql.functions.in_rdflib import parts
from cturi_rdf.sparql.registry_store import with_registry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rdflib import Graph
    from rdflib.plugins.sparql.sparql import Query
    from rdflib.query import Result

__all__ = ["PREFIXES", "ReadyMade", "ready_made", "run"]

# What a query need not declare, beside the prefixes of the graph.
PREFIXES = {
    "ct": "ContentType:",
    "ctv": str(CTV),
    "ctf": CTF,
    "dct": str(DCTERMS),
    "schema": "http://schema.org/",
    "sdo": str(SDO),
}
_RULE = "SPARQL 1.1"


class ReadyMade(NamedTuple):
    """A query of the package: its name, what it answers, and its text.

    `annotated` says that it asks for what `annotate` adds to a catalogue.
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
    found = {}
    for file in sorted(files("cturi_rdf.sparql").joinpath("queries").iterdir(), key=str):
        name, dot, kind = file.name.rpartition(".")
        if dot and kind == "rq":
            text = file.read_text("utf-8")
            title, second, *_ = text.splitlines()
            annotated = second == "# Data: annotated"
            found[name] = ReadyMade(name, title.removeprefix("# "), text, annotated)
    return found


def run(text: str, graph: Graph, *, allow_network: bool = False) -> Result:
    """Return the result of a query over a graph, the virtual registry and the functions.

    It cannot change anything.  Unless `allow_network`, it cannot ask another server or load
    what is not at hand either.  Raises `CturiError`.

    >>> from rdflib import Graph
    >>> result = run('SELECT (ctf:isXML("image/svg+xml") AS ?xml) {}', Graph())
    >>> [row.xml.toPython() for row in result]
    [True]
    """
    known = {prefix: str(iri) for prefix, iri in graph.namespaces()} | PREFIXES
    # rdflib forgets one of two prefixes of a namespace, such as dct and dcterms.
    prefixes = {each: known[each] for each in prefixes_in(text) if each in known}
    view = with_registry(graph)
    prepared = _prepared(text, prefixes)
    load = _admitted(text, prepared, view, allow_network=allow_network)
    try:
        with registered_functions(), _loading(load):
            result = view.query(prepared)
            if result.type == "SELECT":
                # Here and now, while the functions are known.
                result.bindings = _rows(prepared, result)
    except CturiError:
        raise
    except Exception as error:
        # rdflib evaluates with errors of any kind, down to TypeError.
        raise _refused(f"a query that fails ({_first_line(error)})", text, "another") from error
    return result


def _prepared(text: str, prefixes: dict[str, str]) -> Query:
    check_query(text, prefixes)
    try:
        return prepareQuery(text, initNs=prefixes)
    except Exception as error:
        # rdflib's parser raises what it likes; what it cannot read may be an update.
        try:
            parseUpdate(text)
        except Exception:  # noqa: BLE001 - whatever it is, it is no update
            at = error.loc if isinstance(error, ParseBaseException) else 0
            what = "no query" if isinstance(error, ParseBaseException) else _first_line(error)
            raise CturiError(what, text, (at, at + 1), "SPARQL", _RULE) from error
        raise _refused("an update", text, "a query, which only reads") from error


def _rows(prepared: Query, result: Result) -> list[Any]:
    """Return the rows of a result; of no groups there is none, though rdflib gives an empty one."""
    rows: list[Any] = list(result.bindings)
    grouped = any(
        each.name == "Group" and dict.get(each, "expr") for each in parts(prepared.algebra)
    )
    return [] if grouped and rows == [{}] else rows


def _admitted(text: str, prepared: Query, view: Graph, *, allow_network: bool) -> bool:
    """Return whether the graphs of FROM are to be loaded; raises `CturiError` if not allowed."""
    algebra = prepared.algebra
    if any(each.name == "ServiceGraphPattern" for each in parts(algebra)) and not allow_network:
        raise _refused("SERVICE, which asks another server", text, "--allow-network")
    clauses = algebra.datasetClause or ()
    wanted = {each.default or each.named for each in clauses}
    unknown = wanted - {each.identifier for each in view.store.contexts()}
    if unknown and not allow_network:
        name = min(map(str, unknown))
        raise _refused(f"FROM <{name}>, which would be loaded", text, "--allow-network")
    return bool(unknown)


@contextmanager
def _loading(load: bool) -> Iterator[None]:  # noqa: FBT001 - the one thing there is to say
    """Let rdflib load the graphs of FROM, or keep it from that."""
    before = rdflib.plugins.sparql.SPARQL_LOAD_GRAPHS
    rdflib.plugins.sparql.SPARQL_LOAD_GRAPHS = load
    try:
        yield
    finally:
        rdflib.plugins.sparql.SPARQL_LOAD_GRAPHS = before


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def _refused(problem: str, text: str, expected: str) -> CturiError:
    return CturiError(problem, text, (0, len(text)), expected, _RULE)
