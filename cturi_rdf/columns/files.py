"""Tables in CSV and Parquet files, with new columns for the meanings of labels."""

from __future__ import annotations

import csv
import io
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from cturi_rdf._util.lazy import import_extra
from cturi_rdf.columns.arrow import plain
from cturi_rdf.columns.values import FUNCTIONS, value
from cturi_rdf.reading.atomic import replacing
from cturi_rdf.reading.errors import CatalogError, unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from os import PathLike


_ADDED = ("type", "served_header", "verdict", "outer", "confidence", "reason")
_CSV, _PARQUET = (".csv", ".tsv", ".tab", ".txt"), (".parquet", ".pq")
_DELIMITERS = ",;\t|"
_MARK = "\ufeff"


def file_annotate(
    path: str | PathLike[str],
    column: str,
    *,
    output: str | PathLike[str] | None = None,
    encoding: str = "utf-8",
) -> None:
    r"""Add the meanings of the labels in a column to a table in a CSV or Parquet file.

    The new columns are named after `column`: for ``label`` they are ``label_type``,
    ``label_served_header``, ``label_verdict``, ``label_outer``, ``label_confidence`` and
    ``label_reason``.  The file is replaced, or `output` is written.  The text of a CSV file is
    kept, apart from the cells added to the end of each row; its delimiter is a comma, a semicolon,
    a tab or a bar (RFC 4180 has the comma).  Raises `CatalogError`, with the line, where the file
    is not such a table, lacks the column or has one of the new ones already; then nothing is
    written.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table = Path(folder, "files.csv")
    ...     _ = table.write_text("file;format\nloans;Zipped CSV\n")
    ...     file_annotate(table, "format")
    ...     print(table.read_text().splitlines()[1].rpartition(";")[0])
    loans;Zipped CSV;text/csv;application/zip;compound;application/zip;certain
    """
    source, target = str(path), str(path if output is None else output)
    ending = Path(source).suffix.lower()
    if ending not in _CSV + _PARQUET:
        endings = ", ".join(_CSV + _PARQUET)
        raise CatalogError("not the name of a CSV or Parquet file", source, f"one of {endings}")
    try:
        with open(source, "rb") as file, replacing(target) as new:  # noqa: PTH123
            if ending in _PARQUET:
                _annotate_parquet(source, file, new, column)
            else:
                _annotate_csv(source, file, new, column, encoding)
    except OSError as error:
        raise unreadable(source, error, "a readable file") from error


def column_index(source: str, column: str, names: list[str]) -> int:
    """Return the index of the only column of a name; raises `CatalogError` for none or several."""
    if names.count(column) != 1:
        problem = "more than one column" if column in names else "no column"
        expected = f"one of {', '.join(names)}" if names else "a header"
        raise CatalogError(f"{problem} {column!r}", source, expected)
    return names.index(column)


def _new_names(source: str, column: str, names: list[str]) -> list[str]:
    """Return the names of the columns to add."""
    column_index(source, column, names)
    added = [f"{column}_{name}" for name in _ADDED]
    present = [name for name in added if name in names]
    if present:
        raise CatalogError(f"it has a column {present[0]!r} already", source, "a table without it")
    return added


def _annotate_parquet(source: str, file: IO[bytes], new: IO[bytes], column: str) -> None:
    pq = import_extra("pyarrow.parquet", "arrow")
    pa = import_extra("pyarrow", "arrow")
    broken = (pa.ArrowException, OSError)
    try:
        reader = pq.ParquetFile(file)
    except broken as error:
        raise CatalogError(f"not Parquet ({error})", source, "valid Parquet") from error
    names = _new_names(source, column, reader.schema_arrow.names)
    schema = reader.schema_arrow
    for name in names:
        schema = schema.append(pa.field(name, pa.string()))
    with pq.ParquetWriter(new, schema, compression=_compression(reader)) as writer:
        for number in range(reader.num_row_groups):
            try:
                table = reader.read_row_group(number)
            except broken as error:
                raise CatalogError(f"not Parquet ({error})", source, "valid Parquet") from error
            try:
                results = [plain(table[column], FUNCTIONS[name]) for name in _ADDED]
            except TypeError as error:
                kind = table[column].type
                raise CatalogError(f"column {column!r} holds {kind}", source, "text") from error
            for name, values in zip(names, results, strict=True):
                table = table.append_column(name, values)
            writer.write_table(table)


