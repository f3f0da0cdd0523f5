"""The command line on other systems: each function that a system may lack is taken away."""

from __future__ import annotations

import json
import os
import stat
import struct
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click import Context
from processes import python

from cturi_rdf._util import system
from cturi_rdf.cli import cturi as cturi_group
from cturi_rdf.reading.atomic import same_file

if TYPE_CHECKING:
    from collections.abc import Iterable

    from conftest import Cturi

# What Windows, macOS, the browser or a file system lacks, by module.
LACKING = [
    "os.preadv", "os.pread", "os.fork", "os.O_TMPFILE", "os.O_NOFOLLOW", "os.fchmod", "os.fchown",
    "os.chown", "os.geteuid", "os.mkfifo", "os.listxattr", "os.getxattr", "os.setxattr",
    "signal.SIGHUP", "signal.pthread_sigmask", "fcntl",
]  # fmt: skip
# What is used only in processes that were forked.
WITH_FORK = [
    "os.killpg", "os.nice", "signal.SIGKILL", "signal.setitimer", "socket.send_fds", "resource",
]  # fmt: skip
COMMANDS = [
    ["annotate", "c.ttl", "-o", "annotated.ttl"],
    ["annotate", "c.ttl", "d.ttl", "--in-place"],
    ["annotate", "lines.nt", "-o", "lines.out.nt.gz"],
    ["check", "c.ttl"],
    ["repair", "c.ttl", "--profile", "dcat-ap", "--in-place"],
    ["headers", "c.ttl", "d.ttl"],
    ["edit", "d.ttl", "--update", "DELETE WHERE { ?s <http://e.example/p> ?o }", "--in-place"],
    ["columns", "labels.csv", "--column", "format", "-o", "meanings.csv"],
    ["convert"],
    ["links", "page.html"],
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
# It writes thousands of files.
SITE = ["site", "-o", "site", "--without-try"]
# Takes names away, as the first argument says.
TAKE_AWAY = """
import importlib, json, pathlib, sys
for name in json.loads(sys.argv[1]):
    module, _, member = name.partition(".")
    if not member:
        sys.modules[module] = None
    elif hasattr(importlib.import_module(module), member):
        delattr(importlib.import_module(module), member)
"""
# Runs each command, and prints the exit codes and the files as JSON.
SCRIPT = (
    TAKE_AWAY
    + """
commands = json.loads(sys.argv[2])
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
paths = sorted(path for path in pathlib.Path().iterdir() if path.is_file())
files = {path.name: path.read_bytes().hex() for path in paths}
print(json.dumps([codes, files]))
"""
)
CATALOGUE = """@prefix dcat: <http://www.w3.org/ns/dcat#> .
@prefix dct: <http://purl.org/dc/terms/> .

<http://example.org/a> a dcat:Distribution ; dct:format "CSV" . # a comment
"""
LINE = '<http://example.org/a> <http://purl.org/dc/terms/format> "CSV" .\n'
MESSAGE = b"Message-ID: <a@example.org>\r\nContent-Type: text/plain\r\n\r\nHello\r\n"


def run(
    folder: Path, lacking: Iterable[str], *more: list[str]
) -> tuple[dict[str, object], dict[str, str]]:
    """Return the exit codes and the files of all commands where some names are missing."""
    folder.mkdir()
    for name in ("c.ttl", "d.ttl"):
        (folder / name).write_text(CATALOGUE, encoding="utf-8")
    (folder / "lines.nt").write_text(LINE * 3, encoding="utf-8")
    (folder / "e.xml").write_bytes(b"<a/>")
    (folder / "m.eml").write_bytes(MESSAGE)
    (folder / "labels.csv").write_bytes(b"format\r\nCSV\r\n")
    (folder / "page.html").write_bytes(b"<link rel=next href=b type=text/csv>")
    arguments = json.dumps(list(lacking)), json.dumps([*COMMANDS, *more])
    # A file that is opened in the encoding of the system is an error.
    strict = ("-X", "warn_default_encoding", "-W", "error::EncodingWarning:cturi_rdf")
    done = python(*strict, "-c", SCRIPT, *arguments, cwd=folder, input="text/html\n")
    codes, files = json.loads(done.stdout.splitlines()[-1])
    return codes, files


@pytest.mark.slow
def test_every_command_runs_on_a_system_that_lacks_all_of_it(tmp_path: Path) -> None:
    everywhere = run(tmp_path / "whole", (), SITE)
    assert set(everywhere[0].values()) <= {0, 1}
    assert run(tmp_path / "lacking", [*LACKING, *WITH_FORK], SITE) == everywhere


def test_every_command_is_among_those() -> None:
    # The other two are servers, see below.
    tried = {words[0] for words in [*COMMANDS, SITE]} | {"serve", "lsp"}
    assert tried == set(cturi_group.list_commands(Context(cturi_group)))


SERVE = (
    TAKE_AWAY
    + """
from urllib.request import urlopen
from servers import running
with running("c.ttl") as address:
    for path in ("/health", "/sparql?query=ASK%7B%7D&format=json", "/api/resolve?label=CSV"):
        print(urlopen(address + path).status)
"""
)


@pytest.mark.slow
def test_the_server_answers_on_a_system_that_lacks_all_of_it(tmp_path: Path) -> None:
    (tmp_path / "c.ttl").write_text(CATALOGUE, encoding="utf-8")
    lacking = json.dumps([*LACKING, *WITH_FORK])
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parent)}
    done = python("-c", SERVE, lacking, cwd=tmp_path, env=environment)
    assert done.stdout.split() == ["200", "200", "200"]


