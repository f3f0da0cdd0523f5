"""The command line when its streams, its memory or its parent fail."""

from __future__ import annotations

import fcntl
import gzip
import os
import resource
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from processes import PATIENCE, heed_signals, python, shell, wait_until

from cturi_rdf import CturiError
from cturi_rdf._util import temporary

if TYPE_CHECKING:
    from conftest import Cturi, Write

DCAT = "http://www.w3.org/ns/dcat#"
EXAMPLE = Path(__file__).parents[1] / "examples" / "catalogue.ttl"
CTURI = f"{sys.executable} -m cturi_rdf"
# Commands that print, none of which needs a file of its own.
PRINTING = [
    "uri text/html", "header ContentType:text/html", "describe text/csv", "resolve CSV",
    f"headers {EXAMPLE}", f"annotate {EXAMPLE}", "registry show text/csv", "registry list",
    "--help", "query --list",
]  # fmt: skip


def _call(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    return python("-m", "cturi_rdf", *arguments, check=False, **options)


def _is_one_line(text: str) -> bool:
    return text.startswith("cturi: ") and text.count("\n") == 1 and "Traceback" not in text


@pytest.mark.daily(3)
@pytest.mark.parametrize("arguments", PRINTING)
def test_a_full_disk_is_one_line_and_exit_2(arguments: str) -> None:
    done = shell(f"{CTURI} {arguments} > /dev/full")
    assert done.returncode == 2
    last = done.stderr.splitlines()[-1]
    assert last == "cturi: standard output: No space left on device" or (
        "it cannot be written (No space left on device)" in last
    )
    assert "Traceback" not in done.stderr


@pytest.mark.daily(3)
@pytest.mark.parametrize("arguments", PRINTING)
def test_a_closed_standard_output_is_one_line_and_exit_2(arguments: str) -> None:
    done = shell(f"{CTURI} {arguments} >&-")
    assert done.returncode == 2
    assert "standard output" in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("arguments", ["uri -", "resolve -", "headers - --from turtle"])
def test_a_closed_standard_input_is_one_line_and_exit_2(arguments: str) -> None:
    done = shell(f"{CTURI} {arguments} <&-")
    assert done.returncode == 2
    assert _is_one_line(done.stderr), done.stderr
    assert "standard input" in done.stderr


@pytest.mark.parametrize("tables", ["_STATEMENTS_AND_FACTS", "_RUNS_AND_EVIDENCE"])
@pytest.mark.parametrize("command", ["headers", "annotate --to nt"])
def test_a_full_folder_of_temporary_files_is_one_line_and_exit_2(
    write: Write, cturi: Cturi, monkeypatch: pytest.MonkeyPatch, tables: str, command: str
) -> None:
    path = write(
        "a.nt",
        "".join(
            f"<a:{number}> <http://purl.org/dc/terms/format> {value} .\n"
            for number in range(1_000)
            for value in ('"CSV"', f"_:b{number}")
        ),
    )
    monkeypatch.setattr(temporary, "_IN_MEMORY", 100)
    monkeypatch.setattr(
        temporary, tables, f"{getattr(temporary, tables)} PRAGMA max_page_count = 4;"
    )
    run = cturi(*command.split(), path)
    assert run.code == 2
    assert _is_one_line(run.err), run.err
    assert "a temporary file cannot be written, 'database or disk is full'" in run.err


def test_too_little_memory_is_one_line_and_exit_2(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    with path.open("wb") as file:
        file.truncate(3 << 30)
    done = _call(
        "encoding",
        "--lint",
        path,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 28, 1 << 28)),
    )
    assert done.returncode == 2
    assert done.stderr == "cturi: there is not enough memory for this input\n"


# The second is the state that a script of the shell passes to the commands that it runs.
@pytest.mark.parametrize("redirection", ["2>&-", f"2< {EXAMPLE}"])
def test_with_a_closed_standard_error_the_work_is_done(tmp_path: Path, redirection: str) -> None:
    target = tmp_path / "out.ttl"
    done = shell(f"{CTURI} annotate {EXAMPLE} -o {target} {redirection}")
    assert done.returncode == 0
    assert b"contentType" in target.read_bytes()


