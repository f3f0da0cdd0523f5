"""Annotating the user's own file: what is added, and that nothing else changes."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pyoxigraph as ox
import pytest
from annotated_files import CATALOGUE, CTV, PACKED, SYNTAXES, links_of, quads_of, unpacked

from cturi_rdf.catalogue import Adding, annotate, annotate_file
from cturi_rdf.editing import EditError
from cturi_rdf.reading.formats import format_of_file

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Cturi, Write


def _is_contained(lines: list[str], others: list[str]) -> bool:
    """Return whether all lines are among others, in their order."""
    rest = iter(others)
    return all(line in rest for line in lines)


@pytest.mark.parametrize("name", SYNTAXES)
@pytest.mark.parametrize("ending", PACKED)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_a_file_is_edited_in_place_and_only_once(
    tmp_path: Path, cturi: Cturi, name: str, ending: str, line_end: str
) -> None:
    path = tmp_path / f"catalogue.{name}{ending}"
    text = CATALOGUE[name].replace("\n", line_end)
    path.write_bytes(PACKED[ending](text.encode()))
    before = len(quads_of(path))
    assert cturi("annotate", "--in-place", "--add", "links", path).code == 0
    assert links_of(path) == {
        ("contentType", "text/csv"),
        ("contentType", "application/json"),
        ("packaging", "application/zip"),
    }
    # One file is sent as what it is packed in, not as what is inside.
    served = [quad for quad in quads_of(path) if quad.predicate.value == f"{CTV}servedAs"]
    assert [quad.object.value for quad in served] == ["ContentType:application/zip"]
    assert len(quads_of(path)) == before + 4
    annotated = unpacked(path).decode()
    assert annotated.count("\n") == annotated.count(line_end)
    # All characters of the original are there, in their order.
    assert _is_contained(list(text), list(annotated))
    status = path.stat()
    assert cturi("annotate", "-o", path, "--add", "links", path).code == 0
    assert (unpacked(path).decode(), path.stat().st_mtime_ns) == (annotated, status.st_mtime_ns)


@pytest.mark.parametrize("name", SYNTAXES)
def test_what_is_added_is_the_choice_of_the_user(tmp_path: Path, write: Write, name: str) -> None:
    source = write(f"in.{name}", CATALOGUE[name])
    predicates = {}
    for adding in Adding:
        target = tmp_path / f"{adding}.{name}"
        annotate_file(str(source), str(target), adding=adding)
        added = set(quads_of(target)) - set(quads_of(source))
        predicates[adding] = {quad.predicate.value.removeprefix(CTV) for quad in added}
        twice = tmp_path / f"twice.{name}"
        annotate_file(str(target), str(twice), adding=adding)
        assert twice.read_bytes() == target.read_bytes()
    assert {"typeLabel", "registrationStatus"}.isdisjoint(predicates[Adding.LINKS])
    assert {"typeLabel", "labelText"} <= predicates[Adding.LABELS]
    assert "registrationStatus" not in predicates[Adding.LABELS]
    assert {"typeLabel", "labelText", "registrationStatus"} <= predicates[Adding.ALL]


@pytest.mark.parametrize("written", ["ttl", "trig", "nt", "nq", "rdf", "jsonld"])
@pytest.mark.parametrize("name", SYNTAXES)
def test_another_syntax_says_what_the_same_syntax_says(
    tmp_path: Path, name: str, written: str
) -> None:
    path, target = tmp_path / f"catalogue.{name}", tmp_path / f"out.{written}"
    path.write_text(CATALOGUE[name])
    annotate_file(str(path), str(path), adding=Adding.LABELS)
    _change_label(path)
    other = annotate_file(str(path), str(target), adding=Adding.LABELS)
    same = annotate_file(str(path), str(path), adding=Adding.LABELS)
    # Only a syntax without graphs merges them.
    assert other.counts() | {"graphs_merged": []} == same.counts()
    assert same.replaced
    has_graphs = format_of_file(target.name).datasets
    assert _canonical(target) == _canonical(path, default_graph_only=not has_graphs)


_CONVERT = """
import sys
from pathlib import Path
from cturi_rdf.catalogue import annotate_file
print(annotate_file(*sys.argv[1:]).labels)
# That of `getrusage` may be the peak of the process that started this one.
print(*[line.split()[1] for line in Path("/proc/self/status").open() if "VmHWM" in line])
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the peak of memory is told by /proc")
@pytest.mark.parametrize("written", ["nt", "jsonld"])
def test_what_has_no_label_takes_no_memory_when_another_syntax_is_written(
    tmp_path: Path, written: str
) -> None:
    sizes, peaks = [], []
    for number in (20_000, 60_000):
        path, target = tmp_path / f"{number}.ttl", tmp_path / f"{number}.{written}"
        titles = (f'<a:{index}> dct:title "A title of some length" .\n' for index in range(number))
        path.write_text(CATALOGUE["ttl"] + "".join(titles))
        command = [sys.executable, "-c", _CONVERT, str(path), str(target)]
        run = subprocess.run(command, capture_output=True, check=True, text=True)
        labels, peak = map(int, run.stdout.split())
        assert labels
        sizes.append(path.stat().st_size)
        peaks.append(peak * 1024)
    # The text is in memory, at most twice at a time, and 1.3 to 2.2 times it are measured; its
    # statements would take more than ten times.  Buffers grow in steps.
    assert peaks[1] - peaks[0] < 6 * (sizes[1] - sizes[0])


