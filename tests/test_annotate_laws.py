"""Laws of annotating, on generated catalogues: links follow their labels, headers stay."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph as ox
import pytest
from annotated_files import CTV, PREFIXES, SYNTAXES, quads_of
from conftest import examples, small_folder
from drawn_documents import DOCUMENTS
from edited_files import canonical
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from cturi_rdf.catalogue import Adding, annotate_file, headers_of_file
from cturi_rdf.catalogue.evidence import Evidence, evidence_of_label
from cturi_rdf.catalogue.judgement import judge
from cturi_rdf.check import check, check_file
from cturi_rdf.rdf import annotate, headers
from cturi_rdf.rdf.label_statements import understand
from cturi_rdf.rdf.terms import RDF, mint
from cturi_rdf.reading import read_catalog
from cturi_rdf.reading.formats import format_of_file
from cturi_rdf.reading.terms import lenient_ox

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rdflib import Dataset

    from cturi_rdf.catalogue.findings import Finding
    from cturi_rdf.catalogue.header import Header

LABELS = [
    "CSV",
    "Excel",
    "image/tif",
    "Zipped Shapefile",
    "CSV, JSON",
    "WMS",
    "n/a",
    "flurbel",
    "XML, tar.gz",
    "MIF",
    "text/plain",
    "RDF",
    "text/turtle",
]
# With pages on the site: their nodes tell what a link came from.
KNOWN = ["CSV", "Excel", "JSON", "MIF/MID", "WMS", "FlatGeobuf", "GeoPackage", "PDF/A-1a"]
# Of pairs that agree, and that do not.
MORE = ["text file", "Excel", "xlsx", "Word", "RDF", "Zipped text file", "text/csv", "GeoJSON",
        "application/json; charset=utf-8", "compressed CSV"]  # fmt: skip
OF_LABELS = ["dct:format", "dcat:mediaType", "dcat:compressFormat", "dcat:packageFormat"]

LABELLED = st.lists(
    st.tuples(st.sampled_from(OF_LABELS), st.sampled_from([*LABELS, *MORE])),
    min_size=1, max_size=4, unique=True,
)  # fmt: skip
PREFIXES_OF = {"dcat": "http://www.w3.org/ns/dcat#", "dct": "http://purl.org/dc/terms/"}
OF_HEADERS = {f"{CTV}servedAs", f"{CTV}conflictingType"}
OF_TYPES = {f"{CTV}{name}" for name in ("contentType", "compression", "packaging")}


# The description of text/csv mentions text/plain, which MIF/MID is.
@example(["WMS", "MIF/MID", "CSV"], ["dct:format"] * 4, "ttl", Adding.ALL)
@given(
    st.lists(st.sampled_from(KNOWN), min_size=2, max_size=5, unique=True),
    st.lists(st.sampled_from(OF_LABELS), min_size=4, max_size=4),
    st.sampled_from(SYNTAXES),
    st.sampled_from([Adding.LABELS, Adding.ALL]),
)
@settings(max_examples=examples(40))
def test_a_file_whose_label_has_changed_says_what_one_says_that_had_it_before(
    labels: list[str], properties: list[str], syntax: str, adding: Adding
) -> None:
    new, *old = labels
    statements = [f'{path} "{label}"' for path, label in zip(properties, old, strict=False)]
    before = f"{PREFIXES}<http://a.example/1> {' ; '.join(statements)} ."
    with small_folder() as folder:
        changed, fresh = Path(folder, f"changed.{syntax}"), Path(folder, f"fresh.{syntax}")
        for path, text in (changed, before), (fresh, before.replace(f'"{old[0]}"', f'"{new}"')):
            quads = ox.parse(text, ox.RdfFormat.TURTLE)
            ox.serialize(quads, str(path), format_of_file(path.name).oxigraph)
            annotate_file(path, path, adding=adding)
        subject = ox.NamedNode("http://a.example/1")
        label, other = ox.Literal(old[0]), ox.Literal(new)
        quads = [
            ox.Quad(subject, quad.predicate, other if quad.object == label else quad.object)
            if quad.subject == subject
            else quad
            for quad in quads_of(changed)
        ]
        ox.serialize(quads, str(changed), format_of_file(changed.name).oxigraph)
        annotate_file(changed, changed, adding=adding)
        assert set(quads_of(changed)) == set(quads_of(fresh))


def _iri(name: str) -> str:
    prefix, _, local = name.partition(":")
    return PREFIXES_OF[prefix] + local


def _annotated(path: Path, statements: Iterable[str], adding: Adding) -> set[ox.Quad]:
    """Return what a file says of one resource once it is annotated, with the descriptions."""
    text = f"{PREFIXES}<http://a.example/1> {' ; '.join(statements)} ."
    quads = ox.parse(text, ox.RdfFormat.TURTLE)
    ox.serialize(quads, str(path), format_of_file(path.name).oxigraph)
    annotate_file(path, path, adding=adding)
    return set(quads_of(path))


@example([("dct:format", "Excel"), ("dct:format", "xlsx")], "ttl", Adding.ALL)
@given(LABELLED, st.sampled_from(SYNTAXES), st.sampled_from(Adding))
@settings(max_examples=examples(40))
def test_what_earlier_versions_linked_for_each_label_by_itself_is_taken_back(
    labels: list[tuple[str, str]], syntax: str, adding: Adding
) -> None:
    statements = [f'{path} "{label}"' for path, label in labels]
    with small_folder() as folder:
        path = Path(folder, f"catalogue.{syntax}")
        fresh = _annotated(path, statements, adding)
        alone = {quad for one in statements for quad in _annotated(path, [one], adding)}
        linked = {quad for quad in alone if quad.predicate.value not in OF_HEADERS}
        headers_of_all = {quad for quad in fresh if quad.predicate.value in OF_HEADERS}
        quads = sorted(linked | headers_of_all, key=str)
        ox.serialize(quads, str(path), format_of_file(path.name).oxigraph)
        annotate_file(path, path, adding=adding)
        assert set(quads_of(path)) == fresh
        before = path.read_bytes()
        annotate_file(path, path, adding=adding)
        assert path.read_bytes() == before


@example([("dct:format", "Excel"), ("dct:format", "xlsx")], "dcat:Distribution")
@example([("dct:format", "text file"), ("dcat:mediaType", "text/csv")], "dcat:Distribution")
@example(
    [("dct:format", "GeoJSON"), ("dcat:mediaType", "application/json; charset=utf-8")],
    "dcat:Distribution",
)
@given(LABELLED, st.sampled_from(["dcat:Distribution", "dcat:Dataset"]))
@settings(max_examples=examples(40))
def test_the_types_that_a_resource_is_linked_to_are_those_of_its_judgement(
    labels: list[tuple[str, str]], kind: str
) -> None:
    evidence = [
        evidence_of_label(_iri(path), understand(ox.Literal(label))) for path, label in labels
    ]
    judged = judge([*evidence, Evidence(RDF.type.value, _iri(kind))])
    statements = [f"a {kind}", *(f'{path} "{label}"' for path, label in labels)]
    with small_folder() as folder:
        quads = _annotated(Path(folder, "catalogue.ttl"), statements, Adding.LINKS)
    # The link is to what a statement names; several may give the parameters of the header.
    named = {one for said in evidence for one in said.all_types}
    types = {
        mint(one if one in named else one.replace(parameters={}))
        for one in (*judged.contents, *judged.wrappers)
    }
    linked = {quad.object for quad in quads if quad.predicate.value in OF_TYPES}
    # What is certain stays where other statements contradict it.
    chosen = zip(judged.evidence, judged.chosen, strict=True)
    certain = [said for said, reading in chosen if not reading and said.confidence == "certain"]
    assert linked <= types | {mint(one) for said in certain for one in said.all_types}
    # Where several contents are left open, only preferred readings are linked.
    assert len(judged.contents) > 1 or types <= linked


@given(LABELLED, st.sampled_from(SYNTAXES), st.sampled_from(Adding))
@settings(max_examples=examples(40))
def test_annotating_changes_no_header(
    labels: list[tuple[str, str]], syntax: str, adding: Adding
) -> None:
    statements = " ; ".join(f'{path} "{label}"' for path, label in labels)
    quads = ox.parse(f"{PREFIXES}<http://a.example/1> {statements} .", ox.RdfFormat.TURTLE)
    with small_folder() as folder:
        path = Path(folder, f"catalogue.{syntax}")
        ox.serialize(quads, str(path), format_of_file(path.name).oxigraph)
        before = _facts(headers_of_file(path))
        annotate_file(path, path, adding=adding)
        assert _facts(headers_of_file(path)) == before


def _facts(found: Iterable[Header]) -> list[tuple[object, ...]]:
    return [
        (one.content_type, one.contains, one.content_encoding, *one.conflicts, one.confidence)
        for one in found
    ]


@pytest.mark.parametrize("syntax", DOCUMENTS)
@given(seed=st.integers(0, 1 << 32))
@settings(max_examples=examples(60))
def test_a_file_in_any_words_of_its_syntax_is_taken_as_its_graph_is(syntax: str, seed: int) -> None:
    with small_folder() as folder:
        path, edited = Path(folder, f"document.{syntax}"), Path(folder, f"edited.{syntax}")
        path.write_bytes(DOCUMENTS[syntax](seed).encode())
        graph = read_catalog(path)
        # A document of JSON-LD may define none of its terms.
        assume(len(graph))
        assert _found(check_file(path).findings) == _found(check(graph).findings)
        assert Counter(_facts(headers_of_file(path))) == Counter(_facts(headers(graph)))
        annotate_file(path, edited, adding=Adding.LABELS)
        annotate(graph, add="labels")
        assert _said(read_catalog(edited)) == _said(graph)
        before = edited.read_bytes()
        annotate_file(edited, edited, adding=Adding.LABELS)
        assert edited.read_bytes() == before


def _found(findings: Iterable[Finding]) -> Counter[tuple[str, str]]:
    """Return the findings; that a text states something twice is not said by its graph."""
    found: Counter[tuple[str, str]] = Counter()
    for finding in findings:
        if not finding.message().endswith("It is stated twice."):
            found[str(finding.shape), finding.value] += len(finding.places)
    return found


def _said(graph: Dataset) -> set[str]:
    return canonical(ox.Quad(*map(lenient_ox, quad)) for quad in graph.quads())
