"""Streams of N-Triples and N-Quads: the same triples as on a graph, line by line."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from typing import TYPE_CHECKING

import pyoxigraph as ox
import pytest
from conftest import examples
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rdflib import DCAT, DCTERMS, RDFS, BNode, Dataset, Graph, URIRef
from rdflib.compare import to_isomorphic

from cturi_rdf.catalogue import Adding, annotate_file, headers_of_file
from cturi_rdf.catalogue.repair import plan_file
from cturi_rdf.check import check, check_file
from cturi_rdf.rdf import CTV, annotate, headers
from cturi_rdf.rdf.terms import PROPERTIES
from cturi_rdf.reading import CatalogError, read_catalog
from cturi_rdf.reading.read import QuadDocument
from cturi_rdf.reading.source import open_source

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from conftest import Cturi, Write

    from cturi_rdf.catalogue.findings import Finding

FORMAT = "<http://purl.org/dc/terms/format>"
CSV = f'<http://a.example/1> {FORMAT} "CSV" .\n'
OTHER = '<http://a.example/1> <http://purl.org/dc/terms/title> "mediaType> rmat> \\"x\\"" .\n'

RESOURCES = st.sampled_from(["<http://a.example/1>", "<http://a.example/\\u00e9>", "_:b1", "_:f1"])
VALUES = st.sampled_from([
    '"CSV"', '"text/csv"@en', '"text/csv"^^<http://purl.org/dc/terms/IMT>', '"C\\u0053V"',
    '"Zipped CSV"', '"WMS"', '"no such thing"', '""', '"a \\"b\\" <http://c> "', "_:f1", "_:f2",
    "<http://a.example/format>", "<http://a.example/f\\u006Frmat>", '"été\\t"',
    "<https://www.iana.org/assignments/media-types/text/csv>", "<file:///data/CSV>",
    "<file:///data/our_format.md>",
    "<http://purl.org/dc/terms/format>", '"https://x/mediaType> "',
])  # fmt: skip
PREDICATES = st.sampled_from([
    *map(str, PROPERTIES), FORMAT, "<http://purl.org/dc/terms/f\\u006Frmat>",
    "<http://purl.org/dc/terms/for\\U0000006Dat>", "<http://other.example/format>",
    "<http://www.w3.org/2000/01/rdf-schema#label>", f"<{CTV.contentType}>",
    "<http://www.w3.org/1999/02/22-rdf-syntax-ns#value>", "<http://www.w3.org/ns/dcat#downloadURL>",
])  # fmt: skip
DESCRIBED = st.tuples(
    st.sampled_from(["_:f1", "_:f2", "<http://a.example/format>", "<file:///data/our_format.md>"]),
    st.sampled_from(
        [
            "<https://schema.org/name>",
            "<http://www.w3.org/2000/01/rdf-schema#label>",
            "<http://www.w3.org/1999/02/22-rdf-syntax-ns#value>",
        ]
    ),
    VALUES,
)
SPACES = st.sampled_from([" ", " ", " ", "\t", "  "])
ENDS = st.sampled_from([" .\n", " .\n", ".\n", " .\r\n", " . # rmat> \n", " .\n\n", " .\n# a\n"])


@st.composite
def dumps(draw: st.DrawFn, *, quads: bool = False) -> str:
    statements = st.tuples(RESOURCES, PREDICATES, VALUES) | DESCRIBED
    graphs = st.sampled_from(["", "", " <http://a.example/g>", " _:g"] if quads else [""])
    lines = []
    for subject, predicate, value in draw(st.lists(statements, min_size=1, max_size=8)):
        first, second = draw(SPACES), draw(SPACES)
        lines.append(f"{subject}{first}{predicate}{second}{value}{draw(graphs)}{draw(ENDS)}")
    text = "".join(lines)
    return text.rstrip() if draw(st.booleans()) and "#" not in lines[-1] else text


def _isomorphic(dataset: Dataset) -> object:
    """Return the quads as triples, the name of their graph in the predicate."""
    graph = Graph()
    for subject, predicate, value, name in dataset.quads():
        where = BNode(f"g{name}") if isinstance(name, BNode) else name
        graph.add((subject, predicate, value))
        if name != dataset.default_graph.identifier:
            pair = URIRef(f"{predicate}?{'' if isinstance(name, BNode) else where}")
            graph.add((subject, pair, value))
    return to_isomorphic(graph)


def _is_blank(name: object) -> bool:
    return isinstance(name, BNode) or str(name).startswith("_:")


def _evidence(found: object) -> list[object]:
    return sorted(
        (
            "_" if _is_blank(each.name) else str(each.name),
            str(each.content_type),
            sorted(
                {
                    (said.path, said.text, str(said.content_types), str(said.wrappers))
                    for said in each.evidence
                }
            ),
        )
        for each in found
    )


@pytest.mark.parametrize("quads", [False, True])
@given(data=st.data())
def test_a_stream_has_exactly_the_triples_of_the_graph(
    data: st.DataObject, quads: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    text = data.draw(dumps(quads=quads))
    folder = tmp_path_factory.mktemp("lines")
    source, target = folder / ("in.nq" if quads else "in.nt"), folder / "out.nq"
    source.write_bytes(text.encode())
    graph = read_catalog(str(source))
    statements = [line for line in text.splitlines() if line.startswith(("<", "_"))]
    repeated = len(statements) > len(list(graph.quads()))
    said = _evidence(headers(graph))
    streamed = headers_of_file(str(source))
    assert _evidence(streamed) == said
    if str(CTV) in text:
        # In a file the link of an old label is replaced.
        return
    wanted = annotate(graph, add="labels")
    report = annotate_file(str(source), str(target), adding=Adding.LABELS)
    other = annotate_file(source, folder / "out.trig", adding=Adding.LABELS)
    for written in (target, folder / "out.trig"):
        assert _isomorphic(read_catalog(str(written))) == _isomorphic(graph)
    if repeated:
        return
    counts = report.to_json()
    for each in ("labels", "resolved", "services", "not_understood", "resources"):
        assert counts[each] == other.to_json()[each] == getattr(wanted, each)


@given(text=dumps(quads=True))
@example(text=f'<a:1> <{CTV.contentType}> _:f1 .\n_:f1 <{RDFS.label}> "CSV" .\n')
@settings(max_examples=examples(25))
def test_the_same_is_found_in_a_file_of_any_syntax_and_in_its_graph(
    text: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("syntaxes")
    source = folder / "in.nq"
    source.write_bytes(text.encode())
    graph = read_catalog(str(source))
    with open_source(source) as file:
        quads = list(QuadDocument(file))
    others = {folder / "a.trig": ox.RdfFormat.TRIG, folder / "a.jsonld": ox.RdfFormat.JSON_LD}
    for path, form in others.items():
        ox.serialize(quads, str(path), form)
    sent, wrong = _evidence(headers(graph)), _findings(check(graph).findings)
    for path in (source, *others):
        assert _evidence(headers_of_file(path)) == sent
        assert _findings(check_file(path).findings) == wrong


def _findings(findings: Iterable[Finding]) -> Counter[tuple[object, ...]]:
    return Counter(
        (one.shape, one.path, one.value, one.severity, len(one.places), one.write)
        for one in findings
    )


def _annotated(folder: Path, text: str, **options: object) -> tuple[str, object]:
    (folder / "in.nt").write_bytes(text.encode())
    report = annotate_file(str(folder / "in.nt"), str(folder / "out.nt"), **options)
    return (folder / "out.nt").read_text(), report


@pytest.mark.parametrize(
    "broken",
    ["this is no statement", f'<http://a.example/ b> {FORMAT} "CSV" .', "<a:b> <a:c> <a:d>",
     f'<http://a.example/2> {FORMAT} "CSV\\x" .', f"<http://a.example/3> {FORMAT} CSV .",
     # What an IRI may not hold it may not hold escaped either.
     f"<http://a.example/4> {FORMAT} <a:b\\u0020c> .", f'<a:b\\U0000003Ec> {FORMAT} "CSV" .',
     # N-Triples 1.2 section 3: a subject of a triple term is no literal.
     '<a:b> <a:c> <<( "x" <a:c> <a:d> )>> .', "<a:b> <a:c> <<( <a:b> <a:c> <a:d> )>>"],
)  # fmt: skip
def test_a_malformed_line_is_refused_with_its_place(broken: str, tmp_path: Path) -> None:
    with pytest.raises(CatalogError) as refused:
        _annotated(tmp_path, f"{CSV}{OTHER}{broken}\n{CSV}")
    assert refused.value.line == 3
    assert refused.value.column is not None
    assert [path.name for path in tmp_path.iterdir()] == ["in.nt"]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_triple_term_is_no_label_and_stays_as_it_is(end: str, tmp_path: Path) -> None:
    triple = '<a:b> <a:c> <<( <a:b> <a:c> "x" )>> .'
    inside = f"<a:b> {FORMAT} <<( <a:b> <a:c> <<(<a:b><a:c> _:d)>> )>> . # and more"
    lines = [CSV.strip(), triple, inside]
    text = "".join(line + end for line in lines)
    written, report = _annotated(tmp_path, text)
    assert (report.labels, report.resolved) == (1, 1)
    assert written.startswith(text.replace("\r\n", "\n"))
    # The same file by the ways that keep places, and that write another syntax.
    for source, target in (("out.nt", "again.nt"), ("in.nt", "out.ttl")):
        again = annotate_file(str(tmp_path / source), str(tmp_path / target))
        assert (again.labels, again.resolved) == (1, 1)
    assert (tmp_path / "again.nt").read_bytes() == (tmp_path / "out.nt").read_bytes()


def test_labels_with_one_meaning_give_one_link(tmp_path: Path) -> None:
    media_type = f"<{DCAT.mediaType}>"
    others = "".join(f'<a:{number}> {FORMAT} "CSV" .\n' for number in range(3))
    written, report = _annotated(tmp_path, f'{others}<a:1> {media_type} "text/csv" .\n')
    links = [line for line in written.splitlines() if f"<{CTV.contentType}>" in line]
    assert sorted(links) == [
        f"<a:{number}> <{CTV.contentType}> <ContentType:text/csv> ." for number in range(3)
    ]
    other = annotate_file(tmp_path / "in.nt", tmp_path / "out.ttl")
    assert report.counts() == other.counts()


@pytest.mark.parametrize("title", ["", " \\n"])
def test_what_is_empty_is_no_name(title: str, tmp_path: Path) -> None:
    source = tmp_path / "in.nt"
    url = f'_:b1 <{DCAT.downloadURL}> "{title}" .\n_:b1 <{DCTERMS.title}> "Roads" .\n'
    source.write_text(f'_:b1 {FORMAT} "CSV" .\n{url}')
    for of in (headers_of_file(source), headers(read_catalog(str(source)))):
        assert [str(header.name) for header in of] == ["Roads"]


def test_a_statement_needs_no_white_space(tmp_path: Path) -> None:
    written, report = _annotated(tmp_path, f'<a:b>{FORMAT}"CSV".')
    assert report.resolved == 1
    assert f"\n<a:b> <{CTV.contentType}> <ContentType:text/csv> .\n" in written


def test_what_is_not_understood_is_listed_with_its_first_places(tmp_path: Path) -> None:
    text = "".join(f'<a:{each}> {FORMAT} "no such thing" .\n' for each in range(30))
    _, report = _annotated(tmp_path, text + CSV + f'<a:1> {FORMAT} "WMS" .\n')
    [group] = report.to_json()["not_understood_labels"]
    assert (group["count"], len(group["where"])) == (30, 10)
    place = {"resource": "a:0", "property": str(DCTERMS.format), "line": 1, "column": 41}
    assert group["where"][0] == place
    assert (report.labels, report.resolved, report.services, report.resources) == (32, 1, 1, 31)
    assert "32 labels on 31 resources" in repr(report)


def colliding(number: int) -> bytes:
    """Return two subjects whose hashes were the same under a hash of multiplications."""
    first = bytearray(b"<http://x.example/%06d/aaaaaaaaaaaaaaaaaaaaaaaa>" % number)
    second = bytearray(first)
    for place in (31, 35, 39):
        second[place] ^= 0x40
    statement = b' <http://www.w3.org/ns/dcat#mediaType> "text/csv" .\n'
    return first + statement + second + statement


def test_every_resource_is_counted_once_by_any_name(tmp_path: Path, write: Write) -> None:
    source = write("in.nt", b"".join(map(colliding, range(1_000))) * 2)
    report = annotate_file(str(source), str(tmp_path / "out.nt"))
    assert (report.resources, report.at_least) == (2_000, False)
    assert report.counts()["resources_at_least"] is False


def test_of_very_many_resources_the_count_says_at_least(
    tmp_path: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cturi_rdf.catalogue.report._RESOURCES", 100)
    source = write("in.nt", b"".join(map(colliding, range(1_000))))
    report = annotate_file(str(source), str(tmp_path / "out.nt"))
    assert (report.resources, report.at_least) == (100, True)
    assert report.summary.startswith("2000 labels on at least 100 resources, ")


def test_the_command_line_takes_lines_from_a_pipe(cturi: Cturi) -> None:
    run = cturi("annotate", "-", "--from", "nt", stdin=CSV + f'<a:b> {FORMAT} "none" .\n')
    assert run.out.startswith(CSV)
    assert "first at standard input:2:41" in run.err
    piped = cturi("headers", "-", "--from", "nt", "--json", stdin=CSV)
    assert json.loads(piped.out)["content_type"] == "text/csv"
    refused = cturi("headers", "-", "--from", "nt", stdin=f"{CSV}broken\n")
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.startswith("cturi: standard input:2:")


def test_nothing_is_printed_of_lines_of_which_one_is_malformed(cturi: Cturi) -> None:
    refused = cturi("annotate", "-", "--from", "nt", stdin=CSV * 100_000 + "broken\n")
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.startswith("cturi: standard input:100001:")


@pytest.mark.parametrize("where", [0, 99_999])
def test_a_link_anywhere_in_the_lines_means_that_nothing_is_added_twice(
    where: int, tmp_path: Path
) -> None:
    link = f"<http://a.example/1> <{CTV.contentType}> <ContentType:text/csv> .\n"
    lines = [OTHER] * 100_000
    lines[where] = link + CSV
    written, report = _annotated(tmp_path, "".join(lines), adding=Adding.LABELS)
    assert (written.count(link), report.added) == (1, 1)
    assert f"<http://a.example/1> <{CTV.typeLabel}> <https://w3id.org/cturi/label/CSV> ." in written


def test_several_files_are_annotated_into_a_folder(tmp_path: Path, cturi: Cturi) -> None:
    names = [tmp_path / "a.nt", tmp_path / "broken.nt.gz", tmp_path / "b.nq"]
    contents = [CSV.encode(), gzip.compress(CSV.encode() * 99)[:50], OTHER.encode()]
    for name, content in zip(names, contents, strict=True):
        name.write_bytes(content)
    out = tmp_path / "out"
    refused = cturi("annotate", *names, "-o", out)
    assert (refused.code, "a folder that exists" in refused.err) == (2, True)
    out.mkdir()
    run = cturi("annotate", *names, "-o", out, "--json")
    assert run.code == 2
    assert [json.loads(line)["labels"] for line in run.out.splitlines()] == [1, 0]
    assert [line.split()[1] for line in run.err.splitlines()] == [f"{names[1]}:"]
    assert sorted(path.name for path in out.iterdir()) == ["a.nt", "b.nq"]
    assert (out / "b.nq").read_text() == OTHER
    twice = cturi("annotate", tmp_path / "a.nt", out / "a.nt", "-o", out)
    assert (twice.code, "two files" in twice.err) == (2, True)


def test_a_name_that_would_break_a_line_is_shown_with_escapes(write: Write, cturi: Cturi) -> None:
    source = write("in.nt", f'<http://a.example/\\u2028> {FORMAT} "CSV" .\n')
    assert cturi("headers", source).out == "http://a.example/\\u2028\ttext/csv\n"


def test_labels_that_disagree_in_a_stream_are_reported(write: Write, cturi: Cturi) -> None:
    source = write("in.nt", CSV + f'<a:b> {FORMAT} "CSV" .\n<a:b> {FORMAT} "JSON" .\n')
    run = cturi("headers", source)
    assert run.out == "http://a.example/1\ttext/csv\n"
    assert "1 resource with labels that disagree" in run.err
    assert "application/json against text/csv: a:b" in run.err


def test_headers_of_several_files_are_printed_file_by_file(tmp_path: Path, cturi: Cturi) -> None:
    names = ["1.nt", "2.nt.gz", "no.nt", "3.nt"]
    parts = [CSV, f'<a:c> {FORMAT} "JSON" .\n', None, CSV + CSV.replace('"CSV"', '"JSON"')]
    for name, part in zip(names, parts, strict=True):
        if part:
            content = gzip.compress(part.encode()) if name.endswith("gz") else part.encode()
            (tmp_path / name).write_bytes(content)
    sources = [str(tmp_path / name) for name in names]
    run = cturi("headers", *sources)
    assert run.out == "http://a.example/1\ttext/csv\na:c\tapplication/json\n"
    assert f"{sources[3]}: 1 resource with labels that disagree" in run.err
    assert f"cturi: {sources[2]}: it cannot be read" in run.err
    assert run.code == 2


def test_places_are_those_of_the_lines_whatever_their_order_and_spaces(tmp_path: Path) -> None:
    lines = [
        line
        for each in range(40)
        for line in (
            f'<a:{each}>  {FORMAT}\t"nothing {each}" . # {FORMAT} "nothing {each + 1}" .',
            f'<a:{each}> {FORMAT} "nothing {39 - each}" .',
        )
    ]
    _, report = _annotated(tmp_path, "".join(f"{line}\n" for line in lines))
    groups = report.to_json()["not_understood_labels"]
    assert len(groups) == 40
    for group in groups:
        stated = [
            (f"a:{number // 2}", number + 1, line.index(f'"{group["label"]}"') + 1)
            for number, line in enumerate(lines)
            if line.partition(" . #")[0].rstrip(" .").endswith(f'"{group["label"]}"')
        ]
        where = [(one["resource"], one["line"], one["column"]) for one in group["where"]]
        assert sorted(where) == sorted(stated)


@pytest.mark.slow
@pytest.mark.usefixtures("linear_time")
@pytest.mark.parametrize("name", ["a.nt", "a.ttl"])
def test_thousands_of_labels_of_one_node_are_judged_in_linear_time(
    name: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_text("".join(f'_:a {FORMAT} "file-{each}.csv" .\n' for each in range(6_000)))
    assert annotate_file(path, tmp_path / f"out-{name}").labels == 6_000
    assert len(plan_file(path, profile="dcat").plan.verdicts) == 6_000
