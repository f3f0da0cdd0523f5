"""The tables of names, words and phrases that labels are read by."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import cturi_rdf
from cturi_rdf.catalogue.evidence import is_placeholder
from cturi_rdf.content_type import ContentType
from cturi_rdf.labels import resolve
from cturi_rdf.labels.candidates import candidates
from cturi_rdf.labels.grammar import PATTERNS, Pattern, composed, signature
from cturi_rdf.labels.media_types import SpecifiedTypeRecord
from cturi_rdf.labels.names import (
    FormatNameRecord,
    ServiceKindRecord,
    WordRecord,
    languages,
    name_key,
    service_names,
    without_version,
    words_of,
)
from cturi_rdf.labels.resolver import EdamRecord
from cturi_rdf.registry import registry
from cturi_rdf.registry.hierarchy import rdf_types
from cturi_rdf.registry.tables import load

if TYPE_CHECKING:
    from typing import NamedTuple
EU = "http://publications.europa.eu/resource/authority/file-type/"
FORMAT_NAMES, SERVICE_KINDS = "labels/formats.tsv", "labels/services.tsv"
ROOT = Path(__file__).parents[1]
DATA = Path(cturi_rdf.__file__).parent / "data" / "labels"
USES = {"first", "either", "usual", "family", "program", "syntax", "archive"}
KINDS = {
    "format", "service", "package", "packed", "noise", "aside", "ending", "service-ending", "and",
    "from", "transport", "kind", "placeholder", "ordinary", "qualifier", "thing", "product",
    "delimited", "detail", "usual", "text", "image", "audio", "video", "font", "archive",
    "chart", "database", "drawing", "formula", "presentation", "spreadsheet", "template", "writing",
}  # fmt: skip


def test_no_type_that_a_specification_alone_names_is_registered() -> None:
    types = load("specified-types.tsv", SpecifiedTypeRecord).keys()
    assert [essence for essence in types if registry().media_type(essence)] == []


def test_a_type_of_rdf_in_use_means_itself() -> None:
    used = [record.essence for record in rdf_types() if record.status == "in use"]
    assert [[*map(str, resolve(essence).types)] for essence in used] == [
        [essence] for essence in used
    ]


def test_every_type_of_the_registry_means_itself_or_what_replaced_it() -> None:
    for record in registry().media_types():
        found = resolve(record.essence)
        is_current = record.status == "registered" and not record.replaced_by
        meant = record.essence if is_current else registry().canonical(record.essence)
        assert [str(one) for one in found.types] == [meant]
        assert found.confidence == "certain"


def test_the_reason_says_what_status_a_type_of_the_registry_has() -> None:
    for record in registry().media_types():
        reason = resolve(record.essence).reason
        assert reason.lower().startswith(f"iana lists {record.essence}")
        assert record.status == "registered" or f" as {record.status}" in reason


def test_an_extension_with_a_digit_is_no_other_extension_with_a_version() -> None:
    for record in registry().extensions():
        key = record.extension
        if len(key) > 2 and key[-1].isdigit() and not key.isdigit():
            named, dotted = resolve(key), resolve(f".{key}")
            # The name of a format, as of a tar.bz2, may say more than the end of a file's name.
            assert named.types == dotted.types or named.rule in {"alias", "code", "service"}, key


def test_every_code_of_the_eu_means_the_same_as_its_iri() -> None:
    for record in registry().eu_file_types():
        by_iri, by_code = resolve(EU + record.code), resolve(record.code)
        assert by_code.types in {by_iri.types, ()}, record.code


def test_the_types_of_a_named_format_are_types() -> None:
    for record in load("labels/formats.tsv", FormatNameRecord):
        for essence in (*record.types, *filter(None, [record.outer])):
            assert registry().canonical(essence) == essence == ContentType.parse(essence).essence
        assert set(record.use) <= USES
        assert record.types or record.note


def test_a_name_means_one_format_in_all_languages() -> None:
    formats = {
        name_key(each.name): {f"format:{each.name}"}
        for each in load(FORMAT_NAMES, FormatNameRecord)
    }
    for record in words_of(*languages()):
        named = {each for each in record.kinds if each.startswith("format:")}
        formats.setdefault(name_key(record.word), set()).update(named)
    assert {key: named for key, named in formats.items() if len(named) > 1} == {}


@pytest.mark.parametrize("tag", languages())
def test_a_table_of_words_has_each_word_once_and_kinds_that_exist(tag: str) -> None:
    lines = (DATA / "words" / f"{tag}.tsv").read_text("utf-8").splitlines()
    rows = [line for line in lines if not line.startswith("# ")][1:]
    words = [row.partition("\t")[0] for row in rows]
    assert [word for word, count in Counter(words).items() if count > 1] == []
    formats, services = load(FORMAT_NAMES, FormatNameRecord), load(SERVICE_KINDS, ServiceKindRecord)
    for record in words_of(tag):
        for each in record.kinds:
            kind, _, target = each.partition(":")
            assert kind in KINDS, record
            assert kind != "format" or target in formats, record
            assert kind != "service" or target in services, record


@pytest.mark.parametrize("tag", sorted({*languages()} - {"mul"}))
def test_each_language_has_words_that_stand_for_no_format(tag: str) -> None:
    words = [record.word for record in words_of(tag) if "placeholder" in record.kinds]
    assert len(words) > 2
    for word in words:
        meaning = resolve(word)
        assert (meaning.verdict, meaning.types) == ("nothing", ()), word
        assert is_placeholder(word), word


@pytest.mark.parametrize(
    ("name", "shorter"),
    [
        ("Hypertext Markup Language 4.01", "Hypertext Markup Language"),
        ("PDF/A 1-3/x", "PDF/A"),
        ("MPEG-4", "MPEG-4"),
        ("Zip", "Zip"),
    ],
)
def test_a_format_is_also_called_by_its_name_without_the_version(name: str, shorter: str) -> None:
    assert without_version(name) == shorter


def test_a_type_has_the_extensions_that_have_it_its_own_first() -> None:
    by_type = registry().extensions_by_type()
    assert list(by_type) == sorted(by_type)
    for essence, extensions in by_type.items():
        rows = [registry().extension(extension) for extension in extensions]
        own = [row is not None and essence in row.main_of for row in rows]
        assert own == sorted(own, reverse=True)
        assert all(row and essence in row.types for row in rows)
    # A type that prefers an extension is one of its types.
    assert all({*row.main_of} <= {*row.types} for row in registry().extensions())
    assert sum(len(row.types) for row in registry().extensions()) == sum(map(len, by_type.values()))


@pytest.mark.parametrize("row", PATTERNS, ids=lambda row: row.example)
def test_a_pattern_of_phrases_decides_about_its_example(row: Pattern) -> None:
    assert composed(row.example) is not None or resolve(row.example).verdict == "nothing"
    outline = signature(candidates(row.example))
    first = next(each for each in PATTERNS if each.matches(outline))
    assert first is row


@pytest.mark.parametrize(
    ("name", "record"),
    [
        ("formats", FormatNameRecord),
        ("services", ServiceKindRecord),
        ("edam", EdamRecord),
        ("patterns", Pattern),
        *((f"words/{tag}", WordRecord) for tag in languages()),
    ],
)
def test_every_table_says_where_it_is_from(name: str, record: type[NamedTuple]) -> None:
    table = load(f"labels/{name}.tsv", record)
    assert {"source", "date", "licence"} <= set(table.facts)
    assert record is not WordRecord or "language" in table.facts
    assert len(table) > 0


def test_a_whole_name_in_a_table_of_formats_counts_where_its_words_name_no_format() -> None:
    for name, essence in (
        ("Microsoft Excel Workspace File", "application/vnd.ms-excel"),
        ("ICC profile", "application/vnd.iccprofile"),
        ("Microsoft Visio Template 2013", "application/vnd.ms-visio.template.main+xml"),
    ):
        meaning = resolve(name)
        assert [str(each) for each in meaning.types] == [essence]
        assert meaning.confidence == "likely"
    # "Template" alone makes another thing of a format.
    assert resolve("CSV template").verdict == "nothing"


def test_the_names_of_services_are_those_of_the_words() -> None:
    listed = list(service_names())
    assert len(listed) == len(set(listed))
    assert {"WMS", "WFS"} <= set(listed)
    assert all(resolve(name).services for name in listed)
    assert set(listed).isdisjoint({"zipped", "CSV", "metadata"})
