"""Lines in blocks: packed, in order, on all cores."""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest
from processes import wait_until

from cturi_rdf._util.parallel import in_order, in_processes
from cturi_rdf.catalogue import annotate_file, headers_of_file
from cturi_rdf.reading import CatalogError
from cturi_rdf.reading.formats import zstd_module
from cturi_rdf.reading.ntriples import blocks
from cturi_rdf.reading.source import open_source

FORMAT = "<http://purl.org/dc/terms/format>"
CSV = f'<http://a.example/1> {FORMAT} "CSV" .\n'
OTHER = '<http://a.example/1> <http://purl.org/dc/terms/title> "mediaType> rmat> \\"x\\"" .\n'


def test_a_byte_order_mark_stays_and_is_not_part_of_the_first_line(tmp_path: Path) -> None:
    for name, packed in PACKED.items():
        source, target = tmp_path / name, tmp_path / "out.nt"
        source.write_bytes(packed(b"\xef\xbb\xbf" + CSV.encode()))
        report = annotate_file(str(source), str(target))
        assert report.labels == 1
        assert target.read_bytes().startswith(b"\xef\xbb\xbf" + CSV.encode())


PACKED = {
    "nt": bytes,
    "nt.gz": gzip.compress,
    "nt.zst": lambda content: zstd_module().compress(content),
}


@pytest.mark.parametrize("name", PACKED)
def test_packed_files_are_read_and_written(name: str, tmp_path: Path) -> None:
    source, target = tmp_path / f"in.{name}", tmp_path / f"out.{name}"
    # Two members, as tools that pack in parallel write them.
    source.write_bytes(PACKED[name](OTHER.encode()) + PACKED[name](CSV.rstrip().encode()))
    assert annotate_file(str(source), str(target)).labels == 1
    [header] = headers_of_file(str(target))
    assert str(header.content_type) == "text/csv"
    assert target.read_bytes()[:2] == source.read_bytes()[:2]


@pytest.mark.daily(1)
@pytest.mark.parametrize("name", ["out.nt.gz", "out.nt.zst"])
def test_blocks_that_are_packed_at_the_same_time_are_whole(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cturi_rdf.reading.ntriples._SIZE", 2_000)
    source, target, again = tmp_path / "in.nt", tmp_path / name, tmp_path / "again.nt"
    text = "".join(f'<a:{each}> {FORMAT} "CSV" .\n' for each in range(5_000))
    source.write_text(text)
    annotate_file(str(source), str(target))
    report = annotate_file(str(target), str(again))
    assert (report.labels, report.resources) == (5_000, 5_000)


CUT_OFF = gzip.compress(CSV.encode() * 99, mtime=0)[:50]


GARBAGE = PACKED["nt.zst"](CSV.encode())[:4] + b"x" * 40


@pytest.mark.parametrize("content", [CUT_OFF, GARBAGE, b""])
def test_a_broken_file_is_refused_and_nothing_is_written(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "in.nt").write_bytes(content)
    with pytest.raises(CatalogError):
        annotate_file(str(tmp_path / "in.nt"), str(tmp_path / "out.nt"))
    assert os.listdir(tmp_path) == ["in.nt"]  # noqa: PTH208 - names only


def test_blocks_are_whole_lines_and_make_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cturi_rdf.reading.ntriples._SIZE", 100)
    text = (CSV + OTHER) * 9 + CSV.rstrip()
    for name, content in (("in.nt", text.encode()), ("in.nt.gz", gzip.compress(text.encode()))):
        (tmp_path / name).write_bytes(content)
        with open_source(str(tmp_path / name)) as source:
            pieces = list(blocks(source))
        assert b"".join(pieces).decode() == text
        assert len(pieces) > 5
        assert all(piece[-1:] == b"\n" for piece in pieces[:-1])
        by_many = annotate_file(str(tmp_path / name), str(tmp_path / "many.nt"))
        assert by_many.labels == 10
    (tmp_path / "one.nt").write_text(text)
    annotate_file(str(tmp_path / "one.nt"), str(tmp_path / "whole.nt"))
    assert set((tmp_path / "whole.nt").read_text().splitlines()) == set(
        (tmp_path / "many.nt").read_text().splitlines()
    )


def test_work_is_done_in_order() -> None:
    with in_order(abs, range(-20, 0)) as results:
        assert list(results) == list(range(20, 0, -1))


def test_the_threads_end_with_the_block_whatever_ends_it() -> None:
    before = threading.active_count()
    with suppress(KeyError), in_order(abs, iter([-1, -2, -3])) as results:
        next(results)
        raise KeyError
    assert threading.active_count() == before


@pytest.mark.parametrize("forks", [True, False])
def test_several_files_are_worked_on_by_processes_or_else_by_threads(
    monkeypatch: pytest.MonkeyPatch, *, forks: bool
) -> None:
    if not hasattr(os, "fork"):
        pytest.skip("processes cannot be forked here")
    if not forks:
        monkeypatch.delattr(os, "fork")
    offset = 1
    found = list(in_processes(lambda number: (number + offset, os.getpid()), range(10)))
    assert [number for number, _ in found] == list(range(1, 11))
    assert (os.getpid() in {process for _, process in found}) is not forks


@pytest.mark.parametrize("cores", [None, 1, 2])
def test_what_goes_wrong_in_a_thread_is_raised_where_it_is_waited_for(
    cores: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    with (
        in_order(lambda number: 1 // number, iter([1, 0, 1])) as found,
        pytest.raises(ZeroDivisionError),
    ):
        list(found)


def _writes_in(process: int, folder: Path) -> bool:
    """Return whether a process has a new file open in a folder, with a name or without."""
    if list(folder.glob(".cturi-*")):
        return True
    descriptors = Path(f"/proc/{process}/fd")
    try:
        names = [os.readlink(each) for each in descriptors.iterdir()]  # noqa: PTH115 - not a path
    except OSError:
        return False
    return any(name.startswith(f"{folder}/#") for name in names)


def test_a_stream_that_is_killed_leaves_nothing_behind(tmp_path: Path) -> None:
    source, target = tmp_path / "in.nt", tmp_path / "out.nt"
    source.write_text((CSV + OTHER) * 200_000)
    command = [sys.executable, "-m", "cturi_rdf", "annotate", str(source), "-o"]
    process = subprocess.Popen([*command, str(target)], start_new_session=True)
    wait_until(lambda: process.poll() is not None or _writes_in(process.pid, tmp_path))
    assert process.poll() is None
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    if sys.platform == "linux":
        assert os.listdir(tmp_path) == ["in.nt"]  # noqa: PTH208 - names only
    assert not target.exists()
