"""Every way to ask about a file gives the answer of the one judgement."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox
import pytest
from conftest import examples, law, small_folder
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rdflib import Graph
from repairs import EU, HEAD, IANA, catalogues

from cturi_rdf.catalogue import headers_of_file
from cturi_rdf.catalogue.annotate import annotate_file
from cturi_rdf.catalogue.meaning import Adding
from cturi_rdf.catalogue.patches import as_json_lines, as_provenance, as_rdf_patch, as_sparql_update
from cturi_rdf.catalogue.rendering import as_github, as_json, as_sarif, as_turtle, sarif_of_repair
from cturi_rdf.catalogue.repair import summary_of
from cturi_rdf.check import check, check_file
from cturi_rdf.rdf import describe
from cturi_rdf.rdf.label_statements import understand
from cturi_rdf.rdf.terms import CTV, DCTERMS, RDF
from cturi_rdf.reading.formats import ReadOptions
from cturi_rdf.reading.terms import to_ox
from cturi_rdf.repair import plan_file, profile_names
from cturi_rdf.serve.api import Upload
from cturi_rdf.sparql import query_data
from cturi_rdf.sparql.query import ask, ready_made

if TYPE_CHECKING:
    from collections.abc import Iterable

PROFILES = st.none() | st.sampled_from(profile_names())
NAME = "catalogue.ttl"
# A workflow command with a place, and its message.
COMMAND = re.compile(r"::\w+ file=[^,]+,line=(\d+),col=(\d+),\S*title=(\w+)::(.*)")
ONE = "<http://a.example/d> a dcat:Distribution ; "


def _in_file(folder: str, text: str) -> str:
    file = Path(folder, NAME)
    file.write_text(HEAD + text, "utf-8", newline="")
    return str(file)


def _results(sarif: str | bytes) -> list[tuple[object, ...]]:
    """Return the place, the rule and the message of each result in SARIF."""
    results = []
    for one in json.loads(sarif)["runs"][0]["results"]:
        region = one["locations"][0]["physicalLocation"]["region"]
        place = region["startLine"], region["startColumn"]
        results.append((*place, one["ruleId"], one["message"]["text"]))
    return results


def _rows(report: dict[str, Any]) -> list[tuple[object, ...]]:
    """Return the same of a report in JSON, in the order of the file."""
    rows = (
        (place["line"], place["column"], finding["rule"], finding["message"])
        for finding in report["findings"]
        for place in finding["places"]
    )
    return sorted(rows, key=lambda row: row[:2])


@given(catalogues, PROFILES)
@law
def test_a_check_says_the_same_of_the_same_statements_in_every_report(
    text: str, profile: str | None
) -> None:
    lsp = pytest.importorskip("cturi_rdf.lsp")
    workspace = pytest.importorskip("pygls.workspace")
    with small_folder() as folder:
        file = _in_file(folder, text)
        report = check_file(file, profile=profile)
        sent = Upload(file, NAME, ReadOptions()).report(profile)
    written = json.loads(as_json({NAME: report}))
    assert sent == written
    rows = _rows(written)
    assert _results(as_sarif({NAME: report})) == rows
    commands = map(COMMAND.match, as_github({NAME: report}).splitlines()[1:])
    assert [
        (int(found[1]), int(found[2]), found[3], found[4].replace("%25", "%"))
        for found in commands
        if found
    ] == rows
    settings = lsp.Settings()
    settings.profile = profile
    shown = lsp.findings(workspace.TextDocument(f"file:///{NAME}", HEAD + text), settings)
    starts = ((one.diagnostic.range.start, one.diagnostic) for one in shown)
    assert [(at.line + 1, at.character + 1, one.code, one.message) for at, one in starts] == rows


@given(catalogues, PROFILES)
@example(f'{ONE}dct:format "XLSX", "XLS" .', None)
@example(f'{ONE}dcat:mediaType "CSV" ; dcat:mediaType "csv" ; dcat:mediaType "CSV" .', None)
@example(
    f'{ONE}schema:encodingFormat "CSV" ; dcat:downloadURL <http://a.example/1> .', "dcat-ap-ch"
)
@law
def test_a_repair_names_the_profile_and_the_statements_of_the_check_in_the_order_of_the_file(
    text: str, profile: str | None
) -> None:
    with small_folder() as folder:
        file = _in_file(folder, text)
        report, planned = check_file(file, profile=profile), plan_file(file, profile=profile)
    assert report.profile is not None
    changes = planned.as_dict()["changes"]
    places = dict.fromkeys((one["line"], one["column"]) for one in changes if "line" in one)
    # What repeats a value goes with that value; several values may be missing behind a statement.
    changed = {one.statement.start for one in planned.plan.verdicts if one.changes}
    in_order = [tuple(planned.plan.document.position(start)) for start in sorted(changed)]
    assert [place for place in places if place in in_order] == in_order
    of_repair = sarif_of_repair(planned)
    assert set(_results(of_repair)) <= set(_results(as_sarif({NAME: report})))
    named = report.profile.text
    outputs = (
        as_turtle({NAME: report}),
        as_github({NAME: report}),
        as_sarif({NAME: report}),
        of_repair.decode(),
        next(summary_of(planned).lines()),
        as_sparql_update(planned).content.decode(),
        as_rdf_patch(planned).content.decode(),
        as_provenance(planned).decode(),
    )
    assert all(named in output for output in outputs)
    for output in (as_json({NAME: report}), as_json_lines(planned).splitlines()[0]):
        told = json.loads(output)
        assert f"({told['profile']}), {told['profile_because']}" in named


def _answer(name: str, file: str) -> list[list[str]]:
    """Return the rows of a ready-made query."""
    data = query_data(file, annotated=True, registry="default")
    return ask(ready_made()[name].text, data).text_rows()[1:]


@given(catalogues)
@example(f"{ONE}dcat:mediaType [ ] .")
@example('[] dct:format "CSV" ; dcat:accessURL <http://a.example/x> . [] dct:format "GML" .')
@example(f'{ONE}dct:format "CSV" ; dcat:downloadURL <http://a.example/1>, <http://a.example/2> .')
@settings(max_examples=examples(40))
def test_the_ready_made_queries_give_the_headers_and_the_conflicts_of_the_file(text: str) -> None:
    with small_folder() as folder:
        file = _in_file(folder, text)
        headers = list(headers_of_file(file))
        sent = Upload(file, NAME, ReadOptions()).headers()
        asked, conflicts = _answer("headers", file), _answer("conflicts", file)
    assert sent == [one.as_dict() for one in headers]
    # A node has the names of parameters and charsets in lower case.
    assert sorted((name, header.lower()) for name, header in asked) == sorted(
        (str(one.name), str(one.content_type).lower()) for one in headers if one.content_type
    )
    assert {name for name, *_ in conflicts} == {str(one.name) for one in headers if one.conflicts}


@given(catalogues)
@example(f'{ONE}dct:format "CSV" ; dcat:mediaType "application/gzip" .')
@example(f'{ONE}dct:format "SHP", "ZIP" .')
@example(f'{ONE}dct:format "ZIP" .')
@law
def test_what_is_linked_as_the_content_of_a_file_is_in_what_is_sent(text: str) -> None:
    with small_folder() as folder:
        file, annotated = _in_file(folder, text), Path(folder, "annotated.ttl")
        annotate_file(file, annotated)
        headers = [one for one in headers_of_file(file) if one.content_type]
        linked = list(ox.parse(path=str(annotated), base_iri="file:///"))
    for one in headers:
        inside = {content.essence for content in one.contains or (one.content_type,)}
        contents = {
            quad.object.value.removeprefix("ContentType:").partition("?")[0]
            for quad in linked
            if (quad.subject.value, quad.predicate) == (one.name, CTV.contentType)
        }
        assert contents <= inside


OPENXML = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
CSV, XLSX = ox.NamedNode(f"{EU}CSV"), ox.NamedNode(f"{EU}XLSX")
# Statements about a resource, its repaired format, and whether "Excel" is a guess there.
GUESSES = [
    ('dct:format "Excel"', None, True),
    (f'dct:format "Excel" ; dcat:mediaType <{IANA}{OPENXML}>', XLSX, False),
    ('dct:format "Excel", "XLSX"', XLSX, False),
    ('dct:format "XLSX", "flurbel"', XLSX, False),
    ('dct:format "Excel", "CSV"', None, True),
    ('dct:format "Excel", "ZIP"', None, True),
]


def test_what_only_a_guess_names_is_a_guess_and_no_repaired_statement(tmp_path: Path) -> None:
    rows = (f"<a:{number}> {statements} .\n" for number, (statements, _, _) in enumerate(GUESSES))
    file = _in_file(str(tmp_path), "".join(rows))
    data = query_data(file, annotated=True, registry="default")
    answer = ask(ready_made()["repaired"].text, data).as_result().graph
    assert answer is not None
    assert _formats(tuple(map(to_ox, triple)) for triple in answer) == {
        (f"a:{number}", value) for number, (_, value, _) in enumerate(GUESSES) if value
    }
    [(label, _, _, resources, first)] = _answer("guesses", file)
    guessed = [number for number, (_, _, is_guess) in enumerate(GUESSES) if is_guess]
    assert (label, int(resources), first) == ("Excel", len(guessed), f"a:{guessed[0]}")


@pytest.mark.parametrize("adding", Adding)
def test_a_store_returns_no_guess_whatever_annotating_has_added(
    tmp_path: Path, adding: Adding
) -> None:
    file = _in_file(str(tmp_path), f'{ONE}dct:format "Excel" . <a:e> dct:format "CSV" .\n')
    annotate_file(file, tmp_path / "out.ttl", adding=adding)
    store = ox.Store()
    store.load(path=str(tmp_path / "out.ttl"))
    types = Graph()
    for essence in ("application/vnd.ms-excel", "text/csv"):
        describe(essence, types)
    store.extend(ox.Quad(*map(to_ox, triple)) for triple in types)
    found = _formats(store.query(ready_made()["repaired"].text))
    # A file with links alone does not say which of them are guesses.
    assert found == (set() if adding is Adding.LINKS else {("a:e", CSV)})


def _formats(triples: Iterable[Any]) -> set[tuple[str, Any]]:
    """Return the resources with their formats."""
    path = ox.NamedNode("http://purl.org/dc/terms/format")
    return {(subject.value, value) for subject, predicate, value in triples if predicate == path}


@pytest.mark.parametrize("label", ["", "-", "n/a", "misc", "flurbel", "Table"])
def test_a_label_is_not_understood_for_one_reason(tmp_path: Path, label: str) -> None:
    file = _in_file(str(tmp_path), f"{ONE}dct:format {ox.Literal(label)} .")
    [group] = annotate_file(file, tmp_path / "out.ttl").groups()
    [finding] = check_file(file, profile="dcat-ap").findings
    [left] = plan_file(file, profile="dcat-ap").plan.left
    assert finding.message() == left.reason == group.reason


def test_a_node_without_a_label_is_not_called_a_text(tmp_path: Path) -> None:
    file = _in_file(str(tmp_path), f'{ONE}dct:format [], ( "CSV" ), "" .')
    nodes, text = understand(ox.BlankNode()), understand(ox.Literal(""))
    [group] = annotate_file(file, tmp_path / "out.ttl").groups()
    assert (group.count, group.reason) == (3, nodes.resolution.reason)
    assert text.resolution.reason != nodes.resolution.reason


def test_a_file_that_only_rdflib_reads_has_no_place_in_any_output(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonld"
    value = {"@value": "flurbel", "@language": None}
    file.write_text(json.dumps({"@id": "http://a.example/d", f"{DCTERMS}format": value}), "utf-8")
    planned = plan_file(file)
    [left] = planned.as_dict()["left"]
    assert not {"line", "column"} & left.keys()
    assert "a.jsonld:" not in "".join(line for line in list(summary_of(planned).lines())[1:])
    assert "startLine" not in sarif_of_repair(planned).decode()
    assert "startLine" not in as_sarif({NAME: check_file(file)})
    [group] = annotate_file(file, tmp_path / "out.ttl").groups()
    assert group.places[0].line is None


def test_a_statement_that_others_are_about_is_left_for_the_same_reason_in_a_file_and_its_graph(
    tmp_path: Path,
) -> None:
    text = f"""<r:RDF xmlns:r="{RDF}" xmlns:dct="{DCTERMS}">
      <r:Description r:about="a:d"><dct:format r:ID="x">CSV</dct:format></r:Description>
    </r:RDF>"""
    file = tmp_path / "a.rdf"
    file.write_text(text, "utf-8")
    graph = Graph().parse(data=text, format="xml", publicID="http://a.example/")
    of_file, of_graph = (
        [finding.message() for finding in report.findings]
        for report in (check_file(file, profile="dcat-ap"), check(graph, profile="dcat-ap"))
    )
    assert of_file == of_graph != []
