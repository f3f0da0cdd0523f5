"""A plan in the languages that others read: applied by their tools, and taken back."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import subprocess
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib import PROV, RDF, RDFS, Dataset, Graph, Literal, URIRef
from repairs import HEAD, LATIN_1, LIKELY, PATCHED, fixed, planned

from cturi_rdf.catalogue.patches import (
    as_diff,
    as_json_lines,
    as_provenance,
    as_rdf_patch,
    as_sparql_update,
    undone,
)
from cturi_rdf.catalogue.rendering import sarif_of_repair
from cturi_rdf.catalogue.sparql_update import Changed, sparql_update
from cturi_rdf.reading.terms import lenient_node
from cturi_rdf.repair import plan_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from conftest import Cturi, Write

    from cturi_rdf.catalogue.patches import Patch
    from cturi_rdf.repair import FilePlan

FORMAT = URIRef("http://purl.org/dc/terms/format")


def same(one: Iterable[ox.Quad], other: Iterable[ox.Quad]) -> bool:
    """Return whether two datasets differ in nothing but the labels of their blank nodes."""
    datasets = [ox.Dataset(quads) for quads in (one, other)]
    for dataset in datasets:
        dataset.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
    return datasets[0] == datasets[1]


def updated(plan: FilePlan, form: ox.RdfFormat = ox.RdfFormat.TURTLE) -> ox.Store:
    """Return a store that has loaded the original and run the update of its repair."""
    store = ox.Store()
    store.load(plan.original, form)
    store.update(as_sparql_update(plan).content.decode())
    return store


def test_a_patch_is_applied_by_sparql(tmp_path: Path) -> None:
    plan = planned(tmp_path, PATCHED)
    assert same(updated(plan), ox.parse(plan.edited, ox.RdfFormat.TURTLE))


# Blank nodes that share statements: what an update makes of them is what the repair makes of them.
BLANK = """
# One statement more or less.
<a:s> dcat:distribution [ dcat:accessURL <a:1> ; dct:format "CSV", "csv" ] ,
    [ dcat:accessURL <a:2> ; dct:format "csv" ] .

# The same value to go, another one to come.
<a:s> dcat:distribution
    [ dcat:accessURL <a:1> ; dct:format "n/a" ; dcat:mediaType "text/csv" ] ,
    [ dcat:accessURL <a:2> ; dct:format "n/a" ; dcat:mediaType "text/html" ] .

# A neighbour that is no distribution, and has no change.
<a:s> dcat:distribution [ a dcat:Distribution ; dcat:accessURL <a:1> ; dct:format "XML" ] ;
    dct:relation [ a schema:Book ; dct:format "XML" ] .

# Nothing but their datasets tells them apart, and these are blank nodes too.
[ dct:title "A" ; dcat:distribution [ dct:format "CSV" ] ] .
[ dct:title "B" ; dcat:distribution [ dct:format "PDF" ; dct:title "b" ] ] .

