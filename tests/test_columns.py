"""Columns of headers, labels and URIs, whatever library they are of."""

from __future__ import annotations

import sys
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cturi_rdf import CturiError, columns, node

TEXTS = ["text/csv", "TEXT/csv", None, "image/svg+xml; a=b", "no header", "", "text/csv"]
NODES = ["ContentType:text/csv", "ContentType:text/csv", None,
         "ContentType:image/svg+xml?a=%22b%22", None, None, "ContentType:text/csv"]  # fmt: skip

COLUMNS: dict[str, Any] = {
    "Arrow array": lambda texts: pa.array(texts, pa.string()),
    "large strings": lambda texts: pa.array(texts, pa.large_string()),
    "string views": lambda texts: pa.array(texts, pa.string_view()),
    "encoded": lambda texts: pa.array(texts, pa.string()).dictionary_encode(),
    "chunked": lambda texts: pa.chunked_array([texts[:3], texts[3:]], pa.string()),
    "chunked and encoded": lambda texts: pa.chunked_array([
        pa.array(each, pa.string()).dictionary_encode() for each in (texts[:3], texts[3:])
    ]),
    "no chunk": lambda texts: pa.chunked_array([[], texts], pa.string()),
    "Polars": lambda texts: pl.Series("a", texts, pl.String),
    "Polars categorical": lambda texts: pl.Series("a", texts, pl.Categorical),
    "pandas": lambda texts: pd.Series(texts, dtype="str"),
    "pandas category": lambda texts: pd.Series(texts, dtype="str").astype("category"),
}  # fmt: skip


def _list(column: Any) -> list[str | None]:
    if isinstance(column, pd.Series):
        return [None if pd.isna(each) else each for each in column]
    listed: list[str | None] = (
        column.to_list() if isinstance(column, pl.Series) else column.to_pylist()
    )
    return listed


@pytest.mark.parametrize("make", COLUMNS.values(), ids=COLUMNS)
def test_a_column_of_any_kind_is_converted_to_the_same_kind(make: Any) -> None:
    made = columns.nodes(make(TEXTS))
    assert _list(made) == NODES
    kind = type(make(TEXTS))
    assert isinstance(made, pa.DictionaryArray if issubclass(kind, pa.Array) else kind)


@pytest.mark.parametrize(("function", "text", "value"), [
    (columns.nodes, 'text/csv;header="present"', "ContentType:text/csv?header=%22present%22"),
    (columns.types, "XLSX", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    (columns.types, "csv.gz", "text/csv"), (columns.types, "CSV, JSON", None),
    (columns.types, "zip", "application/zip"), (columns.types, "WMS", None),
    (columns.headers, "ContentType:text/csv", "text/csv"), (columns.headers, "nothing", None),
    (columns.essences, "Text/HTML; charset=utf-8", "text/html"),
    (columns.suffixes, "image/svg+xml", "xml"), (columns.suffixes, "text/html", None),
])  # fmt: skip
def test_each_function_converts_what_it_is_for(function: Any, text: str, value: object) -> None:
    assert function(pa.array([text, None])).to_pylist() == [value, None]


def _one(text: str) -> str | None:
    try:
        return node(text)
    except CturiError:
        return None


@given(st.lists(st.none() | st.sampled_from([each for each in TEXTS if each]) | st.text()))
def test_a_column_says_what_its_values_say(texts: list[str | None]) -> None:
    texts = [each and each.encode("utf-8", "replace").decode() for each in texts]
    wanted = [None if text is None else _one(text) for text in texts]
    for name in ("Arrow array", "encoded", "Polars", "pandas"):
        assert _list(columns.nodes(COLUMNS[name](texts))) == wanted


def test_an_array_is_encoded_with_distinct_values() -> None:
    made = columns.essences(pa.array(["text/csv", "TEXT/CSV", "text/csv;a=b", "no header"]))
    assert made.dictionary.to_pylist() == ["text/csv"]
    assert made.indices.to_pylist() == [0, 0, 0, None]


def test_what_is_encoded_and_stays_distinct_is_not_copied() -> None:
    column = pa.array(["text/csv", "text/html"] * 9).dictionary_encode()
    made = columns.nodes(column)
    assert made.indices.buffers()[1].address == column.indices.buffers()[1].address


def test_an_expression_of_polars_is_lazy() -> None:
    frame = pl.LazyFrame({"a": TEXTS}).select(columns.nodes(pl.col("a")).alias("b"))
    assert frame.collect()["b"].to_list() == NODES


def test_duckdb_has_the_functions() -> None:
    connection = duckdb.connect()
    columns.register(connection)
    [row] = connection.sql("""SELECT cturi_node('text/csv'), cturi_type('CSV'),
        cturi_header('ContentType:text/csv'), cturi_essence('text/csv;a=b'),
        cturi_suffix('image/svg+xml'), cturi_node(NULL), cturi_node('no header')""").fetchall()
    assert row == ("ContentType:text/csv", "text/csv", "text/csv", "text/csv", "xml", None, None)


def test_what_is_no_column_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TypeError, match="no column"):
        columns.nodes(["text/csv"])
    column = pa.array(["text/csv"])
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r"pip install .*\[arrow\]"):
        columns.nodes(column)
