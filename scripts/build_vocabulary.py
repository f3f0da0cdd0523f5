"""Build the namespace class of the vocabulary from the ontology: ``make vocabulary``.

The class is committed, so that an installed package needs no ontology; a test says that it
is what this script builds.
"""

from __future__ import annotations

from pathlib import Path

from rdflib import OWL, RDFS, Graph, URIRef

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "ontology" / "cturi.ttl"
TARGET = ROOT / "cturi_rdf" / "rdf" / "vocab.py"
ONTOLOGY = URIRef("https://w3id.org/cturi/vocab")

HEAD = '''\
"""The namespace of the vocabulary: a term that it does not have is an error.

Generated from the ontology by scripts/build_vocabulary.py; do not edit.
"""

from rdflib import Namespace, URIRef
from rdflib.namespace import DefinedNamespace

__all__ = ["CTV"]


class CTV(DefinedNamespace):
    """{title}, version {version}.

    >>> CTV.header
    rdflib.term.URIRef('{namespace}header')
    """

    _fail = True
    _NS = Namespace("{namespace}")
'''


def build() -> str:
    """Return the text of the module that the ontology of the moment makes."""
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


if __name__ == "__main__":
    TARGET.write_text(build(), encoding="utf-8")
    print(f"wrote {TARGET.relative_to(ROOT)}")