@pytest.mark.daily(3)
@pytest.mark.parametrize("arguments", [*PRINTING, f"check {EXAMPLE}", "selfcheck"])
def test_a_reader_that_has_enough_is_no_fault(arguments: str) -> None:
    theirs, ours = os.pipe()
    os.close(theirs)
    command = [sys.executable, "-m", "cturi_rdf", *arguments.split()]
    done = subprocess.run(command, stdout=ours, stderr=subprocess.PIPE, check=False)
    os.close(ours)
    assert (done.returncode, done.stderr) == (0, b"")


def _wait_until_idle(process: subprocess.Popen[bytes]) -> None:
    """Wait until a process has read all that was written and waits for more."""
    assert process.stdin is not None
    left = b"left"
    while any(left):
        time.sleep(0.1)
        left = fcntl.ioctl(process.stdin, termios.FIONREAD, bytes(4))


@pytest.mark.parametrize(("number", "code"), [("TERM", 143), ("HUP", 129), ("INT", 130)])
def test_a_signal_cleans_up_and_shows_in_the_exit_code(
    tmp_path: Path, write: Write, number: str, code: int
) -> None:
    target = write("out.ttl", "old")
    command = [*CTURI.split(), "annotate", "-", "--from", "nt", "-o", str(target)]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=heed_signals,  # noqa: PLW1509 - no other thread runs here
    ) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        line = b'<http://a/1> <http://purl.org/dc/terms/format> "CSV" .\n'
        process.stdin.write(line * 20_000)
        process.stdin.flush()
        _wait_until_idle(process)
        process.send_signal(getattr(signal, f"SIG{number}"))
        process.wait(PATIENCE)
        assert b"Traceback" not in process.stderr.read()
    assert process.returncode == code
    assert target.read_text() == "old"
    assert os.listdir(tmp_path) == ["out.ttl"]  # noqa: PTH208 - names only


WORKERS = """
import os, sys, time
from cturi_rdf._util.parallel import in_processes
def work(number):
    os.write(1, b"%d\\n" % os.getpid())  # in one piece, for two workers write at once
    time.sleep(600)
list(in_processes(work, [1, 2]))
"""


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{process}/stat")
    return not state.exists() or state.read_text().split()[2] != "Z"


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_workers_end_when_their_parent_does(number: int) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", WORKERS], stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        assert _is_alive(worker)
        parent.send_signal(number)
        parent.wait()
        wait_until(lambda: not _is_alive(worker))


SIGNALLED_WHILE_LOADED = """
import os, runpy, signal, sys
class Loading:
    def find_spec(self, name, *_):
        if name == "cturi_rdf.cli":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Loading())
runpy.run_module("cturi_rdf", run_name="__main__")
"""


def test_ctrl_c_while_modules_are_loaded_is_no_traceback() -> None:
    done = python("-c", SIGNALLED_WHILE_LOADED, check=False, preexec_fn=heed_signals)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")


SIGNALLED_OUTSIDE = """
import signal, sys
from cturi_rdf import cli
before, number = sys.argv[1] == "before", int(sys.argv[2])
sys.argv[1:] = ["uri", "text/html"]
guarded = cli._guarded
def signalled(work):
    if before:
        signal.raise_signal(number)
    code = guarded(work)
    signal.raise_signal(number)
    return code
cli._guarded = signalled
cli.main()
"""


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_when_nothing_is_open_ends_the_command_at_once(when: str, number: int) -> None:
    done = python(
        "-c", SIGNALLED_OUTSIDE, when, str(int(number)), check=False, preexec_fn=heed_signals
    )
    assert (done.returncode, done.stderr) == (-number, "")


SIGNALLED_AT_FORK = """
import os, signal
from cturi_rdf._util.parallel import in_processes
class Ended(BaseException):
    pass
def end(*_):
    raise Ended
signal.signal(signal.SIGTERM, end)
os.register_at_fork(before=lambda: os.kill(os.getpid(), signal.SIGTERM))
try:
    print(list(in_processes(abs, [1, 2])))
except Ended:
    print("ended")
"""


def test_a_signal_that_comes_while_workers_are_forked_is_not_lost() -> None:
    done = python("-c", SIGNALLED_AT_FORK, check=False)
    assert (done.stdout, done.stderr, done.returncode) == ("ended\n", "", 0)


