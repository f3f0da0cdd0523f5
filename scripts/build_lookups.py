"""Build the tables by which names are looked up: they take longer to compute than to load.

They hold no facts of their own: the words of all languages by their kind, and the names of formats
with one type in tables of formats.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from cturi_rdf.labels.lexicon import DescriptionRecord, FormatNameRecord
from cturi_rdf.labels.words import (
    LISTING,
    KindRecord,
    languages,
    name_key,
    signed_key,
    words_of,
    words_table,
)
from cturi_rdf.registry import registry
from cturi_rdf.registry.lookup import unambiguous
from cturi_rdf.registry.tables import load, write_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cturi_rdf.registry.tables import Table

DATA = Path(__file__).parents[1] / "cturi_rdf" / "data"
# Tables of formats with types, whose names may be the whole of a label.
DESCRIBED = ("pronom", "loc-fdd", "wikidata")


def words() -> str:
    """Return the table of the words of all languages by their kind."""
    formats = load("labels/formats.tsv", FormatNameRecord)
    kinds: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for record in formats:
        kinds[f"format:{record.name}"][name_key(record.name)] = record.name
    for word in words_of(*languages()):
        for kind in word.kinds:
            kinds[kind][name_key(word.word)] = word.word
    # "i" is "and" in Polish, and "in" in Swedish.
    for key in kinds["noise"]:
        kinds["and"].pop(key, None)
    rows = [
        KindRecord((kind, tuple(spelt), tuple(spelt.values()) if ":" in kind else ()))
        for kind, spelt in sorted(kinds.items())
    ]
    named = [word.word for word in words_of(*languages()) if _is_name(word.kinds)]
    for scheme in ("eu-file-type", *DESCRIBED):
        named += registry().formats(scheme).column("label")
    signed = {
        signed_key(name) for name in (*named, *formats.keys()) if not LISTING.isdisjoint(name)
    }
    rows.append(KindRecord(("signed", tuple(sorted(signed)), ())))
    tables = [formats, *map(words_table, languages())]
    return write_table(_facts(tables), KindRecord, rows)


def _is_name(kinds: Iterable[str]) -> bool:
    return any(kind.startswith(("format:", "service:")) for kind in kinds)


def descriptions() -> str:
    """Return the table of the names of formats that have one type in all tables."""
    pairs = [
        (name_key(name), (scheme, essence))
        for scheme in DESCRIBED
        for name, essence in _described(scheme)
    ]
    essences = unambiguous((key, essence) for key, (_, essence) in pairs)
    schemes = {key: scheme for key, (scheme, _) in reversed(pairs)}
    rows = [
        DescriptionRecord((key, schemes[key], essence))
        for key, essence in sorted(essences.items())
        if key and essence
    ]
    return write_table(_facts(map(registry().formats, DESCRIBED)), DescriptionRecord, rows)


def _described(scheme: str) -> Iterator[tuple[str, str]]:
    """Yield each name of a format with its type, and the name without its version."""
    for record in registry().formats(scheme):
        # Wikidata calls many things by one ordinary word.
        # What a container is called is no name of one kind of it.
        named = record.types and "broad" not in record.relations
        if named and (scheme != "wikidata" or " " in record.label):
            yield record.label, record.types[0]
            yield without_version(record.label), record.types[0]


def without_version(name: str) -> str:
    """Return a name without the number of a version at its end.

    >>> without_version("Hypertext Markup Language 4.01"), without_version("MPEG-4")
    ('Hypertext Markup Language', 'MPEG-4')
    """
    before, _, last = name.rpartition(" ")
    return name if last.strip("0123456789.x/-") else before


def _facts(tables: Iterable[Table[object]]) -> dict[str, str]:
    """Return the first lines of a table that is made from others."""
    facts = [table.facts for table in tables]
    return {
        "source": "; ".join(dict.fromkeys(fact["source"] for fact in facts)),
        "date": max(fact["date"] for fact in facts),
        "licence": "; ".join(dict.fromkeys(fact["licence"] for fact in facts)),
    }


LOOKUPS = {"words.tsv": words, "descriptions.tsv": descriptions}


def main() -> None:
    """Write the tables into the folder of the first argument, or into the package."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else DATA / "lookups"
    for name, build in LOOKUPS.items():
        (folder / name).write_text(build(), "utf-8", newline="\n")
        print(f"wrote {folder / name}")


if __name__ == "__main__":
    main()
