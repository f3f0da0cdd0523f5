"""Annotating the user's own file: what is added, and that nothing else changes."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pyoxigraph as ox
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from cturi_rdf.io import CatalogError
from cturi_rdf.io.formats import format_of_file
from cturi_rdf.rdf.files import Adding, annotate_file, headers_of_file
from cturi_rdf.rdf.files.labels import EDITABLE

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Cturi, Write

CTV = "https://w3id.org/cturi/vocab#"
PREFIXES = f"""\
@prefix dcat: <http://www.w3.org/ns/dcat#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix ctv: <{CTV}> .
"""
# The same catalogue in every syntax that can be edited: two resources with an IRI, one without.
CATALOGUE = {
    "ttl": f"""{PREFIXES}
# A comment.
<http://a.example/1> dct:title "one" ; dct:format "CSV" .
<http://a.example/2> dcat:mediaType [ rdfs:label "Zipped JSON" ] .
<http://a.example/3> dcat:distribution [ dct:format "no such format" , "WMS" ] .
""",
    "trig": f"""{PREFIXES}
# A comment.
<http://a.example/1> dct:title "one" ; dct:format "CSV" .
<http://a.example/2> dcat:mediaType [ rdfs:label "Zipped JSON" ] .
<http://a.example/g> {{
    <http://a.example/3> dcat:distribution [ dct:format "no such format" , "WMS" ] .
}}
""",
    "nt": """# A comment.
<http://a.example/1> <http://purl.org/dc/terms/title> "one" .
<http://a.example/1> <http://purl.org/dc/terms/format> "CSV" .
<http://a.example/2> <http://www.w3.org/ns/dcat#mediaType> _:f .
_:f <http://www.w3.org/2000/01/rdf-schema#label> "Zipped JSON" .
<http://a.example/3> <http://www.w3.org/ns/dcat#distribution> _:d .
_:d <http://purl.org/dc/terms/format> "no such format" .
_:d <http://purl.org/dc/terms/format> "WMS" .
""",
    "rdf": """<?xml version="1.0"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    xmlns:dct="http://purl.org/dc/terms/" xmlns:dcat="http://www.w3.org/ns/dcat#"
    xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#">
  <!-- A comment. -->
  <rdf:Description rdf:about="http://a.example/1">
    <dct:title>one</dct:title>
    <dct:format>CSV</dct:format>
  </rdf:Description>
  <rdf:Description rdf:about="http://a.example/2">
    <dcat:mediaType rdf:parseType="Resource"><rdfs:label>Zipped JSON</rdfs:label></dcat:mediaType>
  </rdf:Description>
  <rdf:Description rdf:about="http://a.example/3">
    <dcat:distribution>
      <rdf:Description>
        <dct:format>no such format</dct:format>
        <dct:format>WMS</dct:format>
      </rdf:Description>
    </dcat:distribution>
  </rdf:Description>
