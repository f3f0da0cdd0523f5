"""Threads, processes and interpreters beside one another."""

from __future__ import annotations

import multiprocessing
import sys
import threading
from typing import TYPE_CHECKING

import pytest
from processes import python
from rdflib import DCAT, Dataset, Graph, Literal, URIRef

from cturi_rdf import ContentType, to_uri
from cturi_rdf.rdf import annotate, headers
from cturi_rdf.reading.rdflib_graphs import own_prefixes
from cturi_rdf.sparql.query import run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# The readers of a graph: this package, and rdflib itself.
READS: list[Callable[[Graph], object]] = [
    headers,
    len,
    list,
    lambda graph: list(graph.triples((None, DCAT.mediaType, None))),
    lambda graph: run("SELECT ?s {?s dcat:mediaType ?o}", graph),
]


@pytest.fixture
def _switching() -> Iterator[None]:
    """Let Python go from thread to thread a thousand times as often."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(interval / 1_000)
    yield
    sys.setswitchinterval(interval)


@pytest.mark.usefixtures("_switching")
@pytest.mark.parametrize("kind", [Graph, Dataset])
def test_a_graph_may_be_read_while_it_is_annotated(kind: type[Graph]) -> None:
    graph = kind()
    for number in range(50):
        graph.add((URIRef(f"http://a/{number}"), DCAT.mediaType, Literal(f"text/x-{number}")))
    done, failures = threading.Event(), []

    def read() -> None:
        try:
            while not done.is_set():
                for function in READS:
                    function(graph)
        except Exception as error:  # noqa: BLE001 - it is shown below
            failures.append(error)

    readers = [threading.Thread(target=read) for _ in range(4)]
    for reader in readers:
        reader.start()
    try:
        report = annotate(graph)
    finally:
        done.set()
        for reader in readers:
            reader.join()
    assert failures == []
    assert report.resolved == 50


class Growing(Graph):
    """A graph to which a prefix is bound while its prefixes are read."""

    def namespaces(self) -> Iterator[tuple[str, URIRef]]:
        """Yield the prefixes; bind one after the first."""
        for prefix, namespace in super().namespaces():
            if "late" not in dict(super().namespaces()):
                self.bind("late", "http://late/")
            yield prefix, namespace


def test_a_prefix_may_be_bound_while_prefixes_are_read() -> None:
    graph = Growing()
    graph.add((URIRef("http://late/s"), DCAT.mediaType, Literal("text/csv")))
    assert [row.s for row in run("SELECT ?s { ?s dcat:mediaType 'text/csv' }", graph)]
    assert own_prefixes(Growing()) == {"http://late/": "late"}
    assert run("ASK { late:s ?p ?o }", graph).askAnswer


PROCESSES = """
import sys, multiprocessing
from concurrent.futures import ProcessPoolExecutor
from cturi_rdf import ContentType, to_uri
from cturi_rdf.labels import resolve
if __name__ == "__main__":
    with ProcessPoolExecutor(2, multiprocessing.get_context(sys.argv[1])) as pool:
        types = map(ContentType.parse, ["text/html; charset=utf-8", "text/csv"])
        print(*pool.map(to_uri, types), *(answer.types[0] for answer in pool.map(resolve, ["CSV"])))
"""


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_a_process_gives_the_same_however_it_is_started(method: str) -> None:
    process = python("-c", PROCESSES, method)
    uri = to_uri(ContentType.parse("text/html; charset=utf-8"))
    assert process.stdout.split() == [uri, "ContentType:text/csv", "text/csv"], process.stderr


INTERPRETERS = """
import sys, threading
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
code = '''
import os
from cturi_rdf import ContentType, from_uri, to_uri
from cturi_rdf.labels import resolve
content_type = ContentType.parse("text/html; charset=utf-8")
assert from_uri(to_uri(content_type)) == content_type
os.write(1, f"{content_type} {resolve('Zipped CSV').types[0]}".encode() + bytes([10]))
'''
def work():
    interpreter = interpreters.create()
    interpreters.run_string(interpreter, code)
    interpreters.destroy(interpreter)
threads = [threading.Thread(target=work) for _ in range(3)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
"""


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="the module has another name there")
def test_the_package_works_in_an_interpreter_of_its_own() -> None:
    # From 3.12 on they are isolated, and do without our modules in C.
    process = python("-c", INTERPRETERS)
    assert process.stdout.splitlines() == ["text/html; charset=utf-8 text/csv"] * 3, process.stderr
