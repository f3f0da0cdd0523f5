"""The engines that run SHACL shapes, pySHACL and `shacl`: equal results.

`CTURI_SHACL_SUITE` names the folder with W3C's suite of SHACL, which is in the source distribution
of pySHACL as `test/resources/sht_tests`.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from catalogues import CATALOGUES
from conftest import partly_slow
from rdflib import RDF, BNode, Graph, Namespace, URIRef

from cturi_rdf.catalogue.shacl import engines
from cturi_rdf.catalogue.shacl.engines import SH, has_focus_node, validate
from cturi_rdf.catalogue.shacl.foreign_shapes import union_of, usable
from cturi_rdf.reading import CatalogError, read_catalog
from cturi_rdf.reading.rdflib_graphs import read_graph

if TYPE_CHECKING:
    from conftest import Cturi, Write
    from rdflib.term import Node

    from cturi_rdf.catalogue.shacl.engines import EngineName, Result

pytest.importorskip("pyshacl")
pytest.importorskip("shacl")

SUITE = Path(os.environ.get("CTURI_SHACL_SUITE") or "no suite")
MF = Namespace("http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#")
SHT = Namespace("http://www.w3.org/ns/shacl-test#")
ENGINES: tuple[EngineName, ...] = ("pyshacl", "shacl")
# The tests of W3C in which an engine does not find what is expected, or fails where it should not.
_DETAILS = "pySHACL gives the results of the nested shape as well, as details"
_NOT_REFUSED = "shacl takes a subquery that does not return $this"
_TRUE = "rdflib reads 1 as true, and the shapes are those of rdflib"
DIFFERENCES: dict[str, dict[EngineName, str]] = {
    "core/node/node-001": {"pyshacl": _DETAILS},
    "core/property/node-001": {"pyshacl": _DETAILS},
    "core/property/node-002": {"pyshacl": _DETAILS},
    "core/property/uniqueLang-002": {"pyshacl": _TRUE, "shacl": _TRUE},
    "sparql/node/prefixes-001": {"pyshacl": "pySHACL does not read the prefixes of imported IRIs"},
    "sparql/pre-binding/shapesGraph-001": {"pyshacl": "pySHACL does not know $shapesGraph"},
    "sparql/pre-binding/unsupported-sparql-004": {"shacl": _NOT_REFUSED},
}
Row = tuple[str, ...]


def rows(results: list[Result]) -> Counter[Row]:
    """Return results without what may differ: the names of shapes without one, and messages."""
    return _counted([(*one[:3], _named(one.shape), *one[4:6]) for one in results])


def _named(shape: Node | None) -> Node | None:
    return None if isinstance(shape, BNode) else shape


def _counted(several: list[tuple[Node | None, ...]]) -> Counter[Row]:
    return Counter(tuple("" if one is None else one.n3() for one in row) for row in several)


def expected(graph: Graph, report: Node | None) -> Counter[Row]:
    """Return the results that a test of the suite has."""
    found: list[tuple[Node | None, ...]] = []
    for result in graph.objects(report, SH.result):
        node, path, value, shape, component, severity = (
            graph.value(result, term)
            for term in (
                SH.focusNode, SH.resultPath, SH.value, SH.sourceShape,
                SH.sourceConstraintComponent, SH.resultSeverity,
            )
        )  # fmt: skip
        path = path if isinstance(path, URIRef) else None
        found.append((node, path, value, _named(shape), component, severity))
    return without_labels(_counted(found))


def without_labels(counts: Counter[Row]) -> Counter[Row]:
    """Return results without the labels of blank nodes, which differ from reading to reading."""
    bare = Counter[Row]()
    for row, count in counts.items():
        bare[tuple("_:" if term.startswith("_:") else term for term in row)] += count
    return bare


def suite() -> list[Path]:
    return [path for path in sorted(SUITE.rglob("*.ttl")) if path.name != "manifest.ttl"]


@pytest.mark.skipif(not SUITE.is_dir(), reason="CTURI_SHACL_SUITE names no folder")
def test_both_engines_find_what_w3c_expects_but_for_the_differences() -> None:
    tests = 0
    wrong: dict[str, dict[EngineName, str]] = {}
    for path in suite():
        graph = Graph().parse(path)
        name = path.relative_to(SUITE).with_suffix("").as_posix()
        for test in graph.subjects(RDF.type, SHT.Validate):
            tests += 1
            action, result = graph.value(test, MF.action), graph.value(test, MF.result)
            data, shapes = (
                Graph().parse(str(graph.value(action, term)).removeprefix("file://"))
                for term in (SHT.dataGraph, SHT.shapesGraph)
            )
            for engine in ENGINES:
                try:
                    found = without_labels(rows(validate(union_of(data), shapes, engine)))
                except CatalogError as error:
                    if result != SHT.Failure:
                        wrong.setdefault(name, {})[engine] = str(error)
                    continue
                if result == SHT.Failure or found != expected(graph, result):
                    wrong.setdefault(name, {})[engine] = str(found)
    assert tests > 100
    assert {name: set(engines) for name, engines in wrong.items()} == {
        name: set(engines) for name, engines in DIFFERENCES.items()
    }, wrong


SHAPES = ["dcat-ap-2.1.1-shapes", "dcat-ap-3.0.1", "dcat-us-3.0"]
TIMED_DATE = re.compile(r'^"[-0-9]+T.*#date>$')


@cache
def official(path: Path) -> Graph:
    """Return the shapes of a file, which is read once for all catalogues."""
    return usable(read_graph(path))[0]


@pytest.mark.parametrize("name", partly_slow(CATALOGUES, daily=["w3c-csiro-stratchart.ttl"]))
def test_the_results_of_the_official_shapes_on_a_catalogue_are_equal(
    name: str, shared: Path
) -> None:
    catalogue = union_of(read_catalog(shared / "catalogs" / name))
    for title in SHAPES:
        shapes = official(shared / "suites" / "dcat-shapes" / f"{title}.ttl")
        try:
            by_shacl = rows(validate(union_of(catalogue), shapes, "shacl"))
        except CatalogError as error:
            # An IRI that is none, for which pySHACL is used.
            assert "IRI" in str(error), error
            continue
        by_pyshacl = rows(validate(union_of(catalogue), shapes, "pyshacl"))
        assert by_pyshacl - by_shacl == Counter()
        # rdflib, and pySHACL with it, takes a date with a time for an xsd:date.
        others = [row for row in by_shacl - by_pyshacl if not TIMED_DATE.search(row[2])]
        assert others == []


HEAD = """@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix ex: <http://e.example/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
"""
DATA = """
ex:a a ex:Book ; ex:n 1 , 3 , 5 , "x" ; ex:m 3 , 4 .
ex:a ex:p "x" , "y"@en , "z"@en , 3 , _:b ; ex:in [ ex:p [ ex:p "z" ] ] .
_:b a ex:Book . _:c ex:in _:b , ex:a ; ex:other 1 .
"""
# One demand for each constraint component of SHACL Core.
DEMANDS = [
    "sh:class ex:C", "sh:datatype xsd:string", "sh:nodeKind sh:IRI", "sh:minCount 2",
    "sh:maxCount 1", "sh:minExclusive 3", "sh:minInclusive 4", "sh:maxExclusive 3",
    "sh:maxInclusive 2", "sh:minLength 2", "sh:maxLength 0", 'sh:pattern "^a"',
    'sh:languageIn ( "de" )', "sh:uniqueLang true", "sh:equals ex:in", "sh:disjoint ex:p",
    "sh:minCount 0 ] , [ sh:path ex:n ; sh:lessThan ex:m",
    "sh:minCount 0 ] , [ sh:path ex:n ; sh:lessThanOrEquals ex:m", "sh:not [ sh:minLength 1 ]",
    "sh:and ( [ sh:minLength 9 ] [ sh:nodeKind sh:IRI ] )", "sh:or ( [ sh:minLength 9 ] )",
    "sh:xone ( [ sh:minLength 1 ] [ sh:nodeKind sh:Literal ] )",
    "sh:hasValue ex:none", "sh:in ( 1 ex:a )",
    "sh:qualifiedValueShape [ sh:nodeKind sh:IRI ] ; sh:qualifiedMinCount 9",
]  # fmt: skip


@pytest.mark.parametrize("demand", DEMANDS)
def test_a_finding_is_the_same_to_the_letter_whichever_engine_found_it(
    demand: str, cturi: Cturi, write: Write
) -> None:
    shapes = write(
        "shapes.ttl",
        f"{HEAD} [] sh:targetClass ex:Book ; sh:targetSubjectsOf ex:in ;"
        f" sh:property [ sh:path ex:p ; {demand} ] .",
    )
    source = write("books.ttl", HEAD + DATA)
    arguments = ("check", source, "--shapes", shapes, "--json", "--engine")
    by_pyshacl, by_shacl = (cturi(*arguments, engine) for engine in ENGINES)
    assert by_pyshacl.out == by_shacl.out
    assert '"line"' in by_shacl.out
    assert cturi(*arguments[:-1]).out == by_shacl.out


@pytest.mark.parametrize(
    ("shapes", "is_for_shacl"),
    [
        ("ex:S sh:targetClass ex:Book ; sh:nodeKind sh:IRI .", True),
        ("ex:S sh:targetClass ex:Book ; sh:or ( [ sh:node ex:T ] ) .", True),
        # pySHACL has the details of the nested shape.
        ("ex:S sh:targetClass ex:Book ; sh:node ex:T . ex:T sh:nodeKind sh:IRI .", False),
        ("ex:S sh:property [ sh:path ex:p ; sh:node ex:T ] .", False),
        # A query sees all triples.
        ('ex:S sh:targetClass ex:Book ; sh:sparql [ sh:select "SELECT $this {}" ] .', False),
        # pySHACL says what is wrong with them.
        ('ex:S sh:targetClass ex:Book ; sh:property "none" .', False),
        ('ex:S sh:targetClass ex:Book ; sh:property [ sh:path ex:p ; sh:minCount "1" ] .', False),
        ("ex:S sh:targetClass ex:Book ; sh:in ex:none .", False),
        ('ex:S sh:targetClass "Book" .', False),
    ],
)
def test_the_faster_engine_is_chosen_where_it_finds_the_same(
    shapes: str, is_for_shacl: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen: list[str] = []
    monkeypatch.setattr(engines, "_by_shacl", lambda *_: chosen.append("shacl") or [])
    monkeypatch.setattr(engines, "_by_pyshacl", lambda *_: chosen.append("pyshacl") or [])
    validate(Graph(), Graph().parse(data=HEAD + shapes, format="turtle"))
    assert chosen == ["shacl" if is_for_shacl else "pyshacl"]


def test_an_iri_that_is_none_is_left_to_pyshacl(cturi: Cturi, write: Write) -> None:
    source = write("a.jsonld", '{"@id": "http://a.example/b c", "@type": "http://e.example/Book"}')
    shapes = write("s.ttl", f"{HEAD} ex:S sh:targetClass ex:Book ; sh:nodeKind sh:Literal .")
    assert "1 violation" in cturi("check", source, "--shapes", shapes).out
    run = cturi("check", source, "--shapes", shapes, "--engine", "shacl")
    assert (run.code, "Invalid IRI" in run.err) == (2, True)


@pytest.mark.parametrize(
    ("shapes", "has_one"),
    [
        ("ex:S sh:targetNode ex:anything .", True),
        ("ex:S sh:targetClass ex:Thing .", True),
        ("ex:S sh:targetClass ex:Other .", False),
        ("ex:Thing a sh:NodeShape , rdfs:Class .", True),
        ("ex:Other a sh:NodeShape , rdfs:Class .", False),
        ("ex:S sh:targetSubjectsOf ex:p .", True),
        ("ex:S sh:targetObjectsOf ex:in .", True),
        ("ex:S sh:targetObjectsOf ex:none .", False),
        ("ex:S a sh:NodeShape .", False),
    ],
)
def test_shapes_have_a_focus_node_by_any_of_the_five_kinds_of_targets(
    shapes: str, has_one: bool
) -> None:
    classes = "ex:Book rdfs:subClassOf ex:Thing ."
    data = Graph().parse(data=HEAD + DATA + classes, format="turtle")
    assert has_focus_node(data, Graph().parse(data=HEAD + shapes, format="turtle")) == has_one
