"""A fact with one home has one answer, whichever way it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
import pytest
from checks import properties_checked
from rdflib import DCTERMS, Graph, Literal, URIRef, plugin
from rdflib.parser import Parser

from cturi_rdf import columns
from cturi_rdf.check import check_file
from cturi_rdf.labels import resolve
from cturi_rdf.rdf import CTV, annotate, headers
from cturi_rdf.rdf.formats import rdflib_format, register_formats
from cturi_rdf.reading.formats import FORMATS, format_named
from cturi_rdf.sparql.query import run

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Cturi

RESOURCE = URIRef("http://a.example/1")
FORMAT = "<http://purl.org/dc/terms/format>"
LABELS = [
    "CSV", "zip flurbel", "Zipped Shapefile", "csv.gz", "csv (lzip)", "application/json",
    "CSV, JSON", "WMS", "flurbel", "ZIP",
]  # fmt: skip


# --- What a label names ----------------------------------------------------------------------


@pytest.mark.parametrize("label", LABELS)
def test_graph_query_and_column_name_the_same_types_for_a_label(label: str) -> None:
    types = list(map(str, resolve(label).named))
    header = types[0] if len(types) == 1 else None
    graph = Graph().add((RESOURCE, DCTERMS.format, Literal(label)))
    evidence = [statement for one in headers(graph) for statement in one.evidence]
    assert {str(one) for statement in evidence for one in statement.content_types} == set(types)
    [row] = run(f'SELECT (COALESCE(ctf:header("{label}"), "") AS ?header) {{}}')
    assert str(row.header) == (header or "")
    assert columns.types(pa.array([label])).to_pylist() == [header]


# --- Packages and compressions ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("label", "link", "wrapper"),
    [
        ("csv (lzip)", CTV.compression, "application/x-lzip"),
        ("csv.gz", CTV.compression, "application/gzip"),
        ("gzipped CSV", CTV.compression, "application/gzip"),
        ("csv.bz2", CTV.compression, "application/x-bzip2"),
        ("csv.zst", CTV.compression, "application/zstd"),
        ("Zipped CSV", CTV.packaging, "application/zip"),
        ("csv (zip)", CTV.packaging, "application/zip"),
        ("csv.7z", CTV.packaging, "application/x-7z-compressed"),
    ],
)
def test_a_wrapper_is_a_package_or_a_compression_however_it_is_written(
    label: str, link: URIRef, wrapper: str
) -> None:
    graph = Graph().add((RESOURCE, DCTERMS.format, Literal(label)))
    annotate(graph)
    wrappers = {
        (predicate, str(value))
        for predicate in (CTV.compression, CTV.packaging)
        for value in graph.objects(RESOURCE, predicate)
    }
    assert wrappers == {(link, f"ContentType:{wrapper}")}
    assert (RESOURCE, CTV.contentType, URIRef("ContentType:text/csv")) in graph
    assert (None, CTV.outerContentType, URIRef(f"ContentType:{wrapper}")) in graph


# --- Properties whose values are labels ------------------------------------------------------


def test_every_label_property_is_read_and_checked(tmp_path: Path) -> None:
    catalogue = tmp_path / "c.nt"
    resources = {path: f"http://a.example/{at}" for at, path in enumerate(properties_checked())}
    catalogue.write_text(
        "".join(
            f'<{iri}> <{path}> "application/x-no-such-{iri[17:]}" .\n'
            for path, iri in resources.items()
        )
    )
    findings = check_file(str(catalogue)).findings
    checked = {str(place.resource) for finding in findings for place in finding.places}
    assert {path for path, iri in resources.items() if f"<{iri}>" not in checked} == set()


# --- Formats of RDF --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "form"), [(name, form.name) for form in FORMATS for name in form.media_types]
)
def test_the_parsers_of_rdflib_take_every_media_type_of_a_format(name: str, form: str) -> None:
    assert format_named(name).name == rdflib_format(name) == form
    # Names that are not of RDF alone, such as application/json, are added only on request.
    register_formats()
    assert plugin.get(name, Parser)


@pytest.mark.parametrize("name", ["application/turtle", "text/rdf+n3", "TURTLE", ".ttl"])
def test_the_command_line_takes_every_name_of_a_format(
    name: str, tmp_path: Path, cturi: Cturi
) -> None:
    (tmp_path / "c.dat").write_text(f'<http://a.example/1> {FORMAT} "CSV" .')
    run = cturi("headers", "--from", name, tmp_path / "c.dat")
    assert run.out == "http://a.example/1\ttext/csv\n"


# --- A file read as a whole and line by line -------------------------------------------------


def test_turtle_and_lines_have_the_same_headers_in_the_same_order(
    tmp_path: Path, cturi: Cturi
) -> None:
    lines = (
        f'<http://a.example/2> {FORMAT} "CSV", "JSON" .\n'
        f'<http://a.example/1> {FORMAT} "zip flurbel" .\n'
        f'_:b {FORMAT} "XML" .\n'
        "_:b <http://www.w3.org/ns/dcat#downloadURL> <http://a.example/0> .\n"
        f'_:c {FORMAT} "TXT" .\n'
    )
    (tmp_path / "c.ttl").write_text(lines)
    (tmp_path / "c.nt").write_text(
        lines.replace('"CSV", ', f'"CSV" .\n<http://a.example/2> {FORMAT} ')
    )
    turtle, line_by_line = (cturi("headers", tmp_path / f"c.{ending}") for ending in ("ttl", "nt"))
    assert turtle.out == line_by_line.out
    assert turtle.err.replace("c.ttl", "c.nt") == line_by_line.err
