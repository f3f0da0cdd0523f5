"""A crawl to N-Quads: the same as on a graph, each description once, no folder harmed."""

from __future__ import annotations

import gzip
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from conftest import ROWS
from pyoxigraph import RdfFormat, parse
from pyspark.errors import PySparkRuntimeError
from pyspark.sql import SparkSession
from rdflib import DCTERMS, Dataset, Literal, URIRef

from cturi_rdf.columns.spark import DETECTED, HEADER, CrawlReport, crawl_to_nquads
from cturi_rdf.columns.spark.__main__ import main
from cturi_rdf.rdf import annotate
from cturi_rdf.rdf.description import short_description
from cturi_rdf.reading import CatalogError
from cturi_rdf.reading.formats import format_named
from cturi_rdf.reading.rdflib_graphs import serialise
from cturi_rdf.reading.writable import Writable
from cturi_rdf.uri.mapping import from_uri

if TYPE_CHECKING:
    from collections.abc import Callable


def lines_of(target: str) -> list[str]:
    """Return the lines of all files of a folder."""
    files = sorted(Path(target).glob("part-*.txt.gz"))
    return [
        line for file in files for line in gzip.decompress(file.read_bytes()).decode().splitlines()
    ]


def quads_in(text: str | bytes) -> set[Any]:
    return set(parse(text, format=RdfFormat.N_QUADS))


def annotated(rows: list[Any]) -> set[Any]:
    """Return the statements that annotating a dataset of the same statements adds.

    Each statement is about a resource of its own, a fragment of the URL: what one response says
    of a header does not contradict another.
    """
    dataset = Dataset(default_union=True)
    graphs = [URIRef(HEADER), URIRef(DETECTED)]
    statements = [
        (URIRef(f"{url}#{row}.{column}"), DCTERMS.format, Literal(text), dataset.graph(graph))
        for row, (url, *texts) in enumerate(rows)
        for column, (text, graph) in enumerate(zip(texts, graphs, strict=True))
        if text is not None and url is not None and ":" in url
    ]
    for statement in statements:
        dataset.add(statement)
    annotate(dataset)
    for statement in statements:
        dataset.remove(statement)
    text = serialise(dataset, Writable(format_named("nquads"), "-"))
    text = re.sub(rb"^<([^>]*)#[0-9]+\.[01]> ", rb"<\1> ", text, flags=re.MULTILINE)
    return {quad for quad in quads_in(text) if not repeats_its_subject(quad)}


def repeats_its_subject(quad: Any) -> bool:
    """Return whether a statement about a type only says what its IRI says."""
    if not str(quad.subject).startswith("<ContentType:"):
        return False
    content_type = from_uri(quad.subject.value)
    names = set(short_description(content_type, names=True))
    names -= set(short_description(content_type, names=False))
    return tuple(quad)[:3] in names


def test_a_crawl_becomes_what_annotating_a_graph_adds(crawl: Any, target: str) -> None:
    named = [row for row in ROWS if row[0] is not None and ":" in row[0]]
    crawl_to_nquads(crawl.where("url like '%:%'"), target)
    assert quads_in("\n".join(lines_of(target))) == annotated(named)


def test_no_line_is_written_twice_or_empty(crawl: Any, target: str) -> None:
    crawl_to_nquads(crawl, target)
    lines = lines_of(target)
    assert len(set(lines)) == len(lines) > 400
    assert "" not in lines


def test_the_report_counts_rows_and_labels(crawl: Any, target: str) -> None:
    report = crawl_to_nquads(crawl, target)
    assert (report.rows, report.skipped) == (len(ROWS), 2)
    assert report.labels == sum(text is not None for _, *texts in ROWS for text in texts)
    assert report.distinct == len({text for _, *texts in ROWS for text in texts} - {None})
    assert report.services == 1
    assert report.not_understood == report.labels - report.resolved - 1 > 1
    assert str(report).startswith(f"{len(ROWS)} rows, 2 of them skipped")


def test_an_empty_crawl_is_a_whole_folder(crawl: Any, target: str) -> None:
    report = crawl_to_nquads(crawl.where("false"), target)
    assert report == CrawlReport(0, 0, 0, 0, 0, 0)
    assert Path(target, "_SUCCESS").exists()
    assert lines_of(target) == []


