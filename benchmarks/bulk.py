"""Streams against pyoxigraph and rdflib; columns against Arrow and a loop."""

from __future__ import annotations

import random
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import polars as pl
import pyarrow as pa
import pyoxigraph
from rdflib import Graph

from benchmarks.core import corpus
from benchmarks.files import catalogue, write
from benchmarks.labels import distinct_labels
from benchmarks.ratio import Limit, beside, in_turns, peak, print_table
from cturi_rdf import columns, node
from cturi_rdf.catalogue import HeaderStream, annotate_file
from cturi_rdf.rdf import annotate

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["main"]

_Function = Any

_ANNOTATE, _HEADERS, _OXIGRAPH, _RDFLIB = (
    "cturi_rdf annotate_file", "cturi_rdf HeaderStream", "pyoxigraph parse and serialise",
    "rdflib parse, annotate, serialise",
)  # fmt: skip
_RECORDS, _FEW_RECORDS = 250_000, 2_000
_ROWS, _CHUNK, _LOOP_ROWS, _QUERIED = 10_000_000, 2_500_000, 500_000, 200_000
_KINDS, _ROUNDS = 500, 5


def main() -> list[Limit]:
    """Print the tables; return the target ratios."""
    return [*_streams(), *_columns(), *_engines()]


def _streams() -> list[Limit]:
    with tempfile.TemporaryDirectory() as folder:
        large, few, out = (Path(folder) / name for name in ("in.nt", "few.nt", "out.nt"))
        write(catalogue(_RECORDS * 5), large)
        write(catalogue(_FEW_RECORDS * 5), few)

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
        print(f"  most memory in a process: {peak(large, out):.0f} MB")
    return [
        Limit(f"{name}, against {peer}", times[name] / times[peer], wanted)
        for name, most in ((_ANNOTATE, 1.5), (_HEADERS, 2.5))
        for peer, wanted in ((_OXIGRAPH, most), (_RDFLIB, 0.1))
    ]


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


def _engines() -> list[Limit]:
    """Return how long queries take with our function, against one of the engine's own."""
    chance = random.Random(2)  # noqa: S311
    many = [*distinct_labels(chance)[: _KINDS - 1], None]
    limits = []
    for labels in (["CSV", "csv.gz", "WMS", "GeoJSON", None], many):
        column = chance.choices(labels, k=_QUERIED)
        frame = pl.DataFrame({"group": [row // 4 for row in range(_QUERIED)], "label": column})
        print(f"\n{_QUERIED:,} rows of {len(labels)} kinds")
        limits += [*_polars(frame, len(labels)), *_duckdb(frame, len(labels))]
    return limits


def _polars(frame: pl.DataFrame, kinds: int) -> list[Limit]:
    lists = frame.group_by("group", maintain_order=True).agg("label")
    label, group = pl.col("label"), pl.col("group")
    queries: dict[str, Callable[[_Function], object]] = {
        "groups": lambda use: frame.group_by("group").agg(use(label).drop_nulls()),
        "groups by the result": lambda use: frame.group_by(use(label)).agg(pl.len()),
        "windows": lambda use: frame.select(use(label).over("group")),
        "lists": lambda use: lists.select(label.list.eval(use(pl.element()))),
        "a filter": lambda use: (
            frame.lazy().with_columns(t=use(label)).filter(group % 2 == 0).collect()
        ),
    }
    limits = []
    for name, query in queries.items():
        ours, theirs, ratio = beside(
            partial(query, columns.types), partial(query, _lower), rounds=_ROUNDS
        )
        print(f"  Polars, {name}: {ours:.4f} s, with str.to_lowercase {theirs:.4f} s")
        limits.append(Limit(f"{name} of Polars, {kinds} kinds, against to_lowercase", ratio, 1.5))
    return limits


def _lower(column: pl.Expr) -> pl.Expr:
    return column.str.to_lowercase()


def _duckdb(frame: pl.DataFrame, kinds: int) -> list[Limit]:
    connection: Any = duckdb.connect()
    columns.register(connection)
    # DuckDB calls a function of Python for each 2,048 rows: what that alone takes.
    connection.create_function(
        "same",
        lambda column: column,
        ["VARCHAR"],
        "VARCHAR",
        type="arrow",
        null_handling="special",
    )
    connection.register("frame", frame.to_arrow())
    connection.execute("CREATE TABLE rows AS SELECT * FROM frame")
    connection.register("labels", columns.table(frame["label"]))

    def run(query: str) -> None:
        connection.execute(query).fetchall()

    by_row = "SELECT {}, count(*) FROM rows GROUP BY 1"
    lists = 'SELECT "group", list({}) FROM rows GROUP BY 1'
    windows = 'SELECT max({}) OVER (PARTITION BY "group") FROM rows'
    of_row, of_value = "cturi_type(label)", "(SELECT cturi_type(label))"
    grouped = "SELECT cturi_type(label), n FROM (SELECT label, count(*) AS n FROM rows GROUP BY 1)"
    joined = "SELECT type, count(*) FROM rows LEFT JOIN labels USING (label) GROUP BY 1"
    queries = {
        "for each row": (by_row.format(of_row), by_row, 2.5),
        "that returns its argument": (by_row.format("same(label)"), by_row, 2),
        "that returns its argument, in windows": (windows.format("same(label)"), windows, 1.2),
        "joined": (joined, by_row, 1.5),
        "for each distinct value": (by_row.format(of_value), by_row, 2.5),
        "for each group": (grouped, by_row, 1),
        "in lists": (lists.format(of_row), lists, 1.1),
        "in windows": (windows.format(of_row), windows, 1.3),
    }
    limits = []
    for name, (query, lower, most) in queries.items():
        ours, theirs, ratio = beside(
            partial(run, query), partial(run, lower.format("lower(label)")), rounds=_ROUNDS
        )
        print(f"  DuckDB, {name}: {ours:.4f} s, with lower() {theirs:.4f} s")
        limits.append(Limit(f"DuckDB {name}, {kinds} kinds, against lower()", ratio, most))
    return limits
