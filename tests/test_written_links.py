"""Where a link is written: beside its label, in the words of the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from annotated_files import CTV, PREFIXES

from cturi_rdf.catalogue import Adding, annotate_file
from cturi_rdf.reading import CatalogError

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Write


NAMES = (
    'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dct="http://purl.org/dc/terms/"'
)
# A file with one label, CSV, and the file with its link.
LINKED = {
    "a graph without a name.trig": (
        f'{PREFIXES}[] {{ <a:1> dct:format "CSV" . }}\n',
        f'{PREFIXES}[] {{ <a:1> dct:format "CSV" ; ctv:contentType <ContentType:text/csv> . }}\n',
    ),
    "a graph without a name.jsonld": (
        '[{"@graph": {"@id": "a:1", "http://purl.org/dc/terms/format": "CSV"}}]',
        (
            '[{"@graph": {"@id": "a:1", "http://purl.org/dc/terms/format": "CSV", '
            f'"{CTV}contentType": {{"@id": "ContentType:text/csv"}}}}}}]'
        ),
    ),
    "an attribute of a property.rdf": (
        (
            f'<rdf:RDF {NAMES} xmlns:ctv="{CTV}"><dct:File><dct:hasPart dct:format="CSV"/>'
            "</dct:File></rdf:RDF>"
        ),
        (
            f'<rdf:RDF {NAMES} xmlns:ctv="{CTV}"><dct:File><dct:hasPart>'
            '<rdf:Description dct:format="CSV">'
            '<ctv:contentType rdf:resource="ContentType:text/csv"/></rdf:Description>'
            "</dct:hasPart></dct:File></rdf:RDF>"
        ),
    ),
    "what a literal of XML would say.rdf": (
        (
            f"<rdf:RDF {NAMES}>\n<dct:File>\n <dct:format>CSV</dct:format>\n"
            ' <dct:title rdf:parseType="Literal"><b>x</b></dct:title>\n</dct:File>\n</rdf:RDF>\n'
        ),
        (
            f"<rdf:RDF {NAMES}>\n<dct:File>\n <dct:format>CSV</dct:format>\n"
            f' <ctv:contentType xmlns:ctv="{CTV}" rdf:resource="ContentType:text/csv"/>\n'
            ' <dct:title rdf:parseType="Literal"><b>x</b></dct:title>\n</dct:File>\n</rdf:RDF>\n'
        ),
    ),
    "a text in parts.rdf": (
        (
            f"<rdf:RDF {NAMES}><dct:File><dct:format>C<!-- c --><![CDATA[S]]><?p?>V</dct:format>"
            "</dct:File></rdf:RDF>"
        ),
        (
            f'<rdf:RDF {NAMES} xmlns:ctv="{CTV}"><dct:File>'
            "<dct:format>C<!-- c --><![CDATA[S]]><?p?>V</dct:format>"
            '<ctv:contentType rdf:resource="ContentType:text/csv"/></dct:File></rdf:RDF>'
        ),
    ),
}


@pytest.mark.parametrize("name", LINKED)
def test_a_link_is_written_beside_its_label(write: Write, name: str) -> None:
    path = write(name, LINKED[name][0])
    for _ in range(2):
        annotate_file(str(path), str(path), adding=Adding.LINKS)
        assert path.read_text() == LINKED[name][1]


def test_a_label_that_nothing_can_stand_beside_is_named_by_its_place(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonld"
    term = '{"@reverse": "http://purl.org/dc/terms/format", "@type": "@id"}'
    csv = "http://www.iana.org/assignments/media-types/text/csv"
    text = f'{{"@context": {{"of": {term}}},\n "@id": "{csv}", "of": "http://a.example/1"}}'
    path.write_text(text)
    with pytest.raises(CatalogError, match="cannot be added there") as refused:
        annotate_file(str(path), str(path), adding=Adding.LINKS)
    assert (refused.value.line, refused.value.column) == (2, 71)
    assert path.read_text() == text


HEADS = [
    ("@prefix dct: <http://purl.org/dc/terms/> .\n", "@prefix ctv: <{}> ."),
    ("PREFIX dct: <http://purl.org/dc/terms/>\n", "PREFIX ctv: <{}>"),
    ("# Ours.\n@base <http://b/> .\nPrefix dct: <http://purl.org/dc/terms/>\n", "Prefix ctv: <{}>"),
]


@pytest.mark.parametrize(("head", "declared"), HEADS)
def test_a_prefix_is_declared_as_the_head_of_the_file_declares_them(
    write: Write, head: str, declared: str
) -> None:
    source = write("c.ttl", f'{head}\n<http://a.example/1> dct:format "CSV" .\n')
    annotate_file(str(source), str(source), adding=Adding.LINKS)
    assert source.read_text() == (
        f"{head}{declared.format(CTV)}\n\n"
        '<http://a.example/1> dct:format "CSV" ; ctv:contentType <ContentType:text/csv> .\n'
    )


def test_a_file_without_prefixes_gets_none(tmp_path: Path) -> None:
    source = tmp_path / "c.ttl"
    statement = '<http://a.example/1> <http://purl.org/dc/terms/format> "CSV"'
    source.write_text(f"{statement} .\n")
    annotate_file(str(source), str(source), adding=Adding.LINKS)
    assert source.read_text() == f"{statement} ; <{CTV}contentType> <ContentType:text/csv> .\n"
