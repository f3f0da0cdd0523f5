"""Build the parts of the ontology that the package has: ``make vocabulary``.

These are the namespace class of the vocabulary, its terms with their labels in four languages, its
dated version, and, beside the ontology, its JSON-LD context.  All are committed, so that an
installed package needs no ontology; a test checks that they are the output of this script.

A dated version is written once: `ontology/SHA256SUMS` has its hash.  Whoever changes the ontology
gives it a new `owl:versionIRI`.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from rdflib import OWL, RDF, RDFS, SH, SKOS, XSD, Graph, Literal, Namespace, URIRef
from rdflib.compare import to_canonical_graph

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "ontology" / "cturi.ttl"
DEPRECATED = ROOT / "ontology" / "deprecated.ttl"
SUMS = ROOT / "ontology" / "SHA256SUMS"
VERSIONS = ROOT / "cturi_rdf" / "data" / "versions"
TARGET = ROOT / "cturi_rdf" / "rdf" / "vocab.py"
RANGES = ROOT / "ontology" / "shapes" / "vocabulary.ttl"
CONTEXT_TARGET = ROOT / "ontology" / "context.jsonld"
PACKAGED_TARGET = ROOT / "cturi_rdf" / "data" / "vocabulary.nt"
ONTOLOGY = URIRef("https://w3id.org/cturi/vocab")
OBO = Namespace("http://purl.obolibrary.org/obo/")
STATUS = Namespace("http://www.w3.org/2003/06/sw-vocab-status/ns#")

HEAD = '''\
"""The namespace of the vocabulary: a term that it does not have is an error.

Generated from the ontology by scripts/build_vocabulary.py; do not edit.
"""

from rdflib import Namespace, URIRef
from rdflib.namespace import DefinedNamespace


class CTV(DefinedNamespace):
    """{title}, version {version}.

    >>> CTV.contentType
    rdflib.term.URIRef('{namespace}contentType')
    """

    _fail = True
    _NS = Namespace("{namespace}")
'''


def build() -> str:
    """Return the text of the module for the present ontology."""
    graph = Graph().parse(SOURCE)
    terms = sorted(set(graph.subjects(RDFS.isDefinedBy, ONTOLOGY)))
    namespace = f"{ONTOLOGY}#"
    title = graph.value(ONTOLOGY, URIRef("http://purl.org/dc/terms/title"))
    text = HEAD.format(
        title=title, version=graph.value(ONTOLOGY, OWL.versionInfo), namespace=namespace
    )
    lines = [
        f'    {name}: URIRef = URIRef("{namespace}{name}")'
        for name in (term.removeprefix(namespace) for term in terms)
    ]
    return text + "\n" + "\n".join(lines) + "\n"


def published() -> Graph:
    """Return the ontology as it is published, with the terms that readers of ontologies look for.

    The terms of earlier versions are in it, as deprecated ones.  The definition of a term stands in
    the source once; here it is its comment and OBO's definition too.  Translations are ontologies
    of their own: a term has one label in each.
    """
    graph = Graph().parse(SOURCE).parse(DEPRECATED)
    graph.bind("obo", OBO)
    graph.bind("vs", STATUS)
    for term in sorted(set(graph.subjects(RDFS.isDefinedBy, ONTOLOGY))):
        definition = graph.value(term, SKOS.definition)
        graph.add((term, RDFS.comment, definition))
        graph.add((term, OBO.IAO_0000115, definition))
        is_old = (term, OWL.deprecated, Literal(lexical_or_value=True)) in graph
        graph.add((term, STATUS.term_status, Literal("archaic" if is_old else "testing")))
    graph.add((OBO.IAO_0000115, RDF.type, OWL.AnnotationProperty))
    graph.add((STATUS.term_status, RDF.type, OWL.AnnotationProperty))
    return graph


def version() -> tuple[Path, str]:
    """Return the file of the present dated version, and its text."""
    date = str(Graph().parse(SOURCE).value(ONTOLOGY, OWL.versionIRI)).rpartition("/")[2]
    return VERSIONS / f"{date}.ttl", f"{SOURCE.read_text('utf-8')}\n{DEPRECATED.read_text('utf-8')}"


def write_version() -> None:
    """Write the present version with its hash, unless it is there already.

    Exits where it is there with another text.
    """
    target, text = version()
    line = f"{hashlib.sha256(text.encode()).hexdigest()}  {target.relative_to(ROOT).as_posix()}\n"
    sums = SUMS.read_text("utf-8")
    if line in sums:
        return
    if f"  {target.relative_to(ROOT).as_posix()}\n" in sums:
        raise SystemExit(f"{target.name} is published: give the ontology a new owl:versionIRI")
    target.write_text(text, "utf-8")
    SUMS.write_text(sums + line, "utf-8")
    print(f"wrote {target.relative_to(ROOT)}")


def build_packaged() -> str:
    """Return the published ontology and its translations, one triple per line."""
    graph = published()
    for path in sorted((ROOT / "ontology" / "translations").glob("*.ttl")):
        graph.parse(path)
    lines = to_canonical_graph(graph).serialize(format="nt").splitlines()
    return "\n".join(filter(None, sorted(lines))) + "\n"


def build_context() -> str:
    """Return the JSON-LD context: prefixes, and the type of the values of each property.

    The keys are compact IRIs such as ``ctv:contentType``, so that the context redefines no word of
    another context, such as DCAT's.
    """
    terms, shapes = Graph().parse(SOURCE), Graph().parse(RANGES)
    context: dict[str, object] = {
        "@version": 1.1,
        "@protected": True,
        "ct": {"@id": "ContentType:", "@prefix": True},
        "ctv": f"{ONTOLOGY}#",
    }
    for term in sorted(set(terms.subjects(RDFS.isDefinedBy, ONTOLOGY))):
        name = f"ctv:{term.removeprefix(f'{ONTOLOGY}#')}"
        shape = shapes.value(predicate=SH.path, object=term)
        datatype = shapes.value(shape, SH.datatype)
        if (term, RDF.type, OWL.ObjectProperty) in terms:
            context[name] = {"@id": name, "@type": "@id"}
        elif datatype not in (None, XSD.string):
            context[name] = {"@id": name, "@type": str(datatype)}
    return json.dumps({"@context": context}, indent=2) + "\n"


if __name__ == "__main__":
    for target, text in (
        (TARGET, build()),
        (CONTEXT_TARGET, build_context()),
        (PACKAGED_TARGET, build_packaged()),
    ):
        target.write_text(text, encoding="utf-8")
        print(f"wrote {target.relative_to(ROOT)}")
    write_version()
