"""The table of the distinct labels: one row a label, joined by any engine."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cturi_rdf import columns
from cturi_rdf.columns.tables import COLUMNS
from cturi_rdf.reading.errors import CatalogError

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Cturi

LABELS = ["CSV", "Zipped CSV", None, "WMS", "CSV", "", "no such thing"]


@pytest.mark.parametrize("make", [
    list, pa.array, lambda texts: pa.chunked_array([texts[:2], texts[2:]]),
    lambda texts: pa.array(texts).dictionary_encode(), pl.Series, pd.Series, pd.Index,
    lambda texts: pl.Series(texts, dtype=pl.Categorical), lambda texts: np.array(texts, object),
], ids=[
    "list", "Arrow", "chunks", "dictionary", "Polars", "pandas", "index", "categories", "NumPy",
])  # fmt: skip
def test_each_distinct_label_has_one_row_that_says_what_the_functions_say(make: Any) -> None:
    made = columns.table(make(LABELS))
    assert tuple(made.column_names) == COLUMNS
    assert made["label"].to_pylist() == ["CSV", "Zipped CSV", "WMS", "", "no such thing"]
    for name in ("type", "served_header", "verdict", "outer", "confidence", "reason"):
        function = getattr(columns, {"verdict": "verdicts"}.get(name, f"{name}s"))
        assert made[name].to_pylist() == function(made["label"]).to_pylist()


@pytest.mark.parametrize("values", ["CSV", [1, 2], pa.array([1]), {"CSV"}])
def test_what_is_not_a_column_of_text_makes_no_table(values: Any) -> None:
    with pytest.raises(TypeError, match=r"is not a column|expected text"):
        columns.table(values)


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet"])
def test_files_of_any_kind_become_one_table(tmp_path: Path, cturi: Cturi, ending: str) -> None:
    with (tmp_path / "a.csv").open("w", newline="", encoding="utf-8-sig") as file:
        csv.writer(file).writerows([["n", "format"], ["1", "CSV"], ["2", "a, b"], ["3"], ["4", ""]])
    texts: Any = pa.array(["WMS", None, "CSV"])
    for name, column in (("b", texts), ("c", texts.dictionary_encode())):
        pq.write_table(pa.table({"format": column}), tmp_path / f"{name}.parquet")
    sources = [str(tmp_path / name) for name in ("a.csv", "b.parquet", "c.parquet")]
    target = tmp_path / f"labels.{ending}"
    result = cturi("columns", *sources, "--column", "format", "-o", target)
    assert (result.code, result.err) == (0, f"{target}: 3 labels\n")
    read = {"csv": pl.read_csv, "parquet": pl.read_parquet}
    written = pl.read_csv(target, separator="\t") if ending == "tsv" else read[ending](str(target))
    assert written["label"].to_list() == ["CSV", "a, b", "WMS"]
    assert written["verdict"].to_list()[2] == "service"


def test_three_lines_join_it_in_duckdb_and_polars(tmp_path: Path) -> None:
    rows, labels = tmp_path / "rows.parquet", tmp_path / "labels.parquet"
    pq.write_table(pa.table({"n": range(6), "format": LABELS[:4] + LABELS[4:6]}), rows)
    assert columns.write_label_table([rows], "format", labels) == 4
    in_duckdb = duckdb.sql(
        f"SELECT n, type FROM '{rows}' LEFT JOIN '{labels}' ON format = label ORDER BY n"  # noqa: S608
    ).fetchall()
    joined = pl.scan_parquet(rows).join(
        pl.scan_parquet(labels), left_on="format", right_on="label", how="left"
    )
    in_polars = joined.select("n", "type").collect(engine="streaming").sort("n").rows()
    types = columns.types(LABELS[:6])
    assert in_duckdb == in_polars == list(enumerate(types))


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("a.csv", b"x,y\n", "no column 'format'"),
        ("a.csv", b"format,format\n", "more than one column 'format'"),
        ("a.csv", b"format\n\xff\n", "not utf-8"),
        ("a.csv", b"", "no column 'format'"),
        ("a.parquet", b"PAR1", "not Parquet"),
        ("a.xlsx", b"", "not the name of a CSV or Parquet file"),
    ],
)
def test_a_file_that_is_no_such_table_is_named(
    tmp_path: Path, name: str, content: bytes, problem: str
) -> None:
    (tmp_path / name).write_bytes(content)
    target = tmp_path / "labels.csv"
    with pytest.raises(CatalogError, match=problem) as caught:
        columns.write_label_table([tmp_path / name], "format", target)
    assert name in str(caught.value)
    assert not target.exists()


def test_half_a_character_in_a_label_is_a_replacement_character_in_its_row() -> None:
    made = columns.table(["CSV\ud83d", "CSV"])
    assert made["label"].to_pylist() == ["CSV\ufffd", "CSV"]
    assert made["confidence"].to_pylist() == ["likely", "certain"]
