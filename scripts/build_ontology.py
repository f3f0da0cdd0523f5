"""Build the files of the ontology that are published: ``make site``, into build/site/ontology.

The source is Turtle; RDF/XML, JSON-LD and the page for people are made from it here, and are not
committed.  `cturi site` writes the dated versions.
"""

from __future__ import annotations

import runpy
import shutil
import sys
from pathlib import Path

from rdflib import OWL, RDF, RDFS, SDO, SH, SKOS, Graph, Literal

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "ontology"
TARGET = ROOT / "build" / "site" / "ontology"


def build(target: Path) -> list[Path]:
    """Write all files to a folder, which is emptied first, and return them."""
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    for name in ("alignments", "shapes", "translations"):
        shutil.copytree(SOURCE / name, target / name)
    for name in ("axioms.ttl", "context.jsonld", "properties.ttl"):
        shutil.copy(SOURCE / name, target)
    graph = runpy.run_path(str(Path(__file__).with_name("build_vocabulary.py")))["published"]()
    for ending, syntax in (("ttl", "turtle"), ("rdf", "xml"), ("jsonld", "json-ld")):
        graph.serialize(target / f"cturi.{ending}", format=syntax, encoding="utf-8")
    return sorted(path for path in target.rglob("*") if path.is_file())


def build_page(target: Path) -> None:
    """Write the page for people, which pyLODE makes: the extra ``docs``."""
    from pylode.profiles.ontpub import OntPub

    OntPub(for_the_page()).make_html(destination=target / "index.html")


def for_the_page() -> Graph:
    """Return the ontology with facts that pyLODE would not show: shapes and individuals.

    The classes that the shapes give for properties are stated by terms of schema.org, and the
    individuals of a class by notes on it.
    """
    graph = Graph().parse(SOURCE / "cturi.ttl")
    shapes = Graph().parse(SOURCE / "shapes" / "vocabulary.ttl")
    for shape, term in shapes.subject_objects(SH.targetSubjectsOf):
        for kind in shapes.objects(shape, SH["class"]):
            graph.add((term, SDO.domainIncludes, kind))
        for rule in shapes.objects(shape, SH.property):
            for kind in (*shapes.objects(rule, SH["class"]), *shapes.objects(rule, SH.datatype)):
                graph.add((term, SDO.rangeIncludes, kind))
    for individual in sorted(graph.subjects(RDF.type, OWL.NamedIndividual)):
        label, said = graph.value(individual, RDFS.label), graph.value(individual, SKOS.definition)
        for kind in graph.objects(individual, RDF.type):
            if kind != OWL.NamedIndividual:
                graph.add((kind, SKOS.note, Literal(f"<{individual}>, {label}: {said}")))
    return graph


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET
    written = build(folder)
    build_page(folder)
    print(f"wrote {len(written) + 1} files to {folder}")
