"""Build the parts of the ontology that the package has: ``make vocabulary``.

These are the namespaces of the vocabulary and its module for messages, their terms with labels in
four languages, their dated versions, and, beside the ontology, the JSON-LD context.  All are
committed, so that an installed package needs no ontology; a test checks that they are the output of
this script.

With a folder as its argument, ``make site`` has it write the files that are published there: the
source is Turtle; RDF/XML, JSON-LD and the page for people are made from it, and are not committed.

A dated version is written once: `ontology/SHA256SUMS` has its hash.  Whoever changes the ontology
gives it a new `owl:versionIRI`.
"""

from __future__ import annotations

import json
import shutil
import sys
from hashlib import sha256
from pathlib import Path

from rdflib import DCTERMS, OWL, RDF, RDFS, SDO, SH, SKOS, XSD, Graph, Literal, Namespace, URIRef
from rdflib.compare import to_canonical_graph

ROOT = Path(__file__).parents[1]
ONTOLOGY = ROOT / "ontology"
SOURCE = ONTOLOGY / "cturi.ttl"
AXIOMS = ONTOLOGY / "axioms.ttl"
# The files of each module.
MODULES = {
    "vocab": (SOURCE, ONTOLOGY / "deprecated.ttl"),
    "mime": (ONTOLOGY / "mime.ttl",),
}
SUMS = ONTOLOGY / "SHA256SUMS"
VERSIONS = ROOT / "cturi_rdf" / "data" / "versions"
TARGET = ROOT / "cturi_rdf" / "rdf" / "vocab.py"
RANGES = ONTOLOGY / "shapes" / "vocabulary.ttl"
CONTEXT_TARGET = ONTOLOGY / "context.jsonld"
PACKAGED_TARGET = ROOT / "cturi_rdf" / "data" / "vocabulary.nt"
BASE = "https://w3id.org/cturi/"
OBO = Namespace("http://purl.obolibrary.org/obo/")
STATUS = Namespace("http://www.w3.org/2003/06/sw-vocab-status/ns#")

HEAD = '''\
"""The namespaces of the vocabulary: a term that they do not have is an error.

Generated from the ontology by scripts/build_vocabulary.py; do not edit.
"""

from rdflib import Namespace, URIRef
from rdflib.namespace import DefinedNamespace
'''
CLASS = '''

class {name}(DefinedNamespace):
    """{title}, version {version}.

    >>> {name}.{term}
    rdflib.term.URIRef('{namespace}{term}')
    """

    _fail = True
    _NS = Namespace("{namespace}")
'''


def build() -> str:
    """Return the text of the module for the present ontology, without deprecated terms."""
    return (
        HEAD + _namespace("CTV", "vocab", "contentType") + _namespace("MIME", "mime", "messageId")
    )


def _namespace(name: str, module: str, example: str) -> str:
    graph, ontology = Graph().parse(MODULES[module][0]), URIRef(BASE + module)
    namespace = f"{ontology}#"
    title = graph.value(ontology, DCTERMS.title)
    version = graph.value(ontology, OWL.versionInfo)
    names = [
        term.removeprefix(namespace) for term in sorted(graph.subjects(RDFS.isDefinedBy, ontology))
    ]
    head = CLASS.format(name=name, title=title, version=version, namespace=namespace, term=example)
    lines = [f'    {name}: URIRef = URIRef("{namespace}{name}")' for name in names]
    return head + "\n" + "\n".join(lines) + "\n"


def modules() -> Graph:
    """Return the sources of all modules as one graph."""
    graph = Graph()
    for path in sum(MODULES.values(), ()):
        graph.parse(path)
    return graph


def published() -> Graph:
    """Return the ontology as it is published, with the terms that readers of ontologies look for.

    The terms of earlier versions are in it, as deprecated ones.  The definition of a term stands in
    the source once; here it is its comment and OBO's definition too.  Translations are ontologies
    of their own: a term has one label in each.  As OWL 2 DL asks for, it says of which kind each
    term of another vocabulary is that it uses.
    """
    graph = modules()
    graph.bind("obo", OBO)
    graph.bind("vs", STATUS)
    for term in sorted(set(graph.subjects(RDFS.isDefinedBy))):
        definition = graph.value(term, SKOS.definition)
        graph.add((term, RDFS.comment, definition))
        graph.add((term, OBO.IAO_0000115, definition))
        is_old = (term, OWL.deprecated, Literal(lexical_or_value=True)) in graph
        graph.add((term, STATUS.term_status, Literal("archaic" if is_old else "testing")))
    graph.add((OBO.IAO_0000115, RDF.type, OWL.AnnotationProperty))
    graph.add((STATUS.term_status, RDF.type, OWL.AnnotationProperty))
    used = {term for triple in graph for term in triple}
    for term, kind in Graph().parse(AXIOMS).subject_objects(RDF.type):
        if term in used and kind.startswith(OWL):
            graph.add((term, RDF.type, kind))
    return graph


