"""Build the tables of the names of types: aliases, special cases, file extensions."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from registry_sources import OURS, TIKA, judged, types_in

from cturi_rdf.registry import AliasRecord, ExtensionRecord, SubTypeRecord
from cturi_rdf.registry.tables import listed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from registry_sources import Sources

    from cturi_rdf.registry import Registry

# Tika has classes of its own among its media types.
_TIKAS_OWN = re.compile(r"tika|unknown")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_VAGUE = "application/octet-stream"
_PACKAGES = {_VAGUE, "application/gzip", "application/zip"}
# The types that are a syntax: a format written in one is a special case of it.
_SYNTAXES = {
    "application/epub+zip",
    "application/gzip",
    "application/java-archive",
    "application/json",
    "application/ogg",
    "application/pdf",
    "application/vnd.sqlite3",
    "application/x-tar",
    "application/xml",
    "application/zip",
    "image/tiff",
    "text/plain",
}
_FACTS = {
    "source": f"specifications and common use; {TIKA}",
    "date": "2026-07",
    "licence": f"{OURS}; Apache-2.0",
}


def aliases(sources: Sources) -> None:
    """Add the other names of types: our own judgement first, then Tika's groups."""
    known = sources.registry
    found: dict[str, AliasRecord] = {}
    proper: set[str] = set()
    for row in judged("aliases.tsv"):
        proper.add(row["essence"])
        for alias in listed(row["aliases"]):
            found[alias] = AliasRecord(alias, row["essence"], row["source"])
    for row in sources.rows("tika-types.csv"):
        if ";" in row["type"] or _TIKAS_OWN.search(row["type"]):
            continue
        first, *others = types_in(f"{row['type']}|{row['aliases']}")
        # The registered name among them is the name of the type.
        names = [found[first].essence if first in found else first, *others]
        names.append(first.replace("/x-", "/", 1))
        chosen = next(filter(known.is_current, names), names[0])
        for alias in (first, *others):
            # A type of its own is nobody's alias unless a specification says so.
            if alias not in {chosen, *proper, *found} and not known.media_type(alias):
                found[alias] = AliasRecord(alias, chosen, TIKA)
    sources.put("aliases.tsv", AliasRecord, sorted(found.values()), _FACTS)


def sub_types(sources: Sources) -> None:
    """Add the special cases of other types: ours, then Tika's where the other type is a syntax."""
    known = sources.registry
    parents: dict[str, str] = {}
    for row in sources.rows("tika-types.csv"):
        parents.setdefault(row["type"].strip().lower(), row["sub_class_of"].lower())
    found = {
        row["essence"]: SubTypeRecord(row["essence"], listed(row["broader"]), row["source"])
        for row in judged("sub-types.tsv")
    }
    for child, direct in parents.items():
        parent = direct
        while _TIKAS_OWN.search(parent):
            parent = parents.get(parent, "")
        essence, broader = known.canonical(child), known.canonical(parent)
        if ";" in child or _TIKAS_OWN.search(child) or broader not in _SYNTAXES:
            continue
        # That any text is text/plain is a rule, and nothing else is (RFC 2046 section 4.1.4).
        other = broader == "text/plain"
        by_suffix = essence.rpartition("+")[2] == broader.rpartition("/")[2]
        if essence not in {broader, *found} and not other and not by_suffix:
            found[essence] = SubTypeRecord(essence, (broader,), TIKA)
    sources.put("sub-types.tsv", SubTypeRecord, sorted(found.values()), _FACTS)


def extensions(sources: Sources, mime_db: Path) -> None:
    """Add the file extensions and their types.

    The preferred type of an extension is the one that we judged to be so; else a registered one
    that is no alias; else by source, mime-db's in its own order of sources first.  A type that says
    nothing about the content comes last.
    """
    table = _Extensions(sources.registry)
    for fact in (*_mime_db(mime_db), *_tika(sources), *_w3c(sources), *_eu(sources)):
        table.add(*fact)
    version = json.loads((mime_db / "package.json").read_text("utf-8"))["version"]
    date = _DATE.search((mime_db / "HISTORY.md").read_text("utf-8"))
    facts = {
        "source": f"mime-db {version} (MIT); {TIKA}; W3C; EU file types (CC BY 4.0)",
        "date": date[0] if date else "unknown",
        "licence": f"MIT, Apache-2.0 and CC BY 4.0 as the sources say; {OURS}",
    }
    sources.put("extensions.tsv", ExtensionRecord, list(table.records()), facts)


