"""The functions of SPARQL, against functions of the engines themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pyoxigraph
from rdflib import DCAT, RDF, Graph, Literal, URIRef

from benchmarks.labels import SHARES
from benchmarks.ratio import Limit, in_turns, print_table
from cturi_rdf.rdf import register_functions, unregister_functions
from cturi_rdf.sparql.functions import CTF, oxigraph_functions

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["main"]

PREFIXES = f"PREFIX ctf: <{CTF}> PREFIX dcat: <{DCAT}> PREFIX py: <http://benchmark.invalid/> "
ROWS = "?d a dcat:Distribution ; dcat:mediaType ?label"
# One function of each kind of value, each of one argument.
ONE = {"mint": "ctf:mint(?label)", "header": "ctf:header(?label)", "isXML": "ctf:isXML(?label)"}
OURS = "ctf:mint(?label) AS ?a) (ctf:verdict(?label) AS ?b) (ctf:isXML(?label) AS ?c"
THEIRS = "UCASE(?label) AS ?a) (STRBEFORE(?label, '/') AS ?b) (CONTAINS(?label, 'xml') AS ?c"


def catalogue(size: int) -> list[tuple[str, str]]:
    """Return that many distributions with labels as catalogues have them, mixed."""
    total = sum(SHARES.values())
    labels = [each for label, n in SHARES.items() for each in [label] * -(-n * size // total)]
    # A step that shares no factor with their number visits all of them, out of order.
    return [(f"http://a.example/{at}", labels[at * 7_919 % len(labels)]) for at in range(size)]


def main() -> list[Limit]:
    """Print the tables; return the target ratios."""
    register_functions()
    try:
        return [*_in_rdflib(), *_in_oxigraph(), *_three_functions()]
    finally:
        unregister_functions()


def _in_rdflib() -> list[Limit]:
    size = 10_000
    graph = _graph(size)
    expressions = {"STRLANG": "STRLANG(?label, 'en')", **ONE}
    tasks = {name: _rdflib(graph, f"BIND({each} AS ?x)") for name, each in expressions.items()}
    times = in_turns({"no function": _rdflib(graph, ""), **tasks}, rounds=5)
    print_table("A function of each row, in rdflib", times, size, "STRLANG")
    bare = times["no function"]
    return [
        Limit(
            f"rdflib: ctf:{name} alone, against STRLANG",
            (times[name] - bare) / (times["STRLANG"] - bare),
            3.0,
        )
        for name in ONE
    ]


def _in_oxigraph() -> list[Limit]:
    size = 100_000
    store = _store(size)
    given = {"given back by Python": "py:same(?label)", **ONE}
    tasks = {
        name: _oxigraph(store, f"SELECT ({each} AS ?x) {{ {ROWS} }}")
        for name, each in given.items()
    }
    times = in_turns(tasks, rounds=7)
    print_table("A function of each row, in Oxigraph", times, size, "given back by Python")
    return [
        Limit(
            f"Oxigraph: ctf:{name}, against Python's identity",
            times[name] / times["given back by Python"],
            1.5,
        )
        for name in ONE
    ]


def _three_functions() -> list[Limit]:
    size = 100_000
    graph, store = _graph(size), _store(size)
    limits = []
    engines: dict[str, tuple[Callable[[str], Callable[[], object]], int]] = {
        "rdflib": (lambda query: lambda: len(list(graph.query(query))), 3),
        "Oxigraph": (lambda query: _oxigraph(store, query), 7),
    }
    for engine, (task, rounds) in engines.items():
        tasks: dict[str, Callable[[], object]] = {
            name: task(f"{PREFIXES}SELECT ({expression}) {{ {ROWS} }}")
            for name, expression in (("ours", OURS), ("the engine's own", THEIRS))
        }
        times = in_turns(tasks, rounds=rounds)
        print_table(
            f"Three functions of each distribution, in {engine}", times, size, "the engine's own"
        )
        ratio = times["ours"] / times["the engine's own"]
        limits.append(Limit(f"{engine}: three functions, against three of its own", ratio, 3.0))
    return limits


def _graph(size: int) -> Graph:
    graph = Graph()
    for iri, label in catalogue(size):
        graph.add((URIRef(iri), RDF.type, DCAT.Distribution))
        graph.add((URIRef(iri), DCAT.mediaType, Literal(label)))
    return graph


def _store(size: int) -> pyoxigraph.Store:
    store = pyoxigraph.Store()
    text = _graph(size).serialize(format="nt").encode()
    store.load(text, format=pyoxigraph.RdfFormat.N_TRIPLES)
    return store


def _rdflib(graph: Graph, bind: str) -> Callable[[], object]:
    query = f"{PREFIXES}SELECT * {{ {ROWS} {bind} }}"
    return lambda: len(list(graph.query(query)))


def _oxigraph(store: pyoxigraph.Store, query: str) -> Callable[[], object]:
    same = pyoxigraph.NamedNode("http://benchmark.invalid/same")
    functions = {**oxigraph_functions(), same: lambda term: term}
    text = query if query.startswith("PREFIX") else PREFIXES + query

    def rows() -> int:
        results = cast("pyoxigraph.QuerySolutions", store.query(text, custom_functions=functions))
        return sum(1 for _ in results)

    return rows