@pytest.mark.parametrize(
    "command",
    ["headers", "annotate", "check", "query types", "encoding --lint", "message",
     "repair --profile dcat-ap"],
)  # fmt: skip
def test_a_limit_is_set_on_the_command_line(write: Write, cturi: Cturi, command: str) -> None:
    path = write("a.ttl.gz", gzip.compress(b"\n" * 3_000_000))
    run = cturi("--limit", "unpacked=1M", *command.split(), path)
    assert run.code == 2
    assert "more than 1,000,000 bytes" in run.err
    assert "--limit unpacked=N" in run.err
    assert cturi("--limit", "colour=1", *command.split(), path).code == 2


@pytest.mark.parametrize("content", [None, "", f"<a:b> <{DCAT}mediaType> 'CSV' ; <a:c> <a:d> ."])
@pytest.mark.parametrize(
    "command",
    ["headers", "annotate --to nt", "check", "query types", "encoding --lint", "message",
     "repair --profile dcat-ap"],
)  # fmt: skip
def test_the_name_of_a_file_is_no_command_of_the_terminal(
    tmp_path: Path, cturi: Cturi, command: str, content: str | None
) -> None:
    path = tmp_path / "a\x07\x9b2J\u202e.ttl"
    if content is not None:
        path.write_text(content)
    run = cturi(*command.split(), path)
    assert content is not None or (run.code == 2 and "a\\x07\\x9b2J\\u202e.ttl" in run.err)
    assert all(character.isprintable() or character in "\n\t" for character in run.out + run.err)


def test_an_error_of_our_own_is_one_line_and_no_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    script = (
        "import cturi_rdf.cli as cli, cturi_rdf.cli.mapping as mapping, sys\n"
        "def fail(*_, **__): raise KeyError('odd')\n"
        "mapping.to_uri = fail\n"
        "sys.argv[1:] = ['uri', 'text/html']\n"
        "cli.main()\n"
    )
    monkeypatch.delenv("CTURI_TRACEBACK", raising=False)
    done = python("-c", script, check=False)
    assert done.returncode == 2
    assert _is_one_line(done.stderr), done.stderr
    assert "KeyError" in done.stderr


def test_the_package_is_the_command_too() -> None:
    assert shell(f"{CTURI} -V").stdout == shell(f"{CTURI} --version").stdout != ""


@pytest.mark.parametrize("kind", ["text", "json", "sarif", "turtle"])
def test_a_file_name_that_is_not_utf_8_is_shown_and_not_fatal(tmp_path: Path, kind: str) -> None:
    catalogue = Path(os.fsdecode(os.fsencode(tmp_path) + b"/f\xe9.ttl"))
    catalogue.write_text('<http://a/d> <http://www.w3.org/ns/dcat#mediaType> "text/csv" .')
    result = _call("check", "--format", kind, str(catalogue))
    assert result.returncode == 1, result.stderr
    shown = {"text": "f\\udce9.ttl", "json": "f\\udce9.ttl", "sarif": "f%E9.ttl", "turtle": ""}
    assert shown[kind] in result.stdout


@pytest.mark.parametrize("label", ["a\nCSV", "a\x1b[31mCSV", "\u202eCSV", "a\x9b2J", "W\nS 1.K3."])
def test_a_label_is_one_line_without_control_characters(label: str) -> None:
    (line,) = _call("resolve", label).stdout.splitlines()
    assert all(character.isprintable() or character == "\t" for character in line)
    assert line.count("\t") == 4


NOT_UTF_8 = [
    ("resolve -", b"caf\xe9\n", 0, "caf\\udce9\tmedia_type\taudio/x-caf\textension, likely"),
    ("query -", b'ASK {\n?s ?p "\xe9"}', 2, "cturi: standard input:2: a byte that is not UTF-8"),
    ("uri -", b"text/csv; a=\xe9\n", 2, "a byte that is not UTF-8 at character 13"),
    ("convert", b"text/csv; a=\xe9\n", 2, "a byte that is not UTF-8"),
]


@pytest.mark.parametrize(("command", "stdin", "code", "expected"), NOT_UTF_8)
def test_a_byte_that_is_not_utf_8_is_shown_and_never_replaced(
    cturi: Cturi, command: str, stdin: bytes, code: int, expected: str
) -> None:
    run = cturi(*command.split(), stdin=stdin)
    assert run.code == code
    assert expected in run.out + run.err


def test_control_characters_of_any_part_of_an_error_are_escaped() -> None:
    error = CturiError("no \x1b[2J", "te\x9bxt", (0, 1), "\u202eother", "rule \x07")
    assert error.summary.isprintable()
    assert all(line.isprintable() for line in str(error).splitlines())