# Nothing tells them apart, and they change alike.
<a:s> dcat:distribution [ dct:format "CSV" ], [ dct:format "CSV" ] .
""".strip().split("\n\n")


@pytest.mark.parametrize("text", BLANK)
def test_an_update_changes_the_blank_nodes_that_the_repair_changes(
    tmp_path: Path, text: str
) -> None:
    plan = planned(tmp_path, text)
    assert plan.edited != plan.original
    assert not as_sparql_update(plan).left_out
    assert same(updated(plan), ox.parse(plan.edited, ox.RdfFormat.TURTLE))


def test_an_update_leaves_a_node_of_another_catalogue_that_says_other_things(
    tmp_path: Path,
) -> None:
    other = '<b:s> dcat:distribution [ dcat:downloadURL <a:1> ; dct:format "JSON" ] .'
    plan = planned(
        tmp_path, '<a:s> dcat:distribution [ dcat:downloadURL <a:1> ; dct:format "CSV" ] .'
    )
    strangers = list(ox.parse(HEAD + other, ox.RdfFormat.TURTLE))
    store = ox.Store()
    store.extend([*ox.parse(plan.original, ox.RdfFormat.TURTLE), *strangers])
    store.update(as_sparql_update(plan).content.decode())
    assert same(store, [*ox.parse(plan.edited, ox.RdfFormat.TURTLE), *strangers])


def test_an_update_is_run_by_rdflib_too(tmp_path: Path) -> None:
    text = "".join(
        f'<a:{n}> dcat:distribution [ dcat:accessURL <a:{n}> ; dct:format "{label}" ] .\n'
        for n, label in enumerate(["CSV", "PDF", "TIFF"] * 150)
    )
    plan = planned(tmp_path, text)
    graph = Graph().parse(data=plan.original.decode(), format="turtle")
    graph.update(as_sparql_update(plan).content.decode())
    repaired = Graph().parse(data=plan.edited.decode(), format="turtle")
    assert {len(set(graph)), len(set(repaired))} == {len(graph)}
    formats = [sorted(each.objects(None, FORMAT)) for each in (graph, repaired)]
    assert formats[0] == formats[1]


def test_an_update_leaves_out_what_it_cannot_tell_apart_and_says_so(
    cturi: Cturi, write: Write, tmp_path: Path
) -> None:
    # All that is said of the first is said of the second too, which stays as it is.
    text = 'dcat:distribution [ dct:format "csv" ] , [ a schema:Book ; dct:format "csv" ] .'
    file, patch = write("a.ttl", f"{HEAD}<a:s> {text}"), tmp_path / "p.ru"
    run = cturi("repair", file, "--profile", "dcat-ap", "--dry-run", "--patch", patch)
    plan = plan_file(file, profile="dcat-ap")
    left_out = as_sparql_update(plan).left_out
    assert [line for line in patch.read_text("utf-8").splitlines() if "left out" in line] == [
        f"# {line}" for line in left_out
    ]
    assert [line in run.err for line in left_out] == [True]


def test_a_graph_without_a_name_is_left_out_by_sparql(write: Write) -> None:
    plan = plan_file(write("a.trig", HEAD + '[] { <a:b> dct:format "CSV" . }'), profile="dcat-ap")
    left_out = as_sparql_update(plan).left_out
    assert len(left_out) == len(plan.plan.steps)
    assert "its graph has no IRI" in left_out[0]


@pytest.mark.parametrize("write_patch", [as_sparql_update, as_rdf_patch])
@pytest.mark.parametrize(
    ("iri", "is_left"), [("http://a.example/1", 0), ("http://a.example/1 2", 1)]
)
def test_a_patch_leaves_out_an_iri_that_no_text_of_rdf_has(
    write: Write, write_patch: Callable[[FilePlan], Patch], iri: str, is_left: int
) -> None:
    resources = [{"@id": one, "format": "CSV"} for one in (iri, "http://a.example/3")]
    context = {"format": "http://purl.org/dc/terms/format"}
    data = {"@context": context, "@graph": resources}
    patch = write_patch(plan_file(write("a.jsonld", json.dumps(data)), profile="dcat"))
    assert [line.endswith("an IRI in it is not valid") for line in patch.left_out] == [
        True
    ] * is_left
    lines = patch.content.decode().splitlines()
    changed = [line for line in lines if iri in line and not line.startswith("#")]
    assert len(changed) == 2 * (1 - is_left)
    assert sum("http://a.example/3" in line for line in lines) == 2


def test_an_update_finds_a_node_by_the_iris_that_sparql_can_write(write: Write) -> None:
    urls = [f"http://a.example/{name}" for name in ("1 2.csv", "3.csv")]
    distribution = {"downloadURL": urls[0], "accessURL": urls[1], "mediaType": "CSV"}
    data = {"dataset": [{"distribution": [distribution]}]}
    plan = plan_file(write("data.json", json.dumps(data)), profile="pod")
    patch = as_sparql_update(plan)
    assert patch.left_out == ()
    store = ox.Store()
    store.extend(plan.plan.document.parse(plan.original))
    store.update(patch.content.decode())
    assert same(store, set(plan.plan.document.parse(plan.edited)))


NODES = [ox.BlankNode(name) for name in "abcd"]
# SPARQL cannot write the first of these.
IRIS = [lenient_node("a:1 2"), ox.NamedNode("a:1"), ox.NamedNode("a:2")]
TERMS = [*NODES[:2], *IRIS, ox.Literal("CSV"), ox.Literal("n")]
PATHS = [ox.NamedNode(f"a:p{number}") for number in range(3)]
# SPARQL cannot name the last one.
GRAPHS = [ox.DefaultGraph(), ox.NamedNode("a:g"), NODES[3]]
quads = st.builds(
    ox.Quad,
    st.sampled_from(NODES),
    st.sampled_from(PATHS),
    st.sampled_from(TERMS),
    st.sampled_from(GRAPHS),
)
leading = st.builds(
    ox.Quad, st.sampled_from(TERMS[:5]), st.sampled_from(PATHS), st.sampled_from(NODES)
)


@given(
    st.sets(st.one_of(quads, leading), max_size=12),
    st.lists(st.tuples(st.integers(0, 11), st.one_of(st.none(), quads)), max_size=6),
)
def test_an_update_makes_the_changes_that_it_does_not_leave_out(
    graph: set[ox.Quad], wanted: list[tuple[int, ox.Quad | None]]
) -> None:
    stated = sorted(graph, key=str)
    comes = {quad for _, quad in wanted if quad}
    changes = [
        Changed(tuple({stated[number % len(stated)]} - comes), (quad,) if quad else ())
        for number, quad in wanted
        if stated
    ]
    operations, left = sparql_update(graph, changes)
    made = [changed for changed in changes if changed not in left]
    result = graph - {quad for changed in made for quad in changed.removed}
    result |= {quad for changed in made for quad in changed.added}
    store = ox.Store()
    store.extend(graph)
    store.update(" ;\n".join(operations))
    assert same(store, result)


graphs = st.sets(st.one_of(quads, leading), max_size=8)


def of_others(graph: Iterable[ox.Quad]) -> set[ox.Quad]:
    """Return a graph with other blank nodes."""
    return {
        ox.Quad(*(ox.BlankNode(f"other{one.value}") if isinstance(one, ox.BlankNode) else one
                  for one in (quad.subject, quad.predicate, quad.object, quad.graph_name)))
        for quad in graph
    }  # fmt: skip


def without_names(quad: ox.Quad) -> str:
    return re.sub(r"_:\w+", "_:", str(quad))


@pytest.mark.parametrize("says_what_is_removed", [False, True])
@given(graphs, graphs, st.lists(st.integers(0, 7), min_size=1, max_size=3))
def test_an_update_leaves_another_graph_that_does_not_say_what_it_removes(
    says_what_is_removed: bool, graph: set[ox.Quad], other: set[ox.Quad], numbers: list[int]
) -> None:
    stated = sorted(graph, key=str)
    removed = {stated[number % len(stated)] for number in numbers if stated}
    new = ox.Literal("new")
    changes = [
        Changed((quad,), (ox.Quad(quad.subject, quad.predicate, new, quad.graph_name),))
        for quad in removed
    ]
    operations, left = sparql_update(graph, changes)
    made = [changed for changed in changes if changed not in left]
    result = graph - {quad for changed in made for quad in changed.removed}
    result |= {quad for changed in made for quad in changed.added}
    if says_what_is_removed:
        # All of it is true of a copy, which the update changes alike.
        other = graph
        changed = of_others(result)
    else:
        gone = set(map(without_names, removed))
        other = {quad for quad in graph | other if without_names(quad) not in gone}
        changed = of_others(other)
    store = ox.Store()
    store.extend(graph | of_others(other))
    store.update(" ;\n".join(operations))
    assert same(store, result | changed)


def test_a_patch_is_read_by_the_rdf_patch_parser_of_rdflib(tmp_path: Path) -> None:
    plan = planned(
        tmp_path, PATCHED.replace("[ dct:format", "<f> . <f> dct:format").replace(" ] .", " .")
    )
    dataset = Dataset()
    dataset.parse(data=plan.original.decode(), format="turtle")
    dataset.parse(data=as_rdf_patch(plan).content.decode(), format="patch")
    wanted = Graph().parse(data=plan.edited.decode(), format="turtle")
    assert {quad[:3] for quad in dataset.quads()} == set(wanted)


def test_rdf_patch_names_a_blank_node_only_by_its_label_in_the_file(tmp_path: Path) -> None:
    text = '_:d1 dct:format "CSV" . <a:s> dcat:distribution [ dct:format "PDF" ] .'
    content, left_out = as_rdf_patch(planned(tmp_path, text, "dcat"))
    rows = content.decode().splitlines()
    assert [row for row in rows if row.startswith("D")] == [
        'D _:d1 <http://purl.org/dc/terms/format> "CSV" .'
    ]
    assert len(left_out) == 1
    assert 'dct:format "PDF"' in left_out[0]
    assert rows[0].endswith(": DCAT 3 (dcat), as requested")
    assert rows[1] == f"# {left_out[0]}"


@pytest.mark.parametrize(
    ("name", "content"),
    [("catalogue.ttl", (HEAD + PATCHED).rstrip("\n")), ("catalogue.rdf", LATIN_1)],
)
def test_the_diff_is_applied_by_patch(
    cturi: Cturi, write: Write, tmp_path: Path, name: str, content: str | bytes
) -> None:
    patch, file, diff = shutil.which("patch"), write(name, content), tmp_path / "catalogue.diff"
    if patch is None:
        pytest.skip("no patch on this system")
    plan = plan_file(file, profile="dcat")
    cturi("repair", file, "--profile", "dcat", "--dry-run", "--patch", diff)
    assert diff.read_bytes() == as_diff(plan)
    subprocess.run([patch, str(file)], input=as_diff(plan), check=True, capture_output=True)
    assert file.read_bytes() == plan.edited != plan.original


def test_a_diff_that_is_not_for_a_terminal_has_every_character(cturi: Cturi, write: Write) -> None:
    file = write(
        "catalogue.ttl", HEAD + PATCHED.replace('"TIF"', '"TIF" ; dct:title "\x1b[31mred"')
    )
    run = cturi("repair", file, "--profile", "dcat-ap", "--diff")
    assert '"\x1b[31mred"' in run.out


@pytest.mark.parametrize("end", ["\n", "\r\n", ""])
def test_undoing_gives_the_bytes_back(cturi: Cturi, tmp_path: Path, end: str) -> None:
    file, patch = tmp_path / "catalogue.ttl", tmp_path / "patch.jsonl"
    text = (HEAD + PATCHED).replace("\n", end or "\n").removesuffix("" if end else "\n")
    file.write_bytes(text.encode())
    run = cturi("repair", file, "--profile", "dcat-ap", "--in-place", "--patch", patch)
    assert run.code == 0
    assert file.read_bytes() != text.encode()
    assert cturi("repair", file, "--undo", patch, "--in-place").code == 0
    assert file.read_bytes() == text.encode()
    assert cturi("repair", file, "--undo", patch, "--in-place").code == 2


def test_a_folder_of_patches_gives_the_bytes_of_several_files_back(
    cturi: Cturi, write: Write, tmp_path: Path
) -> None:
    files = [write(name, HEAD + PATCHED) for name in ("a.ttl", "b.ttl.gz")]
    before, folder = [file.read_bytes() for file in files], tmp_path / "patches"
    repair = ["repair", *files, "--in-place", "--patch", folder]
    refused = cturi(*repair)
    assert refused.code == 2
    assert "--patch for several files needs a folder that exists" in refused.err
    folder.mkdir()
    assert cturi(*repair, "--profile", "dcat-ap").code == 0
    assert {path.name for path in folder.iterdir()} == {"a.ttl.jsonl", "b.ttl.gz.jsonl"}
    assert all(file.read_bytes() != old for file, old in zip(files, before, strict=True))
    # A file that has changed since then stays, and the others come back.
    files[0].write_text("")
    run = cturi("repair", *files, "--undo", folder, "--in-place")
    assert run.code == 2
    assert files[0].read_text() == ""
    assert gzip.decompress(files[1].read_bytes()) == (HEAD + PATCHED).encode()


def test_a_librarians_file_comes_back(shared: Path) -> None:
    plan = plan_file(str(shared / "findings/library.ttl"), profile="dcat-ap")
    assert undone(plan.edited, as_json_lines(plan).decode()) == plan.original


# Lines and ends of texts that str.splitlines would end, which JSON lines do not.
@pytest.mark.parametrize("end", ["\x85", "\u2028", "\x1c", "\x0c"])
def test_a_label_may_hold_what_looks_like_the_end_of_a_line(tmp_path: Path, end: str) -> None:
    plan = planned(tmp_path, f'<a:1> dct:format "CSV{end}" .', options=LIKELY)
    assert plan.edited != plan.original
    assert undone(plan.edited, as_json_lines(plan).decode()) == plan.original


# Two fixes that need a prefix which the file does not declare.
NEEDS_PREFIX = (
    '<a:1> dct:format "PDF" . <a:2> dcat:mediaType "text/csv; charset=iso-8859-1" .'
    ' <a:3> dcat:mediaType "text/html; charset=utf-8" . <a:4> dct:format "Zipped Shapefile" .'
)


@pytest.mark.parametrize("text", [PATCHED, NEEDS_PREFIX])
def test_the_fixes_of_sarif_together_are_the_repair(tmp_path: Path, text: str) -> None:
    plan = planned(tmp_path, text)
    results = json.loads(sarif_of_repair(plan))["runs"][0]["results"]
    together = fixed(plan.original.decode(), results)
    assert same(*(ox.parse(each, ox.RdfFormat.TURTLE) for each in (together, plan.edited)))


def test_each_fix_of_sarif_stands_alone(tmp_path: Path) -> None:
    plan = planned(tmp_path, NEEDS_PREFIX)
    original = plan.original.decode()
    results = json.loads(sarif_of_repair(plan))["runs"][0]["results"]
    groups = [verdict.changes for verdict in plan.plan.verdicts if verdict.changes]
    groups += [(step.change,) for step in plan.plan.typing]
    graph = set(ox.parse(original, ox.RdfFormat.TURTLE))
    wanted = {
        frozenset(
            graph.difference(quad for change in changes for quad in change.removed).union(
                quad for change in changes for quad in change.added
            )
        )
        for changes in groups
    }
    assert len(wanted) == len(results)
    assert wanted == {
        frozenset(ox.parse(fixed(original, [result]), ox.RdfFormat.TURTLE)) for result in results
    }


def test_a_result_of_sarif_stands_at_the_value_wherever_its_fix_begins(tmp_path: Path) -> None:
    plan = planned(tmp_path, PATCHED)
    document = plan.plan.document
    results = json.loads(sarif_of_repair(plan))["runs"][0]["results"]
    places = [
        result["locations"][0]["physicalLocation"]["region"]
        for result in results
        if result["ruleId"] != "typing"
    ]
    assert sorted((place["startLine"], place["startColumn"]) for place in places) == sorted(
        tuple(document.position(verdict.statement.start)) for verdict in plan.plan.verdicts
    )


def test_sarif_names_a_file_by_its_uri(write: Write) -> None:
    path = write("100% a catalogue.ttl", HEAD + PATCHED)
    plan = plan_file(path, profile="dcat-ap")
    [location] = json.loads(sarif_of_repair(plan))["runs"][0]["results"][0]["locations"]
    uri = location["physicalLocation"]["artifactLocation"]["uri"]
    assert (unquote(uri), " " in uri) == (str(path), False)


def test_the_provenance_is_turtle(tmp_path: Path) -> None:
    quads = list(ox.parse(as_provenance(planned(tmp_path, PATCHED)), ox.RdfFormat.TURTLE))
    assert any("wasDerivedFrom" in quad.predicate.value for quad in quads)


def test_the_plan_of_the_provenance_is_that_of_an_association(tmp_path: Path) -> None:
    graph = Graph().parse(data=as_provenance(planned(tmp_path, PATCHED)), format="turtle")
    [association] = graph.subjects(PROV.hadPlan)
    [repair] = graph.subjects(PROV.qualifiedAssociation, association)
    assert (association, RDF.type, PROV.Association) in graph
    [agent] = graph.objects(association, PROV.agent)
    assert (repair, PROV.wasAssociatedWith, agent) in graph


def test_the_provenance_has_the_steps_of_the_repair_with_numbers_from_1(tmp_path: Path) -> None:
    plan = planned(tmp_path, PATCHED)
    text, steps = as_provenance(plan).decode(), plan.plan.steps
    [graph] = [Graph().parse(data=text, format="turtle")]
    for number, step in enumerate(steps, 1):
        assert f"\n_:step{number} a prov:Activity" in text
        reason = Literal(f"{step.rule}, {step.confidence}: {step.reason}")
        assert (None, RDFS.comment, reason) in graph
    assert text.count("prov:wasInformedBy _:repair") == len(steps)
    assert "_:step0" not in text
    assert f"_:step{len(steps) + 1}" not in text
