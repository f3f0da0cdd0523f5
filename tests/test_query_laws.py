"""A query that asks for nothing of ours is answered as Oxigraph answers it, or refused."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox
import pytest
from drawing import Drawing
from hypothesis import given
from hypothesis import strategies as st
from rdflib import Dataset

from cturi_rdf._util.display import PREFIXES
from cturi_rdf.errors import CturiError
from cturi_rdf.reading.terms import to_ox
from cturi_rdf.sparql.dataset import QueryData, query_data
from cturi_rdf.sparql.query import run

if TYPE_CHECKING:
    from collections.abc import Sequence

DATA = """
@prefix e: <http://e/> .
@prefix dct: <http://purl.org/dc/terms/> .
e:a dct:format "CSV", "text/csv"@en ; e:n 1, 2.5, "x" ; e:b [ e:c e:a ] .
e:b e:n 3 ; dct:format "CSV" .
e:g1 { e:a e:n 7 ; dct:format "JSON" . _:x e:n 8 . }
e:g2 { e:a e:n 9 . e:d e:c ( 1 2 ) }
"""
QUERIES = (
    "SELECT * { ?s ?p ?o }",
    "SELECT DISTINCT ?s { ?s e:n ?o FILTER(?o > 1) } ORDER BY ?s",
    "SELECT ?g (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } } GROUP BY ?g HAVING(COUNT(*) > 1)",
    "SELECT (SUM(?o) AS ?t) (MIN(?o) AS ?m) { ?s e:n ?o } GROUP BY (?o > 2)",
    "SELECT (COUNT(DISTINCT ?s) AS ?c) (MAX(?o) AS ?m) { ?s e:n ?o } ORDER BY DESC(?m)",
    "ASK FROM e:g1 { ?s e:n 7 }",
    "SELECT * FROM e:g1 FROM NAMED e:g2 { ?s e:n ?o . GRAPH ?g { ?a ?b ?c } }",
    "CONSTRUCT { ?s e:x ?o } WHERE { ?s e:n ?o }",
    "CONSTRUCT WHERE { ?s e:n ?o }",
    "DESCRIBE e:a",
    "SELECT ?x { VALUES ?x { 1 2 UNDEF } BIND(?x + 1 AS ?y) }",
    "SELECT * { { ?s e:n ?o } UNION { ?s dct:format ?o } MINUS { ?s e:c ?z } }",
    "SELECT ?s { ?s e:b/e:c|^e:c* ?o FILTER NOT EXISTS { ?s e:n 3 } OPTIONAL { ?s e:b ?b } }",
    "PREFIX q: <http://q/> BASE <http://e/> SELECT * { <a> ?p ?o . # a comment {\n }",
    "SELECT * { ?s e:n ?o FILTER(?o IN (1, 2.5, 'x}')) { SELECT ?s { ?s ?p ?q } } }",
    'SELECT (IF(BOUND(?b), 1<2, COALESCE(?o, """a}b""")) AS ?z) { ?s ?p ?o, ?b }',
    "SELECT ?a { e:d e:c (?a ?b) FILTER(REGEX(STR(?a), '^[1-9]', 'i')) }",
)
_TOKEN = re.compile(
    r"""\"{3}.*?\"{3}|'[^']*'|<[^<>\s]*>|\#[^\n]*\n|[?$]\w+|\w*:\w*|[\d.]+|\w+|\S"""
)
_SPLIT = [_TOKEN.findall(query) for query in QUERIES]
_TOKENS = [token for query in _SPLIT for token in query]
_OF_OURS = PREFIXES | {"e": "http://e/"}
_BLANK = re.compile(r"_:\w+")

Answer = bool | list[Any]


class _Query(Drawing):
    """A query in which some tokens are left out, put in or taken from another one."""

    def text(self) -> str:
        tokens = list(self._one(_SPLIT))
        for _ in range(self._number(0, 3)):
            at = self._number(0, len(tokens))
            if self._chance(0.4):
                del tokens[at : at + 1]
            elif self._chance(0.7):
                tokens[at : at + self._number(0, 1)] = [self._one(_TOKENS)]
            else:
                other = self._one(_SPLIT)
                start = self._number(0, len(other))
                tokens[at:at] = other[start : start + 6]
        return self._one([" ", "\n"]).join(tokens)


def _row(names: Sequence[str], terms: Sequence[Any]) -> list[str]:
    pairs = zip(names, terms, strict=True)
    return sorted(
        f"{name} {_BLANK.sub('_:', str(term))}" for name, term in pairs if term is not None
    )


def _of_oxigraph(text: str, data: QueryData) -> Answer:
    result = data.store.query(text, base_iri="http://base/", prefixes=_OF_OURS)
    if isinstance(result, ox.QueryBoolean):
        return bool(result)
    if isinstance(result, ox.QueryTriples):
        return sorted({tuple(_row("spo", list(triple))) for triple in result})
    names = [variable.value for variable in result.variables]
    return sorted(_row(names, list(row)) for row in result)


def _of_ours(text: str, data: QueryData) -> Answer:
    result = run(text, data, prefixes=_OF_OURS)
    if result.type == "ASK":
        return bool(result.askAnswer)
    if result.graph is not None:
        return sorted({tuple(_row("spo", list(map(to_ox, triple)))) for triple in result.graph})
    return sorted(_row(list(row), list(map(to_ox, row.values()))) for row in result.bindings)


@pytest.fixture(scope="module")
def data() -> QueryData:
    return query_data(Dataset().parse(data=DATA, format="trig"))


@pytest.mark.parametrize("text", QUERIES)
def test_the_queries_are_answered(data: QueryData, text: str) -> None:
    assert _of_ours(text, data) == _of_oxigraph(text, data)


@given(st.integers(min_value=0))
def test_a_changed_query_is_answered_as_oxigraph_does_or_refused(
    data: QueryData, seed: int
) -> None:
    text = _Query(seed).text()
    # Ours first: it loads the parts of the registry that the query asks for.
    try:
        answer = _of_ours(text, data)
    except CturiError as error:
        with suppress(SyntaxError, ValueError, RuntimeError):
            _of_oxigraph(text, data)
            # Oxigraph says nothing where FROM names a graph that there is not.
            assert error.option == ", or --allow-network", error.summary
    else:
        assert answer == _of_oxigraph(text, data), text
