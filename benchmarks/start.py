"""Starting: what an import and a command cost, against Python that does nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from benchmarks.ratio import Limit, in_turns, print_table

__all__ = ["main"]

_NOTHING = "python -c pass"
_WANTED = {"import cturi_rdf": 2.5, "first look-up in the registry": 4.0, "cturi --version": 6.0}


def main() -> list[Limit]:
    """Print the table; return the ratios that were wanted."""
    look_up = "from cturi_rdf.registry import registry; registry().media_type('text/csv')"
    commands = {
        _NOTHING: [sys.executable, "-c", "pass"],
        "import re": [sys.executable, "-c", "import re"],
        "import cturi_rdf": [sys.executable, "-c", "import cturi_rdf"],
        "first look-up in the registry": [sys.executable, "-c", look_up],
        "cturi --version": [str(Path(sys.executable).with_name("cturi")), "--version"],
        "import rdflib": [sys.executable, "-c", "import rdflib"],
    }
    times = in_turns(
        {
            name: lambda words=words: subprocess.run(words, check=True, capture_output=True)
            for name, words in commands.items()
        },
        rounds=25,
    )
    print_table("Starting", times, 1, _NOTHING)
    return [Limit(name, times[name] / times[_NOTHING], most) for name, most in _WANTED.items()]
