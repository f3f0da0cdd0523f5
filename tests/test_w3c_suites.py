"""W3C's suites of Turtle, TriG, N-Triples, N-Quads, RDF/XML (RDF 1.1 and 1.2) and JSON-LD.

Each exception is listed with its reason.  A file that a test reads is read by us as any other.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

import pyoxigraph as ox
import pytest
from edited_files import canonical, says_the_same

from cturi_rdf.editing import locate
from cturi_rdf.errors import CturiError
from cturi_rdf.reading import CatalogError
from cturi_rdf.reading.formats import ReadOptions, format_named
from cturi_rdf.reading.jsonld import whole
from cturi_rdf.reading.read import QuadDocument
from cturi_rdf.reading.source import open_source

if TYPE_CHECKING:
    from pathlib import Path

MF = "http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#"
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
SUITES = {
    "rdf-turtle": "turtle",
    "rdf-trig": "trig",
    "rdf-n-triples": "nt",
    "rdf-n-quads": "nquads",
    "rdf-xml": "xml",
}
# The tests that fail, by suite, each with its reason.
_CANONICAL = "Oxigraph keeps a literal of XML as it is written"
EXCEPTIONS: dict[str, dict[str, str]] = {
    "rdf11 rdf-xml": {
        "./rdfms-difference-between-ID-and-about-error1": "Oxigraph takes one rdf:ID twice",
        "./xml-canon-test001": _CANONICAL,
        "./xml-canon-test002": _CANONICAL,
    },
    "rdf12 rdf-xml": {"eval/rdf12-xml-an-13": _CANONICAL, "eval/rdf12-xml-an-14": _CANONICAL},
}


class Case(NamedTuple):
    """One test of a manifest."""

    name: str
    path: Path
    kind: str
    result: Path | None
    base: str


def cases(folder: Path) -> list[Case]:
    """Return the tests in the manifests of a folder."""
    found = []
    for path in sorted(folder.rglob("manifest.ttl")):
        quads = ox.parse(path.read_bytes(), ox.RdfFormat.TURTLE, base_iri=f"file://{path}")
        facts: dict[Any, dict[str, Any]] = {}
        for quad in quads:
            facts.setdefault(quad.subject, {})[quad.predicate.value] = quad.object
        bases = (fact.get(f"{MF}assumedTestBase") for fact in facts.values())
        base = next((base for base in bases if base), None)
        for subject, fact in facts.items():
            if f"{MF}action" in fact:
                action = path.parent / fact[f"{MF}action"].value.removeprefix(
                    f"file://{path.parent}/"
                )
                result = fact.get(f"{MF}result")
                where = result and path.parent / result.value.removeprefix(f"file://{path.parent}/")
                kind = fact[TYPE].value.rpartition("#")[2]
                root = base.value if base else f"file://{path.parent}/"
                name = f"{path.parent.relative_to(folder)}/{subject.value.rpartition('#')[2]}"
                iri = root + str(action.relative_to(path.parent))
                found.append(Case(name, action, kind, where, iri))
    return found


def problem(case: Case, name: str) -> str | None:
    """Return what is wrong with our reading of a test, or None."""
    form = format_named(name)
    data = case.path.read_bytes()
    if "Negative" in case.kind:
        try:
            with open_source(case.path, ReadOptions(form=name)) as source:
                for _ in QuadDocument(source):
                    pass
        except CatalogError as error:
            return None if error.line and error.column else f"no place: {error}"
        return "read"
    try:
        with open_source(case.path, ReadOptions(form=name)) as source:
            count = sum(1 for _ in QuadDocument(source))
        found = locate(data, form, base=case.base, name=str(case.path))
        quads = list(found.parse(data))
    except (CturiError, SyntaxError) as error:
        # A file of spaces alone has no statement, and is refused aloud.
        return None if "an empty file" in str(error) and not data.strip() else f"refused: {error}"
    if count != len(quads):
        return f"{count} statements, not {len(quads)}"
    if not says_the_same(found):
        return "places of other statements"
    if case.result is not None and "Eval" in case.kind:
        lines = "nquads" if case.result.suffix == ".nq" else "nt"
        expected = ox.parse(case.result.read_bytes(), format_named(lines).oxigraph)
        if canonical(expected) != canonical(quads):
            return "another graph"
    return None


@pytest.mark.slow
@pytest.mark.parametrize("version", ["rdf11", "rdf12"])
@pytest.mark.parametrize("suite", SUITES)
def test_a_suite_of_rdf_is_read_but_for_the_exceptions(
    shared: Path, suite: str, version: str
) -> None:
    tests = cases(shared / "suites/w3c/rdf" / version / suite)
    assert len(tests) > 20
    failures = {
        case.name: text for case in tests if (text := problem(case, SUITES[suite])) is not None
    }
    assert failures.keys() == EXCEPTIONS.get(f"{version} {suite}", {}).keys(), failures


# Oxigraph's own faults, and what we tolerate beyond the standard so that no triple is lost.
_DOTS = "Oxigraph keeps the dots of a path in a base"
_RTL = "the default processing of directions, which Oxigraph reads as RDF 1.2"
_DIRECTIONS = "Oxigraph does not know the option rdfDirection"
_ILLEGAL = "we keep the triple, with the IRI as it is written"
JSON_LD = {
    "t0122": _DOTS, "t0123": _DOTS, "te062": _DOTS, "te091": _DOTS,
    "tc013": "Oxigraph does not go back to the context outside of a type map",
    "tc031": "a context outside of the folder of the document is not read unasked",
    "tdi02": _RTL, "tdi04": _RTL, "tdi05": _RTL, "tdi06": _RTL,
    "tdi09": _DIRECTIONS, "tdi10": _DIRECTIONS, "tdi11": _DIRECTIONS, "tdi12": _DIRECTIONS,
    "tli12": "Oxigraph refuses a base that is not an IRI",
    "twf01": _ILLEGAL, "twf02": _ILLEGAL, "twf03": _ILLEGAL, "twf04": _ILLEGAL, "twf07": _ILLEGAL,
    "twf05": "we keep the triple, without the language",
    "te123": "what we tolerate would be refused: a value object with an IRI of spaces as its type",
}  # fmt: skip


def _json_ld(shared: Path) -> tuple[int, dict[str, str]]:
    """Return how many tests of toRdf there are for us, and what is wrong with our reading."""
    folder = shared / "suites/w3c/json-ld"
    manifest = json.loads((folder / "toRdf-manifest.jsonld").read_text("utf-8"))
    count, failures = 0, {}
    for test in manifest["sequence"]:
        option, path = test.get("option", {}), folder / test["input"]
        versions = {option.get("specVersion"), option.get("processingMode")}
        # Contexts that are no part of the document, and JSON-LD 1.0, are nothing that we offer.
        if "json-ld-1.0" in versions or option.get("expandContext") or not path.exists():
            continue
        count += 1
        base = option.get("base") or f"https://w3c.github.io/json-ld-api/tests/{test['input']}"
        try:
            text, rewriting, _ = whole(path.read_bytes(), str(path), ReadOptions())
            quads = ox.parse(text, ox.RdfFormat.JSON_LD, base_iri=base)
            read = canonical(rewriting.quads(quads) if rewriting else quads)
        except (CturiError, SyntaxError) as error:
            if "jld:PositiveEvaluationTest" in test["@type"]:
                failures[test["@id"][1:]] = f"refused: {error}"
            continue
        if "jld:NegativeEvaluationTest" in test["@type"]:
            failures[test["@id"][1:]] = "read"
        elif "expect" in test:
            expected = ox.parse((folder / test["expect"]).read_bytes(), ox.RdfFormat.N_QUADS)
            if read != canonical(expected):
                failures[test["@id"][1:]] = "another graph"
    return count, failures


def test_the_suite_of_json_ld_is_read_but_for_the_exceptions(shared: Path) -> None:
    count, failures = _json_ld(shared)
    assert count > 430
    assert failures.keys() == JSON_LD.keys(), failures


@pytest.mark.slow
def test_the_places_in_json_ld_are_of_the_statements_that_oxigraph_reads(shared: Path) -> None:
    placed = 0
    for path in sorted((shared / "suites/w3c/json-ld/toRdf").glob("*-in.jsonld")):
        try:
            found = locate(
                path.read_bytes(),
                format_named("json-ld"),
                base="http://b.example/a",
                name=str(path),
            )
            quads = list(found.parse(found.data))
        except (CturiError, SyntaxError):
            continue
        assert canonical(one.quad for one in found.statements) == canonical(quads), path
        placed += sum(1 for one in found.statements if one.object_span)
    assert placed > 800
