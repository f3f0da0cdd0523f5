"""Real catalogues, whole: every label found, nothing lost, headers back."""

from __future__ import annotations

import csv
import gzip
import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from catalogues import CATALOGUES
from hypothesis import given
from hypothesis import strategies as st
from rdflib import BNode, Dataset, URIRef

from cturi_rdf import from_uri
from cturi_rdf._util.references import resolve_reference
from cturi_rdf.catalogue.evidence import evidence_of_label
from cturi_rdf.rdf import CTV, annotate, headers, mint
from cturi_rdf.rdf.terms import PROPERTIES
from cturi_rdf.reading import CatalogError, read_catalog, write_catalog
from cturi_rdf.reading.formats import FORMATS, format_named, format_of_file
from cturi_rdf.reading.terms import DOCUMENT, SENTINEL, relative
from cturi_rdf.registry.hierarchy import is_a

if TYPE_CHECKING:
    from catalogues import Annotated
    from conftest import Write
    from rdflib.term import Node

    from cturi_rdf import ContentType

EXAMPLE = Path(__file__).parents[1] / "examples" / "catalogue.ttl"


def _counted(dataset: Dataset) -> Counter[tuple[Node | None, ...]]:
    """Return the quads of a dataset: blank nodes without their names, IRIs legal."""
    return Counter(tuple(map(_comparable, quad)) for quad in dataset.quads())


def _comparable(term: Node | None) -> Node | None:
    if isinstance(term, BNode):
        return None
    return URIRef(term.replace(" ", "%20")) if isinstance(term, URIRef) else term


def _known_labels(shared: Path) -> dict[str, int]:
    """Return how many labels on known properties each catalogue has."""
    with (shared / "catalogs/LABELS.tsv").open(encoding="utf-8") as file:
        return {
            row["file"]: sum(
                int(each.rpartition("=")[2])
                for each in row["labels_by_property"].split()
                if not each.startswith("?")
            )
            for row in csv.DictReader(file, delimiter="\t")
        }


def test_the_catalogues_are_all_there_are(shared: Path) -> None:
    assert set(_known_labels(shared)) == set(CATALOGUES)


def test_a_real_catalogue_is_annotated_whole(
    shared: Path, tmp_path: Path, annotated: Annotated
) -> None:
    path, given, dataset, report = annotated
    # Every label on the known properties is found, and gets its node or is listed.
    assert report.labels == _known_labels(shared)[path.name]
    assert report.resolved + report.services + report.not_understood == report.labels
    listed = [*report.groups(), *report.groups("service")]
    assert sum(each.count for each in listed) == report.labels - report.resolved
    assert all(each.reason and each.places for each in listed)
    for each in report.occurrences:
        readings = [one for reading in each.resolution.readings for one in reading.types]
        evidence = evidence_of_label(str(each.predicate), each.understood)
        # What is no wrapper says nothing where a wrapper is asked for.
        for content_type in each.content_types if evidence.names_types else ():
            # Where labels agree, the narrower type is linked.
            linked = _types_of(each.resource, dataset)
            named = [content_type, *readings]
            assert any(is_a(one, other) for one in linked for other in named)
            assert (mint(content_type), CTV.contentTypeHeader, None) in dataset
    # The input's own triples are all still there, in the file that is written too.
    target = tmp_path / "out.trig"
    write_catalog(dataset, str(target), format_named("trig"))
    again = read_catalog(str(target))
    assert not _counted(given) - _counted(dataset)
    assert not _counted(given) - _counted(again)
    # From the annotations come the same headers as from the labels: one a resource.
    assert sorted(map(repr, _agreed(again))) == sorted(map(repr, _agreed(given)))


def _types_of(resource: Node, dataset: Dataset) -> list[ContentType]:
    """Return the types that a resource is linked to, or that contradict each other."""
    links = {CTV.conflictingType, *(URIRef(link.value) for link in PROPERTIES.values())}
    return [from_uri(str(node)) for link in links for node in dataset.objects(resource, link)]


def _agreed(dataset: Dataset) -> list[tuple[str, ContentType]]:
    """Return the named resources that have a header."""
    found = [each for each in headers(dataset) if each.content_type]
    assert len({each.resource for each in found}) == len(found)
    return [
        (str(_comparable(each.name)), each.content_type)
        for each in found
        if each.content_type and not isinstance(each.name, BNode)
    ]


# Relative IRIs as Turtle has them, whatever the depth.
RELATIVE = """
    @prefix dct: <http://purl.org/dc/terms/> .
    <> dct:format <CSV> . <#a> dct:format <text/csv> . <../b> dct:format <./> .
    <../../c?d#e> dct:format </f> . <g%20h> dct:format <//i.example/> .
"""


