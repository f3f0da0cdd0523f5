"""Any SHACL shapes on any RDF file: where each result stands, and the fix that is certain."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pyoxigraph as ox
import pytest
from catalogues import CATALOGUES
from conftest import partly_slow

from cturi_rdf.catalogue.labels import EDITABLE
from cturi_rdf.check import check_file
from cturi_rdf.editing import locate
from cturi_rdf.reading.formats import format_of_file
from cturi_rdf.reading.rdflib_graphs import read_graph
from cturi_rdf.reading.terms import DOCUMENT

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Cturi, Write

    from cturi_rdf.catalogue.findings import Finding, FindingPlace

pytest.importorskip("pyshacl")

SHAPES = """
@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix ex: <http://e.example/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
ex:S a sh:NodeShape ; sh:targetClass ex:Book ; sh:property
  [ sh:path ex:language ; sh:in ( ex:en ex:de "x" ) ] , [ sh:path ex:date ; sh:datatype xsd:date ] ,
  [ sh:path ex:page ; sh:nodeKind sh:IRI ] , [ sh:path ex:kind ; sh:hasValue ex:book ] ,
  [ sh:path ex:status ; sh:hasValue ex:done ; sh:maxCount 1 ] ,
  [ sh:path ex:title ; sh:minCount 1 ] .
