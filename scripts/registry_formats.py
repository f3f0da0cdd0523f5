"""Build the tables of identifiers of others: the EU, W3C, PRONOM and NARA's crosswalk.

Each table says how its formats are related to their types, by `registry_relations`, or as judged in
``registry/relations.tsv``.
"""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from registry_relations import Entry, are_kinds, name_of, relations
from registry_sources import OURS, judged, types_in

from cturi_rdf.registry import EuFileTypeRecord, FormatRecord
from cturi_rdf.registry.schemes import SchemeRecord
from cturi_rdf.registry.tables import listed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from registry_sources import Sources

    from cturi_rdf.registry import Registry

_VAGUE = "application/octet-stream"
# What the snapshot of Wikidata does not name, or names wrongly: KML was vandalised on that day.
_LABELS = {
    "Q2078": "Scalable Vector Graphics",
    "Q2661480": "BSON",
    "Q42591": "MP3",
    "Q79587": "Keyhole Markup Language",
    "Q218170": "PostScript",
    "Q260180": "OpenType",
    "Q267956": "Atom",
    "Q475488": "EPUB",
}
# Types that may be given for any format, and tell little.
_GENERIC = {_VAGUE, "text/plain"}
_TRUTH = {"true": True, "false": False}


class Scheme(NamedTuple):
    """The rows of a table of formats, and what is known of each for its relations."""

    name: str
    facts: dict[str, str]
    rows: dict[Entry, FormatRecord | EuFileTypeRecord]


def all_schemes(sources: Sources) -> list[Scheme]:
    """Return the formats of all schemes, without their relations."""
    return [
        _eu_file_types(sources),
        _w3c_formats(sources),
        _pronom(sources),
        _loc_fdd(sources),
        _wikidata(sources),
    ]


def formats(sources: Sources) -> None:
    """Add the formats of all schemes with their relations to the types: as judged, or by rule."""
    schemes = all_schemes(sources)
    found = related(sources.registry, [entry for scheme in schemes for entry in scheme.rows])
    for scheme in schemes:
        rows = []
        for entry, row in scheme.rows.items():
            named = tuple(found[scheme.name, entry.code, essence] for essence in entry.types)
            rows.append(row._replace(relations=named))
        sources.put(f"{scheme.name}.tsv", type(rows[0]), rows, scheme.facts)


def related(known: Registry, entries: list[Entry]) -> dict[tuple[str, str, str], str]:
    """Return the relation of each format to each of its types, by scheme, code and type.

    A format that is judged to be the type is close to it, and no other of its scheme is.
    """
    found = relations(known, entries)
    ours = {row["essence"]: row for row in judged("relations.tsv")}
    for (scheme, code, essence), relation in found.items():
        close = ours.get(essence, {}).get(scheme)
        if close == code:
            found[scheme, code, essence] = "close"
        elif close and relation == "close":
            found[scheme, code, essence] = "narrow"
    return found


def named(known: Registry, types: Iterable[str]) -> tuple[str, ...]:
    """Return types under their proper names, without repetition."""
    return tuple(dict.fromkeys(map(known.canonical, types)))


def _eu_file_types(sources: Sources) -> Scheme:
    """Return the EU's file types, with our reading of each."""
    known = sources.registry
    rows = {row["code"]: row for row in sources.rows("eu-file-types-*-nonprop.csv")}
    ours = {row["code"]: row for row in judged("eu-file-types.tsv")}
    lists = {row["list"]: set(listed(row["codes"])) for row in judged("quality-lists.tsv")}
    types = {code: _eu_types(known, row) for code, row in rows.items()}
    types.update((code, listed(row["types"])) for code, row in ours.items())
    records = {}
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
        # An empty cell is not a no, and neither is a list that leaves a code out.
        open_ = _TRUTH.get(row["nonPropExt"], code in lists["non-proprietary"] or None)
        entry = Entry("eu-file-type", code, (row["label_en"], code), read, extensions)
        records[entry] = EuFileTypeRecord(
            code, row["label_en"], read, (), inner, extensions, service, deprecated, stated,
            note, code in lists["machine-readable"] or None, open_,
        )  # fmt: skip
    facts = {
        "source": "Publications Office of the EU, authority table File type, 20250319-0; "
        "data.europa.eu, lists of machine-readable and non-proprietary formats, 2025-09-08",
        "date": "2025-03-19",
        "licence": f"CC BY 4.0; columns types, relations, inner and note: {OURS}",
    }
    return Scheme("eu-file-type", facts, records)


