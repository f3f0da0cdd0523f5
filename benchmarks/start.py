"""Starting: the processor time of an import and of a command."""

from __future__ import annotations

import compileall
import statistics
import subprocess
import sys
from pathlib import Path

import cturi_rdf
from benchmarks.ratio import Limit, children, print_table

__all__ = ["main"]

_NOTHING, _RDFLIB = "python -c pass", "import rdflib"
_EXAMPLE = str(Path(__file__).parents[1] / "examples" / "catalogue.ttl")
_CTURI = str(Path(sys.executable).with_name("cturi"))
_LOOK_UP = "from cturi_rdf.registry import registry; registry().media_type('text/csv')"
# The most time that each may take, as a multiple of another one.
_WANTED = {
    "import cturi_rdf": (2.5, _NOTHING),
    "first look-up in the registry": (4.0, _NOTHING),
    "cturi --version": (6.0, _NOTHING),
    "cturi annotate": (1.0, _RDFLIB),
    "cturi headers": (1.0, _RDFLIB),
    "cturi check": (1.0, _RDFLIB),
}
_COMMANDS = {
    _NOTHING: [sys.executable, "-c", "pass"],
    "import re": [sys.executable, "-c", "import re"],
    "import cturi_rdf": [sys.executable, "-c", "import cturi_rdf"],
    "first look-up in the registry": [sys.executable, "-c", _LOOK_UP],
    "cturi --version": [_CTURI, "--version"],
    _RDFLIB: [sys.executable, "-c", "import rdflib"],
    "cturi annotate": [_CTURI, "annotate", _EXAMPLE],
    "cturi headers": [_CTURI, "headers", _EXAMPLE],
    "cturi check": [_CTURI, "check", _EXAMPLE],
}
_ROUNDS = 21


def main() -> list[Limit]:
    """Print the table; return the target ratios."""
    # As pip does for an installed package, but not for a working copy.
    compileall.compile_dir(Path(cturi_rdf.__file__).parent, quiet=1)
    rounds = [{name: _seconds(words) for name, words in _COMMANDS.items()} for _ in range(_ROUNDS)]
    times = {name: statistics.median(row[name] for row in rounds) for name in _COMMANDS}
    print_table("Starting", times, 1, _RDFLIB)
    # The speed of a machine changes between rounds, but hardly within one.
    return [
        Limit(
            f"{name} against {base}",
            statistics.median(row[name] / row[base] for row in rounds),
            most,
        )
        for name, (most, base) in _WANTED.items()
    ]


def _seconds(words: list[str]) -> float:
    """Return the processor time of a command, which may end with any exit code."""
    before = children()
    subprocess.run(words, check=False, capture_output=True)
    return children() - before
