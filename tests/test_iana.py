"""IANA's own document becomes the user's snapshot, whole or not at all."""

from __future__ import annotations

import io
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cturi_rdf.errors import CturiError
from cturi_rdf.registry import MediaTypeRecord, iana, registry
from cturi_rdf.registry.iana import read_media_types, snapshot, update
from cturi_rdf.registry.snapshot import SNAPSHOT
from cturi_rdf.registry.tables import Table

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from conftest import Write

NS = 'xmlns="http://www.iana.org/assignments"'


def document(records: str, date: str = "2030-01-01", top: str = "text") -> bytes:
    """Return IANA's document with these records."""
    return (
        f"<?xml version='1.0' encoding='UTF-8'?><registry {NS} id='media-types'>"
        f"<updated>{date}</updated><registry id='{top}'>{records}</registry>"
        "<people><person id='A'><name>A</name></person></people></registry>"
    ).encode()


def listing(names: dict[str, list[str]], date: str = "2030-01-01") -> bytes:
    """Return IANA's document with types of these names and no more."""
    parts = "".join(
        f"<registry id='{top}'>"
        + "".join(f"<record><name>{each}</name></record>" for each in subtypes)
        + "</registry>"
        for top, subtypes in names.items()
    )
    head = f"<registry {NS} id='media-types'><updated>{date}</updated>"
    return f"{head}{parts}</registry>".encode()


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give the user an empty folder of data."""
    folder = tmp_path / "not" / "yet" / "there"
    monkeypatch.setenv("CTURI_DATA", str(folder))
    registry.cache_clear()
    yield folder
    monkeypatch.undo()
    registry.cache_clear()


@pytest.fixture
def known(data: Path) -> dict[str, list[str]]:
    """Return the names that IANA lists now, by top-level type, without the provisional."""
    assert not data.exists()
    names: dict[str, list[str]] = {}
    for each in registry().media_types():
        if each.status != "provisional":
            top, _, subtype = each.name.partition("/")
            names.setdefault(top, []).append(subtype)
    return names


# Reading


@pytest.mark.parametrize(
    ("record", "fields"),
    [
        (
            """<record date="2014-01-07" updated="2015-02-03"><name>csv</name>
            <xref type="rfc" data="rfc4180"/><xref type="rfc" data="rfc7111"/>
            <file type="template">text/csv</file></record>""",
            ("text/csv", "text/csv", "registered", ("RFC4180", "RFC7111"), "text/csv", (),
             "2014-01-07", "2015-02-03"),
        ),
        (
            "<record><name>X-Up (OBSOLETED in favor of text/up)</name></record>",
            ("text/x-up", "text/X-Up", "obsolete", (), None, ("text/up",), None, None),
        ),
        (
            "<record><name>old - DEPRECATED in favor of new</name></record>",
            ("text/old", "text/old", "deprecated", (), None, ("text/new",), None, None),
        ),
        (
            "<record><name>text/twice</name></record>",
            ("text/twice", "text/twice", "registered", (), None, (), None, None),
        ),
        (
            """<record><name>old</name><obsolete>replaced by font/new</obsolete>
            <note>OBSOLETE since 2020</note></record>""",
            ("text/old", "text/old", "obsolete", (), None, ("font/new",), None, None),
        ),
        (
            """<record><name>t</name><xref type="text">[ISO
            1|2]</xref><xref type="person"/>
            <xref type="uri" data="http://e.org/a?b|c"/></record>""",
            ("text/t", "text/t", "registered", ("[ISO 1%7C2]", "http://e.org/a?b%7Cc"), None, (),
             None, None),
        ),
    ],
)  # fmt: skip
def test_a_record_is_read_as_iana_writes_it(record: str, fields: tuple[object, ...]) -> None:
    date, records = read_media_types(document(record))
    assert date == "2030-01-01"
    assert records == [fields]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "it is not well-formed XML"),
        (b"<html>", "it is not well-formed XML"),
        (b"\xff\xfe\x00", "it is not well-formed XML"),
        (b"<?xml version='1.0' encoding='none-such'?><a/>", "it is not well-formed XML"),
        (b"<html/>", "its root is 'html'"),
        (b"<registry id='media-types'/>", "its root is 'registry'"),
        (f"<registry {NS} id='charsets'/>".encode(), "with the id 'charsets'"),
        (f"<registry {NS} id='media-types'/>".encode(), "it has no date"),
        (document("", date="today"), "it has no date"),
        (document(""), "it lists no type"),
        (document("<record><name>in favor of</name></record>", top="not one"), "it lists no type"),
        (document("<record><name>&lt;csv></name></record>"), "it lists no type"),
        (b"<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "a document type declaration"),
    ],
)
def test_what_is_not_the_registry_is_refused(content: bytes, why: str) -> None:
    with pytest.raises(CturiError, match="not IANA's registry of media types") as caught:
        read_media_types(content)
    assert why in str(caught.value)


@given(st.binary())
def test_any_bytes_are_read_or_refused(content: bytes) -> None:
    with pytest.raises(CturiError):
        read_media_types(content)


def test_a_provisional_type_stays_so_until_it_has_a_form() -> None:
    _, listed = read_media_types(
        document(
            '<record><name>a</name><file type="template">text/a</file></record>'
            "<record><name>b</name></record>"
        )
    )
    waiting = [
        MediaTypeRecord(f"text/{x}", f"text/{x}", "provisional", (), None, (), None, None)
        for x in "abc"
    ]
    table = Table(snapshot("2030-01-01", listed, waiting), MediaTypeRecord)
    assert {each.essence: each.status for each in table} == {
        "text/a": "registered",
        "text/b": "provisional",
        "text/c": "provisional",
    }


# Updating


def test_a_newer_document_becomes_the_snapshot(known: dict[str, list[str]], data: Path) -> None:
    packaged = registry()
    source = data.parent.parent / "media-types.xml"
    source.parent.mkdir(parents=True)
    source.write_bytes(listing({**known, "text": [*known["text"], "brand-new"]}))
    updated = update(str(source))
    assert updated is registry()
    assert (updated.date, packaged.date) == ("2030-01-01", "2026-07-01")
    assert updated.is_current("text/brand-new")
    # IANA lists the provisional ones elsewhere; they are kept.
    assert updated.media_type("application/netcdf") == packaged.media_type("application/netcdf")
    assert [each.name for each in data.iterdir()] == [SNAPSHOT]
    # Everything else is joined to it as before.
    assert updated.canonical("text/xml") == "application/xml"


def test_an_older_document_is_kept_but_not_preferred(
    known: dict[str, list[str]], data: Path, write: Write
) -> None:
    source = write("old.xml", listing(known, date="2020-01-01"))
    assert update(str(source)).date == "2026-07-01"
    assert (data / SNAPSHOT).exists()


def test_a_document_that_lost_more_than_a_tenth_is_refused(
    known: dict[str, list[str]], data: Path, write: Write
) -> None:
    total = len(list(registry().media_types()))
    provisional = 24
    names = known["application"]
    for lost, refused in ((total // 10, False), (total // 10 + 1, True)):
        source = write("less.xml", listing({**known, "application": names[lost - provisional :]}))
        if refused:
            before = (data / SNAPSHOT).read_bytes()
            with pytest.raises(CturiError, match="types known now are missing from it"):
                update(str(source))
            assert (data / SNAPSHOT).read_bytes() == before
        else:
            update(str(source))
            (data / SNAPSHOT).write_bytes(b"kept")
        registry.cache_clear()


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("/no/such/file", "No such file or directory"), ("", ""), ("\0", "embedded null byte"),
        (".", "Is a directory"), ("http://", "no host given"), ("http://[", "Invalid IPv6 URL"),
        ("http://127.0.0.1:1/", ""), ("https://a b/", ""),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_refused(source: str, reason: str, data: Path) -> None:
    with pytest.raises(CturiError, match=f"cannot be read .*{reason}"):
        update(source)
    assert not data.exists()


def test_what_is_far_too_long_is_refused(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "long"
    file.write_bytes(b"<registry/>")
    for limit, problem in ((10, "more than 10 bytes"), (11, "its root is 'registry'")):
        monkeypatch.setattr(iana, "_LIMIT", limit)
        for source in (str(file), "-"):
            monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(file.read_bytes())))
            with pytest.raises(CturiError, match=problem):
                update(source)
    assert not data.exists()


def test_a_folder_that_cannot_be_written_is_refused(
    known: dict[str, list[str]], data: Path, write: Write
) -> None:
    source = write("new.xml", listing(known))
    data.parent.parent.mkdir()
    data.parent.write_text("a file where a folder should be")
    with pytest.raises(CturiError, match="cannot be written"):
        update(str(source))


def test_nothing_is_left_behind_where_the_snapshot_cannot_be_put(
    known: dict[str, list[str]], data: Path, write: Write
) -> None:
    source = write("new.xml", listing(known))
    (data / SNAPSHOT).mkdir(parents=True)
    with pytest.raises(CturiError, match="cannot be written"):
        update(str(source))
    assert [each.name for each in data.iterdir()] == [SNAPSHOT]


def test_a_full_disk_leaves_the_snapshot_as_it_was(
    known: dict[str, list[str]], data: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = write("new.xml", listing(known))

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(CturiError, match="No space left"):
        update(str(source))
    assert list(data.iterdir()) == []


def test_the_document_is_fetched_from_a_url(
    known: dict[str, list[str]], data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = listing(known)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path != "/media-types.xml":
                self.send_error(404)
                return
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Keep quiet."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            base = f"http://127.0.0.1:{server.server_port}"
            with pytest.raises(CturiError, match="404"):
                update(f"{base}/other.xml")
            monkeypatch.setattr(iana, "_LIMIT", len(content) - 1)
            with pytest.raises(CturiError, match="more than"):
                update(f"{base}/media-types.xml")
            assert not data.exists()
            monkeypatch.setattr(iana, "_LIMIT", len(content))
            assert update(f"{base}/media-types.xml").date == "2030-01-01"
        finally:
            server.shutdown()
            thread.join()