def test_columns_are_named_and_may_be_nested(spark: Any, target: str) -> None:
    schema = "u string, http struct<`content-type`: string>"
    crawl = spark.createDataFrame([("http://a.example/", ("text/csv",))], schema)
    crawl_to_nquads(crawl, target, url="u", graphs={"http.`content-type`": "http://a.example/g"})
    link = (
        "<https://w3id.org/cturi/vocab#contentType> <ContentType:text/csv> <http://a.example/g> ."
    )
    assert f"<http://a.example/> {link}" in lines_of(target)


def test_a_whole_folder_is_refused_without_leave(crawl: Any, target: str) -> None:
    crawl_to_nquads(crawl, target)
    with pytest.raises(CatalogError, match="exists already"):
        crawl_to_nquads(crawl, target)
    before = lines_of(target)
    crawl_to_nquads(crawl.where("url like '%/1'"), target, overwrite=True)
    assert 0 < len(lines_of(target)) < len(before)


@pytest.mark.parametrize("name", ["notes.txt", "part-00000.snappy.parquet", "_delta_log"])
def test_a_folder_of_somebody_else_is_never_overwritten(crawl: Any, target: str, name: str) -> None:
    theirs = Path(target, name)
    theirs.parent.mkdir()
    theirs.write_text("theirs")
    with pytest.raises(CatalogError, match=f"a folder with {name} in it"):
        crawl_to_nquads(crawl, target, overwrite=True)
    assert theirs.read_text() == "theirs"


def test_a_file_is_no_target(crawl: Any, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("theirs")
    with pytest.raises(CatalogError, match="a file; expected a folder"):
        crawl_to_nquads(crawl, str(file), overwrite=True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"url": "uri"},
            "columns of texts uri, content_mime_type, .*; there are url, content_mime",
        ),
        ({"graphs": {"sent": HEADER}}, "cannot be read as a crawl"),
        (
            {"graphs": {"url": "no iri"}},
            "no iri: not the name of a graph; expected an absolute IRI",
        ),
    ],
)
def test_what_is_no_crawl_is_refused(
    crawl: Any, target: str, arguments: dict[str, Any], message: str
) -> None:
    with pytest.raises(CatalogError, match=message):
        crawl_to_nquads(crawl, target, **arguments)
    assert not Path(target).exists()


@pytest.fixture
def run(
    crawl: Any, tmp_path: Path, target: str, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., None]:
    """Return the command, on a crawl in Parquet whose URLs are in a column `u`."""
    source = str(tmp_path / "in")
    crawl.withColumnRenamed("url", "u").write.parquet(source)

    def run(*arguments: str, source: str = source) -> None:
        monkeypatch.setattr(sys, "argv", ["crawl", source, target, *arguments])
        main()

    return run


def test_the_job_runs_as_a_command(
    run: Callable[..., None], target: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run("--url", "u", "--detected", "")
    assert capsys.readouterr().out.startswith(f"{len(ROWS)} rows, 2 of them skipped")
    sent = [(url, header, None) for url, header, _ in ROWS]
    assert quads_in("\n".join(lines_of(target))) >= annotated(sent[:3] + sent[4:])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "it cannot be read as a crawl"),
        (["--detected", "", "--header", ""], "neither a header nor a detected type to read"),
        (["--no-such-option"], "No such option"),
    ],
)
def test_a_command_that_cannot_be_run_is_refused_on_one_line(
    run: Callable[..., None], capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    with pytest.raises(SystemExit, match="2"):
        run(*arguments)
    # Spark may have logged before.
    *_, line = capsys.readouterr().err.splitlines()
    assert line.startswith("cturi: ")
    assert message in line


def test_what_is_not_parquet_is_refused(
    run: Callable[..., None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = tmp_path / "a.parquet"
    text.write_text("no Parquet")
    for source in (text, tmp_path / "nothing"):
        with pytest.raises(SystemExit, match="2"):
            run(source=str(source))
        assert f"{source}: it cannot be read" in capsys.readouterr().err


def test_it_is_said_that_spark_does_not_start(
    run: Callable[..., None], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def no_java(_: object) -> None:
        raise PySparkRuntimeError(errorClass="JAVA_GATEWAY_EXITED", messageParameters={})

    monkeypatch.setattr(SparkSession.Builder, "getOrCreate", no_java)
    with pytest.raises(SystemExit, match="2"):
        run()
    assert "Spark does not start ([JAVA_GATEWAY_EXITED]" in capsys.readouterr().err
