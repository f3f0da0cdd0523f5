"""Hostile catalogues: they cannot make the command line read, write or show anything harmful."""

from __future__ import annotations

import csv
import io
import json
import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib import Dataset, Literal, URIRef

from cturi_rdf.catalogue.header import csv_row
from cturi_rdf.reading import CatalogError, read_catalog, write_catalog
from cturi_rdf.reading.formats import FORMATS

if TYPE_CHECKING:
    from conftest import Cturi, Write

    from cturi_rdf.reading.formats import Format

# --- spreadsheets -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("@SUM(1)", "'@SUM(1)"),
        ("+1-1", "'+1-1"),
        ("-cmd|' /C calc'!A0", "'-cmd|' /C calc'!A0"),
        ("\t=1", "'\t=1"),
        ("\r=1", "'\r=1"),
        # A number is no formula, and a text that only holds one is none either.
        ("-5", "-5"),
        ("+.5e-3", "+.5e-3"),
        ("a=1", "a=1"),
        ("", ""),
    ],
)
def test_no_cell_is_a_formula(text: str, cell: str) -> None:
    assert next(csv.reader(io.StringIO(csv_row([text, "b"]), newline=""))) == [cell, "b"]


QUERY = "SELECT ?t ('=1+1' AS ?x) {?d dcat:mediaType ?t}"


@pytest.mark.parametrize("command", [["query", QUERY], ["headers", "--format", "csv"]])
def test_no_command_prints_a_formula(write: Write, cturi: Cturi, command: list[str]) -> None:
    path = write("a.ttl", '<=cmd> <http://www.w3.org/ns/dcat#mediaType> "=2+2", "text/csv" .')
    to = ["--to", "csv"] if command[0] == "query" else []
    run = cturi(*command, path, *to)
    cells = [cell for row in csv.reader(io.StringIO(run.out)) for cell in row]
    assert any(cell.startswith("'=") for cell in cells)
    assert not any(cell.startswith("=") for cell in cells)


# --- files ------------------------------------------------------------------------------------

COMMANDS = [
    ["headers"],
    ["annotate"],
    ["check"],
    ["repair", "--profile", "dcat-ap"],
    ["query", "ASK {?s dcat:mediaType ?o}"],
    ["query", "--as-is", "ASK {?s dcat:mediaType ?o}"],
]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_outside_the_folder_is_read_only_where_that_is_allowed(
    tmp_path: Path, write: Write, cturi: Cturi, command: list[str]
) -> None:
    context = write("context.json", '{"@context": {"f": "http://www.w3.org/ns/dcat#mediaType"}}')
    folder = tmp_path / "folder"
    folder.mkdir()
    catalogue = folder / "a.jsonld"
    for name in (str(context), "../context.json", "/etc/passwd"):
        catalogue.write_text(json.dumps({"@context": name, "@id": "http://a/d", "f": "text/csv"}))
        run = cturi(*command, catalogue)
        assert (run.code, run.out) == (2, "")
        assert f"expected the context itself in its place, --context {name}=FILE" in run.err
        assert ", or --allow-files" in run.err
        if name != "/etc/passwd":
            assert cturi(*command, catalogue, "--allow-files").code != 2
            assert cturi(*command, catalogue, "--context", f"{name}={context}").code != 2
        assert "outside the" not in cturi(*command, catalogue, "--context", f"{name}=none").err


# --- what is written can be read --------------------------------------------------------------

DCAT = "http://www.w3.org/ns/dcat#"
ENDINGS = ["ttl", "trig", "nt", "nq", "rdf", "jsonld"]
# Catalogues with terms that some syntax cannot hold, or only in another spelling.
HOSTILE = {
    "control.ttl": f'<a:d> <{DCAT}mediaType> "text/csv" ; <a:p> "a\\u001bb" .',
    "noncharacter.ttl": f'<a:d> <{DCAT}mediaType> "text/csv" ; <a:p> "a\\uffffb" .',
    "name.nt": f'<a:d> <{DCAT}mediaType> "text/csv" .\n<a:d> <http://x/1> "y" .',
    "syntax.nt": f'<a:d> <{DCAT}mediaType> "text/csv" .\n'
    '<a:d> <http://www.w3.org/1999/02/22-rdf-syntax-ns#li> "y" .',
    "bracket.nt": f'<http://[a/d> <{DCAT}mediaType> "text/csv" .',
    "label.nt": f'_:1.a <{DCAT}mediaType> "text/csv" .\n_:1.a <a:p> _:b .',
    "relative.ttl": f'<d> <{DCAT}mediaType> "text/csv" ; <p> <#o>, "x"^^<t> .',
    "space.rdf": '<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
    f' xmlns:d="{DCAT}"><d:Distribution r:about="http://a/x y|&quot;"><d:mediaType>CSV'
    '</d:mediaType><d:x r:datatype="http://a/t u">1</d:x></d:Distribution></r:RDF>',
    "pod.json": '{"dataset": [{"distribution": [{"format": "CSV", "my key <>": "x"}]}]}',
    "formula.n3": f"<a:d> <{DCAT}mediaType> <a:t> . {{<a:b> <c:d> ?x}} => {{?x <e:f> <g:h>}} .",
    "variable.n3": f'<a:d> <{DCAT}mediaType> "text/csv" ; <a:p> ?x .',
    "deep.ttl": f'<a:d> <{DCAT}mediaType> "text/csv" ; <a:p> {"[ <a:p> " * 90}1{"]" * 90} .',
}


