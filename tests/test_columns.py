"""Columns of headers, labels and URIs, whatever library they are of."""

from __future__ import annotations

import importlib
import sys
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib import DCTERMS, Graph, Literal, URIRef

from cturi_rdf import CturiError, columns, node
from cturi_rdf.columns import functions
from cturi_rdf.columns.arrow import MOST_MET, BatchFunction
from cturi_rdf.labels import resolve
from cturi_rdf.rdf import headers

TEXTS = ["text/csv", "TEXT/csv", None, "image/svg+xml; a=b", "no header", "", "text/csv"]
NODES = ["ContentType:text/csv", "ContentType:text/csv", None,
         "ContentType:image/svg+xml?a=%22b%22", None, None, "ContentType:text/csv"]  # fmt: skip

# The lowest version of Polars has no categories with a name.
NAMED_CATEGORIES = (
    pl.Categorical(pl.Categories("own")) if hasattr(pl, "Categories") else pl.Categorical()
)
COLUMNS: dict[str, Any] = {
    "Arrow array": lambda texts: pa.array(texts, pa.string()),
    "large strings": lambda texts: pa.array(texts, pa.large_string()),
    "string views": lambda texts: pa.array(texts, pa.string_view()),
    "encoded": lambda texts: pa.array(texts, pa.string()).dictionary_encode(),
    "chunked": lambda texts: pa.chunked_array([texts[:3], texts[3:]], pa.string()),
    "chunked and encoded": lambda texts: pa.chunked_array(
        [pa.array(each, pa.string()).dictionary_encode() for each in (texts[:3], texts[3:])]
    ),
    "no chunk": lambda texts: pa.chunked_array([[], texts], pa.string()),
    "Polars": lambda texts: pl.Series("a", texts, pl.String),
    "Polars categorical": lambda texts: pl.Series("a", texts, pl.Categorical),
    "Polars named categories": lambda texts: pl.Series("a", texts, NAMED_CATEGORIES),
    "pandas": lambda texts: pd.Series(texts, dtype="str"),
    "pandas category": lambda texts: pd.Series(texts, dtype="str").astype("category"),
    "pandas with Arrow": lambda texts: pd.Series(texts, dtype=pd.ArrowDtype(pa.large_string())),
    "pandas with Arrow, encoded": lambda texts: pd.Series(
        texts, dtype=pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string()))
    ),
}


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
    (columns.served_headers, "csv.gz", "application/gzip"),
    (columns.served_headers, "zip", "application/zip"),
    (columns.served_headers, "CSV", "text/csv"), (columns.served_headers, "CSV, JSON", None),
    (columns.served_headers, "WMS", None), (columns.served_headers, "misc", None),
    (columns.verdicts, "Zipped Shapefile", "compound"), (columns.verdicts, "WMS", "service"),
    (columns.verdicts, "CSV, JSON", "several"), (columns.verdicts, "", "nothing"),
    (columns.outers, "Zipped Shapefile", "application/zip"), (columns.outers, "CSV", None),
    (columns.confidences, "CSV", "certain"), (columns.confidences, "XSLX", "likely"),
    (columns.reasons, "misc", "It is a placeholder, not a format."),
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
    [row] = connection.sql("""SELECT cturi_served_header(label), cturi_verdict(label),
        cturi_outer(label), cturi_confidence(label), cturi_reason(label)
        FROM (SELECT 'csv.gz' AS label)""").fetchall()
    assert row[:4] == ("application/gzip", "compound", "application/gzip", "certain")
    assert row[4] == resolve("csv.gz").reason


def test_duckdb_may_be_given_the_functions_again() -> None:
    connection = duckdb.connect()
    for each in (connection, connection, connection.cursor()):
        columns.register(each)
        assert each.sql("SELECT cturi_type('CSV')").fetchall() == [("text/csv",)]


