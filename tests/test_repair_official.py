"""All catalogues by the official shapes, before and after a repair: nothing gets worse."""

from __future__ import annotations

import logging
import shutil
import subprocess
from collections import Counter
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph as ox
import pytest
from catalogues import CATALOGUES, DAILY
from checks import DCAT_AP
from conftest import partly_slow
from rdflib import DCAT, DCTERMS, RDF, SKOS, Graph, Namespace, URIRef

from cturi_rdf.catalogue.patches import as_json_lines, as_sparql_update, undone
from cturi_rdf.catalogue.quality_score import effect
from cturi_rdf.catalogue.repair import repair_file
from cturi_rdf.reading.terms import from_ox
from cturi_rdf.repair import plan_file

if TYPE_CHECKING:
    from collections.abc import Iterable

    from conftest import Write
    from rdflib.term import Node

    from cturi_rdf.repair import FilePlan

pyshacl = pytest.importorskip("pyshacl")
# rdflib logs every IRI and every date that is none; real catalogues have many.
logging.getLogger("rdflib.term").setLevel(logging.CRITICAL)
SH = Namespace("http://www.w3.org/ns/shacl#")
PATHS = {DCAT.mediaType, DCTERMS.format, DCAT.compressFormat, DCAT.packageFormat}
# Only a human can decide these: they are no labels that could be repaired.
OPEN = {"service", "several", "conflict", "placeholder", "nothing", "node"}


@pytest.fixture(scope="module", params=partly_slow(CATALOGUES, daily=DAILY))
def plan(shared: Path, request: pytest.FixtureRequest) -> FilePlan:
    return plan_file(str(shared / "catalogs" / request.param), profile="dcat-ap")


@cache
def asked(shared: Path, name: str) -> Graph:
    """Return the rules of official shapes for the properties that name formats."""
    usable, shapes = Graph(), Graph().parse(shared / "suites/dcat-shapes" / name)
    for shape, part in shapes.subject_objects(SH.property):
        if shapes.value(part, SH.path) in PATHS:
            usable.add((shape, SH.property, part))
            for path in (SH.targetClass, RDF.type):
                for value in shapes.objects(shape, path):
                    usable.add((shape, path, value))
            for triple in _description(shapes, part):
                usable.add(triple)
    return usable


@cache
def official(shared: Path) -> Graph:
    """Return the rules of all official shapes together."""
    return sum((asked(shared, name) for name in DCAT_AP), Graph())


def _description(shapes: Graph, node: Node) -> Iterable[tuple[Node, Node, Node]]:
    for path, value in shapes.predicate_objects(node):
        yield node, path, value
        yield from _description(shapes, value)


def violations(quads: Iterable[ox.Quad], shapes: Graph) -> Counter[object]:
    """Count what shapes find by constraint, for values may move; look once at equal resources."""
    statements: dict[object, set[tuple[Node, Node]]] = {}
    for quad in quads:
        subject, path, value = map(from_ox, (quad.subject, quad.predicate, quad.object))
        if path in PATHS | {RDF.type, SKOS.inScheme}:
            statements.setdefault(subject, set()).add((path, value))
    kinds = Counter(
        frozenset(own) for own in statements.values() if any(path in PATHS for path, _ in own)
    )
    graph, counts = Graph(), {}
    for number, (own, count) in enumerate(kinds.items()):
        resource = URIRef(f"urn:x-resource:{number}")
        counts[resource] = count
        if all(path != RDF.type for path, _ in own):
            # What has a format and no class is meant as a distribution.
            graph.add((resource, RDF.type, DCAT.Distribution))
        for path, value in own:
            graph.add((resource, path, value))
            for fact in statements.get(value, ()):
                graph.add((value, *fact))
    _, report, _ = pyshacl.validate(graph, shacl_graph=shapes)
    found: Counter[object] = Counter()
    for result in report.subjects(RDF.type, SH.ValidationResult):
        constraint = report.value(result, SH.sourceConstraintComponent)
        found[constraint] += counts.get(report.value(result, SH.focusNode), 0)
    return found