</rdf:RDF>
""",
    "jsonld": """{
  "@context": {
    "dct": "http://purl.org/dc/terms/", "dcat": "http://www.w3.org/ns/dcat#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#"
  },
  "@graph": [
    {
      "@id": "http://a.example/1",
      "dct:title": "one",
      "dct:format": "CSV"
    },
    {"@id": "http://a.example/2", "dcat:mediaType": {"rdfs:label": "Zipped JSON"}},
    {
      "@id": "http://a.example/3",
      "dcat:distribution": {"dct:format": ["no such format", "WMS"]}
    }
  ]
}
""",
}
SYNTAXES = [name for name in CATALOGUE if format_of_file(f"a.{name}").name in EDITABLE]
PACKED: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": gzip.compress,
    ".zst": lambda content: zstandard.ZstdCompressor().compress(content),
}


def _unpacked(path: Path) -> bytes:
    content = path.read_bytes()
    if path.name.endswith(".gz"):
        return gzip.decompress(content)
    if path.name.endswith(".zst"):
        reader = zstandard.ZstdDecompressor().stream_reader(content, read_across_frames=True)
        return reader.read()
    return content


def _quads(path: Path) -> list[ox.Quad]:
    form = format_of_file(path.name).oxigraph
    return list(ox.parse(_unpacked(path), form, base_iri="http://base.example/"))


def _links(path: Path) -> set[tuple[str, str]]:
    """Return the links that a file has: the name of the property, the type."""
    return {
        (quad.predicate.value.removeprefix(CTV), quad.object.value.removeprefix("ContentType:"))
        for quad in _quads(path)
        if quad.object.value.startswith("ContentType:")
        and quad.predicate.value.removeprefix(CTV) in {"contentType", "packaging", "compression"}
    }


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
    before = len(_quads(path))
    assert cturi("annotate", "--in-place", "--add", "links", path).code == 0
    assert _links(path) == {
        ("contentType", "text/csv"),
        ("contentType", "application/json"),
        ("packaging", "application/zip"),
    }
    assert len(_quads(path)) == before + 3
    annotated = _unpacked(path).decode()
    assert annotated.count("\n") == annotated.count(line_end)
    # All characters of the original are there, in their order.
    assert _is_contained(list(text), list(annotated))
    status = path.stat()
    assert cturi("annotate", "-o", path, "--add", "links", path).code == 0
    assert (_unpacked(path).decode(), path.stat().st_mtime_ns) == (annotated, status.st_mtime_ns)


@pytest.mark.parametrize("name", SYNTAXES)
def test_what_is_added_is_the_choice_of_the_user(tmp_path: Path, write: Write, name: str) -> None:
    source = write(f"in.{name}", CATALOGUE[name])
    predicates = {}
    for adding in Adding:
        target = tmp_path / f"{adding}.{name}"
        annotate_file(str(source), str(target), adding=adding)
        added = set(_quads(target)) - set(_quads(source))
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
    annotate_file(str(path), str(path))
    _change_label(path)
    other = annotate_file(str(path), str(target))
    same = annotate_file(str(path), str(path))
    assert other.counts() == same.counts()
    assert same.replaced
    has_graphs = format_of_file(target.name).datasets
    assert _canonical(target) == _canonical(path, default_graph_only=not has_graphs)


_CONVERT = """
import sys
from pathlib import Path
from cturi_rdf.rdf.files import annotate_file
print(annotate_file(*sys.argv[1:]).labels)
# That of `getrusage` may be the peak of the process that started this one.
print(*[line.split()[1] for line in Path("/proc/self/status").open() if "VmHWM" in line])
"""


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
    # The text is in memory, at most twice at a time.
    assert peaks[1] - peaks[0] < 3 * (sizes[1] - sizes[0])


def _change_label(path: Path) -> None:
    text = path.read_text()
    for old in ('format "CSV"', 'format> "CSV"', "<dct:format>CSV<", 'format": "CSV"'):
        text = text.replace(old, old.replace("CSV", "XLSX"))
    path.write_text(text)


def _canonical(path: Path, *, default_graph_only: bool = False) -> set[ox.Quad]:
    quads = _quads(path)
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
    types = {content_type for link, content_type in _links(path) if link == "contentType"}
    sheet = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    assert {"application/json", sheet} <= types
    resource = ox.NamedNode("http://a.example/1")
    assert [
        quad.object.value
        for quad in _quads(path)
        if (quad.subject, quad.predicate.value) == (resource, f"{CTV}contentType")
    ] == [f"ContentType:{sheet}"]


LABELS = [
    "CSV",
    "Excel",
    "image/tif",
    "Zipped Shapefile",
    "CSV, JSON",
    "WMS",
    "n/a",
    "flurbel",
    "XML, tar.gz",
]
OF_LABELS = ["dct:format", "dcat:mediaType", "dcat:compressFormat", "dcat:packageFormat"]


@given(
    st.lists(st.sampled_from(LABELS), min_size=2, max_size=5, unique=True),
    st.lists(st.sampled_from(OF_LABELS), min_size=4, max_size=4),
    st.sampled_from(SYNTAXES),
)
@settings(max_examples=40)
def test_a_file_whose_label_has_changed_is_linked_as_one_that_had_it_before(
    labels: list[str], properties: list[str], syntax: str
) -> None:
    new, *old = labels
    statements = [f'{path} "{label}"' for path, label in zip(properties, old, strict=False)]
    before = f"{PREFIXES}<http://a.example/1> {' ; '.join(statements)} ."
    with TemporaryDirectory() as folder:
        changed, fresh = Path(folder, f"changed.{syntax}"), Path(folder, f"fresh.{syntax}")
        for path, text in (changed, before), (fresh, before.replace(f'"{old[0]}"', f'"{new}"')):
            quads = ox.parse(text, ox.RdfFormat.TURTLE)
            ox.serialize(quads, str(path), format_of_file(path.name).oxigraph)
            annotate_file(path, path)
        subject = ox.NamedNode("http://a.example/1")
        label, other = ox.Literal(old[0]), ox.Literal(new)
        quads = [
            ox.Quad(subject, quad.predicate, other if quad.object == label else quad.object)
            if quad.subject == subject
            else quad
            for quad in _quads(changed)
        ]
        ox.serialize(quads, str(changed), format_of_file(changed.name).oxigraph)
        annotate_file(changed, changed)
        stated = [{q for q in _quads(path) if q.subject == subject} for path in (changed, fresh)]
    assert stated[0] == stated[1]


@given(
    st.lists(st.tuples(st.sampled_from(OF_LABELS), st.sampled_from(LABELS)), min_size=1),
    st.sampled_from(SYNTAXES),
    st.sampled_from(Adding),
)
@settings(max_examples=40)
def test_annotating_changes_no_header(
    labels: list[tuple[str, str]], syntax: str, adding: Adding
) -> None:
    statements = " ; ".join(f'{path} "{label}"' for path, label in labels)
    quads = ox.parse(f"{PREFIXES}<http://a.example/1> {statements} .", ox.RdfFormat.TURTLE)
    with TemporaryDirectory() as folder:
        path = Path(folder, f"catalogue.{syntax}")
        ox.serialize(quads, str(path), format_of_file(path.name).oxigraph)
        before = _headers(path)
        annotate_file(path, path, adding=adding)
        assert _headers(path) == before


def _headers(path: Path) -> list[tuple[object, ...]]:
    return [
        (one.content_type, one.contains, one.content_encoding, one.conflicts, one.confidence)
        for one in headers_of_file(path)
    ]


@pytest.mark.parametrize("name", SYNTAXES)
def test_descriptions_go_to_a_file_of_their_own(tmp_path: Path, cturi: Cturi, name: str) -> None:
    path, descriptions = tmp_path / f"catalogue.{name}", tmp_path / "descriptions.ttl"
    path.write_text(CATALOGUE[name])
    assert cturi("annotate", "--in-place", path, "--descriptions", descriptions).code == 0
    described = {quad.predicate.value for quad in _quads(descriptions)}
    assert {f"{CTV}labelText", f"{CTV}registrationStatus"} <= described
    assert described.isdisjoint({f"{CTV}contentType", f"{CTV}packaging"})
    stated = {quad.predicate.value for quad in _quads(path)}
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
        assert (run.code, "--in-place takes files" in run.err) == (2, True)
    assert cturi("annotate", "--in-place", "-", stdin="").code == 2
    assert path.read_text() == CATALOGUE["nt"]


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
    assert _links(target) == {("contentType", "text/csv")}


NAMES = (
    'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dct="http://purl.org/dc/terms/"'
)
# A file with one label, CSV, and the file with its link.
LINKED = {
    "a graph without a name.trig": (
        f'{PREFIXES}[] {{ <a:1> dct:format "CSV" . }}\n',
        f'{PREFIXES}[] {{ <a:1> dct:format "CSV" ; ctv:contentType <ContentType:text/csv> . }}\n',
    ),
    "a graph without a name.jsonld": (
        '[{"@graph": {"@id": "a:1", "http://purl.org/dc/terms/format": "CSV"}}]',
        (
            '[{"@graph": {"@id": "a:1", "http://purl.org/dc/terms/format": "CSV", '
            f'"{CTV}contentType": {{"@id": "ContentType:text/csv"}}}}}}]'
        ),
    ),
    "what a literal of XML would say.rdf": (
        (
            f"<rdf:RDF {NAMES}>\n<dct:File>\n <dct:format>CSV</dct:format>\n"
            ' <dct:title rdf:parseType="Literal"><b>x</b></dct:title>\n</dct:File>\n</rdf:RDF>\n'
        ),
        (
            f"<rdf:RDF {NAMES}>\n<dct:File>\n <dct:format>CSV</dct:format>\n"
            f' <ctv:contentType xmlns:ctv="{CTV}" rdf:resource="ContentType:text/csv"/>\n'
            ' <dct:title rdf:parseType="Literal"><b>x</b></dct:title>\n</dct:File>\n</rdf:RDF>\n'
        ),
    ),
    "a text in parts.rdf": (
        (
            f"<rdf:RDF {NAMES}><dct:File><dct:format>C<!-- c --><![CDATA[S]]><?p?>V</dct:format>"
            "</dct:File></rdf:RDF>"
        ),
        (
            f'<rdf:RDF {NAMES} xmlns:ctv="{CTV}"><dct:File>'
            "<dct:format>C<!-- c --><![CDATA[S]]><?p?>V</dct:format>"
            '<ctv:contentType rdf:resource="ContentType:text/csv"/></dct:File></rdf:RDF>'
        ),
    ),
}


@pytest.mark.parametrize("name", LINKED)
def test_a_link_is_written_beside_its_label(write: Write, name: str) -> None:
    path = write(name, LINKED[name][0])
    for _ in range(2):
        annotate_file(str(path), str(path), adding=Adding.LINKS)
        assert path.read_text() == LINKED[name][1]


def test_a_label_that_nothing_can_stand_beside_is_named_by_its_place(tmp_path: Path) -> None:
    path = tmp_path / "a.rdf"
    text = f'<rdf:RDF {NAMES}>\n<dct:File><dct:hasPart dct:format="CSV"/></dct:File>\n</rdf:RDF>'
    path.write_text(text)
    with pytest.raises(CatalogError, match="cannot be added there") as refused:
        annotate_file(str(path), str(path))
    assert (refused.value.line, refused.value.column) == (2, 36)
    assert path.read_text() == text


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


SHP = '<http://a.example/1> dct:format "SHP"'
PACKAGED = (
    f"{SHP} ; dcat:packageFormat <https://www.iana.org/assignments/media-types/application/zip>"
)


def _annotated(path: Path) -> dict[str, set[str]]:
    """Annotate a file in place; return what it says of headers."""
    annotate_file(str(path), str(path), adding=Adding.LABELS)
    found: dict[str, set[str]] = {"servedAs": set(), "conflictingType": set()}
    for quad in _quads(path):
        name = quad.predicate.value.removeprefix(CTV)
        if name in found:
            found[name].add(quad.object.value.removeprefix("ContentType:"))
    return found


def test_a_resource_is_linked_to_the_header_that_it_is_sent_with(write: Write) -> None:
    source = write("c.ttl", f"{PREFIXES}{PACKAGED} .\n")
    assert _annotated(source)["servedAs"] == {"application/zip"}


@pytest.mark.parametrize("syntax", ["ttl", "nt"])
def test_labels_apart_from_each_other_have_one_header(tmp_path: Path, syntax: str) -> None:
    source = tmp_path / f"c.{syntax}"
    lines = [
        f'<http://a.example/{name}> <http://{path}> "{label}" .\n'
        for path, label in (
            ("purl.org/dc/terms/format", "SHP"),
            ("www.w3.org/ns/dcat#mediaType", "application/zip"),
        )
        for name in "ab"
    ]
    source.write_text("".join(lines))
    assert _annotated(source)["servedAs"] == {"application/zip"}
    assert source.read_text().count("servedAs>") - source.read_text().count("#servedAs> a ") == 2


def test_the_header_follows_a_label_that_is_added(write: Write) -> None:
    source = write("c.ttl", f"{PREFIXES}{SHP} .\n")
    assert _annotated(source)["servedAs"] == {"application/vnd.shp"}
    source.write_text(source.read_text().replace(SHP, PACKAGED))
    assert _annotated(source)["servedAs"] == {"application/zip"}


def test_a_header_that_somebody_stated_stays(write: Write) -> None:
    source = write(
        "c.ttl", f"{PREFIXES}{SHP} ; ctv:servedAs <ContentType:application/octet-stream> .\n"
    )
    for _ in range(2):
        assert _annotated(source)["servedAs"] == {"application/octet-stream"}


def test_types_in_conflict_are_linked_until_the_conflict_is_gone(write: Write) -> None:
    source = write("c.ttl", f'{PREFIXES}{SHP} ; dcat:mediaType "text/csv" .\n')
    assert _annotated(source) == {
        "servedAs": set(),
        "conflictingType": {"application/vnd.shp", "text/csv"},
    }
    source.write_text(source.read_text().replace('"text/csv"', '"application/zip"', 1))
    assert _annotated(source) == {"servedAs": {"application/zip"}, "conflictingType": set()}


@pytest.mark.parametrize(
    "labels",
    [
        'dct:format "XLSX" ; dcat:mediaType "application/vnd.ms-excel"',
        'dct:format "CSV", "JSON"',
        'dct:format "CSV, JSON"',
        PACKAGED.removeprefix("<http://a.example/1> "),
        'dct:format "TAR.GZ" ; dcat:mediaType "application/gzip"',
    ],
)
def test_headers_check_and_the_query_tell_the_same_conflicts(
    cturi: Cturi, write: Write, labels: str
) -> None:
    source = write("c.ttl", f"{PREFIXES}<http://a.example/1> {labels} .\n")
    [header] = map(json.loads, cturi("headers", source, "--json").out.splitlines())
    report = json.loads(cturi("check", source, "--json").out)
    rows = cturi("query", "conflicts", source, "--to", "json").out
    rules = {finding["shape"].rpartition("#")[2] for finding in report["findings"]}
    assert ("TypesAgree" in rules) is bool(header["conflicts"])
    assert bool(json.loads(rows)["results"]["bindings"]) is bool(header["conflicts"])


def test_an_old_label_with_a_slash_is_known_by_its_node(write: Write) -> None:
    source = write("c.ttl", f'{PREFIXES}<http://a.example/1> dcat:mediaType "text/csv" .\n')
    _annotated(source)
    source.write_text(source.read_text().replace('"text/csv"', '"application/json"', 1))
    assert _annotated(source)["servedAs"] == {"application/json"}
    text = source.read_text().partition(" .\n")[0]
    assert "text~2Fcsv" not in text


HEADS = [
    ("@prefix dct: <http://purl.org/dc/terms/> .\n", "@prefix ctv: <{}> ."),
    ("PREFIX dct: <http://purl.org/dc/terms/>\n", "PREFIX ctv: <{}>"),
    ("# Ours.\n@base <http://b/> .\nPrefix dct: <http://purl.org/dc/terms/>\n", "Prefix ctv: <{}>"),
]


@pytest.mark.parametrize(("head", "declared"), HEADS)
def test_a_prefix_is_declared_as_the_head_of_the_file_declares_them(
    write: Write, head: str, declared: str
) -> None:
    source = write("c.ttl", f'{head}\n<http://a.example/1> dct:format "CSV" .\n')
    annotate_file(str(source), str(source), adding=Adding.LINKS)
    assert source.read_text() == (
        f"{head}{declared.format(CTV)}\n\n"
        '<http://a.example/1> dct:format "CSV" ; ctv:contentType <ContentType:text/csv> .\n'
    )


def test_a_file_without_prefixes_gets_none(tmp_path: Path) -> None:
    source = tmp_path / "c.ttl"
    statement = '<http://a.example/1> <http://purl.org/dc/terms/format> "CSV"'
    source.write_text(f"{statement} .\n")
    annotate_file(str(source), str(source), adding=Adding.LINKS)
    assert source.read_text() == f"{statement} ; <{CTV}contentType> <ContentType:text/csv> .\n"