NOT_RDF = {"formula.n3", "variable.n3", "bracket.nt"}


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_written_can_be_read(tmp_path: Path, cturi: Cturi, name: str, ending: str) -> None:
    source, target = tmp_path / name, tmp_path / f"out.{ending}"
    source.write_text(HOSTILE[name], "utf-8")
    target.write_text("old")
    run = cturi("annotate", source, "-o", target)
    assert "please report it" not in run.err
    if run.code == 0:
        assert cturi("headers", target).code == 0
        # Others than us read it too.
        Dataset().parse(target)
    else:
        assert run.code == 2
        assert run.err.startswith(f"cturi: {tmp_path}/")
        assert target.read_text() == "old"


@pytest.mark.parametrize(
    ("name", "ending", "reason"),
    [
        ("control.ttl", "rdf", "RDF/XML cannot hold U+001B, which is in a value of <a:p> of <a:d>"),
        ("noncharacter.ttl", "rdf", "RDF/XML cannot hold U+FFFF"),
        ("name.nt", "rdf", "RDF/XML cannot hold the predicate <http://x/1> of <a:d>, which no"),
        ("syntax.nt", "rdf", "RDF/XML cannot hold the predicate <http://www.w3.org/1999/02/22-rdf"),
        ("pod.json", "rdf", f"RDF/XML cannot hold the predicate <{DCAT}my key <>> of"),
        ("formula.n3", "ttl", "a formula, which only N3 has"),
        ("variable.n3", "nt", "a variable, which only N3 has"),
    ],
)
def test_what_cannot_be_written_is_named(
    tmp_path: Path, write: Write, cturi: Cturi, name: str, ending: str, reason: str
) -> None:
    source = write(name, HOSTILE[name])
    assert reason in cturi("annotate", source, "-o", tmp_path / f"out.{ending}").err


@pytest.mark.parametrize("name", [name for name in HOSTILE if name not in NOT_RDF])
def test_a_report_in_turtle_can_be_read(tmp_path: Path, cturi: Cturi, name: str) -> None:
    source, report = tmp_path / name, tmp_path / "report.ttl"
    source.write_text(HOSTILE[name], "utf-8")
    assert cturi("check", source, "--format", "turtle", "-o", report).code in {0, 1}
    assert list(ox.parse(report.read_bytes(), ox.RdfFormat.TURTLE, base_iri="a:b"))


# Characters that XML, Turtle or an IRI cannot hold, among others that they can.
_TEXT = st.text(
    st.sampled_from("a1 \t\n\r\x00\x07\x1b\x7f\x85\x9b\u202e\ufffe\uffff\"'<>\\{}^`|&é𝄞]")
)


@given(text=_TEXT, iri=_TEXT, form=st.sampled_from(FORMATS))
def test_any_dataset_is_written_so_that_it_can_be_read_or_refused(
    text: str, iri: str, form: Format
) -> None:
    dataset = Dataset()
    subject, predicate = URIRef(f"http://a.example/{iri}"), URIRef(f"http://a.example/{iri}/p")
    for value in (Literal(text), Literal(text, lang="en"), Literal(text, datatype=subject)):
        dataset.add((subject, predicate, value))
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder, f"out.{form.endings[0]}")
        target.write_text("old")
        try:
            write_catalog(dataset, str(target), form)
        except CatalogError:
            assert target.read_text() == "old"
        else:
            assert len(read_catalog(str(target))) == 3


# --- promises ---------------------------------------------------------------------------------


def test_every_test_that_holds_a_promise_is_there() -> None:
    tests = Path(__file__).parent
    page = (tests.parent / "SECURITY.md").read_text("utf-8")
    names = re.findall(r"`(\w+\.py)::(\w+)`", page)
    assert len(names) > 20
    for file, name in names:
        assert f"def {name}(" in (tests / file).read_text("utf-8"), name
