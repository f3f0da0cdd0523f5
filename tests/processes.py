"""Python and the shell in separate processes, for work that a test cannot do in its own."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

from cturi_rdf._util.system import ENDING_SIGNALS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def python(
    *arguments: object, check: bool = True, **options: Any
) -> subprocess.CompletedProcess[str]:
    """Run Python with arguments and return the result; `options` are those of `Popen`."""
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=check, **options)


# How many seconds a test waits for what comes at once, before it fails: a machine may be busy.
PATIENCE = 120


def wait_until(is_so: Callable[[], bool]) -> None:
    """Wait until something is so, or fail after two minutes."""
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < deadline, f"it is not so after {PATIENCE} seconds"
        time.sleep(0.02)


def answers(port: int) -> bool:
    """Return whether something listens at a port of this machine."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def heed_signals() -> None:
    """Let a process heed signals that the starter of the tests may have set to be ignored."""
    for number in ENDING_SIGNALS:
        signal.signal(number, signal.SIG_DFL)


def shell(command: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a line of the shell, such as a pipe, in a folder, and return the result."""
    return subprocess.run(  # noqa: S602 - our own words
        command, shell=True, capture_output=True, text=True, check=False, cwd=folder
    )
