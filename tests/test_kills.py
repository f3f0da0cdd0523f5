"""Commands that write are killed at random moments: old or new, nothing mixed, nothing left.

Only SIGKILL, which a process cannot meet, may leave one whole file between its name and its place.

`make faults` sets CTURI_KILLS to 1,000; the default is small.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import pytest
from processes import PATIENCE, heed_signals, wait_until

KILLS = int(os.environ.get("CTURI_KILLS", "14"))
# Its seed, to see a fault again.
SEED = int(os.environ.get("CTURI_SEED", "1"))
SIGNALS = ("SIGKILL", "SIGTERM", "SIGINT", "SIGHUP")
LABELS = ("text/csv", "CSV", "Zipped Shapefile", "application/json", "XML", "WMS")


class Command(NamedTuple):
    """Its arguments, the files it reads, those that it writes, and whether they are the same."""

    arguments: str
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    lines: int = 3_000


COMMANDS = [
    Command("annotate in/a.nt -o out/a.ttl", ("in/a.nt",), ("out/a.ttl",), 600),
    Command("annotate in/a.nt -o out/a.nt", ("in/a.nt",), ("out/a.nt",), 20_000),
    Command("annotate in/a.nt -o out/a.nt.gz", ("in/a.nt",), ("out/a.nt.gz",), 20_000),
    Command("annotate in/a.nt -o out/a.ttl --descriptions out/d.ttl", ("in/a.nt",),
            ("out/a.ttl", "out/d.ttl")),
    Command("annotate --in-place out/a.nt out/b.nt out/c.nt", ("out/a.nt", "out/b.nt", "out/c.nt"),
            ("out/a.nt", "out/b.nt", "out/c.nt"), 6_000),
    Command("annotate in/a.nt in/b.nt in/c.nt -o out", ("in/a.nt", "in/b.nt", "in/c.nt"),
            ("out/a.nt", "out/b.nt", "out/c.nt"), 6_000),
    Command("edit in/a.nt --update INSERT{<a:a><a:b>1}WHERE{} -o out/a.nt", ("in/a.nt",),
            ("out/a.nt",)),
    Command("edit --in-place out/a.nt out/b.nt --update INSERT{<a:a><a:b>1}WHERE{}",
            ("out/a.nt", "out/b.nt"), ("out/a.nt", "out/b.nt")),
    Command("repair --in-place out/a.nt --profile dcat-ap", ("out/a.nt",), ("out/a.nt",), 600),
    Command("check in/a.nt --json -o out/a.json", ("in/a.nt",), ("out/a.json",)),
    Command("query types in/a.nt -o out/a.csv", ("in/a.nt",), ("out/a.csv",)),
    Command("registry export -o out/a.nt", (), ("out/a.nt",)),
]  # fmt: skip


def _catalogue(lines: int) -> str:
    return "".join(
        f"<http://a.example/{number}> <http://www.w3.org/ns/dcat#mediaType>"
        f' "{LABELS[number % len(LABELS)]}" .\n'
        for number in range(lines)
    )


class Trial:
    """A command, its files in a folder of its own, and the files after a whole run."""

    def __init__(self, folder: Path, command: Command) -> None:
        self._folder, self._command = folder, command
        for name in ("in", "out", "tmp"):
            (folder / name).mkdir(parents=True)
        self._text = _catalogue(command.lines).encode()
        start = time.monotonic()
        process = self._start()
        assert process.wait() in {0, 1}, (folder / "err").read_text()
        self._seconds = time.monotonic() - start
        self._new = {name: (folder / name).read_bytes() for name in command.writes}

    def _start(self) -> subprocess.Popen[bytes]:
        self._old = {}
        for name in {*self._command.reads, *self._command.writes}:
            content = self._text if name in self._command.reads else b"old\n"
            (self._folder / name).write_bytes(content)
            self._old[name] = content
        environment = {**os.environ, "TMPDIR": str(self._folder / "tmp"), "PYTHONHASHSEED": "0"}
        # To a file: a pipe would not end before the workers do.
        with (self._folder / "err").open("wb") as error:
            return subprocess.Popen(
                [sys.executable, "-m", "cturi_rdf", *self._command.arguments.split()],
                cwd=self._folder,
                env=environment,
                stdout=error,
                stderr=error,
                start_new_session=True,
                preexec_fn=heed_signals,  # noqa: PLW1509
            )

    def kill(self, number: signal.Signals, moment: float) -> None:
        """Kill the command after a part of the time that it takes, and check the files."""
        process = self._start()
        time.sleep(moment * self._seconds)
        process.send_signal(number)
        process.wait(PATIENCE)
        # No worker outlives its parent.
        wait_until(lambda: not _running(process.pid))
        # Python itself reports a signal that comes in a callback such as __del__, and goes on;
        # and Ctrl-C while it starts, before the command does.
        error = (self._folder / "err").read_bytes()
        if b", in main\n" in error or not error.endswith(b"\nKeyboardInterrupt\n"):
            assert error.count(b"Traceback") == error.count(b"Exception ignored in")
        assert process.returncode in {0, 1, -number, 128 + number}
        for name in self._command.writes:
            content = (self._folder / name).read_bytes()
            assert content in {self._old[name], self._new[name]}, f"{name} is mixed"
        written = {self._folder / name for name in self._command.writes}
        left = set((self._folder / "out").iterdir()) - written
        assert len(left) <= (number == signal.SIGKILL)
        for path in left:
            assert path.name.startswith(".cturi-")
            assert path.read_bytes() in self._new.values()
            path.unlink()
        assert not list((self._folder / "tmp").iterdir())


def _running(session: int) -> bool:
    """Return whether a process of the session runs; one that waits to be reaped does not."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, its_session = path.read_text().rpartition(")")[2].split()[:4]
        except OSError:
            continue
        if int(its_session) == session and state not in "ZX":
            return True
    return False


@pytest.mark.daily(2)
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.arguments)
def test_a_killed_command_leaves_the_old_file_or_the_new_one(
    tmp_path: Path, command: Command
) -> None:
    chance = random.Random(f"{SEED} {command.arguments}")  # noqa: S311 - no secret
    trial = Trial(tmp_path, command)
    for number in range(max(KILLS // len(COMMANDS), 1)):
        name = SIGNALS[number % len(SIGNALS)] if KILLS > 100 else chance.choice(SIGNALS)
        trial.kill(signal.Signals[name], chance.uniform(0.2, 1.05))
