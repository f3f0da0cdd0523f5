"""Python and the shell in processes of their own, for what a test cannot do in its own."""

from __future__ import annotations

import signal
import subprocess
import sys
from typing import Any


def python(
    *arguments: object, check: bool = True, **options: Any
) -> subprocess.CompletedProcess[str]:
    """Run Python with arguments and return what it left; `options` are those of `Popen`."""
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=check, **options)


def heed_signals() -> None:
    """Let a process heed the signals that whoever started the tests may have it ignore."""
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def shell(command: str) -> subprocess.CompletedProcess[str]:
    """Run a line of the shell, such as a pipe, and return what it left."""
    return subprocess.run(  # noqa: S602 - our own words
        command, shell=True, capture_output=True, text=True, check=False
    )
