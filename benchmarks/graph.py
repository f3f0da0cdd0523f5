"""Describing content types, against adding the same triples to an rdflib graph."""

from __future__ import annotations

from rdflib import Graph

from benchmarks.core import corpus
from benchmarks.ratio import Limit, in_turns, print_table
from cturi_rdf import ContentType
from cturi_rdf.rdf import describe

__all__ = ["main"]


def main() -> list[Limit]:
    """Print the table; return the target ratios."""
    content_types = [ContentType.parse(text) for text in corpus()]
    triples = [triple for each in content_types for triple in describe(each, Graph())]

    def describing() -> None:
        graph = Graph()
        for each in content_types:
            describe(each, graph)

    def adding() -> None:
        graph = Graph()
        for triple in triples:
            graph.add(triple)

    times = in_turns({"cturi_rdf describe": describing, "rdflib Graph.add": adding})
    print_table("Describing content types", times, len(triples), "rdflib Graph.add")
    ratio = times["cturi_rdf describe"] / times["rdflib Graph.add"]
    return [Limit("describing, against adding the same triples", ratio, 1.2)]
