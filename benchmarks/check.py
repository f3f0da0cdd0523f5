"""Checking catalogues, against what rdflib takes to parse them."""

from __future__ import annotations

from pathlib import Path

from benchmarks.ratio import Limit, in_turns, print_table
from cturi_rdf.catalog import CatalogError, read_catalog
from cturi_rdf.catalog.check import check

__all__ = ["main"]

ROOT = Path(__file__).parents[1]
# How many of the largest are shown.
_SHOWN = 3
CATALOGUES = ROOT.parent / "shared" / "catalogs"


def main() -> list[Limit]:
    """Print the table of the largest catalogues; return the worst ratio of all."""
    sources = [path for path in CATALOGUES.glob("*") if path.is_file() and path.suffix != ".tsv"]
    sources = sorted(sources, key=lambda path: -path.stat().st_size)
    ratios = {}
    for source in sources or [ROOT / "examples" / "catalogue.ttl"]:
        try:
            dataset = read_catalog(str(source))
        except CatalogError:
            continue
        times = in_turns(
            {
                "rdflib parse": lambda source=source: read_catalog(str(source)),
                "cturi_rdf check": lambda dataset=dataset: check(dataset),
            },
            rounds=3,
        )
        ratios[source.name] = times["cturi_rdf check"] / times["rdflib parse"]
        if len(ratios) <= _SHOWN:
            print_table(f"Checking {source.name}", times, 1, "rdflib parse")
    worst = max(ratios, key=ratios.__getitem__)
    print(f"\n{len(ratios)} catalogues; the worst ratio is that of {worst}")
    return [Limit("checking a catalogue, against parsing it, at worst", ratios[worst], 3.0)]
