"""Checking catalogues, against parsing them with rdflib, as commands and as calls."""

from __future__ import annotations

import compileall
import logging
import subprocess
import sys
from pathlib import Path

from rdflib import Dataset

import cturi_rdf
from benchmarks.ratio import Limit, in_turns
from cturi_rdf.check import check
from cturi_rdf.reading import read_catalog
from cturi_rdf.reading.formats import ReadOptions, format_of_file
from cturi_rdf.reading.jsonld import whole

__all__ = ["CATALOGUES", "main"]

ROOT = Path(__file__).parents[1]
CATALOGUES = ROOT.parent / "shared" / "catalogs"
_CTURI = str(Path(sys.executable).with_name("cturi"))
# rdflib's long logs of odd terms are no part of parsing.
_PARSE = """
import logging, sys, rdflib
logging.disable()
rdflib.Dataset().parse(data=sys.stdin.buffer.read(), format=sys.argv[1])
"""


def main() -> list[Limit]:
    """Print a row per catalogue, the smallest first; return the worst ratio of the commands."""
    # As pip does for an installed package, but not for a working copy.
    compileall.compile_dir(Path(cturi_rdf.__file__).parent, quiet=1)
    sources = [path for path in CATALOGUES.glob("*") if path.is_file() and path.suffix != ".tsv"]
    sources = sources or [ROOT / "examples" / "catalogue.ttl"]
    print("\nChecking catalogues (1.00 is rdflib parsing them)    as commands   as calls")
    logging.disable()
    worst = 0.0
    for source in sorted(sources, key=lambda path: path.stat().st_size):
        command, call = _ratios(source)
        print(f"  {source.name[:48]:48} {command:12.2f} {call:10.2f}")
        worst = max(worst, command)
    logging.disable(logging.NOTSET)
    return [Limit("checking a catalogue, against parsing it, at worst", worst, 3.0)]


def _ratios(source: Path) -> tuple[float, float]:
    """Return the ratios of checking, as a command and as a call that is not the first."""
    form, content = format_of_file(source.name).name, source.read_bytes()
    if form == "json-ld":
        # rdflib alone would fetch the contexts.
        content = whole(content, str(source), ReadOptions()).text
    dataset = read_catalog(str(source))
    parse, command = [sys.executable, "-c", _PARSE, form], [_CTURI, "check", str(source)]
    times = in_turns(
        {
            "rdflib": lambda: subprocess.run(parse, input=content, capture_output=True, check=True),
            "cturi": lambda: subprocess.run(command, capture_output=True, check=False),
            "parse": lambda: Dataset().parse(data=content, format=form),
            "check": lambda: check(dataset),
        },
        rounds=5,
    )
    return times["cturi"] / times["rdflib"], times["check"] / times["parse"]
