"""Names of functions that do not exist: found before a query runs; nothing else is looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from engines import EX, PREFIXES, in_oxrdflib, in_pyshacl, in_rdflib
from rdflib import RDF, XSD, Graph, Literal, URIRef
from rdflib.plugins.sparql import prepareQuery, prepareUpdate

from cturi_rdf import CturiError
from cturi_rdf.sparql.functions import (
    CTF,
    check_query,
    unregister_functions,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from rdflib.term import Node

    Row = tuple[Node | None, ...]
    Engine = Callable[[str, Graph], list[Row]]

pytestmark = pytest.mark.usefixtures("registered")


UNKNOWN = [
    "SELECT ?x { BIND(ctf:isXLM('a') AS ?x) }",
    "SELECT ?x { ?s ?p ?o FILTER(!ctf:isXLM(?o)) }",
    "SELECT ?x { ?s ?p ?o FILTER NOT EXISTS { ?s ?q ?r FILTER(ctf:isXLM(?r)) } }",
    "SELECT ?x { { SELECT (ctf:isXLM(?o) AS ?x) { ?s ?p ?o } } }",
    "SELECT ?x { 'text/xml' ctf:isXLM ?x }",
    "SELECT ?x { ?x ?p ?o } GROUP BY ?x HAVING (ctf:isXLM(MIN(?o)))",
    "SELECT ?x { ?x ?p ?o } ORDER BY ctf:isXLM(?o)",
]


@pytest.mark.parametrize("query", UNKNOWN)
def test_a_function_that_does_not_exist_is_named_before_the_query_runs(query: str) -> None:
    for engine in (in_rdflib, in_oxrdflib):
        with pytest.raises(CturiError, match="ctf:isXLM") as caught:
            engine(PREFIXES + query, Graph())
        assert caught.value.expected == "ctf:isXML"
    with pytest.raises(CturiError, match="ctf:isXLM"):
        Graph().query(prepareQuery(PREFIXES + query))
    with pytest.raises(CturiError, match="ctf:isXLM"):
        check_query(PREFIXES + query)


UPDATES = [
    "INSERT { ?s ?p ?x } WHERE { ?s ?p ?o BIND(ctf:isXLM(?o) AS ?x) }",
    "DELETE { ?s ?p ?o } WHERE { ?s ?p ?o FILTER NOT EXISTS { ?s ?q ?r FILTER(ctf:isXLM(?r)) } }",
    "CLEAR ALL; INSERT { ?s ?p ?x } WHERE { { SELECT (ctf:isXLM(?o) AS ?x) { ?s ?p ?o } } }",
    "DELETE WHERE { ?s ?p ?o }; INSERT { ?s ?p 1 } WHERE { 'text/xml' ctf:isXLM ?x }",
]


@pytest.mark.parametrize("store", ["default", "Oxigraph"])
@pytest.mark.parametrize("update", UPDATES)
def test_an_update_that_names_a_function_that_does_not_exist_does_nothing(
    update: str, store: str
) -> None:
    graph = Graph(store=store)
    before = (EX.node, RDF.value, Literal("text/xml", datatype=XSD.string))
    graph.add(before)
    with pytest.raises(CturiError, match="ctf:isXLM") as caught:
        graph.update(PREFIXES + update)
    assert caught.value.expected == "ctf:isXML"
    assert list(graph) == [before]


def test_a_prepared_update_is_looked_at_too() -> None:
    graph = Graph()
    with pytest.raises(CturiError, match="ctf:isXLM"):
        graph.update(prepareUpdate(PREFIXES + UPDATES[0]))


@pytest.mark.parametrize("store", ["default", "Oxigraph"])
def test_an_update_calls_the_functions(store: str) -> None:
    graph = Graph(store=store)
    graph.add((EX.node, RDF.value, Literal("CSV")))
    graph.update(f"{PREFIXES}INSERT {{ ?s ?p ?x }} WHERE {{ ?s ?p ?o BIND(ctf:mint(?o) AS ?x) }}")
    assert URIRef("ContentType:text/csv") in set(graph.objects())


def test_a_shape_that_calls_a_function_that_does_not_exist_does_not_pass() -> None:
    query = f"{PREFIXES}SELECT ?x {{ BIND('garbage' AS ?x) FILTER(!ctf:isXLM(?x)) }}"
    with pytest.raises(CturiError, match="ctf:isXLM"):
        in_pyshacl(query, Graph())
    unregister_functions()
    # pySHACL by itself lets the garbage conform.
    assert in_pyshacl(query, Graph()) == []


@pytest.mark.parametrize(
    "text",
    [
        "ASK { FILTER('ctf:isXLM(1)' = \"ctf:nothing\") } # ctf:isXLM(1)",
        "ASK { FILTER(\"\"\"a \" ctf:isXLM(1)\"\"\" = '''it's ctf:isXLM''') }",
        "ASK { ?s other:isXLM ?o . ?s <https://w3id.org/cturi/function#isXML> 1 }",
        "PREFIX ctf: <http://other.example/> ASK { FILTER(ctf:isXLM(1)) }",
        "BASE <https://w3id.org/cturi/> ASK { FILTER(<function#isXML>(1)) }",
        "PREFIX : <https://w3id.org/cturi/function#> DELETE { ?s ?p 1 } WHERE { FILTER(:isXML(1))}",
        "PREFIX : <https://w3id.org/cturi/function#> ASK { _:isXLM ?p ?o }",
        "PREFIX",
        "\"unterminated ctf:isXML <ctf:isXLM> 'ctf",
    ],
)
def test_only_what_is_a_name_of_ours_is_looked_at(text: str) -> None:
    check_query(text, {"ctf": CTF})


@pytest.mark.parametrize(
    "text",
    [
        "BASE <https://w3id.org/cturi/> ASK { FILTER(<function#isXLM>(1)) }",
        "PREFIX : <https://w3id.org/cturi/function#> ASK { FILTER(:isXLM(1)) }",
        "PREFIX ctf:<https://w3id.org/cturi/function#>ASK{FILTER(ctf:isXLM(1))}",
        "# PREFIX ctf: <http://other.example/>\nASK { FILTER(ctf:isX\\-LM(1)) }",
    ],
)
def test_a_name_is_found_however_it_is_written(text: str) -> None:
    with pytest.raises(CturiError, match="no function of this name"):
        check_query(text, {"ctf": CTF})


@pytest.mark.daily(2)
@pytest.mark.usefixtures("linear_time")
@pytest.mark.parametrize(
    "piece", ["a.", "a-", "'", '"', '"\n', "<", "<a", ":", "ctf:", "\\", "#", "(", "1e"]
)
def test_a_long_query_is_looked_at_in_linear_time(piece: str) -> None:
    check_query(piece * 200_000)
