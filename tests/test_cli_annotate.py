"""The command annotate: what it writes, and what it says."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from rdflib import Graph, URIRef

from cturi_rdf.labels import resolve
from cturi_rdf.rdf import CTV, mint

if TYPE_CHECKING:
    from conftest import Cturi, Write

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "examples" / "catalogue.ttl"


def test_annotate_writes_the_catalogue_and_its_summary(cturi: Cturi, tmp_path: Path) -> None:
    target = tmp_path / "out.ttl"
    run = cturi("annotate", EXAMPLE, "-o", target)
    assert (run.code, run.out) == (0, "")
    assert f"{EXAMPLE}: " in run.err
    assert "not understood" in run.err
    assert "'whatever you like'" in run.err
    graph = Graph().parse(target)
    iris = URIRef("https://catalogue.example/iris-csv")
    assert graph.value(iris, CTV.contentType) == mint("text/csv; header=absent; charset=us-ascii")
    printed = cturi("annotate", EXAMPLE)
    assert len(Graph().parse(data=printed.out, format="turtle")) == len(graph)


def test_annotate_lists_guesses_and_services_and_says_what_to_do(
    cturi: Cturi, tmp_path: Path
) -> None:
    source = tmp_path / "in.nt"
    labels = ["Excel", "Excel", "WMS", "blubb-7", "CSV"]
    source.write_text(
        "".join(
            f'<http://a.example/{number}> <http://purl.org/dc/terms/format> "{label}" .\n'
            for number, label in enumerate(labels)
        )
    )
    run = cturi("annotate", source, "-o", tmp_path / "out.nt")
    excel, openxml = map(str, (reading.types[0] for reading in resolve("Excel").readings))
    assert run.err.splitlines()[1:] == [
        "      3 resolved, to 2 content types",
        "      2 of them guessed from the label alone",
        f"          2 × 'Excel': {excel} or {openxml}. Excel is a name for {excel}.",
        "      1 naming a service, which has no type",
        "          1 × 'WMS'",
        "      1 not understood",
        "          1 × 'blubb-7': Nothing in it names a format.",
        f"              first at {source}:4:56",
        "        next: define unclear labels in a table, and pass it with --labels",
    ]
    report = json.loads(cturi("annotate", source, "-o", tmp_path / "out.nt", "--json").out)
    assert report["likely"] == 2
    [guess] = report["likely_labels"]
    assert (guess["label"], guess["count"], len(guess["where"])) == ("Excel", 2, 2)


def test_half_of_a_character_is_counted_with_its_place_or_refused(
    cturi: Cturi, tmp_path: Path, write: Write
) -> None:
    source = write(
        "in.json",
        '{"conformsTo": "https://project-open-data.cio.gov/v1.1/schema",\n "@type":'
        ' "dcat:Catalog", "dataset": [{"@type": "dcat:Dataset",\n  "title": "A \\udcb0",'
        ' "description": "don\\udc92t", "distribution": [{"mediaType": "text/csv"}]}]}',
    )
    for target in ("out.json", "out.ttl"):
        run = cturi("annotate", source, "-o", tmp_path / target)
        assert f"2 lone surrogates read as U+FFFD, first at {source}:3:15" in run.err
        run = cturi("annotate", source, "-o", tmp_path / target, "--json")
        assert json.loads(run.out)["halves_of_characters"][0] == {"line": 3, "column": 15}
        (tmp_path / target).unlink()
        run = cturi("annotate", "--strict", source, "-o", tmp_path / target)
        assert (run.code, (tmp_path / target).exists()) == (2, False)
        assert f"{source}:3:15: 2 lone surrogates, the first here" in run.err


@pytest.mark.parametrize(
    "command",
    [["check"], ["headers"], ["repair", "--dry-run"], ["query", "xml"], ["query", "SELECT * {}"]],
)
def test_strict_refuses_half_of_a_character_in_every_command_that_reads_json(
    cturi: Cturi, write: Write, command: list[str]
) -> None:
    source = write(
        "in.json", '{"@type": "DataDownload", "encodingFormat": "text/csv",\n "name": "A \\udcb0"}'
    )
    assert "a lone surrogate" not in cturi(*command, source).err
    run = cturi(*command, "--strict", source)
    assert (run.code, run.out) == (2, "")
    assert f"{source}:2:13: a lone surrogate" in run.err


def test_annotate_prints_its_summary_as_json(cturi: Cturi, tmp_path: Path) -> None:
    run = cturi("annotate", EXAMPLE, "-o", tmp_path / "out.nt.gz", "--json")
    report = json.loads(run.out)
    counts = ("resolved", "not_understood", "services")
    assert sum(report[name] for name in counts) == report["labels"]
    assert report["resources"] == 17
    [listed] = [each for each in report["not_understood_labels"] if "whatever" in each["label"]]
    assert listed["count"] == 1
    assert listed["reason"]
    assert listed["where"] == [
        {
            "resource": "https://catalogue.example/bathymetry-netcdf",
            "property": "http://purl.org/dc/terms/format",
            "line": 136,
            "column": 26,
        }
    ]
    assert {each["label"] for each in report["service_labels"]} >= {"WMS", "API"}
    assert gzip.decompress((tmp_path / "out.nt.gz").read_bytes()).startswith(b"<")


def test_labels_of_ones_own_come_before_all_others(
    cturi: Cturi, tmp_path: Path, write: Write
) -> None:
    own = write("labels.tsv", "whatever you like\timage/png\nCSV\ttext/tab-separated-values\n")
    run = cturi("headers", EXAMPLE, "--labels", own)
    assert "https://catalogue.example/ghcn-csv\ttext/tab-separated-values\n" in run.out
    report = json.loads(
        cturi("annotate", EXAMPLE, "-o", tmp_path / "out.ttl", "--labels", own, "--json").out
    )
    assert report["not_understood"] == 0
    own.write_text("no meaning\n")
    refused = cturi("headers", EXAMPLE, "--labels", own)
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "not a label and its meaning" in refused.err
    assert "cannot be read" in cturi("headers", EXAMPLE, "--labels", tmp_path / "none").err


def test_annotate_works_in_a_pipe(cturi: Cturi) -> None:
    packed = gzip.compress(EXAMPLE.read_bytes())
    command = ["annotate", "-", "--from", "turtle", "--to", "application/n-triples"]
    # The example has relative IRIs, which N-Triples cannot hold, and a pipe has no name.
    run = cturi(*command, stdin=packed)
    assert (run.code, run.out) == (2, "")
    assert "nt cannot hold the relative IRI <" in run.err
    assert "expected a base IRI" in run.err
    run = cturi(*command, "--base", "http://a.example/", stdin=packed)
    assert run.code == 0
    assert "<https://w3id.org/cturi/vocab#contentType> <ContentType:text/csv>" in run.out


def test_annotate_says_which_iris_it_had_to_encode(
    cturi: Cturi, tmp_path: Path, write: Write
) -> None:
    source = write(
        "in.rdf",
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
        '<rdf:Description rdf:about="http://a.example/b c" rdf:value="d"/></rdf:RDF>',
    )
    run = cturi("annotate", source, "-o", tmp_path / "out.ttl")
    assert "1 invalid IRI percent-encoded, such as" in run.err
    column = source.read_text().index("http://a.example/b c") + 1
    assert f"'http://a.example/b c' at {source}:1:{column}\n" in run.err


@pytest.mark.parametrize("reason", ["", "\tIt is anything that was left over."])
def test_a_label_that_the_table_leaves_without_a_type_need_not_be_defined_again(
    cturi: Cturi, write: Write, reason: str
) -> None:
    labels = write("labels.tsv", f"diverse\tnothing{reason}\n".encode())
    source = write("a.ttl", b'<a:a> <http://purl.org/dc/terms/format> "diverse" .')
    run = cturi("annotate", source, "--labels", labels)
    assert "1 not understood" in run.err
    assert "define unclear labels" not in run.err
    assert "define unclear labels" in cturi("annotate", source).err
