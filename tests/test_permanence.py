"""What was published stays: terms, nodes and labels of every version, and its text."""

from __future__ import annotations

import hashlib
import re
import runpy
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from rdflib import DCTERMS, OWL, RDF, RDFS, SKOS, Graph, Literal, URIRef

from cturi_rdf.errors import CturiError
from cturi_rdf.rdf.terms import mint, own_node
from cturi_rdf.sparql import run
from cturi_rdf.uri.mapping import from_uri

ROOT = Path(__file__).parents[1]
SUMS = ROOT / "ontology" / "SHA256SUMS"
BASE = "https://w3id.org/cturi/"
SCRIPT: dict[str, Any] = runpy.run_path(str(ROOT / "scripts" / "build_vocabulary.py"))
PUBLISHED: Graph = SCRIPT["published"]()
VERSIONS = sorted((ROOT / "cturi_rdf" / "data" / "versions").glob("*.ttl"))
MODULES = ("vocab", "mime")
NAMESPACES = tuple(f"https://w3id.org/cturi/{module}#" for module in MODULES)
OLD_SHAPES = sorted((ROOT / "ontology" / "shapes" / "versions").glob("*.ttl"))
TRUE = Literal(lexical_or_value=True)
KINDS = {OWL.Class, OWL.ObjectProperty, OWL.DatatypeProperty}


def iris_of(path: Path) -> set[str]:
    """Return the IRIs of ours in a version, those in its examples included."""
    graph = Graph().parse(path)
    terms = {str(term) for triple in graph for term in triple if isinstance(term, URIRef)}
    examples = " ".join(map(str, graph.objects(None, SKOS.example)))
    terms |= set(re.findall(r"<([^>\s]+)>", examples))
    for prefix, namespace in zip(("ctv", "mime"), NAMESPACES, strict=True):
        terms |= {namespace + name for name in re.findall(rf"\b{prefix}:(\w+)", examples)}
    return {iri for iri in terms if iri.startswith((BASE, "ContentType:"))}


def node_of(iri: str) -> str | None:
    """Return the node that is minted today for what an IRI stands for; None if it is no node."""
    if iri.startswith("ContentType:"):
        return mint(from_uri(iri)).value
    kind, _, rest = iri.removeprefix(BASE).partition("/")
    parts = [unquote(part.replace("~2F", "/")) for part in rest.split("/")]
    kinds = {"label", "suffix", "top-level", "parameter"}
    return own_node(kind, *parts).value if kind in kinds else None


@pytest.mark.parametrize("path", VERSIONS, ids=lambda path: path.stem)
def test_every_term_of_every_version_is_defined_today(path: Path) -> None:
    terms = {URIRef(iri) for iri in iris_of(path) if iri.startswith(NAMESPACES)}
    assert len(terms) >= (80 if "vocab" in path.stem else 19)
    assert [term for term in terms if (term, RDF.type, None) not in PUBLISHED] == []
    for term in terms:
        assert isinstance(PUBLISHED.value(term, RDFS.label), Literal)
        assert PUBLISHED.value(term, SKOS.definition)


@pytest.mark.parametrize("path", VERSIONS, ids=lambda path: path.stem)
def test_a_term_stays_of_its_kind(path: Path) -> None:
    old = Graph().parse(path)
    for term in {URIRef(iri) for iri in iris_of(path) if iri.startswith(NAMESPACES)}:
        kinds = KINDS & set(old.objects(term, RDF.type))
        assert kinds <= set(PUBLISHED.objects(term, RDF.type)), term


@pytest.mark.parametrize("path", [*VERSIONS, *OLD_SHAPES], ids=lambda path: path.stem)
def test_every_node_and_label_of_every_version_is_minted_today(path: Path) -> None:
    nodes = {iri: node for iri in iris_of(path) if (node := node_of(iri))}
    assert len(nodes) > 20 or "vocab" not in path.stem
    assert {iri: node for iri, node in nodes.items() if iri != node} == {}


def test_a_deprecated_term_leads_to_a_term_in_use_or_says_why_there_is_none() -> None:
    deprecated = set(PUBLISHED.subjects(OWL.deprecated, TRUE))
    assert len(deprecated) >= 49
    for term in deprecated:
        assert str(PUBLISHED.value(term, RDFS.label)).startswith("obsolete ")
        successors = set(PUBLISHED.objects(term, DCTERMS.isReplacedBy))
        assert successors or PUBLISHED.value(term, SKOS.scopeNote), term
        for successor in successors:
            assert successor not in deprecated
            assert not successor.startswith(BASE) or (successor, RDF.type, None) in PUBLISHED
            assert str(successor).startswith((BASE, "https://www.", str(DCTERMS)))


def test_data_of_an_earlier_version_can_be_asked() -> None:
    data = "<http://e/d> <https://w3id.org/cturi/vocab#messageId> 'a@b' ."
    graph = Graph().parse(data=data, format="turtle")
    (row,) = run("SELECT ?id { ?d ctv:messageId ?id }", graph)
    assert str(row.id) == "a@b"
    with pytest.raises(CturiError, match="no term of this name"):
        run("SELECT ?id { ?d ctv:messageIt ?id }", graph)


def test_a_dated_version_never_changes() -> None:
    sums = {name: sum_ for sum_, name in map(str.split, SUMS.read_text("utf-8").splitlines())}
    dated = {path.relative_to(ROOT).as_posix(): path for path in (*VERSIONS, *OLD_SHAPES)}
    assert sums == {name: hashlib.sha256(p.read_bytes()).hexdigest() for name, p in dated.items()}
    # As they were committed when they were published.
    assert sums["cturi_rdf/data/versions/vocab-2026-11-22.ttl"].startswith("3e01d8c696d8")


def test_the_present_versions_are_written_and_say_which_came_before() -> None:
    present = SCRIPT["versions"]()
    assert set(present) == {next(p for p in reversed(VERSIONS) if m in p.stem) for m in MODULES}
    for path, text in present.items():
        assert path.read_text("utf-8") == text
    for module in MODULES:
        for earlier, later in pairwise(path for path in VERSIONS if module in path.stem):
            prior = Graph().parse(later).value(URIRef(BASE + module), OWL.priorVersion)
            assert prior == URIRef(BASE + earlier.stem.replace("-", "/", 1))


def test_a_published_version_is_not_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "cturi.ttl"
    source.write_text(SCRIPT["SOURCE"].read_text("utf-8") + "\n# changed\n", "utf-8")
    before = VERSIONS[-1].read_bytes()
    monkeypatch.setitem(SCRIPT["MODULES"], "vocab", (source, SCRIPT["MODULES"]["vocab"][1]))
    with pytest.raises(SystemExit, match="new owl:versionIRI"):
        SCRIPT["write_versions"]()
    assert VERSIONS[-1].read_bytes() == before