def _eu_types(known: Registry, row: dict[str, str]) -> tuple[str, ...]:
    """Return the EU's types by their names in use; by extension where it has none."""
    types = [essence for essence in named(known, types_in(row["iana_mt"])) if essence != _VAGUE]
    registered = tuple(filter(known.is_current, types))
    by_extension = map(known.types_of_extension, row["file_ext"].split())
    usual = next(filter(None, by_extension), ())
    return registered or tuple(types) or usual[:1]


def _w3c_formats(sources: Sources) -> Scheme:
    """Return W3C's formats."""
    records = {}
    for row in sources.rows("w3c-formats.csv"):
        code, types = row["iri"].rpartition("/")[2], (row["media_type"],)
        label = code.replace("_", " ")
        entry = Entry("w3c-formats", code, (code, label), types, (row["suffix"].lstrip("."),))
        records[entry] = FormatRecord(code, label, types, ())
    facts = {
        "source": "W3C, Unique URIs for File Formats, https://www.w3.org/ns/formats/",
        "date": "2026-07",
        "licence": f"facts alone; {OURS}",
    }
    return Scheme("w3c-formats", facts, records)


def _pronom(sources: Sources) -> Scheme:
    """Return PRONOM's formats, including those without a media type."""
    known = sources.registry
    records = {}
    for row in sources.rows("pronom-github-*.csv"):
        bare = f"application/{row['mime']}"  # as in "vnd.apache.arrow.file"
        stated = named(known, types_in(bare if known.media_type(bare) else row["mime"]))
        # That there are octets names no format (RFC 2046 section 4.5.1).
        types = tuple(each for each in stated if each != _VAGUE)
        name, version = " ".join(row["name"].split()), " ".join(row["version"].split())
        also = tuple(filter(None, (alias.strip() for alias in row["aliases"].split(","))))
        extensions = tuple(re.split(r"[^a-z0-9]+", row["extensions"].lower()))
        of = version or row["withdrawn"]  # what is withdrawn is not general
        entry = Entry("pronom", row["puid"], (name, *also), types, extensions, of)
        label = f"{name} {version}".strip()
        records[entry] = FormatRecord(row["puid"], label, types, ())
    facts = {
        "source": "The National Archives, PRONOM, https://github.com/nationalarchives/pronom",
        "date": "2026-07-01",
        "licence": "Open Government Licence v3.0, contains PRONOM data; "
        "MIT, Copyright (c) 2024 The National Archives, UK",
    }
    return Scheme("pronom", facts, records)


def _in_use(known: Registry, cell: str) -> tuple[str, ...]:
    """Return the registered types in a cell, or if there are none, those that files have."""
    types = named(known, types_in(cell))
    in_use = tuple(filter(known.is_current, types)) or tuple(filter(known.extensions_of, types))
    return _once(known, in_use)


def _once(known: Registry, types: tuple[str, ...]) -> tuple[str, ...]:
    """Return types without other names of the same, such as x-python of python."""
    by_name: dict[tuple[str, str], list[str]] = {}
    for each in types:
        by_name.setdefault(name_of(each), []).append(each)
    return tuple(
        max(names, key=lambda each: (known.is_current(each), bool(known.extensions_of(each))))
        for names in by_name.values()
    )


