"""The laws of the judgement over the real catalogues, each as it is and in every syntax."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pyoxigraph as ox
import pytest
from catalogues import CATALOGUES
from repairs import fixed
from test_judgement_laws import assert_one_judgement, sent, violations

from cturi_rdf.catalogue import headers_of_file
from cturi_rdf.catalogue.findings import severities
from cturi_rdf.catalogue.patches import as_json_lines, as_rdf_patch, as_sparql_update, undone
from cturi_rdf.catalogue.quality_score import effect
from cturi_rdf.catalogue.rendering import as_sarif
from cturi_rdf.catalogue.shacl import SH
from cturi_rdf.catalogue.value_forms import is_right
from cturi_rdf.catalogue.verdict import Options
from cturi_rdf.catalogue.verdict import written as written_as
from cturi_rdf.check import check_file
from cturi_rdf.editing.engines import by_patch
from cturi_rdf.reading.formats import format_of_file
from cturi_rdf.reading.read import QuadDocument
from cturi_rdf.reading.source import open_source
from cturi_rdf.reading.writable import Writable
from cturi_rdf.registry import registry
from cturi_rdf.registry.hierarchy import is_a
from cturi_rdf.repair import FilePlan, plan_file, repair_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cturi_rdf.catalogue.header import Header

# The endings of the syntaxes; the first stands for the file as its publisher wrote it.
SYNTAXES = ("", "ttl", "trig", "nt", "nq", "jsonld", "rdf")
DAILY = {(name, "") for name in ("maregraph-eu-catalog.ttl", "w3c-csiro-dap-examples.ttl")} | {
    ("maregraph-eu-catalog.ttl", "jsonld"),
    ("maregraph-eu-catalog.ttl", "rdf"),
}
# The largest takes minutes in each syntax: it is tried as it is, its patches with the official
# shapes.
LARGEST = "gsa-dcatus_with_none.json"
# So many fixes of a file are tried, each alone.
FIXES = 3


class Repaired(NamedTuple):
    """A catalogue in a syntax, its repair, and the file that the repair makes."""

    file: str
    plan: FilePlan
    target: str


def written(shared: Path, folder: Path, name: str, ending: str) -> Path:
    """Return a catalogue in a syntax; RDF/XML, Turtle and N-Triples have one graph."""
    original = shared / "catalogs" / name
    if not ending:
        return original
    file = folder / f"catalogue.{ending}"
    with open_source(str(original)) as source:
        found = list(QuadDocument(source, "http://a.example/"))
    legal = Writable(format_of_file(str(file)), name).quad
    quads = dict.fromkeys(legal(ox.Quad(*quad.triple)) for quad in found)
    file.write_bytes(ox.serialize(quads, format=format_of_file(str(file)).oxigraph) or b"")
    return file


def cases(names: Iterable[str] = CATALOGUES) -> list[object]:
    return [
        pytest.param(
            (name, ending),
            id=f"{name}-{ending or 'as it is'}",
            marks=() if (name, ending) in DAILY else pytest.mark.slow,
        )
        for name in names
        for ending in SYNTAXES[: 1 if name == LARGEST else None]
    ]


WITHOUT_LARGEST = [name for name in CATALOGUES if name != LARGEST]


@pytest.fixture(scope="module", params=cases())
def repaired(shared: Path, request: pytest.FixtureRequest) -> Iterator[Repaired]:
    with tempfile.TemporaryDirectory() as folder:
        file = written(shared, Path(folder), *request.param)
        plan = plan_file(str(file), profile="dcat-ap")
        target = Path(folder, f"repaired{file.suffix}")
        target.write_bytes(plan.original)
        repair_file(plan, str(target))
        yield Repaired(str(file), plan, str(target))


# Several laws look at the same files, and a file does not change.
@lru_cache(maxsize=8)
def headers(file: str, *, by_url: bool = False) -> dict[str, list[Header]]:
    """Return the headers of resources by name; a blank node has no name of its own."""
    found: dict[str, list[Header]] = {}
    for header in headers_of_file(file, by_url=by_url):
        found.setdefault(str(header.name), []).append(header)
    return found


def test_what_the_profile_accepts_is_no_violation_and_stays(repaired: Repaired) -> None:
    plan = repaired.plan.plan
    right = [one for one in plan.verdicts if is_right(one.asks, one.statement.object)]
    assert not any(change.removed for one in right for change in one.changes)
    violated = [verdict for verdict, severity in severities(plan) if severity == SH.Violation]
    # A value that stands beside others is no fault of its own.
    assert all(one.action == "missing" or one.rule == "several" for one in violated if one in right)


def test_the_headers_after_a_certain_repair_are_those_before_it(repaired: Repaired) -> None:
    before, after = (
        Counter((name, *sent(one)[:1]) for name, several in found.items() for one in several)
        for found in (headers(repaired.file), headers(repaired.target))
    )
    named = {key: count for key, count in before.items() if key[1]}
    assert {key: after[key] for key in named} == named


def test_what_is_understood_before_a_repair_is_understood_after_it(repaired: Repaired) -> None:
    before, after = headers(repaired.file), headers(repaired.target)
    for name, several in before.items():
        old, new = (
            {
                content_type
                for header in found
                for content_type in (
                    *filter(None, [header.content_type]), *header.contains, *header.conflicts,
                )
            }
            for found in (several, after.get(name, ()))
        )  # fmt: skip
        assert all(any(is_a(one, other) or is_a(other, one) for one in new) for other in old), name


def named(header: Header) -> str:
    """Return the type of a header; text/xml is another name of application/xml (RFC 7303)."""
    return registry().canonical(header.content_type.essence) if header.content_type else ""


def test_a_guess_changes_nothing_that_is_certain(repaired: Repaired, tmp_path: Path) -> None:
    assert all(one.confidence == "certain" for one in repaired.plan.plan.verdicts if one.changes)
    options = Options("likely", by_url=True)
    plan = plan_file(repaired.file, profile="dcat-ap", options=options)
    target = tmp_path / Path(repaired.file).name
    target.write_bytes(plan.edited)
    after, with_url = (headers(file, by_url=True) for file in (str(target), repaired.file))
    for name, several in headers(repaired.file).items():
        if len(several) == 1 and several[0].confidence == "certain" and several[0].content_type:
            [now], [asked] = after[name], with_url[name]
            allowed = {named(several[0]), named(asked)} - {""}
            assert named(now) in allowed, name


def test_check_and_repair_name_and_count_the_same(repaired: Repaired) -> None:
    for file in (repaired.file, repaired.target):
        assert_one_judgement(file, "dcat-ap")
    report = check_file(repaired.target, profile="dcat-ap")
    assert violations(report) == effect(repaired.plan).after.violations


def graph(text: bytes, plan: FilePlan, *, base: str | None = None) -> ox.Dataset:
    """Return the graph of a text, with names of blank nodes that depend on what they say."""
    located = plan.plan.document
    if base is None or located.format.name == "json-ld":
        quads = located.parse(text)
    else:
        quads = ox.parse(text, located.format.oxigraph, base_iri=base, lenient=True)
    # A store may write a number in another way.
    store = ox.Store()
    store.extend(quads)
    return canonical(ox.Dataset(store))


def canonical(dataset: ox.Dataset) -> ox.Dataset:
    dataset.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
    return dataset


@pytest.mark.parametrize("repaired", cases(WITHOUT_LARGEST), indirect=True)
def test_a_patch_in_any_language_makes_the_repaired_graph(repaired: Repaired) -> None:
    plan = repaired.plan
    assert undone(plan.edited, as_json_lines(plan).decode()) == plan.original
    base = Path(plan.source).resolve().as_uri()
    wanted = graph(plan.edited, plan, base=base)
    content, left_out = as_sparql_update(plan)
    store = ox.Store()
    located = plan.plan.document
    is_json = located.format.name == "json-ld"
    parsed = (
        located.parse(plan.original)
        if is_json
        else ox.parse(plan.original, located.format.oxigraph, base_iri=base, lenient=True)
    )
    quads = list(parsed)
    store.extend(quads)
    if plan.plan.steps:
        store.update(content.decode())
    assert left_out or canonical(ox.Dataset(store)) == wanted
    rows, left_out = as_rdf_patch(plan)
    if not left_out:
        patched = by_patch(rows, base)(set(quads))
        again = ox.Store()
        again.extend(patched)
        assert canonical(ox.Dataset(again)) == wanted


def without_names(quads: Iterable[ox.Quad]) -> Counter[tuple[object, ...]]:
    """Return statements with one name for all blank nodes, which differ from reading to reading."""
    return Counter(
        tuple("[]" if isinstance(term, ox.BlankNode) else term for term in quad) for quad in quads
    )


@pytest.mark.parametrize("repaired", cases(WITHOUT_LARGEST), indirect=True)
def test_a_fix_that_is_taken_alone_makes_its_change_and_no_other(repaired: Repaired) -> None:
    plan = repaired.plan
    parse, text = plan.plan.document.parse, plan.original.decode()
    report = check_file(repaired.file, profile="dcat-ap")
    places = [place for _, place in report.placed]
    results = json.loads(as_sarif({repaired.file: report}))["runs"][0]["results"]
    pairs = [pair for pair in zip(places, results, strict=True) if "fixes" in pair[1]]
    before = without_names(parse(plan.original)) if pairs else Counter()
    for place, result in pairs[:: max(1, len(pairs) // FIXES)]:
        after = without_names(parse(fixed(text, [result]).encode()))
        gone = without_names(quad for change in place.changes for quad in change.removed)
        come = without_names(quad for change in place.changes for quad in change.added)
        assert after == before - gone + come


def test_a_second_run_changes_nothing_and_leaves_the_same(repaired: Repaired) -> None:
    again = plan_file(repaired.target, profile="dcat-ap")
    assert again.plan.steps == ()
    assert again.edited == again.original == repaired.plan.edited
    assert len(again.plan.left) == len(repaired.plan.plan.left)
    assert effect(again).before == effect(repaired.plan).after


def test_what_a_syntax_has_no_place_for_is_left_and_nothing_else(
    repaired: Repaired, tmp_path: Path
) -> None:
    """The same statements in N-Quads, which have a place for each, tell what there is to do."""
    plan = repaired.plan.plan
    lines = tmp_path / "catalogue.nq"
    with open_source(repaired.file) as source:
        legal = Writable(format_of_file(str(lines)), repaired.file).quad
        quads = dict.fromkeys(map(legal, QuadDocument(source, "http://a.example/")))
    lines.write_bytes(ox.serialize(quads, format=ox.RdfFormat.N_QUADS) or b"")
    every = plan_file(str(lines), profile="dcat-ap").plan
    made, possible = (
        Counter(
            (verdict.statement.predicate, written_as(verdict.statement.object))
            for verdict in one.verdicts
            if verdict.changes
        )
        for one in (plan, every)
    )
    # A relative IRI is another one in N-Quads.
    made = Counter({key: made[key] for key in made if key[1][0] != "<" or "://" in key[1]})
    assert not made - possible
    refused = sum(one.rule in {"no place", "node"} for one in plan.left)
    assert (possible - made).total() <= refused
