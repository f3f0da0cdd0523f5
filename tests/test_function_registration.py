"""Registering the functions: as often as asked, undone, and beside what others have registered."""

from __future__ import annotations

import tracemalloc
from typing import TYPE_CHECKING, Any, ClassVar

import pyoxigraph
import pytest
from engines import PREFIXES, in_oxrdflib, in_rdflib
from processes import python
from rdflib import Graph, plugin
from rdflib.plugins.sparql import CUSTOM_EVALS
from rdflib.plugins.sparql.operators import _CUSTOM_FUNCTIONS
from rdflib.plugins.sparql.processor import SPARQLUpdateProcessor
from rdflib.query import UpdateProcessor

from cturi_rdf.sparql.functions import (
    CTF,
    oxigraph_functions,
    register_functions,
    registered_functions,
    unregister_functions,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from rdflib.term import Node

    Row = tuple[Node | None, ...]
    Engine = Callable[[str, Graph], list[Row]]

pytestmark = pytest.mark.usefixtures("registered")


def test_registering_is_repeatable_and_undone() -> None:
    query = f"{PREFIXES}SELECT ?x {{ BIND(ctf:header('CSV') AS ?x) }}"
    register_functions()
    assert in_rdflib(query, Graph()) == in_oxrdflib(query, Graph()) != [(None,)]
    unregister_functions()
    unregister_functions()
    assert in_rdflib(query, Graph()) == [(None,)]
    assert "cturi" not in CUSTOM_EVALS
    # rdflib has its own silence again, over a part that fails.
    Graph().update(f"{PREFIXES}INSERT {{ ?s ?p ?x }} WHERE {{ ?s ?p ?o BIND(ctf:none(?o) AS ?x) }}")
    with pytest.raises(RuntimeError, match="not supported"):
        in_oxrdflib(query, Graph())
    register_functions()
    assert in_oxrdflib(query, Graph()) != [(None,)]


# --- What others have registered -------------------------------------------------------------


class TheirProcessor(SPARQLUpdateProcessor):
    """A processor of updates that somebody else has registered."""

    seen: ClassVar[list[object]] = []

    def update(self, strOrQuery: Any, initBindings: Any = None, initNs: Any = None) -> None:  # noqa: N803
        """Run an update as rdflib does, and note it."""
        self.seen.append(strOrQuery)
        super().update(strOrQuery, initBindings or {}, initNs or {})


def test_the_processor_of_somebody_else_runs_the_updates_and_is_given_back() -> None:
    before = plugin._plugins["sparql", UpdateProcessor]
    plugin.register("sparql", UpdateProcessor, __name__, TheirProcessor.__name__)
    try:
        with registered_functions():
            graph = Graph()
            graph.update("INSERT DATA { <a:b> <a:c> 1 }")
            assert len(graph) == len(TheirProcessor.seen) == 1
        assert plugin.get("sparql", UpdateProcessor) is TheirProcessor
        register_functions()
        # Registered in the meantime: it stays.
        plugin.register("sparql", UpdateProcessor, __name__, TheirProcessor.__name__)
        unregister_functions()
        assert plugin.get("sparql", UpdateProcessor) is TheirProcessor
    finally:
        plugin._plugins["sparql", UpdateProcessor] = before


def test_functions_stay_until_the_last_context_ends() -> None:
    def known() -> bool:
        return any(each.startswith(CTF) for each in _CUSTOM_FUNCTIONS)

    first, second = registered_functions(), registered_functions()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert known()
    unregister_functions()
    assert known()
    second.__exit__(None, None, None)
    assert not known()


def test_the_first_queries_of_a_process_may_come_from_many_threads() -> None:
    script = """
import threading
from rdflib import Graph
from cturi_rdf.rdf import register_functions
from cturi_rdf.sparql.functions import CTF
register_functions()
gate, answers = threading.Barrier(16), []
def work():
    gate.wait()
    for _ in range(3):
        result = Graph().query('SELECT (ctf:header("CSV") AS ?h) {}', initNs={"ctf": CTF})
        answers.extend(str(row.h) for row in result)
threads = [threading.Thread(target=work) for _ in range(16)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(len(answers), set(answers))
"""
    run = python("-c", script)
    assert run.stdout == "48 {'text/csv'}\n", run.stderr


def test_the_results_of_functions_are_kept_in_bounded_memory() -> None:
    function = oxigraph_functions()[pyoxigraph.NamedNode(f"{CTF}isXML")]
    tracemalloc.start()
    for number in range(3_000):
        function(pyoxigraph.Literal(f"{number} " + "description " * 800))
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < 3_000_000


def test_an_update_is_run_by_a_processor_whose_functions_are_gone() -> None:
    graph = Graph()
    with registered_functions():
        from cturi_rdf.sparql.rdflib_engine import CheckedUpdateProcessor
    CheckedUpdateProcessor(graph).update(
        "INSERT DATA { <http://a.example/> a <http://b.example/> }"
    )
    assert len(graph) == 1