def _wikidata(sources: Sources) -> Scheme:
    """Return Wikidata's formats with one meaningful type that files have, and NARA's.

    A format with several types is one where they are kinds of it: sound and film in a container.
    """
    known = sources.registry
    records = {
        entry.code: (entry, row)
        for entry, row in _crosswalk(sources, "wikidata", r"/(Q[0-9]+)").items()
    }
    for row in sources.rows("wikidata-formats-*.csv"):
        code, extensions = row["qid"], listed(row["extensions"])
        label = _LABELS.get(code, " ".join(row["label"].split()))
        types = tuple(each for each in _in_use(known, row["mime"]) if each not in _GENERIC)
        entry = Entry("wikidata", code, (label,), types, extensions)
        if code in records:
            old, record = records[code]
            names = tuple(dict.fromkeys((label, *old.names)))
            entry = old._replace(names=names, extensions=(*extensions, *old.extensions))
            records[code] = entry, record
        elif len(types) == 1 or are_kinds(types):
            records[code] = entry, FormatRecord(code, label, types, ())
    facts = {
        "source": "Wikidata, media type (P1163); NARA, Digital Preservation Framework, 2026-03-20",
        "date": "2026-07-19",
        "licence": "CC0 1.0; public domain (work of the United States Government)",
    }
    return Scheme("wikidata", facts, dict(records[code] for code in sorted(records)))


def dataone(sources: Sources) -> None:
    """Add DataONE's formats whose types are in use, but not those named like a type."""
    known = sources.registry
    records = [
        FormatRecord(row["formatId"], " ".join(row["name"].split()), types, ())
        for row in sources.rows("dataone-formats.csv")
        if (types := _in_use(known, row["mediaType"])) and not types_in(row["formatId"])
    ]
    facts = {
        "source": "DataONE, object format list 1.28",
        "date": "2026-01-05",
        "licence": "Apache-2.0",
    }
    sources.put("dataone.tsv", FormatRecord, records, facts)


def _loc_fdd(sources: Sources) -> Scheme:
    """Return the Library of Congress's codes of NARA's formats, where one type is sure."""
    facts = {
        "source": "NARA, Digital Preservation Framework, file format plans",
        "date": "2026-03-20",
        "licence": "public domain (work of the United States Government)",
    }
    return Scheme("loc-fdd", facts, _crosswalk(sources, "loc_fdd", r"(fdd[0-9]{6})\.shtml"))


def _crosswalk(sources: Sources, column: str, pattern: str) -> dict[Entry, FormatRecord]:
    """Return the formats of a scheme that NARA names, several of which may have one code."""
    known = sources.registry
    found: defaultdict[str, list[dict[str, str]]] = defaultdict(list)
    for row in sources.rows("nara-crosswalk-*.csv"):
        code = re.search(pattern, row[column])
        if code:
            found[code[1]].append(row)
    records = {}
    for code, rows in sorted(found.items()):
        names = tuple(dict.fromkeys(" ".join(row["name"].split()) for row in rows))
        stated = named(known, types_in("|".join(row["mime"] for row in rows)))
        types = _once(known, tuple(each for each in stated if each != _VAGUE))
        if not are_kinds(types):
            types = tuple(filter(known.is_current, types)) or types
        extensions = dict.fromkeys(each for row in rows for each in listed(row["extensions"]))
        if len(types) == 1 or are_kinds(types):
            members = names if len(names) > 1 else ()
            entry = Entry(
                column.replace("_", "-"), code, names[:1], types, tuple(extensions), "",
                members,
            )  # fmt: skip
            records[entry] = FormatRecord(code, _common(names), types, ())
    return records


def _common(names: tuple[str, ...]) -> str:
    """Return the words with which all names begin, or else the first name."""
    words = zip(*(name.split() for name in names), strict=False)
    common = [each[0] for each in takewhile(lambda each: len(set(each)) == 1, words)]
    return " ".join(common) or names[0]


def schemes(sources: Sources) -> None:
    """Add the schemes of identifiers, as judged."""
    records = [
        SchemeRecord(row["template"], row["id"], row["relation"] or None)
        for row in judged("schemes.tsv")
    ]
    facts = {
        "source": "our own reading of what each scheme publishes",
        "date": "2026-07",
        "licence": OURS,
    }
    sources.put("schemes.tsv", SchemeRecord, records, facts)
