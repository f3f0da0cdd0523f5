"""The ontology under HermiT, a reasoner for OWL 2 DL: consistent, and no class impossible."""

from __future__ import annotations

import shutil
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph as ox
import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable

owlready2 = pytest.importorskip("owlready2")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("java") is None, reason="HermiT runs on Java"),
]
ONTOLOGY = Path(__file__).parents[1] / "ontology"
VOCABULARY = [
    *sorted(ONTOLOGY.glob("*.ttl")),
    *sorted(ONTOLOGY.glob("alignments/*.ttl")),
]
EXAMPLES = sorted(ONTOLOGY.glob("examples/*.ttl"))
OWL = "http://www.w3.org/2002/07/owl#"
RDF_TYPE = ox.NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")


def impossible(files: Iterable[Path], tmp_path: Path, *more: ox.Quad) -> list[str]:
    """Return the classes that can have no member; raise an error for what is inconsistent."""
    quads = chain.from_iterable(ox.parse(path=str(path)) for path in files)
    # What is imported is here, and nothing is fetched.
    triples = [quad.triple for quad in (*quads, *more) if quad.predicate.value != f"{OWL}imports"]
    path = tmp_path / "ontology.nt"
    ox.serialize(triples, str(path), ox.RdfFormat.N_TRIPLES)
    world = owlready2.World(filename=str(tmp_path / "world.sqlite3"))
    ontology = world.get_ontology(path.as_uri()).load()
    with ontology:
        owlready2.sync_reasoner_hermit(world, debug=0)
    return [str(one.iri) for one in world.inconsistent_classes() if one is not owlready2.Nothing]


@pytest.mark.parametrize("files", [VOCABULARY, [*VOCABULARY, *EXAMPLES]], ids=["terms", "examples"])
def test_the_ontology_is_consistent_and_each_class_may_have_members(
    files: list[Path], tmp_path: Path
) -> None:
    assert impossible(files, tmp_path) == []


def test_a_contradiction_is_found(tmp_path: Path) -> None:
    parameter, media_type = (
        ox.NamedNode(f"https://w3id.org/cturi/vocab#{name}") for name in ("Parameter", "MediaType")
    )
    both = ox.NamedNode("http://a.example/both")
    disjoint = ox.Quad(parameter, ox.NamedNode(f"{OWL}disjointWith"), media_type)
    members = [ox.Quad(both, RDF_TYPE, one) for one in (parameter, media_type)]
    with pytest.raises(owlready2.OwlReadyInconsistentOntologyError):
        impossible(VOCABULARY, tmp_path, disjoint, *members)
