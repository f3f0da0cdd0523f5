"""Python in a process of its own, for what a test cannot do in its own process."""

from __future__ import annotations

import subprocess
import sys
from typing import Any


def python(
    *arguments: object, check: bool = True, **options: Any
) -> subprocess.CompletedProcess[str]:
    """Run Python with arguments and return what it left; `options` are those of `Popen`."""
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=check, **options)
