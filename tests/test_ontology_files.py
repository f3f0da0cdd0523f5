"""The files built from the ontology, and the questions that it answers."""

from __future__ import annotations

import csv
import json
import re
import runpy
from functools import cache
from pathlib import Path

import pytest
from processes import python
from rdflib import (
    DCAT,
    RDFS,
    BNode,
    Graph,
    URIRef,
)
from rdflib.compare import isomorphic

from cturi_rdf.rdf import annotate, describe

ONTOLOGY = Path(__file__).parents[1] / "ontology"
CATALOGUE = ONTOLOGY.parent / "examples" / "catalogue.ttl"
IRI = URIRef("https://w3id.org/cturi/vocab")


def _id(path: Path) -> str:
    return path.stem


QUESTIONS = sorted((ONTOLOGY / "questions").glob("*.rq"))


@cache
def _annotated() -> Graph:
    graph = Graph().parse(CATALOGUE)
    # The facts that follow from others are in the full descriptions alone.
    for content_type in annotate(graph).content_types:
        describe(str(content_type), graph)
    return graph


def test_there_are_questions_each_with_its_answer() -> None:
    assert len(QUESTIONS) >= 10
    assert {path.stem for path in QUESTIONS} == {
        path.stem for path in (ONTOLOGY / "questions").glob("*.tsv")
    }


@pytest.mark.parametrize("question", QUESTIONS, ids=_id)
def test_a_competency_question_has_the_expected_answer(question: Path) -> None:
    text = question.read_text("utf-8")
    assert re.match(r"# [A-Z].*\?\n", text)
    with question.with_suffix(".tsv").open(encoding="utf-8", newline="") as file:
        header, *expected = list(csv.reader(file, delimiter="\t"))
    found = _annotated().query(text)
    assert list(map(str, found.vars or ())) == header
    assert sorted([str(cell) for cell in row] for row in found) == sorted(expected)
    assert expected


def test_the_built_files_say_what_the_source_says(tmp_path: Path) -> None:
    script = runpy.run_path(str(ONTOLOGY.parent / "scripts" / "build_vocabulary.py"))
    built = script["build_site"](tmp_path / "o")
    written = {path.relative_to(tmp_path).as_posix() for path in built}
    source = script["published"]()
    for name, form in (("cturi.rdf", "xml"), ("cturi.jsonld", "json-ld"), ("cturi.ttl", "turtle")):
        assert isomorphic(Graph().parse(tmp_path / "o" / name, format=form), source)
    assert {"o/shapes/catalogue.ttl", "o/context.jsonld"} <= written


def test_the_page_has_every_term(tmp_path: Path) -> None:
    pytest.importorskip("pylode", reason="pyLODE comes with the extra docs")
    script = ONTOLOGY.parent / "scripts" / "build_vocabulary.py"
    python(script, tmp_path)
    page = (tmp_path / "index.html").read_text("utf-8")
    terms = set(Graph().parse(ONTOLOGY / "cturi.ttl").subjects(RDFS.isDefinedBy, IRI))
    assert terms
    assert [term for term in terms if str(term) not in page] == []


def test_the_context_says_in_json_what_the_vocabulary_says() -> None:
    document = {
        **json.loads((ONTOLOGY / "context.jsonld").read_text("utf-8")),
        "@id": "ContentType:application/xml",
        "@type": "ctv:MediaType",
        "ctv:contentTypeHeader": "application/xml",
        "ctv:bareMediaType": "ct:application/xml",
        "ctv:registrationStatus": "ctv:Registered",
        "ctv:fragmentSyntax": "https://www.rfc-editor.org/info/rfc7303",
        "ctv:topLevelType": "https://w3id.org/cturi/top-level/application",
    }
    graph = Graph().parse(data=json.dumps(document), format="json-ld")
    assert len(graph) == 6
    described = describe("application/xml")
    for subject, predicate, value in graph:
        assert not isinstance(subject, BNode)
        assert (subject, predicate, value) in described


def test_the_context_takes_no_word_of_another_context() -> None:
    context = json.loads((ONTOLOGY / "context.jsonld").read_text("utf-8"))["@context"]
    assert context["@version"] == 1.1
    assert context["@protected"] is True
    assert [key for key in context if ":" not in key] == [
        "@version",
        "@protected",
        "ct",
        "ctv",
        "mime",
    ]
    dcat = {"dcat": str(DCAT), "mediaType": {"@id": "dcat:mediaType", "@type": "@id"}}
    document = {"@context": [dcat, context], "@id": "ex:d", "mediaType": "ct:text/csv"}
    graph = Graph().parse(data=json.dumps(document), format="json-ld")
    assert set(graph.predicate_objects()) == {(DCAT.mediaType, URIRef("ContentType:text/csv"))}
