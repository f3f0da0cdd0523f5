"""Codes of formats, and the types that they stand for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from cturi_rdf.registry.tables import letters_and_digits

if TYPE_CHECKING:
    from cturi_rdf.registry import Registry

ESSENCE = re.compile(r"[a-z0-9][a-z0-9!#$&^_.+-]*/[a-z0-9][a-z0-9!#$&^_.+-]*")


# EU file types and the other codes


@pytest.mark.parametrize(
    ("code", "types"),
    [
        ("CSV", ("text/csv",)),
        ("csv", ("text/csv",)),
        ("JSON_LD", ("application/ld+json",)),
        ("GEOJSON", ("application/geo+json",)),
        ("SHP", ("application/vnd.shp",)),
        ("DBF", ("application/vnd.dbf",)),
        ("GPX", ("application/gpx+xml",)),
        ("JS", ("text/javascript",)),
        ("MP3", ("audio/mpeg",)),
        ("YAML", ("application/yaml",)),
        ("ODB", ("application/vnd.oasis.opendocument.base",)),
        ("BIN", ("application/octet-stream",)),
        ("METS", ("application/mets+xml",)),
        ("WMS_SRVC", ()),
        ("OP_DATPRO", ()),
    ],
)
def test_an_eu_file_type_has_the_type_that_is_meant(
    known: Registry, code: str, types: tuple[str, ...]
) -> None:
    record = known.eu_file_type(code)
    assert record is not None
    assert record.types == types
    assert record.service == code.endswith("_SRVC")


@pytest.mark.parametrize(
    ("code", "outer", "inner"),
    [
        ("TAR_GZ", "application/gzip", "application/x-tar"),
        ("TAR_XZ", "application/x-xz", "application/x-tar"),
        ("ISO_ZIP", "application/zip", "application/vnd.efi.iso"),
        ("METS_ZIP", "application/zip", "application/mets+xml"),
        ("FMX4_ZIP", "application/zip", "application/xml"),
        ("WARC_GZ", "application/gzip", "application/warc"),
    ],
)
def test_a_packed_eu_file_type_says_what_is_in_it(
    known: Registry, code: str, outer: str, inner: str
) -> None:
    record = known.eu_file_type(code)
    assert record is not None
    assert (record.types, record.inner) == ((outer,), (inner,))


def test_every_eu_file_type_is_read_or_says_why_not(known: Registry) -> None:
    records = list(known.eu_file_types())
    assert len(records) == 217
    for record in records:
        assert all(known.canonical(each) == each for each in (*record.types, *record.inner))
        # What we read otherwise than the EU has a note.
        assert record.note or record.types == record.eu_types, record
    untyped = [each.code for each in records if not each.types and not each.service]
    assert untyped == ["ARCINFO_COV", "LEG", "OP_DATPRO"]
    services = [each.code for each in records if each.service]
    assert services == [
        "MAP_PRVW",
        "MAP_SRVC",
        "REST",
        "WCS_SRVC",
        "WFS_SRVC",
        "WMS_SRVC",
        "WMTS_SRVC",
    ]


def test_a_code_and_its_types_are_two_views_of_the_same_facts(known: Registry) -> None:
    for scheme in ("eu-file-type", "w3c-formats", "pronom", "loc-fdd", "wikidata"):
        for record in known.formats(scheme):
            for essence in record.types:
                assert record.code in known.codes_of(scheme, essence)
    assert known.codes_of("eu-file-type", "application/vnd.shp") == ("SHP",)
    assert known.codes_of("pronom", "text/none-such") == ()
    assert known.eu_file_type("NONE_SUCH") is None
    with pytest.raises(KeyError):
        known.formats("no such scheme")


@pytest.mark.parametrize(
    "scheme", ["eu-file-type", "w3c-formats", "pronom", "loc-fdd", "wikidata", "dataone"]
)
def test_no_code_has_a_registered_type_in_another_spelling(known: Registry, scheme: str) -> None:
    spelt = {letters_and_digits(record.essence) for record in known.media_types()}
    types = {essence for record in known.formats(scheme) for essence in record.types}
    unregistered = {essence for essence in types if not known.media_type(essence)}
    assert [name for name in unregistered if letters_and_digits(name) in spelt] == []


@pytest.mark.parametrize(
    ("code", "essence"),
    [
        ("fmt/340", "application/vnd.lotus-wordpro"),
        ("fmt/497", "image/vnd.wap.wbmp"),
        ("x-fmt/49", "model/vnd.dwf"),
        ("x-fmt/115", "application/vnd.lotus-1-2-3"),
    ],
)
def test_a_format_of_pronom_has_the_registered_name_of_its_type(
    known: Registry, code: str, essence: str
) -> None:
    assert known.formats("pronom")[code].types == (essence,)
