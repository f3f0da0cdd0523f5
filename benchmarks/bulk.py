"""Streams against pyoxigraph and rdflib; columns against Arrow and a loop."""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
from pathlib import Path

import pyarrow as pa
import pyoxigraph
from rdflib import Graph

from benchmarks.core import corpus
from benchmarks.ratio import Limit, in_turns, print_table
from cturi_rdf import columns, node
from cturi_rdf.rdf import annotate
from cturi_rdf.rdf.files import HeaderStream, annotate_file

__all__ = ["dump", "main"]

_ANNOTATE, _HEADERS, _OXIGRAPH, _RDFLIB = (
    "cturi_rdf annotate_file", "cturi_rdf HeaderStream", "pyoxigraph parse and serialise",
    "rdflib parse, annotate, serialise",
)  # fmt: skip
_RECORDS, _FEW_RECORDS = 250_000, 2_000
_ROWS, _CHUNK, _LOOP_ROWS = 10_000_000, 2_500_000, 500_000
_DCT = "http://purl.org/dc/terms/"
_DCAT = "http://www.w3.org/ns/dcat#"
_RECORD = (
    f'{{0}} <{_DCT}title> "The {{1}}th file, as \\"data\\""@en .\n'
    f"{{0}} <{_DCAT}downloadURL> <https://files.example/folder/{{1}}/data.bin> .\n"
    f"{{0}} <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <{_DCAT}Distribution> .\n"
    f'{{0}} <{_DCT}modified> "2026-01-01"^^<http://www.w3.org/2001/XMLSchema#date> .\n'
    "{0} <{2}> {3} .\n"
)  # fmt: skip
_LABELS = (
    '"CSV"', '"text/csv"', '"application/json"@en', '"Shapefile"', '"WMS"', '"no such format"',
    "<https://www.iana.org/assignments/media-types/application/json>",
    "<http://publications.europa.eu/resource/authority/file-type/XLSX>",
)  # fmt: skip


def dump(path: Path, records: int) -> None:
    """Write N-Triples in which one line in five is a label."""
    chance = random.Random(1)  # noqa: S311 - a sample, not a secret
    with path.open("w", encoding="utf-8") as file:
        for number in range(records):
            resource = f"<https://catalogue.example/distribution/{number}>"
            predicate = f"{_DCT}format" if number % 2 else f"{_DCAT}mediaType"
            file.write(_RECORD.format(resource, number, predicate, chance.choice(_LABELS)))


def main() -> list[Limit]:
    """Print the tables; return the ratios that were wanted."""
    return [*_streams(), *_columns()]


def _streams() -> list[Limit]:
    with tempfile.TemporaryDirectory() as folder:
        large, few, out = (Path(folder) / name for name in ("in.nt", "few.nt", "out.nt"))
        dump(large, _RECORDS)
        dump(few, _FEW_RECORDS)

        def oxigraph() -> None:
            form = pyoxigraph.RdfFormat.N_TRIPLES
            with out.open("wb") as file:
                pyoxigraph.serialize(pyoxigraph.parse(path=str(large), format=form), file, form)

        def rdflib() -> None:
            graph = Graph().parse(few)
            annotate(graph)
            graph.serialize(out, format="nt", encoding="utf-8")

        def headers() -> None:
            with out.open("w", encoding="utf-8") as file:
                file.writelines(HeaderStream(str(large)))

        times = in_turns(
            {
                _ANNOTATE: lambda: annotate_file(str(large), str(out)),
                _HEADERS: headers,
                _OXIGRAPH: oxigraph,
                _RDFLIB: rdflib,
            },
            rounds=5,
            # To take the place of a large file takes time as well.
            before=lambda: out.unlink(missing_ok=True),
        )
        times[_RDFLIB] *= _RECORDS / _FEW_RECORDS
        print_table("Lines of N-Triples, one in five a label", times, _RECORDS * 5, _OXIGRAPH)
        print(f"  most memory in a process: {_peak(large, out):.0f} MB")
    return [
        Limit(f"{name}, against {peer}", times[name] / times[peer], wanted)
        for name in (_ANNOTATE, _HEADERS)
        for peer, wanted in ((_OXIGRAPH, 1 / 4), (_RDFLIB, 1 / 60))
    ]


def _peak(source: Path, target: Path) -> float:
    script = (
        "import re, sys; from pathlib import Path;"
        "from cturi_rdf.rdf.files import annotate_file; annotate_file(*sys.argv[1:]);"
        "print(re.search(r'VmHWM:\\s+(\\d+)', Path('/proc/self/status').read_text())[1])"
    )
    command = [sys.executable, "-c", script, str(source), str(target)]
    return int(subprocess.run(command, check=True, capture_output=True).stdout) / 1024


def _columns() -> list[Limit]:
    counts = corpus()
    chance = random.Random(1)  # noqa: S311
    places = chance.choices(range(len(counts)), list(counts.values()), k=_CHUNK)
    chunk = pa.array(list(counts)).take(pa.array(places, pa.int32()))
    column = pa.chunked_array([chunk] * (_ROWS // _CHUNK))
    encoded = column.dictionary_encode()
    some = column.slice(0, _LOOP_ROWS)
    encode = "pyarrow dictionary_encode"
    times = in_turns(
        {
            encode: column.dictionary_encode,
            "nodes": lambda: columns.nodes(column),
            "nodes, encoded before": lambda: columns.nodes(encoded),
            "a loop over rows": lambda: pa.array([node(each) for each in some.to_pylist()]),
        },
        rounds=5,
    )
    times["a loop over rows"] *= _ROWS / _LOOP_ROWS
    print_table("Rows of headers as they occur", times, _ROWS, encode)
    return [
        Limit("nodes of a column, against encoding it", times["nodes"] / times[encode], 1.3),
        Limit(
            "nodes of a column, against a loop", times["nodes"] / times["a loop over rows"], 1 / 50
        ),
    ]