@pytest.mark.parametrize(
    ("query", "most"),
    [
        ("SELECT cturi_type(label), n FROM (SELECT label, count(*) n FROM r GROUP BY 1)", 2),
        ("SELECT (SELECT cturi_type(label)), count(*) FROM r GROUP BY 1", 2),
        ("SELECT cturi_type(label), count(*) FROM r WHERE n < 5 GROUP BY 1", 5),
    ],
    ids=["grouped first", "a subquery", "a filter"],
)
def test_duckdb_converts_no_more_than_it_has_to(
    query: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    converted: list[Any] = []

    class Counted(BatchFunction):
        def __call__(self, column: Any) -> Any:
            converted.extend(column.to_pylist())
            return super().__call__(column)

    monkeypatch.setattr(functions, "BatchFunction", Counted)
    connection = duckdb.connect()
    columns.register(connection)
    rows = pl.DataFrame({"n": range(9_000), "label": ["CSV", "WMS"] * 4_500})
    connection.register("r", rows.to_arrow())
    assert {row[0] for row in connection.execute(query).fetchall()} == {"text/csv", None}
    assert len(converted) <= most


def _odd(text: str) -> str | None:
    return text.upper() if int(text) % 2 else None


@given(st.lists(st.lists(st.none() | st.integers(0, 9).map(str), max_size=20)))
def test_each_batch_says_what_its_texts_say(batches: list[list[str | None]]) -> None:
    function = BatchFunction(_odd)
    for batch in batches:
        made = function(pa.chunked_array([batch], pa.string()))
        assert made.to_pylist() == [text and _odd(text) for text in batch]


@pytest.mark.parametrize(("batches", "again"), [
    ([["a", "b", "c", "d", "a"]], False),
    ([["a", "b", "c", "d", "e", "a"]], True),
    ([["a", *map(str, range(2, MOST_MET))] * 2, ["z", "z"]], False),
    ([["a", *map(str, range(1, MOST_MET))] * 2, ["z", "z"]], True),
], ids=["repeated", "hardly repeated", "as many as are kept", "too many"])  # fmt: skip
def test_a_text_is_converted_again_if_few_were_repeated_or_many_met(
    batches: list[list[str]], *, again: bool
) -> None:
    converted: list[str] = []
    function = BatchFunction(lambda text: converted.append(text) or text)
    for batch in [*batches, ["a"]]:
        assert function(pa.chunked_array([batch])).to_pylist() == batch
    assert converted.count("a") == 1 + again


@pytest.mark.parametrize("setting", ["arrow_large_buffer_size", "produce_arrow_string_view"])
def test_duckdb_may_pass_other_kinds_of_strings(setting: str) -> None:
    connection = duckdb.connect()
    columns.register(connection)
    connection.execute(f"SET {setting} = true")
    rows = connection.sql("SELECT cturi_type(unnest(['CSV', 'WMS', NULL]))").fetchall()
    assert rows == [("text/csv",), (None,), (None,)]


LABELS = ["CSV", "Zipped CSV", "csv.gz", "CSV, JSON", "WMS", "XSLX", "misc", None]


@pytest.mark.parametrize("make", COLUMNS.values(), ids=COLUMNS)
def test_a_column_of_labels_says_what_resolve_says(make: Any) -> None:
    column = make(LABELS)
    found = [None if label is None else resolve(label) for label in LABELS]
    for field in ("verdict", "outer", "confidence", "reason"):
        values = [getattr(each, field, None) for each in found]
        answers = getattr(columns, f"{field}s")(column)
        assert _list(answers) == [value and str(value) for value in values]


@pytest.mark.parametrize("label", [each for each in LABELS if each])
def test_a_column_and_a_catalogue_agree_on_the_served_header(label: str) -> None:
    graph = Graph().add((URIRef("http://a.example/"), DCTERMS["format"], Literal(label)))
    sent = [str(each.content_type) for each in headers(graph) if each.content_type]
    assert columns.served_headers(pa.array([label])).drop_null().to_pylist() == sent


def test_polars_gets_strings_unless_asked() -> None:
    labels = pl.Series("label", ["CSV", "WMS"])
    made = columns.types(labels)
    assert made.dtype == pl.String
    assert made.str.starts_with("text/").to_list() == [True, None]
    assert columns.types(labels, categorical=True).dtype == pl.Categorical
    frame = pl.LazyFrame({"label": labels})
    for asked, dtype in ((False, pl.String), (True, pl.Categorical)):
        made = frame.select(columns.types(pl.col("label"), categorical=asked))
        assert made.collect_schema()["label"] == made.collect()["label"].dtype == dtype


def test_polars_takes_the_name_of_a_column() -> None:
    frame = pl.DataFrame({"label": ["CSV"]})
    assert frame.with_columns(type=columns.types("label"))["type"].to_list() == ["text/csv"]


def test_an_index_of_pandas_gives_an_index() -> None:
    made = columns.types(pd.Index(["CSV", "WMS", None], name="label"))
    assert isinstance(made, pd.Index)
    assert made.name == "label"
    assert [None if pd.isna(each) else each for each in made] == ["text/csv", None, None]


@pytest.mark.parametrize(
    "values",
    [
        ["CSV", 1, None, "CSV"],
        ["CSV", 1.5, True, "CSV"],
        ["CSV", ["JSON"], {}, "CSV"],
        pd.Categorical(["CSV", 1, True, "CSV"]),
    ],
    ids=["a number", "a number and a Boolean", "not hashable", "categories"],
)
def test_a_value_of_pandas_that_is_not_text_is_null(values: Any) -> None:
    made = columns.types(pd.Series(values, dtype=object))
    assert _list(made) == ["text/csv", None, None, "text/csv"]


@pytest.mark.parametrize("make", [list, lambda texts: pd.Series(texts, dtype=object)])
def test_half_of_a_character_is_text_that_names_nothing(make: Any) -> None:
    assert list(columns.verdicts(make(["CSV", "\ud83d"]))) == ["media_type", "nothing"]


@pytest.mark.parametrize("dtype", ["string[pyarrow]", "string[python]", "str", "object"])
def test_every_string_of_pandas_is_text(dtype: str) -> None:
    made = columns.types(pd.Series(["CSV", None], dtype=dtype, index=[5, 6]))
    assert _list(made) == ["text/csv", None]
    assert list(made.index) == [5, 6]


@pytest.mark.parametrize("empty", [
    pd.Series([None, None]), pd.Series([float("nan")] * 2), pl.Series([None, None]),
    pa.nulls(2), pd.Series([None, None], dtype="category"),
], ids=["objects", "floats", "Polars", "Arrow", "categories"])  # fmt: skip
def test_a_column_of_nulls_is_null(empty: Any) -> None:
    assert _list(columns.types(empty)) == [None, None]


@pytest.mark.parametrize("make", [
    list, tuple, lambda texts: np.array(texts, dtype=object), pd.array, pd.Categorical,
    lambda texts: pd.array(texts, dtype="object"),
], ids=["list", "tuple", "NumPy", "strings", "categories", "objects"])  # fmt: skip
def test_a_sequence_of_texts_is_a_column(make: Any) -> None:
    made = columns.nodes(make(TEXTS))
    assert [None if pd.isna(node_) else node_ for node_ in made] == NODES
    kind = type(make(TEXTS))
    expected = kind if kind in {list, tuple, np.ndarray} else pd.Categorical
    assert isinstance(made, expected)
    assert len(columns.nodes(make([]))) == 0


@pytest.mark.parametrize(
    "values", [["CSV", 1, float("nan"), None], np.array(["CSV"] + [1] * 3, object)]
)
def test_in_a_sequence_what_is_not_text_is_null(values: Any) -> None:
    assert list(columns.types(values)) == ["text/csv", None, None, None]


NO_TEXT = [
    (pd.Series([1, 2], name="size"), "column 'size' holds int64; expected text"),
    (pd.Series([1, 2], name="size").astype("category"), "column 'size' holds int64"),
    (pd.Index([1.5], name="size"), "column 'size' holds float64"),
    (pd.Series([["CSV"], ["WMS"]], name="formats"), "column 'formats' holds list; expected text"),
    (pl.Series("size", [1, 2]), "column 'size' holds Int64; expected text"),
    (pa.array([1, 2]), "the array holds int64; expected text"),
    (pa.chunked_array([[b"a"]]), "the array holds binary"),
    (pa.array([1, 2]).dictionary_encode(), "the array holds int64"),
    (pd.DataFrame({"a": ["CSV"]}), "DataFrame is not a column; expected an Arrow array"),
    (pl.DataFrame({"a": ["CSV"]}), "DataFrame is not a column"),
    (pa.table({"a": ["CSV"]}), "Table is not a column"),
    ([1, 2], "the list holds int; expected text"),
    ([1.5, 2.5], "the list holds float; expected text"),
    (np.array([1, 2]), "the array holds int64; expected text"),
    (np.array([["CSV"]]), "the array has 2 dimensions"),
    (pd.array([1, 2]), "column 'array' holds Int64"),
    ({"CSV"}, "set is not a column"),
]


@pytest.mark.parametrize(("column", "message"), NO_TEXT)
def test_what_is_not_a_column_of_text_is_refused_by_its_name(column: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        columns.types(column)


def test_without_arrow_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    column = pa.array(["text/csv"])
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r"pip install .*\[arrow\]"):
        columns.nodes(column)


@pytest.mark.parametrize("name", functions.__all__)
def test_every_function_is_a_method(name: str) -> None:
    importlib.import_module("cturi_rdf.columns.pandas")
    importlib.import_module("cturi_rdf.columns.polars")
    texts = ["Zipped CSV", "text/csv", "ContentType:text/csv", None]
    wanted = getattr(columns, name)(pa.array(texts)).to_pylist()
    for library in (pd, pl):
        series = library.Series(texts, dtype="str" if library is pd else None)
        frame = library.DataFrame({"a": series})
        for made in (getattr(series.cturi, name)(), getattr(frame.cturi, name)("a")):
            assert _list(made) == wanted
    index = pd.Index(texts, dtype="str")
    assert _list(getattr(index.cturi, name)().to_series()) == wanted
    expression = getattr(pl.col("a").cturi, name)(categorical=True)
    made = pl.DataFrame({"a": texts}).lazy().select(expression).collect()["a"]
    assert (made.to_list(), made.dtype) == (wanted, pl.Categorical)


@pytest.fixture
def batches(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the lengths of the parts of columns that are converted."""
    lengths: list[int] = []
    arrow = importlib.import_module("cturi_rdf.columns.arrow")
    of_polars = arrow._polars

    def counted(series: Any, *arguments: Any, **options: Any) -> Any:
        lengths.append(len(series))
        return of_polars(series, *arguments, **options)

    monkeypatch.setattr(arrow, "_polars", counted)
    return lengths


def test_polars_converts_groups_windows_and_lists_at_once(batches: list[int]) -> None:
    frame = pl.DataFrame({"g": [n % 1_000 for n in range(4_000)], "label": ["CSV", "WMS"] * 2_000})
    types = columns.types("label")
    grouped = frame.group_by("g").agg(types.drop_nulls())
    assert {tuple(each) for each in grouped["label"].to_list()} == {("text/csv",) * 4, ()}
    assert frame.select(types.over("g")).height == 4_000
    lists = pl.DataFrame({"l": [["CSV", "WMS"]] * 1_000})
    eval_ = pl.col("l").list.eval(columns.types(pl.element()))
    assert lists.select(eval_)["l"].to_list() == [["text/csv", None]] * 1_000
    # A thousand groups and a thousand lists, but not a call for each.
    assert len(batches) < 100


def test_polars_filters_before_it_converts(batches: list[int]) -> None:
    frame = pl.LazyFrame({"n": range(1_000), "label": ["CSV"] * 1_000})
    query = frame.with_columns(t=columns.types("label")).filter(pl.col("n") < 5)
    assert query.collect()["t"].to_list() == ["text/csv"] * 5
    assert max(batches) == 5


@pytest.mark.parametrize("categorical", [None, True, False])
def test_categories_or_strings_are_asked_for_in_every_library(*, categorical: bool | None) -> None:
    texts = ["CSV", "WMS", None]
    arrow = columns.types(pa.array(texts), categorical=categorical)
    assert pa.types.is_dictionary(arrow.type) is (categorical is not False)
    assert arrow.to_pylist() == ["text/csv", None, None]
    pandas = columns.types(pd.Series(texts, dtype="str"), categorical=categorical)
    assert isinstance(pandas.dtype, pd.CategoricalDtype) is (categorical is not False)
    assert _list(pandas) == ["text/csv", None, None]
    polars = columns.types(pl.Series("a", texts), categorical=categorical)
    assert (polars.dtype == pl.Categorical) is (categorical is True)
    assert polars.to_list() == ["text/csv", None, None]


def test_a_lazy_frame_has_the_methods_of_frames() -> None:
    importlib.import_module("cturi_rdf.columns.polars")
    frame = pl.DataFrame({"label": ["CSV", "WMS"]})
    lazy: Any = frame.lazy()
    for name in functions.__all__:
        of_lazy = getattr(lazy.cturi, name)("label").collect().to_series()
        assert of_lazy.to_list() == getattr(frame.cturi, name)("label").to_list()  # type: ignore[attr-defined]


def test_a_column_without_rows_is_refused_by_its_type_all_the_same() -> None:
    with pytest.raises(TypeError, match="int64"):
        columns.types(pa.chunked_array([], pa.int64()))
    with pytest.raises(TypeError, match="MultiIndex"):
        columns.types(pd.MultiIndex.from_tuples([("CSV", "a")]))


def test_runs_of_arrow_are_read() -> None:
    runs = pa.RunEndEncodedArray.from_arrays([2, 3], ["CSV", "WMS"])
    assert columns.types(runs).to_pylist() == ["text/csv", "text/csv", None]
