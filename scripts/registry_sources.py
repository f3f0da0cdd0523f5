"""The sources of the facts in the registry's tables, and the tables made so far."""

from __future__ import annotations

import csv
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cturi_rdf.registry import MediaTypeRecord, Registry
from cturi_rdf.registry.snapshot import SNAPSHOT
from cturi_rdf.registry.tables import Row, Table, write_table

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["DATA", "IANA_LICENCE", "OURS", "TIKA", "Sources", "judged", "types_in"]

DATA = Path(__file__).parents[1] / "cturi_rdf" / "data"
IANA_LICENCE = "CC0 1.0 (IANA registry data)"
OURS = "BSD-3-Clause, as this package"
TIKA = "Apache Tika (Apache-2.0)"
_JUDGED = Path(__file__).parent / "registry"
_TYPE = re.compile(r"[a-z0-9][a-z0-9!#$&^_.+-]*/[a-z0-9][a-z0-9!#$&^_.+-]*")


def types_in(cell: str) -> list[str]:
    """Return the essences in a cell, with any separators, without parameters."""
    found = (part.partition(";")[0].strip().lower() for part in re.split(r"[|,]|\s+", cell))
    return list(dict.fromkeys(essence for essence in found if _TYPE.fullmatch(essence)))


def judged(name: str) -> list[dict[str, str]]:
    """Return the rows of one of the tables in the folder beside this script."""
    lines = (_JUDGED / name).read_text(encoding="utf-8").splitlines()
    return list(csv.DictReader((x for x in lines if not x.startswith("# ")), delimiter="\t"))


class Sources:
    """The folder of reference facts, and `tables`: the text of each table by its file name."""

    def __init__(self, reference: Path | None) -> None:
        self.reference = reference
        self.tables: dict[str, str] = {}

    def put(self, name: str, record: type[Row], rows: Iterable[Row], facts: dict[str, str]) -> None:
        """Keep the text of a table."""
        self.tables[name] = write_table(facts, record, rows)

    def load(self, name: str, record: type[Any]) -> Table[Any]:
        """Return a table from this build, or else from an earlier one."""
        built = self.tables.get(name)
        return Table(built or (DATA / name).read_text(encoding="utf-8"), record)

    @property
    def registry(self) -> Registry:
        """The facts so far, by which the other sources are judged."""
        return Registry(self.load(SNAPSHOT, MediaTypeRecord), cache(self.load))

    def file(self, name: str) -> Path:
        """Return the newest file of that name in the folder of reference facts."""
        if not self.reference:
            raise FileNotFoundError(name)
        return max(self.reference.glob(name))

    def rows(self, name: str) -> list[dict[str, str]]:
        """Return the rows of a CSV file of reference facts."""
        with self.file(name).open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))
