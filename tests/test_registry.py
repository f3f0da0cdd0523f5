"""The registry says what IANA says, and what others call the same things."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cturi_rdf.registry import Registry, registry, user_data
from cturi_rdf.registry import snapshot as module

if TYPE_CHECKING:
    from pathlib import Path

ESSENCE = re.compile(r"[a-z0-9][a-z0-9!#$&^_.+-]*/[a-z0-9][a-z0-9!#$&^_.+-]*")


@pytest.fixture
def known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Registry:
    """Return the snapshot in the package, whatever the user has."""
    monkeypatch.setenv("CTURI_DATA", str(tmp_path))
    registry.cache_clear()
    return registry()


# Media types


def test_every_type_of_iana_is_there(known: Registry, shared: Path) -> None:
    root = ET.parse(shared / "registry" / "iana-media-types-2026-07.xml").getroot()  # noqa: S314 # ours
    ns = "{http://www.iana.org/assignments}"
    listed = [
        f"{part.get('id')}/{(record.findtext(f'{ns}name') or '').split()[0]}"
        for part in root.iterfind(f"{ns}registry")
        for record in part.iterfind(f"{ns}record")
    ]
    assert len(listed) == 2345
    # This one is listed under its proper name, too.
    listed.remove("application/application/jwk-set+jwt")
    assert [each.name for each in known.media_types()] == listed
    assert known.date == root.findtext(f"{ns}updated")


def test_the_status_of_a_type_is_what_iana_says(known: Registry) -> None:
    counts = Counter(each.status for each in known.media_types())
    assert counts == {"registered": 2282, "obsolete": 30, "provisional": 24, "deprecated": 8}


@pytest.mark.parametrize(
    ("essence", "status", "replaced_by"),
    [
        ("text/csv", "registered", ()),
        ("application/netcdf", "provisional", ()),
        ("application/javascript", "obsolete", ("text/javascript",)),
        ("application/vnd.geo+json", "obsolete", ("application/geo+json",)),
        ("application/vnd.ibm.afplinedata", "obsolete", ("application/vnd.afpc.afplinedata",)),
        ("application/vnd.youtube.yt", "obsolete", ("video/vnd.youtube.yt",)),
        ("audio/vnd.qcelp", "deprecated", ("audio/qcelp",)),
        ("image/x-emf", "deprecated", ("image/emf",)),
        ("application/xhtml-voice+xml", "obsolete", ()),
        ("text/directory", "deprecated", ()),
        ("message/news", "obsolete", ()),
    ],
)
def test_an_obsolete_type_names_its_replacement(
    known: Registry, essence: str, status: str, replaced_by: tuple[str, ...]
) -> None:
    record = known.media_type(essence)
    assert record is not None
    assert (record.status, record.replaced_by) == (status, replaced_by)
    assert known.is_current(essence) == (status in {"registered", "provisional"})


def test_every_replacement_is_a_current_type(known: Registry) -> None:
    replaced = [each for each in known.media_types() if each.replaced_by]
    assert len(replaced) == 18
    assert all(known.is_current(new) for each in replaced for new in each.replaced_by)


def test_a_record_has_what_iana_has(known: Registry) -> None:
    record = known.media_type("application/a2l")
    assert record is not None
    assert record.name == record.template == "application/A2L"
    assert record.references == ("ASAM", "Bernd_Wenzel")
    assert (record.registered, record.updated) == ("2014-11-11", None)
    emma = known.media_type("application/emma+xml")
    assert emma is not None
    assert any(each.startswith("http://www.w3.org/TR/") for each in emma.references)
    assert known.media_type("application/xml").references == ("RFC7303",)  # type: ignore[union-attr]


@pytest.mark.parametrize("name", ["TEXT/CSV", "text/csv ", "text", "", "img/jpeg", "text/csv\n"])
def test_what_is_no_essence_is_not_found(known: Registry, name: str) -> None:
    assert known.media_type(name) is None
    assert not known.is_current(name)


# Suffixes and character sets


def test_all_24_suffixes_are_there(known: Registry) -> None:
    suffixes = list(known.suffixes())
    assert len(suffixes) == 24
    assert [each.name for each in suffixes[:4]] == ["xml", "json", "ber", "cbor"]
    # Every base is a registered type, and the fragments are those of the base.
    assert all(each.base is None or known.is_current(each.base) for each in suffixes)
    assert all(each.fragment in {None, each.base} for each in suffixes)


def test_the_xml_suffix_follows_rfc_7303(known: Registry) -> None:
    xml = known.suffix("xml")
    assert xml is not None
    assert (xml.base, xml.fragment, xml.suffix_first) == (
        "application/xml",
        "application/xml",
        True,
    )
    assert xml.references == ("RFC7303",)
    assert known.suffix("ber").base is None  # type: ignore[union-attr]
    assert known.suffix("+xml") is None
    assert known.suffix("geo") is None


@pytest.mark.parametrize(
    ("name", "preferred"),
    [
        ("utf-8", "UTF-8"),
        ("csUTF8", "UTF-8"),
        ("Latin1", "ISO-8859-1"),
        ("ISO_8859-1:1987", "ISO-8859-1"),
        ("ascii", None),  # the registry has us-ascii, and no such alias
        ("us", "US-ASCII"),
        ("ANSI_X3.4-1968", "US-ASCII"),
        ("windows-1252", "windows-1252"),
        ("", None),
    ],
)
def test_a_charset_is_found_by_any_name(known: Registry, name: str, preferred: str | None) -> None:
    record = known.charset(name)
    assert (record.name if record else None) == preferred
    assert known.charset(name.upper()) == record


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
    for record in known._extensions:
        assert all(ESSENCE.fullmatch(each) for each in record.types), record
        assert known.canonical(record.types[0]) == record.types[0], record


def test_extensions_and_types_are_two_views_of_the_same_facts(known: Registry) -> None:
    pairs = {(e.extension, t) for e in known._extensions for t in e.types}
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
    records = list(known._aliases)
    assert len(records) > 400
    for record in records:
        assert known.canonical(record.essence) == record.essence, record
        assert record.alias in known.aliases(record.essence)
    assert "application/vnd.arastra.swi" in known.aliases("application/vnd.aristanetworks.swi")
    assert known.aliases("text/xml") == ()


def test_only_a_specification_makes_a_registered_type_an_alias(known: Registry) -> None:
    current = [each for each in known._aliases if known.is_current(each.alias)]
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
    for record in known._sub_types:
        reached, waiting = set(), list(record.broader)
        while waiting:
            each = waiting.pop()
            reached.add(each)
            waiting += known.broader(each)
        assert record.essence not in reached


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


def test_an_exact_format_has_one_type_to_itself(known: Registry) -> None:
    exact = [each for each in known.formats("w3c-formats") if each.exact]
    assert len(exact) == 19
    assert all(known.codes_of("w3c-formats", each.types[0]) == (each.code,) for each in exact)


# The user's own snapshot


def test_the_users_data_is_where_the_platform_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CTURI_DATA", "XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "/home/me")
    for platform, folder in {
        "linux": "/home/me/.local/share/cturi-rdf",
        "darwin": "/home/me/Library/Application Support/cturi-rdf",
    }.items():
        monkeypatch.setattr(module.sys, "platform", platform)
        assert user_data() == folder
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert user_data() == "/data/cturi-rdf"
    monkeypatch.setenv("CTURI_DATA", "/elsewhere")
    assert user_data() == "/elsewhere"


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("# date: 2099-01-01\n{columns}\na/b\ta/b\tregistered\t\t\t\t\t\n", "2099-01-01"),
        ("# date: 2000-01-01\n{columns}\na/b\ta/b\tregistered\t\t\t\t\t\n", None),
        ("# date: 2099-01-01\nother\tcolumns\n", None),
        ("{columns}\n", None),
        ("", None),
        ("\0", None),
    ],
)
def test_a_newer_snapshot_of_the_user_is_preferred(
    known: Registry, tmp_path: Path, text: str, date: str | None
) -> None:
    columns = "\t".join(module.MediaTypeRecord.columns)
    (tmp_path / module.SNAPSHOT).write_text(text.format(columns=columns), encoding="utf-8")
    registry.cache_clear()
    assert registry().date == (date or known.date)
    assert (registry().media_type("text/csv") is None) == bool(date)
    registry.cache_clear()


# Cost


def test_a_table_is_loaded_when_something_in_it_is_asked_for(known: Registry) -> None:
    lazy = ("_extensions", "_aliases", "_charsets", "_suffixes", "_sub_types")
    assert not any(name in vars(known) for name in lazy)
    known.types_of_extension("csv")
    assert [name for name in lazy if name in vars(known)] == ["_extensions"]


def test_every_name_of_a_charset_is_one_by_its_grammar() -> None:
    # RFC 2978 section 2.3: what IANA's table remarks on names is no name.
    name = re.compile(r"[A-Za-z0-9!#$%&'+^_`{}~.:()-]+")
    names = list(registry().charset_names())
    assert len(names) > 800
    assert [text for text in names if not name.fullmatch(text)] == []
