"""Reports of a check: as text, as a graph, for programs; and the command that prints them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from checks import GOOD, LANGUAGES, OTHERS, PREFIXES, as_graph, by_our_shapes, check_turtle
from click.testing import CliRunner
from rdflib import RDF, Graph

from cturi_rdf.catalogue import rendering
from cturi_rdf.catalogue.rendering import REPORTS, as_json, as_sarif, as_text, as_turtle
from cturi_rdf.catalogue.shacl.foreign_shapes import SH
from cturi_rdf.check import check, check_file
from cturi_rdf.cli.check import check as command
from cturi_rdf.editing import EditError
from cturi_rdf.rdf import CTV
from cturi_rdf.reading import read_catalog

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Cturi, Write

BAD = """
    ex:a dcat:mediaType "text/csv" ; dct:format 'WMS' .
    ex:b dcat:distribution [ dcat:mediaType <http://x/nonsense> ] .
"""


def test_the_text_has_the_counts_and_the_findings() -> None:
    text = as_text({"bad.ttl": check_turtle(BAD)})
    lines = text.splitlines()
    assert lines[0].startswith("bad.ttl: 2 resources checked, 3 violations, 0 warnings, 0 infos")
    assert "      2 × Violation: mediaType, dcat:mediaType does not meet the profile" in lines
    assert lines.count('Violation: dct:format "WMS"') == 1
    # A blank node is named by a statement that leads to it.
    assert "    on https://example.org/b" in lines


def test_the_text_shows_a_value_as_a_repair_does() -> None:
    """The language and the datatype belong to it, unless the places differ in them."""
    one = as_text({"-": check_turtle("""ex:a dct:format "Quatsch"@de . ex:b dct:format 1 .""")})
    assert 'Violation: dct:format "Quatsch"@de' in one.splitlines()
    assert 'Violation: dct:format "1"^^<http://www.w3.org/2001/XMLSchema#integer>' in one
    two = as_text({"-": check_turtle("""ex:a dct:format "Quatsch"@de, "Quatsch" .""")})
    assert 'Violation × 2: dct:format "Quatsch"' in two.splitlines()


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_the_text_names_a_property_as_its_advice_does(write: Write, scheme: str) -> None:
    file = write("a.ttl", f'<a:s> <{scheme}://schema.org/encodingFormat> "CSV" .')
    text = as_text({"a": check_file(file, profile="schema")})
    assert 'Warning: schema:encodingFormat "CSV"\n' in text
    assert 'Write schema:encodingFormat "text/csv".' in text


def test_the_text_says_of_a_shape_of_others_what_it_is_about() -> None:
    graph = Graph().parse(data=PREFIXES + GOOD, format="turtle")
    shapes = Graph().parse(data=OTHERS, format="turtle")
    lines = as_text({"-": check(graph, shapes=shapes)}).splitlines()
    assert "      1 × Violation: MinCountConstraintComponent, MinCount of dct:title" in lines


def test_the_text_shows_ten_findings_and_says_how_many_there_are() -> None:
    turtle = " ".join(f"ex:a dct:format 'format {number}' ." for number in range(13))
    lines = as_text({"-": check_turtle(turtle)}).splitlines()
    assert sum(line.startswith("Violation: ") for line in lines) == 10
    assert lines[-1] == "and 3 more, all of them with --all"
    everything = as_text({"-": check_turtle(turtle)}, everything=True)
    assert everything.count("\nViolation: ") == 13
    assert " more, " not in everything


def test_the_text_shows_the_first_of_each_rule_before_the_second_of_any() -> None:
    turtle = " ".join(f"ex:a dct:format 'format {number}' ." for number in range(13))
    text = as_text({"-": check_turtle(turtle + " ex:a dcat:mediaType 'text/csv' .")})
    assert 'dcat:mediaType "text/csv"' in text


@pytest.mark.parametrize("kind", sorted(REPORTS))
def test_several_files_are_one_document(kind: str) -> None:
    report = check_turtle(BAD)
    one, both = (REPORTS[kind](dict.fromkeys(names, report)) for names in (["a"], ["a", "b"]))
    if kind == "sarif":
        assert len(json.loads(both)["runs"]) == 2
    elif kind == "turtle":
        graphs = [Graph().parse(data=text, format="turtle") for text in (one, both)]
        assert len(graphs[1]) == 2 * len(graphs[0])
    else:
        assert both.startswith(one)
        assert len(both.splitlines()) in {2 * len(one.splitlines()) + extra for extra in (0, 1)}


def test_the_graph_is_a_validation_report() -> None:
    report = check_turtle(BAD)
    graph = Graph().parse(data=as_turtle({"bad.ttl": report}), format="turtle")
    assert len(graph) == len(as_graph(report))
    results = list(graph.subjects(RDF.type, SH.ValidationResult))
    assert len(results) == 3
    for each in results:
        for path in (SH.focusNode, SH.resultSeverity, SH.sourceShape, SH.sourceConstraintComponent):
            assert graph.value(each, path)
        assert {message.language for message in graph.objects(each, SH.resultMessage)} == LANGUAGES


def test_the_json_has_every_finding() -> None:
    document = json.loads(as_json({"bad.ttl": check_turtle(BAD)}, "fr"))
    assert (document["conforms"], document["violations"], document["focus_nodes"]) == (False, 3, 2)
    (service,) = [each for each in document["findings"] if each["value"] == "WMS"]
    assert service["resources"] == ["https://example.org/a"]
    assert service["message"].startswith("C'est un service")


def test_the_sarif_has_a_rule_for_every_result() -> None:
    document = json.loads(as_sarif({"a folder/bad.ttl": check_turtle(BAD)}))
    assert document["version"] == "2.1.0"
    (run,) = document["runs"]
    rules = {each["id"] for each in run["tool"]["driver"]["rules"]}
    assert {each["ruleId"] for each in run["results"]} == rules
    assert len(run["results"]) == 3
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "a%20folder/bad.ttl"


def test_a_result_of_sarif_has_no_fix_where_the_file_cannot_be_edited_so(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise EditError("no place for another node", "a.ttl", "another file")

    path = write("a.ttl", f"{PREFIXES} ex:a dcat:mediaType 'text/csv' .")
    report = {str(path): check_file(path)}
    [result] = json.loads(as_sarif(report))["runs"][0]["results"]
    assert [fix["description"]["text"] for fix in result.pop("fixes")] == [
        f"Write {result['properties']['write']}"
    ]
    monkeypatch.setattr(rendering, "plan", refuse)
    assert json.loads(as_sarif(report))["runs"][0]["results"] == [result]


# --- The command -----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["text", "turtle", "json", "sarif"])
def test_the_command_writes_each_report_and_exits_1(tmp_path: Path, kind: str) -> None:
    source, target = tmp_path / "bad.ttl", tmp_path / "report"
    source.write_text(PREFIXES + BAD)
    result = CliRunner().invoke(
        command, [str(source), "--format", kind, "-o", str(target), "--language", "es"]
    )
    assert result.exit_code == 1
    assert "nonsense" in target.read_text("utf-8")


def test_the_command_offers_every_report() -> None:
    (option,) = [option for option in command.params if option.name == "wanted"]
    assert set(option.type.choices) == set(REPORTS)


def test_the_command_takes_shapes_and_passes(tmp_path: Path) -> None:
    source, shapes = tmp_path / "good.ttl", tmp_path / "shapes.ttl"
    source.write_text(PREFIXES + GOOD + "ex:a dct:title 'A' .")
    shapes.write_text(OTHERS)
    result = CliRunner().invoke(command, [str(source), "--shapes", str(shapes), "--json"])
    assert result.exit_code == 0
    assert json.loads(result.stdout)["conforms"] is True


def test_the_text_cannot_write_to_the_terminal(write: Write) -> None:
    source = write("bad.ttl", PREFIXES + r'ex:a dcat:mediaType "\u001b[31mred" .')
    result = CliRunner().invoke(command, [str(source)])
    assert "\x1b" not in result.stdout


@pytest.mark.parametrize("end", ["\\n", "\\r", "\\u0085", "\\u2028"])
def test_what_is_shown_of_a_value_and_a_message_is_one_line(write: Write, end: str) -> None:
    source = write("a.ttl", PREFIXES + f'ex:a a dcat:Distribution ; dcat:mediaType "CSV{end}x" .')
    worded = OTHERS.replace("sh:minCount", f'sh:message "No{end} title." ; sh:minCount')
    shapes = str(write("shapes.ttl", worded))
    lines = CliRunner().invoke(command, [str(source), "--shapes", shapes]).stdout.splitlines()
    assert any(line.endswith('x"') and "CSV" in line for line in lines)
    assert "    No title." in lines


@pytest.mark.slow
def test_a_catalogue_of_thousands_is_checked_by_what_is_different(shared: Path) -> None:
    dataset = read_catalog(str(shared / "catalogs" / "gsa-dcatus_with_none.json"))
    report = by_our_shapes(dataset)
    assert report.focus_nodes == 2841
    said = {each.rule: 0 for each in report.findings}
    for each in report.findings:
        said[each.rule] += len(each.places)
    assert said["MediaTypeIsIri"] == said["FormatIsNode"] + said["TypeIsNoService"] == 2841
    assert len(report.findings) < 100
    assert (None, CTV.contentType, None) not in dataset


def test_a_blank_node_without_a_place_is_called_one(cturi: Cturi, write: Write) -> None:
    source = write("in.n3", '[] <http://www.w3.org/ns/dcat#mediaType> "no/such" .')
    assert "\n    on a blank node\n" in cturi("check", source).out
