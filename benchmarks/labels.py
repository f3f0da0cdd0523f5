"""A million labels as catalogues have them: resolving them, against counting them."""

from __future__ import annotations

import random
import unicodedata
from collections import Counter
from typing import TYPE_CHECKING

from benchmarks.ratio import Limit, in_turns, print_table
from cturi_rdf.labels import resolve_all
from cturi_rdf.registry import registry

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["SHARES", "distinct_labels", "main"]

_COUNT = "collections.Counter"
_FOLD = "unicodedata.normalize and casefold"
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
    """Print the table; return the target ratio."""
    chance = random.Random(1)  # noqa: S311 - a sample, not a secret
    chosen = chance.choices(list(SHARES), list(SHARES.values()), k=1_000_000)
    # Each label is a string of its own, like the lines of a file.
    labels = ["".join(each) for each in map(list, chosen)]
    times = in_turns(
        {_COUNT: lambda: Counter(labels), "cturi_rdf resolve_all": lambda: resolve_all(labels)},
        rounds=5,
    )
    print_table("Labels of catalogues", times, len(labels), _COUNT)
    ratio = times["cturi_rdf resolve_all"] / times[_COUNT]
    return [Limit("a million labels, against counting them", ratio, 4.0), _distinct_labels(chance)]


def _distinct_labels(chance: random.Random) -> Limit:
    """Resolve 100,000 distinct labels: names, phrases of two names, types with a parameter.

    The yardstick is what any lookup by name does first: it normalises and folds each label.
    """
    labels = distinct_labels(chance)
    times = in_turns(
        {
            _FOLD: lambda: [unicodedata.normalize("NFKD", label.casefold()) for label in labels],
            "cturi_rdf resolve_all": lambda: resolve_all(labels),
        },
        rounds=3,
    )
    print_table("Distinct labels", times, len(labels), _FOLD)
    ratio = times["cturi_rdf resolve_all"] / times[_FOLD]
    # On the machine where a label took 43 microseconds, that was 400 times as long; 40 are 370.
    return Limit("100,000 distinct labels, against normalising and folding them", ratio, 370.0)


def distinct_labels(chance: random.Random, count: int = 100_000) -> list[str]:
    """Return labels as catalogues have them, no two the same."""
    names = [each for each in SHARES if "/" not in each]
    listed = [each.essence for each in registry().media_types()]
    forms: list[Callable[[int], str]] = [
        lambda number: f"{chance.choice(names)} {number}",
        lambda number: f"{chance.choice(names)}, {chance.choice(names)} ({number})",
        lambda number: f"{chance.choice(listed)}; version={number}",
        lambda number: f"http://example.org/formats/{number}/{chance.choice(names)}",
        lambda number: f"data{number}.{chance.choice(names).lower()}",
    ]
    return [chance.choice(forms)(number) for number in range(count)]
