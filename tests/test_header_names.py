"""The names of resources without an IRI in a report."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyoxigraph as ox
import pytest

from cturi_rdf.catalogue import HeaderStream, headers_of_file
from cturi_rdf.rdf import headers
from cturi_rdf.reading import read_catalog
from cturi_rdf.reading.formats import ReadOptions, format_named

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Cturi, Write

CATALOGUE = """@prefix dcat: <http://www.w3.org/ns/dcat#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix schema: <https://schema.org/> .
[] dct:format "CSV" ; dct:title "title" ; dcat:downloadURL <http://a.example/download> .
[] dct:format "CSV" ; dct:title "title" ; dcat:accessURL <http://a.example/access> .
[] dct:format "CSV" ; dct:title "Loans \\"2026\\", all \\u20AC\\n\\tof them\\\\" .
[] dct:format "CSV" ; schema:name "name" .
[] dct:format "CSV" ; dct:publisher [ dct:title "of another" ] .
"""
LOANS, URL = 'Loans "2026", all \u20ac\n\tof them\\', "http://a.example/"
NAMES = [LOANS, f"{URL}access", f"{URL}download", "name", "without a name"]


@pytest.mark.parametrize("name", ["turtle", "trig", "nt", "nquads", "xml", "json-ld"])
def test_a_blank_node_is_called_by_its_url_its_title_or_nothing(name: str, tmp_path: Path) -> None:
    form = format_named(name)
    source = tmp_path / "source"
    ox.serialize(ox.parse(CATALOGUE, ox.RdfFormat.TURTLE), str(source), form.oxigraph)
    assert [
        str(header.name) for header in headers_of_file(str(source), reading=ReadOptions(form=name))
    ] == NAMES
    lines = "".join(HeaderStream(str(source), reading=ReadOptions(form=name))).splitlines()
    assert [line.partition("\t")[0] for line in lines][1:] == NAMES[1:]
    assert lines[0].startswith('Loans "2026", all \u20ac')
    in_graph = headers(read_catalog(str(source), ReadOptions(form=name)))
    assert [str(header.name) for header in in_graph] == NAMES


def test_a_label_that_the_file_gives_to_a_blank_node_is_its_name(write: Write) -> None:
    source = write("source.nt", '_:loans <http://purl.org/dc/terms/format> "CSV" .\n')
    assert list(HeaderStream(str(source))) == ["_:loans\ttext/csv\n"]


def test_resources_without_a_name_are_in_the_same_order_at_every_reading(write: Write) -> None:
    formats = [f'[] <http://purl.org/dc/terms/format> "{name}" .' for name in ("XML", "CSV") * 4]
    source = write("source.ttl", "\n".join(formats))
    lines = "".join(HeaderStream(source)).splitlines()
    assert lines == [f"without a name\t{of}" for of in ["text/csv"] * 4 + ["application/xml"] * 4]
    types = [str(header.content_type) for header in headers_of_file(source)]
    assert types == [line.partition("\t")[2] for line in lines]


def test_a_summary_has_no_random_name(cturi: Cturi, tmp_path: Path, write: Write) -> None:
    source = write("source.n3", '[] <http://purl.org/dc/terms/format> "no such format" .\n')
    shown = cturi("annotate", source, "-o", tmp_path / "target.ttl").err
    assert "first on a blank node\n" in shown


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (
            (
                '{"@context": "https://www.w3.org/ns/activitystreams", "id": "https://m.example/1",'
                ' "type": "Note", "attachment": {"type": "Document", "mediaType": "image/jpeg",'
                ' "url": "https://m.example/1.jpg"}}'
            ),
            "https://m.example/1.jpg",
        ),
        (
            (
                '{"@context": "http://www.w3.org/ns/csvw", "url": "https://m.example/tree.csv",'
                ' "dc:title": "Trees", "dc:format": "text/csv"}'
            ),
            "https://m.example/tree.csv",
        ),
    ],
)
def test_a_url_names_a_resource_before_its_title(tmp_path: Path, text: str, name: str) -> None:
    path = tmp_path / "a.jsonld"
    path.write_text(text, "utf-8")
    [header] = headers_of_file(str(path))
    assert header.name == name