def _change_label(path: Path) -> None:
    text = path.read_text()
    for old in ('format "CSV"', 'format> "CSV"', "<dct:format>CSV<", 'format": "CSV"'):
        text = text.replace(old, old.replace("CSV", "XLSX"))
    path.write_text(text)


def _canonical(path: Path, *, default_graph_only: bool = False) -> set[ox.Quad]:
    quads = quads_of(path)
    if default_graph_only:
        quads = [ox.Quad(*quad.triple) for quad in quads]
    dataset = ox.Dataset(quads)
    dataset.canonicalize(ox.CanonicalizationAlgorithm.RDFC_1_0)
    return set(dataset)


@pytest.mark.parametrize("name", SYNTAXES)
@pytest.mark.parametrize("adding", Adding)
def test_the_link_of_a_label_that_has_changed_is_replaced(
    write: Write, name: str, adding: Adding
) -> None:
    path = write(f"catalogue.{name}", CATALOGUE[name])
    annotate_file(str(path), str(path), adding=adding)
    _change_label(path)
    report = annotate_file(str(path), str(path), adding=adding)
    assert report.replaced
    types = {content_type for link, content_type in links_of(path) if link == "contentType"}
    sheet = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    assert {"application/json", sheet} <= types
    resource = ox.NamedNode("http://a.example/1")
    assert [
        quad.object.value
        for quad in quads_of(path)
        if (quad.subject, quad.predicate.value) == (resource, f"{CTV}contentType")
    ] == [f"ContentType:{sheet}"]


@pytest.mark.parametrize(
    ("more", "stays"),
    [
        ("", False),
        ("<http://a.example/2> dct:references <https://w3id.org/cturi/label/CSV> .", True),
        ("[] dct:references <https://w3id.org/cturi/label/CSV> .", True),
        ('<https://w3id.org/cturi/label/CSV> rdfs:comment "Ask Ada." .', True),
    ],
    ids=["nothing", "a reference", "a reference of a blank node", "a comment"],
)
@pytest.mark.parametrize("target", ["catalogue.ttl", "other.nt"])
def test_the_description_of_a_label_goes_with_its_last_link(
    tmp_path: Path, more: str, stays: bool, target: str
) -> None:
    path = tmp_path / "catalogue.ttl"
    path.write_text(CATALOGUE["ttl"])
    annotate_file(path, path, adding=Adding.LABELS)
    path.write_text(path.read_text().replace('dct:format "CSV"', 'dct:format "XLSX"') + more)
    annotate_file(path, tmp_path / target, adding=Adding.LABELS)
    described = {
        quad.subject.value
        for quad in quads_of(tmp_path / target)
        if quad.predicate.value == f"{CTV}labelText"
    }
    label = "https://w3id.org/cturi/label/"
    assert described == {f"{label}{name}" for name in ("XLSX", "WMS", *["CSV"] * stays)}


