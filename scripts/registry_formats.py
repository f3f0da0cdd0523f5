"""Build the tables of identifiers of others: the EU, W3C, PRONOM and NARA's crosswalk."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from registry_sources import OURS, judged, types_in

from cturi_rdf.registry import EuFileTypeRecord, FormatRecord
from cturi_rdf.registry.lookup import listed
from cturi_rdf.registry.schemes import SchemeRecord

if TYPE_CHECKING:
    from collections.abc import Iterable

    from registry_sources import Sources

    from cturi_rdf.registry import Registry

__all__ = ["dataone", "eu_file_types", "loc_fdd", "pronom", "schemes", "w3c_formats", "wikidata"]

_VAGUE = "application/octet-stream"
# The label of KML was vandalised on the day of the snapshot.
_LABELS = {"Q79587": "Keyhole Markup Language"}
# Types that may be given for any format, and tell little.
_GENERIC = {_VAGUE, "text/plain"}
_GENERAL = {"text/csv", "text/tab-separated-values"}


def named(known: Registry, types: Iterable[str]) -> tuple[str, ...]:
    """Return types under their proper names, without repetition."""
    return tuple(dict.fromkeys(map(known.canonical, types)))


def eu_file_types(sources: Sources) -> None:
    """Add the EU's file types, with our reading of each."""
    known = sources.registry
    rows = {row["code"]: row for row in sources.rows("eu-file-types-*-nonprop.csv")}
    ours = {row["code"]: row for row in judged("eu-file-types.tsv")}
    lists = {row["list"]: set(listed(row["codes"])) for row in judged("quality-lists.tsv")}
    types = {code: _eu_types(known, row) for code, row in rows.items()}
    types.update((code, listed(row["types"])) for code, row in ours.items())
    records = []
    for code, row in sorted(rows.items()):
        stated = tuple(row["iana_mt"].lower().split())
        service = code.endswith("_SRVC") or any("/" not in name for name in stated)
        read = () if service else types[code]
        inner, note = (), ""
        if code in ours:
            inner, note = listed(ours[code]["inner"]), ours[code]["reason"]
        elif service:
            note = "a service, not a format"
        elif read != stated:
            note = "by its extension" if stated == (_VAGUE,) else "by the name in use"
        if code.endswith("_ZIP") and not inner:
            inner = types.get(code.removesuffix("_ZIP"), ())  # METS_ZIP is METS in a ZIP
        extensions = tuple(extension.lstrip(".") for extension in row["file_ext"].split())
        deprecated = row["deprecated"] == "true"
        open_ = row["nonPropExt"] == "true" or code in lists["non-proprietary"]
        records.append(
            EuFileTypeRecord((
                code, row["label_en"], read, inner, extensions, service, deprecated, stated,
                note, code in lists["machine-readable"], open_,
            ))
        )  # fmt: skip
    facts = {
        "source": "Publications Office of the EU, authority table File type, 20250319-0; "
        "data.europa.eu, lists of machine-readable and non-proprietary formats, 2025-09-08",
        "date": "2025-03-19",
        "licence": f"CC BY 4.0; columns types, inner and note: {OURS}",
    }
    sources.put("eu-file-type.tsv", EuFileTypeRecord, records, facts)


def _eu_types(known: Registry, row: dict[str, str]) -> tuple[str, ...]:
    """Return the EU's types by their names in use; by extension where it has none."""
    types = [essence for essence in named(known, types_in(row["iana_mt"])) if essence != _VAGUE]
    registered = tuple(filter(known.is_current, types))
    by_extension = map(known.types_of_extension, row["file_ext"].split())
    usual = next(filter(None, by_extension), ())
    return registered or tuple(types) or usual[:1]


def w3c_formats(sources: Sources) -> None:
    """Add W3C's formats: each is the same as its type where only it has that type."""
    rows = sources.rows("w3c-formats.csv")
    types = [row["media_type"] for row in rows]
    names = [row["iri"].rpartition("/")[2] for row in rows]
    # RDFa is one use of HTML among others, as query results are one use of CSV.
    exact = {essence for essence in types if types.count(essence) == 1} - _GENERAL
    records = [
        FormatRecord((name, name.replace("_", " "), (essence,), essence in exact))
        for name, essence in zip(names, types, strict=True)
    ]
    facts = {
        "source": "W3C, Unique URIs for File Formats, https://www.w3.org/ns/formats/",
        "date": "2026-07",
        "licence": f"facts alone; {OURS}",
    }
    sources.put("w3c-formats.tsv", FormatRecord, records, facts)


