"""What a query prints: tables, rows and triples."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from queries import EX, EXAMPLE, ONE, cturi_query
from rdflib import Graph, URIRef

from cturi_rdf.rdf import CTV, mint

ROOT = Path(__file__).parents[1]


def test_the_name_of_the_output_tells_the_format(tmp_path: Path) -> None:
    rows, triples = tmp_path / "rows.csv", tmp_path / "triples.nt"
    cturi_query(ONE, "-o", rows)
    assert rows.read_text("utf-8").split() == ["x", "text/csv"]
    cturi_query("CONSTRUCT { <a:a> <a:b> ?x } { BIND(ctf:mint('CSV') AS ?x) }", "-o", triples)
    assert triples.read_text("utf-8") == "<a:a> <a:b> <ContentType:text/csv> .\n"


ROWS = (
    'SELECT ?a ?b { VALUES (?a ?b) { ("x,\\"y\\"" 1) ("\\u001b[1m" UNDEF)'
    ' (<http://a.example/> "é"@fr) } }'
)


def test_a_table_shows_every_cell_whole_and_no_control_characters() -> None:
    lines = cturi_query(ROWS).output.splitlines()
    cells = [line.split() for line in lines[2:]]
    assert cells == [['x,"y"', "1"], ["\\x1b[1m"], ["http://a.example/", "é"]]
    long = "y" * 500
    assert long in cturi_query(f'SELECT ?a {{ BIND("{long}" AS ?a) }}').output


def test_rows_are_csv_or_json() -> None:
    rows = list(csv.reader(cturi_query(ROWS, "--to", "csv").output.splitlines()))
    assert rows == [["a", "b"], ['x,"y"', "1"], ["\x1b[1m", ""], ["http://a.example/", "é"]]
    bindings = json.loads(cturi_query(ROWS, "--to", "json").output)["results"]["bindings"]
    assert bindings[2]["b"] == {"type": "literal", "value": "é", "xml:lang": "fr"}


def test_rows_of_tsv_are_terms_as_turtle_writes_them_each_row_on_one_line() -> None:
    values = r'("x\ty" UNDEF) ("y\nz" 2) (<http://a.example/> "é"@fr) (1 "q\"")'
    output = cturi_query(f"SELECT ?a ?b {{ VALUES (?a ?b) {{ {values} }} }}", "--to", "tsv").output
    integer = "<http://www.w3.org/2001/XMLSchema#integer>"
    assert output == "\n".join(
        [
            "?a\t?b",
            r'"x\ty"' + "\t",
            r'"y\nz"' + f'\t"2"^^{integer}',
            '<http://a.example/>\t"é"@fr',
            f'"1"^^{integer}\t"q\\""',
            "",
        ]
    )


def test_an_answer_is_true_or_false() -> None:
    assert cturi_query("ASK { ?s ?p ?o } LIMIT 1").output in {"true\n", "false\n"}
    assert json.loads(cturi_query("ASK {}", "--to", "json").output) == {"head": {}, "boolean": True}


@pytest.mark.daily(2)
@pytest.mark.parametrize("form", [None, "turtle", "json-ld", "text/turtle; charset=utf-8", "nt"])
def test_triples_are_any_format_of_rdf(form: str | None, tmp_path: Path) -> None:
    text = "CONSTRUCT { ?d ctv:contentType ?t } { ?d dct:format ?l BIND(ctf:mint(?l) AS ?t) }"
    output = tmp_path / ("out" if form else "out.ttl")
    to = ["--to", form] if form else []
    assert cturi_query(text, EXAMPLE, *to, "-o", output).output == ""
    parser = {None: "turtle", "text/turtle; charset=utf-8": "turtle"}.get(form, form)
    graph = Graph().parse(output, format=parser)
    assert (URIRef(f"{EX}natural-earth-shp"), CTV.contentType, mint("application/vnd.shp")) in graph


def test_a_blank_node_is_shown_as_one() -> None:
    assert " _:" in cturi_query("SELECT ?x { BIND(BNODE() AS ?x) }").output


RELATIVE = "<#d> <http://purl.org/dc/terms/format> <CSV>, <> ."


@pytest.mark.parametrize("base", [None, "https://a.example/b/c"])
@pytest.mark.parametrize("to", ["csv", "json", "xml", "tsv"])
def test_the_base_of_a_file_is_its_address_or_the_option(
    base: str | None, to: str, tmp_path: Path
) -> None:
    file = tmp_path / "a b.ttl"
    file.write_text(RELATIVE)
    address = base or file.as_uri()
    text = "SELECT ?f (STR(?f) AS ?t) (IRI('x') AS ?x) { <#d> dct:format ?f } ORDER BY ?f"
    options = ["--base", base] if base else []
    output = cturi_query(text, file, "--to", to, *options).output
    folder = address.rpartition("/")[0]
    for iri in (address, f"{folder}/CSV", f"{folder}/x"):
        assert iri in output
    assert "base.invalid" not in output
    if to == "csv":
        rows = list(csv.reader(output.splitlines()))[1:]
        assert rows == [[iri, iri, f"{folder}/x"] for iri in sorted((address, f"{folder}/CSV"))]


def test_what_comes_from_a_pipe_has_the_base_of_the_current_folder() -> None:
    text = "SELECT ?f { ?d dct:format ?f }"
    output = cturi_query(text, "-", "--to", "csv", stdin=RELATIVE).output
    assert f"{Path.cwd().as_uri()}/CSV" in output.split()


@pytest.mark.parametrize("base", ["somewhere", "http://a b/", "file:///caf\udce9"])
def test_a_base_is_an_iri(base: str) -> None:
    result = cturi_query("ASK {}", EXAMPLE, "--base", base)
    assert "a base that is not an IRI" in str(result.exception)


@pytest.mark.parametrize(
    ("text", "to"),
    [("ASK {}", "turtle"), (ONE, "nt"), ("CONSTRUCT WHERE { ?s dct:format ?o }", "csv")],
)
def test_rows_are_no_triples_and_triples_no_rows(text: str, to: str, tmp_path: Path) -> None:
    result = cturi_query(text, EXAMPLE, "--to", to, "-o", tmp_path / "out")
    assert result.exit_code == 2
    assert not (tmp_path / "out").exists()


def test_on_a_terminal_a_table_is_as_wide_as_it() -> None:
    pty = pytest.importorskip("pty")
    leader, follower = pty.openpty()
    text = f'SELECT ?a {{ BIND("{"y" * 200}" AS ?a) }}'
    command = [sys.executable, "-m", "cturi_rdf", "query", text]
    environment = {**os.environ, "COLUMNS": "60", "TERM": "xterm"}
    done = subprocess.run(command, stdout=follower, check=False, env=environment)
    os.close(follower)
    printed = os.read(leader, 10_000).decode()
    os.close(leader)
    assert done.returncode == 0
    assert printed.count("y") == 200
    # There is one space on each side.
    assert max(map(len, printed.splitlines())) == 59
    assert printed.count(f" {'y' * 58}\r\n") == 3


@pytest.mark.parametrize("options", [[], ["--as-is"]])
def test_a_document_from_a_pipe_has_no_context_beside_it(
    options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = {"@context": {"f": "http://purl.org/dc/terms/format"}}
    (tmp_path / "context.json").write_text(json.dumps(context))
    text = json.dumps({"@context": "context.json", "@id": "http://a/d", "f": "CSV"})
    (tmp_path / "data.jsonld").write_text(text)
    monkeypatch.chdir(tmp_path)
    query = "SELECT ?d { ?d dct:format ?f }"
    assert "http://a/d" in cturi_query(query, "data.jsonld", "--to", "csv", *options).output
    refused = cturi_query(query, "-", "--to", "csv", *options, stdin=text)
    assert "is not available" in str(refused.exception)