def _compression(reader: Any) -> str:
    if not reader.num_row_groups:
        return "snappy"
    name: str = reader.metadata.row_group(0).column(0).compression
    return "none" if name == "UNCOMPRESSED" else name


def _annotate_csv(source: str, file: IO[bytes], new: IO[bytes], column: str, encoding: str) -> None:
    try:
        io.TextIOWrapper(io.BytesIO(), encoding)
    except LookupError as error:
        raise CatalogError(f"no encoding {encoding!r}", source, "one of Python") from error
    try:
        with _text(file, encoding) as text, _text(new, encoding) as out:
            out.writelines(_longer_records(source, text, column))
    except UnicodeError as error:
        raise CatalogError(f"not {encoding} ({error})", source, "another encoding") from error


@contextmanager
def _text(file: IO[bytes], encoding: str) -> Iterator[IO[str]]:
    """Yield a file of bytes as a file of text, with line ends as they are; leave it open."""
    text = io.TextIOWrapper(file, encoding, newline="")
    try:
        yield text
    finally:
        text.detach()


def _longer_records(source: str, text: IO[str], column: str) -> Iterator[str]:
    """Yield the text of each record of a table with the new cells."""
    first = text.readline()
    if first.startswith(_MARK):
        first = first[1:]
        yield _MARK
    try:
        delimiter = _delimiter(first, column)
    except csv.Error as error:
        raise CatalogError(f"not CSV ({error})", source, "valid CSV", 1) from error
    header: list[str] = []
    for line, record, row in _records(source, chain([first], text), delimiter):
        if not header:
            header, cells = row, _new_names(source, column, row)
            place = header.index(column)
        elif not row:
            # An empty line is not a row.
            yield record
            continue
        else:
            if len(row) > len(header):
                expected = f"{len(header)}, as the header has"
                raise CatalogError(f"a row of {len(row)} cells", source, expected, line)
            missing = [""] * (len(header) - len(row))
            cells = [*missing, *_cells((row + missing)[place])]
        yield _longer(record, cells, delimiter)


def _cells(label: str) -> list[str]:
    """Return the cells of the new columns for a label; an empty cell is not a label."""
    return [(value(FUNCTIONS[name], label) or "") if label else "" for name in _ADDED]


def _delimiter(header: str, column: str) -> str:
    """Return the delimiter with which a header has a column, or else the one with most columns."""
    rows = {
        delimiter: next(csv.reader([header], delimiter=delimiter), []) for delimiter in _DELIMITERS
    }
    return max(_DELIMITERS, key=lambda delimiter: (column in rows[delimiter], len(rows[delimiter])))


def _records(
    source: str, lines: Iterable[str], delimiter: str
) -> Iterator[tuple[int, str, list[str]]]:
    """Yield the number of the last line of each record, its text and its cells."""
    read: list[str] = []

    def remembered() -> Iterator[str]:
        for line in lines:
            read.append(line)
            yield line

    reader = csv.reader(remembered(), delimiter=delimiter, strict=True)
    try:
        for row in reader:
            yield reader.line_num, "".join(read), row
            read.clear()
    except csv.Error as error:
        line = reader.line_num - len(read) + 1
        raise CatalogError(f"not CSV ({error})", source, "valid CSV", line) from error


def _longer(record: str, cells: list[str], delimiter: str) -> str:
    """Return the text of a record with cells added."""
    body = record.rstrip("\r\n")
    added = io.StringIO()
    csv.writer(added, delimiter=delimiter, lineterminator="").writerow(cells)
    return f"{body}{delimiter}{added.getvalue()}{record[len(body) :]}"
