"""A million labels as catalogues have them: what they mean, against counting them."""

from __future__ import annotations

import random
from collections import Counter

from benchmarks.ratio import Limit, in_turns, print_table
from cturi_rdf.labels import resolve_all

__all__ = ["SHARES", "main"]

_COUNT = "collections.Counter"
# Labels of the catalogues that we have measured, and how often they occur there.
SHARES = {
    "text/html": 727, "HTML": 715, "CSV": 687, "text/csv": 653, "application/zip": 562,
    "SHP": 504, "API": 448, "application/http": 447, "application/octet-stream": 397,
    "GEOJSON": 371, "SOSI": 106, "ESRI Shape": 76, "RDF": 46, "PARQUET": 44, "WMS": 34,
    "http://publications.europa.eu/resource/authority/file-type/XLSX": 139,
    "https://www.iana.org/assignments/media-types/application/json": 136,
    "Shapefile": 14, "ESRI Filgeodatabase": 10, "GTFS-RT": 6, "XSLX": 3, "CSV, JSON": 1,
    "Zipped CSV": 1, "XML data (.xml)": 1, "Arc ASCII Grid": 1, "SQLite/SpatialLite": 1,
}  # fmt: skip


def main() -> list[Limit]:
    """Print the table; return the ratio that was wanted."""
    chance = random.Random(1)  # noqa: S311 - a sample, not a secret
    chosen = chance.choices(list(SHARES), list(SHARES.values()), k=1_000_000)
    # Each its own string, as lines of a file are.
    labels = ["".join(each) for each in map(list, chosen)]
    times = in_turns(
        {_COUNT: lambda: Counter(labels), "cturi_rdf resolve_all": lambda: resolve_all(labels)},
        rounds=5,
    )
    print_table("Labels of catalogues", times, len(labels), _COUNT)
    ratio = times["cturi_rdf resolve_all"] / times[_COUNT]
    return [Limit("a million labels, against counting them", ratio, 4.0)]