def test_the_description_of_a_label_stays_where_it_cannot_be_taken_away(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise EditError("no place for another node", "catalogue.ttl", "another file")

    path = write("catalogue.ttl", CATALOGUE["ttl"])
    annotate_file(path, path, adding=Adding.LABELS)
    _change_label(path)
    monkeypatch.setattr(annotate, "rewrite", refuse)
    report = annotate_file(path, path, adding=Adding.LABELS)
    assert report.replaced
    described = {quad.subject.value.rpartition("/")[2] for quad in quads_of(path)}
    assert {"CSV", "XLSX"} <= described


@pytest.mark.parametrize("name", SYNTAXES)
def test_descriptions_go_to_a_file_of_their_own(tmp_path: Path, cturi: Cturi, name: str) -> None:
    path, descriptions = tmp_path / f"catalogue.{name}", tmp_path / "descriptions.ttl"
    path.write_text(CATALOGUE[name])
    assert cturi("annotate", "--in-place", path, "--descriptions", descriptions).code == 0
    described = {quad.predicate.value for quad in quads_of(descriptions)}
    assert {f"{CTV}labelText", f"{CTV}registrationStatus"} <= described
    assert described.isdisjoint({f"{CTV}contentType", f"{CTV}packaging"})
    stated = {quad.predicate.value for quad in quads_of(path)}
    assert stated.isdisjoint({f"{CTV}labelText", f"{CTV}registrationStatus"})
    assert f"{CTV}contentType" in stated


@pytest.mark.parametrize("name", SYNTAXES)
def test_a_label_that_is_not_understood_is_reported_with_its_place(
    tmp_path: Path, write: Write, cturi: Cturi, name: str
) -> None:
    path = write(f"catalogue.{name}", CATALOGUE[name])
    lines = CATALOGUE[name].splitlines()
    [number] = [number for number, line in enumerate(lines, 1) if "no such format" in line]
    column = lines[number - 1].index("no such format") + (1 if name == "rdf" else 0)
    for target in ([], ["-o", tmp_path / "out.nt"], ["--in-place"]):
        run = cturi("annotate", path, *target)
        assert f"first at {path}:{number}:{column}" in run.err


def test_a_link_that_somebody_stated_stays(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.nt"
    stated = "<ContentType:text/csv?header=%22absent%22>"
    path.write_text(f"""\
<http://a.example/1> <http://purl.org/dc/terms/format> "CSV" .
<http://a.example/1> <{CTV}contentType> {stated} .
<http://a.example/2> <{CTV}contentType> {stated} .
""")
    report = annotate_file(str(path), str(path), adding=Adding.LINKS)
    assert (report.added, report.replaced) == (1, 0)
    assert path.read_text().count(stated) == 2


def test_in_place_takes_files_and_nothing_else(cturi: Cturi, write: Write) -> None:
    path = write("catalogue.nt", CATALOGUE["nt"])
    for options in (["-o", path], ["--to", "turtle"]):
        run = cturi("annotate", "--in-place", path, *options)
        assert (run.code, f"no {options[0]}" in run.err) == (2, True)
    assert cturi("annotate", "--in-place", "-", stdin="").code == 2
    assert path.read_text() == CATALOGUE["nt"]


@pytest.mark.parametrize("command", ["annotate", "repair --profile dcat-ap"])
@pytest.mark.parametrize("name", ["catalogue", "catalogue.ttl"])
def test_a_file_that_is_edited_keeps_its_format(
    cturi: Cturi, write: Write, command: str, name: str
) -> None:
    named, edited = write("c.trig", CATALOGUE["trig"]), write(name, CATALOGUE["trig"])
    expected = cturi(*command.split(), "--in-place", named).code
    run = cturi(*command.split(), "--in-place", "--from", "trig", edited)
    assert (run.code, edited.read_text()) == (expected, named.read_text())


@pytest.mark.parametrize("command", ["annotate", "repair --profile dcat-ap"])
def test_a_file_that_is_named_twice_is_edited_once(
    cturi: Cturi, write: Write, tmp_path: Path, command: str
) -> None:
    path = write("catalogue.nt", CATALOGUE["nt"])
    (tmp_path / "link.nt").symlink_to(path)
    names = path, path, tmp_path / "." / "catalogue.nt", tmp_path / "link.nt"
    twice = cturi(*command.split(), "--in-place", *names)
    edited, _ = path.read_text(), path.write_text(CATALOGUE["nt"])
    once = cturi(*command.split(), "--in-place", path)
    assert twice == once
    assert edited == path.read_text() != CATALOGUE["nt"]


def test_a_file_that_has_no_place_for_links_is_not_overwritten(
    tmp_path: Path, cturi: Cturi
) -> None:
    path, target = tmp_path / "data.json", tmp_path / "out.json"
    text = """{
      "conformsTo": "https://project-open-data.cio.gov/v1.1/schema",
      "dataset": [{"identifier": "1", "distribution": [
        {"downloadURL": "http://a.example/1", "mediaType": "text/csv"}]}]
    }"""
    path.write_text(text)
    run = cturi("annotate", "--in-place", path)
    assert (run.code, path.read_text()) == (2, text)
    assert "no place for links; expected -o" in run.err
    assert cturi("annotate", path, "-o", target).code == 0
    assert links_of(target) == {("contentType", "text/csv")}


def _nested(levels: int, context: str) -> str:
    inner = '{"http://purl.org/dc/terms/format": "CSV", "http://a.example/p": "[[[{{{ \\\\"}'
    opened = f'{{"@context": {context}, "http://a.example/p": ' + '{"http://a.example/p": ' * levels
    return opened + inner + "}" * (levels + 1)


@pytest.mark.parametrize("context", ["{}", '"https://schema.org/"'])
def test_every_command_reads_json_of_some_depth_and_refuses_more(
    write: Write, cturi: Cturi, context: str
) -> None:
    path = write("a.jsonld", _nested(500, context))
    assert "text/csv" in cturi("headers", path).out
    assert cturi("annotate", "--in-place", "--add", "links", path).code == 0
    path.write_text(deep := _nested(5000, context))
    for command in (["annotate", "--in-place"], ["annotate"], ["headers"], ["check"]):
        run = cturi(*command, path)
        assert run.code == 2
        assert "more than 1,000 levels of JSON" in run.err
    assert path.read_text() == deep
