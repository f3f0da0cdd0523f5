"""Extensions, other names and special cases of types."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cturi_rdf.registry import Registry, SubTypeRecord, registry
from cturi_rdf.registry.tables import load

ESSENCE = re.compile(r"[a-z0-9][a-z0-9!#$&^_.+-]*/[a-z0-9][a-z0-9!#$&^_.+-]*")


# Extensions


@pytest.mark.parametrize(
    ("extension", "essence"),
    [
        ("csv", "text/csv"),
        (".CSV", "text/csv"),
        ("xml", "application/xml"),
        ("rdf", "application/rdf+xml"),
        ("owl", "application/rdf+xml"),
        ("n3", "text/n3"),
        ("ttl", "text/turtle"),
        ("jsonld", "application/ld+json"),
        ("geojson", "application/geo+json"),
        ("gpkg", "application/geopackage+sqlite3"),
        ("shp", "application/vnd.shp"),
        ("kml", "application/vnd.google-earth.kml+xml"),
        ("kmz", "application/vnd.google-earth.kmz"),
        ("gml", "application/gml+xml"),
        ("parquet", "application/vnd.apache.parquet"),
        ("nc", "application/netcdf"),
        ("h5", "application/vnd.hdfgroup.hdf5"),
        ("xls", "application/vnd.ms-excel"),
        ("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        ("js", "text/javascript"),
        ("yml", "application/yaml"),
        ("mp3", "audio/mpeg"),
        ("mp4", "video/mp4"),
        ("zip", "application/zip"),
        ("exe", "application/vnd.microsoft.portable-executable"),
        ("dmg", "application/x-apple-diskimage"),
        ("wav", "audio/vnd.wave"),
    ],
)
def test_an_extension_has_its_usual_type_first(
    known: Registry, extension: str, essence: str
) -> None:
    assert known.types_of_extension(extension)[0] == essence


@pytest.mark.parametrize("extension", ["dat", "bak", "tmp", "tar.gz", "", ".", "no such", "..csv"])
def test_an_extension_that_says_nothing_has_no_type(known: Registry, extension: str) -> None:
    assert known.types_of_extension(extension) == ()


def test_the_usual_type_of_an_extension_goes_by_its_proper_name(known: Registry) -> None:
    for record in known.extensions():
        assert all(ESSENCE.fullmatch(each) for each in record.types), record
        assert known.canonical(record.types[0]) == record.types[0], record


def test_extensions_and_types_are_two_views_of_the_same_facts(known: Registry) -> None:
    pairs = {(e.extension, t) for e in known.extensions() for t in e.types}
    types = {essence for _, essence in pairs}
    back = {(each, essence) for essence in types for each in known.extensions_of(essence)}
    assert back == pairs


@pytest.mark.parametrize(
    ("essence", "extension"),
    [
        ("text/csv", "csv"),
        ("text/html", "html"),
        ("text/plain", "txt"),
        ("image/jpeg", "jpg"),
        ("audio/mpeg", "mp3"),
        ("application/postscript", "ps"),
        ("application/xml", "xml"),
        ("text/turtle", "ttl"),
        ("application/json", "json"),
        ("application/vnd.ms-excel", "xls"),
    ],
)
def test_a_type_has_its_usual_extension_first(
    known: Registry, essence: str, extension: str
) -> None:
    assert known.extensions_of(essence)[0] == extension
    assert known.extensions_of("x/none-such") == ()


# Aliases and special cases


@pytest.mark.parametrize(
    ("alias", "essence"),
    [
        ("text/xml", "application/xml"),
        ("text/xml-external-parsed-entity", "application/xml-external-parsed-entity"),
        ("application/x-gzip", "application/gzip"),
        ("application/javascript", "text/javascript"),
        ("application/smil", "application/smil+xml"),
        ("application/x-shapefile", "application/vnd.shp"),
        ("application/x-rar-compressed", "application/vnd.rar"),
        ("text/x-yaml", "application/yaml"),
        ("audio/x-wav", "audio/vnd.wave"),
        ("text/x-vcard", "text/vcard"),
        ("application/x-geo+json", "application/geo+json"),  # RFC 6648: no longer a trial
        ("application/x-xml", "application/xml"),
        # These stand for themselves.
        ("application/xml", "application/xml"),
        ("text/rtf", "text/rtf"),
        ("application/x-x509-ca-cert", "application/x-x509-ca-cert"),
        ("application/x-msmetafile", "application/x-msmetafile"),
        ("application/deflate", "application/deflate"),
        ("application/x-none-such", "application/x-none-such"),
        ("x-gzip", "x-gzip"),
        ("", ""),
    ],
)
def test_an_alias_stands_for_a_type(known: Registry, alias: str, essence: str) -> None:
    assert known.canonical(alias) == essence


def test_a_proper_name_stands_for_itself_and_knows_its_aliases(known: Registry) -> None:
    records = list(known.alias_records())
    assert len(records) > 400
    for record in records:
        assert known.canonical(record.essence) == record.essence, record
        assert record.alias in known.aliases(record.essence)
    assert "application/vnd.arastra.swi" in known.aliases("application/vnd.aristanetworks.swi")
    assert known.aliases("text/xml") == ()


def test_only_a_specification_makes_a_registered_type_an_alias(known: Registry) -> None:
    current = [each for each in known.alias_records() if known.is_current(each.alias)]
    assert [each.alias for each in current] == ["text/xml", "text/xml-external-parsed-entity"]
    assert all(each.source.startswith("RFC 7303") for each in current)


@given(st.one_of(st.text(), st.from_regex(r"[a-z]+/(x-)*[a-z]+", fullmatch=True)))
def test_the_proper_name_of_a_proper_name_is_itself(text: str) -> None:
    once = registry().canonical(text)
    assert registry().canonical(once) == once


@pytest.mark.parametrize(
    ("essence", "broader"),
    [
        ("application/vnd.google-earth.kmz", ("application/zip",)),
        ("application/vnd.oasis.opendocument.text", ("application/zip",)),
        ("application/geopackage+sqlite3", ("application/vnd.sqlite3",)),
        ("application/n-triples", ("text/turtle", "application/n-quads")),
        ("text/csv", ("text/plain",)),
        ("application/rdf+xml", ()),  # its suffix says that
        ("application/json", ()),
    ],
)
def test_a_special_case_knows_what_it_is_a_case_of(
    known: Registry, essence: str, broader: tuple[str, ...]
) -> None:
    assert known.broader(essence) == broader


def test_no_type_is_a_special_case_of_itself(known: Registry) -> None:
    for record in load("sub-types.tsv", SubTypeRecord):
        reached, waiting = set(), list(record.broader)
        while waiting:
            each = waiting.pop()
            reached.add(each)
            waiting += known.broader(each)
        assert record.essence not in reached
