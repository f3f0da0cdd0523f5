"""What a conversion keeps, and what it says of all else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Cturi, Write

FORMAT = "http://purl.org/dc/terms/format"
RDF = (
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
    ' xmlns:d="http://purl.org/dc/terms/">'
)


def test_two_conversions_give_the_same_bytes(cturi: Cturi, tmp_path: Path) -> None:
    names = [f"a{number}.{ending}" for ending in ("nt", "rdf", "jsonld") for number in range(2)]
    for name in names:
        cturi("annotate", "examples/catalogue.ttl", "-o", str(tmp_path / name))
    texts = [(tmp_path / name).read_bytes() for name in names]
    assert texts[::2] == texts[1::2]
    assert b"_:node0 " in texts[0]


def test_a_label_that_looks_like_a_number_stays_a_node_of_its_own(
    cturi: Cturi, write: Write, tmp_path: Path
) -> None:
    path = write("a.ttl", f'_:node0 <{FORMAT}> "CSV" . [] <{FORMAT}> "PDF" .')
    cturi("annotate", str(path), "-o", str(tmp_path / "a.nt"), "--add", "links")
    text = (tmp_path / "a.nt").read_text()
    assert f'_:node0_ <{FORMAT}> "CSV"' in text
    assert f'_:node0 <{FORMAT}> "PDF"' in text


def test_graphs_that_become_one_are_counted(cturi: Cturi, write: Write, tmp_path: Path) -> None:
    lines = (f'<a:{n}> <{FORMAT}> "CSV" <http://g.example/{n % 2}> .\n' for n in range(4))
    path = write("a.nq", "".join(lines))
    run = cturi("annotate", str(path), "-o", str(tmp_path / "a.ttl"))
    assert "2 named graphs written without the name, such as <http://g.example/0>" in run.err


def test_a_relative_predicate_is_resolved_or_refused_in_rdfxml(
    cturi: Cturi, write: Write, tmp_path: Path
) -> None:
    path, target = write("a.ttl", f'[] <#x> <y> ; <{FORMAT}> "CSV" .'), tmp_path / "a.rdf"
    cturi("annotate", str(path), "-o", str(target), "--base", "http://b.example/c")
    assert 'xmlns="http://b.example/c#"' in target.read_text()


@pytest.mark.parametrize(
    "text",
    [
        f'<//c.example/d> <{FORMAT}> "CSV" .',
        f'{{"@id": "//c.example/d", "{FORMAT}": "CSV"}}',
        f'{RDF}<d:File rdf:about="//c.example/d"><d:format>CSV</d:format></d:File></rdf:RDF>',
    ],
    ids=["Turtle", "JSON-LD", "RDF/XML"],
)
def test_a_reference_without_a_scheme_has_that_of_the_base(
    cturi: Cturi, write: Write, tmp_path: Path, text: str
) -> None:
    ending = {"<//": "ttl", "{": "jsonld", "<rd": "rdf"}[text[:3] if text[0] == "<" else "{"]
    path = str(write(f"a.{ending}", text))
    assert cturi("headers", path).out == "//c.example/d\ttext/csv\n"
    target = tmp_path / "a.nt"
    cturi("annotate", path, "-o", str(target), "--base", "https://a.example/b")
    assert target.read_text().startswith("<https://c.example/d> ")


@pytest.mark.parametrize(
    ("content", "place"),
    [
        ("<d:format>CSV</d:format>\n  --&gt;\n", "3:3"),
        ('\n<d:format rdf:resource="a:b" rdf:nodeID="c"/>', "3:1"),
        ("<!-- a\nb --><d:format>\nCSV<d:x/></d:format>", "4:4"),
    ],
)
def test_rdfxml_that_is_no_rdf_is_refused_with_its_place(
    cturi: Cturi, write: Write, content: str, place: str
) -> None:
    path = write("a.rdf", f"{RDF}<rdf:Description>\n{content}</rdf:Description></rdf:RDF>")
    run = cturi("headers", str(path))
    assert f"{path}:{place}: not valid RDF/XML" in run.err


def test_turtle_in_a_file_of_rdfxml_is_told(cturi: Cturi, write: Write) -> None:
    path = write("a.rdf", '@prefix d: <http://purl.org/dc/terms/> .\n<a:b> d:format "CSV" .')
    run = cturi("headers", str(path))
    assert run.code == 2
    assert "it looks like turtle" in run.err
    assert "--from turtle" in run.err
    assert cturi("headers", str(path), "--from", "turtle").out == "a:b\ttext/csv\n"
