"""The places of findings: file, line and column in every report."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from processes import python
from rdflib import Graph
from repairs import EU

from cturi_rdf.check import check_file
from cturi_rdf.editing.rdfxml.marked import MarkedXml
from cturi_rdf.reading import CatalogError

if TYPE_CHECKING:
    from conftest import Cturi, Write

# A text, and the tokens at the places of its findings.
FILES = {
    "nt": (
        (
            '<http://a.example/é> <http://www.w3.org/ns/dcat#mediaType> "text/csv" .\n'
            '_:b <http://www.w3.org/ns/dcat#mediaType> "text/x,:%" .\n'
        ),
        ['"text/csv"', '"text/x,:%"'],
    ),
    "rdf": (
        (
            '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"\n'
            '  xmlns:dcat="http://www.w3.org/ns/dcat#">\n'
            '  <rdf:Description rdf:about="http://a.example/é"><dcat:mediaType>text/csv'
            "</dcat:mediaType></rdf:Description>\n"
            '  <rdf:Description dcat:mediaType="text/x,:%"/>\n'
            "</rdf:RDF>\n"
        ),
        ["text/csv", "text/x,:%"],
    ),
}


def _place(text: str, wanted: str) -> tuple[int, int]:
    """Return the line and the column at which a text stands."""
    before = text[: text.index(wanted)]
    return before.count("\n") + 1, len(before) - before.rfind("\n")


@pytest.mark.parametrize("name", FILES)
def test_every_finding_has_a_line_and_a_column(write: Write, name: str) -> None:
    text, tokens = FILES[name]
    path = write(f"catalogue.{name}", text)
    report = check_file(str(path))
    places = {
        report.position(place.start) for finding in report.findings for place in finding.places
    }
    assert places == {_place(text, token) for token in tokens}


def test_a_collection_in_a_file_is_no_empty_node(write: Write) -> None:
    path = write("a.ttl", '<a:b> <http://purl.org/dc/terms/format> ("CSV" "PDF"), [ ] .')
    (finding,) = check_file(path).findings
    assert finding.message() == "Nothing describes this blank node."
    assert finding.level == "Warning"


@pytest.mark.parametrize("name", FILES)
def test_the_reports_name_file_line_and_column(write: Write, cturi: Cturi, name: str) -> None:
    text, tokens = FILES[name]
    path = write(f"100% catalogue.{name}", text)
    (line, column), (other_line, other_column) = (_place(text, token) for token in tokens)
    printed = cturi("check", path).out
    assert f"at {path}:{line}:{column}, on http://a.example/é" in printed
    assert f"at {path}:{other_line}:{other_column}\n" in printed
    assert "_:" not in printed
    [run] = json.loads(cturi("check", path, "--format", "sarif").out)["runs"]
    regions = [result["locations"][0]["physicalLocation"]["region"] for result in run["results"]]
    length = len(tokens[0])
    assert {"startLine": line, "startColumn": column, "endColumn": column + length} in regions
    assert run["columnKind"] == "unicodeCodePoints"
    commands = cturi("check", path, "--format", "github").out.splitlines()
    name = str(path).replace("%", "%25")
    start = f"::error file={name},line={line},col={column},endLine={line},"
    assert any(command.startswith(start) for command in commands)
    document = json.loads(cturi("check", path, "--json").out)
    found = [place for finding in document["findings"] for place in finding["places"]]
    assert {"resource": "http://a.example/é", "line": line, "column": column} in found
    assert {"resource": None, "line": other_line, "column": other_column} in found


def test_a_file_without_places_is_checked_too(write: Write, cturi: Cturi) -> None:
    path = write(
        "catalogue.n3", '<http://a.example/1> <http://www.w3.org/ns/dcat#mediaType> "text/csv" .'
    )
    run = cturi("check", path)
    assert (run.code, "on http://a.example/1" in run.out) == (1, True)


SHAPES = """
@prefix dcat: <http://www.w3.org/ns/dcat#> . @prefix dct: <http://purl.org/dc/terms/> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
<http://e.example/shape> sh:targetClass dcat:Distribution ;
  sh:property [ sh:path dct:license ; sh:nodeKind sh:IRI ; sh:maxCount 1 ] ,
    [ sh:path dcat:accessURL ; sh:minCount 1 ] .
"""
# A file with two distributions without names, the second one with a bad licence, and what stands
# at the place of that licence and, for what is missing, where both begin.
TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
OF_OTHERS = {
    "ttl": (
        """@prefix dcat: <http://www.w3.org/ns/dcat#> . @prefix dct: <http://purl.org/dc/terms/> .
<a:b> dcat:distribution [ a dcat:Distribution ; dct:license <a:good> ] ,
  [ dct:license "bad" ; a dcat:Distribution ] .
""",
        ['"bad"', "[ a dcat:Distribution", '[ dct:license "bad"'],
    ),
    "rdf": (
        """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  xmlns:dcat="http://www.w3.org/ns/dcat#" xmlns:dct="http://purl.org/dc/terms/">
