"""Build the table of the codes of formats by their types, which takes long to compute.

It holds no facts of its own.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from cturi_rdf.registry import registry
from cturi_rdf.registry.lookup import inverted, letters_and_digits
from cturi_rdf.registry.records import EuFileTypeRecord, FormatRecord, TypeCodesRecord
from cturi_rdf.registry.schemes import SchemeRecord
from cturi_rdf.registry.tables import load, write_table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cturi_rdf.registry.tables import Table

DATA = Path(__file__).parents[1] / "cturi_rdf" / "data"


def codes() -> str:
    """Return the table of the formats of each type, and how they are related to it."""
    formats: defaultdict[str, list[str]] = defaultdict(list)
    schemes = dict.fromkeys(
        scheme.scheme
        for scheme in load("schemes.tsv", SchemeRecord)
        if scheme.relation and "{code}" in scheme.template
    )
    for scheme in schemes:
        table = registry().formats(scheme)
        for essence, rows in inverted((row, row.types) for row in table).items():
            alike = _named_alike(essence, rows)
            is_only = sum(len(row.types) == 1 for row in rows) == 1
            for row in rows:
                relation = _relation(row, is_named_alike=row.code in alike, is_only=is_only)
                formats[essence].append(f"{scheme} {relation} {row.code}")
    rows_ = [TypeCodesRecord((essence, tuple(named))) for essence, named in sorted(formats.items())]
    return write_table(_facts(map(registry().formats, schemes)), TypeCodesRecord, rows_)


def _named_alike(essence: str, formats: list[FormatRecord | EuFileTypeRecord]) -> set[str]:
    """Return the codes that are named like a type, or else like its usual extension."""
    subtype = letters_and_digits(essence.partition("/")[2].removeprefix("x-"))
    codes = {record.code for record in formats}
    extensions = registry().extensions_of(essence)[:1]
    return {code for code in codes if letters_and_digits(code) == subtype} or {
        code for code in codes if code.lower() in extensions
    }


def _relation(
    record: FormatRecord | EuFileTypeRecord, *, is_named_alike: bool, is_only: bool
) -> str:
    """Return how a format is related to a type: see `Registry.related_codes`."""
    if len(record.types) > 1:
        return "related"
    if isinstance(record, FormatRecord):
        is_only = record.exact
    return "close" if is_only or is_named_alike else "narrow"


def _facts(tables: Iterable[Table[object]]) -> dict[str, str]:
    """Return the first lines of a table that is made from others."""
    facts = [table.facts for table in tables]
    return {
        "source": "; ".join(dict.fromkeys(fact["source"] for fact in facts)),
        "date": max(fact["date"] for fact in facts),
        "licence": "; ".join(dict.fromkeys(fact["licence"] for fact in facts)),
    }


LOOKUPS = {"codes.tsv": codes}


def main() -> None:
    """Write the tables into the folder of the first argument, or into the package."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else DATA / "lookups"
    for name, build in LOOKUPS.items():
        (folder / name).write_text(build(), "utf-8", newline="\n")
        print(f"wrote {folder / name}")


if __name__ == "__main__":
    main()
