"""Compressed files: told by their first bytes, written by their names, refused where broken."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
from typing import TYPE_CHECKING

import pytest

from cturi_rdf._util.limits import LimitError, limited
from cturi_rdf.reading import CatalogError
from cturi_rdf.reading.atomic import write_whole
from cturi_rdf.reading.formats import COMPRESSIONS, ReadOptions, zstd_module
from cturi_rdf.reading.source import open_source

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Cturi, Write


TURTLE = b'<http://a.example/1> <http://purl.org/dc/terms/format> "CSV" .\n'
PACK: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".zst": zstd_module().compress,
}


def _read(path: Path, form: str | None = None) -> bytes:
    with open_source(str(path), ReadOptions(form=form)) as source:
        return source.read()


@pytest.mark.parametrize("ending", PACK)
@pytest.mark.parametrize("name", ["a.ttl", "a.TTL{}", "a.ttl{}"])
def test_a_compressed_file_is_recognised_by_its_first_bytes(
    write: Write, ending: str, name: str
) -> None:
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


@pytest.mark.parametrize("command", ["annotate", "check", "headers", "repair --profile dcat"])
def test_every_command_tells_the_format_and_the_packing_by_the_content(
    cturi: Cturi, write: Write, command: str
) -> None:
    nameless, named = (cturi(*command.split(), write(name, TURTLE)) for name in ("a", "a.nt"))
    assert nameless.code == named.code < 2
    run = cturi(*command.split(), write("a.nt.bz2", bz2.compress(TURTLE)))
    assert (run.code, run.out) == (2, "")
    assert "a.nt.bz2: it is packed by bzip2; expected a plain file, or one packed by" in run.err


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
