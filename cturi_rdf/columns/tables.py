"""Tables of labels in CSV and Parquet files: each distinct label read once.

A column of a billion rows has a few thousand distinct labels.  `write_label_table` writes a table
with a row for each, which any engine joins to the rows: Polars, DuckDB, Spark, BigQuery, Athena.
`file_annotate` adds columns to a table itself.
"""

from __future__ import annotations

import csv
import io
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from cturi_rdf._util.display import whole_characters
from cturi_rdf._util.lazy import import_extra
from cturi_rdf.catalogue.value_forms import eu_file_type_for
from cturi_rdf.columns.arrow import converted
from cturi_rdf.columns.functions import FUNCTIONS, OF_LABELS, strings
from cturi_rdf.labels import resolve
from cturi_rdf.rdf.terms import EU_FILE_TYPES
from cturi_rdf.reading.atomic import expect_apart, packing_text, replacing
from cturi_rdf.reading.errors import CatalogError, unreadable
from cturi_rdf.registry.schemes import own_identifiers

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from os import PathLike

_IRIS = ("eu_file_type", "iana_media_type")
COLUMNS = ("label", *OF_LABELS, *_IRIS)
_CSV, _PARQUET = (".csv", ".tsv", ".tab", ".txt"), (".parquet", ".pq")
_DELIMITERS = ",;\t|"
_MARK = "\ufeff"


def table(values: Any) -> Any:
    """Return an Arrow table with a row for each distinct text of a column, in order of appearance.

    `values` is a column as of `types`, but no expression; null is left out.  The columns are
    ``label``, ``type``, ``served_header``, ``verdict``, ``outer``, ``confidence``, ``reason``, and
    the IRIs of the type: ``eu_file_type`` and ``iana_media_type``.  Raises `TypeError` for a column
    that does not hold text.

    >>> labels_table = table(["CSV", "WMS", "CSV"])
    >>> labels_table.select(["label", "type", "verdict"]).to_pylist()[0]
    {'label': 'CSV', 'type': 'text/csv', 'verdict': 'media_type'}
    >>> labels_table["eu_file_type"].to_pylist()
    ['http://publications.europa.eu/resource/authority/file-type/CSV', None]
    """
    if isinstance(values, str):
        raise TypeError(f"{values!r} is not a column; expected a list, an array or a series")
    column = converted(values, str)
    # The values of Arrow are no texts of Python.
    texts = column.unique().to_pylist() if hasattr(column, "to_pylist") else column
    return _table(_rows(texts))


def _table(rows: list[tuple[str | None, ...]]) -> Any:
    pa = import_extra("pyarrow", "arrow")
    return pa.table(
        {name: pa.array([row[at] for row in rows], pa.string()) for at, name in enumerate(COLUMNS)}
    )


def _rows(texts: Iterable[Any]) -> list[tuple[str | None, ...]]:
    """Return the meaning of each distinct text, in order of appearance."""
    labels = dict.fromkeys(whole_characters(text) for text in texts if isinstance(text, str))
    return [
        (label, *(FUNCTIONS[name](label) for name in OF_LABELS), *_iris(label)) for label in labels
    ]


def _iris(label: str) -> tuple[str | None, str | None]:
    """Return the IRIs of the EU and of IANA for the type that a label names."""
    named = resolve(label).named
    if len(named) != 1:
        return None, None
    essence = named[0].essence
    iris = {one.scheme: one.iri for one in own_identifiers(essence)}
    # The label may name a narrower format of the EU than its type: GeoTIFF.
    file_type = eu_file_type_for(essence, label)
    eu = f"{EU_FILE_TYPES.value}/{file_type.code}" if file_type else iris.get("eu-file-type")
    return eu, iris.get("iana-https")


