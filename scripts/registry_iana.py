"""Build the tables of what IANA registers: media types, character sets, suffixes."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from registry_sources import IANA_LICENCE

from cturi_rdf.registry import CharsetRecord, SuffixRecord
from cturi_rdf.registry.iana import read_media_types, snapshot
from cturi_rdf.registry.snapshot import SNAPSHOT

if TYPE_CHECKING:
    from registry_sources import Sources

__all__ = ["charsets", "media_types", "suffixes"]


def media_types(sources: Sources, document: bytes) -> None:
    """Put IANA's media types, with the provisional ones among them."""
    date, records = read_media_types(document)
    if sources.reference:
        file = sources.file("iana-provisional-*.json")
        names = {each.lower() for each in json.loads(file.read_text("utf-8"))["types"]}
        waiting = [each for each in records if each.essence in names]
    else:
        before = sources.registry.media_types()
        waiting = [each for each in before if each.status == "provisional"]
    sources.tables[SNAPSHOT] = snapshot(date, records, waiting)


def charsets(sources: Sources) -> None:
    """Put IANA's character sets."""
    data = json.loads(sources.file("iana-charsets-*.json").read_text("utf-8"))
    records = []
    for each in data["charsets"]:
        name = each.get("preferred_mime_name") or each["name"]
        others = dict.fromkeys([each["name"], *each["aliases"]])
        others.pop(name, None)
        records.append(CharsetRecord((name, tuple(others), str(each["mib"]))))
    facts = {"source": "IANA, Character Sets", "date": "2013-12-20", "licence": IANA_LICENCE}
    sources.put("charsets.tsv", CharsetRecord, records, facts)


def suffixes(sources: Sources) -> None:
    """Put IANA's structured syntax suffixes."""
    data = json.loads(sources.file("structured-syntax-suffixes.json").read_text("utf-8"))
    facts = {
        "source": "IANA, Structured Syntax Suffixes",
        "date": data["iana_last_updated_seen"],
        "licence": IANA_LICENCE,
    }
    sources.put("suffixes.tsv", SuffixRecord, map(_suffix, data["suffixes"]), facts)


def _suffix(entry: dict[str, str]) -> SuffixRecord:
    # A reference that nobody saw is none, and what is in brackets is history.
    unseen = re.search(r"reference (?:inferred|not found)", entry["confidence"])
    current = "" if unseen else entry["references"].partition("(")[0]
    references = re.findall(r"RFC[0-9]+|ITU-T X\.[0-9]+|https:\S+", current)
    # "SHOULD be as specified for application/json", "as application/yaml"; for XML by RFC 7303
    as_base = re.match(r"(?:SHOULD be )?as |.*RFC7303 s5", entry["fragment"])
    base = entry["base_type"] or None
    return SuffixRecord(
        (
            entry["suffix"].removeprefix("+"),
            entry["name"],
            base,
            tuple(references),
            entry["encoding"].partition(" (")[0],
            base if as_base else None,
            "three-case rule" in entry["fragment"],
        )
    )
