"""Answers as they are written: relative IRIs as their authors wrote them, graphs with prefixes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rdflib import Dataset, URIRef

from cturi_rdf._util.prefixes import PREFIXES
from cturi_rdf.reading.relative_iri import relative

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rdflib.query import Result
    from rdflib.term import Identifier, Variable

__all__ = ["answer_rows", "answer_triples"]


def answer_rows(result: Result) -> list[Mapping[Variable, Identifier]]:
    """Return the rows of a result, with each relative IRI as its author wrote it.

    >>> from cturi_rdf.sparql.query import run
    >>> query = "SELECT ?format { ?data dct:format ?format FILTER(STRENDS(STR(?format), '/CSV')) }"
    >>> [str(value) for row in answer_rows(run(query, "examples/catalogue.ttl"))
    ...  for value in row.values()]
    ['CSV']
    """
    return [
        {
            name: URIRef(relative(term)) if isinstance(term, URIRef) else term
            for name, term in row.items()
        }
        for row in result.bindings
    ]


def answer_triples(result: Result, prefixes: Mapping[str, str]) -> Dataset:
    """Return the triples of a result, with the common prefixes and those of the data.

    >>> from cturi_rdf.sparql.query import run
    >>> len(answer_triples(run("CONSTRUCT { <e:a> a <e:B> } {}"), {}))
    1
    """
    dataset = Dataset(default_union=True)
    for prefix, namespace in {**PREFIXES, **prefixes}.items():
        dataset.bind(prefix, namespace)
    for triple in result.graph or ():
        dataset.add(triple)
    return dataset
