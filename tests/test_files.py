"""Files: how they are compressed, where output goes, and what an input may cost."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox
import pytest
import zstandard

from cturi_rdf._util.limits import LIMITS, LimitError, amount, limit, limited
from cturi_rdf.errors import CturiError
from cturi_rdf.io import CatalogError
from cturi_rdf.io.atomic import replacing, write_whole
from cturi_rdf.io.compression import COMPRESSIONS
from cturi_rdf.io.formats import FORMATS, format_named
from cturi_rdf.io.jsonld_contexts import Contexts
from cturi_rdf.io.read import document
from cturi_rdf.io.source import Source, open_source
from cturi_rdf.rdf.files import annotate_file

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Write

TURTLE = b'<http://a.example/1> <http://purl.org/dc/terms/format> "CSV" .\n'
PACK: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".zst": zstandard.ZstdCompressor().compress,
}


def _read(path: Path, form: str | None = None) -> bytes:
    with open_source(str(path), form) as source:
        return source.read()


# --- Compression ------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", PACK)
@pytest.mark.parametrize("name", ["a.ttl", "a.TTL{}", "a.ttl{}"])
def test_a_compressed_file_is_told_by_its_first_bytes(write: Write, ending: str, name: str) -> None:
    path = write(name.format(ending), PACK[ending](TURTLE))
    assert _read(path) == TURTLE


@pytest.mark.parametrize("name", ["out.nt.gz", "OUT.NT.GZ", "out.ttl.zst", "Out.Ttl.Zst"])
def test_what_is_written_is_compressed_as_the_name_says_in_any_case(
    tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    write_whole(str(path), TURTLE)
    assert path.read_bytes() != TURTLE
    assert _read(path) == TURTLE


@pytest.mark.parametrize("ending", PACK)
def test_a_compressed_file_may_have_many_members(write: Write, ending: str) -> None:
    path = write(f"a.ttl{ending}", PACK[ending](TURTLE) * 3)
    assert _read(path) == TURTLE * 3


@pytest.mark.parametrize("ending", PACK)
@pytest.mark.parametrize("end", [-1, -9, 30])
def test_a_compressed_file_that_is_cut_off_is_refused(write: Write, ending: str, end: int) -> None:
    path = write(f"a.ttl{ending}", PACK[ending](os.urandom(5_000))[:end])
    with pytest.raises(CatalogError, match="a broken"):
        _read(path)


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("bzip2", bz2.compress(TURTLE)),
        ("xz", lzma.compress(TURTLE)),
        ("ZIP", b"PK\x03\x04\x14\x00"),
        ("7z", b"7z\xbc\xaf\x27\x1c\x00\x04"),
    ],
)
@pytest.mark.parametrize("name", ["a.nt", "a.ttl", "a.rdf", "a.jsonld"])
def test_a_file_that_is_packed_in_another_way_is_named(
    write: Write, name: str, kind: str, content: bytes
) -> None:
    path = write(name, content)
    with pytest.raises(CatalogError, match=f"packed by {kind}; expected a plain file"):
        _read(path)


@pytest.mark.parametrize("ending", PACK)
def test_a_file_that_unpacks_to_more_than_the_limit_is_refused(write: Write, ending: str) -> None:
    path = write(f"a.ttl{ending}", PACK[ending](b" " * 3_000_000))
    with limited({"unpacked": 1_000_000}), pytest.raises(LimitError, match="1,000,000 bytes"):
        _read(path, "turtle")
    with limited({"unpacked": 4_000_000}):
        assert len(_read(path, "turtle")) == 3_000_000


def test_every_compression_has_its_own_ending_and_first_bytes() -> None:
    assert {each.ending for each in COMPRESSIONS} == set(PACK)
    for each in COMPRESSIONS:
        assert each.pack(b"a").startswith(each.magic)


# --- Sources ----------------------------------------------------------------------------------


def test_a_file_is_read_as_often_as_needed_by_streams_of_their_own(write: Write) -> None:
    path = write("a.ttl.gz", gzip.compress(TURTLE * 100))
    with open_source(str(path)) as source, source.open() as first, source.open() as second:
        assert first.read(10) == second.read(10)
        assert first.read() == second.read() == (TURTLE * 100)[10:]


def test_a_file_that_changes_while_it_is_read_is_refused(write: Write) -> None:
    path = write("a.ttl", TURTLE)
    with open_source(str(path)) as source:
        source.open().close()
        path.write_bytes(TURTLE * 2)
        with pytest.raises(CatalogError, match="it changed while it was read"):
            source.open()


@pytest.mark.parametrize("to", ["nt", "nquads", "turtle", "trig", "xml", "json-ld", "other"])
def test_a_file_that_is_replaced_while_it_is_read_is_not_written_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, to: str
) -> None:
    form = format_named("nt" if to == "other" else to)
    source, other = tmp_path / "source", tmp_path / "other"
    quads = list(ox.parse('<a:b> <http://purl.org/dc/terms/format> "CSV" .', ox.RdfFormat.TURTLE))
    ox.serialize(quads, str(source), form.oxigraph)
    target = tmp_path / "target" if to == "other" else source
    check = Source.check

    def late(self: Source) -> None:
        # As an editor saves a file.
        other.write_text("new")
        other.replace(source)
        check(self)

    monkeypatch.setattr(Source, "check", late)
    with pytest.raises(CatalogError, match="it was replaced while it was read"):
        annotate_file(str(source), str(target), form=form.name, to=form.name)
    assert source.read_text() == "new"
    assert list(tmp_path.iterdir()) == [source]


def test_a_pipe_is_read_more_than_once(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    Thread(target=path.write_bytes, args=(TURTLE,)).start()
    with open_source(str(path)) as source:
        assert source.read() == source.read() == TURTLE
        assert source.format.name == "nt"


@pytest.mark.parametrize(
    ("content", "form"),
    [
        (b'{"@context": {}}', "json-ld"),
        (b'  [{"@id": "a"}]', "json-ld"),
        (b'<?xml version="1.0"?><a/>', "xml"),
        (b"<rdf:RDF", "xml"),
        (TURTLE, "nt"),
        (b"# comment\n" + TURTLE, "nt"),
        (TURTLE.replace(b" .", b" <a:g> ."), "nquads"),
        (b"@prefix a: <b> .\na:b a:c 1 .", "turtle"),
        (b"PREFIX a: <http://b/>\na:b a:c 1 .", "turtle"),
        (b"\xef\xbb\xbf@prefix a: <b> .\na:b a:c [ a:d 1 ] .\na:e a:f '''cut", "turtle"),
        (b"@prefix a: <b> . a:g { a:b a:c 1 }", "trig"),
        (b"{ <a:b> <a:c> 1 }", "trig"),
    ],
    ids=repr,
)
def test_the_format_shows_in_the_first_bytes(write: Write, content: bytes, form: str) -> None:
    path = write("data", content)
    with open_source(str(path)) as source:
        assert source.format.name == form


def test_each_name_of_a_format_is_that_of_one() -> None:
    names = [name for form in FORMATS for name in {form.name, *form.endings, *form.media_types}]
    assert len(names) == len(set(names))
    for form in FORMATS:
        assert form.oxigraph.media_type == form.media_types[0]
        for name in (form.name, *form.endings, *form.media_types):
            assert format_named(name.upper()) is form


# --- Reading ----------------------------------------------------------------------------------


XML = (
    '<?xml version="1.0" encoding="{}"?><rdf:RDF xmlns:d="http://purl.org/dc/terms/"'
    ' xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description'
    ' rdf:about="http://a/ü"><d:format xml:lang="">Tabelle für Bäume</d:format>'
    "</rdf:Description></rdf:RDF>"
)


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "iso-8859-1", "windows-1252", "utf-16", "us-ascii"]
)
def test_rdf_xml_is_read_in_every_encoding(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.rdf"
    declared = encoding.removesuffix("-sig")
    path.write_bytes(XML.format(declared).encode(encoding, "xmlcharrefreplace"))
    with open_source(str(path)) as source:
        read = document(source)
        [quad] = read
    assert str(quad.object) == '"Tabelle für Bäume"'
    assert quad.subject.value == "http://a/ü"
    assert read.prefixes["d"] == "http://purl.org/dc/terms/"


def test_bytes_that_are_not_of_the_declared_encoding_are_refused(write: Write) -> None:
    path = write("a.rdf", XML.format("utf-16").encode("utf-16")[:-1])
    with open_source(str(path)) as source, pytest.raises(CatalogError, match="not utf-16"):
        list(document(source))


def _entities(levels: int, width: int = 10) -> str:
    names = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * width}">' for n in range(1, levels))
    return f'<!DOCTYPE r [<!ENTITY a0 "lol">{names}]>' + XML.partition("?>")[2].replace(
        "Tabelle", f"&a{levels - 1};"
    )


@pytest.mark.parametrize(
    "text",
    [
        _entities(12),
        _entities(3, 1_000),
        _entities(2, 3_000).replace("&a1;", "&a1;" * 2_000),
        '<!DOCTYPE r [<!ENTITY a "&b;"><!ENTITY b "&a;&a;">]><r>&a;</r>',
    ],
    ids=["nested", "wide", "often", "recursive"],
)
def test_entities_that_expand_without_end_are_refused(write: Write, text: str) -> None:
    path = write("a.rdf", text)
    with (
        limited({"entities": 1_000_000}),
        open_source(str(path)) as source,
        pytest.raises(CturiError),
    ):
        list(document(source))


def test_entities_within_the_limit_are_expanded(write: Write) -> None:
    path = write("a.rdf", _entities(4))
    with open_source(str(path)) as source:
        [quad] = document(source)
    assert quad.object.value.startswith("lol" * 1_000)


@pytest.mark.parametrize(
    ("name", "content", "place"),
    [
        ("a.ttl", b"<a:b> <a:c> 1 .\n<a:b> <a:c> ;\n .", (2, 13)),
        ("a.ttl", b"<a:b> <a:c> <a:d", (1, 13)),
        ("a.nt", b"<a:b> <a:c> <a:d> .\n<a:b> <a:c> x .", (2, 13)),
        ("a.json", b'{"@context": {},\n "a:b": x}', (2, 9)),
        ("a.rdf", XML.format("utf-8").replace("</d:format>", "</d:x>").encode(), None),
    ],
    ids=["turtle", "the end", "lines", "json", "xml"],
)
def test_a_syntax_error_has_its_line_and_column(
    write: Write, name: str, content: bytes, place: tuple[int, int] | None
) -> None:
    path = write(name, content)
    with open_source(str(path)) as source, pytest.raises(CatalogError) as caught:
        list(document(source))
    found = (caught.value.line, caught.value.column)
    assert found == place if place else found[0] == 1
    assert caught.value.summary.startswith(f"{path}:{found[0]}:")
    assert "column" not in caught.value.summary


# --- JSON-LD contexts -------------------------------------------------------------------------


def _json(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value), "utf-8")
    return path


FORMAT = {"@context": {"f": "http://purl.org/dc/terms/format"}}


def _quads(path: Path, contexts: Contexts | None = None) -> list[str]:
    with open_source(str(path)) as source:
        return [
            f"{quad.predicate.value} {quad.object.value}" for quad in document(source, contexts)
        ]


def test_a_context_is_read_from_the_folder_of_the_document_only(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    folder.mkdir(parents=True)
    _json(folder / "beside.json", FORMAT)
    outside = _json(tmp_path / "outside.json", FORMAT)
    (folder / "link.json").symlink_to(outside)
    for name in ("../../outside.json", str(outside), "link.json", "/etc/passwd"):
        path = _json(folder / "doc.jsonld", {"@context": name, "@id": "a:b", "f": "CSV"})
        with pytest.raises(CatalogError, match="outside the folder of the document"):
            _quads(path)
        if name != "/etc/passwd":
            allowed = Contexts(allow_files=True)
            assert _quads(path, allowed) == ["http://purl.org/dc/terms/format CSV"]
    path = _json(folder / "doc.jsonld", {"@context": "beside.json", "@id": "a:b", "f": "CSV"})
    assert _quads(path) == ["http://purl.org/dc/terms/format CSV"]


def test_a_context_can_be_left_out(tmp_path: Path) -> None:
    name = "http://other.example/context"
    path = _json(
        tmp_path / "a.jsonld", {**FORMAT, "@context": [name, FORMAT["@context"]], "f": "x"}
    )
    assert _quads(path, Contexts({name: None})) == ["http://purl.org/dc/terms/format x"]


def test_contexts_that_name_one_another_many_times_are_limited(tmp_path: Path) -> None:
    for number in range(30):
        names = [f"c{number + 1}.json", {}, f"c{number + 1}.json"]
        _json(tmp_path / f"c{number}.json", {"@context": names})
    _json(tmp_path / "c30.json", FORMAT)
    path = _json(tmp_path / "a.jsonld", {"@context": "c0.json", "f": "CSV"})
    with pytest.raises(LimitError, match="JSON-LD contexts"):
        _quads(path)
    assert _quads(_json(path, {"@context": ["c30.json"] * 500, "f": "CSV"}))


THING = {
    "id": "urn:ex:1", "title": "T", "securityDefinitions": {"n": {"scheme": "nosec"}},
    "security": "n",
    "properties": {"s": {"forms": [{"href": "http://a/s", "contentType": "application/json"}]}},
}  # fmt: skip


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ({"@context": "https://www.w3.org/2022/wot/td/v1.1", **THING},
         "https://www.w3.org/2019/wot/hypermedia#forContentType application/json"),
        ({"@context": "https://www.w3.org/2019/wot/td/v1", **THING},
         "https://www.w3.org/2019/wot/hypermedia#forContentType application/json"),
        ({"@context": ["https://w3id.org/ro/crate/1.1/context",
                       "https://w3id.org/ro/terms/workflow-run/context"],
          "@id": "a", "encodingFormat": "text/csv"}, "http://schema.org/encodingFormat text/csv"),
        # No context, but fields that say whose they are.
        ({"@type": "Dataset", "distribution": [
            {"@type": "Distribution", "mediaType": "text/csv", "downloadURL": "http://a/b"}]},
         "http://www.w3.org/ns/dcat#mediaType text/csv"),
        ([{"@type": "MediaObject", "encodingFormat": "text/csv"}],
         "http://schema.org/encodingFormat text/csv"),
    ],
    ids=["thing 1.1", "thing 1.0", "workflow run", "DCAT-US", "schema.org"],
)  # fmt: skip
def test_a_context_that_is_well_known_is_at_hand(
    tmp_path: Path, content: Any, expected: str
) -> None:
    assert expected in _quads(_json(tmp_path / "a.json", content))


def test_json_that_says_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match="nothing says what its fields mean"):
        _quads(_json(tmp_path / "a.json", {"name": "x", "format": "CSV"}))


@pytest.mark.parametrize("levels", [500])
def test_many_levels_of_json_and_of_blank_nodes_are_read(
    tmp_path: Path, write: Write, levels: int
) -> None:
    nested: Any = {"http://a/p": "x"}
    for _ in range(levels):
        nested = {"http://a/q": nested}
    assert len(_quads(_json(tmp_path / "a.jsonld", nested))) == levels + 1
    path = write("a.ttl", "<a:b> <a:c> " + "[ <a:c> " * levels + "1" + " ]" * levels + " .")
    assert len(_quads(path)) == levels + 1


# --- Where output goes ------------------------------------------------------------------------


def test_a_fifo_is_written_to_and_stays_one(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    with ThreadPoolExecutor() as pool:
        read = pool.submit(fifo.read_bytes)
        write_whole(str(fifo), TURTLE)
        assert read.result() == TURTLE
    assert stat.S_ISFIFO(fifo.stat().st_mode)


def test_a_device_is_written_to_and_stays_one() -> None:
    write_whole("/dev/null", TURTLE)
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)
    with pytest.raises(CatalogError, match="No space left on device"):
        write_whole("/dev/full", TURTLE)
    assert stat.S_ISCHR(Path("/dev/full").stat().st_mode)


@pytest.mark.parametrize("name", ["-", "/dev/stdout", "/dev/fd/1"])
def test_standard_output_is_written_to_by_each_of_its_names(write: Write, name: str) -> None:
    script = f"from cturi_rdf.io.atomic import write_whole; write_whole({name!r}, b'text')"
    target = write("out", "before ")
    with target.open("ab") as file:
        subprocess.run([sys.executable, "-c", script], stdout=file, check=True)
    assert target.read_text() == "before text"


def test_a_symbolic_link_stays_and_the_file_that_it_names_is_replaced(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    target, link = folder / "target.ttl", tmp_path / "link.ttl"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    write_whole(str(link), TURTLE)
    assert link.is_symlink()
    assert target.read_bytes() == TURTLE
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may")
def test_the_owner_of_a_file_stays(write: Write) -> None:
    target = write("target.ttl", "old")
    os.chown(target, 12_345, 23_456)
    write_whole(str(target), TURTLE)
    assert (target.stat().st_uid, target.stat().st_gid) == (12_345, 23_456)


def test_whatever_is_raised_the_target_is_what_it_was(tmp_path: Path, write: Write) -> None:
    target = write("target.ttl", "old")

    def refuse(file: Any) -> None:
        assert file.read() == b"new"
        raise CatalogError("not right", "target", "right")

    with pytest.raises(CatalogError, match="not right"), replacing(str(target), refuse) as file:
        file.write(b"new")
    with pytest.raises(ZeroDivisionError), replacing(str(target)) as file:
        file.write(b"new" * (1 // 0))
    assert target.read_text() == "old"
    assert os.listdir(tmp_path) == ["target.ttl"]  # noqa: PTH208 - names only


def test_a_file_is_on_disk_before_it_takes_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = []
    flush, replace = os.fsync, Path.replace

    def flushed(descriptor: int) -> None:
        steps.append("folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file")
        flush(descriptor)

    def replaced(self: Path, target: Path) -> Path:
        steps.append("replaced")
        return replace(self, target)

    monkeypatch.setattr(os, "fsync", flushed)
    monkeypatch.setattr(Path, "replace", replaced)
    write_whole(str(tmp_path / "out.ttl"), TURTLE)
    assert steps == ["file", "replaced", "folder"]


@pytest.mark.parametrize("name", ["missing/out.ttl", "."])
def test_what_cannot_be_written_is_said(tmp_path: Path, name: str) -> None:
    with pytest.raises(CatalogError, match="it cannot be written"):
        write_whole(str(tmp_path / name), TURTLE)


# --- Limits -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", LIMITS)
def test_every_limit_can_be_set(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert limit(name) == LIMITS[name].default
    monkeypatch.setenv(f"CTURI_LIMIT_{name.upper()}", "3k")
    assert limit(name) == 3_000
    with limited({name: 5}):
        assert limit(name) == 5
    assert limit(name) == 3_000


@pytest.mark.parametrize("text", ["", "-1", "1.5", "1T", "x", "9" * 20])
def test_what_is_no_amount_is_refused(text: str) -> None:
    with pytest.raises(CturiError, match="not an amount"):
        amount(text)


def test_a_limit_that_does_not_exist_is_refused() -> None:
    with pytest.raises(CturiError, match="no such limit"), limited({"colour": 1}):
        pass