def versions() -> dict[Path, str]:
    """Return the files of the present dated versions, and their texts."""
    texts = {}
    for module, paths in MODULES.items():
        iri = Graph().parse(paths[0]).value(URIRef(BASE + module), OWL.versionIRI)
        name = str(iri).removeprefix(BASE).replace("/", "-")
        texts[VERSIONS / f"{name}.ttl"] = "\n".join(path.read_text("utf-8") for path in paths)
    return texts


def write_versions() -> None:
    """Write the present versions with their hashes, unless they are there already.

    Exits where one is there with another text.
    """
    for target, text in versions().items():
        name = target.relative_to(ROOT).as_posix()
        line, sums = f"{sha256(text.encode()).hexdigest()}  {name}\n", SUMS.read_text("utf-8")
        if line in sums:
            continue
        if f"  {name}\n" in sums:
            raise SystemExit(f"{target.name} is published: give the ontology a new owl:versionIRI")
        target.write_text(text, "utf-8")
        SUMS.write_text(sums + line, "utf-8")
        print(f"wrote {name}")


def build_packaged() -> str:
    """Return the published ontology and its translations, one triple per line."""
    graph = published()
    for path in sorted((ONTOLOGY / "translations").glob("*.ttl")):
        graph.parse(path)
    lines = to_canonical_graph(graph).serialize(format="nt").splitlines()
    return "\n".join(filter(None, sorted(lines))) + "\n"


def build_context() -> str:
    """Return the JSON-LD context: prefixes, and the type of the values of each property.

    The keys are compact IRIs such as ``ctv:contentType``, so that the context redefines no word of
    another context, such as DCAT's.
    """
    shapes = Graph().parse(RANGES)
    context: dict[str, object] = {
        "@version": 1.1,
        "@protected": True,
        "ct": {"@id": "ContentType:", "@prefix": True},
        "ctv": f"{BASE}vocab#",
        "mime": f"{BASE}mime#",
    }
    for prefix, paths in (("ctv", MODULES["vocab"]), ("mime", MODULES["mime"])):
        terms = Graph().parse(paths[0])
        for term in sorted(set(terms.subjects(RDFS.isDefinedBy))):
            name = f"{prefix}:{term.partition('#')[2]}"
            shape = shapes.value(predicate=SH.path, object=term)
            datatype = shapes.value(shape, SH.datatype)
            if (term, RDF.type, OWL.ObjectProperty) in terms:
                context[name] = {"@id": name, "@type": "@id"}
            elif datatype not in (None, XSD.string):
                context[name] = {"@id": name, "@type": str(datatype)}
    return json.dumps({"@context": context}, indent=2) + "\n"


def build_site(target: Path) -> list[Path]:
    """Write all files to a folder, which is emptied first, and return them."""
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    for name in ("alignments", "shapes", "translations"):
        shutil.copytree(ONTOLOGY / name, target / name)
    for name in ("axioms.ttl", "context.jsonld", "properties.ttl"):
        shutil.copy(ONTOLOGY / name, target)
    graph = published()
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
    graph = Graph().parse(SOURCE)
    shapes = Graph().parse(ONTOLOGY / "shapes" / "vocabulary.ttl")
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


def main() -> None:
    """Write what is committed, or what is published to the folder that is named."""
    if len(sys.argv) > 1:
        folder = Path(sys.argv[1])
        written = build_site(folder)
        build_page(folder)
        print(f"wrote {len(written) + 1} files to {folder}")
        return
    texts = {TARGET: build(), CONTEXT_TARGET: build_context(), PACKAGED_TARGET: build_packaged()}
    for target, text in texts.items():
        target.write_text(text, encoding="utf-8")
        print(f"wrote {target.relative_to(ROOT)}")
    write_versions()


if __name__ == "__main__":
    main()
