"""RDF 1.2: files with it are edited like others, and terms that rdflib cannot hold are refused."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pyoxigraph as ox
import pytest
import turtle_documents
from conftest import examples
from edited_files import says_the_same
from hypothesis import given, settings
from hypothesis import strategies as st
from rdflib import Graph

from cturi_rdf import CturiError
from cturi_rdf.catalogue import annotate_file
from cturi_rdf.editing import locate
from cturi_rdf.reading import CatalogError, read_catalog
from cturi_rdf.reading.formats import format_named, format_of_file
from cturi_rdf.reading.terms import RDF_NS
from cturi_rdf.reading.writable import Writable
from cturi_rdf.repair import plan_file, repair
from cturi_rdf.sparql.query import run

if TYPE_CHECKING:
    from conftest import Write

PREFIXES = "@prefix : <http://e/> .\n@prefix dct: <http://purl.org/dc/terms/> .\n"
ANNOTATED = f'{PREFIXES}:a dct:format "CSV" ~ :r {{| :source :b ; dct:format "JSON" |}} .\n'


@pytest.mark.parametrize("syntax", ["ttl", "trig"])
@given(seed=st.integers(0, 1 << 32))
@settings(max_examples=examples(60))
def test_a_file_in_any_words_of_rdf_1_2_is_located_annotated_and_repaired(
    syntax: str, seed: int
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, f"document.{syntax}")
        text = turtle_documents.document(seed, graphs=syntax == "trig", newer=True)
        path.write_bytes(text.encode())
        form = format_of_file(path.name)
        assert says_the_same(locate(path.read_bytes(), form, base="http://base.example/"))
        for profile in ("dcat-ap", "schema"):
            plan_file(str(path), profile=profile).plan.check()
        annotate_file(path, path)
        annotated = path.read_bytes()
        annotate_file(path, path)
        assert path.read_bytes() == annotated


@pytest.mark.parametrize("version", ['VERSION "1.2"', "@version '1.2' .", "version '1.2'"])
def test_the_version_stays_in_front_of_a_prefix_that_is_added(write: Write, version: str) -> None:
    path = write("a.ttl", f'{version}\n{PREFIXES}:a dct:format "CSV" .\n')
    annotate_file(path, path)
    lines = path.read_text().splitlines()
    assert lines[0] == version
    assert "@prefix ctv: <https://w3id.org/cturi/vocab#> ." in lines[1:6]


def test_an_annotation_stays_with_the_statement_that_it_is_about(write: Write) -> None:
    path = write("a.ttl", ANNOTATED)
    annotate_file(path, path)
    assert '"CSV" ~ :r {| :source :b ; dct:format "JSON" ;' in path.read_text()
    plan = plan_file(str(write("b.ttl", ANNOTATED)), profile="dcat-ap").plan
    (left,) = [item for item in plan.left if item.statement.object.value == "CSV"]
    assert left.reason.startswith("A statement that other statements describe cannot be replaced")


def test_an_annotation_keeps_a_statement(write: Write) -> None:
    text = f"{PREFIXES}:a :b :c ~ :r {{| dct:format 'CSV', 'JSON' |}} {{| dct:format 'XML' |}} .\n"
    plan_file(str(write("a.ttl", text)), profile="dcat-ap").plan.check()


def test_a_literal_with_a_direction_is_a_label_in_lines_too(write: Write) -> None:
    line = '<http://e/a> <http://purl.org/dc/terms/format> "CSV"@en--ltr .\n'
    path = write("a.nt", line)
    annotate_file(path, path)
    link = "<http://e/a> <https://w3id.org/cturi/vocab#contentType> <ContentType:text/csv> ."
    assert path.read_text().startswith(line)
    assert link in path.read_text().splitlines()


def test_the_direction_of_a_text_in_rdf_xml_is_no_property(write: Write) -> None:
    rdf = (
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" rdf:version="1.2"'
        ' xmlns:dct="http://purl.org/dc/terms/" xmlns:its="http://www.w3.org/2005/11/its">'
        '<rdf:Description rdf:about="http://e/a" its:version="2.0">'
        '<dct:format xml:lang="en" its:dir="ltr">CSV</dct:format></rdf:Description></rdf:RDF>'
    )
    path = write("a.rdf", rdf)
    assert annotate_file(path, path).resolved == 1
    assert "ContentType:text/csv" in path.read_text()


def test_a_triple_term_is_refused_where_json_ld_would_have_to_hold_it(write: Write) -> None:
    path = write("a.ttl", ANNOTATED)
    with pytest.raises(CatalogError, match="JSON-LD cannot hold the triple term") as refused:
        annotate_file(path, path.with_suffix(".jsonld"))
    assert "Turtle" in refused.value.expected


def test_a_triple_term_is_refused_where_rdflib_would_have_to_hold_it(write: Write) -> None:
    path = write("a.ttl", ANNOTATED)
    with pytest.raises(CatalogError, match="a triple term"):
        read_catalog(path)
    for query in ("SELECT * { ?s ?p ?o }", "CONSTRUCT WHERE { ?s ?p ?o }"):
        with pytest.raises(CturiError, match="a triple term") as refused:
            run(query, path)
        assert "isTRIPLE" in refused.value.expected
    rows = run('VERSION "1.2" SELECT * { ?s ?p ?o FILTER(!isTRIPLE(?o)) }', path)
    assert len(rows) == 3


REIFIED = {
    "annotated.ttl": ':d dct:format "CSV" ~ :r {| :source :i |} .',
    "reified.ttl": ':d dct:format "CSV" . << :d dct:format "CSV" ~ :r >> :source :i .',
    "term.ttl": ':d dct:format "CSV" . :r rdf:reifies <<( :d dct:format "CSV" )>> ; :source :i .',
    "named.trig": ':d dct:format "CSV" ~ :r {| :source :i |} .',
    "node.ttl": ':d dct:format "CSV" . :r a rdf:Statement ; rdf:subject :d ;'
    ' rdf:predicate dct:format ; rdf:object "CSV" ; :source :i .',
}


@pytest.mark.parametrize("ending", ["ttl", "nt", "nq", "rdf"])
@pytest.mark.parametrize("name", REIFIED)
def test_a_statement_that_others_are_about_is_left_however_it_is_written(
    write: Write, name: str, ending: str
) -> None:
    [left] = plan_file(_reified(write, name, ending), profile="dcat").plan.left
    assert left.reason.startswith("A statement that other statements describe cannot be replaced")


@pytest.mark.parametrize("ending", ["ttl", "nt", "nq", "rdf"])
@pytest.mark.parametrize("name", REIFIED)
def test_what_says_the_same_as_such_a_statement_stays_with_it(
    write: Write, name: str, ending: str
) -> None:
    plan = plan_file(_reified(write, name, ending, ':d dct:format "csv" .'), profile="dcat")
    assert plan.edited == plan.original
    assert len(plan.plan.left) == 2


def _reified(write: Write, name: str, ending: str, more: str = "") -> Path:
    path = Path(write(name, f"{PREFIXES}@prefix rdf: <{RDF_NS}> .\n{REIFIED[name]} {more}"))
    if ending != "ttl":
        quads = ox.parse(path.read_bytes(), ox.RdfFormat.TRIG)
        path = path.with_suffix(f".{ending}")
        ox.serialize(quads, str(path), format_of_file(path.name).oxigraph)
    return path


def test_a_statement_that_others_are_about_is_left_in_a_graph_too() -> None:
    text = f"{PREFIXES}@prefix rdf: <{RDF_NS}> .\n{REIFIED['node.ttl']}"
    assert repair(Graph().parse(data=text, format="turtle"), "dcat").steps == ()


def test_a_triple_term_has_the_labels_of_the_nodes_beside_it() -> None:
    writable = Writable(format_named("nt"), "a.nt", None)
    node, iri = ox.BlankNode("a.b"), ox.NamedNode("http://e/p")
    random = ox.BlankNode()
    written = writable.quad(ox.Quad(node, iri, ox.Triple(random, iri, ox.Triple(node, iri, node))))
    other = writable.quad(ox.Quad(random, iri, node))
    term = ox.Triple(other.subject, iri, ox.Triple(written.subject, iri, written.subject))
    assert written.object == term
    assert other.object == written.subject != node
