"""The ontology under OWLAPI and HermiT: in OWL 2 DL and RL, consistent, and no class impossible."""

from __future__ import annotations

import runpy
import shutil
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox
import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# It brings HermiT, and the OWLAPI by which ROBOT checks profiles.
owlready2 = pytest.importorskip("owlready2")
java_gateway = pytest.importorskip("py4j.java_gateway")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("java") is None, reason="HermiT runs on Java"),
]
ROOT = Path(__file__).parents[1]
ONTOLOGY = ROOT / "ontology"
VOCABULARY = [
    # The properties of others are data for the shapes.
    *sorted(set(ONTOLOGY.glob("*.ttl")) - {ONTOLOGY / "properties.ttl"}),
    *sorted(ONTOLOGY.glob("alignments/*.ttl")),
]
EXAMPLES = [
    path
    for folder in ("documentation", "valid")
    for path in sorted(ONTOLOGY.glob(f"examples/{folder}/*.ttl"))
]
OWL = "http://www.w3.org/2002/07/owl#"
RDF_TYPE = ox.NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
DATE = "http://www.w3.org/2001/XMLSchema#date"


def triples(files: Iterable[Path]) -> list[ox.Triple]:
    """Return the triples of files; what they import is among them, and nothing is fetched."""
    quads = chain.from_iterable(ox.parse(path=str(path), base_iri=path.as_uri()) for path in files)
    return [quad.triple for quad in quads if quad.predicate.value != f"{OWL}imports"]


# --- Profiles ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def owlapi() -> Iterator[Any]:
    """Yield the packages of OWLAPI in a Java of their own."""
    (jar,) = Path(owlready2.__file__).parent.glob("pellet/owlapi-distribution-*.jar")
    gateway = java_gateway.JavaGateway.launch_gateway(classpath=str(jar), die_on_exit=True)
    yield gateway.jvm.org.semanticweb.owlapi
    gateway.shutdown()


def violations(owlapi: Any, profile: str, ontology: Iterable[ox.Triple]) -> list[str]:
    """Return what an ontology has that an OWL 2 profile does not allow."""
    text = ox.serialize(ontology, format=ox.RdfFormat.RDF_XML)
    assert text is not None
    document = owlapi.io.StringDocumentSource(text.decode())
    loaded = owlapi.apibinding.OWLManager.createOWLOntologyManager()
    loaded = loaded.loadOntologyFromOntologyDocument(document)
    assert loaded.getAxiomCount() > 100
    report = getattr(owlapi.profiles, f"OWL2{profile}Profile")().checkOntology(loaded)
    return [str(each) for each in report.getViolations()]


@pytest.mark.parametrize("profile", ["DL", "RL"])
def test_the_ontology_is_in_the_profiles(owlapi: Any, profile: str) -> None:
    # No date is in an axiom.  This OWLAPI also looks at those of annotations, newer ones do not.
    ontology = [each for each in triples(VOCABULARY) if DATE not in str(each.object)]
    assert violations(owlapi, profile, ontology) == []


def test_the_published_vocabulary_is_in_owl_2_dl_by_itself(owlapi: Any) -> None:
    script = runpy.run_path(str(ROOT / "scripts" / "build_vocabulary.py"))
    text = script["published"]().serialize(format="nt")
    published = [quad.triple for quad in ox.parse(text, ox.RdfFormat.N_TRIPLES)]
    assert violations(owlapi, "DL", published) == []


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ("ctv:header a owl:DatatypeProperty, owl:ObjectProperty .", "Cannot pun"),
        ("ctv:Label rdfs:subClassOf ctv:Unheard .", "undeclared class"),
        (
            "ctv:wraps a owl:ObjectProperty, owl:TransitiveProperty, owl:FunctionalProperty .",
            "non-simple property",
        ),
    ],
)
def test_what_owl_2_dl_forbids_is_found(owlapi: Any, broken: str, said: str) -> None:
    prefixes = (
        "@prefix ctv: <https://w3id.org/cturi/vocab#> ."
        f"@prefix owl: <{OWL}> ."
        "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> ."
    )
    more = [quad.triple for quad in ox.parse(f"{prefixes} {broken}", ox.RdfFormat.TURTLE)]
    found = violations(owlapi, "DL", [*triples(VOCABULARY), *more])
    assert found
    assert all(said in each for each in found), found


# --- A reasoner --------------------------------------------------------------------------------


def impossible(ontology: Iterable[ox.Triple], tmp_path: Path) -> list[str]:
    """Return the classes that can have no member; raise an error for what is inconsistent."""
    path = tmp_path / "ontology.nt"
    ox.serialize(ontology, str(path), ox.RdfFormat.N_TRIPLES)
    world = owlready2.World(filename=str(tmp_path / "world.sqlite3"))
    loaded = world.get_ontology(path.as_uri()).load()
    with loaded:
        owlready2.sync_reasoner_hermit(world, debug=0)
    return [str(one.iri) for one in world.inconsistent_classes() if one is not owlready2.Nothing]


@pytest.mark.parametrize("files", [VOCABULARY, [*VOCABULARY, *EXAMPLES]], ids=["terms", "examples"])
def test_the_ontology_is_consistent_and_each_class_may_have_members(
    files: list[Path], tmp_path: Path
) -> None:
    assert impossible(triples(files), tmp_path) == []


def test_a_contradiction_is_found(tmp_path: Path) -> None:
    parameter, media_type = (
        ox.NamedNode(f"https://w3id.org/cturi/vocab#{name}") for name in ("Parameter", "MediaType")
    )
    both = ox.NamedNode("http://a.example/both")
    disjoint = ox.Triple(parameter, ox.NamedNode(f"{OWL}disjointWith"), media_type)
    members = [ox.Triple(both, RDF_TYPE, one) for one in (parameter, media_type)]
    with pytest.raises(owlready2.OwlReadyInconsistentOntologyError):
        impossible([*triples(VOCABULARY), disjoint, *members], tmp_path)
