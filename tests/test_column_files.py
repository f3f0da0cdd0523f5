"""A table in a file gets columns with what its labels mean; nothing else of it changes."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cturi_rdf import columns
from cturi_rdf.columns import file_annotate
from cturi_rdf.labels import resolve
from cturi_rdf.reading.errors import CatalogError

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Write

ADDED = ["type", "served_header", "verdict", "outer", "confidence", "reason"]
NEW = [f"label_{each}" for each in ADDED]
ZIPPED = [
    "text/csv",
    "application/zip",
    "compound",
    "application/zip",
    "certain",
    resolve("Zipped CSV").reason,
]
WMS = ["", "", "service", "", "certain", resolve("WMS").reason]


def _row(cells: list[str], delimiter: str = ",") -> str:
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="").writerow(cells)
    return out.getvalue()


@pytest.mark.parametrize(
    ("delimiter", "ending", "mark", "name"),
    [
        (",", "\n", "", "a.csv"),
        (";", "\r\n", "\ufeff", "a.csv"),
        ("\t", "\n", "", "a.TSV"),
        ("|", "\r", "", "a.txt"),
    ],
)
def test_csv_gets_cells_at_the_end_of_each_row(
    delimiter: str, ending: str, mark: str, name: str, write: Write
) -> None:
    rows = [
        ("id{d}label{d}note", NEW),
        ("01{d}Zipped CSV{d}  12.50 ", ZIPPED),
        ('02{d}"WMS"{d}"two' + ending + 'lines, ""quoted"""', WMS),
        ("03{d}{d}", [""] * 6),
        ("04{d}WMS", ["", *WMS]),
    ]
    lines = [text.format(d=delimiter) for text, _ in rows]
    table = write(name, (mark + ending.join([*lines, "", ""])).encode())
    file_annotate(table, "label")
    wanted = [
        line + delimiter + _row(cells, delimiter)
        for line, (_, cells) in zip(lines, rows, strict=True)
    ]
    assert table.read_bytes().decode() == mark + ending.join([*wanted, "", ""])


def test_the_last_row_needs_no_end(tmp_path: Path) -> None:
    table, out = tmp_path / "a.csv", tmp_path / "b.csv"
    table.write_text("label\nWMS", "latin-1")
    file_annotate(str(table), "label", output=str(out), encoding="latin-1")
    assert out.read_text() == f"label,{_row(NEW)}\nWMS,{_row(WMS)}"
    assert table.read_text() == "label\nWMS"


@given(
    st.lists(
        st.lists(
            st.text(st.characters(codec="utf-8", exclude_characters="\0")),
            min_size=2,
            max_size=2,
        )
    )
)
def test_what_was_in_a_table_of_csv_is_in_it_still(
    tmp_path_factory: pytest.TempPathFactory, rows: list[list[str]]
) -> None:
    table = tmp_path_factory.mktemp("table") / "a.csv"
    with table.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["label", "note"], *rows])
    file_annotate(table, "label")
    with table.open(encoding="utf-8", newline="") as file:
        read = list(csv.reader(file))
    assert [row[:2] for row in read[1:]] == rows
    assert [row[4] for row in read[1:]] == [a and resolve(a).verdict for a, _ in rows]


def test_parquet_keeps_columns_groups_and_metadata(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    labels = ["Zipped CSV", None, "WMS", "CSV, JSON"]
    table = pa.table({"n": [1, 2, 3, 4], "label": pa.array(labels).dictionary_encode()})
    table = table.replace_schema_metadata({"who": "a librarian"})
    pq.write_table(table, path, row_group_size=2, compression="zstd")
    file_annotate(path, "label")
    made = pq.read_table(path)
    assert made.column_names == ["n", "label", *NEW]
    assert made.select(["n", "label"]).equals(table)
    assert made.schema.metadata[b"who"] == b"a librarian"
    assert made["label_served_header"].to_pylist() == ["application/zip", None, None, None]
    assert made["label_verdict"].to_pylist() == columns.verdicts(pa.array(labels)).to_pylist()
    metadata = pq.ParquetFile(path).metadata
    assert metadata.num_row_groups == 2
    assert metadata.row_group(0).column(0).compression == "ZSTD"


NO_TABLES = [
    ("a.csv", b"id,format\n1,CSV\n", "a.csv: no column 'label'; expected one of id, format"),
    ("a.csv", b"label;label\n", "more than one column 'label'"),
    ("a.csv", b"label,label_type\n", "a column 'label_type' already"),
    ("a.csv", b"label\nCSV\nCSV,JSON\n", "a.csv:3: a row of 2 cells; expected 1"),
    ("a.csv", b'label\n"a\nb"\n"CSV', "a.csv:4: not CSV"),
    ("a.csv", b"label\n\xe9\n", "not utf-8"),
    ("a.csv", b"", "a.csv: no column 'label'; expected a header"),
    ("a.txt", b'{"a": "' + b"a" * 200_000, "a.txt:1: not CSV (field larger"),
    ("a.xlsx", b"", "not the name of a CSV or Parquet file"),
    ("a.parquet", b"label\nCSV\n", "a.parquet: not Parquet"),
]


@pytest.mark.parametrize(("name", "content", "message"), NO_TABLES)
def test_what_is_not_such_a_table_stays_as_it_is(
    name: str, content: bytes, message: str, tmp_path: Path, write: Write
) -> None:
    path = write(name, content)
    with pytest.raises(CatalogError) as caught:
        file_annotate(path, "label")
    assert message in str(caught.value)
    assert path.read_bytes() == content
    assert list(tmp_path.iterdir()) == [path]


def test_a_column_of_numbers_in_parquet_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"label": [1]}), path)
    with pytest.raises(CatalogError, match="column 'label' holds int64; expected text"):
        file_annotate(path, "label")


def test_a_missing_file_and_an_unknown_encoding_are_named(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    with pytest.raises(CatalogError, match="cannot be read"):
        file_annotate(path, "label")
    path.write_text("label\n")
    for name in ("utf-88", "base64"):
        with pytest.raises(CatalogError, match=f"no encoding '{name}'"):
            file_annotate(path, "label", encoding=name)