<dcat:Distribution><dct:license rdf:resource="a:good"/></dcat:Distribution>
 <dcat:Distribution ><dct:license>bad</dct:license></dcat:Distribution>
</rdf:RDF>
""",
        ["bad", "<dcat:Distribution><dct:license rdf", "<dcat:Distribution ><"],
    ),
    "jsonld": (
        """{"@context": {"dcat": "http://www.w3.org/ns/dcat#", "dct": "http://purl.org/dc/terms/"},
"@graph": [{"@type": "dcat:Distribution", "dct:license": {"@id": "a:good"}},
 {"dct:license": "bad", "@type": "dcat:Distribution"}]}
""",
        ['"bad"', '{"@type": "dcat:Dist', '{"dct:license": "bad"'],
    ),
    "nt": (
        f"""_:a {TYPE} <http://www.w3.org/ns/dcat#Distribution> .
_:b <http://purl.org/dc/terms/license> "bad" .
_:b {TYPE} <http://www.w3.org/ns/dcat#Distribution> .
""",
        ['"bad"', "_:a", "_:b"],
    ),
}


@pytest.mark.parametrize("name", OF_OTHERS)
def test_what_shapes_of_others_find_has_the_place_of_the_value_or_else_of_the_resource(
    write: Write, name: str
) -> None:
    pytest.importorskip("pyshacl")
    text, tokens = OF_OTHERS[name]
    path = write(f"catalogue.{name}", text)
    report = check_file(str(path), shapes=Graph().parse(data=SHAPES, format="turtle"))
    places = {
        (finding.rule, report.position(place.start))
        for finding in report.findings
        for place in finding.places
        if finding.rule in {"NodeKindConstraintComponent", "MinCountConstraintComponent"}
    }
    kinds = ["NodeKind", "MinCount", "MinCount"]
    assert places == {
        (f"{kind}ConstraintComponent", _place(text, token))
        for kind, token in zip(kinds, tokens, strict=True)
    }


def test_a_triple_term_is_refused_where_the_shapes_of_others_are_to_see_it(write: Write) -> None:
    path = write("catalogue.ttl", "<a:b> <a:p> <<( <a:b> <a:c> <a:d> )>> .")
    with pytest.raises(CatalogError, match="a triple term"):
        check_file(str(path), shapes=Graph().parse(data=SHAPES, format="turtle"))


@pytest.mark.parametrize("command", ["annotate", "headers", "check"])
def test_a_command_that_needs_no_rdflib_does_not_load_it(write: Write, command: str) -> None:
    path = write("catalogue.nt", FILES["nt"][0])
    script = (
        "import atexit, sys; from cturi_rdf.cli import main;"
        "atexit.register(lambda: print(*sorted(sys.modules), file=sys.stderr)); main()"
    )
    run = python("-c", script, command, str(path), check=False)
    loaded = run.stderr.split()
    assert "cturi_rdf.reading.read" in loaded
    assert "rdflib" not in loaded


@pytest.mark.parametrize("namespace", ["&dct;", "&base;terms/", "http://purl.org/dc&#x2F;terms/"])
def test_the_namespace_of_an_element_may_come_out_of_an_entity(
    write: Write, namespace: str
) -> None:
    path = write(
        "a.rdf",
        '<!DOCTYPE rdf:RDF [ <!ENTITY base "http://purl.org/dc/"> '
        '<!ENTITY dct "&base;terms/"> ]>\n'
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"\n'
        f'  xmlns:dcat="http://www.w3.org/ns/dcat#" xmlns:dct="{namespace}">\n'
        '  <dcat:Distribution rdf:about="urn:a"><dct:format>CSV</dct:format></dcat:Distribution>\n'
        "</rdf:RDF>\n",
    )
    report = check_file(str(path))
    [finding] = report.findings
    assert report.position(finding.places[0].start) == _place(path.read_text(), "CSV")


def test_every_value_is_found_also_where_no_place_can_be_told(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    stated = ("dct:format", "CSV"), ("dct:format", "PDF"), ("dcat:mediaType", "text/x")
    node = '  <dcat:Distribution rdf:about="urn:{1}"><{0}>{1}</{0}></dcat:Distribution>\n'
    path = write(
        "a.rdf",
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"\n'
        '  xmlns:dcat="http://www.w3.org/ns/dcat#" xmlns:dct="http://purl.org/dc/terms/">\n'
        f"{''.join(node.format(*row) for row in stated)}</rdf:RDF>\n",
    )

    place_of = MarkedXml._object

    def place_of_others(text: MarkedXml, number: int) -> Any:
        return None if text.elements.names[number].endswith("format") else place_of(text, number)

    monkeypatch.setattr(MarkedXml, "_object", place_of_others)
    messages = {one.value: one.message() for one in check_file(str(path)).findings}
    assert set(messages) >= {"CSV", "PDF", "text/x"}
    for name in ("CSV", "PDF"):
        assert messages[name].endswith(f"<{EU}{name}>.")
