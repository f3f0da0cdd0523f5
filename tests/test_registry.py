"""The registry agrees with IANA's; the user's own snapshot."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest

from cturi_rdf.registry import Registry, registry, user_data
from cturi_rdf.registry import snapshot as module
from cturi_rdf.registry.tables import FragmentsRecord, load

if TYPE_CHECKING:
    from pathlib import Path

    from cturi_rdf.registry.tables import Table

ESSENCE = re.compile(r"[a-z0-9][a-z0-9!#$&^_.+-]*/[a-z0-9][a-z0-9!#$&^_.+-]*")


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
    columns = "\t".join(module.MediaTypeRecord._fields)
    (tmp_path / module.SNAPSHOT).write_text(text.format(columns=columns), encoding="utf-8")
    registry.cache_clear()
    assert registry().date == (date or known.date)
    assert (registry().media_type("text/csv") is None) == bool(date)
    registry.cache_clear()


# Cost


def test_a_table_is_loaded_when_something_in_it_is_asked_for(known: Registry) -> None:
    loaded: list[str] = []

    def load_noted(name: str, record: type[Any]) -> Table[Any]:
        loaded.append(name)
        return load(name, record)

    snapshot = Registry(known.media_types(), load_noted)
    assert loaded == []
    assert snapshot.types_of_extension("csv") == snapshot.types_of_extension(".CSV")
    assert set(loaded) == {"extensions.tsv"}


def test_every_name_of_a_charset_is_one_by_its_grammar() -> None:
    # RFC 2978 section 2.3: what IANA's table remarks on names is no name.
    name = re.compile(r"[A-Za-z0-9!#$%&'+^_`{}~.:()-]+")
    names = list(registry().charset_names())
    assert len(names) > 800
    assert [text for text in names if not name.fullmatch(text)] == []


def test_any_text_is_a_special_case_of_plain_text(known: Registry) -> None:
    texts = [row.essence for row in known.media_types() if row.essence.startswith("text/")]
    proper = [each for each in texts if known.canonical(each) == each and each != "text/plain"]
    assert len(proper) > 80
    assert all("text/plain" in known.broader(each) for each in (*proper, "text/x-unheard-of"))
    # RFC 7303 section 9.2: another name of application/xml.
    assert known.broader("text/xml") == ()
    assert known.broader("text/plain") == ()


def test_the_extensions_that_rfc_7303_registers_are_known(known: Registry) -> None:
    assert known.types_of_extension("ent")[0] == "application/xml-external-parsed-entity"
    assert "application/xml-dtd" in known.types_of_extension("mod")
    assert known.extensions_of("application/xml-dtd") == ("dtd", "mod")


def test_a_fragment_syntax_is_that_of_the_registration_of_its_type(known: Registry) -> None:
    for row in load("fragments.tsv", FragmentsRecord):
        record = known.media_type(row.essence)
        assert record
        rfc = re.match(r"RFC ([0-9]+)", row.note)
        if rfc:
            assert f"RFC{rfc[1]}" in record.references, row
