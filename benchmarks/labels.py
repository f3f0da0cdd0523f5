"""A million labels as catalogues have them, against counting them.

usage: python -m benchmarks.labels [FILE] - FILE holds labels, one a line
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from pathlib import Path

from cturi_rdf.labels import resolve_all

__all__ = ["ratio"]

# The labels of the catalogues that we have measured, in round numbers.
SHARES = {
    "text/html": 727, "HTML": 715, "CSV": 687, "text/csv": 653, "application/zip": 562,
    "SHP": 504, "API": 448, "application/http": 447, "application/octet-stream": 397,
    "GEOJSON": 371, "SOSI": 106, "ESRI Shape": 76, "RDF": 46, "PARQUET": 44, "WMS": 34,
    "http://publications.europa.eu/resource/authority/file-type/XLSX": 139,
    "https://www.iana.org/assignments/media-types/application/json": 136,
    "Shapefile": 14, "ESRI Filgeodatabase": 10, "GTFS-RT": 6, "XSLX": 3, "CSV, JSON": 1,
    "Zipped CSV": 1, "XML data (.xml)": 1, "Arc ASCII Grid": 1, "SQLite/SpatialLite": 1,
}  # fmt: skip


def ratio(labels: list[str]) -> float:
    """Return how many times as long as counting labels it takes to resolve them."""
    start = time.perf_counter()
    Counter(labels)
    counted = time.perf_counter()
    resolve_all(labels)
    return (time.perf_counter() - counted) / (counted - start)


def main() -> None:
    """Print the ratio for a million labels, at first sight and again."""
    if sys.argv[1:]:
        shares = Counter(Path(sys.argv[1]).read_text("utf-8").splitlines())
    else:
        shares = Counter(SHARES)
    chance = random.Random(1)  # noqa: S311 - a sample, not a secret
    chosen = chance.choices(list(shares), list(shares.values()), k=1_000_000)
    # Each its own string, as lines of a file are.
    labels = ["".join(each) for each in map(list, chosen)]
    print(f"first: {ratio(labels):.2f} times Counter; again: {ratio(labels):.2f} (at most 4)")


if __name__ == "__main__":
    main()
