"""The sources of the facts in the registry's tables, and the tables of IANA's registries."""

from __future__ import annotations

import csv
import json
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cturi_rdf.registry import (
    CharsetRecord,
    CoapContentFormatRecord,
    MediaTypeRecord,
    Registry,
    SuffixRecord,
)
from cturi_rdf.registry.iana import read_media_types, snapshot
from cturi_rdf.registry.snapshot import SNAPSHOT
from cturi_rdf.registry.tables import Row, Table, listed, write_table

if TYPE_CHECKING:
    from collections.abc import Iterable

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


def media_types(sources: Sources, document: bytes) -> None:
    """Add IANA's media types, including the provisional ones."""
    date, records = read_media_types(document)
    if sources.reference:
        file = sources.file("iana-provisional-*.json")
        names = {name.lower() for name in json.loads(file.read_text("utf-8"))["types"]}
        waiting = [record for record in records if record.essence in names]
    else:
        before = sources.registry.media_types()
        waiting = [record for record in before if record.status == "provisional"]
    sources.tables[SNAPSHOT] = snapshot(date, records, waiting)


def charsets(sources: Sources) -> None:
    """Add IANA's character sets."""
    records = []
    for row in sources.rows("iana-charsets-*.csv"):
        name = row["preferred_mime"] or row["name"]
        others = dict.fromkeys([row["name"], *listed(row["aliases"])])
        others.pop(name, None)
        records.append(CharsetRecord(name, tuple(others)))
    facts = {"source": "IANA, Character Sets", "date": "2022-07-14", "licence": IANA_LICENCE}
    sources.put("charsets.tsv", CharsetRecord, records, facts)


def coap_content_formats(sources: Sources) -> None:
    """Add IANA's CoAP Content-Formats."""
    records = [
        CoapContentFormatRecord(
            row["number"], row["content_type"], row["content_coding"] or None,
            listed(row["reference"]), row["status"],
        )
        for row in sources.rows("coap-content-formats.csv")
    ]  # fmt: skip
    facts = {"source": "IANA, CoAP Content-Formats", "date": "2026-07-02", "licence": IANA_LICENCE}
    sources.put("coap-content-formats.tsv", CoapContentFormatRecord, records, facts)


def suffixes(sources: Sources) -> None:
    """Add IANA's structured syntax suffixes, with our reading of what some say of fragments."""
    data = json.loads(sources.file("structured-syntax-suffixes.json").read_text("utf-8"))
    ours = {row["suffix"]: row for row in judged("suffixes.tsv")}
    records = [_suffix(entry, ours.get(entry["suffix"])) for entry in data["suffixes"]]
    facts = {
        "source": "IANA, Structured Syntax Suffixes",
        "date": data["iana_last_updated_seen"],
        "licence": IANA_LICENCE,
    }
    sources.put("suffixes.tsv", SuffixRecord, records, facts)


def _suffix(entry: dict[str, str], ours: dict[str, str] | None) -> SuffixRecord:
    # A reference that nobody saw does not count, and text in brackets is history.
    unseen = re.search(r"reference (?:inferred|not found)", entry["confidence"])
    current = "" if unseen else entry["references"].partition("(")[0]
    references = re.findall(r"RFC[0-9]+|ITU-T X\.[0-9]+|https:\S+", current)
    if ours:
        as_base, suffix_first = bool(ours["fragment"]), bool(ours["suffix_first"])
    else:
        # "SHOULD be as specified for application/json"; for XML by RFC 7303
        as_base = bool(re.match(r"SHOULD be as |.*RFC7303 s5", entry["fragment"]))
        suffix_first = "three-case rule" in entry["fragment"]
    base = entry["base_type"] or None
    return SuffixRecord(
        entry["suffix"].removeprefix("+"),
        entry["name"],
        base,
        tuple(references),
        base if as_base else None,
        suffix_first,
    )