@pytest.mark.parametrize("plan", partly_slow(CATALOGUES, daily=CATALOGUES[:3:2]), indirect=True)
def test_no_official_shape_is_violated_anew(shared: Path, plan: FilePlan) -> None:
    parse = plan.plan.document.parse
    before, after = (
        violations(parse(content), official(shared)) for content in (plan.original, plan.edited)
    )
    assert after - before == Counter()
    if plan.plan.steps and before:
        assert after.total() < before.total()
    # A repair sees what the shapes see, names that are in no list too, and adds the classes.
    gain = effect(plan)
    assert bool(gain.before.violations or plan.plan.typing) >= bool(before)
    assert bool(gain.after.violations) >= bool(after)


@pytest.mark.parametrize(
    ("profile", "names"),
    [
        ("dcat-ap-2.1.1", DCAT_AP[:2]),
        ("dcat-ap-de", DCAT_AP),
        ("dcat-us", ["dcat-us-3.0.ttl"]),
    ],
)
@pytest.mark.parametrize("name", partly_slow(CATALOGUES, daily=["maregraph-eu-catalog.ttl"]))
def test_no_official_shape_of_another_profile_is_violated_anew(
    shared: Path, name: str, profile: str, names: list[str]
) -> None:
    plan = plan_file(str(shared / "catalogs" / name), profile=profile)
    shapes = sum((asked(shared, one) for one in names), Graph())
    parse = plan.plan.document.parse
    before, after = (violations(parse(text), shapes) for text in (plan.original, plan.edited))
    assert after - before == Counter()


@pytest.mark.parametrize("plan", partly_slow(CATALOGUES, daily=CATALOGUES[:3:2]), indirect=True)
def test_the_update_in_sparql_makes_the_repaired_graph(plan: FilePlan) -> None:
    content, left_out = as_sparql_update(plan)
    assert not left_out
    document, base = plan.plan.document, Path(plan.source).resolve().as_uri()

    def graph(text: bytes) -> ox.Dataset:
        # In an update an IRI that is relative in the file is that of the file.
        if document.format.name == "json-ld":
            return ox.Dataset(document.parse(text))
        return ox.Dataset(ox.parse(text, document.format.oxigraph, base_iri=base, lenient=True))

    store = ox.Store()
    store.extend(graph(plan.original))
    if plan.plan.steps:
        store.update(content.decode())
    # A store may write a number in another way.
    wanted, made = ox.Store(), ox.Dataset(store)
    wanted.extend(graph(plan.edited))
    repaired = ox.Dataset(wanted)
    for dataset in (repaired, made):
        dataset.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
    assert made == repaired


def test_only_lines_with_an_edit_differ(plan: FilePlan, tmp_path: Path) -> None:
    diff = shutil.which("diff")
    if diff is None:
        pytest.skip("no diff on this system")
    (tmp_path / "old").write_bytes(plan.original)
    (tmp_path / "new").write_bytes(plan.edited)
    command = [diff, "--old-line-format=%dn\n", "--new-line-format=", "--unchanged-line-format="]
    command += [str(tmp_path / "old"), str(tmp_path / "new")]
    run = subprocess.run(command, capture_output=True, check=False, text=True)
    position = plan.plan.document.position
    touched: set[int] = set()
    for edit in plan.plan.edits:
        touched.update(range(position(edit.start).line, position(edit.end).line + 1))
    assert {int(line) for line in run.stdout.split()} <= touched


def test_undoing_gives_every_byte_back(plan: FilePlan) -> None:
    assert undone(plan.edited, as_json_lines(plan).decode()) == plan.original


def test_the_second_run_changes_nothing(plan: FilePlan, tmp_path: Path) -> None:
    target = tmp_path / Path(plan.source).name
    repair_file(plan, str(target))
    again = plan_file(str(target), profile="dcat-ap")
    assert again.plan.steps == ()
    assert again.original == plan.edited
    assert len(again.plan.left) == len(plan.plan.left)
    assert effect(again).before == effect(plan).after


