"""Build the tables of IANA's registries: media types, character sets, suffixes."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from registry_sources import IANA_LICENCE, judged

from cturi_rdf.registry import CharsetRecord, CoapContentFormatRecord, SuffixRecord
from cturi_rdf.registry.iana import read_media_types, snapshot
from cturi_rdf.registry.snapshot import SNAPSHOT
from cturi_rdf.registry.tables import listed

if TYPE_CHECKING:
    from registry_sources import Sources

__all__ = ["charsets", "coap_content_formats", "media_types", "suffixes"]


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