def pronom(sources: Sources) -> None:
    """Add PRONOM's formats, including those without a media type."""
    known = sources.registry
    types = {
        row["puid"]: named(known, types_in(row["mime"]))
        for row in sources.rows("pronom-v118-mime.csv")
    }
    records = [
        FormatRecord((
            row["puid"], f"{row['name']} {row['version']}".strip(),
            types.get(row["puid"], ()), False,
        ))
        for row in sources.rows("pronom-v118-puids.csv")
    ]  # fmt: skip
    facts = {
        "source": "The National Archives, PRONOM, version 118",
        "date": "2024-04-29",
        "licence": "Open Government Licence v3.0; contains PRONOM data, (c) The National Archives",
    }
    sources.put("pronom.tsv", FormatRecord, records, facts)


def _in_use(known: Registry, cell: str) -> tuple[str, ...]:
    """Return the registered types in a cell, or if there are none, those that files have."""
    types = named(known, types_in(cell))
    return tuple(filter(known.is_current, types)) or tuple(filter(known.extensions_of, types))


def wikidata(sources: Sources) -> None:
    """Add Wikidata's formats with one meaningful type that files have, and NARA's."""
    known = sources.registry
    records = {record.code: record for record in _crosswalk(sources, "wikidata", r"/(Q[0-9]+)")}
    for row in sources.rows("wikidata-formats-*.csv"):
        types = [essence for essence in _in_use(known, row["mime"]) if essence not in _GENERIC]
        if len(types) == 1 and row["qid"] not in records:
            label = _LABELS.get(row["qid"], " ".join(row["label"].split()))
            records[row["qid"]] = FormatRecord((row["qid"], label, tuple(types), False))
    facts = {
        "source": "Wikidata, media type (P1163); NARA, Digital Preservation Framework, 2026-03-20",
        "date": "2026-07-19",
        "licence": "CC0 1.0; public domain (work of the United States Government)",
    }
    sources.put("wikidata.tsv", FormatRecord, sorted(records.values()), facts)


def dataone(sources: Sources) -> None:
    """Add DataONE's formats whose types are in use, but not those named like a type."""
    known = sources.registry
    records = [
        FormatRecord((row["formatId"], " ".join(row["name"].split()), types, False))
        for row in sources.rows("dataone-formats.csv")
        if (types := _in_use(known, row["mediaType"])) and not types_in(row["formatId"])
    ]
    facts = {
        "source": "DataONE, object format list 1.28",
        "date": "2026-01-05",
        "licence": "Apache-2.0",
    }
    sources.put("dataone.tsv", FormatRecord, records, facts)


def loc_fdd(sources: Sources) -> None:
    """Add the Library of Congress's codes of NARA's formats, where one type is sure."""
    records = _crosswalk(sources, "loc_fdd", r"(fdd[0-9]{6})\.shtml")
    facts = {
        "source": "NARA, Digital Preservation Framework, file format plans",
        "date": "2026-03-20",
        "licence": "public domain (work of the United States Government)",
    }
    sources.put("loc-fdd.tsv", FormatRecord, records, facts)


def _crosswalk(sources: Sources, column: str, pattern: str) -> list[FormatRecord]:
    known = sources.registry
    types: dict[str, set[str]] = {}
    labels: dict[str, str] = {}
    for row in sources.rows("nara-crosswalk-*.csv"):
        code = re.search(pattern, row[column])
        if code:
            sure = set(named(known, types_in(row["mime"]))) - {_VAGUE}
            types.setdefault(code[1], set()).update(sure)
            labels.setdefault(code[1], " ".join(row["name"].split()))
    return [
        FormatRecord((code, labels[code], tuple(found), False))
        for code, found in sorted(types.items())
        if len(found) == 1
    ]


def schemes(sources: Sources) -> None:
    """Add the schemes of identifiers, as judged."""
    records = [
        SchemeRecord((row["template"], row["id"], row["relation"] or None))
        for row in judged("schemes.tsv")
    ]
    facts = {
        "source": "our own reading of what each scheme publishes",
        "date": "2026-07",
        "licence": OURS,
    }
    sources.put("schemes.tsv", SchemeRecord, records, facts)