@pytest.mark.slow
def test_nearly_all_labels_that_can_be_repaired_are(shared: Path) -> None:
    repaired = unrepaired = 0
    for name in CATALOGUES:
        plan = plan_file(str(shared / "catalogs" / name), profile="dcat-ap")
        changed = {step.statement.start for step in plan.plan.steps if step.statement is not None}
        repaired += len(changed)
        unrepaired += sum(item.rule not in OPEN for item in plan.plan.left)
    assert repaired > 5000
    assert repaired / (repaired + unrepaired) >= 0.97


IANA = "https://www.iana.org/assignments/media-types/"
W3C = "https://www.w3.org/ns/iana/media-types/"
EU = "http://publications.europa.eu/resource/authority/file-type"
PREFIXES = f"@prefix dcat: <{DCAT}> . @prefix dct: <{DCTERMS}> . @prefix skos: <{SKOS}> .\n"
COLUMNS = [*DCAT_AP, "dcat-us-3.0.ttl"]
# What a distribution states, and how many results each file of shapes gives.
# IRIs of the right form, of which no shape knows that they name no media type.
NOWHERE = (f"<{IANA}no/such>", "<httpxyz://www.iana.org/assignments/media-types/>")
RESULTS = [
    (f"dcat:mediaType <{IANA}text/csv>", (1, 0, 1, 1, 0, 0)),
    (f"dcat:mediaType <{IANA}text/csv> . <{IANA}text/csv> a dct:MediaType", (0, 0, 0, 0, 0, 0)),
    (f"dcat:mediaType <{IANA}no/such>", (1, 0, 1, 1, 0, 0)),
    ("dcat:mediaType <httpxyz://www.iana.org/assignments/media-types/>", (1, 0, 1, 1, 0, 0)),
    (f"dcat:mediaType <{W3C}text/csv#Resource>", (1, 0, 1, 1, 1, 0)),
    ('dcat:mediaType "text/csv"', (1, 0, 2, 2, 2, 1)),
    ("dcat:mediaType [ a dct:MediaType ]", (0, 0, 0, 0, 2, 0)),
    (f"dcat:mediaType <{IANA}text/csv>, <{IANA}text/html>", (2, 1, 3, 3, 0, 1)),
    (f"dct:format <{EU}/CSV>", (1, 0, 1, 1, 1, 0)),
    (f"dct:format <{EU}/CSV> . <{EU}/CSV> skos:inScheme <{EU}>", (1, 0, 1, 1, 0, 0)),
    (f"dct:format <{IANA}text/csv>", (1, 0, 1, 1, 1, 0)),
    ('dct:format "CSV"', (1, 0, 2, 2, 2, 1)),
]


@pytest.mark.parametrize(("stated", "results"), RESULTS)
def test_the_official_shapes_find_what_the_profiles_are_made_of(
    shared: Path, stated: str, results: tuple[int, ...]
) -> None:
    text = f"{PREFIXES}<http://a.example/d> a dcat:Distribution ; {stated} ."
    counts = []
    for name in COLUMNS:
        graph = Graph().parse(data=text, format="turtle")
        _, report, _ = pyshacl.validate(graph, shacl_graph=asked(shared, name))
        found = report.subjects(RDF.type, SH.ValidationResult)
        counts.append(sum(report.value(result, SH.resultPath) in PATHS for result in found))
    assert tuple(counts) == results


@pytest.mark.parametrize(("stated", "results"), RESULTS)
def test_a_repair_has_something_to_say_where_the_official_shapes_have(
    write: Write, stated: str, results: tuple[int, ...]
) -> None:
    file = write(
        "catalogue.ttl", f"{PREFIXES}<http://a.example/d> a dcat:Distribution ; {stated} ."
    )
    newest = results[COLUMNS.index("dcat-ap-3.0.1.ttl") :][:2]
    for profile, official_results in (("dcat-ap", newest), ("dcat-us", results[-1:])):
        planned = plan_file(str(file), profile=profile)
        said = effect(planned).before.violations or planned.plan.typing
        assert bool(said) == any(official_results) or stated.endswith(NOWHERE)
