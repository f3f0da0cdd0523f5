"""Literals whose text their datatype does not have: RDF 1.1 Concepts section 3.3."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cturi_rdf.catalogue import Adding, annotate_file
from cturi_rdf.reading.formats import ReadOptions, format_named
from cturi_rdf.reading.terms import XSD, is_well_typed

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Cturi, Write

CATALOGUE = b"""@prefix dcat: <http://www.w3.org/ns/dcat#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
<http://example.org/1>
    dct:description "an \\"R/P1W\\"^^<http://www.w3.org/2001/XMLSchema#date> here" ;
    dct:issued "2020-02-29"^^xsd:date ; dct:modified "2020-02-30"^^xsd:date ;
    dcat:byteSize "many"^^xsd:decimal ; dct:format "CSV" .
"""


@pytest.mark.parametrize(
    ("datatype", "texts", "others"),
    [
        ("date", "2016-02-29 -0044-03-15 12016-01-01 2016-01-01Z 2016-01-01+14:00",
         "R/P1W 2015-02-29 2016-13-01 2016 2016-01-01T00:00:00 02016-01-01 2016-01-01+14:30"),
        ("dateTime", "2016-07-12T13:51:29.820576 2016-07-12T24:00:00Z 2000-02-29T00:00:00-05:00",
         "2016-07-12 2016-07-12T24:00:01 1900-02-29T00:00:00 2016-07-12T13:51 2016-07-12T13:60:00"),
        ("gYear", "2016 -0001 0000 2016Z", "16 20160-01 02016"),
        ("gMonthDay", "--02-29 --12-31Z", "--02-30 --04-31 02-29"),
        ("duration", "P1Y P1Y2M3DT4H5M6.7S PT1S -P1D P1M", "P R/P1W P1W PT P1YT P1S"),
        ("dayTimeDuration", "P1D PT36H", "P1Y P1M P"),
        ("decimal", "1 1. .5 -1.50 +0", "1e3 . 1,000 INF NaN"),
        ("double", "1e3 .5E-2 INF -INF NaN", "inf 1e 1.2.3"),
        ("integer", "0 -0 +12 123456789012345678901234567890", "1.0 1e3 many"),
        ("nonNegativeInteger", "0 -0 +12 0012", "-1 1.5"),
        ("negativeInteger", "-1 -010", "0 -0 1"),
        ("byte", "-128 127 +0000127", "128 -129"),
        ("unsignedLong", "18446744073709551615 -0", "18446744073709551616 -1"),
        ("boolean", "true false 1 0", "TRUE yes"),
        ("hexBinary", "0fb8 0FB8", "0fb 0g"),
        ("string", "anything", ""),
        ("anyURI", "anything", ""),
    ],
)  # fmt: skip
def test_each_datatype_has_its_own_texts(datatype: str, texts: str, others: str) -> None:
    assert [text for text in texts.split() if not is_well_typed(text, XSD + datatype)] == []
    assert [text for text in others.split() if is_well_typed(text, XSD + datatype)] == []


def test_a_text_has_neither_spaces_around_it_nor_digits_of_other_scripts() -> None:
    assert not is_well_typed(" 1", XSD + "integer")
    assert not is_well_typed("1\n", XSD + "integer")
    assert not is_well_typed("١", XSD + "integer")


@given(st.dates())
def test_every_day_of_the_calendar_is_a_date(day: object) -> None:
    assert is_well_typed(str(day), XSD + "date")


@given(st.text(), st.sampled_from(["int", "date", "dateTime", "duration", "double", "unsignedInt"]))
def test_any_text_is_judged(text: str, datatype: str) -> None:
    assert is_well_typed(text, XSD + datatype) in {True, False}
    assert not is_well_typed("0" * 10_000 + text + "x", XSD + datatype)


@pytest.mark.parametrize("name", ["turtle", "trig", "nt", "nquads", "xml", "json-ld"])
@pytest.mark.parametrize("again", [0, 1])
def test_they_are_counted_in_every_syntax_with_the_place_of_the_first(
    name: str, again: int, tmp_path: Path
) -> None:
    form = format_named(name)
    source = tmp_path / "source"
    quads = list(ox.parse(CATALOGUE, ox.RdfFormat.TURTLE))
    ox.serialize(quads, str(source), form.oxigraph)
    for _ in range(1 + again):
        report = annotate_file(
            str(source), str(source), reading=ReadOptions(form=name), to=name, adding=Adding.LINKS
        )
    assert report.ill_typed is not None
    assert report.ill_typed.number == 2
    assert report.ill_typed.literal == f'"2020-02-30"^^<{XSD}date>'
    first = report.ill_typed.first
    assert (first.resource, first.property) == (
        "http://example.org/1",
        "http://purl.org/dc/terms/modified",
    )
    assert first.line is not None
    assert first.column is not None
    line = source.read_text("utf-8").splitlines()[first.line - 1]
    assert line[first.column - 1 :].strip('"{}').startswith(("2020-02-30", "@"))
    assert set(quads) <= set(ox.parse(source.read_bytes(), form.oxigraph))


@pytest.mark.parametrize("name", ["turtle", "nt", "n3"])
def test_they_are_kept_and_counted_where_the_syntax_changes(name: str, tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target.nq"
    source.write_bytes(CATALOGUE)
    if name == "nt":
        ox.serialize(ox.parse(CATALOGUE, ox.RdfFormat.TURTLE), str(source), ox.RdfFormat.N_TRIPLES)
    report = annotate_file(str(source), str(target), reading=ReadOptions(form=name))
    assert report.ill_typed is not None
    assert report.ill_typed.number == 2
    assert (report.ill_typed.first.line is None) == (name == "n3")
    assert f'"many"^^<{XSD}decimal>'.encode() in target.read_bytes()


def test_lines_of_any_length_and_form_are_read(tmp_path: Path) -> None:
    wrong = (
        f'_:é <a:b> "{"9" * 100}x"^^<{XSD}integer> .',
        f'_:é <a:b> "1\\u002E5"^^<{XSD}integer> . # "1"^^<{XSD}integer>',
        f'_:é <a:b> ""^^<{XSD}date> <a:g> .',
    )
    right = (
        f'_:é <a:b> "{"9" * 100}"^^<{XSD}integer> .',
        f'_:é <a:b> "\\u0031"^^<{XSD}integer> .',
        f'# _:é <a:b> "x"^^<{XSD}integer> .',
        f'_:é <a:b> "\\"x\\"^^<{XSD}integer> ." .',
        f'_:é <a:b> "x"^^<{XSD}unknown> .',
    )
    source, target = tmp_path / "source.nq", tmp_path / "target.nq"
    for lines, count in ((right, 0), (wrong, 3), (right + wrong + right, 3)):
        source.write_text("\n".join(lines), "utf-8")
        report = annotate_file(str(source), str(target))
        assert (report.ill_typed.number if report.ill_typed else 0) == count
    assert report.ill_typed is not None
    assert (report.ill_typed.first.line, report.ill_typed.first.column) == (6, 11)


def test_the_command_says_how_many_and_where(cturi: Cturi, tmp_path: Path) -> None:
    source, target = tmp_path / "source.ttl", tmp_path / "target.ttl"
    source.write_bytes(CATALOGUE)
    first = f'"2020-02-30"^^<{XSD}date> at {source}:6:54'
    shown = cturi("annotate", source, "-o", target).err
    assert f"2 literals do not fit their datatype, kept as written: {first}" in shown
    shown = cturi("annotate", source, "-o", target, "--json").out
    counts = json.loads(shown)["ill_typed_literals"]
    assert (counts["count"], counts["first"]["line"], counts["first"]["column"]) == (2, 6, 54)


@pytest.mark.parametrize(
    "arguments",
    [
        "query --no-registry SELECT*{{?s?p?o}} {}",
        "query --no-registry --as-is SELECT*{{?s?p?o}} {}",
        "check {} --shapes {}",
    ],
)
def test_no_command_prints_what_rdflib_finds_in_them(write: Write, arguments: str) -> None:
    source = write("source.ttl", CATALOGUE)
    shape = b"<http://example.org/s> a <http://www.w3.org/ns/shacl#NodeShape> ; dct:issued 1 ."
    shapes = write("shapes.ttl", CATALOGUE + shape)
    command = [sys.executable, "-m", "cturi_rdf", *arguments.format(source, shapes).split()]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in {0, 1}
    assert done.stdout
    assert "Traceback" not in done.stderr
    assert "rdflib" not in done.stderr
