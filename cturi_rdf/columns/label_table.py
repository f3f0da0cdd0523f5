"""The table of the distinct labels of a column, for engines that join tables.

A column of a billion rows has a few thousand distinct labels.  Each is read once, and any engine
joins the table to the rows: Polars, DuckDB, Spark, BigQuery, Athena.
"""

from __future__ import annotations

import csv
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cturi_rdf._util.lazy import import_extra
from cturi_rdf.catalogue.value_forms import eu_file_type_for
from cturi_rdf.columns.files import column_index
from cturi_rdf.columns.values import FUNCTIONS, value
from cturi_rdf.labels import resolve
from cturi_rdf.rdf.background import EU_FILE_TYPES
from cturi_rdf.reading.atomic import packing_text, replacing
from cturi_rdf.reading.errors import CatalogError, unreadable
from cturi_rdf.registry.schemes import own_identifiers

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from os import PathLike

_LABEL = "label"
_FUNCTIONS = ("type", "served_header", "verdict", "outer", "confidence", "reason")
_IRIS = ("eu_file_type", "iana_media_type")
COLUMNS = (_LABEL, *_FUNCTIONS, *_IRIS)
_BATCH = 1 << 16
_TEXT = {".csv": ",", ".tsv": "\t", ".tab": "\t"}
_PARQUET = (".parquet", ".pq")


def table(values: Any) -> Any:
    """Return an Arrow table with a row for each distinct text of a column, in order of appearance.

    `values` is a column of any library, or an iterable of texts; null is left out.  The columns
    are ``label``, ``type``, ``served_header``, ``verdict``, ``outer``, ``confidence``, ``reason``,
    and the IRIs of the type: ``eu_file_type`` and ``iana_media_type``.

    >>> labels_table = table(["CSV", "WMS", "CSV"])
    >>> labels_table.select(["label", "type", "verdict"]).to_pylist()[0]
    {'label': 'CSV', 'type': 'text/csv', 'verdict': 'media_type'}
    >>> labels_table["eu_file_type"].to_pylist()
    ['http://publications.europa.eu/resource/authority/file-type/CSV', None]
    """
    pa = import_extra("pyarrow", "arrow")
    rows = _rows(values)
    return pa.table({name: pa.array([row[name] for row in rows], pa.string()) for name in COLUMNS})


def _rows(values: Iterable[Any]) -> list[dict[str, str | None]]:
    """Return the meaning of each distinct text, in order of appearance."""
    return [_row(text) for text in dict.fromkeys(text for text in values if isinstance(text, str))]


def _row(label: str) -> dict[str, str | None]:
    """Return the meaning of a label, by the names of columns."""
    row = {_LABEL: label} | {name: value(FUNCTIONS[name], label) for name in _FUNCTIONS}
    named = resolve(label).named
    if len(named) != 1:
        return row | dict.fromkeys(_IRIS)
    essence = named[0].essence
    iris = {one.scheme: one.iri for one in own_identifiers(essence)}
    # The label may name a narrower format of the EU than its type: GeoTIFF.
    file_type = eu_file_type_for(essence, label)
    eu = f"{EU_FILE_TYPES.value}/{file_type.code}" if file_type else iris.get("eu-file-type")
    return row | dict(zip(_IRIS, (eu, iris.get("iana-https")), strict=True))


def write_label_table(
    sources: Iterable[str | PathLike[str]], column: str, target: str | PathLike[str]
) -> int:
    r"""Write the table of the distinct labels in a column of some files; return its length.

    The files are Parquet, or CSV in UTF-8 with commas (tabs in ``.tsv``); so is the target.  They
    are read in parts: only the distinct labels are in memory.  Raises `CatalogError` where a file
    is not such a table or lacks the column.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     rows, labels = Path(folder, "rows.csv"), Path(folder, "labels.csv")
    ...     _ = rows.write_text("format,n\nCSV,1\nCSV,2\n")
    ...     write_label_table([rows], "format", labels)
    ...     labels.read_text().splitlines()[1].split(",")[:2]
    1
    ['CSV', 'text/csv']
    """
    path = str(target)
    ending = _ending(path)
    texts = chain.from_iterable(_texts(str(source), column) for source in sources)
    if ending in _PARQUET:
        written = table(texts)
        with replacing(path) as file:
            import_extra("pyarrow.parquet", "arrow").write_table(written, file)
        return int(written.num_rows)
    rows = _rows(texts)
    with packing_text(path) as file:
        lines = csv.DictWriter(file, COLUMNS, delimiter=_TEXT[ending], lineterminator="\n")
        lines.writeheader()
        lines.writerows(rows)
    return len(rows)


def _ending(name: str) -> str:
    ending = Path(name).suffix.lower()
    if ending not in (*_TEXT, *_PARQUET):
        endings = ", ".join((*_TEXT, *_PARQUET))
        raise CatalogError("not the name of a CSV or Parquet file", name, f"one of {endings}")
    return ending


def _texts(source: str, column: str) -> Iterator[str]:
    """Yield the texts in a column of a file, each once for each part of the file."""
    ending = _ending(source)
    try:
        yield from (
            _of_parquet(source, column)
            if ending in _PARQUET
            else _of_csv(source, column, _TEXT[ending])
        )
    except OSError as error:
        raise unreadable(source, error, "a readable file") from error


def _of_csv(source: str, column: str, delimiter: str) -> Iterator[str]:
    with open(source, encoding="utf-8-sig", newline="") as file:  # noqa: PTH123
        rows = csv.reader(file, delimiter=delimiter)
        try:
            index = column_index(source, column, next(rows, []))
            for row in rows:
                if index < len(row) and row[index]:
                    yield row[index]
        except (csv.Error, UnicodeDecodeError) as error:
            place = f"{source}:{rows.line_num}"
            raise CatalogError(f"not CSV ({error})", place, "a table in UTF-8") from error


def _of_parquet(source: str, column: str) -> Iterator[str]:
    pa = import_extra("pyarrow", "arrow")
    try:
        with import_extra("pyarrow.parquet", "arrow").ParquetFile(source) as file:
            column_index(source, column, file.schema_arrow.names)
            for batch in file.iter_batches(_BATCH, columns=[column]):
                texts = batch.column(0)
                if not pa.types.is_dictionary(texts.type):
                    texts = texts.dictionary_encode()
                yield from (text for text in texts.dictionary.to_pylist() if isinstance(text, str))
    except pa.ArrowException as error:
        raise CatalogError(f"not Parquet ({error})", source, "valid Parquet") from error