LSP = (
    TAKE_AWAY
    + """
from cturi_rdf.cli import cturi
cturi.main(["lsp"], prog_name="cturi")
"""
)


@pytest.mark.slow
def test_the_language_server_answers_on_a_system_that_lacks_all_of_it() -> None:
    messages = [
        {"id": 1, "method": "initialize", "params": {"capabilities": {}, "processId": None}},
        {"id": 2, "method": "shutdown"},
        {"method": "exit"},
    ]
    texts = [json.dumps({"jsonrpc": "2.0"} | message) for message in messages]
    given = "".join(f"Content-Length: {len(text)}\r\n\r\n{text}" for text in texts)
    done = python("-c", LSP, json.dumps([*LACKING, *WITH_FORK]), input=given)
    assert '"capabilities"' in done.stdout


COLLECT = (
    TAKE_AWAY
    + """
import pytest
print(int(pytest.main(["--collect-only", "-q", "-p", "no:cacheprovider", *sys.argv[2:]])))
"""
)


@pytest.mark.slow
def test_the_tests_can_be_collected_on_a_system_that_lacks_all_of_it() -> None:
    # As the workflow does on Windows, where one module that cannot be imported ends the run.
    lacking = [*LACKING, *WITH_FORK, "signal.SIGALRM", "pty", "termios", "tty"]
    root = Path(__file__).parents[1]
    done = python("-c", COLLECT, json.dumps(lacking), "tests", cwd=root)
    assert done.stdout.split()[-1] == "0", done.stdout[-2_000:]


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