@pytest.mark.parametrize("name", ["out.ttl", "out.trig", "out.rdf", "out.jsonld", "out.ttl.gz"])
def test_relative_iris_are_relative_again(tmp_path: Path, name: str) -> None:
    source, target = tmp_path / "in.ttl", tmp_path / name
    source.write_text(RELATIVE)
    write_catalog(read_catalog(str(source)), str(target), format_of_file(name))
    content = target.read_bytes()
    text = gzip.decompress(content) if name.endswith(".gz") else content
    assert b"base.invalid" not in text
    assert _counted(read_catalog(str(target))) == _counted(read_catalog(str(source)))


# RFC 3986 section 5.2: none of them is another resource, such as <a:b> instead of <./a:b>.
@given(st.lists(st.sampled_from(["a", ":", "/", "?", "#", "1/2", "doc", "this-document"])))
def test_a_relative_iri_leads_back_to_what_it_was_made_of(pieces: list[str]) -> None:
    for start in (
        f"{SENTINEL}//base.invalid/",
        f"{SENTINEL}//a",
        DOCUMENT,
        DOCUMENT.removesuffix("this-document"),
    ):
        iri = start + "".join(pieces)
        assert resolve_reference(relative(iri), DOCUMENT) == iri


def test_in_a_format_without_relative_iris_they_are_those_of_the_base(tmp_path: Path) -> None:
    source, target = tmp_path / "in.ttl", tmp_path / "out.nt"
    source.write_text(RELATIVE)
    dataset = read_catalog(str(source))
    write_catalog(dataset, str(target), format_named("nt"), base="http://a.example/x/y/z")
    text = target.read_text()
    assert "<http://a.example/x/y/CSV>" in text
    assert "<http://a.example/x/b>" in text
    with pytest.raises(CatalogError, match="nt cannot hold the relative IRI <"):
        write_catalog(dataset, str(target), format_named("nt"))
    assert target.read_text() == text


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_every_format_is_written_and_read(tmp_path: Path, form: Any) -> None:
    dataset = read_catalog(str(EXAMPLE))
    annotate(dataset)
    target = tmp_path / f"out.{form.endings[0]}.gz"
    assert write_catalog(dataset, str(target), form, base=DOCUMENT) == set()
    assert _counted(read_catalog(str(target))) == _counted(dataset)


@pytest.mark.parametrize(
    ("iri", "legal"),
    [
        ("http://a.example/b c", "http://a.example/b%20c"),
        ("http://a.example/100%", "http://a.example/100%25"),
        ("http://a.example/%zz%41", "http://a.example/%25zz%41"),
    ],
)
def test_what_no_iri_can_hold_is_kept_where_the_format_can_and_encoded_elsewhere(
    tmp_path: Path, write: Write, iri: str, legal: str
) -> None:
    source = write(
        "in.rdf",
        f"""
        <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
          <rdf:Description rdf:about="{iri}" rdf:value="CSV"/>
        </rdf:RDF>""",
    )
    dataset = read_catalog(str(source))
    assert write_catalog(dataset, str(tmp_path / "out.rdf"), format_named("xml")) == set()
    assert URIRef(iri) in set(read_catalog(str(tmp_path / "out.rdf")).subjects())
    encoded = write_catalog(dataset, str(tmp_path / "out.ttl"), format_named("turtle"))
    assert encoded == {iri}
    assert f"<{legal}>" in (tmp_path / "out.ttl").read_text()


def test_a_literal_and_a_blank_node_are_written_as_they_were_read(tmp_path: Path) -> None:
    source = tmp_path / "in.jsonld"
    typed = [{"@value": v, "@type": f"http://www.w3.org/2001/XMLSchema#{t}"} for v, t in (
        ("1", "decimal"), ("1.10", "decimal"), ("01", "integer"), ("1e3", "double"),
        ("TRUE", "boolean"), ("2024-1-1", "date"), ("x", "integer"),
    )]  # fmt: skip
    source.write_text(json.dumps({"@id": "_:not-a@label", "http://a.example/b": typed}))
    for form in FORMATS:
        target = tmp_path / f"out.{form.endings[0]}"
        write_catalog(read_catalog(str(source)), str(target), form)
        again = read_catalog(str(target))
        assert {str(each) for each in again.objects(None, URIRef("http://a.example/b"))} == {
            each["@value"] for each in typed
        }, form
        assert len(set(again.subjects())) == 1


def test_named_graphs_stay_named(tmp_path: Path) -> None:
    source, target = tmp_path / "in.nq", tmp_path / "out.nq"
    source.write_text(
        '<http://a.example/2> <http://purl.org/dc/terms/format> "CSV" .\n'
        '<http://a.example/1> <http://purl.org/dc/terms/format> "CSV" <http://a.example/g> .\n'
    )
    dataset = read_catalog(str(source))
    write_catalog(dataset, str(target), format_named("nquads"))
    assert _counted(read_catalog(str(target))) == _counted(read_catalog(str(source)))
    assert sorted(target.read_text().split()) == sorted(source.read_text().split())
