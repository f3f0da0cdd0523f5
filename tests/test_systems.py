"""The command line on other systems: each function that a system may lack is taken away."""

from __future__ import annotations

import json
import os
import stat
import struct
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from processes import python

from cturi_rdf._util import system

if TYPE_CHECKING:
    from collections.abc import Iterable

    from conftest import Cturi

# What Windows, macOS, the browser or a file system lacks, by module.
LACKING = [
    "os.preadv", "os.pread", "os.fork", "os.O_TMPFILE", "os.O_NOFOLLOW", "os.fchmod", "os.fchown",
    "os.chown", "os.geteuid", "os.mkfifo", "os.listxattr", "os.getxattr", "os.setxattr",
    "signal.SIGHUP", "signal.pthread_sigmask", "fcntl",
]  # fmt: skip
COMMANDS = [
    ["annotate", "c.ttl", "-o", "annotated.ttl"],
    ["annotate", "c.ttl", "d.ttl", "--in-place"],
    ["annotate", "lines.nt", "-o", "lines.out.nt.gz"],
    ["check", "c.ttl"],
    ["repair", "c.ttl", "--profile", "dcat-ap", "--in-place"],
    ["headers", "c.ttl", "d.ttl"],
    ["query", "SELECT * {?s ?p ?o} LIMIT 1", "c.ttl"],
    ["resolve", "csv.gz"],
    ["uri", "text/html"],
    ["header", "ContentType:text/html"],
    ["describe", "text/csv"],
    ["encoding", "e.xml"],
    ["registry", "show", "text/csv"],
    ["message", "m.eml"],
    ["selfcheck"],
]
# Takes names away, then runs each command, and prints the exit codes and the files as JSON.
SCRIPT = """
import importlib, json, pathlib, sys
lacking, commands = json.loads(sys.argv[1])
for name in lacking:
    module, _, member = name.partition(".")
    if not member:
        sys.modules[module] = None
    elif hasattr(importlib.import_module(module), member):
        delattr(importlib.import_module(module), member)
import contextlib, io
from cturi_rdf.cli import cturi
codes = {}
for command in commands:
    with contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO(), "utf-8")):
        try:
            code = cturi.main(command, prog_name="cturi", standalone_mode=False)
        except SystemExit as end:
            code = end.code
        except Exception as error:
            code = f"{type(error).__name__}: {error}"
    codes[" ".join(command)] = code or 0
files = {path.name: path.read_bytes().hex() for path in sorted(pathlib.Path().glob("*.ttl"))}
print(json.dumps([codes, files]))
"""
CATALOGUE = """@prefix dcat: <http://www.w3.org/ns/dcat#> .
@prefix dct: <http://purl.org/dc/terms/> .

<http://example.org/a> a dcat:Distribution ; dct:format "CSV" . # a comment
"""
LINE = '<http://example.org/a> <http://purl.org/dc/terms/format> "CSV" .\n'
MESSAGE = b"Message-ID: <a@example.org>\r\nContent-Type: text/plain\r\n\r\nHello\r\n"


def run(folder: Path, lacking: Iterable[str]) -> tuple[dict[str, object], dict[str, str]]:
    """Return the exit codes and the files of all commands where some names are missing."""
    folder.mkdir()
    for name in ("c.ttl", "d.ttl"):
        (folder / name).write_text(CATALOGUE, encoding="utf-8")
    (folder / "lines.nt").write_text(LINE * 3, encoding="utf-8")
    (folder / "e.xml").write_bytes(b"<a/>")
    (folder / "m.eml").write_bytes(MESSAGE)
    done = python("-c", SCRIPT, json.dumps([list(lacking), COMMANDS]), cwd=folder)
    codes, files = json.loads(done.stdout.splitlines()[-1])
    return codes, files


@pytest.mark.slow
def test_every_command_runs_on_a_system_that_lacks_all_of_it(tmp_path: Path) -> None:
    everywhere = run(tmp_path / "whole", ())
    assert set(everywhere[0].values()) <= {0, 1}
    assert run(tmp_path / "lacking", LACKING) == everywhere


@pytest.mark.slow
@pytest.mark.parametrize("name", LACKING)
def test_every_command_runs_without_one_function(tmp_path: Path, name: str) -> None:
    codes, _ = run(tmp_path / "lacking", [name])
    assert set(codes.values()) <= {0, 1}


