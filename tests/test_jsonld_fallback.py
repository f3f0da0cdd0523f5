"""JSON-LD that Oxigraph reads, and JSON-LD that is left to rdflib."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest
from processes import python

from cturi_rdf.catalogue.repair import plan_file
from cturi_rdf.reading import read_catalog
from cturi_rdf.reading.terms import relative

if TYPE_CHECKING:
    from pathlib import Path

DCT = "http://purl.org/dc/terms/"
FORMAT, PART = f"{DCT}format", f"{DCT}hasPart"
# A context, and the members of a node: features of JSON-LD 1.1.
BY_OXIGRAPH: dict[str, tuple[Any, dict[str, Any]]] = {
    "language map": ({"f": {"@id": FORMAT, "@container": "@language"}}, {"f": {"en": "CSV"}}),
    "index map": ({"f": {"@id": FORMAT, "@container": "@index"}}, {"f": {"a": "CSV"}}),
    "id map": (
        {"p": {"@id": PART, "@container": "@id"}, "f": FORMAT},
        {"p": {"http://a.example/2": {"f": "CSV"}}},
    ),
    "graph container": (
        {"p": {"@id": PART, "@container": "@graph"}, "f": FORMAT},
        {"p": {"f": "CSV"}},
    ),
    "nested properties": ({"n": "@nest", "f": FORMAT}, {"n": {"f": "CSV"}}),
    "property-scoped context": (
        {"p": {"@id": PART, "@context": {"f": FORMAT}}},
        {"p": {"f": "CSV"}},
    ),
    "type-scoped context": (
        {"T": {"@id": "http://a.example/T", "@context": {"f": FORMAT}}},
        {"@type": "T", "f": "CSV"},
    ),
    "included block": ({"f": FORMAT}, {"@included": [{"@id": "http://a.example/2", "f": "CSV"}]}),
    "reverse property": (
        {"r": {"@reverse": PART}, "f": FORMAT},
        {"r": {"@id": "http://a.example/2", "f": "CSV"}},
    ),
    "protected term": ({"@protected": True, "f": FORMAT}, {"f": "CSV"}),
    "propagation": ({"@propagate": False, "f": FORMAT}, {"f": "CSV"}),
}
BY_RDFLIB: dict[str, tuple[Any, dict[str, Any]]] = {
    "version 1.0": ({"@version": 1.0, "f": FORMAT}, {"f": "CSV"}),
    "a protected term defined anew": (
        [{"@protected": True, "f": FORMAT}, {"f": "http://a.example/f"}],
        {FORMAT: "CSV"},
    ),
    "a term that looks like a relative IRI": ({"dct/": DCT}, {FORMAT: "CSV"}),
}


def _headers(path: Path, context: Any, members: dict[str, Any]) -> tuple[str, bool]:
    """Return the output of `cturi headers` for a document, and whether it loaded rdflib."""
    path.write_text(json.dumps({"@context": context, "@id": "http://a.example/1", **members}))
    script = (
        "import sys; from cturi_rdf.cli import cturi;"
        "cturi.main(sys.argv[1:], standalone_mode=False);"
        "print('rdflib' in sys.modules, file=sys.stderr)"
    )
    run = python("-c", script, "headers", str(path))
    return run.stdout, run.stderr.split()[-1] == "True"


@pytest.mark.daily(3)
@pytest.mark.parametrize("feature", BY_OXIGRAPH)
def test_oxigraph_reads_a_feature(tmp_path: Path, feature: str) -> None:
    printed, by_rdflib = _headers(tmp_path / "a.jsonld", *BY_OXIGRAPH[feature])
    assert (printed.endswith("\ttext/csv\n"), by_rdflib) == (True, False)


@pytest.mark.daily(1)
@pytest.mark.parametrize("feature", BY_RDFLIB)
def test_rdflib_reads_what_oxigraph_refuses(tmp_path: Path, feature: str) -> None:
    printed, by_rdflib = _headers(tmp_path / "a.jsonld", *BY_RDFLIB[feature])
    assert (printed.endswith("\ttext/csv\n"), by_rdflib) == (True, True)


@pytest.mark.parametrize(
    ("name", "read_as"), [("d1", "d1"), ("../d1#a", "../d1#a"), ("//b.example/d", "//b.example/d")]
)
def test_a_relative_name_is_kept_where_rdflib_reads(
    name: str, read_as: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.jsonld"
    context = {"@version": 1.0, "f": FORMAT}
    path.write_text(json.dumps({"@context": context, "@id": name, "f": "CSV"}))
    (subject,) = read_catalog(path).subjects()
    assert relative(str(subject)) == read_as


# Nodes with names in a map by types, which Oxigraph refuses; in them are nodes without names.
NODES = {
    "@context": {"f": FORMAT, "p": PART, "t": {"@id": PART, "@container": "@type"}},
    "@id": "http://a.example/1",
    "f": ["CSV", "PDF"],
    "t": {
        "http://a.example/T": [
            {"@id": f"http://a.example/{kind}", "f": "XLS", "p": {"f": kind}}
            for kind in ("ZIP", "PNG", "GIF")
        ]
    },
}
N3 = f'<> <{FORMAT}> "CSV", "PDF" ; <{PART}> [ <{FORMAT}> "ZIP" ], [ <{FORMAT}> "PNG" ] .'


@pytest.mark.parametrize("name", ["a.jsonld", "a.n3"])
def test_two_readings_by_rdflib_give_the_same_bytes_in_the_order_of_the_text(
    name: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_text(N3 if name.endswith("n3") else json.dumps(NODES))
    written = set()
    for seed in "123":
        target = tmp_path / f"{seed}.ttl"
        words = "-m", "cturi_rdf", "annotate", path, "-q", "--to", "turtle", "-o", target
        python(*words, env={**os.environ, "PYTHONHASHSEED": seed})
        written.add(target.read_text())
    [text] = written
    assert text.index('"ZIP"') < text.index('"PNG"')


def test_statements_without_places_are_judged_each_by_itself(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonld"
    path.write_text(json.dumps(NODES))
    left = plan_file(path, profile="dcat").plan.left
    assert [one.statement.object.value for one in left].count("XLS") == 3
    for one in left:
        value = one.statement.object.value
        # Two values of one resource contradict each other.
        said = "other evidence" if value in NODES["f"] else f"/file-type/{value}>"
        assert said in one.reason