def test_replacing_a_file_is_tried_again_where_another_program_has_it_open(
    tmp_path: Path, cturi: Cturi, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "c.ttl"
    target.write_text(CATALOGUE, encoding="utf-8")
    refusals = 3
    replace = Path.replace

    def refusing(self: Path, other: Path) -> Path:
        nonlocal refusals
        refusals -= 1
        if refusals >= 0:
            # What Windows says.
            raise PermissionError(13, "Access is denied")
        return replace(self, other)

    pauses: list[float] = []
    monkeypatch.setattr(Path, "replace", refusing)
    monkeypatch.setattr(system.time, "sleep", pauses.append)
    monkeypatch.setattr(system, "_PAUSE", 0.1)
    result = cturi("annotate", str(target), "--in-place")
    assert (result.code, target.read_text("utf-8")) == (2, CATALOGUE)
    assert "it cannot be written (Access is denied)" in result.err
    assert os.listdir(tmp_path) == ["c.ttl"]  # noqa: PTH208 - names only
    refusals = 3
    assert pauses == []
    monkeypatch.setattr(system, "_TRIES", 5)
    assert cturi("annotate", str(target), "--in-place").code == 0
    assert pauses == [0.1, 0.1, 0.1]
    assert b"contentType" in target.read_bytes()


def test_two_results_whose_names_differ_in_case_are_refused_where_that_is_one_file(
    tmp_path: Path, cturi: Cturi, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources = [tmp_path / "one" / "c.ttl", tmp_path / "two" / "C.ttl"]
    for source in sources:
        source.parent.mkdir()
        source.write_text(CATALOGUE, encoding="utf-8")
    out = tmp_path / "out"
    out.mkdir()
    words = "annotate", *map(str, sources), "-o", str(out)
    if not system.ignores_case(out):
        assert cturi(*words).code == 0
        assert {path.name for path in out.iterdir()} == {"c.ttl", "C.ttl"}
    monkeypatch.setattr(Path, "exists", lambda _: True)
    assert system.ignores_case(out)
    monkeypatch.undo()
    monkeypatch.setattr("cturi_rdf.cli.output.ignores_case", lambda _: True)
    assert not system.ignores_case(tmp_path / "absent")
    result = cturi(*words)
    assert result.code == 2
    assert f"two files would be written to '{out / 'c.ttl'}'" in result.err


def test_two_names_of_one_file_are_known_where_case_makes_no_difference(tmp_path: Path) -> None:
    one, other = tmp_path / "c.ttl", tmp_path / "C.ttl"
    one.write_bytes(b"")
    # A hard link stands for the same name in a folder that ignores case.
    other.hardlink_to(one)
    assert same_file(str(one), str(other))
    third = tmp_path / "d.ttl"
    third.hardlink_to(one)
    assert not same_file(str(one), str(third))
    assert not same_file("-", "-")


def test_other_hard_links_keep_the_old_content(tmp_path: Path, cturi: Cturi) -> None:
    one, other = tmp_path / "c.ttl", tmp_path / "other.ttl"
    one.write_text(CATALOGUE, encoding="utf-8")
    other.hardlink_to(one)
    assert cturi("annotate", str(one), "--in-place").code == 0
    assert b"contentType" in one.read_bytes()
    assert other.read_text("utf-8") == CATALOGUE


@pytest.mark.parametrize(
    "words",
    [
        ("annotate", "--in-place"),
        ("repair", "--profile", "dcat-ap", "--in-place"),
        ("edit", "--update", "DELETE { ?s ?p 'CSV' } INSERT { ?s ?p 'TSV' } WHERE { ?s ?p 'CSV' }",
         "--in-place"),
        ("annotate", "-o", "out.ttl"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_a_file_of_windows_keeps_its_line_ends(
    tmp_path: Path, cturi: Cturi, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    written = []
    for end in (b"\n", b"\r\n"):
        path = Path("c.ttl")
        path.write_bytes(CATALOGUE.encode().replace(b"\n", end))
        assert cturi(words[0], str(path), *words[1:]).code == 0
        written.append(Path("out.ttl" if "-o" in words else path).read_bytes())
    assert written[0] != CATALOGUE.encode()
    assert written[1] == written[0].replace(b"\n", b"\r\n")


@pytest.mark.parametrize(
    "command", [["resolve", "-"], ["uri", "-"], ["convert", "-"], ["describe", "-"]], ids=" ".join
)
def test_lines_of_windows_are_read_like_others(cturi: Cturi, command: list[str]) -> None:
    lines = "text/csv\nimage/png\n"
    there = cturi(*command, stdin=lines.replace("\n", "\r\n"))
    assert there.out == cturi(*command, stdin=lines).out


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["cp437", "cp1252", "cp1252:strict", "utf-16", "ascii"])
def test_pipes_carry_utf_8_whatever_the_code_page(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "c.ttl").write_text(CATALOGUE.replace('"CSV"', '"Υπολογιστικό"'), "utf-8")
    windows = {"PYTHONIOENCODING": encoding, "PYTHONLEGACYWINDOWSSTDIO": "1", "PYTHONUTF8": "0"}
    outputs = []
    for environment in ({"PYTHONUTF8": "1"}, windows):
        for words in (["check", "c.ttl"], ["annotate", "c.ttl", "-o", "-"], ["resolve", "-"]):
            done = subprocess.run(
                [sys.executable, "-m", "cturi_rdf", *words], input="Υπολογιστικό φύλλο\n".encode(),
                capture_output=True, check=False, cwd=tmp_path, env=os.environ | environment,
            )  # fmt: skip
            outputs.append((done.returncode, done.stdout, done.stderr))
    assert "Υπολογιστικό φύλλο" in outputs[2][1].decode()
    assert outputs[:3] == outputs[3:]


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
        system.keep_rights(file.fileno(), old)
        assert stat.S_IMODE(new.stat().st_mode) == 0o664
        status = os.stat_result((*old.stat()[:5], group + 1, *old.stat()[6:]))
        monkeypatch.setattr(Path, "stat", lambda *_: status)
        system.keep_rights(file.fileno(), old)
    monkeypatch.undo()
    assert stat.S_IMODE(new.stat().st_mode) == 0o644
    # Where a file has no owner to set, there is no group to lose.
    monkeypatch.delattr(os, "fchown")
    with new.open("rb") as file:
        system.keep_rights(file.fileno(), old)
    assert stat.S_IMODE(new.stat().st_mode) == 0o664


def test_more_files_may_be_open_as_far_as_the_system_allows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    resource = pytest.importorskip("resource")
    infinite = resource.RLIM_INFINITY
    asked: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: asked.append(limits))
    for limits in ((10, 100), (10, 20), (10, infinite), (50, 100), (infinite, infinite)):
        monkeypatch.setattr(resource, "getrlimit", lambda _, limits=limits: limits)
        system.allow_open_files(50)
    assert asked == [(50, 100), (20, 20), (50, infinite)]


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