def test_a_file_is_replaced_where_an_open_one_cannot_be(
    tmp_path: Path, cturi: Cturi, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "c.ttl"
    target.write_text(CATALOGUE, encoding="utf-8")
    open_at_replacing: list[str] = []
    replace = Path.replace

    def watching(self: Path, other: Path) -> Path:
        descriptors = Path("/proc/self/fd")
        if descriptors.exists():
            links = (descriptors / name for name in os.listdir(descriptors))  # noqa: PTH208
            names = [os.readlink(link) for link in links if link.is_symlink()]  # noqa: PTH115
            open_at_replacing.extend(name for name in names if name.startswith(str(tmp_path)))
        return replace(self, other)

    monkeypatch.setattr("cturi_rdf.reading.source.REPLACES_OPEN_FILES", False)
    monkeypatch.setattr(Path, "replace", watching)
    assert cturi("annotate", str(target), "--in-place").code == 0
    assert b"contentType" in target.read_bytes()
    assert open_at_replacing == []


def test_bytes_are_read_at_an_offset_in_every_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"0123456789")
    with path.open("rb") as file:
        for lacking in ("preadv", "pread"):
            buffer = bytearray(4)
            assert system.read_at(file.fileno(), memoryview(buffer), 3) == 4
            assert bytes(buffer) == b"3456"
            assert system.read_at(file.fileno(), memoryview(buffer), 8) == 2
            monkeypatch.delattr(os, lacking, raising=False)
        buffer = bytearray(4)
        assert system.read_at(file.fileno(), memoryview(buffer), 3) == 4
        assert bytes(buffer) == b"3456"


def attributes(path: Path) -> dict[str, bytes]:
    return {name: os.getxattr(path, name) for name in os.listxattr(path)}


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="this system has no such attributes")
def test_an_edit_in_place_keeps_attributes_and_who_may_read(tmp_path: Path, cturi: Cturi) -> None:
    path = tmp_path / "c.ttl"
    path.write_text(CATALOGUE, encoding="utf-8")
    path.chmod(0o640)
    # user::rw- user:33:rw- group::r-- mask::rw- other::---, in the form of Linux (acl(5)).
    entries = [(1, 6, -1), (2, 6, 33), (4, 4, -1), (16, 6, -1), (32, 0, -1)]
    acl = struct.pack("<I", 2) + b"".join(struct.pack("<HHi", *entry) for entry in entries)
    try:
        os.setxattr(path, "user.origin", b"https://example.org/")
        os.setxattr(path, "system.posix_acl_access", acl)
    except OSError:
        pytest.skip("this file system has no such attributes")
    before = attributes(path), stat.S_IMODE(path.stat().st_mode)
    assert cturi("annotate", str(path), "--in-place").code == 0
    assert (attributes(path), stat.S_IMODE(path.stat().st_mode)) == before


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="this system has no such attributes")
def test_an_edit_that_cannot_keep_who_may_read_is_refused(
    tmp_path: Path, cturi: Cturi, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "c.ttl"
    path.write_text(CATALOGUE, encoding="utf-8")

    def refuse(*_: object) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(os, "listxattr", lambda _: ["user.origin"])
    monkeypatch.setattr(os, "getxattr", lambda *_: b"")
    monkeypatch.setattr(os, "setxattr", refuse)
    result = cturi("annotate", str(path), "--in-place")
    assert result.code == 2
    assert "Operation not supported" in result.err
    assert path.read_text(encoding="utf-8") == CATALOGUE


@pytest.mark.skipif(not hasattr(os, "fchown"), reason="this system has no groups")
def test_a_group_that_cannot_be_kept_gets_no_rights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    for path in (old, new):
        path.write_bytes(b"")
    old.chmod(0o664)
    group = old.stat().st_gid

    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "fchown", refuse)
    with new.open("rb") as file:
        system.keep_rights(file.fileno(), new, old)
        assert stat.S_IMODE(new.stat().st_mode) == 0o664
        status = os.stat_result((*old.stat()[:5], group + 1, *old.stat()[6:]))
        monkeypatch.setattr(Path, "stat", lambda *_: status)
        system.keep_rights(file.fileno(), new, old)
    monkeypatch.undo()
    assert stat.S_IMODE(new.stat().st_mode) == 0o644


def test_nothing_else_names_what_a_system_may_lack() -> None:
    package = Path(system.__file__).parent.parent
    offending = [
        (path.name, name)
        for path in package.rglob("*.py")
        if path != Path(system.__file__)
        for name in LACKING
        if name in path.read_text(encoding="utf-8")
    ]
    assert offending == []
