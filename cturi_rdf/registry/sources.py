"""The sources of the facts in the registry: what each is, and under which licence."""

from __future__ import annotations

import os.path

from cturi_rdf.registry.tables import DATA, Record, load


class SourceRecord(Record):
    """Where some tables have their facts from.

    `licence` is an SPDX licence expression, `notice` what the licence asks to be said, `tables` are
    the files in the package.
    """

    __slots__ = ()
    key: str
    title: str
    page: str
    licence: str
    notice: str
    tables: tuple[str, ...]


def sources() -> tuple[SourceRecord, ...]:
    """Return all sources; the last is this package.

    >>> [source.licence for source in sources() if source.key == "eu-file-type"]
    ['CC-BY-4.0']
    """
    return tuple(load("sources.tsv", SourceRecord))


def source_named(key: str) -> SourceRecord:
    """Return the source of that key; `KeyError` where there is none."""
    return load("sources.tsv", SourceRecord)[key]


def date_of(source: SourceRecord) -> str:
    """Return the date of the facts of a source, in ISO format.

    >>> date_of(source_named("pronom"))
    '2026-07-01'
    """
    with open(os.path.join(DATA, source.tables[0]), encoding="utf-8") as file:  # noqa: PTH118, PTH123
        lines = [next(file, "") for _ in range(3)]
    return next(line[8:].strip() for line in lines if line.startswith("# date: "))
