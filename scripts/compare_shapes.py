"""Count the results of official shapes of DCAT-AP and DCAT-US on catalogues, for a page.

Only results on properties that carry types of files are counted: for each catalogue as it is, with
the additions of `annotate`, and with the code lists of `cturi site`.  The shapes and the catalogues
are not part of the project:

    .venv/bin/python scripts/compare_shapes.py SHAPES CATALOGUES
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pyshacl
from rdflib import OWL, RDF, SH, Graph, URIRef

from cturi_rdf.catalogue.shacl.foreign_shapes import dangling_references
from cturi_rdf.rdf import annotate
from cturi_rdf.rdf.description import in_rdflib
from cturi_rdf.rdf.export import eu_file_types, iana_media_types
from cturi_rdf.rdf.terms import PROPERTIES
from cturi_rdf.reading import read_catalog

if TYPE_CHECKING:
    from collections.abc import Iterable

PAGE = Path(__file__).parents[1] / "docs" / "how-to" / "publish.md"
BEGIN, END = "<!-- Made by scripts/compare_shapes.py. -->\n", "<!-- End of the table. -->\n"
SHAPES = {
    "DCAT-AP 2.1.1": ("dcat-ap-2.1.1-shapes.ttl", "dcat-ap-2.1.1-range.ttl"),
    "DCAT-AP 3.0.0": ("dcat-ap-3.0.0.ttl",),
    "DCAT-AP 3.0.1": ("dcat-ap-3.0.1.ttl", "dcat-ap-3.0.1-vocabularies.ttl"),
    "DCAT-US 3.0": ("dcat-us-3.0.ttl",),
}
CATALOGUES = (
    "comunedialessandria-catalog.rdf",
    "comunefoggia-catalog.rdf",
    "datosgobes-E_DCAT-AP-ES_Catalog_HVD_full.ttl",
    "datosgobes-E_DCAT-AP-ES_full_optional.ttl",
    "fedict-dcat.rdf",
    "linkedpipes-test.trig",
    "maregraph-eu-catalog.ttl",
    "smartdataanalytics-linkedgeodata-2018-04-04.dcat.ttl",
    "w3c-csiro-dap-examples.ttl",
    "w3c-csiro-stratchart.ttl",
)
PATHS = {URIRef(path.value) for path in PROPERTIES}


class Counts(NamedTuple):
    """How many results there are on types of files."""

    as_it_is: int
    annotated: int
    with_code_lists: int


@cache
def shapes(folder: Path, name: str) -> Graph:
    """Return official shapes, without dangling references."""
    graph = Graph()
    for file in SHAPES[name]:
        graph.parse(folder / file)
    for shape, reference in dangling_references(graph):
        graph.remove((shape, SH.property, reference))
    return graph


@cache
def code_lists() -> tuple[tuple[URIRef, URIRef, URIRef], ...]:
    """Return the statements of the code lists."""
    return tuple(map(in_rdflib, (*iana_media_types(), *eu_file_types())))


def counts(catalogue: Path, official: Graph) -> Counts:
    """Return how many results official shapes have on a catalogue."""
    graph = Graph()
    graph += (quad[:3] for quad in read_catalog(str(catalogue)).quads())
    annotated, beside = Graph() + graph, Graph() + graph
    annotate(annotated)
    values = set(graph.objects())
    beside += (triple for triple in code_lists() if triple[0] in values)
    return Counts(*(_count(version, official) for version in (graph, annotated, beside)))


def _count(graph: Graph, official: Graph) -> int:
    graph.remove((None, OWL.imports, None))
    _, report, _ = pyshacl.validate(graph, shacl_graph=official, inplace=True)
    results = report.subjects(RDF.type, SH.ValidationResult)
    return sum(report.value(result, SH.resultPath) in PATHS for result in results)


def row(name: str, numbers: Iterable[Counts]) -> str:
    """Return a row of the table.

    >>> row("a.ttl", [Counts(8, 8, 2), Counts(0, 0, 0)])
    '| a.ttl | 8, 8, 2 | 0, 0, 0 |'
    """
    cells = (", ".join(map(str, counted)) for counted in numbers)
    return f"| {' | '.join((name, *cells))} |"


def main() -> None:
    """Write the table into the page."""
    official, catalogues = map(Path, sys.argv[1:3])
    table = {
        name: [counts(catalogues / name, shapes(official, title)) for title in SHAPES]
        for name in CATALOGUES
    }
    columns = zip(*table.values(), strict=True)
    table["all"] = [Counts(*map(sum, zip(*column, strict=True))) for column in columns]
    lines = [f"| catalogue | {' | '.join(SHAPES)} |", f"|{' --- |' * (len(SHAPES) + 1)}"]
    lines += [row(name, numbers) for name, numbers in table.items()]
    before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    text = "".join(f"{line}\n" for line in lines)
    PAGE.write_text(before + BEGIN + text + END + rest.partition(END)[2], "utf-8")
    print(f"wrote {PAGE.name}")


if __name__ == "__main__":
    main()