def write_label_table(
    sources: Iterable[str | PathLike[str]], column: str, target: str | PathLike[str]
) -> int:
    r"""Write the table of the distinct labels in a column of some files; return its length.

    The files are Parquet, or CSV in UTF-8 with any of the delimiters of `file_annotate`; so is the
    target, with commas (tabs in ``.tsv``).  They are read in parts: only the distinct labels are in
    memory.  Raises `CatalogError` if a file is not such a table or lacks the column, or if the
    target is one of the files.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     rows, labels = Path(folder, "rows.csv"), Path(folder, "labels.csv")
    ...     _ = rows.write_text("format;n\nCSV;1\nCSV;2\n")
    ...     write_label_table([rows], "format", labels)
    ...     labels.read_text().splitlines()[1].split(",")[:2]
    1
    ['CSV', 'text/csv']
    """
    path = str(target)
    ending = _ending(path)
    names = [*map(str, sources)]
    expect_apart(path, *names)
    texts = chain.from_iterable(_texts(name, column) for name in names)
    rows = _rows(texts)
    if ending in _PARQUET:
        with replacing(path) as file:
            import_extra("pyarrow.parquet", "arrow").write_table(_table(rows), file)
        return len(rows)
    with packing_text(path) as file:
        delimiter = "," if ending == ".csv" else "\t"
        csv.writer(file, delimiter=delimiter, lineterminator="\n").writerows([COLUMNS, *rows])
    return len(rows)


def _texts(source: str, column: str) -> Iterator[str]:
    """Yield the texts in a column of a file, each once for each part of Parquet."""
    is_parquet = _ending(source) in _PARQUET
    try:
        with open(source, "rb") as file:  # noqa: PTH123
            yield from (_of_parquet if is_parquet else _of_csv)(source, file, column)
    except OSError as error:
        raise unreadable(source, error, "a readable file") from error


def _of_csv(source: str, file: IO[bytes], column: str) -> Iterator[str]:
    with _text(source, file, "utf-8-sig") as text:
        records = (row for _, _, row, _ in _records(source, text, column))
        index = _index(source, column, next(records, []))
        for row in records:
            if index < len(row) and row[index]:
                yield row[index]


def _of_parquet(source: str, file: IO[bytes], column: str) -> Iterator[str]:
    pa = import_extra("pyarrow", "arrow")
    with _reading_parquet(source):
        reader = import_extra("pyarrow.parquet", "arrow").ParquetFile(file)
        _index(source, column, reader.schema_arrow.names)
        for batch in reader.iter_batches(columns=[column]):
            texts = batch.column(0)
            if not pa.types.is_dictionary(texts.type):
                texts = texts.dictionary_encode()
            yield from (text for text in texts.dictionary.to_pylist() if isinstance(text, str))


# Columns added to a table in a file.


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
    is_parquet = _ending(source) in _PARQUET
    try:
        with open(source, "rb") as file, replacing(target) as new:  # noqa: PTH123
            if is_parquet:
                _annotate_parquet(source, file, new, column)
            else:
                with _text(source, file, encoding) as text, _text(source, new, encoding) as out:
                    out.writelines(_longer_records(source, text, column))
    except OSError as error:
        raise unreadable(source, error, "a readable file") from error


def _ending(name: str) -> str:
    ending = Path(name).suffix.lower()
    if ending not in _CSV + _PARQUET:
        endings = ", ".join(_CSV + _PARQUET)
        raise CatalogError("not the name of a CSV or Parquet file", name, f"one of {endings}")
    return ending


def _index(source: str, column: str, names: list[str]) -> int:
    """Return the index of the only column of a name; raises `CatalogError` for none or several."""
    if names.count(column) != 1:
        problem = "more than one column" if column in names else "no column"
        expected = f"one of {', '.join(names)}" if names else "a header"
        raise CatalogError(f"{problem} {column!r}", source, expected)
    return names.index(column)


def _new_names(source: str, column: str, names: list[str]) -> list[str]:
    """Return the names of the columns to add."""
    _index(source, column, names)
    added = [f"{column}_{name}" for name in OF_LABELS]
    present = [name for name in added if name in names]
    if present:
        raise CatalogError(f"it has a column {present[0]!r} already", source, "a table without it")
    return added