class _Extensions:
    """Collects the types of each extension with their sources, the best source first."""

    def __init__(self, known: Registry) -> None:
        self.known = known
        self.types: dict[str, dict[str, tuple[bool, bool, int]]] = {}
        self.sources: dict[str, list[str]] = {}
        self.main: dict[str, str] = {}
        # The types whose main extension is so far that of an alias.
        self.borrowed: set[str] = set()

    def add(self, written: str, essence: str, source: str, rank: int) -> None:
        """Take a fact; the type behind an alias gets the extension too."""
        extension = written.lower()
        if not re.fullmatch(r"[a-z0-9][a-z0-9_+-]*", extension):
            return  # tar.gz and the like are two extensions
        if source == "eu" and extension in self.types:
            return  # the EU names the parts of a format too: .dbf of a shapefile
        named = self.sources.setdefault(extension, [])
        if source not in named:
            named.append(source)
        proper = self.known.canonical(essence.lower())
        for name in dict.fromkeys((proper, essence.lower())):
            vague = name == _VAGUE or (name == "text/plain" and source != "mime-db")
            registered = self.known.is_current(name) and name == proper
            key = (vague, not registered, rank)
            types = self.types.setdefault(extension, {})
            types[name] = min(types.get(name, key), key)
            # What a source says of the type itself counts before what it says of an alias.
            is_own = name == essence.lower()
            if name not in self.main or (is_own and name in self.borrowed):
                self.main[name] = extension
                (self.borrowed.discard if is_own else self.borrowed.add)(name)

    def records(self) -> Iterator[ExtensionRecord]:
        """Yield the rows of the table, with our own judgement before all others."""
        ranked = {
            extension: sorted(types, key=types.__getitem__)
            for extension, types in self.types.items()
        }
        notes: dict[str, str] = {}
        for row in judged("extensions.tsv"):
            extension, types = row["extension"], listed(row["types"])
            others = ranked.pop(extension, [])
            if types:
                ranked[extension] = list(dict.fromkeys((*types, *others)))
                notes[extension] = row["reason"]
                if row["main"] or types[0] not in self.main:
                    self.main[types[0]] = extension
        for extension, ordered in sorted(ranked.items()):
            judges = ("judged",) if extension in notes else ()
            yield ExtensionRecord(
                extension,
                tuple(ordered),
                tuple(essence for essence in ordered if self.main.get(essence) == extension),
                (*judges, *self.sources.get(extension, ())),
                notes.get(extension, ""),
            )


# Each yields extension, type, source, rank of the source.
_MIME_DB_RANKS = {"iana": 0, "apache": 1, None: 2, "nginx": 3}
_TIKA_RANK, _W3C_RANK, _EU_RANK = 4, 5, 6


def _mime_db(folder: Path) -> Iterator[tuple[str, str, str, int]]:
    database = json.loads((folder / "db.json").read_text("utf-8"))
    for wanted, rank in _MIME_DB_RANKS.items():
        for essence, entry in database.items():
            if entry.get("source") == wanted:
                for extension in entry.get("extensions", ()):
                    yield extension, essence, "mime-db", rank


def _tika(sources: Sources) -> Iterator[tuple[str, str, str, int]]:
    for row in sources.rows("tika-types.csv"):
        if not _TIKAS_OWN.search(row["type"]):
            for extension in re.findall(r"(?:^|\s)\*\.(\S+)", row["globs"]):
                yield extension, row["type"].partition(";")[0].strip(), "tika", _TIKA_RANK


def _w3c(sources: Sources) -> Iterator[tuple[str, str, str, int]]:
    for row in sources.rows("w3c-formats.csv"):
        if row["suffix"]:
            yield row["suffix"].lstrip("."), row["media_type"], "w3c", _W3C_RANK


def _eu(sources: Sources) -> Iterator[tuple[str, str, str, int]]:
    for row in sources.rows("eu-file-types-*.csv"):
        types = types_in(row["iana_mt"])
        for extension in row["file_ext"].split():
            # For a package with another name the extension tells the content.
            if len(types) == 1 and types[0] not in _PACKAGES:
                yield extension.lstrip("."), types[0], "eu", _EU_RANK
