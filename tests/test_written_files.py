"""Where output goes: files, pipes and devices; whatever happens, the target is whole."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cturi_rdf._util import system
from cturi_rdf.reading import CatalogError
from cturi_rdf.reading.atomic import replacing, write_whole

if TYPE_CHECKING:
    from conftest import Write

TURTLE = b'<http://a.example/1> <http://purl.org/dc/terms/format> "CSV" .\n'


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no FIFOs")
def test_a_fifo_is_written_to_and_stays_one(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    with ThreadPoolExecutor() as pool:
        read = pool.submit(fifo.read_bytes)
        write_whole(str(fifo), TURTLE)
        assert read.result() == TURTLE
    assert stat.S_ISFIFO(fifo.stat().st_mode)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux has this device")
def test_a_device_is_written_to_and_stays_one() -> None:
    write_whole("/dev/null", TURTLE)
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)
    with pytest.raises(CatalogError, match="No space left on device"):
        write_whole("/dev/full", TURTLE)
    assert stat.S_ISCHR(Path("/dev/full").stat().st_mode)


@pytest.mark.parametrize("name", ["-", "/dev/stdout", "/dev/fd/1"])
def test_standard_output_is_written_to_by_each_of_its_names(write: Write, name: str) -> None:
    script = f"from cturi_rdf.reading.atomic import write_whole; write_whole({name!r}, b'text')"
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


def test_nothing_is_left_where_the_system_has_no_files_without_names(
    tmp_path: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = write("target.ttl", "old")
    monkeypatch.setattr(system, "file_without_name", lambda _: None)
    with pytest.raises(ZeroDivisionError), replacing(str(target)) as file:
        file.write(b"new" * (1 // len(os.listdir(tmp_path)[2:])))  # noqa: PTH208 - names only
    assert target.read_text() == "old"
    write_whole(str(target), TURTLE)
    assert target.read_bytes() == TURTLE
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
