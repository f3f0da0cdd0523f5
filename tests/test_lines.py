"""Streams of N-Triples and N-Quads: the same triples as on a graph, line by line."""

from __future__ import annotations

import gzip
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st
from rdflib import DCTERMS, BNode, Dataset, Graph, URIRef
from rdflib.compare import to_isomorphic

from cturi_rdf.bulk import annotate_lines, distinct, headers_lines
from cturi_rdf.bulk.cores import in_order, in_processes
from cturi_rdf.bulk.distinct import Distinct
from cturi_rdf.bulk.files import Lines
from cturi_rdf.catalog import CatalogError, read_catalog
from cturi_rdf.catalog.output import replacing
from cturi_rdf.rdf import CTV, annotate, headers
from cturi_rdf.rdf.properties import PROPERTIES

with suppress(ImportError):
    from cturi_rdf.bulk import _statements

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Run

FORMAT = "<http://purl.org/dc/terms/format>"
CSV = f'<http://a.example/1> {FORMAT} "CSV" .\n'
OTHER = '<http://a.example/1> <http://purl.org/dc/terms/title> "mediaType> rmat> \\"x\\"" .\n'

RESOURCES = st.sampled_from(["<http://a.example/1>", "<http://a.example/\\u00e9>", "_:b1", "_:f1"])
VALUES = st.sampled_from([
    '"CSV"', '"text/csv"@en', '"text/csv"^^<http://purl.org/dc/terms/IMT>', '"C\\u0053V"',
    '"Zipped CSV"', '"WMS"', '"no such thing"', '""', '"a \\"b\\" <http://c> "', "_:f1", "_:f2",
    "<http://a.example/format>", "<http://a.example/f\\u006Frmat>", '"été\\t"',
    "<https://www.iana.org/assignments/media-types/text/csv>", "<file:///data/CSV>",
    "<http://purl.org/dc/terms/format>", '"https://x/mediaType> "',
])  # fmt: skip
PREDICATES = st.sampled_from([
    *(f"<{each}>" for each in PROPERTIES), FORMAT, "<http://purl.org/dc/terms/f\\u006Frmat>",
    "<http://purl.org/dc/terms/for\\U0000006Dat>", "<http://other.example/format>",
    "<http://www.w3.org/2000/01/rdf-schema#label>", f"<{CTV.contentType}>",
    "<http://www.w3.org/1999/02/22-rdf-syntax-ns#value>", "<http://www.w3.org/ns/dcat#downloadURL>",
])  # fmt: skip
DESCRIBED = st.tuples(
    st.sampled_from(["_:f1", "_:f2", "<http://a.example/format>"]),
    st.sampled_from(["<https://schema.org/encodingFormat>", "<http://www.w3.org/2000/01/rdf-schema#label>",
                     "<http://www.w3.org/1999/02/22-rdf-syntax-ns#value>"]),
    VALUES,
)  # fmt: skip
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


def _evidence(found: object) -> list[object]:
    return sorted(
        (
            "_" if isinstance(each.name, BNode) else str(each.name),
            str(each.content_type),
            sorted({(str(said.property), said.text, str(said.content_type))
                    for said in each.evidence}),
        )
        for each in found
    )  # fmt: skip


