"""The engines that the functions of SPARQL run on: a query and a graph in, rows out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyoxigraph
import pyshacl
from rdflib import RDF, SH, XSD, Graph, Literal, Namespace
from rdflib.util import from_n3

from cturi_rdf.sparql.functions import CTF, oxigraph_functions

if TYPE_CHECKING:
    from collections.abc import Callable

    from rdflib.term import Node

    Row = tuple[Node | None, ...]
    Engine = Callable[[str, Graph], list[Row]]


PREFIXES = f"""PREFIX ctf: <{CTF}> PREFIX xsd: <{XSD}> PREFIX dcat: <http://www.w3.org/ns/dcat#>
PREFIX dct: <http://purl.org/dc/terms/> PREFIX ctv: <https://w3id.org/cturi/vocab#>
"""
EX = Namespace("http://shapes.example/")


def plain(node: Node | None) -> Node | None:
    """Return a term as RDF 1.1 has it: every string has a datatype, even if none is written."""
    if isinstance(node, Literal) and node.datatype is None and node.language is None:
        return Literal(str(node), datatype=XSD.string)
    return node


def _rows(graph: Graph, query: str) -> list[Row]:
    result = graph.query(query)
    variables = result.vars or []
    return [tuple(plain(each.get(name)) for name in variables) for each in result.bindings]


def in_rdflib(query: str, data: Graph) -> list[Row]:
    return _rows(data, query)


def in_oxrdflib(query: str, data: Graph) -> list[Row]:
    graph = Graph(store="Oxigraph")
    graph += data
    return _rows(graph, query)


def in_oxigraph(query: str, data: Graph) -> list[Row]:
    store = pyoxigraph.Store()
    store.load(data.serialize(format="nt").encode(), format=pyoxigraph.RdfFormat.N_TRIPLES)
    found = store.query(query, custom_functions=oxigraph_functions())
    assert isinstance(found, pyoxigraph.QuerySolutions)
    names = found.variables
    return [
        tuple(None if row[name] is None else plain(from_n3(str(row[name]))) for name in names)
        for row in found
    ]


def in_pyshacl(query: str, data: Graph) -> list[Row]:
    """Ask for the first value of each row, as that of a violation."""
    shapes = Graph()
    shapes.add((EX.shape, RDF.type, SH.NodeShape))
    shapes.add((EX.shape, SH.targetNode, EX.node))
    shapes.add((EX.shape, SH.sparql, EX.constraint))
    shapes.add((EX.constraint, RDF.type, SH.SPARQLConstraint))
    select, _, rest = query.partition("SELECT ?x")
    shapes.add((EX.constraint, SH.select, Literal(f"{select}SELECT $this (?x AS ?value) {rest}")))
    _, report, _ = pyshacl.validate(data, shacl_graph=shapes, advanced=True)
    assert isinstance(report, Graph)
    return [
        (None if (found := report.value(each, SH.value)) == EX.node else plain(found),)
        for each in report.subjects(RDF.type, SH.ValidationResult)
    ]


ENGINES: dict[str, Engine] = {
    function.__name__.removeprefix("in_"): function
    for function in (in_rdflib, in_oxrdflib, in_oxigraph, in_pyshacl)
}