ex:de skos:prefLabel "German"@en .
"""
HEAD = "@prefix ex: <http://e.example/> .\n"
GOOD = "ex:a a ex:Book ; ex:title 1 ; ex:kind ex:book ; ex:status ex:done"
# A statement that is wrong, and what becomes of it; the same where only a human can decide.
FIXES = [
    ("ex:language ex:EN", "ex:language ex:en"),
    ("ex:language <https://e.example/de/>", "ex:language ex:de"),
    ('ex:language "German"', "ex:language ex:de"),
    ('ex:language "DE"', "ex:language ex:de"),
    ('ex:language " X"', 'ex:language "x"'),
    ('ex:language "Klingon"', 'ex:language "Klingon"'),
    ('ex:date "2020-01-31"', 'ex:date "2020-01-31"^^xsd:date'),
    ('ex:date "soon"', 'ex:date "soon"'),
    ('ex:date "2020-01-31"@en', 'ex:date "2020-01-31"@en'),
    ('ex:page "http://a.example/1"', "ex:page <http://a.example/1>"),
    ('ex:page "page 1"', 'ex:page "page 1"'),
]


def fixed(cturi: Cturi, write: Write, text: str) -> str:
    source, shapes = write("books.ttl", text), write("shapes.ttl", SHAPES)
    assert cturi("edit", source, "--fix", shapes, "--in-place").code == 0
    once = source.read_text("utf-8")
    assert cturi("edit", source, "--fix", shapes, "--in-place").code == 0
    assert source.read_text("utf-8") == once
    return once


@pytest.mark.parametrize(("wrong", "right"), FIXES)
def test_what_a_shape_leaves_no_choice_about_is_fixed_and_nothing_else(
    cturi: Cturi, write: Write, wrong: str, right: str
) -> None:
    text = fixed(cturi, write, f"{HEAD}{GOOD} ; # c\n  {wrong} .\n")
    declared = "@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n" if "^^" in right else ""
    assert text == f"{HEAD}{declared}{GOOD} ; # c\n  {right} .\n"


def test_a_value_that_has_to_be_there_is_added_and_the_only_one_replaced(
    cturi: Cturi, write: Write
) -> None:
    text = fixed(cturi, write, f"{HEAD}ex:a a ex:Book ; ex:title 1 ; ex:status ex:open .\n")
    assert text == (f"{HEAD}ex:a a ex:Book ; ex:title 1 ; ex:kind ex:book ; ex:status ex:done .\n")


def test_a_missing_property_is_at_the_subject_in_every_report(cturi: Cturi, write: Write) -> None:
    text = f"{HEAD}ex:x ex:y 1 .\n  ex:b a ex:Book ; ex:kind ex:book ; ex:status ex:done .\n"
    source, shapes = write("books.ttl", text), write("shapes.ttl", SHAPES)
    run = cturi("check", source, "--shapes", shapes)
    assert (run.code, f"{source}:3:3, on http://e.example/b" in run.out) == (1, True)
    run = cturi("check", source, "--shapes", shapes, "--format", "github")
    assert "line=3,col=3,endLine=3,endColumn=7" in run.out
    run = cturi("check", source, "--shapes", shapes, "--format", "sarif")
    [result] = json.loads(run.out)["runs"][0]["results"]
    region = result["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 3, "startColumn": 3, "endColumn": 7}


def test_results_of_a_severity_of_their_own_come_after_those_that_shacl_has(write: Write) -> None:
    levels = ["sh:Info", "ex:Remark", "sh:Violation", "sh:Warning"]
    properties = " , ".join(
        f"[ sh:path ex:p{number} ; sh:minCount 1 ; sh:severity {level} ]"
        for number, level in enumerate(levels)
    )
    shapes = f"{SHAPES}ex:T a sh:NodeShape ; sh:targetClass ex:Page ; sh:property {properties} .\n"
    source = write("pages.ttl", f"{HEAD}ex:a a ex:Page .\n")
    report = check_file(source, shapes=read_graph(write("shapes.ttl", shapes)))
    found = [finding.severity for finding in report.findings if finding.path]
    assert [re.split("[/#]", severity.value)[-1] for severity in found] == [
        "Violation", "Warning", "Info", "Remark",
    ]  # fmt: skip


def test_a_fix_is_in_sarif_and_in_the_text(cturi: Cturi, write: Write) -> None:
    source = write("books.ttl", f'{HEAD}{GOOD} ; ex:language "German" .\n')
    shapes = write("shapes.ttl", SHAPES)
    run = cturi("check", source, "--shapes", shapes, "--format", "sarif")
    [result] = json.loads(run.out)["runs"][0]["results"]
    [change] = result["fixes"][0]["artifactChanges"][0]["replacements"]
    assert change["insertedContent"] == {"text": "ex:de"}
    run = cturi("check", source, "--shapes", shapes)
    assert "certain: <http://e.example/language> <http://e.example/de>" in run.out


def test_our_own_shapes_do_not_fail_a_run_in_which_others_are_named(
    cturi: Cturi, write: Write
) -> None:
    source = write(
        "books.ttl",
        f"{HEAD}{GOOD} ; <http://www.w3.org/ns/dcat#mediaType> <http://e.example/n> .\n",
    )
    shapes = write("shapes.ttl", SHAPES)
    assert cturi("check", source).code == 1
    run = cturi("check", source, "--shapes", shapes)
    assert (run.code, "Violation" in run.out) == (0, True)
    assert cturi("check", source, "--shapes", shapes, "--profile", "dcat-ap").code == 1


@pytest.mark.parametrize("ending", ["ttl", "n3"])
def test_what_other_shapes_find_stays_where_the_profile_says_nothing(
    cturi: Cturi, write: Write, ending: str
) -> None:
    # DCAT has no rule for the format of a dataset, and these shapes have one.
    source = write(
        f"in.{ending}",
        "@prefix dct: <http://purl.org/dc/terms/> . @prefix dcat: <http://www.w3.org/ns/dcat#> .\n"
        '<http://a.example/d> a dcat:Dataset ; dct:format "CSV" .\n',
    )
    shapes = write(
        "shapes.ttl",
        "@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix dct: <http://purl.org/dc/terms/> .\n"
        "[] a sh:NodeShape ; sh:targetSubjectsOf dct:format ;\n"
        "  sh:property [ sh:path dct:format ; sh:nodeKind sh:IRI ] .\n",
    )
    run = cturi("check", source, "--shapes", shapes)
    assert run.code == 1
    assert "1 violation, " in run.out
    assert '"CSV" is not of the node kind' in run.out


@pytest.mark.parametrize("words", [("check", "--shapes"), ("edit", "--diff", "--fix")])
def test_a_file_without_a_term_of_shacl_is_refused_as_shapes(
    cturi: Cturi, write: Write, words: tuple[str, ...]
) -> None:
    source = write("books.ttl", f"{HEAD}{GOOD} .\n")
    run = cturi(words[0], source, *words[1:], source)
    assert run.code == 2
    assert "the shapes: they have no term of SHACL; expected SHACL shapes" in run.err


def test_a_node_in_a_collection_has_its_place(cturi: Cturi, write: Write) -> None:
    text = f"{HEAD}ex:l ex:items ( 1 [ a ex:Book ; ex:title 2 ; ex:status ex:done ] ) .\n"
    source, shapes = write("books.ttl", text), write("shapes.ttl", SHAPES)
    run = cturi("check", source, "--shapes", shapes)
    assert f"{source}:2:{text.splitlines()[1].index('[') + 1}" in run.out


PREFIX = re.compile(rb"@?prefix\s+[\w.-]*:\s*<[^>]*>", re.IGNORECASE)


def expect_parsed(data: bytes, finding: Finding, place: FindingPlace) -> None:
    """Expect that the text of each part of a place, parsed alone, is the term of the result."""
    wanted = {"focus node": place.resource, "path": finding.path, "value": place.value}
    head = b"".join(one.lstrip(b"@") + b"\n" for one in PREFIX.findall(data))
    for name, (start, end) in place.parts.items():
        text = data[start:end]
        if isinstance(wanted[name], ox.BlankNode):
            assert text.startswith((b"[", b"_:", b"(")), (name, text, finding)
            continue
        statement = b"<a:a> %s <a:a> ." if name == "path" else b"<a:a> <a:a> %s ."
        quads = ox.parse(head + statement % text, ox.RdfFormat.TURTLE, base_iri=DOCUMENT)
        [term] = {
            quad.predicate if name == "path" else quad.object
            for quad in quads
            if quad.subject == ox.NamedNode("a:a")
        }
        assert term == wanted[name], (name, text, finding)


SMALL = [name for name in CATALOGUES if name.startswith(("w3c", "fedict-dcat", "maregraph"))]


@pytest.mark.parametrize("name", partly_slow(CATALOGUES, daily=SMALL))
def test_the_text_at_a_result_of_the_official_shapes_is_the_value(shared: Path, name: str) -> None:
    path = shared / "catalogs" / name
    form = format_of_file(name)
    if form.name not in EDITABLE:
        pytest.skip("a format without places")
    official = read_graph(shared / "suites" / "dcat-shapes" / "dcat-ap-2.1.1-shapes.ttl")
    report = check_file(path, shapes=official)
    document = locate(path.read_bytes(), form, base=DOCUMENT, name=name)
    at: dict[tuple[int, int], set[ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple]] = {}
    for statement in document.statements:
        at.setdefault((statement.start, statement.end), set()).add(statement.object)
    for finding in report.findings:
        for place in finding.places if not finding.is_ours else ():
            assert place.start is not None, finding
            if place.value is not None and not isinstance(place.value, ox.BlankNode):
                assert place.end is not None
                assert place.value in at[place.start, place.end], finding
            if form.name in {"turtle", "trig", "nt", "nquads"}:
                expect_parsed(path.read_bytes(), finding, place)


def test_a_result_has_the_places_of_focus_node_path_and_value(cturi: Cturi, write: Write) -> None:
    text = f'{HEAD}{GOOD} ;\n  ex:language # c\n    "Klingon" .\n'
    source, shapes = write("books.ttl", text), write("shapes.ttl", SHAPES)
    run = cturi("check", source, "--shapes", shapes)
    assert f"at {source}:4:5, on http://e.example/a" in run.out
    assert "    focus node at 2:1, path at 3:3, value at 4:5\n" in run.out
    run = cturi("check", source, "--shapes", shapes, "--format", "github")
    assert "line=4,col=5" in run.out
    assert "%0Afocus node at 2:1, path at 3:3, value at 4:5\n" in run.out
    run = cturi("check", source, "--shapes", shapes, "--format", "sarif")
    [result] = json.loads(run.out)["runs"][0]["results"]
    regions = {
        one["message"]["text"]: tuple(one["physicalLocation"]["region"].values())
        for one in result["relatedLocations"]
    }
    assert regions == {"focus node": (2, 1, 5), "path": (3, 3, 14), "value": (4, 5, 14)}
    run = cturi("check", source, "--shapes", shapes, "--json")
    [place] = json.loads(run.out)["findings"][0]["places"]
    assert place["path"] == {"line": 3, "column": 3}
    assert place["focus_node"] == {"line": 2, "column": 1}


FORMATS = {
    "books.ttl": '@prefix ex: <http://e.example/> .\nex:a a ex:Book ; ex:date "soon" .\n',
    "books.trig": '@prefix ex: <http://e.example/> .\nex:g { ex:a a ex:Book ; ex:date "soon" . }\n',
    "books.nt": "<http://e.example/a> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
    ' <http://e.example/Book> .\n<http://e.example/a> <http://e.example/date> "soon" .\n',
    "books.rdf": '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"\n'
    'xmlns:ex="http://e.example/"><ex:Book rdf:about="http://e.example/a">\n'
    "<ex:date>soon</ex:date></ex:Book></rdf:RDF>\n",
    "books.jsonld": '{"@context": {"@vocab": "http://e.example/"}, "@id": "http://e.example/a",\n'
    '"@type": "Book", "date": "soon"}\n',
}


@pytest.mark.parametrize("name", FORMATS)
def test_the_three_places_are_the_texts_of_the_terms_in_every_syntax(
    name: str, write: Write
) -> None:
    source, text = write(name, FORMATS[name]), FORMATS[name].encode()
    report = check_file(source, shapes=read_graph(write("shapes.ttl", SHAPES)))
    [finding] = [one for one in report.findings if one.value == "soon"]
    parts = {part: text[span.start : span.end] for part, span in finding.places[0].parts.items()}
    assert list(parts) == ["focus node", "path", "value"]
    assert b"a" in parts["focus node"]
    assert b"date" in parts["path"]
    assert b"soon" in parts["value"]