@contextmanager
def _reading_parquet(source: str) -> Iterator[None]:
    try:
        yield
    except (import_extra("pyarrow", "arrow").ArrowException, OSError) as error:
        raise CatalogError(f"not Parquet ({error})", source, "valid Parquet") from error


def _annotate_parquet(source: str, file: IO[bytes], new: IO[bytes], column: str) -> None:
    pq = import_extra("pyarrow.parquet", "arrow")
    pa = import_extra("pyarrow", "arrow")
    with _reading_parquet(source):
        reader = pq.ParquetFile(file)
    schema = reader.schema_arrow
    names = _new_names(source, column, schema.names)
    for name in names:
        schema = schema.append(pa.field(name, pa.string()))
    with pq.ParquetWriter(new, schema, compression=_compression(reader)) as writer:
        for number in range(reader.num_row_groups):
            with _reading_parquet(source):
                table = reader.read_row_group(number)
            labels = table[column]
            try:
                for name, function in zip(names, OF_LABELS, strict=True):
                    table = table.append_column(name, strings(labels, function))
            except TypeError as error:
                problem = f"column {column!r} holds {labels.type}"
                raise CatalogError(problem, source, "text") from error
            writer.write_table(table)


def _compression(reader: Any) -> str:
    if not reader.num_row_groups:
        return "snappy"
    name: str = reader.metadata.row_group(0).column(0).compression
    return "none" if name == "UNCOMPRESSED" else name


@contextmanager
def _text(source: str, file: IO[bytes], encoding: str) -> Iterator[IO[str]]:
    """Yield a file of bytes as a file of text, with line ends as they are; leave it open."""
    try:
        text = io.TextIOWrapper(file, encoding, newline="")
    except LookupError as error:
        raise CatalogError(f"no encoding {encoding!r}", source, "one of Python") from error
    try:
        yield text
    except UnicodeError as error:
        raise CatalogError(f"not {encoding} ({error})", source, "another encoding") from error
    finally:
        text.detach()


def _longer_records(source: str, text: IO[str], column: str) -> Iterator[str]:
    """Yield the text of each record of a table with the new cells."""
    header: list[str] = []
    for line, record, row, delimiter in _records(source, text, column):
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
    return [(FUNCTIONS[name](label) or "") if label else "" for name in OF_LABELS]


def _delimiter(header: str, column: str) -> str:
    """Return the delimiter with which a header has a column, or else the one with most columns."""
    rows = {
        delimiter: next(csv.reader([header], delimiter=delimiter), []) for delimiter in _DELIMITERS
    }
    return max(_DELIMITERS, key=lambda delimiter: (column in rows[delimiter], len(rows[delimiter])))


def _records(
    source: str, lines: Iterator[str], column: str
) -> Iterator[tuple[int, str, list[str], str]]:
    """Yield the records of a table, the header first.

    A record is the number of its last line, its text, its cells, and what is between them.
    """
    read: list[str] = []
    first = next(lines, "")
    mark, first = (_MARK, first[1:]) if first.startswith(_MARK) else ("", first)

    def remembered() -> Iterator[str]:
        for line in chain([first], lines):
            read.append(line)
            yield line

    begins = 1
    try:
        delimiter = _delimiter(first, column)
        reader = csv.reader(remembered(), delimiter=delimiter, strict=True)
        for row in reader:
            yield reader.line_num, mark + "".join(read), row, delimiter
            begins, mark = reader.line_num + 1, ""
            read.clear()
    except csv.Error as error:
        raise CatalogError(f"not CSV ({error})", source, "valid CSV", begins) from error


def _longer(record: str, cells: list[str], delimiter: str) -> str:
    """Return the text of a record with cells added."""
    body = record.rstrip("\r\n")
    added = io.StringIO()
    csv.writer(added, delimiter=delimiter, lineterminator="").writerow(cells)
    return f"{body}{delimiter}{added.getvalue()}{record[len(body) :]}"
