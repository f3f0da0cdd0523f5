"""A table of facts is text with a head, columns and rows; a row is a record."""

from __future__ import annotations

import copy
import pickle
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cturi_rdf.registry import (
    AliasRecord,
    CharsetRecord,
    EuFileTypeRecord,
    ExtensionRecord,
    FormatRecord,
    MediaTypeRecord,
    SubTypeRecord,
    SuffixRecord,
)
from cturi_rdf.registry.schemes import SchemeRecord
from cturi_rdf.registry.tables import Table, load, read_row, read_table, write_table

if TYPE_CHECKING:
    from pathlib import Path

TABLES = {
    "aliases": AliasRecord,
    "charsets": CharsetRecord,
    "eu-file-type": EuFileTypeRecord,
    "extensions": ExtensionRecord,
    "loc-fdd": FormatRecord,
    "media-types": MediaTypeRecord,
    "pronom": FormatRecord,
    "schemes": SchemeRecord,
    "sub-types": SubTypeRecord,
    "suffixes": SuffixRecord,
    "w3c-formats": FormatRecord,
    "wikidata": FormatRecord,
}


@pytest.mark.parametrize("name", TABLES)
def test_every_table_says_its_source_date_and_licence(name: str) -> None:
    facts = load(f"{name}.tsv", TABLES[name]).facts
    assert list(facts) == ["source", "date", "licence"]
    assert all(facts.values())


@pytest.mark.parametrize("name", TABLES)
def test_every_row_of_every_table_is_a_record_that_writes_itself(name: str) -> None:
    table = load(f"{name}.tsv", TABLES[name])
    records = list(table)
    assert len(records) == len(table) > 0
    again = Table(write_table(table.facts, TABLES[name], records), TABLES[name])
    assert list(again) == records
    assert again.facts == table.facts


_TEXT = st.text(st.characters(exclude_characters="\t\n|\r", codec="utf-8"))
_MEMBERS = st.lists(_TEXT.filter(bool)).map(tuple)


@given(st.tuples(_TEXT.filter(bool), _TEXT, _MEMBERS, _MEMBERS))
def test_a_record_survives_the_table(fields: tuple[Any, ...]) -> None:
    record = FormatRecord(*fields)
    table = Table(write_table({"date": "2026-01-01"}, FormatRecord, [record]), FormatRecord)
    assert table.get(fields[0]) == record


def test_a_record_is_a_value() -> None:
    record = read_row(SuffixRecord, "xml\tXML\tapplication/xml\tRFC7303\tapplication/xml\tyes")
    assert (record.name, record.references, record.suffix_first) == ("xml", ("RFC7303",), True)
    assert repr(record).startswith("SuffixRecord(name='xml', title='XML', base='application/xml'")
    for other in (copy.deepcopy(record), pickle.loads(pickle.dumps(record))):  # noqa: S301 # our own
        assert other == record
        assert hash(other) == hash(record)
        assert type(other) is SuffixRecord
    with pytest.raises(AttributeError):
        record.name = "json"


def test_a_record_is_read_when_it_is_asked_for_and_once() -> None:
    table = Table("code\tlabel\ttypes\trelations\na\tA\t\t\nb\tB\n", FormatRecord)
    assert table.get("a") is table.get("a")
    assert "b" in table
    assert table.get("c") is None
    with pytest.raises(ValueError, match="not a row of"):
        table.get("b")
    with pytest.raises(ValueError, match="a row has other columns"):
        table.column("label")


def test_a_table_without_rows_has_empty_columns() -> None:
    table = Table("code\tlabel\ttypes\trelations\n", FormatRecord)
    assert table.column("label") == ()


@pytest.mark.parametrize("text", ["", "# date: 2026-01-01", "code\tlabel\n", "code,label,types\n"])
def test_other_columns_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a table of"):
        Table(text, FormatRecord)


def test_the_file_of_another_table_is_named(tmp_path: Path) -> None:
    path = tmp_path / "formats.tsv"
    path.write_text("code\tlabel\n", "utf-8")
    with pytest.raises(ValueError, match=r"formats\.tsv: not a table of"):
        read_table(str(path), FormatRecord)


class _Odd(NamedTuple):
    number: complex


def test_a_field_is_of_a_known_kind() -> None:
    with pytest.raises(KeyError):
        read_row(_Odd, "1")
