"""An invalid term is an error of ours, with its place, from every command and syntax."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from rdflib import BNode, Literal, URIRef

from cturi_rdf.catalogue import annotate_file, headers_of_file
from cturi_rdf.check import check_file
from cturi_rdf.reading import CatalogError
from cturi_rdf.reading.terms import lenient_ox
from cturi_rdf.repair import plan_file

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Write
    from rdflib.term import Node

A_TERM_OF_RDFLIB = [
    (Literal("x", lang="en"), '"x"@en'),
    # A language that is none is left out, a lone surrogate replaced.
    (Literal("x", lang="a-longsubtag-x"), '"x"'),
    (Literal("x\ud800", lang="en"), '"x\ufffd"@en'),
    (Literal("x\ud800", lang="a-longsubtag-x"), '"x\ufffd"'),
    (BNode("x"), "_:x"),
    (BNode("a b"), "_:b_612062"),
    (URIRef("a b"), "<a b>"),
]


@pytest.mark.parametrize(("term", "text"), A_TERM_OF_RDFLIB)
def test_any_term_of_rdflib_has_one_of_oxigraph(term: Node, text: str) -> None:
    assert str(lenient_ox(term)) == text


ESCAPED = "<http://a.example/b\\u0020c>"
TASKS: dict[str, Callable[[str], object]] = {
    "annotate": lambda name: annotate_file(name, f"{name}.out.trig"),
    "headers": lambda name: list(headers_of_file(name)),
    "check": check_file,
    "repair": lambda name: plan_file(name, profile="dcat-ap"),
}


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize(
    ("name", "term"),
    [
        ("in.ttl", ESCAPED), ("in.trig", ESCAPED), ("in.nt", ESCAPED), ("in.nq", ESCAPED),
        ("in.ttl", "x:y"), ("in.trig", "x:y"), ("in.ttl", '"CSV"^^x:y'), ("in.ttl", "( x:y )"),
        ("in.ttl", "[ x:y 1 ]"), ("in.ttl", "<http://[>"),
    ],
)  # fmt: skip
def test_a_label_that_is_no_term_is_an_error_with_its_line(
    task: str, name: str, term: str, tmp_path: Path, write: Write
) -> None:
    source = write(
        name,
        '<http://a.example/1> <http://purl.org/dc/terms/format> "CSV" .\n'
        f"<http://a.example/2> <http://purl.org/dc/terms/format> {term} .\n",
    )
    with pytest.raises(CatalogError) as refused:
        TASKS[task](str(source))
    assert refused.value.line == 2
    assert refused.value.problem.startswith("not ")
    assert [path.name for path in tmp_path.iterdir()] == [name]