@pytest.mark.parametrize("quads", [False, True])
@given(data=st.data())
def test_a_stream_has_exactly_the_triples_of_the_graph(
    data: st.DataObject,
    quads: bool,  # noqa: FBT001 - a parameter of the test
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    text = data.draw(dumps(quads=quads))
    folder = tmp_path_factory.mktemp("lines")
    source, target = folder / ("in.nq" if quads else "in.nt"), folder / "out.nq"
    source.write_bytes(text.encode())
    graph = read_catalog(str(source))
    statements = [line for line in text.splitlines() if line.startswith(("<", "_"))]
    repeated = len(statements) > len(list(graph.quads()))
    said = _evidence(headers(graph))
    streamed = headers_lines(str(source), quads=quads)
    assert _evidence(streamed) == said
    wanted = annotate(graph)
    report = annotate_lines(str(source), str(target), quads=quads)
    assert report.malformed == 0
    assert _isomorphic(read_catalog(str(target))) == _isomorphic(graph)
    if repeated:
        return
    counts = report.to_json()
    for each in ("labels", "resolved", "services", "not_understood", "resources"):
        assert counts[each] == getattr(wanted, each)


def _annotated(folder: Path, text: str, **options: object) -> tuple[str, object]:
    (folder / "in.nt").write_bytes(text.encode())
    report = annotate_lines(str(folder / "in.nt"), str(folder / "out.nt"), **options)
    return (folder / "out.nt").read_text(), report


def test_malformed_lines_are_passed_through_counted_and_numbered(tmp_path: Path) -> None:
    broken = [
        "this is no statement", f'<http://a.example/ b> {FORMAT} "CSV" .', "<a:b> <a:c> <a:d>",
        f'<http://a.example/2> {FORMAT} "CSV\\x" .', f"<http://a.example/3> {FORMAT} CSV .",
    ]  # fmt: skip
    text = CSV + "".join(f"{each}\n{OTHER}" for each in broken) + CSV
    written, report = _annotated(tmp_path, text)
    assert written.startswith(text)
    assert report.malformed_lines == [2, 4, 6, 8, 10]
    assert (report.malformed, report.lines, report.labels) == (5, 12, 2)
    assert report.to_json()["malformed_lines"] == report.malformed_lines


def test_a_statement_needs_no_white_space(tmp_path: Path) -> None:
    written, report = _annotated(tmp_path, f'<a:b>{FORMAT}"CSV".')
    assert (report.resolved, report.malformed) == (1, 0)
    assert f"\n<a:b> <{CTV.contentType}> <ContentType:text/csv> .\n" in written


def test_what_is_not_understood_is_listed_with_its_first_places(tmp_path: Path) -> None:
    text = "".join(f'<a:{each}> {FORMAT} "no such thing" .\n' for each in range(30))
    _, report = _annotated(tmp_path, text + CSV + f'<a:1> {FORMAT} "WMS" .\n')
    [group] = report.to_json()["not_understood_labels"]
    assert (group["count"], len(group["where"])) == (30, 10)
    assert group["where"][0] == {"resource": "a:0", "property": str(DCTERMS.format)}
    assert (report.labels, report.resolved, report.services, report.resources) == (32, 1, 1, 31)
    assert "32 labels on 31 resources in 32 lines" in repr(report)


def test_a_byte_order_mark_is_no_part_of_the_first_line(tmp_path: Path) -> None:
    for name, packed in PACKED.items():
        source, target = tmp_path / name, tmp_path / "out.nt"
        source.write_bytes(packed(b"\xef\xbb\xbf" + CSV.encode()))
        report = annotate_lines(str(source), str(target))
        assert (report.labels, report.malformed) == (1, 0)
        assert target.read_bytes().startswith(CSV.encode())


PACKED = {
    "nt": bytes,
    "nt.gz": gzip.compress,
    "nt.zst": lambda content: zstandard.ZstdCompressor().compress(content),
}


@pytest.mark.parametrize("name", PACKED)
def test_packed_files_are_read_and_written(name: str, tmp_path: Path) -> None:
    source, target = tmp_path / f"in.{name}", tmp_path / f"out.{name}"
    # Two members, as tools that pack in parallel write them.
    source.write_bytes(PACKED[name](OTHER.encode()) + PACKED[name](CSV.rstrip().encode()))
    assert annotate_lines(str(source), str(target)).labels == 1
    [header] = headers_lines(str(target))
    assert str(header.content_type) == "text/csv"
    assert target.read_bytes()[:2] == source.read_bytes()[:2]


@pytest.mark.parametrize("name", ["out.nt.gz", "out.nt.zst"])
def test_blocks_that_are_packed_at_the_same_time_are_whole(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cturi_rdf.bulk.files._SIZE", 20_000)
    source, target, again = tmp_path / "in.nt", tmp_path / name, tmp_path / "again.nt"
    text = "".join(f'<a:{each}> {FORMAT} "CSV" .\n' for each in range(50_000))
    source.write_text(text)
    annotate_lines(str(source), str(target), threads=4)
    report = annotate_lines(str(target), str(again))
    assert (report.labels, report.resources, report.malformed) == (50_000, 50_000, 0)


@pytest.mark.parametrize("content", [
    gzip.compress(CSV.encode() * 99, mtime=0)[:50],
    PACKED["nt.zst"](CSV.encode())[:4] + b"x" * 40,
    b"",
])  # fmt: skip
def test_a_broken_file_is_refused_and_nothing_is_written(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "in.nt").write_bytes(content)
    with pytest.raises(CatalogError):
        annotate_lines(str(tmp_path / "in.nt"), str(tmp_path / "out.nt"))
    assert os.listdir(tmp_path) == ["in.nt"]  # noqa: PTH208 - names only


def test_zstandard_is_an_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "in.nt").write_text(CSV)
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(CatalogError, match=r"cturi-rdf\[zstd\]"):
        annotate_lines(str(tmp_path / "in.nt"), str(tmp_path / "out.nt.zst"))


def test_blocks_are_whole_lines_and_make_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cturi_rdf.bulk.files._SIZE", 100)
    text = (CSV + OTHER) * 9 + CSV.rstrip()
    for name, content in (("in.nt", text.encode()), ("in.nt.gz", gzip.compress(text.encode()))):
        (tmp_path / name).write_bytes(content)
        packing = b"" if name == "in.nt" else b"\x1f\x8b"
        lines = Lines(str(tmp_path / name), name, packing)
        blocks = list(lines.blocks())
        assert b"".join(blocks).decode() == text
        assert len(blocks) > 5
        assert all(block[-1:] == b"\n" for block in blocks[:-1])
        by_many = annotate_lines(str(tmp_path / name), str(tmp_path / "many.nt"), threads=2)
        assert by_many.labels == 10
    one, _ = _annotated(tmp_path, text, threads=1)
    assert set(one.splitlines()) == set((tmp_path / "many.nt").read_text().splitlines())


@pytest.mark.parametrize("table", [distinct.SetTable, distinct.new_table])
@pytest.mark.parametrize("together", [10, 999, 10_000])
def test_distinct_lines_are_counted_in_parts(
    table: type, together: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(distinct, "new_table", table)
    monkeypatch.setattr(distinct, "_TOGETHER", together)
    with Distinct() as counted:
        for number in range(2_000):
            counted.add(b"<a:%d>\n<a:%d>\n" % (number, number * 7 % 500))
        assert counted.count() == 2_000


COMPILED = pytest.mark.skipif(
    distinct.new_table is distinct.SetTable, reason="built without a C compiler"
)


@COMPILED
def test_hashes_are_spread_and_brought_together() -> None:
    table, other = bytearray(8 * 256), bytearray(8 * 256)
    assert _statements.add_lines(table, b"".join(b"%d\n" % each for each in range(100))) == 100
    hashes, ends = _statements.spread(table, 7)
    assert not any(table)
    assert len(ends) == 7
    assert sorted(ends) == ends
    assert ends[-1] == len(hashes) == 800
    assert len({hashes[at : at + 8] for at in range(0, 800, 8)}) == 100
    assert _statements.add_spread(other, hashes) == 100
    assert _statements.add_spread(other, hashes) == 0


@COMPILED
def test_a_full_table_and_one_of_an_odd_size_are_refused() -> None:
    table = bytearray(8 * 4)
    assert _statements.add_lines(table, b"a\nb\na\nc\nd") == 4
    assert _statements.add_lines(table, b"d\na\n") == 0
    for odd in (table, bytearray(8 * 3), bytearray()):
        with pytest.raises(ValueError, match="not full"):
            _statements.add_lines(odd, b"e\n")
        with pytest.raises(ValueError, match="not full"):
            _statements.add_spread(odd, b"12345678")
    for odd, parts in ((bytearray(8 * 3), 2), (table, 0), (table, -1)):
        with pytest.raises(ValueError, match="has parts"):
            _statements.spread(odd, parts)


def test_work_is_done_in_order() -> None:
    assert list(in_order(abs, range(-20, 0), 2)) == list(range(20, 0, -1))


@pytest.mark.parametrize("methods", [["fork", "spawn"], ["spawn"]])
def test_several_files_are_worked_on_by_processes_or_else_by_threads(
    methods: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if "fork" in methods and "fork" not in multiprocessing.get_all_start_methods():
        pytest.skip("processes cannot be forked here")
    monkeypatch.setattr(multiprocessing, "get_all_start_methods", lambda: methods)
    offset = 1
    found = list(in_processes(lambda number: (number + offset, os.getpid()), range(10)))
    assert [number for number, _ in found] == list(range(1, 11))
    assert (os.getpid() in {process for _, process in found}) is ("fork" not in methods)


@pytest.mark.parametrize("threads", [1, 2])
def test_what_goes_wrong_in_a_thread_is_raised_where_it_is_waited_for(threads: int) -> None:
    found = in_order(lambda number: 1 // number, iter([1, 0, 1]), threads)
    with pytest.raises(ZeroDivisionError):
        list(found)


def test_a_stream_that_is_killed_leaves_no_output(tmp_path: Path) -> None:
    source, target = tmp_path / "in.nt", tmp_path / "out.nt"
    source.write_text((CSV + OTHER) * 200_000)
    command = [sys.executable, "-m", "cturi_rdf.cli", "annotate", str(source), "--stream", "-o"]
    command.append(str(target))
    process = subprocess.Popen(command, start_new_session=True)
    deadline = time.monotonic() + 60
    while not list(tmp_path.glob(".out.nt.*")) and time.monotonic() < deadline:
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert not target.exists()


def test_the_command_line_takes_the_stream(tmp_path: Path) -> None:
    source, target = tmp_path / "in.nt", tmp_path / "out.nq.gz"
    source.write_text("broken\n" + CSV + f'<a:b> {FORMAT} "JSON", "no such thing" .\n'
                      + f'<a:b> {FORMAT} "no such thing" .\n')  # fmt: skip

    def run(*arguments: object) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "cturi_rdf.cli", *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, check=True)

    said = run("annotate", "--stream", source, "-o", target)
    assert "2 malformed" in said.stderr
    assert "lines 1, 3" in said.stderr
    assert "first on a:b" in said.stderr
    counts = json.loads(run("annotate", "--stream", source, "-o", target, "--json").stdout)
    assert (counts["labels"], counts["resolved"], counts["malformed"]) == (2, 1, 2)
    assert run("headers", "--stream", target).stdout == "http://a.example/1\ttext/csv\n"
    assert run("annotate", "--stream", source).stdout.startswith("broken\n<http")
    piped = subprocess.run(
        [sys.executable, "-m", "cturi_rdf.cli", "headers", "--stream", "-", "--from", "nt",
         "--json"],
        input=CSV, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert json.loads(piped.stdout)["content_type"] == "text/csv"


def test_several_files_are_annotated_into_a_folder(
    tmp_path: Path, cturi: Callable[..., Run]
) -> None:
    names = [tmp_path / "a.nt", tmp_path / "broken.nt.gz", tmp_path / "b.nq"]
    contents = [CSV.encode(), gzip.compress(CSV.encode() * 99)[:50], OTHER.encode()]
    for name, content in zip(names, contents, strict=True):
        name.write_bytes(content)
    out = tmp_path / "out"
    refused = cturi("annotate", *names, "-o", out)
    assert (refused.code, "a folder that is there" in refused.err) == (2, True)
    out.mkdir()
    for stream in ([], ["--stream"]):
        run = cturi("annotate", *names, *stream, "-o", out, "--json")
        assert run.code == 2
        assert [json.loads(line)["labels"] for line in run.out.splitlines()] == [1, 0]
        assert [line.split()[1] for line in run.err.splitlines()] == [f"{names[1]}:"]
        assert sorted(each.name for each in out.iterdir()) == ["a.nt", "b.nq"]
        assert read_catalog(str(out / "b.nq")).serialize(format="nt").strip() == OTHER.strip()
    twice = cturi("annotate", tmp_path / "a.nt", out / "a.nt", "-o", out)
    assert (twice.code, "two files" in twice.err) == (2, True)


def test_a_name_that_would_break_a_line_is_shown_with_escapes(
    tmp_path: Path, cturi: Callable[..., Run]
) -> None:
    source = tmp_path / "in.nt"
    source.write_text(f'<http://a.example/\\u000A> {FORMAT} "CSV" .\n')
    assert cturi("headers", "--stream", source).out == "http://a.example/\\n\ttext/csv\n"


def test_labels_that_disagree_are_told_of_a_stream(
    tmp_path: Path, cturi: Callable[..., Run]
) -> None:
    source = tmp_path / "in.nt"
    source.write_text(CSV + f'<a:b> {FORMAT} "CSV" .\n<a:b> {FORMAT} "JSON" .\n')
    run = cturi("headers", "--stream", source)
    assert run.out == "http://a.example/1\ttext/csv\n"
    assert "1 with labels that disagree" in run.err
    assert "a:b: text/csv against application/json" in run.err


def test_a_file_that_grows_large_has_what_was_written_and_no_more_room(tmp_path: Path) -> None:
    target = tmp_path / "out"
    content = bytes(range(256)) * 12_345
    with replacing(str(target)) as file:
        file.write(content)
        file.write(memoryview(content)[:100])
    assert target.read_bytes() == content + content[:100]
    assert target.stat().st_blocks * 512 < len(content) + (1 << 20)


def test_a_file_is_written_as_well_where_no_room_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for reserve in (None, lambda *_: False):
        monkeypatch.setattr("cturi_rdf.catalog.output.reserve", reserve)
        with replacing(str(tmp_path / "out")) as file:
            file.write(bytes(3_000_000))
        assert (tmp_path / "out").stat().st_size == 3_000_000


def test_headers_of_several_files_are_printed_file_by_file(tmp_path: Path, cturi: Run) -> None:
    names = ["1.nt", "2.nt.gz", "no.nt", "3.nt"]
    parts = [CSV, f'<a:c> {FORMAT} "JSON" .\n', None, CSV + CSV.replace('"CSV"', '"JSON"')]
    for name, part in zip(names, parts, strict=True):
        if part:
            content = gzip.compress(part.encode()) if name.endswith("gz") else part.encode()
            (tmp_path / name).write_bytes(content)
    sources = [str(tmp_path / name) for name in names]
    for stream in ((), ("--stream",)):
        run = cturi("headers", *stream, *sources)
        assert run.out == "http://a.example/1\ttext/csv\na:c\tapplication/json\n"
        assert f"{sources[3]}: 1 with labels that disagree" in run.err
        assert f"cturi: {sources[2]}: it cannot be read" in run.err
        assert run.code == 2
